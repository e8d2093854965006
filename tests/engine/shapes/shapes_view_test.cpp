// Shapes whose kind is data: the properties of a view, and which views are refused.
#include <throng/engine/shapes/shapes_view.hpp>

#include "../../support/by_view.hpp"
#include "../../support/dims.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace throng {
namespace {

template <class Dim>
class ShapesViews : public testing::Test {};
TYPED_TEST_SUITE(ShapesViews, test::Dims, test::DimNames);

TYPED_TEST(ShapesViews, AreOfTheShapesThatTheyAreMadeFrom) {
    constexpr std::size_t kDim = TypeParam::value;
    const auto scene = scenes::make<kDim>("uniform", 100);
    test::for_each_kind(scene, [](ShapeKind kind, const auto& shapes) {
        using Shape = typename std::decay_t<decltype(shapes)>::value_type;
        const ShapesView<kDim> views[] = {ShapesView<kDim>(shapes),
                                          ShapesView<kDim>(std::span(shapes)),
                                          ShapesView<kDim>(kind, shapes.data(), shapes.size())};
        for (const ShapesView<kDim>& view : views) {
            EXPECT_EQ(view.kind, kind);
            EXPECT_EQ(view.shapes, shapes.data());
            EXPECT_EQ(view.count, shapes.size());
            EXPECT_EQ(view.template as<Shape>().data(), shapes.data());
            EXPECT_EQ(view.template as<Shape>().size(), shapes.size());
            const ShapesView<kDim> part = view.part(3, 2);
            EXPECT_EQ(part.kind, kind);
            EXPECT_EQ(part.template as<Shape>().data(), shapes.data() + 3);
            EXPECT_EQ(part.count, 2u);
        }
        const auto one = ShapesView<kDim>(shapes[1]);
        EXPECT_EQ(one.kind, kind);
        EXPECT_EQ(one.template as<Shape>().data(), &shapes[1]);
        EXPECT_EQ(one.count, 1u);
        EXPECT_EQ(check_shape(one), Status{});
        EXPECT_EQ(check_path(one).ok(), is_path(kind));
        EXPECT_EQ(is_path(kind), (PathIn<Shape, kDim>));
    });
}

TYPED_TEST(ShapesViews, SayWhichShapeIsRefused) {
    constexpr std::size_t kDim = TypeParam::value;
    const auto scene = scenes::make<kDim>("uniform", 100);
    test::for_each_kind(scene, [](ShapeKind, auto shapes) {
        EXPECT_EQ(first_fault(ShapesView<kDim>(shapes)), Status{});
        // The first float of every shape is a coordinate, or that of a normal.
        const float nan = std::numeric_limits<float>::quiet_NaN();
        for (const std::size_t bad : {7u, 4u}) {
            auto& shape = shapes[bad];
            if constexpr (requires { shape.bounds; }) {
                shape.bounds.lo[0] = nan;
            } else {
                reinterpret_cast<float&>(shape) = nan;
            }
            const Status wanted = check_shape(shape);
            ASSERT_EQ(wanted.cause, Cause::not_finite);
            EXPECT_EQ(check_shape(ShapesView<kDim>(shape)), wanted);
            EXPECT_EQ(first_fault(ShapesView<kDim>(shapes)),
                      (Status{wanted.cause, wanted.argument, bad}));
        }
    });
}

TYPED_TEST(ShapesViews, AreRefusedForWhatTheySay) {
    constexpr std::size_t kDim = TypeParam::value;
    const std::vector<Ray<kDim>> rays(2, {{}, Point<kDim>::all(1.0f), 1.0f});
    const Status no_kind{Cause::out_of_range, Argument::shapes};
    const Status not_one{Cause::count_mismatch, Argument::shapes};
    const Status no_data{Cause::null_pointer, Argument::shapes};
    const ShapesView<kDim> unknown(static_cast<ShapeKind>(kShapeKinds), rays.data(), 1);
    EXPECT_EQ(check_shape(unknown), no_kind);
    EXPECT_EQ(check_path(unknown), no_kind);
    EXPECT_EQ(first_fault(unknown), no_kind);
    EXPECT_EQ(check_shape(ShapesView<kDim>(rays)), not_one);
    EXPECT_EQ(check_path(ShapesView<kDim>(rays)), not_one);
    EXPECT_EQ(first_fault(ShapesView<kDim>(rays)), Status{});
    EXPECT_EQ(check_shape(ShapesView<kDim>()), not_one);
    EXPECT_EQ(first_fault(ShapesView<kDim>()), Status{});
    const ShapesView<kDim> nothing(ShapeKind::ray, nullptr, 1);
    EXPECT_EQ(check_shape(nothing), no_data);
    EXPECT_EQ(check_path(nothing), no_data);
    EXPECT_EQ(first_fault(nothing), no_data);
    EXPECT_EQ(to_string(no_kind), "shapes is of a kind that this call does not take");
    EXPECT_EQ(to_string(not_one), "shapes has another count than one, which this call takes");
}

} // namespace
} // namespace throng
