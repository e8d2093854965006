// Compiled once for each instruction set, as docs/fused.md explains.
#include "examples.hpp"

namespace throng::test {

template <class Arch, std::size_t Dim, class Kernel>
Status run_kernel_on(Arch, NeighbourLoop<Dim>& loop, const RowGrid<Dim>& grid,
                     const Neighbourhood& neighbourhood, const Kernel& kernel) {
    return for_each_neighbour<Arch>(loop, grid, neighbourhood, kernel);
}

template <class Arch, std::size_t Dim, class Kernel>
Status run_kernel_among_on(Arch, NeighbourLoop<Dim>& loop, const NamedGrid<Dim>& askers,
                           std::span<const NamedGrid<Dim>> others,
                           const Neighbourhood& neighbourhood, const Kernel& kernel) {
    return for_each_neighbour<Arch>(loop, askers, others, neighbourhood, kernel);
}

template <class Arch, std::size_t Dim, class Kernel>
Status run_kernel_in_crowd_on(Arch, NeighbourLoop<Dim>& loop, const Crowd<Dim>& crowd,
                              const Neighbourhood& neighbourhood, const Kernel& kernel, Sets sets) {
    return for_each_neighbour<Arch>(loop, crowd, neighbourhood, kernel, sets);
}

using KernelArch = THRONG_KERNEL_ARCH;
#define THRONG_FOR_KERNEL(Dim, ...)                                                                \
    template Status run_kernel_on(KernelArch, NeighbourLoop<Dim>&, const RowGrid<Dim>&,            \
                                  const Neighbourhood&, const __VA_ARGS__&);
#define THRONG_FOR_KERNEL_AMONG(Dim, ...)                                                          \
    template Status run_kernel_among_on(KernelArch, NeighbourLoop<Dim>&, const NamedGrid<Dim>&,    \
                                        std::span<const NamedGrid<Dim>>, const Neighbourhood&,     \
                                        const __VA_ARGS__&);
#define THRONG_FOR_DIM(Dim)                                                                        \
    template Status run_kernel_in_crowd_on(KernelArch, NeighbourLoop<Dim>&, const Crowd<Dim>&,     \
                                           const Neighbourhood&, const Roll&, Sets);               \
    THRONG_FOR_KERNEL(Dim, Count)                                                                  \
    THRONG_FOR_KERNEL(Dim, Transcript<Dim>)                                                        \
    THRONG_FOR_KERNEL_AMONG(Dim, Count)                                                            \
    THRONG_FOR_KERNEL_AMONG(Dim, Diary<Dim>)
#ifndef THRONG_TEST_OTHER_DIM
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#endif
THRONG_FOR_KERNEL(kEvenDim, Density)
THRONG_FOR_KERNEL(kEvenDim, FluidDensity)
THRONG_FOR_KERNEL(kOddDim, Flock<kOddDim>)
THRONG_FOR_KERNEL(kOddDim, Infection)
THRONG_FOR_KERNEL(kOddDim, NearestEnemy)
#undef THRONG_FOR_DIM
#undef THRONG_FOR_KERNEL_AMONG
#undef THRONG_FOR_KERNEL

} // namespace throng::test
