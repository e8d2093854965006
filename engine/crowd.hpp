// One index for everyone: small and large agents that move, and what stands still.
#pragma once

#include "../simd/export.hpp"
#include "agents.hpp"
#include "crowd_sets.hpp"
#include "crowd_stats.hpp"
#include "edit.hpp"
#include "executor.hpp"
#include "far_agents.hpp"
#include "filter.hpp"
#include "found.hpp"
#include "grid_shape.hpp"
#include "handles.hpp"
#include "id.hpp"
#include "memory_source.hpp"
#include "memory_use.hpp"
#include "named_grid.hpp"
#include "nearest.hpp"
#include "progress.hpp"
#include "row_grid.hpp"
#include "shapes.hpp"
#include "spatial_index.hpp"
#include "status.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace throng {

template <std::size_t Dim>
class CrowdBatch;
template <class Index>
struct FrozenIndex;
template <std::size_t Dim>
class PublishedCrowd;

/// How a crowd's world is laid out. What is not given follows from the agents of the first update.
template <std::size_t Dim>
struct CrowdSettings {
    std::optional<Box<Dim>> bounds; ///< agents outside are kept and found all the same
    std::optional<Point<Dim>> cell; ///< of the grid; only with bounds

    /// Where the coordinates of agents and shapes are zero, in world coordinates. The neighbourhood
    /// of the origin is where floats are exact.
    std::array<double, Dim> origin{};

    /// Axes on which the world begins again behind its border, after hi - lo of the bounds, which
    /// must be given: docs/worlds.md.
    std::array<bool, Dim> periodic{};

    /// Where the crowd takes its memory from, which must outlive it; null: from where the thread
    /// does, see WithMemory. Where it refuses, calls fail with Cause::over_memory, and have changed
    /// nothing: docs/memory.md.
    MemorySource* memory = nullptr;

    friend bool operator==(const CrowdSettings&, const CrowdSettings&) noexcept = default;
};

/// Hobbits, dragons and castles: give it everybody, and ask anything.
///
/// Agents of common size are in a RowGrid, giants in a StaticTree that is packed anew by every
/// update(), statics in another, and each is reported once, whatever set it is in. Small agents
/// come first in every answer, in the grid's canonical order, then giants, then statics, each in an
/// order that follows from the calls made before, never from threads or instruction sets.
///
/// **Who is a giant** is decided anew at every update(): who has a half extent of his own that is
/// larger, on any axis, than half the longest side of a cell. A crowd of one common extent has no
/// giants. Where all others agree in their extents, these are stored once. An agent that insert()
/// brings goes to the grid if it is no giant and the grid keeps extents, or if it is of the one
/// size that all in the grid have; else among the giants, until the next update().
///
/// **Large worlds**: update(), set_statics(), insert() and move() take positions in doubles too, as
/// FarPoint; the crowd takes them relative to its origin. **Periodic worlds**: agents are kept
/// inside, and whoever is near the border has neighbours behind it; all questions take that into
/// account. Both are told to configure(), and stay as they are until the next one: docs/worlds.md.
///
/// **Names**: agents are called by the caller's indices, below kFirstStatic; statics have ids of
/// their own, see static_id(). Who would rather have the crowd give out names takes handles: add()
/// and remove() instead of insert() and erase(). A crowd is named one way or the other: by handles
/// from the first add() to an empty crowd on, until clear() or configure(). Answers name agents by
/// ids all the same, and the id of a handle is its slot. update() then takes arrays with a place
/// for each slot below slots(), and does not look at those of slots in which nobody lives.
///
/// Queries are const, take no lock and allocate nothing but what they say, so any number of threads
/// may ask while nobody changes the crowd. A call that fails, with a Status or with std::bad_alloc,
/// leaves the crowd exactly as it was. One that was moved from may only be assigned to or
/// destroyed; visitors may not change what they visit.
template <std::size_t Dim>
class THRONG_API Crowd {
public:
    using Visitor = IndexVisitor;
    using PairVisitor = IndexPairVisitor;

    Crowd();
    ~Crowd();
    Crowd(Crowd&&) noexcept;
    Crowd& operator=(Crowd&&) noexcept;

    /// Lays out the world and forgets all agents and statics. Refused: a cell without bounds, what
    /// shape_over() refuses, an origin that is not finite, and periods that are not positive.
    Status configure(const CrowdSettings<Dim>& settings, const CrowdKind<Dim>& kind = {});

