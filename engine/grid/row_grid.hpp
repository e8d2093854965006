// The heart of the engine: a grid whose rows each own the list of their agents.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../simd/isa/export.hpp"
#include "../agents/agents.hpp"
#include "../agents/box.hpp"
#include "../agents/edit.hpp"
#include "../agents/filter.hpp"
#include "../agents/found.hpp"
#include "../agents/nearest.hpp"
#include "../answers/visitors.hpp"
#include "../core/executor.hpp"
#include "../core/function_ref.hpp"
#include "../core/id.hpp"
#include "../core/state_pointer.hpp"
#include "../core/status.hpp"
#include "../memory/memory_use.hpp"
#include "../shapes/shapes_view.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace throng {

template <std::size_t Dim>
class GridParts; // grid_parts.hpp
template <std::size_t Dim>
struct GridShape;  // agents/grid_shape.hpp
struct QueryStats; // what explain() returns: query_stats.hpp

namespace detail {
struct Access;
struct HitPages;
} // namespace detail

/// Finds agents by place, path and nearness, for a crowd that moves every frame.
///
/// Hits come in canonical order (row, cell, id) and are the same to the bit for every executor,
/// thread count and instruction set. Queries are const, take no lock and allocate nothing, so any
/// number of threads may query while none changes the index.
///
/// A call that fails, with a Status or with std::bad_alloc, leaves the index exactly as it was. A
/// grid that was moved from may only be assigned to or destroyed. A visitor may not change the grid
/// that it visits. Builds with assertions report a query during a change.
template <std::size_t Dim>
class THRONG_API RowGrid {
public:
    /// Receives ids, a run at a time; returns false to stop.
    using Visitor = IndexVisitor;
    /// Receives pairs, first[i] and second[i]; returns false to stop.
    using PairVisitor = IndexPairVisitor;

    RowGrid();

    /// Lays out cells over `bounds` and forgets all agents. Agents outside the bounds are kept and
    /// found all the same, but slowly if there are many.
    Status configure(const Box<Dim>& bounds, const Point<Dim>& cell,
                     const CrowdKind<Dim>& kind = {});
    /// The same with cells laid out before, by shape_over() or shape_for().
    Status use(const GridShape<Dim>& shape, const CrowdKind<Dim>& kind = {});

    /// Replaces all agents: everything has moved. A grid that was never configured takes
    /// shape_for(agents) at the first update() that has agents, and keeps that shape from then on.
    Status update(const Agents<Dim>& agents, Executor& executor = serial_executor());
    /// The same, but asks before it changes anything. `commits` is called on the calling thread,
    /// once, when nothing can fail any more, and never after a refusal. If it returns anything but
    /// ok, or throws, the grid is what it was, and update() returns or throws the same. So several
    /// grids, even of several processes, change together or not at all. `commits` must not use this
    /// grid.
    Status update(const Agents<Dim>& agents, Executor& executor, FunctionRef<Status()> commits);

    /// Takes the memory that updates of up to this many agents of the grid's kind need, and touches
    /// its pages. Then the first update() is as fast as later ones, and it allocates nothing if the
    /// agents are spread evenly over the grid. Agents and answers stay as they are. Asking for less
    /// than there is does nothing; release_staging() gives a part back. The grid must be
    /// configured.
    Status reserve(std::size_t agents, Executor& executor = serial_executor());

    /// Adds, removes or moves one agent at the cost of its row; move() keeps its extent and mask.
    /// The index keeps up to six bytes for every id up to the largest, so ids should not be sparse.
    /// Searches stay as wide as the largest agent there has been since the last update().
    Status insert(Id id, const Agent<Dim>& agent);
    Status erase(Id id);
    Status move(Id id, const Point<Dim>& position);
    // A wider number might lose digits.
    Status insert(WiderThanId auto, const Agent<Dim>&) = delete;
    Status erase(WiderThanId auto) = delete;
    Status move(WiderThanId auto, const Point<Dim>&) = delete;

    /// The same as one edit after another, but either all edits are made or none. Each touched row
    /// is gone over once, and rows are changed concurrently. An id may occur more than once. The
    /// status names the first edit that would be refused in its turn.
    Status edit(std::span<const Edit<Dim>> edits, Executor& executor = serial_executor());

    /// Forgets all agents; keeps the shape and the memory.
    void clear() noexcept;

    // Queries take any shape of shapes.hpp, which says which agents each shape finds.

