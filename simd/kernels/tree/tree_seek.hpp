// The kernel that searches a tree, from near to far or in its order, for a test of the caller.
#pragma once

#include "../../views/query_block.hpp"
#include "../../views/tree_view.hpp"

namespace throng::simd {

/// A search from a point: a child's key is the square of its cover's distance.
template <std::size_t Dim>
struct NearSeek {
    static constexpr std::size_t kDim = Dim;
    float point[Dim];
};

/// The limit with which a search finds all covers within this distance, although keys are rounded.
[[nodiscard]] constexpr float limit_within(double distance) noexcept {
    constexpr double kMore = 1.0 + 0x1p-18;
    return static_cast<float>(distance * distance * kMore + 1e-36);
}

/// A search along a straight way: a child's key is the fraction of the way, 0 to 1, after which the
/// way is within reach of the child's cover on all axes. Where the way leads up an axis, it comes
/// within reach after the distance from `first` to the cover's lower side, and out of reach after
/// the distance from `last` to the upper side; where it leads down, the sides change places.
/// `first` and `last` lie on both sides of the way's begin, at a distance of the reach and a margin
/// for the rounding of ways and covers.
template <std::size_t Dim>
struct PathSeek {
    static constexpr std::size_t kDim = Dim;
    float first[Dim], last[Dim];
    float inverse[Dim]; ///< one over the way, never 0: a way of no length counts as a very short
                        ///< one
};

/// Receives each agent whose key is not above the limit, and returns the new limit, which must not
/// be above the old one. A limit below zero ends the search.
struct SeekTest {
    void* context;
    float (*test)(void* context, std::uint32_t id) noexcept;
    /// Whether the smallest key comes first among a node's children and among a leaf's agents.
    /// Otherwise they come in the order of the tree, which is faster if any answer will do, or if
    /// all are wanted; the limit must then stay the same until the search ends.
    bool sorted = true;
};

/// Passes agents whose keys are within the limit to the test. The tree's agents must have extents
/// of their own. Keys have rounding errors below 2^-21 of the key, so limits need this margin.
/// `each` and `groups_of_each` of the kernel filter are ignored.
template <class Seek>
void seek_in_tree(const TreeView<Seek::kDim>& tree, const Seek& seek,
                  const KernelFilter& kernel_filter, float limit, const SeekTest& test) noexcept;

/// The same on one instruction set, compiled from tree_seek.kernel.cpp.
template <class Arch, class Seek>
void seek_in_tree_on(Arch, const TreeView<Seek::kDim>& tree, const Seek& seek,
                     const KernelFilter& kernel_filter, float limit, const SeekTest& test) noexcept;

} // namespace throng::simd
