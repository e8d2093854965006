// The convex region: a selection on a screen, a camera's frustum, a turned box.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../simd/isa/export.hpp"
#include "../agents/box.hpp"
#include "../agents/point.hpp"
#include "../core/status.hpp"
#include "box_facts.hpp"
#include "direction.hpp"
#include "shape_facts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace throng {

/// All points p with normal . p <= offset. The normal points outward; it may have any length except
/// zero.
template <std::size_t Dim>
struct HalfSpace {
    Point<Dim> normal;
    float offset = 0.0f;

    friend constexpr bool operator==(const HalfSpace&, const HalfSpace&) noexcept = default;
};

/// A convex region: all points that lie in a box and in up to eight half spaces.
///
/// Agents' boxes are tested: an agent is left out when all of its box is outside a half space, or
/// outside the bounds. In the plane, with tight bounds, this finds exactly the agents whose boxes
/// overlap the region. In space, as is usual for frusta, it may also find an agent just outside,
/// close to an edge.
template <std::size_t Dim>
struct THRONG_API Convex {
    static constexpr std::size_t kMostSides = 8; ///< half spaces

    std::array<HalfSpace<Dim>, kMostSides> sides{};
    std::size_t count = 0; ///< of sides
    Box<Dim> bounds{Point<Dim>::all(-kLargest), Point<Dim>::all(kLargest)};

    friend constexpr bool operator==(const Convex&, const Convex&) noexcept = default;
};

/// The polygon with these corners, one to eight of them, in order and either way round. It may be
/// flat. Refused: corners that are not finite or too large, more than eight, none, and corners that
/// are not those of a convex polygon.
[[nodiscard]] THRONG_API OrStatus<Convex<2>> polygon(std::span<const Point<2>> corners) noexcept;

/// The frustum with these corners: four in order around the near side, either way round, and the
/// four of the far side in the same order. The eight must not all lie in one plane. The corners of
/// each side must lie in one: a side that is bent inward is taken to be flat.
[[nodiscard]] THRONG_API OrStatus<Convex<3>>
frustum(const std::array<Point<3>, 8>& corners) noexcept;

/// How far a box of this half extent reaches along a half space's normal, times the normal's
/// length.
template <std::size_t Dim>
[[nodiscard]] float reach_across(const HalfSpace<Dim>& side, const Point<Dim>& half) noexcept {
    float reach = 0.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float term = std::abs(side.normal[a]) * half[a];
        reach = a == 0 ? term : reach + term;
    }
    return reach;
}

/// The one definition of "an agent overlaps a convex region".
template <std::size_t Dim>
[[nodiscard]] bool overlaps(const Convex<Dim>& convex, const Point<Dim>& centre,
                            const Point<Dim>& half) noexcept {
    bool hit = overlaps(convex.bounds, centre, half);
    for (std::size_t s = 0; s < convex.count; ++s) {
        const HalfSpace<Dim>& side = convex.sides[s];
        float height = 0.0f;
        for (std::size_t a = 0; a < Dim; ++a) {
            const float term = side.normal[a] * centre[a];
            height = a == 0 ? term : height + term;
        }
        hit = hit && height - reach_across(side, half) <= side.offset;
    }
    return hit;
}

namespace detail {

template <std::size_t Dim>
struct ShapeFacts<Convex<Dim>> : UsualFacts<Convex<Dim>> {
    using Block = simd::ConvexBlock<Dim>;

    [[nodiscard]] static Status check(const Convex<Dim>& convex) noexcept {
        if (convex.count > Convex<Dim>::kMostSides) { return {Cause::too_many, Argument::convex}; }
        for (std::size_t s = 0; s < convex.count; ++s) {
            const HalfSpace<Dim>& side = convex.sides[s];
            const Status status = check_direction(side.normal, Argument::convex);
            if (!status.ok()) { return status; }
            if (!std::isfinite(side.offset)) { return {Cause::not_finite, Argument::convex}; }
        }
        return first_of({check_point(convex.bounds.lo, Argument::convex),
                         check_point(convex.bounds.hi, Argument::convex)});
    }

    static void put(Block& block, std::size_t, const Convex<Dim>& convex) noexcept {
        static_assert(Convex<Dim>::kMostSides == Block::kMostSides);
        std::copy_n(convex.bounds.lo.axis.data(), Dim, block.lo);
        std::copy_n(convex.bounds.hi.axis.data(), Dim, block.hi);
        block.sides = static_cast<std::uint32_t>(convex.count);
        for (std::size_t s = 0; s < convex.count; ++s) {
            std::copy_n(convex.sides[s].normal.axis.data(), Dim, block.normal[s]);
            block.offset[s] = convex.sides[s].offset;
        }
    }
    static void put_nothing(Block& block, std::size_t) noexcept {
        put(block, 0, {{}, 0, {Point<Dim>::all(1.0f), Point<Dim>::all(-1.0f)}});
    }

    static void bound(ShapeGate<Dim>& gate, const Convex<Dim>& convex) noexcept {
        gate.set_bounds(convex.bounds);
        for (std::size_t s = 0; s < convex.count; ++s) {
            gate.add_side(as_offset(convex.sides[s].normal), convex.sides[s].offset);
        }
    }

    /// A half space moves by its offset, which is rounded once, like a coordinate.
    [[nodiscard]] static Convex<Dim> shifted(Convex<Dim> convex, const Offset<Dim>& by) noexcept {
        convex.bounds = ShapeFacts<Box<Dim>>::shifted(convex.bounds, by);
        for (std::size_t s = 0; s < convex.count; ++s) {
            HalfSpace<Dim>& side = convex.sides[s];
            double offset = side.offset;
            for (std::size_t a = 0; a < Dim; ++a) {
                offset += side.normal[a] * by[a];
            }
            side.offset = static_cast<float>(offset);
        }
        return convex;
    }
    [[nodiscard]] static const Point<Dim>& stored_point(const Convex<Dim>& convex) noexcept {
        return convex.bounds.lo;
    }
    [[nodiscard]] static Offset<Dim> anchor(const Convex<Dim>& convex) noexcept {
        return ShapeFacts<Box<Dim>>::anchor(convex.bounds);
    }
    [[nodiscard]] static bool stays_sound(const Convex<Dim>& convex, double size) noexcept {
        bool sound = size < kLargest;
        for (std::size_t s = 0; s < convex.count; ++s) {
            double offset = std::abs(convex.sides[s].offset);
            for (const float normal : convex.sides[s].normal.axis) {
                offset += 2.0 * std::abs(normal) * size;
            }
            sound = sound && offset < std::numeric_limits<float>::max();
        }
        return sound;
    }
};

} // namespace detail
} // namespace throng

#include "../../simd/isa/names_end.hpp"
