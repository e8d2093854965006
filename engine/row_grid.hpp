// The heart of the engine: a grid whose rows each own the list of their agents.
#pragma once

#include "../simd/export.hpp"
#include "agents.hpp"
#include "edit.hpp"
#include "executor.hpp"
#include "filter.hpp"
#include "found.hpp"
#include "grid_shape.hpp"
#include "id.hpp"
#include "memory_use.hpp"
#include "nearest.hpp"
#include "neighbourhood.hpp"
#include "shapes.hpp"
#include "spatial_index.hpp"
#include "status.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace throng {

template <std::size_t Dim>
class Batch;
template <class Index>
struct FrozenIndex;
template <std::size_t Dim>
class Crowd;
template <std::size_t Dim>
class NeighbourLoop;
template <std::size_t Dim>
struct PathChoice;

/// Who is near whom, for a crowd that moves every frame.
///
/// Answers come in canonical order (row, cell, id) and are the same to the bit for every executor,
/// thread count and instruction set. Queries are const, take no lock and allocate nothing, so any
/// number of threads may ask while nobody changes the index.
///
/// A call that fails, with a Status or with std::bad_alloc, leaves the index exactly as it was.
/// A grid that was moved from may only be assigned to or destroyed; a visitor may not change the
/// grid that it visits. Builds with assertions tell of a query during a change.
template <std::size_t Dim>
class THRONG_API RowGrid {
public:
    /// Receives ids, a run at a time; returns false to stop.
    using Visitor = IndexVisitor;
    /// Receives pairs, first[i] and second[i]; returns false to stop.
    using PairVisitor = IndexPairVisitor;
    static constexpr std::size_t kLeastRun = 64;

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

    /// The same as one edit after another, but all of them or none: each row that they touch is
    /// gone over once, and rows are worked on concurrently. An id may come up more than once. The
    /// status names the first edit that would be refused in its turn.
    Status edit(std::span<const Edit<Dim>> edits, Executor& executor = serial_executor());

    /// Forgets all agents; keeps the shape and the memory.
    void clear() noexcept;

    // Questions: with any shape of shapes.hpp, which says whom each finds.

    /// Writes the ids of the agents that the shape finds to `out`, and returns how many there are,
    /// which may exceed out.size(): then the first out.size() were written.
    template <ShapeIn<Dim> Shape>
    Found query(const Shape& shape, std::span<Id> out, const Filter& filter = {}) const;

    /// The same for many at once, faster than one by one, and fastest when neighbours in the array
    /// are neighbours in space.
    template <ShapesIn<Dim> Shapes>
    Status query(const Shapes& shapes, Hits& hits, const Filter& filter = {}) const {
        return query_all(SpanOf<Shapes>(shapes), hits, filter);
    }

    /// Visits runs of ids until the visitor returns false; counts what was visited.
    template <ShapeIn<Dim> Shape>
    Found visit(const Shape& shape, Visitor visitor, const Filter& filter = {}) const;

    /// Only counts; where cells lie wholly inside, from the cell tables alone.
    template <ShapeIn<Dim> Shape>
    Found count(const Shape& shape, const Filter& filter = {}) const;

    /// Stops at the first hit: count is 1 or 0.
    template <ShapeIn<Dim> Shape>
    Found any(const Shape& shape, const Filter& filter = {}) const;

    /// Writes the nearest agents to `out`, which must have room for k, the nearest first, and
    /// returns how many they are; places of the k behind them become Near{}.
    Found nearest(const Point<Dim>& point, const Nearest& nearest, std::span<Near> out,
                  const Filter& filter = {}) const;

    /// What count() would cost.
    template <ShapeIn<Dim> Shape>
    [[nodiscard]] QueryStats explain(const Shape& shape, const Filter& filter = {}) const;

    /// Whom a path meets first, and when; of several at the same time, the one with the smallest
    /// id. Looks no further than that. The count is 1 or 0.
    template <PathIn<Dim> Path>
    Found first(const Path& path, Meeting& meeting, const Filter& filter = {}) const;

    /// Everybody whom it meets, by time, then by id. After std::bad_alloc the list is not to be
    /// read.
    template <PathIn<Dim> Path>
    Status meetings(const Path& path, std::vector<Meeting>& meetings,
                    const Filter& filter = {}) const;

