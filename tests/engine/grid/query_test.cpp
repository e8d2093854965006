// Every form of query, on every scene, in very different grids, against the oracle: the same
// agents in the canonical order.
#include <throng/engine/agents/grid_shape.hpp>
#include <throng/engine/grid/query_stats.hpp>
#include <throng/engine/grid/row_grid.hpp>

#include "../../support/answers.hpp"
#include "../../support/dims.hpp"
#include "../../support/numbers.hpp"
#include "../../support/scenes/scene_cases.hpp"
#include "query_checks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

namespace throng {
namespace {

using namespace test;

template <std::size_t Dim>
void check_scene(scenes::Scene<Dim>& scene) {
    Truth<Dim> truth;
    ASSERT_EQ(truth.update(scene.agents()), Status{});
    const Questions<Dim, Box<Dim>> boxes(truth, scene.boxes);
    const Questions<Dim, Ball<Dim>> balls(truth, scene.balls);

    for (const GridShape<Dim>& shape : scenes::shapes_for(scene)) {
        std::string cells;
        for (const std::uint32_t count : shape.cells) {
            cells += std::to_string(count) + " ";
        }
        SCOPED_TRACE(scene.name + ", cells " + cells);
        RowGrid<Dim> grid;
        ASSERT_EQ(grid.use(shape), Status{});
        ASSERT_EQ(grid.update(scene.agents()), Status{});
        ASSERT_EQ(grid.validate(), nullptr);
        ASSERT_EQ(grid.shape(), shape);
        ASSERT_EQ(grid.kind(), truth.kind());

        const CanonicalOrder order = truth.order(shape);
        Ids ids(scene.size() + 4, kCanary);
        ASSERT_EQ(grid.order(std::span<Id>(ids).first(scene.size())), scene.size());
        ASSERT_EQ(ids.back(), kCanary);
        ids.resize(scene.size());
        ASSERT_EQ(ids, order.ids());
        ASSERT_NO_FATAL_FAILURE(boxes.check(grid, order));
        ASSERT_NO_FATAL_FAILURE(balls.check(grid, order));
    }
}

class RowGridQuery : public testing::TestWithParam<test::SceneCase> {};

TEST_P(RowGridQuery, AnswersLikeBruteForce) {
    with_scene(GetParam(), 300, [](auto& scene) { check_scene(scene); });
}

INSTANTIATE_TEST_SUITE_P(Scenes, RowGridQuery, test::all_scene_cases(), test::scene_case_name);

template <class Dim>
class RowGridQueryForms : public testing::Test {};
TYPED_TEST_SUITE(RowGridQueryForms, test::Dims, test::DimNames);

// Whole registers, with every number of agents left over.
TYPED_TEST(RowGridQueryForms, SpansOfEveryLength) {
    for (std::size_t count = 0; count <= 70; ++count) {
        auto scene = scenes::make<TypeParam::value>("coincident", count);
        const auto shape = shape_over(scene.world, scene.cell).value;
        RowGrid<TypeParam::value> grid;
        ASSERT_EQ(grid.use(shape), Status{});
        ASSERT_EQ(grid.update(scene.agents()), Status{});
        ASSERT_EQ(
            test::difference(test::answers_of(grid, scene), test::expected_answers(shape, scene)),
            "")
            << count;
    }
}

// The count is right without a buffer, whether agents would be copied or tested.
TYPED_TEST(RowGridQueryForms, TheTrueCountNeedsNoBuffer) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 2000);
    RowGrid<kDim> grid;
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    const Box<kDim> everywhere{Point<kDim>::all(-kLargest), Point<kDim>::all(kLargest)};
    EXPECT_GT(grid.explain(everywhere).copied, 0u);
    EXPECT_EQ(grid.query(everywhere, std::span<Id>{}).count, 2000u);
    EXPECT_EQ(grid.query(Ball<kDim>{{}, kLargest}, std::span<Id>{}).count, 2000u);
}

TYPED_TEST(RowGridQueryForms, ASparseCrowdIsFoundInALargeOne) {
    auto scene = scenes::make<TypeParam::value>("clustered", 20'000);
    RowGrid<TypeParam::value> grid;
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    EXPECT_EQ(test::difference(test::answers_of(grid, scene),
                               test::expected_answers(grid.shape(), scene)),
              "");
    EXPECT_EQ(grid.validate(), nullptr);
}

TYPED_TEST(RowGridQueryForms, AnEmptyGridFindsNothing) {
    constexpr std::size_t kDim = TypeParam::value;
    const RowGrid<kDim> grid;
    const Box<kDim> box{Point<kDim>::all(-kLargest), Point<kDim>::all(kLargest)};
    const Ball<kDim> ball{{}, kLargest};
    Ids out(4, kCanary);
    EXPECT_EQ(grid.query(box, std::span<Id>(out)).count, 0u);
    EXPECT_EQ(grid.query(ball, std::span<Id>(out)).status, Status{});
    EXPECT_EQ(grid.count(box).count + grid.any(ball).count, 0u);
    EXPECT_EQ(grid.explain(box).hits, 0u);
    EXPECT_EQ(grid.order(out), 0u);
    EXPECT_EQ(grid.size(), 0u);
    EXPECT_FALSE(grid.contains(0));
    EXPECT_FALSE(grid.contains(kNoId));
    EXPECT_EQ(grid.validate(), nullptr);
    Hits hits;
    EXPECT_EQ(grid.query(std::span(&box, 1), hits), Status{});
    EXPECT_EQ(hits.offsets, (std::vector<std::uint64_t>{0, 0}));
    EXPECT_EQ(grid.query(std::span<const Ball<kDim>>{}, hits), Status{});
    EXPECT_EQ(hits.offsets, (std::vector<std::uint64_t>{0}));
    EXPECT_EQ(out, Ids(4, kCanary));
}

TYPED_TEST(RowGridQueryForms, RefuseNonsenseAndWriteNothing) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 100);
    RowGrid<kDim> grid;
    for (int filled = 0; filled < 2; ++filled) {
        for (const float bad : {test::kNan, kInfinity, -kInfinity, 2e18f, -2e18f}) {
            const Cause cause = std::abs(bad) <= 2e18f ? Cause::too_large : Cause::not_finite;
            for (std::size_t a = 0; a < kDim; ++a) {
                Box<kDim> box = scene.world;
                box.lo[a] = bad;
                check_refused(grid, box, scene.world, {cause, Argument::box});
                box = scene.world;
                box.hi[a] = bad;
                check_refused(grid, box, scene.world, {cause, Argument::box});
                Ball<kDim> ball{{}, 5.0f};
                ball.centre[a] = bad;
                check_refused(grid, ball, {{}, 5.0f}, {cause, Argument::ball});
            }
            const Ball<kDim> ball{{}, bad};
            const Cause of_radius = bad == -2e18f ? Cause::negative : cause;
            check_refused(grid, ball, {{}, 5.0f}, {of_radius, Argument::ball});
        }
        check_refused(grid, Ball<kDim>{{}, -1.0f}, {{}, 5.0f}, {Cause::negative, Argument::ball});
        ASSERT_EQ(grid.update(scene.agents()), Status{});
    }
}

} // namespace
} // namespace throng
