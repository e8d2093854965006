// Sight among agents allocates nothing in steady frames, and memory may run out anywhere.
#include "../../support/allocation_counter.hpp"

#include <throng/parallel/sight/in_sight.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <new>
#include <vector>

namespace throng::test {
namespace {

struct Street {
    std::array<std::vector<float>, 2> position;
    std::vector<Ball<2>> balls;
    Crowd<2> crowd;
    Obstacles<2> obstacles;
    InSight<2> in_sight;
    Hits hits;

    explicit Street(bool periodic = false) {
        CrowdSettings<2> settings;
        settings.bounds = Box<2>{{0, 0}, {30, 30}};
        settings.periodic = {periodic, periodic};
        EXPECT_EQ(crowd.configure(settings), Status{});
        EXPECT_EQ(obstacles.configure(*settings.bounds, settings.periodic), Status{});
        for (std::size_t i = 0; i < 900; ++i) {
            position[0].push_back(static_cast<float>(i % 30));
            position[1].push_back(static_cast<float>(i / 30));
            balls.push_back({{{position[0][i], position[1][i]}}, 3.0f});
        }
        Agents<2> all;
        all.positions = PointView<2>::separate({position[0].data(), position[1].data()}, 900);
        EXPECT_EQ(crowd.update(all), Status{});
        for (Id id = 0; id < 20; ++id) {
            const float x = static_cast<float>(id) + 0.5f;
            EXPECT_EQ(obstacles.insert(id, Wall{{{x, 3.0f}}, {{x, 9.0f}}, 0.1f}), Status{});
        }
    }
    Status ask() {
        const Status status = in_sight.neighbours(crowd, obstacles, {3.0f}, hits);
        return status.ok() ? in_sight.query(crowd, obstacles, balls, hits) : status;
    }
};

TEST(SightMemory, IsNotTakenInSteadyFrames) {
    for (const bool periodic : {false, true}) {
        Street street(periodic);
        ASSERT_EQ(street.ask(), Status{});
        ASSERT_EQ(street.ask(), Status{});
        const std::size_t before = allocations();
        for (int frame = 0; frame < 5; ++frame) {
            ASSERT_EQ(street.ask(), Status{});
        }
        EXPECT_EQ(allocations(), before);
        EXPECT_GT(street.in_sight.memory(), 900 * sizeof(Point<2>));
        street.in_sight.release();
        EXPECT_EQ(street.in_sight.memory(), 0u);
    }
}

/// If too many obstacles are around a list, they are not gathered: that would cost more than all
/// its lines of sight.
TEST(SightMemory, DoesNotGrowWithObstacles) {
    Street street;
    ASSERT_EQ(street.ask(), Status{});
    const std::size_t few = street.in_sight.memory();
    std::vector<Box<2>> specks;
    for (std::size_t i = 0; i < 40'000; ++i) {
        const Point<2> at = {{static_cast<float>(i % 200) * 0.15f + 0.05f,
                              static_cast<float>(i / 200) * 0.15f + 0.05f}};
        specks.push_back(Box<2>::around(at, Point<2>::all(0.001f)));
    }
    ObstacleArrays<2> arrays;
    arrays.boxes = {specks.data(), sizeof(Box<2>), specks.size()};
    ASSERT_EQ(street.obstacles.set(arrays), Status{});
    ASSERT_EQ(street.ask(), Status{});
    EXPECT_LE(street.in_sight.memory(), few + 65'536);
}

class SightMemoryOf : public testing::TestWithParam<bool> {};

TEST_P(SightMemoryOf, WorldsMayRunOutAnywhere) {
    Street whole(GetParam());
    ASSERT_EQ(whole.ask(), Status{});
    const std::vector<Id> expected(whole.hits.of(0).begin(), whole.hits.of(899).end());
    std::size_t failures = 0;
    for (bool failed = true; failed; ++failures) {
        ASSERT_LT(failures, 1'000u);
        Street street(GetParam());
        bool thrown = false;
        {
            const FailingAllocations failing(failures);
            try {
                (void)street.ask();
            } catch (const std::bad_alloc&) { thrown = true; }
            failed = failing.failed();
        }
        ASSERT_EQ(thrown, failed);
        if (thrown) { ASSERT_TRUE(street.hits.offsets.empty()); }
        ASSERT_EQ(street.ask(), Status{});
        ASSERT_EQ(std::vector<Id>(street.hits.of(0).begin(), street.hits.of(899).end()), expected);
    }
    EXPECT_GT(failures, 10u);
}

INSTANTIATE_TEST_SUITE_P(, SightMemoryOf, testing::Bool(),
                         [](const auto& of) { return of.param ? "Periodic" : "Plain"; });

} // namespace
} // namespace throng::test
