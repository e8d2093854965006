// How kernels test agents' boxes against convex regions. For *.kernel.cpp files only.
#pragma once

#include "../views/shape_blocks.hpp"
#include "box_lanes.hpp"
#include "halfspace_clip.hpp"
#include "tree_gates.hpp"

namespace throng::simd {

/// Tests agents' boxes against a box and some half spaces; agents share an extent or have their
/// own.
template <class Arch, std::size_t Dim>
struct ConvexLanes {
    using Block = ConvexBlock<Dim>;
    static constexpr bool kTellsInside = true;
    static constexpr bool kFrequent = false;

    const Block& convex;
    BoxLanes<Arch, Dim, Extents::either> bounds;
    float across[Block::kMostSides]; ///< how far the common, or the largest, extent reaches along
                                     ///< each normal

    [[gnu::always_inline]] ConvexLanes(const GridView<Dim>& grid, const Block& block,
                                       std::size_t) noexcept
        : convex(block), bounds(grid, block.lo, block.hi) {
        for (std::uint32_t s = 0; s < block.sides; ++s) {
            across[s] = magnitude<Arch>(block.normal[s][0]) * grid.max_half_extent[0];
            for (std::size_t a = 1; a < Dim; ++a) {
                across[s] =
                    across[s] + magnitude<Arch>(block.normal[s][a]) * grid.max_half_extent[a];
            }
        }
    }

    [[gnu::always_inline]] CellBox<Dim> cells(const GridView<Dim>& grid) const noexcept {
        CellBox<Dim> box;
        for (std::size_t a = 0; a < Dim; ++a) {
            const Bounds<Arch> wide = widened<Arch>(bounds.lo_lanes[a], bounds.hi_lanes[a],
                                                    Floats<Arch>(grid.max_half_extent[a]));
            box.on[a] = {cell_of<Arch>(grid, a, least<Arch>(wide.low)),
                         cell_of<Arch>(grid, a, greatest<Arch>(wide.high))};
            if (!(bounds.lo[a] <= bounds.hi[a])) { box.on[a] = CellRange::none(); }
        }
        return box;
    }

    /// engine/shapes/convex.hpp has this test for one agent.
    [[gnu::always_inline]] std::uint32_t hits(const NodeArrays& row,
                                              std::uint32_t i) const noexcept {
        std::uint32_t bits = bounds.hits(row, i);
        for (std::uint32_t s = 0; s < convex.sides; ++s) {
            const float(&normal)[Dim] = convex.normal[s];
            Floats<Arch> height =
                Floats<Arch>(normal[0]) * floats_at<Arch>(row, Fields<Dim>::kPosition, i);
            Floats<Arch> reach(across[s]);
            if (bounds.own) {
                reach = Floats<Arch>(magnitude<Arch>(normal[0])) * bounds.half_at(row, i, 0);
            }
            for (std::size_t a = 1; a < Dim; ++a) {
                height = height + Floats<Arch>(normal[a]) *
                                      floats_at<Arch>(row, Fields<Dim>::kPosition + a, i);
                if (bounds.own) {
                    reach = reach +
                            Floats<Arch>(magnitude<Arch>(normal[a])) * bounds.half_at(row, i, a);
                }
            }
            bits &= lane_bits<Arch>(height - reach <= Floats<Arch>(convex.offset[s]));
        }
        return bits;
    }

    /// The cells to search in each row, and those that hold hits only. Each half space narrows
    /// both.
    struct RowCells {
        const ConvexLanes& region;
        typename BoxLanes<Arch, Dim, Extents::either>::RowCells box;
        Reach<Arch> bounds[Dim];

        [[gnu::always_inline]] RowCells(const GridView<Dim>& grid,
                                        const ConvexLanes& lanes) noexcept
            : region(lanes), box(grid, lanes.bounds) {
            for (std::size_t a = 0; a < Dim; ++a) {
                const double low = lanes.bounds.lo[a];
                const double high = lanes.bounds.hi[a];
                bounds[a] = {low - grid.max_half_extent[a] - slack_of<Arch>(low) -
                                 slack_of<Arch>(grid.max_half_extent[a]),
                             high + grid.max_half_extent[a] + slack_of<Arch>(high) +
                                 slack_of<Arch>(grid.max_half_extent[a])};
            }
        }

        [[gnu::always_inline]] bool plane(const GridView<Dim>& grid, std::uint32_t z,
                                          CellRange& rows) noexcept {
            Reach<Arch> range[Dim];
            for (std::size_t a = 0; a < Dim; ++a) {
                range[a] = bounds[a];
            }
            range[Dim - 1] = reach_of<Arch>(grid, Dim - 1, z);
            if (!narrow_all(range, 1)) { return false; }
            rows = common<Arch>(rows, cells_of_reach<Arch>(grid, 1, range[1]));
            return true;
        }

