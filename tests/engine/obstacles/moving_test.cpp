// Boxes and capsules that move: the definition against distances from all pairs of corners, and
// obstacles against each obstacle alone.
#include "obstacle_scene.hpp"

#include "../../support/dims.hpp"
#include "../../support/threads/executors.hpp"

#include <throng/engine/obstacles/moving/contact.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace throng::test {
namespace {

using obstacle::Real;

template <class Dim>
class Moved : public testing::Test {};
TYPED_TEST_SUITE(Moved, Dims, DimNames);

// The oracle: the shortest vector between two convex bodies, from all their corners.

/// The corners of a mover, without its radius.
template <std::size_t Dim>
std::vector<Real<Dim>> corners_of(const obstacle::Mover<Dim>& mover) {
    if (!mover.is_box) { return {mover.from, mover.to}; }
    std::vector<Real<Dim>> all;
    obstacle::each_corner(mover.box, [&](const Real<Dim>& corner) { all.push_back(corner); });
    return all;
}

/// `most` is the distance between the two at a time, without radii; inside, more than that. `least`
/// is by how much a plane across the shortest vector keeps them apart; below zero if it does not.
struct Apart {
    double most, least;
};

/// The differences of all corners span the difference of the two bodies. Its place nearest to the
/// origin is on a side: on a triangle of three differences, in the plane on a line of two.
template <std::size_t Dim, class Body>
Apart apart_at(const obstacle::Mover<Dim>& mover, const Body& body, double time) {
    std::vector<Real<Dim>> all;
    for (const Real<Dim>& mine : corners_of(mover)) {
        obstacle::each_corner(body, [&](const Real<Dim>& other) {
            all.push_back(obstacle::minus(obstacle::along(mine, time, mover.way), other));
        });
    }
    const Real<Dim> origin{};
    Real<Dim> nearest = all[0];
    const auto look_at = [&](const Real<Dim>& place) {
        if (obstacle::dot(place, place) < obstacle::dot(nearest, nearest)) { nearest = place; }
    };
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            look_at(obstacle::nearest_on_segment(all[i], all[j], origin));
            if constexpr (Dim == 3) {
                for (std::size_t k = 0; k < j; ++k) {
                    const Real<3> one = obstacle::minus(all[j], all[i]);
                    const Real<3> other = obstacle::minus(all[k], all[i]);
                    const Real<3> normal = obstacle::cross(one, other);
                    const double square = obstacle::dot(normal, normal);
                    if (!(square > 1e-18)) { continue; }
                    const Real<3> from = obstacle::scaled(all[i], -1.0);
                    const double s = obstacle::dot(obstacle::cross(from, other), normal) / square;
                    const double u = obstacle::dot(obstacle::cross(one, from), normal) / square;
                    if (s < 0.0 || u < 0.0 || s + u > 1.0) { continue; }
                    look_at(obstacle::scaled(normal, -obstacle::dot(from, normal) / square));
                }
            }
        }
    }
    const double most = std::sqrt(obstacle::dot(nearest, nearest));
    if (!(most > 0.0)) { return {0.0, 0.0}; }
    double least = obstacle::kNever;
    for (const Real<Dim>& one : all) {
        least = std::min(least, obstacle::dot(one, nearest) / most);
    }
    return {most, least};
}

struct Seen {
    std::size_t hits = 0, starts = 0, misses = 0, sharp = 0;
};

