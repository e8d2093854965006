// One index for all: small and large agents that move, and statics, which seldom do.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../simd/isa/export.hpp"
#include "../agents/agents.hpp"
#include "../agents/box.hpp"
#include "../agents/edit.hpp"
#include "../agents/filter.hpp"
#include "../agents/found.hpp"
#include "../agents/handles.hpp"
#include "../agents/names.hpp"
#include "../agents/nearest.hpp"
#include "../agents/view.hpp"
#include "../agents/world_agents.hpp"
#include "../answers/visitors.hpp"
#include "../core/executor.hpp"
#include "../core/id.hpp"
#include "../core/progress.hpp"
#include "../core/state_pointer.hpp"
#include "../core/status.hpp"
#include "../grid/named_grid.hpp"
#include "../grid/row_grid.hpp"
#include "../memory/memory_source.hpp"
#include "../memory/memory_use.hpp"
#include "../shapes/shapes_view.hpp"
#include "sets.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace throng {

struct CellStats;  // what cell_stats() returns: crowd/cell_stats.hpp
struct CrowdStats; // what explain() returns: grid/query_stats.hpp

namespace detail {
struct Access;
struct HitPages;
} // namespace detail

/// How a crowd's world is laid out. Values that are not given follow from the agents of the first
/// update.
template <std::size_t Dim>
struct CrowdSettings {
    std::optional<Box<Dim>> bounds; ///< agents outside are kept and found too
    std::optional<Point<Dim>> cell; ///< of the grid, for ever; only with bounds

    /// Where the coordinates of agents and shapes are zero, in world coordinates. Floats are most
    /// exact near the origin.
    std::array<double, Dim> origin{};

    /// Axes on which the world is periodic. The period is hi - lo of the bounds, which must be
    /// given: docs/worlds.md.
    std::array<bool, Dim> periodic{};

    /// Where the crowd takes its memory from; it must outlive the crowd. Null: the thread's source,
    /// see WithMemory. When it refuses, the call fails with Cause::over_memory and changes nothing:
    /// docs/memory.md.
    MemorySource* memory = nullptr;

    /// Whether an update lays other cells when these no longer suit the agents: docs/fit.md. Such
    /// an update takes as long as a first one, and the memory of one; where there is none, it keeps
    /// the cells. Ids, handles and statics stay; the order of answers follows the cells. Has no
    /// effect where `cell` is given.
    bool refits = true;

    friend bool operator==(const CrowdSettings&, const CrowdSettings&) noexcept = default;
};

/// Hobbits, dragons and castles in one index: a crowd takes agents of all sizes, and statics.
///
/// Agents of common size are in a RowGrid, giants in a LooseTree that every update() packs anew,
/// statics in another tree. Each agent or static is reported once. Every answer has small agents
/// first, in the grid's canonical order, then giants, then statics. The order of statics depends on
/// the statics alone, and that of giants on the giants and the bounds of the cells; after edits of
/// statics, and single edits of giants, also on these edits. No order depends on threads,
/// instruction sets, readers of other frames or files. The cells follow from the agents of this and
/// of earlier updates.
///
/// **Giants** are chosen anew by every update(): an agent is a giant if it has a half extent of its
/// own that is larger, on any axis, than half the longest side of a cell. A crowd of one common
/// extent has no giants. If all other agents have equal extents, the extent is stored once. An
/// agent that insert() brings goes to the grid if it is no giant and the grid keeps extents, or if
/// it has the one size that all agents of the grid have. Otherwise it goes to the giants, until the
/// next update().
///
/// **Large worlds**: update(), set_statics(), insert() and move() also take positions in doubles,
/// as WorldPoint; the crowd stores them relative to its origin. **Periodic worlds**: agents are
/// kept inside, and an agent near the border has neighbours behind it; all questions take that into
/// account. Both are settings of configure(), and stay until its next call: docs/worlds.md.
///
/// **Names**: agents are called by the caller's indices, below kFirstStatic; statics have ids of
/// their own, see static_id(). To let the crowd give out names, use handles: add() and remove()
/// instead of insert() and erase(). All agents of a crowd are named in the same way: by handles
/// from the first add() to an empty crowd on, until clear() or configure(); else by indices.
/// Answers name agents by ids in both cases; the id of a handle is its slot. With handles, update()
/// takes arrays with an element for each slot below slots(), and does not read the elements of
/// empty slots; insert(), erase(), edit() and move() by an agent's id are refused:
/// Cause::other_names.
///
/// Queries are const, take no lock and allocate nothing unless they say so, so any number of
/// threads may ask at once, as long as no call changes the crowd. A call that fails, with a Status
/// or with std::bad_alloc, leaves the crowd exactly as it was. A crowd that was moved from may only
/// be assigned to or destroyed. Visitors may not change the crowd that they visit.
template <std::size_t Dim>
class THRONG_API Crowd {
public:
    /// Receives ids, a run at a time; returns false to stop.
    using Visitor = IndexVisitor;
    /// Receives pairs, first[i] and second[i]; returns false to stop.
    using PairVisitor = IndexPairVisitor;

