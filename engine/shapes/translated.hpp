// Shapes that are moved: coordinates change, and nothing else does. Internal to the engine.
#pragma once

#include "shapes_view.hpp"
#include "with_shapes.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <new>
#include <type_traits>

namespace throng {

/// How far to move, on each axis.
template <std::size_t Dim>
using Offset = std::array<double, Dim>;

/// Each coordinate is rounded once. If a float holds the offset, the result is the sum of floats.
template <std::size_t Dim>
[[nodiscard]] Point<Dim> shifted(const Point<Dim>& point, const Offset<Dim>& by) noexcept {
    Point<Dim> there;
    for (std::size_t a = 0; a < Dim; ++a) {
        there[a] = static_cast<float>(point[a] + by[a]);
    }
    return there;
}

template <std::size_t Dim>
[[nodiscard]] Box<Dim> shifted(const Box<Dim>& box, const Offset<Dim>& by) noexcept {
    return {shifted(box.lo, by), shifted(box.hi, by)};
}

template <std::size_t Dim>
[[nodiscard]] Ball<Dim> shifted(const Ball<Dim>& ball, const Offset<Dim>& by) noexcept {
    return {shifted(ball.centre, by), ball.radius};
}

template <std::size_t Dim>
[[nodiscard]] Sector<Dim> shifted(Sector<Dim> sector, const Offset<Dim>& by) noexcept {
    sector.centre = shifted(sector.centre, by);
    return sector;
}

template <std::size_t Dim>
[[nodiscard]] Segment<Dim> shifted(const Segment<Dim>& segment, const Offset<Dim>& by) noexcept {
    return {shifted(segment.from, by), shifted(segment.to, by)};
}

template <std::size_t Dim>
[[nodiscard]] Ray<Dim> shifted(const Ray<Dim>& ray, const Offset<Dim>& by) noexcept {
    return {shifted(ray.origin, by), ray.direction, ray.length};
}

template <std::size_t Dim>
[[nodiscard]] Capsule<Dim> shifted(const Capsule<Dim>& capsule, const Offset<Dim>& by) noexcept {
    return {shifted(capsule.from, by), shifted(capsule.to, by), capsule.radius};
}

/// A half space moves with its offset, which is rounded once too.
template <std::size_t Dim>
[[nodiscard]] Convex<Dim> shifted(Convex<Dim> convex, const Offset<Dim>& by) noexcept {
    convex.bounds = shifted(convex.bounds, by);
    for (std::size_t s = 0; s < convex.count; ++s) {
        HalfSpace<Dim>& side = convex.sides[s];
        double offset = side.offset;
        for (std::size_t a = 0; a < Dim; ++a) {
            offset += side.normal[a] * by[a];
        }
        side.offset = static_cast<float>(offset);
    }
    return convex;
}

template <std::size_t Dim>
[[nodiscard]] OrientedBox<Dim> shifted(OrientedBox<Dim> box, const Offset<Dim>& by) noexcept {
    box.centre = shifted(box.centre, by);
    return box;
}

/// The anchor of a shape: the point that is put into a periodic world first.
template <std::size_t Dim>
[[nodiscard]] Offset<Dim> stand_of(const Point<Dim>& point) noexcept {
    Offset<Dim> stand;
    for (std::size_t a = 0; a < Dim; ++a) {
        stand[a] = point[a];
    }
    return stand;
}
template <std::size_t Dim>
[[nodiscard]] Offset<Dim> stand_of(const Box<Dim>& box) noexcept {
    Offset<Dim> middle;
    for (std::size_t a = 0; a < Dim; ++a) {
        middle[a] = 0.5 * (static_cast<double>(box.lo[a]) + box.hi[a]);
    }
    return middle;
}
template <std::size_t Dim>
[[nodiscard]] Offset<Dim> stand_of(const Ball<Dim>& ball) noexcept {
    return stand_of(ball.centre);
}
template <std::size_t Dim>
[[nodiscard]] Offset<Dim> stand_of(const Sector<Dim>& sector) noexcept {
    return stand_of(sector.centre);
}
template <std::size_t Dim>
[[nodiscard]] Offset<Dim> stand_of(const Segment<Dim>& segment) noexcept {
    return stand_of(segment.from);
}
template <std::size_t Dim>
[[nodiscard]] Offset<Dim> stand_of(const Ray<Dim>& ray) noexcept {
    return stand_of(ray.origin);
}
template <std::size_t Dim>
[[nodiscard]] Offset<Dim> stand_of(const Capsule<Dim>& capsule) noexcept {
    return stand_of(capsule.from);
}
template <std::size_t Dim>
[[nodiscard]] Offset<Dim> stand_of(const Convex<Dim>& convex) noexcept {
    return stand_of(convex.bounds);
}
template <std::size_t Dim>
[[nodiscard]] Offset<Dim> stand_of(const OrientedBox<Dim>& box) noexcept {
    return stand_of(box.centre);
}

/// Whether a valid shape stays valid when it is moved, as long as its bounds stay within `size` of
/// zero. It may stay valid even when this says no.
template <class Shape>
[[nodiscard]] bool stays_sound(const Shape&, double size) noexcept {
    return size < kLargest;
}
template <std::size_t Dim>
[[nodiscard]] bool stays_sound(const Convex<Dim>& convex, double size) noexcept {
    bool sound = size < kLargest;
    for (std::size_t s = 0; s < convex.count; ++s) {
        double offset = std::abs(convex.sides[s].offset);
        for (const float normal : convex.sides[s].normal.axis) {
            offset += 2.0 * std::abs(normal) * size;
        }
        sound = sound && offset < std::numeric_limits<float>::max();
    }
    return sound;
}

/// A copy of one shape, of whichever kind.
template <std::size_t Dim>
class AnyShape {
public:
    template <ShapeIn<Dim> Shape>
    explicit AnyShape(const Shape& shape) noexcept : kind_(kind_of<Dim, Shape>()) {
        static_assert(std::is_trivially_copyable_v<Shape> && sizeof(Shape) <= sizeof room_ &&
                      alignof(Shape) <= alignof(Convex<Dim>));
        ::new (static_cast<void*>(room_)) Shape(shape);
    }

