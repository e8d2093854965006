// What a world costs: questions to a crowd with borders and to the same crowd in a periodic world,
// and lists of all agents of a grid beside a second grid, in which nobody or a few others are. The
// answers are checked: those of a periodic world against a search of all agents for some of them,
// and against each other; those of two grids against the grids asked apart.
#include "../benchmarks.hpp"
#include "../fused_kernels.hpp"
#include "../measure/measure.hpp"

#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/grid/grid_parts.hpp>
#include <throng/parallel/batch/batch.hpp>
#include <throng/parallel/executors/default_executor.hpp>
#include <throng/parallel/frames/lasting_neighbours.hpp>
#include <throng/simd/isa/dispatch.hpp>

#include "../../tests/support/scenes/scenes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace throng::bench {

namespace {

constexpr std::size_t kAgents = 100'000;
constexpr float kNear = 2.0f;
/// An agent that is this far from all borders has its eight nearest nearer than these.
constexpr float kInside = 4.0f;
/// As many as nearly all, or all, are found as the nearest.
constexpr std::size_t kSmallCrowd = 400;

enum class Beside : std::uint8_t { nothing, nobody, few };
struct Line {
    Beside beside;
    std::size_t others;
    const char* name;
};
constexpr Line kLines[] = {{Beside::nothing, 0, "alone"},
                           {Beside::nobody, 0, "beside_nobody"},
                           {Beside::few, 1000, "beside_1000"}};

template <std::size_t Dim>
struct Two {
    scenes::Scene<Dim> scene = scenes::make_uniform<Dim>(kAgents);
    RowGrid<Dim> grid, others;
    std::vector<Id> names; // of the others

    explicit Two(std::size_t count) {
        (void)grid.configure(scene.world, scene.cell);
        (void)grid.update(scene.agents());
        std::array<std::vector<float>, Dim> places;
        for (std::size_t i = 0; i < count; ++i) {
            const Point<Dim> at = scene.position_of(static_cast<Id>(i * (kAgents / count)));
            for (std::size_t a = 0; a < Dim; ++a) {
                places[a].push_back(at[a] + 0.25f);
            }
            names.push_back(static_cast<Id>(kAgents + i));
        }
        Agents<Dim> all;
        for (std::size_t a = 0; a < Dim; ++a) {
            all.positions.axis[a] = places[a].data();
            all.positions.stride[a] = sizeof(float);
        }
        all.positions.count = count;
        (void)others.update(all);
    }
};

/// How many agents of both grids are near the agents of the first, from questions one by one.
template <std::size_t Dim>
std::uint64_t near_in_both(const Two<Dim>& two) {
    Batch<Dim> batch;
    std::vector<Ball<Dim>> balls;
    for (std::size_t i = 0; i < kAgents; ++i) {
        balls.push_back({two.scene.position_of(static_cast<Id>(i)), kNear});
    }
    std::vector<std::uint32_t> counts(kAgents);
    const std::uint64_t in_first = batch.count(two.grid, balls, counts).count - kAgents;
    return in_first + batch.count(two.others, balls, counts).count;
}

template <std::size_t Dim>
void run(benchmark::State& state, const Line& line) {
    const Two<Dim> two(line.others);
    const NamedGrid<Dim> both[] = {NamedGrid<Dim>(two.grid), NamedGrid<Dim>(two.others, two.names)};
    const std::span<const NamedGrid<Dim>> askers(both, 1);
    const std::span<const NamedGrid<Dim>> others(both, line.beside == Beside::nothing ? 1 : 2);
    Batch<Dim> batch;
    Hits hits;
    Stopwatch watch;
    const std::uint64_t wanted = near_in_both(two);
    for (auto _ : state) {
        watch.time([&] { (void)batch.neighbours({askers, others}, {kNear}, hits); });
        watch.end_iteration(state);
        if (hits.total() != wanted) { state.SkipWithError("the answers are not those of balls"); }
    }
    report(state, watch, {kAgents, hits.total(), batch.memory(), kAgents});
}

/// A crowd whose world has borders or is periodic on all axes.
template <std::size_t Dim>
struct World {
    scenes::Scene<Dim> scene;
    throng::Crowd<Dim> crowd;
    bool periodic;
    std::vector<Id> inside; ///< agents that are far from borders

