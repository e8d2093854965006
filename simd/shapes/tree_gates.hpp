// Which children of a node may hold hits of a shape, and which hold nothing but hits: tested by
// their covers, a vector at a time. This header has what the gates share; each gate is in the
// header of its shape's lanes. For *.kernel.cpp files only.
//
// Where a bit of may_hit() is not set, no agent of the child passes the shape's test. Gates of
// boxes, balls and cylinders use the same operations as that test, and rounding keeps order, so
// they need no margin. The other gates allow for rounding: docs/exactness.md.
#pragma once

#include "../isa/lanes.hpp"
#include "../views/tree_view.hpp"
#include "search_range.hpp"

namespace throng::simd {

/// The covers of a vector of children of a node.
template <class Arch, std::size_t Dim>
struct Covers {
    Floats<Arch> lo[Dim], hi[Dim];

    /// The children from `i` on.
    [[gnu::always_inline]] Covers(const float* node, std::uint32_t i) noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            lo[a] = Floats<Arch>::load_unaligned(node + a * kTreeWidth + i);
            hi[a] = Floats<Arch>::load_unaligned(node + (Dim + a) * kTreeWidth + i);
        }
    }

    /// The boxes of agents with these centres and half extents.
    [[gnu::always_inline]] Covers(const Floats<Arch> (&centre)[Dim],
                                  const Floats<Arch> (&half)[Dim]) noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            lo[a] = centre[a] - half[a];
            hi[a] = centre[a] + half[a];
        }
    }

    /// Widens covers of agents' centres, so that they cover the agents' boxes.
    [[gnu::always_inline]] void widen(const Floats<Arch> (&half)[Dim]) noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            lo[a] = lo[a] - half[a];
            hi[a] = hi[a] + half[a];
        }
    }

    [[gnu::always_inline]] FloatMask<Arch> overlap(const Floats<Arch> (&low)[Dim],
                                                   const Floats<Arch> (&high)[Dim]) const noexcept {
        FloatMask<Arch> all = (lo[0] <= high[0]) & (hi[0] >= low[0]);
        for (std::size_t a = 1; a < Dim; ++a) {
            all = all & (lo[a] <= high[a]) & (hi[a] >= low[a]);
        }
        return all;
    }
};

/// Specialised for each shape, in the header of its lanes, with these functions:
///
///     sound()          whether the shape holds anything at all
///     may_hit(covers)  a bit for each child that may hold a hit
///     may_hold(tree)   whether the shape may hold whole leaves, and
///     all_hit(covers)  a bit for each child that holds nothing but hits
template <class Shape>
struct TreeGate;

/// For shapes that are not tested for whether they hold whole leaves.
struct HoldsNoLeaf {
    template <std::size_t Dim>
    [[gnu::always_inline]] static bool may_hold(const TreeView<Dim>&) noexcept {
        return false;
    }
};

/// The boxes in which every point p has normal . p > most, even after rounding.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline FloatMask<Arch>
beyond(const float (&normal)[Dim], const Floats<Arch> (&lo)[Dim], const Floats<Arch> (&hi)[Dim],
       float most) noexcept {
    Floats<Arch> least(0.0f);
    Floats<Arch> size(magnitude<Arch>(most));
    for (std::size_t a = 0; a < Dim; ++a) {
        const Floats<Arch> term = Floats<Arch>(normal[a]) * (normal[a] > 0.0f ? lo[a] : hi[a]);
        least = least + term;
        size = size + Floats<Arch>(magnitude<Arch>(normal[a])) *
                          larger<Arch>(magnitude<Arch>(lo[a]), magnitude<Arch>(hi[a]));
    }
    return least >
           Floats<Arch>(most) + size * Floats<Arch>(2.0f * kSlackRatio) + Floats<Arch>(kTiny);
}

/// The boxes that a straight line through `origin` may hit. The line surely misses a box, even
/// after rounding, if all of the box lies on one side of the line when seen along an axis.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline std::uint32_t not_passed_by(const Floats<Arch> (&origin)[Dim],
                                                          const Floats<Arch> (&along)[Dim],
                                                          const Covers<Arch, Dim>& cover) noexcept {
    const Floats<Arch> one_half(0.5f);
    Floats<Arch> offset[Dim], half[Dim], size[Dim];
    for (std::size_t a = 0; a < Dim; ++a) {
        const Floats<Arch> low = cover.lo[a] * one_half;
        const Floats<Arch> high = cover.hi[a] * one_half;
        offset[a] = low + high - origin[a];
        half[a] = high - low;
        size[a] = magnitude<Arch>(origin[a]) +
                  larger<Arch>(magnitude<Arch>(cover.lo[a]), magnitude<Arch>(cover.hi[a]));
    }
    std::uint32_t bits = ~0u;
    for (std::size_t a = 0; a + 1 < Dim; ++a) {
        for (std::size_t b = a + 1; b < Dim; ++b) {
            const Floats<Arch> off = along[a] * offset[b] - along[b] * offset[a];
            const Floats<Arch> wide =
                half[a] * magnitude<Arch>(along[b]) + half[b] * magnitude<Arch>(along[a]);
            const Floats<Arch> slack =
                (size[a] * magnitude<Arch>(along[b]) + size[b] * magnitude<Arch>(along[a])) *
                    Floats<Arch>(4.0f * kSlackRatio) +
                (magnitude<Arch>(along[a]) + magnitude<Arch>(along[b])) * Floats<Arch>(kTiny) +
                Floats<Arch>(kTiny * kTiny);
            bits &= ~lane_bits<Arch>(magnitude<Arch>(off) > wide + slack);
        }
    }
    return bits;
}

} // namespace throng::simd
