// Views read values where they lie, whatever the stride.
#include <throng/engine/agents/view.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

namespace throng {
namespace {

TEST(ValueView, IsEmptyByDefault) {
    const ValueView<float> view;
    EXPECT_EQ(view.data, nullptr);
    EXPECT_EQ(view.count, 0u);
    EXPECT_EQ(view.stride, 4);
}

TEST(ValueView, ReadsPackedValues) {
    const std::uint32_t values[] = {5, 6, 7};
    const ValueView<std::uint32_t> view{values, sizeof(std::uint32_t), 3};
    EXPECT_EQ(view[0], 5u);
    EXPECT_EQ(view[2], 7u);
}

TEST(ValueView, ReadsBackwards) {
    const float values[] = {1.0f, 2.0f, 3.0f};
    const ValueView<float> view{&values[2], -4, 3};
    EXPECT_EQ(view[0], 3.0f);
    EXPECT_EQ(view[1], 2.0f);
    EXPECT_EQ(view[2], 1.0f);
}

TEST(ValueView, RepeatsOneValueWithStrideZero) {
    const float value = 4.0f;
    const ValueView<float> view{&value, 0, 1000};
    EXPECT_EQ(view[0], 4.0f);
    EXPECT_EQ(view[999], 4.0f);
}

TEST(ValueView, ReadsUnalignedValues) {
    std::vector<unsigned char> bytes(1 + 3 * 5);
    for (std::size_t i = 0; i < 3; ++i) {
        const float value = static_cast<float>(i) + 0.5f;
        std::memcpy(&bytes[1 + 5 * i], &value, sizeof value);
    }
    const ValueView<float> view{&bytes[1], 5, 3};
    EXPECT_EQ(view[0], 0.5f);
    EXPECT_EQ(view[1], 1.5f);
    EXPECT_EQ(view[2], 2.5f);
}

TEST(PointView, ReadsSeparateArrays) {
    const float x[] = {1.0f, 2.0f}, y[] = {3.0f, 4.0f};
    const auto view = PointView<2>::separate({x, y}, 2);
    EXPECT_EQ(view.count, 2u);
    EXPECT_EQ(view.values(0)[1], 2.0f);
    EXPECT_EQ(view.values(1)[0], 3.0f);
    EXPECT_EQ(view.values(1).count, 2u);
}

TEST(PointView, ReadsInterleavedPoints) {
    const float points[] = {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f};
    const auto in_space = PointView<3>::interleaved(points, 2);
    EXPECT_EQ(in_space.values(0)[1], 4.0f);
    EXPECT_EQ(in_space.values(2)[1], 6.0f);

    // The first two coordinates of three.
    const auto in_plane = PointView<2>::interleaved(points, 2, 3 * sizeof(float));
    EXPECT_EQ(in_plane.values(0)[1], 4.0f);
    EXPECT_EQ(in_plane.values(1)[1], 5.0f);
}

TEST(PointView, TakesAnyTwoAxes) {
    const float points[] = {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f};
    PointView<2> view;
    view.axis = {points, points + 2};
    view.stride = {12, 12};
    view.count = 2;
    EXPECT_EQ(view.values(0)[1], 4.0f);
    EXPECT_EQ(view.values(1)[0], 3.0f);
    EXPECT_EQ(view.values(1)[1], 6.0f);
}

TEST(PointView, StaysNullWhereTheArrayIs) {
    const auto view = PointView<3>::interleaved(nullptr, 0);
    for (const float* axis : view.axis) {
        EXPECT_EQ(axis, nullptr);
    }
}

} // namespace
} // namespace throng
