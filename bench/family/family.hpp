// The loads under which every structure of the family is measured.
#pragma once

#include "../benchmarks.hpp"
#include "../measure/measure.hpp"

#include "../../tests/family/indexes.hpp"

#include <throng/engine/agents/validation.hpp>
#include <throng/engine/grid/row_grid.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace throng::bench {

/// Sizes of a crowd: all equal, or one agent in a thousand 32 times as large.
enum class Sizes : std::uint8_t { alike, some_giants };

/// A crowd whose agents walk a little in every frame, and turn round at the walls.
template <std::size_t Dim>
class Walkers {
public:
    Walkers(std::size_t count, Sizes sizes) : scene_(scenes::make_uniform<Dim>(count)) {
        scenes::Random random(31);
        for (std::vector<float>& speed : speed_) {
            speed.resize(count);
            for (float& s : speed) {
                // A speed from 0.1 to 0.5 per frame, in either direction.
                s = random.between(0.1f, 0.5f) * (random.below(2) == 0 ? 1.0f : -1.0f);
            }
        }
        if (sizes == Sizes::alike) { return; }
        for (std::vector<float>& axis : scene_.half_extent) {
            axis.assign(count, 0.25f);
            for (std::size_t i = 0; i < count; i += 1000) {
                axis[i] = 8.0f;
            }
        }
    }

    void walk() {
        for (std::size_t a = 0; a < Dim; ++a) {
            for (std::size_t i = 0; i < scene_.size(); ++i) {
                float& x = scene_.position[a][i];
                x += speed_[a][i];
                if (x < scene_.world.lo[a] || x > scene_.world.hi[a]) {
                    speed_[a][i] = -speed_[a][i];
                    x = std::clamp(x, scene_.world.lo[a], scene_.world.hi[a]);
                }
            }
        }
    }

    [[nodiscard]] scenes::Scene<Dim>& scene() noexcept { return scene_; }

private:
    scenes::Scene<Dim> scene_;
    std::array<std::vector<float>, Dim> speed_;
};

/// The number of pairs, and a sum over their ids that does not depend on order.
struct PairSum {
    std::uint64_t count = 0, sum = 0;

    void add(std::span<const Id> first, std::span<const Id> second) noexcept {
        count += first.size();
        for (std::size_t i = 0; i < first.size(); ++i) {
            const std::uint64_t a = std::min(first[i], second[i]);
            const std::uint64_t b = std::max(first[i], second[i]);
            const std::uint64_t pair = (a << 32 | b) * 0x9E37'79B9'7F4A'7C15u;
            sum += pair ^ (pair >> 29);
        }
    }
    friend bool operator==(const PairSum&, const PairSum&) noexcept = default;
};

template <class Index>
PairSum sum_of_pairs(const Index& index) {
    PairSum sum;
    (void)index.visit_pairs([&](std::span<const Id> first, std::span<const Id> second) {
        sum.add(first, second);
        return true;
    });
    return sum;
}

/// Times frames: all agents walk, the structure is updated and tidied, and all pairs are found.
template <class Entry>
void run_frames(benchmark::State& state, std::size_t count, Sizes sizes) {
    constexpr std::size_t kDim = Entry::kDim;
    Walkers<kDim> walkers(count, sizes);
    scenes::Scene<kDim>& scene = walkers.scene();
    typename Entry::Index index;
    if (!Entry::lay_out(index, scene, kind_of(scene.agents())).ok() ||
        !index.update(scene.agents()).ok()) {
        state.SkipWithError("the crowd was refused");
        return;
    }
    // A few frames, until arrays no longer grow.
    constexpr int kWarmUp = 10;
    for (int frame = 0; frame < kWarmUp; ++frame) {
        walkers.walk();
        (void)index.update(scene.agents());
        Entry::tidy(index);
    }
    Stopwatch update, tidy, pairs;
    std::uint64_t found = 0;
    const std::size_t bytes = index.memory().total();
    for (auto _ : state) {
        walkers.walk();
        update.time([&] { (void)index.update(scene.agents()); });
        tidy.time([&] { Entry::tidy(index); });
        found = 0;
        pairs.time([&] {
            (void)index.visit_pairs([&](std::span<const Id> first, std::span<const Id>) {
                found += first.size();
                return true;
            });
        });
        update.end_iteration(state);
        tidy.end_iteration(state);
        pairs.end_iteration(state); // the reported time is the sum of these
    }
    RowGrid<kDim> grid;
    if (!grid.update(scene.agents()).ok() || sum_of_pairs(grid) != sum_of_pairs(index)) {
        state.SkipWithError("the pairs are not those of a row grid");
        return;
    }
    const auto agents = static_cast<double>(count);
    state.counters["update_ns"] = update.nanoseconds() / agents;
    state.counters["tidy_ns"] = tidy.nanoseconds() / agents;
    state.counters["pairs_ns"] = pairs.nanoseconds() / agents;
    state.counters["frame_ms"] =
        (update.nanoseconds() + tidy.nanoseconds() + pairs.nanoseconds()) * 1e-6;
    state.counters["pairs_per_agent"] = static_cast<double>(found) / agents;
    state.counters["bytes_per_agent"] = static_cast<double>(bytes) / agents;
    state.counters["grown_per_agent"] =
        (static_cast<double>(index.memory().total()) - static_cast<double>(bytes)) / agents;
}

