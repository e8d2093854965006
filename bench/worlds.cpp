// Lists of all agents of a grid, alone and beside a second grid, in which nobody or a few others
// are. The answers are counted against those of the two grids asked apart.
#include "benchmarks.hpp"
#include "measure/measure.hpp"

#include <throng/engine/grid/grid_parts.hpp>
#include <throng/parallel/batch/batch.hpp>

#include "../tests/support/scenes/scenes.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace throng::bench {

namespace {

constexpr std::size_t kAgents = 100'000;
constexpr float kNear = 2.0f;

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

template <std::size_t Dim>
void add() {
    for (const Line& line : kLines) {
        benchmark::RegisterBenchmark(
            ("worlds/neighbours/" + std::to_string(Dim) + "d/" + line.name).c_str(),
            [line](benchmark::State& state) { run<Dim>(state, line); })
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
    }
}

} // namespace

void register_worlds() {
    add<2>();
    add<3>();
}

} // namespace throng::bench
