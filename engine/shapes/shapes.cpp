#include "shapes.hpp"

#include "../agents/validation.hpp"
#include "kernel_blocks.hpp"
#include "shapes_view.hpp"
#include "with_shapes.hpp"

#include <cmath>
#include <initializer_list>

namespace throng {

namespace {

Status first_of(std::initializer_list<Status> checks) noexcept {
    for (const Status& status : checks) {
        if (!status.ok()) { return status; }
    }
    return {};
}

template <std::size_t Dim>
Status check_direction(const Point<Dim>& direction, Argument argument) noexcept {
    const Status status = check_point(direction, argument);
    if (!status.ok() || direction != Point<Dim>{}) { return status; }
    return {Cause::no_direction, argument};
}

Status check_cosine(float cosine) noexcept {
    if (std::isnan(cosine)) { return {Cause::not_finite, Argument::sector}; }
    return std::abs(cosine) <= 1.0f ? Status{} : Status{Cause::no_cosine, Argument::sector};
}

} // namespace

template <std::size_t Dim>
Status check_shape(const Box<Dim>& box) noexcept {
    return first_of({check_point(box.lo, Argument::box), check_point(box.hi, Argument::box)});
}

template <std::size_t Dim>
Status check_shape(const Ball<Dim>& ball) noexcept {
    return first_of(
        {check_point(ball.centre, Argument::ball), check_length(ball.radius, Argument::ball)});
}

template <std::size_t Dim>
Status check_shape(const Sector<Dim>& sector) noexcept {
    return first_of({check_point(sector.centre, Argument::sector),
                     check_length(sector.radius, Argument::sector),
                     check_direction(sector.direction, Argument::sector),
                     check_cosine(sector.cosine)});
}

template <std::size_t Dim>
Status check_shape(const Segment<Dim>& segment) noexcept {
    return first_of(
        {check_point(segment.from, Argument::segment), check_point(segment.to, Argument::segment)});
}

template <std::size_t Dim>
Status check_shape(const Ray<Dim>& ray) noexcept {
    return first_of({check_point(ray.origin, Argument::ray),
                     check_direction(ray.direction, Argument::ray),
                     check_length(ray.length, Argument::ray)});
}

template <std::size_t Dim>
Status check_shape(const Capsule<Dim>& capsule) noexcept {
    return first_of({check_point(capsule.from, Argument::capsule),
                     check_point(capsule.to, Argument::capsule),
                     check_length(capsule.radius, Argument::capsule)});
}

template <std::size_t Dim>
Status check_shape(const Convex<Dim>& convex) noexcept {
    if (convex.count > Convex<Dim>::kMostSides) { return {Cause::too_many, Argument::convex}; }
    for (std::size_t s = 0; s < convex.count; ++s) {
        const HalfSpace<Dim>& side = convex.sides[s];
        const Status status = check_direction(side.normal, Argument::convex);
        if (!status.ok()) { return status; }
        if (!std::isfinite(side.offset)) { return {Cause::not_finite, Argument::convex}; }
    }
    return first_of({check_point(convex.bounds.lo, Argument::convex),
                     check_point(convex.bounds.hi, Argument::convex)});
}

template <std::size_t Dim>
Status check_shape(const OrientedBox<Dim>& box) noexcept {
    Status status = check_point(box.centre, Argument::oriented_box);
    for (std::size_t i = 0; i < Dim && status.ok(); ++i) {
        status = check_point(box.half_edges[i], Argument::oriented_box);
    }
    return status;
}

template <std::size_t Dim>
Status check_shape(const ShapesView<Dim>& one) noexcept {
    const Status status = check_kind(one);
    if (!status.ok()) { return status; }
    if (one.count != 1) { return {Cause::count_mismatch, Argument::shapes}; }
    // Mostly nothing is wrong, and to see that costs less than to find out what is.
    return with_shapes(
        one, [](auto shapes) { return all_sound(shapes) ? Status{} : check_shape(shapes[0]); });
}

template <std::size_t Dim>
Status check_path(const ShapesView<Dim>& one) noexcept {
    if (!is_path(one.kind)) { return {Cause::out_of_range, Argument::shapes}; }
    return check_shape(one);
}

template <std::size_t Dim>
Status first_fault(const ShapesView<Dim>& shapes) noexcept {
    const Status status = check_kind(shapes);
    if (!status.ok()) { return status; }
    return with_shapes(shapes, [](auto all) { return first_fault(all); });
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Status check_shape(const ShapesView<Dim>&) noexcept;                                  \
    template Status check_path(const ShapesView<Dim>&) noexcept;                                   \
    template Status first_fault(const ShapesView<Dim>&) noexcept;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

#define THRONG_FOR_SHAPE(Shape, Dim) template Status check_shape(const Shape<Dim>&) noexcept;
THRONG_FOR_EACH_SHAPE(THRONG_FOR_SHAPE)
#undef THRONG_FOR_SHAPE

} // namespace throng
