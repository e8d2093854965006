// Neighbours in sight past the walls of a city, and the cost of their lists without walls; and
// sight past many small walls, compared with single lines of sight.
#include "benchmarks.hpp"
#include "measure/measure.hpp"
#include "obstacle_city.hpp"

#include <throng/parallel/batch/batch.hpp>
#include <throng/parallel/sight/in_sight.hpp>

#include <cstddef>
#include <cstdint>
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

/// A crowd of some agents of the city, whose ids are in storage order, as in programs that sort
/// agents.
throng::Crowd<2> crowd_of(const City& city, std::size_t agents) {
    // Every `step`-th agent, because in storage order the first ones are all in one corner.
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

/// Agents among tiny walls, so dense that most lists have very many walls around them.
struct Specks {
    static constexpr float kSide = 10.0f, kLength = 0.01f;
    static constexpr std::size_t kAgents = 400;

    std::vector<Point<2>> agents;
    throng::Crowd<2> crowd;
    Obstacles<2> obstacles;

    explicit Specks(std::size_t count) {
        scenes::Random random(1);
        const auto anywhere = [&] {
            return Point<2>{{random.between(0.0f, kSide), random.between(0.0f, kSide)}};
        };
        for (std::size_t i = 0; i < kAgents; ++i) {
            agents.push_back(anywhere());
        }
        std::vector<Wall> walls;
        for (std::size_t i = 0; i < count; ++i) {
            const Point<2> from = anywhere();
            walls.push_back({from,
                             {{from[0] + random.between(-kLength, kLength),
                               from[1] + random.between(-kLength, kLength)}},
                             0.0f});
        }
        Agents<2> all;
        all.positions = PointView<2>::interleaved(agents[0].axis.data(), kAgents);
        ObstacleArrays<2> arrays;
        arrays.walls = {walls.data(), sizeof(Wall), walls.size()};
        (void)crowd.update(all);
        (void)obstacles.set(arrays);
    }
};

/// Makes lists, and calls Obstacles::sight() for each entry.
Status look_one_by_one(const Specks& specks, Batch<2>& batch, float radius, Hits& hits) {
    const Status status = batch.neighbours(specks.crowd, {radius}, hits, throng::Order::ids);
    std::uint64_t seen = 0;
    for (Id id = 0; id < specks.agents.size() && status.ok(); ++id) {
        for (const Id other : hits.of(id)) {
            seen +=
                specks.obstacles.sight(Segment<2>{specks.agents[id], specks.agents[other]}).count;
        }
    }
    benchmark::DoNotOptimize(seen);
    return status;
}

void run_among_specks(benchmark::State& state, std::size_t walls, float radius, bool one_by_one) {
    const Specks specks(walls);
    Stopwatch watch;
    Hits hits;
    InSight<2> in_sight;
    Batch<2> batch;
    for (auto _ : state) {
        watch.time([&] {
            const Status status = one_by_one
                                      ? look_one_by_one(specks, batch, radius, hits)
                                      : in_sight.neighbours(specks.crowd, specks.obstacles,
                                                            {radius}, hits, throng::Order::ids);
            if (!status.ok()) { state.SkipWithError("the question was refused"); }
        });
        watch.end_iteration(state);
    }
    report(state, watch, {Specks::kAgents, hits.total(), in_sight.memory(), Specks::kAgents});
}

void add_specks(bool one_by_one) {
    for (const std::size_t walls : {200u, 2'000u, 20'000u, 200'000u}) {
        for (const int radius : {1, 3, 20}) {
            benchmark::RegisterBenchmark(
                ("in_sight/specks/" + std::string(one_by_one ? "one_by_one/" : "lists/") +
                 std::to_string(walls) + "/" + std::to_string(radius))
                    .c_str(),
                [=](benchmark::State& state) {
                    run_among_specks(state, walls, static_cast<float>(radius), one_by_one);
                })
                ->UseManualTime()
                ->Unit(benchmark::kMillisecond);
        }
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
    add_specks(false);
    add_specks(true);
}

} // namespace throng::bench
