// The disc or ball on its way from one point to another.
#pragma once

#include "../../simd/isa/export.hpp"
#include "../agents/point.hpp"

#include <algorithm>
#include <cmath>

namespace throng {

/// All points that a disc (in space, a ball) of `radius` covers on the straight way `from` ...
/// `to`; time runs from 0 to 1. With a radius of zero it is a segment that meets agents' discs
/// instead of boxes.
template <std::size_t Dim>
struct THRONG_API Capsule {
    Point<Dim> from, to;
    float radius = 0.0f;

    friend constexpr bool operator==(const Capsule&, const Capsule&) noexcept = default;
};

/// A capsule as its tests see it.
template <std::size_t Dim>
struct CapsuleTest {
    Point<Dim> from;
    Point<Dim> way;
    float per_square; ///< one over the square of the way's length; 0 where there is no way to go
    float radius;
};

template <std::size_t Dim>
[[nodiscard]] CapsuleTest<Dim> capsule_test(const Capsule<Dim>& capsule) noexcept {
    CapsuleTest<Dim> sweep = {capsule.from, {}, 0.0f, capsule.radius};
    float square = 0.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        sweep.way[a] = capsule.to[a] - capsule.from[a];
        square = a == 0 ? sweep.way[a] * sweep.way[a] : square + sweep.way[a] * sweep.way[a];
    }
    // Shorter ways have squares that floats cannot hold.
    constexpr float kShortest = 1e-36f;
    if (square >= kShortest) { sweep.per_square = 1.0f / square; }
    return sweep;
}

/// When the disc's centre comes nearest to a point, if the way had no ends.
template <std::size_t Dim>
[[nodiscard]] float time_of_passing(const CapsuleTest<Dim>& sweep,
                                    const Point<Dim>& centre) noexcept {
    float product = 0.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float term = (centre[a] - sweep.from[a]) * sweep.way[a];
        product = a == 0 ? term : product + term;
    }
    return product * sweep.per_square;
}

/// The squared distance from a point to the disc's centre at that time.
template <std::size_t Dim>
[[nodiscard]] float distance2_at(const CapsuleTest<Dim>& sweep, const Point<Dim>& centre,
                                 float time) noexcept {
    float distance2 = 0.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float offset = (centre[a] - sweep.from[a]) - sweep.way[a] * time;
        distance2 = a == 0 ? offset * offset : distance2 + offset * offset;
    }
    return distance2;
}

/// The one definition of "a capsule meets an agent": their discs touch on the way. An agent's disc
/// has its half extent on x for a radius.
template <std::size_t Dim>
[[nodiscard]] bool meets(const CapsuleTest<Dim>& sweep, const Point<Dim>& centre,
                         const Point<Dim>& half) noexcept {
    const float time = std::clamp(time_of_passing(sweep, centre), 0.0f, 1.0f);
    const float reach = sweep.radius + half[0];
    return distance2_at(sweep, centre, time) <= reach * reach;
}

/// When the disc first touches the disc of an agent, which it must meet.
template <std::size_t Dim>
[[nodiscard]] float time_of_hit(const CapsuleTest<Dim>& sweep, const Point<Dim>& centre,
                                const Point<Dim>& half) noexcept {
    const float reach2 = (sweep.radius + half[0]) * (sweep.radius + half[0]);
    const float passing = time_of_passing(sweep, centre);
    const float deep = std::max(reach2 - distance2_at(sweep, centre, passing), 0.0f);
    const float time = passing - std::sqrt(deep * sweep.per_square);
    // An agent touched at the start has time 0, whatever rounding says.
    return distance2_at(sweep, centre, 0.0f) <= reach2 ? 0.0f : std::clamp(time, 0.0f, 1.0f) + 0.0f;
}

} // namespace throng
