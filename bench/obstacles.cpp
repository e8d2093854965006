// Obstacles as in a city: the time of the nearest, of all within a distance, of a line of sight and
// of a step, for each of a million agents, in a world with borders and in a periodic one.
#include "benchmarks.hpp"
#include "measure/measure.hpp"
#include "obstacle_city.hpp"

#include <throng/engine/obstacles/obstacles.hpp>

#include <string>
#include <vector>

namespace throng::bench {

namespace {

constexpr std::size_t kAgents = City::kAgents;

/// Which city: its walls along the streets, or in any direction, without borders or around them.
struct Place {
    const char* name;
    bool straight, periodic;
};
constexpr Place kPlaces[] = {
    {"turned", false, false}, {"straight", true, false}, {"periodic", false, true}};

template <class Ask>
void run(benchmark::State& state, const Place& place, const Ask& ask) {
    const City& city = City::get(place.straight);
    const Box<2> world = {{}, Point<2>::all(City::kSide)};
    Obstacles<2> obstacles;
    if ((place.periodic && !obstacles.configure(world, {true, true}).ok()) ||
        !obstacles.set(city.arrays()).ok()) {
        state.SkipWithError("the walls were refused");
        return;
    }
    Stopwatch watch;
    std::size_t found = 0;
    for (auto _ : state) {
        watch.time([&] { found = ask(city, obstacles).count; });
        watch.end_iteration(state);
    }
    report(state, watch, {kAgents, found, obstacles.memory().total(), City::kWalls});
}

template <class Ask>
void add(const std::string& name, const Ask& ask) {
    for (const Place& place : kPlaces) {
        benchmark::RegisterBenchmark(("obstacles/" + name + "/" + place.name).c_str(),
                                     [=](benchmark::State& state) { run(state, place, ask); })
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
    }
}

} // namespace

void register_obstacles() {
    add("nearest", [](const City& city, const Obstacles<2>& obstacles) {
        static std::vector<ObstacleNear<2>> near(kAgents);
        return obstacles.nearest(city.agents, near);
    });
    add("within", [](const City& city, const Obstacles<2>& obstacles) {
        static ObstaclesWithin<2> within;
        return obstacles.query(city.balls, within);
    });
    add("within/alone", [](const City& city, const Obstacles<2>& obstacles) {
        // With what a host needs to keep all answers.
        static ObstaclesWithin<2> all;
        static std::vector<ObstacleNear<2>> one;
        all.offsets.assign(1, 0);
        all.near.clear();
        for (const Ball<2>& ball : city.balls) {
            (void)obstacles.query(ball, one);
            all.near.insert(all.near.end(), one.begin(), one.end());
            all.offsets.push_back(all.near.size());
        }
        return Found{all.near.size(), {}};
    });
    add("sight", [](const City& city, const Obstacles<2>& obstacles) {
        static std::vector<std::uint8_t> clear(kAgents);
        return obstacles.sight(city.looks, clear);
    });
    add("scattered/nearest", [](const City& city, const Obstacles<2>& obstacles) {
        static std::vector<ObstacleNear<2>> near(kAgents);
        return obstacles.nearest(city.scattered, near);
    });
    add("scattered/sight", [](const City& city, const Obstacles<2>& obstacles) {
        static std::vector<std::uint8_t> clear(kAgents);
        return obstacles.sight(city.scattered_looks, clear);
    });
    static std::vector<ObstacleHit<2>> hits;
    add("step", [](const City& city, const Obstacles<2>& obstacles) {
        hits.resize(kAgents);
        return obstacles.first(city.steps, hits);
    });
    add("cart", [](const City& city, const Obstacles<2>& obstacles) {
        hits.resize(kAgents);
        return obstacles.first(city.carts, hits);
    });
    add("body", [](const City& city, const Obstacles<2>& obstacles) {
        hits.resize(kAgents);
        return obstacles.first(city.bodies, hits);
    });
    add("look", [](const City& city, const Obstacles<2>& obstacles) {
        hits.resize(kAgents);
        return obstacles.first(city.looks, hits);
    });
}

} // namespace throng::bench
