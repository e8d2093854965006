// Random questions for periodic worlds.
#pragma once

#include "../../support/numbers.hpp"
#include "../../support/random.hpp"
#include "../../support/scenes/periodic.hpp"

#include <throng/engine/shapes/shapes.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace throng::test {

/// Random shapes around a world, some much larger than it, or far outside. With a grain, every
/// coordinate is a multiple of it.
template <std::size_t Dim>
class PeriodicShapes {
public:
    PeriodicShapes(const Periodic<Dim>& world, float grain, std::uint64_t seed)
        : world_(world), grain_(grain), random_(seed) {}

    Point<Dim> point() {
        Point<Dim> point;
        for (std::size_t a = 0; a < Dim; ++a) {
            const float side = world_.period(a);
            point[a] = number(world_.bounds.lo[a] - side, world_.bounds.hi[a] + side);
            // On the border, and one float beside it.
            const bool beside = grain_ == 0.0f && random_.below(3) == 0;
            switch (random_.below(8)) {
            case 0:
                point[a] = world_.bounds.lo[a];
                if (beside) { point[a] = std::nextafter(point[a], -kInfinity); }
                break;
            case 1:
                point[a] = world_.bounds.hi[a];
                if (beside) { point[a] = std::nextafter(point[a], -kInfinity); }
                break;
            default:
                break;
            }
        }
        return point;
    }
    /// A random extent, up to this part of the world on each axis.
    Point<Dim> extent(float part) {
        Point<Dim> extent;
        for (std::size_t a = 0; a < Dim; ++a) {
            extent[a] = number(0.0f, part * world_.period(a));
        }
        return extent;
    }
    float length(float part) { return number(0.0f, part * world_.period(0)); }

    /// How large a shape is, as a part of the world: mostly small.
    float part() {
        constexpr std::array<float, 5> kParts = {0.05f, 0.2f, 0.2f, 0.6f, 1.5f};
        return kParts[random_.below(5)];
    }

    Box<Dim> box() {
        Box<Dim> box = Box<Dim>::around(point(), extent(part()));
        if (random_.below(16) == 0) { std::swap(box.lo, box.hi); }
        return random_.below(8) == 0 ? Box<Dim>::at(box.lo) : box;
    }
    Ball<Dim> ball() { return {point(), length(part())}; }
    Sector<Dim> sector() {
        constexpr std::array<float, 5> kCosines = {-1.0f, -0.5f, 0.0f, 0.5f, 1.0f};
        return {point(), length(part()), direction(), kCosines[random_.below(5)]};
    }
    Segment<Dim> segment() {
        const Point<Dim> from = point();
        return {from, plus(from, extent(part()))};
    }
    Ray<Dim> ray() { return {point(), direction(), length(part()) / 4.0f}; }
    Capsule<Dim> capsule() {
        const Point<Dim> from = point();
        return {from, plus(from, extent(part())), length(part() / 4.0f)};
    }
    OrientedBox<Dim> oriented_box() {
        OrientedBox<Dim> box{point()};
        for (Point<Dim>& edge : box.half_edges) {
            edge = plus({}, extent(part() / 2.0f));
        }
        return box;
    }
    Cylinder<Dim> cylinder() {
        const auto up = static_cast<std::uint32_t>(1 + random_.below(Dim - 1));
        const Point<Dim> foot = point();
        const Point<Dim> top = plus(foot, extent(part()));
        Cylinder<Dim> cylinder{foot, length(part()), foot[up], top[up], up};
        if (random_.below(16) == 0) { std::swap(cylinder.low, cylinder.high); }
        return cylinder;
    }
    template <class Shape>
    WithBody<Shape> seeing(const Shape& shape) {
        return {shape, static_cast<Body>(random_.below(3))};
    }
    Convex<Dim> convex() {
        Convex<Dim> convex;
        const Point<Dim> middle = point();
        convex.bounds = Box<Dim>::around(middle, extent(part()));
        for (; convex.count < 3; ++convex.count) {
            HalfSpace<Dim>& side = convex.sides[convex.count];
            side.normal = direction();
            for (std::size_t a = 0; a < Dim; ++a) {
                side.offset += side.normal[a] * middle[a];
            }
            side.offset += length(0.3f);
        }
        return convex;
    }

private:
    using Random = scenes::Random;

    float number(float low, float high) {
        const float number = random_.between(low, high);
        return grain_ == 0.0f ? number : std::floor(number / grain_) * grain_;
    }
    /// Small whole numbers, not all of them zero.
    Point<Dim> direction() {
        Point<Dim> direction;
        for (std::size_t a = 0; a < Dim; ++a) {
            direction[a] = static_cast<float>(random_.below(7)) - 3.0f;
        }
        if (direction == Point<Dim>{}) { direction[0] = 1.0f; }
        return direction;
    }
    /// Returns the point plus or minus the extent; on each axis chance picks the sign.
    Point<Dim> plus(const Point<Dim>& from, const Point<Dim>& extent) {
        Point<Dim> to;
        for (std::size_t a = 0; a < Dim; ++a) {
            to[a] = random_.below(2) == 0 ? from[a] + extent[a] : from[a] - extent[a];
        }
        return to;
    }

    Periodic<Dim> world_;
    float grain_;
    Random random_;
};

} // namespace throng::test
