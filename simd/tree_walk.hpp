// Which agents of a static tree does a question find?
#pragma once

#include "tree_view.hpp"
#include "walk.hpp"

namespace throng::simd {

/// Answers query 0 of a block and returns true; or false when Form::ids wants more room: then hand
/// over another buffer of at least kSlack ids and call again. The walk's row is the leaf where to
/// go on. Form is one of ids, count and any.
template <Form form, class Block>
bool walk_tree(const TreeView<Block::kDim>& tree, const Block& query, const LeaveOut& leave_out,
               Walk& walk) noexcept;

/// Answers queries 0 ... count - 1 of a block in order, appending ids, until one does not fit;
/// returns how many were answered. `Block` is a BoxBlock or a BallBlock; all leave out the same.
template <class Block>
std::size_t select_tree(const TreeView<Block::kDim>& tree, const Block& queries, std::size_t count,
                        const LeaveOut& leave_out, BatchOutput& out) noexcept;

/// The same on one instruction set, compiled from tree_walk.kernel.cpp.
template <Form form, class Arch, class Block>
bool walk_tree_on(Arch, const TreeView<Block::kDim>& tree, const Block& query,
                  const LeaveOut& leave_out, Walk& walk) noexcept;
template <class Arch, class Block>
std::size_t select_tree_on(Arch, const TreeView<Block::kDim>& tree, const Block& queries,
                           std::size_t count, const LeaveOut& leave_out, BatchOutput& out) noexcept;

} // namespace throng::simd
