// Which children of a node may hold hits of a shape, and which are sure to hold nothing else: by
// their covers, a vector at a time. For *.kernel.cpp files only.
//
// Where a bit is not set, no agent of the child passes the shape's test. Boxes and balls are tested
// in the very words of that test, so there rounding cannot matter: it keeps order. The others
// allow for it: docs/exactness.md.
#pragma once

#include "ball_lanes.hpp"
#include "box_lanes.hpp"
#include "convex_lanes.hpp"
#include "sector_lanes.hpp"
#include "sweep_lanes.hpp"
#include "track_lanes.hpp"
#include "tree_view.hpp"

namespace throng::simd {

/// Children of a node.
template <class Arch, std::size_t Dim>
struct Covers {
    Floats<Arch> lo[Dim], hi[Dim];

    /// Those from `i` on.
    [[gnu::always_inline]] Covers(const float* node, std::uint32_t i) noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            lo[a] = Floats<Arch>::load_unaligned(node + a * kTreeWidth + i);
            hi[a] = Floats<Arch>::load_unaligned(node + (Dim + a) * kTreeWidth + i);
        }
    }

    /// They bound the boxes of agents, and not the centres.
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

/// The half extent that widens covers.
template <class Arch, std::size_t Dim>
struct HalfOfCovers {
    Floats<Arch> half[Dim];

    [[gnu::always_inline]] explicit HalfOfCovers(const TreeView<Dim>& tree) noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            half[a] = Floats<Arch>(tree.half[a]);
        }
    }
};

template <class Shape>
struct TreeGate;

template <class Arch, std::size_t Dim, bool own_extents>
struct TreeGate<BoxLanes<Arch, Dim, own_extents>> {
    using Shape = BoxLanes<Arch, Dim, own_extents>;
    const Shape& box;

    [[gnu::always_inline]] TreeGate(const TreeView<Dim>&, const Shape& shape) noexcept
        : box(shape) {}

    [[gnu::always_inline]] bool sound() const noexcept {
        bool in_order = true;
        for (std::size_t a = 0; a < Dim; ++a) {
            in_order = in_order && box.lo[a] <= box.hi[a];
        }
        return in_order;
    }
    /// Whether it may hold whole leaves.
    [[gnu::always_inline]] bool wide(const TreeView<Dim>& tree) const noexcept {
        bool wide = true;
        for (std::size_t a = 0; a < Dim; ++a) {
            wide = wide && box.hi[a] - box.lo[a] >= tree.leaf_edge * 2.0f;
        }
        return wide;
    }
    [[gnu::always_inline]] std::uint32_t may_hit(Covers<Arch, Dim> cover) const noexcept {
        if (!own_extents) { cover.widen(box.half); }
        return lane_bits<Arch>(cover.overlap(box.lo_lanes, box.hi_lanes));
    }
    /// An agent whose box lies in it overlaps it.
    [[gnu::always_inline]] std::uint32_t all_hit(Covers<Arch, Dim> cover) const noexcept {
        if (!own_extents) { cover.widen(box.half); }
        FloatMask<Arch> inside =
            (cover.lo[0] >= box.lo_lanes[0]) & (cover.hi[0] <= box.hi_lanes[0]);
        for (std::size_t a = 1; a < Dim; ++a) {
            inside = inside & (cover.lo[a] >= box.lo_lanes[a]) & (cover.hi[a] <= box.hi_lanes[a]);
        }
        return lane_bits<Arch>(inside);
    }
};

/// Covers hold the centres of agents, whatever else they hold.
template <class Arch, std::size_t Dim>
struct TreeGate<BallLanes<Arch, Dim>> {
    using Shape = BallLanes<Arch, Dim>;
    const Shape& ball;

    [[gnu::always_inline]] TreeGate(const TreeView<Dim>&, const Shape& shape) noexcept
        : ball(shape) {}

