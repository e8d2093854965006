// A crowd in a nested quadtree: each agent in the smallest node that holds it.
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

/// NestedQuadtree, in nested_quadtree.hpp, over agents that are known by their ids.
///
/// Take it for comparison: many programs use such a tree. Agents of any size are stored once,
/// giants are no special case, and adding, removing or moving one costs one descent. But agents on
/// the middle lines of large nodes stay there, and every search goes through them: through about
/// two thousand of a million agents of width 0.5, one to a unit of area. So the time of a query
/// grows with the square root of the crowd; that of visit_pairs() per agent does not. For an even
/// crowd, queries and moves of a RowGrid are many times faster; for sizes that differ, take a
/// LooseTree or a DoubleGrid.
///
/// What it costs: 32 bytes an agent (8 more with extents of their own, 4 with masks) and 2 to 8 for
/// the nodes; update() keeps 16 bytes an agent.
class THRONG_API NestedIndex : public AskByVisit<NestedIndex, 2> {
public:
    NestedIndex();
    ~NestedIndex();
    NestedIndex(NestedIndex&&) noexcept;
    NestedIndex& operator=(NestedIndex&&) noexcept;

    /// Lays the tree over `bounds`, slightly widened so that an agent on their edge is inside, and
    /// forgets all agents. Agents further outside are kept in the root, where every search looks.
    Status configure(const Box<2>& bounds, const CrowdKind<2>& kind = {});

    /// Replaces all agents. The tree is built anew, which costs less than moving all agents one by
    /// one. A tree that was never configured takes bounds around nearly all agents of the first
    /// crowd that it is given, and keeps them from then on. The tree is the same for every executor
    /// and number of threads. Checking agents, sorting them by node and putting them into nodes run
    /// on all threads.
    Status update(const Agents<2>& agents, Executor& executor = serial_executor());

    /// Changes one agent, at the cost of one descent; erase() and move() also search through the
    /// agents of its node. Avoid sparse ids: the index keeps room for all up to the largest. A tree
    /// that was never configured is laid around the first agent, 512 times as wide as the agent but
    /// at least 1024 units.
    Status insert(Id id, const Agent<2>& agent);
    Status erase(Id id);
    Status move(Id id, const Point<2>& position);
    // Deleted: a wider number would be truncated.
    Status insert(WiderThanId auto, const Agent<2>&) = delete;
    Status erase(WiderThanId auto) = delete;
    Status move(WiderThanId auto, const Point<2>&) = delete;

    /// Forgets all agents; keeps the bounds and the memory.
    void clear() noexcept;

    /// Visits runs of ids until the visitor returns false; counts the ids visited. Goes node by
    /// node, parents first.
    template <ShapeIn<2> Shape>
    Found visit(const Shape& shape, IndexVisitor visitor, const Filter& filter = {},
                std::size_t most = kLongestRun) const;

    /// Visits all pairs of agents whose boxes overlap; agents outside `groups` take part in none.
    Found visit_pairs(IndexPairVisitor visitor, std::uint32_t groups = kAllGroups) const;

    /// The same on the executor's threads: several threads call the visitor at once, with runs in
    /// any order. Once it has returned false no new call begins; calls that run on other threads go
    /// on, and count. Takes memory: some bytes for each of some thousand nodes, and for each run of
    /// 32 agents on their middle lines. Passes on what the visitor throws; Cause::executor_failed
    /// tells that not all pairs were visited.
    Found visit_pairs(IndexPairVisitor visitor, Executor& executor,
                      std::uint32_t groups = kAllGroups) const;

    /// Visits all nodes, each before its children.
    void visit_cells(IndexCellVisitor<2> visitor) const;

    [[nodiscard]] std::size_t size() const noexcept;
    [[nodiscard]] bool contains(Id id) const noexcept;
    bool contains(WiderThanId auto) const = delete;
    [[nodiscard]] const CrowdKind<2>& kind() const noexcept;
    /// The tree counts as `nodes`, the facts of each id as `ids`, the memory that update() keeps as
    /// `staging`.
    [[nodiscard]] MemoryUse memory() const noexcept;

    /// Checks every invariant, slowly. Returns null if all hold, else the first that does not.
    [[nodiscard]] const char* validate() const;

private:
    struct State;

    std::unique_ptr<State> state_;
};

} // namespace throng

#include "../../../simd/isa/names_end.hpp"
