// The definitions of obstacles, against formulas that have nothing in common with them: distances
// by searching the obstacle for its nearest point, first hits by following the distance along the
// path, which is convex.
#include "../../support/dims.hpp"
#include "obstacle_scene.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace throng::test {
namespace {

using obstacle::along;
using obstacle::dot;
using obstacle::kNever;
using obstacle::minus;
using obstacle::Path;
using obstacle::Real;
using obstacle::real;
using obstacle::surface_of;

using Long = long double;
constexpr double kTolerance = 1e-5;

template <class Dim>
class ObstacleDefinitions : public testing::Test {};
TYPED_TEST_SUITE(ObstacleDefinitions, Dims, DimNames);

/// The least value of a convex function on an interval, and where it is.
long double least_on(long double low, long double high,
                     const std::function<long double(long double)>& f,
                     long double* where = nullptr) {
    for (int i = 0; i < 120; ++i) {
        const long double a = low + (high - low) / 3, b = high - (high - low) / 3;
        (f(a) <= f(b) ? high : low) = f(a) <= f(b) ? b : a;
    }
    if (where != nullptr) { *where = (low + high) / 2; }
    return f((low + high) / 2);
}

template <std::size_t Dim>
long double apart(const std::array<long double, Dim>& a, const Real<Dim>& b) {
    long double sum = 0;
    for (std::size_t i = 0; i < Dim; ++i) {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return std::sqrt(sum);
}

/// The distance from a wall to a point outside, found by a search.
long double searched(const Wall& wall, const Real<2>& p) {
    return least_on(0, 1,
                    [&](long double t) {
                        return apart<2>({wall.from[0] + t * (wall.to[0] - Long{wall.from[0]}),
                                         wall.from[1] + t * (wall.to[1] - Long{wall.from[1]})},
                                        p);
                    }) -
           wall.thickness * 0.5L;
}
long double searched(const Triangle& triangle, const Real<3>& p) {
    const auto& c = triangle.corners;
    return least_on(0, 1, [&](long double u) {
        return least_on(0, 1 - u, [&](long double v) {
            std::array<long double, 3> at;
            for (std::size_t a = 0; a < 3; ++a) {
                at[a] = c[0][a] + u * (c[1][a] - Long{c[0][a]}) + v * (c[2][a] - Long{c[0][a]});
            }
            return apart<3>(at, p);
        });
    });
}
template <std::size_t Dim>
long double searched(const Box<Dim>& box, const Real<Dim>& p) {
    long double sum = 0, out = -1e30L;
    for (std::size_t a = 0; a < Dim; ++a) {
        const long double beyond = std::max(box.lo[a] - Long{p[a]}, p[a] - Long{box.hi[a]});
        out = std::max(out, beyond);
        sum += std::max(beyond, 0.0L) * std::max(beyond, 0.0L);
    }
    return out > 0 ? std::sqrt(sum) : out;
}
template <std::size_t Dim>
long double searched(const OrientedBox<Dim>& box, const Real<Dim>& p) {
    // Goes along the edges as they are given: they are at right angles up to rounding.
    long double rest = 0, sum = 0, out = -1e30L;
    for (std::size_t a = 0; a < Dim; ++a) {
        rest += (p[a] - Long{box.centre[a]}) * (p[a] - Long{box.centre[a]});
    }
    std::size_t flat = 0;
    for (std::size_t i = 0; i < Dim; ++i) {
        long double length2 = 0, product = 0;
        for (std::size_t a = 0; a < Dim; ++a) {
            length2 += Long{box.half_edges[i][a]} * box.half_edges[i][a];
            product += box.half_edges[i][a] * (p[a] - Long{box.centre[a]});
        }
        if (length2 == 0) {
            ++flat;
            continue;
        }
        const long double at = product / std::sqrt(length2);
        const long double beyond = std::abs(at) - std::sqrt(length2);
        rest -= at * at;
        out = std::max(out, beyond);
        sum += std::max(beyond, 0.0L) * std::max(beyond, 0.0L);
    }
    if (flat != 0) { return std::sqrt(sum + std::max(rest, 0.0L)); }
    return out > 0 ? std::sqrt(sum) : out;
}

TYPED_TEST(ObstacleDefinitions, DistancesAreThoseOfASearch) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(3);
    for (int i = 0; i < (kDim == 2 ? 4000 : 600); ++i) {
        const AnyObstacle<kDim> shape = random_obstacle<kDim>(random, 5.0f, 4.0f);
        const Real<kDim> p = real(random_point<kDim>(random, 9.0f));
        const auto surface =
            with_body_of<kDim>(shape, [&](const auto& body) { return surface_of(body, p); });
        const auto other = static_cast<double>(
            std::visit([&](const auto& of_kind) { return searched(of_kind, p); }, shape));
        ASSERT_NEAR(surface.distance, other, kTolerance) << i << " kind " << shape.index();
        // The point is on the surface, the normal is of unit length, and both lead to the point.
        ASSERT_NEAR(dot(surface.normal, surface.normal), 1.0, 1e-12) << i;
        const auto back = minus(p, along(surface.point, surface.distance, surface.normal));
        ASSERT_NEAR(dot(back, back), 0.0, 1e-10) << i << " kind " << shape.index();
        const double there = with_body_of<kDim>(
            shape, [&](const auto& body) { return surface_of(body, surface.point).distance; });
        ASSERT_NEAR(there, 0.0, kTolerance) << i << " kind " << shape.index();
    }
}

TYPED_TEST(ObstacleDefinitions, TheFirstHitIsOnTheSurfaceAndNothingIsEarlier) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(4);
    int hits = 0, misses = 0;
    for (int i = 0; i < 20'000; ++i) {
        const AnyObstacle<kDim> shape = random_obstacle<kDim>(random, 3.0f, 4.0f);
        Path<kDim> path = {real(random_point<kDim>(random, 9.0f)), {}, 1.0, 0.0};
        path.way = minus(real(random_point<kDim>(random, 4.0f)), path.from); // most come near
        path.length = random.between(0.5f, 3.0f);
        if (random.below(3) == 0) { path.way[random.below(kDim)] = 0.0; }
        if (random.below(3) != 0) { path.radius = random.between(0.0f, 3.0f); }
        const double time = time_of<kDim>(shape, path);
        const auto distance_at = [&](double t) {
            return with_body_of<kDim>(shape, [&](const auto& body) {
                return surface_of(body, along(path.from, t, path.way)).distance - path.radius;
            });
        };
        const auto follow = [&](double until) {
            return static_cast<double>(least_on(0, until, [&](long double t) {
                return static_cast<long double>(distance_at(static_cast<double>(t)));
            }));
        };
        if (time == kNever) {
            ++misses;
            ASSERT_GT(follow(path.length), -kTolerance) << i << " kind " << shape.index();
            continue;
        }
        ++hits;
        ASSERT_LE(time, path.length);
        if (time == 0.0) {
            ASSERT_LE(distance_at(0.0), 0.0) << i;
            continue;
        }
        ASSERT_NEAR(distance_at(time), 0.0, kTolerance) << i << " kind " << shape.index();
        ASSERT_GT(follow(time), -kTolerance) << i << " kind " << shape.index();
        // Distances are convex in time: before its first touch a path is away from the obstacle.
        ASSERT_GT(distance_at(time * 0.5), 0.0) << i << " kind " << shape.index();
    }
    EXPECT_GT(hits, 4000);
    EXPECT_GT(misses, 1000);
}

