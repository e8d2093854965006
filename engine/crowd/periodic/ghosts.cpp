// Makes the ghosts of a periodic world.
#include "../ghosts.hpp"

#include "../../answers/nearest_checks.hpp"
#include "../../grid/grid_parts.hpp"
#include "../../memory/checked_loop.hpp"
#include "../../shapes/translated.hpp"
#include "../store/content.hpp"
#include "../store/state.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

namespace throng {

namespace {

/// The ghosts of one set.
template <std::size_t Dim>
struct GhostSet {
    RowGrid<Dim> grid;
    std::vector<Id> names;
    std::vector<Point<Dim>> positions;
    std::array<std::vector<float>, Dim> half;
    std::vector<std::uint32_t> groups;
    Point<Dim> largest{};
    bool of_centres = false; ///< whether the grid keeps centres only
    Box<Dim> hole{};

    void resize(std::size_t count) {
        names.resize(count);
        positions.resize(count);
        groups.resize(count);
        for (std::vector<float>& axis : half) {
            axis.resize(count);
        }
    }
    void put(std::size_t i, Id name, const Point<Dim>& at, const Point<Dim>& extent,
             std::uint32_t mask) noexcept {
        names[i] = name;
        positions[i] = at;
        groups[i] = mask;
        for (std::size_t a = 0; a < Dim; ++a) {
            half[a][i] = extent[a];
        }
    }

    /// Lays out cells if there are others, and puts the ghosts into them.
    Status update(const GridShape<Dim>& shape, const CrowdKind<Dim>& kind, Executor& executor) {
        Status status;
        if (grid.shape() != shape || grid.kind() != kind) { status = grid.use(shape, kind); }
        if (!status.ok()) { return status; }
        Agents<Dim> agents;
        const auto* const first = reinterpret_cast<const float*>(positions.data());
        agents.positions = PointView<Dim>::interleaved(first, names.size(), sizeof(Point<Dim>));
        agents.common_half_extent = kind.common_half_extent;
        if (kind.own_half_extents) {
            std::array<const float*, Dim> axes;
            for (std::size_t a = 0; a < Dim; ++a) {
                axes[a] = half[a].data();
            }
            agents.half_extents = PointView<Dim>::separate(axes, names.size());
        }
        if (kind.groups) { agents.groups = {groups.data(), sizeof(std::uint32_t), names.size()}; }
        return grid.update(agents, executor);
    }

    [[nodiscard]] NamedGrid<Dim> named() const noexcept {
        NamedGrid<Dim> named(grid, names);
        for (std::size_t a = 0; a < Dim && of_centres; ++a) {
            named.half_extents[a] = half[a].data();
        }
        named.largest = largest;
        named.hole = hole;
        return named;
    }

    [[nodiscard]] std::size_t memory() const noexcept {
        std::size_t bytes = grid.memory().total() + names.capacity() * sizeof(Id) +
                            positions.capacity() * sizeof(Point<Dim>) +
                            groups.capacity() * sizeof(std::uint32_t);
        for (const std::vector<float>& axis : half) {
            bytes += axis.capacity() * sizeof(float);
        }
        return bytes;
    }
};

} // namespace

template <std::size_t Dim>
struct Ghosts<Dim>::State {
    using StateOfCrowd = detail::StateOf<Crowd<Dim>>;

    GhostSet<Dim> small, giants, statics;
    GhostSet<Dim> later_giants;      // those that giants find, if later ones only
    std::vector<std::size_t> before; // ghosts of earlier slices
    LoopClaims claims;
    std::optional<std::array<NamedGrid<Dim>, 3>> crowds; // the crowd's own grids
    Content content;                                     // of the crowd, when ghosts were made
    Neighbourhood neighbourhood;
    bool later_only = false;
    THRONG_NO_UNIQUE_ADDRESS AccessCheck serving;

    void expect_idle() noexcept { const AccessCheck::Changing going(serving); }

    /// Calls visit(position) for the ghosts of an agent, or for those that are moved down only.
    template <class Visit>
    static void for_each_ghost(const WorldWrap<Dim>& world, const Point<Dim>& at, float reach,
                               bool falling, const Visit& visit) {
        const NarrowCopies<Dim> copies(world, at, reach);
        for (std::size_t i = 1; i <= copies.count(); ++i) {
            if (falling && copies.rises(copies.side(i))) { continue; }
            visit(detail::shifted(at, copies.offset(i)));
        }
    }

