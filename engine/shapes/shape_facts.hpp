// What the engine must know of a shape besides its numbers. The header of each shape has the facts
// that are particular to that shape. Internal to the engine.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../simd/views/shape_blocks.hpp"
#include "../agents/point.hpp"
#include "../agents/validation.hpp"
#include "../core/limits.hpp"
#include "../core/status.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

namespace throng {

template <std::size_t Dim>
class ShapeGate; // bounds.hpp

namespace detail {

/// How far to move, on each axis.
template <std::size_t Dim>
using Offset = std::array<double, Dim>;

/// Specialised for each shape. Every shape has
///
///     using Block                 the block that kernels take it in
///     test(shape)                 as overlaps(), meets() or contains() take it
///     check(shape)                check_shape()
///     put(block, i, shape)        makes it question i of a block
///     put_nothing(block, i)       makes question i one that finds nothing
///     bound(gate, shape)          tells a gate where its hits are
///     shifted(shape, by)          a copy that is moved; each coordinate is rounded once
///     stored_point(shape)         a point among its members that is near it, to sort by
///
/// and those members of UsualFacts that differ for it.
template <class Shape>
struct ShapeFacts;

template <std::size_t Dim>
[[nodiscard]] Offset<Dim> as_offset(const Point<Dim>& point) noexcept {
    Offset<Dim> offset;
    for (std::size_t a = 0; a < Dim; ++a) {
        offset[a] = point[a];
    }
    return offset;
}

/// The facts of most shapes.
template <class Shape>
struct UsualFacts {
    /// Whether the shape is compared with agents' centres alone.
    static constexpr bool kFindsCentres = false;
    /// For periodic worlds, see docs/worlds.md. Whether a shape and its copies one period either
    /// way find all that any copy could; and whether rounding on one axis moves bounds on another.
    static constexpr bool kThreeCopiesSuffice = false;
    static constexpr bool kAxesMix = false;

    [[nodiscard]] static Shape test(const Shape& shape) noexcept { return shape; }

    /// Whether check_shape() accepts all of the shapes.
    [[nodiscard]] static bool all_sound(std::span<const Shape> shapes) noexcept {
        return std::all_of(shapes.begin(), shapes.end(),
                           [](const Shape& shape) { return ShapeFacts<Shape>::check(shape).ok(); });
    }

    /// The point that decides by how many periods a shape is moved in a periodic world.
    [[nodiscard]] static auto anchor(const Shape& shape) noexcept {
        return as_offset(ShapeFacts<Shape>::stored_point(shape));
    }

    /// Whether a valid shape stays valid when it is moved, as long as its bounds stay within `size`
    /// of zero. It may stay valid even when this says no.
    [[nodiscard]] static bool stays_sound(const Shape&, double size) noexcept {
        return size < kLargest;
    }

    /// Whether the shape is inverted. A moved copy may not be, because of rounding.
    [[nodiscard]] static bool is_inverted(const Shape&) noexcept { return false; }
};

/// The point, moved. Each coordinate is rounded once: if a float holds the offset, the result is
/// the sum of two floats.
template <std::size_t Dim>
[[nodiscard]] Point<Dim> shifted(const Point<Dim>& point, const Offset<Dim>& by) noexcept {
    Point<Dim> there;
    for (std::size_t a = 0; a < Dim; ++a) {
        there[a] = static_cast<float>(point[a] + by[a]);
    }
    return there;
}

/// The largest coordinate on any axis, without signs.
template <std::size_t Dim>
[[nodiscard]] float size_of(const Point<Dim>& point) noexcept {
    float largest = 0.0f;
    for (const float x : point.axis) {
        largest = std::max(largest, std::abs(x));
    }
    return largest;
}

/// How far from the centre of a ball, on any axis, rounding may still find an agent in it.
template <std::size_t Dim>
[[nodiscard]] double reach_of(const Point<Dim>& centre, float radius) noexcept {
    return radius + (double{size_of(centre)} + radius) * 0x1p-20 + 1e-18;
}

/// The first status that is not ok, or ok.
[[nodiscard]] inline Status first_of(std::initializer_list<Status> checks) noexcept {
    for (const Status& status : checks) {
        if (!status.ok()) { return status; }
    }
    return {};
}

/// 1 if a coordinate, or a length, is refused, else 0: without a branch, so that compilers can
/// vectorise checks. Without signs, the bits of floats are ordered as the floats, NaN above all.
[[nodiscard]] inline std::uint32_t is_wrong_coordinate(float x) noexcept {
    constexpr std::uint32_t kSign = 0x8000'0000u;
    return (std::bit_cast<std::uint32_t>(x) & ~kSign) > std::bit_cast<std::uint32_t>(kLargest);
}
[[nodiscard]] inline std::uint32_t is_wrong_length(float x) noexcept {
    // The sign bit puts negative floats above all others. -0.0 is valid, and loses it in the sum.
    return std::bit_cast<std::uint32_t>(x + 0.0f) > std::bit_cast<std::uint32_t>(kLargest);
}

} // namespace detail
} // namespace throng

#include "../../simd/isa/names_end.hpp"
