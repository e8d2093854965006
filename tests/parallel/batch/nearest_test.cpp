// The nearest to many points, and to all agents, on executors, against the oracle.
#include <throng/parallel/batch/batch.hpp>

#include "../../support/answers.hpp"
#include "../../support/dims.hpp"
#include "../../support/scenes/scene_cases.hpp"
#include "../../support/threads/executors.hpp"
#include "../../support/truth.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace throng {
namespace {

/// Appends the oracle's answer to one question.
void append(NearHits& hits, std::vector<Near> nearest) {
    hits.counts.push_back(static_cast<std::uint32_t>(nearest.size()));
    nearest.resize(hits.k);
    hits.nearest.insert(hits.nearest.end(), nearest.begin(), nearest.end());
}
template <std::size_t Dim>
NearHits wanted_of(const test::Truth<Dim>& truth, const std::vector<Point<Dim>>& points,
                   const Nearest& nearest, const Filter& filter) {
    NearHits hits{nearest.k, {}, {}};
    for (const Point<Dim>& point : points) {
        append(hits, truth.nearest_to(point, nearest, filter));
    }
    return hits;
}
template <std::size_t Dim>
NearHits wanted_of(const test::Truth<Dim>& truth, const std::vector<Id>& ids,
                   const NearestNeighbours& nearest) {
    NearHits hits{nearest.k, {}, {}};
    for (const Id id : ids) {
        append(hits, truth.nearest_to(truth[id].position, {nearest.k, nearest.radius},
                                      {nearest.groups, nearest.with_self ? kNoId : id}));
    }
    return hits;
}

void check_same(const NearHits& got, const NearHits& wanted) {
    ASSERT_EQ(got.k, wanted.k);
    ASSERT_TRUE(got.counts == wanted.counts);
    ASSERT_TRUE(got.nearest == wanted.nearest);
}

/// Checks outputs that grow, and arrays of exactly the right size.
template <class Call>
void check_calls(const Call& call, const NearHits& wanted) {
    NearHits hits;
    ASSERT_EQ(call(hits), Status{});
    ASSERT_NO_FATAL_FAILURE(check_same(hits, wanted));

    NearHits buffer{wanted.k, std::vector<Near>(wanted.nearest.size()),
                    std::vector<std::uint32_t>(wanted.counts.size())};
    const Found found = call(NearOutput{buffer.nearest, buffer.counts});
    ASSERT_EQ(found.status, Status{});
    std::size_t sum = 0;
    for (const std::uint32_t count : wanted.counts) {
        sum += count;
    }
    ASSERT_EQ(found.count, sum);
    ASSERT_NO_FATAL_FAILURE(check_same(buffer, wanted));
}

template <std::size_t Dim>
void check_scene(std::string_view name, scenes::Groups groups, Executor& executor) {
    auto scene = scenes::make<Dim>(name, 400, groups);
    const RowGrid<Dim> grid = test::grid_of(scene);
    test::Truth<Dim> truth;
    ASSERT_EQ(truth.update(scene.agents()), Status{});
    Batch<Dim> batch(executor);
    std::vector<Point<Dim>> points;
    for (const Ball<Dim>& ball : scene.balls) {
        points.push_back(ball.centre);
    }
    const std::span<const Point<Dim>> asked(points);
    const Filter some{0x3u, 5};
    for (const Nearest& nearest : {Nearest{8}, Nearest{2, scene.cell[0]}, Nearest{0}}) {
        check_calls([&](auto&& out) { return batch.nearest(grid, asked, nearest, out, some); },
                    wanted_of(truth, points, nearest, some));
    }
    std::vector<Id> order(grid.size());
    (void)grid.order(order);
    std::vector<Id> ids = order;
    std::sort(ids.begin(), ids.end());
    for (const NearestNeighbours& nearest :
         {NearestNeighbours{5}, NearestNeighbours{17, scene.cell[0], true, 0x1u}}) {
        check_calls([&](auto&& out) { return batch.nearest_neighbours(grid, nearest, out); },
                    wanted_of(truth, order, nearest));
        check_calls(
            [&](auto&& out) { return batch.nearest_neighbours(grid, nearest, out, Order::ids); },
            wanted_of(truth, ids, nearest));
    }
}

class BatchNearestOnScenes : public testing::TestWithParam<test::SceneCase> {};

TEST_P(BatchNearestOnScenes, AreAsDefined) {
    const auto& [dim, name, groups] = GetParam();
    test::EagerPool pool(3);
    dim == 2 ? check_scene<2>(name, groups, pool) : check_scene<3>(name, groups, pool);
}
INSTANTIATE_TEST_SUITE_P(Nearest, BatchNearestOnScenes, test::all_scene_cases(),
                         test::scene_case_name);

template <class Dim>
class BatchNearest : public testing::Test {};
TYPED_TEST_SUITE(BatchNearest, test::Dims, test::DimNames);

// Points in no order, in a crowd so large that the batch sorts them first.
TYPED_TEST(BatchNearest, OfPointsThatJumpAbout) {
    constexpr std::size_t kDim = TypeParam::value;
    constexpr std::size_t kAgents = 150'000;
    auto scene = scenes::make_uniform<kDim>(kAgents);
    RowGrid<kDim> grid;
    ASSERT_EQ(grid.configure(scene.world, Point<kDim>::all(2.0f)), Status{});
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    std::vector<Point<kDim>> points;
    for (std::size_t i = 0; i < 6'000; ++i) {
        points.push_back(scene.position_of(i * 25));
    }
    const Nearest nearest{3};
    NearHits wanted{3, std::vector<Near>(3 * points.size()), {}};
    for (std::size_t q = 0; q < points.size(); ++q) {
        const Found found =
            grid.nearest(points[q], nearest, std::span(wanted.nearest).subspan(3 * q, 3));
        wanted.counts.push_back(static_cast<std::uint32_t>(found.count));
    }
    test::EagerPool pool(3);
    Batch<kDim> batch(pool);
    const std::span<const Point<kDim>> asked(points);
    check_calls([&](auto&& out) { return batch.nearest(grid, asked, nearest, out); }, wanted);

    points[4'321][0] = std::numeric_limits<float>::infinity();
    NearHits hits = wanted;
    EXPECT_EQ(batch.nearest(grid, asked, nearest, hits),
              (Status{Cause::not_finite, Argument::points, 4'321}));
    EXPECT_TRUE(hits.nearest.empty() && hits.counts.empty());
}

// All agents ask for the nearest. Some stand about equally far from the centre: distances differ
// only in their last bits, the smallest ids are the farthest, and a few distances are equal.
TYPED_TEST(BatchNearest, AtAboutTheSameDistance) {
    constexpr std::size_t kDim = TypeParam::value;
    const auto centre = Point<kDim>::all(8.0f);
    scenes::Random random(3);
    for (const float step : {0.0f, 0x1p-21f, 0x1p-18f, 0x1p-12f}) {
        scenes::Scene<kDim> scene;
        scene.world = {Point<kDim>{}, Point<kDim>::all(16.0f)};
        for (std::size_t i = 0; i < 90; ++i) {
            Point<kDim> position = centre;
            const float out = 0.5f + step * static_cast<float>(90 - i - i % 2);
            position[i % kDim] += random.below(2) == 0 ? out : -out;
            scene.add(position);
        }
        RowGrid<kDim> grid;
        ASSERT_EQ(grid.configure(scene.world, Point<kDim>::all(1.0f)), Status{});
        ASSERT_EQ(grid.update(scene.agents()), Status{});
        test::Truth<kDim> truth;
        ASSERT_EQ(truth.update(scene.agents()), Status{});
        const std::vector<Point<kDim>> points(100, centre);
        Batch<kDim> batch;
        for (const std::uint32_t k : {1u, 2u, 7u, 8u, 11u, 16u, 17u}) {
            SCOPED_TRACE(testing::Message() << k << " nearest, " << step << " apart");
            const Nearest nearest{k};
            check_calls(
                [&](auto&& out) { return batch.nearest(grid, std::span(points), nearest, out); },
                wanted_of(truth, points, nearest, {}));
        }
    }
}

TYPED_TEST(BatchNearest, LeavesPlacesOfUnusedIds) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 300);
    auto grid = test::grid_of(scene);
    for (const Id id : {Id{0}, Id{77}, Id{150}}) {
        ASSERT_EQ(grid.erase(id), Status{});
    }
    Batch<kDim> batch;
    NearHits hits{9, std::vector<Near>(5'000, Near{1.0f, 1}), {}};
    ASSERT_EQ(batch.nearest_neighbours(grid, {4}, hits, Order::ids), Status{});
    ASSERT_EQ(hits.counts.size(), grid.id_bound());
    for (Id id = 0; id < 300; ++id) {
        const bool gone = !grid.contains(id);
        ASSERT_EQ(hits.of(id).size(), gone ? 0u : 4u);
        std::vector<Near> alone(4);
        if (!gone) { (void)grid.nearest(scene.position_of(id), {4}, alone, {kAllGroups, id}); }
        ASSERT_TRUE(std::equal(alone.begin(), alone.end(), hits.nearest.begin() + 4 * id));
    }
}

TYPED_TEST(BatchNearest, RefusesWhatMakesNoSense) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 300);
    const auto grid = test::grid_of(scene);
    Batch<kDim> batch;
    std::vector<Point<kDim>> points(10);
    const std::span<const Point<kDim>> asked(points);
    std::vector<Near> places(600);
    std::vector<std::uint32_t> counts(300);
    NearHits hits;
    const Status too_many{Cause::too_many, Argument::k};
    EXPECT_EQ(batch.nearest(grid, asked, {kMostNearest + 1}, hits), too_many);
    EXPECT_EQ(batch.nearest(grid, asked, {1u << 31}, hits), too_many);
    EXPECT_EQ(batch.nearest_neighbours(grid, {kMostNearest + 1}, hits), too_many);
    EXPECT_EQ(batch.nearest(grid, asked, {2, -1.0f}, hits),
              (Status{Cause::negative, Argument::radius}));
    EXPECT_EQ(batch.nearest_neighbours(grid, {2, 2e18f}, hits),
              (Status{Cause::too_large, Argument::radius}));
    const auto some = [&](std::size_t most_places, std::size_t most_counts) {
        return NearOutput{std::span(places).first(most_places),
                          std::span(counts).first(most_counts)};
    };
    EXPECT_EQ(batch.nearest(grid, asked, {2}, some(19, 10)).status,
              (Status{Cause::no_room, Argument::nearest}));
    EXPECT_EQ(batch.nearest(grid, asked, {2}, some(20, 9)).status,
              (Status{Cause::no_room, Argument::counts}));
    EXPECT_EQ(batch.nearest_neighbours(grid, {2}, some(599, 300)).status,
              (Status{Cause::no_room, Argument::nearest}));
    EXPECT_EQ(batch.nearest_neighbours(grid, {2}, some(600, 299)).status,
              (Status{Cause::no_room, Argument::counts}));
    points[7][1] = -2e18f;
    EXPECT_EQ(batch.nearest(grid, asked, {2}, some(20, 10)).status,
              (Status{Cause::too_large, Argument::points, 7}));
}

} // namespace
} // namespace throng
