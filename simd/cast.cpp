#include "cast.hpp"

#include "dispatch.hpp"

namespace throng::simd {

template <class Block>
Met cast_first(const GridView<Block::kDim>& grid, const Block& query,
               const LeaveOut& leave_out) noexcept {
    return dispatch([&](auto arch) { return cast_first_on(arch, grid, query, leave_out); });
}

template <class Block>
bool cast_all(const GridView<Block::kDim>& grid, const Block& query, const LeaveOut& leave_out,
              Walk& walk, MetOutput& out) noexcept {
    return dispatch(
        [&](auto arch) { return cast_all_on(arch, grid, query, leave_out, walk, out); });
}

#define THRONG_FOR_BLOCK(Block, Dim)                                                               \
    template Met cast_first(const GridView<Dim>&, const Block<Dim>&, const LeaveOut&) noexcept;    \
    template bool cast_all(const GridView<Dim>&, const Block<Dim>&, const LeaveOut&, Walk&,        \
                           MetOutput&) noexcept;
THRONG_FOR_BLOCK(TrackBlock, 2)
THRONG_FOR_BLOCK(TrackBlock, 3)
THRONG_FOR_BLOCK(SweepBlock, 2)
THRONG_FOR_BLOCK(SweepBlock, 3)
#undef THRONG_FOR_BLOCK

} // namespace throng::simd
