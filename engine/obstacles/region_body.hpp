// A convex region, as obstacles are asked by it. Internal to the engine.
#pragma once

#include "../shapes/convex.hpp"
#include "outline.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace throng::obstacle {

template <std::size_t Dim>
struct RegionBody {
    static constexpr std::size_t kMost = Convex<Dim>::kMostSides + 2 * Dim;

    std::array<Side<Dim>, kMost> sides; ///< those of the bounds come last
    std::size_t count = 0;
    Real<Dim> corner; ///< one of the region's, if it has any
    bool has_corner = false;

    void cut(Polygon<Dim>& polygon) const noexcept {
        for (std::size_t s = 0; s < count && polygon.count != 0; ++s) {
            polygon.cut(sides[s]);
        }
    }
};

/// The point on `Dim` sides, if there is one.
[[nodiscard]] inline bool meet(const std::array<const Side<2>*, 2>& sides,
                               Real<2>& point) noexcept {
    const Side<2>&a = *sides[0], &b = *sides[1];
    const double turn = cross(a.normal, b.normal);
    point = {(a.offset * b.normal[1] - b.offset * a.normal[1]) / turn,
             (b.offset * a.normal[0] - a.offset * b.normal[0]) / turn};
    return std::abs(turn) > 1e-15;
}
[[nodiscard]] inline bool meet(const std::array<const Side<3>*, 3>& sides,
                               Real<3>& point) noexcept {
    const Side<3>&a = *sides[0], &b = *sides[1], &c = *sides[2];
    const Real<3> bc = cross(b.normal, c.normal);
    const double volume = dot(a.normal, bc);
    point = scaled(bc, a.offset / volume);
    point = along(point, b.offset / volume, cross(c.normal, a.normal));
    point = along(point, c.offset / volume, cross(a.normal, b.normal));
    return std::abs(volume) > 1e-15;
}

template <std::size_t Dim>
[[nodiscard]] RegionBody<Dim> body_of(const Convex<Dim>& convex) noexcept {
    RegionBody<Dim> region;
    for (std::size_t s = 0; s < convex.count; ++s) {
        const Real<Dim> normal = real(convex.sides[s].normal);
        double largest = 0.0;
        for (const double x : normal) {
            largest = std::max(largest, std::abs(x));
        }
        const Real<Dim> way = scaled(normal, 1.0 / largest);
        const double length = std::sqrt(dot(way, way));
        region.sides[region.count++] = {scaled(way, 1.0 / length),
                                        convex.sides[s].offset / largest / length};
    }
    for (std::size_t a = 0; a < Dim; ++a) {
        Real<Dim> up{}, down{};
        up[a] = 1.0;
        down[a] = -1.0;
        region.sides[region.count++] = {up, convex.bounds.hi[a]};
        region.sides[region.count++] = {down, -double{convex.bounds.lo[a]}};
    }
    // A corner is where as many sides meet as there are axes, within all others.
    const auto try_corner = [&](const std::array<const Side<Dim>*, Dim>& sides) {
        Real<Dim> point;
        if (region.has_corner || !meet(sides, point)) { return; }
        Polygon<Dim> corner;
        corner.add(point);
        for (std::size_t s = 0; s < region.count && corner.count != 0; ++s) {
            const Side<Dim>* const side = &region.sides[s];
            if (std::find(sides.begin(), sides.end(), side) == sides.end()) { corner.cut(*side); }
        }
        if (corner.count == 0) { return; }
        region.corner = point;
        region.has_corner = true;
    };
    for (std::size_t i = 0; i < region.count; ++i) {
        for (std::size_t j = i + 1; j < region.count; ++j) {
            if constexpr (Dim == 2) {
                try_corner({&region.sides[i], &region.sides[j]});
            } else {
                for (std::size_t k = j + 1; k < region.count; ++k) {
                    try_corner({&region.sides[i], &region.sides[j], &region.sides[k]});
                }
            }
        }
    }
    return region;
}

/// Whether an obstacle and a region have a point in common: some of a face is in the region, or all
/// of the region is inside of a box.
template <std::size_t Dim, class Body>
[[nodiscard]] bool overlaps(const RegionBody<Dim>& region, const Body& body) noexcept {
    const bool meets = any_face(body, [&](const Polygon<Dim>& face) {
        Polygon<Dim> part = face;
        region.cut(part);
        return part.count != 0;
    });
    if (meets) { return true; }
    if constexpr (std::is_same_v<Body, BoxBody<Dim>>) {
        return region.has_corner && surface_of(body, region.corner).distance <= 0.0;
    }
    return false;
}
/// The middle line comes within half the thickness of what the region has around the wall.
[[nodiscard]] inline bool overlaps(const RegionBody<2>& region, const WallBody& wall) noexcept {
    BoxBody<2> around = body_of(Box<2>{});
    for (std::size_t a = 0; a < 2; ++a) {
        around.lo[a] = std::min(wall.from[a], wall.to[a]) - wall.reach;
        around.hi[a] = std::max(wall.from[a], wall.to[a]) + wall.reach;
    }
    Polygon<2> line;
    line.add(wall.from);
    line.add(wall.to);
    region.cut(line);
    if (line.count != 0) { return true; }
    return any_face(around, [&](const Polygon<2>& face) {
        Polygon<2> part = face;
        region.cut(part);
        return part.any_edge([&](const Real<2>& from, const Real<2>& to) {
            return std::sqrt(apart2(from, to, wall.from, wall.to)) <= wall.reach;
        });
    });
}

} // namespace throng::obstacle