    Crowd();

    /// Lays out the world and forgets all agents and statics. Refused: a cell without bounds, what
    /// shape_over() refuses, an origin that is not finite, and periods that are not positive.
    Status configure(const CrowdSettings<Dim>& settings, const CrowdKind<Dim>& kind = {});

    /// Replaces all agents: everything has moved, and sizes may have changed. Takes Agents, or
    /// WorldAgents with positions in world coordinates: the origin is subtracted in doubles, and
    /// the difference rounded once. A position that is not finite, or too far from the origin, is
    /// refused; the status has its index.
    template <AllAgents<Dim> All = Agents<Dim>>
    Status update(const All& agents, Executor& executor = serial_executor()) {
        return replace(agents, executor);
    }

    /// The same from arrays in an order of the host's own: names[i] names agent i, by its id or, in
    /// a crowd of handles, by its handle. Ids are free to choose, each once; memory is taken for
    /// every id up to the largest. Handles must be those of all agents, each once.
    template <AllAgents<Dim> All = Agents<Dim>>
    Status update(const All& agents, const Names& names, Executor& executor = serial_executor()) {
        return replace(agents, names, executor);
    }

    /// Takes now the memory that updates of up to this many agents need, and touches its pages: see
    /// RowGrid::reserve(). It expects agents of the crowd's kind(): with or without half extents
    /// and groups of their own. Giants and positions in doubles still take memory when they come.
    /// The crowd must have its cells: from its settings, or from its first agents. After a failure
    /// agents and answers are as they were; memory that was taken before the failure stays for the
    /// next update. An update that lays other cells takes its memory anew.
    Status reserve(std::size_t agents, Executor& executor = serial_executor());

    /// Replaces the statics. Static i is static_id(i) in answers. Frames of a PublishedCrowd share
    /// the statics. A call that `progress` ends has changed nothing.
    template <AllAgents<Dim> All = Agents<Dim>>
    Status set_statics(const All& statics, Executor& executor = serial_executor(),
                       const Progress& progress = {}) {
        return replace_statics(statics, executor, progress);
    }

    /// Changes one agent, as in RowGrid, which keeps up to six bytes for every id up to its
    /// largest. The first agent of a crowd without cells lays cells fitted to itself, and a first
    /// list to its agents; the next update() compares them with others. A giant costs what
    /// LooseTree says; memory and time depend on how many giants there are, not on their ids.
    ///
    /// A static is changed by its id, in a crowd of handles, too. insert() takes any free one of
    /// the ids that static_id() returns, and wants a half extent, and a mask if the statics have
    /// masks; the first static decides that. Before there were any statics, the crowd must have
    /// bounds or cells. It costs what an edit of a giant does, unless another crowd has shared the
    /// statics since they last changed: then all are copied first. After many edits questions may
    /// take longer than after set_statics(), which sorts statics anew.
    Status insert(Id id, const Agent<Dim>& agent);
    Status erase(Id id);
    Status move(Id id, const Point<Dim>& position);
    // Templates, so that an argument in braces never selects these.
    template <std::same_as<WorldAgent<Dim>> Far>
    Status insert(Id id, const Far& agent) {
        return insert(id, Agent<Dim>{kept(agent.position), agent.half_extent, agent.groups});
    }
    template <std::same_as<WorldPoint<Dim>> Far>
    Status move(Id id, const Far& position) {
        return move(id, kept(position));
    }
    // A wider number might lose digits.
    Status insert(WiderThanId auto, const Agent<Dim>&) = delete;
    Status insert(WiderThanId auto, const std::same_as<WorldAgent<Dim>> auto&) = delete;
    Status erase(WiderThanId auto) = delete;
    Status move(WiderThanId auto, const Point<Dim>&) = delete;
    Status move(WiderThanId auto, const std::same_as<WorldPoint<Dim>> auto&) = delete;

