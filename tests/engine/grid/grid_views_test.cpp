// A grid asked with shapes whose kind is data.
#include <throng/engine/grid/query_stats.hpp>
#include <throng/engine/grid/row_grid.hpp>

#include "../../../engine/grid/grid_parts.hpp"
#include "../../support/by_view.hpp"
#include "../../support/dims.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace throng {
namespace {

template <class Dim>
class GridViews : public testing::Test {
protected:
    using Grid = RowGrid<Dim::value>;

    void SetUp() override {
        scenes::add_queries(scene, 70);
        ASSERT_EQ(grid.update(scene.agents()), Status{});
        ASSERT_EQ(truth.update(scene.agents()), Status{});
    }

    scenes::Scene<Dim::value> scene = scenes::make_uniform<Dim::value>(2'000);
    Grid grid;
    test::Truth<Dim::value> truth;
    std::vector<std::uint32_t> scratch =
        std::vector<std::uint32_t>(GridParts<Dim::value>::scratch());
};
TYPED_TEST_SUITE(GridViews, test::Dims, test::DimNames);

TYPED_TEST(GridViews, FindWhatTypesFind) {
    test::expect_same_by_view(this->grid, this->truth, this->scene);
    test::expect_paths_by_view(this->grid, this->truth, this->scene);
}

TYPED_TEST(GridViews, AreRefusedForWhatTheySay) {
    test::expect_views_refused<TypeParam::value>(this->grid);
    RowGrid<TypeParam::value> empty;
    test::expect_views_refused<TypeParam::value>(empty);
}

TYPED_TEST(GridViews, InRangesFindWhatTypesFind) {
    constexpr std::size_t kDim = TypeParam::value;
    test::for_each_kind(this->scene, [&](ShapeKind kind, const auto& shapes) {
        const ShapesView<kDim> view(kind, shapes.data(), shapes.size());
        Hits wanted;
        ASSERT_EQ(this->grid.query(shapes, wanted), Status{});
        const std::size_t begin = 2, end = shapes.size() - 1;
        const std::size_t total = wanted.offsets[end] - wanted.offsets[begin];
        for (const std::size_t room : {total + 16, total / 2}) {
            std::vector<Id> ids(room);
            std::vector<std::uint64_t> offsets(end - begin + 1);
            const Found found =
                this->grid.parts().query(view, begin, end, this->scratch, {offsets, ids});
            ASSERT_EQ(found.status, Status{});
            ASSERT_EQ(found.count, total);
            for (std::size_t q = begin; q <= end; ++q) {
                ASSERT_EQ(offsets[q - begin], wanted.offsets[q] - wanted.offsets[begin]);
            }
            const auto first =
                wanted.ids.begin() + static_cast<std::ptrdiff_t>(wanted.offsets[begin]);
            ASSERT_TRUE(std::equal(ids.begin(),
                                   ids.begin() + static_cast<std::ptrdiff_t>(std::min(room, total)),
                                   first));
        }
        std::vector<std::uint32_t> counts(end - begin);
        ASSERT_EQ(this->grid.parts().count(view, begin, end, this->scratch, counts).count, total);
        for (std::size_t q = begin; q < end; ++q) {
            ASSERT_EQ(counts[q - begin], wanted.of(q).size());
        }
        (void)this->grid.parts().any(view, begin, end, this->scratch, counts);
        for (std::size_t q = begin; q < end; ++q) {
            ASSERT_EQ(counts[q - begin], wanted.of(q).empty() ? 0u : 1u);
        }
    });
}

TYPED_TEST(GridViews, InRangesAreRefusedForWhatTheySay) {
    constexpr std::size_t kDim = TypeParam::value;
    std::vector<Box<kDim>> boxes(9, {{}, Point<kDim>::all(1.0f)});
    boxes[6].hi[1] = std::numeric_limits<float>::infinity();
    std::vector<std::uint64_t> offsets(10);
    std::vector<std::uint32_t> counts(9);
    const auto expect_refused = [&](const ShapesView<kDim>& view, const Status& status) {
        EXPECT_EQ(this->grid.parts().query(view, 1, 8, this->scratch, {offsets, {}}).status,
                  status);
        EXPECT_EQ(this->grid.parts().count(view, 1, 8, this->scratch, counts).status, status);
        EXPECT_EQ(this->grid.parts().any(view, 1, 8, this->scratch, counts).status, status);
    };
    expect_refused({static_cast<ShapeKind>(kShapeKinds), boxes.data(), 9},
                   {Cause::out_of_range, Argument::shapes});
    expect_refused({ShapeKind::box, nullptr, 9}, {Cause::null_pointer, Argument::shapes});
    expect_refused(ShapesView<kDim>(boxes), {Cause::not_finite, Argument::box, 6});
    expect_refused(ShapesView<kDim>(boxes).part(0, 7), {Cause::out_of_range, Argument::range});
}

TYPED_TEST(GridViews, AreExplainedAsTypesAre) {
    constexpr std::size_t kDim = TypeParam::value;
    test::for_each_kind(this->scene, [&](ShapeKind, const auto& shapes) {
        const QueryStats typed = this->grid.explain(shapes[0]);
        const QueryStats viewed = this->grid.explain(ShapesView<kDim>(shapes).part(0, 1));
        EXPECT_EQ(viewed.rows, typed.rows);
        EXPECT_EQ(viewed.tested, typed.tested);
        EXPECT_EQ(viewed.hits, typed.hits);
        EXPECT_EQ(viewed.hits, this->truth.count(shapes[0]).count);
        EXPECT_EQ(this->grid.explain(ShapesView<kDim>(shapes)).status,
                  (Status{Cause::count_mismatch, Argument::shapes}));
    });
}

} // namespace
} // namespace throng
