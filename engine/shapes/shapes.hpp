// All shapes that queries take, and what is demanded of them.
#pragma once

#include "../../simd/isa/export.hpp"
#include "../agents/box.hpp"
#include "../core/status.hpp"
#include "ball.hpp"
#include "capsule.hpp"
#include "convex.hpp"
#include "oriented_box.hpp"
#include "ray.hpp"
#include "sector.hpp"
#include "segment.hpp"

#include <concepts>
#include <cstddef>
#include <ranges>
#include <span>

namespace throng {

/// Every query takes any of these; each has one test, in the header of its name:
///
/// | shape | finds agents |
/// |---|---|
/// | Box, and Box::at() for a point | whose boxes overlap it |
/// | Ball | whose centres lie in it |
/// | Sector | whose centres lie in it: a ball's part within an angle of a direction |
/// | Segment, Ray | whose boxes it meets |
/// | Capsule | whose discs a disc meets on its way |
/// | Convex, polygon(), frustum() | whose boxes overlap it |
/// | OrientedBox | whose boxes overlap it |
template <class Shape, std::size_t Dim>
concept ShapeIn = std::same_as<Shape, Box<Dim>> || std::same_as<Shape, Ball<Dim>> ||
    std::same_as<Shape, Sector<Dim>> || std::same_as<Shape, Segment<Dim>> ||
    std::same_as<Shape, Ray<Dim>> || std::same_as<Shape, Capsule<Dim>> ||
    std::same_as<Shape, Convex<Dim>> || std::same_as<Shape, OrientedBox<Dim>>;

/// Shapes with a start and an end, which meet one agent before another.
template <class Shape, std::size_t Dim>
concept PathIn = std::same_as<Shape, Segment<Dim>> || std::same_as<Shape, Ray<Dim>> ||
    std::same_as<Shape, Capsule<Dim>>;

/// An array of one kind of shape: a span, a vector, ...
template <class Shapes, std::size_t Dim>
concept ShapesIn = std::ranges::contiguous_range<const Shapes> &&
    std::ranges::sized_range<const Shapes> && ShapeIn<std::ranges::range_value_t<Shapes>, Dim>;

template <class Paths, std::size_t Dim>
concept PathsIn = ShapesIn<Paths, Dim> && PathIn<std::ranges::range_value_t<Paths>, Dim>;

template <class Shapes>
using SpanOf = std::span<const std::ranges::range_value_t<Shapes>>;

/// Refuses coordinates, lengths and radii that are not finite or beyond kLargest, negative lengths
/// and radii, and directions and normals that are zero. Inverted boxes are fine: they find no
/// agents.
template <std::size_t Dim>
[[nodiscard]] THRONG_API Status check_shape(const Box<Dim>& box) noexcept;
template <std::size_t Dim>
[[nodiscard]] THRONG_API Status check_shape(const Ball<Dim>& ball) noexcept;
template <std::size_t Dim>
[[nodiscard]] THRONG_API Status check_shape(const Sector<Dim>& sector) noexcept;
template <std::size_t Dim>
[[nodiscard]] THRONG_API Status check_shape(const Segment<Dim>& segment) noexcept;
template <std::size_t Dim>
[[nodiscard]] THRONG_API Status check_shape(const Ray<Dim>& ray) noexcept;
template <std::size_t Dim>
[[nodiscard]] THRONG_API Status check_shape(const Capsule<Dim>& capsule) noexcept;
template <std::size_t Dim>
[[nodiscard]] THRONG_API Status check_shape(const Convex<Dim>& convex) noexcept;
template <std::size_t Dim>
[[nodiscard]] THRONG_API Status check_shape(const OrientedBox<Dim>& box) noexcept;

} // namespace throng

/// M(Shape, Dim) for every shape: for files that instantiate templates.
#define THRONG_FOR_EACH_PATH(M)                                                                    \
    M(Segment, 2)                                                                                  \
    M(Segment, 3)                                                                                  \
    M(Ray, 2)                                                                                      \
    M(Ray, 3)                                                                                      \
    M(Capsule, 2)                                                                                  \
    M(Capsule, 3)
#define THRONG_FOR_EACH_SHAPE(M)                                                                   \
    M(Box, 2)                                                                                      \
    M(Box, 3)                                                                                      \
    M(Ball, 2)                                                                                     \
    M(Ball, 3)                                                                                     \
    M(Sector, 2)                                                                                   \
    M(Sector, 3)                                                                                   \
    M(Convex, 2)                                                                                   \
    M(Convex, 3)                                                                                   \
    M(OrientedBox, 2)                                                                              \
    M(OrientedBox, 3)                                                                              \
    THRONG_FOR_EACH_PATH(M)
