// The two boxes that stand for an obstacle in most looks. Internal to the engine.
#pragma once

#include "../exact/exact_box.hpp"
#include "../exact/exact_triangle.hpp"
#include "../exact/exact_wall.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace throng::obstacle {

/// A turned box around an obstacle, and one inside it, around the same middle.
template <std::size_t Dim>
struct Screen {
    Real<Dim> middle;
    std::array<Real<Dim>, Dim> axis;
    Real<Dim> outer; ///< half extents along the axes
    Real<Dim> inner; ///< half extents of the inner box; below zero if there is none
};

/// Smaller squares of lengths are not exact enough to make an axis from.
inline constexpr double kShortest2 = 1e-200;

template <std::size_t Dim>
[[nodiscard]] Screen<Dim> screen_of(const ExactBox<Dim>& body) noexcept {
    Screen<Dim> screen;
    screen.middle = middle_of(body);
    screen.axis = body.axis;
    for (std::size_t i = 0; i < Dim; ++i) {
        screen.outer[i] = 0.5 * body.hi[i] - 0.5 * body.lo[i];
    }
    screen.inner = screen.outer;
    return screen;
}

/// The inner box is the wall without its round ends.
[[nodiscard]] inline Screen<2> screen_of(const ExactWall& wall) noexcept {
    ExactBox<2> box;
    box.turned = true;
    const Real<2> way = minus(wall.to, wall.from);
    const double length2 = dot(way, way);
    const bool is_long = length2 > kShortest2;
    const double length = std::sqrt(length2);
    const Real<2> ahead = is_long ? scaled(way, 1.0 / length) : Real<2>{1.0, 0.0};
    box.axis = {ahead, Real<2>{-ahead[1], ahead[0]}};
    box.origin = along(scaled(wall.from, 0.5), 0.5, wall.to);
    const double core = 0.5 * length, spread = is_long ? 0.0 : core;
    box.hi = {core + wall.reach, wall.reach + spread};
    box.lo = scaled(box.hi, -1.0);
    Screen<2> screen = screen_of(box);
    screen.inner = is_long ? Real<2>{core, wall.reach} : Real<2>{-1.0, -1.0};
    return screen;
}

/// The outer box lies in the plane of the triangle. There is no inner box.
[[nodiscard]] inline Screen<3> screen_of(const ExactTriangle& triangle) noexcept {
    ExactBox<3> box;
    box.turned = true;
    box.origin = triangle.corners[0];
    box.axis = {Real<3>{1.0, 0.0, 0.0}, Real<3>{0.0, 1.0, 0.0}, Real<3>{0.0, 0.0, 1.0}};
    const Real<3> edge = minus(triangle.corners[1], triangle.corners[0]);
    const double edge2 = dot(edge, edge), normal2 = dot(triangle.normal, triangle.normal);
    if (edge2 > kShortest2 && normal2 > kShortest2) {
        box.axis[0] = scaled(edge, 1.0 / std::sqrt(edge2));
        box.axis[1] = scaled(triangle.normal, 1.0 / std::sqrt(normal2));
        box.axis[2] = cross(box.axis[0], box.axis[1]);
    }
    Real<3> low{}, high{};
    for (const Real<3>& corner : triangle.corners) {
        const Real<3> local = box.inside(corner);
        for (std::size_t i = 0; i < 3; ++i) {
            low[i] = std::min(low[i], local[i]);
            high[i] = std::max(high[i], local[i]);
        }
    }
    box.origin = box.outside(scaled(along(low, 1.0, high), 0.5));
    box.hi = scaled(minus(high, low), 0.5);
    box.lo = scaled(box.hi, -1.0);
    Screen<3> screen = screen_of(box);
    screen.inner = {-1.0, -1.0, -1.0};
    return screen;
}

} // namespace throng::obstacle
