// Why rounding loses no neighbour. All positions are those that the crowd keeps: floats, wrapped
// where the world is periodic. They count as exact numbers.
//
// Let a and b be where two agents were when the lists were made, and a' and b' where they are now.
// The crowd's test, distance2 <= radius * radius in floats, errs by a few roundings: less than
// 2^-20 of the distance, and less than 1e-18 where squares vanish. So
//
//     a test that passes means          |a' - b'| <= radius * (1 + 2^-20) + 1e-18,
//     an agent that has not moved too far   |a' - a| <= skin / 2 * (1 + 2^-20) + 1e-18,
//
// since it is tested like an agent in a ball of radius skin / 2. Hence
//
//     |a - b| <= (radius + skin) * (1 + 2^-20) + 3e-18.
//
// Lists are made by the same test with a radius of (radius + skin) * (1 + 2^-17) + 1e-17. The
// relative margin, 2^-17, is eight times what that bound needs, and eight times the error of the
// test itself. So b is in the list of a.
//
// In a periodic world a' has copies, moved by whole periods. A copy's coordinate is rounded once,
// by at most 2^-24 of a coordinate in the world or one period beyond; the list's radius grows by
// 2^-20 of that on each periodic axis. Distances go around the world: if an agent has moved across
// the border, |a' - a| is to the nearest copy, and so the sum above is a bound for some copy of a.
// It does not matter which copies are asked: the nearest of all copies is at most one period away
// on each axis (docs/worlds.md).
#include "lasting_state.hpp"

#include "../../engine/agents/agent_blocks.hpp"
#include "../../engine/agents/validation.hpp"
#include "../../engine/grid/grid_parts.hpp"
#include "lasting_moves.hpp"

#include <atomic>
#include <cstring>

namespace throng {

namespace {

/// Agents without their positions, for checks and comparisons of everything else.
template <std::size_t Dim, class Given>
Agents<Dim> all_but_positions(const Given& given) noexcept {
    Agents<Dim> agents;
    agents.common_half_extent = given.common_half_extent;
    agents.half_extents = given.half_extents;
    agents.groups = given.groups;
    return agents;
}

/// Whether a view has these words, bit for bit, from `begin` to `end`. A NaN is never equal to what
/// a crowd has taken.
template <class T>
bool has_words(const ValueView<T>& view, const std::vector<T>& words, std::size_t begin,
               std::size_t end) noexcept {
    using Bits = std::uint32_t;
    static_assert(sizeof(T) == sizeof(Bits));
    if (view.stride == sizeof(T)) {
        return std::memcmp(static_cast<const char*>(view.data) + begin * sizeof(T),
                           words.data() + begin, (end - begin) * sizeof(T)) == 0;
    }
    Bits different = 0;
    for (std::size_t i = begin; i < end; ++i) {
        different |= std::bit_cast<Bits>(view[i]) ^ std::bit_cast<Bits>(words[i]);
    }
    return different == 0;
}

} // namespace

template <std::size_t Dim>
struct LastingNeighbours<Dim>::State::Renewal {
    State& state;
    // Short names for members of the state.
    const LastingSettings& settings = state.settings;
    Executor* const executor = state.executor;
    Batch<Dim>& batch = state.batch;
    Lists &now = state.now, &next = state.next;
    LoopClaims& claims = state.claims;

    /// The radius of lists, as the top of this file explains. Doubles round it no worse than the
    /// margin allows.
    [[nodiscard]] float list_radius(const WorldWrap<Dim>& world) const noexcept {
        double radius =
            (double{settings.neighbourhood.radius} + double{settings.skin}) * (1.0 + 0x1p-17) +
            1e-17;
        for (std::size_t a = 0; a < Dim; ++a) {
            if (!world.periodic[a]) { continue; }
            const double far = std::max(std::abs(world.bounds.lo[a]), std::abs(world.bounds.hi[a]));
            radius += 0x1p-20 * (far + double{world.period[a]});
        }
        return static_cast<float>(radius);
    }

    /// Whether half extents and groups of agents begin ... end - 1 are those of the lists.
    bool has_same_values(const Agents<Dim>& others, std::size_t begin,
                         std::size_t end) const noexcept {
        if (now.kind.own_half_extents) {
            for (std::size_t a = 0; a < Dim; ++a) {
                if (!has_words(others.half_extents.values(a), now.half_extent[a], begin, end)) {
                    return false;
                }
            }
        }
        return !now.kind.groups || has_words(others.groups, now.groups, begin, end);
    }

