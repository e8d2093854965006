// Movers, and what all definitions of their contacts with obstacles use. Internal to the engine.
#pragma once

#include "../exact/exact_box.hpp"
#include "../exact/exact_triangle.hpp"
#include "../exact/exact_wall.hpp"
#include "../store/copies.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace throng::obstacle {

/// A box, or a capsule, that moves by `way` from time 0 to 1.
template <std::size_t Dim>
struct Mover {
    bool is_box;
    ExactBox<Dim> box;  ///< if `is_box`
    Real<Dim> from, to; ///< the middle line of a capsule
    double radius;
    Real<Dim> way;
    Real<Dim> lo, hi; ///< its bounds at time 0

    [[nodiscard]] Real<Dim> middle() const noexcept { return scaled(along(lo, 1.0, hi), 0.5); }
};

/// An upper bound of the mover's numbers that contacts add up across axes. A box that is not
/// turned, mover or obstacle, adds none: contacts use only its part beside the other.
template <std::size_t Dim>
double mixed_of(const Mover<Dim>& mover) noexcept {
    const bool upright = mover.is_box && !mover.box.turned;
    return size_of(mover.way) + (upright ? 0.0 : std::max(size_of(mover.lo), size_of(mover.hi)));
}

template <std::size_t Dim>
Extent<Dim> extent_of(const Mover<Dim>& mover) noexcept {
    Extent<Dim> extent = {mover.middle(), mover.lo, mover.hi, false, mixed_of(mover)};
    for (std::size_t a = 0; a < Dim; ++a) {
        extent.lo[a] += std::min(mover.way[a], 0.0);
        extent.hi[a] += std::max(mover.way[a], 0.0);
    }
    return extent;
}

template <std::size_t Dim>
Mover<Dim> moved(Mover<Dim> mover, const Shift<Dim>& shift) noexcept {
    mover.box = moved(mover.box, shift);
    for (Real<Dim>* const place : {&mover.from, &mover.to, &mover.lo, &mover.hi}) {
        *place = shift.moved(*place);
    }
    return mover;
}

template <std::size_t Dim>
struct Contact {
    double time = kNever;
    Real<Dim> point{}, normal{}; ///< on the obstacle, and out of it
};

/// Bounds of the time during which two things touch.
struct Window {
    double enter = 0.0, exit = 1.0;

    /// Keeps only the times t at which `down` <= t * `speed` <= `up`. False if there are none.
    [[nodiscard]] bool narrow(double down, double up, double speed) noexcept {
        if (speed == 0.0) { return down <= 0.0 && up >= 0.0; }
        enter = std::max(enter, (speed > 0.0 ? down : up) / speed);
        exit = std::min(exit, (speed > 0.0 ? up : down) / speed);
        return enter <= exit;
    }
};

/// As of an ExactBox.
template <std::size_t Dim>
void find_bounds(const Real<Dim>& one, const Real<Dim>& other, double reach, Real<Dim>& lo,
                 Real<Dim>& hi) noexcept {
    for (std::size_t a = 0; a < Dim; ++a) {
        lo[a] = std::min(one[a], other[a]) - reach;
        hi[a] = std::max(one[a], other[a]) + reach;
    }
}
inline void find_bounds(const ExactWall& wall, Real<2>& lo, Real<2>& hi) noexcept {
    find_bounds(wall.from, wall.to, wall.reach, lo, hi);
}
inline void find_bounds(const ExactTriangle& triangle, Real<3>& lo, Real<3>& hi) noexcept {
    const auto& corners = triangle.corners;
    for (std::size_t a = 0; a < 3; ++a) {
        lo[a] = std::min({corners[0][a], corners[1][a], corners[2][a]});
        hi[a] = std::max({corners[0][a], corners[1][a], corners[2][a]});
    }
}

/// each_corner() calls call(corner) for each corner, and each_edge() calls call(from, to) for each
/// edge in space.
template <std::size_t Dim, class Call>
void each_corner(const ExactBox<Dim>& box, const Call& call) {
    for (std::size_t c = 0; c < std::size_t{1} << Dim; ++c) {
        Real<Dim> corner;
        for (std::size_t i = 0; i < Dim; ++i) {
            corner[i] = (c >> i & 1u) != 0 ? box.hi[i] : box.lo[i];
        }
        call(box.outside(corner));
    }
}
template <class Call>
void each_corner(const ExactWall& wall, const Call& call) {
    call(wall.from);
    call(wall.to);
}
template <class Call>
void each_corner(const ExactTriangle& triangle, const Call& call) {
    std::for_each(triangle.corners.begin(), triangle.corners.end(), call);
}
template <class Call>
void each_edge(const ExactBox<3>& box, const Call& call) {
    for (std::size_t c = 0; c < 8; ++c) {
        for (std::size_t i = 0; i < 3; ++i) {
            if ((c >> i & 1u) != 0) { continue; }
            Real<3> from;
            for (std::size_t a = 0; a < 3; ++a) {
                from[a] = (c >> a & 1u) != 0 ? box.hi[a] : box.lo[a];
            }
            Real<3> to = from;
            to[i] = box.hi[i];
            call(box.outside(from), box.outside(to));
        }
    }
}
template <class Call>
void each_edge(const ExactTriangle& triangle, const Call& call) {
    for (std::size_t i = 0; i < 3; ++i) {
        call(triangle.corners[i], triangle.corners[(i + 1) % 3]);
    }
}

/// How thick an obstacle is around its corners and edges.
[[nodiscard]] inline double reach_of(const ExactWall& wall) noexcept { return wall.reach; }
template <class Body>
[[nodiscard]] double reach_of(const Body&) noexcept {
    return 0.0;
}

/// Where two lines in space are nearest to each other: `one` + s * `along_one`, and the other
/// through the origin, u * `along_other`.
struct Crossing {
    double s = 0.0, u = 0.0;
    double height = 0.0; ///< of the second line above the first, along `normal`
    Real<3> normal;
    bool meets = false; ///< `s` and `u` are from 0 to 1, and the lines are not parallel

    Crossing(const Real<3>& one, const Real<3>& along_one, const Real<3>& along_other) noexcept
        : normal(cross(along_one, along_other)) {
        const double square = dot(normal, normal);
        if (!(square > 0.0)) { return; }
        const Real<3> offset = scaled(one, -1.0);
        s = dot(cross(offset, along_other), normal) / square;
        u = dot(cross(offset, along_one), normal) / square;
        meets = s >= 0.0 && s <= 1.0 && u >= 0.0 && u <= 1.0;
        normal = scaled(normal, 1.0 / std::sqrt(square));
        height = dot(offset, normal);
    }
};

/// Whether a body's sides lie along the axes of the world.
template <std::size_t Dim>
[[nodiscard]] bool is_upright(const ExactBox<Dim>& box) noexcept {
    return !box.turned;
}
[[nodiscard]] inline bool is_upright(const ExactTriangle&) noexcept { return false; }
[[nodiscard]] inline bool is_upright(const ExactWall&) noexcept { return false; }

/// Facts about two things that may touch, known before any definition is tried.
template <std::size_t Dim>
struct Meeting {
    Window bounds;      ///< when the bounds of the two touch
    Real<Dim> normal{}; ///< the world axis on which the bounds begin to touch
    double slack = 0.0; ///< how far apart the two may be and still touch
    bool place = true;  ///< whether the point is wanted
};

} // namespace throng::obstacle
