// What a Crowd is made of. Internal to the engine.
#pragma once

#include "../../agents/handle_table.hpp"
#include "../../agents/names.hpp"
#include "../../agents/world_wrap.hpp"
#include "../../answers/merge.hpp"
#include "../../core/access.hpp"
#include "../../core/access_check.hpp"
#include "../../core/profile_scope.hpp"
#include "../../core/progress.hpp"
#include "../../grid/planner/query_planner.hpp"
#include "../../grid/rows/storage_range.hpp"
#include "../../grid/store/state.hpp"
#include "../../loose_tree/loose_tree.hpp"
#include "../../memory/memory_scope.hpp"
#include "../../memory/vector.hpp"
#include "../../memory/word_buffer.hpp"
#include "../crowd.hpp"
#include "../large/large_elements.hpp"
#include "cell_fit.hpp"
#include "narrow_copies.hpp"
#include "near_borders.hpp"
#include "shared_statics.hpp"
#include "size_split.hpp"
#include "spare_set.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace throng {

/// The box over which a grid has its cells.
template <std::size_t Dim>
[[nodiscard]] Box<Dim> world_of(const GridShape<Dim>& shape) noexcept {
    Box<Dim> world;
    for (std::size_t a = 0; a < Dim; ++a) {
        world.lo[a] = shape.origin[a];
        const float side = static_cast<float>(shape.cells[a]) / shape.inverse_cell[a];
        world.hi[a] = std::min(shape.origin[a] + side, kLargest);
    }
    return world;
}

/// Scratch of an update by names: what the agents have, by id.
struct NamedArrays {
    WordBuffer positions, half_extents, groups; ///< an array for each axis
    Vector<std::uint8_t> is_there;              ///< whether an agent has this id
    Vector<Id> missing;                         ///< ids that no agent has

    [[nodiscard]] std::size_t bytes() const noexcept {
        return positions.bytes() + half_extents.bytes() + groups.bytes() + is_there.capacity() +
               missing.capacity() * sizeof(Id);
    }
};

template <std::size_t Dim>
struct Crowd<Dim>::State : FromSource {
    using Giants = LargeElements<Dim>;
    using Statics = LargeElements<Dim>;

    CrowdSettings<Dim> settings;
    WorldWrap<Dim> world;
    CrowdKind<Dim> kind;
    RowGrid<Dim> grid;
    Giants giants;
    SpareSet<Dim, Giants> spare; ///< the next giants are made here, while `giants` still answers
    SharedStatics<Dim> statics;
    SpareSet<Dim, SharedStatics<Dim>> spare_statics;
    SizeSplit<Dim> split;
    HandleTable handles;
    bool named_by_handles = false;
    Vector<std::uint64_t> keys; ///< of agents with handles, by slot; 0 where there is no agent
    Vector<Id> dead;            ///< slots without an agent, during an update
    Vector<Id> skipped;         ///< `dead` and giants: ids that are not in the grid
    Box<Dim> laid_over{}; ///< the giants' world: world_of() the grid, or the grid it is a window of
    std::array<Vector<float>, Dim> kept_positions; ///< of an update, if wrapped or from doubles
    NamedArrays named;                             ///< of an update by names
    LoopClaims claims;                             ///< serves the loops of a change
    CellFit fit;                                   ///< of the grid's cells
    std::uint64_t in_log = 0;                      ///< of a published frame, its number in EditLog
    bool configured = false;
    THRONG_NO_UNIQUE_ADDRESS AccessCheck access;

    /// Runs a call that changes the crowd, with the memory of the host: tells the profiler, and
    /// checks that no other call runs.
    template <class Call>
    Status changing(const char* name, Call&& call) {
        const ProfileScope profiled(name);
        const AccessCheck::Changing alone(access);
        const Status status = with_own_memory(settings.memory, std::forward<Call>(call));
        // Frees memory that the failed call has taken, so that the next call does not lack it.
        if (status.cause == Cause::over_memory) { release_staging(); }
        return status;
    }

    /// Gives back the scratch memory that changes keep for later changes.
    void release_staging() noexcept;

    Status build_statics(const Agents<Dim>& given, Executor& executor, const Progress& progress);

    /// Whether an agent that insert() brings goes to the grid.
    [[nodiscard]] bool fits_grid(const Agent<Dim>& agent) const noexcept;

    /// Fills `dead`, before an update from arrays of this many elements.
    Status find_dead(std::size_t elements);