/// Boxes of one size, one by one: around all agents, in the structure's order or the caller's;
/// large ones only around some agents.
template <class Entry>
void ask_boxes(benchmark::State& state, std::size_t count, Order order, float half,
               std::size_t questions) {
    constexpr std::size_t kDim = Entry::kDim;
    Walkers<kDim> walkers(count, Sizes::alike);
    scenes::Scene<kDim>& scene = walkers.scene();
    typename Entry::Index index;
    RowGrid<kDim> grid;
    if (!Entry::lay_out(index, scene, kind_of(scene.agents())).ok() ||
        !index.update(scene.agents()).ok() || !grid.update(scene.agents()).ok()) {
        state.SkipWithError("the crowd was refused");
        return;
    }
    Entry::tidy(index);
    std::vector<Id> askers(count);
    std::iota(askers.begin(), askers.end(), 0u);
    if (order == Order::storage) {
        (void)index.query(Box<kDim>{Point<kDim>::all(-kLargest), Point<kDim>::all(kLargest)},
                          std::span<Id>(askers));
    }
    askers.resize(std::min(count, questions));
    std::vector<Id> ids(count);
    const auto around = [&](Id id) {
        return Box<kDim>::around(scene.position_of(id), Point<kDim>::all(half));
    };
    Stopwatch watch;
    std::uint64_t hits = 0;
    for (auto _ : state) {
        hits = 0;
        watch.time([&] {
            for (const Id asker : askers) {
                hits += index.query(around(asker), std::span<Id>(ids)).count;
            }
        });
        watch.end_iteration(state);
    }
    std::uint64_t wanted = 0;
    for (const Id asker : askers) {
        wanted += grid.count(around(asker)).count;
    }
    if (hits != wanted) {
        state.SkipWithError("the answers are not those of a row grid");
        return;
    }
    report(state, watch, {askers.size(), hits, index.memory().total(), count});
}

/// Registers all loads of a structure, with names such as family/frame/<name>/100000.
template <class Entry>
void add_family(const std::string& name, std::span<const std::size_t> counts) {
    const std::string full = name + "/" + std::to_string(Entry::kDim) + "d/";
    const auto add = [](const std::string& what, const auto& body) {
        benchmark::RegisterBenchmark(what.c_str(), body)
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
    };
    for (const std::size_t count : counts) {
        const std::string size = std::to_string(count);
        add("family/frame/" + full + size,
            [=](benchmark::State& state) { run_frames<Entry>(state, count, Sizes::alike); });
        add("family/frame_some_giants/" + full + size,
            [=](benchmark::State& state) { run_frames<Entry>(state, count, Sizes::some_giants); });
        // Sizes that give about four hits, in the plane and in space.
        const float small = Entry::kDim == 2 ? 0.75f : 0.54f;
        const float large = Entry::kDim == 2 ? 50.0f : 10.5f;
        add("family/boxes/" + full + size, [=](benchmark::State& state) {
            ask_boxes<Entry>(state, count, Order::storage, small, count);
        });
        add("family/boxes_callers_order/" + full + size, [=](benchmark::State& state) {
            ask_boxes<Entry>(state, count, Order::callers, small, count);
        });
        add("family/large_boxes/" + full + size, [=](benchmark::State& state) {
            ask_boxes<Entry>(state, count, Order::callers, large, 200);
        });
    }
}

} // namespace throng::bench
