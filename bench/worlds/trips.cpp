// What a crowd costs whose world grows to many times its size and shrinks again, or that marches
// away, beside one that is fitted afresh in each frame. Both answer the same questions in turns,
// and must find equally many agents.
#include "../benchmarks.hpp"
#include "../measure/measure.hpp"

#include "../../tests/support/random.hpp"

#include <throng/engine/crowd/crowd.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace throng::bench {

namespace {

enum class Trip : std::uint8_t { grow, corner, march };

constexpr std::size_t kFrames = 200; // there, and back
constexpr float kFactor = 1000.0f;
constexpr std::size_t kTurns = 4; // the fastest of them counts

template <std::size_t Dim>
class Travellers {
public:
    Travellers(Trip trip, std::size_t agents) : trip_(trip) {
        scenes::Random random(3);
        for (std::size_t a = 0; a < Dim; ++a) {
            for (std::size_t i = 0; i < agents; ++i) {
                home_[a].push_back(random.between(trip == Trip::corner ? 0.0f : -1.0f, 1.0f));
            }
        }
        place_ = home_;
    }

    void go_to(std::size_t frame) {
        const auto agents = static_cast<float>(home_[0].size());
        const float side = 0.5f * std::pow(agents, 1.0f / static_cast<float>(Dim));
        const std::size_t out = std::min(frame, kFrames - 1 - frame);
        const float way = static_cast<float>(out) / static_cast<float>(kFrames / 2 - 1);
        const float scale = trip_ == Trip::march ? 1.0f : std::pow(kFactor, way);
        const float shift = trip_ == Trip::march ? 0.05f * side * static_cast<float>(frame) : 0.0f;
        radius_ = 2.0f * scale;
        for (std::size_t a = 0; a < Dim; ++a) {
            for (std::size_t i = 0; i < place_[a].size(); ++i) {
                place_[a][i] = home_[a][i] * side * scale + (a == 0 ? shift : 0.0f);
            }
        }
    }

    [[nodiscard]] Agents<Dim> agents() const {
        Agents<Dim> all;
        std::array<const float*, Dim> axis;
        for (std::size_t a = 0; a < Dim; ++a) {
            axis[a] = place_[a].data();
        }
        all.positions = PointView<Dim>::separate(axis, place_[0].size());
        return all;
    }

    /// Counts the neighbours of some agents, one by one.
    [[nodiscard]] std::size_t neighbours(const throng::Crowd<Dim>& crowd) const {
        std::size_t found = 0;
        const std::size_t step = std::max<std::size_t>(1, place_[0].size() / 4000);
        for (std::size_t i = 0; i < place_[0].size(); i += step) {
            Point<Dim> at;
            for (std::size_t a = 0; a < Dim; ++a) {
                at[a] = place_[a][i];
            }
            found += crowd.count(Ball<Dim>{at, radius_}).count;
        }
        return found;
    }

private:
    Trip trip_;
    std::array<std::vector<float>, Dim> home_, place_;
    float radius_ = 0.0f;
};

double time_of(const auto& call) {
    Stopwatch watch;
    watch.time(call);
    return watch.running_nanoseconds();
}

template <std::size_t Dim>
void run(benchmark::State& state, Trip trip, std::size_t agents) {
    Stopwatch watch;
    std::vector<double> ratios;
    double updates = 0.0, fresh_updates = 0.0;
    bool sound = true;
    for (auto _ : state) {
        Travellers<Dim> travellers(trip, agents);
        throng::Crowd<Dim> follows;
        ratios.clear();
        updates = fresh_updates = 0.0;
        for (std::size_t frame = 0; frame < kFrames; ++frame) {
            travellers.go_to(frame);
            throng::Crowd<Dim> fresh;
            const auto update = [&](throng::Crowd<Dim>& crowd) {
                sound = sound && crowd.update(travellers.agents()).ok();
            };
            updates += time_of([&] { watch.time([&] { update(follows); }); });
            update(fresh);
            fresh_updates += time_of([&] { update(fresh); });
            double best = std::numeric_limits<double>::infinity(), best_fresh = best;
            std::size_t found = 0, found_fresh = 0;
            for (std::size_t turn = 0; turn < kTurns; ++turn) {
                best = std::min(best, time_of([&] { found = travellers.neighbours(follows); }));
                best_fresh = std::min(best_fresh,
                                      time_of([&] { found_fresh = travellers.neighbours(fresh); }));
            }
            sound = sound && found == found_fresh;
            ratios.push_back(best / best_fresh);
        }
        watch.end_iteration(state);
    }
    std::sort(ratios.begin(), ratios.end());
    state.counters["median"] = ratios[kFrames / 2];
    state.counters["of_20_the_worst"] = ratios[kFrames - kFrames / 20];
    state.counters["worst"] = ratios.back();
    state.counters["updates"] = updates / fresh_updates;
    if (!sound) { state.SkipWithError("an update was refused, or the crowds differ"); }
}

template <std::size_t Dim>
void add(const char* name, Trip trip, std::size_t agents) {
    std::string full = Dim == 2 ? "trips/2d/" : "trips/3d/";
    full += name;
    full += '/';
    full += std::to_string(agents);
    benchmark::RegisterBenchmark(full.c_str(),
                                 [=](benchmark::State& state) { run<Dim>(state, trip, agents); })
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
}

template <std::size_t Dim>
void add_all() {
    for (const std::size_t agents : {1'000u, 20'000u}) {
        add<Dim>("grow", Trip::grow, agents);
        add<Dim>("corner", Trip::corner, agents);
        add<Dim>("march", Trip::march, agents);
    }
}

} // namespace

void register_trips() {
    add_all<2>();
    add_all<3>();
}

} // namespace throng::bench
