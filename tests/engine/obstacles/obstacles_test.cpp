// Obstacles against the oracle, which tests each obstacle alone; also on their boundaries.
#include "obstacle_scene.hpp"

#include "../../support/dims.hpp"
#include "../../support/threads/executors.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace throng::test {
namespace {

template <class Dim>
class ObstaclesAre : public testing::Test {};
TYPED_TEST_SUITE(ObstaclesAre, Dims, DimNames);

constexpr Filter kFiltersOfObstacles[] = {{}, {5, kNoId}, {kAllGroups, 17}, {2, 100}, {0, kNoId}};

struct Sizes {
    std::size_t count;
    float world, size;
};
constexpr Sizes kSizes[] = {{0, 1, 1},           {1, 2, 2},          {40, 5, 3},
                            {700, 30, 3},        {3000, 200, 9},     {300, 1e6f, 1e5f},
                            {300, 1e17f, 1e16f}, {300, 1e-3f, 1e-4f}};

template <std::size_t Dim, class Call>
void for_each_scene(const Call& call) {
    scenes::Random random(11);
    for (const Sizes& sizes : kSizes) {
        SCOPED_TRACE(testing::Message()
                     << sizes.count << " of " << sizes.size << " in " << sizes.world);
        ObstacleTruth<Dim> truth;
        truth.fill(random, sizes.count, sizes.world, sizes.size);
        if (sizes.count == 3000) { // two far out, so that bounds have to be wide
            truth.boxes[0] = Box<Dim>::around(Point<Dim>::all(1e7f), Point<Dim>::all(5.0f));
            truth.list();
        }
        Obstacles<Dim> obstacles;
        ASSERT_EQ(obstacles.set(truth.arrays()), Status{});
        ASSERT_STREQ(obstacles.validate(), nullptr);
        ASSERT_EQ(obstacles.size(), sizes.count);
        call(truth, obstacles, random, sizes);
        if (testing::Test::HasFatalFailure()) { return; }
    }
}

TYPED_TEST(ObstaclesAre, NearestInTheOrderOfDistances) {
    constexpr std::size_t kDim = TypeParam::value;
    for_each_scene<kDim>([](const auto& truth, const auto& obstacles, auto& random,
                            const Sizes& sizes) {
        std::vector<ObstacleNear<kDim>> near;
        for (int q = 0; q < 150; ++q) {
            const Filter& filter = kFiltersOfObstacles[random.below(5)];
            const float reach = random.below(4) == 0 ? sizes.world : sizes.size;
            const Point<kDim> point = random_point<kDim>(random, 1.2f * sizes.world);
            const auto expected = filter.groups == 0 ? std::vector<ObstacleNear<kDim>>{}
                                                     : truth.within(point, reach, filter);
            const Found found = obstacles.query(Ball<kDim>{point, reach}, near, filter);
            ASSERT_TRUE(found.status.ok());
            ASSERT_EQ(found.count, expected.size());
            ASSERT_EQ(near, expected) << q;
            ObstacleNear<kDim> one;
            ASSERT_EQ(obstacles.nearest(point, one, reach, filter).count, expected.empty() ? 0 : 1);
            ASSERT_EQ(one, expected.empty() ? ObstacleNear<kDim>{} : expected[0]) << q;
            // The nearest is also found if the radius is exactly its distance.
            if (!expected.empty() && expected[0].distance >= 0.0f) {
                ASSERT_EQ(obstacles.nearest(point, one, expected[0].distance, filter).count, 1u);
                ASSERT_EQ(one, expected[0]);
            }
        }
    });
}

template <std::size_t Dim, class Shape>
void compare_hits(const ObstacleTruth<Dim>& truth, const Obstacles<Dim>& obstacles,
                  const Shape& shape, const obstacle::Path<Dim>& path, const Filter& filter) {
    const auto expected = filter.groups == 0 ? std::vector<PathHit>{} : truth.hits(path, filter);
    std::vector<ObstacleHit<Dim>> hits;
    ASSERT_EQ(obstacles.query(shape, hits, filter).count, expected.size());
    double size = 0.0;
    for (std::size_t i = 0; i < hits.size(); ++i) {
        ASSERT_EQ(hits[i].id, expected[i].id) << i;
        ASSERT_EQ(hits[i].time, expected[i].time) << i;
        const auto normal = obstacle::real(hits[i].normal);
        ASSERT_NEAR(obstacle::dot(normal, normal), 1.0, 1e-6) << i;
        // The point is on the obstacle, and the disc's centre is its radius away, up the normal.
        const auto point = obstacle::real(hits[i].point);
        for (const double x : point) {
            size = std::max(size, std::abs(x));
        }
        for (const double x : path.from) {
            size = std::max(size, std::abs(x));
        }
        const auto& shape_of = truth.all[hits[i].id].shape;
        ASSERT_NEAR(with_body_of<Dim>(shape_of,
                                      [&](const auto& body) {
                                          return obstacle::surface_of(body, point).distance;
                                      }),
                    0.0, 1e-6 * size)
            << i;
        if (hits[i].time > 0.0f) {
            const double time = time_of<Dim>(shape_of, path);
            const auto centre = obstacle::along(path.from, time, path.way);
            const auto off = obstacle::minus(centre, obstacle::along(point, path.radius, normal));
            ASSERT_NEAR(std::sqrt(obstacle::dot(off, off)), 0.0, 1e-5 * (size + path.radius)) << i;
        }
    }
    ObstacleHit<Dim> first;
    ASSERT_EQ(obstacles.first(shape, first, filter).count, hits.empty() ? 0u : 1u);
    ASSERT_EQ(first, hits.empty() ? ObstacleHit<Dim>{} : hits[0]);
}

TYPED_TEST(ObstaclesAre, HitInTheOrderOfTimes) {
    constexpr std::size_t kDim = TypeParam::value;
    for_each_scene<kDim>([](const auto& truth, const auto& obstacles, auto& random,
                            const Sizes& sizes) {
        for (int q = 0; q < 120; ++q) {
            SCOPED_TRACE(q);
            const Filter& filter = kFiltersOfObstacles[random.below(5)];
            const Point<kDim> from = random_point<kDim>(random, sizes.world);
            Point<kDim> way =
                random_point<kDim>(random, random.below(2) == 0 ? sizes.world : 2.0f * sizes.size);
            if (random.below(3) == 0) { way[random.below(kDim)] = 0.0f; }
            if (random.below(20) == 0) { way = {}; }
            const Point<kDim> to = moved(from, way);
            const auto between = obstacle::minus(obstacle::real(to), obstacle::real(from));
            compare_hits(truth, obstacles, Segment<kDim>{from, to},
                         obstacle::Path<kDim>{obstacle::real(from), between, 1.0, 0.0}, filter);
            const float radius = random.between(0.0f, sizes.size);
            compare_hits(truth, obstacles, Capsule<kDim>{from, to, radius},
                         obstacle::Path<kDim>{obstacle::real(from), between, 1.0, radius}, filter);
            if (way == Point<kDim>{}) { continue; }
            const float length = random.below(2) == 0 ? kLargest : 0.7f;
            compare_hits(
                truth, obstacles, Ray<kDim>{from, way, length},
                obstacle::Path<kDim>{obstacle::real(from), obstacle::real(way), length, 0.0},
                filter);
            const bool clear =
                filter.groups == 0 ||
                truth.hits({obstacle::real(from), between, 1.0, 0.0}, filter).empty();
            ASSERT_EQ(obstacles.sight(Segment<kDim>{from, to}, filter).count, clear ? 1u : 0u);
        }
    });
}

TYPED_TEST(ObstaclesAre, FoundByBoxes) {
    constexpr std::size_t kDim = TypeParam::value;
    for_each_scene<kDim>(
        [](const auto& truth, const auto& obstacles, auto& random, const Sizes& sizes) {
            std::vector<Id> ids;
            for (int q = 0; q < 150; ++q) {
                const Filter& filter = kFiltersOfObstacles[random.below(4)];
                const auto box = random_box<kDim>(random, sizes.world, 3.0f * sizes.size);
                ASSERT_EQ(obstacles.query(box, ids, filter).status, Status{});
                ASSERT_EQ(ids, truth.overlapping(obstacle::body_of(box), filter));
                const auto turned = random_turned_box<kDim>(random, sizes.world, 3.0f * sizes.size);
                if (!obstacle::check(turned, 0).ok()) { continue; } // edges too short to be turned
                ASSERT_EQ(obstacles.query(turned, ids, filter).status, Status{});
                ASSERT_EQ(ids, truth.overlapping(obstacle::body_of(turned), filter));
            }
        });
}

TYPED_TEST(ObstaclesAre, TheSameInBatchesOnAnyExecutor) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(21);
    ObstacleTruth<kDim> truth;
    truth.fill(random, 6000, 100.0f, 3.0f);
    Obstacles<kDim> obstacles, threaded;
    ShuffleExecutor shuffled(3);
    EagerPool pool(3);
    ASSERT_EQ(obstacles.set(truth.arrays()), Status{});
    std::vector<Point<kDim>> points(5000);
    std::vector<Segment<kDim>> segments(points.size());
    std::vector<Capsule<kDim>> capsules(points.size());
    Point<kDim> walk{};
    for (std::size_t i = 0; i < points.size(); ++i) {
        walk = random.below(50) == 0 ? random_point<kDim>(random, 110.0f)
                                     : moved(walk, random_point<kDim>(random, 1.0f));
        points[i] = walk;
        segments[i] = {walk, moved(walk, random_point<kDim>(random, 9.0f))};
        capsules[i] = {segments[i].from, segments[i].to, random.unit()};
    }
    for (Executor* const executor :
         {&serial_executor(), static_cast<Executor*>(&shuffled), static_cast<Executor*>(&pool)}) {
        ASSERT_EQ(threaded.set(truth.arrays(), *executor), Status{});
        for (const Filter& filter : kFiltersOfObstacles) {
            std::vector<ObstacleNear<kDim>> near(points.size());
            std::vector<ObstacleHit<kDim>> hits(points.size());
            std::vector<std::uint8_t> clear(points.size());
            std::size_t nearby = 0, seen = 0, hit = 0;
            const Found found = threaded.nearest(points, near, *executor, 4.0f, filter);
            const Found sights = threaded.sight(segments, clear, *executor, filter);
            const Found firsts = threaded.first(capsules, hits, *executor, filter);
            for (std::size_t i = 0; i < points.size(); ++i) {
                ObstacleNear<kDim> one;
                nearby += obstacles.nearest(points[i], one, 4.0f, filter).count;
                ASSERT_EQ(near[i], one) << i;
                const std::size_t sees = obstacles.sight(segments[i], filter).count;
                ASSERT_EQ(clear[i], sees) << i;
                seen += sees;
                ObstacleHit<kDim> first;
                hit += obstacles.first(capsules[i], first, filter).count;
                ASSERT_EQ(hits[i], first) << i;
            }
            EXPECT_EQ(found.count, nearby);
            EXPECT_EQ(sights.count, seen);
            EXPECT_EQ(firsts.count, hit);
        }
    }
}

