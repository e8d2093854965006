// How kernels test agents' centres against sectors. For *.kernel.cpp files only.
#pragma once

#include "../views/shape_blocks.hpp"
#include "ball_lanes.hpp"
#include "halfspace_clip.hpp"
#include "tree_gates.hpp"

namespace throng::simd {

/// Tests the centres of agents against a sector.
template <class Arch, std::size_t Dim>
struct SectorLanes {
    using Block = SectorBlock<Dim>;
    static constexpr bool kTellsInside = false;
    static constexpr bool kFrequent = false;

    const Block& sector;
    BallLanes<Arch, Dim> ball;

    [[gnu::always_inline]] SectorLanes(const GridView<Dim>&, const Block& block,
                                       std::size_t) noexcept
        : sector(block), ball(block.centre, block.radius, block.radius2) {}

    [[gnu::always_inline]] CellBox<Dim> cells(const GridView<Dim>& grid) const noexcept {
        CellBox<Dim> box;
        for (std::size_t a = 0; a < Dim; ++a) {
            box.on[a] = {cell_of<Arch>(grid, a, sector.lo[a]),
                         cell_of<Arch>(grid, a, sector.hi[a])};
        }
        return box;
    }

    /// engine/shapes/sector.hpp has this test for one agent.
    [[gnu::always_inline]] std::uint32_t hits(const NodeArrays& row,
                                              std::uint32_t i) const noexcept {
        Floats<Arch> ahead = ball.offset(row, i, 0) * Floats<Arch>(sector.along[0]);
        Floats<Arch> distance2 = ball.offset(row, i, 0) * ball.offset(row, i, 0);
        for (std::size_t a = 1; a < Dim; ++a) {
            const Floats<Arch> offset = ball.offset(row, i, a);
            ahead = ahead + offset * Floats<Arch>(sector.along[a]);
            distance2 = distance2 + offset * offset;
        }
        return sees(ahead, distance2) & lane_bits<Arch>(distance2 <= ball.radius2_lanes);
    }
    /// A bit for each point that is within the angle: `ahead` is the product of its offset with
    /// `along`, `distance2` the square of its distance.
    [[gnu::always_inline]] std::uint32_t sees(const Floats<Arch>& ahead,
                                              const Floats<Arch>& distance2) const noexcept {
        const Floats<Arch> ahead2 = ahead * ahead;
        const Floats<Arch> rim = Floats<Arch>(sector.cosine2) * distance2;
        const std::uint32_t in_front = lane_bits<Arch>(ahead >= Floats<Arch>(0.0f));
        return sector.sees_behind ? in_front | lane_bits<Arch>(ahead2 <= rim)
                                  : in_front & lane_bits<Arch>(ahead2 >= rim);
    }

    /// The cells to search in each row: the ball and the sides of the sector narrow them.
    struct RowCells {
        const SectorLanes& lanes;
        typename BallLanes<Arch, Dim>::RowCells ball;
        std::uint32_t sides; ///< how many sides of the sector narrow the search

        [[gnu::always_inline]] RowCells(const GridView<Dim>& grid,
                                        const SectorLanes& sector) noexcept
            : lanes(sector), ball(grid, sector.ball), sides(sector.sector.sides) {
            // In space, with few rows, narrowing by sides costs more than it saves: with rows 2.6
            // wide and a radius of 4, a sector of 60 degrees took 2.5 microseconds instead of 1.4.
            constexpr float kFewRows = 8.0f;
            if (Dim == 3 && sector.ball.radius * grid.inverse_cell[1] < kFewRows) { sides = 0; }
        }

        [[gnu::always_inline]] bool plane(const GridView<Dim>& grid, std::uint32_t z,
                                          CellRange& rows) noexcept {
            Reach<Arch> range[Dim];
            for (std::size_t a = 0; a < Dim; ++a) {
                range[a] = {lanes.sector.lo[a], lanes.sector.hi[a]};
            }
            range[Dim - 1] = reach_of<Arch>(grid, Dim - 1, z);
            if (!narrow_all(1, range)) { return false; }
            rows = common<Arch>(rows, cells_of_reach<Arch>(grid, 1, range[1]));
            return true;
        }

        [[gnu::always_inline]] bool row(const GridView<Dim>& grid, const std::uint32_t (&cell)[Dim],
                                        CellRange& outer, CellRange& inside) const noexcept {
            if (!ball.row(grid, cell, outer, inside)) { return false; }
            inside = CellRange::none();
            Reach<Arch> range[Dim];
            range[0] = {lanes.sector.lo[0], lanes.sector.hi[0]};
            for (std::size_t a = 1; a < Dim; ++a) {
                range[a] = reach_of<Arch>(grid, a, cell[a]);
            }
            if (!narrow_all(0, range)) { return false; }
            outer = common<Arch>(outer, cells_of_reach<Arch>(grid, 0, range[0]));
            return outer.first <= outer.last;
        }

    private:
        [[gnu::always_inline]] bool narrow_all(std::size_t axis,
                                               Reach<Arch> (&range)[Dim]) const noexcept {
            const SectorBlock<Dim>& block = lanes.sector;
            for (std::uint32_t s = 0; s < sides; ++s) {
                // The half space passes through the centre, so the test rounds terms of the
                // centre's coordinates, too.
                double offset = 0.0;
                double size = 0.0;
                for (std::size_t a = 0; a < Dim; ++a) {
                    const double term = static_cast<double>(block.normal[s][a]) * block.centre[a];
                    offset += term;
                    size += magnitude<Arch>(term);
                }
                offset += size * (4.0 * kSlackRatio) + block.aside[s];
                if (!narrow<Arch>(block.normal[s], offset, axis, range)) { return false; }
            }
            return true;
        }
    };
    using Told = RowCells;
};

template <class Arch, std::size_t Dim>
struct TreeGate<SectorLanes<Arch, Dim>> : HoldsNoLeaf {
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
        // From here on the cover is relative to the centre.
        for (std::size_t a = 0; a < Dim; ++a) {
            cover.lo[a] = cover.lo[a] - sector.ball.centre_lanes[a];
            cover.hi[a] = cover.hi[a] - sector.ball.centre_lanes[a];
        }
        for (std::uint32_t s = 0; s < sector.sector.sides; ++s) {
            bits &= ~lane_bits<Arch>(
                beyond<Arch>(sector.sector.normal[s], cover.lo, cover.hi, sector.sector.aside[s]));
        }
        return bits;
    }
};

/// Calls call.template operator()<Shape>() with the type of lanes that fits the grid.
template <class Arch, std::size_t Dim, class Call>
[[gnu::always_inline]] inline auto with_shape(const GridView<Dim>&, const SectorBlock<Dim>&,
                                              const Call& call) noexcept {
    return call.template operator()<SectorLanes<Arch, Dim>>();
}

} // namespace throng::simd