template <std::size_t Dim, class Body>
void check_contact(const obstacle::Mover<Dim>& mover, const Body& body, double size, Seen& seen) {
    const obstacle::Contact<Dim> contact = obstacle::contact_of(mover, body, true);
    ASSERT_EQ(obstacle::contact_of(mover, body, false).time, contact.time);
    const double reach = (mover.is_box ? 0.0 : mover.radius) + obstacle::reach_of(body);
    const double little = 1e-6 * size;
    if (contact.time == obstacle::kNever) {
        ++seen.misses;
        for (int i = 0; i <= 4; ++i) {
            ASSERT_GT(apart_at(mover, body, i / 4.0).least, reach - little) << i;
        }
        return;
    }
    ASSERT_GE(contact.time, 0.0);
    ASSERT_LE(contact.time, 1.0);
    const Apart then = apart_at(mover, body, contact.time);
    ASSERT_LT(contact.time == 0.0 ? then.least : then.most, reach + little);
    ASSERT_NEAR(obstacle::dot(contact.normal, contact.normal), 1.0, 1e-9);
    ASSERT_NEAR(obstacle::surface_of(body, contact.point).distance, 0.0, little);
    if (contact.time == 0.0) {
        ++seen.starts;
        return;
    }
    ++seen.hits;
    // The distance is convex in time: if it is larger just before, it was larger all the time
    // before.
    const double before = std::max(0.0, contact.time - 1e-3);
    const Apart apart = apart_at(mover, body, before);
    ASSERT_GT(apart.least, reach - 1e-2 * little);
    seen.sharp += apart.least > reach ? 1 : 0;
    // The normal keeps mover and obstacle apart, and both touch the point.
    const double level = obstacle::dot(contact.point, contact.normal);
    double low = obstacle::kNever, high = -obstacle::kNever;
    for (const Real<Dim>& corner : corners_of(mover)) {
        const Real<Dim> there = obstacle::along(corner, contact.time, mover.way);
        low = std::min(low, obstacle::dot(there, contact.normal));
    }
    obstacle::each_corner(body, [&](const Real<Dim>& corner) {
        high = std::max(high, obstacle::dot(corner, contact.normal));
    });
    ASSERT_GT(low - (mover.is_box ? 0.0 : mover.radius), level - little);
    ASSERT_LT(high + obstacle::reach_of(body), level + little);
    const Real<Dim> back = obstacle::along(contact.point, -contact.time, mover.way);
    const Real<Dim> mine =
        mover.is_box
            ? obstacle::along(back, -std::max(0.0, obstacle::surface_of(mover.box, back).distance),
                              obstacle::surface_of(mover.box, back).normal)
            : obstacle::nearest_on_segment(mover.from, mover.to, back);
    const Real<Dim> off =
        obstacle::minus(obstacle::along(mine, contact.time, mover.way), contact.point);
    ASSERT_NEAR(std::sqrt(obstacle::dot(off, off)), mover.is_box ? 0.0 : mover.radius, little);
}

template <std::size_t Dim, template <std::size_t> class Shape>
obstacle::Mover<Dim> mover_of(const Moving<Dim, Shape>& moving) {
    obstacle::Mover<Dim> mover{};
    mover.way = obstacle::real(moving.way);
    if constexpr (std::is_same_v<Shape<Dim>, Capsule<Dim>>) {
        mover.from = obstacle::real(moving.shape.from);
        mover.to = obstacle::real(moving.shape.to);
        mover.radius = moving.shape.radius;
        obstacle::find_bounds(mover.from, mover.to, mover.radius, mover.lo, mover.hi);
    } else {
        mover.is_box = true;
        mover.box = obstacle::body_of(moving.shape);
        obstacle::find_bounds(mover.box, mover.lo, mover.hi);
    }
    return mover;
}

template <std::size_t Dim>
Point<Dim> random_way(scenes::Random& random, float size) {
    Point<Dim> way = random_point<Dim>(random, size);
    if (random.below(3) == 0) { way[random.below(Dim)] = 0.0f; }
    if (random.below(30) == 0) { way = {}; }
    return way;
}
template <std::size_t Dim>
Moving<Dim, Box> random_moving(scenes::Random& random, float world, float size, Box<Dim>*) {
    return {random_box<Dim>(random, world, size), random_way<Dim>(random, 2.0f * world)};
}
template <std::size_t Dim>
Moving<Dim, OrientedBox> random_moving(scenes::Random& random, float world, float size,
                                       OrientedBox<Dim>*) {
    OrientedBox<Dim> box = random_turned_box<Dim>(random, world, size);
    while (!obstacle::check(box, 0).ok()) {
        box = random_turned_box<Dim>(random, world, size);
    }
    return {box, random_way<Dim>(random, 2.0f * world)};
}
template <std::size_t Dim>
Moving<Dim, Capsule> random_moving(scenes::Random& random, float world, float size, Capsule<Dim>*) {
    const Point<Dim> from = random_point<Dim>(random, world);
    const Point<Dim> to =
        random.below(10) == 0 ? from : moved(from, random_point<Dim>(random, size));
    const float radius = random.below(5) == 0 ? 0.0f : random.between(0.0f, 0.5f * size);
    return {{from, to, radius}, random_way<Dim>(random, 2.0f * world)};
}

