// One filter for each question of a batch, with questions that the batch sorts and that it does
// not.
#include <throng/parallel/batch/batch.hpp>

#include "../../support/answers.hpp"
#include "../../support/dims.hpp"

#include <throng/engine/grid/row_grid.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace throng {
namespace {

template <class D>
class BatchFilters : public testing::Test {};
TYPED_TEST_SUITE(BatchFilters, test::Dims, test::DimNames);

template <std::size_t Dim, class Shape>
void check(const RowGrid<Dim>& grid, const std::vector<Shape>& all) {
    std::vector<Filter> filters(all.size());
    for (std::size_t q = 0; q < all.size(); ++q) {
        filters[q] = {q % 5 == 0 ? kAllGroups : static_cast<std::uint32_t>(q % 4),
                      q % 2 == 0 ? kNoId : static_cast<Id>(q)};
    }
    const Filters each(filters);
    const std::span<const Shape> shapes(all);
    Batch<Dim> batch;
    Hits hits;
    std::vector<std::uint32_t> counts(all.size()), anys(all.size());
    ASSERT_EQ(batch.query(grid, shapes, hits, each), Status{});
    ASSERT_EQ(batch.count(grid, shapes, counts, each).count, hits.total());
    ASSERT_EQ(batch.any(grid, shapes, anys, each).status, Status{});
    std::vector<Id> ids(1000);
    for (std::size_t q = 0; q < all.size(); ++q) {
        const Found found = grid.query(all[q], std::span<Id>(ids), filters[q]);
        ASSERT_LE(found.count, ids.size());
        ASSERT_TRUE(std::equal(hits.of(q).begin(), hits.of(q).end(), ids.begin(),
                               ids.begin() + static_cast<std::ptrdiff_t>(found.count)))
            << "question " << q;
        ASSERT_EQ(counts[q], found.count);
        ASSERT_EQ(anys[q], found.count == 0 ? 0u : 1u);
    }
    const std::vector<Filter> few(all.size() - 1);
    EXPECT_EQ(batch.query(grid, shapes, hits, few),
              (Status{Cause::count_mismatch, Argument::filters}));
    EXPECT_EQ(batch.any(grid, shapes, anys, few).status,
              (Status{Cause::count_mismatch, Argument::filters}));
}

TYPED_TEST(BatchFilters, AreEachQuestionsOwn) {
    constexpr auto kDim = TypeParam::value;
    // Enough questions in random order for the batch to sort them.
    auto scene = scenes::make_uniform<kDim>(150'000);
    scenes::add_groups(scene);
    RowGrid<kDim> grid;
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    for (const std::size_t questions : {700u, 5000u}) {
        std::vector<Ball<kDim>> balls;
        std::vector<Box<kDim>> boxes;
        for (std::size_t q = 0; q < questions; ++q) {
            balls.push_back({scene.position_of(q), 1.5f});
            boxes.push_back(Box<kDim>::around(scene.position_of(q), Point<kDim>::all(1.0f)));
        }
        ASSERT_NO_FATAL_FAILURE(check(grid, balls));
        ASSERT_NO_FATAL_FAILURE(check(grid, boxes));
    }
}

} // namespace
} // namespace throng
