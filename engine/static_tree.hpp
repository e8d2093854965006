// The index for what never moves.
#pragma once

#include "../simd/export.hpp"
#include "agents.hpp"
#include "executor.hpp"
#include "filter.hpp"
#include "found.hpp"
#include "id.hpp"
#include "memory_use.hpp"
#include "progress.hpp"
#include "shapes.hpp"
#include "spatial_index.hpp"
#include "status.hpp"

#include <cstddef>
#include <memory>
#include <span>

namespace throng {

template <std::size_t Dim, class Tree>
class LargeSet;

template <class Index>
struct FrozenIndex;

/// A packed tree: for castles, walls, trees and whatever else stands where it was put.
///
/// Agents are sorted along a Hilbert curve and lie in leaves of sixteen, without a gap; sixteen
/// leaves make a node, sixteen nodes a node above, and a node is nothing but its children's covers,
/// a vector for each side. So a question tests sixteen children, or sixteen agents, at a time, and
/// goes from the root to its last hit in one call of a kernel. Agents much larger than most are
/// packed apart from them, so they do not widen everybody's covers.
///
/// Take it for what is built once, or once in a while, and asked often; for sizes that differ
/// wildly; for worlds that are empty nearly everywhere: nothing here depends on the world's size,
/// and there is nothing to tune. Do not take it for what moves every frame: update() costs several
/// times what a RowGrid's does.
///
/// Single edits work all the same. Who is erased leaves a hole; who comes later, or moves out of
/// its leaf, waits behind the tree, where it costs every question a little; and once an eighth of
/// the tree are holes, or four times the square root of its size wait, everything is packed anew.
/// With that, one edit among many costs 0.15 us on average at 10,000 agents, and 3 us at 1,000,000.
/// The first edit after an update() makes a table of ids, which an index that is never edited does
/// without.
///
/// Costs, of a million agents with extents of their own on one 3 GHz core with AVX-512: an update()
/// 27 ns an agent in the plane and 32 in space, a sixth of what Boost.Geometry's packed R-tree
/// takes, and questions about a quarter. Memory: the agents' own numbers, an id each, and a byte or
/// two for the nodes; four more for the table of ids. Packing needs twice as much again, which is
/// kept: release_staging() gives it back.
template <std::size_t Dim>
class THRONG_API StaticTree {
public:
    StaticTree();
    ~StaticTree();
    StaticTree(StaticTree&&) noexcept;
    StaticTree& operator=(StaticTree&&) noexcept;

    /// What insert() may be given, as in RowGrid; forgets all agents. The bounds are checked, and
    /// that is all: a tree lies over its agents, wherever they are.
    Status configure(const Box<Dim>& bounds, const CrowdKind<Dim>& kind = {});

    /// Packs a whole crowd. The same to the bit for every executor and thread count.
    ///
    /// With somebody to ask how long to go on, the new tree is made beside the old one, which is
    /// there until the last question has been answered: that takes the memory of both. The
    /// executor is then handed work an eighth of a phase at a time, so more than some eight threads
    /// gain little.
    Status update(const Agents<Dim>& agents, Executor& executor = serial_executor(),
                  const Progress& progress = {});

    Status insert(Id id, const Agent<Dim>& agent);
    Status erase(Id id);
    Status move(Id id, const Point<Dim>& position);

    /// Forgets all agents; keeps the memory.
    void clear() noexcept;

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

    /// Visits runs of at most `most` ids until the visitor returns false; counts what was visited.
    template <ShapeIn<Dim> Shape>
    Found visit(const Shape& shape, IndexVisitor visitor, const Filter& filter = {},
                std::size_t most = kLongestRun) const;

    /// Only counts; of boxes and balls, what lies wholly inside without looking at it.
    template <ShapeIn<Dim> Shape>
    Found count(const Shape& shape, const Filter& filter = {}) const;

    /// Stops at the first hit: count is 1 or 0.
    template <ShapeIn<Dim> Shape>
    Found any(const Shape& shape, const Filter& filter = {}) const;

    Found visit_pairs(IndexPairVisitor visitor, std::uint32_t groups = kAllGroups) const;

    /// Nodes, and leaves with their agents, each with a box that holds all below it.
    void visit_cells(IndexCellVisitor<Dim> visitor) const;

    [[nodiscard]] std::size_t size() const noexcept;
    [[nodiscard]] bool contains(Id id) const noexcept;
    [[nodiscard]] const CrowdKind<Dim>& kind() const noexcept;
    [[nodiscard]] MemoryUse memory() const noexcept;
    [[nodiscard]] const char* validate() const;

    /// Gives back the scratch memory that packing keeps for the next time.
    void release_staging() noexcept;

private:
    template <std::size_t, class>
    friend class LargeSet; // keeps the same elements in a grid too

    /// So that the next move() of this agent takes no memory. Throws std::bad_alloc.
    void prepare_move(Id id);

    template <class>
    friend struct FrozenIndex; // keeps trees in files

    struct State;
    struct Asking;

    template <ShapeIn<Dim> Shape>
    Status query_all(std::span<const Shape> shapes, Hits& hits, const Filter& filter) const;

    std::unique_ptr<State> state_;
};

extern template class StaticTree<2>;
extern template class StaticTree<3>;

} // namespace throng
