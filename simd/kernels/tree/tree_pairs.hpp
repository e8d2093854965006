// The kernel that lists the pairs of overlapping agents of a tree.
#pragma once

#include "../../views/tree_view.hpp"
#include "../grid/pairs.hpp"

#include <cstddef>
#include <cstdint>

namespace throng::simd {

/// How far the pairs have been listed: all pairs of leaves before `leaf`, and of `leaf` itself the
/// pairs with leaves before `other`. The pairs of a leaf are the pairs within it and with the
/// leaves after it. Pairs of leaf `end` and of the leaves after it are not listed. At the start,
/// `leaf` and `end` are first leaves of pages.
struct TreePairsAt {
    std::uint32_t leaf = 0, other = 0;
    std::uint32_t end = ~0u; ///< may be beyond the last leaf
};

/// The least room for pairs: all pairs of two leaves, and the slack that a kernel writes after
/// these.
inline constexpr std::size_t kTreePairs = std::size_t{kTreeWidth} * kTreeWidth + kSlack;

/// Appends pairs of overlapping agents, boxes or discs, each once; agents outside `groups` are in
/// no pair. Returns true when all are listed, up to at.end; or false when it needs more room: then
/// pass other arrays for at least kTreePairs pairs and call again.
template <std::size_t Dim>
bool list_tree_pairs(const TreeView<Dim>& tree, std::uint32_t groups, Body body, TreePairsAt& at,
                     PairsOutput& out) noexcept;

/// The same on one instruction set, compiled from tree_pairs.kernel.cpp.
template <class Arch, std::size_t Dim>
bool list_tree_pairs_on(Arch, const TreeView<Dim>& tree, std::uint32_t groups, Body body,
                        TreePairsAt& at, PairsOutput& out) noexcept;

} // namespace throng::simd
