// Questions with a predicate: the hits of the index without those that the predicate rejects.
#include <throng/engine/answers/predicate.hpp>

#include "../../support/answers.hpp"
#include "../../support/conditions.hpp"
#include "../../support/dims.hpp"
#include "../../support/numbers.hpp"

#include <throng/engine/core/function_ref.hpp>
#include <throng/engine/family/brute_force.hpp>
#include <throng/engine/grid/row_grid.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace throng {
namespace {

using Ids = std::vector<Id>;
using test::kCanary;

bool is_third(Id id) { return id % 3 == 1; }

template <class Index, class Shape>
void check(const Index& index, const Shape& shape, const Filter& filter) {
    const Ids all = test::ask(index, shape, filter);
    Ids wanted;
    std::copy_if(all.begin(), all.end(), std::back_inserter(wanted), is_third);

    for (const std::size_t room : {wanted.size() + 3, wanted.size() / 2}) {
        Ids got(room, kCanary), should = wanted, asked;
        const Found found = query_where(
            index, shape, std::span<Id>(got),
            [&](Id id) {
                asked.push_back(id);
                return is_third(id);
            },
            filter);
        should.resize(room, kCanary);
        EXPECT_EQ(found.count, wanted.size());
        EXPECT_EQ(got, should);
        EXPECT_EQ(asked, all) << "each hit is asked about once, in order";
    }

    const FunctionRef<bool(Id)> predicate(is_third);
    EXPECT_EQ(count_where(index, shape, predicate, filter).count, wanted.size());
    EXPECT_EQ(any_where(index, shape, predicate, filter).count, wanted.empty() ? 0u : 1u);

    Ids visited;
    std::size_t runs = 0;
    const auto visitor = [&](std::span<const Id> ids) {
        EXPECT_FALSE(ids.empty());
        visited.insert(visited.end(), ids.begin(), ids.end());
        ++runs;
        return true;
    };
    EXPECT_EQ(visit_where(index, shape, visitor, predicate, filter).count, wanted.size());
    EXPECT_EQ(visited, wanted);
    // The visitor stops after its first run.
    std::size_t taken = 0;
    const Found stopped = visit_where(
        index, shape,
        [&](std::span<const Id> ids) {
            EXPECT_EQ(taken, 0u);
            taken += ids.size();
            return false;
        },
        predicate, filter);
    EXPECT_EQ(stopped.count, taken);
    EXPECT_EQ(taken == wanted.size(), runs <= 1);
}

template <class D>
class Predicate : public testing::Test {};
TYPED_TEST_SUITE(Predicate, test::Dims, test::DimNames);

TYPED_TEST(Predicate, FindsTheHitsThatAreWanted) {
    constexpr auto kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 1500, scenes::Groups::masks);
    scenes::add_queries(scene, 40, 3);
    const RowGrid<kDim> grid = test::grid_of(scene);
    BruteForce<kDim> brute_force;
    ASSERT_EQ(brute_force.update(scene.agents()), Status{});
    for (const Filter& filter : {Filter{}, Filter{0x3u, 4}}) {
        for (const Box<kDim>& box : scene.boxes) {
            check(grid, box, filter);
            check(brute_force, box, filter);
        }
        for (const Ball<kDim>& ball : scene.balls) {
            check(grid, ball, filter);
            check(brute_force, ball, filter);
        }
    }
}

TYPED_TEST(Predicate, AnyAsksNoFurtherThanTheFirstThatIsWanted) {
    constexpr auto kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 500);
    const RowGrid<kDim> grid = test::grid_of(scene);
    std::size_t asked = 0;
    const auto third = [&](Id) { return ++asked == 3; };
    EXPECT_EQ(any_where(grid, scene.world, third).count, 1u);
    EXPECT_EQ(asked, 3u);
}

TYPED_TEST(Predicate, IsNotAskedWhereTheQuestionMakesNoSense) {
    constexpr auto kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 100);
    const RowGrid<kDim> grid = test::grid_of(scene);
    const Ball<kDim> ball = {Point<kDim>::all(0.0f), test::kNan};
    const auto never = [](Id) {
        ADD_FAILURE();
        return true;
    };
    const Status wanted = grid.count(ball).status;
    ASSERT_FALSE(wanted.ok());
    EXPECT_EQ(count_where(grid, ball, never).status, wanted);
    EXPECT_EQ(any_where(grid, ball, never).status, wanted);
    EXPECT_EQ(visit_where(
                  grid, ball, [](std::span<const Id>) { return true; }, never)
                  .status,
              wanted);
}

TYPED_TEST(Predicate, FindsTheNearestAndTheFirstThatAreWanted) {
    constexpr auto kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 900, scenes::Groups::masks);
    scenes::add_queries(scene, 12, 3);
    const RowGrid<kDim> grid = test::grid_of(scene);
    for (const Filter& filter : {Filter{}, Filter{0x3u, 4}}) {
        for (const Ball<kDim>& ball : scene.balls) {
            for (const std::uint32_t k : {0u, 1u, 8u, 300u}) {
                std::vector<Near> all(900), got(k), wanted(k);
                all.resize(grid.nearest(ball.centre, {900}, all, filter).count);
                std::copy_if(all.begin(), all.end(), std::back_inserter(wanted),
                             [](const Near& near) { return is_third(near.id); });
                wanted.erase(wanted.begin(), wanted.begin() + k);
                const std::size_t count = std::min<std::size_t>(k, wanted.size());
                wanted.resize(k);
                EXPECT_EQ(
                    nearest_where(grid, ball.centre, {k}, std::span(got), is_third, filter).count,
                    count);
                EXPECT_EQ(got, wanted);
            }
            const Segment<kDim> path = {ball.centre, Point<kDim>::all(3.0f)};
            std::vector<PathHit> hits;
            ASSERT_EQ(grid.hits(path, hits, filter), Status{});
            test::check_first_after(grid, path, hits, filter);
            const Capsule<kDim> capsule = {ball.centre, Point<kDim>::all(9.0f), 2.0f};
            ASSERT_EQ(grid.hits(capsule, hits, filter), Status{});
            test::check_first_after(grid, capsule, hits, filter);
        }
    }
}