    World(bool is_periodic, std::size_t agents)
        : scene(scenes::make_uniform<Dim>(agents)), periodic(is_periodic) {
        CrowdSettings<Dim> settings;
        settings.bounds = scene.world;
        settings.periodic.fill(periodic);
        (void)crowd.configure(settings, {});
        (void)crowd.update(scene.agents());
        for (Id id = 0; id < agents; ++id) {
            const Point<Dim> at = scene.position_of(id);
            bool far = true;
            for (std::size_t a = 0; a < Dim; ++a) {
                far = far && at[a] - scene.world.lo[a] > kInside &&
                      scene.world.hi[a] - at[a] > kInside;
            }
            if (far) { inside.push_back(id); }
        }
    }
    [[nodiscard]] std::size_t agents() const { return crowd.size(); }

    /// The squared distance of two agents, across borders if that is shorter.
    [[nodiscard]] float distance2(Id a, Id b) const {
        const Point<Dim> from = scene.position_of(a), to = scene.position_of(b);
        float sum = 0.0f;
        for (std::size_t axis = 0; axis < Dim; ++axis) {
            const float period = scene.world.hi[axis] - scene.world.lo[axis];
            float apart = std::abs(to[axis] - from[axis]);
            if (periodic) { apart = std::min(apart, period - apart); }
            sum += apart * apart;
        }
        return sum;
    }
};

/// Whether an agent's list has all agents that are surely near, and none that surely is not: the
/// distances here are rounded otherwise than those of the library.
template <std::size_t Dim>
bool is_right(const World<Dim>& world, Id asker, std::span<const Id> list) {
    std::vector<bool> listed(world.agents());
    for (const Id id : list) {
        if (listed[id] || world.distance2(asker, id) > kNear * kNear * 1.001f) { return false; }
        listed[id] = true;
    }
    for (Id id = 0; id < world.agents(); ++id) {
        const bool near = id != asker && world.distance2(asker, id) < kNear * kNear * 0.999f;
        if (near && !listed[id]) { return false; }
    }
    return true;
}

/// How many neighbours agents have together.
struct AllNear {
    std::uint64_t all = 0; ///< 0 if a list is wrong
    /// Of the agents inside: all, at most eight each, and at most one.
    std::uint64_t inside = 0, inside_eight = 0, inside_one = 0;
};

template <std::size_t Dim>
AllNear all_near(const World<Dim>& world) {
    Batch<Dim> batch;
    Hits hits;
    (void)batch.neighbours(world.crowd, {kNear}, hits, throng::Order::ids);
    for (std::size_t i = 0; i < world.agents(); i += 997) {
        if (!is_right(world, static_cast<Id>(i), hits.of(i))) { return {}; }
    }
    AllNear near;
    near.all = hits.total();
    for (const Id id : world.inside) {
        const std::uint64_t found = hits.of(id).size();
        near.inside += found;
        near.inside_eight += std::min<std::uint64_t>(found, 8);
        near.inside_one += std::min<std::uint64_t>(found, 1);
    }
    return near;
}

/// A call that asks about all agents.
template <std::size_t Dim>
struct Call {
    const char* name;
    enum class Finds : std::uint8_t {
        both_ways,
        once,
        eight,
        overlaps,
        inside,
        inside_one,
        inside_eight,
        half_of_all,
        all
    } finds;
    std::uint64_t (*ask)(World<Dim>&, Batch<Dim>&);
    bool anew = false; ///< whether the crowd changes before each call, so that nothing is kept
    std::size_t agents = kAgents;