    Status gather_small(const StateOfCrowd& crowd, float reach, Executor& executor) {
        const std::size_t slices = crowd.grid.parts().slices();
        const auto for_each = [&](std::size_t slice, const auto& visit) {
            crowd.for_each_near(
                slice, slice + 1, reach, [&](std::size_t, const SmallAgent<Dim>& agent) {
                    for_each_ghost(crowd.world, agent.position, reach, later_only,
                                   [&](const Point<Dim>& ghost) { visit(agent, ghost); });
                });
        };
        before.assign(slices + 1, 0);
        const LoopCost cost = LoopCost::of(crowd.grid.size(), 0.5);
        const auto count = [&](std::size_t slice) {
            std::size_t ghosts = 0;
            for_each(slice, [&](const SmallAgent<Dim>&, const Point<Dim>&) { ++ghosts; });
            before[slice + 1] = ghosts;
        };
        const Status status = run_blocks(executor, slices, count, claims, cost);
        if (!status.ok()) { return status; }
        std::partial_sum(before.begin(), before.end(), before.begin());
        small.resize(before.back());
        const auto put = [&](std::size_t slice) {
            std::size_t next = before[slice];
            for_each(slice, [&](const SmallAgent<Dim>& agent, const Point<Dim>& ghost) {
                small.put(next++, agent.id, ghost, agent.half_extent, agent.groups);
            });
        };
        return run_blocks(executor, slices, put, claims, cost);
    }

    static void gather_large(const WorldWrap<Dim>& world, const LargeElements<Dim>& from,
                             float reach, bool falling, GhostSet<Dim>& to) {
        to.resize(0);
        to.largest = from.largest();
        to.of_centres = true;
        for (const Id name : from.name_of_slot()) {
            if (name == kNoId) { continue; }
            const Agent<Dim> agent = from.agent(name);
            for_each_ghost(world, agent.position, reach, falling, [&](const Point<Dim>& ghost) {
                const std::size_t i = to.names.size();
                to.resize(i + 1);
                to.put(i, name, ghost, *agent.half_extent, agent.groups.value_or(kAllGroups));
            });
        }
    }

    /// How far the neighbours of an agent may be on any axis.
    [[nodiscard]] static float reach_of(const StateOfCrowd& crowd,
                                        const Neighbourhood& asked) noexcept {
        if (asked.body == Body::centre) { return asked.radius; }
        const Point<Dim> largest = crowd.largest(Sets::all);
        float most = largest[0];
        for (std::size_t a = 1; a < Dim && asked.body == Body::box; ++a) {
            most = std::max(most, largest[a]);
        }
        const float reach = asked.radius + 2.0f * most;
        return reach + reach * 0x1p-20f; // more than rounding takes away
    }

    /// Cells as large as the crowd's, over the world and the ghosts around it; or the crowd's
    /// cells, if these are too many: border cells reach to infinity.
    [[nodiscard]] static GridShape<Dim> shape_around(const StateOfCrowd& crowd, float reach) {
        const GridShape<Dim>& cells = crowd.grid.shape();
        Box<Dim> around = world_of(cells);
        Point<Dim> cell;
        for (std::size_t a = 0; a < Dim; ++a) {
            if (crowd.world.periodic[a]) {
                around.lo[a] -= reach;
                around.hi[a] += reach;
            }
            cell[a] = 1.0f / cells.inverse_cell[a];
        }
        const auto shape = shape_over(around, cell);
        return shape.status.ok() ? shape.value : cells;
    }

