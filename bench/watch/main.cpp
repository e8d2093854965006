// Hot paths whose instructions are counted: scripts/bench --watch. Each is run once so that its
// arrays grow, and then once more inside throng_watched(), which is all that callgrind counts, and
// after which it writes what it has counted.
#include "../bench_shape.hpp"

#include "../../tests/support/random.hpp"
#include "../../tests/support/scenes/scenes.hpp"

#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/grid/row_grid.hpp>
#include <throng/engine/obstacles/obstacle_shapes.hpp>
#include <throng/engine/obstacles/obstacles.hpp>
#include <throng/engine/shapes/segment.hpp>
#include <throng/parallel/batch/batch.hpp>
#include <throng/parallel/frames/lasting_neighbours.hpp>
#include <throng/simd/isa/isa.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace throng;

/// A name that callgrind finds, and a call that nothing is inlined into.
extern "C" [[gnu::noinline, gnu::used]] void throng_watched(FunctionRef<void()> path) { path(); }

/// Callgrind takes fifty times as long, and a count of so few agents is as exact.
constexpr std::size_t kAgents = 20000;
constexpr float kStep = 0.02f;

void expect(const Status& status) {
    if (!status.ok()) { throw std::runtime_error(to_string(status)); }
}
std::size_t count_of(const Found& found) {
    expect(found.status);
    return found.count;
}

/// Prints the name and the number of answers; callgrind's files are in the same order.
template <class Path>
void watch(
    const std::string& name, const Path& path, FunctionRef<void()> between = [] {}) {
    std::size_t answers = path();
    between();
    throng_watched([&] { answers = path(); });
    std::printf("%s\t%zu\n", name.c_str(), answers);
}

template <std::size_t Dim>
void watch_crowds() {
    const std::string in = Dim == 2 ? "/2d" : "/3d";
    scenes::Scene<Dim> scene = scenes::make_uniform<Dim>(kAgents);
    const auto agents = [&] { return scene.agents(); };
    // Another frame: agents have moved a little, this way or that.
    scenes::Random random(7);
    const auto step = [&] {
        for (std::vector<float>& axis : scene.position) {
            for (float& x : axis) {
                x += random.between(-kStep, kStep);
            }
        }
    };

    RowGrid<Dim> grid;
    expect(grid.use(bench::bench_shape<Ball>(scene)));
    const auto update_grid = [&] {
        expect(grid.update(agents()));
        return grid.size();
    };
    watch("update/grid" + in, update_grid, step);
    Crowd<Dim> crowd;
    const auto update_crowd = [&] {
        expect(crowd.update(agents()));
        return crowd.size();
    };
    watch("update/crowd" + in, update_crowd, step);

    Batch<Dim> batch;
    Hits hits;
    std::vector<std::uint32_t> counts(kAgents);
    const Neighbourhood around{.radius = bench::kRadius};
    watch("neighbours/lists" + in, [&] { return count_of(batch.neighbours(crowd, around, hits)); });
    watch("neighbours/counts" + in,
          [&] { return count_of(batch.count_neighbours(crowd, around, counts)); });
    NearHits nearest;
    watch("nearest_8" + in, [&] {
        return count_of(batch.nearest_neighbours(crowd, NearestNeighbours{.k = 8}, nearest));
    });
    Pairs pairs;
    watch("pairs" + in, [&] { return count_of(batch.pairs(crowd, pairs)); });

    std::vector<Id> order(kAgents), found(kAgents);
    (void)crowd.order(order);
    watch("balls" + in, [&] {
        std::size_t answers = 0;
        for (const Id id : order) {
            const Ball<Dim> ball{scene.position_of(id), bench::kRadius};
            answers += count_of(crowd.query(ball, std::span<Id>(found)));
        }
        return answers;
    });
    std::vector<Segment<Dim>> looks;
    for (const Id id : order) {
        Segment<Dim> look{scene.position_of(id), scene.position_of(id)};
        for (std::size_t a = 0; a < Dim; ++a) {
            look.to[a] += random.between(-10.0f, 10.0f);
        }
        looks.push_back(look);
    }
    watch("first" + in, [&] {
        std::size_t answers = 0;
        PathHit hit;
        for (std::size_t i = 0; i < looks.size(); ++i) {
            // Each begins in the agent that looks.
            answers += count_of(crowd.first(looks[i], hit, {kAllGroups, order[i]}));
        }
        return answers;
    });

    Crowd<Dim> round;
    CrowdSettings<Dim> settings;
    settings.bounds = scene.world;
    settings.periodic.fill(true);
    expect(round.configure(settings));
    expect(round.update(agents()));
    watch("neighbours/periodic" + in,
          [&] { return count_of(batch.neighbours(round, around, hits)); });

    LastingNeighbours<Dim> lists({.neighbourhood = around, .skin = 0.5f});
    expect(lists.update(crowd, agents()));
    step();
    expect(lists.update(crowd, agents()));
    watch("lasting/filter" + in, [&] {
        expect(lists.neighbours(agents(), hits));
        return hits.total();
    });
    if (lists.made() != 1) { throw std::runtime_error("the lists did not last"); }
}

void watch_obstacles() {
    scenes::Random random(5);
    const auto anywhere = [&] {
        return Point<2>{{random.between(0, 200), random.between(0, 200)}};
    };
    const auto beside = [&](const Point<2>& from, float most) {
        return Point<2>{
            {from[0] + random.between(-most, most), from[1] + random.between(-most, most)}};
    };
    std::vector<Wall> walls;
    for (std::size_t i = 0; i < 2000; ++i) {
        const Point<2> from = anywhere();
        walls.push_back({from, beside(from, 10.0f), 0.2f});
    }
    ObstacleArrays<2> arrays;
    arrays.walls = {walls.data(), sizeof(Wall), walls.size()};
    Obstacles<2> obstacles;
    expect(obstacles.set(arrays));

    std::vector<Point<2>> points;
    std::vector<Segment<2>> looks;
    for (std::size_t i = 0; i < kAgents; ++i) {
        points.push_back(anywhere());
        looks.push_back({points.back(), beside(points.back(), 10.0f)});
    }
    std::vector<ObstacleNear<2>> near(kAgents);
    watch("obstacles/nearest",
          [&] { return count_of(obstacles.nearest(points, std::span<ObstacleNear<2>>(near))); });
    std::vector<ObstacleHit<2>> hits(kAgents);
    watch("obstacles/first", [&] {
        return count_of(obstacles.first(ShapesView<2>(looks), std::span<ObstacleHit<2>>(hits)));
    });
}

} // namespace

int main() {
#if defined(__clang__)
    std::printf("compiler\tClang %d\n", __clang_major__);
#elif defined(__GNUC__)
    std::printf("compiler\tGNU %d\n", __GNUC__);
#else
    std::printf("compiler\tanother\n");
#endif
    if (active_isa() == Isa::none) {
        std::printf("this machine has no set of the build, or not the one in THRONG_FORCE_ISA\n");
        return 77;
    }
    try {
        watch_crowds<2>();
        watch_crowds<3>();
        watch_obstacles();
    } catch (const std::exception& error) {
        std::fprintf(stderr, "throng_watch: %s\n", error.what());
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}
