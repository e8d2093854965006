// The kernels that find the agents of a tree that questions ask for.
#pragma once

#include "../../views/query_one.hpp"
#include "../../views/tree_view.hpp"

namespace throng::simd {

/// Answers query 0 of a block and returns true; or false when Form::ids needs more room: then pass
/// another buffer of at least kSlack ids and call again. The cursor's row is the leaf to go on
/// from. Form is one of ids, count and any.
template <Form form, class Block>
bool query_tree(const TreeView<Block::kDim>& tree, const Block& query,
                const KernelFilter& kernel_filter, QueryCursor& cursor) noexcept;

/// Answers queries 0 ... count - 1 of a block in order, appending ids, until the ids of a query do
/// not fit; returns how many queries were answered. `Block` is one of THRONG_FOR_EACH_FULL_BLOCK;
/// all its queries leave out the same agents.
template <class Block>
std::size_t query_tree_block(const TreeView<Block::kDim>& tree, const Block& queries,
                             std::size_t count, const KernelFilter& kernel_filter,
                             BatchOutput& out) noexcept;

/// The same on one instruction set, compiled from tree_walk.kernel.cpp.
template <Form form, class Arch, class Block>
bool query_tree_on(Arch, const TreeView<Block::kDim>& tree, const Block& query,
                   const KernelFilter& kernel_filter, QueryCursor& cursor) noexcept;
template <class Arch, class Block>
std::size_t query_tree_block_on(Arch, const TreeView<Block::kDim>& tree, const Block& queries,
                                std::size_t count, const KernelFilter& kernel_filter,
                                BatchOutput& out) noexcept;

} // namespace throng::simd
