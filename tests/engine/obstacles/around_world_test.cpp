// What worlds of obstacles may be, what may stand in them, and which of equal copies is seen.
#include "copied_world.hpp"

#include "../../support/dims.hpp"
#include "../../support/fail_each.hpp"
#include "../../support/random.hpp"
#include "../../support/threads/executors.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace throng::test {
namespace {

template <class Dim>
class ObstaclesAround : public testing::Test {};
TYPED_TEST_SUITE(ObstaclesAround, Dims, DimNames);

/// From 0 to 16 on each axis, periodic on the first.
template <std::size_t Dim>
struct Ring {
    Box<Dim> bounds = {Point<Dim>{}, Point<Dim>::all(16.0f)};
    std::array<bool, Dim> periodic = {true};
    Obstacles<Dim> obstacles;

    Ring() { EXPECT_EQ(obstacles.configure(bounds, periodic), Status{}); }

    static Point<Dim> at(float x, float y = 8.0f) {
        Point<Dim> point = Point<Dim>::all(8.0f);
        point[0] = x;
        point[1] = y;
        return point;
    }
    static Box<Dim> box(float x, float half = 1.0f) {
        return Box<Dim>::around(at(x), Point<Dim>::all(half));
    }
    [[nodiscard]] ObstacleNear<Dim> nearest(const Point<Dim>& point) const {
        ObstacleNear<Dim> near;
        EXPECT_TRUE(obstacles.nearest(point, near).ok());
        return near;
    }
    [[nodiscard]] ObstacleHit<Dim> first(const ShapesView<Dim>& path) const {
        ObstacleHit<Dim> hit;
        EXPECT_TRUE(obstacles.first(path, hit).ok());
        return hit;
    }
};

TYPED_TEST(ObstaclesAround, AreSeenWhereTheirCopiesAre) {
    constexpr std::size_t kDim = TypeParam::value;
    using World = Ring<kDim>;
    World ring;
    ASSERT_EQ(ring.obstacles.insert(4, World::box(1.0f)), Status{});
    const ObstacleNear<kDim> near = ring.nearest(World::at(15.0f));
    EXPECT_EQ(near.distance, 1.0f);
    EXPECT_EQ(near.point, World::at(16.0f));
    // From outside of the world, and from far away.
    EXPECT_EQ(ring.nearest(World::at(31.0f)).point, World::at(32.0f));
    EXPECT_EQ(ring.nearest(World::at(-1.0f)).point, World::at(0.0f));
    EXPECT_EQ(ring.nearest(World::at(16.0f * 65536.0f - 1.0f)).point, World::at(16.0f * 65536.0f));
    const ObstacleHit<kDim> hit = ring.first(Segment<kDim>{World::at(14.0f), World::at(18.0f)});
    EXPECT_EQ(hit, (ObstacleHit<kDim>{4, 0.5f, World::at(16.0f), near.normal}));
    EXPECT_EQ(ring.first(Ray<kDim>{World::at(8.0f), near.normal, 100.0f}).time, 6.0f);
    // Once around: begins at the side that it leaves.
    EXPECT_EQ(ring.first(Segment<kDim>{World::at(4.0f), World::at(20.0f)}).time, 0.75f);
    EXPECT_EQ(ring.obstacles.sight({World::at(2.5f), World::at(15.5f)}).count, 1u);
    EXPECT_EQ(ring.obstacles.sight({World::at(15.5f), World::at(18.5f)}).count, 0u);
    EXPECT_EQ(ring.obstacles.sight({World::at(13.0f), World::at(16.0f)}).count, 0u); // touches
}

TYPED_TEST(ObstaclesAround, AreThoseOfTheCopyThatIsMovedLeast) {
    constexpr std::size_t kDim = TypeParam::value;
    using World = Ring<kDim>;
    World ring;
    ASSERT_EQ(ring.obstacles.insert(0, World::box(8.0f)), Status{});
    // The asker stays first; then it is moved up, and sees the copy below.
    EXPECT_EQ(ring.nearest(World::at(0.0f)).point, World::at(7.0f));
    EXPECT_EQ(ring.nearest(World::at(16.0f)).point, World::at(23.0f)); // home is at 0
    ASSERT_EQ(ring.obstacles.replace(0, World::box(0.0f)), Status{});
    EXPECT_EQ(ring.nearest(World::at(8.0f)).point, World::at(1.0f));
    std::vector<ObstacleNear<kDim>> near;
    ASSERT_EQ(ring.obstacles.query({World::at(8.0f), 7.0f}, near), (Found{1, {}}));
    EXPECT_EQ(near[0].point, World::at(1.0f));
    // Two obstacles that are equally near, one of them across the border.
    ASSERT_EQ(ring.obstacles.insert(1, World::box(12.0f)), Status{});
    ASSERT_EQ(ring.obstacles.replace(0, World::box(4.0f)), Status{});
    EXPECT_EQ(ring.nearest(World::at(0.0f)).id, 0u);
    ASSERT_EQ(ring.obstacles.erase(0), Status{});
    ASSERT_EQ(ring.obstacles.insert(2, World::box(4.0f)), Status{});
    EXPECT_EQ(ring.nearest(World::at(0.0f)), ring.nearest(World::at(0.0f)));
    EXPECT_EQ(ring.nearest(World::at(0.0f)).id, 1u);
}

TYPED_TEST(ObstaclesAround, AreBroughtIntoTheWorld) {
    constexpr std::size_t kDim = TypeParam::value;
    using World = Ring<kDim>;
    World far, near;
    ASSERT_EQ(far.obstacles.insert(0, World::box(16.0f * 1024.0f + 3.0f)), Status{});
    ASSERT_EQ(near.obstacles.insert(0, World::box(3.0f)), Status{});
    EXPECT_EQ(saved(far.obstacles), saved(near.obstacles));
    ASSERT_STREQ(far.obstacles.validate(), nullptr);
    OrientedBox<kDim> turned;
    turned.centre = World::at(-5.0f);
    for (std::size_t a = 0; a < kDim; ++a) {
        turned.half_edges[a][a] = 1.0f;
    }
    ASSERT_EQ(far.obstacles.replace(0, turned), Status{});
    EXPECT_EQ(far.nearest(World::at(11.0f)).distance, -1.0f);
    obstacle::Thin<kDim> thin;
    if constexpr (kDim == 2) {
        thin = {World::at(39.0f), World::at(41.0f), 0.0f};
    } else {
        thin = {{World::at(39.0f), World::at(41.0f), World::at(40.0f, 9.0f)}};
    }
    ASSERT_EQ(far.obstacles.replace(0, thin), Status{});
    EXPECT_EQ(far.nearest(World::at(8.0f, 7.0f)).point, World::at(8.0f));
    ASSERT_STREQ(far.obstacles.validate(), nullptr);
}

TYPED_TEST(ObstaclesAround, MayBeAsWideAsTheWorld) {
    constexpr std::size_t kDim = TypeParam::value;
    using World = Ring<kDim>;
    World ring;
    Box<kDim> floor = World::box(8.0f);
    floor.lo[0] = 0.0f;
    floor.hi[0] = 16.0f;
    ASSERT_EQ(ring.obstacles.insert(7, floor), Status{});
    floor.lo[0] = 8.0f;
    floor.hi[0] = 24.0f;
    ASSERT_EQ(ring.obstacles.replace(7, floor), Status{});
    for (const float x : {-20.0f, 0.0f, 7.5f, 8.0f, 15.0f, 16.0f, 1000.0f}) {
        const ObstacleNear<kDim> near = ring.nearest(World::at(x, 10.0f));
        EXPECT_EQ(near.distance, 1.0f) << x;
        EXPECT_EQ(near.point, World::at(x, 9.0f)) << x;
        std::vector<Id> ids;
        ASSERT_TRUE(ring.obstacles.query(World::box(x, 0.25f), ids).ok());
        EXPECT_EQ(ids, std::vector<Id>{7}) << x;
    }
    floor.hi[0] = 24.5f;
    EXPECT_EQ(ring.obstacles.replace(7, floor), (Status{Cause::wraps, Argument::box}));
    std::vector<Box<kDim>> boxes(3, World::box(3.0f));
    boxes[2] = floor;
    ObstacleArrays<kDim> arrays;
    arrays.boxes = {boxes.data(), sizeof(Box<kDim>), boxes.size()};
    EXPECT_EQ(ring.obstacles.set(arrays), (Status{Cause::wraps, Argument::box, 2}));
    OrientedBox<kDim> turned;
    turned.centre = World::at(3.0f);
    turned.half_edges[0][0] = 9.0f;
    EXPECT_EQ(ring.obstacles.insert(1, turned), (Status{Cause::wraps, Argument::oriented_box}));
    obstacle::Thin<kDim> thin;
    if constexpr (kDim == 2) {
        thin = {World::at(0.0f), World::at(15.0f), 2.0f};
        EXPECT_EQ(ring.obstacles.insert(1, thin), (Status{Cause::wraps, Argument::wall}));
    } else {
        thin = {{World::at(0.0f), World::at(17.0f), World::at(3.0f, 9.0f)}};
        EXPECT_EQ(ring.obstacles.insert(1, thin), (Status{Cause::wraps, Argument::triangle}));
    }
    EXPECT_EQ(ring.obstacles.size(), 1u);
    ASSERT_STREQ(ring.obstacles.validate(), nullptr);
}

TYPED_TEST(ObstaclesAround, RefuseWorldsThatACrowdRefuses) {
    constexpr std::size_t kDim = TypeParam::value;
    Ring<kDim> ring;
    ASSERT_EQ(ring.obstacles.insert(0, ring.box(3.0f)), Status{});
    const auto before = saved(ring.obstacles);
    Box<kDim> bounds = ring.bounds;
    bounds.hi[1] = -1.0f;
    EXPECT_EQ(ring.obstacles.configure(bounds, ring.periodic),
              (Status{Cause::inverted, Argument::bounds, 1}));
    bounds.hi[1] = std::numeric_limits<float>::infinity();
    EXPECT_FALSE(ring.obstacles.configure(bounds, ring.periodic).ok());
    bounds = ring.bounds;
    bounds.hi[0] = 0.0f;
    EXPECT_EQ(ring.obstacles.configure(bounds, ring.periodic),
              (Status{Cause::not_positive, Argument::period, 0}));
    bounds.lo[0] = -kLargest;
    bounds.hi[0] = kLargest;
    EXPECT_EQ(ring.obstacles.configure(bounds, ring.periodic),
              (Status{Cause::too_large, Argument::period, 0}));
    EXPECT_EQ(saved(ring.obstacles), before);
    EXPECT_EQ(ring.nearest(ring.at(15.0f)).distance, 3.0f);
    ASSERT_EQ(ring.obstacles.configure(ring.bounds, {}), Status{}); // and forgets all
    EXPECT_EQ(ring.obstacles.size(), 0u);
    ASSERT_EQ(ring.obstacles.insert(0, ring.box(3.0f)), Status{});
    EXPECT_EQ(ring.nearest(ring.at(15.0f)).distance, 11.0f);
}

TYPED_TEST(ObstaclesAround, RefuseQuestionsThatGoAroundTooOften) {
    constexpr std::size_t kDim = TypeParam::value;
    using World = Ring<kDim>;
    World ring;
    const auto along = [](float periods) {
        return std::vector<Segment<kDim>>{{World::at(1.0f), World::at(2.0f)},
                                          {World::at(1.0f), World::at(1.0f + 16.0f * periods)}};
    };
    std::vector<ObstacleHit<kDim>> hits(2);
    std::vector<std::uint8_t> clear(2);
    const auto refused = [](Argument argument, std::size_t index) {
        return Found{0, {Cause::wraps, argument, index}};
    };
    for (const bool empty : {true, false}) { // whichever obstacles there are
        if (!empty) { ASSERT_EQ(ring.obstacles.insert(0, World::box(8.0f)), Status{}); }
        const auto far = along(4094.0f);
        EXPECT_EQ(ring.obstacles.first(far, hits), refused(Argument::segment, 1));
        EXPECT_EQ(ring.obstacles.sight(far, clear), refused(Argument::segment, 1));
        EXPECT_EQ(ring.obstacles.query(far[1], hits), refused(Argument::segment, 0));
        EXPECT_EQ(hits.size(), 2u); // as they were
        const auto near = along(4092.0f);
        EXPECT_EQ(ring.obstacles.first(near, hits), (Found{empty ? 0u : 1u, {}}));
        const Moving<kDim, Box> box = {World::box(3.0f), ring.at(1e6f, 0.0f)};
        EXPECT_EQ(ring.obstacles.first(box, hits[0]), refused(Argument::box, 0));
        EXPECT_EQ(ring.obstacles.query(box, hits), refused(Argument::box, 0));
        std::vector<Id> ids;
        Hits many;
        std::vector<Convex<kDim>> regions(3);
        regions[0].bounds = regions[2].bounds = World::box(3.0f);
        regions[1].bounds = World::box(3.0f, 1e6f);
        EXPECT_EQ(ring.obstacles.query(regions[1], ids), refused(Argument::convex, 0));
        EXPECT_EQ(ring.obstacles.query(regions, many), refused(Argument::convex, 1));
        // Boxes and balls have few copies, however large they are.
        const Found one = {empty ? 0u : 1u, {}};
        EXPECT_EQ(ring.obstacles.query(World::box(3.0f, 1e6f), ids), one);
        std::vector<ObstacleNear<kDim>> near_all;
        EXPECT_EQ(ring.obstacles.query({World::at(3.0f), 1e17f}, near_all), one);
    }
}

TYPED_TEST(ObstaclesAround, ComeBackFromFiles) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(9);
    CopiedWorld<kDim> world({{Point<kDim>{}, Point<kDim>::all(8.0f)}, {true, true}});
    world.fill(random, 20, 1.5f, 0.5f);
    Obstacles<kDim> loaded;
    ASSERT_EQ(loaded.insert(0, Box<kDim>{}), Status{});
    const auto bytes = saved(world.around);
    ASSERT_EQ(load(loaded, bytes), Status{});
    ASSERT_STREQ(loaded.validate(), nullptr);
    EXPECT_EQ(saved(loaded), bytes);
    for (int i = 0; i < 100; ++i) {
        const Point<kDim> point = world.place(random, 0.0f);
        ObstacleNear<kDim> near, expected;
        ASSERT_TRUE(loaded.nearest(point, near).ok());
        ASSERT_TRUE(world.around.nearest(point, expected).ok());
        ASSERT_EQ(near, expected);
    }
    EXPECT_EQ(loaded.insert(99, Box<kDim>::around({}, Point<kDim>::all(5.0f))).cause, Cause::wraps);
    // A file of a plain world makes the world plain again.
    Obstacles<kDim> plain;
    ASSERT_EQ(plain.insert(0, Box<kDim>{}), Status{});
    ASSERT_EQ(load(loaded, saved(plain)), Status{});
    EXPECT_EQ(loaded.insert(99, Box<kDim>::around({}, Point<kDim>::all(5.0f))), Status{});
}

