// The functions with which ShapeFacts fills a gate.
#include "bounds.hpp"

#include "with_shapes.hpp"

#include <algorithm>
#include <limits>

namespace throng {

template <std::size_t Dim>
template <ShapeIn<Dim> Shape>
ShapeGate<Dim>::ShapeGate(const Shape& shape) noexcept {
    detail::ShapeFacts<Shape>::bound(*this, shape);
}

template <std::size_t Dim>
void ShapeGate<Dim>::set_bounds(const Box<Dim>& box) noexcept {
    bounds_ = box;
    for (std::size_t a = 0; a < Dim; ++a) {
        if (box.lo[a] <= box.hi[a]) { continue; }
        constexpr float kInfinity = std::numeric_limits<float>::infinity();
        bounds_ = {Point<Dim>::all(kInfinity), Point<Dim>::all(-kInfinity)};
        return;
    }
}

template <std::size_t Dim>
void ShapeGate<Dim>::set_bounds(const Point<Dim>& from, const Point<Dim>& to,
                                double margin) noexcept {
    for (std::size_t a = 0; a < Dim; ++a) {
        bounds_.lo[a] = static_cast<float>(std::min(from[a], to[a]) - margin);
        bounds_.hi[a] = static_cast<float>(std::max(from[a], to[a]) + margin);
    }
}

template <std::size_t Dim>
void ShapeGate<Dim>::add_ball(const Point<Dim>& centre, double radius) noexcept {
    centre_ = detail::as_offset(centre);
    radius2_ = radius * radius;
    ball_ = true;
    coarse_ = false;
}

template <std::size_t Dim>
void ShapeGate<Dim>::add_side(const Offset<Dim>& normal, double offset) noexcept {
    side_[sides_++] = {normal, offset};
    coarse_ = false;
}

template <std::size_t Dim>
void ShapeGate<Dim>::add_line(const Point<Dim>& from, const Point<Dim>& way,
                              double margin) noexcept {
    for (std::size_t a = 0; a < Dim; ++a) {
        origin_[a] = from[a];
        per_way_[a] = way[a] == 0.0f ? 0.0 : 1.0 / way[a];
    }
    margin_ = margin;
    line_ = true;
    coarse_ = false;
}

template class ShapeGate<2>;
template class ShapeGate<3>;
#define THRONG_FOR_SHAPE(Shape, kind, KIND)                                                        \
    template ShapeGate<2>::ShapeGate(const Shape<2>&) noexcept;                                    \
    template ShapeGate<3>::ShapeGate(const Shape<3>&) noexcept;
THRONG_FOR_EACH_SHAPE(THRONG_FOR_SHAPE)
#undef THRONG_FOR_SHAPE

template <std::size_t Dim>
ShapeGate<Dim> gate_of(const ShapesView<Dim>& one) noexcept {
    return with_shapes(one, [](auto shapes) { return ShapeGate<Dim>(shapes[0]); });
}

template ShapeGate<2> gate_of(const ShapesView<2>&) noexcept;
template ShapeGate<3> gate_of(const ShapesView<3>&) noexcept;

} // namespace throng