    [[nodiscard]] std::uint64_t wanted(const World<Dim>& world, const AllNear& near) const {
        switch (finds) {
        case Finds::both_ways:
            return near.all;
        case Finds::once:
            return near.all / 2;
        case Finds::eight:
            return 8 * agents;
        case Finds::inside:
            return near.inside;
        case Finds::inside_one:
            return near.inside_one;
        case Finds::inside_eight:
            return near.inside_eight;
        case Finds::half_of_all:
            return agents * (agents / 2);
        case Finds::all:
            return agents * (agents - 1);
        default:
            return world.crowd
                .visit_pairs(PairSets::all,
                             [](std::span<const Id>, std::span<const Id>) { return true; })
                .count;
        }
    }
};

template <std::size_t Dim>
std::uint64_t list(World<Dim>& world, Batch<Dim>& batch) {
    static Hits hits;
    (void)batch.neighbours(world.crowd, {kNear}, hits);
    return hits.total();
}
template <std::size_t Dim>
std::uint64_t list_half(World<Dim>& world, Batch<Dim>& batch) {
    static Hits hits;
    (void)batch.neighbours(world.crowd, {kNear, false, kAllGroups, true}, hits);
    return hits.total();
}
template <std::size_t Dim>
std::uint64_t tally(World<Dim>& world, Batch<Dim>& batch) {
    static std::vector<std::uint32_t> counts(kAgents);
    return batch.count_neighbours(world.crowd, {kNear}, counts).count;
}
template <std::size_t Dim>
std::uint64_t list_pairs(World<Dim>& world, Batch<Dim>& batch) {
    static Pairs pairs;
    (void)batch.pairs_within({world.crowd, PairSets::all}, kNear, pairs);
    return pairs.count;
}
template <std::size_t Dim>
std::uint64_t ask_balls(World<Dim>& world, Batch<Dim>& batch) {
    static std::vector<Ball<Dim>> balls;
    static std::vector<Filter> filters;
    static Hits hits;
    balls.clear();
    filters.clear();
    for (std::size_t i = 0; i < kAgents; ++i) {
        balls.push_back({world.scene.position_of(static_cast<Id>(i)), kNear});
        filters.push_back({kAllGroups, static_cast<Id>(i)});
    }
    (void)batch.query(world.crowd, balls, hits, filters);
    return hits.total();
}
template <std::size_t Dim>
std::uint64_t ask_one_by_one(World<Dim>& world, Batch<Dim>&) {
    std::array<Id, 512> room;
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < kAgents; ++i) {
        const auto id = static_cast<Id>(i);
        const Ball<Dim> ball{world.scene.position_of(id), kNear};
        found += world.crowd.query(ball, room, {kAllGroups, id}).count;
    }
    return found;
}
template <std::size_t Dim>
std::uint64_t find_nearest(World<Dim>& world, Batch<Dim>& batch) {
    static NearHits nearest;
    (void)batch.nearest_neighbours(world.crowd, {.k = 8}, nearest);
    return nearest.nearest.size();
}
template <std::size_t Dim>
std::uint64_t find_any_inside(World<Dim>& world, Batch<Dim>&) {
    std::uint64_t found = 0;
    for (const Id id : world.inside) {
        const Ball<Dim> ball{world.scene.position_of(id), kNear};
        found += world.crowd.any(ball, {kAllGroups, id}).count;
    }
    return found;
}
template <std::size_t Dim>
std::uint64_t ask_inside(World<Dim>& world, Batch<Dim>&) {
    std::array<Id, 512> room;
    std::uint64_t found = 0;
    for (const Id id : world.inside) {
        const Ball<Dim> ball{world.scene.position_of(id), kNear};
        found += world.crowd.query(ball, room, {kAllGroups, id}).count;
    }
    return found;
}
/// How many of the k nearest are near.
template <std::size_t Dim, std::uint32_t K>
std::uint64_t find_nearest_inside(World<Dim>& world, Batch<Dim>&) {
    std::array<Near, K> room;
    std::uint64_t found = 0;
    for (const Id id : world.inside) {
        (void)world.crowd.nearest(world.scene.position_of(id), {.k = K}, room, {kAllGroups, id});
        for (const Near& one : room) {
            found += one.distance2 <= kNear * kNear ? 1 : 0;
        }
    }
    return found;
}
/// The nearest half of a small crowd, or all others.
template <std::size_t Dim, std::uint32_t K>
std::uint64_t find_most(World<Dim>& world, Batch<Dim>& batch) {
    static NearHits nearest;
    (void)batch.nearest_neighbours(world.crowd, {.k = K}, nearest);
    return std::accumulate(nearest.counts.begin(), nearest.counts.end(), std::uint64_t{0});
}
template <std::size_t Dim>
std::uint64_t pairs_on_threads(World<Dim>& world, Batch<Dim>&) {
    static Batch<Dim> batch(default_executor());
    static Pairs pairs;
    (void)batch.pairs({world.crowd, PairSets::all}, pairs);
    return pairs.count;
}
template <std::size_t Dim>
std::uint64_t overlap(World<Dim>& world, Batch<Dim>& batch) {
    static Pairs pairs;
    (void)batch.pairs({world.crowd, PairSets::all}, pairs);
    return pairs.count;
}
template <std::size_t Dim>
std::uint64_t sum_offsets(World<Dim>& world, Batch<Dim>&) {
    static NeighbourLoop<Dim> loop;
    static std::vector<std::uint32_t> counts(kAgents);
    static std::array<std::vector<float>, Dim> sums;
    OffsetSums<Dim, false> kernel{counts.data(), {}};
    for (std::size_t a = 0; a < Dim; ++a) {
        sums[a].resize(kAgents);
        kernel.sum[a] = sums[a].data();
    }
    (void)simd::dispatch(
        [&](auto arch) { return run_kernel_on(arch, loop, world.crowd, {kNear}, kernel); });
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}
template <std::size_t Dim>
std::uint64_t filter_lasting(World<Dim>& world, Batch<Dim>&) {
    static Hits hits;
    static LastingNeighbours<Dim> lists({.neighbourhood = {.radius = kNear}, .skin = 0.5f});
    (void)lists.update(world.crowd, world.scene.agents());
    (void)lists.neighbours(world.scene.agents(), hits);
    return hits.total();
}

