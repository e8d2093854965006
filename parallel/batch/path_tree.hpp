// A packed tree of a grid's agents, for batches of paths. Internal.
#pragma once

#include "../../engine/agents/buffers.hpp"
#include "../../engine/agents/filter.hpp"
#include "../../engine/core/executor.hpp"
#include "../../engine/grid/store/state.hpp"
#include "../../engine/loose_tree/loose_tree.hpp"
#include "../../engine/memory/checked_loop.hpp"
#include "../../engine/shapes/shapes_view.hpp"
#include "ordered_output.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng {

/// The kind of answer for each path.
enum class PathAnswer : std::uint8_t { ids, count, any };

/// A tree of the small agents: a long path meets few leaves of a tree, and many rows of a grid. The
/// tree is packed when it is predicted to save more time on paths than packing takes, and kept
/// while the grid does not change. It gives the grid's answers in the grid's order: an agent's
/// number in the tree is its place in storage order. See docs/planner.md.
template <std::size_t Dim>
class PathTree {
public:
    /// A call with fewer questions asks the rows. Of a longer call, one question in this many is
    /// tried beforehand, at most 16. A try takes as long as an answer with ids, but as long as many
    /// answers of any().
    [[nodiscard]] static constexpr std::size_t least(PathAnswer answer) noexcept {
        return answer == PathAnswer::any ? 1024 : 128;
    }

    /// Packs the tree if that pays for these questions, which must be at least least() paths about
    /// a grid with agents. The count is 1 if the tree is to be asked; the status is the executor's.
    /// Throws std::bad_alloc.
    [[nodiscard]] Found pays(const RowGrid<Dim>& grid, const ShapesView<Dim>& questions,
                             const Filters& filters, PathAnswer answer, Executor& executor);

    // These are like the calls of ShapeSource, but return the status of the first refused question.

    Found query(const ShapesView<Dim>& questions, OutputPart& part, const HitsBuffer& out,
                const Filters& filters) const;
    Found count(const ShapesView<Dim>& questions, OutputPart& part, std::span<std::uint32_t> counts,
                const Filters& filters) const;
    Found any(const ShapesView<Dim>& questions, std::span<std::uint32_t> counts,
              const Filters& filters) const;

    [[nodiscard]] std::size_t memory() const noexcept;

private:
    /// Packs the grid's agents into tree_. If it returns any status but ok, tree_ must not be
    /// asked.
    [[nodiscard]] Status pack(const RowGrid<Dim>& grid, Executor& executor);
    /// Writes the storage places of the agents that a path finds to the first half of part.found,
    /// in no order, and returns how many there are.
    Found find(const ShapesView<Dim>& path, OutputPart& part, const Filter& filter) const;

    /// The sum of tally_one(path, filter) over all questions.
    template <class TallyOne>
    Found tally(const ShapesView<Dim>& questions, std::span<std::uint32_t> counts,
                const Filters& filters, const TallyOne& tally_one) const;

    LooseTree<Dim> tree_;
    std::vector<Id> id_of_; ///< by place in storage order
    Edition packed_{};      ///< the content of the grid that the tree holds
    Edition asked_{};       ///< the content that was asked about last
    double saving_ = 0.0;   ///< what a tree would have saved on all questions about asked_
    double before_ = 0.0;   ///< saving_ of the content that was asked about before asked_

    // Scratch for packing.
    std::array<std::vector<float>, Dim> position_, half_;
    std::vector<std::uint32_t> groups_;
    std::vector<std::size_t> first_of_; ///< the first place of each slice
    LoopClaims claims_;
};

/// Sorts numbers. Takes a few passes if they are spread evenly over a range, as a path's hits are
/// over storage order; else as long as std::sort(). The scratch must be as long as `numbers`.
void sort_spread(std::span<std::uint32_t> numbers, std::span<std::uint32_t> scratch) noexcept;

extern template class PathTree<2>;
extern template class PathTree<3>;

} // namespace throng
