// The origin and the periods of the world of a crowd or of obstacles. Internal to the engine.
#pragma once

#include "../core/status.hpp"
#include "box.hpp"
#include "point.hpp"
#include "world_agents.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace throng {

/// The coordinate from `lo` to `hi`, both included, that is a whole number of periods from x. The
/// remainder is exact, and the other operations round alike on every machine.
[[nodiscard]] inline double put_between(double x, float lo, float hi) noexcept {
    if (lo <= x && x < hi) { return x; }
    const double period = hi - lo; // in floats: rounded like everything else that depends on it
    double past = x - lo;
    const double periods = std::floor(past / period);
    // While the product is exact, the difference is too: it equals the remainder of fmod(), and
    // takes much less time.
    past = std::abs(periods) < 0x1p28 ? past - periods * period : std::fmod(past, period);
    if (past < 0.0) { past += period; }
    return lo + past;
}

/// The same as a float, and less than `hi`: a value that rounds up to `hi` becomes `lo`.
/// Coordinates that no crowd takes stay as they are.
[[nodiscard]] inline float wrapped(double x, float lo, float hi) noexcept {
    if (!(std::abs(x) <= kLargest)) { return static_cast<float>(x); }
    const auto at = static_cast<float>(put_between(x, lo, hi));
    return at < hi ? at : lo;
}

/// Where a crowd's own coordinates begin, and on which axes its world wraps. Turns coordinates into
/// those that the crowd stores.
template <std::size_t Dim>
struct WorldWrap {
    std::array<double, Dim> origin{}; ///< in world coordinates
    std::array<bool, Dim> periodic{};
    Box<Dim> bounds{};   ///< of periodic axes
    Point<Dim> period{}; ///< zero on axes that are not periodic
    bool wraps = false;  ///< whether any axis is periodic
    /// More than rounding can move the bounds of a shape that is in the world on all periodic axes.
    double slack = 0.0;
    /// Shapes whose bounds are inside this, reach included and reckoned in floats, have no copies
    /// that come near the world. Infinite on axes that are not periodic.
    Box<Dim> inner{Point<Dim>::all(-kInfinity), Point<Dim>::all(kInfinity)};

    /// Makes the world periodic on these axes, with the bounds' sides as periods. Returns ok, or
    /// why a period is refused; then the world must not be used.
    [[nodiscard]] Status wrap(const Box<Dim>& world, const std::array<bool, Dim>& on) noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            if (!on[a]) { continue; }
            period[a] = world.hi[a] - world.lo[a];
            if (!(period[a] > 0.0f)) { return {Cause::not_positive, Argument::period, a}; }
            if (period[a] > kLargest) { return {Cause::too_large, Argument::period, a}; }
            wraps = true;
            bounds.lo[a] = world.lo[a];
            bounds.hi[a] = world.hi[a];
            slack += slack_of(bounds.lo[a], bounds.hi[a]);
        }
        periodic = on;
        inner = without_borders(slack); // more than the rounding here
        return {};
    }

    /// Whether another world has the same periodic axes and borders.
    [[nodiscard]] bool wraps_alike(const WorldWrap& other) const noexcept {
        return periodic == other.periodic && bounds == other.bounds;
    }

    /// A local coordinate, as a float. A value too large becomes a float that every check refuses
    /// for the same reason; a finite value never becomes an infinity.
    [[nodiscard]] float local(double x, std::size_t a) const noexcept {
        return nearest_float(x - origin[a]);
    }
    /// The coordinate that the crowd stores for an agent at x: rounded once, after wrapping.
    [[nodiscard]] float kept(double x, std::size_t a) const noexcept {
        const double here = x - origin[a];
        if (periodic[a] && std::abs(here) <= kLargest) {
            return wrapped(here, bounds.lo[a], bounds.hi[a]);
        }
        return nearest_float(here);
    }

    /// The same for an agent at a local coordinate.
    [[nodiscard]] float kept(float x, std::size_t a) const noexcept {
        if (!periodic[a] || (bounds.lo[a] <= x && x < bounds.hi[a])) { return x; }
        return wrapped(x, bounds.lo[a], bounds.hi[a]);
    }
    [[nodiscard]] Point<Dim> kept(Point<Dim> position) const noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            position[a] = kept(position[a], a);
        }
        return position;
    }
    /// Whether no whole period brings these bounds as near as `reach` to the world: then a shape
    /// has no copy but itself that finds anything. `slack_of_shape` is more than rounding can move
    /// the bounds.
    [[nodiscard]] bool keeps_inside(const Box<Dim>& shape, const Point<Dim>& reach,
                                    double slack_of_shape) const noexcept {
        bool inside = true;
        for (std::size_t a = 0; a < Dim; ++a) {
            const double wide = reach[a] + slack_of_shape;
            inside = inside && (!periodic[a] || (shape.lo[a] - wide > bounds.lo[a] &&
                                                 shape.hi[a] + wide < bounds.hi[a]));
        }
        return inside;
    }

    /// The places that are farther than `radius` from the world's borders on all periodic axes:
    /// balls around them have no copies that come near the world. Infinite on other axes.
    [[nodiscard]] Box<Dim> without_borders(double radius) const noexcept {
        Box<Dim> places{Point<Dim>::all(-kInfinity), Point<Dim>::all(kInfinity)};
        // The slack is more than the rounding here and of the balls.
        const double wide = radius + 2.0 * slack;
        for (std::size_t a = 0; a < Dim; ++a) {
            if (!periodic[a]) { continue; }
            places.lo[a] = static_cast<float>(bounds.lo[a] + wide);
            places.hi[a] = static_cast<float>(bounds.hi[a] - wide);
        }
        return places;
    }

    /// How far a point in the world is from its borders, on all periodic axes, or less. A ball with
    /// a smaller radius has no copies that come near the world.
    [[nodiscard]] float room_around(const Point<Dim>& point) const noexcept {
        float room = kLargest;
        for (std::size_t a = 0; a < Dim; ++a) {
            if (!periodic[a]) { continue; }
            room = std::min({room, point[a] - bounds.lo[a], bounds.hi[a] - point[a]});
        }
        return room - static_cast<float>(slack);
    }

    /// Whether all places within a period of the world have coordinates that shapes may have.
    [[nodiscard]] bool is_moderate() const noexcept { return slack < kLargest * 0x1p-16; }

    /// Whether no two copies of a ball with this radius touch the same point.
    [[nodiscard]] bool is_narrow(double radius) const noexcept {
        bool narrow = true;
        for (std::size_t a = 0; a < Dim; ++a) {
            narrow = narrow && (!periodic[a] || 2.0 * (radius + slack) < period[a]);
        }
        return narrow;
    }

    [[nodiscard]] Point<Dim> kept(const WorldPoint<Dim>& position) const noexcept {
        Point<Dim> here;
        for (std::size_t a = 0; a < Dim; ++a) {
            here[a] = kept(position[a], a);
        }
        return here;
    }

    /// The part of the slack that an axis adds on which bounds lie between these.
    [[nodiscard]] static double slack_of(double lo, double hi) noexcept {
        return (std::abs(lo) + std::abs(hi)) * 0x1p-12 + 1e-18;
    }

private:
    static constexpr float kInfinity = std::numeric_limits<float>::infinity();

    static float nearest_float(double x) noexcept {
        const bool too_large = std::isfinite(x) && std::abs(x) > kLargest;
        return static_cast<float>(too_large ? std::copysign(2.0 * kLargest, x) : x);
    }
};

} // namespace throng
