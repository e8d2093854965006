#include "fused_on.hpp"

#include "../../simd/isa/dispatch.hpp"

namespace throng::demo {

namespace {

template <class Index, class Kernel>
Status run_on_active(NeighbourLoop<2>& loop, const Index& index, float radius,
                     const Kernel& kernel) {
    return simd::dispatch(
        [&](auto arch) { return run_fused_on(arch, loop, index, radius, kernel); });
}

} // namespace

Status run_fused(NeighbourLoop<2>& loop, const throng::Crowd<2>& crowd, float radius,
                 const Flock& flock) {
    return run_on_active(loop, crowd, radius, flock);
}
Status run_fused(NeighbourLoop<2>& loop, const RowGrid<2>& grid, float radius, const Flock& flock) {
    return run_on_active(loop, grid, radius, flock);
}
Status run_fused(NeighbourLoop<2>& loop, const throng::Crowd<2>& crowd, float radius,
                 const Walkers& walkers) {
    return run_on_active(loop, crowd, radius, walkers);
}
Status run_fused(NeighbourLoop<2>& loop, const RowGrid<2>& grid, float radius,
                 const Walkers& walkers) {
    return run_on_active(loop, grid, radius, walkers);
}

} // namespace throng::demo