        [[gnu::always_inline]] bool row(const GridView<Dim>& grid, const std::uint32_t (&cell)[Dim],
                                        CellRange& outer, CellRange& inside) const noexcept {
            Reach<Arch> range[Dim];
            range[0] = bounds[0];
            for (std::size_t a = 1; a < Dim; ++a) {
                range[a] = reach_of<Arch>(grid, a, cell[a]);
            }
            if (!narrow_all(range, 0)) { return false; }
            outer = common<Arch>(outer, cells_of_reach<Arch>(grid, 0, range[0]));
            if (outer.first > outer.last) { return false; }
            box.row(grid, cell, outer, inside);
            if (inside.first <= inside.last) { inside = common<Arch>(inside, inner(grid, range)); }
            return true;
        }

    private:
        [[gnu::always_inline]] bool narrow_all(Reach<Arch> (&range)[Dim],
                                               std::size_t a) const noexcept {
            for (std::uint32_t s = 0; s < region.convex.sides; ++s) {
                // `own` and `reach` may cancel each other, but their rounding errors in the test do
                // not.
                const double own = region.convex.offset[s];
                const double reach = region.across[s];
                const double offset = own + slack_of<Arch>(own) + reach + slack_of<Arch>(reach);
                if (!narrow<Arch>(region.convex.normal[s], offset, a, range)) { return false; }
            }
            return true;
        }

        /// The cells whose agents are hits wherever they are in the row. Of agents with extents of
        /// their own only the centres are tested: a box with its centre in the region is a hit.
        [[gnu::always_inline]] CellRange inner(const GridView<Dim>& grid,
                                               const Reach<Arch> (&range)[Dim]) const noexcept {
            float low = static_cast<float>(range[0].low);
            float high = static_cast<float>(range[0].high);
            const auto corner = [&](std::uint32_t s, std::size_t a) {
                return static_cast<float>(region.convex.normal[s][a] > 0.0f ? range[a].high
                                                                            : range[a].low);
            };
            for (std::uint32_t s = 0; s < region.convex.sides; ++s) {
                const float(&normal)[Dim] = region.convex.normal[s];
                if (normal[0] == 0.0f) { continue; }
                double rest = static_cast<double>(region.convex.offset[s]) + common_across(s);
                for (std::size_t a = 1; a < Dim; ++a) {
                    if (normal[a] != 0.0f) {
                        rest -= static_cast<double>(normal[a]) * corner(s, a);
                    }
                }
                const double bound = rest / normal[0];
                // `bound` is a guess, moved a little inside; the check below decides.
                const double margin = 16.0 * slack_of<Arch>(bound);
                if (normal[0] > 0.0f) {
                    if (!(bound - margin >= low)) { return CellRange::none(); }
                    if (bound - margin < high) { high = static_cast<float>(bound - margin); }
                } else {
                    if (!(bound + margin <= high)) { return CellRange::none(); }
                    if (bound + margin > low) { low = static_cast<float>(bound + margin); }
                }
            }
            if (!(low <= high)) { return CellRange::none(); }
            for (std::uint32_t s = 0; s < region.convex.sides; ++s) {
                const float(&normal)[Dim] = region.convex.normal[s];
                float height = normal[0] * (normal[0] > 0.0f ? high : low);
                for (std::size_t a = 1; a < Dim; ++a) {
                    height = height + (normal[a] != 0.0f ? normal[a] * corner(s, a) : 0.0f);
                }
                if (!(height - common_across(s) <= region.convex.offset[s])) {
                    return CellRange::none();
                }
            }
            return between<Arch, Dim>(grid, 0, low, high);
        }

        [[gnu::always_inline]] float common_across(std::uint32_t s) const noexcept {
            return region.bounds.own ? 0.0f : region.across[s];
        }
    };
    using Told = RowCells;
};

template <class Arch, std::size_t Dim>
struct TreeGate<ConvexLanes<Arch, Dim>> : HoldsNoLeaf {
    using Shape = ConvexLanes<Arch, Dim>;
    const Shape& region;
    TreeGate<BoxLanes<Arch, Dim, Extents::either>> bounds;

    [[gnu::always_inline]] TreeGate(const TreeView<Dim>& tree, const Shape& shape) noexcept
        : region(shape), bounds(tree, shape.bounds) {}

    [[gnu::always_inline]] bool sound() const noexcept { return bounds.sound(); }
    [[gnu::always_inline]] std::uint32_t may_hit(Covers<Arch, Dim> cover) const noexcept {
        std::uint32_t bits = bounds.may_hit(cover);
        if (!region.bounds.own) { cover.widen(region.bounds.half); }
        for (std::uint32_t s = 0; s < region.convex.sides; ++s) {
            bits &= ~lane_bits<Arch>(
                beyond<Arch>(region.convex.normal[s], cover.lo, cover.hi, region.convex.offset[s]));
        }
        return bits;
    }
};

/// Calls call.template operator()<Shape>() with the type of lanes that fits the grid.
template <class Arch, std::size_t Dim, class Call>
[[gnu::always_inline]] inline auto with_shape(const GridView<Dim>&, const ConvexBlock<Dim>&,
                                              const Call& call) noexcept {
    return call.template operator()<ConvexLanes<Arch, Dim>>();
}

} // namespace throng::simd
