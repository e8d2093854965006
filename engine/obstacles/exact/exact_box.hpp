// The definition of a box, turned or not, as an obstacle. Internal to the engine.
#pragma once

#include "../../agents/box.hpp"
#include "../../shapes/oriented_box.hpp"
#include "real.hpp"

namespace throng::obstacle {

/// All points `origin` + the sum of t[i] * axis[i] with lo[i] <= t[i] <= hi[i].
template <std::size_t Dim>
struct ExactBox {
    Real<Dim> origin{};
    std::array<Real<Dim>, Dim> axis{};
    Real<Dim> lo{}, hi{};
    bool turned = false; ///< if not, world and box have the same coordinates

    [[nodiscard]] Real<Dim> inside(const Real<Dim>& world) const noexcept {
        return turned ? turned_in(minus(world, origin)) : world;
    }
    [[nodiscard]] Real<Dim> turned_in(const Real<Dim>& way) const noexcept {
        if (!turned) { return way; }
        Real<Dim> made;
        for (std::size_t i = 0; i < Dim; ++i) {
            made[i] = dot(way, axis[i]);
        }
        return made;
    }
    [[nodiscard]] Real<Dim> turned_out(const Real<Dim>& way) const noexcept {
        if (!turned) { return way; }
        Real<Dim> made{};
        for (std::size_t i = 0; i < Dim; ++i) {
            made = along(made, way[i], axis[i]);
        }
        return made;
    }
    [[nodiscard]] Real<Dim> outside(const Real<Dim>& local) const noexcept {
        return turned ? along(origin, 1.0, turned_out(local)) : local;
    }
};

template <std::size_t Dim>
[[nodiscard]] ExactBox<Dim> body_of(const Box<Dim>& box) noexcept {
    ExactBox<Dim> body;
    for (std::size_t i = 0; i < Dim; ++i) {
        body.axis[i][i] = 1.0;
    }
    body.lo = real(box.lo);
    body.hi = real(box.hi);
    return body;
}

/// The axes follow the half edges, each made exactly perpendicular to the axes before it. An edge
/// of no length gets an axis perpendicular to the others.
template <std::size_t Dim>
[[nodiscard]] ExactBox<Dim> body_of(const OrientedBox<Dim>& box) noexcept {
    ExactBox<Dim> body;
    body.turned = true;
    body.origin = real(box.centre);
    std::array<bool, Dim> made{};
    const auto upright = [&](Real<Dim> edge, std::size_t i) {
        for (std::size_t j = 0; j < Dim; ++j) {
            if (made[j]) { edge = along(edge, -dot(edge, body.axis[j]), body.axis[j]); }
        }
        const double length = std::sqrt(dot(edge, edge));
        body.axis[i] = scaled(edge, 1.0 / length);
        made[i] = true;
    };
    for (std::size_t i = 0; i < Dim; ++i) {
        const Real<Dim> edge = real(box.half_edges[i]);
        const double length = std::sqrt(dot(edge, edge));
        body.hi[i] = length;
        body.lo[i] = -length;
        if (length > 0.0) { upright(scaled(edge, 1.0 / length), i); }
    }
    for (std::size_t i = 0; i < Dim; ++i) {
        if (made[i]) { continue; }
        // The world axis that points least along the axes made so far.
        std::size_t best = 0;
        double least = kNever;
        for (std::size_t a = 0; a < Dim; ++a) {
            double sum = 0.0;
            for (std::size_t j = 0; j < Dim; ++j) {
                if (made[j]) { sum += body.axis[j][a] * body.axis[j][a]; }
            }
            if (sum < least) {
                least = sum;
                best = a;
            }
        }
        Real<Dim> edge{};
        edge[best] = 1.0;
        upright(edge, i);
    }
    return body;
}

/// An upper bound of the absolute coordinates of a box.
template <std::size_t Dim>
[[nodiscard]] double size_of(const ExactBox<Dim>& box) noexcept {
    double size = size_of(box.origin);
    for (std::size_t i = 0; i < Dim; ++i) {
        size += std::max(std::abs(box.lo[i]), std::abs(box.hi[i]));
    }
    return size;
}

/// How far a point with coordinates up to `size` may be from a box and still touch it. The sides of
/// a box that is not turned are floats, and compared exactly.
template <std::size_t Dim>
[[nodiscard]] double slack_of(const ExactBox<Dim>& box, double size) noexcept {
    return box.turned ? (size_of(box) + size) * kTouch : 0.0;
}

template <std::size_t Dim>
[[nodiscard]] Surface<Dim> surface_of(const ExactBox<Dim>& box, const Real<Dim>& point) noexcept {
    const Real<Dim> local = box.inside(point);
    const double slack = slack_of(box, size_of(point));
    Real<Dim> nearest, offset;
    for (std::size_t i = 0; i < Dim; ++i) {
        nearest[i] = std::min(std::max(local[i], box.lo[i]), box.hi[i]);
        offset[i] = local[i] - nearest[i];
        if (box.turned && !(std::abs(offset[i]) > slack)) { offset[i] = 0.0; }
    }
    const double square = dot(offset, offset);
    if (square > 0.0) {
        const double distance = std::sqrt(square);
        return {distance, box.outside(nearest), box.turned_out(scaled(offset, 1.0 / distance))};
    }
    // Inside, the way out is through the nearest side; among equals, the upper one of the first
    // axis.
    double depth = kNever;
    std::size_t side = 0;
    bool upper = true;
    for (std::size_t i = 0; i < Dim; ++i) {
        const double up = box.hi[i] - local[i];
        const double down = local[i] - box.lo[i];
        if (std::min(up, down) < depth - slack) {
            depth = std::min(up, down);
            side = i;
            upper = up <= down + slack;
        }
    }
    nearest[side] = upper ? box.hi[side] : box.lo[side];
    Real<Dim> normal{};
    normal[side] = upper ? 1.0 : -1.0;
    return {depth > slack ? -depth : 0.0, box.outside(nearest), box.turned_out(normal)};
}

/// The time at which a path, given in the coordinates of a box, enters the box: 0 if it begins
/// inside, kNever if it misses.
template <std::size_t Dim>
[[nodiscard]] double entry_of_slabs(const Path<Dim>& path, const Real<Dim>& lo,
                                    const Real<Dim>& hi) noexcept {
    double enter = 0.0;
    double exit = path.length;
    for (std::size_t i = 0; i < Dim; ++i) {
        const double way = path.way[i];
        const double down = lo[i] - path.from[i];
        const double up = hi[i] - path.from[i];
        if (way == 0.0) {
            if (down > 0.0 || up < 0.0) { return kNever; }
            continue;
        }
        enter = std::max(enter, (way > 0.0 ? down : up) / way);
        exit = std::min(exit, (way > 0.0 ? up : down) / way);
    }
    if (!(enter <= exit)) { return kNever; }
    return enter;
}

/// When a path first comes within `reach` of a segment, between the segment's ends; entry_of_ball()
/// tests the ends. The reach includes the path's slack.
[[nodiscard]] inline double entry_of_tube(const Path<3>& path, const Real<3>& from,
                                          const Real<3>& to, double reach) noexcept {
    const Real<3> axis = minus(to, from);
    const Real<3> offset = minus(path.from, from);
    const Real<3> across = cross(path.way, axis);
    const double across2 = dot(across, across);
    const double axis2 = dot(axis, axis);
    const double apart = dot(offset, across);
    if (!(across2 > 0.0) || apart * apart > reach * reach * across2) { return kNever; }
    const double time =
        entry_around(-dot(cross(offset, axis), across) / across2, apart * apart / across2, reach,
                     path.slack, across2 / axis2, path.length);
    if (time == kNever) { return kNever; }
    const double there = dot(along(offset, time, path.way), axis);
    if (!(there >= 0.0 && there <= axis2)) { return kNever; }
    return time;
}

/// When a path that begins away from a box first touches it. The ball touches the box when its
/// centre enters a box with rounded edges: boxes that are wider on one axis, tubes around the
/// edges, and balls around the corners. The first entry counts.
template <std::size_t Dim>
[[nodiscard]] double entry_of(const ExactBox<Dim>& box, const Path<Dim>& world) noexcept {
    const Path<Dim> path = {box.inside(world.from), box.turned_in(world.way), world.length,
                            world.radius, world.slack};
    const double reach = path.radius;
    if (!(reach > 0.0)) { return entry_of_slabs(path, box.lo, box.hi); }
    Real<Dim> lo, hi;
    for (std::size_t i = 0; i < Dim; ++i) {
        lo[i] = box.lo[i] - reach;
        hi[i] = box.hi[i] + reach;
    }
    const double soonest = entry_of_slabs(path, lo, hi);
    if (soonest == kNever) { return kNever; }
    double first = kNever;
    for (std::size_t i = 0; i < Dim; ++i) {
        Real<Dim> low = box.lo, high = box.hi;
        low[i] = lo[i];
        high[i] = hi[i];
        first = std::min(first, entry_of_slabs(path, low, high));
    }
    if (first <= soonest) { return first; } // no rounded part is entered sooner
    for (std::size_t c = 0; c < std::size_t{1} << Dim; ++c) {
        Real<Dim> corner;
        for (std::size_t i = 0; i < Dim; ++i) {
            corner[i] = (c >> i & 1u) != 0 ? box.hi[i] : box.lo[i];
        }
        first = std::min(first, entry_of_ball(path, corner, reach));
        if constexpr (Dim == 3) {
            // The edges that go up from this corner.
            for (std::size_t i = 0; i < Dim; ++i) {
                if ((c >> i & 1u) != 0) { continue; }
                Real<Dim> end = corner;
                end[i] = box.hi[i];
                first = std::min(first, entry_of_tube(path, corner, end, reach));
            }
        }
    }
    return first;
}

/// How far a box extends to either side of its middle along an axis, times the axis's length.
template <std::size_t Dim>
[[nodiscard]] double half_width_along(const ExactBox<Dim>& box, const Real<Dim>& axis) noexcept {
    double sum = 0.0;
    for (std::size_t i = 0; i < Dim; ++i) {
        sum += std::abs(dot(axis, box.axis[i])) * (0.5 * (box.hi[i] - box.lo[i]));
    }
    return sum;
}

/// Writes the bounds of a body: the box around it, along the axes of the world.
template <std::size_t Dim>
void find_bounds(const ExactBox<Dim>& box, Real<Dim>& lo, Real<Dim>& hi) noexcept {
    lo = box.lo;
    hi = box.hi;
    if (!box.turned) { return; }
    for (std::size_t a = 0; a < Dim; ++a) {
        Real<Dim> axis{};
        axis[a] = 1.0;
        const double half = half_width_along(box, axis);
        lo[a] = box.origin[a] - half;
        hi[a] = box.origin[a] + half;
    }
}

template <std::size_t Dim>
[[nodiscard]] Real<Dim> middle_of(const ExactBox<Dim>& box) noexcept {
    Real<Dim> middle;
    for (std::size_t i = 0; i < Dim; ++i) {
        middle[i] = 0.5 * box.lo[i] + 0.5 * box.hi[i];
    }
    return box.outside(middle);
}

/// Cuts a box along the axes to the part between two corners: in sums with a far side, doubles
/// would lose the small distances that matter. A turned box stays whole.
template <std::size_t Dim>
[[nodiscard]] ExactBox<Dim> part_within(ExactBox<Dim> box, const Real<Dim>& low,
                                        const Real<Dim>& high) noexcept {
    for (std::size_t a = 0; a < Dim && !box.turned; ++a) {
        box.lo[a] = std::max(box.lo[a], low[a]);
        box.hi[a] = std::min(box.hi[a], high[a]);
    }
    return box;
}
template <std::size_t Dim>
[[nodiscard]] bool is_empty(const ExactBox<Dim>& box) noexcept {
    bool empty = false;
    for (std::size_t a = 0; a < Dim; ++a) {
        empty = empty || box.lo[a] > box.hi[a];
    }
    return empty;
}

/// The part of a box that may have a point in common with another box.
template <std::size_t Dim>
[[nodiscard]] ExactBox<Dim> part_near(const ExactBox<Dim>& box,
                                      const ExactBox<Dim>& other) noexcept {
    const Real<Dim> middle = middle_of(other);
    Real<Dim> low, high;
    for (std::size_t a = 0; a < Dim; ++a) {
        Real<Dim> axis{};
        axis[a] = 1.0;
        const double reach = 2.0 * half_width_along(other, axis);
        low[a] = middle[a] - reach;
        high[a] = middle[a] + reach;
    }
    return part_within(box, low, high);
}

/// Returns the box with each side moved outward by this distance.
template <std::size_t Dim>
[[nodiscard]] ExactBox<Dim> grown(ExactBox<Dim> box, double by) noexcept {
    for (std::size_t i = 0; i < Dim; ++i) {
        box.lo[i] -= by;
        box.hi[i] += by;
    }
    return box;
}

/// Whether a point is no farther than `reach` from a box.
template <std::size_t Dim>
[[nodiscard]] bool is_within(const ExactBox<Dim>& box, const Real<Dim>& point,
                             double reach) noexcept {
    const Real<Dim> local = box.inside(point);
    double square = 0.0;
    for (std::size_t i = 0; i < Dim; ++i) {
        const double offset = local[i] - std::min(std::max(local[i], box.lo[i]), box.hi[i]);
        square += offset * offset;
    }
    return square <= reach * reach;
}

/// How far a path may be from a box and still touch it: 0 if the box is not turned and the path has
/// no radius, as nothing is rounded then. A side that the path cannot reach counts only up to the
/// farthest coordinate of the path.
template <std::size_t Dim>
[[nodiscard]] double slack_of(const ExactBox<Dim>& box, const Path<Dim>& path) noexcept {
    const double numbers = size_of(path.from) + path.radius;
    if (box.turned || !(path.radius > 0.0)) { return slack_of(box, numbers); }
    double sides = numbers;
    for (std::size_t a = 0; a < Dim; ++a) {
        const double farthest =
            std::abs(path.from[a]) + std::abs(path.way[a]) * path.length + path.radius;
        sides += std::min(farthest, std::max(std::abs(box.lo[a]), std::abs(box.hi[a])));
    }
    return sides * kTouch;
}

/// The first time at which a path touches a box: 0 if the path begins there.
template <std::size_t Dim>
[[nodiscard]] double first_touch(const ExactBox<Dim>& box, const Path<Dim>& path) noexcept {
    const double slack = slack_of(box, path);
    if (is_within(box, path.from, path.radius + slack)) { return 0.0; }
    return path.radius > 0.0 ? entry_of(box, with_slack(path, slack))
                             : entry_of(grown(box, slack), path);
}

/// The normal of the side by which a path without a radius enters a box: the last side that it has
/// to pass.
template <std::size_t Dim>
[[nodiscard]] Real<Dim> side_entered(const ExactBox<Dim>& box, const Path<Dim>& world) noexcept {
    const Real<Dim> from = box.inside(world.from), way = box.turned_in(world.way);
    // In a turned box, a slower motion towards a side is only rounding.
    const double least = box.turned ? sum_of(way) * kTouch : 0.0;
    double last = -kNever;
    Real<Dim> normal{};
    for (std::size_t i = 0; i < Dim; ++i) {
        if (!(std::abs(way[i]) > least)) { continue; }
        const double time = ((way[i] > 0.0 ? box.lo[i] : box.hi[i]) - from[i]) / way[i];
        if (!(time > last)) { continue; }
        last = time;
        normal = {};
        normal[i] = way[i] > 0.0 ? -1.0 : 1.0;
    }
    return box.turned_out(normal);
}

/// Whether two boxes have a point in common: no side, and in space no pair of edges, separates
/// them. Boxes that are not turned are compared side by side, exactly.
template <std::size_t Dim>
[[nodiscard]] bool overlaps(const ExactBox<Dim>& given, const ExactBox<Dim>& against) noexcept {
    if (!given.turned && !against.turned) {
        bool hit = true;
        for (std::size_t i = 0; i < Dim; ++i) {
            hit = hit && given.lo[i] <= against.hi[i] && against.lo[i] <= given.hi[i];
        }
        return hit;
    }
    const ExactBox<Dim> part = part_near(given, against), other = part_near(against, given);
    if (is_empty(part) || is_empty(other)) { return false; }
    const ExactBox<Dim> one = grown(part, (size_of(part) + size_of(other)) * kTouch);
    const Real<Dim> apart = minus(middle_of(other), middle_of(one));
    const auto separates = [&](const Real<Dim>& axis) {
        return std::abs(dot(apart, axis)) >
               half_width_along(one, axis) + half_width_along(other, axis);
    };
    for (std::size_t i = 0; i < Dim; ++i) {
        if (separates(one.axis[i]) || separates(other.axis[i])) { return false; }
        if constexpr (Dim == 3) {
            for (std::size_t j = 0; j < Dim; ++j) {
                if (separates(cross(one.axis[i], other.axis[j]))) { return false; }
            }
        }
    }
    return true;
}

} // namespace throng::obstacle
