#include "tree_walk.hpp"

#include "../isa/dispatch.hpp"

namespace throng::simd {

template <Form form, class Block>
bool query_tree(const TreeView<Block::kDim>& tree, const Block& query,
                const KernelFilter& leave_out, QueryCursor& cursor) noexcept {
    return dispatch(
        [&](auto arch) { return query_tree_on<form>(arch, tree, query, leave_out, cursor); });
}

template <class Block>
std::size_t query_tree_block(const TreeView<Block::kDim>& tree, const Block& queries,
                             std::size_t count, const KernelFilter& leave_out,
                             BatchOutput& out) noexcept {
    return dispatch(
        [&](auto arch) { return query_tree_block_on(arch, tree, queries, count, leave_out, out); });
}

#define THRONG_FOR_FORM(form, Block, Dim)                                                          \
    template bool query_tree<form>(const TreeView<Dim>&, const Block<Dim>&, const KernelFilter&,   \
                                   QueryCursor&) noexcept;
#define THRONG_FOR_BLOCK(Block, Dim)                                                               \
    THRONG_FOR_FORM(Form::ids, Block, Dim)                                                         \
    THRONG_FOR_FORM(Form::count, Block, Dim)                                                       \
    THRONG_FOR_FORM(Form::any, Block, Dim)
THRONG_FOR_EACH_QUERY_BLOCK(THRONG_FOR_BLOCK)
#undef THRONG_FOR_BLOCK
#undef THRONG_FOR_FORM

#define THRONG_FOR_BLOCK(Block, Dim)                                                               \
    template std::size_t query_tree_block(const TreeView<Dim>&, const Block<Dim>&, std::size_t,    \
                                          const KernelFilter&, BatchOutput&) noexcept;
THRONG_FOR_EACH_FULL_BLOCK(THRONG_FOR_BLOCK)
#undef THRONG_FOR_BLOCK

} // namespace throng::simd
