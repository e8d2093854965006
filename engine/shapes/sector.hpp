// A field of view: a part of a disc or ball.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../simd/isa/export.hpp"
#include "../agents/point.hpp"
#include "direction.hpp"
#include "shape_facts.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace throng {

/// All points at most `radius` from `centre` in directions that differ from `direction` by at most
/// an angle. `cosine` is the cosine of that angle: 0 sees what is in front, -1 everything. The
/// direction may have any length except zero. A sector has the cosine and not the angle, because
/// machines round cosines differently: only the caller can make sure that all use the same one.
template <std::size_t Dim>
struct THRONG_API Sector {
    Point<Dim> centre;
    float radius = 0.0f;
    Point<Dim> direction;
    float cosine = 0.0f;

    friend constexpr bool operator==(const Sector&, const Sector&) noexcept = default;
};

namespace detail {

/// A sector, prepared for the tests of agents.
template <std::size_t Dim>
struct SectorTest {
    Point<Dim> centre;
    Point<Dim> along; ///< the direction, scaled(); zero if the sector sees everything
    float cosine2;    ///< the square of the cosine, times the square of along's length
    bool sees_behind; ///< whether the sector sees agents behind its centre
    float radius2;
};

template <std::size_t Dim>
[[nodiscard]] SectorTest<Dim> sector_test(const Sector<Dim>& sector) noexcept {
    SectorTest<Dim> test = {sector.centre, scaled(sector.direction), 0.0f, sector.cosine < 0.0f,
                            sector.radius * sector.radius};
    float length2 = 0.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float d = test.along[a];
        length2 = a == 0 ? d * d : length2 + d * d;
    }
    test.cosine2 = sector.cosine * sector.cosine * length2;
    // A sector that sees everything gets no direction. Otherwise rounding could leave out points
    // behind the centre.
    if (sector.cosine <= -1.0f) { test.along = {}; }
    return test;
}

/// Whether a point at this squared distance, and this far ahead, is within the angle.
template <std::size_t Dim>
[[nodiscard]] constexpr bool sees(const SectorTest<Dim>& test, float ahead,
                                  float distance2) noexcept {
    // Cosines are compared as squares, which have lost their signs.
    const float ahead2 = ahead * ahead;
    const float rim = test.cosine2 * distance2;
    return test.sees_behind ? ahead >= 0.0f || ahead2 <= rim : ahead >= 0.0f && ahead2 >= rim;
}

/// The one definition of "an agent lies in a sector": the agent's centre does, rims included.
template <std::size_t Dim>
[[nodiscard]] constexpr bool contains(const SectorTest<Dim>& test,
                                      const Point<Dim>& point) noexcept {
    float ahead = 0.0f;
    float distance2 = 0.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float offset = point[a] - test.centre[a];
        const float term = offset * test.along[a];
        ahead = a == 0 ? term : ahead + term;
        distance2 = a == 0 ? offset * offset : distance2 + offset * offset;
    }
    return sees(test, ahead, distance2) && distance2 <= test.radius2;
}

template <std::size_t Dim>
struct ShapeFacts<Sector<Dim>> : UsualFacts<Sector<Dim>> {
    using Block = simd::SectorBlock<Dim>;
    static constexpr bool kFindsCentres = true;

    [[nodiscard]] static SectorTest<Dim> test(const Sector<Dim>& sector) noexcept {
        return sector_test(sector);
    }

    [[nodiscard]] static Status check(const Sector<Dim>& sector) noexcept {
        return first_of({check_point(sector.centre, Argument::sector),
                         check_length(sector.radius, Argument::sector),
                         check_direction(sector.direction, Argument::sector),
                         check_cosine(sector.cosine)});
    }

