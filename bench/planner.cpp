// The way that the planner chooses for a search, against every other way: from a cell to the whole
// world, in full and empty worlds.
#include "benchmarks.hpp"

#include "../tests/support/path_choice.hpp"
#include "../tests/support/random.hpp"
#include "../tests/support/scenes.hpp"

#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/grid/query_stats.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace throng::bench {

namespace {

enum class World : std::uint8_t { dense, sparse, clustered };
/// The shape of a search: a cube, a slice that is thin in x, or a ball.
enum class Searched : std::uint8_t { box, slice, ball };
enum class Asked : std::uint8_t { ids, count };

constexpr const char* kWorlds[] = {"dense", "sparse", "clustered"};
constexpr const char* kSearched[] = {"box", "slice", "ball"};
constexpr SearchPath kPaths[] = {SearchPath::rows, SearchPath::tiles, SearchPath::all};

/// A million agents, one a unit of area or volume; or one in a hundred cells of side 1.
template <std::size_t Dim>
struct SweepWorld {
    static constexpr std::size_t kDense = 1'000'000, kSparse = 168'000;

    World world;
    float side;
    scenes::Scene<Dim> scene;
    throng::Crowd<Dim> crowd;

    explicit SweepWorld(World of) : world(of) {
        const bool dense = of == World::dense;
        side = dense ? (Dim == 2 ? 1'000.0f : 100.0f) : (Dim == 2 ? 4'096.0f : 256.0f);
        const float cluster = Dim == 2 ? 80.0f : 12.0f;
        scenes::Random random(1);
        std::vector<Point<Dim>> centres(64);
        for (Point<Dim>& centre : centres) {
            for (std::size_t a = 0; a < Dim; ++a) {
                centre[a] = random.between(cluster, side - cluster);
            }
        }
        for (std::size_t i = 0; i < (dense ? kDense : kSparse); ++i) {
            const Point<Dim>& centre = centres[random.below(64)];
            Point<Dim> point;
            for (std::size_t a = 0; a < Dim; ++a) {
                point[a] = of == World::clustered ? centre[a] + cluster * random.bell()
                                                  : random.between(0.0f, side);
            }
            scene.add(point);
        }
        scene.common_half_extent = Point<Dim>::all(0.25f);
        const Box<Dim> bounds = {Point<Dim>::all(0.0f), Point<Dim>::all(side)};
        CrowdSettings<Dim> settings{bounds, {}};
        if (!dense) { settings.cell = Point<Dim>::all(1.0f); }
        (void)crowd.configure(settings);
        (void)crowd.update(scene.agents());
    }

    /// Only the latest is kept.
    static const SweepWorld& get(World of) {
        static std::unique_ptr<SweepWorld> kept;
        if (kept == nullptr || kept->world != of) {
            kept.reset();
            kept = std::make_unique<SweepWorld>(of);
        }
        return *kept;
    }

    /// `count` searches of this half side, around agents.
    [[nodiscard]] std::vector<Box<Dim>> boxes(float half, bool slice, std::size_t count) const {
        scenes::Random random(3);
        std::vector<Box<Dim>> boxes;
        for (std::size_t i = 0; i < count; ++i) {
            Point<Dim> reach = Point<Dim>::all(half);
            if (slice) { reach[0] = 0.5f; }
            const auto n = random.below(static_cast<std::uint32_t>(scene.size()));
            boxes.push_back(Box<Dim>::around(scene.position_of(n), reach));
        }
        return boxes;
    }
};

double nanoseconds_of(const auto& body) {
    const auto start = std::chrono::steady_clock::now();
    body();
    return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start)
        .count();
}

