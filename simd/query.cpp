#include "query.hpp"

#include "dispatch.hpp"

namespace throng::simd {

template <class Block>
std::size_t select_batch(const GridView<Block::kDim>& grid, const Block& queries, std::size_t count,
                         const LeaveOut& leave_out, BatchOutput& out) noexcept {
    return dispatch(
        [&](auto arch) { return select_batch_on(arch, grid, queries, count, leave_out, out); });
}

template <Form form, class Block>
void tally_batch(const GridView<Block::kDim>& grid, const Block& queries, std::size_t count,
                 const LeaveOut& leave_out, std::uint32_t* counts) noexcept {
    dispatch(
        [&](auto arch) { tally_batch_on<form>(arch, grid, queries, count, leave_out, counts); });
}

#define THRONG_FOR_BLOCK(Block, Dim)                                                               \
    template std::size_t select_batch(const GridView<Dim>&, const Block<Dim>&, std::size_t,        \
                                      const LeaveOut&, BatchOutput&) noexcept;                     \
    template void tally_batch<Form::count>(const GridView<Dim>&, const Block<Dim>&, std::size_t,   \
                                           const LeaveOut&, std::uint32_t*) noexcept;              \
    template void tally_batch<Form::any>(const GridView<Dim>&, const Block<Dim>&, std::size_t,     \
                                         const LeaveOut&, std::uint32_t*) noexcept;
THRONG_FOR_BLOCK(BoxBlock, 2)
THRONG_FOR_BLOCK(BoxBlock, 3)
THRONG_FOR_BLOCK(BallBlock, 2)
THRONG_FOR_BLOCK(BallBlock, 3)
#undef THRONG_FOR_BLOCK

} // namespace throng::simd
