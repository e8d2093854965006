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
#include "lasting_neighbours.hpp"

#include "../../engine/agents/agent_blocks.hpp"
#include "../../engine/agents/validation.hpp"
#include "../../engine/core/access_check.hpp"
#include "../../engine/core/profile_scope.hpp"
#include "../../engine/crowd/state.hpp"
#include "../../engine/memory/checked_loop.hpp"
#include "../../engine/shapes/ball.hpp"
#include "../batch/batch.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

namespace throng {

namespace {

using Bits = std::uint32_t;
constexpr Bits kMagnitude = 0x7fff'ffffu; ///< all but the sign

/// Positions are looked at in runs of this many: enough for vectors, few enough to end early.
constexpr std::size_t kRun = 512;
/// Agents whose lists are filtered as one block.
constexpr std::size_t kListsInBlock = 512;

/// What a crowd holds: no other content has the same.
struct Content {
    Edition grid{}, giants{}, statics{};

    Content() = default;
    template <std::size_t Dim>
    explicit Content(const Crowd<Dim>& crowd) noexcept {
        const auto& state = detail::state_of(crowd);
        grid = detail::state_of(state.grid).edition;
        giants = detail::state_of(state.giants.centre_grid()).edition;
        statics = detail::state_of(state.statics->centre_grid()).edition;
    }
    friend bool operator==(const Content&, const Content&) noexcept = default;
};

template <class Given>
inline constexpr bool kInDoubles = false;
template <std::size_t Dim>
inline constexpr bool kInDoubles<WorldAgents<Dim>> = true;

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

/// The way on an axis of a periodic world: in doubles, which hold differences of most floats
/// exactly, and others as nearly as no matter.
template <std::size_t Dim>
float way_around(const WorldWrap<Dim>& world, float now, float before, std::size_t a) noexcept {
    const double way = std::abs(double{now} - double{before});
    if (!world.periodic[a]) { return static_cast<float>(way); }
    return static_cast<float>(std::min(way, std::abs(double{world.period[a]} - way)));
}

/// The distance of two positions in a periodic world, squared.
template <std::size_t Dim>
float distance2_around(const WorldWrap<Dim>& world, const Point<Dim>& now,
                       const Point<Dim>& before) noexcept {
    float distance2 = 0.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float way = way_around(world, now[a], before[a], a);
        distance2 = a == 0 ? way * way : distance2 + way * way;
    }
    return distance2;
}

void raise(std::atomic<Bits>& greatest, Bits value) noexcept {
    Bits before = greatest.load(std::memory_order_relaxed);
    while (before < value &&
           !greatest.compare_exchange_weak(before, value, std::memory_order_relaxed)) {}
}

template <class T>
std::size_t bytes_of(const std::vector<T>& vector) noexcept {
    return vector.capacity() * sizeof(T);
}

} // namespace

template <std::size_t Dim>
struct LastingNeighbours<Dim>::State {
    using Floats = std::array<std::vector<float>, Dim>;

    /// Lists, and all that they depend on.
    struct Lists {
        Content content;
        WorldWrap<Dim> world;
        CrowdKind<Dim> kind;
        bool made = false;
        std::size_t elements = 0; ///< of the agents' arrays; more than there are agents, if some
                                  ///< slots of handles are empty
        std::vector<Id> order;
        Hits hits;
        std::vector<std::uint32_t> places; ///< of each candidate: in `order`, then statics
        // By id, as the crowd keeps them.
        Floats position, half_extent;
        std::vector<std::uint32_t> groups;
        std::vector<Id> dead; ///< ids below `elements` that no agent has, ascending
        Floats statics;       ///< positions, if any are found
    };

    LastingSettings settings;
    Executor* executor;
    Batch<Dim> batch;
    Lists now, next;                         ///< `next` is scratch until it is whole
    std::vector<std::uint32_t> place_of;     ///< scratch: by id
    Floats placed;                           ///< scratch: positions in the order of places
    std::vector<Id> found;                   ///< scratch: of each block, where its candidates are
    std::vector<std::uint64_t> found_before; ///< scratch: how many in the blocks before
    LoopClaims claims;
    std::uint64_t made = 0, lasted = 0;
    Bits moved2 = 0;
    [[no_unique_address]] AccessCheck serving;

