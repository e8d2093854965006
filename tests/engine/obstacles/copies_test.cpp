// Every question to obstacles in a periodic world, against a plain world that has their copies.
#include "copied_world.hpp"

#include "../../support/dims.hpp"
#include "../../support/threads/executors.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace throng::test {
namespace {

template <class Dim>
class CopiesOfObstacles : public testing::Test {};
TYPED_TEST_SUITE(CopiesOfObstacles, Dims, DimNames);

/// A world that is periodic on the first axis or on all, and in space on all but the second; how
/// many obstacles, how large they are at most, and their lattice, or 0.
struct RoundWorld {
    bool all;
    std::size_t count;
    float size, lattice;
};
constexpr RoundWorld kRoundWorlds[] = {
    {true, 25, 1, 0}, {false, 40, 2, 0}, {true, 30, 3, 1}, {false, 30, 3.5f, 0.5f}, {true, 1, 1, 1},
};

template <std::size_t Dim>
Periodic<Dim> world_of(const RoundWorld& sizes) {
    Periodic<Dim> world;
    for (std::size_t a = 0; a < Dim; ++a) {
        world.bounds.lo[a] = a == 0 ? -3.0f : 2.0f;
        world.bounds.hi[a] = a == 0 ? 5.0f : 18.0f;
        world.axes[a] = a != 1 || (sizes.all && Dim == 2);
        if (!sizes.all && a == 1) { world.axes[a] = false; }
    }
    return world;
}

constexpr Filter kFiltersAround[] = {{}, {2, kNoId}, {kAllGroups, 7}};

/// A way from a place, up to this long on each axis.
template <std::size_t Dim>
Point<Dim> end_of(scenes::Random& random, const Point<Dim>& from, float longest) {
    return on_lattice(moved(from, random_point<Dim>(random, longest)),
                      random.below(2) == 0 ? 0.5f : 0x1p-10f);
}

template <std::size_t Dim>
std::vector<Point<Dim>> points_in(scenes::Random& random, const CopiedWorld<Dim>& copied,
                                  std::size_t count, float lattice) {
    std::vector<Point<Dim>> points;
    for (std::size_t i = 0; i < count; ++i) {
        points.push_back(copied.place(random, lattice));
        if (i % 16 == 15 && i % 64 != 63) { // outside by one period, some by less
            const std::size_t a = copied.world.axes[Dim - 1] && i % 32 == 15 ? Dim - 1 : 0;
            points.back()[a] += i % 3 == 0 ? -copied.world.period(a) : copied.world.period(a);
        }
    }
    return points;
}

template <std::size_t Dim, class Test>
void in_every_world(std::uint64_t seed, const Test& test) {
    for (const RoundWorld& sizes : kRoundWorlds) {
        SCOPED_TRACE(testing::Message() << sizes.count << " up to " << sizes.size);
        scenes::Random random(seed);
        CopiedWorld<Dim> copied(world_of<Dim>(sizes));
        copied.fill(random, sizes.count, sizes.size, sizes.lattice);
        ASSERT_STREQ(copied.around.validate(), nullptr);
        for (const Filter& filter : kFiltersAround) {
            test(random, copied, sizes, filter);
            if (testing::Test::HasFatalFailure()) { return; }
        }
    }
}

TYPED_TEST(CopiesOfObstacles, AreNearest) {
    constexpr std::size_t kDim = TypeParam::value;
    using World = CopiedWorld<kDim>;
    in_every_world<kDim>(1, [](auto& random, const World& copied, const RoundWorld& sizes,
                               const Filter& filter) {
        const auto points = points_in(random, copied, 150, sizes.lattice);
        for (const float within : {kLargest, 1.5f, 0.0f}) {
            std::vector<ObstacleNear<kDim>> batch(points.size());
            EagerPool pool(3);
            const Found found = copied.around.nearest(points, batch, pool, within, filter);
            std::size_t some = 0;
            for (std::size_t i = 0; i < points.size(); ++i) {
                ObstacleNear<kDim> near;
                ASSERT_EQ(copied.around.nearest(points[i], near, within, filter).status, Status{});
                ASSERT_EQ(batch[i], near) << i;
                std::vector<ObstacleNear<kDim>> expected;
                const Ball<kDim> ball = {points[i], std::min(within, 60.0f)};
                ASSERT_TRUE(copied.plain.query(ball, expected, {filter.groups}).ok());
                std::vector<ObstacleNear<kDim>> all;
                ASSERT_TRUE(copied.around.query(ball, all, filter).ok());
                ASSERT_TRUE(are_least<kDim>(all, expected, filter)) << i << " within " << within;
                ASSERT_EQ(near, all.empty() ? ObstacleNear<kDim>{} : all.front()) << i;
                some += all.empty() ? 0 : 1;
            }
            ASSERT_EQ(found, (Found{some, {}}));
        }
    });
}

TYPED_TEST(CopiesOfObstacles, AreWithinBalls) {
    constexpr std::size_t kDim = TypeParam::value;
    using World = CopiedWorld<kDim>;
    in_every_world<kDim>(
        2, [](auto& random, const World& copied, const RoundWorld& sizes, const Filter& filter) {
            const auto points = points_in(random, copied, 100, sizes.lattice);
            std::vector<Ball<kDim>> balls;
            std::vector<std::vector<ObstacleNear<kDim>>> expected;
            for (const Point<kDim>& point : points) {
                const float size = random.below(8) == 0 ? 20.0f : 2.0f;
                Ball<kDim> ball = {point, random.between(0.0f, size)};
                std::vector<ObstacleNear<kDim>> near;
                ASSERT_TRUE(copied.plain.query(ball, near).ok());
                if (!near.empty() && near.back().distance > 0.0f && random.below(2) == 0) {
                    ball.radius = near.back().distance; // exactly on the rim
                }
                ASSERT_TRUE(copied.plain.query(ball, near, {filter.groups}).ok());
                balls.push_back(ball);
                expected.push_back(near);
            }
            ObstaclesWithin<kDim> within;
            ShuffleExecutor shuffled(3);
            ASSERT_TRUE(copied.around.query(balls, within, shuffled, filter).ok());
            for (std::size_t i = 0; i < balls.size(); ++i) {
                std::vector<ObstacleNear<kDim>> near;
                ASSERT_TRUE(copied.around.query(balls[i], near, filter).ok());
                const auto of = within.of(i);
                ASSERT_EQ(near, std::vector<ObstacleNear<kDim>>(of.begin(), of.end())) << i;
                ASSERT_TRUE(are_least<kDim>(near, expected[i], filter)) << i;
            }
        });
}

/// Compares all hits of a path or mover, and its first, with those of the plain world.
template <std::size_t Dim, class Asked>
void compare_hits(const CopiedWorld<Dim>& copied, const std::vector<Asked>& all,
                  const Filter& filter, bool places) {
    std::vector<ObstacleHit<Dim>> firsts(all.size());
    std::size_t some = 0;
    const Found found = copied.around.first(all, firsts, serial_executor(), filter);
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::vector<ObstacleHit<Dim>> hits, expected;
        ASSERT_TRUE(copied.around.query(all[i], hits, filter).ok());
        ASSERT_TRUE(copied.plain.query(all[i], expected, {filter.groups}).ok());
        ASSERT_TRUE(are_least<Dim>(hits, expected, filter, places)) << i;
        ObstacleHit<Dim> first;
        ASSERT_TRUE(copied.around.first(all[i], first, filter).ok());
        ASSERT_EQ(first, firsts[i]) << i;
        ASSERT_EQ(first, hits.empty() ? ObstacleHit<Dim>{} : hits.front()) << i;
        some += hits.empty() ? 0 : 1;
    }
    ASSERT_EQ(found, (Found{some, {}}));
}