TYPED_TEST(ObstacleDefinitions, ABoxOverlapsWhatASampleOfItFinds) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(5);
    int apart_by_search = 0, overlapping = 0;
    for (int i = 0; i < 3000; ++i) {
        const AnyObstacle<kDim> shape = random_obstacle<kDim>(random, 4.0f, 4.0f);
        const auto box = obstacle::body_of(random_turned_box<kDim>(random, 4.0f, 4.0f));
        const bool overlaps = with_body_of<kDim>(
            shape, [&](const auto& body) { return obstacle::overlaps(box, body); });
        // The distance from the obstacle is convex on the box: go down on one axis after another,
        // from several corners, by alternating projections onto both.
        Real<kDim> p = obstacle::middle_of(box);
        double distance = 0.0;
        for (int step = 0; step < 4000; ++step) {
            const auto on_shape = with_body_of<kDim>(shape, [&](const auto& body) {
                const auto surface = surface_of(body, p);
                return surface.distance <= 0.0 ? p : surface.point;
            });
            const auto on_box = surface_of(box, on_shape);
            p = on_box.distance <= 0.0 ? on_shape : on_box.point;
            const auto between = minus(p, on_shape);
            distance = std::sqrt(dot(between, between));
            if (distance == 0.0) { break; }
        }
        if (distance > 2e-2) {
            ++apart_by_search;
            ASSERT_FALSE(overlaps) << i << " kind " << shape.index();
        } else if (distance == 0.0) {
            ++overlapping;
            ASSERT_TRUE(overlaps) << i << " kind " << shape.index();
        }
    }
    EXPECT_GT(apart_by_search, 300);
    EXPECT_GT(overlapping, 300);
}

