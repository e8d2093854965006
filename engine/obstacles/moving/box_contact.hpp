// When and where a box that moves first touches an obstacle. Internal to the engine.
#pragma once

#include "mover.hpp"

namespace throng::obstacle {

/// A segment as a flat box. In the plane its second axis points to the left.
template <std::size_t Dim>
[[nodiscard]] ExactBox<Dim> line_between(const Real<Dim>& from, const Real<Dim>& to) noexcept {
    ExactBox<Dim> line;
    line.turned = true;
    line.origin = along(scaled(from, 0.5), 0.5, to);
    Real<Dim> ahead = minus(to, from);
    const double length = std::sqrt(dot(ahead, ahead));
    ahead = length > 0.0 ? scaled(ahead, 1.0 / length) : Real<Dim>{1.0};
    line.hi[0] = 0.5 * length;
    line.lo[0] = -line.hi[0];
    line.axis[0] = ahead;
    if constexpr (Dim == 2) {
        line.axis[1] = {-ahead[1], ahead[0]};
    } else {
        const Real<3> other = std::abs(ahead[2]) < 0.5 ? Real<3>{0.0, 0.0, 1.0} : Real<3>{1.0};
        const Real<3> side = cross(other, ahead);
        line.axis[1] = scaled(side, 1.0 / std::sqrt(dot(side, side)));
        line.axis[2] = cross(ahead, line.axis[1]);
    }
    return line;
}

/// The axes that may keep a box that moves and an obstacle apart.
template <std::size_t Dim>
struct Axes {
    const ExactBox<Dim>& box;
    const Real<Dim>& way;
    Window window;    ///< when no axis keeps the two apart
    Real<Dim> normal; ///< the axis on which the window begins

    /// Narrows the window by an axis on which the obstacle reaches from `low` to `high`, as seen
    /// from the middle of the box. False if the axis always keeps the two apart.
    [[nodiscard]] bool narrow(const Real<Dim>& axis, double low, double high) noexcept {
        const double wide = half_width_along(box, axis);
        const double speed = dot(way, axis);
        const double before = window.enter;
        if (!window.narrow(low - wide, high + wide, speed)) { return false; }
        if (window.enter > before) { normal = scaled(axis, speed > 0.0 ? -1.0 : 1.0); }
        return true;
    }

    /// Narrows the window by all axes except the world's. False if one of them always keeps the two
    /// apart.
    [[nodiscard]] bool narrow_by(const ExactBox<Dim>& other) noexcept {
        if (!box.turned && !other.turned) { return true; }
        const Real<Dim> apart = minus(middle_of(other), middle_of(box));
        const auto narrow_along = [&](const Real<Dim>& axis) {
            const double there = dot(apart, axis);
            const double wide = half_width_along(other, axis);
            return narrow(axis, there - wide, there + wide);
        };
        for (std::size_t i = 0; i < Dim; ++i) {
            if (box.turned && !narrow_along(box.axis[i])) { return false; }
            if (other.turned && !narrow_along(other.axis[i])) { return false; }
            if constexpr (Dim == 3) {
                for (std::size_t j = 0; j < Dim; ++j) {
                    if (!narrow_along(cross(box.axis[i], other.axis[j]))) { return false; }
                }
            }
        }
        return true;
    }
    [[nodiscard]] bool narrow_by(const ExactTriangle& triangle) noexcept {
        const Real<3> middle = middle_of(box);
        const auto narrow_along = [&](const Real<3>& axis) {
            double low = kNever, high = -kNever;
            for (const Real<3>& corner : triangle.corners) {
                const double at = dot(minus(corner, middle), axis);
                low = std::min(low, at);
                high = std::max(high, at);
            }
            return narrow(axis, low, high);
        };
        if (!narrow_along(triangle.normal)) { return false; }
        for (std::size_t i = 0; i < 3; ++i) {
            if (box.turned && !narrow_along(box.axis[i])) { return false; }
            for (std::size_t j = 0; j < 3; ++j) {
                const Real<3> edge = minus(triangle.corners[(j + 1) % 3], triangle.corners[j]);
                if (!narrow_along(cross(box.axis[i], edge))) { return false; }
            }
        }
        return true;
    }
};

/// The place where a moving box touches an obstacle at a given time: a corner of either, or a
/// crossing of two edges, whichever is nearest.
template <std::size_t Dim, class Body>
[[nodiscard]] Real<Dim> place_of_contact(const ExactBox<Dim>& box, const Real<Dim>& way,
                                         const Body& body, double time) noexcept {
    Real<Dim> best{};
    double least = kNever;
    const auto take = [&](double distance, const Real<Dim>& place) {
        if (distance < least) {
            least = distance;
            best = place;
        }
    };
    each_corner(box, [&](const Real<Dim>& corner) {
        const Surface<Dim> surface = surface_of(body, along(corner, time, way));
        take(std::abs(surface.distance), surface.point);
    });
    each_corner(body, [&](const Real<Dim>& corner) {
        take(std::abs(surface_of(box, along(corner, -time, way)).distance), corner);
    });
    if constexpr (Dim == 3) {
        each_edge(box, [&](const Real<3>& from, const Real<3>& to) {
            const Real<3> start = along(from, time, way);
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

/// The contact of a box with a body that has no rounded edges: a box or a triangle.
template <std::size_t Dim, class Body>
[[nodiscard]] Contact<Dim> contact_of_box(const ExactBox<Dim>& box, const Real<Dim>& way,
                                          const Body& body, const Meeting<Dim>& meeting) noexcept {
    const Window& bounds = meeting.bounds;
    const bool has_sides = is_upright(box) || is_upright(body);
    const ExactBox<Dim> wide = grown(box, meeting.slack);
    Axes<Dim> axes = {wide, way, {has_sides ? bounds.enter : 0.0, bounds.exit}, meeting.normal};
    if (!axes.narrow_by(body)) { return {}; }
    // The bounds of two things touch no later than the things, except for rounding.
    const double time = std::max(axes.window.enter, bounds.enter);
    if (!(time <= axes.window.exit)) { return {}; }
    if (!(time > 0.0) || !meeting.place) { return {time, {}, {}}; }
    const Real<Dim>& normal = axes.normal;
    return {time, place_of_contact(box, way, body, time),
            scaled(normal, 1.0 / std::sqrt(dot(normal, normal)))};
}

} // namespace throng::obstacle
