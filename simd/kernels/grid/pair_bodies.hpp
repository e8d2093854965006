// How agents are tested for overlap, as boxes or as discs. For *.kernel.cpp files only.
#pragma once

#include "../../search/body_distance.hpp"
#include "../../shapes/row_places.hpp"
#include "../../shapes/search_range.hpp"
#include "../../views/query_block.hpp"
#include "pairs.hpp"

namespace throng::simd {

/// The agents of a packet are compared with at most this many agents in other rows.
inline constexpr std::uint32_t kMostOthers = 128;

/// The fields of these other agents, in the order of a row's fields.
template <std::size_t Dim>
using OtherFields = std::uint32_t[2 * Dim + 1][kMostOthers + 2 * kSlack];

/// What is asked about every agent of a range.
struct PairQuestion {
    KernelFilter filter;
    /// For discs of one size: the largest square of the distance between centres at which they
    /// overlap.
    float disc_limit2 = 0.0f;
};

/// Whether discs overlap, from the squares of the distances between their centres: exactly where
/// body_distance2() is zero. NaN, where there is no agent, overlaps nothing.
template <class Arch>
[[gnu::always_inline]] inline FloatMask<Arch> discs_overlap(const Floats<Arch>& distance2,
                                                            const Floats<Arch>& radii) noexcept {
    return disc_distance2<Arch>(distance2, radii) <= Floats<Arch>(0.0f);
}

/// The agents of a packet, and the agents that they are compared with, as boxes.
template <class ArchOf, std::size_t Dim, bool own_extents, std::uint32_t kVectorsOf>
class PairBoxes {
public:
    using Arch = ArchOf;
    static constexpr std::size_t kDim = Dim;
    static constexpr std::uint32_t kVectors = kVectorsOf;
    /// The number of half extents to gather for each other agent.
    [[nodiscard]] static constexpr std::size_t half_extents() noexcept {
        return own_extents ? Dim : 0;
    }

    [[gnu::always_inline]] PairBoxes(const GridView<Dim>&, const PairQuestion&) noexcept {}

    /// Takes the fields of a vector of agents on axis `a` from agents(field). Returns bounds of the
    /// centres of other agents that these agents may overlap.
    template <class Agents>
    [[gnu::always_inline]] Bounds<Arch> put(const GridView<Dim>& grid, std::uint32_t v,
                                            std::size_t a, const Agents& agents) noexcept {
        const Floats<Arch> x = agents(Fields<Dim>::kPosition + a);
        Floats<Arch> h(grid.max_half_extent[a]);
        if constexpr (own_extents) { h = agents(Fields<Dim>::kHalfExtent + a); }
        lo_[v][a] = x - h;
        hi_[v][a] = x + h;
        return widened<Arch>(lo_[v][a], hi_[v][a], Floats<Arch>(grid.max_half_extent[a]));
    }

    /// Prepares the other agents, once all of them are gathered.
    [[gnu::always_inline]] void take_others(const GridView<Dim>& grid,
                                            const OtherFields<Dim>& others,
                                            std::uint32_t count) noexcept {
        for (std::uint32_t i = 0; i < count; i += kLanes<Arch>) {
            for (std::size_t a = 0; a < Dim; ++a) {
                const Floats<Arch> x = numbers(others[Fields<Dim>::kPosition + a] + i);
                const Floats<Arch> h = own_extents
                                           ? numbers(others[Fields<Dim>::kHalfExtent + a] + i)
                                           : Floats<Arch>(grid.max_half_extent[a]);
                (x - h).store_unaligned(other_lo_[a] + i);
                (x + h).store_unaligned(other_hi_[a] + i);
            }
        }
    }

