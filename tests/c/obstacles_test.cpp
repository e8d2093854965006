// Obstacles in C: which of their own arguments are refused, and that answers are those of C++.
#include "../engine/obstacles/obstacle_scene.hpp"
#include "../support/dims.hpp"
#include "refusals.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace throng::test {
namespace {

const Call& obstacle_call_of(const std::string& name) {
    return *std::find_if(calls().begin(), calls().end(),
                         [&](const Call& call) { return call.name == name; });
}

TEST(CObstacles, SayWhichOfTheirArgumentsIsWrong) {
    struct Said {
        const char* call;
        int code;
        const char* text;
        void (*spoil)(Rig&);
    };
    static throng_filter filters[2] = {{THRONG_ALL_GROUPS, THRONG_NO_ID},
                                       {THRONG_ALL_GROUPS, THRONG_NO_ID}};
    const Said all[] = {
        {"throng_obstacles_set", THRONG_NOT_FINITE, "arrays.boxes[0] is NaN or infinite",
         [](Rig& r) { r.straight[0] = kNan; }},
        {"throng_obstacles_set", THRONG_OUT_OF_RANGE,
         "arrays.turned_boxes[0] has a value that it cannot have",
         [](Rig& r) { r.turned[r.dimension + 1] = 1.0f; }},
        {"throng_obstacles_set", THRONG_NULL_POINTER, "arrays.boxes is a null pointer",
         [](Rig& r) { r.obstacle_arrays.value.boxes = nullptr; }},
        {"throng_obstacles_set", THRONG_TOO_MANY,
         "arrays.boxes asks for more than the index can number",
         [](Rig& r) { r.obstacle_arrays.value.box_count = kHuge; }},
        {"throng_obstacles_set", THRONG_WRONG_VALUE,
         "arrays.reserved is or has a value that it cannot have",
         [](Rig& r) { r.obstacle_arrays.value.reserved = 1; }},
        {"throng_obstacles_set", THRONG_WRONG_DIMENSION,
         "arrays.dimension is of another dimension than what is asked",
         [](Rig& r) { r.obstacle_arrays.value.dimension = 5 - r.dimension; }},
        {"throng_obstacles_insert", THRONG_WRONG_VALUE,
         "shape is of a kind that this call does not take",
         [](Rig& r) { r.obstacle_shape = THRONG_BALL2; }},
        {"throng_obstacles_insert", THRONG_WRONG_DIMENSION,
         "shape is of another dimension than what is asked",
         [](Rig& r) { r.obstacle_shape = r.dimension == 2 ? THRONG_TRIANGLE3 : THRONG_WALL2; }},
        {"throng_obstacles_insert", THRONG_NULL_POINTER, "obstacle is a null pointer",
         [](Rig& r) { r.obstacle_at = nullptr; }},
        {"throng_obstacles_insert", THRONG_WRONG_VALUE,
         "obstacle is or has a value that it cannot have",
         [](Rig& r) { r.obstacle_at = misaligned(r.thin.data()); }},
        {"throng_obstacles_insert", THRONG_NOT_FINITE, "obstacle is NaN or infinite",
         [](Rig& r) { r.thin[3] = kNan; }},
        {"throng_obstacles_insert", THRONG_ID_TAKEN, "id 2 is taken already",
         [](Rig& r) { r.obstacle_id = 2; }},
        {"throng_obstacles_insert", THRONG_TOO_MANY,
         "id 4294967295 asks for more than the index can number",
         [](Rig& r) { r.obstacle_id = THRONG_NO_ID; }},
        {"throng_obstacles_replace", THRONG_ID_UNKNOWN, "id 3 is not in the index",
         [](Rig& r) { r.obstacle_id = 3; }},
        {"throng_obstacles_erase", THRONG_ID_UNKNOWN, "id 5 is not in the index",
         [](Rig& r) { r.obstacle_id = 5; }},
        {"throng_obstacles_nearest", THRONG_NEGATIVE, "search.within is negative",
         [](Rig& r) { r.obstacle_search.value.within = -1.0f; }},
        {"throng_obstacles_nearest", THRONG_WRONG_VALUE,
         "search.reserved is or has a value that it cannot have",
         [](Rig& r) { r.obstacle_search.value.reserved = 1; }},
        {"throng_obstacles_nearest", THRONG_NOT_FINITE, "points[1] is NaN or infinite",
         [](Rig& r) { r.places[r.dimension] = kNan; }},
        {"throng_obstacles_nearest", THRONG_NO_ROOM, "near is too short: there must be room for 2",
         [](Rig& r) { r.near_each.room = 1; }},
        {"throng_obstacles_nearest_one", THRONG_WRONG_VALUE,
         "point has another count than one, which this call takes",
         [](Rig& r) { r.point.value.count = 2; }},
        {"throng_obstacles_first", THRONG_NOT_FINITE, "paths.shapes[1] is NaN or infinite",
         [](Rig& r) { r.shapes[2 * r.dimension] = kNan; }},
        {"throng_obstacles_first", THRONG_WRONG_VALUE,
         "paths.shape is of a kind that this call does not take",
         [](Rig& r) { r.obstacle_paths.value.shape = THRONG_BOX2 - 2 + r.dimension; }},
        {"throng_obstacles_first", THRONG_WRONG_VALUE,
         "paths.shape is of a kind that this call does not take",
         [](Rig& r) { r.obstacle_paths.value.shape = THRONG_BODY_CYLINDER2 - 2 + r.dimension; }},
        {"throng_query", THRONG_WRONG_VALUE,
         "questions.shape is of a kind that this call does not take",
         [](Rig& r) { r.questions.value.shape = THRONG_MOVING_BOX2 - 2 + r.dimension; }},
        {"throng_query_in_sight", THRONG_WRONG_VALUE,
         "questions.shape is of a kind that this call does not take",
         [](Rig& r) { r.seen.value.shape = THRONG_BOX2 - 2 + r.dimension; }},
        {"throng_count_neighbours_in_sight", THRONG_NEGATIVE, "neighbourhood.radius is negative",
         [](Rig& r) { r.neighbourhood.value.radius = -1.0f; }},
        {"throng_obstacles_first", THRONG_WRONG_DIMENSION,
         "paths.shape is of another dimension than what is asked",
         [](Rig& r) { r.obstacle_paths.value.shape = THRONG_RAY2 + 3 - r.dimension; }},
        {"throng_obstacles_first", THRONG_WRONG_VALUE,
         "paths.sets is or has a value that it cannot have",
         [](Rig& r) { r.obstacle_paths.value.sets = THRONG_STATICS; }},
        {"throng_obstacles_first", THRONG_COUNT_MISMATCH,
         "paths.filters has another count than what is asked",
         [](Rig& r) {
             r.obstacle_paths.value.filters = filters;
             r.obstacle_paths.value.filter_count = 2;
         }},
        {"throng_obstacles_first", THRONG_WRONG_VALUE,
         "paths.filter_count is or has a value that it cannot have",
         [](Rig& r) {
             r.obstacle_paths.value.filters = filters;
             r.obstacle_paths.value.filter_count = r.obstacle_paths.value.count = 2;
         }},
        {"throng_obstacles_sight", THRONG_WRONG_VALUE,
         "paths.shape is of a kind that this call does not take",
         [](Rig& r) { r.obstacle_paths.value.shape = THRONG_RAY2 - 2 + r.dimension; }},
        {"throng_obstacles_sight", THRONG_NO_ROOM, "clear is too short: there must be room for 3",
         [](Rig& r) { r.clear.room = 2; }},
        {"throng_obstacles_sight", THRONG_NULL_POINTER, "clear is a null pointer",
         [](Rig& r) { r.clear.is_null = true; }},
        {"throng_obstacles_within", THRONG_WRONG_VALUE,
         "question.shape is of a kind that this call does not take",
         [](Rig& r) { r.obstacle_ball.value.shape = THRONG_BOX2 - 2 + r.dimension; }},
        {"throng_obstacles_within_each", THRONG_NEGATIVE, "questions.shapes[1] is negative",
         [](Rig& r) { r.balls[2 * r.dimension + 1] = -1.0f; }},
        {"throng_obstacles_within_each", THRONG_WRONG_VALUE,
         "questions.shape is of a kind that this call does not take",
         [](Rig& r) { r.obstacle_balls.value.shape = THRONG_BOX2 - 2 + r.dimension; }},
        {"throng_obstacles_within_each", THRONG_NO_ROOM,
         "offsets is too short: there must be room for 4", [](Rig& r) { r.near_offsets.room = 3; }},
        {"throng_obstacles_within_each", THRONG_NO_ROOM,
         "near is too short: there must be room for 9", [](Rig& r) { r.near_of_balls.room = 8; }},
        {"throng_obstacles_overlaps", THRONG_WRONG_VALUE,
         "question.shape is of a kind that this call does not take",
         [](Rig& r) { r.question.value.shape = THRONG_BALL2 - 2 + r.dimension; }},
    };
    for (const Said& said : all) {
        for (const std::uint32_t dimension : kDimensions) {
            Rig rig(dimension);
            const auto before = rig.answers();
            said.spoil(rig);
            const throng_status status = obstacle_call_of(said.call).make(rig);
            EXPECT_EQ(status.code, said.code) << said.call;
            EXPECT_EQ(text_of(status), said.text) << said.call;
            EXPECT_EQ(rig.answers(), before) << said.call;
        }
    }
    throng_obstacles* none = nullptr;
    EXPECT_EQ(text_of(throng_obstacles_create(4, &none)),
              "dimension is or has a value that it cannot have");
    EXPECT_EQ(none, nullptr);
    // Walls exist only in the plane, triangles only in space.
    Rig plane(2), space(3);
    plane.obstacle_arrays.value.triangle_count = space.obstacle_arrays.value.wall_count = 1;
    EXPECT_EQ(obstacle_call_of("throng_obstacles_set").make(plane).argument,
              std::string("arrays.triangles"));
    EXPECT_EQ(obstacle_call_of("throng_obstacles_set").make(space).argument,
              std::string("arrays.walls"));
}

template <class Dim>
class CObstaclesAre : public testing::Test {};
TYPED_TEST_SUITE(CObstaclesAre, Dims, DimNames);

/// Expects two arrays of equal length to be the same to the bit.
template <class A, class B>
void expect_same(const std::vector<A>& a, const std::vector<B>& b) {
    static_assert(sizeof(A) == sizeof(B));
    ASSERT_EQ(a.size(), b.size());
    EXPECT_EQ(std::memcmp(a.data(), b.data(), a.size() * sizeof(A)), 0);
}

template <std::size_t Dim, class Shape>
throng_questions asked(std::uint32_t shape, const std::vector<Shape>& all, const Filter& filter) {
    throng_questions questions = THRONG_QUESTIONS_INIT;
    questions.shape = shape - 2 + static_cast<std::uint32_t>(Dim);
    questions.shapes = all.data();
    questions.count = all.size();
    questions.filters = reinterpret_cast<const throng_filter*>(&filter);
    questions.filter_count = 1;
    return questions;
}

/// Moving shapes of one kind, asked in a batch and one at a time.
template <std::size_t Dim, template <std::size_t> class Shape>
void compare_movers(const Obstacles<Dim>& cpp, throng_obstacles* obstacles, std::uint32_t shape,
                    const std::vector<Moving<Dim, Shape>>& movers) {
    const Filter filter = {7, 5};
    std::vector<ObstacleHit<Dim>> wanted(movers.size()), got(movers.size()), all;
    const std::size_t hit = cpp.first(movers, wanted, serial_executor(), filter).count;
    EXPECT_GT(hit, 10u);
    auto questions = asked<Dim>(shape, movers, filter);
    std::uint64_t sum = 0;
    ok(throng_obstacles_first(obstacles, &questions, got.data(), got.size(), nullptr, &sum));
    EXPECT_EQ(sum, hit);
    expect_same(got, wanted);
    questions.count = 1;
    for (std::size_t i = 0; i < 100; ++i) {
        questions.shapes = &movers[i];
        ok(throng_obstacles_first_one(obstacles, &questions, got.data()));
        EXPECT_EQ(got[0], wanted[i]);
        const Found found = cpp.query(movers[i], all, filter);
        ok(throng_obstacles_hits(obstacles, &questions, got.data(), got.size(), &sum));
        ASSERT_EQ(sum, found.count);
        EXPECT_TRUE(std::equal(all.begin(), all.end(), got.begin()));
    }
    questions.shape = shape + 3 - static_cast<std::uint32_t>(Dim); // of the other dimension
    EXPECT_EQ(text_of(throng_obstacles_first_one(obstacles, &questions, got.data())),
              "path.shape is of another dimension than what is asked");
    questions.shape = shape + 2;
    EXPECT_EQ(text_of(throng_obstacles_first_one(obstacles, &questions, got.data())),
              "path.shape is of a kind that this call does not take");
    questions.shape = shape - 2 + static_cast<std::uint32_t>(Dim);
    questions.shapes = nullptr;
    EXPECT_EQ(text_of(throng_obstacles_first_one(obstacles, &questions, got.data())),
              "path.shapes is a null pointer");
    Moving<Dim, Shape> bad = movers[0];
    bad.way[0] = kNan;
    questions.shapes = &bad;
    EXPECT_EQ(text_of(throng_obstacles_first_one(obstacles, &questions, got.data())),
              "path.shapes[0] is NaN or infinite");
}

TYPED_TEST(CObstaclesAre, TouchedAsInCppByWhatMoves) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(7);
    ObstacleTruth<kDim> truth;
    truth.fill(random, 2000, 50.0f, 3.0f);
    truth.turned.clear();
    truth.groups.resize(truth.boxes.size() + truth.thin.size());
    truth.list();
    Obstacles<kDim> cpp;
    ASSERT_EQ(cpp.set(truth.arrays()), Status{});
    throng_obstacle_arrays arrays = THRONG_OBSTACLE_ARRAYS_INIT;
    arrays.dimension = kDim;
    arrays.boxes = truth.boxes.data();
    arrays.box_count = truth.boxes.size();
    (kDim == 2 ? arrays.walls : arrays.triangles) = truth.thin.data();
    (kDim == 2 ? arrays.wall_count : arrays.triangle_count) = truth.thin.size();
    arrays.groups = truth.groups.data();
    throng_obstacles* obstacles = nullptr;
    ok(throng_obstacles_create(kDim, &obstacles));
    ok(throng_obstacles_set(obstacles, &arrays, nullptr));
    std::vector<Moving<kDim, Box>> boxes;
    std::vector<Moving<kDim, OrientedBox>> turned;
    std::vector<Moving<kDim, Capsule>> capsules;
    for (int i = 0; i < 600; ++i) {
        const Point<kDim> at = random_point<kDim>(random, 50.0f);
        const Point<kDim> way = random_point<kDim>(random, 20.0f);
        boxes.push_back({random_box<kDim>(random, 50.0f, 2.0f), way});
        OrientedBox<kDim> box;
        box.centre = at;
        for (std::size_t a = 0; a < kDim; ++a) {
            box.half_edges[a][a] = 1.0f;
        }
        box.half_edges[0][1] = 1.0f;
        box.half_edges[1][0] = -1.0f;
        turned.push_back({box, way});
        capsules.push_back({{at, moved(at, random_point<kDim>(random, 3.0f)), random.unit()}, way});
    }
    compare_movers(cpp, obstacles, THRONG_MOVING_BOX2, boxes);
    compare_movers(cpp, obstacles, THRONG_MOVING_ORIENTED_BOX2, turned);
    compare_movers(cpp, obstacles, THRONG_MOVING_CAPSULE2, capsules);
    ok(throng_obstacles_destroy(obstacles));
}

