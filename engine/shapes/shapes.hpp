// All shapes that queries take, and what is demanded of them.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../simd/isa/export.hpp"
#include "../agents/box.hpp"
#include "../core/status.hpp"
#include "ball.hpp"
#include "box_facts.hpp"
#include "capsule.hpp"
#include "convex.hpp"
#include "cylinder.hpp"
#include "oriented_box.hpp"
#include "ray.hpp"
#include "sector.hpp"
#include "segment.hpp"
#include "with_body.hpp"

#include <concepts>
#include <cstddef>
#include <ranges>
#include <span>

/// M(Shape, kind, KIND) for every shape, in the order of ShapeKind: the one list of shapes, from
/// which all other lists are made. throng.h numbers a kind as THRONG_BOX2 in the plane and
/// THRONG_BOX3 in space.
#define THRONG_FOR_EACH_SHAPE(M)                                                                   \
    M(Box, box, BOX)                                                                               \
    M(Ball, ball, BALL)                                                                            \
    M(Sector, sector, SECTOR)                                                                      \
    THRONG_FOR_EACH_PATH(M)                                                                        \
    M(Convex, convex, CONVEX)                                                                      \
    M(OrientedBox, oriented_box, ORIENTED_BOX)                                                     \
    M(Cylinder, cylinder, CYLINDER)                                                                \
    M(BodyBall, body_ball, BODY_BALL)                                                              \
    M(BodySector, body_sector, BODY_SECTOR)                                                        \
    M(BodyCylinder, body_cylinder, BODY_CYLINDER)
/// THRONG_FOR_EACH_SHAPE for the shapes that are paths.
#define THRONG_FOR_EACH_PATH(M)                                                                    \
    M(Segment, segment, SEGMENT)                                                                   \
    M(Ray, ray, RAY)                                                                               \
    M(Capsule, capsule, CAPSULE)

namespace throng {

#define THRONG_IS_SHAPE(Known, kind, KIND) || std::same_as<Shape, Known<Dim>>
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
/// | Cylinder | whose centres lie in it: upright, a disc on the ground and a band of heights |
/// | BodyBall, BodySector, BodyCylinder | whose bodies (centres, boxes or discs) they touch |
template <class Shape, std::size_t Dim>
concept ShapeIn = false THRONG_FOR_EACH_SHAPE(THRONG_IS_SHAPE); // NOLINT(*-simplify-boolean-expr)

/// Shapes with a start and an end, which meet one agent before another.
template <class Shape, std::size_t Dim>
concept PathIn = false THRONG_FOR_EACH_PATH(THRONG_IS_SHAPE); // NOLINT(*-simplify-boolean-expr)
#undef THRONG_IS_SHAPE

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
#define THRONG_CHECK_SHAPE(Shape, kind, KIND)                                                      \
    template <std::size_t Dim>                                                                     \
    [[nodiscard]] THRONG_API Status check_shape(const Shape<Dim>& shape) noexcept;
THRONG_FOR_EACH_SHAPE(THRONG_CHECK_SHAPE)
#undef THRONG_CHECK_SHAPE

} // namespace throng

#include "../../simd/isa/names_end.hpp"
