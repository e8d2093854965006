// Compiled once for each instruction set, as docs/fused.md explains.
#include "fused_on.hpp"

namespace throng::demo {

template <class Arch, class Index, class Kernel>
Status run_fused_on(Arch, NeighbourLoop<2>& loop, const Index& index, float radius,
                    const Kernel& kernel) {
    const Neighbourhood neighbourhood = {radius, false, kAllGroups};
    if constexpr (std::is_same_v<Index, RowGrid<2>>) {
        return for_each_neighbour<Arch>(loop, index, neighbourhood, kernel);
    } else {
        return for_each_neighbour<Arch>(loop, index, neighbourhood, kernel, Sets::agents);
    }
}

using KernelArch = THRONG_KERNEL_ARCH;
using Crowd2 = throng::Crowd<2>;
template Status run_fused_on(KernelArch, NeighbourLoop<2>&, const Crowd2&, float, const Flock&);
template Status run_fused_on(KernelArch, NeighbourLoop<2>&, const RowGrid<2>&, float, const Flock&);
template Status run_fused_on(KernelArch, NeighbourLoop<2>&, const Crowd2&, float, const Walkers&);
template Status run_fused_on(KernelArch, NeighbourLoop<2>&, const RowGrid<2>&, float,
                             const Walkers&);

} // namespace throng::demo