    /// Inserts, erases and moves agents and statics in one call, all of them or none; the status
    /// names the first edit that would be refused in its turn. A first list lays cells before all
    /// of its edits, so statics may come before its agents. A list that edits at most an eighth of
    /// the giants edits them one by one, as single calls do, and keeps a second set of giants for
    /// that until release_staging(); a list that edits more of them sorts all giants anew. A list
    /// with a static and more keeps a second set of statics in the same way.
    Status edit(std::span<const Edit<Dim>> edits, Executor& executor = serial_executor());

    /// Moves many agents, all of them or none: the one that names[i] names goes to position i. Ids
    /// may be those of statics. A name may come twice; its last position counts.
    Status move(const Names& names, const PointView<Dim>& positions,
                Executor& executor = serial_executor());
    Status move(const Names& names, const WorldPointView<Dim>& positions,
                Executor& executor = serial_executor());

    /// The same for agents named by handles. A call with a list adds or removes all of its agents,
    /// or none. A handle that is stale, or another crowd's, is refused; the status says which.
    Status add(const Agent<Dim>& agent, Handle& handle);
    Status add(std::span<const Agent<Dim>> agents, std::span<Handle> handles,
               Executor& executor = serial_executor());
    Status remove(Handle handle);
    Status remove(std::span<const Handle> handles, Executor& executor = serial_executor());
    Status move(Handle handle, const Point<Dim>& position);
    /// Ok, or what is wrong with a handle.
    [[nodiscard]] Status check(Handle handle) const noexcept;
    /// Null if no agent has this id, or agents have no handles.
    [[nodiscard]] Handle handle_of(Id id) const noexcept;
    Handle handle_of(WiderThanId auto) const = delete;
    /// All handles' slots are below this.
    [[nodiscard]] std::size_t slots() const noexcept;

    /// The same with a key for each agent. **Keys** are the host's own names of agents: a crowd of
    /// handles keeps one number of 64 bits for each, and tells it for ids. It looks nothing up by
    /// keys, and two agents may have the same. An agent that came without a key has key 0, until
    /// set_key(). The first key takes memory for a key of each slot; crowds without keys take none.
    Status add(const Agent<Dim>& agent, Handle& handle, std::uint64_t key);
    Status add(std::span<const Agent<Dim>> agents, std::span<Handle> handles,
               std::span<const std::uint64_t> keys, Executor& executor = serial_executor());
    /// Changes the keys of agents, of all or of none. Of a handle that comes twice the last key
    /// counts.
    Status set_key(Handle handle, std::uint64_t key) { return set_keys({&handle, 1}, {&key, 1}); }
    Status set_keys(std::span<const Handle> handles, std::span<const std::uint64_t> keys);
    /// The key of the agent that has this id now; 0 if there is none. Statics have no keys: that of
    /// a static is its id, so it is at least kFirstStatic and below 2^32.
    [[nodiscard]] std::uint64_t key_of(Id id) const noexcept;
    std::uint64_t key_of(WiderThanId auto) const = delete;
    /// The same for many ids, in one pass: out[i] is key_of(ids[i]). For answers, so before agents
    /// are removed or added. Allocates a byte for every 4,096 ids if there are more.
    Status keys(std::span<const Id> ids, std::span<std::uint64_t> out,
                Executor& executor = serial_executor()) const;
    /// The same for all answers to many queries. After std::bad_alloc `out` must not be read.
    Status keys(const Hits& hits, KeyHits& out, Executor& executor = serial_executor()) const;
    /// All keys, by slot, until the next change: to look up keys where answers are read anyway.
    /// Slots behind the last of these have key 0.
    [[nodiscard]] std::span<const std::uint64_t> keys_by_slot() const noexcept;

