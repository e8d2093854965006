// An upright cylinder as a question to obstacles. Internal to the engine.
#pragma once

#include "../../shapes/cylinder.hpp"
#include "outline.hpp"

namespace throng::obstacle {

/// A cylinder in space. In the plane a cylinder is an ExactBox<2>.
struct ExactCylinder {
    Real<3> centre;
    double radius, low, high;
    std::size_t up;
};

[[nodiscard]] inline ExactCylinder body_of(const Cylinder<3>& cylinder) noexcept {
    return {real(cylinder.centre), cylinder.radius, cylinder.low, cylinder.high, cylinder.up};
}
[[nodiscard]] inline ExactBox<2> body_of(const Cylinder<2>& cylinder) noexcept {
    ExactBox<2> box = body_of(Box<2>{});
    const double x = cylinder.centre[0], radius = cylinder.radius;
    box.lo = {x - radius, cylinder.low};
    box.hi = {x + radius, cylinder.high};
    return box;
}

/// Whether a face of an obstacle has a point in common with a cylinder: whether the part of the
/// face in the cylinder's band of heights comes within its radius, seen from above. The place of
/// that part which is nearest to the cylinder's axis is on an edge, unless the axis goes through
/// the part.
template <class Body>
[[nodiscard]] bool meets_a_face(const ExactCylinder& cylinder, const Body& body) noexcept {
    Side<3> top = {{}, cylinder.high}, bottom = {{}, -cylinder.low};
    top.normal[cylinder.up] = 1.0;
    bottom.normal[cylinder.up] = -1.0;
    const std::size_t x = (cylinder.up + 1) % 3, y = (cylinder.up + 2) % 3;
    const auto from_above = [&](const Real<3>& point) { return Real<2>{point[x], point[y]}; };
    const Real<2> centre = from_above(cylinder.centre);
    const double slack = (size_of(body) + size_of(centre) + cylinder.radius) * kTouch;
    const double reach = cylinder.radius + slack;
    const auto is_near = [&](const Polygon<3>& face) {
        Polygon<3> part = face;
        part.cut(top);
        part.cut(bottom);
        bool left = true, right = true;
        double area = 0.0, around = 0.0;
        const bool beside = part.any_edge([&](const Real<3>& from, const Real<3>& to) {
            const Real<2> low = from_above(from), high = from_above(to);
            const Real<2> offset = minus(centre, nearest_on_segment(low, high, centre));
            const double turn = cross(minus(high, low), minus(centre, low));
            left = left && turn >= 0.0;
            right = right && turn <= 0.0;
            area += turn;
            around += sum_of(minus(high, low));
            return std::sqrt(dot(offset, offset)) <= reach;
        });
        // An upright part is a line when seen from above, and any area of it is rounding: only its
        // edges count.
        return beside || (left != right && std::abs(area) > around * slack);
    };
    return any_face(body, is_near);
}
[[nodiscard]] inline bool overlaps(const ExactCylinder& cylinder, const ExactBox<3>& box) noexcept {
    if (cylinder.low > cylinder.high) { return false; }
    const std::size_t up = cylinder.up;
    if (box.turned) {
        // If no face is near, the axis is inside the box at every height or at none. This tests the
        // height of the box's middle, clamped to the band.
        Real<3> middle = cylinder.centre;
        middle[up] = std::min(std::max(box.origin[up], cylinder.low), cylinder.high);
        return surface_of(box, middle).distance <= 0.0 || meets_a_face(cylinder, box);
    }
    if (box.lo[up] > cylinder.high || cylinder.low > box.hi[up]) { return false; }
    double square = 0.0;
    for (const std::size_t a : {(up + 1) % 3, (up + 2) % 3}) {
        const double at = cylinder.centre[a];
        const double offset = at - std::min(std::max(at, box.lo[a]), box.hi[a]);
        square += offset * offset;
    }
    return std::sqrt(square) <= cylinder.radius * (1.0 + kTouch);
}
[[nodiscard]] inline bool overlaps(const ExactCylinder& cylinder,
                                   const ExactTriangle& triangle) noexcept {
    return cylinder.low <= cylinder.high && meets_a_face(cylinder, triangle);
}

} // namespace throng::obstacle