TEST(ObstaclesOfThePlane, TiesGoToTheSmallestId) {
    // Four walls around the middle, and the same again.
    ObstacleTruth<2> truth;
    for (int twice = 0; twice < 2; ++twice) {
        truth.thin.push_back({{-1.0f, 2.0f}, {1.0f, 2.0f}, 0.0f});
        truth.thin.push_back({{2.0f, -1.0f}, {2.0f, 1.0f}, 0.0f});
        truth.thin.push_back({{-1.0f, -2.0f}, {1.0f, -2.0f}, 0.0f});
        truth.thin.push_back({{-2.0f, -1.0f}, {-2.0f, 1.0f}, 0.0f});
    }
    truth.list();
    Obstacles<2> obstacles;
    ASSERT_EQ(obstacles.set(truth.arrays()), Status{});
    ObstacleNear<2> near;
    EXPECT_EQ(obstacles.nearest({}, near).count, 1u);
    EXPECT_EQ(near, (ObstacleNear<2>{0, 2.0f, {{0.0f, 2.0f}}, {{0.0f, -1.0f}}}));
    EXPECT_EQ(obstacles.nearest({}, near, kLargest, {kAllGroups, 0}).count, 1u);
    EXPECT_EQ(near.id, 1u);
    ObstacleHit<2> hit;
    EXPECT_EQ(obstacles.first(Segment<2>{{}, {{0.0f, -4.0f}}}, hit).count, 1u);
    EXPECT_EQ(hit, (ObstacleHit<2>{2, 0.5f, {{0.0f, -2.0f}}, {{0.0f, 1.0f}}}));
    EXPECT_EQ(obstacles.first(Capsule<2>{{}, {{4.0f, 0.0f}}, 1.0f}, hit).count, 1u);
    EXPECT_EQ(hit, (ObstacleHit<2>{1, 0.25f, {{2.0f, 0.0f}}, {{-1.0f, 0.0f}}}));
    // Touching an end blocks; ending before it does not.
    EXPECT_EQ(obstacles.sight({{{1.0f, 0.0f}}, {{1.0f, 2.0f}}}).count, 0u);
    EXPECT_EQ(obstacles.sight({{{1.0f, 0.0f}}, {{1.0f, 1.9999f}}}).count, 1u);
    EXPECT_EQ(obstacles.sight({{{1.0f, 2.0f}}, {{1.0f, 2.0f}}}).count, 0u);
}

