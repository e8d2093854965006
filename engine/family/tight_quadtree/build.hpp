// A tight quadtree for a whole crowd at once: counted, laid out, filled. Internal.
#pragma once

#include "../../agents/agents.hpp"
#include "../../memory/vector.hpp"
#include "needs.hpp"
#include "tree.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace throng {

/// Makes a tree by counting how many covers touch each node of a complete tree, which tells the
/// leaves and where each list begins; then every element is written where it belongs, so that
/// leaves and their lists lie in the order of a walk over the tree.
///
/// Cells are counted down to half a cell for each agent, or two, and where leaves must be smaller
/// than that they are split afterwards. What the counts need is kept for the next time: up to 11
/// bytes an agent, 3.5 of them for 100,000 agents, and some more for agents that crowd in few
/// cells.
class TightBuild {
public:
    /// Counts, and makes room in `tree` for fill(); changes nothing in it besides. Throws.
    void plan(TightTree& tree, const TightLattice& lattice, const CrowdKind<2>& kind,
              const Agents<2>& agents);
    /// Empties the tree and fills it with the crowd that was planned for.
    void fill(TightTree& tree, const TightElements& crowd) noexcept;

    [[nodiscard]] std::size_t memory() const noexcept {
        return counts_.capacity() * sizeof(std::uint32_t) + crowded_.capacity() * sizeof(Crowded) +
               (members_.capacity() + needs_.ids.capacity()) * sizeof(Id);
    }

private:
    // Marks a cell within a larger leaf: the other bits are the number of the leaf's first cell,
    // which says where the list goes on.
    static constexpr std::uint32_t kSeeFirst = 0x8000'0000u;
    static constexpr unsigned kMostLevel = 14;

    template <class RangeOf>
    void count_all(const TightTree& tree, const TightLattice& lattice, std::size_t number,
                   const RangeOf& range_of);
    template <class RangeOf>
    void count(const TightLattice& lattice, std::size_t number, const RangeOf& range_of) noexcept;
    template <class RangeOf>
    void count_crowded(const TightTree& tree, const TightLattice& lattice, std::size_t number,
                       const RangeOf& range_of);
    void add_up(const TightTree& tree);
    void lay_out(TightTree& tree) noexcept;
    void write(TightTree& tree, const TightElements& crowd) noexcept;
    void finish(TightTree& tree) noexcept;
    [[nodiscard]] std::uint32_t* level(unsigned l) noexcept { return counts_.data() + begin_[l]; }
    [[nodiscard]] std::uint32_t leaf_of(std::size_t cell) noexcept {
        // Written as a choice between two numbers it would become a branch that is hard to predict.
        const std::uint32_t there = level(finest_)[cell];
        const std::uint32_t see = 0u - (there >> 31);
        return (there & see & ~kSeeFirst) | (static_cast<std::uint32_t>(cell) & ~see);
    }

    Vector<std::uint32_t> counts_;                    ///< of each level's cells, row by row
    std::array<std::size_t, kMostLevel + 2> begin_{}; ///< of each level in them
    unsigned finest_ = 0;
    std::size_t inner_ = 0, references_ = 0, oversized_ = 0;

    /// A cell of the finest level that must be split, and where it lists its members.
    struct Crowded {
        std::uint32_t cell, count;
        std::size_t begin, listed;
    };
    Vector<Crowded> crowded_;
    Vector<Id> members_;
    TightNeeds needs_;
};

} // namespace throng