template <std::size_t Dim, class Shape>
void check_definition() {
    scenes::Random random(17);
    Seen seen;
    for (int q = 0; q < (Dim == 2 ? 1500 : 300); ++q) {
        SCOPED_TRACE(q);
        const float size = random.below(2) == 0 ? 2.0f : 5.0f;
        auto moving = random_moving(random, 8.0f, size, static_cast<Shape*>(nullptr));
        if (random.below(4) != 0) { // on to where the obstacle is
            const Real<Dim> middle = mover_of(moving).middle();
            const float more = random.between(0.9f, 3.0f);
            for (std::size_t a = 0; a < Dim; ++a) {
                moving.way[a] = static_cast<float>(-middle[a]) * more + random.between(-2.0f, 2.0f);
            }
        }
        const auto mover = mover_of(moving);
        const AnyObstacle<Dim> shape = random_obstacle<Dim>(random, 3.0f, size);
        with_body_of<Dim>(shape, [&](const auto& body) { check_contact(mover, body, 20.0, seen); });
        if (testing::Test::HasFatalFailure()) { return; }
    }
    EXPECT_GT(seen.hits, 40u);
    EXPECT_GT(seen.starts, 10u);
    EXPECT_GT(seen.misses, 40u);
    EXPECT_GT(seen.sharp, seen.hits * 3 / 4);
}

TYPED_TEST(Moved, BoxesTouchWhenCornersSay) {
    check_definition<TypeParam::value, Box<TypeParam::value>>();
}
TYPED_TEST(Moved, TurnedBoxesTouchWhenCornersSay) {
    check_definition<TypeParam::value, OrientedBox<TypeParam::value>>();
}
TYPED_TEST(Moved, CapsulesTouchWhenCornersSay) {
    check_definition<TypeParam::value, Capsule<TypeParam::value>>();
}

// Many obstacles, against each obstacle alone.

/// All that a mover touches, by the definition alone.
template <std::size_t Dim>
std::vector<ObstacleHit<Dim>> hits_of(const ObstacleTruth<Dim>& truth,
                                      const obstacle::Mover<Dim>& mover, const Filter& filter) {
    std::vector<ObstacleHit<Dim>> all;
    for (const Standing<Dim>& one : truth.all) {
        const bool in = filter.groups == kAllGroups || (one.groups & filter.groups) != 0;
        if (!in || one.id == filter.without) { continue; }
        const auto contact = with_body_of<Dim>(
            one.shape, [&](const auto& body) { return obstacle::contact_of(mover, body, true); });
        if (contact.time == obstacle::kNever) { continue; }
        ObstacleHit<Dim> hit = {one.id, static_cast<float>(contact.time), {}, {}};
        for (std::size_t a = 0; a < Dim; ++a) {
            hit.point[a] = static_cast<float>(contact.point[a]) + 0.0f;
            hit.normal[a] = static_cast<float>(contact.normal[a]) + 0.0f;
        }
        all.push_back(hit);
    }
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
        return a.time < b.time || (a.time == b.time && a.id < b.id);
    });
    return all;
}

