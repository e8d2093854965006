// The definition of when and where something that moves first touches an obstacle. Internal to the
// engine.
//
// What is between two shapes that do not turn is convex, and so is the time during which they
// touch. A box touches boxes and triangles while no axis separates the two; for each axis that is a
// time from the latest beginning to the earliest end. A capsule first touches with an end, with its
// side at a corner, or in space with its side at an edge.
#pragma once

#include "box_body.hpp"
#include "search.hpp"
#include "triangle_body.hpp"
#include "wall_body.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace throng::obstacle {

/// A box, or a capsule, that moves by `way` from time 0 to 1.
template <std::size_t Dim>
struct Mover {
    bool is_box;
    BoxBody<Dim> box;   ///< a box
    Real<Dim> from, to; ///< the middle line of a capsule
    double radius;
    Real<Dim> way;
    Real<Dim> lo, hi; ///< its bounds at time 0

    [[nodiscard]] Real<Dim> middle() const noexcept { return scaled(along(lo, 1.0, hi), 0.5); }
};

template <std::size_t Dim>
struct Contact {
    double time = kNever;
    Real<Dim> point{}, normal{}; ///< on the obstacle, and out of it
};

/// The time during which two things touch, as far as it is known.
struct Window {
    double enter = 0.0, exit = 1.0;

    /// Leaves the time at which `down` <= t * `speed` <= `up`. False if there is none.
    [[nodiscard]] bool narrow(double down, double up, double speed) noexcept {
        if (speed == 0.0) { return down <= 0.0 && up >= 0.0; }
        enter = std::max(enter, (speed > 0.0 ? down : up) / speed);
        exit = std::min(exit, (speed > 0.0 ? up : down) / speed);
        return enter <= exit;
    }
};

