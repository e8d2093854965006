#include "nearest.hpp"

#include "../isa/dispatch.hpp"

namespace throng::simd {

template <std::size_t Dim>
void nearest_batch(const GridView<Dim>& grid, BallBlock<Dim>& queries, std::size_t count,
                   const KernelFilter& leave_out, NearestAsk& ask,
                   const NearestOutput& out) noexcept {
    dispatch([&](auto arch) { nearest_batch_on(arch, grid, queries, count, leave_out, ask, out); });
}

template <std::size_t Dim>
void nearest_around(const GridView<Dim>& grid, const Around& around, Place at, Place end,
                    NearestAsk& ask, const NearestOutput& out) noexcept {
    dispatch([&](auto arch) { nearest_around_on(arch, grid, around, at, end, ask, out); });
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template void nearest_batch(const GridView<Dim>&, BallBlock<Dim>&, std::size_t,                \
                                const KernelFilter&, NearestAsk&, const NearestOutput&) noexcept;  \
    template void nearest_around(const GridView<Dim>&, const Around&, Place, Place, NearestAsk&,   \
                                 const NearestOutput&) noexcept;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng::simd
