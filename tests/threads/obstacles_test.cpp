// Several threads ask obstacles in a periodic world, and look across its borders, at once.
#include "crews.hpp"

#include "../parallel/sight/round_city.hpp"

#include <throng/parallel/sight/in_sight.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng::test {
namespace {

/// What obstacles answer one by one and in batches, and who sees whom, as numbers.
template <std::size_t Dim>
std::vector<std::uint64_t> asked_around(const RoundCity<Dim>& city, Executor& executor) {
    const Obstacles<Dim>& obstacles = city.obstacles.around;
    std::vector<std::uint64_t> numbers;
    const auto note = [&](std::span<const std::uint32_t> values) {
        numbers.insert(numbers.end(), values.begin(), values.end());
    };
    const auto note_ids = [&](const auto& answers) {
        for (const auto& answer : answers) {
            numbers.push_back(answer.id);
        }
    };
    std::vector<Ball<Dim>> balls;
    std::vector<Box<Dim>> boxes;
    std::vector<Segment<Dim>> lines;
    std::vector<Moving<Dim, Box>> movers;
    for (std::size_t i = 0; i < city.places.size(); ++i) {
        const Point<Dim>& at = city.places[i];
        balls.push_back({at, 1.5f});
        boxes.push_back(Box<Dim>::around(at, Point<Dim>::all(0.5f)));
        lines.push_back({at, city.places[city.places.size() - 1 - i]});
        movers.push_back({boxes.back(), Point<Dim>::all(i % 2 == 0 ? 3.0f : -3.0f)});
    }
    std::vector<ObstacleNear<Dim>> near(balls.size()), some;
    std::vector<ObstacleHit<Dim>> hits(balls.size());
    std::vector<std::uint8_t> clear(balls.size());
    ObstaclesWithin<Dim> within;
    Hits ids;
    EXPECT_TRUE(obstacles.nearest(city.places, near, executor).status.ok());
    note_ids(near);
    EXPECT_TRUE(obstacles.query(balls, within, executor).status.ok());
    note_ids(std::span(within.near).first(within.total()));
    EXPECT_TRUE(obstacles.first(lines, hits, executor).status.ok());
    note_ids(hits);
    EXPECT_TRUE(obstacles.first(movers, hits, executor).status.ok());
    note_ids(hits);
    EXPECT_TRUE(obstacles.query(boxes, ids, executor).status.ok());
    note({ids.ids.data(), ids.total()});
    numbers.push_back(obstacles.sight(lines, clear, executor).count);
    for (std::size_t i = 0; i < balls.size(); i += 8) {
        EXPECT_TRUE(obstacles.query(balls[i], some).status.ok());
        note_ids(some);
        EXPECT_TRUE(obstacles.first(lines[i], hits[i]).status.ok());
        note_ids(std::span(hits).subspan(i, 1));
    }
    InSight<Dim> in_sight(executor);
    EXPECT_TRUE(in_sight.neighbours(city.crowd, obstacles, {2.0f}, ids).ok());
    note({ids.ids.data(), ids.total()});
    EXPECT_TRUE(in_sight.query(city.crowd, obstacles, balls, ids).ok());
    note({ids.ids.data(), ids.total()});
    return numbers;
}

template <std::size_t Dim>
void expect_obstacles_agree(Executor& executor) {
    scenes::Random random(61);
    const RoundCity<Dim> city(random, true, 0.5f);
    const std::vector<std::uint64_t> expected = asked_around(city, serial_executor());
    // One uses the executor: oneTBB gives memory from thread to thread, which the sanitizer does
    // not see, and these threads end soon.
    std::array<std::vector<std::uint64_t>, 3> heard;
    on_own_threads(heard.size(), [&](std::size_t i) {
        heard[i] = asked_around(city, i == 0 ? executor : serial_executor());
    });
    for (const std::vector<std::uint64_t>& numbers : heard) {
        EXPECT_TRUE(numbers == expected);
    }
}

class ThreadedObstacles : public ::testing::TestWithParam<Crew> {};

TEST_P(ThreadedObstacles, AnswerAroundTheWorld2d) { GetParam().call(expect_obstacles_agree<2>); }

TEST_P(ThreadedObstacles, AnswerAroundTheWorld3d) { GetParam().call(expect_obstacles_agree<3>); }

INSTANTIATE_TEST_SUITE_P(, ThreadedObstacles, ::testing::ValuesIn(crews()),
                         [](const auto& of) { return of.param.name; });

} // namespace
} // namespace throng::test
