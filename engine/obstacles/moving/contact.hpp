// The definition of when and where something that moves first touches an obstacle. Internal to the
// engine.
//
// Convex shapes that move without turning touch during one interval of time. A box touches boxes
// and triangles while no axis separates the two: from the latest beginning of all axes to the
// earliest end. A capsule first touches with an end, with its side at a corner, or in space with
// its side at an edge. Lines without thickness, of a capsule or of a wall, are flat boxes: so there
// is always an axis that keeps the two apart until they touch.
#pragma once

#include "box_contact.hpp"
#include "capsule_contact.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace throng::obstacle {

/// The contact of a box with a wall. If the wall is thick, it is tested as a capsule that moves
/// towards a box that stands still.
[[nodiscard]] inline Contact<2> contact_of_box(const ExactBox<2>& box, const Real<2>& way,
                                               const ExactWall& wall,
                                               const Meeting<2>& meeting) noexcept {
    if (!(wall.reach > meeting.slack)) {
        return contact_of_box(box, way, line_between(wall.from, wall.to), meeting);
    }
    const Mover<2> moved = {false, {}, wall.from, wall.to, wall.reach, scaled(way, -1.0), {}, {}};
    Contact<2> contact = contact_of_round(moved, box, meeting.slack);
    if (contact.time > 0.0 && contact.time != kNever) {
        contact.point = along(contact.point, contact.time, way);
        contact.normal = scaled(contact.normal, -1.0);
    }
    return contact;
}

/// The part of a body that another body may touch on its way. Only boxes along the axes are cut: in
/// sums with a far side, doubles would lose the small distances that matter.
template <std::size_t Dim>
[[nodiscard]] ExactBox<Dim> part_on_way(const ExactBox<Dim>& box, const Real<Dim>& lo,
                                        const Real<Dim>& hi, const Real<Dim>& way) noexcept {
    if (box.turned) { return box; }
    Real<Dim> low, high;
    for (std::size_t a = 0; a < Dim; ++a) {
        low[a] = lo[a] + std::min(way[a], 0.0);
        high[a] = hi[a] + std::max(way[a], 0.0);
        // The new sides lie so far out that nothing touches them.
        const double wide =
            high[a] - low[a] + (std::abs(low[a]) + std::abs(high[a])) * 4.0 * kTouch;
        low[a] -= wide;
        high[a] += wide;
    }
    return part_within(box, low, high);
}
template <class Body, std::size_t Dim>
[[nodiscard]] const Body& part_on_way(const Body& body, const Real<Dim>&, const Real<Dim>&,
                                      const Real<Dim>&) noexcept {
    return body;
}

/// The contact that touch(meeting) finds, if the bounds of the two touch at all.
template <std::size_t Dim, class Body, class Touch>
[[nodiscard]] Contact<Dim> contact_within_bounds(const Mover<Dim>& mover, const Body& body,
                                                 double slack, bool place,
                                                 const Touch& touch) noexcept {
    Real<Dim> lo, hi;
    find_bounds(body, lo, hi);
    Meeting<Dim> meeting = {{}, {}, slack, place};
    Window& bounds = meeting.bounds;
    for (std::size_t a = 0; a < Dim; ++a) {
        const double before = bounds.enter;
        if (!bounds.narrow(lo[a] - mover.hi[a] - slack, hi[a] - mover.lo[a] + slack,
                           mover.way[a])) {
            return {};
        }
        if (bounds.enter > before) {
            meeting.normal = {};
            meeting.normal[a] = mover.way[a] > 0.0 ? -1.0 : 1.0;
        }
    }
    Contact<Dim> contact = touch(meeting);
    // Shapes that touch have bounds that touch, except for rounding. Searches go by bounds, so the
    // bounds must touch at the time of the contact.
    if (contact.time < bounds.enter) { contact.time = bounds.enter; }
    return contact.time <= bounds.exit ? contact : Contact<Dim>{};
}

/// The contact of a mover and an obstacle of which not both are boxes along the axes. If the mover
/// is such a box, only the part of it that may touch counts.
template <std::size_t Dim, class Body>
[[nodiscard]] Contact<Dim> contact_with_part(const Mover<Dim>& mover, const Body& body,
                                             bool place) noexcept {
    if (!mover.is_box) {
        const double numbers =
            size_of(body) + std::max(size_of(mover.from), size_of(mover.to)) + mover.radius;
        const double slack = numbers * kTouch;
        if (mover.radius > slack) {
            return contact_within_bounds(mover, body, slack, place, [&](const Meeting<Dim>&) {
                return contact_of_round(mover, body, slack);
            });
        }
    }
    Real<Dim> lo, hi;
    find_bounds(body, lo, hi);
    const ExactBox<Dim> box = mover.is_box ? part_on_way(mover.box, lo, hi, scaled(mover.way, -1.0))
                                           : line_between(mover.from, mover.to);
    const double slack = (size_of(body) + size_of(box)) * kTouch;
    return contact_within_bounds(mover, body, slack, place, [&](const Meeting<Dim>& meeting) {
        return contact_of_box(box, mover.way, body, meeting);
    });
}

/// When and where a mover first touches an obstacle. If the mover begins inside the obstacle or
/// touches it, the time is 0, and the point is the one of the obstacle's surface that is nearest to
/// the mover's middle (a box) or middle line (a capsule). Without `place` the point and the normal
/// are left out.
template <std::size_t Dim, class Body>
[[nodiscard]] Contact<Dim> contact_of(const Mover<Dim>& mover, const Body& body,
                                      bool place) noexcept {
    // Boxes along the axes are compared exactly.
    const bool exact = mover.is_box && is_upright(mover.box) && is_upright(body);
    Contact<Dim> contact =
        exact
            ? contact_within_bounds(mover, body, 0.0, place,
                                    [&](const Meeting<Dim>& meeting) {
                                        return contact_of_box(mover.box, mover.way, body, meeting);
                                    })
            : contact_with_part(mover, part_on_way(body, mover.lo, mover.hi, mover.way), place);
    if (contact.time == 0.0 && place) {
        const Surface<Dim> surface =
            surface_of(body, mover.is_box ? mover.middle() : core_nearest_to(mover, body));
        contact = {0.0, surface.point, surface.normal};
    }
    return contact;
}

} // namespace throng::obstacle
