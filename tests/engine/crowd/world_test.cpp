// Where periodic worlds put a coordinate, and shapes that are moved.
#include "../../support/numbers.hpp"
#include "../../support/random.hpp"

#include <throng/engine/agents/world_wrap.hpp>
#include <throng/engine/shapes/translated.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace throng {
namespace {

using test::kInfinity;

TEST(Wrapped, StaysWhereItIsInside) {
    for (const float x : {-4.0f, 0.0f, 1e-40f, 11.5f, std::nextafter(12.0f, 0.0f)}) {
        EXPECT_EQ(wrapped(x, -4.0f, 12.0f), x);
    }
}

TEST(Wrapped, ComesBackByWholePeriods) {
    EXPECT_EQ(wrapped(12.0f, -4.0f, 12.0f), -4.0f);
    EXPECT_EQ(wrapped(-4.125f, -4.0f, 12.0f), 11.875f);
    EXPECT_EQ(wrapped(12.0f + 16.0f * 1000.0f, -4.0f, 12.0f), -4.0f);
    EXPECT_EQ(wrapped(3.5f - 16.0f * 1000.0f, -4.0f, 12.0f), 3.5f);
    // Exact, also where a division would not be: 2^59 = 1 (mod 7).
    EXPECT_EQ(wrapped(0x1p57f, 0.0f, 7.0f), 1.0f);
    EXPECT_EQ(wrapped(-0x1p57f, 0.0f, 7.0f), 6.0f);
}

TEST(Wrapped, WhatRoundsUpToTheEndIsTheBeginning) {
    EXPECT_EQ(wrapped(-1e-30f, 0.0f, 10.0f), 0.0f);
    // Floats near 12 are too far apart to tell the result from 12.
    EXPECT_EQ(wrapped(std::nextafter(-4.0f, -kInfinity), -4.0f, 12.0f), -4.0f);
    EXPECT_EQ(wrapped(std::nextafter(12.0, 0.0), -4.0f, 12.0f), -4.0f); // a double
    EXPECT_EQ(wrapped(5.0f, 1.0f, std::nextafter(1.0f, 2.0f)), 1.0f);   // one float wide
}

TEST(Wrapped, IsAlwaysInside) {
    scenes::Random random(3);
    for (int i = 0; i < 200'000; ++i) {
        const float size = std::ldexp(1.0f, static_cast<int>(random.below(60)) - 30);
        const float lo = random.between(-size, size);
        const float hi = std::nextafter(lo + size * random.unit() * random.unit(), kInfinity);
        if (!(lo < hi)) { continue; }
        const float far =
            std::ldexp(random.between(-1.0f, 1.0f), static_cast<int>(random.below(59)));
        const float at = wrapped(far, lo, hi);
        ASSERT_LE(lo, at) << far << ' ' << hi;
        ASSERT_LT(at, hi) << far << ' ' << lo;
        ASSERT_EQ(wrapped(at, lo, hi), at);
    }
}

TEST(Wrapped, IsTheExactRemainder) {
    scenes::Random random(6);
    for (int i = 0; i < 200'000; ++i) {
        const float lo = random.between(-10.0f, 10.0f);
        const float hi = lo + random.between(0.01f, 20.0f);
        const float x = std::ldexp(random.between(-1.0f, 1.0f), static_cast<int>(random.below(45)));
        double past = std::fmod(static_cast<double>(x) - lo, static_cast<double>(hi - lo));
        if (past < 0.0) { past += hi - lo; }
        const auto wanted = static_cast<float>(lo + past);
        if (lo <= x && x < hi) { continue; }
        ASSERT_EQ(wrapped(x, lo, hi), wanted < hi ? wanted : lo) << x << ' ' << lo << ' ' << hi;
    }
}

TEST(Wrapped, LeavesWhatNoCrowdTakes) {
    EXPECT_TRUE(std::isnan(wrapped(test::kNan, 0.0f, 1.0f)));
    EXPECT_EQ(wrapped(kInfinity, 0.0f, 1.0f), kInfinity);
    EXPECT_EQ(wrapped(-3e18f, 0.0f, 1.0f), -3e18f);
}

TEST(WorldWrap, TakesWorldCoordinatesRelativeToItsOrigin) {
    WorldWrap<2> world;
    world.origin = {1e12, -1e12};
    world.periodic = {true, false};
    world.bounds = {{0.0f, 0.0f}, {8.0f, 0.0f}};
    EXPECT_EQ(world.local(1e12 + 9.25, 0), 9.25f);
    EXPECT_EQ(world.kept(1e12 + 9.25, 0), 1.25f);
    EXPECT_EQ(world.kept(-1e12 + 9.25, 1), 9.25f);
    // Wrapped before it is rounded: a float of that size has lost the quarter.
    EXPECT_EQ(world.kept(1e12 + 8.0 * 0x1p30 + 1.25, 0), 1.25f);
    for (std::size_t a = 0; a < 2; ++a) {
        EXPECT_TRUE(std::isnan(world.kept(std::nan(""), a)));
        EXPECT_TRUE(std::isinf(world.kept(std::numeric_limits<double>::infinity(), a)));
        EXPECT_TRUE(std::isfinite(world.kept(-1e300, a)));
        EXPECT_LT(world.kept(-1e300, a), -kLargest);
        EXPECT_GT(world.local(1e300, a), kLargest);
    }
}

TEST(Shifted, MovesCoordinatesAndNothingElse) {
    const Offset<2> by = {16.0, -0.5};
    EXPECT_EQ(shifted(Box<2>{{0, 1}, {2, 3}}, by), (Box<2>{{16, 0.5f}, {18, 2.5f}}));
    EXPECT_EQ(shifted(Ball<2>{{0, 1}, 4}, by), (Ball<2>{{16, 0.5f}, 4}));
    EXPECT_EQ(shifted(Sector<2>{{0, 1}, 4, {1, 2}, 0.5f}, by),
              (Sector<2>{{16, 0.5f}, 4, {1, 2}, 0.5f}));
    EXPECT_EQ(shifted(Segment<2>{{0, 1}, {2, 3}}, by), (Segment<2>{{16, 0.5f}, {18, 2.5f}}));
    EXPECT_EQ(shifted(Ray<2>{{0, 1}, {2, 3}, 5}, by), (Ray<2>{{16, 0.5f}, {2, 3}, 5}));
    EXPECT_EQ(shifted(Capsule<2>{{0, 1}, {2, 3}, 5}, by), (Capsule<2>{{16, 0.5f}, {18, 2.5f}, 5}));
    EXPECT_EQ(shifted(OrientedBox<2>{{0, 1}, {{{1, 1}, {1, -1}}}}, by),
              (OrientedBox<2>{{16, 0.5f}, {{{1, 1}, {1, -1}}}}));
    // The centre's coordinate on the axis `up` plays no part, and stays.
    EXPECT_EQ(shifted(Cylinder<2>{{0, 1}, 4, 2, 3}, by), (Cylinder<2>{{16, 1}, 4, 1.5f, 2.5f}));
    const Offset<3> in_space = {16.0, -0.5, 8.0};
    EXPECT_EQ(shifted(Cylinder<3>{{0, 1, 7}, 4, 2, 3, 1}, in_space),
              (Cylinder<3>{{16, 1, 15}, 4, 1.5f, 2.5f, 1}));
    EXPECT_EQ(shifted(Cylinder<3>{{0, 1, 7}, 4, 2, 3, 2}, in_space),
              (Cylinder<3>{{16, 0.5f, 7}, 4, 10, 11, 2}));
    Convex<2> convex;
    convex.sides[0] = {{1, 2}, 3};
    convex.count = 1;
    convex.bounds = {{0, 1}, {2, 3}};
    Convex<2> moved = convex;
    moved.sides[0].offset = 3 + 16 - 1;
    moved.bounds = {{16, 0.5f}, {18, 2.5f}};
    EXPECT_EQ(shifted(convex, by), moved);
}

TEST(Shifted, IsTheSumOfFloats) {
    scenes::Random random(9);
    for (int i = 0; i < 100'000; ++i) {
        const float x = std::ldexp(random.between(-1, 1), static_cast<int>(random.below(80)) - 40);
        const float by = std::ldexp(random.between(-1, 1), static_cast<int>(random.below(80)) - 40);
        ASSERT_EQ(shifted(Point<2>{x, 0}, Offset<2>{by, 0})[0], x + by);
    }
}

} // namespace
} // namespace throng
