// How rounding loses no neighbour. All facts are about positions as the crowd keeps them: floats,
// wrapped where the world is periodic. They are numbers without error.
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
// Lists are made by the same test with a radius of (radius + skin) * (1 + 2^-17) + 1e-17, which is
// eight times as much as that, and as its own error, needs. So b is in the list of a.
//
// In a periodic world a' has copies, moved by whole periods. A copy's coordinate is rounded once,
// by at most 2^-24 of what is in the world or one period beyond; the list's radius grows by 2^-20
// of that on each periodic axis. Distances are those around the world: if an agent has moved across
// the border, |a' - a| is to the nearest copy, and so the sum above is a bound for some copy of a.
// Which copies are asked is no matter: of all copies the nearest is at most one period away on each
// axis (docs/worlds.md).
#include "lasting_state.hpp"

#include "../../engine/agents/agent_blocks.hpp"
#include "../../engine/agents/validation.hpp"
#include "../../engine/shapes/ball.hpp"

#include <atomic>
#include <cstring>
#include <type_traits>

namespace throng {

namespace {

using Bits = std::uint32_t;
constexpr Bits kMagnitude = 0x7fff'ffffu; ///< all but the sign

/// Agents without their positions, for checks and comparisons of all else.
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

/// The greatest of the bits of distances and of coordinates. Bits of floats without a sign are in
/// the order of the floats, and those of NaN come after all: a greatest integer needs no branch for
/// NaN, so compilers make vectors of the loop, in every mode.
struct Greatest {
    Bits distance2 = 0, coordinate = 0;
};

template <std::size_t Dim>
using Run = std::array<const float*, Dim>;

/// How far `count` agents are from where they were.
template <std::size_t Dim>
Greatest greatest_of(const Run<Dim>& now, const Run<Dim>& before, std::size_t count) noexcept {
    std::int32_t distance = 0, coordinate = 0;
    for (std::size_t i = 0; i < count; ++i) {
        float distance2 = 0.0f;
        for (std::size_t a = 0; a < Dim; ++a) {
            const float offset = now[a][i] - before[a][i];
            distance2 = a == 0 ? offset * offset : distance2 + offset * offset;
            const auto at = static_cast<std::int32_t>(std::bit_cast<Bits>(now[a][i]) & kMagnitude);
            coordinate = at > coordinate ? at : coordinate;
        }
        const auto bits = static_cast<std::int32_t>(std::bit_cast<Bits>(distance2) & kMagnitude);
        distance = bits > distance ? bits : distance;
    }
    return {static_cast<Bits>(distance), static_cast<Bits>(coordinate)};
}

void raise(std::atomic<Bits>& greatest, Bits value) noexcept {
    Bits before = greatest.load(std::memory_order_relaxed);
    while (before < value &&
           !greatest.compare_exchange_weak(before, value, std::memory_order_relaxed)) {}
}

} // namespace

template <std::size_t Dim>
struct LastingNeighbours<Dim>::State::Renewal {
    State& state;
    // What is used of the state.
    const LastingSettings& settings = state.settings;
    Executor* const executor = state.executor;
    Batch<Dim>& batch = state.batch;
    Lists &now = state.now, &next = state.next;
    std::vector<std::uint32_t>& place_of = state.place_of;
    LoopClaims& claims = state.claims;

    /// The radius of lists; see above. Doubles round it no worse than the margin allows.
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

    /// A run of one axis as the crowd would keep it: where it lies if it can be read there, else
    /// in `scratch`.
    template <class Float>
    static const float* kept_run(const WorldWrap<Dim>& world,
                                 const StridedPoints<Float, Dim>& positions, std::size_t a,
                                 std::size_t begin, std::size_t end, float* scratch) noexcept {
        if constexpr (std::is_same_v<Float, float>) {
            const bool aligned =
                reinterpret_cast<std::uintptr_t>(positions.axis[a]) % alignof(float) == 0;
            if (aligned && positions.stride[a] == sizeof(float) && !world.periodic[a]) {
                return positions.axis[a] + begin;
            }
        }
        const ValueView<Float> values = positions.values(a);
        for (std::size_t i = begin; i < end; ++i) {
            scratch[i - begin] = world.kept(values[i], a);
        }
        return scratch;
    }

    /// Whether agents begin ... end - 1, of one run, are near enough to where they were; raises
    /// `moved` to how far they are, squared.
    template <class Float>
    bool are_near(const StridedPoints<Float, Dim>& positions, std::size_t begin, std::size_t end,
                  std::atomic<Bits>& moved) const noexcept {
        std::array<std::array<float, kRun>, Dim> scratch;
        Run<Dim> at, before;
        for (std::size_t a = 0; a < Dim; ++a) {
            at[a] = kept_run(now.world, positions, a, begin, end, scratch[a].data());
            before[a] = now.position[a].data() + begin;
        }
        const std::size_t count = end - begin;
        Greatest greatest;
        if (settings.skin == 0.0f) {
            // Not by squares, which vanish: no agent has moved if its coordinates are equal.
            bool same = true;
            for (std::size_t a = 0; a < Dim; ++a) {
                for (std::size_t i = 0; i < count; ++i) {
                    same &= at[a][i] == before[a][i];
                }
            }
            return same;
        }
        if (now.world.wraps) {
            for (std::size_t i = 0; i < count; ++i) {
                Point<Dim> here, there;
                for (std::size_t a = 0; a < Dim; ++a) {
                    here[a] = at[a][i];
                    there[a] = before[a][i];
                    greatest.coordinate =
                        std::max(greatest.coordinate, std::bit_cast<Bits>(here[a]) & kMagnitude);
                }
                const float distance2 = distance2_around(now.world, here, there);
                greatest.distance2 =
                    std::max(greatest.distance2, std::bit_cast<Bits>(distance2) & kMagnitude);
            }
        } else {
            greatest = greatest_of<Dim>(at, before, count);
        }
        raise(moved, greatest.distance2);
        // What the crowd would refuse has not moved far if the skin is as large as the world.
        return greatest.distance2 <= state.most_moved2() &&
               greatest.coordinate <= std::bit_cast<Bits>(kLargest);
    }

