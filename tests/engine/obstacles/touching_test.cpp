// Touching counts, however shapes are turned: every question on whole numbers against an oracle in
// whole numbers, which rounds nothing. Many shapes touch in one point, along one edge or side by
// side.
#include "whole_scene.hpp"

#include "../../support/dims.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace throng::test {
namespace {

using exact::along;
using exact::Body;
using exact::is_flat;
using exact::keeps_apart;
using exact::meet;
using exact::meet_round;
using exact::Place;
using exact::polygon_of;
using exact::Scene;
using exact::swept;
using exact::Tally;
using exact::Whole;

template <class Dim>
class Touching : public testing::Test {};
TYPED_TEST_SUITE(Touching, Dims, DimNames);

/// Fewer in space, where the oracle takes longer.
template <std::size_t Dim>
constexpr int kTrials = Dim == 2 ? 3000 : 1000;

TYPED_TEST(Touching, PointsAndBalls) {
    constexpr std::size_t kDim = TypeParam::value;
    Scene<kDim> scene(1);
    Obstacles<kDim> obstacles;
    std::vector<ObstacleNear<kDim>> near;
    std::vector<Id> ids;
    Tally balls, views, points;
    std::size_t normals = 0, askew = 0;
    for (int i = 0; i < kTrials<kDim>; ++i) {
        if (i % 4 == 0) { scene.move(); }
        const Body<kDim> body = scene.put(obstacles);
        for (int q = 0; q < 10; ++q) {
            const Place<kDim> at = q == 0 ? body.corners[0] : scene.place(9);
            const Whole radius = scene.radius();
            const Body<kDim> ball = polygon_of<kDim>({at}, radius), point = polygon_of<kDim>({at});
            const auto asked = Ball<kDim>{scene.point(at), scene.length(radius)};
            const bool meets = meet_round(body, ball);
            balls.add(obstacles.query(asked, near).count == 1, meets);
            const Sector<kDim> all_round = {asked.centre, asked.radius, Point<kDim>::all(1.0f),
                                            -1.0f};
            views.add(obstacles.query(all_round, ids).count == 1, meets);
            ObstacleNear<kDim> nearest;
            ASSERT_EQ(obstacles.nearest(asked.centre, nearest).count, 1u);
            points.add(nearest.distance <= 0.0f, meet_round(body, point));
            float length2 = 0.0f;
            for (const float x : nearest.normal.axis) {
                length2 += x * x;
            }
            normals += std::abs(length2 - 1.0f) < 1e-6f ? 0 : 1;
            if (!is_flat(body) || !meet(body, point)) { continue; }
            for (const Place<kDim>& edge : body.edges) {
                askew += std::abs(along(nearest.normal, edge)) < 1e-4 ? 0 : 1;
            }
        }
    }
    balls.check(1000);
    views.check(1000);
    points.check(400);
    EXPECT_EQ(normals, 0u);
    EXPECT_EQ(askew, 0u) << "normals of what lies on a line or a face, along it";
}

/// Points on a wall's middle line, where divisions may round: the normal is still that of the left
/// side.
TEST(Touching, NormalsOnAMiddleLine) {
    std::size_t askew = 0, off = 0;
    for (int length = 2; length < 100; ++length) {
        for (const float thickness : {0.0f, 2.0f}) {
            const auto at = [](int part) {
                const auto times = static_cast<float>(part);
                return Point<2>{{1.0f + 4.0f * times, 7.0f + 3.0f * times}};
            };
            Obstacles<2> obstacles;
            ASSERT_EQ(obstacles.insert(0, Wall{at(0), at(length), thickness}), Status{});
            for (int part = 0; part <= length; ++part) {
                ObstacleNear<2> near;
                ASSERT_EQ(obstacles.nearest(at(part), near).count, 1u);
                askew += near.normal == Point<2>{{-0.6f, 0.8f}} ? 0 : 1;
                off += near.distance == -0.5f * thickness ? 0 : 1;
            }
        }
    }
    EXPECT_EQ(askew, 0u);
    EXPECT_EQ(off, 0u);
}

TYPED_TEST(Touching, Paths) {
    constexpr std::size_t kDim = TypeParam::value;
    Scene<kDim> scene(2);
    Obstacles<kDim> obstacles;
    Tally segments, sights, discs, rays, begins, batches;
    std::size_t forward = 0, crossing = 0, sliding = 0, times = 0;
    for (int i = 0; i < kTrials<kDim>; ++i) {
        if (i % 4 == 0) { scene.move(); }
        const Body<kDim> body = scene.put(obstacles);
        const bool is_box = body.corners.size() > 3;
        const bool has_normal = is_box || is_flat(body); // else it is that of the way
        std::vector<Segment<kDim>> looks;
        std::vector<std::uint8_t> clear;
        for (int q = 0; q < 20; ++q) {
            const Place<kDim> from = scene.place(9);
            Place<kDim> to = scene.place(9);
            if (q == 0) { to = body.corners.back(); }
            if (q == 1) { to = exact::plus(from, body.edges[0]); }
            const Place<kDim> way = exact::plus(to, from, -1);
            const Body<kDim> start = polygon_of<kDim>({from}), path = swept(start, way);
            const bool meets = meet_round(body, path), touches = meet_round(body, start);
            const Segment<kDim> look = {scene.point(from), scene.point(to)};
            ObstacleHit<kDim> hit;
            segments.add(obstacles.first(look, hit).count == 1, meets);
            begins.add(hit.time == 0.0f, touches);
            if (meets && !touches) {
                forward += along(hit.normal, way) > 1e-5 ? 1 : 0;
                crossing += has_normal && !keeps_apart(hit, body, start, way) ? 1 : 0;
                // A path enters a box by a side that it does not only pass along.
                sliding += is_box && along(hit.normal, way) > -1e-3 ? 1 : 0;
            }
            sights.add(obstacles.sight(look).count == 0, meets);
            looks.push_back(look);
            clear.push_back(meets ? 0 : 1);
            if (way != Place<kDim>{}) {
                const Ray<kDim> ray = {scene.point(from), scene.way(way), 2.0f};
                rays.add(obstacles.first(ray, hit).count == 1, meet_round(body, swept(path, way)));
            }
            const Whole radius = scene.radius();
            const Capsule<kDim> disc = {look.from, look.to, scene.length(radius)};
            Body<kDim> round = start;
            round.radius = radius;
            const bool found = obstacles.first(disc, hit).count == 1;
            const bool at_once = meet_round(body, round);
            discs.add(found, meet_round(body, swept(round, way)));
            times += found && (hit.time == 0.0f) != at_once ? 1 : 0;
            if (found && !at_once && (has_normal || radius > 0)) {
                crossing += keeps_apart(hit, body, round, way) ? 0 : 1;
            }
        }
        std::vector<std::uint8_t> seen(looks.size());
        ASSERT_TRUE(obstacles.sight(looks, seen).status.ok());
        for (std::size_t l = 0; l < looks.size(); ++l) {
            batches.add(seen[l] == 0, clear[l] == 0);
        }
    }
    segments.check(1500);
    sights.check(1500);
    discs.check(1500);
    rays.check(1500);
    begins.check(200);
    batches.check(1500);
    EXPECT_EQ(forward, 0u) << "normals along the way";
    EXPECT_EQ(crossing, 0u) << "normals that do not keep the two apart";
    EXPECT_EQ(sliding, 0u) << "sides that the way only leads along";
    EXPECT_EQ(times, 0u) << "discs that begin touching, and not at time 0";
}

TYPED_TEST(Touching, Areas) {
    constexpr std::size_t kDim = TypeParam::value;
    Scene<kDim> scene(3);
    Obstacles<kDim> obstacles;
    std::vector<Id> ids;
    Tally boxes, turned, regions, columns, bands;
    for (int i = 0; i < kTrials<kDim>; ++i) {
        if (i % 4 == 0) { scene.move(); }
        const Body<kDim> body = scene.put(obstacles);
        for (int q = 0; q < 6; ++q) {
            Body<kDim> other;
            const Box<kDim> box = scene.box(other);
            boxes.add(obstacles.query(box, ids).count == 1, meet_round(body, other));
            const OrientedBox<kDim> turned_box = scene.turned_box(other);
            turned.add(obstacles.query(turned_box, ids).count == 1, meet_round(body, other));
            if (scene.is_solid(other)) {
                regions.add(obstacles.query(scene.region(other), ids).count == 1,
                            meet_round(body, other));
            }
            // Without a radius a cylinder is an upright line.
            Place<kDim> low = q == 0 ? body.corners[0] : scene.place(9), high = low;
            Cylinder<kDim> cylinder;
            cylinder.up = kDim == 3 && scene.random.below(2) == 0 ? 1 : kDim - 1;
            cylinder.centre = scene.point(low);
            high[cylinder.up] += scene.number(0, 4);
            cylinder.low = scene.point(low)[cylinder.up];
            cylinder.high = scene.point(high)[cylinder.up];
            bands.add(obstacles.query(cylinder, ids).count == 1,
                      meet_round(body, polygon_of<kDim>({low, high})));
            cylinder.low = -kLargest;
            cylinder.high = kLargest;
            low[cylinder.up] = -1000;
            high[cylinder.up] = 1000;
            columns.add(obstacles.query(cylinder, ids).count == 1,
                        meet_round(body, polygon_of<kDim>({low, high})));
        }
    }
    boxes.check(400);
    turned.check(400);
    regions.check(100);
    columns.check(500);
    bands.check(500);
}

/// Cylinders around houses, which stand upright: a disc and a rectangle, seen from above.
TEST(Touching, CylindersAroundHouses) {
    Scene<3> scene(4);
    Obstacles<3> obstacles;
    std::vector<Id> ids;
    Tally tally;
    for (int i = 0; i < kTrials<2>; ++i) {
        if (i % 4 == 0) { scene.move(); }
        Body<3> body;
        obstacles.clear();
        const bool plain = scene.random.below(2) == 0;
        ASSERT_EQ(plain ? obstacles.insert(0, scene.box(body))
                        : obstacles.insert(0, scene.turned_box(body, true)),
                  Status{});
        Whole bottom = body.corners[0][2], top = bottom;
        Body<2> from_above;
        for (const Place<3>& corner : body.corners) {
            bottom = std::min(bottom, corner[2]);
            top = std::max(top, corner[2]);
            from_above.corners.push_back({corner[0], corner[1]});
        }
        for (const Place<3>& edge : body.edges) {
            from_above.edges.push_back({edge[0], edge[1]});
        }
        for (int q = 0; q < 20; ++q) {
            const Place<3> centre = scene.place(12);
            const Whole radius = scene.radius(), up = scene.number(0, 5);
            Cylinder<3> cylinder = {scene.point(centre), scene.length(radius)};
            bool level = true;
            if (scene.random.below(2) == 0) {
                cylinder.low = cylinder.centre[2];
                cylinder.high = cylinder.low + scene.length(up);
                level = centre[2] <= top && centre[2] + up >= bottom;
            }
            const Body<2> disc = polygon_of<2>({{centre[0], centre[1]}}, radius);
            tally.add(obstacles.query(cylinder, ids).count == 1,
                      level && meet_round(from_above, disc));
        }
    }
    tally.check(2000);
}

/// Balls that end where they touch a slanted side, exactly in whole numbers: triangles and boxes
/// whose sides have normals of whole length.
TEST(Touching, BallsThatEndOnSlantedSides) {
    constexpr Place<3> kOne = {1, 2, 2}, kTwo = {2, 1, -2}, kUp = {2, -2, 1}; // of length 3
    Scene<3> scene(6);
    Obstacles<3> obstacles;
    Tally paths, movers;
    for (int i = 0; i < 3000; ++i) {
        if (i % 4 == 0) { scene.move(); }
        const Place<3> middle = scene.place(3);
        const auto there = [&](Whole one, Whole two, Whole up) {
            return exact::plus(exact::plus(exact::plus(middle, kOne, one), kTwo, two), kUp, up);
        };
        const auto anywhere = [&](Whole up) {
            return there(scene.number(-4, 4), scene.number(-4, 4), up);
        };
        Body<3> body;
        obstacles.clear();
        if (scene.random.below(2) == 0) {
            const Place<3> a = anywhere(0), b = anywhere(0), c = anywhere(0);
            body = polygon_of<3>({a, b, c});
            ASSERT_EQ(
                obstacles.insert(0, Triangle{{{scene.point(a), scene.point(b), scene.point(c)}}}),
                Status{});
        } else {
            std::array<Place<3>, 3> edges = {kOne, kTwo, kUp};
            OrientedBox<3> box = {scene.point(there(0, 0, -1)), {}};
            for (std::size_t e = 0; e < 3; ++e) {
                const Whole times = e == 2 ? 1 : scene.number(1, 3);
                edges[e] = exact::plus(edges[e], edges[e], times - 1);
                box.half_edges[e] = scene.way(edges[e]);
            }
            body = exact::box_of(there(0, 0, -1), edges);
            ASSERT_EQ(obstacles.insert(0, box), Status{});
        }
        for (int q = 0; q < 5; ++q) {
            const Whole above = scene.number(1, 3), radius = 3 * above;
            const Place<3> from = anywhere(above + scene.number(1, 5)), to = anywhere(above);
            const Place<3> way = exact::plus(to, from, -1);
            const Body<3> ball = polygon_of<3>({from}, radius);
            const bool meets = meet_round(body, swept(ball, way));
            ObstacleHit<3> hit;
            const Capsule<3> path = {scene.point(from), scene.point(to), scene.length(radius)};
            paths.add(obstacles.first(path, hit).count == 1, meets);
            const Moving<3, Capsule> mover = {{path.from, path.from, path.radius}, scene.way(way)};
            movers.add(obstacles.first(mover, hit).count == 1, meets);
        }
    }
    paths.check(1000);
    movers.check(1000);
}

/// Checks whether a mover's swept body meets an obstacle, and whether it does where it begins.
template <std::size_t Dim, class Moving>
void check_mover(const Obstacles<Dim>& obstacles, const Body<Dim>& body, const Body<Dim>& mover,
                 const Place<Dim>& way, const Moving& moving, Tally& tally, Tally& begins,
                 std::size_t& crossing) {
    ObstacleHit<Dim> hit;
    const bool found = obstacles.first(moving, hit).count == 1;
    const bool meets = meet_round(body, swept(mover, way)), touches = meet_round(body, mover);
    tally.add(found, meets);
    begins.add(hit.time == 0.0f, touches);
    if (!found || touches) { return; }
    crossing += keeps_apart(hit, body, mover, way) ? 0 : 1;
}

TYPED_TEST(Touching, Movers) {
    constexpr std::size_t kDim = TypeParam::value;
    Scene<kDim> scene(5);
    Obstacles<kDim> obstacles;
    Tally boxes, turned, capsules, begins;
    std::size_t crossing = 0;
    for (int i = 0; i < kTrials<kDim>; ++i) {
        if (i % 4 == 0) { scene.move(); }
        const Body<kDim> body = scene.put(obstacles);
        for (int q = 0; q < 3; ++q) {
            Place<kDim> way = scene.place(9);
            if (q == 0) { way[scene.random.below(kDim)] = 0; }
            Body<kDim> mover;
            const Box<kDim> box = scene.box(mover);
            check_mover(obstacles, body, mover, way, Moving<kDim, Box>{box, scene.way(way)}, boxes,
                        begins, crossing);
            const OrientedBox<kDim> turned_box = scene.turned_box(mover);
            check_mover(obstacles, body, mover, way,
                        Moving<kDim, OrientedBox>{turned_box, scene.way(way)}, turned, begins,
                        crossing);
            const Place<kDim> from = scene.place(8), to = scene.place(8);
            mover = polygon_of<kDim>({from, to}, scene.radius());
            check_mover(obstacles, body, mover, way,
                        Moving<kDim, Capsule>{
                            {scene.point(from), scene.point(to), scene.length(mover.radius)},
                            scene.way(way)},
                        capsules, begins, crossing);
        }
    }
    boxes.check(400);
    turned.check(400);
    capsules.check(400);
    begins.check(500);
    EXPECT_EQ(crossing, 0u) << "normals that do not keep the two apart";
}

} // namespace
} // namespace throng::test
