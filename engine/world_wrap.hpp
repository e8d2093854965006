// Where the coordinates of a crowd's world begin, and where they begin again. Internal to the
// engine.
#pragma once

#include "box.hpp"
#include "far_agents.hpp"
#include "point.hpp"

#include <array>
#include <cmath>
#include <cstddef>

namespace throng {

/// The place between `lo` and `hi`, which may be `hi` itself, that is a whole number of periods
/// from x. The remainder is exact, and nothing else here is rounded differently anywhere.
[[nodiscard]] inline double put_between(double x, float lo, float hi) noexcept {
    if (lo <= x && x < hi) { return x; }
    const double period = hi - lo; // of floats: rounded as all else that depends on the period
    double past = x - lo;
    const double periods = std::floor(past / period);
    // While products are exact, so is the difference: the same remainder, much faster.
    past = std::abs(periods) < 0x1p28 ? past - periods * period : std::fmod(past, period);
    if (past < 0.0) { past += period; }
    return lo + past;
}

/// The same as a float, and less than `hi`: what rounds up to it is where the world begins again.
/// Coordinates that no crowd takes stay as they are.
[[nodiscard]] inline float wrapped(double x, float lo, float hi) noexcept {
    if (!(std::abs(x) <= kLargest)) { return static_cast<float>(x); }
    const auto at = static_cast<float>(put_between(x, lo, hi));
    return at < hi ? at : lo;
}

/// The coordinates of a crowd's world.
template <std::size_t Dim>
struct WorldWrap {
    std::array<double, Dim> origin{}; ///< in world coordinates
    std::array<bool, Dim> periodic{};
    Box<Dim> bounds{};   ///< of periodic axes
    Point<Dim> period{}; ///< zero where the world is endless
    bool wraps = false;  ///< on any axis

    /// A local coordinate, as a float. What no float should hold becomes one that every check
    /// refuses for the same reason, and never an infinity that was none.
    [[nodiscard]] float local(double x, std::size_t a) const noexcept {
        return nearest_float(x - origin[a]);
    }
    /// The same, where an agent would be kept that stands there: rounded once, after wrapping.
    [[nodiscard]] float kept(double x, std::size_t a) const noexcept {
        const double here = x - origin[a];
        if (periodic[a] && std::abs(here) <= kLargest) {
            return wrapped(here, bounds.lo[a], bounds.hi[a]);
        }
        return nearest_float(here);
    }

    /// Where an agent is kept that is said to be at a local coordinate.
    [[nodiscard]] float kept(float x, std::size_t a) const noexcept {
        return periodic[a] ? wrapped(x, bounds.lo[a], bounds.hi[a]) : x;
    }
    [[nodiscard]] Point<Dim> kept(Point<Dim> position) const noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            position[a] = kept(position[a], a);
        }
        return position;
    }
    [[nodiscard]] Point<Dim> kept(const FarPoint<Dim>& position) const noexcept {
        Point<Dim> here;
        for (std::size_t a = 0; a < Dim; ++a) {
            here[a] = kept(position[a], a);
        }
        return here;
    }

private:
    static float nearest_float(double x) noexcept {
        const bool too_large = std::isfinite(x) && std::abs(x) > kLargest;
        return static_cast<float>(too_large ? std::copysign(2.0 * kLargest, x) : x);
    }
};

} // namespace throng