    /// Replaces all agents: everything has moved, and sizes may have changed.
    Status update(const Agents<Dim>& agents, Executor& executor = serial_executor());

    /// The same with positions in world coordinates: subtracted in doubles, and rounded once.
    /// Refused, with the index, where they are not finite, or too far from the origin.
    Status update(const FarAgents<Dim>& agents, Executor& executor = serial_executor());

    /// Replaces what never moves; other calls leave it as it is. Static i is static_id(i) in
    /// answers. Frames of a PublishedCrowd share it.
    /// What `progress` ends has changed nothing.
    Status set_statics(const Agents<Dim>& statics, Executor& executor = serial_executor(),
                       const Progress& progress = {});
    Status set_statics(const FarAgents<Dim>& statics, Executor& executor = serial_executor(),
                       const Progress& progress = {});

    /// One agent, as in RowGrid; who goes among the giants costs what StaticTree says.
    Status insert(Id id, const Agent<Dim>& agent);
    Status erase(Id id);
    Status move(Id id, const Point<Dim>& position);
    // Templates, so that what is in braces is never taken for these.
    template <std::same_as<FarAgent<Dim>> Far>
    Status insert(Id id, const Far& agent) {
        return insert(id, Agent<Dim>{kept(agent.position), agent.half_extent, agent.groups});
    }
    template <std::same_as<FarPoint<Dim>> Far>
    Status move(Id id, const Far& position) {
        return move(id, kept(position));
    }

    /// Births, deaths and moves at once, all of them or none; the status names the first that would
    /// be refused in its turn. Where giants come, go or move, all giants are sorted anew.
    Status edit(std::span<const Edit<Dim>> edits, Executor& executor = serial_executor());

    /// The same for agents named by handles; many at once, all of them or none. A handle that is
    /// stale, or another crowd's, is refused; the status says which.
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
    /// All handles' slots are below this.
    [[nodiscard]] std::size_t slots() const noexcept;

    /// Forgets all agents; keeps the statics, the shape and the memory.
    void clear() noexcept;

    // Questions: with any shape of shapes.hpp, about any of the sets.

    /// Writes the ids of those whom the shape finds to `out`, and returns how many there are, which
    /// may exceed out.size(): then the first out.size() were written.
    template <ShapeIn<Dim> Shape>
    Found query(const Shape& shape, std::span<Id> out, const Filter& filter = {},
                Sets sets = Sets::all) const;

    /// The same for many at once. Allocates where there are giants or statics. After std::bad_alloc
    /// the answers are not to be read.
    template <ShapesIn<Dim> Shapes>
    Status query(const Shapes& shapes, Hits& hits, const Filter& filter = {},
                 Sets sets = Sets::all) const {
        return query_all(SpanOf<Shapes>(shapes), hits, filter, sets);
    }

    /// Visits runs of ids until the visitor returns false; counts what was visited.
    template <ShapeIn<Dim> Shape>
    Found visit(const Shape& shape, Visitor visitor, const Filter& filter = {},
                Sets sets = Sets::all) const;

    template <ShapeIn<Dim> Shape>
    Found count(const Shape& shape, const Filter& filter = {}, Sets sets = Sets::all) const;

    /// Stops at the first hit: count is 1 or 0.
    template <ShapeIn<Dim> Shape>
    Found any(const Shape& shape, const Filter& filter = {}, Sets sets = Sets::all) const;

    /// What count() would cost, and on which way; docs/planner.md tells of ways. In periodic worlds
    /// only whom it finds.
    template <ShapeIn<Dim> Shape>
    [[nodiscard]] CrowdStats explain(const Shape& shape, const Filter& filter = {},
                                     Sets sets = Sets::all) const;

    /// The nearest centres; see RowGrid::nearest().
    Found nearest(const Point<Dim>& point, const Nearest& nearest, std::span<Near> out,
                  const Filter& filter = {}, Sets sets = Sets::all) const;

    /// Whom a path meets first, and when; of several at the same time, the one with the smallest
    /// id. The count is 1 or 0.
    template <PathIn<Dim> Path>
    Found first(const Path& path, Meeting& meeting, const Filter& filter = {},
                Sets sets = Sets::all) const;

