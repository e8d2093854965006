// A convex region as a question to obstacles. Internal to the engine.
#pragma once

#include "../../shapes/convex.hpp"
#include "outline.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

namespace throng::obstacle {

template <std::size_t Dim>
struct ExactRegion {
    static constexpr std::size_t kMost = Convex<Dim>::kMostSides + 2 * Dim;

    std::array<Side<Dim>, kMost> sides; ///< the sides of the bounds come last
    std::size_t count = 0;
    Real<Dim> lo, hi; ///< the bounds

    // Whether the region has a corner, and one of its corners. Computed when a box may hold the
    // whole region for the first time.
    mutable std::optional<bool> has_corner;
    mutable Real<Dim> corner{};

    void add(const Real<Dim>& normal, double offset) noexcept { sides[count++] = {normal, offset}; }
    void cut(Polygon<Dim>& polygon) const noexcept {
        for (std::size_t s = 0; s < count && polygon.count != 0; ++s) {
            polygon.cut(sides[s]);
        }
    }
};

template <std::size_t Dim>
[[nodiscard]] ExactRegion<Dim> body_of(const Convex<Dim>& convex) noexcept {
    ExactRegion<Dim> region;
    region.lo = real(convex.bounds.lo);
    region.hi = real(convex.bounds.hi);
    for (std::size_t s = 0; s < convex.count; ++s) {
        const Real<Dim> normal = real(convex.sides[s].normal);
        const double largest = size_of(normal);
        const Real<Dim> way = scaled(normal, 1.0 / largest);
        const double length = std::sqrt(dot(way, way));
        region.add(scaled(way, 1.0 / length), convex.sides[s].offset / largest / length);
    }
    for (std::size_t a = 0; a < Dim; ++a) {
        Real<Dim> up{}, down{};
        up[a] = 1.0;
        down[a] = -1.0;
        region.add(up, region.hi[a]);
        region.add(down, -region.lo[a]);
    }
    return region;
}

/// Whether a region has a corner: a point where three sides meet and which is within all others.
/// Keeps the corner with the sides that are steepest to each other, since it is the most exact.
[[nodiscard]] inline bool has_corner(const ExactRegion<3>& region) noexcept {
    if (region.has_corner) { return *region.has_corner; }
    double most = 1e-15; // anything less may be rounding alone
    for (std::size_t i = 0; i < region.count; ++i) {
        for (std::size_t j = i + 1; j < region.count; ++j) {
            for (std::size_t k = j + 1; k < region.count; ++k) {
                const Side<3>&a = region.sides[i], &b = region.sides[j], &c = region.sides[k];
                const Real<3> bc = cross(b.normal, c.normal);
                const double volume = dot(a.normal, bc);
                if (std::abs(volume) <= most) { continue; }
                Real<3> point = scaled(bc, a.offset / volume);
                point = along(point, b.offset / volume, cross(c.normal, a.normal));
                point = along(point, c.offset / volume, cross(a.normal, b.normal));
                Polygon<3> inside;
                inside.add(point);
                for (std::size_t s = 0; s < region.count && inside.count != 0; ++s) {
                    if (s != i && s != j && s != k) { inside.cut(region.sides[s]); }
                }
                if (inside.count == 0) { continue; }
                most = std::abs(volume);
                region.corner = point;
            }
        }
    }
    return *(region.has_corner = most > 1e-15);
}

template <std::size_t Dim, class Body>
[[nodiscard]] bool meets_a_face(const ExactRegion<Dim>& region, const Body& body) noexcept {
    return any_face(body, [&](const Polygon<Dim>& face) {
        Polygon<Dim> part = face;
        region.cut(part);
        return part.count != 0;
    });
}

/// Whether an obstacle and a region have a point in common: a part of a face is in the region, or
/// in space the whole region is inside a box. In the plane a box is its own face.
template <std::size_t Dim>
[[nodiscard]] bool overlaps(const ExactRegion<Dim>& region, const ExactBox<Dim>& box) noexcept {
    const ExactBox<Dim> part = part_within(box, region.lo, region.hi);
    if (is_empty(part)) { return false; }
    if (meets_a_face(region, part)) { return true; }
    if constexpr (Dim == 3) {
        return has_corner(region) && surface_of(part, region.corner).distance <= 0.0;
    }
    return false;
}
[[nodiscard]] inline bool overlaps(const ExactRegion<3>& region,
                                   const ExactTriangle& triangle) noexcept {
    return meets_a_face(region, triangle);
}
/// Whether the middle line of a wall comes within half its thickness of a region. Only the part of
/// the region around the wall is tested.
[[nodiscard]] inline bool overlaps(const ExactRegion<2>& region, const ExactWall& wall) noexcept {
    ExactBox<2> around = body_of(Box<2>{});
    for (std::size_t a = 0; a < 2; ++a) {
        around.lo[a] = std::min(wall.from[a], wall.to[a]) - wall.reach;
        around.hi[a] = std::max(wall.from[a], wall.to[a]) + wall.reach;
    }
    around = part_within(around, region.lo, region.hi);
    if (is_empty(around)) { return false; }
    Polygon<2> line;
    line.add(wall.from);
    line.add(wall.to);
    region.cut(line);
    if (line.count != 0) { return true; }
    const double reach = wall.reach + size_of(wall) * kTouch;
    return any_face(around, [&](const Polygon<2>& face) {
        Polygon<2> part = face;
        region.cut(part);
        return part.any_edge([&](const Real<2>& from, const Real<2>& to) {
            return std::sqrt(apart2(from, to, wall.from, wall.to)) <= reach;
        });
    });
}

} // namespace throng::obstacle