// Its slack is many periods wide.
TYPED_TEST(ObstaclesAround, OneThatIsFarAwayOnAnotherAxisComesBackFromFiles) {
    constexpr std::size_t kDim = TypeParam::value;
    Ring<kDim> ring;
    OrientedBox<kDim> box = {ring.at(3.0f, 9e17f), {}};
    for (std::size_t a = 0; a < kDim; ++a) {
        box.half_edges[a][a] = 1.0f;
    }
    ASSERT_EQ(ring.obstacles.insert(0, box), Status{});
    ASSERT_STREQ(ring.obstacles.validate(), nullptr);
    Obstacles<kDim> loaded;
    ASSERT_EQ(load(loaded, saved(ring.obstacles)), Status{});
    EXPECT_EQ(loaded.size(), 1u);
}

TYPED_TEST(ObstaclesAround, StayAsTheyAreWhenMemoryFails) {
    constexpr std::size_t kDim = TypeParam::value;
    using World = Ring<kDim>;
    struct Subject : World {
        std::vector<ObstacleNear<kDim>> near;
        std::vector<ObstacleHit<kDim>> hits;
        std::vector<Id> ids;
        ObstaclesWithin<kDim> within;
        Hits lists;
        Subject() {
            for (Id id = 0; id < 20; ++id) {
                EXPECT_TRUE(
                    this->obstacles.insert(id, this->box(0.75f * static_cast<float>(id))).ok());
            }
        }
    };
    const AllocationsFail some;
    const auto fail_each = [](const auto& call) {
        ASSERT_NO_FATAL_FAILURE(fail_each_allocation(
            [] { return std::make_unique<Subject>(); },
            [&](const std::unique_ptr<Subject>& subject) { return call(*subject); },
            [](const std::unique_ptr<Subject>& subject) {
                EXPECT_STREQ(subject->obstacles.validate(), nullptr);
                return saved(subject->obstacles);
            }));
    };
    const Ball<kDim> ball = {World::at(15.5f), 3.0f};
    const Segment<kDim> way = {World::at(15.5f), World::at(20.0f)};
    const Box<kDim> box = World::box(15.5f);
    const std::vector<Ball<kDim>> balls(40, ball);
    const std::vector<Box<kDim>> boxes(40, box);
    fail_each([&](Subject& ring) { return ring.obstacles.query(ball, ring.near).status; });
    fail_each([&](Subject& ring) { return ring.obstacles.query(balls, ring.within).status; });
    fail_each([&](Subject& ring) { return ring.obstacles.query(way, ring.hits).status; });
    fail_each([&](Subject& ring) {
        const Moving<kDim, Box> mover = {box, World::at(3.0f)};
        return ring.obstacles.query(mover, ring.hits).status;
    });
    fail_each([&](Subject& ring) { return ring.obstacles.query(box, ring.ids).status; });
    fail_each([&](Subject& ring) { return ring.obstacles.query(boxes, ring.lists).status; });
    fail_each([&](Subject& ring) {
        return ring.obstacles.configure(Box<kDim>{{}, Point<kDim>::all(9.0f)}, ring.periodic);
    });
    fail_each([&](Subject& ring) {
        ObstacleArrays<kDim> arrays;
        arrays.boxes = {boxes.data(), sizeof(Box<kDim>), boxes.size()};
        return ring.obstacles.set(arrays);
    });
    fail_each([&](Subject& ring) { return ring.obstacles.insert(900, box); });
    fail_each([&](Subject& ring) { return ring.obstacles.replace(3, box); });
    fail_each([&](Subject& ring) { return ring.obstacles.erase(3); });
}