    [[nodiscard]] ShapesView<Dim> view() const noexcept { return {kind_, room_, 1}; }

private:
    ShapeKind kind_;
    alignas(Convex<Dim>) std::byte room_[sizeof(Convex<Dim>)]; // the largest
};

// The same for one shape whose kind is data.

template <std::size_t Dim>
[[nodiscard]] AnyShape<Dim> shifted(const ShapesView<Dim>& one, const Offset<Dim>& by) noexcept {
    return with_shapes(one, [&](auto shapes) { return AnyShape<Dim>(shifted(shapes[0], by)); });
}
template <std::size_t Dim>
[[nodiscard]] Offset<Dim> stand_of(const ShapesView<Dim>& one) noexcept {
    return with_shapes(one, [](auto shapes) { return stand_of(shapes[0]); });
}
template <std::size_t Dim>
[[nodiscard]] bool stays_sound(const ShapesView<Dim>& one, double size) noexcept {
    return with_shapes(one, [&](auto shapes) { return stays_sound(shapes[0], size); });
}

/// What a Status blames for shapes of a kind.
[[nodiscard]] constexpr Argument argument_of(ShapeKind kind) noexcept {
    switch (kind) {
    case ShapeKind::box:
        return Argument::box;
    case ShapeKind::ball:
        return Argument::ball;
    case ShapeKind::sector:
        return Argument::sector;
    case ShapeKind::segment:
        return Argument::segment;
    case ShapeKind::ray:
        return Argument::ray;
    case ShapeKind::capsule:
        return Argument::capsule;
    case ShapeKind::convex:
        return Argument::convex;
    case ShapeKind::oriented_box:
        return Argument::oriented_box;
    }
    return Argument::shapes;
}

} // namespace throng
