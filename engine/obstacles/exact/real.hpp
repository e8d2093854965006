// Shared by the definitions of obstacles: vectors of doubles, paths, and when a path comes near a
// point or a line. Internal to the engine.
//
// The definitions use only + - * / and roots, each rounded alike everywhere, so that every machine
// gets the same bits.
#pragma once

#include "../../agents/point.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace throng::obstacle {

template <std::size_t Dim>
using Real = std::array<double, Dim>;

/// Stands for the time of something that never happens; later than every time.
inline constexpr double kNever = std::numeric_limits<double>::infinity();

/// More than the rounding error of a definition, relative to the numbers in it: coordinates, half
/// edges and radii. Things no farther apart than that touch, so that rounding loses no contact.
/// Where all numbers are exact, as between boxes along the axes, nothing is added.
inline constexpr double kTouch = 0x1p-46;

template <std::size_t Dim>
[[nodiscard]] Real<Dim> real(const Point<Dim>& point) noexcept {
    Real<Dim> made;
    for (std::size_t a = 0; a < Dim; ++a) {
        made[a] = point[a];
    }
    return made;
}

template <std::size_t Dim>
[[nodiscard]] double dot(const Real<Dim>& a, const Real<Dim>& b) noexcept {
    double sum = a[0] * b[0];
    for (std::size_t i = 1; i < Dim; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

/// a + t * b.
template <std::size_t Dim>
[[nodiscard]] Real<Dim> along(const Real<Dim>& a, double t, const Real<Dim>& b) noexcept {
    Real<Dim> made;
    for (std::size_t i = 0; i < Dim; ++i) {
        made[i] = a[i] + t * b[i];
    }
    return made;
}

template <std::size_t Dim>
[[nodiscard]] Real<Dim> minus(const Real<Dim>& a, const Real<Dim>& b) noexcept {
    Real<Dim> made;
    for (std::size_t i = 0; i < Dim; ++i) {
        made[i] = a[i] - b[i];
    }
    return made;
}

template <std::size_t Dim>
[[nodiscard]] Real<Dim> scaled(const Real<Dim>& a, double by) noexcept {
    Real<Dim> made;
    for (std::size_t i = 0; i < Dim; ++i) {
        made[i] = a[i] * by;
    }
    return made;
}

/// The largest coordinate, without signs.
template <std::size_t Dim>
[[nodiscard]] double size_of(const Real<Dim>& point) noexcept {
    double size = 0.0;
    for (const double x : point) {
        size = std::max(size, std::abs(x));
    }
    return size;
}

/// The sum of absolute values: no less than the length.
template <std::size_t Dim>
[[nodiscard]] double sum_of(const Real<Dim>& way) noexcept {
    double sum = 0.0;
    for (const double x : way) {
        sum += std::abs(x);
    }
    return sum;
}

[[nodiscard]] inline double cross(const Real<2>& a, const Real<2>& b) noexcept {
    return a[0] * b[1] - a[1] * b[0];
}
/// cross(a, b) is -cross(b, a) to the bit.
[[nodiscard]] inline Real<3> cross(const Real<3>& a, const Real<3>& b) noexcept {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// The square of the length of the cross product.
template <std::size_t Dim>
[[nodiscard]] double cross2(const Real<Dim>& a, const Real<Dim>& b) noexcept {
    const auto product = cross(a, b);
    if constexpr (Dim == 2) {
        return product * product;
    } else {
        return dot(product, product);
    }
}

/// A moving ball: its centre is at `from` + t * `way`, 0 <= t <= `length`.
template <std::size_t Dim>
struct Path {
    Real<Dim> from, way;
    double length = 1.0;
    double radius = 0.0;
    double slack = 0.0; ///< the part of the radius that only makes up for rounding
};

/// Returns the path with a radius that is larger by the slack.
template <std::size_t Dim>
[[nodiscard]] Path<Dim> with_slack(Path<Dim> path, double slack) noexcept {
    path.radius += slack;
    path.slack = slack;
    return path;
}

/// The place on an obstacle's surface that is nearest to a point.
template <std::size_t Dim>
struct Surface {
    double distance; ///< below zero inside: minus the depth
    Real<Dim> point; ///< on the surface
    Real<Dim> normal;
};

/// When a path that begins farther away first comes within `reach` of a thing. The path passes it
/// at time `passing`; `apart2` is the square of the distance then, `speed2` that of the path's
/// speed. The reach includes the slack, so that rounding loses no contact at the time of passing or
/// at the end. The slack makes no other contact earlier: it would make the contact of a path that
/// grazes earlier by much more than the slack.
[[nodiscard]] inline double entry_around(double passing, double apart2, double reach, double slack,
                                         double speed2, double length) noexcept {
    const double loose = reach * reach - apart2;
    const double beyond = passing < 0.0 ? passing : std::max(passing - length, 0.0);
    if (beyond * beyond * speed2 > loose) { return kNever; }
    const double deep = (reach - slack) * (reach - slack) - apart2;
    const double before = deep > 0.0 ? std::sqrt(deep / speed2) : 0.0;
    return std::min(std::max(passing - before, 0.0), length);
}

/// When a path that begins farther away first comes within `reach` of a point. The reach includes
/// the path's slack.
template <std::size_t Dim>
[[nodiscard]] double entry_of_ball(const Path<Dim>& path, const Real<Dim>& centre,
                                   double reach) noexcept {
    const double way2 = dot(path.way, path.way);
    const Real<Dim> offset = minus(path.from, centre);
    // The distance at the time of passing is taken from the cross product: exact where a path along
    // an axis just touches. Most paths pass farther away, which is seen without a division.
    const double apart2 = cross2(offset, path.way);
    if (!(way2 > 0.0) || apart2 > reach * reach * way2) { return kNever; }
    return entry_around(-dot(offset, path.way) / way2, apart2 / way2, reach, path.slack, way2,
                        path.length);
}

/// The point of a segment that is nearest to a point; an end exactly, if that is the nearest.
template <std::size_t Dim>
[[nodiscard]] Real<Dim> nearest_on_segment(const Real<Dim>& from, const Real<Dim>& to,
                                           const Real<Dim>& point) noexcept {
    const Real<Dim> way = minus(to, from);
    const double product = dot(minus(point, from), way);
    const double length2 = dot(way, way);
    if (!(product > 0.0)) { return from; }
    if (product >= length2) { return to; }
    return along(from, product / length2, way);
}

/// The surface at a distance of `reach` around a convex core, whose point nearest to `point` is
/// `core`. If the two are no farther apart than the slack, `point` counts as inside the core, and
/// fallback() is the normal.
template <std::size_t Dim, class Fallback>
[[nodiscard]] Surface<Dim> surface_around(const Real<Dim>& point, const Real<Dim>& core,
                                          double reach, double slack,
                                          const Fallback& fallback) noexcept {
    const Real<Dim> offset = minus(point, core);
    const double length = std::sqrt(dot(offset, offset));
    const bool apart = length > slack;
    const double distance = apart ? length - reach : -reach;
    const Real<Dim> normal = apart ? scaled(offset, 1.0 / length) : fallback();
    return {std::abs(distance) > slack ? distance : 0.0, along(core, reach, normal), normal};
}

} // namespace throng::obstacle