// Seen from near the far border, the rim of a cylinder is rounded more than near zero, where its
// copy is.
TYPED_TEST(ObstaclesAround, ACylinderReachesTheCopyThatItsRimTouches) {
    constexpr std::size_t kDim = TypeParam::value;
    Obstacles<kDim> obstacles;
    const Box<kDim> bounds = {Point<kDim>{}, Point<kDim>::all(1000.0f)};
    ASSERT_EQ(obstacles.configure(bounds, {true}), Status{});
    Box<kDim> wall = {Point<kDim>::all(1.0f), Point<kDim>::all(900.0f)};
    wall.hi[0] = 2.0f;
    ASSERT_EQ(obstacles.insert(0, wall), Status{});
    scenes::Random random(23);
    for (int i = 0; i < 2000; ++i) {
        Cylinder<kDim> cylinder;
        cylinder.centre = Point<kDim>::all(500.0f);
        cylinder.centre[0] = random.between(900.0f, 999.0f);
        cylinder.up = static_cast<std::uint8_t>(kDim - 1);
        cylinder.low = 400.0f;
        cylinder.high = 600.0f;
        const double wanted = 1001.0 - double{cylinder.centre[0]};
        cylinder.radius = static_cast<float>(wanted);
        if (double{cylinder.radius} < wanted) {
            cylinder.radius = std::nextafter(cylinder.radius, 2000.0f);
        }
        std::vector<Id> ids;
        ASSERT_EQ(obstacles.query(cylinder, ids).count, 1u) << cylinder.centre[0];
        cylinder.radius = static_cast<float>(wanted - 0.001);
        ASSERT_EQ(obstacles.query(cylinder, ids).count, 0u) << cylinder.centre[0];
    }
}

