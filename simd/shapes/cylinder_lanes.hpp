// How kernels test agents' centres against upright cylinders. For *.kernel.cpp files only.
#pragma once

#include "../views/shape_blocks.hpp"
#include "halfspace_clip.hpp"
#include "row_spans.hpp"
#include "search_range.hpp"
#include "tree_gates.hpp"

namespace throng::simd {

/// Tests the centres of agents against an upright cylinder.
template <class Arch, std::size_t Dim>
struct CylinderLanes {
    using Block = CylinderBlock<Dim>;
    static constexpr bool kTellsInside = true;
    static constexpr bool kFrequent = false;

    const Block& cylinder;
    std::size_t across; ///< in space, the axis that is neither x nor `up`
    Floats<Arch> centre[2], radius2, low, high;

    [[gnu::always_inline]] CylinderLanes(const GridView<Dim>&, const Block& block,
                                         std::size_t) noexcept
        : cylinder(block),
          across(Dim == 3 ? 3 - block.up : 0), centre{Floats<Arch>(block.centre[0]),
                                                      Floats<Arch>(block.centre[across])},
          radius2(block.radius2), low(block.lo[block.up]), high(block.hi[block.up]) {}

    [[gnu::always_inline]] CellBox<Dim> cells(const GridView<Dim>& grid) const noexcept {
        CellBox<Dim> box;
        for (std::size_t a = 0; a < Dim; ++a) {
            box.on[a] = {cell_of<Arch>(grid, a, cylinder.lo[a]),
                         cell_of<Arch>(grid, a, cylinder.hi[a])};
            if (!(cylinder.lo[a] <= cylinder.hi[a])) { box.on[a] = CellRange::none(); }
        }
        return box;
    }

    /// engine/shapes/cylinder.hpp has this test for one agent.
    [[gnu::always_inline]] std::uint32_t hits(const NodeArrays& row,
                                              std::uint32_t i) const noexcept {
        const Floats<Arch> x = floats_at<Arch>(row, Fields<Dim>::kPosition, i) - centre[0];
        Floats<Arch> distance2 = x * x;
        if constexpr (Dim == 3) {
            const Floats<Arch> y =
                floats_at<Arch>(row, Fields<Dim>::kPosition + across, i) - centre[1];
            distance2 = distance2 + y * y;
        }
        const Floats<Arch> height = floats_at<Arch>(row, Fields<Dim>::kPosition + cylinder.up, i);
        return lane_bits<Arch>((distance2 <= radius2) & (low <= height) & (height <= high));
    }

    /// The cells to search in each row: as for a ball, fewer in rows far from the circle's centre.
    struct RowCells {
        const CylinderLanes& lanes;

        [[gnu::always_inline]] RowCells(const GridView<Dim>&,
                                        const CylinderLanes& cylinder) noexcept
            : lanes(cylinder) {}

        [[gnu::always_inline]] bool row(const GridView<Dim>& grid, const std::uint32_t (&cell)[Dim],
                                        CellRange& outer, CellRange& inside) const noexcept {
            const Block& block = lanes.cylinder;
            const Edges band = edges_of<Arch>(grid, block.up, cell[block.up]);
            const bool in_band =
                block.lo[block.up] <= band.below && band.above <= block.hi[block.up];
            float nearest = 0.0f;
            float far = 0.0f;
            if constexpr (Dim == 3) {
                const Edges edges = edges_of<Arch>(grid, lanes.across, cell[lanes.across]);
                const float below = edges.below - block.centre[lanes.across];
                const float above = edges.above - block.centre[lanes.across];
                nearest = below > 0.0f ? below : above < 0.0f ? -above : 0.0f;
                far = magnitude<Arch>(below) > magnitude<Arch>(above) ? magnitude<Arch>(below)
                                                                      : magnitude<Arch>(above);
            }
            // The part of the squared radius that is left for x, rounded up a little.
            const float near2 = nearest * nearest;
            const float left =
                block.radius2 - near2 + (block.radius2 + near2) * kSlackRatio + kTiny * kTiny;
            if (!(left >= 0.0f)) { return false; }
            const float c = block.centre[0];
            const float reach = __builtin_sqrtf(left);
            const float wide = reach + (magnitude<Arch>(c) + reach) * (2.0f * kSlackRatio) + kTiny;
            outer = common<Arch>(outer, CellRange{cell_of<Arch>(grid, 0, c - wide),
                                                  cell_of<Arch>(grid, 0, c + wide)});
            inside = in_band ? inner(grid, far) : CellRange::none();
            return outer.first <= outer.last;
        }