    /// Forgets all agents; keeps the statics, the shape and the memory.
    void clear() noexcept;

    // Questions take any shape of shapes.hpp, and may be about any of the sets.

    /// Writes the ids of the agents and statics that the shape finds to `out`, and returns how many
    /// there are. If that exceeds out.size(), the first out.size() were written. Up to 16 elements
    /// of `out` behind the answer may be overwritten too; nothing outside `out` is.
    Found query(const ShapesView<Dim>& shape, std::span<Id> out, const Filter& filter = {},
                Sets sets = Sets::all) const;
    /// The same into a std::vector, which gets the length of the answer; hand over a span to have
    /// its length kept. If the question is refused, it is as it was; after std::bad_alloc it must
    /// not be read.
    Found query(const ShapesView<Dim>& shape, std::vector<Id>& ids, const Filter& filter = {},
                Sets sets = Sets::all) const;

    /// The same for many shapes at once. Allocates if there are giants or statics. After
    /// std::bad_alloc the answers must not be read.
    Found query(const ShapesView<Dim>& shapes, Hits& hits, const Filter& filter = {},
                Sets sets = Sets::all) const;

    /// Visits runs of ids until the visitor returns false. The count is of the ids visited.
    Found visit(const ShapesView<Dim>& shape, Visitor visitor, const Filter& filter = {},
                Sets sets = Sets::all) const;

    /// How many agents and statics the shape finds.
    Found count(const ShapesView<Dim>& shape, const Filter& filter = {},
                Sets sets = Sets::all) const;

    /// Stops at the first hit: count is 1 or 0.
    Found any(const ShapesView<Dim>& shape, const Filter& filter = {}, Sets sets = Sets::all) const;

    /// How well the cells suit the agents. Takes as long as a first update, and as much memory,
    /// from the thread's source.
    [[nodiscard]] CellStats cell_stats() const;

    /// What count() would cost, and which way of searching it would take; docs/planner.md describes
    /// the ways. In periodic worlds it tells only how many agents and statics are found.
    [[nodiscard]] CrowdStats explain(const ShapesView<Dim>& shape, const Filter& filter = {},
                                     Sets sets = Sets::all) const;

    /// Writes the nearest agents and statics, as RowGrid::nearest() does.
    Found nearest(const Point<Dim>& point, const Nearest& nearest, std::span<Near> out,
                  const Filter& filter = {}, Sets sets = Sets::all) const;

    /// What a path hits first, and when; of several hits at the same time, the one with the
    /// smallest id. The count is 1 or 0.
    Found first(const ShapesView<Dim>& path, PathHit& hit, const Filter& filter = {},
                Sets sets = Sets::all) const;
    /// The same after a hit; see RowGrid::first_after().
    Found first_after(const PathHit& after, const ShapesView<Dim>& path, PathHit& hit,
                      const Filter& filter = {}, Sets sets = Sets::all) const;

    /// All hits of a path, by time, then by id. After std::bad_alloc the list must not be read.
    Found hits(const ShapesView<Dim>& path, std::vector<PathHit>& out, const Filter& filter = {},
               Sets sets = Sets::all) const;

    /// Writes the ids of all agents: small agents in canonical order, then giants by id; at most
    /// out.size() ids. Returns size().
    [[nodiscard]] std::size_t order(std::span<Id> out) const noexcept;

