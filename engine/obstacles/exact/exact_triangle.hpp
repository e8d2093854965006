// The definition of a triangle in space as an obstacle. Internal to the engine.
#pragma once

#include "../obstacle_shapes.hpp"
#include "exact_box.hpp"
#include "real.hpp"

namespace throng::obstacle {

struct ExactTriangle {
    std::array<Real<3>, 3> corners;
    Real<3> normal; ///< not of unit length; zero for a segment or a point
};

[[nodiscard]] inline ExactTriangle body_of(const Triangle& triangle) noexcept {
    ExactTriangle body;
    for (std::size_t i = 0; i < 3; ++i) {
        body.corners[i] = real(triangle.corners[i]);
    }
    body.normal =
        cross(minus(body.corners[1], body.corners[0]), minus(body.corners[2], body.corners[0]));
    return body;
}

[[nodiscard]] inline double size_of(const ExactTriangle& triangle) noexcept {
    return std::max(
        {size_of(triangle.corners[0]), size_of(triangle.corners[1]), size_of(triangle.corners[2])});
}

/// The unit normal, on the side from which the corners go round counterclockwise. For a segment or
/// a point, it is along x.
[[nodiscard]] inline Real<3> unit_normal(const ExactTriangle& triangle) noexcept {
    const double length = std::sqrt(dot(triangle.normal, triangle.normal));
    return length > 0.0 ? scaled(triangle.normal, 1.0 / length) : Real<3>{1.0, 0.0, 0.0};
}

/// Whether a point lies over the triangle, seen along its normal: on the inner side of each edge,
/// or on it.
[[nodiscard]] inline bool is_over(const ExactTriangle& triangle, const Real<3>& point) noexcept {
    bool over = dot(triangle.normal, triangle.normal) > 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
        const Real<3>& from = triangle.corners[i];
        const Real<3> edge = minus(triangle.corners[(i + 1) % 3], from);
        over = over && dot(cross(edge, minus(point, from)), triangle.normal) >= 0.0;
    }
    return over;
}

[[nodiscard]] inline Surface<3> surface_of(const ExactTriangle& triangle,
                                           const Real<3>& point) noexcept {
    const Real<3> upright = unit_normal(triangle);
    const double slack = (size_of(triangle) + size_of(point)) * kTouch;
    if (is_over(triangle, point)) {
        const double height = dot(minus(point, triangle.corners[0]), upright);
        const double distance = std::abs(height);
        return {distance > slack ? distance : 0.0, along(point, -height, upright),
                height < -slack ? scaled(upright, -1.0) : upright};
    }
    Real<3> core{};
    double nearest = kNever;
    for (std::size_t i = 0; i < 3; ++i) {
        const Real<3> on_edge =
            nearest_on_segment(triangle.corners[i], triangle.corners[(i + 1) % 3], point);
        const Real<3> offset = minus(point, on_edge);
        if (const double square = dot(offset, offset); square < nearest) {
            nearest = square;
            core = on_edge;
        }
    }
    return surface_around(point, core, 0.0, slack, [&] { return upright; });
}

/// A triangle in the terms of a path's test.
struct TriangleAhead {
    std::array<Real<3>, 3> corners; ///< relative to the start of the path
    std::array<double, 3> volumes;  ///< triple products of the way, a corner and the next

    TriangleAhead(const ExactTriangle& triangle, const Path<3>& path) noexcept {
        for (std::size_t i = 0; i < 3; ++i) {
            corners[i] = minus(triangle.corners[i], path.from);
        }
        for (std::size_t i = 0; i < 3; ++i) {
            volumes[i] = dot(path.way, cross(corners[i], corners[(i + 1) % 3]));
        }
    }
};

/// When the centre of a path crosses the triangle's face. The products of an edge that two
/// triangles have in common are the same to the bit except for their sign, so no path slips through
/// between the two.
[[nodiscard]] inline double entry_of_face(const ExactTriangle& triangle, const Path<3>& path,
                                          const TriangleAhead& ahead) noexcept {
    bool above = true, below = true;
    for (const double volume : ahead.volumes) {
        above = above && volume >= 0.0;
        below = below && volume <= 0.0;
    }
    if (!above && !below) { return kNever; }
    const double nearing = dot(path.way, triangle.normal);
    if (nearing == 0.0) { return kNever; }
    const double time = dot(ahead.corners[0], triangle.normal) / nearing;
    return time >= 0.0 && time <= path.length ? time + 0.0 : kNever;
}

/// When a path with a radius that begins away from a triangle first touches it. The ball touches
/// the triangle when its centre enters the thickened triangle, a tube around an edge, or a ball
/// around a corner.
[[nodiscard]] inline double entry_of(const ExactTriangle& triangle, const Path<3>& path) noexcept {
    const double reach = path.radius;
    double first = kNever;
    const Real<3> upright = unit_normal(triangle);
    const double height = dot(minus(path.from, triangle.corners[0]), upright);
    const double nearing = dot(path.way, upright);
    if (std::abs(height) >= reach && nearing != 0.0) {
        const double time = ((height < 0.0 ? -reach : reach) - height) / nearing;
        if (time >= 0.0 && time <= path.length &&
            is_over(triangle, along(path.from, time, path.way))) {
            return time + 0.0; // no other part is touched earlier
        }
    }
    for (std::size_t i = 0; i < 3; ++i) {
        const Real<3>& from = triangle.corners[i];
        first = std::min(first, entry_of_ball(path, from, reach));
        first = std::min(first, entry_of_tube(path, from, triangle.corners[(i + 1) % 3], reach));
    }
    return first;
}

