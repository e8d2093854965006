// Shapes of one kind, where the kind is data and not a type.
#pragma once

#include "../../simd/isa/export.hpp"
#include "../core/status.hpp"
#include "shapes.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>

namespace throng {

enum class ShapeKind : std::uint8_t {
    box,
    ball,
    sector,
    segment,
    ray,
    capsule,
    convex,
    oriented_box,
};

/// The kind of a type.
template <std::size_t Dim, ShapeIn<Dim> Shape>
[[nodiscard]] constexpr ShapeKind kind_of() noexcept {
    if constexpr (std::same_as<Shape, Box<Dim>>) {
        return ShapeKind::box;
    } else if constexpr (std::same_as<Shape, Ball<Dim>>) {
        return ShapeKind::ball;
    } else if constexpr (std::same_as<Shape, Sector<Dim>>) {
        return ShapeKind::sector;
    } else if constexpr (std::same_as<Shape, Segment<Dim>>) {
        return ShapeKind::segment;
    } else if constexpr (std::same_as<Shape, Ray<Dim>>) {
        return ShapeKind::ray;
    } else if constexpr (std::same_as<Shape, Capsule<Dim>>) {
        return ShapeKind::capsule;
    } else if constexpr (std::same_as<Shape, Convex<Dim>>) {
        return ShapeKind::convex;
    } else {
        return ShapeKind::oriented_box;
    }
}

/// Whether shapes of this kind meet one agent before another: PathIn of a kind.
[[nodiscard]] constexpr bool is_path(ShapeKind kind) noexcept {
    return kind == ShapeKind::segment || kind == ShapeKind::ray || kind == ShapeKind::capsule;
}

/// An array of shapes of one kind, which is borrowed. Every call that takes a shape, or an array of
/// shapes, also takes a view, so that hosts whose questions are data need no code for each kind.
/// Calls refuse unknown kinds, a null pointer with a count, a count other than one where they take
/// one shape, and shapes that are not paths where they take a path.
template <std::size_t Dim>
struct ShapesView {
    ShapeKind kind = ShapeKind::box;
    const void* shapes = nullptr;
    std::size_t count = 0;

    constexpr ShapesView() noexcept = default;
    /// `all_shapes` are of the type that the kind says, one after another.
    constexpr ShapesView(ShapeKind of_kind, const void* all_shapes, std::size_t how_many) noexcept
        : kind(of_kind), shapes(all_shapes), count(how_many) {}
    /// A span, a vector, ... Explicit: an array is not taken for a shape by mistake.
    template <ShapesIn<Dim> Shapes>
    explicit constexpr ShapesView(const Shapes& all) noexcept
        : kind(kind_of<Dim, std::ranges::range_value_t<Shapes>>()), shapes(std::ranges::data(all)),
          count(std::ranges::size(all)) {}

    template <ShapeIn<Dim> Shape>
    [[nodiscard]] static constexpr ShapesView one(const Shape& shape) noexcept {
        return {kind_of<Dim, Shape>(), &shape, 1};
    }

    /// Those from `begin` on. They must be there, and the kind must be a known one.
    [[nodiscard]] ShapesView part(std::size_t begin, std::size_t how_many) const noexcept {
        // In the order of the kinds.
        constexpr std::array<std::size_t, 8> kSizes = {
            sizeof(Box<Dim>), sizeof(Ball<Dim>),    sizeof(Sector<Dim>), sizeof(Segment<Dim>),
            sizeof(Ray<Dim>), sizeof(Capsule<Dim>), sizeof(Convex<Dim>), sizeof(OrientedBox<Dim>),
        };
        const std::size_t skipped = begin * kSizes[static_cast<std::size_t>(kind)];
        return {kind, static_cast<const std::byte*>(shapes) + skipped, how_many};
    }

    /// The shapes, which must be of this type.
    template <ShapeIn<Dim> Shape>
    [[nodiscard]] std::span<const Shape> as() const noexcept {
        return {static_cast<const Shape*>(shapes), count};
    }
};

/// What calls with many shapes take: an array of one kind of shape, or a view.
template <class Shapes, std::size_t Dim>
concept ManyShapesIn = ShapesIn<Shapes, Dim> || std::same_as<Shapes, ShapesView<Dim>>;
template <class Paths, std::size_t Dim>
concept ManyPathsIn = PathsIn<Paths, Dim> || std::same_as<Paths, ShapesView<Dim>>;

/// What makes no sense whatever the shapes are: an unknown kind, or a null pointer with a count.
template <std::size_t Dim>
[[nodiscard]] constexpr Status check_kind(const ShapesView<Dim>& shapes) noexcept {
    if (shapes.kind > ShapeKind::oriented_box) { return {Cause::out_of_range, Argument::shapes}; }
    if (shapes.shapes == nullptr && shapes.count != 0) {
        return {Cause::null_pointer, Argument::shapes};
    }
    return {};
}

/// As check_shape() of the one shape in the view; other counts are refused.
template <std::size_t Dim>
[[nodiscard]] THRONG_API Status check_shape(const ShapesView<Dim>& one) noexcept;

/// The same, and it must be a path.
template <std::size_t Dim>
[[nodiscard]] THRONG_API Status check_path(const ShapesView<Dim>& one) noexcept;

/// The first of these that check_shape() refuses, if any.
template <std::size_t Dim>
[[nodiscard]] THRONG_API Status first_fault(const ShapesView<Dim>& shapes) noexcept;

} // namespace throng