    State(const LastingSettings& wanted, Executor& borrowed)
        : settings(wanted), executor(&borrowed), batch(borrowed) {}

    /// Held through a call.
    struct Serving {
        ProfileScope profiled;
        [[no_unique_address]] AccessCheck::Serving serving;
        Serving(const char* name, State& state) noexcept : profiled(name), serving(state.serving) {}
    };

    [[nodiscard]] Status check_settings() const noexcept {
        const Status radius = check_length(settings.neighbourhood.radius, Argument::radius);
        return radius.ok() ? check_length(settings.skin, Argument::skin) : radius;
    }

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

    /// What an agent may have moved, squared, as bits.
    [[nodiscard]] Bits most_moved2() const noexcept {
        const float half = settings.skin / 2.0f;
        return std::bit_cast<Bits>(half * half);
    }

    /// Calls visit(begin, end) for the ids between `begin` and `end` that agents have, run by run,
    /// until it returns false.
    template <class Visit>
    static bool for_each_run(const Lists& lists, std::size_t begin, std::size_t end,
                             const Visit& visit) {
        auto dead = std::lower_bound(lists.dead.begin(), lists.dead.end(), begin);
        while (begin < end) {
            std::size_t past = std::min(begin + kRun, end);
            const bool ends = dead != lists.dead.end() && *dead < past;
            if (ends) { past = *dead; }
            if (past != begin && !visit(begin, past)) { return false; }
            begin = past;
            if (ends) {
                ++begin;
                ++dead;
            }
        }
        return true;
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
        return greatest.distance2 <= most_moved2() &&
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
        if (const Status status = check_settings(); !status.ok()) { return status; }
        bool hold = false;
        Bits moved = 0;
        if (const Status status = check(crowd, given, hold, moved); !status.ok()) { return status; }
        if (hold) {
            ++lasted;
            moved2 = std::max(moved2, moved);
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
        ++made;
        lasted = 0;
        moved2 = 0;
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

    [[nodiscard]] static std::size_t lists_blocks(const Lists& lists) noexcept {
        return (lists.order.size() + kListsInBlock - 1) / kListsInBlock;
    }
    [[nodiscard]] static std::pair<std::size_t, std::size_t> lists_of(const Lists& lists,
                                                                      std::size_t block) noexcept {
        const std::size_t first = block * kListsInBlock;
        return {first, std::min(first + kListsInBlock, lists.order.size())};
    }

    /// Puts positions in the order of places. Refuses agents that are not near where they were.
    template <class Float>
    Status gather(const StridedPoints<Float, Dim>& positions) {
        if (!now.made || positions.count != now.elements) {
            return {Cause::count_mismatch, Argument::positions};
        }
        const auto& axes = positions.axis;
        if (positions.count != 0 && std::find(axes.begin(), axes.end(), nullptr) != axes.end()) {
            return {Cause::null_pointer, Argument::positions};
        }
        const std::size_t agents = now.order.size(), statics = now.statics[0].size();
        for (std::size_t a = 0; a < Dim; ++a) {
            placed[a].resize(agents + statics);
            std::copy_n(now.statics[a].data(), statics, placed[a].data() + agents);
        }
        std::atomic<bool> near = true;
        const auto put = [&](std::size_t block) {
            const auto [first, past] = lists_of(now, block);
            bool all = true;
            for (std::size_t k = first; k < past; ++k) {
                const Id id = now.order[k];
                all &= is_near(positions, id, k);
            }
            if (!all) { near.store(false, std::memory_order_relaxed); }
        };
        const Status status =
            run_blocks(*executor, lists_blocks(now), put, claims, LoopCost::of(agents, 4.0 * Dim));
        if (!status.ok() || near.load()) { return status; }
        return first_fault(positions);
    }

    /// Puts one agent in its place; whether it is near where it was.
    template <class Float>
    bool is_near(const StridedPoints<Float, Dim>& positions, Id id, std::size_t k) noexcept {
        Point<Dim> here, before;
        bool sound = true, same = true;
        for (std::size_t a = 0; a < Dim; ++a) {
            here[a] = now.world.kept(positions.values(a)[id], a);
            before[a] = now.position[a][id];
            placed[a][k] = here[a];
            sound &= std::abs(here[a]) <= kLargest;
            same &= here[a] == before[a];
        }
        if (settings.skin == 0.0f) { return sound && same; }
        const float distance2 = now.world.wraps ? distance2_around(now.world, here, before)
                                                : distance2_between(before, here);
        return sound && distance2 <= std::bit_cast<float>(most_moved2());
    }

    template <class Float>
    Status first_fault(const StridedPoints<Float, Dim>& positions) noexcept {
        Status fault;
        for_each_run(now, 0, now.elements, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end && fault.ok(); ++i) {
                Point<Dim> here;
                for (std::size_t a = 0; a < Dim; ++a) {
                    here[a] = now.world.kept(positions.values(a)[i], a);
                }
                fault = check_point(here, Argument::positions, i);
                if (fault.ok() && !is_near(positions, static_cast<Id>(i), 0)) {
                    fault = {Cause::out_of_range, Argument::positions, i};
                }
            }
            return fault.ok();
        });
        return fault;
    }

