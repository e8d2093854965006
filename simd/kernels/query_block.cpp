#include "../views/query_block.hpp"

#include "../isa/dispatch.hpp"

namespace throng::simd {

template <class Block>
std::size_t query_block(const GridView<Block::kDim>& grid, const Block& queries, std::size_t count,
                        const KernelFilter& leave_out, BatchOutput& out) noexcept {
    return dispatch(
        [&](auto arch) { return query_block_on(arch, grid, queries, count, leave_out, out); });
}

template <Form form, class Block>
void count_block(const GridView<Block::kDim>& grid, const Block& queries, std::size_t count,
                 const KernelFilter& leave_out, std::uint32_t* counts) noexcept {
    dispatch([&](auto arch) {
        count_block_on(arch, grid, queries, count, leave_out, form == Form::any, counts);
    });
}

#define THRONG_FOR_BLOCK(Block, Dim)                                                               \
    template std::size_t query_block(const GridView<Dim>&, const Block<Dim>&, std::size_t,         \
                                     const KernelFilter&, BatchOutput&) noexcept;                  \
    template void count_block<Form::count>(const GridView<Dim>&, const Block<Dim>&, std::size_t,   \
                                           const KernelFilter&, std::uint32_t*) noexcept;          \
    template void count_block<Form::any>(const GridView<Dim>&, const Block<Dim>&, std::size_t,     \
                                         const KernelFilter&, std::uint32_t*) noexcept;
THRONG_FOR_EACH_FULL_BLOCK(THRONG_FOR_BLOCK)
#undef THRONG_FOR_BLOCK

} // namespace throng::simd
