// Questions with a predicate: the hits of the index without those that the predicate rejects.
#include <throng/engine/answers/predicate.hpp>

#include "../../support/answers.hpp"
#include "../../support/dims.hpp"

#include <throng/engine/core/function_ref.hpp>
#include <throng/engine/family/brute_force.hpp>
#include <throng/engine/grid/row_grid.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

namespace throng {
namespace {

using Ids = std::vector<Id>;
constexpr Id kCanary = 0xC0FF'EE00u;

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
    // And stopped by the visitor, after its first run.
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
    const Ball<kDim> ball = {Point<kDim>::all(0.0f), std::numeric_limits<float>::quiet_NaN()};
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

} // namespace
} // namespace throng