    /// Writes the ids of the agents that the shape finds to `out`, and returns how many there are.
    /// That may exceed out.size(): then the first out.size() were written. Up to 16 entries of
    /// `out` behind the hits may be overwritten too; nothing outside of `out` is.
    Found query(const ShapesView<Dim>& shape, std::span<Id> out, const Filter& filter = {}) const;

    /// The same for many shapes at once: faster than one by one, and fastest when neighbours in the
    /// array are neighbours in space.
    Found query(const ShapesView<Dim>& shapes, Hits& hits, const Filter& filter = {}) const;

    /// Visits runs of ids until the visitor returns false; returns how many ids were visited.
    Found visit(const ShapesView<Dim>& shape, Visitor visitor, const Filter& filter = {}) const;

    /// Only counts the agents. Cells that lie wholly inside the shape are counted without a look at
    /// their agents.
    Found count(const ShapesView<Dim>& shape, const Filter& filter = {}) const;

    /// Stops at the first hit: count is 1 or 0.
    Found any(const ShapesView<Dim>& shape, const Filter& filter = {}) const;

    /// Writes the nearest agents to `out`, nearest first, and returns how many there are. `out`
    /// must have room for k; where fewer are found, the rest of the k entries become Near{}.
    Found nearest(const Point<Dim>& point, const Nearest& nearest, std::span<Near> out,
                  const Filter& filter = {}) const;

    /// What count() would cost, and which way of searching it would take: query_stats.hpp.
    [[nodiscard]] QueryStats explain(const ShapesView<Dim>& shape, const Filter& filter = {}) const;

    /// The agent that a path hits first, and when; of several at the same time, the one with the
    /// smallest id. Looks no further along the path. The count is 1 or 0.
    Found first(const ShapesView<Dim>& path, PathHit& hit, const Filter& filter = {}) const;
    /// The same, but only among hits that come after `after`, by time and id: given the hit of one
    /// call, it finds the next. Does not search the part of the path before that time again.
    Found first_after(const PathHit& after, const ShapesView<Dim>& path, PathHit& hit,
                      const Filter& filter = {}) const;

    /// All agents that a path hits, by time, then by id. After std::bad_alloc the list is not to be
    /// read.
    Found hits(const ShapesView<Dim>& path, std::vector<PathHit>& out,
               const Filter& filter = {}) const;

    /// Writes all ids in canonical order, at most out.size() of them. A simulation that sorts its
    /// own arrays runs fastest in this order. Returns size().
    [[nodiscard]] std::size_t order(std::span<Id> out) const noexcept;

    /// Visits all pairs of agents whose boxes, or discs, overlap, as GridParts::visit_pairs() does.
    Found visit_pairs(PairVisitor visitor, std::uint32_t groups = kAllGroups,
                      Body body = Body::box) const;

    /// Visits the cells that have agents, in canonical order, all of depth 0.
    void visit_cells(IndexCellVisitor<Dim> visitor) const;

    /// A whole crowd or batch, a part at a time, for job systems that cut the work themselves: in
    /// grid_parts.hpp.
    [[nodiscard]] GridParts<Dim> parts() const noexcept;

    [[nodiscard]] std::size_t size() const noexcept;
    [[nodiscard]] bool contains(Id id) const noexcept;
    bool contains(WiderThanId auto) const = delete;
    /// All ids are smaller than this.
    [[nodiscard]] std::size_t id_bound() const noexcept;
    [[nodiscard]] const GridShape<Dim>& shape() const noexcept;
    [[nodiscard]] const CrowdKind<Dim>& kind() const noexcept;
    [[nodiscard]] MemoryUse memory() const noexcept;

    /// Checks every invariant, slowly. Null when all hold, else the first that does not.
    [[nodiscard]] const char* validate() const;

    /// Gives back the scratch memory that update() and edit() keep for their next calls.
    void release_staging() noexcept;

private:
    friend struct detail::Access;
    friend struct detail::HitPages;

    /// Both forms of update(); `commits` is null for the first.
    Status update_if(const Agents<Dim>& agents, Executor& executor,
                     const FunctionRef<Status()>* commits);

    /// Writes the first hits after `after`, in order, as many as fit; `out` must have room for at
    /// least one. For first_where().
    Found hits_after(const PathHit& after, const ShapesView<Dim>& path, std::span<PathHit> out,
                     const Filter& filter) const;

    struct State;
    detail::StatePointer<State> state_;
};

extern template class RowGrid<2>;
extern template class RowGrid<3>;

} // namespace throng

#include "../../simd/isa/names_end.hpp"
