// Each shape's bounds, and what narrows them further.
#include "bounds.hpp"

#include "kernel_blocks.hpp"
#include "ray_test.hpp"
#include "with_shapes.hpp"

#include <cmath>
#include <limits>

namespace throng {

namespace {

/// The largest coordinate, on any axis.
template <std::size_t Dim>
double size_of(const Point<Dim>& point) noexcept {
    double largest = 0.0;
    for (const float x : point.axis) {
        largest = std::max(largest, std::abs(static_cast<double>(x)));
    }
    return largest;
}

/// The box of two points, and `margin` around it.
template <std::size_t Dim>
Box<Dim> bounds_of(const Point<Dim>& from, const Point<Dim>& to, double margin) noexcept {
    Box<Dim> bounds;
    for (std::size_t a = 0; a < Dim; ++a) {
        bounds.lo[a] = static_cast<float>(std::min(from[a], to[a]) - margin);
        bounds.hi[a] = static_cast<float>(std::max(from[a], to[a]) + margin);
    }
    return bounds;
}

/// How far from the centre of a ball, on any axis, rounding may still find an agent in it.
template <std::size_t Dim>
double reach_of(const Point<Dim>& centre, float radius) noexcept {
    return radius + (size_of(centre) + radius) * 0x1p-20 + 1e-18;
}

} // namespace

template <std::size_t Dim>
ShapeGate<Dim>::ShapeGate(const Box<Dim>& box) noexcept : bounds_(box) {
    for (std::size_t a = 0; a < Dim; ++a) {
        if (box.lo[a] <= box.hi[a]) { continue; }
        constexpr float kInfinity = std::numeric_limits<float>::infinity();
        bounds_ = {Point<Dim>::all(kInfinity), Point<Dim>::all(-kInfinity)};
        return;
    }
}

template <std::size_t Dim>
void ShapeGate<Dim>::add_ball(const Point<Dim>& centre, double radius) noexcept {
    for (std::size_t a = 0; a < Dim; ++a) {
        centre_[a] = centre[a];
    }
    radius2_ = radius * radius;
    ball_ = true;
    coarse_ = false;
}

template <std::size_t Dim>
ShapeGate<Dim>::ShapeGate(const Ball<Dim>& ball) noexcept
    : bounds_(bounds_of(ball.centre, ball.centre, reach_of(ball.centre, ball.radius))) {
    add_ball(ball.centre, reach_of(ball.centre, ball.radius));
}

template <std::size_t Dim>
ShapeGate<Dim>::ShapeGate(const Sector<Dim>& sector) noexcept {
    simd::SectorBlock<Dim> block{};
    put(block, sector);
    std::copy_n(block.lo, Dim, bounds_.lo.axis.data());
    std::copy_n(block.hi, Dim, bounds_.hi.axis.data());
    add_ball(sector.centre, reach_of(sector.centre, sector.radius));
    for (; sides_ < block.sides; ++sides_) {
        // Through the centre, whose coordinates are terms of the test as well.
        Side& side = side_[sides_];
        side.offset = sector.radius * simd::kSectorSlack;
        for (std::size_t a = 0; a < Dim; ++a) {
            side.normal[a] = block.normal[sides_][a];
            const double term = side.normal[a] * sector.centre[a];
            side.offset += term + std::abs(term) * 0x1p-18;
        }
    }
}

template <std::size_t Dim>
void ShapeGate<Dim>::add_sides(const Convex<Dim>& convex) noexcept {
    for (; sides_ < convex.count; ++sides_) {
        Side& side = side_[sides_];
        side.offset = convex.sides[sides_].offset;
        for (std::size_t a = 0; a < Dim; ++a) {
            side.normal[a] = convex.sides[sides_].normal[a];
        }
        coarse_ = false;
    }
}

template <std::size_t Dim>
ShapeGate<Dim>::ShapeGate(const Convex<Dim>& convex) noexcept : ShapeGate(convex.bounds) {
    add_sides(convex);
}

template <std::size_t Dim>
ShapeGate<Dim>::ShapeGate(const OrientedBox<Dim>& box) noexcept : ShapeGate(convex_of(box)) {}

template <std::size_t Dim>
void ShapeGate<Dim>::add_way(const Point<Dim>& from, const Point<Dim>& way,
                             double margin) noexcept {
    for (std::size_t a = 0; a < Dim; ++a) {
        origin_[a] = from[a];
        per_way_[a] = way[a] == 0.0f ? 0.0 : 1.0 / way[a];
    }
    margin_ = margin;
    way_ = true;
    coarse_ = false;
}

template <std::size_t Dim>
ShapeGate<Dim>::ShapeGate(const Segment<Dim>& segment) noexcept {
    const RayTest<Dim> track = ray_test(segment);
    bounds_ = track.bounds;
    add_way(segment.from, track.direction, 1e-18);
}

template <std::size_t Dim>
ShapeGate<Dim>::ShapeGate(const Ray<Dim>& ray) noexcept : bounds_(ray_test(ray).bounds) {
    add_way(ray.origin, ray.direction, 1e-18);
}

template <std::size_t Dim>
ShapeGate<Dim>::ShapeGate(const Capsule<Dim>& capsule) noexcept {
    const CapsuleTest<Dim> sweep = capsule_test(capsule);
    const double size = size_of(capsule.from) + size_of(capsule.to) + capsule.radius;
    const double margin = capsule.radius + size * 0x1p-18 + 1e-18;
    bounds_ = bounds_of(capsule.from, capsule.to, margin);
    // A way too short to be squared counts as none.
    if (sweep.per_square != 0.0f) { add_way(capsule.from, sweep.way, margin); }
}

template class ShapeGate<2>;
template class ShapeGate<3>;

template <std::size_t Dim>
ShapeGate<Dim> gate_of(const ShapesView<Dim>& one) noexcept {
    return with_shapes(one, [](auto shapes) { return ShapeGate<Dim>(shapes[0]); });
}

template ShapeGate<2> gate_of(const ShapesView<2>&) noexcept;
template ShapeGate<3> gate_of(const ShapesView<3>&) noexcept;

} // namespace throng
