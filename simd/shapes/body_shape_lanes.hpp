// How kernels test agents' bodies against sectors and cylinders. For *.kernel.cpp files only.
//
// Cells and trees are searched with a wider shape, which holds the centres of all hits.
#pragma once

#include "body_lanes.hpp"
#include "cylinder_lanes.hpp"
#include "sector_lanes.hpp"

namespace throng::simd {

/// Widens a sector, so that it holds the centres of all agents whose bodies it hit before.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline SectorBlock<Dim> wider(SectorBlock<Dim> sector,
                                                     const BodyReach<Dim>& reach) noexcept {
    sector.radius = sector.radius + reach.any;
    sector.radius2 = sector.radius * sector.radius;
    for (std::size_t a = 0; a < Dim; ++a) {
        sector.lo[a] = sector.lo[a] - reach.on[a];
        sector.hi[a] = sector.hi[a] + reach.on[a];
        for (std::uint32_t s = 0; s < sector.sides; ++s) {
            sector.aside[s] = sector.aside[s] + magnitude<Arch>(sector.normal[s][a]) * reach.on[a];
        }
    }
    return sector;
}

/// The same for a cylinder. An inverted band stays inverted: see sound().
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline CylinderBlock<Dim> wider(CylinderBlock<Dim> cylinder,
                                                       const BodyReach<Dim>& reach) noexcept {
    if (!(cylinder.lo[cylinder.up] <= cylinder.hi[cylinder.up])) { return cylinder; }
    cylinder.radius = cylinder.radius + reach.any;
    cylinder.radius2 = cylinder.radius * cylinder.radius;
    for (std::size_t a = 0; a < Dim; ++a) {
        cylinder.lo[a] = cylinder.lo[a] - reach.on[a];
        cylinder.hi[a] = cylinder.hi[a] + reach.on[a];
    }
    // `reach` allows for rounding near the centre only, and the band may end far from the centre.
    float& low = cylinder.lo[cylinder.up];
    float& high = cylinder.hi[cylinder.up];
    low = low - magnitude<Arch>(low) * (4.0f * kSlackRatio);
    high = high + magnitude<Arch>(high) * (4.0f * kSlackRatio);
    return cylinder;
}

template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline const SectorBlock<Dim>&
block_of(const SectorLanes<Arch, Dim>& lanes) noexcept {
    return lanes.sector;
}
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline const CylinderBlock<Dim>&
block_of(const CylinderLanes<Arch, Dim>& lanes) noexcept {
    return lanes.cylinder;
}

/// What sectors and cylinders have in common. `Plain` tests agents' centres against the shape.
template <class Arch, std::size_t Dim, class Plain>
struct BodyShapeLanes {
    using Block = BodyBlock<typename Plain::Block>;
    static constexpr bool kTellsInside = false;
    static constexpr bool kFrequent = false;

    Plain plain;
    BodyLanes<Arch, Dim, Extents::either> body;

    [[gnu::always_inline]] BodyShapeLanes(const GridView<Dim>& grid, const Block& block,
                                          std::size_t q) noexcept
        : plain(grid, block, q), body(grid, block.box[0], block.disc[0]) {}

    /// The cells that the wider shape searches. An agent inside the wider shape need not be a hit
    /// of the shape itself, so no cell is reported as inside.
    struct RowCells {
        const typename Plain::Block block;
        const Plain lanes;
        typename Plain::RowCells rows;

        [[gnu::always_inline]] RowCells(const GridView<Dim>& grid,
                                        const BodyShapeLanes& shape) noexcept
            : block(shape.wider_in(grid)), lanes(grid, block, 0), rows(grid, lanes) {}
        RowCells(const RowCells&) = delete;
        RowCells& operator=(const RowCells&) = delete;

        [[gnu::always_inline]] bool plane(const GridView<Dim>& grid, std::uint32_t z,
                                          CellRange& cells) noexcept {
            if constexpr (requires { rows.plane(grid, z, cells); }) {
                return rows.plane(grid, z, cells);
            } else {
                return true;
            }
        }
        [[gnu::always_inline]] bool row(const GridView<Dim>& grid, const std::uint32_t (&cell)[Dim],
                                        CellRange& outer, CellRange& inside) const noexcept {
            const bool reaches = rows.row(grid, cell, outer, inside);
            inside = CellRange::none();
            return reaches;
        }
    };
    using Told = RowCells;

    [[gnu::always_inline]] CellBox<Dim> cells(const GridView<Dim>& grid) const noexcept {
        const typename Plain::Block block = wider_in(grid);
        return Plain(grid, block, 0).cells(grid);
    }
    /// The wider shape for a search of `view`, a grid or a tree.
    template <class View>
    [[gnu::always_inline]] typename Plain::Block wider_in(const View& view) const noexcept {
        const typename Plain::Block& block = block_of(plain);
        return wider<Arch>(block, body.reach(view, block.centre, block.radius));
    }
};

/// Tests the bodies of agents against a sector.
template <class Arch, std::size_t Dim>
struct BodySectorLanes : BodyShapeLanes<Arch, Dim, SectorLanes<Arch, Dim>> {
    using Base = BodyShapeLanes<Arch, Dim, SectorLanes<Arch, Dim>>;
    using Base::Base;

