// The two predicates that everything else must answer exactly.
#include <throng/engine/agents/box.hpp>
#include <throng/engine/shapes/ball.hpp>

#include "../../support/dims.hpp"
#include "../../support/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace throng {
namespace {

template <class Dim>
class Geometry : public testing::Test {};
TYPED_TEST_SUITE(Geometry, test::Dims, test::DimNames);

TYPED_TEST(Geometry, ABoxLiesAroundItsCentre) {
    using P = Point<TypeParam::value>;
    const auto box = Box<TypeParam::value>::around(P::all(3.0f), P::all(0.5f));
    EXPECT_EQ(box.lo, P::all(2.5f));
    EXPECT_EQ(box.hi, P::all(3.5f));
}

TYPED_TEST(Geometry, TouchingIsOverlapping) {
    using P = Point<TypeParam::value>;
    const Box<TypeParam::value> box{P::all(0.0f), P::all(1.0f)};
    const P half = P::all(0.25f);
    for (std::size_t a = 0; a < TypeParam::value; ++a) {
        P centre = P::all(0.5f);
        centre[a] = 1.25f;
        EXPECT_TRUE(overlaps(box, centre, half));
        centre[a] = std::nextafter(1.25f, 2.0f);
        EXPECT_FALSE(overlaps(box, centre, half));
        centre[a] = -0.25f;
        EXPECT_TRUE(overlaps(box, centre, half));
        centre[a] = std::nextafter(-0.25f, -1.0f);
        EXPECT_FALSE(overlaps(box, centre, half));
    }
}

TYPED_TEST(Geometry, AnAgentsBoxIsRounded) {
    using P = Point<TypeParam::value>;
    // 1 + 2^-25 is 1 in floats, so the agent does not reach past 1.
    const P centre = P::all(1.0f), half = P::all(0x1p-25f);
    const Box<TypeParam::value> beyond{P::all(std::nextafter(1.0f, 2.0f)), P::all(2.0f)};
    EXPECT_FALSE(overlaps(beyond, centre, half));
    const Box<TypeParam::value> at{P::all(1.0f), P::all(2.0f)};
    EXPECT_TRUE(overlaps(at, centre, half));
}

TYPED_TEST(Geometry, AnInvertedBoxHoldsNothing) {
    using P = Point<TypeParam::value>;
    for (std::size_t a = 0; a < TypeParam::value; ++a) {
        Box<TypeParam::value> box{P::all(-1.0f), P::all(1.0f)};
        EXPECT_TRUE(overlaps(box, P{}, P::all(10.0f)));
        std::swap(box.lo[a], box.hi[a]);
        EXPECT_FALSE(overlaps(box, P{}, P::all(10.0f)));
    }
}

TYPED_TEST(Geometry, ZeroHasNoSign) {
    using P = Point<TypeParam::value>;
    const Box<TypeParam::value> box{P::all(0.0f), P::all(-0.0f)};
    EXPECT_TRUE(overlaps(box, P::all(-0.0f), P::all(-0.0f)));
    EXPECT_TRUE(contains(Ball<TypeParam::value>{P::all(-0.0f), -0.0f}, P::all(0.0f)));
}

TYPED_TEST(Geometry, TheRimBelongsToTheBall) {
    using P = Point<TypeParam::value>;
    P point = P::all(1.0f);
    point[0] += 3.0f;
    point[TypeParam::value - 1] -= 4.0f;
    EXPECT_TRUE(contains(Ball<TypeParam::value>{P::all(1.0f), 5.0f}, point));
    const float less = std::nextafter(5.0f, 0.0f);
    EXPECT_FALSE(contains(Ball<TypeParam::value>{P::all(1.0f), less}, point));
}

TYPED_TEST(Geometry, RadiusZeroHoldsTheCentre) {
    using P = Point<TypeParam::value>;
    EXPECT_TRUE(contains(Ball<TypeParam::value>{P::all(0.1f), 0.0f}, P::all(0.1f)));
    EXPECT_FALSE(
        contains(Ball<TypeParam::value>{P::all(0.1f), 0.0f}, P::all(std::nextafter(0.1f, 1.0f))));
}

TYPED_TEST(Geometry, NothingOverflowsWithinTheLimits) {
    using P = Point<TypeParam::value>;
    const Ball<TypeParam::value> ball{P::all(-kLargest), kLargest};
    EXPECT_FALSE(contains(ball, P::all(kLargest)));
    EXPECT_TRUE(contains(ball, P::all(-kLargest)));
    const Box<TypeParam::value> box{P::all(kLargest), P::all(kLargest)};
    EXPECT_TRUE(overlaps(box, P::all(-kLargest), P::all(kLargest)) ==
                (-kLargest + kLargest >= kLargest));
    EXPECT_TRUE(overlaps(box, P::all(0.0f), P::all(kLargest)));
}

// With a fused multiply-add this fails: of random points on the rim, one in twelve drops out.
TYPED_TEST(Geometry, SquaresAreRoundedBeforeTheyAreAdded) {
    using P = Point<TypeParam::value>;
    scenes::Random random(3);
    int on_the_rim = 0;
    for (int i = 0; i < 100'000; ++i) {
        P point;
        point[0] = random.between(0.0f, 10.0f);
        point[1] = random.between(0.0f, 10.0f);
        const volatile float xx = point[0] * point[0];
        const volatile float yy = point[1] * point[1];
        const volatile float sum = xx + yy;
        const float radius = std::sqrt(sum);
        const volatile float radius2 = radius * radius;
        const bool expected = sum <= radius2;
        on_the_rim += sum == radius2 ? 1 : 0;
        ASSERT_EQ(contains(Ball<TypeParam::value>{P{}, radius}, point), expected) << i;
    }
    EXPECT_GT(on_the_rim, 10'000);
}

TEST(Geometry3, AxesAreSummedInAscendingOrder) {
    const float tiny = 0x1p-12f; // its square is half of what 1 can still tell apart
    EXPECT_TRUE(contains(Ball<3>{{}, 1.0f}, Point<3>{{1.0f, tiny, tiny}}));
    EXPECT_FALSE(contains(Ball<3>{{}, 1.0f}, Point<3>{{tiny, tiny, 1.0f}}));
}

} // namespace
} // namespace throng