    /// Whether extents and groups are those of the lists.
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
        // Of the right lengths, and none of them null; else the crowd says what is wrong.
        others.positions.count = count;
        others.positions.axis.fill(&kLargest);
        if (!check_views(others).ok()) { return {}; }
        const auto& axes = given.positions.axis;
        if (count != 0 && std::find(axes.begin(), axes.end(), nullptr) != axes.end()) { return {}; }

        const LoopCost cost = LoopCost::of(count, 1.0);
        const AgentBlocks blocks(count, *executor, cost);
        std::atomic<Bits> greatest = 0;
        std::atomic<bool> near = true;
        const auto look = [&](std::size_t block) {
            const auto are_as_before = [&](std::size_t begin, std::size_t end) {
                return near.load(std::memory_order_relaxed) &&
                       are_near(given.positions, begin, end, greatest) &&
                       has_same_values(others, begin, end);
            };
            if (!for_each_run(now, blocks.begin(block), blocks.end(block), are_as_before)) {
                near.store(false, std::memory_order_relaxed);
            }
        };
        const Status status = run_blocks(*executor, blocks.count(), look, claims, cost);
        hold = status.ok() && near.load();
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
            // The crowd is as it was, but its editions count calls that were refused, too.
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

    /// Makes `next` of a crowd that was just updated with these agents.
    template <class Given>
    Status make(const Crowd<Dim>& crowd, const Given& given, float radius) {
        const auto& inside = detail::state_of(crowd);
        next.made = false;
        next.content = Content(crowd);
        next.world = inside.world;
        const Agents<Dim> others = all_but_positions<Dim>(given);
        next.kind = kind_of(others);
        next.elements = given.positions.count;
        next.order.resize(crowd.size());
        (void)crowd.order(next.order);
        next.dead.clear();
        if (inside.named_by_handles) {
            inside.handles.for_each_dead([&](Id slot) { next.dead.push_back(slot); });
        }

        Neighbourhood wide = settings.neighbourhood;
        wide.radius = radius;
        Status status = batch.neighbours(crowd, wide, next.hits, Order::storage, settings.sets);
        if (status.ok()) { status = keep(given, others); }
        if (status.ok()) { status = place(crowd); }
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

    /// Finds the places of candidates: then a filter reads positions that lie together, and not at
    /// random.
    Status place(const Crowd<Dim>& crowd) {
        const auto& inside = detail::state_of(crowd);
        const std::size_t agents = next.order.size();
        place_of.resize(next.elements);
        for (std::size_t k = 0; k < agents; ++k) {
            place_of[next.order[k]] = static_cast<std::uint32_t>(k);
        }
        const std::size_t statics = has(settings.sets, Sets::statics) ? crowd.statics() : 0;
        for (std::size_t a = 0; a < Dim; ++a) {
            next.statics[a].resize(statics);
        }
        for (std::size_t i = 0; i < statics; ++i) {
            const Point<Dim> at = inside.statics->agent(static_id(i)).position;
            for (std::size_t a = 0; a < Dim; ++a) {
                next.statics[a][i] = at[a];
            }
        }
        next.places.resize(next.hits.total());
        const std::size_t blocks = lists_blocks(next);
        const auto translate = [&](std::size_t block) {
            const auto [first, past] = lists_of(next, block);
            for (std::uint64_t c = next.hits.offsets[first]; c < next.hits.offsets[past]; ++c) {
                const Id id = next.hits.ids[c];
                next.places[c] = is_static(id)
                                     ? static_cast<std::uint32_t>(agents + static_index(id))
                                     : place_of[id];
            }
        };
        return run_blocks(*executor, blocks, translate, claims,
                          LoopCost::of(next.hits.total(), 1.0));
    }
};

template <std::size_t Dim>
LastingNeighbours<Dim>::LastingNeighbours(const LastingSettings& settings, Executor& executor)
    : state_(std::make_unique<State>(settings, executor)) {}
template <std::size_t Dim>
LastingNeighbours<Dim>::~LastingNeighbours() = default;
template <std::size_t Dim>
LastingNeighbours<Dim>::LastingNeighbours(LastingNeighbours&&) noexcept = default;
template <std::size_t Dim>
LastingNeighbours<Dim>& LastingNeighbours<Dim>::operator=(LastingNeighbours&&) noexcept = default;

template <std::size_t Dim>
Status LastingNeighbours<Dim>::update(Crowd<Dim>& crowd, const Agents<Dim>& agents) {
    const typename State::Serving alone("LastingNeighbours::update", *state_);
    return typename State::Renewal{*state_}.update(crowd, agents);
}
template <std::size_t Dim>
Status LastingNeighbours<Dim>::update(Crowd<Dim>& crowd, const WorldAgents<Dim>& agents) {
    const typename State::Serving alone("LastingNeighbours::update", *state_);
    return typename State::Renewal{*state_}.update(crowd, agents);
}
template <std::size_t Dim>
std::span<const Id> LastingNeighbours<Dim>::order() const noexcept {
    return state_->now.order;
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
