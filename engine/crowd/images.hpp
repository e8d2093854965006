// Which copy of a neighbour an agent sees in a periodic world.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../simd/isa/export.hpp"
#include "../agents/point.hpp"
#include "../agents/view.hpp"
#include "../agents/world_agents.hpp"
#include "../core/status.hpp"
#include "crowd.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace throng {

/// By how many periods an agent is moved on each axis to be where another sees it: -1, 0 or 1, and
/// 0 on axes that are not periodic.
template <std::size_t Dim>
using Image = std::array<std::int8_t, Dim>;

/// Says through which borders of a periodic world agents see what they have found: for lists of
/// neighbours, the nearest, pairs, and what balls find, all alike. It looks at positions alone, so
/// the calls that find cost nothing more, and there is nothing to look up: the caller has the
/// positions that the crowd was given.
///
/// Both positions are taken into the world first, as the crowd does with agents. The image is the
/// copy that is nearest to the asker on every axis. The distances are those of docs/worlds.md: the
/// asker is moved by -1, 0 and 1 periods, in floats. So if a call finds the other by the distance
/// of its centre or body, it does so at this copy, on rims too, and the distance of nearest() is
/// that of this copy. If several are equally near, it is the one of an asker that stays, else of
/// one that is moved down. In worlds wider than twice the reach no other copy is found. Of a pair
/// of visit_pairs(), the one with the smaller id is the asker.
template <std::size_t Dim>
class THRONG_API Images {
public:
    /// In the world of this crowd, as it is now.
    explicit Images(const Crowd<Dim>& crowd) noexcept;

    /// Positions as in update(): floats, or doubles in world coordinates. They must be such as a
    /// crowd takes.
    [[nodiscard]] Image<Dim> of(const Point<Dim>& asker, const Point<Dim>& other) const noexcept {
        return between(asker, other);
    }
    [[nodiscard]] Image<Dim> of(const WorldPoint<Dim>& asker,
                                const WorldPoint<Dim>& other) const noexcept {
        return between(asker, other);
    }

    /// The same for arrays: out[i] is how an agent at points[i] sees one at positions[i]; a single
    /// point sees all. Before anything is written, these are refused: coordinates that no crowd
    /// takes, with their index; points that are neither one nor as many as the positions; and an
    /// array `out` that is shorter than these.
    Status write(const PointView<Dim>& points, const PointView<Dim>& positions,
                 std::span<Image<Dim>> out) const noexcept;
    Status write(const WorldPointView<Dim>& points, const WorldPointView<Dim>& positions,
                 std::span<Image<Dim>> out) const noexcept;

private:
    /// An axis, with the coordinates that need not be wrapped.
    struct Axis {
        double origin;
        float lo, hi, period; // no period: not a periodic axis
    };

    /// The coordinate that the crowd keeps for one between lo and hi: rounded, and not to hi.
    [[nodiscard]] static float kept(float local, const Axis&) noexcept { return local; }
    [[nodiscard]] static float kept(double local, const Axis& axis) noexcept {
        const auto rounded = static_cast<float>(local);
        return rounded < axis.hi ? rounded : axis.lo;
    }
    [[nodiscard]] static float local(float x, const Axis&) noexcept { return x; }
    [[nodiscard]] static double local(double x, const Axis& axis) noexcept {
        return x - axis.origin;
    }

    // Axes are written out, and not in a loop: compilers that do not unroll it write an image byte
    // by byte, and wait until they can read it as a whole.
    template <class Any, std::size_t... kAxes>
    [[nodiscard]] bool are_inside(const Any& one, const Any& other,
                                  std::index_sequence<kAxes...>) const noexcept {
        return (are_inside(local(one[kAxes], axes_[kAxes]), local(other[kAxes], axes_[kAxes]),
                           axes_[kAxes]) &&
                ...);
    }
    // The smaller and the larger of both are compared: comparisons are most of the time.
    template <class Float>
    [[nodiscard]] static bool are_inside(Float one, Float other, const Axis& axis) noexcept {
        return axis.lo <= std::min(one, other) && std::max(one, other) < axis.hi;
    }
    template <class Any, std::size_t... kAxes>
    [[nodiscard]] Image<Dim> inside(const Any& asker, const Any& other,
                                    std::index_sequence<kAxes...>) const noexcept {
        return {nearest(kept(local(asker[kAxes], axes_[kAxes]), axes_[kAxes]),
                        kept(local(other[kAxes], axes_[kAxes]), axes_[kAxes]),
                        axes_[kAxes].period)...};
    }

    /// The image on one axis, of points inside. An asker below the other comes nearer if it is
    /// moved up, or not at all; the other is then seen one period down.
    [[nodiscard]] static std::int8_t nearest(float asker, float other, float period) noexcept {
        const float way = other - asker;
        const float moved = asker + std::copysign(period, way);
        const int is_nearer = std::abs(other - moved) < std::abs(way) ? 1 : 0;
        const int side = std::signbit(way) ? 1 : -1;
        return static_cast<std::int8_t>(is_nearer * side);
    }

    template <class Any>
    [[nodiscard]] Image<Dim> between(const Any& asker, const Any& other) const noexcept {
        constexpr std::make_index_sequence<Dim> kAll;
        if (!are_inside(asker, other, kAll)) { return brought_in(asker, other); }
        return inside(asker, other, kAll);
    }
    /// The same for points of which one is outside.
    template <class Any>
    [[nodiscard]] Image<Dim> brought_in(const Any& asker, const Any& other) const noexcept;
    /// A point as the crowd keeps it, from anywhere.
    template <class Any>
    [[nodiscard]] Point<Dim> wrapped(const Any& point) const noexcept;

    template <class Float>
    Status check(const StridedPoints<Float, Dim>& points, Argument argument) const noexcept;
    template <class Float>
    Status write_all(const StridedPoints<Float, Dim>& points,
                     const StridedPoints<Float, Dim>& positions,
                     std::span<Image<Dim>> out) const noexcept;

    std::array<Axis, Dim> axes_;
};

extern template class Images<2>;
extern template class Images<3>;

} // namespace throng

#include "../../simd/isa/names_end.hpp"