    /// Writes all ids in canonical order, at most out.size() of them: the order in which a
    /// simulation that sorts its own arrays runs fastest. Returns size().
    [[nodiscard]] std::size_t order(std::span<Id> out) const noexcept;

    /// Visits all pairs of agents whose boxes overlap, as visit_pairs_range() does.
    Found visit_pairs(PairVisitor visitor, std::uint32_t groups = kAllGroups) const;

    /// Visits the cells that have agents, in canonical order, all of depth 0.
    void visit_cells(IndexCellVisitor<Dim> visitor) const;

    // A whole crowd, a part at a time. Batch, in parallel/batch.hpp, asks all of these for everyone
    // on an executor; a job system that would rather cut the work itself calls them from as many
    // jobs as it likes. They are const, need little stack and allocate nothing: what they need
    // besides is `scratch`, range_scratch() words that no other call uses meanwhile.

    [[nodiscard]] static std::size_t range_scratch() noexcept;

    /// Answers queries begin ... end - 1 of a batch; offsets[0] becomes out.used. Returns how many
    /// ids their answers have together, which may exceed the room behind that. The filter is one
    /// for all queries, or FilterEach: as fast where only whom they leave out differs, and nearly
    /// as fast where their groups do.
    template <ShapesIn<Dim> Shapes>
    Found query_range(const Shapes& shapes, std::size_t begin, std::size_t end,
                      std::span<std::uint32_t> scratch, const HitsBuffer& out,
                      const Filters& filters = {}) const {
        return query_part(SpanOf<Shapes>(shapes), begin, end, scratch, out, filters);
    }

    /// How many agents each of queries begin ... end - 1 finds. Returns the sum.
    template <ShapesIn<Dim> Shapes>
    Found count_range(const Shapes& shapes, std::size_t begin, std::size_t end,
                      std::span<std::uint32_t> scratch, std::span<std::uint32_t> counts,
                      const Filters& filters = {}) const {
        return count_part(SpanOf<Shapes>(shapes), begin, end, scratch, counts, filters);
    }

    /// The same, but 1 for each query that finds anybody, and 0 for others.
    template <ShapesIn<Dim> Shapes>
    Found any_range(const Shapes& shapes, std::size_t begin, std::size_t end,
                    std::span<std::uint32_t> scratch, std::span<std::uint32_t> counts,
                    const Filters& filters = {}) const {
        return any_part(SpanOf<Shapes>(shapes), begin, end, scratch, counts, filters);
    }

    /// The crowd in canonical order comes in so many slices, each of some thousand agents. They
    /// change with every update and edit; what all of them answer together does not depend on them.
    [[nodiscard]] std::size_t slices() const noexcept;
    /// How many agents are in slices begin ... end - 1, which must exist.
    [[nodiscard]] std::size_t agents_in(std::size_t begin, std::size_t end) const noexcept;
    /// order() for slices begin ... end - 1. Returns agents_in(begin, end).
    [[nodiscard]] std::size_t order_range(std::size_t begin, std::size_t end,
                                          std::span<Id> out) const noexcept;
    /// The same, but where they are: their centres. Also returns agents_in(begin, end).
    [[nodiscard]] std::size_t positions_range(std::size_t begin, std::size_t end,
                                              std::span<Point<Dim>> out) const noexcept;

    /// The neighbours of the agents of slices begin ... end - 1, in canonical order; or how many
    /// each has. Returns the sum.
    Found neighbours_range(const Neighbourhood& neighbourhood, std::size_t begin, std::size_t end,
                           std::span<std::uint32_t> scratch, const HitsBuffer& out) const;
    Found count_neighbours_range(const Neighbourhood& neighbourhood, std::size_t begin,
                                 std::size_t end, std::span<std::uint32_t> scratch,
                                 std::span<std::uint32_t> counts) const;

    /// The nearest to points begin ... end - 1, or to the agents of slices begin ... end - 1 in
    /// canonical order. The scratch is nearest_scratch() words. Returns how many are found
    /// together.
    [[nodiscard]] static std::size_t nearest_scratch() noexcept;
    Found nearest_range(std::span<const Point<Dim>> points, const Nearest& nearest,
                        std::size_t begin, std::size_t end, std::span<std::uint32_t> scratch,
                        const NearBuffer& out, const Filter& filter = {}) const;
    Found nearest_neighbours_range(const NearestNeighbours& nearest, std::size_t begin,
                                   std::size_t end, std::span<std::uint32_t> scratch,
                                   const NearBuffer& out) const;

