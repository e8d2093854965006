// Neighbours that agents see past the walls of a city, and what their lists cost without walls.
#include "benchmarks.hpp"
#include "measure.hpp"
#include "obstacle_city.hpp"

#include <throng/parallel/batch/batch.hpp>
#include <throng/parallel/sight/in_sight.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace throng::bench {

namespace {

struct Question {
    std::size_t agents;
    float radius;
    const char* name;
};
constexpr Question kQuestions[] = {
    {100'000, 5.0f, "100000/5"}, {1'000'000, 2.0f, "1000000/2"}, {1'000'000, 5.0f, "1000000/5"}};

/// The first agents of the city, whose ids are in storage order, as in programs that sort them.
throng::Crowd<2> crowd_of(const City& city, std::size_t agents) {
    // Every tenth: in storage order the first ones stand in one corner.
    const std::size_t step = city.agents.size() / agents;
    std::vector<Point<2>> some;
    for (std::size_t i = 0; i < agents; ++i) {
        some.push_back(city.agents[i * step]);
    }
    Agents<2> all;
    all.positions = PointView<2>::interleaved(some[0].axis.data(), some.size());
    throng::Crowd<2> crowd;
    (void)crowd.update(all);
    return crowd;
}

template <class Ask>
void run(benchmark::State& state, const Question& question, bool straight, const Ask& ask) {
    const City& city = City::get(straight);
    const throng::Crowd<2> crowd = crowd_of(city, question.agents);
    Obstacles<2> obstacles;
    if (crowd.size() != question.agents || !obstacles.set(city.arrays()).ok()) {
        state.SkipWithError("the city was refused");
        return;
    }
    Stopwatch watch;
    Hits hits;
    InSight<2> in_sight;
    Batch<2> batch;
    for (auto _ : state) {
        watch.time([&] {
            if (!ask(in_sight, batch, crowd, obstacles, question.radius, hits).ok()) {
                state.SkipWithError("the question was refused");
            }
        });
        watch.end_iteration(state);
    }
    report(state, watch, {question.agents, hits.total(), in_sight.memory(), question.agents});
}

template <class Ask>
void add(const std::string& name, bool straight, const Ask& ask) {
    for (const Question& question : kQuestions) {
        benchmark::RegisterBenchmark(
            ("in_sight/" + name + "/" + question.name).c_str(),
            [=](benchmark::State& state) { run(state, question, straight, ask); })
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
    }
}

} // namespace

void register_in_sight() {
    add("all", true,
        [](InSight<2>&, Batch<2>& batch, const throng::Crowd<2>& crowd, const Obstacles<2>&,
           float radius, Hits& hits) { return batch.neighbours(crowd, {radius}, hits); });
    for (const bool straight : {true, false}) {
        add(straight ? "straight" : "turned", straight,
            [](InSight<2>& in_sight, Batch<2>&, const throng::Crowd<2>& crowd,
               const Obstacles<2>& obstacles, float radius,
               Hits& hits) { return in_sight.neighbours(crowd, obstacles, {radius}, hits); });
    }
}

} // namespace throng::bench