    [[gnu::always_inline]] bool sound() const noexcept { return true; }
    [[gnu::always_inline]] bool wide(const TreeView<Dim>& tree) const noexcept {
        return ball.radius >= tree.leaf_edge * 2.0f;
    }
    [[gnu::always_inline]] std::uint32_t may_hit(const Covers<Arch, Dim>& cover) const noexcept {
        const Floats<Arch> zero(0.0f);
        Floats<Arch> distance2 = zero;
        for (std::size_t a = 0; a < Dim; ++a) {
            const Floats<Arch> offset = max(
                max(cover.lo[a] - ball.centre_lanes[a], ball.centre_lanes[a] - cover.hi[a]), zero);
            distance2 = a == 0 ? offset * offset : distance2 + offset * offset;
        }
        return lane_bits<Arch>(distance2 <= ball.radius2_lanes);
    }
    /// Whose farthest corner is within the radius. Children that are not there, with corners at
    /// infinity, have none.
    [[gnu::always_inline]] std::uint32_t all_hit(const Covers<Arch, Dim>& cover) const noexcept {
        Floats<Arch> distance2(0.0f);
        for (std::size_t a = 0; a < Dim; ++a) {
            const Floats<Arch> offset = max(abs(cover.lo[a] - ball.centre_lanes[a]),
                                            abs(cover.hi[a] - ball.centre_lanes[a]));
            distance2 = a == 0 ? offset * offset : distance2 + offset * offset;
        }
        return lane_bits<Arch>(distance2 <= ball.radius2_lanes);
    }
};

/// Shapes that never take leaves whole.
struct NeverWide {
    template <std::size_t Dim>
    [[gnu::always_inline]] static bool wide(const TreeView<Dim>&) noexcept {
        return false;
    }
};

/// The least that normal . p is in a box: where it exceeds `most`, even after rounding.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline FloatMask<Arch>
beyond(const float (&normal)[Dim], const Floats<Arch> (&lo)[Dim], const Floats<Arch> (&hi)[Dim],
       float most) noexcept {
    Floats<Arch> least(0.0f);
    Floats<Arch> size(magnitude<Arch>(most));
    for (std::size_t a = 0; a < Dim; ++a) {
        const Floats<Arch> term = Floats<Arch>(normal[a]) * (normal[a] > 0.0f ? lo[a] : hi[a]);
        least = least + term;
        size = size + Floats<Arch>(magnitude<Arch>(normal[a])) * max(abs(lo[a]), abs(hi[a]));
    }
    return least >
           Floats<Arch>(most) + size * Floats<Arch>(2.0f * kSlackRatio) + Floats<Arch>(kTiny);
}

template <class Arch, std::size_t Dim>
struct TreeGate<SectorLanes<Arch, Dim>> : NeverWide {
    using Shape = SectorLanes<Arch, Dim>;
    const Shape& sector;
    TreeGate<BallLanes<Arch, Dim>> ball;
    Floats<Arch> low[Dim], high[Dim];

    [[gnu::always_inline]] TreeGate(const TreeView<Dim>& tree, const Shape& shape) noexcept
        : sector(shape), ball(tree, shape.ball) {
        for (std::size_t a = 0; a < Dim; ++a) {
            low[a] = Floats<Arch>(sector.sector.lo[a]);
            high[a] = Floats<Arch>(sector.sector.hi[a]);
        }
    }
    [[gnu::always_inline]] bool sound() const noexcept { return true; }
    [[gnu::always_inline]] std::uint32_t may_hit(Covers<Arch, Dim> cover) const noexcept {
        std::uint32_t bits = ball.may_hit(cover) & lane_bits<Arch>(cover.overlap(low, high));
        // As seen from the centre.
        for (std::size_t a = 0; a < Dim; ++a) {
            cover.lo[a] = cover.lo[a] - sector.ball.centre_lanes[a];
            cover.hi[a] = cover.hi[a] - sector.ball.centre_lanes[a];
        }
        for (std::uint32_t s = 0; s < sector.sector.sides; ++s) {
            bits &= ~lane_bits<Arch>(beyond<Arch>(sector.sector.normal[s], cover.lo, cover.hi,
                                                  sector.sector.radius * kSectorSlack));
        }
        return bits;
    }
};

template <class Arch, std::size_t Dim, bool own_extents>
struct TreeGate<ConvexLanes<Arch, Dim, own_extents>> : NeverWide {
    using Shape = ConvexLanes<Arch, Dim, own_extents>;
    const Shape& region;
    TreeGate<BoxLanes<Arch, Dim, own_extents>> bounds;

    [[gnu::always_inline]] TreeGate(const TreeView<Dim>& tree, const Shape& shape) noexcept
        : region(shape), bounds(tree, shape.bounds) {}

    [[gnu::always_inline]] bool sound() const noexcept { return bounds.sound(); }
    [[gnu::always_inline]] std::uint32_t may_hit(Covers<Arch, Dim> cover) const noexcept {
        std::uint32_t bits = bounds.may_hit(cover);
        if (!own_extents) { cover.widen(region.bounds.half); }
        for (std::uint32_t s = 0; s < region.convex.sides; ++s) {
            bits &= ~lane_bits<Arch>(
                beyond<Arch>(region.convex.normal[s], cover.lo, cover.hi, region.convex.offset[s]));
        }
        return bits;
    }
};

