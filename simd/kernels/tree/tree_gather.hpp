// Collects the agents of a tree that lie near a box: one way down for many questions that are
// neighbours.
#pragma once

#include "../../views/query_block.hpp"
#include "../../views/tree_view.hpp"

namespace throng::simd {

/// Near is within a distance of a box, whose square is not above the limit.
template <std::size_t Dim>
struct BoxSeek {
    float lo[Dim], hi[Dim];
    float limit;
};

/// An agent and the box around it, as the tree has it.
template <std::size_t Dim>
struct Gathered {
    std::uint32_t id;
    float lo[Dim], hi[Dim];
};

/// The most that a packet of questions takes: a set of them is a word.
inline constexpr std::uint32_t kMostGathered = 64;

/// Writes the agents to `out`, which has `most` places, in the order of the tree. Returns their
/// number, or `most` + 1 if there are more: then what is in `out` is worth nothing.
/// Squares are rounded, in a few operations, by less than 2^-21 of them. The tree's agents must
/// have extents of their own; of the kernel filter, `each` and `groups_of_each` are not looked at.
template <std::size_t Dim>
std::uint32_t gather_in_tree(const TreeView<Dim>& tree, const BoxSeek<Dim>& seek,
                             const KernelFilter& kernel_filter, Gathered<Dim>* out,
                             std::uint32_t most) noexcept;

/// The same on one instruction set, compiled from tree_gather.kernel.cpp.
template <class Arch, std::size_t Dim>
std::uint32_t gather_in_tree_on(Arch, const TreeView<Dim>& tree, const BoxSeek<Dim>& seek,
                                const KernelFilter& kernel_filter, Gathered<Dim>* out,
                                std::uint32_t most) noexcept;

} // namespace throng::simd
