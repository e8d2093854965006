// The point or body that asks for the nearest agents. Internal to the engine.
#pragma once

#include "../agents/body.hpp"
#include "../agents/point.hpp"

#include <cstddef>

namespace throng {

/// A body at a point: distances are from this body to those of agents. A mere point is a body
/// without extent: adding its zero to another body's half extent rounds nothing.
template <std::size_t Dim>
struct NearestFrom {
    Point<Dim> point;
    Point<Dim> half_extent{};

    NearestFrom(const Point<Dim>& position, const Point<Dim>& half = {}) noexcept
        : point(position), half_extent(half) {}

    [[nodiscard]] bool is_point() const noexcept { return half_extent == Point<Dim>{}; }

    [[nodiscard]] float distance2_to(Body body, const Point<Dim>& position,
                                     const Point<Dim>& half) const noexcept {
        Point<Dim> sum;
        for (std::size_t a = 0; a < Dim; ++a) {
            sum[a] = half_extent[a] + half[a];
        }
        return throng::distance2_to(body, point, position, sum);
    }
};

} // namespace throng
