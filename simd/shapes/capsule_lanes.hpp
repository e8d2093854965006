// How kernels test agents' discs against moving discs. For *.kernel.cpp files only.
#pragma once

#include "../views/shape_blocks.hpp"
#include "row_spans.hpp"
#include "segment_clip.hpp"
#include "tree_gates.hpp"

namespace throng::simd {

/// Tests agents' discs against a disc that moves on a straight path; agents share an extent or have
/// their own.
template <class Arch, std::size_t Dim>
struct CapsuleLanes {
    using Block = CapsuleBlock<Dim>;
    static constexpr bool kTellsInside = false;
    static constexpr bool kFrequent = false;

    SegmentClip<Arch, Dim> clip;
    bool own_extents;
    Floats<Arch> origin[Dim], way[Dim], per_square, radius, common_half;

    [[gnu::always_inline]] CapsuleLanes(const GridView<Dim>& grid, const Block& capsule,
                                        std::size_t) noexcept
        : clip(grid, capsule, Margin(grid, capsule).reach, true), own_extents(grid.own_extents),
          per_square(capsule.per_square), radius(capsule.radius),
          common_half(grid.max_half_extent[0]) {
        for (std::size_t a = 0; a < Dim; ++a) {
            origin[a] = Floats<Arch>(capsule.origin[a]);
            way[a] = Floats<Arch>(capsule.direction[a]);
        }
    }

    [[gnu::always_inline]] CellBox<Dim> cells(const GridView<Dim>& grid) const noexcept {
        return clip.cells(grid);
    }

    /// engine/shapes/capsule.hpp has this test, and times(), for one agent.
    [[gnu::always_inline]] std::uint32_t hits(const NodeArrays& row,
                                              std::uint32_t i) const noexcept {
        const Floats<Arch> time =
            smaller<Arch>(larger<Arch>(passing(row, i), Floats<Arch>(0.0f)), Floats<Arch>(1.0f));
        return lane_bits<Arch>(distance2_at(row, i, time) <= reach2(row, i));
    }

    [[gnu::always_inline]] Floats<Arch> times(const NodeArrays& row,
                                              std::uint32_t i) const noexcept {
        const Floats<Arch> zero(0.0f);
        const Floats<Arch> far2 = reach2(row, i);
        const Floats<Arch> when = passing(row, i);
        const Floats<Arch> deep = larger<Arch>(far2 - distance2_at(row, i, when), zero);
        const Floats<Arch> time = when - root<Arch>(deep * per_square);
        const Floats<Arch> kept =
            smaller<Arch>(larger<Arch>(time, zero), Floats<Arch>(1.0f)) + zero;
        return select<Arch>(distance2_at(row, i, zero) <= far2, zero, kept);
    }

    using RowCells = SegmentRows<Arch, Dim>;
    using Told = RowCells;

private:
    /// How far from the path the centres of hits may be.
    struct Margin {
        float reach[Dim];

        [[gnu::always_inline]] Margin(const GridView<Dim>& grid, const Block& capsule) noexcept {
            for (std::size_t a = 0; a < Dim; ++a) {
                reach[a] = capsule.radius + grid.max_half_extent[0];
            }
        }
    };

    [[gnu::always_inline]] Floats<Arch> offset(const NodeArrays& row, std::uint32_t i,
                                               std::size_t a) const noexcept {
        return floats_at<Arch>(row, Fields<Dim>::kPosition + a, i) - origin[a];
    }
    [[gnu::always_inline]] Floats<Arch> reach2(const NodeArrays& row,
                                               std::uint32_t i) const noexcept {
        const Floats<Arch> half =
            own_extents ? floats_at<Arch>(row, Fields<Dim>::kHalfExtent, i) : common_half;
        return (radius + half) * (radius + half);
    }
    [[gnu::always_inline]] Floats<Arch> passing(const NodeArrays& row,
                                                std::uint32_t i) const noexcept {
        Floats<Arch> product = offset(row, i, 0) * way[0];
        for (std::size_t a = 1; a < Dim; ++a) {
            product = product + offset(row, i, a) * way[a];
        }
        return product * per_square;
    }
    [[gnu::always_inline]] Floats<Arch> distance2_at(const NodeArrays& row, std::uint32_t i,
                                                     const Floats<Arch>& time) const noexcept {
        const Floats<Arch> x = offset(row, i, 0) - way[0] * time;
        Floats<Arch> distance2 = x * x;
        for (std::size_t a = 1; a < Dim; ++a) {
            const Floats<Arch> y = offset(row, i, a) - way[a] * time;
            distance2 = distance2 + y * y;
        }
        return distance2;
    }
};

/// A moving disc may hit the discs of a child if the disc's centre comes near the child's cover: on
/// every axis, nearer than the sum of both radii and the rounding error of the test. The test
/// compares squares, so at small distances its error is as large as that of a root.
template <class Arch, std::size_t Dim>
struct TreeGate<CapsuleLanes<Arch, Dim>> : HoldsNoLeaf {
    using Shape = CapsuleLanes<Arch, Dim>;
    const Shape& capsule;
    Floats<Arch> low[Dim], high[Dim], reach[Dim], size, largest;

    [[gnu::always_inline]] TreeGate(const TreeView<Dim>& tree, const Shape& shape) noexcept
        : capsule(shape), size(0.0f), largest(0.0f) {
        for (std::size_t a = 0; a < Dim; ++a) {
            const Floats<Arch> end = capsule.origin[a] + capsule.way[a];
            low[a] = smaller<Arch>(capsule.origin[a], end);
            high[a] = larger<Arch>(capsule.origin[a], end);
            size = larger<Arch>(
                size, larger<Arch>(magnitude<Arch>(capsule.origin[a]), magnitude<Arch>(end)));
            reach[a] = capsule.radius + Floats<Arch>(tree.disc[a]);
            largest =
                larger<Arch>(largest, capsule.radius + Floats<Arch>(tree.grid.max_half_extent[0]));
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
               not_passed_by<Arch>(capsule.origin, capsule.way, cover);
    }
};

/// Calls call.template operator()<Shape>() with the type of lanes that fits the grid.
template <class Arch, std::size_t Dim, class Call>
[[gnu::always_inline]] inline auto with_shape(const GridView<Dim>&, const CapsuleBlock<Dim>&,
                                              const Call& call) noexcept {
    return call.template operator()<CapsuleLanes<Arch, Dim>>();
}

} // namespace throng::simd
