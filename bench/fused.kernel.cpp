// Compiled once for each instruction set, as docs/fused.md explains.
#include "fused_kernels.hpp"

namespace throng::bench {

template <class Arch, std::size_t Dim, class Index, class Kernel>
Status run_kernel_on(Arch, NeighbourLoop<Dim>& loop, const Index& index,
                     const Neighbourhood& neighbourhood, const Kernel& kernel) {
    return for_each_neighbour<Arch>(loop, index, neighbourhood, kernel);
}

using KernelArch = THRONG_KERNEL_ARCH;
#define THRONG_FOR_DIM(Dim)                                                                        \
    template Status run_kernel_on(KernelArch, NeighbourLoop<Dim>&, const RowGrid<Dim>&,            \
                                  const Neighbourhood&, const OffsetSums<Dim>&);                   \
    template Status run_kernel_on(KernelArch, NeighbourLoop<Dim>&, const RowGrid<Dim>&,            \
                                  const Neighbourhood&, const Flock<Dim>&);                        \
    template Status run_kernel_on(KernelArch, NeighbourLoop<Dim>&, const throng::Crowd<Dim>&,      \
                                  const Neighbourhood&, const OffsetSums<Dim, false>&);
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng::bench
