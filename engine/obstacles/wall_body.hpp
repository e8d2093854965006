// The definition of a wall as an obstacle. Internal to the engine.
#pragma once

#include "box_body.hpp"
#include "obstacle_shapes.hpp"
#include "real.hpp"

namespace throng::obstacle {

struct WallBody {
    Real<2> from, to;
    double reach; ///< half the thickness
};

[[nodiscard]] inline WallBody body_of(const Wall& wall) noexcept {
    return {real(wall.from), real(wall.to), 0.5 * double{wall.thickness}};
}

/// Where a point lies on the middle line, the normal points to the left of it; for a disc, along x.
[[nodiscard]] inline Surface<2> surface_of(const WallBody& wall, const Real<2>& point) noexcept {
    const Real<2> core = nearest_on_segment(wall.from, wall.to, point);
    Real<2> left = {1.0, 0.0};
    if (point == core) {
        const Real<2> way = minus(wall.to, wall.from);
        const double length = std::sqrt(dot(way, way));
        if (length > 0.0) { left = {-way[1] / length, way[0] / length}; }
    }
    return surface_around(point, core, wall.reach, left);
}

/// When a path that begins away from a wall first touches it: one of its two long sides, or a ball
/// around an end.
[[nodiscard]] inline double entry_of(const WallBody& wall, const Path<2>& path) noexcept {
    const double reach = wall.reach + path.radius;
    double first = entry_of_ball(path, wall.from, reach);
    const Real<2> axis = minus(wall.to, wall.from);
    const double axis2 = dot(axis, axis);
    if (!(axis2 > 0.0)) { return first; }
    first = std::min(first, entry_of_ball(path, wall.to, reach));
    const Real<2> offset = minus(path.from, wall.from);
    const double beside = cross(axis, offset); // times the length of the axis
    const double wide = reach * std::sqrt(axis2);
    const double nearing = cross(axis, path.way);
    // A path that begins between the long sides comes in at an end.
    if (std::abs(beside) < wide || nearing == 0.0) { return first; }
    const double time = ((beside < 0.0 ? -wide : wide) - beside) / nearing;
    if (!(time >= 0.0 && time <= path.length)) { return first; }
    const double there = dot(along(offset, time, path.way), axis);
    return there >= 0.0 && there <= axis2 ? std::min(first, time + 0.0) : first;
}

/// Whether a box and a wall have a point in common: the middle line meets the box, or comes within
/// reach of a corner, or ends within reach of the box.
[[nodiscard]] inline bool overlaps(const BoxBody<2>& box, const WallBody& wall) noexcept {
    const Real<2> from = box.inside(wall.from);
    const Real<2> to = box.inside(wall.to);
    if (entry_of_slabs({from, minus(to, from)}, box.lo, box.hi) != kNever) { return true; }
    if (surface_of(box, wall.from).distance <= wall.reach) { return true; }
    if (surface_of(box, wall.to).distance <= wall.reach) { return true; }
    for (std::size_t c = 0; c < 4; ++c) {
        const Real<2> corner = {(c & 1u) != 0 ? box.hi[0] : box.lo[0],
                                (c & 2u) != 0 ? box.hi[1] : box.lo[1]};
        const Real<2> offset = minus(corner, nearest_on_segment(from, to, corner));
        if (std::sqrt(dot(offset, offset)) <= wall.reach) { return true; }
    }
    return false;
}

} // namespace throng::obstacle