// More agents at one distance than fit in a page, or in an answer.
TYPED_TEST(Predicate, IsAskedOnceAboutEachOfThousandsInOnePlace) {
    constexpr auto kDim = TypeParam::value;
    scenes::Scene<kDim> scene;
    scene.world = {Point<kDim>::all(0.0f), Point<kDim>::all(100.0f)};
    for (int i = 0; i < 3'000; ++i) {
        scene.add(Point<kDim>::all(50.0f));
    }
    scene.cell = Point<kDim>::all(4.0f);
    const RowGrid<kDim> grid = test::grid_of(scene);
    const Point<kDim> point = Point<kDim>::all(49.0f);
    Ids asked;
    const auto ask_until = [&](Id last) {
        asked.clear();
        return [&asked, last](Id id) {
            asked.push_back(id);
            return id >= last;
        };
    };
    std::vector<Near> out(2);
    EXPECT_EQ(nearest_where(grid, point, {2}, std::span(out), ask_until(2'500)).count, 2u);
    EXPECT_EQ(out[1].id, 2'501u);
    ASSERT_EQ(asked.size(), 2'502u);
    for (Id i = 0; i < asked.size(); ++i) {
        ASSERT_EQ(asked[i], i);
    }
    EXPECT_EQ(nearest_where(grid, point, {2}, std::span(out), ask_until(kNoId)).count, 0u);
    EXPECT_EQ(asked.size(), 3'000u);
    EXPECT_EQ(out, std::vector<Near>(2));
    PathHit hit;
    const Segment<kDim> path = {point, Point<kDim>::all(51.0f)};
    EXPECT_EQ(first_where(grid, path, hit, ask_until(2'999)).count, 1u);
    EXPECT_EQ(hit.id, 2'999u);
    ASSERT_EQ(asked.size(), 3'000u);

    // A predicate that throws leaves the index as it was.
    const auto thrower = [](Id id) -> bool { throw id; };
    EXPECT_THROW((void)nearest_where(grid, point, {2}, std::span(out), thrower), Id);
    EXPECT_THROW((void)first_where(grid, path, hit, thrower), Id);
    EXPECT_EQ(grid.validate(), nullptr);
    EXPECT_EQ(nearest_where(grid, point, {2}, std::span(out), ask_until(0)).count, 2u);
    EXPECT_EQ(asked, (Ids{0, 1}));
}

// Entries of the row's table have many cells each, and a path looks at some cells at a time.
TYPED_TEST(Predicate, IsAskedOnceAboutEachOfFewInALongRow) {
    constexpr auto kDim = TypeParam::value;
    scenes::Scene<kDim> scene;
    scene.world = {Point<kDim>::all(0.0f), Point<kDim>::all(2.0f)};
    scene.world.hi[0] = 4096.0f;
    scene.cell = Point<kDim>::all(2.0f);
    scene.cell[0] = 1.0f;
    scene.common_half_extent = Point<kDim>::all(0.25f);
    for (int i = 0; i < 40; ++i) {
        Point<kDim> point = Point<kDim>::all(1.0f);
        point[0] = i % 2 == 0 ? 10.0f * static_cast<float>(i) : 4000.0f - static_cast<float>(i);
        scene.add(point);
    }
    const RowGrid<kDim> grid = test::grid_of(scene);
    Point<kDim> left = Point<kDim>::all(1.0f), right = left;
    left[0] = 0.0f;
    right[0] = 4096.0f;
    for (const auto& [from, to] : {std::pair(left, right), std::pair(right, left)}) {
        std::vector<PathHit> hits;
        const Segment<kDim> segment = {from, to};
        ASSERT_EQ(grid.hits(segment, hits), Status{});
        ASSERT_EQ(hits.size(), 40u);
        ASSERT_NO_FATAL_FAILURE(test::check_first_after(grid, segment, hits, Filter{}));
        const Capsule<kDim> capsule = {from, to, 0.5f};
        ASSERT_EQ(grid.hits(capsule, hits), Status{});
        ASSERT_NO_FATAL_FAILURE(test::check_first_after(grid, capsule, hits, Filter{}));
    }
}

TYPED_TEST(Predicate, OfTheNearestIsNotAskedWhereTheQuestionMakesNoSense) {
    constexpr auto kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 100);
    const RowGrid<kDim> grid = test::grid_of(scene);
    const auto never = [](Id) {
        ADD_FAILURE();
        return true;
    };
    constexpr Near kOther{-3.0f, 3};
    const auto refused = [&](const Nearest& nearest, const Status& wanted) {
        std::vector<Near> out(4, kOther);
        EXPECT_EQ(nearest_where(grid, Point<kDim>{}, nearest, std::span(out), never).status,
                  wanted);
        EXPECT_EQ(std::count(out.begin(), out.end(), kOther), 4);
    };
    refused({kMostNearest + 1}, {Cause::too_many, Argument::k});
    refused({5}, {Cause::no_room, Argument::nearest});
    refused({4, -1.0f}, {Cause::negative, Argument::radius});
    refused({4, 1.0f, -1.0f}, {Cause::negative, Argument::least});
}

} // namespace
} // namespace throng