// The slack of a path with huge numbers is wider than the world: it touches all in its way,
// whichever copies the other obstacles call for.
TYPED_TEST(ObstaclesAround, TouchWhatBeginsFarAwayWhateverStandsBesideThem) {
    constexpr std::size_t kDim = TypeParam::value;
    using World = Ring<kDim>;
    const Point<kDim> far = World::at(26.0f, -1e18f), near = World::at(26.0f);
    const Point<kDim> there = World::at(2.0f);
    World alone, beside;
    for (World* const world : {&alone, &beside}) {
        if constexpr (kDim == 2) {
            ASSERT_EQ(world->obstacles.insert(0, Wall{there, there, 0.0f}), Status{});
        } else {
            ASSERT_EQ(world->obstacles.insert(0, Triangle{{there, there, there}}), Status{});
        }
    }
    ASSERT_EQ(beside.obstacles.insert(1, World::box(8.0f, 8.0f), 2), Status{});
    const Filter one = {.groups = 1};
    const auto expect_same = [&](const auto& path) {
        std::vector<ObstacleHit<kDim>> wanted, all;
        ASSERT_EQ(alone.obstacles.query(path, wanted, one), (Found{1, {}}));
        ASSERT_EQ(beside.obstacles.query(path, all, one), (Found{1, {}}));
        EXPECT_EQ(all, wanted);
        ObstacleHit<kDim> first;
        EXPECT_EQ(alone.obstacles.first(path, first).count, 1u);
    };
    expect_same(Segment<kDim>{far, near});
    expect_same(Capsule<kDim>{far, near, 0.5f});
    expect_same(Moving<kDim, Capsule>{{far, near, 0.5f}, World::at(0.0f, 0.0f)});
}

