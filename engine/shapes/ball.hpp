// The disc or ball, and what it means to lie in one.
#pragma once

#include "../../simd/isa/export.hpp"
#include "../agents/point.hpp"

namespace throng {

/// All points at most `radius` from `centre`.
template <std::size_t Dim>
struct THRONG_API Ball {
    Point<Dim> centre;
    float radius = 0.0f;

    friend constexpr bool operator==(const Ball&, const Ball&) noexcept = default;
};

/// How far it is from `from` to `to`, squared, in floats summed over ascending axes.
template <std::size_t Dim>
[[nodiscard]] constexpr float distance2_between(const Point<Dim>& from,
                                                const Point<Dim>& to) noexcept {
    float distance2 = 0.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float offset = to[a] - from[a];
        // The first square is not added to zero: a sum of one term must not round twice.
        distance2 = a == 0 ? offset * offset : distance2 + offset * offset;
    }
    return distance2;
}

/// The one definition of "an agent lies in a ball": its centre does, the rim included. Agents'
/// extents play no part.
template <std::size_t Dim>
[[nodiscard]] constexpr bool contains(const Ball<Dim>& ball, const Point<Dim>& point) noexcept {
    return distance2_between(ball.centre, point) <= ball.radius * ball.radius;
}

} // namespace throng