/// The box around a body.
template <std::size_t Dim>
void find_bounds(const BoxBody<Dim>& box, Real<Dim>& lo, Real<Dim>& hi) noexcept {
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
void find_bounds(const Real<Dim>& one, const Real<Dim>& other, double reach, Real<Dim>& lo,
                 Real<Dim>& hi) noexcept {
    for (std::size_t a = 0; a < Dim; ++a) {
        lo[a] = std::min(one[a], other[a]) - reach;
        hi[a] = std::max(one[a], other[a]) + reach;
    }
}
inline void find_bounds(const WallBody& wall, Real<2>& lo, Real<2>& hi) noexcept {
    find_bounds(wall.from, wall.to, wall.reach, lo, hi);
}
inline void find_bounds(const TriangleBody& triangle, Real<3>& lo, Real<3>& hi) noexcept {
    const auto& corners = triangle.corners;
    for (std::size_t a = 0; a < 3; ++a) {
        lo[a] = std::min({corners[0][a], corners[1][a], corners[2][a]});
        hi[a] = std::max({corners[0][a], corners[1][a], corners[2][a]});
    }
}

/// Calls body(corner) for each corner of an obstacle, and body(from, to) for each edge in space.
template <std::size_t Dim, class Body>
void each_corner(const BoxBody<Dim>& box, const Body& body) {
    for (std::size_t c = 0; c < std::size_t{1} << Dim; ++c) {
        Real<Dim> corner;
        for (std::size_t i = 0; i < Dim; ++i) {
            corner[i] = (c >> i & 1u) != 0 ? box.hi[i] : box.lo[i];
        }
        body(box.outside(corner));
    }
}
template <class Body>
void each_corner(const WallBody& wall, const Body& body) {
    body(wall.from);
    body(wall.to);
}
template <class Body>
void each_corner(const TriangleBody& triangle, const Body& body) {
    std::for_each(triangle.corners.begin(), triangle.corners.end(), body);
}
template <class Body>
void each_edge(const BoxBody<3>& box, const Body& body) {
    for (std::size_t c = 0; c < 8; ++c) {
        for (std::size_t i = 0; i < 3; ++i) {
            if ((c >> i & 1u) != 0) { continue; }
            Real<3> from;
            for (std::size_t a = 0; a < 3; ++a) {
                from[a] = (c >> a & 1u) != 0 ? box.hi[a] : box.lo[a];
            }
            Real<3> to = from;
            to[i] = box.hi[i];
            body(box.outside(from), box.outside(to));
        }
    }
}
template <class Body>
void each_edge(const TriangleBody& triangle, const Body& body) {
    for (std::size_t i = 0; i < 3; ++i) {
        body(triangle.corners[i], triangle.corners[(i + 1) % 3]);
    }
}

/// How thick an obstacle is around its corners and edges.
[[nodiscard]] inline double reach_of(const WallBody& wall) noexcept { return wall.reach; }
template <class Body>
[[nodiscard]] double reach_of(const Body&) noexcept {
    return 0.0;
}

/// Where two lines in space are nearest to each other: `one` + s * `along_one`, and the other
/// through the origin, u * `along_other`.
struct Crossing {
    double s = 0.0, u = 0.0;
    double height = 0.0; ///< of the other above the one, along `normal`
    Real<3> normal;
    bool meets = false; ///< both numbers are from 0 to 1, and the lines are not parallel

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

/// When a capsule that begins away from an obstacle first touches it, and where.
template <std::size_t Dim, class Body>
[[nodiscard]] Contact<Dim> contact_of_capsule(const Mover<Dim>& mover, const Body& body) noexcept {
    Contact<Dim> first;
    const Real<Dim> back = scaled(mover.way, -1.0);
    const Real<Dim> axis = minus(mover.to, mover.from);
    // An end.
    for (const Real<Dim>& end : {mover.from, mover.to}) {
        const Path<Dim> path = {end, mover.way, 1.0, mover.radius};
        const double time = entry_of(body, path);
        if (time < first.time) {
            const Surface<Dim> place = touched(body, path, time);
            first = {time, place.point, place.normal};
        }
    }
    // Its side, which a corner of the obstacle comes to as if the capsule stood still.
    each_corner(body, [&](const Real<Dim>& corner) {
        if constexpr (Dim == 2) {
            const WallBody side = {mover.from, mover.to, mover.radius};
            const Path<2> path = {corner, back, 1.0, reach_of(body)};
            const double time = entry_of(side, path);
            if (time < first.time) {
                const Real<2> normal = scaled(touched(side, path, time).normal, -1.0);
                first = {time, along(corner, reach_of(body), normal), normal};
            }
        } else {
            const Path<3> path = {corner, back, 1.0, 0.0};
            const double time = entry_of_tube(path, mover.from, mover.to, mover.radius);
            if (time < first.time) {
                const Real<3> place = along(corner, time, back);
                const Real<3> core = nearest_on_segment(mover.from, mover.to, place);
                const double length = std::sqrt(dot(back, back));
                const Real<3> against = scaled(back, 1.0 / length);
                first = {time, corner, surface_around(core, place, 0.0, against).normal};
            }
        }
    });
    if constexpr (Dim == 3) {
        // Its side, at an edge of the obstacle.
        each_edge(body, [&](const Real<3>& from, const Real<3>& to) {
            const Real<3> edge = minus(to, from);
            const Real<3> apart = minus(from, mover.from);
            const Crossing before(apart, edge, axis);
            const double nearing = dot(mover.way, before.normal);
            if (std::abs(before.height) < mover.radius || nearing == 0.0) { return; }
            const double side = before.height < 0.0 ? -1.0 : 1.0;
            const double time = (side * mover.radius - before.height) / nearing;
            if (!(time >= 0.0 && time < first.time && time <= 1.0)) { return; }
            const Crossing there(along(apart, -time, mover.way), edge, axis);
            if (!there.meets) { return; }
            first = {time + 0.0, along(from, there.s, edge), scaled(before.normal, side)};
        });
    }
    return first;
}

/// The place of the middle line of a capsule that is nearest to an obstacle: one of its ends, or
/// the place nearest to a corner, or in space to an edge.
template <std::size_t Dim, class Body>
[[nodiscard]] Real<Dim> core_nearest_to(const Mover<Dim>& mover, const Body& body) noexcept {
    Real<Dim> best = mover.from;
    double least = surface_of(body, best).distance;
    const auto look_at = [&](const Real<Dim>& place) {
        const double distance = surface_of(body, place).distance;
        if (distance < least) {
            least = distance;
            best = place;
        }
    };
    look_at(mover.to);
    each_corner(body, [&](const Real<Dim>& corner) {
        look_at(nearest_on_segment(mover.from, mover.to, corner));
    });
    if constexpr (Dim == 3) {
        const Real<3> axis = minus(mover.to, mover.from);
        each_edge(body, [&](const Real<3>& from, const Real<3>& to) {
            const Crossing crossing(minus(from, mover.from), minus(to, from), axis);
            if (crossing.meets) { look_at(along(mover.from, crossing.u, axis)); }
        });
    }
    return best;
}

/// Narrows a window to the time during which an axis does not separate a box that moves from what
/// reaches from `low` to `high` on the axis, as seen from the middle of the box. Keeps the axis as
/// the normal if this is the latest beginning.
template <std::size_t Dim>
[[nodiscard]] bool narrow_along(Window& window, Real<Dim>& normal, const Mover<Dim>& mover,
                                const Real<Dim>& axis, double low, double high) noexcept {
    const double wide = half_width_along(mover.box, axis);
    const double speed = dot(mover.way, axis);
    const double before = window.enter;
    if (!window.narrow(low - wide, high + wide, speed)) { return false; }
    if (window.enter > before) { normal = scaled(axis, speed > 0.0 ? -1.0 : 1.0); }
    return true;
}

/// While a box that moves touches another box, as far as axes other than those of the world tell.
template <std::size_t Dim>
[[nodiscard]] bool narrow_by_axes(Window& window, Real<Dim>& normal, const Mover<Dim>& mover,
                                  const BoxBody<Dim>& other) noexcept {
    if (!mover.box.turned && !other.turned) { return true; }
    const Real<Dim> apart = minus(middle_of(other), middle_of(mover.box));
    const auto narrow = [&](const Real<Dim>& axis) {
        const double there = dot(apart, axis);
        const double wide = half_width_along(other, axis);
        return narrow_along(window, normal, mover, axis, there - wide, there + wide);
    };
    for (std::size_t i = 0; i < Dim; ++i) {
        if (mover.box.turned && !narrow(mover.box.axis[i])) { return false; }
        if (other.turned && !narrow(other.axis[i])) { return false; }
        if constexpr (Dim == 3) {
            for (std::size_t j = 0; j < Dim; ++j) {
                if (!narrow(cross(mover.box.axis[i], other.axis[j]))) { return false; }
            }
        }
    }
    return true;
}
[[nodiscard]] inline bool narrow_by_axes(Window& window, Real<3>& normal, const Mover<3>& mover,
                                         const TriangleBody& triangle) noexcept {
    const Real<3> middle = middle_of(mover.box);
    const auto narrow = [&](const Real<3>& axis) {
        double low = kNever, high = -kNever;
        for (const Real<3>& corner : triangle.corners) {
            const double at = dot(minus(corner, middle), axis);
            low = std::min(low, at);
            high = std::max(high, at);
        }
        return narrow_along(window, normal, mover, axis, low, high);
    };
    if (!narrow(triangle.normal)) { return false; }
    for (std::size_t i = 0; i < 3; ++i) {
        if (mover.box.turned && !narrow(mover.box.axis[i])) { return false; }
        for (std::size_t j = 0; j < 3; ++j) {
            const Real<3> edge = minus(triangle.corners[(j + 1) % 3], triangle.corners[j]);
            if (!narrow(cross(mover.box.axis[i], edge))) { return false; }
        }
    }
    return true;
}

/// Whether the axes of the world are those of a body.
template <std::size_t Dim>
[[nodiscard]] bool is_upright(const BoxBody<Dim>& box) noexcept {
    return !box.turned;
}
[[nodiscard]] inline bool is_upright(const TriangleBody&) noexcept { return false; }

/// A place where a box that moves touches an obstacle at a time: a corner of either, or where two
/// edges cross, whichever is nearest.
template <std::size_t Dim, class Body>
[[nodiscard]] Real<Dim> place_of_contact(const Mover<Dim>& mover, const Body& body,
                                         double time) noexcept {
    Real<Dim> best{};
    double least = kNever;
    const auto take = [&](double distance, const Real<Dim>& place) {
        if (distance < least) {
            least = distance;
            best = place;
        }
    };
    each_corner(mover.box, [&](const Real<Dim>& corner) {
        const Surface<Dim> surface = surface_of(body, along(corner, time, mover.way));
        take(std::abs(surface.distance), surface.point);
    });
    each_corner(body, [&](const Real<Dim>& corner) {
        take(std::abs(surface_of(mover.box, along(corner, -time, mover.way)).distance), corner);
    });
    if constexpr (Dim == 3) {
        each_edge(mover.box, [&](const Real<3>& from, const Real<3>& to) {
            const Real<3> start = along(from, time, mover.way);
            each_edge(body, [&](const Real<3>& other, const Real<3>& end) {
                const Real<3> edge = minus(end, other);
                const Crossing crossing(minus(other, start), edge, minus(to, from));
                if (crossing.meets) {
                    take(std::abs(crossing.height), along(other, crossing.s, edge));
                }
            });
        });
    }
    return best;
}

/// Of a box with a box or a triangle, which have no thickness around them. `bounds` is while their
/// bounds touch, and `normal` the axis of the world on which that begins. Without `place` the point
/// is left out.
template <std::size_t Dim, class Body>
[[nodiscard]] Contact<Dim> contact_of_box(const Mover<Dim>& mover, const Body& body,
                                          const Window& bounds, Real<Dim> normal,
                                          bool place) noexcept {
    const bool has_sides = is_upright(mover.box) || is_upright(body);
    Window window = {has_sides ? bounds.enter : 0.0, bounds.exit};
    if (!narrow_by_axes(window, normal, mover, body)) { return {}; }
    // Bounds never begin later than what is in them, but for rounding.
    const double time = std::max(window.enter, bounds.enter);
    if (!(time <= window.exit)) { return {}; }
    if (!(time > 0.0)) {
        const Surface<Dim> surface = surface_of(body, mover.middle());
        return {0.0, surface.point, surface.normal};
    }
    if (!place) { return {time, {}, {}}; }
    return {time, place_of_contact(mover, body, time),
            scaled(normal, 1.0 / std::sqrt(dot(normal, normal)))};
}

/// Whether a capsule touches a body where it begins.
template <std::size_t Dim, class Body>
[[nodiscard]] bool begins_inside(const Mover<Dim>& mover, const Body& body) noexcept {
    if (surface_of(body, mover.from).distance <= mover.radius) { return true; }
    return entry_of(body, Path<Dim>{mover.from, minus(mover.to, mover.from), 1.0, mover.radius}) !=
           kNever;
}

/// The contact of a box with a wall: as if the box stood still, and the wall were a capsule.
[[nodiscard]] inline Contact<2> contact_of_box(const Mover<2>& mover, const WallBody& wall,
                                               const Window&, const Real<2>&, bool) noexcept {
    Mover<2> moved = {false, {}, wall.from, wall.to, wall.reach, scaled(mover.way, -1.0), {}, {}};
    if (begins_inside(moved, mover.box)) {
        const Surface<2> surface = surface_of(wall, mover.middle());
        return {0.0, surface.point, surface.normal};
    }
    Contact<2> contact = contact_of_capsule(moved, mover.box);
    if (contact.time != kNever) {
        contact.point = along(contact.point, contact.time, mover.way);
        contact.normal = scaled(contact.normal, -1.0);
    }
    return contact;
}

/// When and where a mover first touches an obstacle. One that begins in it, or touching, does so at
/// time 0: there with the place on the surface that is nearest to the middle of a box, or to the
/// middle line of a capsule.
template <std::size_t Dim, class Body>
[[nodiscard]] Contact<Dim> contact_of(const Mover<Dim>& mover, const Body& body,
                                      bool place) noexcept {
    Real<Dim> lo, hi;
    find_bounds(body, lo, hi);
    Window bounds;
    Real<Dim> normal{};
    for (std::size_t a = 0; a < Dim; ++a) {
        const double before = bounds.enter;
        if (!bounds.narrow(lo[a] - mover.hi[a], hi[a] - mover.lo[a], mover.way[a])) { return {}; }
        if (bounds.enter > before) {
            normal = {};
            normal[a] = mover.way[a] > 0.0 ? -1.0 : 1.0;
        }
    }
    Contact<Dim> contact;
    if (mover.is_box) {
        contact = contact_of_box(mover, body, bounds, normal, place);
    } else if (begins_inside(mover, body)) {
        const Surface<Dim> surface = surface_of(body, core_nearest_to(mover, body));
        contact = {0.0, surface.point, surface.normal};
    } else {
        contact = contact_of_capsule(mover, body);
    }
    // What is touched at a time has bounds that touch, but for rounding: then searches, which go by
    // bounds, find it.
    if (contact.time < bounds.enter) { contact.time = bounds.enter; }
    return contact.time <= bounds.exit ? contact : Contact<Dim>{};
}

} // namespace throng::obstacle
