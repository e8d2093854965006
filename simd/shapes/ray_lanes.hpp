// How kernels test agents' boxes against rays and segments. For *.kernel.cpp files only.
#pragma once

#include "../views/shape_blocks.hpp"
#include "box_lanes.hpp"
#include "segment_clip.hpp"
#include "tree_gates.hpp"

namespace throng::simd {

/// Tests agents' boxes against a ray or segment; agents share an extent or have their own.
template <class Arch, std::size_t Dim>
struct RayLanes {
    using Block = RayBlock<Dim>;
    static constexpr bool kTellsInside = false;
    static constexpr bool kFrequent = false;

    SegmentClip<Arch, Dim> clip;
    BoxLanes<Arch, Dim, Extents::either> bounds;
    Floats<Arch> origin[Dim], along[Dim], size[Dim]; ///< size: the magnitude of along's coordinates
    Floats<Arch> direction[Dim], length;
    float way[Dim];

    [[gnu::always_inline]] RayLanes(const GridView<Dim>& grid, const Block& ray,
                                    std::size_t) noexcept
        : clip(grid, ray, grid.max_half_extent, false), bounds(grid, ray.lo, ray.hi),
          length(ray.length) {
        for (std::size_t a = 0; a < Dim; ++a) {
            origin[a] = Floats<Arch>(ray.origin[a]);
            along[a] = Floats<Arch>(ray.along[a]);
            size[a] = magnitude<Arch>(along[a]);
            way[a] = ray.direction[a];
            direction[a] = Floats<Arch>(way[a]);
        }
    }

    [[gnu::always_inline]] CellBox<Dim> cells(const GridView<Dim>& grid) const noexcept {
        return clip.cells(grid);
    }

    /// engine/shapes/ray_test.hpp has this test for one agent.
    [[gnu::always_inline]] std::uint32_t hits(const NodeArrays& row,
                                              std::uint32_t i) const noexcept {
        std::uint32_t bits = bounds.hits(row, i);
        Floats<Arch> offset[Dim], half[Dim];
        for (std::size_t a = 0; a < Dim; ++a) {
            offset[a] = floats_at<Arch>(row, Fields<Dim>::kPosition + a, i) - origin[a];
            half[a] = bounds.half_at(row, i, a);
        }
        for (std::size_t a = 0; a + 1 < Dim; ++a) {
            for (std::size_t b = a + 1; b < Dim; ++b) {
                const Floats<Arch> off = along[a] * offset[b] - along[b] * offset[a];
                const Floats<Arch> wide = half[a] * size[b] + half[b] * size[a];
                bits &= lane_bits<Arch>(magnitude<Arch>(off) <= wide);
            }
        }
        return bits;
    }

    /// The times at which the path first touches the agents that it hits.
    [[gnu::always_inline]] Floats<Arch> times(const NodeArrays& row,
                                              std::uint32_t i) const noexcept {
        Floats<Arch> time(0.0f);
        for (std::size_t a = 0; a < Dim; ++a) {
            if (way[a] == 0.0f) { continue; }
            const Floats<Arch> x = floats_at<Arch>(row, Fields<Dim>::kPosition + a, i);
            const Floats<Arch> half = bounds.half_at(row, i, a);
            const Floats<Arch> near = way[a] > 0.0f ? x - half : x + half;
            time = larger<Arch>(time, quotient<Arch>(near - origin[a], direction[a]));
        }
        return smaller<Arch>(time, length) + Floats<Arch>(0.0f);
    }

    using RowCells = SegmentRows<Arch, Dim>;
    using Told = RowCells;
};

template <class Arch, std::size_t Dim>
struct TreeGate<RayLanes<Arch, Dim>> : HoldsNoLeaf {
    using Shape = RayLanes<Arch, Dim>;
    const Shape& ray;
    TreeGate<BoxLanes<Arch, Dim, Extents::either>> bounds;

    [[gnu::always_inline]] TreeGate(const TreeView<Dim>& tree, const Shape& shape) noexcept
        : ray(shape), bounds(tree, shape.bounds) {}

    [[gnu::always_inline]] bool sound() const noexcept { return bounds.sound(); }
    [[gnu::always_inline]] std::uint32_t may_hit(Covers<Arch, Dim> cover) const noexcept {
        const std::uint32_t bits = bounds.may_hit(cover);
        if (!ray.bounds.own) { cover.widen(ray.bounds.half); }
        return bits & not_passed_by<Arch>(ray.origin, ray.along, cover);
    }
};

/// Calls call.template operator()<Shape>() with the type of lanes that fits the grid.
template <class Arch, std::size_t Dim, class Call>
[[gnu::always_inline]] inline auto with_shape(const GridView<Dim>&, const RayBlock<Dim>&,
                                              const Call& call) noexcept {
    return call.template operator()<RayLanes<Arch, Dim>>();
}

} // namespace throng::simd
