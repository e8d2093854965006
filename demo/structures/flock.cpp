#include "flock_on.hpp"

#include <throng/simd/isa/isa.hpp>

namespace throng::demo {

namespace {

template <class Index>
Status run_on_active(NeighbourLoop<2>& loop, const Index& index, float radius, const Flock& flock) {
    switch (active_isa()) {
#if defined(__x86_64__)
    case Isa::sse42:
        return run_flock_on(simd::Sse42{}, loop, index, radius, flock);
    case Isa::avx2:
        return run_flock_on(simd::Avx2{}, loop, index, radius, flock);
    case Isa::avx512:
        return run_flock_on(simd::Avx512{}, loop, index, radius, flock);
#elif defined(__aarch64__)
    case Isa::neon:
        return run_flock_on(simd::Neon{}, loop, index, radius, flock);
#endif
    default:
        return run_flock_on(simd::Scalar{}, loop, index, radius, flock);
    }
}

} // namespace

Status run_flock(NeighbourLoop<2>& loop, const throng::Crowd<2>& crowd, float radius,
                 const Flock& flock) {
    return run_on_active(loop, crowd, radius, flock);
}

Status run_flock(NeighbourLoop<2>& loop, const RowGrid<2>& grid, float radius, const Flock& flock) {
    return run_on_active(loop, grid, radius, flock);
}

} // namespace throng::demo
