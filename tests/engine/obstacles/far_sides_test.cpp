// A shape that is endless on one axis is not widened on the others: columns, strips, floors and
// tall houses find, and are found by, what touches them, and nothing that is well away.
#include <throng/engine/obstacles/obstacles.hpp>
#include <throng/engine/obstacles/store/search.hpp>
#include <throng/engine/obstacles/store/state.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace throng::test {
namespace {

constexpr float kFar = kLargest;

/// Half edges of a box that is turned about z by an angle whose sine is 3/5.
OrientedBox<3> crate(const Point<3>& centre, float half_height) {
    return {centre, {{{{0.8f, 0.6f, 0}}, {{-0.6f, 0.8f, 0}}, {{0, 0, half_height}}}}};
}

TEST(FarSides, SlackBelongsToEachAxis) {
    const Box<3> column = {{{3, 4, -kFar}}, {{5, 6, kFar}}};
    const Box<3> wide = obstacle::widened(column, 10.0);
    for (std::size_t a = 0; a < 2; ++a) {
        EXPECT_LT(wide.lo[a], column.lo[a]);
        EXPECT_GT(wide.lo[a], column.lo[a] - 1e-5f);
        EXPECT_GT(wide.hi[a], column.hi[a]);
        EXPECT_LT(wide.hi[a], column.hi[a] + 1e-5f);
    }
    // In the tree, too, an obstacle gets its slack on each axis by itself.
    const auto place = obstacle::place_of(obstacle::Record<3>::of(1, column));
    EXPECT_GE(place.half_extent[0], 1.0f);
    EXPECT_LT(place.half_extent[0], 1.00001f);
}

/// Calls ask(x, wanted) for questions at a distance x from touching the obstacle.
template <class Ask>
void near_and_away(const Ask& ask) {
    ask(0.0f, true);
    ask(0.5f, false);
    ask(100.0f, false);
}

TEST(FarSides, OfTallHouses) {
    Obstacles<3> house;
    ASSERT_EQ(house.insert(7, Box<3>{{{-10, -10, -kFar}}, {{0, 10, kFar}}}), Status{});
    std::vector<Id> ids;
    std::vector<ObstacleNear<3>> near;
    ObstacleHit<3> hit;
    near_and_away([&](float x, bool wanted) {
        const std::size_t count = wanted ? 1 : 0;
        EXPECT_EQ(house.query(Cylinder<3>{{{x + 2, 1, 0}}, 2.0f}, ids).count, count) << x;
        EXPECT_EQ(house.query(Box<3>{{{x, -kFar, -kFar}}, {{x + 1, kFar, kFar}}}, ids).count, count)
            << x;
        EXPECT_EQ(house.query(crate({{x + 1.4f, 1, 5}}, 2.0f), ids).count, count) << x;
        EXPECT_EQ(house.query(Ball<3>{{{x + 3, 1, 4}}, 3.0f}, near).count, count) << x;
        const Sector<3> view = {{{x + 3, 1, 4}}, 3.0f, {{-1, 0, 0}}, 0.5f};
        EXPECT_EQ(house.query(view, ids).count, count) << x;
        EXPECT_EQ(house.first(Segment<3>{{{x, -20, 0}}, {{x, 20, 3}}}, hit).count, count) << x;
        EXPECT_EQ(house.first(Capsule<3>{{{x + 2, -20, 0}}, {{x + 2, 20, 3}}, 2.0f}, hit).count,
                  count)
            << x;
        // Past an upright edge, which is nearer than a corner of the house made wider.
        const float y = 0.75f * x;
        const Capsule<3> past = {{{x - 13, y + 31.5f, 0}}, {{x + 17, y - 8.5f, 3}}, 2.5f};
        EXPECT_EQ(house.first(past, hit).count, count) << x;
        const Moving<3, OrientedBox> slides = {crate({{x + 1.4f, -30, 5}}, 2.0f), {{0, 60, 1}}};
        EXPECT_EQ(house.first(slides, hit).count, count) << x;
        const Moving<3, Capsule> rod = {{{{x + 1, -30, 5}}, {{x + 1, -29, 6}}, 1.0f}, {{0, 60, 1}}};
        EXPECT_EQ(house.first(rod, hit).count, count) << x;
        const Moving<3, Box> box = {{{{x, -30, -kFar}}, {{x + 1, -29, kFar}}}, {{0, 60, 0}}};
        EXPECT_EQ(house.first(box, hit).count, count) << x;
    });
}

TEST(FarSides, OfFloors) {
    Obstacles<3> floor;
    ASSERT_EQ(floor.insert(7, Box<3>{{{-kFar, -kFar, -kFar}}, {{kFar, kFar, 0}}}), Status{});
    std::vector<Id> ids;
    ObstacleHit<3> hit;
    near_and_away([&](float z, bool wanted) {
        const std::size_t count = wanted ? 1 : 0;
        EXPECT_EQ(floor.query(crate({{70, 30, z + 2}}, 2.0f), ids).count, count) << z;
        const Moving<3, OrientedBox> slides = {crate({{70, 30, z + 2}}, 2.0f), {{5, 5, 0}}};
        EXPECT_EQ(floor.first(slides, hit).count, count) << z;
        const Moving<3, OrientedBox> falls = {crate({{70, 30, z + 9}}, 2.0f), {{1, 1, -7}}};
        EXPECT_EQ(floor.first(falls, hit).count, count) << z;
        if (wanted) {
            EXPECT_EQ(hit.time, 1.0f);
            EXPECT_EQ(hit.normal, (Point<3>{{0, 0, 1}}));
        }
        const Cylinder<3> cylinder = {{{70, 30, 0}}, 2.0f, z, z + 5};
        EXPECT_EQ(floor.query(cylinder, ids).count, count) << z;
    });
}

TEST(FarSides, OfQuestionsAboutWhatIsTurned) {
    Obstacles<3> turned;
    ASSERT_EQ(turned.insert(7, crate({{-1.4f, 0, 0}}, 2.0f)), Status{}); // as far as x = 0
    ASSERT_EQ(turned.insert(8, Triangle{{{{{0, 40, 0}}, {{-3, 44, 1}}, {{-4, 40, 5}}}}}), Status{});
    std::vector<Id> ids;
    std::vector<ObstacleHit<3>> hits;
    near_and_away([&](float x, bool wanted) {
        const std::size_t count = wanted ? 2 : 0;
        EXPECT_EQ(turned.query(Box<3>{{{x, -kFar, -kFar}}, {{kFar, kFar, kFar}}}, ids).count, count)
            << x;
        const Moving<3, Box> strip = {{{{x + 4, -kFar, -kFar}}, {{x + 5, kFar, kFar}}},
                                      {{-4, 0, 0}}};
        EXPECT_EQ(turned.query(strip, hits).count, count) << x;
        for (const ObstacleHit<3>& hit : hits) {
            EXPECT_EQ(hit.time, 1.0f);
        }
        // Only the crate is straight ahead.
        const Sector<3> view = {{{x + 3, -0.2f, 0}}, 3.0f, {{-1, 0, 0}}, 0.99f};
        EXPECT_EQ(turned.query(view, ids).count, wanted ? 1u : 0u) << x;
    });
    // A view without an end does not see what is beside it.
    const Sector<3> endless = {{{5, 20, 0}}, kFar, {{1, 0, 0}}, 0.9f};
    EXPECT_EQ(turned.query(endless, ids).count, 0u);
    const Sector<3> back = {{{5, 0, 0}}, kFar, {{-1, 0, 0}}, 0.9f};
    EXPECT_EQ(turned.query(back, ids).count, 1u);
}

TEST(FarSides, OfViewsAndStripsInThePlane) {
    Obstacles<2> obstacles;
    ASSERT_EQ(obstacles.insert(1, Wall{{{0, 10}}, {{4, 12}}, 1.0f}), Status{});
    ASSERT_EQ(obstacles.insert(2, OrientedBox<2>{{{2, -11}}, {{{{3, 4}}, {{-4, 3}}}}}), Status{});
    std::vector<Id> ids;
    EXPECT_EQ(obstacles.query(Sector<2>{{{0, 0}}, kFar, {{1, 0}}, 0.9f}, ids).count, 0u);
    EXPECT_EQ(obstacles.query(Sector<2>{{{0, 0}}, kFar, {{0, 1}}, 0.9f}, ids).count, 1u);
    EXPECT_EQ(obstacles.query(Box<2>{{{-kFar, -3}}, {{kFar, 9}}}, ids).count, 0u);
    EXPECT_EQ(obstacles.query(Box<2>{{{-kFar, -4}}, {{kFar, 9.5f}}}, ids).count, 2u);
    ObstacleHit<2> hit;
    const Moving<2, Box> strip = {{{{-kFar, -1}}, {{kFar, 1}}}, {{0, 8}}};
    EXPECT_EQ(obstacles.first(strip, hit).count, 0u);
    const Moving<2, Box> farther = {{{{-kFar, -1}}, {{kFar, 1}}}, {{0, 17}}};
    EXPECT_EQ(obstacles.first(farther, hit).count, 1u);
    EXPECT_EQ(hit.time, 0.5f);
    EXPECT_EQ(hit.normal, (Point<2>{{0, -1}}));
}

/// Searches find what touches only by the slack of the definitions: here, the obstacle's.
TEST(FarSides, WhatSlackMakesTouchIsInTheTree) {
    constexpr float kLong = 1e9f, kApart = 1e-5f; // 2^-46 of kLong is 1.4e-5
    const Wall wall = {{{1, -kLong}}, {{1, kLong}}, 2.0f};
    Obstacles<2> walls;
    ASSERT_EQ(walls.insert(1, wall), Status{});
    std::vector<Id> ids;
    std::vector<ObstacleNear<2>> near;
    ObstacleHit<2> hit;
    const Box<2> box = {{{-1, 0}}, {{-kApart, 1}}};
    ASSERT_TRUE(obstacle::overlaps(obstacle::body_of(box), obstacle::body_of(wall)));
    EXPECT_EQ(walls.query(box, ids).count, 1u);
    EXPECT_EQ(walls.query(Ball<2>{{{-kApart, 0.5f}}, 0.0f}, near).count, 1u);
    EXPECT_EQ(walls.first(Segment<2>{{{-1, 0}}, {{-kApart, 0}}}, hit).count, 1u);
    // Here, the slack of the question, or of the way.
    Obstacles<2> small;
    ASSERT_EQ(small.insert(1, OrientedBox<2>{{{1, 0}}, {{{{1, 1}}, {{-1, 1}}}}}), Status{});
    const OrientedBox<2> tall = {{{-2 - kApart, 0}}, {{{{0, kLong}}, {{1, 0}}}}};
    EXPECT_EQ(small.query(tall, ids).count, 1u);
    EXPECT_EQ(small.first(Segment<2>{{{-1 - kApart, -kLong}}, {{-1 - kApart, 5}}}, hit).count, 1u);
    const Moving<2, Box> strip = {{{{-3, -kFar}}, {{-1 - kApart, kFar}}}, {{0, kLong}}};
    EXPECT_EQ(small.first(strip, hit).count, 1u);
    const Triangle triangle = {{{{{0, -kLong, 0}}, {{0, kLong, 0}}, {{0, 0, kLong}}}}};
    Obstacles<3> triangles;
    ASSERT_EQ(triangles.insert(1, triangle), Status{});
    const Box<3> cube = {{{-1, 0, 0}}, {{-kApart, 1, 1}}};
    ASSERT_TRUE(obstacle::overlaps(obstacle::body_of(cube), obstacle::body_of(triangle)));
    EXPECT_EQ(triangles.query(cube, ids).count, 1u);
    ObstacleHit<3> moved;
    const Moving<3, Box> cube_that_moves = {cube, {{0, 1, 0}}};
    EXPECT_EQ(triangles.first(cube_that_moves, moved).count, 1u);
}

/// An endless obstacle does not widen searches for other obstacles.
TEST(FarSides, OneObstacleMakesNoSearchWide) {
    Obstacles<2> obstacles;
    ASSERT_EQ(obstacles.insert(1, Box<2>{{{0, 0}}, {{1, 1}}}), Status{});
    ASSERT_EQ(obstacles.insert(2, Box<2>{{{-kFar, -kFar}}, {{kFar, -9e17f}}}), Status{});
    ObstacleHit<2> hit;
    std::vector<ObstacleNear<2>> near;
    EXPECT_EQ(obstacles.first(Segment<2>{{{-5, 3}}, {{5, 3}}}, hit).count, 0u);
    EXPECT_EQ(obstacles.query(Ball<2>{{{0.5f, 3}}, 1.5f}, near).count, 0u);
    EXPECT_EQ(obstacles.query(Ball<2>{{{0.5f, 3}}, 2.0f}, near).count, 1u);
    std::vector<Id> ids;
    EXPECT_EQ(obstacles.query(Box<2>{{{-5, -5}}, {{5, -1}}}, ids).count, 0u);
}

} // namespace
} // namespace throng::test
