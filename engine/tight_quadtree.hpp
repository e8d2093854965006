// The quadtree that everyone begins with, made fast: elements once, leaves that list whom they
// touch.
#pragma once

#include "../simd/export.hpp"
#include "agents.hpp"
#include "ask_by_visit.hpp"
#include "box.hpp"
#include "executor.hpp"
#include "filter.hpp"
#include "found.hpp"
#include "id.hpp"
#include "memory_use.hpp"
#include "shapes.hpp"
#include "spatial_index.hpp"
#include "status.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace throng {

/// When a leaf is split into four, which is halfway on both axes.
struct TightSettings {
    static constexpr unsigned kMostDepth = 16;
    static constexpr unsigned kMostElements = 1u << 20;

    unsigned depth = 8; ///< 1 to kMostDepth: leaves are no smaller than 2^-depth of the bounds
    unsigned split_above = 8; ///< 1 to kMostElements: more elements than these are too many
};

/// A quadtree over agents that move all the time. Every agent is stored once; leaves have lists of
/// whom they touch, eight bytes an entry, so an agent on a border is on several.
///
/// Take it for crowds whose density differs much from place to place, for crowds most of whom stay
/// where they are for some frames, since who moves within the same leaves costs a comparison, and
/// where some agents are much larger than the others. Take RowGrid for crowds of even density and
/// size: it is three times faster to move and to ask, but takes half as much memory again. Choose
/// no more depth than it takes for leaves of some agents: who is larger than a leaf is on many
/// lists, and long leaves suit vectors; for 1,000,000 agents a depth of 8 is faster than 10.
///
/// What it costs, with one agent a unit of area, half extents of 0.25 and leaves of 1.2 units or
/// twice that: 33 bytes an agent in all, which are 8 for the agent (16 with extents of their own, 4
/// more with masks), 8 for each of its 1.8 lists, 8 for each node, and what update() counts with.
/// Of 100,000 agents that walk 0.1 to 0.5 units a frame, each takes 55 ns to move and 25 ns to find
/// all pairs (3.0 GHz, AVX-512, one thread); where they walk a tenth of that, 33 and 29; where
/// hardly anybody leaves a leaf, 11 and 27. One agent takes 110 to 160 ns to insert, erase or move,
/// a box with five hits 300 ns, one with thousands 15 ns a hit.
///
/// Pairs are looked for leaf by leaf, everyone against everyone: where a crowd stands in one leaf
/// at the depth limit, that takes time that grows with its square, whether or not they overlap.
/// There single edits take time that grows with the crowd.
///
/// An agent whose cover is sixteen times as wide as a leaf that it touches is in no leaf, but on a
/// list that every query looks at, so no agent is on more than 17 * 17 lists of leaves, whatever
/// the depth; and who is on that list, or too wide for four smaller leaves, is no reason to split
/// one. When it is erased or moves it is looked for there, one after another.
///
/// A level of leaves that became empty is given back by cleanup(), which is meant once a frame, so
/// that it costs nothing when somebody leaves and somebody else enters between two of them.
class THRONG_API TightQuadtree : public AskByVisit<TightQuadtree, 2> {
public:
    TightQuadtree();
    ~TightQuadtree();
    TightQuadtree(TightQuadtree&&) noexcept;
    TightQuadtree& operator=(TightQuadtree&&) noexcept;

    /// Lays the tree over `bounds` and forgets all agents. Agents outside the bounds belong to the
    /// leaves at the border, which get long where they are many.
    Status configure(const Box<2>& bounds, const TightSettings& settings = {},
                     const CrowdKind<2>& kind = {});

    /// Replaces all agents: everything has moved. A tree that was never configured takes the bounds
    /// of the first crowd that it is given, a little wider, and keeps them from then on.
    ///
    /// A crowd of the same size and kind stays in the tree: who touches the same leaves as before
    /// costs a comparison, and lists change for the others. Where those are many, or have been
    /// since lists were written last, all is written anew, in the order of the leaves. Any other
    /// crowd is written anew too.
    Status update(const Agents<2>& agents, Executor& executor = serial_executor());

    /// One agent, at the cost of a walk down to its leaves. Ids had better not be sparse: the index
    /// keeps room for all up to the largest. One that was never configured lays itself out around
    /// the first agent, 512 of its widths or 1024 units wide.
    Status insert(Id id, const Agent<2>& agent);
    Status erase(Id id);
    Status move(Id id, const Point<2>& position);

    /// Four empty leaves side by side become their parent, which is an empty leaf then: that is for
    /// the next call. Looks only where leaves became empty, or at the whole tree if they are more
    /// than 64.
    void cleanup() noexcept;

    /// Forgets all agents; keeps bounds, settings and memory.
    void clear() noexcept;

    /// Visits runs of ids until the visitor returns false; counts what was visited.
    template <ShapeIn<2> Shape>
    Found visit(const Shape& shape, IndexVisitor visitor, const Filter& filter = {},
                std::size_t most = kLongestRun) const;

    /// The pairs of agents whose boxes overlap, leaf by leaf, each in the one that has the low
    /// corner of what both cover.
    Found visit_pairs(IndexPairVisitor visitor, std::uint32_t groups = kAllGroups) const;

    /// Nodes, each before its children; their counts are those of leaves, and 0 elsewhere. Before
    /// the root comes a cell like it for those who are too wide for their leaves, if there are any.
    void visit_cells(IndexCellVisitor<2> visitor) const;

    /// Writes all ids in the order of the leaves, at most out.size() of them, and returns size():
    /// agents that ask in this order find what they need in the cache.
    [[nodiscard]] std::size_t order(std::span<Id> out) const noexcept;

    [[nodiscard]] std::size_t size() const noexcept;
    [[nodiscard]] bool contains(Id id) const noexcept;
    [[nodiscard]] const Box<2>& bounds() const noexcept;
    [[nodiscard]] const TightSettings& settings() const noexcept;
    [[nodiscard]] const CrowdKind<2>& kind() const noexcept;
    /// Elements are `nodes`, the tree and its lists `tables`, what update() keeps is `staging`.
    [[nodiscard]] MemoryUse memory() const noexcept;

    /// Checks every invariant, slowly. Null when all hold, else the first that does not.
    [[nodiscard]] const char* validate() const;

private:
    struct State;
    friend struct TightFaults; // plants them, to see that validate() notices

    std::unique_ptr<State> state_;
};

} // namespace throng
