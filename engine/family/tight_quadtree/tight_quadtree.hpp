// The textbook quadtree, made fast: each element is stored once, and leaves list the elements that
// they touch.
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

/// Says when a leaf is split into four, halfway on both axes.
struct TightSettings {
    static constexpr unsigned kMostDepth = 16;
    static constexpr unsigned kMostElements = 1u << 20;

    unsigned depth = 8; ///< 1 to kMostDepth: leaves are no smaller than 2^-depth of the bounds
    unsigned split_above = 8; ///< 1 to kMostElements: a leaf with more elements is split
};

/// A quadtree over agents that move all the time. Every agent is stored once; each leaf lists the
/// agents that touch it, eight bytes an entry, so an agent on a border is on several lists.
///
/// Take it for three kinds of crowd: the density differs much from place to place; most agents stay
/// where they are for some frames, since a move within the same leaves costs one comparison; or
/// some agents are much larger than the others. Take RowGrid for crowds of even density and size:
/// it updates and answers three times faster, but takes 1.5 times the memory. Choose a depth
/// at which leaves still hold several agents: an agent larger than a leaf is on many lists, and
/// long leaves suit vectors. For 1,000,000 agents a depth of 8 is faster than 10.
///
/// What it costs, with one agent a unit of area, half extents of 0.25 and leaves of 1.2 units or
/// twice that: 33 bytes an agent in all, which are 8 for the agent (16 if agents have extents of
/// their own, 4 more with masks), 8 for each of its 1.8 lists, 8 for each node, and the counts of
/// update(). With 100,000 agents that walk 0.1 to 0.5 units a frame, update() takes 55 ns an agent
/// and finding all pairs 25 ns (3.0 GHz, AVX-512, one thread); where they walk a tenth of that, 33
/// and 29; where hardly any agent leaves a leaf, 11 and 27. One agent takes 110 to 160 ns to
/// insert, erase or move, a box with five hits 300 ns, one with thousands 15 ns a hit.
///
/// Pairs are found leaf by leaf, testing every agent of a leaf against every other. If a crowd
/// stands in one leaf at the depth limit, the time for pairs grows with the square of the crowd,
/// whether or not agents overlap, and the time for a single edit grows with the crowd.
///
/// An agent whose cover is sixteen times as wide as a leaf that it touches, or wider, is in no
/// leaf, but on a list of oversized agents that every query looks at. So no agent is on more than
/// 17 * 17 lists of leaves, whatever the depth. Agents on that list, and agents too wide for the
/// four smaller leaves, do not count towards splitting a leaf. Erasing or moving an oversized agent
/// searches the list from its beginning.
///
/// cleanup() gives back one level of empty leaves a call. Call it once a frame: then a leaf that
/// one agent leaves and another enters between two calls costs nothing.
class THRONG_API TightQuadtree : public AskByVisit<TightQuadtree, 2> {
public:
    TightQuadtree();
    ~TightQuadtree();
    TightQuadtree(TightQuadtree&&) noexcept;
    TightQuadtree& operator=(TightQuadtree&&) noexcept;

    /// Lays the tree over `bounds` and forgets all agents. Agents outside the bounds belong to the
    /// leaves at the border, which get long if there are many.
    Status configure(const Box<2>& bounds, const TightSettings& settings = {},
                     const CrowdKind<2>& kind = {});

    /// Replaces all agents, of which any may have moved. A tree that was never configured takes the
    /// bounds of the first crowd that it is given, a little wider, and keeps them from then on.
    ///
    /// A crowd of the same size and kind stays in the tree: an agent that touches the same leaves
    /// as before costs a comparison; for the other agents, lists change. If many changed, now or
    /// since the lists were last written, all lists are written anew, in the order of the leaves.
    /// Any other crowd is written anew too.
    ///
    /// The tree is the same for every executor and number of threads. A frame in which few lists
    /// change runs 95 % of its instructions in blocks. Lists are written anew in parts of the tree,
    /// for which update() keeps 12 to 15 bytes an agent more. The calling thread alone writes trees
    /// less than five levels deep, or with leaves of thousands of agents. It also splits leaves
    /// below the finest level that is counted, which takes most of the time if many agents crowd in
    /// few places of a deep tree.
    Status update(const Agents<2>& agents, Executor& executor = serial_executor());

    /// Changes one agent, at the cost of a walk down to its leaves. Avoid sparse ids: the index
    /// keeps room for all up to the largest. A tree that was never configured is laid around the
    /// first agent, 512 times as wide as the agent but at least 1024 units.
    Status insert(Id id, const Agent<2>& agent);
    Status erase(Id id);
    Status move(Id id, const Point<2>& position);
    // Deleted: a wider number would be truncated.
    Status insert(WiderThanId auto, const Agent<2>&) = delete;
    Status erase(WiderThanId auto) = delete;
    Status move(WiderThanId auto, const Point<2>&) = delete;

    /// Replaces four empty leaves of one parent by that parent, now an empty leaf itself, which the
    /// next call may collapse in turn. Looks only at leaves that became empty, or at the whole tree
    /// if there are more than 64 of these.
    void cleanup() noexcept;

    /// Forgets all agents; keeps bounds, settings and memory.
    void clear() noexcept;

    /// Visits runs of ids until the visitor returns false; counts the ids visited.
    template <ShapeIn<2> Shape>
    Found visit(const Shape& shape, IndexVisitor visitor, const Filter& filter = {},
                std::size_t most = kLongestRun) const;

    /// Visits all pairs of agents whose boxes overlap, leaf by leaf. The leaf with the low corner
    /// of the overlap of two covers visits their pair.
    Found visit_pairs(IndexPairVisitor visitor, std::uint32_t groups = kAllGroups) const;

    /// The same on the executor's threads: several threads call the visitor at once, with runs in
    /// any order. Once it has returned false no new call begins; calls that run on other threads go
    /// on, and count. Takes memory: a few bytes for each of some thousand nodes at most. Passes on
    /// what the visitor throws; Cause::executor_failed tells that not all pairs were visited. A
    /// block takes 44 KiB of its thread's stack.
    Found visit_pairs(IndexPairVisitor visitor, Executor& executor,
                      std::uint32_t groups = kAllGroups) const;

    /// Visits all nodes, each before its children; a leaf's count is that of its agents, other
    /// nodes have 0. Before the root comes a cell of the same size for the agents that are too wide
    /// for their leaves, if there are any.
    void visit_cells(IndexCellVisitor<2> visitor) const;

    /// Writes all ids in the order of the leaves, at most out.size() of them, and returns size():
    /// agents that ask in this order find what they need in the cache.
    [[nodiscard]] std::size_t order(std::span<Id> out) const noexcept;

    [[nodiscard]] std::size_t size() const noexcept;
    [[nodiscard]] bool contains(Id id) const noexcept;
    bool contains(WiderThanId auto) const = delete;
    [[nodiscard]] const Box<2>& bounds() const noexcept;
    [[nodiscard]] const TightSettings& settings() const noexcept;
    [[nodiscard]] const CrowdKind<2>& kind() const noexcept;
    /// Elements count as `nodes`, the tree and its lists as `tables`, the memory that update()
    /// keeps as `staging`.
    [[nodiscard]] MemoryUse memory() const noexcept;

    /// Checks every invariant, slowly. Returns null if all hold, else the first that does not.
    [[nodiscard]] const char* validate() const;

private:
    struct State;
    friend struct detail::Access;

    std::unique_ptr<State> state_;
};

} // namespace throng

#include "../../../simd/isa/names_end.hpp"
