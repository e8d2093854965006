// Goes through a tree from near to far, and hands over agents for a test that kernels do not know.
#pragma once

#include "../../views/query_block.hpp"
#include "../../views/tree_view.hpp"

namespace throng::simd {

/// Near is near a point: a child's key is the square of its cover's distance.
template <std::size_t Dim>
struct NearSeek {
    static constexpr std::size_t kDim = Dim;
    float point[Dim];
};

/// The limit within which a search finds all covers no farther away than this, rounded as they are.
[[nodiscard]] constexpr float limit_within(double distance) noexcept {
    constexpr double kMore = 1.0 + 0x1p-18;
    return static_cast<float>(distance * distance * kMore + 1e-36);
}

/// Near is early on a straight way: a child's key is the part of the way, 0 to 1, after which the
/// way comes within reach of its cover on all axes. Where it leads up an axis, it reaches a cover
/// when it has come from `first` to the lower side, and leaves it when it has come from `last` to
/// the upper side; where it leads down, the other way round. The two lie on both sides of the way's
/// begin, as far apart from it as it reaches, and by what rounding may do to ways and covers.
template <std::size_t Dim>
struct PathSeek {
    static constexpr std::size_t kDim = Dim;
    float first[Dim], last[Dim];
    float inverse[Dim]; ///< one over the way; not 0, so a way of nothing is a very short one
};

/// Is told each agent whose key is not above the limit, and returns the new limit, which must not
/// be above the old one. A limit below zero ends the search.
struct SeekTest {
    void* context;
    float (*test)(void* context, std::uint32_t id) noexcept;
    /// Whether, of a node's children and of a leaf's agents, the one with the smallest key comes
    /// first. Otherwise they come as they lie, which is faster where any answer will do, or all;
    /// the limit then has to stay as it is until the search ends.
    bool sorted = true;
};

/// The tree's agents must have extents of their own. Keys are rounded, in a few operations, by less
/// than 2^-21 of them, so limits must have that to spare. The kernel filter is one for this
/// question: `each` and `groups_of_each` are not looked at.
template <class Seek>
void seek_in_tree(const TreeView<Seek::kDim>& tree, const Seek& seek,
                  const KernelFilter& kernel_filter, float limit, const SeekTest& test) noexcept;

/// The same on one instruction set, compiled from tree_seek.kernel.cpp.
template <class Arch, class Seek>
void seek_in_tree_on(Arch, const TreeView<Seek::kDim>& tree, const Seek& seek,
                     const KernelFilter& kernel_filter, float limit, const SeekTest& test) noexcept;

} // namespace throng::simd
