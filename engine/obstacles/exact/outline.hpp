// The edges and faces of obstacles, and polygons cut by planes. Internal to the engine.
#pragma once

#include "exact_box.hpp"
#include "exact_triangle.hpp"
#include "exact_wall.hpp"
#include "real.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace throng::obstacle {

/// A corner of a box: bit i of the number says whether the corner is at the upper end of axis i.
template <std::size_t Dim>
[[nodiscard]] Real<Dim> corner_of(const ExactBox<Dim>& box, std::size_t number) noexcept {
    Real<Dim> local;
    for (std::size_t i = 0; i < Dim; ++i) {
        local[i] = (number >> i & 1u) != 0 ? box.hi[i] : box.lo[i];
    }
    return box.outside(local);
}

/// Calls call(from, to) for each edge, until a call returns true; returns whether one did.
template <std::size_t Dim, class Call>
bool any_edge(const ExactBox<Dim>& box, const Call& call) {
    for (std::size_t c = 0; c < std::size_t{1} << Dim; ++c) {
        for (std::size_t i = 0; i < Dim; ++i) {
            const std::size_t up = c | std::size_t{1} << i;
            if (up != c && call(corner_of(box, c), corner_of(box, up))) { return true; }
        }
    }
    return false;
}
template <class Call>
bool any_edge(const ExactTriangle& triangle, const Call& call) {
    for (std::size_t i = 0; i < 3; ++i) {
        if (call(triangle.corners[i], triangle.corners[(i + 1) % 3])) { return true; }
    }
    return false;
}
/// The only edge of a wall is its middle line.
template <class Call>
bool any_edge(const ExactWall& wall, const Call& call) {
    return call(wall.from, wall.to);
}

/// All points p with dot(normal, p) <= offset.
template <std::size_t Dim>
struct Side {
    Real<Dim> normal; ///< of unit length
    double offset;
};

/// A convex polygon, in the plane or in space. It may be as flat as a segment, or a point; without
/// corners it is empty.
template <std::size_t Dim>
struct Polygon {
    /// There is room for more than the eighteen corners of a box's face after fourteen cuts.
    std::array<Real<Dim>, 32> corners;
    std::size_t count = 0;
    double size = 0.0; ///< largest coordinate before any cut

    void add(const Real<Dim>& corner) noexcept {
        if (count == corners.size()) { return; } // happens only if rounding has made this concave
        corners[count++] = corner;
        size = std::max(size, size_of(corner));
    }

    /// Keeps only the part on the inner side of `side`.
    void cut(const Side<Dim>& side) noexcept {
        Polygon kept;
        kept.size = size;
        for (std::size_t i = 0; i < count; ++i) {
            const Real<Dim>& here = corners[i];
            const Real<Dim>& next = corners[i + 1 == count ? 0 : i + 1];
            const double room = room_at(side, here), other = room_at(side, next);
            if (room >= 0.0) { kept.add(here); }
            if ((room > 0.0 && other < 0.0) || (room < 0.0 && other > 0.0)) {
                kept.add(along(here, room / (room - other), minus(next, here)));
            }
        }
        *this = kept;
    }

    template <class Call>
    bool any_edge(const Call& call) const {
        for (std::size_t i = 0; i < count; ++i) {
            if (call(corners[i], corners[i + 1 == count ? 0 : i + 1])) { return true; }
        }
        return false;
    }

private:
    /// How far inside a point is: 0 on the side, or no farther from it than the rounding error of
    /// a corner that a cut has made.
    [[nodiscard]] double room_at(const Side<Dim>& side, const Real<Dim>& point) const noexcept {
        const double room = side.offset - dot(side.normal, point);
        return std::abs(room) <= (std::abs(side.offset) + size) * kTouch ? 0.0 : room;
    }
};

/// Calls call(polygon) for each face, until a call returns true; returns whether one did. In the
/// plane a box is its own face.
template <class Call>
bool any_face(const ExactBox<2>& box, const Call& call) {
    Polygon<2> polygon;
    for (const std::size_t corner : {0u, 1u, 3u, 2u}) {
        polygon.add(corner_of(box, corner));
    }
    return call(polygon);
}
template <class Call>
bool any_face(const ExactBox<3>& box, const Call& call) {
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t one = std::size_t{1} << (i + 1) % 3, two = std::size_t{1} << (i + 2) % 3;
        for (const std::size_t base : {std::size_t{0}, std::size_t{1} << i}) {
            Polygon<3> polygon;
            for (const std::size_t corner : {base, base | one, base | one | two, base | two}) {
                polygon.add(corner_of(box, corner));
            }
            if (call(polygon)) { return true; }
        }
    }
    return false;
}
template <class Call>
bool any_face(const ExactTriangle& triangle, const Call& call) {
    Polygon<3> polygon;
    for (const Real<3>& corner : triangle.corners) {
        polygon.add(corner);
    }
    return call(polygon);
}

/// The square of the distance between two segments of the plane that do not cross: one of the four
/// ends is nearest.
[[nodiscard]] inline double apart2(const Real<2>& a, const Real<2>& b, const Real<2>& c,
                                   const Real<2>& d) noexcept {
    const auto from = [](const Real<2>& point, const Real<2>& low, const Real<2>& high) {
        const Real<2> offset = minus(point, nearest_on_segment(low, high, point));
        return dot(offset, offset);
    };
    return std::min({from(a, c, d), from(b, c, d), from(c, a, b), from(d, a, b)});
}

} // namespace throng::obstacle