/// Whether a straight line through `origin` passes boxes by, even after rounding: seen along an
/// axis, all of a box lies on one side of it.
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
        size[a] = abs(origin[a]) + max(abs(cover.lo[a]), abs(cover.hi[a]));
    }
    std::uint32_t bits = ~0u;
    for (std::size_t a = 0; a + 1 < Dim; ++a) {
        for (std::size_t b = a + 1; b < Dim; ++b) {
            const Floats<Arch> off = along[a] * offset[b] - along[b] * offset[a];
            const Floats<Arch> wide = half[a] * abs(along[b]) + half[b] * abs(along[a]);
            const Floats<Arch> slack = (size[a] * abs(along[b]) + size[b] * abs(along[a])) *
                                           Floats<Arch>(4.0f * kSlackRatio) +
                                       (abs(along[a]) + abs(along[b])) * Floats<Arch>(kTiny) +
                                       Floats<Arch>(kTiny * kTiny);
            bits &= ~lane_bits<Arch>(abs(off) > wide + slack);
        }
    }
    return bits;
}

template <class Arch, std::size_t Dim, bool own_extents>
struct TreeGate<TrackLanes<Arch, Dim, own_extents>> : NeverWide {
    using Shape = TrackLanes<Arch, Dim, own_extents>;
    const Shape& track;
    TreeGate<BoxLanes<Arch, Dim, own_extents>> bounds;

    [[gnu::always_inline]] TreeGate(const TreeView<Dim>& tree, const Shape& shape) noexcept
        : track(shape), bounds(tree, shape.bounds) {}

    [[gnu::always_inline]] bool sound() const noexcept { return bounds.sound(); }
    [[gnu::always_inline]] std::uint32_t may_hit(Covers<Arch, Dim> cover) const noexcept {
        const std::uint32_t bits = bounds.may_hit(cover);
        if (!own_extents) { cover.widen(track.bounds.half); }
        return bits & not_passed_by<Arch>(track.origin, track.along, cover);
    }
};

/// A disc on its way meets the discs of children if its centre comes near their covers: nearer, on
/// every axis, than both radii, and what rounding does to the test. The test ends in a comparison
/// of squares, so what it is off by is a root where a distance is small.
template <class Arch, std::size_t Dim, bool own_extents>
struct TreeGate<SweepLanes<Arch, Dim, own_extents>> : NeverWide {
    using Shape = SweepLanes<Arch, Dim, own_extents>;
    const Shape& sweep;
    Floats<Arch> low[Dim], high[Dim], reach[Dim], size, largest;

    [[gnu::always_inline]] TreeGate(const TreeView<Dim>& tree, const Shape& shape) noexcept
        : sweep(shape), size(0.0f), largest(0.0f) {
        for (std::size_t a = 0; a < Dim; ++a) {
            const Floats<Arch> end = sweep.origin[a] + sweep.way[a];
            low[a] = min(sweep.origin[a], end);
            high[a] = max(sweep.origin[a], end);
            size = max(size, max(abs(sweep.origin[a]), abs(end)));
            reach[a] = sweep.radius + Floats<Arch>(tree.disc[a]);
            largest = max(largest, sweep.radius + Floats<Arch>(tree.grid.reach[0]));
        }
    }
    [[gnu::always_inline]] bool sound() const noexcept { return true; }
    [[gnu::always_inline]] std::uint32_t may_hit(Covers<Arch, Dim> cover) const noexcept {
        Floats<Arch> world = size + largest;
        for (std::size_t a = 0; a < Dim; ++a) {
            world = max(world, max(abs(cover.lo[a]), abs(cover.hi[a])));
        }
        world = world + world;
        const Floats<Arch> margin = world * Floats<Arch>(4.0f * kSlackRatio) +
                                    root<Arch>(largest * world) * Floats<Arch>(0x1p-9f) +
                                    Floats<Arch>(kTiny);
        // What is not there has no finite margin, and must stay away all the same.
        const FloatMask<Arch> there = cover.lo[0] <= cover.hi[0];
        for (std::size_t a = 0; a < Dim; ++a) {
            cover.lo[a] = cover.lo[a] - (reach[a] + margin);
            cover.hi[a] = cover.hi[a] + (reach[a] + margin);
        }
        return lane_bits<Arch>(there & cover.overlap(low, high)) &
               not_passed_by<Arch>(sweep.origin, sweep.way, cover);
    }
};

} // namespace throng::simd