template <std::size_t Dim, class Shape>
void sweep(benchmark::State& state, const SweepWorld<Dim>& world, const std::vector<Shape>& shapes,
           Asked asked) {
    using Choice = PathChoice<Dim>;
    const throng::Crowd<Dim>& crowd = world.crowd;
    const RowGrid<Dim>& grid = crowd.grid();
    std::vector<Id> ids(grid.size());
    std::vector<SearchPath> paths;
    for (const SearchPath path : kPaths) {
        if (std::all_of(shapes.begin(), shapes.end(),
                        [&](const Shape& shape) { return Choice::is(grid, path, shape, {}); })) {
            paths.push_back(path);
        }
    }
    const auto ask_all = [&](const auto& ask) {
        std::uint64_t hits = 0;
        for (const Shape& shape : shapes) {
            hits += ask(shape).count;
        }
        return hits;
    };
    std::uint64_t hits = 0;
    const auto by_plan = [&] {
        hits = ask_all([&](const Shape& shape) {
            return asked == Asked::count ? crowd.count(shape) : crowd.query(shape, ids);
        });
    };
    constexpr double kForever = std::numeric_limits<double>::infinity();
    double chosen = kForever;
    std::vector<double> of_path(paths.size(), kForever);
    for (auto _ : state) {
        const double now = nanoseconds_of(by_plan);
        double all = now;
        chosen = std::min(chosen, now);
        const std::uint64_t wanted = hits;
        for (std::size_t p = 0; p < paths.size(); ++p) {
            const double took = nanoseconds_of([&] {
                hits = ask_all([&](const Shape& shape) {
                    return asked == Asked::count ? Choice::count(grid, paths[p], shape)
                                                 : Choice::query(grid, paths[p], shape, ids);
                });
            });
            of_path[p] = std::min(of_path[p], took);
            all += took;
            if (hits != wanted) { state.SkipWithError("two ways find different agents"); }
        }
        state.SetIterationTime(all * 1e-9);
    }
    const auto count = static_cast<double>(shapes.size());
    const double best = *std::min_element(of_path.begin(), of_path.end());
    double predicted = 0.0;
    for (const Shape& shape : shapes) {
        predicted += crowd.explain(shape).predicted_nanoseconds;
    }
    for (std::size_t p = 0; p < paths.size(); ++p) {
        state.counters[to_string(paths[p])] = of_path[p] / count;
    }
    state.counters["chosen"] = chosen / count;
    state.counters["ratio"] = chosen / best;
    state.counters["predicted"] = predicted / count;
    state.counters["hits"] = static_cast<double>(hits) / count;
}

template <std::size_t Dim>
void sweep(benchmark::State& state, World of, Searched searched, Asked asked, float part) {
    const SweepWorld<Dim>& world = SweepWorld<Dim>::get(of);
    const float half = part * world.side;
    // Enough of them for the clock.
    const std::size_t few = asked == Asked::count ? 32 : 1;
    const std::size_t count = part < 0.02f  ? 256
                              : part < 0.2f ? 32
                              : part < 0.6f ? 4
                              : part < 1.0f ? 1
                                            : few;
    const std::vector<Box<Dim>> boxes = world.boxes(half, searched == Searched::slice, count);
    if (searched != Searched::ball) { return sweep(state, world, boxes, asked); }
    std::vector<Ball<Dim>> balls;
    for (const Box<Dim>& box : boxes) {
        Point<Dim> centre;
        for (std::size_t a = 0; a < Dim; ++a) {
            centre[a] = 0.5f * (box.lo[a] + box.hi[a]);
        }
        balls.push_back({centre, half});
    }
    sweep(state, world, balls, asked);
}

template <std::size_t Dim>
void register_sweep(World of) {
    for (const Searched searched : {Searched::box, Searched::slice, Searched::ball}) {
        for (const Asked asked : {Asked::ids, Asked::count}) {
            // Half sides from about a cell to twice the world, so that the last finds all agents.
            const float first = Dim == 2 ? 0x1p-12f : 0x1p-8f;
            for (float part = first; part <= 2.0f; part *= 2.0f) {
                const std::string name =
                    std::string("crowd/sweep/") + kWorlds[static_cast<std::size_t>(of)] + "/" +
                    std::to_string(Dim) + "d/" + kSearched[static_cast<std::size_t>(searched)] +
                    (asked == Asked::ids ? "/ids/" : "/count/") + std::to_string(part);
                benchmark::RegisterBenchmark(
                    name.c_str(),
                    [=](benchmark::State& state) { sweep<Dim>(state, of, searched, asked, part); })
                    ->UseManualTime()
                    ->Unit(benchmark::kMicrosecond);
            }
        }
    }
}

} // namespace

void register_planner() {
    for (const World world : {World::dense, World::sparse, World::clustered}) {
        register_sweep<2>(world);
    }
    for (const World world : {World::dense, World::sparse, World::clustered}) {
        register_sweep<3>(world);
    }
}

} // namespace throng::bench