TEST(ObstaclesOfThePlane, FlatOnesAreHitOnTheSideThatPathsComeFrom) {
    Obstacles<2> obstacles;
    ASSERT_EQ(obstacles.insert(0, Box<2>{{0, 0}, {10, 0}}), Status{});
    ASSERT_EQ(obstacles.insert(1, OrientedBox<2>{{25, 0}, {{{3, 3}, {0, 0}}}}), Status{});
    ASSERT_EQ(obstacles.insert(2, Wall{{40, 0}, {50, 0}, 0.0f}), Status{});
    for (const float x : {5.0f, 25.0f, 45.0f}) {
        for (const float from : {-3.0f, 3.0f}) {
            ObstacleHit<2> hit;
            ASSERT_EQ(obstacles.first(Segment<2>{{x, from}, {x, -from}}, hit).count, 1u);
            EXPECT_EQ(hit.time, 0.5f);
            EXPECT_GT(hit.normal[1] * from, 2.0f) << x;
            // A line that moves, too.
            const Moving<2, Capsule> line = {{{x, from}, {x, 2.0f * from}, 0.0f},
                                             {0, -2.0f * from}};
            ASSERT_EQ(obstacles.first(line, hit).count, 1u);
            EXPECT_EQ(hit.time, 0.5f);
            EXPECT_GT(hit.normal[1] * from, 2.0f) << x;
        }
    }
}