    /// Writes those of the k-th agent's candidates that are within the radius to `out`.
    template <bool wraps>
    std::size_t filter(std::size_t k, Id* out) const noexcept {
        const float radius2 = settings.neighbourhood.radius * settings.neighbourhood.radius;
        const std::uint64_t end = now.hits.offsets[k + 1];
        std::size_t hits = 0;
        for (std::uint64_t c = now.hits.offsets[k]; c < end; ++c) {
            const std::uint32_t other = now.places[c];
            float distance2 = 0.0f;
            for (std::size_t a = 0; a < Dim; ++a) {
                const float square = wraps ? least_square(k, other, a) : square_of(k, other, a);
                distance2 = a == 0 ? square : distance2 + square;
            }
            out[hits] = now.hits.ids[c]; // without a branch: it is overwritten if it is too far
            hits += distance2 <= radius2 ? 1 : 0;
        }
        return hits;
    }
    [[nodiscard]] float square_of(std::size_t k, std::size_t other, std::size_t a) const noexcept {
        const float offset = placed[a][other] - placed[a][k];
        return offset * offset;
    }
    /// Of all copies of the k-th agent. Rounding keeps order, so the least squares of all axes make
    /// the least distance of all copies.
    [[nodiscard]] float least_square(std::size_t k, std::size_t other,
                                     std::size_t a) const noexcept {
        float least = square_of(k, other, a);
        if (!now.world.periodic[a]) { return least; }
        for (const float shift : {-now.world.period[a], now.world.period[a]}) {
            const float offset = placed[a][other] - (placed[a][k] + shift);
            least = std::min(least, offset * offset);
        }
        return least;
    }

    /// Filters all lists: body(block, k, ids) for the k-th agent, block by block.
    template <class Float, class Body>
    Status filter_all(const StridedPoints<Float, Dim>& positions, const Body& body) {
        if (const Status status = gather(positions); !status.ok()) { return status; }
        found.resize(now.hits.total());
        const auto work = [&](std::size_t block) {
            const auto [first, past] = lists_of(now, block);
            // In this block's own part: it has room for all of its candidates.
            Id* out = found.data() + now.hits.offsets[first];
            for (std::size_t k = first; k < past; ++k) {
                const std::size_t count =
                    now.world.wraps ? filter<true>(k, out) : filter<false>(k, out);
                body(block, k, std::span<const Id>(out, count));
                out += count;
            }
        };
        return run_blocks(*executor, lists_blocks(now), work, claims,
                          LoopCost::of(now.hits.total(), 1.5));
    }

