// What a Crowd is made of. Internal to the engine.
#pragma once

#include "crowd.hpp"
#include "large_set.hpp"
#include "own_memory.hpp"
#include "phase.hpp"
#include "profiled.hpp"
#include "progress.hpp"
#include "size_split.hpp"
#include "static_tree.hpp"
#include "vector.hpp"
#include "world_wrap.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <type_traits>
#include <utility>

namespace throng {

template <std::size_t Dim>
struct Crowd<Dim>::State : FromSource {
    using Giants = LargeSet<Dim, StaticTree<Dim>>;
    using Statics = LargeSet<Dim, StaticTree<Dim>>;

    CrowdSettings<Dim> settings;
    WorldWrap<Dim> world;
    CrowdKind<Dim> kind;
    RowGrid<Dim> grid;
    Giants giants;
    std::unique_ptr<Giants> spare; ///< where the next giants are made, while these still count
    std::shared_ptr<const Statics> statics = std::allocate_shared<Statics>(Allocated<Statics>());
    SizeSplit<Dim> split;
    HandleTable handles;
    bool named_by_handles = false;
    Vector<Id> dead;     ///< slots in which nobody lives, during an update
    Vector<Id> left_out; ///< those, and giants: who is not in the grid
    std::array<Vector<float>, Dim> kept_positions; ///< of an update, where others were given
    LoopClaims claims;
    bool configured = false;
    [[no_unique_address]] Phase phase;

    /// A call that changes the crowd: alone in it, seen by the profiler, with the host's memory.
    template <class Call>
    Status changing(const char* name, Call&& call) {
        const Profiled profiled(name);
        const Phase::Changing alone(phase);
        const Status status = with_own_memory(settings.memory, std::forward<Call>(call));
        // What was taken for too much is not kept from the next call.
        if (status.cause == Cause::over_memory) { release_staging(); }
        return status;
    }

    /// Gives back what changes keep for the next one.
    void release_staging() noexcept;

    Status build_statics(const Agents<Dim>& given, Executor& executor, const Progress& progress);

    /// Whether an agent that comes alone goes to the grid.
    [[nodiscard]] bool fits_grid(const Agent<Dim>& agent) const noexcept;

    /// Fills `dead`, before an update from arrays of so many places.
    Status find_dead(std::size_t places);

    Status insert(Id id, const Agent<Dim>& given);
    Status erase(Id id);
    Status move(Id id, const Point<Dim>& given);

    /// Calls ask(set) for giants and statics, as far as they are wanted and there are any, until it
    /// returns false.
    template <class Ask>
    bool for_each_large(Sets sets, Ask&& ask) const {
        if (has(sets, Sets::giants) && giants.size() != 0 && !ask(giants)) { return false; }
        return !has(sets, Sets::statics) || statics->size() == 0 || ask(*statics);
    }

    /// Whether the grid's answer is the whole answer.
    [[nodiscard]] bool only_grid(Sets sets) const noexcept {
        return has(sets, Sets::small) && (!has(sets, Sets::giants) || giants.size() == 0) &&
               (!has(sets, Sets::statics) || statics->size() == 0);
    }

    /// Calls visit(SmallAgent) for the agents of slices begin ... past - 1 of the grid, in
    /// canonical order. In crowd_small.hpp.
    template <class Visit>
    void for_each_small(std::size_t begin, std::size_t past, Visit&& visit) const;

    [[nodiscard]] std::size_t size() const noexcept { return grid.size() + giants.size(); }
    [[nodiscard]] bool has_agent(Id id) const noexcept {
        return grid.contains(id) || giants.contains(id);
    }

    /// The positions as they are kept, in `to`, which grows as need be; of faults in them, others
    /// that are refused for the same cause. Views with null pointers must not be given.
    template <class Float>
    Status keep(const StridedPoints<Float, Dim>& positions, std::array<Vector<float>, Dim>& to,
                Executor& executor);

    /// The same for a whole crowd; `kept` borrows `positions`.
    Status keep_all(const FarAgents<Dim>& agents, Executor& executor,
                    std::array<Vector<float>, Dim>& positions, Agents<Dim>& kept);

    /// Cells over the world, and nobody in them. Nothing has changed where it fails.
    Status lay_out(const GridShape<Dim>& shape, const CrowdKind<Dim>& of_agents);

    /// Sees to it that there is a spare. Throws std::bad_alloc.
    Status prepare_spare();

    /// Of a crowd that goes, or becomes another: nobody may be in it.
    static void expect_nobody(const std::unique_ptr<State>& state) noexcept {
        if (state != nullptr) { const Phase::Changing going(state->phase); }
    }
};

template <std::size_t Dim>
[[nodiscard]] PointView<Dim> view_of(const std::array<Vector<float>, Dim>& positions,
                                     std::size_t count) noexcept {
    std::array<const float*, Dim> axes;
    for (std::size_t a = 0; a < Dim; ++a) {
        axes[a] = positions[a].data();
    }
    return PointView<Dim>::separate(axes, count);
}

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

} // namespace throng