    /// Also finds the sector's bounds on each axis, and half spaces that enclose it.
    static void put(Block& block, std::size_t, const Sector<Dim>& sector) noexcept {
        const SectorTest<Dim> prepared = test(sector);
        block.radius = sector.radius;
        block.radius2 = prepared.radius2;
        block.cosine2 = prepared.cosine2;
        block.sees_behind = prepared.sees_behind;
        const double cosine = sector.cosine;
        const double sine = std::sqrt(1.0 - cosine * cosine);
        const std::array<double, Dim> ahead = unit(scaled(sector.direction));
        for (std::size_t a = 0; a < Dim; ++a) {
            block.centre[a] = sector.centre[a];
            block.along[a] = prepared.along[a];
            // How far the sector reaches along an axis, in radii; `axis` is the cosine of the angle
            // between direction and axis.
            const auto farthest = [&](double axis) {
                if (axis >= cosine) { return 1.0; }
                return axis * cosine + std::sqrt(std::max(1.0 - axis * axis, 0.0)) * sine;
            };
            const double centre = sector.centre[a];
            const double radius = sector.radius;
            const double slack =
                radius * simd::kSectorSlack + (std::abs(centre) + radius) * 0x1p-20 + 1e-18;
            block.lo[a] =
                static_cast<float>(centre - radius * std::max(farthest(-ahead[a]), 0.0) - slack);
            block.hi[a] =
                static_cast<float>(centre + radius * std::max(farthest(ahead[a]), 0.0) + slack);
        }
        block.sides = 0;
        if (prepared.sees_behind) { return; }
        // Adds two half spaces tangential to the rim, one on each side of the direction. `aside` is
        // a unit vector perpendicular to the direction.
        const auto add_rims = [&](const std::array<double, Dim>& aside) {
            for (const double sign : {1.0, -1.0}) {
                for (std::size_t a = 0; a < Dim; ++a) {
                    block.normal[block.sides][a] =
                        static_cast<float>(sign * aside[a] * cosine - ahead[a] * sine);
                }
                block.aside[block.sides] = sector.radius * simd::kSectorSlack;
                ++block.sides;
            }
        };
        if constexpr (Dim == 2) {
            add_rims({-ahead[1], ahead[0]});
        } else {
            // Axis k is the farthest from the direction.
            const std::size_t x = std::abs(ahead[0]) < std::abs(ahead[1]) ? 0 : 1;
            const std::size_t k = std::abs(ahead[x]) < std::abs(ahead[2]) ? x : 2;
            const std::size_t i = (k + 1) % 3;
            const std::size_t j = (k + 2) % 3;
            const double length = std::sqrt(ahead[i] * ahead[i] + ahead[j] * ahead[j]);
            std::array<double, 3> aside{};
            aside[i] = ahead[j] / length;
            aside[j] = -ahead[i] / length;
            add_rims(aside);
            add_rims({ahead[1] * aside[2] - ahead[2] * aside[1],
                      ahead[2] * aside[0] - ahead[0] * aside[2],
                      ahead[0] * aside[1] - ahead[1] * aside[0]});
        }
    }
    static void put_nothing(Block& block, std::size_t) noexcept { block.radius2 = -1.0f; }

    static void bound(ShapeGate<Dim>& gate, const Sector<Dim>& sector) noexcept {
        Block block{};
        put(block, 0, sector);
        Box<Dim> bounds;
        std::copy_n(block.lo, Dim, bounds.lo.axis.data());
        std::copy_n(block.hi, Dim, bounds.hi.axis.data());
        gate.set_bounds(bounds);
        gate.add_ball(sector.centre, reach_of(sector.centre, sector.radius));
        for (std::size_t s = 0; s < block.sides; ++s) {
            // The side goes through the centre, whose coordinates are terms of the test as well.
            Offset<Dim> normal;
            double offset = sector.radius * simd::kSectorSlack;
            for (std::size_t a = 0; a < Dim; ++a) {
                normal[a] = block.normal[s][a];
                const double term = normal[a] * sector.centre[a];
                offset += term + std::abs(term) * 0x1p-18;
            }
            gate.add_side(normal, offset);
        }
    }

    [[nodiscard]] static Sector<Dim> shifted(Sector<Dim> sector, const Offset<Dim>& by) noexcept {
        sector.centre = detail::shifted(sector.centre, by);
        return sector;
    }
    [[nodiscard]] static const Point<Dim>& stored_point(const Sector<Dim>& sector) noexcept {
        return sector.centre;
    }

private:
    [[nodiscard]] static Status check_cosine(float cosine) noexcept {
        if (std::isnan(cosine)) { return {Cause::not_finite, Argument::sector}; }
        return std::abs(cosine) <= 1.0f ? Status{} : Status{Cause::no_cosine, Argument::sector};
    }
};

} // namespace detail
} // namespace throng

#include "../../simd/isa/names_end.hpp"
