// Collects the agents of a tree that lie near a box: one descent for many neighbouring questions.
#pragma once

#include "../../views/query_block.hpp"
#include "../../views/tree_view.hpp"

namespace throng::simd {

/// A search for agents near a box: the square of their distance is not above the limit.
template <std::size_t Dim>
struct BoxSeek {
    float lo[Dim], hi[Dim];
    float limit;
};

/// An agent's id, and its box as the tree holds it.
template <std::size_t Dim>
struct Gathered {
    std::uint32_t id;
    float lo[Dim], hi[Dim];
};

/// The most agents that a packet of questions takes: 64 bits can hold a set of these agents.
inline constexpr std::uint32_t kMostGathered = 64;

/// Writes the agents to `out`, which has `most` places, in the order of the tree. Returns their
/// number, or `most` + 1 if there are more: then the contents of `out` are of no use. The rounding
/// error of a square is less than 2^-21 of the square. The tree's agents must have extents of their
/// own; `each` and `groups_of_each` of the kernel filter are ignored.
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
