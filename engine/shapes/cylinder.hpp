// The upright cylinder: a disc on the ground and a band of heights, like a storey of a building.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../simd/isa/export.hpp"
#include "../agents/box.hpp"
#include "../agents/point.hpp"
#include "shape_facts.hpp"

#include <cstdint>

namespace throng {

/// All points whose distance from `centre` on the ground is at most `radius`, and whose coordinate
/// on the axis `up` is in `low` ... `high`. The centre's own coordinate on that axis is not used.
/// `up` is 1 or 2 for y or z, the last axis by default; in the plane it is y, and the ground a
/// line. A cylinder with `low` above `high` is inverted and holds nothing.
template <std::size_t Dim>
struct THRONG_API Cylinder {
    Point<Dim> centre;
    float radius = 0.0f;
    float low = -kLargest, high = kLargest;
    std::uint32_t up = Dim - 1;

    friend constexpr bool operator==(const Cylinder&, const Cylinder&) noexcept = default;
};

/// The one definition of "an agent lies in a cylinder": the agent's centre does, rims included.
/// Agents' extents play no part. check_shape() must accept the cylinder.
template <std::size_t Dim>
[[nodiscard]] constexpr bool contains(const Cylinder<Dim>& cylinder,
                                      const Point<Dim>& point) noexcept {
    float distance2 = 0.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        if (a == cylinder.up) { continue; }
        const float offset = point[a] - cylinder.centre[a];
        distance2 = a == 0 ? offset * offset : distance2 + offset * offset;
    }
    const float height = point[cylinder.up];
    return distance2 <= cylinder.radius * cylinder.radius && cylinder.low <= height &&
           height <= cylinder.high;
}

namespace detail {

template <std::size_t Dim>
struct ShapeFacts<Cylinder<Dim>> : UsualFacts<Cylinder<Dim>> {
    using Block = simd::CylinderBlock<Dim>;
    static constexpr bool kFindsCentres = true;
    static constexpr bool kThreeCopiesSuffice = true;

    [[nodiscard]] static Status check(const Cylinder<Dim>& cylinder) noexcept {
        // `up` must not be x, since rows of cells lie along x.
        if (cylinder.up == 0 || cylinder.up >= Dim) {
            return {Cause::out_of_range, Argument::cylinder};
        }
        const Point<2> band{{cylinder.low, cylinder.high}};
        return first_of({check_point(cylinder.centre, Argument::cylinder),
                         check_length(cylinder.radius, Argument::cylinder),
                         check_point(band, Argument::cylinder)});
    }

    static void put(Block& block, std::size_t, const Cylinder<Dim>& cylinder) noexcept {
        const Box<Dim> bounds = bounds_of(cylinder);
        for (std::size_t a = 0; a < Dim; ++a) {
            block.centre[a] = cylinder.centre[a];
            block.lo[a] = bounds.lo[a];
            block.hi[a] = bounds.hi[a];
        }
        block.radius = cylinder.radius;
        block.radius2 = cylinder.radius * cylinder.radius;
        block.up = cylinder.up;
    }
    static void put_nothing(Block& block, std::size_t) noexcept { block.radius2 = -1.0f; }

    /// In space, four added sides cut the square around the circle to an octagon.
    static void bound(ShapeGate<Dim>& gate, const Cylinder<Dim>& cylinder) noexcept {
        gate.set_bounds(bounds_of(cylinder));
        if constexpr (Dim == 3) {
            constexpr double kDiagonal = 0.70710678118654752; // half the diagonal of a unit square
            const std::size_t across = 3 - cylinder.up;       // the other axis of the ground
            for (const double x : {-kDiagonal, kDiagonal}) {
                for (const double y : {-kDiagonal, kDiagonal}) {
                    Offset<Dim> normal{};
                    normal[0] = x;
                    normal[across] = y;
                    gate.add_side(normal, x * cylinder.centre[0] + y * cylinder.centre[across] +
                                              reach_on(cylinder, 0) + reach_on(cylinder, across) -
                                              cylinder.radius);
                }
            }
        }
    }

    [[nodiscard]] static Cylinder<Dim> shifted(Cylinder<Dim> cylinder,
                                               const Offset<Dim>& by) noexcept {
        // The centre's own height is not used and does not move: it might grow too large.
        Offset<Dim> on_ground = by;
        on_ground[cylinder.up] = 0.0;
        cylinder.centre = detail::shifted(cylinder.centre, on_ground);
        cylinder.low = static_cast<float>(cylinder.low + by[cylinder.up]);
        cylinder.high = static_cast<float>(cylinder.high + by[cylinder.up]);
        return cylinder;
    }
    [[nodiscard]] static const Point<Dim>& stored_point(const Cylinder<Dim>& cylinder) noexcept {
        return cylinder.centre;
    }
    [[nodiscard]] static Offset<Dim> anchor(const Cylinder<Dim>& cylinder) noexcept {
        Offset<Dim> middle = as_offset(cylinder.centre);
        middle[cylinder.up] = 0.5 * (static_cast<double>(cylinder.low) + cylinder.high);
        return middle;
    }
    [[nodiscard]] static bool is_inverted(const Cylinder<Dim>& cylinder) noexcept {
        return cylinder.low > cylinder.high;
    }

private:
    /// How far from the centre, on an axis of the ground, rounding may still find an agent.
    [[nodiscard]] static double reach_on(const Cylinder<Dim>& cylinder, std::size_t a) noexcept {
        const double size = std::abs(static_cast<double>(cylinder.centre[a])) + cylinder.radius;
        return cylinder.radius + size * 0x1p-20 + 1e-18;
    }

    /// The box around a cylinder. On the axis `up` it is exact, and inverted if the band is.
    [[nodiscard]] static Box<Dim> bounds_of(const Cylinder<Dim>& cylinder) noexcept {
        Box<Dim> bounds;
        for (std::size_t a = 0; a < Dim; ++a) {
            const double reach = reach_on(cylinder, a);
            bounds.lo[a] = static_cast<float>(cylinder.centre[a] - reach);
            bounds.hi[a] = static_cast<float>(cylinder.centre[a] + reach);
        }
        bounds.lo[cylinder.up] = cylinder.low;
        bounds.hi[cylinder.up] = cylinder.high;
        return bounds;
    }
};

} // namespace detail
} // namespace throng

#include "../../simd/isa/names_end.hpp"
