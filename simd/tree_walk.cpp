#include "tree_walk.hpp"

#include "dispatch.hpp"

namespace throng::simd {

template <Form form, class Block>
bool walk_tree(const TreeView<Block::kDim>& tree, const Block& query, const LeaveOut& leave_out,
               Walk& walk) noexcept {
    return dispatch(
        [&](auto arch) { return walk_tree_on<form>(arch, tree, query, leave_out, walk); });
}

template <class Block>
std::size_t select_tree(const TreeView<Block::kDim>& tree, const Block& queries, std::size_t count,
                        const LeaveOut& leave_out, BatchOutput& out) noexcept {
    return dispatch(
        [&](auto arch) { return select_tree_on(arch, tree, queries, count, leave_out, out); });
}

#define THRONG_FOR_FORM(form, Block, Dim)                                                          \
    template bool walk_tree<form>(const TreeView<Dim>&, const Block<Dim>&, const LeaveOut&,        \
                                  Walk&) noexcept;
#define THRONG_FOR_BLOCK(Block, Dim)                                                               \
    THRONG_FOR_FORM(Form::ids, Block, Dim)                                                         \
    THRONG_FOR_FORM(Form::count, Block, Dim)                                                       \
    THRONG_FOR_FORM(Form::any, Block, Dim)
THRONG_FOR_EACH_WALK(THRONG_FOR_BLOCK)
#undef THRONG_FOR_BLOCK
#undef THRONG_FOR_FORM

#define THRONG_FOR_BLOCK(Block, Dim)                                                               \
    template std::size_t select_tree(const TreeView<Dim>&, const Block<Dim>&, std::size_t,         \
                                     const LeaveOut&, BatchOutput&) noexcept;
THRONG_FOR_BLOCK(BoxBlock, 2)
THRONG_FOR_BLOCK(BoxBlock, 3)
THRONG_FOR_BLOCK(BallBlock, 2)
THRONG_FOR_BLOCK(BallBlock, 3)
#undef THRONG_FOR_BLOCK

} // namespace throng::simd