template <std::size_t Dim, class Shape>
void check_search() {
    scenes::Random random(19);
    constexpr Filter kFilters[] = {{}, {5, kNoId}, {kAllGroups, 17}, {0, kNoId}};
    struct Sizes {
        std::size_t count;
        float world, size;
    };
    std::size_t found = 0;
    for (const Sizes& sizes :
         {Sizes{0, 1, 1}, Sizes{40, 8, 3}, Sizes{900, 60, 4}, Sizes{900, 1e6f, 8e4f},
          Sizes{500, 1e17f, 1e16f}, Sizes{500, 1e-3f, 1e-4f}}) {
        SCOPED_TRACE(sizes.world);
        ObstacleTruth<Dim> truth;
        truth.fill(random, sizes.count, sizes.world, sizes.size);
        Obstacles<Dim> obstacles;
        ASSERT_EQ(obstacles.set(truth.arrays()), Status{});
        std::vector<ObstacleHit<Dim>> hits;
        for (int q = 0; q < 120; ++q) {
            const Filter& filter = kFilters[random.below(4)];
            auto moving =
                random_moving(random, sizes.world, sizes.size, static_cast<Shape*>(nullptr));
            if (random.below(2) == 0) {
                for (float& x : moving.way.axis) {
                    x = x * 0.1f;
                }
            }
            const auto wanted = filter.groups == 0 ? std::vector<ObstacleHit<Dim>>{}
                                                   : hits_of(truth, mover_of(moving), filter);
            const Found all = obstacles.query(moving, hits, filter);
            ASSERT_TRUE(all.status.ok());
            ASSERT_EQ(all.count, wanted.size()) << q;
            ASSERT_EQ(hits, wanted) << q;
            ObstacleHit<Dim> first;
            ASSERT_EQ(obstacles.first(moving, first, filter).count, wanted.empty() ? 0u : 1u);
            ASSERT_EQ(first, wanted.empty() ? ObstacleHit<Dim>{} : wanted[0]) << q;
            found += wanted.size();
        }
    }
    EXPECT_GT(found, 200u);
}

TYPED_TEST(Moved, BoxesTouchWhatEachObstacleAloneSays) {
    check_search<TypeParam::value, Box<TypeParam::value>>();
}
TYPED_TEST(Moved, TurnedBoxesTouchWhatEachObstacleAloneSays) {
    check_search<TypeParam::value, OrientedBox<TypeParam::value>>();
}
TYPED_TEST(Moved, CapsulesTouchWhatEachObstacleAloneSays) {
    check_search<TypeParam::value, Capsule<TypeParam::value>>();
}

template <std::size_t Dim, class Shape>
void check_batch(const Obstacles<Dim>& obstacles, scenes::Random& random) {
    using M = decltype(random_moving(random, 1.0f, 1.0f, static_cast<Shape*>(nullptr)));
    std::vector<M> movers;
    for (int i = 0; i < 1500; ++i) {
        movers.push_back(random_moving(random, 60.0f, 3.0f, static_cast<Shape*>(nullptr)));
        for (float& x : movers.back().way.axis) {
            x = x * 0.05f;
        }
    }
    ShuffleExecutor shuffled(3);
    EagerPool pool(3);
    for (Executor* const executor :
         {&serial_executor(), static_cast<Executor*>(&shuffled), static_cast<Executor*>(&pool)}) {
        std::vector<ObstacleHit<Dim>> hits(movers.size());
        std::size_t hit = 0;
        const Found found = obstacles.first(movers, hits, *executor, {7, kNoId});
        for (std::size_t i = 0; i < movers.size(); ++i) {
            ObstacleHit<Dim> one;
            hit += obstacles.first(movers[i], one, {7, kNoId}).count;
            ASSERT_EQ(hits[i], one) << i;
        }
        ASSERT_EQ(found.count, hit);
        ASSERT_GT(hit, 0u);
    }
    FaultyExecutor faulty(Fault::throw_before, 0);
    std::vector<ObstacleHit<Dim>> hits(movers.size());
    EXPECT_THROW((void)obstacles.first(movers, hits, faulty), ExecutorError);
    EXPECT_STREQ(obstacles.validate(), nullptr);
}