    /// The pairs of agents whose boxes overlap, of which the first is in slices begin ... end - 1;
    /// agents outside `groups` take part in none. Returns how many there are, which may exceed the
    /// room in `out`.
    Found pairs_range(std::size_t begin, std::size_t end, std::span<std::uint32_t> scratch,
                      const PairsBuffer& out, std::uint32_t groups = kAllGroups) const;
    Found count_pairs_range(std::size_t begin, std::size_t end,
                            std::uint32_t groups = kAllGroups) const;

    /// Hands these pairs to a visitor, a run at a time, by way of `run`: arrays with room for at
    /// least kLeastRun pairs, and better for thousands. Returns how many the visitor was handed.
    Found visit_pairs_range(std::size_t begin, std::size_t end, std::span<std::uint32_t> scratch,
                            const PairsBuffer& run, PairVisitor visitor,
                            std::uint32_t groups = kAllGroups) const;

    /// The pairs of an agent of this crowd in those slices, and one of `others`.
    Found pairs_range(const RowGrid& others, std::size_t begin, std::size_t end,
                      std::span<std::uint32_t> scratch, const PairsBuffer& out,
                      std::uint32_t groups = kAllGroups) const;
    Found visit_pairs_range(const RowGrid& others, std::size_t begin, std::size_t end,
                            std::span<std::uint32_t> scratch, const PairsBuffer& run,
                            PairVisitor visitor, std::uint32_t groups = kAllGroups) const;

    [[nodiscard]] std::size_t size() const noexcept;
    [[nodiscard]] bool contains(Id id) const noexcept;
    /// All ids are smaller than this.
    [[nodiscard]] std::size_t id_bound() const noexcept;
    [[nodiscard]] const GridShape<Dim>& shape() const noexcept;
    [[nodiscard]] const CrowdKind<Dim>& kind() const noexcept;
    [[nodiscard]] MemoryUse memory() const noexcept;

    /// Checks every invariant, slowly. Null when all hold, else the first that does not.
    [[nodiscard]] const char* validate() const;

    /// Gives back the scratch memory that update() and edit() keep for the next one.
    void release_staging() noexcept;

private:
    template <std::size_t>
    friend class Batch; // is in the grid all through a call, not only in each of its blocks
    template <std::size_t>
    friend class NeighbourLoop; // shows its rows to kernels that are not the library's own
    template <class>
    friend struct FrozenIndex; // keeps grids in files

    template <std::size_t>
    friend class Crowd; // keeps some of its agents elsewhere
    template <std::size_t>
    friend struct PathChoice; // makes it take ways that it would not choose

    /// update() of all agents but those, in ascending order, whose values do not count. The grid
    /// must have a shape.
    Status update_without(const Agents<Dim>& agents, std::span<const Id> left_out,
                          Executor& executor);

    struct State;
    struct Asking;
    struct AskingRanges;
    struct AskingSlices;
    struct AskingPairs;
    struct AskingPaths;
    struct AskingNearest;

    // What arrays of any kind come down to.
    template <ShapeIn<Dim> Shape>
    Status query_all(std::span<const Shape> shapes, Hits& hits, const Filter& filter) const;
    template <ShapeIn<Dim> Shape>
    Found query_part(std::span<const Shape> shapes, std::size_t begin, std::size_t end,
                     std::span<std::uint32_t> scratch, const HitsBuffer& out,
                     const Filters& filters) const;
    template <ShapeIn<Dim> Shape>
    Found count_part(std::span<const Shape> shapes, std::size_t begin, std::size_t end,
                     std::span<std::uint32_t> scratch, std::span<std::uint32_t> counts,
                     const Filters& filters) const;
    template <ShapeIn<Dim> Shape>
    Found any_part(std::span<const Shape> shapes, std::size_t begin, std::size_t end,
                   std::span<std::uint32_t> scratch, std::span<std::uint32_t> counts,
                   const Filters& filters) const;

    std::unique_ptr<State> state_;
};

extern template class RowGrid<2>;
extern template class RowGrid<3>;

} // namespace throng