template <std::size_t Dim>
constexpr Call<Dim> kCalls[] = {
    {"neighbours", Call<Dim>::Finds::both_ways, list<Dim>},
    {"half_lists", Call<Dim>::Finds::once, list_half<Dim>},
    {"counts", Call<Dim>::Finds::both_ways, tally<Dim>},
    {"pairs_within", Call<Dim>::Finds::once, list_pairs<Dim>},
    {"pairs_that_overlap", Call<Dim>::Finds::overlaps, overlap<Dim>},
    {"ball_batch", Call<Dim>::Finds::both_ways, ask_balls<Dim>},
    {"balls_one_by_one", Call<Dim>::Finds::both_ways, ask_one_by_one<Dim>},
    {"nearest_8", Call<Dim>::Finds::eight, find_nearest<Dim>},
    {"fused_sums", Call<Dim>::Finds::both_ways, sum_offsets<Dim>, true},
    {"lasting_lists", Call<Dim>::Finds::both_ways, filter_lasting<Dim>},
    {"pairs_on_threads", Call<Dim>::Finds::overlaps, pairs_on_threads<Dim>},
    {"inside_any", Call<Dim>::Finds::inside_one, find_any_inside<Dim>},
    {"inside_query", Call<Dim>::Finds::inside, ask_inside<Dim>},
    {"inside_nearest_1", Call<Dim>::Finds::inside_one, find_nearest_inside<Dim, 1>},
    {"inside_nearest_8", Call<Dim>::Finds::inside_eight, find_nearest_inside<Dim, 8>},
    {"nearest_200_of_400", Call<Dim>::Finds::half_of_all, find_most<Dim, kSmallCrowd / 2>, false,
     kSmallCrowd},
    {"nearest_400_of_400", Call<Dim>::Finds::all, find_most<Dim, kSmallCrowd>, false, kSmallCrowd}};

template <std::size_t Dim>
void ask_all(benchmark::State& state, const Call<Dim>& call, bool periodic) {
    World<Dim> world(periodic, call.agents);
    Batch<Dim> batch;
    Stopwatch watch;
    const AllNear near = all_near(world);
    const std::uint64_t wanted = call.wanted(world, near);
    std::uint64_t found = call.ask(world, batch);
    for (auto _ : state) {
        if (call.anew) { (void)world.crowd.update(world.scene.agents()); }
        watch.time([&] { found = call.ask(world, batch); });
        watch.end_iteration(state);
    }
    if (near.all == 0 || found != wanted) { state.SkipWithError("the answers are wrong"); }
    report(state, watch, {call.agents, found, batch.memory(), call.agents});
}

template <std::size_t Dim>
void add() {
    const std::string dim = std::to_string(Dim) + "d/";
    const auto add_one = [&](const std::string& name, const auto& body) {
        benchmark::RegisterBenchmark(("worlds/" + name).c_str(), body)
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
    };
    for (const Call<Dim>& call : kCalls<Dim>) {
        for (const bool periodic : {false, true}) {
            add_one(
                call.name + ("/" + dim) + (periodic ? "periodic" : "plain"),
                [call, periodic](benchmark::State& state) { ask_all<Dim>(state, call, periodic); });
        }
    }
    for (const Line& line : kLines) {
        add_one("neighbours/" + dim + line.name,
                [line](benchmark::State& state) { run<Dim>(state, line); });
    }
}

} // namespace

void register_worlds() {
    add<2>();
    add<3>();
}

} // namespace throng::bench
