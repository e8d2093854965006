// How kernels test agents' boxes against boxes, a vector at a time. For *.kernel.cpp files only.
#pragma once

#include "../views/query_block.hpp"
#include "cell_lanes.hpp"
#include "extents.hpp"
#include "row_places.hpp"
#include "row_spans.hpp"
#include "search_range.hpp"
#include "tree_gates.hpp"

namespace throng::simd {

/// Tests one agent at a time against kVectors vectors of a block's boxes, one box in each lane.
template <class Arch, std::size_t Dim, bool own_extents, std::uint32_t kVectors>
struct BoxPacket {
    static constexpr std::size_t kNumbers = 2 * Dim; ///< of an agent: the bounds of its box

    Floats<Arch> lo[kVectors][Dim], hi[kVectors][Dim];
    Floats<Arch> least_lo[Dim], greatest_hi[Dim];

    [[gnu::always_inline]] BoxPacket(const GridView<Dim>&, const BoxBlock<Dim>& boxes,
                                     std::size_t q) noexcept {
        for (std::size_t a = 0; a < Dim; ++a) {
            for (std::uint32_t v = 0; v < kVectors; ++v) {
                lo[v][a] = Floats<Arch>::load_unaligned(boxes.lo[a] + q + v * kLanes<Arch>);
                hi[v][a] = Floats<Arch>::load_unaligned(boxes.hi[a] + q + v * kLanes<Arch>);
                least_lo[a] = v == 0 ? lo[v][a] : smaller<Arch>(least_lo[a], lo[v][a]);
                greatest_hi[a] = v == 0 ? hi[v][a] : larger<Arch>(greatest_hi[a], hi[v][a]);
            }
        }
        float low[Dim], high[Dim];
        bounds_of_lanes<Arch>(least_lo, greatest_hi, low, high);
        for (std::size_t a = 0; a < Dim; ++a) {
            least_lo[a] = Floats<Arch>(low[a]);
            greatest_hi[a] = Floats<Arch>(high[a]);
        }
    }

    /// Number n of the nodes from `i` on: x - h for each axis, then x + h for each axis.
    [[gnu::always_inline]] static Floats<Arch> number(const GridView<Dim>& grid,
                                                      const NodeArrays& row, std::uint32_t i,
                                                      std::size_t n) noexcept {
        const std::size_t a = n < Dim ? n : n - Dim;
        const Floats<Arch> x = floats_at<Arch>(row, Fields<Dim>::kPosition + a, i);
        const Floats<Arch> h = own_extents ? floats_at<Arch>(row, Fields<Dim>::kHalfExtent + a, i)
                                           : Floats<Arch>(grid.max_half_extent[a]);
        return n < Dim ? x - h : x + h;
    }

    /// A bit for each node from `i` on that any box may hit: each node whose own box overlaps the
    /// box around all boxes.
    [[gnu::always_inline]] std::uint32_t may_hit(const GridView<Dim>& grid, const NodeArrays& row,
                                                 std::uint32_t i) const noexcept {
        FloatMask<Arch> inside = number(grid, row, i, 0) <= greatest_hi[0];
        inside = inside & (number(grid, row, i, Dim) >= least_lo[0]);
        for (std::size_t a = 1; a < Dim; ++a) {
            inside = inside & (number(grid, row, i, a) <= greatest_hi[a]) &
                     (number(grid, row, i, Dim + a) >= least_lo[a]);
        }
        return lane_bits<Arch>(inside);
    }