TYPED_TEST(ObstaclesAround, AreSeenFromWhereTheAskerIsToTheLastBit) {
    constexpr std::size_t kDim = TypeParam::value;
    using World = Ring<kDim>;
    World ring;
    Box<kDim> box = World::box(1.0f);
    box.lo[0] = 1e-30f;
    ASSERT_EQ(ring.obstacles.insert(0, box), Status{});
    ASSERT_EQ(ring.obstacles.insert(1, World::box(15.0f, 0.5f)), Status{}); // calls for copies
    // Moved into the world, it would be at 16, and at 0 when it is back.
    const Point<kDim> asker = World::at(-1e-30f);
    EXPECT_EQ(ring.nearest(asker).distance, 2e-30f);
    std::vector<ObstacleNear<kDim>> near;
    ASSERT_EQ(ring.obstacles.query({asker, 0.5f}, near), (Found{2, {}}));
    EXPECT_EQ(near[0].distance, 2e-30f);
}

TYPED_TEST(ObstaclesAround, AreAsWideAsTheyAreInTheWorld) {
    constexpr std::size_t kDim = TypeParam::value;
    using World = Ring<kDim>;
    World ring;
    OrientedBox<kDim> wide;
    wide.centre = World::at(9e17f); // floats are farther apart there than the world is wide
    for (std::size_t i = 0; i < kDim; ++i) {
        wide.half_edges[i] = {};
        wide.half_edges[i][i] = i == 0 ? 9.0f : 1.0f;
    }
    EXPECT_EQ(ring.obstacles.insert(0, wide), (Status{Cause::wraps, Argument::oriented_box, 0}));
    if constexpr (kDim == 2) {
        const Wall thick = {World::at(1e18f), World::at(1e18f), 18.0f};
        EXPECT_EQ(ring.obstacles.insert(0, thick), (Status{Cause::wraps, Argument::wall, 0}));
    }
    EXPECT_EQ(ring.obstacles.size(), 0u);
    wide.half_edges[0][0] = 8.0f;
    EXPECT_EQ(ring.obstacles.insert(0, wide), Status{});
    EXPECT_STREQ(ring.obstacles.validate(), nullptr);
}

