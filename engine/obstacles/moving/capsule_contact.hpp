// When and where a capsule that moves first touches an obstacle. Internal to the engine.
#pragma once

#include "../store/search.hpp"
#include "mover.hpp"

namespace throng::obstacle {

/// When and where a capsule with a radius, which begins away from an obstacle, first touches it.
template <std::size_t Dim, class Body>
[[nodiscard]] Contact<Dim> contact_of_capsule(const Mover<Dim>& mover, const Body& body,
                                              double slack) noexcept {
    Contact<Dim> first;
    const Real<Dim> back = scaled(mover.way, -1.0);
    const Real<Dim> axis = minus(mover.to, mover.from);
    const double radius = mover.radius + slack;
    // An end of the capsule touches.
    for (const Real<Dim>& end : {mover.from, mover.to}) {
        const Path<Dim> path = {end, mover.way, 1.0, radius, slack};
        const double time = entry_of(body, path);
        if (time < first.time) {
            const Surface<Dim> place = touched(body, path, time);
            first = {time, place.point, place.normal};
        }
    }
    // The side of the capsule touches a corner of the obstacle: as if the capsule stood still and
    // the corner moved.
    each_corner(body, [&](const Real<Dim>& corner) {
        if constexpr (Dim == 2) {
            const ExactWall side = {mover.from, mover.to, mover.radius};
            const Path<2> path = {corner, back, 1.0, reach_of(body) + slack, slack};
            const double time = entry_of(side, path);
            if (time < first.time) {
                const Real<2> normal = scaled(touched(side, path, time).normal, -1.0);
                first = {time, along(corner, reach_of(body), normal), normal};
            }
        } else {
            const Path<3> path = {corner, back, 1.0, slack, slack};
            const double time = entry_of_tube(path, mover.from, mover.to, radius);
            if (time < first.time) {
                const Real<3> place = along(corner, time, back);
                const Real<3> off = minus(nearest_on_segment(mover.from, mover.to, place), place);
                first = {time, corner, scaled(off, 1.0 / std::sqrt(dot(off, off)))};
            }
        }
    });
    if constexpr (Dim == 3) {
        // The side of the capsule touches an edge of the obstacle.
        each_edge(body, [&](const Real<3>& from, const Real<3>& to) {
            const Real<3> edge = minus(to, from);
            const Real<3> apart = minus(from, mover.from);
            const Crossing before(apart, edge, axis);
            const double nearing = dot(mover.way, before.normal);
            if (std::abs(before.height) < radius || nearing == 0.0) { return; }
            const double side = before.height < 0.0 ? -1.0 : 1.0;
            const double time = (side * radius - before.height) / nearing;
            if (!(time >= 0.0 && time < first.time && time <= 1.0)) { return; }
            const Crossing there(along(apart, -time, mover.way), edge, axis);
            if (!there.meets) { return; }
            first = {time + 0.0, along(from, there.s, edge), scaled(before.normal, side)};
        });
    }
    return first;
}

/// The place on a capsule's middle line that is nearest to an obstacle: one of its ends, or the
/// place nearest to a corner, or in space to an edge.
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

/// The contact of a capsule whose radius exceeds `slack`. If the capsule begins inside the body or
/// touches it, the contact has the time 0 and no point or normal.
template <std::size_t Dim, class Body>
[[nodiscard]] Contact<Dim> contact_of_round(const Mover<Dim>& mover, const Body& body,
                                            double slack) noexcept {
    const Path<Dim> core = {mover.from, minus(mover.to, mover.from), 1.0, mover.radius};
    if (first_touch(body, core) != kNever) { return {0.0, {}, {}}; }
    return contact_of_capsule(mover, body, slack);
}

} // namespace throng::obstacle
