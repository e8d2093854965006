// How kernels see a static tree: plain structs over memory that engine/ owns. Free of xsimd.
#pragma once

#include "grid_view.hpp"

#include <cstddef>
#include <cstdint>

namespace throng::simd {

/// Agents in a leaf, and leaves or nodes in a node: one vector on the widest instruction set, whole
/// vectors on all others. So there are no tails.
inline constexpr std::uint32_t kTreeWidth = 16;

/// Enough levels of nodes for 2^28 leaves, which hold the most agents that there can be.
inline constexpr std::uint32_t kTreeLevels = 7;

/// Agents lie in leaves, sixteen each, along a curve on which near agents are near each other. In a
/// leaf, field f of agent i is word f * kTreeWidth + i. Slots without an agent have the id ~0u and
/// NaN positions, which no test finds.
///
/// Node n of level 1 holds the covers of leaves 16 n ... 16 n + 15, and node n of level k + 1 those
/// of nodes 16 n ... 16 n + 15 of level k. The place of a child follows from its number, so nodes
/// hold nothing but their children's covers: lo[a] and then hi[a] of all sixteen, for each axis. A
/// child that does not exist has the cover (inf, -inf).
///
/// The cover of agents with extents of their own bounds their boxes; the cover of agents with a
/// common extent bounds their centres. Either way no more rounding comes in: a test of a cover with
/// the half extent `half` is then exactly the test of its outermost agents.
///
/// Agents added later wait in leaves behind the others, under nodes of level 1 that have no node of
/// level 2 above them.
template <std::size_t Dim>
struct TreeView {
    static constexpr std::uint32_t kNodeWords = 2 * Dim * kTreeWidth;

    GridView<Dim> grid; ///< what shapes need to know of a crowd; it has no rows
    const std::uint32_t* leaves;
    std::uint32_t leaf_words;
    const float* nodes;
    std::uint32_t levels;                   ///< of nodes over the packed leaves; 0: there are none
    std::uint32_t level_begin[kTreeLevels]; ///< where the nodes of level k + 1 begin
    std::uint32_t waiting_begin, waiting_end; ///< nodes of level 1
    std::uint32_t packed;                     ///< agents in packed leaves, dead ones too
    bool dead;                                ///< whether any of them are dead
    float half[Dim]; ///< what to add to a cover to bound the agents' boxes: the common half extent
    float disc[Dim]; ///< the most to add to bound their discs
    float leaf_edge; ///< about how wide leaves are
};

} // namespace throng::simd
