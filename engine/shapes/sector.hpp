// A field of view: a part of a disc or ball.
#pragma once

#include "../../simd/isa/export.hpp"
#include "../agents/point.hpp"
#include "direction.hpp"

namespace throng {

/// All points at most `radius` from `centre` that lie no further from `direction` than an angle
/// whose cosine is `cosine`: 0 sees what is in front, -1 everything. The direction need not be of
/// unit length, but not zero. It takes the cosine and not the angle, because machines round cosines
/// differently: only the caller can see to it that all use the same one.
template <std::size_t Dim>
struct THRONG_API Sector {
    Point<Dim> centre;
    float radius = 0.0f;
    Point<Dim> direction;
    float cosine = 0.0f;

    friend constexpr bool operator==(const Sector&, const Sector&) noexcept = default;
};

/// A sector as its tests see it.
template <std::size_t Dim>
struct SectorTest {
    Point<Dim> centre;
    Point<Dim> along; ///< where it looks; zero if it sees everything
    float cosine2;    ///< the square of the cosine, times the square of along's length
    bool wide;        ///< whether it sees what is behind its centre
    float radius2;
};

template <std::size_t Dim>
[[nodiscard]] SectorTest<Dim> sector_test(const Sector<Dim>& sector) noexcept {
    SectorTest<Dim> sight = {sector.centre, scaled(sector.direction), 0.0f, sector.cosine < 0.0f,
                             sector.radius * sector.radius};
    float length2 = 0.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float d = sight.along[a];
        length2 = a == 0 ? d * d : length2 + d * d;
    }
    sight.cosine2 = sector.cosine * sector.cosine * length2;
    // A sector that sees everything has no direction, so that rounding does not decide about what
    // is behind.
    if (sector.cosine <= -1.0f) { sight.along = {}; }
    return sight;
}

/// The one definition of "an agent lies in a sector": its centre does, the rims included.
template <std::size_t Dim>
[[nodiscard]] constexpr bool contains(const SectorTest<Dim>& sight,
                                      const Point<Dim>& point) noexcept {
    float ahead = 0.0f;
    float distance2 = 0.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float offset = point[a] - sight.centre[a];
        const float term = offset * sight.along[a];
        ahead = a == 0 ? term : ahead + term;
        distance2 = a == 0 ? offset * offset : distance2 + offset * offset;
    }
    // Cosines are compared as squares, which have lost their signs.
    const float ahead2 = ahead * ahead;
    const float rim = sight.cosine2 * distance2;
    const bool seen = sight.wide ? ahead >= 0.0f || ahead2 <= rim : ahead >= 0.0f && ahead2 >= rim;
    return seen && distance2 <= sight.radius2;
}

} // namespace throng
