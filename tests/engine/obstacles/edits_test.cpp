// Single obstacles come, change and go; what is refused; and calls that fail in the middle.
#include "obstacle_scene.hpp"

#include "../../support/dims.hpp"
#include "../../support/fail_each.hpp"
#include "../../support/numbers.hpp"
#include "../../support/threads/executors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

namespace throng::test {
namespace {

template <class Dim>
class ObstacleEdits : public testing::Test {};
TYPED_TEST_SUITE(ObstacleEdits, Dims, DimNames);

/// All that a question about everything finds.
template <std::size_t Dim>
std::vector<ObstacleNear<Dim>> everything(const Obstacles<Dim>& obstacles) {
    std::vector<ObstacleNear<Dim>> near;
    EXPECT_EQ(obstacles.query(Ball<Dim>{{}, kLargest}, near).status, Status{});
    EXPECT_EQ(obstacles.size(), near.size());
    EXPECT_STREQ(obstacles.validate(), nullptr);
    return near;
}

TYPED_TEST(ObstacleEdits, LeaveWhatTheOracleHas) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(31);
    ObstacleTruth<kDim> truth;
    truth.fill(random, 300, 20.0f, 3.0f);
    Obstacles<kDim> obstacles;
    ASSERT_EQ(obstacles.set(truth.arrays()), Status{});
    for (int i = 0; i < 4000; ++i) {
        const auto shape = random_obstacle<kDim>(random, 20.0f, 3.0f);
        const std::uint32_t groups = 1u << random.below(4);
        const Id id = random.below(600);
        const auto at = std::find_if(truth.all.begin(), truth.all.end(),
                                     [&](const auto& one) { return one.id == id; });
        const bool there = at != truth.all.end();
        ASSERT_EQ(obstacles.contains(id), there);
        switch (random.below(3)) {
        case 0:
            ASSERT_EQ(
                std::visit([&](const auto& of) { return obstacles.insert(id, of, groups); }, shape),
                there ? (Status{Cause::id_taken, Argument::id, id}) : Status{});
            if (!there) { truth.all.push_back({id, shape, groups}); }
            break;
        case 1:
            ASSERT_EQ(std::visit([&](const auto& of) { return obstacles.replace(id, of, groups); },
                                 shape),
                      there ? Status{} : (Status{Cause::id_unknown, Argument::id, id}));
            if (there) { *at = {id, shape, groups}; }
            break;
        default:
            ASSERT_EQ(obstacles.erase(id),
                      there ? Status{} : (Status{Cause::id_unknown, Argument::id, id}));
            if (there) { truth.all.erase(at); }
        }
        if (i % 50 == 0) {
            ASSERT_EQ(everything(obstacles), truth.within({}, kLargest, {})) << i;
            const Point<kDim> point = random_point<kDim>(random, 20.0f);
            const Filter filter = {random.below(16) + 1, random.below(600)};
            std::vector<ObstacleNear<kDim>> near;
            ASSERT_EQ(obstacles.query(Ball<kDim>{point, 4.0f}, near, filter).status, Status{});
            ASSERT_EQ(near, truth.within(point, 4.0f, filter)) << i;
        }
    }
    // All obstacles go; the memory stays, and the next obstacles come as to a new object.
    for (const auto& one : truth.all) {
        ASSERT_EQ(obstacles.erase(one.id), Status{});
    }
    EXPECT_TRUE(everything(obstacles).empty());
    ASSERT_EQ(obstacles.set(truth.arrays()), Status{});
    truth.list();
    EXPECT_EQ(everything(obstacles), truth.within({}, kLargest, {}));
    obstacles.release_staging();
    EXPECT_EQ(obstacles.memory().staging, 0u);
    EXPECT_GT(obstacles.memory().index(), 300 * sizeof(Box<kDim>));
    obstacles.clear();
    EXPECT_TRUE(everything(obstacles).empty());
    EXPECT_EQ(obstacles.insert(3, truth.boxes[0]), Status{});
    EXPECT_EQ(everything(obstacles).size(), 1u);
    EXPECT_EQ(obstacles.set({}), Status{});
    EXPECT_EQ(obstacles.size(), 0u);
    Obstacles<kDim> other = std::move(obstacles);
    EXPECT_EQ(other.insert(3, truth.boxes[0]), Status{});
    obstacles = std::move(other);
    EXPECT_EQ(everything(obstacles).size(), 1u);
}

template <std::size_t Dim, class Shape>
void expect_refused(Obstacles<Dim>& obstacles, const Shape& shape, Cause cause, Argument argument) {
    const auto before = everything(obstacles);
    EXPECT_EQ(obstacles.insert(77, shape), (Status{cause, argument}))
        << to_string({cause, argument});
    EXPECT_EQ(obstacles.replace(1, shape), (Status{cause, argument}));
    // The same shape as the third of five.
    ObstacleTruth<Dim> truth;
    const AnyObstacle<Dim> any(shape);
    for (int i = 0; i < 5; ++i) {
        truth.boxes.push_back({{}, Point<Dim>::all(1.0f)});
        OrientedBox<Dim> turned;
        for (std::size_t a = 0; a < Dim; ++a) {
            turned.half_edges[a][a] = 1.0f;
        }
        truth.turned.push_back(turned);
        truth.thin.push_back({});
    }
    if constexpr (std::is_same_v<Shape, Box<Dim>>) {
        truth.boxes[2] = shape;
    } else if constexpr (std::is_same_v<Shape, OrientedBox<Dim>>) {
        truth.turned[2] = shape;
    } else {
        truth.thin[2] = shape;
    }
    EXPECT_EQ(obstacles.set(truth.arrays()), (Status{cause, argument, 2}));
    EXPECT_EQ(everything(obstacles), before) << "a refused call has changed something";
}

TYPED_TEST(ObstacleEdits, RefuseWhatMakesNoSense) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(32);
    ObstacleTruth<kDim> truth;
    truth.fill(random, 30, 20.0f, 3.0f);
    Obstacles<kDim> obstacles;
    ASSERT_EQ(obstacles.set(truth.arrays()), Status{});
    struct Wrong {
        float number;
        Cause cause;
    };
    OrientedBox<kDim> straight;
    for (std::size_t a = 0; a < kDim; ++a) {
        straight.half_edges[a][a] = 2.0f;
    }
    const obstacle::Thin<kDim> thin = random_thin<kDim>(random, 3.0f, 3.0f);
    constexpr Argument kThin = kDim == 2 ? Argument::wall : Argument::triangle;
    for (const auto& [number, cause] :
         {Wrong{kNan, Cause::not_finite}, Wrong{-kInfinity, Cause::not_finite},
          Wrong{1.1e18f, Cause::too_large}, Wrong{-1.1e18f, Cause::too_large}}) {
        for (std::size_t a = 0; a < kDim; ++a) {
            Box<kDim> box = {{}, Point<kDim>::all(1.0f)};
            box.hi[a] = number;
            expect_refused(obstacles, box, cause, Argument::box);
            OrientedBox<kDim> turned = straight;
            turned.centre[a] = number;
            expect_refused(obstacles, turned, cause, Argument::oriented_box);
            turned = straight;
            turned.half_edges[1][a] = number;
            expect_refused(obstacles, turned, cause, Argument::oriented_box);
            obstacle::Thin<kDim> wrong = thin;
            if constexpr (kDim == 2) {
                wrong.to[a] = number;
            } else {
                wrong.corners[2][a] = number;
            }
            expect_refused(obstacles, wrong, cause, kThin);
        }
    }
    Box<kDim> inverted = {{}, Point<kDim>::all(1.0f)};
    inverted.lo[1] = 1.5f;
    expect_refused(obstacles, inverted, Cause::inverted, Argument::box);
    OrientedBox<kDim> crooked = straight;
    crooked.half_edges[1][0] = 0.1f;
    expect_refused(obstacles, crooked, Cause::out_of_range, Argument::oriented_box);
    OrientedBox<kDim> far = straight;
    far.centre[0] = 1e18f;
    far.half_edges[0][0] = 1e17f;
    expect_refused(obstacles, far, Cause::too_large, Argument::oriented_box);
    if constexpr (kDim == 2) {
        for (const auto& [number, cause] :
             {Wrong{-1.0f, Cause::negative}, Wrong{kNan, Cause::not_finite},
              Wrong{1.1e18f, Cause::too_large}}) {
            expect_refused(obstacles, Wall{{}, {{1.0f, 1.0f}}, number}, cause, Argument::wall);
        }
        expect_refused(obstacles, Wall{{{1e18f, 0.0f}}, {{1.0f, 1.0f}}, 1e12f}, Cause::too_large,
                       Argument::wall);
    }
    EXPECT_EQ(obstacles.insert(kNoId, truth.boxes[0]),
              (Status{Cause::too_many, Argument::id, kNoId}));
    ObstacleArrays<kDim> arrays = truth.arrays();
    arrays.groups.count = 29;
    EXPECT_EQ(obstacles.set(arrays), (Status{Cause::count_mismatch, Argument::groups}));
    arrays = truth.arrays();
    arrays.groups.data = nullptr;
    EXPECT_EQ(obstacles.set(arrays), (Status{Cause::null_pointer, Argument::groups}));
    arrays = truth.arrays();
    arrays.boxes.data = nullptr;
    EXPECT_EQ(obstacles.set(arrays), (Status{Cause::null_pointer, Argument::box}));
    arrays = truth.arrays();
    arrays.turned_boxes.data = nullptr;
    EXPECT_EQ(obstacles.set(arrays), (Status{Cause::null_pointer, Argument::oriented_box}));
    arrays = truth.arrays();
    arrays.boxes.count = kMaxAgents;
    EXPECT_EQ(obstacles.set(arrays).cause, Cause::too_many);
    // Questions.
    ObstacleNear<kDim> near;
    ObstacleHit<kDim> hit;
    std::vector<ObstacleNear<kDim>> nears(1);
    std::vector<ObstacleHit<kDim>> hits(1);
    std::vector<std::uint8_t> clear(1);
    std::vector<Id> ids;
    Point<kDim> wrong{};
    wrong[1] = kNan;
    const std::vector<Point<kDim>> points = {{}, {}, wrong, wrong};
    EXPECT_EQ(obstacles.nearest(wrong, near).status, (Status{Cause::not_finite, Argument::points}));
    EXPECT_EQ(obstacles.nearest({}, near, -1.0f).status,
              (Status{Cause::negative, Argument::radius}));
    EXPECT_EQ(obstacles.nearest(points, nears).status, (Status{Cause::no_room, Argument::nearest}));
    nears.resize(4);
    EXPECT_EQ(obstacles.nearest(points, nears).status,
              (Status{Cause::not_finite, Argument::points, 2}));
    EXPECT_EQ(obstacles.query(Ball<kDim>{{}, -1.0f}, nears).status.argument, Argument::ball);
    EXPECT_EQ(obstacles.query(inverted, ids).count, 0u);
    EXPECT_EQ(obstacles.query(crooked, ids).status,
              (Status{Cause::out_of_range, Argument::oriented_box}));
    EXPECT_EQ(obstacles.first(Ray<kDim>{}, hit).status,
              (Status{Cause::no_direction, Argument::ray}));
    EXPECT_EQ(obstacles.query(Segment<kDim>{wrong, {}}, hits).status,
              (Status{Cause::not_finite, Argument::segment}));
    EXPECT_EQ(obstacles.sight(Segment<kDim>{{}, wrong}).status,
              (Status{Cause::not_finite, Argument::segment}));
    const std::vector<Segment<kDim>> segments = {{}, {{}, wrong}};
    EXPECT_EQ(obstacles.sight(segments, clear).status.index, 1u);
    EXPECT_EQ(obstacles.sight(std::span(segments).first(1), std::span<std::uint8_t>()).status,
              (Status{Cause::no_room, Argument::counts}));
    EXPECT_EQ(obstacles.first(std::span(segments).first(1), std::span<ObstacleHit<kDim>>()).status,
              (Status{Cause::no_room, Argument::path_hits}));
    EXPECT_EQ(obstacles.first(ShapesView<kDim>(ShapeKind::ball, &wrong, 1), hits).status,
              (Status{Cause::out_of_range, Argument::shapes}));
}

