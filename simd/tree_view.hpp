// How kernels see a static tree: plain structs over memory that engine/ owns. Free of xsimd.
#pragma once

#include "grid_view.hpp"

#include <cstddef>
#include <cstdint>

namespace throng::simd {

/// Agents in a leaf, leaves or nodes in a node: a vector of the widest kind, whole vectors of all
/// others. So there are no tails.
inline constexpr std::uint32_t kTreeWidth = 16;

/// Enough levels of nodes for 2^28 leaves, which hold all agents that there can be.
inline constexpr std::uint32_t kTreeLevels = 7;

/// Agents lie in leaves, sixteen each, along a curve that keeps near what is near. Of a leaf, field
/// f of agent i is word f * kTreeWidth + i. Places without an agent have the id ~0u and positions
/// that are no numbers, which no test finds.
///
/// Node n of level 1 is about leaves 16 n ... 16 n + 15, and node n of level k + 1 about nodes 16 n
/// ... of level k: where a child is, is known, and nodes hold nothing but their children's covers,
/// lo[a] and then hi[a] of all sixteen, for each axis. What is not there has the cover (inf, -inf).
///
/// The cover of agents with extents of their own bounds their boxes; of those with a common extent
/// it bounds their centres. Either way no more rounding comes in: a test of a cover with the half
/// extent `half` is then the very test of its outermost agents.
///
/// Agents that came later wait in leaves behind the others, under nodes of level 1 that no node of
/// level 2 is about.
template <std::size_t Dim>
struct TreeView {
    static constexpr std::uint32_t kNodeWords = 2 * Dim * kTreeWidth;

    GridView<Dim> grid; ///< what shapes want to know of a crowd; it has no rows
    const std::uint32_t* leaves;
    std::uint32_t leaf_words;
    const float* nodes;
    std::uint32_t levels;                   ///< of nodes over the packed leaves; 0: there are none
    std::uint32_t level_begin[kTreeLevels]; ///< where the nodes of level k + 1 begin
    std::uint32_t waiting_begin, waiting_end; ///< nodes of level 1
    std::uint32_t packed;                     ///< agents in packed leaves, dead ones too
    bool dead;                                ///< whether there are any
    float half[Dim]; ///< what a cover lacks of the boxes of its agents: the common half extent
    float disc[Dim]; ///< and of their discs, at most
    float leaf_edge; ///< how wide leaves are, about
};

} // namespace throng::simd
