#include "fused_on.hpp"

#include <throng/simd/isa/isa.hpp>

namespace throng::demo {

namespace {

template <class Index, class Kernel>
Status run_on_active(NeighbourLoop<2>& loop, const Index& index, float radius,
                     const Kernel& kernel) {
    switch (active_isa()) {
#if defined(__x86_64__)
    case Isa::sse42:
        return run_fused_on(simd::Sse42{}, loop, index, radius, kernel);
    case Isa::avx2:
        return run_fused_on(simd::Avx2{}, loop, index, radius, kernel);
    case Isa::avx512:
        return run_fused_on(simd::Avx512{}, loop, index, radius, kernel);
#elif defined(__aarch64__)
    case Isa::neon:
        return run_fused_on(simd::Neon{}, loop, index, radius, kernel);
#endif
    default:
        return run_fused_on(simd::Scalar{}, loop, index, radius, kernel);
    }
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