TYPED_TEST(Moved, AreTheSameInBatchesOnAnyExecutor) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(23);
    ObstacleTruth<kDim> truth;
    truth.fill(random, 1500, 60.0f, 3.0f);
    Obstacles<kDim> obstacles;
    ASSERT_EQ(obstacles.set(truth.arrays()), Status{});
    check_batch<kDim, Box<kDim>>(obstacles, random);
    check_batch<kDim, OrientedBox<kDim>>(obstacles, random);
    check_batch<kDim, Capsule<kDim>>(obstacles, random);
}

// Cases worked out by hand.

TEST(MovedByHand, TouchingCounts) {
    Obstacles<2> obstacles;
    ASSERT_EQ(obstacles.insert(3, Box<2>{{4, 0}, {6, 2}}), Status{});
    ASSERT_EQ(obstacles.insert(5, Wall{{10, -9}, {10, 9}, 2.0f}), Status{});
    ObstacleHit<2> hit;
    // Its side against the side of the box, half the way.
    const Moving<2, Box> ahead = {{{0, 1}, {1, 3}}, {6, 0}};
    ASSERT_EQ(obstacles.first(ahead, hit).count, 1u);
    EXPECT_EQ(hit, (ObstacleHit<2>{3, 0.5f, {4, 1}, {-1, 0}}));
    // Along the upper side of the box, which it only grazes, then on to the wall.
    const Moving<2, Box> along = {{{0, 2}, {1, 3}}, {16, 0}};
    std::vector<ObstacleHit<2>> hits;
    ASSERT_EQ(obstacles.query(along, hits).count, 2u);
    EXPECT_EQ(hits[0].id, 3u);
    EXPECT_EQ(hits[0].time, 3.0f / 16.0f);
    EXPECT_EQ(hits[1].id, 5u);
    EXPECT_EQ(hits[1].time, 0.5f);
    EXPECT_EQ(hits[1].normal, (Point<2>{-1, 0}));
    EXPECT_EQ(hits[1].point[0], 9.0f);
    // A little higher it passes by.
    const Moving<2, Box> above = {{{0, 2.0001f}, {1, 3}}, {7, 0}};
    EXPECT_EQ(obstacles.first(above, hit).count, 0u);
    EXPECT_EQ(hit, ObstacleHit<2>{});
    // A box that stands still hits only what it touches.
    EXPECT_EQ(obstacles.first(Moving<2, Box>{{{6, 2}, {7, 7}}, {0, 0}}, hit).count, 1u);
    EXPECT_EQ(hit.time, 0.0f);
    EXPECT_EQ(hit.point, (Point<2>{6, 2}));
    EXPECT_EQ(obstacles.first(Moving<2, Box>{{{6.5f, 2}, {7, 7}}, {0, 0}}, hit).count, 0u);
    // A capsule that lies across its way, against the corner of the box.
    const Moving<2, Capsule> across = {{{0, -4}, {0, 1}, 0.5f}, {7, 0}};
    ASSERT_EQ(obstacles.first(across, hit).count, 1u);
    EXPECT_EQ(hit.id, 3u);
    EXPECT_EQ(hit.time, 0.5f);
    EXPECT_EQ(hit.normal, (Point<2>{-1, 0}));
    // Its end is a ball.
    const Moving<2, Capsule> grazes = {{{0, 3}, {-5, 3}, 1.0f}, {8, 0}};
    ASSERT_EQ(obstacles.first(grazes, hit).count, 1u);
    EXPECT_EQ(hit.time, 0.5f);
    EXPECT_EQ(hit.point, (Point<2>{4, 2}));
    EXPECT_EQ(hit.normal, (Point<2>{0, 1}));
}