    /// engine/shapes/with_body.hpp has this test for one agent.
    [[gnu::always_inline]] std::uint32_t hits(const NodeArrays& row,
                                              std::uint32_t i) const noexcept {
        const auto& sector = this->plain;
        const auto& bodies = this->body;
        const Floats<Arch> zero(0.0f);
        Floats<Arch> ahead(0.0f), distance2(0.0f);
        for (std::size_t a = 0; a < Dim; ++a) {
            // A slot without an agent is at NaN, and stays there: NaN is the second operand.
            const Floats<Arch> centre = sector.ball.offset(row, i, a);
            const Floats<Arch> half = bodies.half_at(row, i, a);
            const Floats<Arch> offset =
                larger<Arch>(zero, centre - half) + smaller<Arch>(zero, centre + half);
            const Floats<Arch> term = offset * Floats<Arch>(sector.sector.along[a]);
            ahead = a == 0 ? term : ahead + term;
            distance2 = a == 0 ? offset * offset : distance2 + offset * offset;
        }
        std::uint32_t seen = sector.sees(ahead, distance2);
        if (bodies.is_disc()) {
            distance2 = disc_distance2<Arch>(distance2, bodies.radius_at(row, i));
            seen |= lane_bits<Arch>(distance2 == zero);
        }
        return seen & lane_bits<Arch>(distance2 <= sector.ball.radius2_lanes);
    }
};

/// Tests the bodies of agents against an upright cylinder.
template <class Arch, std::size_t Dim>
struct BodyCylinderLanes : BodyShapeLanes<Arch, Dim, CylinderLanes<Arch, Dim>> {
    using Base = BodyShapeLanes<Arch, Dim, CylinderLanes<Arch, Dim>>;
    using Base::Base;

    /// engine/shapes/with_body.hpp has this test for one agent.
    [[gnu::always_inline]] std::uint32_t hits(const NodeArrays& row,
                                              std::uint32_t i) const noexcept {
        const auto& cylinder = this->plain;
        const auto& bodies = this->body;
        const Floats<Arch> zero(0.0f);
        const std::uint32_t up = cylinder.cylinder.up;
        const auto at = [&](std::size_t a) __attribute__((always_inline)) {
            return floats_at<Arch>(row, Fields<Dim>::kPosition + a, i);
        };
        Floats<Arch> gap = box_gap<Arch>(at(0) - cylinder.centre[0], bodies.half_at(row, i, 0));
        Floats<Arch> distance2 = gap * gap;
        if constexpr (Dim == 3) {
            gap = box_gap<Arch>(at(cylinder.across) - cylinder.centre[1],
                                bodies.half_at(row, i, cylinder.across));
            distance2 = distance2 + gap * gap;
        }
        const Floats<Arch> height = at(up);
        if (bodies.is_disc()) {
            const Floats<Arch> disc = bodies.radius_at(row, i);
            const Floats<Arch> aside2 =
                disc_distance2<Arch>(distance2, Floats<Arch>(cylinder.cylinder.radius));
            const Floats<Arch> above =
                larger<Arch>(zero, larger<Arch>(cylinder.low - height, height - cylinder.high));
            return lane_bits<Arch>(aside2 + above * above <= disc * disc);
        }
        const Floats<Arch> half = bodies.half_at(row, i, up);
        return lane_bits<Arch>((distance2 <= cylinder.radius2) & (cylinder.low <= height + half) &
                               (height - half <= cylinder.high));
    }
};

/// The gate of a wider shape, widened by as much as bodies may stick out of covers.
template <class Plain, class Shape>
struct BodyShapeGate : HoldsNoLeaf {
    const typename Plain::Block block;
    const Plain lanes;
    const TreeGate<Plain> gate;

    template <std::size_t Dim>
    [[gnu::always_inline]] BodyShapeGate(const TreeView<Dim>& tree, const Shape& shape) noexcept
        : block(shape.wider_in(tree)), lanes(tree.grid, block, 0), gate(tree, lanes) {}
    BodyShapeGate(const BodyShapeGate&) = delete;
    BodyShapeGate& operator=(const BodyShapeGate&) = delete;

    [[gnu::always_inline]] bool sound() const noexcept { return gate.sound(); }
    template <class Cover>
    [[gnu::always_inline]] std::uint32_t may_hit(const Cover& cover) const noexcept {
        return gate.may_hit(cover);
    }
};
template <class Arch, std::size_t Dim>
struct TreeGate<BodySectorLanes<Arch, Dim>>
    : BodyShapeGate<SectorLanes<Arch, Dim>, BodySectorLanes<Arch, Dim>> {
    using TreeGate::BodyShapeGate::BodyShapeGate;
};
template <class Arch, std::size_t Dim>
struct TreeGate<BodyCylinderLanes<Arch, Dim>>
    : BodyShapeGate<CylinderLanes<Arch, Dim>, BodyCylinderLanes<Arch, Dim>> {
    using TreeGate::BodyShapeGate::BodyShapeGate;
};

// Both call body.template operator()<Shape>() with the type of lanes that fits the grid.

template <class Arch, std::size_t Dim, class Call>
[[gnu::always_inline]] inline auto
with_shape(const GridView<Dim>&, const BodyBlock<SectorBlock<Dim>>&, const Call& body) noexcept {
    return body.template operator()<BodySectorLanes<Arch, Dim>>();
}
template <class Arch, std::size_t Dim, class Call>
[[gnu::always_inline]] inline auto
with_shape(const GridView<Dim>&, const BodyBlock<CylinderBlock<Dim>>&, const Call& body) noexcept {
    return body.template operator()<BodyCylinderLanes<Arch, Dim>>();
}

} // namespace throng::simd