TYPED_TEST(CopiesOfObstacles, AreHitByPaths) {
    constexpr std::size_t kDim = TypeParam::value;
    using World = CopiedWorld<kDim>;
    in_every_world<kDim>(3, [](auto& random, const World& copied, const RoundWorld& sizes,
                               const Filter& filter) {
        std::vector<Segment<kDim>> segments;
        std::vector<Capsule<kDim>> capsules;
        std::vector<Ray<kDim>> rays;
        for (const Point<kDim>& from : points_in(random, copied, 100, sizes.lattice)) {
            const float longest = random.below(4) == 0 ? 12.0f : 2.0f;
            const Point<kDim> to = end_of(random, from, longest);
            segments.push_back({from, to});
            capsules.push_back({from, to, random.below(4) == 0 ? 0.0f : random.unit()});
            rays.push_back(
                {from, moved(random_point<kDim>(random, 1.0f), Point<kDim>::all(0.01f)), longest});
        }
        ASSERT_NO_FATAL_FAILURE(compare_hits(copied, segments, filter, true));
        ASSERT_NO_FATAL_FAILURE(compare_hits(copied, capsules, filter, true));
        ASSERT_NO_FATAL_FAILURE(compare_hits(copied, rays, filter, true));
        std::vector<std::uint8_t> clear(segments.size());
        ASSERT_TRUE(copied.around.sight(segments, clear, serial_executor(), filter).ok());
        std::size_t blocked = 0;
        for (std::size_t i = 0; i < segments.size(); ++i) {
            std::vector<ObstacleHit<kDim>> hits;
            ASSERT_TRUE(copied.around.query(segments[i], hits, filter).ok());
            ASSERT_EQ(clear[i], hits.empty() ? 1 : 0) << i;
            ASSERT_EQ(copied.around.sight(segments[i], filter).count, clear[i]) << i;
            blocked += hits.empty() ? 0 : 1;
        }
        if (sizes.count > 1 && filter == Filter{}) { ASSERT_GT(blocked, 1u); }
    });
}