    template <class Float>
    Status list(const StridedPoints<Float, Dim>& positions, Hits& hits) {
        const std::size_t agents = now.order.size(), blocks = lists_blocks(now);
        hits.offsets.resize(agents + 1);
        hits.offsets[0] = 0;
        found_before.resize(blocks + 1);
        // First each offset counts from its block's beginning.
        Status status =
            filter_all(positions, [&](std::size_t block, std::size_t k, std::span<const Id> ids) {
                const bool begins = k == block * kListsInBlock;
                hits.offsets[k + 1] = (begins ? 0 : hits.offsets[k]) + ids.size();
            });
        if (!status.ok()) { return status; }
        found_before[0] = 0;
        for (std::size_t block = 0; block < blocks; ++block) {
            found_before[block + 1] =
                found_before[block] + hits.offsets[lists_of(now, block).second];
        }
        const std::uint64_t total = found_before[blocks];
        if (hits.ids.size() < total) { hits.ids.resize(total); }
        const auto join = [&](std::size_t block) {
            const auto [first, past] = lists_of(now, block);
            std::copy_n(found.data() + now.hits.offsets[first],
                        found_before[block + 1] - found_before[block],
                        hits.ids.data() + found_before[block]);
            for (std::size_t k = first; k < past; ++k) {
                hits.offsets[k + 1] += found_before[block];
            }
        };
        return run_blocks(*executor, blocks, join, claims, LoopCost::of(total, 0.5));
    }

    template <class Float>
    Status fill(const StridedPoints<Float, Dim>& positions, Hits& hits) {
        const Serving alone("LastingNeighbours::neighbours", *this);
        const auto empty = [&] { hits.offsets.clear(); };
        try {
            const Status status = list(positions, hits);
            if (!status.ok()) { empty(); }
            return status;
        } catch (...) {
            empty();
            throw;
        }
    }

    template <class Float>
    Status visit(const StridedPoints<Float, Dim>& positions, Visitor visitor) {
        const Serving alone("LastingNeighbours::visit", *this);
        return filter_all(positions, [&](std::size_t, std::size_t k, std::span<const Id> ids) {
            visitor(now.order[k], ids);
        });
    }

    [[nodiscard]] static std::size_t memory_of(const Floats& floats) noexcept {
        std::size_t bytes = 0;
        for (const std::vector<float>& axis : floats) {
            bytes += bytes_of(axis);
        }
        return bytes;
    }
    [[nodiscard]] static std::size_t memory_of(const Lists& lists) noexcept {
        return bytes_of(lists.order) + bytes_of(lists.hits.offsets) + bytes_of(lists.hits.ids) +
               bytes_of(lists.places) + memory_of(lists.position) + memory_of(lists.half_extent) +
               bytes_of(lists.groups) + bytes_of(lists.dead) + memory_of(lists.statics);
    }
    [[nodiscard]] std::size_t memory() const noexcept {
        return memory_of(now) + memory_of(next) + bytes_of(place_of) + memory_of(placed) +
               bytes_of(found) + bytes_of(found_before) + claims.memory() + batch.memory();
    }
    void release() noexcept {
        now = Lists();
        next = Lists();
        std::vector<std::uint32_t>().swap(place_of);
        placed = Floats();
        std::vector<Id>().swap(found);
        std::vector<std::uint64_t>().swap(found_before);
        claims = LoopClaims();
        batch.release();
        lasted = 0;
        moved2 = 0;
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
    return state_->update(crowd, agents);
}
template <std::size_t Dim>
Status LastingNeighbours<Dim>::update(Crowd<Dim>& crowd, const WorldAgents<Dim>& agents) {
    const typename State::Serving alone("LastingNeighbours::update", *state_);
    return state_->update(crowd, agents);
}
template <std::size_t Dim>
Status LastingNeighbours<Dim>::neighbours(const Agents<Dim>& agents, Hits& hits) {
    return state_->fill(agents.positions, hits);
}
template <std::size_t Dim>
Status LastingNeighbours<Dim>::neighbours(const WorldAgents<Dim>& agents, Hits& hits) {
    return state_->fill(agents.positions, hits);
}
template <std::size_t Dim>
Status LastingNeighbours<Dim>::visit(const Agents<Dim>& agents, Visitor visitor) {
    return state_->visit(agents.positions, visitor);
}
template <std::size_t Dim>
Status LastingNeighbours<Dim>::visit(const WorldAgents<Dim>& agents, Visitor visitor) {
    return state_->visit(agents.positions, visitor);
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
