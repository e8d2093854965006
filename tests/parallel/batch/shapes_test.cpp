// Batches of every shape answer like single questions, on any executor.
#include <throng/parallel/batch/batch.hpp>

#include "../../support/answers.hpp"
#include "../../support/dims.hpp"
#include "../../support/scenes/scene_shapes.hpp"
#include "../../support/threads/executors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

namespace throng {
namespace {

template <class Dim>
class BatchShapes : public testing::Test {};
TYPED_TEST_SUITE(BatchShapes, test::Dims, test::DimNames);

template <std::size_t Dim, class Shape>
void expect_like_singles(Batch<Dim>& batch, const RowGrid<Dim>& grid,
                         const std::vector<Shape>& shapes, const Filter& filter) {
    Hits hits;
    ASSERT_EQ(batch.query(grid, shapes, hits, filter), Status{});
    std::vector<std::uint32_t> counts(shapes.size()), some(shapes.size());
    const Found counted = batch.count(grid, shapes, counts, filter);
    const Found any = batch.any(grid, shapes, some, filter);
    ASSERT_EQ(counted.status, Status{});
    ASSERT_EQ(counted.count, hits.total());
    ASSERT_EQ(any.count, static_cast<std::size_t>(std::count(some.begin(), some.end(), 1u)));
    for (std::size_t q = 0; q < shapes.size(); ++q) {
        const std::vector<Id> wanted = test::ask(grid, shapes[q], filter);
        const auto got = hits.of(q);
        ASSERT_EQ(std::vector<Id>(got.begin(), got.end()), wanted) << "question " << q;
        ASSERT_EQ(counts[q], wanted.size()) << "question " << q;
        ASSERT_EQ(some[q], wanted.empty() ? 0u : 1u) << "question " << q;
    }
    // Into an array that is too short: the offsets are right, and so are the ids that fit.
    std::vector<std::uint64_t> offsets(shapes.size() + 1);
    std::vector<Id> ids(hits.total() / 2);
    const Found found = batch.query(grid, shapes, HitsOutput{offsets, ids}, filter);
    ASSERT_EQ(found.count, hits.total());
    ASSERT_EQ(offsets, hits.offsets);
    ASSERT_TRUE(std::equal(ids.begin(), ids.end(), hits.ids.begin()));
}

template <std::size_t Dim, class Path>
void expect_first_like_singles(Batch<Dim>& batch, const RowGrid<Dim>& grid,
                               const std::vector<Path>& paths, const Filter& filter) {
    std::vector<PathHit> met(paths.size(), PathHit{7.0f, 7});
    const Found found = batch.first(grid, paths, met, filter);
    ASSERT_EQ(found.status, Status{});
    std::size_t paths_with_hits = 0;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        PathHit wanted;
        paths_with_hits += grid.first(paths[i], wanted, filter).count;
        ASSERT_EQ(met[i], wanted) << "path " << i;
    }
    ASSERT_EQ(found.count, paths_with_hits);
}

/// Calls check(shapes) for each kind of shape except boxes and balls.
template <std::size_t Dim, class Check>
void for_each_rarer(const scenes::Shapes<Dim>& shapes, const Check& check) {
    check(shapes.segments);
    check(shapes.rays);
    check(shapes.capsules);
    check(shapes.sectors);
    check(shapes.convexes);
    check(shapes.oriented_boxes);
    check(shapes.cylinders);
    check(shapes.body_balls);
    check(shapes.body_sectors);
    check(shapes.body_cylinders);
}

template <std::size_t Dim>
void expect_all_like_singles(Executor& executor) {
    auto scene = scenes::make<Dim>("unaligned", 3'000, scenes::Groups::masks);
    const RowGrid<Dim> grid = test::grid_of(scene);
    const auto about = scenes::shapes_about(scene, 600);
    Batch<Dim> batch(executor);
    for (const Filter& filter : {Filter{}, Filter{0x3u, 5}}) {
        for_each_rarer(about, [&](const auto& shapes) {
            ASSERT_NO_FATAL_FAILURE(expect_like_singles(batch, grid, shapes, filter));
            if constexpr (PathsIn<std::remove_cvref_t<decltype(shapes)>, Dim>) {
                ASSERT_NO_FATAL_FAILURE(expect_first_like_singles(batch, grid, shapes, filter));
            }
        });
    }
}

TYPED_TEST(BatchShapes, AnswerLikeSinglesInWhateverOrder) {
    test::ShuffleExecutor executor(3);
    expect_all_like_singles<TypeParam::value>(executor);
}

TYPED_TEST(BatchShapes, AnswerLikeSinglesOnThreads) {
    test::EagerPool pool(3);
    expect_all_like_singles<TypeParam::value>(pool);
}

// In large crowds, the batch sorts the questions by place.
TYPED_TEST(BatchShapes, AreSortedAndAnswerInTheOrderOfTheQuestions) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make_uniform<kDim>(150'000);
    RowGrid<kDim> grid;
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    std::vector<Sector<kDim>> sectors(5'000);
    for (std::size_t i = 0; i < sectors.size(); ++i) {
        sectors[i] = {scene.position_of(i), 2.0f, Point<kDim>::all(1.0f), 0.5f};
    }
    Batch<kDim> batch;
    std::vector<std::uint32_t> counts(sectors.size());
    ASSERT_EQ(batch.count(grid, sectors, counts).status, Status{});
    EXPECT_GT(batch.memory(), sectors.size() * sizeof(Id)) << "or nothing was sorted";
    for (std::size_t i = 0; i < sectors.size(); ++i) {
        ASSERT_EQ(counts[i], grid.count(sectors[i]).count);
    }
}

template <std::size_t Dim, class Shape>
void expect_each_filtered(Batch<Dim>& batch, const RowGrid<Dim>& grid,
                          const std::vector<Shape>& shapes, const std::vector<Filter>& filters) {
    Hits hits;
    std::vector<std::uint32_t> counts(shapes.size());
    ASSERT_EQ(batch.query(grid, shapes, hits, filters), Status{});
    ASSERT_EQ(batch.count(grid, shapes, counts, filters).count, hits.total());
    for (std::size_t q = 0; q < shapes.size(); ++q) {
        const std::vector<Id> wanted = test::ask(grid, shapes[q], filters[q]);
        const auto got = hits.of(q);
        ASSERT_EQ(std::vector<Id>(got.begin(), got.end()), wanted) << "question " << q;
        ASSERT_EQ(counts[q], wanted.size()) << "question " << q;
    }
}

// Agents without masks are found unless no group is asked for, however large they are.
TYPED_TEST(BatchShapes, TakeAFilterForEach) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const char* const name : {"giant", "uniform"}) {
        auto scene = scenes::make<kDim>(name, 500);
        if (!scene.has_own_half_extents()) { scene.common_half_extent = Point<kDim>::all(3.0f); }
        const RowGrid<kDim> grid = test::grid_of(scene);
        const auto about = scenes::shapes_about(scene, 120);
        std::vector<Filter> filters;
        for (Id q = 0; q < 120; ++q) {
            filters.push_back({q % 3 == 0 ? 0u : kAllGroups, q % 3 == 1 ? q : kNoId});
        }
        Batch<kDim> batch;
        for_each_rarer(about, [&](const auto& shapes) {
            ASSERT_NO_FATAL_FAILURE(expect_each_filtered(batch, grid, shapes, filters));
        });
        std::vector<PathHit> met(120);
        ASSERT_EQ(batch.first(grid, about.rays, met, filters).status, Status{});
        for (std::size_t q = 0; q < met.size(); ++q) {
            PathHit wanted;
            (void)grid.first(about.rays[q], wanted, filters[q]);
            ASSERT_EQ(met[q], wanted) << "path " << q;
        }
        filters.pop_back();
        EXPECT_EQ(batch.first(grid, about.rays, met, filters).status,
                  (Status{Cause::count_mismatch, Argument::filters}));
    }
}

TYPED_TEST(BatchShapes, NameTheFirstThatMakesNoSense) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 200);
    const RowGrid<kDim> grid = test::grid_of(scene);
    std::vector<Ray<kDim>> rays(2'000, {scene.position_of(0), Point<kDim>::all(1.0f)});
    rays[1'234].direction = {};
    rays[1'999].length = -1.0f;
    Batch<kDim> batch;
    const Status wanted = {Cause::no_direction, Argument::ray, 1'234};
    Hits hits;
    EXPECT_EQ(batch.query(grid, rays, hits), wanted);
    std::vector<PathHit> met(rays.size(), PathHit{7.0f, 7});
    EXPECT_EQ(batch.first(grid, rays, met).status, wanted);
    EXPECT_TRUE(std::all_of(met.begin(), met.end(), [](const PathHit& m) { return m.id == 7; }));
    rays.resize(1'000);
    EXPECT_EQ(batch.first(grid, rays, std::span(met).first(999)).status,
              (Status{Cause::no_room, Argument::path_hits}));
    EXPECT_EQ(batch.first(grid, rays, met).count, 1'000u);
    EXPECT_EQ(met[1'000].id, 7u) << "written beyond the paths";
}

} // namespace
} // namespace throng