TYPED_TEST(ObstacleEdits, TheLargestAndTheSmallest) {
    constexpr std::size_t kDim = TypeParam::value;
    Obstacles<kDim> obstacles;
    const auto all = [](float x) { return Point<kDim>::all(x); };
    ASSERT_EQ(obstacles.insert(0, Box<kDim>{all(-kLargest), all(kLargest)}), Status{});
    ASSERT_EQ(obstacles.insert(1, Box<kDim>{all(std::nextafter(-kLargest, 0.0f)), all(kLargest)}),
              Status{});
    ASSERT_EQ(obstacles.insert(2, Box<kDim>{all(1e-30f), all(2e-30f)}), Status{});
    ASSERT_EQ(obstacles.insert(3, OrientedBox<kDim>{all(1.0f), {}}), Status{});
    ASSERT_EQ(obstacles.insert(4, obstacle::Thin<kDim>{}), Status{});
    ASSERT_STREQ(obstacles.validate(), nullptr);
    ObstacleNear<kDim> near;
    EXPECT_EQ(obstacles.nearest(all(1.0f), near).count, 1u);
    EXPECT_EQ(near.id, 0u);
    EXPECT_EQ(near.distance, -kLargest);
    ASSERT_EQ(obstacles.erase(0), Status{});
    ASSERT_EQ(obstacles.erase(1), Status{});
    EXPECT_EQ(obstacles.nearest(all(1.0f), near).count, 1u);
    EXPECT_EQ(near.id, 3u);
    EXPECT_EQ(near.distance, 0.0f);
    ObstacleHit<kDim> hit;
    Point<kDim> way{};
    way[0] = 1.0f;
    Point<kDim> from = all(1.0f);
    from[0] = -4.0f;
    EXPECT_EQ(obstacles.first(Ray<kDim>{from, way}, hit).count, 1u);
    EXPECT_EQ(hit.id, 3u);
    EXPECT_EQ(hit.time, 5.0f);
    EXPECT_EQ(obstacles.sight({all(0.0f), all(0.0f)}).count, 0u); // in the point at zero
}