    Status make(const StateOfCrowd& crowd, float reach, Executor& executor) {
        Status status = gather_small(crowd, reach, executor);
        if (!status.ok()) { return status; }
        gather_large(crowd.world, crowd.giants, reach, false, giants);
        gather_large(crowd.world, *crowd.statics, reach, false, statics);
        later_giants.resize(0);
        if (later_only) { gather_large(crowd.world, crowd.giants, reach, true, later_giants); }

        const GridShape<Dim> shape = shape_around(crowd, reach);
        const auto update = [&](GhostSet<Dim>& set, const CrowdKind<Dim>& kind) {
            set.hole = crowd.world.without_borders(reach);
            if (status.ok() && !set.names.empty()) { status = set.update(shape, kind, executor); }
        };
        update(small, crowd.grid.kind());
        update(giants, {false, crowd.giants.keeps_groups(), {}});
        update(later_giants, {false, crowd.giants.keeps_groups(), {}});
        update(statics, {false, crowd.statics->keeps_groups(), {}});
        return status;
    }

    [[nodiscard]] static bool has_agents(const NamedGrid<Dim>& named) noexcept {
        return named.grid->size() != 0;
    }
    static void add(GhostGrids<Dim>& to, const NamedGrid<Dim>& named) noexcept {
        if (has_agents(named)) { to.grid[to.count++] = named; }
    }
    [[nodiscard]] GhostGrids<Dim> grids_of(Sets sets, bool of_giants) const noexcept {
        const NamedGrid<Dim> none(small.grid);
        GhostGrids<Dim> all{{none, none, none, none, none, none}};
        if (!crowds) { return all; }
        const std::array<NamedGrid<Dim>, 3>& own = *crowds;
        const bool later_of_giants = of_giants && later_only;
        if (has(sets, Sets::small) && !later_of_giants) {
            add(all, own[0]);
            add(all, small.named());
        }
        if (has(sets, Sets::giants)) {
            add(all, own[1]);
            add(all, (later_of_giants ? later_giants : giants).named());
        }
        if (has(sets, Sets::statics)) {
            add(all, own[2]);
            add(all, statics.named());
        }
        return all;
    }
};

template <std::size_t Dim>
Ghosts<Dim>::Ghosts() : state_(detail::make_state<State>()) {}

template <std::size_t Dim>
Status Ghosts<Dim>::make(const Crowd<Dim>& crowd, const Neighbourhood& neighbourhood,
                         Executor& executor) {
    State& state = *state_;
    const AccessCheck::Serving serving(state.serving);
    const auto& inside = detail::state_of(crowd);
    const AccessCheck::Reading reading(inside.access);
    const Content content(crowd);
    if (state.crowds && content == state.content && neighbourhood == state.neighbourhood) {
        return {};
    }
    state.crowds.reset();
    if (const Status status = check_neighbourhood(neighbourhood); !status.ok()) { return status; }
    const float reach = State::reach_of(inside, neighbourhood);
    if (inside.world.wraps && !inside.world.is_narrow(reach)) {
        return {Cause::wraps, Argument::radius};
    }
    state.later_only = neighbourhood.later_only;
    for (GhostSet<Dim>* set : {&state.small, &state.giants, &state.later_giants, &state.statics}) {
        set->resize(0);
        set->grid.clear();
    }
    if (inside.world.wraps && inside.grid.shape().cells[0] != 0) {
        const Status status = state.make(inside, reach, executor);
        if (!status.ok()) { return status; }
    }
    state.crowds = crowd.grids();
    state.content = content;
    state.neighbourhood = neighbourhood;
    return {};
}

template <std::size_t Dim>
GhostGrids<Dim> Ghosts<Dim>::for_small(Sets sets) const noexcept {
    return state_->grids_of(sets, false);
}

template <std::size_t Dim>
GhostGrids<Dim> Ghosts<Dim>::for_giants(Sets sets) const noexcept {
    return state_->grids_of(sets, true);
}

template <std::size_t Dim>
std::size_t Ghosts<Dim>::size() const noexcept {
    if (!state_->crowds) { return 0; } // some may have been gathered before the call failed
    return state_->small.names.size() + state_->giants.names.size() + state_->statics.names.size();
}

template <std::size_t Dim>
std::size_t Ghosts<Dim>::memory() const noexcept {
    return state_->small.memory() + state_->giants.memory() + state_->later_giants.memory() +
           state_->statics.memory() + state_->before.capacity() * sizeof(std::size_t) +
           state_->claims.memory();
}

template class Ghosts<2>;
template class Ghosts<3>;

} // namespace throng
