// A packed tree that is edited in place.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../simd/isa/export.hpp"
#include "../agents/agents.hpp"
#include "../agents/filter.hpp"
#include "../agents/found.hpp"
#include "../answers/visitors.hpp"
#include "../archive/freezable.hpp"
#include "../core/executor.hpp"
#include "../core/id.hpp"
#include "../core/progress.hpp"
#include "../core/state_pointer.hpp"
#include "../core/status.hpp"
#include "../memory/memory_use.hpp"
#include "../shapes/shapes_view.hpp"

#include <cstddef>
#include <span>

namespace throng {

namespace detail {
struct Access;
} // namespace detail

/// A loose quadtree, or octree: for castles, walls, giants, and other agents of any size that move
/// seldom, or a few at a time.
///
/// Agents are sorted along a Hilbert curve, the order of a quadtree's squares, and lie in leaves of
/// sixteen, without gaps until the first edit. Sixteen leaves make a page, which lies in one piece;
/// sixteen pages make a node, and sixteen nodes a node above. A node holds only its children's
/// covers, a vector for each side. The tree is loose: covers enclose agents instead of following
/// squares, and may overlap, so each agent is in one leaf only. A query tests sixteen children, or
/// sixteen agents, at a time, and goes from the root to its last hit in one call of a kernel.
/// Agents much larger than most are packed apart from the others, so they do not widen the others'
/// covers.
///
/// Use it for agents that are placed once, or once in a while, and queried often; for sizes that
/// differ wildly; for worlds that are empty nearly everywhere: nothing here depends on the world's
/// size, and there is nothing to tune. Do not use it for crowds that move every frame: update()
/// costs several times what a RowGrid's does.
///
/// insert(), erase() and move() go down from the root once. An agent is put into the page where
/// the curve passes it, and there into the leaf that grows least. A full leaf is split in two; a
/// full page shares its agents with its neighbours, and with a new page if they are full as well; a
/// page with few agents joins another. Covers are exact after every edit. A page is packed anew
/// when many agents have come to it, and the whole tree when as many have come as it has.
/// docs/structures.md has the cost of edits, and how far they slow questions. The first edit after
/// an update() makes a table of ids; a tree that is never edited has none.
///
/// Costs of a million agents with extents of their own, on one 3 GHz core with AVX-512: an update()
/// takes 27 ns an agent in the plane and 32 in space, a sixth of what Boost.Geometry's packed
/// R-tree takes, and queries take about a quarter. Memory an agent: its own numbers, its id, and a
/// byte or two for the nodes; four more for the table of ids. Packing needs twice as much in
/// addition and keeps it: release_staging() gives it back.
template <std::size_t Dim>
class THRONG_API LooseTree {
public:
    LooseTree();

    /// Says what insert() may be given, as in RowGrid, and forgets all agents. The bounds are
    /// checked but not used: a tree lies over its agents, wherever they are.
    Status configure(const Box<Dim>& bounds, const CrowdKind<Dim>& kind = {});

    /// Packs a whole crowd. The tree is the same, to the bit, for every executor and thread count.
    ///
    /// With a `progress` callback, the new tree is built beside the old one, which stays until the
    /// callback has agreed for the last time: that takes the memory of both. The executor is then
    /// handed an eighth of a phase at a time, so more than about eight threads gain little.
    Status update(const Agents<Dim>& agents, Executor& executor = serial_executor(),
                  const Progress& progress = {});

    /// Adds, removes or moves one agent. The table of ids takes four bytes for every id up to the
    /// largest.
    Status insert(Id id, const Agent<Dim>& agent);
    Status erase(Id id);
    Status move(Id id, const Point<Dim>& position);
    // Deleted because a wider number would be cut to 32 bits in silence.
    Status insert(WiderThanId auto, const Agent<Dim>&) = delete;
    Status erase(WiderThanId auto) = delete;
    Status move(WiderThanId auto, const Point<Dim>&) = delete;

    /// Forgets all agents; keeps the memory.
    void clear() noexcept;

    /// Writes the ids of the agents that the shape finds to `out`, and returns how many there are.
    /// That may exceed out.size(): then the first out.size() were written. Up to 16 entries of
    /// `out` behind the hits may be overwritten too; nothing outside of `out` is.
    Found query(const ShapesView<Dim>& shape, std::span<Id> out, const Filter& filter = {}) const;

    /// The same for many shapes at once: faster than one by one, and fastest when neighbours in the
    /// array are neighbours in space.
    Found query(const ShapesView<Dim>& shapes, Hits& hits, const Filter& filter = {}) const;

    /// Visits runs of at most `most` ids until the visitor returns false; returns how many ids were
    /// visited.
    Found visit(const ShapesView<Dim>& shape, IndexVisitor visitor, const Filter& filter = {},
                std::size_t most = kLongestRun) const;

    /// Only counts; for boxes and balls, parts of the tree wholly inside are counted without a look
    /// at their agents.
    Found count(const ShapesView<Dim>& shape, const Filter& filter = {}) const;

    /// Stops at the first hit: count is 1 or 0.
    Found any(const ShapesView<Dim>& shape, const Filter& filter = {}) const;

    /// The pairs of agents whose boxes, or discs, overlap, each once. Body::centre is refused.
    Found visit_pairs(IndexPairVisitor visitor, std::uint32_t groups = kAllGroups,
                      Body body = Body::box) const;

    /// The same on the executor's threads: the visitor is called on several at once, with runs in
    /// any order. Once the visitor has returned false no new call begins; calls that run on other
    /// threads go on, and their pairs count. Takes a byte of memory for each block, 512 at most.
    /// Passes on what the visitor throws; Cause::executor_failed: not all pairs were visited.
    Found visit_pairs(IndexPairVisitor visitor, Executor& executor,
                      std::uint32_t groups = kAllGroups, Body body = Body::box) const;

    /// Visits the nodes, and the leaves with their agents, each with a box that holds all below it.
    void visit_cells(IndexCellVisitor<Dim> visitor) const;

    [[nodiscard]] std::size_t size() const noexcept;
    [[nodiscard]] bool contains(Id id) const noexcept;
    bool contains(WiderThanId auto) const = delete;
    [[nodiscard]] const CrowdKind<Dim>& kind() const noexcept;
    [[nodiscard]] MemoryUse memory() const noexcept;
    [[nodiscard]] const char* validate() const;

    /// Gives back the scratch memory that packing keeps for the next time.
    void release_staging() noexcept;

private:
    friend struct detail::Access;

    struct State;
    detail::StatePointer<State> state_;
};

extern template class LooseTree<2>;
extern template class LooseTree<3>;

/// For save() and load().
template <std::size_t Dim>
inline constexpr bool kCanBeFrozen<LooseTree<Dim>> = true;

} // namespace throng

#include "../../simd/isa/names_end.hpp"