TEST(ObstaclesOfThePlane, InsideIsBelowZeroAndLeadsOut) {
    Obstacles<2> obstacles;
    ASSERT_EQ(obstacles.insert(7, Box<2>{{0.0f, 0.0f}, {10.0f, 4.0f}}), Status{});
    ASSERT_EQ(obstacles.insert(9, Wall{{20.0f, 0.0f}, {30.0f, 0.0f}, 2.0f}), Status{});
    ObstacleNear<2> near;
    EXPECT_EQ(obstacles.nearest({{5.0f, 1.0f}}, near).count, 1u);
    EXPECT_EQ(near, (ObstacleNear<2>{7, -1.0f, {{5.0f, 0.0f}}, {{0.0f, -1.0f}}}));
    EXPECT_EQ(obstacles.nearest({{25.0f, 0.25f}}, near, 0.0f).count, 1u);
    EXPECT_EQ(near, (ObstacleNear<2>{9, -0.75f, {{25.0f, 1.0f}}, {{0.0f, 1.0f}}}));
    EXPECT_EQ(obstacles.nearest({{25.0f, 0.0f}}, near, 0.0f).count, 1u); // left of the way
    EXPECT_EQ(near, (ObstacleNear<2>{9, -1.0f, {{25.0f, 1.0f}}, {{0.0f, 1.0f}}}));
    ObstacleHit<2> hit;
    EXPECT_EQ(obstacles.first(Ray<2>{{{5.0f, 1.0f}}, {{1.0f, 0.0f}}}, hit).count, 1u);
    EXPECT_EQ(hit, (ObstacleHit<2>{7, 0.0f, {{5.0f, 0.0f}}, {{0.0f, -1.0f}}}));
}

} // namespace
} // namespace throng::test
