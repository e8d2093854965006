// Obstacles against other libraries: the nearest wall, sight and the first hit among walls in the
// plane, sight and the first hit among triangles in space. Answers are compared before anything is
// timed; then all contenders are timed alternately.
#include "../machine/machine.hpp"
#include "../obstacle_city.hpp"
#include "obstacle_peers.hpp"

#include <throng/engine/obstacles/obstacles.hpp>
#include <throng/simd/isa/isa.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace throng::shootout {

namespace {

constexpr std::size_t kRuns = 5;
/// Peers compute in floats, so this fraction of answers may differ on rims.
constexpr double kMostOther = 1e-4;
constexpr float kNearEnough = 1e-3f;

void ok(const Status& status) {
    if (!status.ok()) { throw std::runtime_error(to_string(status)); }
}

enum class Format { table, rows };

template <std::size_t Dim>
struct Questions {
    Format format;
    const char* scene;
    std::vector<Point<Dim>> points;
    std::vector<Segment<Dim>> looks;
};

template <std::size_t Dim>
std::array<ObstacleContender<Dim>, 2> ours(const Obstacles<Dim>& obstacles) {
    ObstacleContender<Dim> single = {"obstacles", "single", true};
    ObstacleContender<Dim> batch = {"obstacles", "batch", true};
    single.nearest = [&](std::span<const Point<Dim>> points, std::span<float> distances) {
        ObstacleNear<Dim> near;
        for (std::size_t i = 0; i < points.size(); ++i) {
            ok(obstacles.nearest(points[i], near).status);
            distances[i] = near.distance;
        }
    };
    single.sight = [&](std::span<const Segment<Dim>> looks, std::span<std::uint8_t> clear) {
        for (std::size_t i = 0; i < looks.size(); ++i) {
            clear[i] = static_cast<std::uint8_t>(obstacles.sight(looks[i]).count);
        }
    };
    single.first = [&](std::span<const Segment<Dim>> looks, std::span<float> times) {
        ObstacleHit<Dim> hit;
        for (std::size_t i = 0; i < looks.size(); ++i) {
            ok(obstacles.first(looks[i], hit).status);
            times[i] = hit.time;
        }
    };
    batch.nearest = [&](std::span<const Point<Dim>> points, std::span<float> distances) {
        static std::vector<ObstacleNear<Dim>> near;
        near.resize(points.size());
        ok(obstacles.nearest(points, near).status);
        for (std::size_t i = 0; i < points.size(); ++i) {
            distances[i] = near[i].distance;
        }
    };
    batch.sight = [&](std::span<const Segment<Dim>> looks, std::span<std::uint8_t> clear) {
        ok(obstacles.sight(looks, clear).status);
    };
    batch.first = [&](std::span<const Segment<Dim>> looks, std::span<float> times) {
        static std::vector<ObstacleHit<Dim>> hits;
        hits.resize(looks.size());
        ok(obstacles.first(looks, hits).status);
        for (std::size_t i = 0; i < looks.size(); ++i) {
            times[i] = hits[i].time;
        }
    };
    return {single, batch};
}

bool is_same(std::uint8_t one, std::uint8_t other) { return one == other; }
bool is_same(float one, float other) {
    return one == other || std::abs(one - other) <= kNearEnough;
}

bool is_hit(std::uint8_t clear) { return clear == 0; }
bool is_hit(float near_or_time) { return near_or_time != kNoHit; }

/// Compares all contenders that have this kind of answer; ask(contender) returns its function. The
/// first one's answers are the right ones. False if another's differ too often.
template <class Answer, std::size_t Dim, class Question, class Ask>
bool compete(const Questions<Dim>& all, const char* question,
             const std::vector<ObstacleContender<Dim>>& contenders,
             const std::vector<Question>& questions, const Ask& ask) {
    struct Turn {
        const ObstacleContender<Dim>* contender;
        std::size_t other = 0, hits = 0;
        std::vector<double> nanoseconds{};
    };
    const auto count = static_cast<double>(questions.size());
    std::vector<Turn> turns;
    std::vector<Answer> right(questions.size()), answers(questions.size());
    bool all_right = true;
    for (const ObstacleContender<Dim>& contender : contenders) {
        const auto& asked = ask(contender);
        if (!asked) { continue; }
        asked(questions, answers);
        if (turns.empty()) { right = answers; }
        Turn turn = {&contender};
        for (std::size_t i = 0; i < questions.size(); ++i) {
            turn.other += is_same(answers[i], right[i]) ? 0 : 1;
            turn.hits += is_hit(answers[i]) ? 1 : 0;
        }
        all_right = all_right && static_cast<double>(turn.other) <= kMostOther * count;
        turns.push_back(turn);
    }
    for (std::size_t run = 0; run < kRuns; ++run) {
        for (Turn& turn : turns) {
            const auto start = std::chrono::steady_clock::now();
            ask (*turn.contender)(questions, answers);
            const std::chrono::duration<double, std::nano> taken =
                std::chrono::steady_clock::now() - start;
            turn.nanoseconds.push_back(taken.count() / count);
        }
    }
    for (Turn& turn : turns) {
        std::sort(turn.nanoseconds.begin(), turn.nanoseconds.end());
        const ObstacleContender<Dim>& one = *turn.contender;
        const char* const name = one.name.c_str();
        const std::vector<double>& taken = turn.nanoseconds;
        if (all.format == Format::table) {
            const std::string way = one.ours ? ", " + one.way : "";
            std::printf("| %s | %s | %s%s | %.0f | %zu |\n", all.scene, question, name, way.c_str(),
                        taken[kRuns / 2], turn.other);
            continue;
        }
        std::string scene = all.scene;
        std::replace(scene.begin(), scene.end(), ' ', '_');
        std::printf("%s,%s,%zu,%s,obstacle_%s,%s,%zu,1,%zu,%zu,,,%.3f,%.3f,%.3f,%zu,,yes\n", name,
                    one.ours ? "ours" : "peer", Dim, scene.c_str(), question, one.way.c_str(),
                    bench::City::kWalls, questions.size(), turn.hits, taken[kRuns / 2],
                    taken.front(), taken.back(), kRuns);
    }
    return all_right;
}

template <std::size_t Dim>
bool compete(const Obstacles<Dim>& obstacles, const std::vector<ObstacleContender<Dim>>& peers,
             const Questions<Dim>& questions) {
    std::vector<ObstacleContender<Dim>> all;
    for (ObstacleContender<Dim>& one : ours(obstacles)) {
        all.push_back(std::move(one));
    }
    all.insert(all.end(), peers.begin(), peers.end());
    const bool nearest = compete<float>(
        questions, "nearest", all, questions.points,
        [](const auto& one) -> auto& { return one.nearest; });
    const bool sight = compete<std::uint8_t>(
        questions, "sight", all, questions.looks,
        [](const auto& one) -> auto& { return one.sight; });
    const bool first = compete<float>(
        questions, "first", all, questions.looks,
        [](const auto& one) -> auto& { return one.first; });
    return nearest && sight && first;
}

bool in_plane(Format format, bool straight, std::size_t count) {
    const bench::City city(straight, 0.0f);
    Obstacles<2> obstacles;
    ObstacleArrays<2> arrays;
    arrays.walls = {city.walls.data(), sizeof(Wall), city.walls.size()};
    ok(obstacles.set(arrays));
    std::vector<ObstacleContender<2>> peers;
#if defined(THRONG_SHOOTOUT_BOOST)
    peers.push_back(boost_walls(city.walls));
#endif
#if defined(THRONG_SHOOTOUT_BOX2D)
    peers.push_back(box2d_walls(city.walls));
#endif
    const auto end = static_cast<std::ptrdiff_t>(std::min(count, city.agents.size()));
    const char* const scene = straight ? "walls along the axes" : "walls turned anyhow";
    return compete(obstacles, peers,
                   Questions<2>{format,
                                scene,
                                {city.agents.begin(), city.agents.begin() + end},
                                {city.looks.begin(), city.looks.begin() + end}});
}

/// Triangles up to 6 wide, anywhere in a cube. Lines of sight are up to 10 long on each axis, and
/// mostly begin near the previous one.
bool in_space(Format format, std::size_t count) {
    constexpr float kSide = 100.0f;
    scenes::Random random(7);
    const auto moved = [&](const Point<3>& from, float most) {
        Point<3> to = from;
        for (float& x : to.axis) {
            x += most * random.between(-1.0f, 1.0f);
        }
        return to;
    };
    const Point<3> middle = Point<3>::all(0.5f * kSide);
    std::vector<Triangle> triangles;
    for (std::size_t i = 0; i < bench::City::kWalls; ++i) {
        const Point<3> corner = moved(middle, 0.5f * kSide);
        triangles.push_back({{corner, moved(corner, 3.0f), moved(corner, 3.0f)}});
    }
    Questions<3> questions = {format, "triangles in space", {}, {}};
    Point<3> walk = middle;
    for (std::size_t i = 0; i < count; ++i) {
        walk = i % 64 == 0 ? moved(middle, 0.5f * kSide) : moved(walk, 1.0f);
        questions.points.push_back(walk);
        questions.looks.push_back({walk, moved(walk, 10.0f)});
    }
    Obstacles<3> obstacles;
    ObstacleArrays<3> arrays;
    arrays.triangles = {triangles.data(), sizeof(Triangle), triangles.size()};
    ok(obstacles.set(arrays));
    std::vector<ObstacleContender<3>> peers;
#if defined(THRONG_SHOOTOUT_EMBREE)
    peers.push_back(embree_triangles(triangles));
#endif
    return compete(obstacles, peers, questions);
}

int run(bool quick, Format format) {
    if (format == Format::table) {
        std::printf("%s, %s\n\n", bench::this_machine().name.c_str(), to_string(active_isa()));
        std::printf("| scene | question | answered by | ns | other answers |\n");
        std::printf("|---|---|---|---|---|\n");
    }
    const std::size_t count = quick ? 20'000 : 250'000;
    bool right = in_plane(format, true, count);
    right = in_plane(format, false, count) && right;
    right = in_space(format, count / 2) && right;
    if (!right) { std::fprintf(stderr, "throng_obstacle_contest: answers differ\n"); }
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}

} // namespace

} // namespace throng::shootout

int main(int argc, char** argv) {
    using throng::shootout::Format;
    bool quick = false;
    Format format = Format::table;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--quick") == 0) {
            quick = true;
        } else if (std::strcmp(argv[i], "--rows") == 0) {
            format = Format::rows; // rows of shootout.csv, for scripts/report
        } else {
            std::fprintf(stderr, "usage: throng_obstacle_contest [--quick] [--rows]\n");
            return 2;
        }
    }
    try {
        return throng::shootout::run(quick, format);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "throng_obstacle_contest: %s\n", error.what());
        return EXIT_FAILURE;
    }
}