    /// Which agents of a vector overlap the node in the same lane, of the nodes from `slot` on.
    [[gnu::always_inline]] FloatMask<Arch> touching(const GridView<Dim>& grid, std::uint32_t v,
                                                    const NodeArrays& row,
                                                    std::uint32_t slot) const noexcept {
        return overlapping(
            v, [&](std::size_t a) __attribute__((always_inline)) {
                const Floats<Arch> x = floats_once_at<Arch>(row, Fields<Dim>::kPosition + a, slot);
                const Floats<Arch> h =
                    own_extents ? floats_at<Arch>(row, Fields<Dim>::kHalfExtent + a, slot)
                                : Floats<Arch>(grid.max_half_extent[a]);
                return Bounds<Arch>{x - h, x + h};
            });
    }
    /// Which agents of a vector overlap the gathered agent `other`.
    [[gnu::always_inline]] FloatMask<Arch> touching_other(std::uint32_t v, const OtherFields<Dim>&,
                                                          std::uint32_t other) const noexcept {
        return overlapping(
            v, [&](std::size_t a) __attribute__((always_inline)) {
                return Bounds<Arch>{Floats<Arch>(other_lo_[a][other]),
                                    Floats<Arch>(other_hi_[a][other])};
            });
    }

private:
    [[gnu::always_inline]] static Floats<Arch> numbers(const std::uint32_t* words) noexcept {
        return Floats<Arch>::load_unaligned(reinterpret_cast<const float*>(words));
    }

    /// if (other.lo <= hi && other.hi >= lo, on every axis)
    template <class Other>
    [[gnu::always_inline]] FloatMask<Arch> overlapping(std::uint32_t v,
                                                       const Other& other) const noexcept {
        const Bounds<Arch> x = other(0);
        FloatMask<Arch> touching = (x.low <= hi_[v][0]) & (x.high >= lo_[v][0]);
        for (std::size_t a = 1; a < Dim; ++a) {
            const Bounds<Arch> y = other(a);
            touching = touching & (y.low <= hi_[v][a]) & (y.high >= lo_[v][a]);
        }
        return touching;
    }

    Floats<Arch> lo_[kVectors][Dim], hi_[kVectors][Dim];
    float other_lo_[Dim][kMostOthers + 2 * kSlack], other_hi_[Dim][kMostOthers + 2 * kSlack];
};

/// The same agents as discs, with the same interface.
template <class ArchOf, std::size_t Dim, std::uint32_t kVectorsOf>
class PairDiscs {
public:
    using Arch = ArchOf;
    static constexpr std::size_t kDim = Dim;
    static constexpr std::uint32_t kVectors = kVectorsOf;
    [[nodiscard]] std::size_t half_extents() const noexcept { return own_extents_ ? 1 : 0; }

    [[gnu::always_inline]] PairDiscs(const GridView<Dim>& grid,
                                     const PairQuestion& question) noexcept
        : own_extents_(grid.own_extents), limit2_(question.disc_limit2) {}

    template <class Agents>
    [[gnu::always_inline]] Bounds<Arch> put(const GridView<Dim>& grid, std::uint32_t v,
                                            std::size_t a, const Agents& agents) noexcept {
        const Floats<Arch> x = agents(Fields<Dim>::kPosition + a);
        Floats<Arch> r(grid.max_half_extent[0]);
        if (own_extents_) {
            r = agents(Fields<Dim>::kHalfExtent);
            if (a == 0) { radius_[v] = r; }
        }
        centre_[v][a] = x;
        // Rounding errors of squares and roots are in proportion to the radii, not to the bounds.
        const float reach = grid.max_half_extent[0] * (1.0f + 4.0f * kSlackRatio);
        return widened<Arch>(x - r, x + r, Floats<Arch>(reach));
    }

    [[gnu::always_inline]] void take_others(const GridView<Dim>&, const OtherFields<Dim>&,
                                            std::uint32_t) noexcept {}

