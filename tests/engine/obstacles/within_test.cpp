// The obstacles within each of many balls, against the oracle and against single questions: balls
// beside each other, which share a search, and balls that are far apart or far too large for that.
#include "obstacle_scene.hpp"

#include "../../support/dims.hpp"
#include "../../support/fail_each.hpp"
#include "../../support/threads/executors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

namespace throng::test {
namespace {

template <class Dim>
class WithinBalls : public testing::Test {};
TYPED_TEST_SUITE(WithinBalls, Dims, DimNames);

constexpr Filter kFiltersOfBalls[] = {{}, {5, kNoId}, {kAllGroups, 17}, {0, kNoId}};

/// Balls along a walk, of which one in fifty is anywhere, and one in forty very large.
template <std::size_t Dim>
std::vector<Ball<Dim>> balls_along(scenes::Random& random, std::size_t count, float world,
                                   float size) {
    std::vector<Ball<Dim>> balls;
    Point<Dim> walk{};
    for (std::size_t i = 0; i < count; ++i) {
        walk = random.below(50) == 0 ? random_point<Dim>(random, world)
                                     : moved(walk, random_point<Dim>(random, 0.3f * size));
        float radius = random.below(5) == 0 ? 0.0f : random.between(0.0f, 2.0f * size);
        if (random.below(40) == 0) { radius = 0.3f * world; }
        balls.push_back({walk, radius});
    }
    return balls;
}

template <std::size_t Dim>
using ListsOfBalls = std::vector<std::vector<ObstacleNear<Dim>>>;

template <std::size_t Dim>
void compare_lists(const ObstaclesWithin<Dim>& within, const Found& found,
                   const ListsOfBalls<Dim>& expected) {
    ASSERT_EQ(found.status, Status{});
    ASSERT_EQ(within.offsets.size(), expected.size() + 1);
    std::size_t total = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_EQ(within.offsets[i], total);
        const auto of = within.of(i);
        ASSERT_EQ(std::vector<ObstacleNear<Dim>>(of.begin(), of.end()), expected[i]) << i;
        total += expected[i].size();
    }
    ASSERT_EQ(found.count, total);
    ASSERT_EQ(within.total(), total);
}

TYPED_TEST(WithinBalls, AreThoseThatTheOracleHas) {
    constexpr std::size_t kDim = TypeParam::value;
    struct WorldSizes {
        std::size_t count;
        float world, size;
    };
    constexpr WorldSizes kWorldSizes[] = {
        {0, 1, 1},          {1, 2, 2},           {60, 5, 1},          {2000, 150, 5},
        {2000, 1e6f, 3e4f}, {300, 1e17f, 1e16f}, {300, 1e-3f, 1e-4f}, {300, 1e-16f, 1e-17f}};
    scenes::Random random(41);
    ObstaclesWithin<kDim> within;
    for (const WorldSizes& sizes : kWorldSizes) {
        SCOPED_TRACE(testing::Message() << sizes.count << " in " << sizes.world);
        ObstacleTruth<kDim> truth;
        truth.fill(random, sizes.count, sizes.world, sizes.size);
        Obstacles<kDim> obstacles;
        ASSERT_EQ(obstacles.set(truth.arrays()), Status{});
        auto balls = balls_along<kDim>(random, 300, sizes.world, sizes.size);
        for (std::size_t i = 0; i < balls.size(); i += 3) { // an obstacle exactly on the rim
            const auto around = truth.within(balls[i].centre, 2.0f * sizes.size, {});
            if (!around.empty()) {
                const auto which = random.below(static_cast<std::uint32_t>(around.size()));
                balls[i].radius = std::max(around[which].distance, 0.0f);
            }
        }
        for (const Filter& filter : kFiltersOfBalls) {
            ListsOfBalls<kDim> expected(balls.size());
            for (std::size_t i = 0; i < balls.size() && filter.groups != 0; ++i) {
                expected[i] = truth.within(balls[i].centre, balls[i].radius, filter);
            }
            compare_lists(within, obstacles.query(balls, within, serial_executor(), filter),
                          expected);
            if (testing::Test::HasFatalFailure()) { return; }
        }
    }
}

TYPED_TEST(WithinBalls, AreTheSameOnAnyExecutor) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(42);
    ObstacleTruth<kDim> truth;
    truth.fill(random, 4000, 80.0f, 3.0f);
    Obstacles<kDim> obstacles;
    ASSERT_EQ(obstacles.set(truth.arrays()), Status{});
    ObstaclesWithin<kDim> within;
    ShuffleExecutor shuffled(3);
    EagerPool pool(3);
    BoastingExecutor boasting(7);
    // The shorter questions reuse what the longer ones left.
    for (const std::size_t count : {5000u, 1024u, 1025u, 17u, 1u, 0u}) {
        const auto balls = balls_along<kDim>(random, count, 80.0f, 3.0f);
        ListsOfBalls<kDim> expected(count);
        for (std::size_t i = 0; i < count; ++i) {
            ASSERT_EQ(obstacles.query(balls[i], expected[i]).status, Status{});
        }
        for (Executor* const executor :
             {&serial_executor(), static_cast<Executor*>(&shuffled), static_cast<Executor*>(&pool),
              static_cast<Executor*>(&boasting)}) {
            compare_lists(within, obstacles.query(balls, within, *executor), expected);
            if (testing::Test::HasFatalFailure()) { return; }
        }
    }
}