    /// if (x - h <= hi && x + h >= lo, on every axis), for the agent that has these numbers.
    template <class Number>
    [[gnu::always_inline]] FloatMask<Arch> hits(std::uint32_t v,
                                                const Number& number) const noexcept {
        FloatMask<Arch> inside = (number(0) <= hi[v][0]) & (number(Dim) >= lo[v][0]);
        for (std::size_t a = 1; a < Dim; ++a) {
            inside = inside & (number(a) <= hi[v][a]) & (number(Dim + a) >= lo[v][a]);
        }
        return inside;
    }
};

/// Tests agents' boxes against one box of a block; agents share an extent or have their own.
template <class Arch, std::size_t Dim, Extents extents>
struct BoxLanes {
    using Block = BoxBlock<Dim>;
    using AnyExtents = BoxLanes<Arch, Dim, Extents::common>; ///< with the same bounds() and sound()
    static constexpr bool kTellsInside = true; ///< row() tells which cells hold hits only
    static constexpr bool kFrequent = true;    ///< searches have compiled copies for each case
    /// Whether a packet's boxes list their hits in one search. In space such a search tests too
    /// many agents: lists took 1.0 to 1.15 times as long as with a search for each box.
    static constexpr bool kListsTogether = Dim == 2;
    template <std::uint32_t kVectors>
    using Packet = BoxPacket<Arch, Dim, extents == Extents::own, kVectors>;
    [[no_unique_address]] const OwnExtents<extents> own;
    float lo[Dim], hi[Dim];
    Floats<Arch> lo_lanes[Dim], hi_lanes[Dim], half[Dim];

    template <std::size_t queries>
    [[gnu::always_inline]] BoxLanes(const GridView<Dim>& grid, const Boxes<Dim, queries>& boxes,
                                    std::size_t q) noexcept
        : own(grid.own_extents) {
        for (std::size_t a = 0; a < Dim; ++a) {
            lo[a] = boxes.lo[a][q];
            hi[a] = boxes.hi[a][q];
            lo_lanes[a] = Floats<Arch>(lo[a]);
            hi_lanes[a] = Floats<Arch>(hi[a]);
            half[a] = Floats<Arch>(grid.max_half_extent[a]);
        }
    }

    /// For a box that is part of another shape.
    [[gnu::always_inline]] BoxLanes(const GridView<Dim>& grid, const float (&low)[Dim],
                                    const float (&high)[Dim]) noexcept
        : own(grid.own_extents) {
        for (std::size_t a = 0; a < Dim; ++a) {
            lo[a] = low[a];
            hi[a] = high[a];
            lo_lanes[a] = Floats<Arch>(low[a]);
            hi_lanes[a] = Floats<Arch>(high[a]);
            half[a] = Floats<Arch>(grid.max_half_extent[a]);
        }
    }

    /// The half extents of the nodes from `i` on.
    [[gnu::always_inline]] Floats<Arch> half_at(const NodeArrays& row, std::uint32_t i,
                                                std::size_t a) const noexcept {
        return own ? floats_at<Arch>(row, Fields<Dim>::kHalfExtent + a, i) : half[a];
    }

    /// The bounds of where the centres of hits may lie, for a vector of queries.
    [[gnu::always_inline]] static Bounds<Arch> bounds(const GridView<Dim>& grid, const Block& boxes,
                                                      std::size_t q, std::size_t a) noexcept {
        return widened<Arch>(Floats<Arch>::load_unaligned(boxes.lo[a] + q),
                             Floats<Arch>::load_unaligned(boxes.hi[a] + q),
                             Floats<Arch>(grid.max_half_extent[a]));
    }

    /// A bit for each query that may find anything: its box is not inverted.
    [[gnu::always_inline]] static std::uint32_t sound(const Block& boxes, std::size_t q) noexcept {
        const auto numbers = [q](const float* of_queries) {
            return Floats<Arch>::load_unaligned(of_queries + q);
        };
        FloatMask<Arch> in_order = numbers(boxes.lo[0]) <= numbers(boxes.hi[0]);
        for (std::size_t a = 1; a < Dim; ++a) {
            in_order = in_order & (numbers(boxes.lo[a]) <= numbers(boxes.hi[a]));
        }
        return lane_bits<Arch>(in_order);
    }

    /// if (x - h <= hi && x + h >= lo, on every axis), for the nodes from `i` on.
    [[gnu::always_inline]] std::uint32_t hits(const NodeArrays& row,
                                              std::uint32_t i) const noexcept {
        FloatMask<Arch> inside = overlap(row, i, 0);
        for (std::size_t a = 1; a < Dim; ++a) {
            inside = inside & overlap(row, i, a);
        }
        return lane_bits<Arch>(inside);
    }