// What comes from outside has its ends rounded to the floats of the world, which are a quarter of
// this one apart.
TYPED_TEST(ObstaclesAround, AreAsWideAsTheirRoundedEndsInAFarWorld) {
    constexpr std::size_t kDim = TypeParam::value;
    Box<kDim> bounds;
    bounds.hi.axis.fill(4.0f);
    bounds.lo[0] = 0x1.8p23f;
    bounds.hi[0] = bounds.lo[0] + 4.0f;
    Obstacles<kDim> obstacles;
    std::array<bool, kDim> periodic{};
    periodic[0] = true;
    ASSERT_EQ(obstacles.configure(bounds, periodic), Status{});
    Box<kDim> box;
    box.hi.axis.fill(1.0f);
    const auto insert = [&](float lo, float hi) {
        box.lo[0] = lo;
        box.hi[0] = hi;
        return obstacles.insert(0, box);
    };
    const Status wraps = {Cause::wraps, Argument::box, 0};
    EXPECT_EQ(insert(-5.0f, 0.0f), wraps);
    EXPECT_EQ(insert(-4.0f, 0.75f), wraps);    // 0 and 4.75 there: five wide
    EXPECT_EQ(insert(-4.0f, 0.25f), Status{}); // 0 and 4.25 there: four wide
    EXPECT_STREQ(obstacles.validate(), nullptr);
}

} // namespace
} // namespace throng::test