    // For validate(): null, or a fault that shows only in how the crowd's parts fit together.
    [[nodiscard]] const char* fault_of_giants() const;
    [[nodiscard]] const char* fault_of_names() const;

    // For calls with names: check_names() refuses another number of names than `count`, and ids
    // where agents have handles; check_handles() the first handle, if any, that is of no agent
    // here.
    [[nodiscard]] Status check_names(const Names& names, std::size_t count) const noexcept;
    [[nodiscard]] Status check_handles(const Names& names) const noexcept;

    /// An update by names. In named_update.cpp.
    template <class All>
    Status replace_named(const All& agents, const Names& names, Executor& executor);

    /// Moves many agents. In edit.cpp.
    template <class Float>
    Status move(const Names& names, const StridedPoints<Float, Dim>& positions, Executor& executor);

    /// Makes a list of edits, within a call that changes the crowd.
    Status change(std::span<const Edit<Dim>> edits, Executor& executor);

    /// Adds agents with handles; `given` has a key for each, or is null. In handles.cpp.
    Status add(const Agent<Dim>& agent, Handle& handle, const std::uint64_t* given);
    Status add(std::span<const Agent<Dim>> agents, std::span<Handle> to, const std::uint64_t* given,
               Executor& executor);

    // For calls with keys, in keys.cpp: prepare_keys() makes room for keys of these slots, and
    // throws std::bad_alloc; put_key() needs that room, unless the key is 0.
    void prepare_keys(std::span<const Id> slots);
    void put_key(Id slot, std::uint64_t key) noexcept;

    Status insert(Id id, const Agent<Dim>& given);
    Status erase(Id id);
    Status move(Id id, const Point<Dim>& given);

    /// Whether edits by this id are refused, since agents have handles. Statics have none.
    [[nodiscard]] bool refuses_id(Id id) const noexcept {
        return named_by_handles && !is_static(id);
    }
    [[nodiscard]] bool refuses_ids(std::span<const Edit<Dim>> edits) const noexcept {
        return named_by_handles && std::any_of(edits.begin(), edits.end(), [](const auto& edit) {
                   return !is_static(edit.id);
               });
    }

    /// Makes an edit whose id is a static's to these statics of the crowd. In edit_statics.cpp.
    Status change_static(SharedStatics<Dim>& of, const Edit<Dim>& edit) const;
    Status insert_static(SharedStatics<Dim>& of, Id id, const Agent<Dim>& agent) const;

    /// Calls ask(set) for each wanted set that is not empty, in the order grid, giants, statics,
    /// until it returns false.
    template <class Ask>
    void for_each_set(Sets sets, const Ask& ask) const {
        if (has(sets, Sets::small) && grid.size() != 0 && !ask(grid)) { return; }
        for_each_large(sets, ask);
    }

    /// Calls ask(set) for giants, then statics, if wanted and not empty, until it returns false.
    template <class Ask>
    bool for_each_large(Sets sets, Ask&& ask) const {
        if (has(sets, Sets::giants) && giants.size() != 0 && !ask(giants)) { return false; }
        return !has(sets, Sets::statics) || statics->size() == 0 || ask(*statics);
    }

    // For questions that have been checked. Whether giants and statics are asked before small
    // agents: is_sparse_for() for first(), asks_large_first() for any(). has_long_answers():
    // whether answers are mostly so long that inserting the hits of giants and statics behind each
    // takes longer than asking question by question.
    [[nodiscard]] bool is_sparse_for(const ShapesView<Dim>& one, Sets sets) const noexcept;
    [[nodiscard]] bool asks_large_first(const ShapesView<Dim>& one, Sets sets) const noexcept;
    [[nodiscard]] bool expects_large_first(const ShapesView<Dim>& one, const Box<Dim>& bounds,
                                           Sets sets) const noexcept;
    [[nodiscard]] bool has_long_answers(const ShapesView<Dim>& questions, Sets sets) const noexcept;

    /// Appends the giants and statics that the questions find to `large`, in the order of the
    /// questions, which must have no copies that find something. Throws std::bad_alloc.
    void find_large(const ShapesView<Dim>& questions, const Filters& filters, Sets sets,
                    std::vector<LargeHit>& large) const;

    /// Whether the grid's answer is the whole answer.
    [[nodiscard]] bool only_grid(Sets sets) const noexcept {
        return has(sets, Sets::small) && (!has(sets, Sets::giants) || giants.size() == 0) &&
               (!has(sets, Sets::statics) || statics->size() == 0);
    }

