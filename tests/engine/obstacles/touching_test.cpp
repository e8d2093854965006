// Touching counts, whatever is turned how: every question on whole numbers against an oracle in
// whole numbers, which rounds nothing. Many of them touch in one point, along one edge or side by
// side.
#include "exact_meeting.hpp"

#include "../../support/dims.hpp"
#include "../../support/random.hpp"

#include <throng/engine/obstacles/obstacles.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace throng::test {
namespace {

using exact::Body;
using exact::meet;
using exact::meet_round;
using exact::Place;
using exact::polygon_of;
using exact::swept;
using exact::Whole;

template <class Dim>
class Touching : public testing::Test {};
TYPED_TEST_SUITE(Touching, Dims, DimNames);

/// Where a small world of whole numbers lies.
constexpr Whole kOffsets[] = {0, -3, 1000, 8190, 100'000};

/// A small world of whole numbers, away from zero.
template <std::size_t Dim>
class Scene {
public:
    explicit Scene(std::uint64_t seed) : random(seed) { move(); }

    /// To another place; sometimes all is very small there, or very large.
    void move() {
        constexpr float kUnits[] = {1.0f, 1.0f, 1.0f, 0x1p-130f, 0x1p50f};
        unit_ = kUnits[random.below(5)];
        for (Whole& x : offset_) {
            x = unit_ == 1.0f ? kOffsets[random.below(5)] : 0;
        }
    }

    [[nodiscard]] Point<Dim> point(const Place<Dim>& place) const {
        Point<Dim> made = way(place);
        for (std::size_t a = 0; a < Dim; ++a) {
            made[a] = length(place[a] + offset_[a]);
        }
        return made;
    }
    [[nodiscard]] float length(Whole number) const { return static_cast<float>(number) * unit_; }
    [[nodiscard]] Point<Dim> way(const Place<Dim>& place) const {
        Point<Dim> made;
        for (std::size_t a = 0; a < Dim; ++a) {
            made[a] = length(place[a]);
        }
        return made;
    }
    [[nodiscard]] Whole number(Whole low, Whole high) {
        return low + random.below(static_cast<std::uint32_t>(high - low + 1));
    }
    [[nodiscard]] Place<Dim> place(Whole size) {
        Place<Dim> made;
        for (Whole& x : made) {
            x = number(-size, size);
        }
        return made;
    }
    [[nodiscard]] Whole radius() {
        constexpr Whole kRadii[] = {0, 0, 1, 2, 5};
        return kRadii[random.below(5)];
    }

    Box<Dim> box(Body<Dim>& body) {
        Place<Dim> low = place(8), half{};
        for (Whole& x : half) {
            x = number(0, 3);
        }
        std::array<Place<Dim>, Dim> edges{};
        for (std::size_t i = 0; i < Dim; ++i) {
            edges[i][i] = half[i];
        }
        body = exact::box_of(low, edges);
        return {point(exact::plus(low, half, -1)), point(exact::plus(low, half))};
    }

    /// In space `upright` turns it about z alone.
    OrientedBox<Dim> turned_box(Body<Dim>& body, bool upright = false) {
        std::array<Place<Dim>, Dim> edges;
        if constexpr (Dim == 2) {
            constexpr std::array<Place<2>, 2> kAxes[] = {
                {{{3, 4}, {-4, 3}}}, {{{1, 1}, {-1, 1}}}, {{{1, -3}, {3, 1}}}, {{{0, 2}, {2, 0}}}};
            edges = kAxes[random.below(4)];
        } else {
            constexpr std::array<Place<3>, 3> kAxes[] = {
                {{{3, 4, 0}, {-4, 3, 0}, {0, 0, 2}}},  {{{1, 1, 0}, {-1, 1, 0}, {0, 0, 1}}},
                {{{1, -3, 0}, {3, 1, 0}, {0, 0, -3}}}, {{{1, 2, 2}, {2, 1, -2}, {2, -2, 1}}},
                {{{1, 1, 1}, {1, -1, 0}, {1, 1, -2}}}, {{{0, 3, 4}, {2, 0, 0}, {0, -4, 3}}}};
            edges = kAxes[random.below(upright ? 3 : 6)];
        }
        OrientedBox<Dim> box;
        const Place<Dim> centre = place(8);
        for (std::size_t i = 0; i < Dim; ++i) {
            const Whole times = number(0, 2);
            for (Whole& x : edges[i]) {
                x *= times;
            }
            box.half_edges[i] = way(edges[i]);
        }
        box.centre = point(centre);
        body = exact::box_of(centre, edges);
        return box;
    }

    auto thin(Body<Dim>& body) {
        const Place<Dim> from = place(8), to = place(8);
        if constexpr (Dim == 2) {
            const Whole reach = number(0, 2);
            body = polygon_of<2>({from, to}, reach);
            return Wall{point(from), point(to), length(2 * reach)};
        } else {
            const Place<3> last = random.below(8) == 0 ? to : place(8);
            body = polygon_of<3>({from, to, last});
            return Triangle{{{point(from), point(to), point(last)}}};
        }
    }

    /// Puts one obstacle of any kind there, as number 0.
    Body<Dim> put(Obstacles<Dim>& obstacles) {
        Body<Dim> body;
        Status status;
        obstacles.clear();
        switch (random.below(3)) {
        case 0:
            status = obstacles.insert(0, box(body));
            break;
        case 1:
            status = obstacles.insert(0, turned_box(body));
            break;
        default:
            status = obstacles.insert(0, thin(body));
        }
        EXPECT_EQ(status, Status{});
        return body;
    }

    scenes::Random random;

private:
    Place<Dim> offset_{};
    float unit_ = 1.0f;
};

/// What a test has seen.
struct Tally {
    std::size_t met = 0, apart = 0, lost = 0, wrong = 0;

    void add(bool found, bool meets) {
        (meets ? met : apart) += 1;
        lost += meets && !found ? 1 : 0;
        wrong += found && !meets ? 1 : 0;
    }
    void check(std::size_t least) const {
        EXPECT_EQ(lost, 0u) << "of " << met;
        EXPECT_EQ(wrong, 0u) << "of " << apart;
        EXPECT_GT(met, least);
        EXPECT_GT(apart, least);
    }
};

/// In space the oracle takes longer.
template <std::size_t Dim>
constexpr int kRounds = Dim == 2 ? 3000 : 1000;

TYPED_TEST(Touching, PointsAndBalls) {
    constexpr std::size_t kDim = TypeParam::value;
    Scene<kDim> scene(1);
    Obstacles<kDim> obstacles;
    std::vector<ObstacleNear<kDim>> near;
    Tally balls, points;
    std::size_t normals = 0;
    for (int i = 0; i < kRounds<kDim>; ++i) {
        if (i % 4 == 0) { scene.move(); }
        const Body<kDim> body = scene.put(obstacles);
        for (int q = 0; q < 10; ++q) {
            const Place<kDim> at = q == 0 ? body.corners[0] : scene.place(9);
            const Whole radius = scene.radius();
            const Body<kDim> ball = polygon_of<kDim>({at}, radius), point = polygon_of<kDim>({at});
            const auto asked = Ball<kDim>{scene.point(at), scene.length(radius)};
            balls.add(obstacles.query(asked, near).count == 1, meet_round(body, ball));
            ObstacleNear<kDim> nearest;
            ASSERT_EQ(obstacles.nearest(asked.centre, nearest).count, 1u);
            points.add(nearest.distance <= 0.0f, meet_round(body, point));
            float length2 = 0.0f;
            for (const float x : nearest.normal.axis) {
                length2 += x * x;
            }
            normals += std::abs(length2 - 1.0f) < 1e-6f ? 0 : 1;
        }
    }
    balls.check(1000);
    points.check(400);
    EXPECT_EQ(normals, 0u);
}

TYPED_TEST(Touching, Paths) {
    constexpr std::size_t kDim = TypeParam::value;
    Scene<kDim> scene(2);
    Obstacles<kDim> obstacles;
    Tally segments, sights, discs, rays, begins, batches;
    std::size_t along = 0, times = 0;
    for (int i = 0; i < kRounds<kDim>; ++i) {
        if (i % 4 == 0) { scene.move(); }
        const Body<kDim> body = scene.put(obstacles);
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
                float product = 0.0f;
                for (std::size_t a = 0; a < kDim; ++a) {
                    product += hit.normal[a] * static_cast<float>(way[a]);
                }
                along += product > 1e-5f ? 1 : 0;
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
            discs.add(found, meet_round(body, swept(round, way)));
            times += found && (hit.time == 0.0f) != meet_round(body, round) ? 1 : 0;
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
    EXPECT_EQ(along, 0u) << "normals along the way";
    EXPECT_EQ(times, 0u) << "discs that begin touching, and not at time 0";
}

TYPED_TEST(Touching, Areas) {
    constexpr std::size_t kDim = TypeParam::value;
    Scene<kDim> scene(3);
    Obstacles<kDim> obstacles;
    std::vector<Id> ids;
    Tally boxes, turned, columns, bands;
    for (int i = 0; i < kRounds<kDim>; ++i) {
        if (i % 4 == 0) { scene.move(); }
        const Body<kDim> body = scene.put(obstacles);
        for (int q = 0; q < 6; ++q) {
            Body<kDim> other;
            const Box<kDim> box = scene.box(other);
            boxes.add(obstacles.query(box, ids).count == 1, meet_round(body, other));
            const OrientedBox<kDim> turned_box = scene.turned_box(other);
            turned.add(obstacles.query(turned_box, ids).count == 1, meet_round(body, other));
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
    columns.check(500);
    bands.check(500);
}

/// Cylinders around houses, which stand upright: a disc and a rectangle, seen from above.
TEST(Touching, CylindersAroundHouses) {
    Scene<3> scene(4);
    Obstacles<3> obstacles;
    std::vector<Id> ids;
    Tally tally;
    for (int i = 0; i < kRounds<2>; ++i) {
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

/// When the swept body of a mover meets an obstacle, and whether it does where it begins. The
/// normal keeps the two apart where they meet: no corner of either lies beyond the other's.
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
    double low = 1e30, high = -1e30;
    const auto level = [&](const Place<Dim>& corner, double time) {
        double sum = 0.0;
        for (std::size_t a = 0; a < Dim; ++a) {
            sum += hit.normal[a] *
                   (static_cast<double>(corner[a]) + time * static_cast<double>(way[a]));
        }
        return sum;
    };
    for (const Place<Dim>& corner : mover.corners) {
        low = std::min(low, level(corner, hit.time) - static_cast<double>(mover.radius));
    }
    for (const Place<Dim>& corner : body.corners) {
        high = std::max(high, level(corner, 0.0) + static_cast<double>(body.radius));
    }
    crossing += low < high - 1e-3 ? 1 : 0;
}

TYPED_TEST(Touching, Movers) {
    constexpr std::size_t kDim = TypeParam::value;
    Scene<kDim> scene(5);
    Obstacles<kDim> obstacles;
    Tally boxes, turned, capsules, begins;
    std::size_t crossing = 0;
    for (int i = 0; i < kRounds<kDim>; ++i) {
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
