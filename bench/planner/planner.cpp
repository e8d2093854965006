// The planner's choice for a search against every other plan: from a cell to the whole world, in
// full and empty worlds, with giants and statics.
#include "../../engine/grid/grid_parts.hpp"
#include "../benchmarks.hpp"
#include "planner_worlds.hpp"

#include "../../engine/grid/planner/query_planner.hpp"
#include "../../tests/support/path_choice.hpp"

#include <throng/engine/grid/query_stats.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace throng::bench {

namespace {

enum class Asked : std::uint8_t { ids, count, any, first };

constexpr const char* kAsked[] = {"ids", "count", "any", "first"};
constexpr SearchPath kPaths[] = {SearchPath::rows, SearchPath::tiles, SearchPath::all};
constexpr Sets kLarge = Sets::giants | Sets::statics;

/// Returns the world from a cache of one.
template <std::size_t Dim>
const SweepWorld<Dim>& world_of(World of) {
    static std::unique_ptr<SweepWorld<Dim>> kept;
    if (kept == nullptr || kept->world != of) {
        kept.reset();
        kept = std::make_unique<SweepWorld<Dim>>(of);
    }
    return *kept;
}

/// A way to answer questions, and its least time for all questions.
struct Way {
    const char* name;
    double least = std::numeric_limits<double>::infinity();
};

/// Calls ask(way) for each way in turn, the planner's choice first. The result must be the same for
/// all ways.
template <class Ask>
void race(benchmark::State& state, std::vector<Way>& ways, const Ask& ask) {
    // The first calls are not timed, because answers grow to their size.
    for (std::size_t w = 0; w < ways.size(); ++w) {
        (void)ask(w);
    }
    for (auto _ : state) {
        double all = 0.0;
        std::uint64_t wanted = 0;
        for (std::size_t w = 0; w < ways.size(); ++w) {
            std::uint64_t found = 0;
            const double took = warm_nanoseconds_of([&] { found = ask(w); });
            ways[w].least = std::min(ways[w].least, took);
            all += took;
            if (w == 0) { wanted = found; }
            if (found != wanted) { state.SkipWithError("two ways find different agents"); }
        }
        state.SetIterationTime(all * 1e-9);
    }
}

/// Reports the times per question, and the ratio of the first way to the best of the others.
void show(benchmark::State& state, const std::vector<Way>& ways, std::size_t questions) {
    double best = std::numeric_limits<double>::infinity();
    for (const Way& way : ways) {
        state.counters[way.name] = way.least / static_cast<double>(questions);
        if (&way != ways.data()) { best = std::min(best, way.least); }
    }
    state.counters["ratio"] = ways[0].least / best;
}

/// Measures ids or counts, by every plan that is possible for all of the shapes.
template <std::size_t Dim, class Shape>
void sweep_paths(benchmark::State& state, const SweepWorld<Dim>& world,
                 const std::vector<Shape>& shapes, Asked asked) {
    using Choice = PathChoice<Dim>;
    const throng::Crowd<Dim>& crowd = world.crowd;
    const RowGrid<Dim>& grid = crowd.grid();
    const bool large = has_large(world.world);
    std::vector<Id> ids(crowd.size() + crowd.size(Sets::statics));
    std::vector<Way> ways = {{"chosen"}};
    std::vector<SearchPath> paths = {SearchPath::none};
    for (const SearchPath path : kPaths) {
        if (std::all_of(shapes.begin(), shapes.end(),
                        [&](const Shape& shape) { return Choice::is(grid, path, shape, {}); })) {
            paths.push_back(path);
            ways.push_back({to_string(path)});
        }
    }
    const auto ask = [&](std::size_t way, const Shape& shape) -> std::uint64_t {
        if (asked == Asked::count) {
            if (way == 0) { return crowd.count(shape).count; }
            const std::size_t found = Choice::count(grid, paths[way], shape).count;
            return large ? found + crowd.count(shape, {}, kLarge).count : found;
        }
        if (way == 0) { return crowd.query(shape, std::span<Id>(ids)).count; }
        const std::size_t found = Choice::query(grid, paths[way], shape, ids).count;
        if (!large) { return found; }
        return found + crowd.query(shape, std::span<Id>(ids).subspan(found), {}, kLarge).count;
    };
    std::uint64_t hits = 0;
    race(state, ways, [&](std::size_t way) {
        hits = 0;
        for (const Shape& shape : shapes) {
            hits += ask(way, shape);
        }
        return hits;
    });
    show(state, ways, shapes.size());
    double predicted = 0.0;
    for (const Shape& shape : shapes) {
        predicted += crowd.explain(shape).predicted_nanoseconds;
    }
    state.counters["predicted"] = predicted / static_cast<double>(shapes.size());
    state.counters["hits"] = static_cast<double>(hits) / static_cast<double>(shapes.size());
}

/// Finds the first hit of a path, in the grid first, or in giants and statics first.
template <std::size_t Dim>
std::uint64_t first_of(const throng::Crowd<Dim>& crowd, const Segment<Dim>& path, bool grid_first) {
    PathHit hit, later;
    if (crowd.first(path, hit, {}, grid_first ? Sets::small : kLarge).count == 0) {
        return crowd.first(path, hit, {}, grid_first ? kLarge : Sets::small).count;
    }
    const std::optional<Ray<Dim>> part = until(path, hit.time);
    const Sets rest = grid_first ? kLarge : Sets::small;
    return 1 |
           (part ? crowd.first(*part, later, {}, rest) : crowd.first(path, later, {}, rest)).count;
}

/// Measures whether there is a hit, or the first hit, with either set searched first.
template <std::size_t Dim, class Shape>
void sweep_orders(benchmark::State& state, const SweepWorld<Dim>& world,
                  const std::vector<Shape>& shapes, Asked asked) {
    const throng::Crowd<Dim>& crowd = world.crowd;
    std::vector<Way> ways = {{"chosen"}, {"grid_first"}, {"large_first"}};
    const auto ask = [&](std::size_t way, const Shape& shape) -> std::uint64_t {
        const bool grid_first = way == 1;
        if constexpr (std::is_same_v<Shape, Segment<Dim>>) {
            if (asked == Asked::first) {
                PathHit hit;
                return way == 0 ? crowd.first(shape, hit).count
                                : first_of(crowd, shape, grid_first);
            }
        }
        if (way == 0) { return crowd.any(shape).count; }
        const bool found = crowd.any(shape, {}, grid_first ? Sets::small : kLarge).count != 0;
        return found || crowd.any(shape, {}, grid_first ? kLarge : Sets::small).count != 0;
    };
    std::uint64_t hits = 0;
    race(state, ways, [&](std::size_t way) {
        hits = 0;
        for (const Shape& shape : shapes) {
            hits += ask(way, shape);
        }
        return hits;
    });
    show(state, ways, shapes.size());
    state.counters["hits"] = static_cast<double>(hits) / static_cast<double>(shapes.size());
}

template <std::size_t Dim>
void sweep(benchmark::State& state, World of, Searched searched, Asked asked, float part) {
    const SweepWorld<Dim>& world = world_of<Dim>(of);
    // Enough shapes for the clock's resolution, and, where it matters, so many that branch
    // prediction does not learn them.
    const std::size_t few = asked == Asked::ids ? 1 : 32;
    const std::size_t count = part < 0.02f  ? 256
                              : part < 0.2f ? 32
                              : part < 0.6f ? 4
                              : part < 1.0f ? 1
                                            : few;
    const bool many = asked == Asked::any || asked == Asked::first || searched == Searched::beam;
    world.with_shapes(searched, part * world.side, many ? 256 : count, [&](const auto& shapes) {
        if (asked == Asked::ids || asked == Asked::count) {
            sweep_paths(state, world, shapes, asked);
        } else {
            sweep_orders(state, world, shapes, asked);
        }
    });
}

/// Measures a batch of ids or counts against single calls, whose ids go into one array.
template <std::size_t Dim, class Shape>
void sweep_batch(benchmark::State& state, const SweepWorld<Dim>& world,
                 const std::vector<Shape>& all, Asked asked) {
    constexpr std::size_t kMostIds = 8'000'000;
    const throng::Crowd<Dim>& crowd = world.crowd;
    const RowGrid<Dim>& grid = crowd.grid();
    const bool large = has_large(world.world);
    std::size_t total = 0, count = 0;
    while (count < all.size() && total < kMostIds) {
        total += crowd.count(all[count++]).count;
    }
    const std::span<const Shape> shapes(all.data(), count);
    std::vector<Id> ids(total + 16);
    std::vector<std::uint32_t> counts(count), scratch(GridParts<Dim>::scratch());
    Hits hits, of_grid;
    Batch<Dim> batch;
    std::vector<Way> ways = {{"batch"}, {"single"}};
    if (!large) { ways = {{"grid_batch"}, {"single"}, {"batch"}}; }
    const auto ask_batch = [&](bool whole) -> std::uint64_t {
        if (asked == Asked::count) {
            return whole ? batch.count(crowd, shapes, counts).count
                         : grid.parts().count(shapes, 0, count, scratch, counts).count;
        }
        Hits& of = whole ? hits : of_grid;
        return (whole ? batch.query(crowd, shapes, of) : grid.query(shapes, of)).ok() ? of.total()
                                                                                      : 0;
    };
    race(state, ways, [&](std::size_t way) {
        if (way != 1) { return ask_batch(way == 2 || large); }
        std::uint64_t found = 0;
        for (const Shape& shape : shapes) {
            found += asked == Asked::count
                         ? crowd.count(shape).count
                         : crowd.query(shape, std::span<Id>(ids).subspan(found)).count;
        }
        return found;
    });
    show(state, ways, count);
    // The ratio is that of the slower batch.
    const double single = state.counters["single"];
    state.counters["ratio"] =
        std::max(ways[0].least, ways.back().least) / static_cast<double>(count) / single;
    state.counters["hits"] = static_cast<double>(total) / static_cast<double>(count);
    state.counters["questions"] = static_cast<double>(count);
}

template <std::size_t Dim>
void sweep_batch(benchmark::State& state, World of, Searched searched, Asked asked, float part) {
    const SweepWorld<Dim>& world = world_of<Dim>(of);
    world.with_shapes(searched, part * world.side, 256,
                      [&](const auto& shapes) { sweep_batch(state, world, shapes, asked); });
}

template <std::size_t Dim>
void add(const char* what, World world, Searched searched, Asked asked,
         void (*sweep)(benchmark::State&, World, Searched, Asked, float)) {
    for (const float part : sweep_parts(Dim)) {
        const std::string name = std::string("crowd/") + what + "/" + name_of(world) + "/" +
                                 std::to_string(Dim) + "d/" + name_of(searched) + "/" +
                                 kAsked[static_cast<std::size_t>(asked)] + "/" +
                                 std::to_string(part);
        benchmark::RegisterBenchmark(
            name.c_str(),
            [=](benchmark::State& state) { sweep(state, world, searched, asked, part); })
            ->UseManualTime()
            ->Unit(benchmark::kMicrosecond);
    }
}

template <std::size_t Dim>
void register_sweeps(World world) {
    for (const Searched searched : kAllSearched) {
        for (const Asked asked : {Asked::ids, Asked::count}) {
            add<Dim>("sweep", world, searched, asked, sweep<Dim>);
            add<Dim>("batch", world, searched, asked, sweep_batch<Dim>);
        }
        if (!has_large(world)) { continue; }
        add<Dim>("sweep", world, searched, Asked::any, sweep<Dim>);
        if (searched == Searched::segment) {
            add<Dim>("sweep", world, searched, Asked::first, sweep<Dim>);
        }
    }
}

} // namespace

void register_planner() {
    for (const World world : kAllWorlds) {
        register_sweeps<2>(world);
    }
    for (const World world : kAllWorlds) {
        register_sweeps<3>(world);
    }
}

} // namespace throng::bench
