// Batches, in which sixteen neighbours share a search, against the same questions one by one: where
// walls share corners, points are equally near to several, and looks run along walls or just touch.
#include "obstacle_scene.hpp"

#include "../../support/dims.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace throng::test {
namespace {

constexpr Filter kFiltersOfPackets[] = {{}, {3, kNoId}, {kAllGroups, 17}};

template <class Dim>
class ObstaclePackets : public testing::Test {};
TYPED_TEST_SUITE(ObstaclePackets, Dims, DimNames);

template <std::size_t Dim>
struct Neighbours {
    std::vector<Point<Dim>> points;
    std::vector<Segment<Dim>> looks;
    std::vector<Capsule<Dim>> steps;

    /// Each point is a step from the one before; now and then it is anywhere.
    Neighbours(scenes::Random& random, std::size_t count, float world, float step, float unit) {
        const auto rounded = [&](Point<Dim> point) {
            for (float& x : point.axis) {
                if (unit > 0.0f) { x = unit * std::round(x / unit); }
            }
            return point;
        };
        Point<Dim> walk{};
        for (std::size_t i = 0; i < count; ++i) {
            walk = random.below(150) == 0 ? random_point<Dim>(random, world)
                                          : moved(walk, random_point<Dim>(random, step));
            const Point<Dim> from = rounded(walk);
            Point<Dim> to = rounded(moved(walk, random_point<Dim>(random, 4.0f * step)));
            if (random.below(4) == 0) {
                const std::uint32_t axis = random.below(Dim);
                to[axis] = from[axis];
            }
            if (random.below(30) == 0) { to = from; }
            points.push_back(from);
            looks.push_back({from, to});
            steps.push_back({from, to, random.below(3) == 0 ? 0.5f * unit : step * random.unit()});
        }
    }
};

template <std::size_t Dim>
void compare(const Obstacles<Dim>& obstacles, const Neighbours<Dim>& asked, float within,
             const Filter& filter) {
    const std::size_t count = asked.points.size();
    std::vector<ObstacleNear<Dim>> near(count);
    std::vector<ObstacleHit<Dim>> hits(count), touched(count);
    std::vector<std::uint8_t> clear(count);
    auto& serial = serial_executor();
    const Found nearest = obstacles.nearest(asked.points, near, serial, within, filter);
    const Found sight = obstacles.sight(asked.looks, clear, serial, filter);
    const Found look = obstacles.first(asked.looks, hits, serial, filter);
    const Found step = obstacles.first(asked.steps, touched, serial, filter);
    std::size_t found[4] = {};
    for (std::size_t i = 0; i < count; ++i) {
        ObstacleNear<Dim> one;
        found[0] += obstacles.nearest(asked.points[i], one, within, filter).count;
        ASSERT_EQ(near[i], one) << i;
        const std::size_t sees = obstacles.sight(asked.looks[i], filter).count;
        ASSERT_EQ(clear[i], sees) << i;
        found[1] += sees;
        ObstacleHit<Dim> hit;
        found[2] += obstacles.first(asked.looks[i], hit, filter).count;
        ASSERT_EQ(hits[i], hit) << i;
        found[3] += obstacles.first(asked.steps[i], hit, filter).count;
        ASSERT_EQ(touched[i], hit) << i;
    }
    EXPECT_EQ(nearest.count, found[0]);
    EXPECT_EQ(sight.count, found[1]);
    EXPECT_EQ(look.count, found[2]);
    EXPECT_EQ(step.count, found[3]);
}

TYPED_TEST(ObstaclePackets, AnswerAsSingleQuestionsDo) {
    constexpr std::size_t kDim = TypeParam::value;
    struct PacketSizes {
        std::size_t count;
        float world, size;
    };
    constexpr PacketSizes kPacketSizes[] = {
        {1, 2, 2},           {60, 5, 1},          {3000, 200, 9},       {3000, 1e6f, 3e4f},
        {300, 1e17f, 1e16f}, {300, 1e-3f, 1e-4f}, {300, 1e-16f, 1e-17f}};
    scenes::Random random(31);
    for (const PacketSizes& sizes : kPacketSizes) {
        SCOPED_TRACE(testing::Message() << sizes.count << " in " << sizes.world);
        ObstacleTruth<kDim> truth;
        truth.fill(random, sizes.count, sizes.world, sizes.size);
        Obstacles<kDim> obstacles;
        ASSERT_EQ(obstacles.set(truth.arrays()), Status{});
        const Neighbours<kDim> asked(random, 400, sizes.world, 0.3f * sizes.size, 0.0f);
        for (const Filter& filter : kFiltersOfPackets) {
            for (const float within : {kLargest, sizes.size, 0.0f}) {
                compare(obstacles, asked, within, filter);
                if (testing::Test::HasFatalFailure()) { return; }
            }
        }
    }
}

/// Streets: all corners are whole numbers, and questions multiples of a half.
TEST(ObstaclePacketsOfTheCity, AnswerAsSingleQuestionsDo) {
    scenes::Random random(32);
    for (const float thickness : {0.0f, 0.25f, 1.0f}) {
        for (const float far : {0.0f, 4096.0f}) {
            ObstacleTruth<2> truth;
            const auto corner = [&] { return far + static_cast<float>(random.below(40)); };
            for (int i = 0; i < 500; ++i) {
                Wall wall = {{{corner(), corner()}}, {}, random.below(2) == 0 ? thickness : 0.0f};
                wall.to = wall.from;
                const float length = static_cast<float>(random.below(7)) - 3.0f;
                wall.to[random.below(2)] += length;
                if (random.below(3) == 0) { wall.to[random.below(2)] += length; }
                truth.thin.push_back(wall);
                truth.groups.push_back(1u << random.below(4));
            }
            truth.list();
            Obstacles<2> obstacles;
            ASSERT_EQ(obstacles.set(truth.arrays()), Status{});
            Neighbours<2> asked(random, 3000, 20.0f, 1.0f, 0.5f);
            const Point<2> there = Point<2>::all(far + 20.0f);
            for (std::size_t i = 0; i < asked.points.size(); ++i) {
                asked.points[i] = moved(asked.points[i], there);
                asked.looks[i] = {moved(asked.looks[i].from, there),
                                  moved(asked.looks[i].to, there)};
                asked.steps[i].from = asked.looks[i].from;
                asked.steps[i].to = asked.looks[i].to;
            }
            for (const Filter& filter : kFiltersOfPackets) {
                compare(obstacles, asked, filter.groups == 3 ? 0.5f : kLargest, filter);
                if (testing::Test::HasFatalFailure()) { return; }
            }
        }
    }
}

} // namespace
} // namespace throng::test
