// Shapes to ask with, put together from arrays of Python's.
#pragma once

#include "arguments.hpp"
#include "arrays/points.hpp"

#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/shapes/shapes.hpp>
#include <throng/engine/shapes/shapes_view.hpp>

#include <cstddef>
#include <tuple>
#include <vector>

namespace throng::python {

/// One array for each kind, kept from call to call.
template <std::size_t Dim>
struct ShapeArrays {
    template <class... Shape>
    using Vectors = std::tuple<std::vector<Shape>...>;
    decltype(std::tuple_cat(
#define THRONG_FOR_SHAPE(Shape, kind, KIND) Vectors<Shape<Dim>>(),
        THRONG_FOR_EACH_SHAPE(THRONG_FOR_SHAPE)
#undef THRONG_FOR_SHAPE
            Vectors<>())) arrays;
    std::vector<Point<Dim>> points;

    template <class Shape>
    [[nodiscard]] std::vector<Shape>& of() noexcept {
        return std::get<std::vector<Shape>>(arrays);
    }
    [[nodiscard]] std::size_t memory() const noexcept;
};

/// Puts shapes together from the arguments of a query, in the array of their kind. Positions in
/// doubles are world coordinates. The GIL must be held; it is released while the arrays are read.
template <std::size_t Dim>
ShapesView<Dim> read_shapes(ShapeKind kind, const py::tuple& parts, const Crowd<Dim>& crowd,
                            Doubles doubles, ShapeArrays<Dim>& shapes);
template <std::size_t Dim>
ShapesView<Dim> read_shapes(const GivenShapes& given, const Crowd<Dim>& crowd, Doubles doubles,
                            ShapeArrays<Dim>& shapes) {
    return read_shapes(given.kind(), given.parts, crowd, doubles, shapes);
}
/// The same for bare points.
template <std::size_t Dim>
void read_points(py::handle points, const Crowd<Dim>& crowd, Doubles doubles,
                 ShapeArrays<Dim>& shapes);

} // namespace throng::python