TEST(WithinBallsOfTheCity, TouchWallsAtWholeDistances) {
    scenes::Random random(43);
    for (const float far : {0.0f, 4096.0f}) {
        ObstacleTruth<2> truth;
        const auto corner = [&] { return far + static_cast<float>(random.below(40)); };
        for (int i = 0; i < 500; ++i) {
            Wall wall = {{{corner(), corner()}}, {}, random.below(2) == 0 ? 0.5f : 0.0f};
            wall.to = wall.from;
            wall.to[random.below(2)] += static_cast<float>(random.below(7));
            truth.thin.push_back(wall);
        }
        truth.list();
        Obstacles<2> obstacles;
        ASSERT_EQ(obstacles.set(truth.arrays()), Status{});
        std::vector<Ball<2>> balls;
        ListsOfBalls<2> expected;
        std::size_t touching = 0;
        for (int i = 0; i < 2000; ++i) {
            const float x = far + static_cast<float>(i % 80) * 0.5f;
            const float y = far + static_cast<float>(i / 80) * 0.5f;
            balls.push_back({{{x, y}}, static_cast<float>(random.below(8)) * 0.25f});
            expected.push_back(truth.within(balls.back().centre, balls.back().radius, {}));
            for (const ObstacleNear<2>& near : expected.back()) {
                touching += near.distance == balls.back().radius ? 1 : 0;
            }
        }
        EXPECT_GT(touching, 500u);
        ObstaclesWithin<2> within;
        compare_lists(within, obstacles.query(balls, within), expected);
    }
}

TYPED_TEST(WithinBalls, AreRefusedWhereOneIsNone) {
    constexpr std::size_t kDim = TypeParam::value;
    Obstacles<kDim> obstacles;
    ASSERT_EQ(obstacles.insert(3, Box<kDim>{{}, Point<kDim>::all(1.0f)}), Status{});
    ObstaclesWithin<kDim> within;
    std::vector<Ball<kDim>> balls(40, Ball<kDim>{{}, 1.0f});
    ASSERT_EQ(obstacles.query(balls, within).count, balls.size());
    const auto before = within.near;
    balls[33].radius = -1.0f;
    EXPECT_EQ(obstacles.query(balls, within), (Found{0, {Cause::negative, Argument::ball, 33}}));
    balls[20].centre[1] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(obstacles.query(balls, within), (Found{0, {Cause::not_finite, Argument::ball, 20}}));
    obstacles.clear(); // refused where there is nothing to find, too
    EXPECT_FALSE(obstacles.query(balls, within).ok());
    EXPECT_EQ(within.near, before);
    EXPECT_EQ(within.total(), balls.size());
}

TYPED_TEST(WithinBalls, FailWithTheirExecutorOrMemory) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(44);
    ObstacleTruth<kDim> truth;
    truth.fill(random, 300, 20.0f, 3.0f);
    const auto balls = balls_along<kDim>(random, 3000, 20.0f, 3.0f);
    Obstacles<kDim> obstacles;
    ASSERT_EQ(obstacles.set(truth.arrays()), Status{});
    ObstaclesWithin<kDim> expected;
    ASSERT_EQ(obstacles.query(balls, expected).status, Status{});
    for (const Fault fault : kEveryFault) {
        for (std::size_t run = 0; run < 3; ++run) {
            FaultyExecutor executor(fault, run);
            ObstaclesWithin<kDim> within;
            try {
                const Found found = obstacles.query(balls, within, executor);
                if (found.status.ok()) {
                    EXPECT_EQ(within.offsets, expected.offsets);
                    EXPECT_EQ(within.near, expected.near);
                } else {
                    EXPECT_TRUE(executor.failed());
                    EXPECT_EQ(found, (Found{0,
                                            {Cause::executor_failed, found.status.argument,
                                             found.status.index}}));
                }
            } catch (const ExecutorError&) { EXPECT_TRUE(executor.failed()); }
        }
    }
    const std::span<const Ball<kDim>> few(balls.data(), 100);
    struct Subject {
        ObstaclesWithin<kDim> within;
    };
    const AllocationsFail all;
    ShuffleExecutor shuffled(6);
    for (Executor* const executor : {&serial_executor(), static_cast<Executor*>(&shuffled)}) {
        fail_each_allocation([] { return std::make_unique<Subject>(); },
                             [&](const std::unique_ptr<Subject>& subject) {
                                 return obstacles.query(few, subject->within, *executor).status;
                             },
                             [&](const std::unique_ptr<Subject>&) { return obstacles.size(); });
    }
    ObstaclesWithin<kDim> after;
    EXPECT_EQ(obstacles.query(balls, after).count, expected.total());
    EXPECT_EQ(after.near, expected.near);
}

} // namespace
} // namespace throng::test
