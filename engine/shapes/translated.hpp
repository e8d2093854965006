// Shapes that are moved: only their coordinates change. Internal to the engine.
#pragma once

#include "shapes_view.hpp"
#include "with_shapes.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <new>
#include <span>
#include <type_traits>

namespace throng {

using detail::shifted;

template <std::size_t Dim, ShapeIn<Dim> Shape>
[[nodiscard]] Shape shifted(const Shape& shape, const Offset<Dim>& by) noexcept {
    return ShapeFacts<Shape>::shifted(shape, by);
}

/// A copy of one shape, of whichever kind.
template <std::size_t Dim>
class AnyShape {
public:
    template <ShapeIn<Dim> Shape>
    explicit AnyShape(const Shape& shape) noexcept : kind_(kind_of<Dim, Shape>()) {
        static_assert(std::is_trivially_copyable_v<Shape> &&
                      alignof(Shape) <= alignof(std::max_align_t));
        ::new (static_cast<void*>(room_)) Shape(shape);
    }

    [[nodiscard]] ShapesView<Dim> view() const noexcept { return {kind_, room_, 1}; }

private:
    ShapeKind kind_;
    static constexpr std::size_t kLargestSize = [] {
        std::size_t largest = 0;
        for (std::size_t kind = 0; kind < kShapeKinds; ++kind) {
            largest = std::max(largest, shape_size<Dim>(static_cast<ShapeKind>(kind)));
        }
        return largest;
    }();
    alignas(std::max_align_t) std::byte room_[kLargestSize];
};

// The functions below take one shape whose kind is data. They have code for every kind: one copy of
// it is enough.

template <std::size_t Dim>
[[nodiscard, gnu::noinline]] AnyShape<Dim> shifted(const ShapesView<Dim>& one,
                                                   const Offset<Dim>& by) noexcept {
    return with_shapes(one, [&](auto shapes) { return AnyShape<Dim>(shifted(shapes[0], by)); });
}
/// The point that decides by how many periods a shape is moved in a periodic world.
template <std::size_t Dim>
[[nodiscard, gnu::noinline]] Offset<Dim> anchor(const ShapesView<Dim>& one) noexcept {
    return with_shapes(one, []<class Shape>(std::span<const Shape> shapes) {
        return ShapeFacts<Shape>::anchor(shapes[0]);
    });
}

/// Whether a valid shape stays valid when it is moved, as long as its bounds stay within `size` of
/// zero. It may stay valid even when this says no.
template <std::size_t Dim>
[[nodiscard, gnu::noinline]] bool stays_sound(const ShapesView<Dim>& one, double size) noexcept {
    return with_shapes(one, [&]<class Shape>(std::span<const Shape> shapes) {
        return ShapeFacts<Shape>::stays_sound(shapes[0], size);
    });
}

/// Whether the shape is inverted. A moved copy may not be, because of rounding.
template <std::size_t Dim>
[[nodiscard, gnu::noinline]] bool is_inverted(const ShapesView<Dim>& one) noexcept {
    return with_shapes(one, []<class Shape>(std::span<const Shape> shapes) {
        return ShapeFacts<Shape>::is_inverted(shapes[0]);
    });
}

} // namespace throng
