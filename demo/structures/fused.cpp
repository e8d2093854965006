#include "fused_on.hpp"

#include <throng/simd/isa/isa.hpp>

#include <compiled_archs.hpp> // the demo's kernels are compiled for the same list

namespace throng::demo {

namespace {

template <class Index, class Kernel, class... Archs>
Status run_among(simd::ArchList<Archs...>, NeighbourLoop<2>& loop, const Index& index, float radius,
                 const Kernel& kernel) {
    Status status = {Cause::no_such_isa, Argument::environment};
    const auto run_if = [&]<class Arch>(Arch arch) {
        if (active_isa() == simd::kIsaOf<Arch>) {
            status = run_fused_on(arch, loop, index, radius, kernel);
        }
    };
    (run_if(Archs{}), ...);
    return status;
}
template <class Index, class Kernel>
Status run_on_active(NeighbourLoop<2>& loop, const Index& index, float radius,
                     const Kernel& kernel) {
    return run_among(simd::CompiledArchs{}, loop, index, radius, kernel);
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