    /// Whether the lists hold for these agents; if so, `moved` is how far any has moved, squared.
    template <class Given>
    Status check(const Crowd<Dim>& crowd, const Given& given, bool& hold, Bits& moved) {
        hold = false;
        if (!now.made || Content(crowd) != now.content) { return {}; }
        const std::size_t count = given.positions.count;
        Agents<Dim> others = all_but_positions<Dim>(given);
        if (count != now.elements || kind_of(others) != now.kind) { return {}; }
        // Checks lengths and null pointers without reading positions. On a fault the lists do not
        // hold, and the crowd's update says what is wrong.
        others.positions.count = count;
        others.positions.axis.fill(&kLargest);
        if (!check_views(others).ok()) { return {}; }
        const auto& axes = given.positions.axis;
        if (count != 0 && std::find(axes.begin(), axes.end(), nullptr) != axes.end()) { return {}; }

        std::atomic<Bits> greatest = 0;
        const auto are_as_before = [&](std::size_t begin, std::size_t end) {
            return state.are_near(given.positions, begin, end, greatest) &&
                   has_same_values(others, begin, end);
        };
        const Status status = state.look_at_all(are_as_before, hold);
        moved = greatest.load();
        return status;
    }

    template <class Given>
    Status update(Crowd<Dim>& crowd, const Given& given) {
        if (const Status status = state.check_settings(); !status.ok()) { return status; }
        bool hold = false;
        Bits moved = 0;
        if (const Status status = check(crowd, given, hold, moved); !status.ok()) { return status; }
        if (hold) {
            ++state.lasted;
            state.moved2 = std::max(state.moved2, moved);
            return {};
        }
        const float radius = list_radius(detail::state_of(crowd).world);
        if (!(radius <= kLargest)) { return {Cause::too_large, Argument::radius}; }
        const bool unchanged = Content(crowd) == now.content;
        if (const Status status = crowd.update(given, *executor); !status.ok()) {
            // The crowd is as it was, but its editions also count refused calls.
            if (unchanged) { now.content = Content(crowd); }
            return status;
        }
        if (const Status status = make(crowd, given, radius); !status.ok()) { return status; }
        next.made = true;
        std::swap(now, next);
        ++state.made;
        state.lasted = 0;
        state.moved2 = 0;
        return {};
    }

    /// Makes `next` from a crowd that was just updated with these agents.
    template <class Given>
    Status make(const Crowd<Dim>& crowd, const Given& given, float radius) {
        const auto& inside = detail::state_of(crowd);
        next.made = next.has_runs = false;
        next.content = Content(crowd);
        next.world = inside.world;
        const Agents<Dim> others = all_but_positions<Dim>(given);
        next.kind = kind_of(others);
        next.elements = given.positions.count;
        next.dead.clear();
        if (inside.named_by_handles) {
            inside.handles.for_each_dead([&](Id slot) { next.dead.push_back(slot); });
        }

        Neighbourhood wide = settings.neighbourhood;
        wide.radius = radius;
        Status status = batch.neighbours({crowd, settings.sets}, wide, next.hits);
        if (status.ok()) { status = keep(given, others); }
        if (status.ok()) { status = find_places(crowd); }
        return status;
    }

    /// Copies the agents to `next`.
    template <class Given>
    Status keep(const Given& given, const Agents<Dim>& others) {
        const std::size_t count = next.elements;
        for (std::size_t a = 0; a < Dim; ++a) {
            next.position[a].resize(count);
            next.half_extent[a].resize(next.kind.own_half_extents ? count : 0);
        }
        next.groups.resize(next.kind.groups ? count : 0);
        const LoopCost cost = LoopCost::of(count, 2.0);
        const AgentBlocks blocks(count, *executor, cost);
        const auto copy = [&](std::size_t block) {
            for_each_run(next, blocks.begin(block), blocks.end(block),
                         [&](std::size_t begin, std::size_t end) {
                             for (std::size_t a = 0; a < Dim; ++a) {
                                 const auto values = given.positions.values(a);
                                 const auto halves = others.half_extents.values(a);
                                 for (std::size_t i = begin; i < end; ++i) {
                                     next.position[a][i] = next.world.kept(values[i], a);
                                     if (next.kind.own_half_extents) {
                                         next.half_extent[a][i] = halves[i];
                                     }
                                 }
                             }
                             for (std::size_t i = begin; next.kind.groups && i < end; ++i) {
                                 next.groups[i] = others.groups[i];
                             }
                             return true;
                         });
        };
        return run_blocks(*executor, blocks.count(), copy, claims, cost);
    }

