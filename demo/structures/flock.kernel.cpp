// Compiled once per instruction set, as docs/fused.md says.
#include "flock_on.hpp"

namespace throng::demo {

template <class Arch, class Index>
Status run_flock_on(Arch, NeighbourLoop<2>& loop, const Index& index, float radius,
                    const Flock& flock) {
    return for_each_neighbour<Arch>(loop, index, Neighbourhood{radius, false, kAllGroups}, flock);
}

using KernelArch = THRONG_KERNEL_ARCH;
template Status run_flock_on(KernelArch, NeighbourLoop<2>&, const throng::Crowd<2>&, float,
                             const Flock&);
template Status run_flock_on(KernelArch, NeighbourLoop<2>&, const RowGrid<2>&, float, const Flock&);

} // namespace throng::demo
