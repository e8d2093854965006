// Obstacles as in a city: how long the nearest, a look and a step take for each of a million
// agents.
#include "benchmarks.hpp"
#include "city.hpp"
#include "measure.hpp"

#include <string>
#include <vector>

namespace throng::bench {

namespace {

template <class Ask>
void run(benchmark::State& state, bool straight, const Ask& ask) {
    const City& city = City::get(straight);
    Obstacles<2> obstacles;
    if (!obstacles.set(city.arrays()).ok()) {
        state.SkipWithError("the walls were refused");
        return;
    }
    Stopwatch watch;
    std::size_t found = 0;
    for (auto _ : state) {
        watch.time([&] { found = ask(city, obstacles).count; });
        watch.end_iteration(state);
    }
    report(state, watch, {kCityAgents, found, obstacles.memory().total(), kWalls});
}

template <class Ask>
void add(const std::string& name, const Ask& ask) {
    for (const bool straight : {false, true}) {
        benchmark::RegisterBenchmark(
            ("obstacles/" + name + (straight ? "/straight" : "/turned")).c_str(),
            [=](benchmark::State& state) { run(state, straight, ask); })
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
    }
}

} // namespace

void register_obstacles() {
    add("nearest", [](const City& city, const Obstacles<2>& obstacles) {
        static std::vector<ObstacleNear<2>> near(kCityAgents);
        return obstacles.nearest(city.agents, near);
    });
    add("sight", [](const City& city, const Obstacles<2>& obstacles) {
        static std::vector<std::uint8_t> clear(kCityAgents);
        return obstacles.sight(city.looks, clear);
    });
    static std::vector<ObstacleHit<2>> hits;
    add("step", [](const City& city, const Obstacles<2>& obstacles) {
        hits.resize(kCityAgents);
        return obstacles.first(city.steps, hits);
    });
    add("cart", [](const City& city, const Obstacles<2>& obstacles) {
        hits.resize(kCityAgents);
        return obstacles.first(city.carts, hits);
    });
    add("body", [](const City& city, const Obstacles<2>& obstacles) {
        hits.resize(kCityAgents);
        return obstacles.first(city.bodies, hits);
    });
    add("look", [](const City& city, const Obstacles<2>& obstacles) {
        hits.resize(kCityAgents);
        return obstacles.first(city.looks, hits);
    });
}

} // namespace throng::bench