    private:
        /// The cells whose agents are inside the circle even in the row's farthest corner. `sure`
        /// is a guess, checked with the test itself at that corner: every agent within the row and
        /// within `sure` of the centre on x is nearer than the corner on both axes.
        [[gnu::always_inline]] CellRange inner(const GridView<Dim>& grid,
                                               float far) const noexcept {
            const Block& block = lanes.cylinder;
            const float left = block.radius2 - far * far;
            if (!(left > 0.0f)) { return CellRange::none(); }
            const float c = block.centre[0];
            const float reach = __builtin_sqrtf(left);
            const float sure = reach - (magnitude<Arch>(c) + __builtin_sqrtf(block.radius2)) *
                                           (4.0f * kSlackRatio);
            if (!(sure > 0.0f)) { return CellRange::none(); }
            const float left_offset = magnitude<Arch>(c - sure - c);
            const float right_offset = magnitude<Arch>(c + sure - c);
            const float offset = left_offset > right_offset ? left_offset : right_offset;
            return offset * offset + far * far <= block.radius2
                       ? between<Arch, Dim>(grid, 0, c - sure, c + sure)
                       : CellRange::none();
        }
    };
    using Told = RowCells;
};

/// Uses the same operations as the test of agents, like the gates of balls and boxes. Tests covers
/// as they are: each holds the centres of its agents, even if it bounds their boxes.
template <class Arch, std::size_t Dim>
struct TreeGate<CylinderLanes<Arch, Dim>> : HoldsNoLeaf {
    using Shape = CylinderLanes<Arch, Dim>;
    const Shape& lanes;

    [[gnu::always_inline]] TreeGate(const TreeView<Dim>&, const Shape& shape) noexcept
        : lanes(shape) {}

    [[gnu::always_inline]] bool sound() const noexcept {
        const std::uint32_t up = lanes.cylinder.up;
        return lanes.cylinder.lo[up] <= lanes.cylinder.hi[up];
    }
    [[gnu::always_inline]] std::uint32_t may_hit(const Covers<Arch, Dim>& cover) const noexcept {
        const std::uint32_t up = lanes.cylinder.up;
        Floats<Arch> distance2 = square(cover, 0, lanes.centre[0]);
        if constexpr (Dim == 3) {
            distance2 = distance2 + square(cover, lanes.across, lanes.centre[1]);
        }
        return lane_bits<Arch>((distance2 <= lanes.radius2) & (cover.lo[up] <= lanes.high) &
                               (lanes.low <= cover.hi[up]));
    }

private:
    /// The square of the distance from the centre to a cover, on an axis.
    [[gnu::always_inline]] static Floats<Arch> square(const Covers<Arch, Dim>& cover, std::size_t a,
                                                      const Floats<Arch>& centre) noexcept {
        const Floats<Arch> offset = larger<Arch>(
            larger<Arch>(cover.lo[a] - centre, centre - cover.hi[a]), Floats<Arch>(0.0f));
        return offset * offset;
    }
};

/// Calls call.template operator()<Shape>() with the type of lanes that fits the grid.
template <class Arch, std::size_t Dim, class Call>
[[gnu::always_inline]] inline auto with_shape(const GridView<Dim>&, const CylinderBlock<Dim>&,
                                              const Call& call) noexcept {
    return call.template operator()<CylinderLanes<Arch, Dim>>();
}

} // namespace throng::simd