    [[gnu::always_inline]] FloatMask<Arch> touching(const GridView<Dim>&, std::uint32_t v,
                                                    const NodeArrays& row,
                                                    std::uint32_t slot) const noexcept {
        return overlapping(
            v, [&](std::size_t field)
                   __attribute__((always_inline)) { return floats_at<Arch>(row, field, slot); });
    }
    [[gnu::always_inline]] FloatMask<Arch> touching_other(std::uint32_t v,
                                                          const OtherFields<Dim>& others,
                                                          std::uint32_t other) const noexcept {
        return overlapping(
            v, [&](std::size_t field) __attribute__((always_inline)) {
                return Floats<Arch>(__builtin_bit_cast(float, others[field][other]));
            });
    }

private:
    template <class Other>
    [[gnu::always_inline]] FloatMask<Arch> overlapping(std::uint32_t v,
                                                       const Other& other) const noexcept {
        Floats<Arch> offset[Dim];
        for (std::size_t a = 0; a < Dim; ++a) {
            offset[a] = other(Fields<Dim>::kPosition + a) - centre_[v][a];
        }
        const Floats<Arch> distance2 = squares_of<Arch>(offset);
        if (own_extents_) {
            return discs_overlap<Arch>(distance2, radius_[v] + other(Fields<Dim>::kHalfExtent));
        }
        return distance2 <= limit2_;
    }

    const bool own_extents_;
    Floats<Arch> centre_[kVectors][Dim], radius_[kVectors];
    Floats<Arch> limit2_;
};

/// One disc among the discs of a grid: a shape for search_rows().
template <class Arch, std::size_t Dim>
class LoneDisc {
public:
    static constexpr bool kTellsInside = false;

    [[gnu::always_inline]] LoneDisc(const GridView<Dim>& grid, const PairDisc<Dim>& disc) noexcept
        : own_extents_(grid.own_extents), radius_(disc.radius),
          radii_(disc.radius + grid.max_half_extent[0]) {
        for (std::size_t a = 0; a < Dim; ++a) {
            centre_[a] = Floats<Arch>(disc.centre[a]);
        }
    }

    /// The cells where the centres of hits may lie.
    [[gnu::always_inline]] static CellBox<Dim> cells(const GridView<Dim>& grid,
                                                     const PairDisc<Dim>& disc) noexcept {
        CellBox<Dim> cells;
        const float reach = disc.radius + grid.max_half_extent[0];
        const Floats<Arch> wide(reach + reach * (4.0f * kSlackRatio));
        for (std::size_t a = 0; a < Dim; ++a) {
            const Floats<Arch> x(disc.centre[a]);
            const Bounds<Arch> bounds = widened<Arch>(x, x, wide);
            cells.on[a] = {cell_of<Arch>(grid, a, least<Arch>(bounds.low)),
                           cell_of<Arch>(grid, a, greatest<Arch>(bounds.high))};
        }
        return cells;
    }

    /// A bit for each node from `i` on whose disc overlaps this one.
    [[gnu::always_inline]] std::uint32_t hits(const NodeArrays& row,
                                              std::uint32_t i) const noexcept {
        Floats<Arch> offset[Dim];
        for (std::size_t a = 0; a < Dim; ++a) {
            offset[a] = floats_at<Arch>(row, Fields<Dim>::kPosition + a, i) - centre_[a];
        }
        Floats<Arch> radii = radii_;
        if (own_extents_) { radii = radius_ + floats_at<Arch>(row, Fields<Dim>::kHalfExtent, i); }
        return lane_bits<Arch>(discs_overlap<Arch>(squares_of<Arch>(offset), radii));
    }

    /// Reports no cell as wholly inside: as a rule an agent's disc has so few partners that a
    /// search for such cells does not pay.
    struct RowCells {
        [[gnu::always_inline]] RowCells(const GridView<Dim>&, const LoneDisc&) noexcept {}
        [[gnu::always_inline]] static bool row(const GridView<Dim>&, const std::uint32_t (&)[Dim],
                                               CellRange&, CellRange&) noexcept {
            return true;
        }
    };
    using Told = SameCells;

private:
    const bool own_extents_;
    Floats<Arch> centre_[Dim], radius_, radii_;
};

} // namespace throng::simd
