// Shapes to ask with, put together from arrays of Python's.
#pragma once

#include "points.hpp"

#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/shapes/shapes.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace throng::python {

/// What the Python part calls each kind of shape by.
enum class ShapeKind : std::uint8_t {
    balls,
    boxes,
    sectors,
    segments,
    rays,
    capsules,
    convex, ///< polygons in the plane, frusta in space
    oriented_boxes,
};

/// One array for each kind, kept from call to call.
template <std::size_t Dim>
struct ShapeArrays {
    std::tuple<std::vector<Ball<Dim>>, std::vector<Box<Dim>>, std::vector<Sector<Dim>>,
               std::vector<Segment<Dim>>, std::vector<Ray<Dim>>, std::vector<Capsule<Dim>>,
               std::vector<Convex<Dim>>, std::vector<OrientedBox<Dim>>>
        arrays;
    std::vector<Point<Dim>> points;

    template <class Shape>
    [[nodiscard]] std::vector<Shape>& of() noexcept {
        return std::get<std::vector<Shape>>(arrays);
    }
    [[nodiscard]] std::size_t memory() const noexcept;
};

/// Puts shapes together from the arguments of a query; then they are in the array of their kind.
/// Positions in doubles are world coordinates. With the GIL held, but for the reading itself.
template <std::size_t Dim>
void read_shapes(ShapeKind kind, const py::tuple& parts, const Crowd<Dim>& crowd, Doubles doubles,
                 ShapeArrays<Dim>& shapes);
/// The same for bare points.
template <std::size_t Dim>
void read_points(py::handle points, const Crowd<Dim>& crowd, Doubles doubles,
                 ShapeArrays<Dim>& shapes);

extern template void read_shapes(ShapeKind, const py::tuple&, const Crowd<2>&, Doubles,
                                 ShapeArrays<2>&);
extern template void read_shapes(ShapeKind, const py::tuple&, const Crowd<3>&, Doubles,
                                 ShapeArrays<3>&);
extern template void read_points(py::handle, const Crowd<2>&, Doubles, ShapeArrays<2>&);
extern template void read_points(py::handle, const Crowd<3>&, Doubles, ShapeArrays<3>&);
extern template struct ShapeArrays<2>;
extern template struct ShapeArrays<3>;

/// Calls work(span of shapes) for the kind.
template <std::size_t Dim, class Work>
auto with_shapes(ShapeKind kind, ShapeArrays<Dim>& shapes, Work&& work) {
    switch (kind) {
    case ShapeKind::balls:
        break;
    case ShapeKind::boxes:
        return work(shapes.template of<Box<Dim>>());
    case ShapeKind::sectors:
        return work(shapes.template of<Sector<Dim>>());
    case ShapeKind::segments:
        return work(shapes.template of<Segment<Dim>>());
    case ShapeKind::rays:
        return work(shapes.template of<Ray<Dim>>());
    case ShapeKind::capsules:
        return work(shapes.template of<Capsule<Dim>>());
    case ShapeKind::convex:
        return work(shapes.template of<Convex<Dim>>());
    case ShapeKind::oriented_boxes:
        return work(shapes.template of<OrientedBox<Dim>>());
    }
    return work(shapes.template of<Ball<Dim>>());
}

/// The same for paths alone; others are refused before.
template <std::size_t Dim, class Work>
auto with_paths(ShapeKind kind, ShapeArrays<Dim>& shapes, Work&& work) {
    if (kind == ShapeKind::rays) { return work(shapes.template of<Ray<Dim>>()); }
    if (kind == ShapeKind::capsules) { return work(shapes.template of<Capsule<Dim>>()); }
    return work(shapes.template of<Segment<Dim>>());
}

} // namespace throng::python
