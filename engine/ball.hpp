// The disc or ball, and what it means to lie in one.
#pragma once

#include "point.hpp"

namespace throng {

/// All points at most `radius` from `centre`.
template <std::size_t Dim>
struct Ball {
    Point<Dim> centre;
    float radius = 0.0f;

    friend constexpr bool operator==(const Ball&, const Ball&) noexcept = default;
};

/// The one definition of "an agent lies in a ball": its centre does, the rim included, in floats
/// summed over ascending axes. Agents' extents play no part.
template <std::size_t Dim>
[[nodiscard]] constexpr bool contains(const Ball<Dim>& ball, const Point<Dim>& point) noexcept {
    float distance2 = 0.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float offset = point[a] - ball.centre[a];
        // The first square is not added to zero: a sum of one term must not round twice.
        distance2 = a == 0 ? offset * offset : distance2 + offset * offset;
    }
    return distance2 <= ball.radius * ball.radius;
}

} // namespace throng
