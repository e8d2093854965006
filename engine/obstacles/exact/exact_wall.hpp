// The definition of a wall as an obstacle. Internal to the engine.
#pragma once

#include "../obstacle_shapes.hpp"
#include "exact_box.hpp"
#include "real.hpp"

namespace throng::obstacle {

struct ExactWall {
    Real<2> from, to;
    double reach; ///< half the thickness
};

[[nodiscard]] inline ExactWall body_of(const Wall& wall) noexcept {
    return {real(wall.from), real(wall.to), 0.5 * double{wall.thickness}};
}

[[nodiscard]] inline double size_of(const ExactWall& wall) noexcept {
    return std::max(size_of(wall.from), size_of(wall.to)) + wall.reach;
}

/// The unit vector to the left of the middle line; along x if the wall is a disc.
[[nodiscard]] inline Real<2> left_of(const ExactWall& wall) noexcept {
    const Real<2> way = minus(wall.to, wall.from);
    const double length = std::sqrt(dot(way, way));
    return length > 0.0 ? Real<2>{-way[1] / length, way[0] / length} : Real<2>{1.0, 0.0};
}

/// If the point lies on the middle line, the normal points to the left.
[[nodiscard]] inline Surface<2> surface_of(const ExactWall& wall, const Real<2>& point) noexcept {
    const Real<2> core = nearest_on_segment(wall.from, wall.to, point);
    const double slack = (size_of(wall) + size_of(point)) * kTouch;
    return surface_around(point, core, wall.reach, slack, [&] { return left_of(wall); });
}

/// When a path that begins away from a wall first touches it: one of its two long sides, or a ball
/// around an end.
[[nodiscard]] inline double entry_of(const ExactWall& wall, const Path<2>& path) noexcept {
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

/// The first time at which a path touches a wall: 0 if the path begins there.
[[nodiscard]] inline double first_touch(const ExactWall& wall, const Path<2>& path) noexcept {
    const double slack = (size_of(wall) + size_of(path.from) + path.radius) * kTouch;
    const double reach = wall.reach + path.radius + slack;
    const Real<2> offset = minus(path.from, nearest_on_segment(wall.from, wall.to, path.from));
    if (dot(offset, offset) <= reach * reach) { return 0.0; }
    return entry_of(wall, with_slack(path, slack));
}

/// Whether a box and a wall have a point in common: the middle line meets the box, or comes within
/// reach of a corner, or ends within reach of the box. A box along the axes needs no slack for its
/// own size.
[[nodiscard]] inline bool overlaps(const ExactBox<2>& box, const ExactWall& wall) noexcept {
    const double slack = (size_of(wall) + (box.turned ? size_of(box) : 0.0)) * kTouch;
    const double reach = wall.reach + slack;
    const ExactBox<2> wide = grown(box, slack);
    const Real<2> from = box.inside(wall.from);
    const Real<2> to = box.inside(wall.to);
    if (entry_of_slabs({from, minus(to, from)}, wide.lo, wide.hi) != kNever) { return true; }
    if (is_within(box, wall.from, reach) || is_within(box, wall.to, reach)) { return true; }
    for (std::size_t c = 0; c < 4; ++c) {
        const Real<2> corner = {(c & 1u) != 0 ? box.hi[0] : box.lo[0],
                                (c & 2u) != 0 ? box.hi[1] : box.lo[1]};
        const Real<2> offset = minus(corner, nearest_on_segment(from, to, corner));
        if (dot(offset, offset) <= reach * reach) { return true; }
    }
    return false;
}

} // namespace throng::obstacle
