// Builds a tight quadtree for a whole crowd at once: counts, lays out, fills. Internal.
#pragma once

#include "../../agents/agents.hpp"
#include "../../core/executor.hpp"
#include "../../core/status.hpp"
#include "../../memory/checked_loop.hpp"
#include "../../memory/vector.hpp"
#include "build_part.hpp"
#include "tree.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace throng {

/// Builds a tree from counts: the number of covers that touch each node of a complete tree tells
/// which nodes are leaves and where each list begins. Then writes every element to its places, so
/// that leaves and their lists lie in the order of a walk over the tree.
///
/// The finest level that is counted has half a cell to two cells for each agent; leaves that must
/// be smaller are split afterwards. The memory of the counts is kept for the next time: up to 11
/// bytes an agent, 3.5 for 100,000 agents, and some more if agents crowd in few cells.
///
/// On several threads the nodes of one level are parts. Each part gets a list of the agents that
/// touch it, in the order of their ids, and is counted and filled as a tree of its own; its nodes
/// and references begin behind those of the parts before it. So the tree is the same to the bit for
/// any number of parts. The lists take 12 bytes more an agent, and as many for each further part
/// that it touches.
class TightBuild {
public:
    /// Counts, and makes room in `tree` for fill(), but changes nothing else in it. Returns and
    /// throws what run_blocks() does.
    Status plan(TightTree& tree, const TightLattice& lattice, const CrowdKind<2>& kind,
                const Agents<2>& agents, Executor& executor, LoopClaims& claims);
    /// Empties the tree and fills it with the crowd that was planned for.
    void fill(TightTree& tree, const TightElements& crowd, Executor& executor,
              LoopClaims& claims) noexcept;

    [[nodiscard]] std::size_t memory() const noexcept;

private:
    static constexpr unsigned kMostLevel = 14;
    /// Parts are nodes of this level at most.
    static constexpr unsigned kMostParting = 5;

    /// A leaf above the parts: its elements are those of some parts.
    struct TopLeaf {
        std::uint32_t node, count;
        std::size_t reference, part, past; ///< first reference; parts `part` ... `past` - 1
    };
    /// A node above the parts that has children.
    struct TopNode {
        std::uint32_t node, first;
    };

    template <class Visit>
    Status with_ranges(const TightLattice& lattice, const CrowdKind<2>& kind,
                       const Agents<2>& agents, const Visit& visit);
    void place_parts(const TightLattice& lattice);
    template <class RangeOf>
    Status list_agents(const AgentBlocks& blocks, const RangeOf& range_of, Executor& executor,
                       LoopClaims& claims);
    void add_up_lists(std::size_t blocks);
    template <class Visit>
    void for_parts_of(const LatticeRange& whole, const Visit& visit) const;
    void place_nodes(const TightTree& tree);
    void fill_top_leaf(TightTree& tree, TightReference* all, const TopLeaf& leaf) const noexcept;
    void give_back(TightTree& tree) const noexcept;
    [[nodiscard]] TightRecords records_of(const TightPart& part) const noexcept {
        return {records_.data() + part.begin, part.records};
    }

    unsigned finest_ = 0;  ///< the last level that is counted
    unsigned parting_ = 0; ///< the level of the parts; 0: the tree is one part
    unsigned to_part_ = 0; ///< parts are 2^to_part_ cells of the lattice wide
    unsigned to_cell_ = 0; ///< cells of the finest level are 2^to_cell_ cells of the lattice wide
    std::size_t inner_ = 0, references_ = 0;
    Vector<std::uint32_t> counts_; ///< the counts of all parts
    Vector<TightPart> parts_;      ///< in the order of a walk over the tree
    Vector<TightRecord> records_;  ///< the lists of the parts, then that of the oversized
    std::size_t oversized_begin_ = 0, oversized_end_ = 0; ///< the oversized in records_
    Vector<std::uint32_t> in_block_; ///< block by list: counts, then where to write
    Vector<TopNode> top_nodes_;      ///< in ascending order of `first`
    Vector<TopLeaf> top_leaves_;
};

} // namespace throng