    /// Whether a shape has no copies that find anything in these sets, so that each set is asked
    /// once. Says no to shapes that are refused in a periodic world.
    [[nodiscard]] bool is_plain(const ShapesView<Dim>& shape, Sets sets) const noexcept {
        return !world.wraps || is_plain_in_periods(shape, sets);
    }
    [[nodiscard]] bool is_plain_in_periods(const ShapesView<Dim>& shape, Sets sets) const noexcept;

    /// The copies of a shape, if it is narrow.
    [[nodiscard]] NarrowCopies<Dim> narrow_copies(const ShapesView<Dim>& shape,
                                                  const Point<Dim>& largest) const noexcept;

    /// No agent or static of these sets has larger half extents.
    [[nodiscard]] Point<Dim> largest(Sets sets) const noexcept;

    /// Calls visit(SmallAgent) for the agents of slices begin ... past - 1 of the grid, in
    /// canonical order. Inline, so that a shared library does not export it.
    template <class Visit>
    void for_each_small(std::size_t begin, std::size_t past, Visit&& visit) const;

    /// Calls visit(number, SmallAgent) for the agents of these slices that are within `radius` of a
    /// periodic border, and for few others; the numbers count all agents of the slices.
    template <class Visit>
    void for_each_near(std::size_t begin, std::size_t past, float radius, Visit&& visit,
                       Borders borders = Borders::both) const;

    class PlainSets;      // in sources.hpp
    class PeriodicCopies; // in periodic.hpp
    struct CrossPairs;    // in pairs.hpp

    /// Returns ask(source), where `source` answers questions about these sets: a PlainSets or, if
    /// they may have copies that find something, a PeriodicCopies, which has the same calls. In
    /// sources.hpp.
    template <class Ask>
    auto answer(bool plain, Sets sets, const Ask& ask) const;

    [[nodiscard]] std::size_t size() const noexcept { return grid.size() + giants.size(); }
    [[nodiscard]] bool has_agent(Id id) const noexcept {
        return grid.contains(id) || giants.contains(id);
    }

    /// Makes room to keep this many positions. Throws std::bad_alloc.
    void prepare_to_keep(std::size_t count, std::array<Vector<float>, Dim>& to);

    /// Writes the positions of a block to `to`, in the form in which the crowd keeps them; `to` has
    /// room for all. A faulty position becomes one that is refused for the same cause. Views must
    /// not have null pointers.
    template <class Float>
    void keep_block(const StridedPoints<Float, Dim>& positions, std::array<Vector<float>, Dim>& to,
                    std::size_t block) const noexcept;

    /// keep_block() for all blocks; `to` grows as needed.
    template <class Float>
    Status keep(const StridedPoints<Float, Dim>& positions, std::array<Vector<float>, Dim>& to,
                Executor& executor);

    // For agents with positions in doubles: check_far() refuses null pointers and too many
    // agents, and in_floats() returns the same agents with `positions`, which are borrowed.
    [[nodiscard]] static Status check_far(const WorldAgents<Dim>& agents) noexcept;
    [[nodiscard]] static Agents<Dim> in_floats(const WorldAgents<Dim>& agents,
                                               const PointView<Dim>& positions) noexcept;

    /// Lays cells over the world, without agents. A call that fails changes nothing.
    Status lay_out(const GridShape<Dim>& shape, const CrowdKind<Dim>& of_agents,
                   const Box<Dim>& over);
    Status lay_out(const GridShape<Dim>& shape, const CrowdKind<Dim>& of_agents) {
        return lay_out(shape, of_agents, world_of(shape));
    }
    /// Lays cells for the first agents of the crowd; does nothing if there are cells, or no agents.
    Status lay_out_for(const Agents<Dim>& agents);
    /// Takes over another crowd's settings, cells and statics; keeps this crowd's agents if
    /// settings and cells are the same.
    Status become_like(const State& like);

    /// Takes over the agents of a crowd that has the same settings and cells, and indices as names.
    /// What save() writes does not tell a copy. Throws std::bad_alloc, and then nothing has
    /// changed.
    Status copy_agents(const State& from);

    /// Finds out, after an update, whether the next one should compare cells. Does nothing in a
    /// crowd whose cells stay.
    void look_at_fit() noexcept;

    /// Makes the spare giants if there are none. Throws std::bad_alloc.
    Status prepare_spare();
    /// Makes an edit whose values have been checked to the giants or the spare ones.
    static Status edit_giants(Giants& giants, const Edit<Dim>& edit);

