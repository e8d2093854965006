// Every form of query, on every scene, in very different grids, against brute force: the same
// agents in the canonical order.
#include <throng/engine/row_grid.hpp>

#include "../support/answers.hpp"
#include "../support/dims.hpp"
#include "../support/scene_cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <tuple>

namespace throng {
namespace {

using Ids = std::vector<Id>;
constexpr Id kCanary = 0xC0FF'EE00u;

const Filter kFilters[] = {{},   {kAllGroups, 3}, {0x1u}, {0x8000'0002u, 7}, {kAllGroups - 1},
                           {0u}, {0x5u, 0}};

/// A buffer of any size gets the first ids, and nothing is written beyond it.
template <std::size_t Dim, class Shape>
void check_query(const RowGrid<Dim>& grid, const Shape& shape, const Filter& filter,
                 const Ids& wanted) {
    constexpr std::size_t kGuard = 32;
    const std::size_t hits = wanted.size();
    Ids buffer;
    for (std::size_t size = 0; size <= hits + 1; ++size) {
        if (size > 18 && size + 2 < hits) { size = hits - 1; }
        buffer.assign(size + kGuard, kCanary);
        const Found found = grid.query(shape, std::span<Id>(buffer).first(size), filter);
        ASSERT_EQ(found.status, Status{});
        ASSERT_EQ(found.count, hits);
        const auto written = static_cast<std::ptrdiff_t>(std::min(size, hits));
        ASSERT_TRUE(std::equal(wanted.begin(), wanted.begin() + written, buffer.begin()))
            << "in a buffer of " << size;
        ASSERT_EQ(
            std::count(buffer.begin() + static_cast<std::ptrdiff_t>(size), buffer.end(), kCanary),
            static_cast<std::ptrdiff_t>(kGuard))
            << "written past a buffer of " << size;
    }
    ASSERT_EQ(grid.query(shape, std::span<Id>{}, filter).count, hits);
}

template <std::size_t Dim, class Shape>
void check_visit(const RowGrid<Dim>& grid, const Shape& shape, const Filter& filter,
                 const Ids& wanted) {
    std::vector<std::size_t> ends; // of the runs
    Ids visited;
    const Found all = grid.visit(
        shape,
        [&](std::span<const Id> run) {
            visited.insert(visited.end(), run.begin(), run.end());
            ends.push_back(visited.size());
            return true;
        },
        filter);
    ASSERT_EQ(all.status, Status{});
    ASSERT_EQ(all.count, wanted.size());
    ASSERT_EQ(visited, wanted);

    for (std::size_t stop = 0; stop < ends.size(); ++stop) {
        if (stop > 8 && stop + 2 < ends.size()) { stop = ends.size() - 2; }
        visited.clear();
        std::size_t runs = 0;
        const Found some = grid.visit(
            shape,
            [&](std::span<const Id> run) {
                visited.insert(visited.end(), run.begin(), run.end());
                return runs++ != stop;
            },
            filter);
        ASSERT_EQ(runs, stop + 1);
        ASSERT_EQ(some.count, ends[stop]);
        ASSERT_EQ(visited.size(), ends[stop]);
        ASSERT_TRUE(std::equal(visited.begin(), visited.end(), wanted.begin()));
    }
}

template <std::size_t Dim, class Shape>
void check_single(const RowGrid<Dim>& grid, const Shape& shape, const Filter& filter,
                  const Ids& wanted) {
    check_query(grid, shape, filter, wanted);
    check_visit(grid, shape, filter, wanted);
    ASSERT_EQ(grid.count(shape, filter).count, wanted.size());
    ASSERT_EQ(grid.count(shape, filter).status, Status{});
    ASSERT_EQ(grid.any(shape, filter).count, wanted.empty() ? 0u : 1u);
    ASSERT_EQ(grid.any(shape, filter).status, Status{});
    const QueryStats stats = grid.explain(shape, filter);
    ASSERT_EQ(stats.status, Status{});
    ASSERT_EQ(stats.hits, wanted.size());
    ASSERT_GE(stats.tested + stats.copied, stats.hits);
    ASSERT_LE(stats.tested + stats.copied, grid.size());
    ASSERT_LE(stats.rows, grid.size());
}

/// One kind of query of a scene with the true answers, by filter and query.
template <std::size_t Dim, class Shape>
struct Questions {
    std::vector<Shape> shapes;
    std::vector<std::vector<Ids>> truth;

    Questions(const BruteForce<Dim>& brute_force, const std::vector<Shape>& asked) : shapes(asked) {
        for (const Filter& filter : kFilters) {
            truth.emplace_back();
            for (const Shape& shape : shapes) {
                truth.back().push_back(test::ask(brute_force, shape, filter));
            }
        }
    }

    void check(const RowGrid<Dim>& grid, const oracle::CanonicalOrder<Dim>& order) const {
        Hits hits; // the same for all batches: what it held before must not matter
        for (std::size_t f = 0; f < std::size(kFilters); ++f) {
            const Status status = grid.query(std::span<const Shape>(shapes), hits, kFilters[f]);
            ASSERT_EQ(status, Status{});
            ASSERT_EQ(hits.offsets.size(), shapes.size() + 1);
            ASSERT_EQ(hits.offsets.front(), 0u);
            for (std::size_t i = 0; i < shapes.size(); ++i) {
                SCOPED_TRACE(testing::Message() << "filter " << f << ", query " << i);
                const Ids wanted = order.sorted(truth[f][i]);
                const auto got = hits.of(i);
                ASSERT_EQ(Ids(got.begin(), got.end()), wanted);
                if ((i + f) % std::size(kFilters) == 0 || (f == 0 && i % 3 == 0)) {
                    ASSERT_NO_FATAL_FAILURE(check_single(grid, shapes[i], kFilters[f], wanted));
                }
            }
        }
    }
};

template <std::size_t Dim>
void check_scene(scenes::Scene<Dim>& scene) {
    BruteForce<Dim> brute_force;
    ASSERT_EQ(brute_force.update(scene.agents()), Status{});
    const Questions<Dim, Box<Dim>> boxes(brute_force, scene.boxes);
    const Questions<Dim, Ball<Dim>> balls(brute_force, scene.balls);
    const std::vector<Point<Dim>> positions = scene.positions();

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
        ASSERT_EQ(grid.kind(), brute_force.kind());

        const oracle::CanonicalOrder<Dim> order(shape, positions);
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
    const auto [dim, name, groups] = GetParam();
    if (dim == 2) {
        auto scene = scenes::make<2>(name, 300, groups);
        check_scene(scene);
    } else {
        auto scene = scenes::make<3>(name, 300, groups);
        check_scene(scene);
    }
}

INSTANTIATE_TEST_SUITE_P(Scenes, RowGridQuery, test::all_scene_cases(), test::scene_case_name);

template <class Dim>
class RowGridQueryForms : public testing::Test {};
TYPED_TEST_SUITE(RowGridQueryForms, test::Dims, test::DimNames);

// Whole registers, and whatever is left over.
TYPED_TEST(RowGridQueryForms, SpansOfEveryLength) {
    for (std::size_t count = 0; count <= 70; ++count) {
        auto scene = scenes::make<TypeParam::value>("coincident", count);
        const auto shape = shape_over(scene.world, scene.cell).shape;
        RowGrid<TypeParam::value> grid;
        ASSERT_EQ(grid.use(shape), Status{});
        ASSERT_EQ(grid.update(scene.agents()), Status{});
        ASSERT_EQ(
            test::difference(test::answers_of(grid, scene), test::expected_answers(shape, scene)),
            "")
            << count;
    }
}

// With no buffer at all, whatever would be copied or tested.
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

TYPED_TEST(RowGridQueryForms, AnEmptyGridFindsNobody) {
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

template <std::size_t Dim, class Shape>
void check_refused(const RowGrid<Dim>& grid, const Shape& bad, const Shape& good,
                   const Status& wanted) {
    Ids out(8, kCanary);
    bool visited = false;
    const auto visitor = [&](std::span<const Id>) { return visited = true; };
    for (const Found& found : {grid.query(bad, std::span<Id>(out)), grid.visit(bad, visitor),
                               grid.count(bad), grid.any(bad)}) {
        EXPECT_EQ(found.status, wanted);
        EXPECT_EQ(found.count, 0u);
    }
    EXPECT_EQ(grid.explain(bad).status, wanted);
    EXPECT_FALSE(visited);
    EXPECT_EQ(out, Ids(8, kCanary));

    Hits hits;
    std::vector<Shape> batch{good, good, good};
    EXPECT_EQ(grid.query(std::span<const Shape>(batch), hits), Status{});
    const Hits before = hits;
    batch = {good, good, good, bad, good, bad};
    EXPECT_EQ(grid.query(std::span<const Shape>(batch), hits),
              (Status{wanted.cause, wanted.argument, 3}));
    EXPECT_EQ(hits.ids, before.ids);
    EXPECT_EQ(hits.offsets, before.offsets);
}

TYPED_TEST(RowGridQueryForms, RefuseNonsenseAndWriteNothing) {
    constexpr std::size_t kDim = TypeParam::value;
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    auto scene = scenes::make<kDim>("uniform", 100);
    RowGrid<kDim> grid;
    for (int filled = 0; filled < 2; ++filled) {
        for (const float bad :
             {std::numeric_limits<float>::quiet_NaN(), kInfinity, -kInfinity, 2e18f, -2e18f}) {
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