TEST(ObstacleDefinition, TouchingCountsToTheBit) {
    const auto first = [](const auto& body, const Real<2>& from, const Real<2>& way,
                          double radius) {
        return obstacle::entry_of(body, Path<2>{from, way, 1.0, radius});
    };
    const auto box = obstacle::body_of(Box<2>{{2.0f, 2.0f}, {4.0f, 3.0f}});
    EXPECT_EQ(first(box, {0, 2}, {10, 0}, 0.0), 0.2); // along a side
    EXPECT_EQ(first(box, {0, std::nextafter(2.0, 0.0)}, {10, 0}, 0.0), kNever);
    EXPECT_EQ(first(box, {0, 1}, {10, 0}, 1.0), 0.2); // the disc along a side
    EXPECT_EQ(first(box, {0, 0}, {2, 2}, 0.0), 1.0);  // the corner, at the end
    EXPECT_EQ(first(box, {0, 0}, {2, 0}, 2.0), 1.0);
    EXPECT_EQ(first(box, {0, 2.5}, {1, 0}, 1.0), 1.0);
    const auto disc = obstacle::body_of(Wall{{5.0f, 5.0f}, {5.0f, 5.0f}, 2.0f});
    EXPECT_EQ(first(disc, {0, 4}, {10, 0}, 0.0), 0.5);
    EXPECT_EQ(first(disc, {0, 3}, {10, 0}, 1.0), 0.5);
    EXPECT_EQ(first(disc, {0, std::nextafter(4.0, 0.0)}, {10, 0}, 0.0), kNever);
    const auto line = obstacle::body_of(Wall{{1.0f, 0.0f}, {1.0f, 4.0f}, 0.0f});
    EXPECT_EQ(first(line, {0, 2}, {2, 0}, 0.0), 0.5);
    EXPECT_EQ(first(line, {0, 4}, {2, 0}, 0.0), 0.5); // its end
    EXPECT_EQ(first(line, {0, std::nextafter(4.0, 5.0)}, {2, 0}, 0.0), kNever);
    EXPECT_EQ(first(line, {1, -2}, {0, 4}, 0.0), 0.5); // along the line itself
    const auto thick = obstacle::body_of(Wall{{1.0f, 0.0f}, {1.0f, 4.0f}, 1.0f});
    EXPECT_EQ(first(thick, {0, 2}, {1, 0}, 0.0), 0.5);
    EXPECT_EQ(first(thick, {1.5, -9}, {0, 18}, 0.0), 0.5); // along a long side
}

/// A path that touches an obstacle by the slack alone touches it no later than the path ends.
TEST(ObstacleDefinition, NoPathTouchesAfterItsEnd) {
    const auto check = []<std::size_t Dim>(const auto& body, const Real<Dim>& from,
                                           const Real<Dim>& way, double radius) {
        const double end = 2.0 - 0x1p-47; // short of it by less than 2^-46
        Path<Dim> path = {from, way, end, radius};
        EXPECT_LE(obstacle::first_touch(body, path), end);
        path.length = 2.0 - 0x1p-40;
        EXPECT_EQ(obstacle::first_touch(body, path), kNever);
    };
    const Real<2> left = {-3, 0}, ahead = {1, 0};
    check(obstacle::body_of(Wall{{0.0f, 0.0f}, {0.0f, 0.0f}, 2.0f}), left, ahead, 0.0);
    check(obstacle::body_of(Wall{{0.0f, 0.0f}, {5.0f, 0.0f}, 1.0f}), left, ahead, 0.5);
    check(obstacle::body_of(Wall{{-1.0f, 0.0f}, {3.0f, 0.0f}, 0.0f}), left, ahead, 0.0);
    check(obstacle::body_of(Box<2>{{0.0f, 0.0f}, {5.0f, 5.0f}}), left, ahead, 1.0);
    const Real<3> up = {0, 0, 1}, below = {1, 1, -3};
    const auto edge = obstacle::body_of(Box<3>{{0.0f, 1.0f, 0.0f}, {5.0f, 5.0f, 5.0f}});
    check(edge, below, up, 1.0);
    const auto triangle =
        obstacle::body_of(Triangle{{{{0.0f, 1.0f, 0.0f}, {5.0f, 1.0f, 0.0f}, {5.0f, 1.0f, 5.0f}}}});
    check(triangle, below, up, 1.0);
}