    /// Everybody whom it meets, by time, then by id. After std::bad_alloc the list is not to be
    /// read.
    template <PathIn<Dim> Path>
    Status meetings(const Path& path, std::vector<Meeting>& meetings, const Filter& filter = {},
                    Sets sets = Sets::all) const;

    /// Writes the ids of all agents, small ones in canonical order, then giants by id; at most
    /// out.size() of them. Returns size().
    [[nodiscard]] std::size_t order(std::span<Id> out) const noexcept;

    /// Each two agents whose boxes overlap, once; those outside the groups have no part in it.
    Found visit_pairs(PairVisitor visitor, std::uint32_t groups = kAllGroups) const {
        return visit_pairs(PairSets::agents, visitor, groups);
    }
    /// The same for some pairs of sets. Of two sets, the small agent comes first in a pair, and the
    /// static last.
    Found visit_pairs(PairSets sets, PairVisitor visitor, std::uint32_t groups = kAllGroups) const;

    /// The cells of the grid, then the nodes of the giants' tree.
    void visit_cells(IndexCellVisitor<Dim> visitor) const;

    [[nodiscard]] std::size_t size() const noexcept; ///< of agents
    [[nodiscard]] std::size_t statics() const noexcept;
    [[nodiscard]] bool contains(Id id) const noexcept; ///< agents and statics
    [[nodiscard]] bool is_giant(Id id) const noexcept;
    [[nodiscard]] std::size_t giants() const noexcept;
    /// All agents' ids are smaller than this.
    [[nodiscard]] std::size_t id_bound() const noexcept;
    [[nodiscard]] const CrowdKind<Dim>& kind() const noexcept; ///< of the agents
    [[nodiscard]] const CrowdSettings<Dim>& settings() const noexcept;

    /// A place as shapes have it, rounded once, and back. In periodic worlds, too, it stays where
    /// it is, so that a shape's points stay together. What is too far away for floats becomes a
    /// point that every call refuses.
    [[nodiscard]] Point<Dim> local(const FarPoint<Dim>& place) const noexcept;
    [[nodiscard]] FarPoint<Dim> world(const Point<Dim>& place) const noexcept;
    /// Whether the world is periodic, on any axis.
    [[nodiscard]] bool wraps() const noexcept;

    /// Where small agents are: for range calls, and for who knows what he does. It knows nothing of
    /// periodic borders.
    [[nodiscard]] const RowGrid<Dim>& grid() const noexcept;
    /// The centres of small agents, giants and statics, by the crowd's names: for kernels and
    /// batches that go over several grids. Good until the next change; they know nothing of
    /// periodic borders either.
    [[nodiscard]] std::array<NamedGrid<Dim>, 3> grids() const noexcept;
    [[nodiscard]] MemoryUse memory() const noexcept;

    /// Checks every invariant, slowly. Null when all hold, else the first that does not.
    [[nodiscard]] const char* validate() const;

    /// Gives back the scratch memory that changes keep for the next one.
    void release_staging() noexcept;

private:
    template <std::size_t>
    friend class CrowdBatch;
    template <class>
    friend struct FrozenIndex; // writes all that there is, and reads it
    template <std::size_t>
    friend class PublishedCrowd; // gives all frames the same cells and statics

    struct State;
    class Images;

    /// Where an agent is kept that stands there.
    [[nodiscard]] Point<Dim> kept(const FarPoint<Dim>& place) const noexcept;

    /// Ok, or what a question with this shape would be refused for.
    template <ShapeIn<Dim> Shape>
    [[nodiscard]] Status refusal_of(const Shape& shape) const noexcept;

    /// Replaces all agents by these, whose positions are as they are kept.
    Status take(const Agents<Dim>& agents, Executor& executor);

    /// Lays out a world for the first agents that there are.
    Status lay_out_for(const Agents<Dim>& agents);
    /// Takes over another's settings, cells and statics, and keeps its agents where they suit.
    Status become_like(const Crowd& other);

    Status change(std::span<const Edit<Dim>> edits, Executor& executor);
    struct CrossPairs;

    template <ShapeIn<Dim> Shape>
    Status query_all(std::span<const Shape> shapes, Hits& hits, const Filter& filter,
                     Sets sets) const;

    std::unique_ptr<State> state_;
};

extern template class Crowd<2>;
extern template class Crowd<3>;

} // namespace throng