    /// Gives every agent and static that may be found a place.
    Status find_places(const Crowd<Dim>& crowd) {
        const auto& inside = detail::state_of(crowd);
        next.agents = crowd.size();
        next.places =
            next.agents + (has(settings.sets, Sets::statics) ? crowd.size(Sets::statics) : 0);
        next.ids.resize(next.places + simd::kSlack);
        for (std::size_t a = 0; a < Dim; ++a) {
            next.placed[a].resize(next.places + simd::kSlack);
        }
        next.place_of.resize(next.elements);
        Status status = place_small(inside.grid);
        if (!status.ok()) { return status; }
        const std::size_t small = inside.grid.size();
        (void)inside.giants.names(std::span(next.ids).subspan(small, next.agents - small));
        note_places(small, next.agents);
        return place_statics(inside);
    }
    void note_places(std::size_t first, std::size_t past) noexcept {
        for (std::size_t k = first; k < past; ++k) {
            next.place_of[next.ids[k]] = static_cast<std::uint32_t>(k);
        }
    }
    Status place_small(const RowGrid<Dim>& grid) {
        std::vector<std::size_t>& begins = state.slice_begins;
        begins.resize(grid.parts().slices() + 1);
        begins[0] = 0;
        for (std::size_t slice = 0; slice < grid.parts().slices(); ++slice) {
            begins[slice + 1] = begins[slice] + grid.parts().agents_in(slice, slice + 1);
        }
        const auto put = [&](std::size_t slice) {
            const std::size_t first = begins[slice], past = begins[slice + 1];
            (void)grid.parts().order(slice, slice + 1,
                                     std::span(next.ids).subspan(first, past - first));
            note_places(first, past);
        };
        return run_blocks(*executor, grid.parts().slices(), put, claims,
                          LoopCost::of(grid.size(), 2.0));
    }
    template <class Inside>
    Status place_statics(const Inside& inside) {
        const std::size_t statics = next.places - next.agents;
        const LoopCost cost = LoopCost::of(statics, 5.0);
        const AgentBlocks blocks(statics, *executor, cost);
        next.static_numbers.renew(*inside.statics);
        (void)inside.statics->names(std::span(next.ids).subspan(next.agents, statics));
        const auto put = [&](std::size_t block) {
            for (std::size_t i = blocks.begin(block); i < blocks.end(block); ++i) {
                const Point<Dim> at = inside.statics->agent(next.ids[next.agents + i]).position;
                for (std::size_t a = 0; a < Dim; ++a) {
                    next.placed[a][next.agents + i] = at[a];
                }
            }
        };
        return run_blocks(*executor, blocks.count(), put, claims, cost);
    }
};

template <std::size_t Dim>
LastingNeighbours<Dim>::LastingNeighbours(const LastingSettings& settings, Executor& executor)
    : state_(detail::make_state<State>(settings, executor)) {}

template <std::size_t Dim>
Status LastingNeighbours<Dim>::keep_or_make(Crowd<Dim>& crowd, const Agents<Dim>& agents) {
    const typename State::Serving alone("LastingNeighbours::update", *state_);
    return typename State::Renewal{*state_}.update(crowd, agents);
}
template <std::size_t Dim>
Status LastingNeighbours<Dim>::keep_or_make(Crowd<Dim>& crowd, const WorldAgents<Dim>& agents) {
    const typename State::Serving alone("LastingNeighbours::update", *state_);
    return typename State::Renewal{*state_}.update(crowd, agents);
}
template <std::size_t Dim>
std::span<const Id> LastingNeighbours<Dim>::order() const noexcept {
    return state_->now.order();
}
template <std::size_t Dim>
const Hits& LastingNeighbours<Dim>::candidates() const noexcept {
    return state_->now.hits;
}
template <std::size_t Dim>
std::uint64_t LastingNeighbours<Dim>::made() const noexcept {
    return state_->made;
}
template <std::size_t Dim>
std::uint64_t LastingNeighbours<Dim>::lasted() const noexcept {
    return state_->lasted;
}
template <std::size_t Dim>
float LastingNeighbours<Dim>::moved() const noexcept {
    return std::sqrt(std::bit_cast<float>(state_->moved2));
}
template <std::size_t Dim>
const LastingSettings& LastingNeighbours<Dim>::settings() const noexcept {
    return state_->settings;
}
template <std::size_t Dim>
std::size_t LastingNeighbours<Dim>::memory() const noexcept {
    return state_->memory();
}
template <std::size_t Dim>
void LastingNeighbours<Dim>::release() noexcept {
    state_->release();
}

template class LastingNeighbours<2>;
template class LastingNeighbours<3>;

} // namespace throng