TYPED_TEST(CopiesOfObstacles, AreTouchedByMovers) {
    constexpr std::size_t kDim = TypeParam::value;
    using World = CopiedWorld<kDim>;
    in_every_world<kDim>(
        4, [](auto& random, const World& copied, const RoundWorld& sizes, const Filter& filter) {
            std::vector<Moving<kDim, Box>> boxes;
            std::vector<Moving<kDim, OrientedBox>> turned;
            std::vector<Moving<kDim, Capsule>> capsules;
            for (const Point<kDim>& at : points_in(random, copied, 40, sizes.lattice)) {
                const float longest = random.below(4) == 0 ? 10.0f : 2.0f;
                const Point<kDim> way = end_of(random, Point<kDim>{}, longest);
                Point<kDim> half;
                for (float& x : half.axis) {
                    x = 0.25f * static_cast<float>(random.below(5));
                }
                boxes.push_back({Box<kDim>::around(at, half), way});
                OrientedBox<kDim> box = random_turned_box<kDim>(random, 0.0f, 1.0f);
                box.centre = at;
                turned.push_back({box, way});
                capsules.push_back({{at, end_of(random, at, 1.0f), random.unit()}, way});
            }
            ASSERT_NO_FATAL_FAILURE(compare_hits(copied, boxes, filter, false));
            ASSERT_NO_FATAL_FAILURE(compare_hits(copied, turned, filter, false));
            ASSERT_NO_FATAL_FAILURE(compare_hits(copied, capsules, filter, false));
        });
}

template <std::size_t Dim, class Shape>
void compare_overlaps(const CopiedWorld<Dim>& copied, const std::vector<Shape>& shapes,
                      const Filter& filter) {
    Hits hits;
    EagerPool pool(2);
    ASSERT_TRUE(copied.around.query(ShapesView<Dim>(shapes), hits, pool, filter).ok());
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        std::vector<Id> ids, expected;
        ASSERT_TRUE(copied.around.query(shapes[i], ids, filter).ok());
        ASSERT_TRUE(copied.plain.query(shapes[i], expected, {filter.groups}).ok());
        expected = CopiedWorld<Dim>::least(expected);
        std::erase(expected, filter.without);
        ASSERT_EQ(ids, expected) << i;
        ASSERT_EQ(std::vector<Id>(hits.of(i).begin(), hits.of(i).end()), expected) << i;
    }
}

TYPED_TEST(CopiesOfObstacles, OverlapShapes) {
    constexpr std::size_t kDim = TypeParam::value;
    using World = CopiedWorld<kDim>;
    in_every_world<kDim>(
        5, [](auto& random, const World& copied, const RoundWorld& sizes, const Filter& filter) {
            std::vector<Box<kDim>> boxes;
            std::vector<OrientedBox<kDim>> turned;
            std::vector<Sector<kDim>> sectors;
            std::vector<Convex<kDim>> regions;
            std::vector<Cylinder<kDim>> cylinders;
            for (const Point<kDim>& at : points_in(random, copied, 60, sizes.lattice)) {
                Point<kDim> half;
                for (float& x : half.axis) {
                    x = 0.5f * static_cast<float>(random.below(random.below(8) == 0 ? 20 : 4));
                }
                boxes.push_back(Box<kDim>::around(at, half));
                OrientedBox<kDim> box = random_turned_box<kDim>(random, 0.0f, 2.0f);
                box.centre = at;
                turned.push_back(box);
                Sector<kDim> sector;
                sector.centre = at;
                sector.direction = moved(random_point<kDim>(random, 1.0f), Point<kDim>::all(0.01f));
                sector.radius = random.between(0.0f, 6.0f);
                sector.cosine = random.between(-1.0f, 1.0f);
                sectors.push_back(sector);
                Convex<kDim> region;
                region.bounds = Box<kDim>::around(at, moved(half, Point<kDim>::all(1.0f)));
                region.count = 1 + random.below(3);
                for (std::size_t s = 0; s < region.count; ++s) {
                    const Point<kDim> normal = random_point<kDim>(random, 1.0f);
                    double offset = random.between(-0.25f, 1.5f);
                    for (std::size_t a = 0; a < kDim; ++a) {
                        offset += double{normal[a]} * at[a];
                    }
                    region.sides[s] = {normal, static_cast<float>(offset)};
                }
                regions.push_back(region);
                Cylinder<kDim> cylinder;
                cylinder.centre = at;
                cylinder.radius = half[0];
                cylinder.up = random.below(2) == 0 ? kDim - 1 : 1;
                cylinder.low = at[cylinder.up] - half[1];
                cylinder.high = at[cylinder.up] + half[0];
                cylinders.push_back(cylinder);
            }
            ASSERT_NO_FATAL_FAILURE(compare_overlaps(copied, boxes, filter));
            ASSERT_NO_FATAL_FAILURE(compare_overlaps(copied, turned, filter));
            ASSERT_NO_FATAL_FAILURE(compare_overlaps(copied, sectors, filter));
            ASSERT_NO_FATAL_FAILURE(compare_overlaps(copied, regions, filter));
            ASSERT_NO_FATAL_FAILURE(compare_overlaps(copied, cylinders, filter));
        });
}

} // namespace
} // namespace throng::test