/// Compares the answers that need only the face of a triangle with those of the full definitions:
/// on a grid, where paths begin on triangles and go along their sides and through their corners;
/// and for triangles as thin as rounding allows, near and far from zero.
TEST(ObstacleDefinition, OnlyTheFaceOfATriangleDecidesWhereTheRestCannot) {
    scenes::Random random(7);
    std::size_t sure = 0, hits = 0, at_once = 0;
    for (int i = 0; i < 200'000; ++i) {
        const float unit = i % 3 == 0 ? 1.0f : i % 3 == 1 ? 1e-18f : 0.3f;
        const float far = i % 4 == 0 ? 1e6f : 0.0f;
        const auto anywhere = [&] {
            Point<3> point;
            for (float& x : point.axis) {
                x = far + unit * static_cast<float>(random.below(5));
            }
            return point;
        };
        Triangle triangle = {{anywhere(), anywhere(), anywhere()}};
        if (i % 5 == 0) { // a sliver
            for (std::size_t a = 0; a < 3; ++a) {
                triangle.corners[2][a] = 0.5f * (triangle.corners[0][a] + triangle.corners[1][a]);
            }
            float& x = triangle.corners[2][random.below(3)];
            x = std::nextafter(x, 2.0f * x + 1.0f);
        }
        const auto body = obstacle::body_of(triangle);
        Path<3> path = {real(anywhere()), {}, random.below(2) == 0 ? 1.0 : 0.5, 0.0};
        path.way = minus(real(anywhere()), path.from);
        if (i % 7 == 0) { path.from = along(path.from, random.unit(), path.way); }
        if (i % 11 == 0) { path.radius = 1e-9 * unit; }
        const obstacle::TriangleAhead ahead(body, path);
        const double time = obstacle::first_touch_of_all(body, path, ahead);
        ASSERT_EQ(obstacle::first_touch(body, path), time) << i;
        sure += obstacle::is_only_for_face(body, path, ahead) ? 1 : 0;
        hits += time != kNever ? 1 : 0;
        at_once += time == 0.0 ? 1 : 0;
    }
    EXPECT_GT(sure, 20'000u);
    EXPECT_LT(sure, 180'000u);
    EXPECT_GT(hits, 20'000u);
    EXPECT_GT(at_once, 5'000u);
}

TEST(ObstacleDefinition, NoPathSlipsThroughBetweenTwoTriangles) {
    scenes::Random random(6);
    for (int i = 0; i < 20'000; ++i) {
        const Point<3> a = random_point<3>(random, 3.0f), b = random_point<3>(random, 3.0f);
        const auto one = obstacle::body_of(Triangle{{a, b, random_point<3>(random, 3.0f)}});
        Point<3> beyond = one.normal == Real<3>{} ? a : Point<3>{};
        // The other corner on the far side of the edge, in about the same plane.
        for (std::size_t x = 0; x < 3; ++x) {
            beyond[x] = static_cast<float>(real(a)[x] + real(b)[x] - one.corners[2][x]);
        }
        const auto other = obstacle::body_of(Triangle{{b, a, beyond}});
        const double t = random.unit();
        const Real<3> on_edge = along(real(a), t, minus(real(b), real(a)));
        Path<3> path = {real(random_point<3>(random, 9.0f)), {}, 2.0, 0.0};
        path.way = minus(on_edge, path.from);
        ASSERT_TRUE(obstacle::first_touch(one, path) != kNever ||
                    obstacle::first_touch(other, path) != kNever)
            << i;
    }
}

} // namespace
} // namespace throng::test