    /// Which cells of a row hold hits only: the same cells in every row that `inner` spans on the
    /// other axes, none in other rows. The cells to search are the same in every row.
    struct RowCells {
        CellRange inner[Dim];

        RowCells(const GridView<Dim>& grid, const BoxLanes& box) noexcept {
            for (std::size_t a = 0; a < Dim; ++a) {
                // If centres at `low` and `high` pass the test, so do all centres in the cells
                // between. `low` and `high` are the bounds of the box itself if agents have their
                // own extents, otherwise these bounds moved out by a little less than the extent.
                const bool own_extents = box.own;
                const float h = own_extents ? 0.0f : grid.max_half_extent[a];
                const float margin =
                    own_extents ? 0.0f : (magnitude<Arch>(box.lo[a]) + h) * kSlackRatio;
                const float low = box.lo[a] - h + margin;
                const float high_margin =
                    own_extents ? 0.0f : (magnitude<Arch>(box.hi[a]) + h) * kSlackRatio;
                const float high = box.hi[a] + h - high_margin;
                const bool sound = low + h >= box.lo[a] && high - h <= box.hi[a] && low <= high;
                inner[a] = sound ? between<Arch, Dim>(grid, a, low, high) : CellRange::none();
            }
        }

        [[gnu::always_inline]] bool row(const GridView<Dim>&, const std::uint32_t (&cell)[Dim],
                                        CellRange& /*outer*/, CellRange& inside) const noexcept {
            inside = inner[0];
            for (std::size_t a = 1; a < Dim; ++a) {
                if (cell[a] < inner[a].first || cell[a] > inner[a].last) {
                    inside = CellRange::none();
                }
            }
            return true;
        }
    };
    using Told = SameCells;

private:
    [[gnu::always_inline]] FloatMask<Arch> overlap(const NodeArrays& row, std::uint32_t i,
                                                   std::size_t a) const noexcept {
        const Floats<Arch> x = floats_once_at<Arch>(row, Fields<Dim>::kPosition + a, i);
        const Floats<Arch> h = half_at(row, i, a);
        return (x - h <= hi_lanes[a]) & (x + h >= lo_lanes[a]);
    }
};

template <class Arch, std::size_t Dim, Extents extents>
struct TreeGate<BoxLanes<Arch, Dim, extents>> {
    using Shape = BoxLanes<Arch, Dim, extents>;
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
    [[gnu::always_inline]] bool may_hold(const TreeView<Dim>& tree) const noexcept {
        bool holds = true;
        for (std::size_t a = 0; a < Dim; ++a) {
            holds = holds && box.hi[a] - box.lo[a] >= tree.leaf_edge * 2.0f;
        }
        return holds;
    }
    [[gnu::always_inline]] std::uint32_t may_hit(Covers<Arch, Dim> cover) const noexcept {
        if (!box.own) { cover.widen(box.half); }
        return lane_bits<Arch>(cover.overlap(box.lo_lanes, box.hi_lanes));
    }
    /// A bit for each child whose cover lies in the query box: all its agents overlap that box.
    [[gnu::always_inline]] std::uint32_t all_hit(Covers<Arch, Dim> cover) const noexcept {
        if (!box.own) { cover.widen(box.half); }
        FloatMask<Arch> inside =
            (cover.lo[0] >= box.lo_lanes[0]) & (cover.hi[0] <= box.hi_lanes[0]);
        for (std::size_t a = 1; a < Dim; ++a) {
            inside = inside & (cover.lo[a] >= box.lo_lanes[a]) & (cover.hi[a] <= box.hi_lanes[a]);
        }
        return lane_bits<Arch>(inside);
    }
};

/// Calls call.template operator()<Shape>() with the type of lanes that fits the grid.
template <class Arch, std::size_t Dim, std::size_t queries, class Call>
[[gnu::always_inline]] inline auto with_shape(const GridView<Dim>& grid, const Boxes<Dim, queries>&,
                                              const Call& call) noexcept {
    return grid.own_extents ? call.template operator()<BoxLanes<Arch, Dim, Extents::own>>()
                            : call.template operator()<BoxLanes<Arch, Dim, Extents::common>>();
}

} // namespace throng::simd
