// From shapes whose kind is data to code that is compiled for each kind. Internal to the engine.
#pragma once

#include "../core/assert.hpp"
#include "shapes_view.hpp"

#include <cstddef>

namespace throng {

/// body(paths), a span of whichever kind of path these are.
template <std::size_t Dim, class Body>
decltype(auto) with_paths(const ShapesView<Dim>& paths, const Body& body) {
    switch (paths.kind) {
    case ShapeKind::segment:
        return body(paths.template as<Segment<Dim>>());
    case ShapeKind::ray:
        return body(paths.template as<Ray<Dim>>());
    default:
        THRONG_ASSERT(paths.kind == ShapeKind::capsule);
        return body(paths.template as<Capsule<Dim>>());
    }
}

/// body(shapes), a span of whichever kind these are. The kind must be a known one: what comes from
/// outside goes through check_shape() or first_fault() first.
template <std::size_t Dim, class Body>
decltype(auto) with_shapes(const ShapesView<Dim>& shapes, const Body& body) {
    // The most frequent kinds come first, by branches instead of a jump table.
    if (shapes.kind == ShapeKind::box) { return body(shapes.template as<Box<Dim>>()); }
    if (shapes.kind == ShapeKind::ball) { return body(shapes.template as<Ball<Dim>>()); }
    switch (shapes.kind) {
    case ShapeKind::sector:
        return body(shapes.template as<Sector<Dim>>());
    case ShapeKind::convex:
        return body(shapes.template as<Convex<Dim>>());
    case ShapeKind::oriented_box:
        return body(shapes.template as<OrientedBox<Dim>>());
    default:
        return with_paths(shapes, body);
    }
}

} // namespace throng
