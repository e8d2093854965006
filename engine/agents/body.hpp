// Distances to the bodies of agents, and not only to their centres.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../simd/views/body.hpp"
#include "../core/status.hpp"
#include "point.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace throng {

/// The only definition of the squared distance to a body: to the body's nearest point, and zero if
/// the asking point lies in the body. `offset` is the offset to the body's centre, rounded once on
/// each axis. `half_extent` is the body's; between two agents' bodies it is the sum of both,
/// rounded once. Computed in floats, summed over ascending axes. With Body::centre the result is
/// distance2_between() to the bit.
template <std::size_t Dim>
[[nodiscard]] inline float body_distance2(Body body, const Point<Dim>& offset,
                                          const Point<Dim>& half_extent) noexcept {
    float distance2 = 0.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float there =
            body == Body::box ? std::max(std::abs(offset[a]) - half_extent[a], 0.0f) : offset[a];
        // The first square is not added to zero: a sum of one term must not round twice.
        distance2 = a == 0 ? there * there : distance2 + there * there;
    }
    if (body != Body::disc) { return distance2; }
    const float gap = std::max(std::sqrt(distance2) - half_extent[0], 0.0f);
    return gap * gap;
}

/// The offset from `from` to `to` on each axis, rounded once.
template <std::size_t Dim>
[[nodiscard]] constexpr Point<Dim> offset_between(const Point<Dim>& from,
                                                  const Point<Dim>& to) noexcept {
    Point<Dim> offset;
    for (std::size_t a = 0; a < Dim; ++a) {
        offset[a] = to[a] - from[a];
    }
    return offset;
}

/// body_distance2() from a point to an agent's body.
template <std::size_t Dim>
[[nodiscard]] float distance2_to(Body body, const Point<Dim>& from, const Point<Dim>& position,
                                 const Point<Dim>& half_extent) noexcept {
    return body_distance2(body, offset_between(from, position), half_extent);
}

/// Refuses a `body` that is none of the three values.
[[nodiscard]] constexpr Status check_body(Body body, Argument argument) noexcept {
    return body <= Body::disc ? Status{} : Status{Cause::out_of_range, argument};
}

/// Refuses Body::centre, since points do not overlap, and values that check_body() refuses.
[[nodiscard]] constexpr Status check_overlapping(Body body) noexcept {
    const bool can = body == Body::box || body == Body::disc;
    return can ? Status{} : Status{Cause::out_of_range, Argument::body};
}

/// The one definition of "two discs overlap", touching ones included: discs overlap if
/// body_distance2() is zero. The order of the two discs makes no difference.
template <std::size_t Dim>
[[nodiscard]] bool discs_overlap(const Point<Dim>& one, float radius, const Point<Dim>& other,
                                 float radius_of_other) noexcept {
    return body_distance2(Body::disc, offset_between(one, other),
                          Point<Dim>::all(radius + radius_of_other)) <= 0.0f;
}

} // namespace throng

#include "../../simd/isa/names_end.hpp"
