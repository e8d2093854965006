// Obstacles as in a city: how long the nearest, a look and a step take for each of a million
// agents.
#include "benchmarks.hpp"
#include "measure.hpp"

#include "../tests/support/random.hpp"

#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/obstacles/obstacles.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace throng::bench {

namespace {

constexpr float kSide = 1000.0f;
constexpr std::size_t kWalls = 20'000;
constexpr std::size_t kAgents = 1'000'000;

/// Walls along the streets, of length 1 to 20, or turned anyhow; and agents in the storage order of
/// a crowd.
struct City {
    std::vector<Wall> walls;
    std::vector<Point<2>> agents;
    std::vector<Segment<2>> looks; ///< up to 10 away
    std::vector<Capsule<2>> steps; ///< up to 1 away

    explicit City(bool straight) {
        scenes::Random random(5);
        const auto turned = [&](float length) {
            float c = random.between(-1.0f, 1.0f), s = random.between(-1.0f, 1.0f);
            const float by = length / std::sqrt(c * c + s * s + 1e-6f);
            if (straight) {
                (random.below(2) == 0 ? c : s) = 0.0f;
                return Point<2>{{c == 0.0f ? 0.0f : length, s == 0.0f ? 0.0f : length}};
            }
            return Point<2>{{c * by, s * by}};
        };
        for (std::size_t i = 0; i < kWalls; ++i) {
            const Point<2> from = {{random.between(0, kSide), random.between(0, kSide)}};
            const Point<2> way = turned(random.between(1.0f, 20.0f));
            walls.push_back({from, {{from[0] + way[0], from[1] + way[1]}}, 0.2f});
        }
        std::vector<Point<2>> anywhere(kAgents);
        for (Point<2>& point : anywhere) {
            point = {{random.between(0, kSide), random.between(0, kSide)}};
        }
        throng::Crowd<2> crowd;
        Agents<2> all;
        all.positions = PointView<2>::interleaved(anywhere[0].axis.data(), kAgents);
        std::vector<Id> order(kAgents);
        if (crowd.update(all).ok()) { (void)crowd.order(order); }
        for (const Id id : order) {
            const Point<2>& from = anywhere[id];
            const auto near = [&](float most) {
                return Point<2>{{from[0] + most * 0.7f * random.between(-1.0f, 1.0f),
                                 from[1] + most * 0.7f * random.between(-1.0f, 1.0f)}};
            };
            agents.push_back(from);
            looks.push_back({from, near(10.0f)});
            steps.push_back({from, near(1.0f), 0.3f});
        }
    }

    static const City& get(bool straight) {
        static const City cities[] = {City(false), City(true)};
        return cities[straight ? 1 : 0];
    }
};

template <class Ask>
void run(benchmark::State& state, bool straight, const Ask& ask) {
    const City& city = City::get(straight);
    ObstacleArrays<2> arrays;
    arrays.walls = {city.walls.data(), sizeof(Wall), city.walls.size()};
    Obstacles<2> obstacles;
    if (!obstacles.set(arrays).ok()) {
        state.SkipWithError("the walls were refused");
        return;
    }
    Stopwatch watch;
    std::size_t found = 0;
    for (auto _ : state) {
        watch.time([&] { found = ask(city, obstacles).count; });
        watch.end_iteration(state);
    }
    report(state, watch, {kAgents, found, obstacles.memory().total(), kWalls});
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
        static std::vector<ObstacleNear<2>> near(kAgents);
        return obstacles.nearest(city.agents, near);
    });
    add("sight", [](const City& city, const Obstacles<2>& obstacles) {
        static std::vector<std::uint8_t> clear(kAgents);
        return obstacles.sight(city.looks, clear);
    });
    static std::vector<ObstacleHit<2>> hits;
    add("step", [](const City& city, const Obstacles<2>& obstacles) {
        hits.resize(kAgents);
        return obstacles.first(city.steps, hits);
    });
    add("look", [](const City& city, const Obstacles<2>& obstacles) {
        hits.resize(kAgents);
        return obstacles.first(city.looks, hits);
    });
}

} // namespace throng::bench
