// Loads for which a double grid is made: sizes from a tenth of a cell to a hundred cells, and
// single edits.
#include "family.hpp"

#include <cmath>

namespace throng::bench {

namespace {

/// Half extents from 0.17 to 173; larger ones are rarer, so that agents of every size cover about
/// the same part of the world. An agent overlaps about four others.
template <std::size_t Dim>
scenes::Scene<Dim> wild(std::size_t count) {
    auto scene = scenes::make_uniform<Dim>(count);
    scenes::Random random(43);
    for (std::vector<float>& axis : scene.half_extent) {
        axis.resize(count);
    }
    for (std::size_t i = 0; i < count; ++i) {
        const float rarity = std::max(random.unit(), 1e-6f);
        const float half = 0.17f * std::pow(rarity, -1.0f / static_cast<float>(Dim));
        for (std::vector<float>& axis : scene.half_extent) {
            axis[i] = std::min(half, 173.0f);
        }
    }
    return scene;
}

/// Frames of a crowd of all sizes: an update, all pairs, and a small box around every agent.
template <class Index, std::size_t Dim>
void run_wild(benchmark::State& state, std::size_t count) {
    auto scene = wild<Dim>(count);
    Index index;
    if (!index.update(scene.agents()).ok()) {
        state.SkipWithError("the crowd was refused");
        return;
    }
    std::vector<Id> ids(count), askers(count);
    (void)index.query(Box<Dim>{Point<Dim>::all(-kLargest), Point<Dim>::all(kLargest)},
                      std::span<Id>(askers));
    scenes::Random random(47);
    Stopwatch update, pairs, boxes;
    std::uint64_t found = 0, hits = 0;
    for (auto _ : state) {
        for (std::vector<float>& axis : scene.position) {
            for (float& x : axis) {
                x = std::clamp(x + random.between(-0.5f, 0.5f), 0.0f, scene.world.hi[0]);
            }
        }
        update.time([&] { (void)index.update(scene.agents()); });
        found = hits = 0;
        pairs.time([&] {
            (void)index.visit_pairs([&](std::span<const Id> first, std::span<const Id>) {
                found += first.size();
                return true;
            });
        });
        boxes.time([&] {
            for (const Id id : askers) {
                hits += index
                            .query(Box<Dim>::around(scene.position_of(id), Point<Dim>::all(0.5f)),
                                   std::span<Id>(ids))
                            .count;
            }
        });
        update.end_iteration(state);
        pairs.end_iteration(state); // the reported time is the sum of these
        boxes.end_iteration(state);
    }
    DoubleGrid<Dim>
        other; // with cells of another size, so that the comparison is with another grid
    const Point<Dim> cell = Point<Dim>::all(9.0f);
    if (!other.configure(scene.world, cell).ok() || !other.update(scene.agents()).ok() ||
        sum_of_pairs(other) != sum_of_pairs(index)) {
        state.SkipWithError("the pairs are not those of other cells");
        return;
    }
    const auto agents = static_cast<double>(count);
    state.counters["update_ns"] = update.nanoseconds() / agents;
    state.counters["pairs_ns"] = pairs.nanoseconds() / agents;
    state.counters["boxes_ns"] = boxes.nanoseconds() / agents;
    state.counters["pairs_per_agent"] = static_cast<double>(found) / agents;
    state.counters["hits_per_box"] = static_cast<double>(hits) / agents;
    state.counters["bytes_per_agent"] = static_cast<double>(index.memory().total()) / agents;
}

/// One agent in ten is moved by a single call, or erased and inserted elsewhere; then covers are
/// refitted.
template <std::size_t Dim>
void run_edits(benchmark::State& state, std::size_t count) {
    auto scene = scenes::make_uniform<Dim>(count);
    DoubleGrid<Dim> index;
    if (!index.update(scene.agents()).ok()) {
        state.SkipWithError("the crowd was refused");
        return;
    }
    scenes::Random random(53);
    Stopwatch moves, replacements, refit;
    for (auto _ : state) {
        moves.time([&] {
            for (std::size_t k = 0; k < count / 20; ++k) {
                const Id id = random.below(static_cast<std::uint32_t>(count));
                Point<Dim> to = scene.position_of(id);
                for (std::size_t a = 0; a < Dim; ++a) {
                    scene.position[a][id] = to[a] += random.between(-0.5f, 0.5f);
                }
                (void)index.move(id, to);
            }
        });
        replacements.time([&] {
            for (std::size_t k = 0; k < count / 20; ++k) {
                const Id id = random.below(static_cast<std::uint32_t>(count));
                const Id other = random.below(static_cast<std::uint32_t>(count));
                for (std::size_t a = 0; a < Dim; ++a) {
                    scene.position[a][id] = scene.position[a][other];
                }
                (void)index.erase(id);
                (void)index.insert(id, {scene.position_of(id), {}, {}});
            }
        });
        refit.time([&] { index.refit(); });
        moves.end_iteration(state);
        replacements.end_iteration(state);
        refit.end_iteration(state);
    }
    RowGrid<Dim> grid;
    if (!grid.update(scene.agents()).ok() || sum_of_pairs(grid) != sum_of_pairs(index)) {
        state.SkipWithError("the pairs are not those of a row grid");
        return;
    }
    const auto edits = static_cast<double>(count / 20);
    state.counters["move_ns"] = moves.nanoseconds() / edits;
    state.counters["replace_ns"] = replacements.nanoseconds() / edits;
    state.counters["refit_ns"] = refit.nanoseconds() / edits;
    state.counters["bytes_per_agent"] =
        static_cast<double>(index.memory().total()) / static_cast<double>(count);
}

} // namespace

void register_double_grid() {
    const auto add = [](const char* name, auto body) {
        benchmark::RegisterBenchmark(name, body)->UseManualTime()->Unit(benchmark::kMillisecond);
    };
    constexpr std::size_t kCount = 100'000;
    add("family/wild_sizes/double_grid/2d/100000",
        [](benchmark::State& state) { run_wild<DoubleGrid<2>, 2>(state, kCount); });
    add("family/wild_sizes/double_grid/3d/100000",
        [](benchmark::State& state) { run_wild<DoubleGrid<3>, 3>(state, kCount); });
    add("family/wild_sizes/loose_tree/2d/100000",
        [](benchmark::State& state) { run_wild<LooseTree<2>, 2>(state, kCount); });
    add("family/wild_sizes/loose_tree/3d/100000",
        [](benchmark::State& state) { run_wild<LooseTree<3>, 3>(state, kCount); });
    add("family/edits/double_grid/2d/500000",
        [](benchmark::State& state) { run_edits<2>(state, 5 * kCount); });
    add("family/edits/double_grid/3d/500000",
        [](benchmark::State& state) { run_edits<3>(state, 5 * kCount); });
}

} // namespace throng::bench