    /// Visits all pairs of agents whose boxes overlap, each once; with Body::disc, pairs whose
    /// discs overlap, as in GridParts::pairs(). Agents outside the groups take part in no pair.
    Found visit_pairs(PairVisitor visitor, std::uint32_t groups = kAllGroups,
                      Body body = Body::box) const {
        return visit_pairs(PairSets::agents, visitor, groups, body);
    }
    /// The same for some pairs of sets. In a pair from two sets, a small agent comes first and a
    /// static last. Of two small agents the one earlier in canonical order comes first, of two
    /// giants the one with the smaller id. Pairs of small agents come first, as RowGrid has them,
    /// then small agents with giants, giants with giants, small agents with statics, giants with
    /// statics. A Batch has the same pairs, each the same way round, and in this order, except that
    /// the order among pairs of giants may differ. For periodic borders see docs/worlds.md.
    Found visit_pairs(PairSets sets, PairVisitor visitor, std::uint32_t groups = kAllGroups,
                      Body body = Body::box) const;

    /// Visits the cells of the grid, then the nodes of the giants' tree.
    void visit_cells(IndexCellVisitor<Dim> visitor) const;

    /// How many agents and statics are in these sets.
    [[nodiscard]] std::size_t size(Sets sets = Sets::agents) const noexcept;
    /// Whether an agent or static of these sets has this id.
    [[nodiscard]] bool contains(Id id, Sets sets = Sets::all) const noexcept;
    bool contains(WiderThanId auto, Sets = Sets::all) const = delete;
    /// All agents' ids are smaller than this.
    [[nodiscard]] std::size_t id_bound() const noexcept;
    [[nodiscard]] const CrowdKind<Dim>& kind() const noexcept; ///< what each agent has
    /// The settings of the last configure().
    [[nodiscard]] const CrowdSettings<Dim>& settings() const noexcept;

    /// A position in the coordinates of shapes, rounded once; and the way back. Periodic worlds do
    /// not wrap it, so that a shape's points stay together. A position too far away for floats
    /// becomes a point that every call refuses.
    [[nodiscard]] Point<Dim> local(const WorldPoint<Dim>& point) const noexcept;
    [[nodiscard]] WorldPoint<Dim> world(const Point<Dim>& point) const noexcept;
    /// Whether the world is periodic, on any axis.
    [[nodiscard]] bool wraps() const noexcept;

    /// The grid of the small agents, for range calls and other expert use. It knows nothing of
    /// periodic borders.
    [[nodiscard]] const RowGrid<Dim>& grid() const noexcept;
    /// The centres of small agents, giants and statics, by the crowd's names: for kernels and
    /// batches that go over several grids. Valid until the next change. These grids know nothing of
    /// periodic borders either.
    [[nodiscard]] std::array<NamedGrid<Dim>, 3> grids() const noexcept;
    [[nodiscard]] MemoryUse memory() const noexcept;

    /// Checks every invariant, slowly. Null when all hold, else the first that does not.
    [[nodiscard]] const char* validate() const;

    /// Gives back the scratch memory that changes keep for later changes.
    void release_staging() noexcept;

private:
    friend struct detail::Access;
    friend struct detail::HitPages;

    struct State;

    Status replace(const Agents<Dim>& agents, Executor& executor);
    Status replace(const WorldAgents<Dim>& agents, Executor& executor);
    Status replace(const Agents<Dim>& agents, const Names& names, Executor& executor);
    Status replace(const WorldAgents<Dim>& agents, const Names& names, Executor& executor);
    Status replace_statics(const Agents<Dim>& statics, Executor& executor,
                           const Progress& progress);
    Status replace_statics(const WorldAgents<Dim>& statics, Executor& executor,
                           const Progress& progress);

    /// The position that the crowd stores for an agent at `point`.
    [[nodiscard]] Point<Dim> kept(const WorldPoint<Dim>& point) const noexcept;

    /// As RowGrid::hits_after(); in a periodic world it may return fewer hits than fit, but at
    /// least one if there is any.
    Found hits_after(const PathHit& after, const ShapesView<Dim>& path, std::span<PathHit> out,
                     const Filter& filter, Sets sets = Sets::all) const;

    detail::StatePointer<State> state_;
};

extern template class Crowd<2>;
extern template class Crowd<3>;

} // namespace throng

#include "../../simd/isa/names_end.hpp"
