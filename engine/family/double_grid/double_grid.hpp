// Loose cells that fit their agents, and a tight grid that lists, for each of its cells, the loose
// cells that reach into it.
#pragma once

#include "../../../simd/isa/names_begin.hpp"

#include "../../../simd/isa/export.hpp"
#include "../../agents/agents.hpp"
#include "../../agents/box.hpp"
#include "../../agents/filter.hpp"
#include "../../agents/found.hpp"
#include "../../answers/ask_by_visit.hpp"
#include "../../answers/spatial_index.hpp"
#include "../../core/executor.hpp"
#include "../../core/id.hpp"
#include "../../core/status.hpp"
#include "../../memory/memory_use.hpp"
#include "../../shapes/shapes.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace throng {

namespace detail {
struct Access;
} // namespace detail

/// An index for crowds whose agents differ much in size, and all move.
///
/// Each agent lies in the one *loose* cell that its centre is in, however large it is. A loose cell
/// has no sides of its own: its cover is the box of all its agents, and grows and shrinks with
/// them. A coarse *tight* grid, which does have sides, lists for each of its cells the loose cells
/// whose covers reach into it. A search goes through tight cells, then loose cells, then agents.
/// Large agents do not widen the searches, so a giant slows only searches that touch its cover.
///
/// A loose cell whose cover reaches far is listed in a coarser tight grid. Each such grid has
/// cells four times as wide as the one below; a loose cell is listed in the finest of them where it
/// is in no more than four tight cells an axis (three in space). So no agent is ever listed more
/// than 16 times (27 in space), not even one that spans the world, and an insertion, a removal and
/// a move take constant time.
///
/// Take it if sizes differ by more than a factor of about four, or if agents are inserted, moved
/// and erased one at a time. A RowGrid is faster for a crowd of about one size, and needs less
/// memory if most of the world is empty: here every cell takes 20 bytes (28 in space), and two more
/// for its part of the tight grids, and update() and clear() go over all cells. Agents lie in
/// buckets of 16, so cells for about twelve agents are best; crowded cells chain buckets together.
/// Memory follows from the number of cells and agents, and does not depend on sizes.
///
/// Covers grow at once. They shrink in update(), which finds all of them anew; a host that edits
/// agents one by one calls refit() once a frame, which looks only at cells that may have become
/// smaller.
///
/// The order of answers depends on the calls made before, and never on threads. A grid that was
/// moved from may only be assigned to or destroyed.
template <std::size_t Dim>
class THRONG_API DoubleGrid : public AskByVisit<DoubleGrid<Dim>, Dim> {
public:
    DoubleGrid();
    ~DoubleGrid();
    DoubleGrid(DoubleGrid&&) noexcept;
    DoubleGrid& operator=(DoubleGrid&&) noexcept;

    /// Lays out loose cells of the given size over `bounds`, at most 2^28, and forgets all agents.
    /// Agents outside the bounds are kept in the border cells.
    Status configure(const Box<Dim>& bounds, const Point<Dim>& cell,
                     const CrowdKind<Dim>& kind = {});

    /// Replaces all agents. A grid that was never configured lays out cells over the first crowd,
    /// for about twelve agents each, but no narrower than the mean half extent. The grid is the
    /// same on any executor; on several threads update() takes one more word for every link.
    Status update(const Agents<Dim>& agents, Executor& executor = serial_executor());

    /// Changes one agent, in constant time, except that a removal from a tight cell goes through
    /// the cell's list, which is long if there are very many giants. The first of these calls after
    /// an update() goes over all agents once, to note where each is. The grid keeps four bytes for
    /// every id up to the largest.
    Status insert(Id id, const Agent<Dim>& agent);
    Status erase(Id id);
    Status move(Id id, const Point<Dim>& position);
    // Deleted: a wider number would be truncated.
    Status insert(WiderThanId auto, const Agent<Dim>&) = delete;
    Status erase(WiderThanId auto) = delete;
    Status move(WiderThanId auto, const Point<Dim>&) = delete;

    /// Shrinks covers that agents have left or moved within. Answers are the same before and after.
    /// Throws std::bad_alloc, and then some covers are still too large.
    void refit();

    /// Forgets all agents; keeps the cells and the memory.
    void clear() noexcept;

    /// Visits runs of at most `most` ids until the visitor returns false; counts the ids visited.
    template <ShapeIn<Dim> Shape>
    Found visit(const Shape& shape, IndexVisitor visitor, const Filter& filter = {},
                std::size_t most = kLongestRun) const;

    /// Visits all pairs of agents whose boxes overlap; agents outside `groups` take part in none.
    Found visit_pairs(IndexPairVisitor visitor, std::uint32_t groups = kAllGroups) const;
    /// Visits the same pairs from several threads at once and in any order. Once the visitor has
    /// returned false or thrown, it is not called again; calls that are under way end as usual.
    /// Throws std::bad_alloc before the first pair, and what the visitor or the executor throws.
    /// Cause::executor_failed tells that the executor left work out, so that pairs are missing.
    Found visit_pairs(IndexPairVisitor visitor, Executor& executor,
                      std::uint32_t groups = kAllGroups) const;

    /// Visits the tight cells with lists that are not empty, the coarsest first, with a count of 0;
    /// then the loose cells that have agents, as the boxes that cover them.
    void visit_cells(IndexCellVisitor<Dim> visitor) const;

    [[nodiscard]] std::size_t size() const noexcept;
    [[nodiscard]] bool contains(Id id) const noexcept;
    bool contains(WiderThanId auto) const = delete;
    [[nodiscard]] const CrowdKind<Dim>& kind() const noexcept;
    [[nodiscard]] MemoryUse memory() const noexcept;

    /// Checks every invariant, slowly. Returns null if all hold, else the first that does not.
    [[nodiscard]] const char* validate() const;

    /// Gives back the scratch memory that update() keeps for the next one.
    void release_staging() noexcept;

private:
    friend struct detail::Access;

    struct State;
    std::unique_ptr<State> state_;
};

extern template class DoubleGrid<2>;
extern template class DoubleGrid<3>;

} // namespace throng

#include "../../../simd/isa/names_end.hpp"
