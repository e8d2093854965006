// Batches of shapes whose kind is known only at run time.
#include <throng/parallel/batch/batch.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

namespace throng {
namespace {

class BatchViews : public testing::Test {
protected:
    void SetUp() override {
        const std::array<const float*, 2> axes = {x_.data(), y_.data()};
        Agents<2> agents;
        agents.positions = PointView<2>::separate(axes, x_.size());
        agents.common_half_extent = Point<2>::all(0.25f);
        ASSERT_TRUE(grid_.update(agents).ok());
        ASSERT_TRUE(crowd_.update(agents).ok());
    }

    const std::vector<float> x_ = {0.0f, 1.0f, 5.0f}, y_ = {0.0f, 0.0f, 5.0f};
    const std::array<Box<2>, 2> boxes_ = {Box<2>{{-1, -1}, {2, 1}}, Box<2>{{4, 4}, {6, 6}}};
    RowGrid<2> grid_;
    Crowd<2> crowd_;
    Batch<2> batch_;
};

TEST_F(BatchViews, AnswerAsArrays) {
    Hits by_array, by_view;
    ASSERT_TRUE(batch_.query(grid_, boxes_, by_array).ok());
    ASSERT_TRUE(batch_.query(grid_, ShapesView<2>(boxes_), by_view).ok());
    EXPECT_EQ(by_array.ids, (std::vector<Id>{0, 1, 2}));
    EXPECT_EQ(by_view.ids, by_array.ids);
    EXPECT_EQ(by_view.offsets, by_array.offsets);
    ASSERT_TRUE(batch_.query(crowd_, ShapesView<2>(boxes_), by_view).ok());
    EXPECT_EQ(by_view.ids, by_array.ids);
}

TEST_F(BatchViews, UnknownKindsAndNullPointersAreRefused) {
    const ShapesView<2> unknown(static_cast<ShapeKind>(200), boxes_.data(), boxes_.size());
    const ShapesView<2> missing(ShapeKind::ball, nullptr, 2);
    const Status no_kind = {Cause::out_of_range, Argument::shapes};
    const Status no_shapes = {Cause::null_pointer, Argument::shapes};
    Hits hits;
    ASSERT_TRUE(batch_.query(grid_, boxes_, hits).ok());
    const std::vector<Id> before = hits.ids;
    std::array<std::uint32_t, 2> counts = {7, 7};
    EXPECT_EQ(batch_.query(grid_, unknown, hits), no_kind);
    EXPECT_EQ(batch_.query(crowd_, unknown, hits), no_kind);
    EXPECT_EQ(batch_.query(grid_, missing, hits), no_shapes);
    EXPECT_EQ(batch_.query(crowd_, missing, hits), no_shapes);
    EXPECT_EQ(batch_.count(grid_, unknown, counts).status, no_kind);
    EXPECT_EQ(batch_.any(crowd_, unknown, counts).status, no_kind);
    EXPECT_EQ(batch_.count(crowd_, missing, counts).status, no_shapes);
    EXPECT_EQ(hits.ids, before);
    EXPECT_EQ(counts, (std::array<std::uint32_t, 2>{7, 7}));
}

TEST_F(BatchViews, ShapesThatAreNoPathsAreRefusedWherePathsAreAsked) {
    const ShapesView<2> boxes(boxes_);
    const Status no_path = {Cause::out_of_range, Argument::shapes};
    std::array<PathHit, 2> met{};
    EXPECT_EQ(batch_.first(grid_, boxes, met).status, no_path);
    EXPECT_EQ(batch_.first(crowd_, boxes, met).status, no_path);
}

} // namespace
} // namespace throng
