// Which children of a node may hold hits of a shape, and which hold nothing but hits: tested by
// their covers, a vector at a time. For *.kernel.cpp files only.
//
// Where a bit is not set, no agent of the child passes the shape's test. The tests for boxes and
// balls use the same operations as that test, so rounding cannot matter there: it keeps order. The
// other tests allow for rounding: docs/exactness.md.
#pragma once

#include "../views/tree_view.hpp"
#include "ball_lanes.hpp"
#include "box_lanes.hpp"
#include "capsule_lanes.hpp"
#include "convex_lanes.hpp"
#include "ray_lanes.hpp"
#include "sector_lanes.hpp"

namespace throng::simd {

/// Children of a node.
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

    /// Afterwards they bound the boxes of agents, not the centres.
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
    /// Whether the shape may hold whole leaves.
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
    /// An agent whose box lies in the query box overlaps it.
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
            const Floats<Arch> offset =
                larger<Arch>(larger<Arch>(cover.lo[a] - ball.centre_lanes[a],
                                          ball.centre_lanes[a] - cover.hi[a]),
                             zero);
            distance2 = a == 0 ? offset * offset : distance2 + offset * offset;
        }
        return lane_bits<Arch>(distance2 <= ball.radius2_lanes);
    }
    /// Children whose farthest corner is within the radius. Children that do not exist have corners
    /// at infinity, and never pass.
    [[gnu::always_inline]] std::uint32_t all_hit(const Covers<Arch, Dim>& cover) const noexcept {
        Floats<Arch> distance2(0.0f);
        for (std::size_t a = 0; a < Dim; ++a) {
            const Floats<Arch> offset =
                larger<Arch>(magnitude<Arch>(cover.lo[a] - ball.centre_lanes[a]),
                             magnitude<Arch>(cover.hi[a] - ball.centre_lanes[a]));
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

/// Where the least value of normal . p in a box exceeds `most`, even after rounding.
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
        // Relative to the centre.
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

/// The boxes that a straight line through `origin` may hit. It surely misses a box, even after
/// rounding, if all of the box lies on one side of it when seen along an axis.
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

template <class Arch, std::size_t Dim, bool own_extents>
struct TreeGate<RayLanes<Arch, Dim, own_extents>> : NeverWide {
    using Shape = RayLanes<Arch, Dim, own_extents>;
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

/// A moving disc may hit the discs of a child if its centre comes near the child's cover: on every
/// axis, nearer than both radii and the rounding error of the test. The test ends in a comparison
/// of squares, so its error is a root where a distance is small.
template <class Arch, std::size_t Dim, bool own_extents>
struct TreeGate<CapsuleLanes<Arch, Dim, own_extents>> : NeverWide {
    using Shape = CapsuleLanes<Arch, Dim, own_extents>;
    const Shape& sweep;
    Floats<Arch> low[Dim], high[Dim], reach[Dim], size, largest;

    [[gnu::always_inline]] TreeGate(const TreeView<Dim>& tree, const Shape& shape) noexcept
        : sweep(shape), size(0.0f), largest(0.0f) {
        for (std::size_t a = 0; a < Dim; ++a) {
            const Floats<Arch> end = sweep.origin[a] + sweep.way[a];
            low[a] = smaller<Arch>(sweep.origin[a], end);
            high[a] = larger<Arch>(sweep.origin[a], end);
            size = larger<Arch>(
                size, larger<Arch>(magnitude<Arch>(sweep.origin[a]), magnitude<Arch>(end)));
            reach[a] = sweep.radius + Floats<Arch>(tree.disc[a]);
            largest = larger<Arch>(largest, sweep.radius + Floats<Arch>(tree.grid.reach[0]));
        }
    }
    [[gnu::always_inline]] bool sound() const noexcept { return true; }
    [[gnu::always_inline]] std::uint32_t may_hit(Covers<Arch, Dim> cover) const noexcept {
        Floats<Arch> world = size + largest;
        for (std::size_t a = 0; a < Dim; ++a) {
            world = larger<Arch>(
                world, larger<Arch>(magnitude<Arch>(cover.lo[a]), magnitude<Arch>(cover.hi[a])));
        }
        world = world + world;
        const Floats<Arch> margin = world * Floats<Arch>(4.0f * kSlackRatio) +
                                    root<Arch>(largest * world) * Floats<Arch>(0x1p-9f) +
                                    Floats<Arch>(kTiny);
        // A child that does not exist has no finite margin, and must fail all the same.
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