/// Whether only the face decides if a path touches a triangle: the path has no radius, its ends are
/// too far from the plane to touch, and it passes all edges and corners too far away to touch.
/// Things that touch are less than 2^-45 of the coordinates apart, and each sum of products is off
/// by less than 2^-48 of the largest product.
[[nodiscard]] inline bool is_only_for_face(const ExactTriangle& triangle, const Path<3>& path,
                                           const TriangleAhead& ahead) noexcept {
    const double far =
        sum_of(ahead.corners[0]) + sum_of(ahead.corners[1]) + sum_of(ahead.corners[2]);
    const double off = (far + sum_of(path.from)) * 0x1p-40;
    const double least = off * sum_of(path.way) * far;
    const double begin = dot(ahead.corners[0], triangle.normal);
    const double end = begin - path.length * dot(path.way, triangle.normal);
    const double beside = off * sum_of(triangle.normal);
    bool sure = std::min(std::abs(begin), std::abs(end)) > beside;
    for (const double volume : ahead.volumes) {
        sure = sure & (std::abs(volume) > least);
    }
    return sure && !(path.radius > 0.0);
}

/// The first time at which a path touches any part of a triangle: 0 if the path begins there.
[[nodiscard]] inline double first_touch_of_all(const ExactTriangle& triangle, const Path<3>& path,
                                               const TriangleAhead& ahead) noexcept {
    const double slack = (size_of(triangle) + size_of(path.from) + path.radius) * kTouch;
    if (surface_of(triangle, path.from).distance <= path.radius + slack) { return 0.0; }
    if (!(path.radius > 0.0)) {
        // For a small triangle far away, rounding may leave nothing of the volumes, so the point
        // found is checked.
        const double time = entry_of_face(triangle, path, ahead);
        if (time != kNever &&
            surface_of(triangle, along(path.from, time, path.way)).distance <= slack) {
            return time;
        }
    }
    return entry_of(triangle, with_slack(path, slack));
}

/// Does the same as first_touch_of_all(), but faster: nearly all paths without a radius meet the
/// face or nothing, and need not be compared with edges.
[[nodiscard]] inline double first_touch(const ExactTriangle& triangle,
                                        const Path<3>& path) noexcept {
    const TriangleAhead ahead(triangle, path);
    return is_only_for_face(triangle, path, ahead) ? entry_of_face(triangle, path, ahead)
                                                   : first_touch_of_all(triangle, path, ahead);
}

/// Whether a box and a triangle have a point in common: no side of the box, nor the plane of the
/// triangle, nor a pair of edges, separates them.
[[nodiscard]] inline bool overlaps(const ExactBox<3>& box, const ExactTriangle& triangle) noexcept {
    std::array<Real<3>, 3> corners;
    for (std::size_t i = 0; i < 3; ++i) {
        corners[i] = box.inside(triangle.corners[i]);
    }
    const double slack = ((box.turned ? size_of(box) : 0.0) + size_of(triangle)) * kTouch;
    // Only the part of the box beside the triangle is tested: in sums with a far side, doubles
    // would lose the small distances that matter.
    Real<3> middle, half;
    for (std::size_t a = 0; a < 3; ++a) {
        const double low =
            std::max(box.lo[a], std::min({corners[0][a], corners[1][a], corners[2][a]}));
        const double high =
            std::min(box.hi[a], std::max({corners[0][a], corners[1][a], corners[2][a]}));
        if (low > high + slack) { return false; }
        middle[a] = 0.5 * low + 0.5 * high;
        half[a] = std::max(0.5 * (high - low), 0.0) + slack;
    }
    const auto separates = [&](const Real<3>& axis) {
        double low = kNever, high = -kNever;
        for (const Real<3>& corner : corners) {
            const double at = dot(minus(corner, middle), axis);
            low = std::min(low, at);
            high = std::max(high, at);
        }
        const double wide =
            std::abs(axis[0]) * half[0] + std::abs(axis[1]) * half[1] + std::abs(axis[2]) * half[2];
        return low > wide || high < -wide;
    };
    const Real<3> first = minus(corners[1], corners[0]);
    if (separates(cross(first, minus(corners[2], corners[0])))) { return false; }
    for (std::size_t i = 0; i < 3; ++i) {
        const Real<3> edge = minus(corners[(i + 1) % 3], corners[i]);
        for (std::size_t a = 0; a < 3; ++a) {
            Real<3> axis{};
            axis[a] = 1.0;
            if (separates(cross(axis, edge))) { return false; }
        }
    }
    return true;
}

} // namespace throng::obstacle