TEST(MovedByHand, EdgesCrossInSpace) {
    Obstacles<3> obstacles;
    ASSERT_EQ(obstacles.insert(1, Box<3>{{0, 0, 0}, {10, 1, 1}}), Status{});
    ASSERT_EQ(obstacles.insert(2, Triangle{{{{50, -5, 0}, {50, 5, 0}, {50, 0, 9}}}}), Status{});
    ObstacleHit<3> hit;
    // A rod that comes down across the upper edges of the box.
    const Moving<3, Capsule> rod = {{{5, -4, 5}, {5, 4, 5}, 1.0f}, {0, 0, -6}};
    ASSERT_EQ(obstacles.first(rod, hit).count, 1u);
    EXPECT_EQ(hit.id, 1u);
    EXPECT_EQ(hit.time, 0.5f);
    EXPECT_EQ(hit.normal, (Point<3>{0, 0, 1}));
    EXPECT_EQ(hit.point[2], 1.0f);
    // A rod without thickness, too.
    const Moving<3, Capsule> line = {{{5, -4, 5}, {5, 4, 5}, 0.0f}, {0, 0, -8}};
    ASSERT_EQ(obstacles.first(line, hit).count, 1u);
    EXPECT_EQ(hit.time, 0.5f);
    EXPECT_EQ(hit.normal, (Point<3>{0, 0, 1}));
    // A box against a triangle's face.
    const Moving<3, Box> box = {{{40, -1, 1}, {42, 1, 3}}, {16, 0, 0}};
    ASSERT_EQ(obstacles.first(box, hit).count, 1u);
    EXPECT_EQ(hit.id, 2u);
    EXPECT_EQ(hit.time, 0.5f);
    EXPECT_EQ(hit.normal, (Point<3>{-1, 0, 0}));
    EXPECT_EQ(hit.point[0], 50.0f);
    // A mover from the other side: the normal points there.
    const Moving<3, Box> behind = {{{60, -1, 1}, {62, 1, 3}}, {-20, 0, 0}};
    ASSERT_EQ(obstacles.first(behind, hit).count, 1u);
    EXPECT_EQ(hit.normal, (Point<3>{1, 0, 0}));
}

TEST(MovedByHand, RefusesWhatIsNoMover) {
    Obstacles<2> obstacles;
    ASSERT_EQ(obstacles.insert(1, Box<2>{{0, 0}, {1, 1}}), Status{});
    constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();
    const Box<2> unit = {{0, 0}, {1, 1}};
    std::vector<ObstacleHit<2>> hits(2);
    const auto refused = [&](const auto& movers, const Status& status) {
        hits.assign(movers.size(), {7, 1.0f, {}, {}});
        const auto before = hits;
        EXPECT_EQ(obstacles.first(movers, hits).status, status);
        EXPECT_EQ(hits, before);
    };
    using B = Moving<2, Box>;
    using O = Moving<2, OrientedBox>;
    using C = Moving<2, Capsule>;
    refused(std::vector<B>{{unit, {}}, {unit, {kNotANumber, 0}}},
            {Cause::not_finite, Argument::box, 1});
    refused(std::vector<B>{{unit, {}}, {{{1, 0}, {0, 1}}, {}}},
            {Cause::inverted, Argument::box, 1});
    refused(std::vector<B>{{unit, {2e18f, 0}}}, {Cause::too_large, Argument::box, 0});
    refused(std::vector<O>{{{{}, {{{1, 0}, {1, 1}}}}, {}}},
            {Cause::out_of_range, Argument::oriented_box, 0});
    refused(std::vector<C>{{{{}, {}, 1}, {}}, {{{}, {}, -1}, {}}},
            {Cause::negative, Argument::capsule, 1});
    const std::vector<B> two(2, {unit, {}});
    hits.resize(1);
    EXPECT_EQ(obstacles.first(two, hits).status, (Status{Cause::no_room, Argument::path_hits}));
    EXPECT_EQ(obstacles.query(MoversView<2>(two), hits).status,
              (Status{Cause::count_mismatch, Argument::shapes}));
    EXPECT_EQ(obstacles.first(MoversView<2>(MoverKind::box, nullptr, 1), hits).status,
              (Status{Cause::null_pointer, Argument::shapes}));
    EXPECT_EQ(obstacles.first(MoversView<2>(static_cast<MoverKind>(3), two.data(), 1), hits).status,
              (Status{Cause::out_of_range, Argument::shapes}));
}

} // namespace
} // namespace throng::test