TYPED_TEST(ObstacleEdits, AFailedAllocationChangesNothing) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(33);
    ObstacleTruth<kDim> before, after;
    before.fill(random, 200, 20.0f, 3.0f);
    after.fill(random, 300, 20.0f, 3.0f);
    using Subject = std::unique_ptr<Obstacles<kDim>>;
    const auto make = [&] {
        auto made = std::make_unique<Obstacles<kDim>>();
        EXPECT_EQ(made->set(before.arrays()), Status{});
        return made;
    };
    const auto say = [](const Subject& subject) { return everything(*subject); };
    const AllocationsFail all;
    fail_each_allocation(
        make, [&](const Subject& subject) { return subject->set(after.arrays()); }, say);
    fail_each_allocation(
        make, [&](const Subject& subject) { return subject->insert(500, after.boxes[0]); }, say);
    fail_each_allocation(
        make, [&](const Subject& subject) { return subject->replace(9, after.thin[0]); }, say);
    fail_each_allocation(
        make, [](const Subject& subject) { return subject->erase(9); }, say);
}

TYPED_TEST(ObstacleEdits, AFaultyExecutorChangesNothing) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(34);
    ObstacleTruth<kDim> before, after;
    before.fill(random, 200, 20.0f, 3.0f);
    after.fill(random, 9000, 60.0f, 3.0f);
    std::vector<Point<kDim>> points(5000);
    std::vector<ObstacleNear<kDim>> near(points.size());
    for (const Fault fault : kEveryFault) {
        for (std::size_t run = 0; run < 12; ++run) {
            SCOPED_TRACE(testing::Message() << static_cast<int>(fault) << " in loop " << run);
            Obstacles<kDim> obstacles;
            ASSERT_EQ(obstacles.set(before.arrays()), Status{});
            const auto was = everything(obstacles);
            FaultyExecutor executor(fault, run);
            Status status;
            bool threw = false;
            try {
                status = obstacles.set(after.arrays(), executor);
            } catch (const ExecutorError&) { threw = true; }
            if (threw || !status.ok()) {
                ASSERT_TRUE(executor.failed());
                if (!threw) { ASSERT_EQ(status.cause, Cause::executor_failed); }
                ASSERT_EQ(everything(obstacles), was);
            } else {
                ASSERT_EQ(everything(obstacles), after.within({}, kLargest, {}));
            }
        }
        FaultyExecutor executor(fault, 0);
        Obstacles<kDim> obstacles;
        ASSERT_EQ(obstacles.set(before.arrays()), Status{});
        try {
            const Found found = obstacles.nearest(points, near, executor);
            if (found.status.ok()) {
                EXPECT_EQ(found.count, points.size());
            } else {
                EXPECT_EQ(found.status.cause, Cause::executor_failed);
                EXPECT_EQ(found.count, 0u);
            }
        } catch (const ExecutorError&) { EXPECT_TRUE(executor.failed()); }
    }
}

} // namespace
} // namespace throng::test
