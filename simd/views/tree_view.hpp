// How kernels see a loose tree: plain structs over memory that engine/ owns. Free of xsimd.
#pragma once

#include "grid_view.hpp"

#include <cstddef>
#include <cstdint>

namespace throng::simd {

/// How many agents a leaf has, how many leaves a page has, and how many children a node has. This
/// is a whole number of vectors on every instruction set, so no loop over them has a rest.
inline constexpr std::uint32_t kTreeWidth = 16;

/// Levels of nodes, pages included: enough for 2^28 leaves.
inline constexpr std::uint32_t kTreeLevels = 7;

/// Stands in page_of for a free place, which has no page.
inline constexpr std::uint32_t kNoPage = ~0u;

/// Agents lie in leaves, sixteen each, along a curve on which near agents are near each other. In a
/// leaf, field f of agent i is word f * kTreeWidth + i. Agents fill the first slots of their leaf;
/// the others have the id ~0u and NaN positions, which no test finds. A leaf without agents may
/// hold anything, and is never read.
///
/// Leaves 16 p ... 16 p + 15 are page p, which lies in one piece, with the covers of its leaves.
/// Pages have places in the order of the tree, and some places are free. Node n of level 1 holds
/// the covers of the pages in places 16 n ... 16 n + 15, node n of level k + 1 the covers of nodes
/// 16 n ... 16 n + 15 of level k. A page is a node of level 0. The number of a child follows from
/// its place, so nodes hold nothing but their children's covers: lo[a] and then hi[a] of all
/// sixteen, for each axis. A child without agents has the cover (inf, -inf).
///
/// The cover of agents with extents of their own bounds their boxes; the cover of agents with a
/// common extent bounds their centres. Either way covers add no rounding: a test of a cover with
/// the half extent `half` is exactly the test of its outermost agents.
template <std::size_t Dim>
struct TreeView {
    static constexpr std::uint32_t kNodeWords = 2 * Dim * kTreeWidth;

    GridView<Dim> grid; ///< what shapes need to know of a crowd; it has no rows
    const std::uint32_t* leaves;
    std::uint32_t leaf_words;
    const std::uint8_t* filled;   ///< the number of agents in each leaf
    const float* pages;           ///< the covers of the leaves of each page
    const std::uint32_t* page_of; ///< the page in each place, or kNoPage
    std::uint32_t places;
    std::uint32_t levels;                   ///< pages included; 0: no page; 1: one page, the root
    std::uint32_t level_begin[kTreeLevels]; ///< the first node of each level but level 0
    const float* nodes;                     ///< of levels 1 and above
    const std::uint32_t* totals;            ///< the number of agents below each child of `nodes`
    float half[Dim]; ///< what to add to a cover to bound the agents' boxes: the common half extent
    float disc[Dim]; ///< what to add at most to a cover to bound the agents' discs
    float leaf_edge; ///< about how wide leaves are
};

} // namespace throng::simd
