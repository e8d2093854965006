// An upright cylinder, as obstacles are asked by it. Internal to the engine.
#pragma once

#include "../shapes/cylinder.hpp"
#include "outline.hpp"

namespace throng::obstacle {

/// In space; in the plane a cylinder is a box.
struct CylinderBody {
    Real<3> centre;
    double radius, low, high;
    std::size_t up;
};

[[nodiscard]] inline CylinderBody body_of(const Cylinder<3>& cylinder) noexcept {
    return {real(cylinder.centre), cylinder.radius, cylinder.low, cylinder.high, cylinder.up};
}
[[nodiscard]] inline BoxBody<2> body_of(const Cylinder<2>& cylinder) noexcept {
    BoxBody<2> box = body_of(Box<2>{});
    const double x = cylinder.centre[0], radius = cylinder.radius;
    box.lo = {x - radius, cylinder.low};
    box.hi = {x + radius, cylinder.high};
    return box;
}

/// What of an obstacle may be in a cylinder.
[[nodiscard]] inline BoxBody<3> part_near(const BoxBody<3>& box,
                                          const CylinderBody& cylinder) noexcept {
    const double wide = cylinder.radius + (cylinder.radius + size_of(cylinder.centre)) * kRounded;
    Real<3> low, high;
    for (std::size_t a = 0; a < 3; ++a) {
        low[a] = a == cylinder.up ? cylinder.low : cylinder.centre[a] - wide;
        high[a] = a == cylinder.up ? cylinder.high : cylinder.centre[a] + wide;
    }
    return part_within(box, low, high);
}

/// Whether an obstacle and a cylinder have a point in common: some face has a part in the band of
/// heights that comes within the radius, seen from above. What is nearest there is a corner or an
/// edge of that part, unless the axis goes through it or lies inside of the obstacle.
template <class Body>
[[nodiscard]] bool overlaps_where_near(const CylinderBody& cylinder, const Body& body) noexcept {
    Side<3> top = {{}, cylinder.high}, bottom = {{}, -cylinder.low};
    top.normal[cylinder.up] = 1.0;
    bottom.normal[cylinder.up] = -1.0;
    const std::size_t x = (cylinder.up + 1) % 3, y = (cylinder.up + 2) % 3;
    const auto from_above = [&](const Real<3>& point) { return Real<2>{point[x], point[y]}; };
    const Real<2> centre = from_above(cylinder.centre);
    const double slack = (size_of(body) + size_of(centre) + cylinder.radius) * kRounded;
    const double reach = cylinder.radius + slack;
    const auto is_near = [&](const Polygon<3>& face) {
        Polygon<3> part = face;
        part.cut(top);
        part.cut(bottom);
        bool left = true, right = true;
        const bool beside = part.any_edge([&](const Real<3>& from, const Real<3>& to) {
            const Real<2> low = from_above(from), high = from_above(to);
            const Real<2> offset = minus(centre, nearest_on_segment(low, high, centre));
            const double turn = cross(minus(high, low), minus(centre, low));
            left = left && turn >= 0.0;
            right = right && turn <= 0.0;
            return std::sqrt(dot(offset, offset)) <= reach;
        });
        // A part that is upright has no inside from above: its edges are all that there is.
        return beside || (part.count > 2 && left != right);
    };
    if (any_face(body, is_near)) { return true; }
    if constexpr (std::is_same_v<Body, BoxBody<3>>) {
        Real<3> middle = cylinder.centre;
        middle[cylinder.up] = cylinder.low;
        return surface_of(body, middle).distance <= slack;
    }
    return false;
}
[[nodiscard]] inline bool overlaps(const CylinderBody& cylinder, const BoxBody<3>& box) noexcept {
    const BoxBody<3> part = part_near(box, cylinder);
    return cylinder.low <= cylinder.high && !is_empty(part) && overlaps_where_near(cylinder, part);
}
[[nodiscard]] inline bool overlaps(const CylinderBody& cylinder,
                                   const TriangleBody& triangle) noexcept {
    return cylinder.low <= cylinder.high && overlaps_where_near(cylinder, triangle);
}

} // namespace throng::obstacle
