// The overhead of a Crowd over a bare grid, and its gain if sizes differ. Both are measured
// alternately in the same run, and the best time of each is reported.
#include "family/family.hpp"

#include <throng/engine/crowd/crowd.hpp>

#include <cmath>
#include <limits>

namespace throng::bench {

namespace {

/// Keeps the shortest of some times.
class Best {
public:
    template <class Call>
    void time(const Call& call) {
        const auto start = std::chrono::steady_clock::now();
        call();
        const std::chrono::duration<double, std::nano> passed =
            std::chrono::steady_clock::now() - start;
        last_ = passed.count();
        best_ = std::min(best_, last_);
    }
    [[nodiscard]] double nanoseconds() const noexcept { return best_; }
    [[nodiscard]] double last() const noexcept { return last_; }

private:
    double best_ = std::numeric_limits<double>::infinity(), last_ = 0.0;
};

/// The times of one of the compared indexes.
template <class Index>
struct Measured {
    Index index;
    Best update, pairs, boxes;
    std::uint64_t found = 0, hits = 0;

    template <std::size_t Dim>
    void frame(const Agents<Dim>& agents, std::span<const Box<Dim>> questions, Hits& hits_of) {
        update.time([&] { (void)index.update(agents); });
        found = hits = 0;
        pairs.time([&] {
            (void)index.visit_pairs([&](std::span<const Id> first, std::span<const Id>) {
                found += first.size();
                return true;
            });
        });
        boxes.time([&] {
            for (std::size_t first = 0; first < questions.size(); first += kChunk) {
                const std::size_t count = std::min(kChunk, questions.size() - first);
                (void)index.query(questions.subspan(first, count), hits_of);
                hits += hits_of.total();
            }
        });
    }
    void count_in(benchmark::State& state, const std::string& name, double agents) const {
        state.counters[name + "_update_ns"] = update.nanoseconds() / agents;
        state.counters[name + "_pairs_ns"] = pairs.nanoseconds() / agents;
        state.counters[name + "_boxes_ns"] = boxes.nanoseconds() / agents;
    }
    [[nodiscard]] double frame_nanoseconds() const noexcept {
        return update.nanoseconds() + pairs.nanoseconds();
    }
};

/// A box around each agent, in the order of the grid.
template <std::size_t Dim>
std::vector<Box<Dim>> boxes_about(const scenes::Scene<Dim>& scene, const RowGrid<Dim>& grid) {
    std::vector<Id> askers(grid.size());
    (void)grid.order(askers);
    std::vector<Box<Dim>> boxes;
    const float half = Dim == 2 ? 0.75f : 0.54f; // about four hits
    for (const Id id : askers) {
        boxes.push_back(Box<Dim>::around(scene.position_of(id), Point<Dim>::all(half)));
    }
    return boxes;
}

/// Frames of these walkers, in a Crowd and in a bare grid.
template <std::size_t Dim>
void against_grid(benchmark::State& state, Walkers<Dim> walkers) {
    scenes::Scene<Dim>& scene = walkers.scene();
    Measured<throng::Crowd<Dim>> crowd;
    Measured<RowGrid<Dim>> grid;
    Hits hits;
    constexpr int kWarmUp = 3;
    for (int frame = 0; frame < kWarmUp; ++frame) {
        walkers.walk();
        if (!crowd.index.update(scene.agents()).ok() || !grid.index.update(scene.agents()).ok()) {
            state.SkipWithError("the crowd was refused");
            return;
        }
    }
    bool crowd_first = true;
    for (auto _ : state) {
        walkers.walk();
        const auto questions = boxes_about(scene, grid.index);
        const std::span<const Box<Dim>> asked(questions);
        if (crowd_first) { crowd.frame(scene.agents(), asked, hits); }
        grid.frame(scene.agents(), asked, hits);
        if (!crowd_first) { crowd.frame(scene.agents(), asked, hits); }
        crowd_first = !crowd_first;
        state.SetIterationTime((crowd.update.last() + crowd.pairs.last()) * 1e-9);
    }
    if (crowd.found != grid.found || crowd.hits != grid.hits ||
        sum_of_pairs(crowd.index) != sum_of_pairs(grid.index)) {
        state.SkipWithError("the answers are not those of a row grid");
        return;
    }
    const auto agents = static_cast<double>(scene.size());
    crowd.count_in(state, "crowd", agents);
    grid.count_in(state, "grid", agents);
    state.counters["update_percent"] =
        100.0 * (crowd.update.nanoseconds() / grid.update.nanoseconds() - 1.0);
    state.counters["pairs_percent"] =
        100.0 * (crowd.pairs.nanoseconds() / grid.pairs.nanoseconds() - 1.0);
    state.counters["boxes_percent"] =
        100.0 * (crowd.boxes.nanoseconds() / grid.boxes.nanoseconds() - 1.0);
    state.counters["frame_times"] = crowd.frame_nanoseconds() / grid.frame_nanoseconds();
    state.counters["giants"] = static_cast<double>(crowd.index.size(Sets::giants));
    state.counters["pairs_per_agent"] = static_cast<double>(crowd.found) / agents;
}

/// A crowd in which one agent in a thousand is 32 times as large, against the same crowd without
/// giants.
template <std::size_t Dim>
void with_giants(benchmark::State& state, std::size_t count) {
    Walkers<Dim> walkers(count, Sizes::some_giants);
    scenes::Scene<Dim>& scene = walkers.scene();
    scenes::Scene<Dim> alike = scene;
    for (std::vector<float>& axis : alike.half_extent) {
        std::fill(axis.begin(), axis.end(), 0.25f);
    }
    throng::Crowd<Dim> crowd, uniform;
    constexpr int kWarmUp = 3;
    for (int frame = 0; frame < kWarmUp; ++frame) {
        if (!crowd.update(scene.agents()).ok() || !uniform.update(alike.agents()).ok()) {
            state.SkipWithError("the crowd was refused");
            return;
        }
    }
    Best update, update_uniform;
    constexpr std::array kSets{PairSets::small_small, PairSets::small_giants,
                               PairSets::giants_giants};
    std::array<Best, kSets.size()> pairs;
    std::array<std::uint64_t, kSets.size()> found{};
    for (auto _ : state) {
        walkers.walk();
        alike.position = scene.position;
        update.time([&] { (void)crowd.update(scene.agents()); });
        update_uniform.time([&] { (void)uniform.update(alike.agents()); });
        double all = update.last();
        for (std::size_t s = 0; s < kSets.size(); ++s) {
            found[s] = 0;
            pairs[s].time([&] {
                (void)crowd.visit_pairs(kSets[s],
                                        [&](std::span<const Id> first, std::span<const Id>) {
                                            found[s] += first.size();
                                            return true;
                                        });
            });
            all += pairs[s].last();
        }
        state.SetIterationTime(all * 1e-9);
    }
    const auto agents = static_cast<double>(count);
    state.counters["update_ns"] = update.nanoseconds() / agents;
    state.counters["update_times"] = update.nanoseconds() / update_uniform.nanoseconds();
    const char* const names[] = {"small", "cross", "giant"};
    double all = 0.0;
    for (std::size_t s = 0; s < kSets.size(); ++s) {
        const std::string name = names[s];
        all += pairs[s].nanoseconds();
        state.counters[name + "_pairs"] = static_cast<double>(found[s]);
        state.counters[name + "_ns_a_pair"] =
            pairs[s].nanoseconds() / static_cast<double>(std::max<std::uint64_t>(found[s], 1));
    }
    state.counters["pairs_ns"] = all / agents;
}

/// Draws the half extent of an agent.
using Draw = float (*)(scenes::Random&);

float alike(scenes::Random&) { return 0.25f; }
float lognormal(scenes::Random& random) {
    return std::min(0.15f * std::exp(2.5f * random.bell()), 100.0f);
}
float bimodal(scenes::Random& random) { return random.below(2) == 0 ? 0.1f : 0.8f; }
/// Larger extents are rarer.
float power_law(scenes::Random& random) {
    return std::min(0.1f / std::max(random.unit(), 1e-6f), 100.0f);
}
float giants(scenes::Random& random) { return random.below(1000) == 0 ? 8.0f : 0.25f; }

template <std::size_t Dim>
Walkers<Dim> walkers_of(std::size_t count, Draw draw) {
    Walkers<Dim> walkers(count, Sizes::alike);
    scenes::Random random(53);
    for (std::vector<float>& axis : walkers.scene().half_extent) {
        axis.resize(count);
    }
    for (std::size_t i = 0; i < count; ++i) {
        const float half = draw(random);
        for (std::vector<float>& axis : walkers.scene().half_extent) {
            axis[i] = half;
        }
    }
    return walkers;
}

template <std::size_t Dim>
void add_crowd(std::size_t count) {
    const std::string suffix =
        std::string(Dim == 2 ? "/2d/" : "/3d/").append(std::to_string(count));
    const auto add = [&](const std::string& name, const auto& body) {
        const std::string full = std::string("crowd/").append(name).append(suffix);
        benchmark::RegisterBenchmark(full.c_str(), body)
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
    };
    add("common_extent", [=](benchmark::State& state) {
        against_grid<Dim>(state, Walkers<Dim>(count, Sizes::alike));
    });
    const auto add_sizes = [&](const char* name, Draw draw) {
        add(name, [=](benchmark::State& state) {
            against_grid<Dim>(state, walkers_of<Dim>(count, draw));
        });
    };
    add_sizes("own_equal_extents", alike);
    // With more agents, or in space with some as large as the world, a grid alone takes too long.
    if (count <= 100'000) {
        add_sizes("lognormal", lognormal);
        add_sizes("bimodal", bimodal);
        add_sizes("giants_against_grid", giants);
        if (Dim == 2) { add_sizes("power_law", power_law); }
    }
    add("giants", [=](benchmark::State& state) { with_giants<Dim>(state, count); });
}

} // namespace

void register_crowd_class() {
    for (const std::size_t count : {100'000u, 1'000'000u}) {
        add_crowd<2>(count);
        add_crowd<3>(count);
    }
}

} // namespace throng::bench
