// The heart of the engine: a grid whose rows each own the list of their agents.
#pragma once

#include "../simd/export.hpp"
#include "agents.hpp"
#include "ball.hpp"
#include "box.hpp"
#include "executor.hpp"
#include "filter.hpp"
#include "found.hpp"
#include "function_ref.hpp"
#include "grid_shape.hpp"
#include "id.hpp"
#include "memory_use.hpp"
#include "status.hpp"

#include <cstddef>
#include <memory>
#include <span>

namespace throng {

/// Who is near whom, for a crowd that moves every frame.
///
/// Answers come in canonical order (row, cell, id) and are the same to the bit for every executor,
/// thread count and instruction set. Queries are const, take no lock and allocate nothing, so any
/// number of threads may ask while nobody changes the index.
///
/// A call that fails, with a Status or with std::bad_alloc, leaves the index exactly as it was.
/// A grid that was moved from may only be assigned to or destroyed; a visitor may not change the
/// grid that it visits.
template <std::size_t Dim>
class THRONG_API RowGrid {
public:
    /// Receives ids, a run at a time; returns false to stop.
    using Visitor = FunctionRef<bool(std::span<const Id>)>;

    RowGrid();
    ~RowGrid();
    RowGrid(RowGrid&&) noexcept;
    RowGrid& operator=(RowGrid&&) noexcept;

    /// Lays out cells over `bounds` and forgets all agents. Agents outside the bounds are kept and
    /// found all the same, but slowly if they are many.
    Status configure(const Box<Dim>& bounds, const Point<Dim>& cell,
                     const CrowdKind<Dim>& kind = {});
    /// The same with cells laid out before, by shape_over() or shape_for().
    Status use(const GridShape<Dim>& shape, const CrowdKind<Dim>& kind = {});

    /// Replaces all agents: everything has moved. A grid that was never configured takes
    /// shape_for(agents) the first time that there are any, and keeps it from then on.
    Status update(const Agents<Dim>& agents, Executor& executor = serial_executor());

    /// Adds, removes or moves one agent at the cost of its row; move() keeps its extent and mask.
    /// The index keeps up to six bytes for every id up to the largest, so ids had better not be
    /// sparse. Searches stay as wide as the largest agent there has been since the last update().
    Status insert(Id id, const Agent<Dim>& agent);
    Status erase(Id id);
    Status move(Id id, const Point<Dim>& position);

    /// Forgets all agents; keeps the shape and the memory.
    void clear() noexcept;

    /// Writes the ids of the agents that overlap the box, or lie in the ball, to `out`, and returns
    /// how many there are, which may exceed out.size(): then the first out.size() were written.
    Found query(const Box<Dim>& box, std::span<Id> out, const Filter& filter = {}) const;
    Found query(const Ball<Dim>& ball, std::span<Id> out, const Filter& filter = {}) const;

    /// The same for many boxes or balls at once, faster than one by one, and fastest when
    /// neighbours in the array are neighbours in space.
    Status query(std::span<const Box<Dim>> boxes, Hits& hits, const Filter& filter = {}) const;
    Status query(std::span<const Ball<Dim>> balls, Hits& hits, const Filter& filter = {}) const;

    /// Visits runs of ids until the visitor returns false; counts what was visited.
    Found visit(const Box<Dim>& box, Visitor visitor, const Filter& filter = {}) const;
    Found visit(const Ball<Dim>& ball, Visitor visitor, const Filter& filter = {}) const;

    /// Only counts; where cells lie wholly inside, from the cell tables alone.
    Found count(const Box<Dim>& box, const Filter& filter = {}) const;
    Found count(const Ball<Dim>& ball, const Filter& filter = {}) const;

    /// Stops at the first hit: count is 1 or 0.
    Found any(const Box<Dim>& box, const Filter& filter = {}) const;
    Found any(const Ball<Dim>& ball, const Filter& filter = {}) const;

    /// What count() would cost.
    [[nodiscard]] QueryStats explain(const Box<Dim>& box, const Filter& filter = {}) const;
    [[nodiscard]] QueryStats explain(const Ball<Dim>& ball, const Filter& filter = {}) const;

    /// Writes all ids in canonical order, at most out.size() of them: the order in which a
    /// simulation that sorts its own arrays runs fastest. Returns size().
    [[nodiscard]] std::size_t order(std::span<Id> out) const noexcept;

    [[nodiscard]] std::size_t size() const noexcept;
    [[nodiscard]] bool contains(Id id) const noexcept;
    [[nodiscard]] const GridShape<Dim>& shape() const noexcept;
    [[nodiscard]] const CrowdKind<Dim>& kind() const noexcept;
    [[nodiscard]] MemoryUse memory() const noexcept;

    /// Checks every invariant, slowly. Null when all hold, else the first that does not.
    [[nodiscard]] const char* validate() const;

    /// Gives back the scratch memory that update() keeps for the next one.
    void release_staging() noexcept;

private:
    struct State;
    struct Asking;
    std::unique_ptr<State> state_;
};

extern template class RowGrid<2>;
extern template class RowGrid<3>;

} // namespace throng
