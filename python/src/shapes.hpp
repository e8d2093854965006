// Shapes to ask with, made from Python's arrays.
#pragma once

#include "arrays/points.hpp"

#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/shapes/shapes.hpp>
#include <throng/engine/shapes/shapes_view.hpp>

#include <cstddef>
#include <tuple>
#include <vector>

namespace throng::python {

/// One array for each kind of shape, reused from call to call.
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

/// Reads a body: "centre", "box" or "disc".
[[nodiscard]] Body body_from(py::handle object);

/// Makes shapes from the arguments of a query, in the array of their kind. Positions in doubles are
/// world coordinates. The GIL must be held; it is released while the arrays are read.
template <std::size_t Dim>
void read_shapes(ShapeKind kind, const py::tuple& parts, const Crowd<Dim>& crowd, Doubles doubles,
                 ShapeArrays<Dim>& shapes);
/// Reads plain points in the same way.
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

/// Calls work(array of shapes) for a kind, which must be valid.
template <std::size_t Dim, class Work>
auto with_shapes(ShapeKind kind, ShapeArrays<Dim>& shapes, Work&& work) {
    switch (kind) {
#define THRONG_FOR_SHAPE(Shape, shape, SHAPE)                                                      \
    case ShapeKind::shape:                                                                         \
        return work(shapes.template of<Shape<Dim>>());
        THRONG_FOR_EACH_SHAPE(THRONG_FOR_SHAPE)
#undef THRONG_FOR_SHAPE
    }
    throw py::value_error("shapes: no such kind");
}

/// The same for paths only; the caller must have refused other kinds.
template <std::size_t Dim, class Work>
auto with_paths(ShapeKind kind, ShapeArrays<Dim>& shapes, Work&& work) {
    switch (kind) {
#define THRONG_FOR_PATH(Path, path, PATH)                                                          \
    case ShapeKind::path:                                                                          \
        return work(shapes.template of<Path<Dim>>());
        THRONG_FOR_EACH_PATH(THRONG_FOR_PATH)
#undef THRONG_FOR_PATH
    default:
        throw py::value_error("paths: no such kind");
    }
}

} // namespace throng::python
