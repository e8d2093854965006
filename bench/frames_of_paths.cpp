// Frames in which a crowd moves and is asked about many paths: by a batch, which may pack a tree
// for them, and by the rows alone.
#include "../engine/grid/grid_parts.hpp"
#include "benchmarks.hpp"
#include "planner/planner_worlds.hpp"

#include <throng/parallel/batch/batch.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace throng::bench {

namespace {

enum class Wanted : std::uint8_t { ids, count, any };
constexpr const char* kWanted[] = {"ids", "count", "any"};

template <std::size_t Dim>
void frames_of_paths(benchmark::State& state, World of, Wanted wanted, float part,
                     std::size_t paths) {
    SweepWorld<Dim> world(of);
    const RowGrid<Dim>& grid = world.crowd.grid();
    world.with_shapes(Searched::segment, part * world.side, paths, [&](const auto& shapes) {
        std::vector<std::uint32_t> counts(paths), scratch(GridParts<Dim>::scratch());
        Batch<Dim> batch;
        Hits hits;
        const auto in_rows = [&]() -> std::uint64_t {
            switch (wanted) {
            case Wanted::ids:
                return grid.query(shapes, hits).ok() ? hits.total() : 0;
            case Wanted::count:
                return grid.parts().count(shapes, 0, paths, scratch, counts).count;
            case Wanted::any:
                break;
            }
            return grid.parts().any(shapes, 0, paths, scratch, counts).count;
        };
        const auto in_batch = [&]() -> std::uint64_t {
            switch (wanted) {
            case Wanted::ids:
                return batch.query(world.crowd, shapes, hits).ok() ? hits.total() : 0;
            case Wanted::count:
                return batch.count(world.crowd, shapes, counts).count;
            case Wanted::any:
                break;
            }
            return batch.any(world.crowd, shapes, counts).count;
        };
        double least[2] = {std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::infinity()};
        std::uint64_t found[2] = {in_rows(), in_batch()};
        for (auto _ : state) {
            double all = 0.0;
            for (std::size_t way = 0; way < 2; ++way) {
                (void)world.crowd.update(world.scene.agents());
                const double took =
                    nanoseconds_of([&] { found[way] = way == 0 ? in_rows() : in_batch(); });
                least[way] = std::min(least[way], took);
                all += took;
            }
            if (found[0] != found[1]) { state.SkipWithError("two ways find different agents"); }
            state.SetIterationTime(all * 1e-9);
        }
        const auto each = 1.0 / static_cast<double>(paths);
        state.counters["rows"] = least[0] * each;
        state.counters["batch"] = least[1] * each;
        state.counters["ratio"] = least[1] / least[0];
        state.counters["found"] = static_cast<double>(found[0]) * each;
        state.counters["MiB"] = static_cast<double>(batch.memory()) / (1 << 20);
    });
}

} // namespace

void register_frames_of_paths() {
    for (const World world : {World::dense, World::sparse, World::clustered}) {
        for (const Wanted wanted : {Wanted::ids, Wanted::count, Wanted::any}) {
            for (const float part : {0.05f, 0.25f}) {
                for (const std::size_t paths : {1'000u, 10'000u, 100'000u}) {
                    const auto add = [&](const char* dim, auto* frames) {
                        const std::string name =
                            std::string("frames_of_paths/") + name_of(world) + "/" + dim + "/" +
                            kWanted[static_cast<std::size_t>(wanted)] + "/" +
                            std::to_string(part).substr(0, 4) + "/" + std::to_string(paths);
                        benchmark::RegisterBenchmark(name.c_str(),
                                                     [=](benchmark::State& state) {
                                                         frames(state, world, wanted, part, paths);
                                                     })
                            ->UseManualTime()
                            ->Unit(benchmark::kMillisecond);
                    };
                    add("2d", &frames_of_paths<2>);
                    add("3d", &frames_of_paths<3>);
                }
            }
        }
    }
}

} // namespace throng::bench
