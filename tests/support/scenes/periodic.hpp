// A world that is periodic on some axes.
#pragma once

#include <throng/engine/agents/box.hpp>
#include <throng/engine/agents/world_wrap.hpp>

#include <array>
#include <cstddef>

namespace throng::test {

template <std::size_t Dim>
struct Periodic {
    Box<Dim> bounds{};
    std::array<bool, Dim> axes{};

    [[nodiscard]] float period(std::size_t a) const { return bounds.hi[a] - bounds.lo[a]; }
    [[nodiscard]] Point<Dim> inside(Point<Dim> point) const {
        for (std::size_t a = 0; a < Dim; ++a) {
            if (axes[a]) { point[a] = wrapped(point[a], bounds.lo[a], bounds.hi[a]); }
        }
        return point;
    }
    /// The point moved by this many periods on each axis.
    [[nodiscard]] Point<Dim> moved(Point<Dim> point, const std::array<double, Dim>& steps) const {
        for (std::size_t a = 0; a < Dim; ++a) {
            if (axes[a]) { point[a] += static_cast<float>(steps[a]) * period(a); }
        }
        return point;
    }
    /// Calls visit(steps) for all whole steps from -most to most on periodic axes.
    template <class Visit>
    void for_each_step(int most, const Visit& visit) const {
        std::array<double, Dim> steps{};
        for (std::size_t a = 0; a < Dim; ++a) {
            steps[a] = axes[a] ? -most : 0;
        }
        for (bool more = true; more;) {
            visit(steps);
            more = false;
            for (std::size_t a = 0; a < Dim && !more; ++a) {
                if (!axes[a]) { continue; }
                more = steps[a] < most;
                steps[a] = more ? steps[a] + 1.0 : -most;
            }
        }
    }
};

} // namespace throng::test
