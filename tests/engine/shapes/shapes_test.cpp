// The agents that each shape finds, and the regions that are made from corners.
#include <throng/engine/shapes/ray_test.hpp>
#include <throng/engine/shapes/shapes.hpp>

#include "../../support/dims.hpp"
#include "../../support/numbers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace throng {
namespace {

using test::kInfinity;

constexpr float above(float x) { return std::nextafter(x, std::numeric_limits<float>::max()); }

TEST(Tracks, TouchCornersAndNoFurther) {
    const auto diagonal = detail::ray_test(Segment<2>{{0.0f, 4.0f}, {4.0f, 0.0f}});
    const Point<2> half{1.0f, 1.0f};
    EXPECT_TRUE(meets(diagonal, {1.0f, 1.0f}, half)); // with a corner
    EXPECT_FALSE(meets(diagonal, {1.0f, 0.999f}, half));
    EXPECT_TRUE(meets(diagonal, {3.0f, 3.0f}, half));
    EXPECT_FALSE(meets(diagonal, {3.0f, 3.001f}, half));
    EXPECT_TRUE(meets(diagonal, {5.0f, -1.0f}, half)); // with its end
    EXPECT_FALSE(meets(diagonal, {5.001f, -1.0f}, half));

    const auto edge = detail::ray_test(Ray<2>{{0.0f, 1.0f}, {1.0f, 0.0f}});
    EXPECT_TRUE(meets(edge, {7.0f, 2.0f}, half));
    EXPECT_FALSE(meets(edge, {7.0f, above(2.0f)}, half));
    EXPECT_FALSE(meets(edge, {-1.001f, 1.0f}, half)); // behind
    EXPECT_TRUE(meets(edge, {-1.0f, 1.0f}, half));
}

TEST(Tracks, InSpaceMissWhatTheirShadowsMeet) {
    const auto way = detail::ray_test(Segment<3>{{0.0f, 0.0f, 0.0f}, {4.0f, 4.0f, 4.0f}});
    const Point<3> half{0.5f, 0.5f, 0.5f};
    EXPECT_TRUE(meets(way, {2.0f, 2.0f, 2.0f}, half));
    EXPECT_TRUE(meets(way, {2.0f, 2.5f, 3.0f}, half));  // in an edge
    EXPECT_FALSE(meets(way, {1.0f, 2.0f, 3.0f}, half)); // within the bounds, but beside
}

TEST(Tracks, SayWhenInTheirOwnTime) {
    const Point<2> half{0.5f, 0.5f};
    const Point<2> at{5.0f, 0.0f};
    EXPECT_EQ(time_of_hit(detail::ray_test(Ray<2>{{0.0f, 0.0f}, {1.0f, 0.0f}}), at, half), 4.5f);
    EXPECT_EQ(time_of_hit(detail::ray_test(Ray<2>{{0.0f, 0.0f}, {0.5f, 0.0f}}), at, half), 9.0f);
    EXPECT_EQ(time_of_hit(detail::ray_test(Ray<2>{{10.0f, 0.0f}, {-1.0f, 0.0f}}), at, half), 4.5f);
    EXPECT_EQ(time_of_hit(detail::ray_test(Segment<2>{{0.0f, 0.0f}, {9.0f, 0.0f}}), at, half),
              0.5f);
    const float inside =
        time_of_hit(detail::ray_test(Segment<2>{{5.0f, 0.0f}, {9.0f, 0.0f}}), at, half);
    EXPECT_EQ(inside, 0.0f);
    EXPECT_FALSE(std::signbit(inside));
}

TEST(Tracks, OfPowersOfTwoAreTheSame) {
    const Ray<2> ray{{0.3f, 0.7f}, {0.37f, -0.91f}};
    for (const float factor : {0x1p-60f, 0x1p-20f, 2.0f, 0x1p40f}) {
        const Ray<2> scaled_ray{ray.origin, {ray.direction[0] * factor, ray.direction[1] * factor}};
        EXPECT_EQ(detail::ray_test(scaled_ray).along, detail::ray_test(ray).along);
    }
    EXPECT_EQ(scaled(Point<3>{}), Point<3>{});
}

TEST(Sweeps, TouchRimsAndRoundEnds) {
    const auto sweep = detail::capsule_test(Capsule<2>{{0.0f, 0.0f}, {10.0f, 0.0f}, 1.0f});
    const Point<2> half{0.5f, 9.0f}; // whose disc has a radius of 0.5
    EXPECT_TRUE(meets(sweep, {5.0f, 1.5f}, half));
    EXPECT_FALSE(meets(sweep, {5.0f, above(1.5f)}, half));
    EXPECT_TRUE(meets(sweep, {-1.5f, 0.0f}, half));
    EXPECT_FALSE(meets(sweep, {-1.2f, 1.2f}, half)); // round, not square
    EXPECT_TRUE(meets(sweep, {11.5f, 0.0f}, half));
    EXPECT_FLOAT_EQ(time_of_hit(sweep, {5.0f, 0.0f}, half), 0.35f);
    EXPECT_EQ(time_of_hit(sweep, {5.0f, 1.5f}, half), 0.5f);
    EXPECT_EQ(time_of_hit(sweep, {0.5f, 0.5f}, half), 0.0f);
    const auto still = detail::capsule_test(Capsule<2>{{3.0f, 4.0f}, {3.0f, 4.0f}, 5.0f});
    EXPECT_TRUE(meets(still, {0.0f, 0.0f}, {0.0f, 0.0f}));
    EXPECT_EQ(time_of_hit(still, {0.0f, 0.0f}, {0.0f, 0.0f}), 0.0f);
}

TEST(Sectors, EndAtTheirRims) {
    const auto sector = [](float cosine) {
        return detail::sector_test(Sector<2>{{0.0f, 0.0f}, 5.0f, {1.0f, 1.0f}, cosine});
    };
    EXPECT_TRUE(contains(sector(0.0f), {1.0f, -1.0f})); // to the right, at a right angle
    EXPECT_FALSE(contains(sector(0.0f), {1.0f, -1.001f}));
    EXPECT_TRUE(contains(sector(1.0f), {2.0f, 2.0f})); // straight ahead
    EXPECT_FALSE(contains(sector(1.0f), {2.0f, 2.01f}));
    EXPECT_TRUE(contains(sector(1.0f), {0.0f, 0.0f})); // where it looks from
    EXPECT_TRUE(contains(sector(-1.0f), {-3.0f, -4.0f}));
    EXPECT_FALSE(contains(sector(-1.0f), {-3.0f, -4.001f}));
    EXPECT_FALSE(contains(sector(-0.5f), {-1.0f, -1.0f})); // behind
    EXPECT_TRUE(contains(sector(-0.5f), {-1.0f, 1.2f}));
    const auto everything =
        detail::sector_test(Sector<2>{{0.0f, 0.0f}, 100.0f, {0.2f, 0.7f}, -1.0f});
    EXPECT_TRUE(contains(everything, {-2.0f, -7.0f})); // straight behind, where squares round
    EXPECT_TRUE(contains(everything, {-20.0f, -70.0f}));
    EXPECT_FALSE(contains(everything, {-72.0f, -72.0f}));
    // In space a sector is a cone.
    const auto cone =
        detail::sector_test(Sector<3>{{}, 10.0f, {0.0f, 0.0f, 2.0f}, std::sqrt(0.5f)});
    EXPECT_TRUE(contains(cone, {0.99f, 0.0f, 1.0f}));
    EXPECT_FALSE(contains(cone, {0.8f, 0.8f, 1.0f}));
    EXPECT_FALSE(contains(cone, {0.0f, 0.0f, -1.0f}));
}

TEST(Cylinders, EndAtTheirRims) {
    const auto up = [](float x) { return std::nextafter(x, kInfinity); };
    const auto down = [](float x) { return std::nextafter(x, -kInfinity); };
    for (const std::uint32_t axis : {1u, 2u}) {
        const std::uint32_t across = 3 - axis;
        const auto at = [&](float x, float y, float height) {
            Point<3> point;
            point[0] = x;
            point[across] = y;
            point[axis] = height;
            return point;
        };
        const Cylinder<3> tower{at(1.0f, 2.0f, 1e18f), 5.0f, -1.0f, 7.5f, axis};
        EXPECT_EQ(check_shape(tower), Status{});
        EXPECT_TRUE(contains(tower, at(4.0f, 6.0f, 0.0f)));
        EXPECT_TRUE(contains(tower, at(4.0f, down(6.0f), 0.0f)));
        EXPECT_FALSE(contains(tower, at(4.0f, up(6.0f), 0.0f)));
        EXPECT_FALSE(contains(tower, at(up(4.0f), 6.0f, 0.0f)));
        EXPECT_TRUE(contains(tower, at(1.0f, -3.0f, 0.0f)));
        EXPECT_FALSE(contains(tower, at(1.0f, down(down(-3.0f)), 0.0f))); // one is rounded off
        for (const float height : {-1.0f, up(-1.0f), down(7.5f), 7.5f}) {
            EXPECT_TRUE(contains(tower, at(1.0f, 2.0f, height)));
            EXPECT_TRUE(contains(tower, at(4.0f, 6.0f, height)));
        }
        EXPECT_FALSE(contains(tower, at(1.0f, 2.0f, down(-1.0f))));
        EXPECT_FALSE(contains(tower, at(1.0f, 2.0f, up(7.5f))));
    }
    // In the plane the ground is a line.
    const Cylinder<2> wall{{1.0f, 9.0f}, 2.0f, 0.0f, 3.0f};
    EXPECT_TRUE(contains(wall, {3.0f, 3.0f}));
    EXPECT_TRUE(contains(wall, {-1.0f, 0.0f}));
    EXPECT_FALSE(contains(wall, {up(3.0f), 3.0f}));
    EXPECT_FALSE(contains(wall, {1.0f, up(3.0f)}));
    EXPECT_FALSE(contains(wall, {1.0f, down(0.0f)}));
    EXPECT_FALSE(contains(Cylinder<2>{{1.0f, 1.0f}, 2.0f, 1.0f, 0.5f}, {1.0f, 1.0f}));
    // The default: z is up in space, and y in the plane.
    EXPECT_EQ(Cylinder<3>{}.up, 2u);
    EXPECT_EQ(Cylinder<2>{}.up, 1u);
    EXPECT_TRUE(contains(Cylinder<3>{{}, 1.0f}, {0.0f, 1.0f, -1e18f}));
}

TEST(Polygons, TakeCornersEitherWayRound) {
    const std::vector<Point<2>> corners = {{0.0f, 0.0f}, {4.0f, 0.0f}, {0.0f, 4.0f}};
    const std::vector<Point<2>> backwards(corners.rbegin(), corners.rend());
    for (const auto& some : {corners, backwards}) {
        const auto [triangle, status] = polygon(some);
        ASSERT_EQ(status, Status{});
        EXPECT_EQ(triangle.count, 3u);
        const Point<2> none{};
        for (const Point<2>& corner : corners) {
            EXPECT_TRUE(overlaps(triangle, corner, none));
        }
        EXPECT_TRUE(overlaps(triangle, {2.0f, 2.0f}, none)); // on a side
        EXPECT_FALSE(overlaps(triangle, {2.0f, 2.001f}, none));
        EXPECT_TRUE(overlaps(triangle, {3.0f, 3.0f}, {1.0f, 1.0f})); // a box touches it
        EXPECT_FALSE(overlaps(triangle, {3.0f, 3.01f}, {1.0f, 1.0f}));
        EXPECT_FALSE(overlaps(triangle, {5.1f, -1.0f}, {1.0f, 1.0f})); // beyond a sharp corner
    }
}

TEST(Polygons, MayBeFlat) {
    const std::vector<Point<2>> line = {{0.0f, 0.0f}, {4.0f, 4.0f}, {2.0f, 2.0f}};
    const auto [flat, status] = polygon(line);
    ASSERT_EQ(status, Status{});
    EXPECT_TRUE(overlaps(flat, {3.0f, 3.0f}, {}));
    EXPECT_FALSE(overlaps(flat, {3.0f, above(3.0f)}, {}));
    EXPECT_FALSE(overlaps(flat, {4.1f, 4.1f}, {}));
    EXPECT_TRUE(overlaps(flat, {3.0f, 1.0f}, {1.0f, 1.0f}));
    const std::vector<Point<2>> dot(8, Point<2>{1.0f, 2.0f});
    EXPECT_TRUE(overlaps(polygon(dot).value, {1.0f, 2.0f}, {}));
    EXPECT_FALSE(overlaps(polygon(dot).value, {1.0f, above(2.0f)}, {}));
}

TEST(Polygons, RefuseWhatTheyCannotBe) {
    EXPECT_EQ(polygon({}).status, (Status{Cause::not_convex, Argument::corners}));
    const std::vector<Point<2>> nine(9);
    EXPECT_EQ(polygon(nine).status, (Status{Cause::too_many, Argument::corners, 8}));
    const std::vector<Point<2>> dented = {{0, 0}, {4, 0}, {1, 1}, {0, 4}};
    EXPECT_EQ(polygon(dented).status.cause, Cause::not_convex);
    std::vector<Point<2>> star;
    for (int i = 0; i < 5; ++i) {
        const float angle = 2.513274f * static_cast<float>(i);
        star.push_back({std::cos(angle), std::sin(angle)});
    }
    EXPECT_EQ(polygon(star).status.cause, Cause::not_convex);
    for (const float far : {0.0f, 1e5f}) {
        const std::vector<Point<2>> dent = {
            {far, far}, {far + 2.0f, far}, {far + 0.875f, far + 0.875f}, {far, far + 2.0f}};
        EXPECT_EQ(polygon(dent).status.cause, Cause::not_convex) << far;
        const std::vector<Point<2>> square = {
            {far, far}, {far + 2.0f, far}, {far + 2.0f, far + 2.0f}, {far, far + 2.0f}};
        EXPECT_EQ(polygon(square).status, Status{}) << far;
    }
    std::vector<Point<2>> bad = {{0, 0}, {4, 0}, {0, test::kNan}};
    EXPECT_EQ(polygon(bad).status, (Status{Cause::not_finite, Argument::corners, 2}));
    bad[1][0] = 2e18f;
    EXPECT_EQ(polygon(bad).status, (Status{Cause::too_large, Argument::corners, 1}));
}

std::array<Point<3>, 8> pyramid(float near, float far) {
    std::array<Point<3>, 8> corners;
    constexpr float kSides[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (std::size_t c = 0; c < 4; ++c) {
        corners[c] = {near * kSides[c][0], near * kSides[c][1], near};
        corners[c + 4] = {far * kSides[c][0], far * kSides[c][1], far};
    }
    return corners;
}

TEST(Frusta, HoldWhatLiesBetweenTheirSides) {
    for (const float near : {0.0f, 1.0f}) {
        const auto [view, status] = frustum(pyramid(near, 10.0f));
        ASSERT_EQ(status, Status{});
        EXPECT_EQ(view.count, near == 0.0f ? 5u : 6u);
        EXPECT_TRUE(overlaps(view, {0.0f, 0.0f, 5.0f}, {}));
        EXPECT_TRUE(overlaps(view, {5.0f, 5.0f, 5.0f}, {})); // on an edge
        EXPECT_FALSE(overlaps(view, {5.1f, 0.0f, 5.0f}, {}));
        EXPECT_TRUE(overlaps(view, {5.1f, 0.0f, 5.0f}, {0.1f, 0.1f, 0.1f}));
        EXPECT_FALSE(overlaps(view, {0.0f, 0.0f, 10.1f}, {}));
        EXPECT_EQ(overlaps(view, {0.0f, 0.0f, 0.5f}, {}), near == 0.0f);
    }
}

TEST(Frusta, RefuseWhatTheyCannotBe) {
    EXPECT_EQ(frustum(pyramid(3.0f, 3.0f)).status.cause, Cause::not_convex); // no volume
    auto bent = pyramid(1.0f, 10.0f);
    bent[6] = {2.0f, 2.0f, 12.0f};
    EXPECT_EQ(frustum(bent).status.cause, Cause::not_convex);
    bent[6][1] = std::numeric_limits<float>::infinity();
    EXPECT_EQ(frustum(bent).status, (Status{Cause::not_finite, Argument::corners, 6}));
}

TEST(OrientedBoxes, AreTurned) {
    const auto box = convex_of(OrientedBox<2>{{0.0f, 0.0f}, {{{2.0f, 2.0f}, {-1.0f, 1.0f}}}});
    EXPECT_TRUE(overlaps(box, {3.0f, 1.0f}, {})); // corners
    EXPECT_TRUE(overlaps(box, {1.0f, 3.0f}, {}));
    EXPECT_FALSE(overlaps(box, {3.0f, 1.001f}, {}));
    EXPECT_FALSE(overlaps(box, {2.0f, -2.0f}, {}));
    const auto cube =
        convex_of(OrientedBox<3>{{1.0f, 1.0f, 1.0f}, {{{1, 0, 0}, {0, 1, 1}, {0, -1, 1}}}});
    EXPECT_EQ(cube.count, 6u);
    EXPECT_TRUE(overlaps(cube, {2.0f, 1.0f, 3.0f}, {}));
    EXPECT_FALSE(overlaps(cube, {2.0f, 1.1f, 3.0f}, {}));
    EXPECT_FALSE(overlaps(cube, {2.1f, 1.0f, 3.0f}, {}));
    // Flat boxes hold their middle.
    EXPECT_TRUE(overlaps(convex_of(OrientedBox<3>{{1.0f, 1.0f, 1.0f}, {}}), {1, 1, 1}, {}));
}

/// Expects that a box finds every point of itself, and none that is `far` from all of them.
void expect_no_more_than_itself(const OrientedBox<3>& box, float far) {
    const Convex<3> convex = convex_of(box);
    ASSERT_LE(convex.count, Convex<3>::kMostSides);
    std::vector<Point<3>> inside;
    constexpr int kSteps = 16;
    for (int i = 0; i <= kSteps * kSteps * kSteps + 3 * kSteps * kSteps; ++i) {
        const int step[3] = {i % (kSteps + 1), i / (kSteps + 1) % (kSteps + 1),
                             i / ((kSteps + 1) * (kSteps + 1)) % (kSteps + 1)};
        Point<3> p = box.centre;
        for (std::size_t e = 0; e < 3; ++e) {
            for (std::size_t a = 0; a < 3; ++a) {
                p[a] += (2.0f * static_cast<float>(step[e]) / kSteps - 1.0f) * box.half_edges[e][a];
            }
        }
        inside.push_back(p);
        ASSERT_TRUE(overlaps(convex, p, Point<3>::all(1e-4f)));
    }
    for (int i = 0; i < 20 * 20 * 20; ++i) {
        const Point<3> p = {static_cast<float>(i % 20) - 9.5f,
                            static_cast<float>(i / 20 % 20) - 9.5f,
                            static_cast<float>(i / 400) - 9.5f};
        float nearest2 = 1e9f;
        for (const Point<3>& q : inside) {
            const float x = p[0] - q[0], y = p[1] - q[1], z = p[2] - q[2];
            nearest2 = std::min(nearest2, x * x + y * y + z * z);
        }
        if (nearest2 > far * far) { ASSERT_FALSE(overlaps(convex, p, {})); }
    }
}

TEST(OrientedBoxes, MayBePlatesAndRods) {
    using Edges = std::array<Point<3>, 3>;
    const Point<3> none{};
    for (const Edges& edges :
         {Edges{{{5, 5, 0}, {0.5f, -0.5f, 0}, none}}, // a plate that is turned in its plane
          Edges{{none, {1, 2, 3}, {3, 0, -1}}},       // and in space
          Edges{{{3, 0, 1}, {0, 2, 1}, {3, 2, 2}}},   // three edges in one plane
          Edges{{{5, 5, 5}, none, none}},             // a rod
          Edges{{none, {1, -4, 2}, {2, -8, 4}}},      // of two edges
          Edges{{{4, 1, 0}, {-1, 4, 0}, {0, 0, 2}}},  // a box
          Edges{{none, none, none}}}) {
        SCOPED_TRACE(testing::Message() << edges[0][0] << " " << edges[1][0] << " " << edges[2][0]);
        ASSERT_NO_FATAL_FAILURE(expect_no_more_than_itself({{0.1f, 0.2f, 0.3f}, edges}, 1.2f));
    }
}

TEST(Boxes, AtAPointAreThePoint) {
    EXPECT_EQ(Box<2>::at({1.0f, 2.0f}), (Box<2>{{1.0f, 2.0f}, {1.0f, 2.0f}}));
    EXPECT_TRUE(overlaps(Box<2>::at({1.0f, 2.0f}), {1.5f, 2.0f}, {0.5f, 0.0f}));
}

} // namespace
} // namespace throng