TYPED_TEST(CObstaclesAre, TheSameInCppOnAnyExecutor) {
    constexpr std::size_t kDim = TypeParam::value;
    constexpr std::size_t kCount = 3000;
    using CNear = std::conditional_t<kDim == 2, throng_obstacle_near2, throng_obstacle_near3>;
    using CHit = std::conditional_t<kDim == 2, throng_obstacle_hit2, throng_obstacle_hit3>;
    scenes::Random random(5);
    ObstacleTruth<kDim> truth;
    truth.fill(random, 2000, 60.0f, 3.0f);
    Obstacles<kDim> cpp;
    ASSERT_EQ(cpp.set(truth.arrays()), Status{});
    std::vector<Point<kDim>> points(kCount);
    std::vector<Segment<kDim>> segments(kCount);
    std::vector<Capsule<kDim>> capsules(kCount);
    std::vector<Ball<kDim>> balls(kCount);
    for (std::size_t i = 0; i < kCount; ++i) {
        points[i] = random_point<kDim>(random, 70.0f);
        balls[i] = {points[i], random.between(0.0f, 6.0f)};
        segments[i] = {points[i], moved(points[i], random_point<kDim>(random, 9.0f))};
        capsules[i] = {segments[i].from, segments[i].to, random.unit()};
    }
    const Filter filter = {7, 5};
    std::vector<ObstacleNear<kDim>> near(kCount);
    std::vector<ObstacleHit<kDim>> hits(kCount);
    std::vector<std::uint8_t> clear(kCount);
    const std::size_t nearby = cpp.nearest(points, near, serial_executor(), 4.0f, filter).count;
    const std::size_t hit = cpp.first(capsules, hits, serial_executor(), filter).count;
    const std::size_t seen = cpp.sight(segments, clear, serial_executor(), filter).count;
    ObstaclesWithin<kDim> within;
    const std::size_t reached = cpp.query(balls, within, serial_executor(), filter).count;
    ASSERT_GT(reached, 100u);
    ASSERT_GT(nearby, 0u);
    ASSERT_GT(hit, 0u);
    ASSERT_GT(seen, 0u);

    throng_obstacle_arrays arrays = THRONG_OBSTACLE_ARRAYS_INIT;
    arrays.dimension = kDim;
    arrays.boxes = truth.boxes.data();
    arrays.box_count = truth.boxes.size();
    // In reverse order with a negative stride, so that the stride matters.
    std::vector<OrientedBox<kDim>> backwards(truth.turned.rbegin(), truth.turned.rend());
    arrays.turned_boxes = &backwards.back();
    arrays.turned_box_stride = -static_cast<std::ptrdiff_t>(sizeof(OrientedBox<kDim>));
    arrays.turned_box_count = truth.turned.size();
    (kDim == 2 ? arrays.walls : arrays.triangles) = truth.thin.data();
    (kDim == 2 ? arrays.wall_count : arrays.triangle_count) = truth.thin.size();
    arrays.groups = truth.groups.data();
    throng_points from = THRONG_POINTS_INIT;
    from.dimension = kDim;
    from.coordinates = points[0].axis.data();
    from.count = kCount;
    throng_obstacle_search search = THRONG_OBSTACLE_SEARCH_INIT;
    search.within = 4.0f;
    search.groups = filter.groups;
    search.without = filter.without;
    throng_executor* pool = nullptr;
    ok(throng_executor_create_kind(THRONG_POOL, 3, &pool));
    for (throng_executor* const executor : {static_cast<throng_executor*>(nullptr), pool}) {
        throng_obstacles* obstacles = nullptr;
        ok(throng_obstacles_create(kDim, &obstacles));
        ok(throng_obstacles_set(obstacles, &arrays, executor));
        std::vector<CNear> c_near(kCount);
        std::vector<CHit> c_hits(kCount);
        std::vector<std::uint8_t> c_clear(kCount);
        std::uint64_t sum = 0;
        ok(throng_obstacles_nearest(obstacles, &from, &search, c_near.data(), kCount, executor,
                                    &sum));
        EXPECT_EQ(sum, nearby);
        expect_same(c_near, near);
        const auto paths = asked<kDim>(THRONG_CAPSULE2, capsules, filter);
        ok(throng_obstacles_first(obstacles, &paths, c_hits.data(), kCount, executor, &sum));
        EXPECT_EQ(sum, hit);
        expect_same(c_hits, hits);
        const auto looks = asked<kDim>(THRONG_SEGMENT2, segments, filter);
        ok(throng_obstacles_sight(obstacles, &looks, c_clear.data(), kCount, executor, &sum));
        EXPECT_EQ(sum, seen);
        expect_same(c_clear, clear);
        const auto around = asked<kDim>(THRONG_BALL2, balls, filter);
        std::vector<std::uint64_t> c_offsets(kCount + 1);
        std::vector<CNear> c_within(reached);
        ok(throng_obstacles_within_each(obstacles, &around, c_offsets.data(), c_offsets.size(),
                                        c_within.data(), reached, executor, &sum));
        EXPECT_EQ(sum, reached);
        EXPECT_EQ(c_offsets, within.offsets);
        expect_same(c_within, within.near);
        // Too little room: the offsets, and the first answers.
        std::fill(c_offsets.begin(), c_offsets.end(), 0);
        std::vector<CNear> first(7, c_within.back());
        EXPECT_EQ(text_of(throng_obstacles_within_each(obstacles, &around, c_offsets.data(),
                                                       c_offsets.size(), first.data(), 6, executor,
                                                       &sum)),
                  "near is too short: there must be room for " + std::to_string(reached));
        EXPECT_EQ(sum, reached);
        EXPECT_EQ(c_offsets, within.offsets);
        EXPECT_EQ(std::memcmp(first.data(), within.near.data(), 6 * sizeof(CNear)), 0);
        EXPECT_EQ(std::memcmp(&first[6], &c_within.back(), sizeof(CNear)), 0);
        ok(throng_obstacles_destroy(obstacles));
    }
    ok(throng_executor_destroy(pool));
}

} // namespace
} // namespace throng::test