    /// For a crowd that is destroyed or assigned to: asserts that no call is running in it.
    void expect_idle() noexcept { const AccessCheck::Changing going(access); }
};

/// What is to blame for a wrong name.
[[nodiscard]] inline Argument argument_of(const Names& names) noexcept {
    return names.by_handle ? Argument::handle : Argument::names;
}

/// The positions of an update, or of statics, are converted and wrapped in blocks of this many.
inline constexpr std::size_t kKeptInBlock = 4096;

constexpr std::size_t blocks_to_keep(std::size_t count) noexcept {
    return (count + kKeptInBlock - 1) / kKeptInBlock;
}
template <std::size_t Dim>
[[nodiscard]] LoopCost cost_to_keep(std::size_t count) noexcept {
    constexpr double kNanoseconds = 0.5 * Dim; // per agent, about
    return LoopCost::of(count, kNanoseconds);
}

template <std::size_t Dim>
[[nodiscard]] PointView<Dim> view_of(const std::array<Vector<float>, Dim>& positions,
                                     std::size_t count) noexcept {
    std::array<const float*, Dim> axes;
    for (std::size_t a = 0; a < Dim; ++a) {
        axes[a] = positions[a].data();
    }
    return PointView<Dim>::separate(axes, count);
}

/// A small agent of a crowd.
template <std::size_t Dim>
struct SmallAgent {
    Id id;
    Point<Dim> position, half_extent;
    std::uint32_t groups; ///< all of them in a crowd without masks

    [[nodiscard]] bool is_in(std::uint32_t wanted) const noexcept {
        return wanted == kAllGroups || (groups & wanted) != 0;
    }
};

/// The small agents of one row.
template <std::size_t Dim>
struct SmallRow {
    using Fields = simd::Fields<Dim>;

    std::array<const std::uint32_t*, 2 * Dim + 2> field{};
    const CrowdKind<Dim>& kind;

    SmallRow(const RowStore<Dim>& store, std::uint32_t r) noexcept : kind(store.kind()) {
        for (std::size_t f = 0; f < store.fields(); ++f) {
            field[f] = store.field(store.rows()[r], f);
        }
    }

    [[nodiscard]] SmallAgent<Dim> operator[](std::uint32_t slot) const noexcept {
        const auto number = [&](std::size_t f) { return std::bit_cast<float>(field[f][slot]); };
        SmallAgent<Dim> agent{field[Fields::kId][slot], {}, kind.common_half_extent, kAllGroups};
        for (std::size_t a = 0; a < Dim; ++a) {
            agent.position[a] = number(Fields::kPosition + a);
            if (kind.own_half_extents) { agent.half_extent[a] = number(Fields::kHalfExtent + a); }
        }
        if (kind.groups) { agent.groups = field[Fields::groups(kind.own_half_extents)][slot]; }
        return agent;
    }
};

template <std::size_t Dim>
template <class Visit>
inline void Crowd<Dim>::State::for_each_small(std::size_t begin, std::size_t past,
                                              Visit&& visit) const {
    const auto& inside = detail::state_of(grid);
    const StorageRange<Dim> range(inside.slices, begin, past);
    range.for_each_row(inside.store, [&](std::uint32_t r, std::uint32_t first, std::uint32_t end) {
        const SmallRow<Dim> row(inside.store, r);
        for (std::uint32_t slot = first; slot < end; ++slot) {
            visit(row[slot]);
        }
    });
}

template <std::size_t Dim>
template <class Visit>
inline void Crowd<Dim>::State::for_each_near(std::size_t begin, std::size_t past, float radius,
                                             Visit&& visit, Borders borders) const {
    const auto& inside = detail::state_of(grid);
    const NearBorders<Dim> near(world, radius, borders);
    const StorageRange<Dim> range(inside.slices, begin, past);
    std::size_t before = 0;
    range.for_each_row(inside.store, [&](std::uint32_t r, std::uint32_t first, std::uint32_t end) {
        const SmallRow<Dim> row(inside.store, r);
        typename NearBorders<Dim>::Axes axes;
        std::copy_n(row.field.begin() + simd::Fields<Dim>::kPosition, Dim, axes.begin());
        near.for_each(axes, first, end,
                      [&](std::uint32_t slot) { visit(before + (slot - first), row[slot]); });
        before += end - first;
    });
}

} // namespace throng
