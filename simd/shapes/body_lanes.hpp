// Agents' bodies as kernels see them. For *.kernel.cpp files only.
#pragma once

#include "../isa/lanes.hpp"
#include "../views/tree_view.hpp"
#include "body_gaps.hpp"
#include "extents.hpp"
#include "row_spans.hpp"
#include "search_range.hpp"

namespace throng::simd {

/// How far an agent's centre may be from the nearest point of its body; in a tree, how far its body
/// may stick out of a cover. `on` is for each axis, `any` for all directions. Both have room for
/// rounding: tests use offsets from a centre, cells and covers use the agents' own coordinates.
template <std::size_t Dim>
struct BodyReach {
    float on[Dim], any;
};

/// What an agent is to a question. Half extents are multiplied by `box` and `disc`. At most one of
/// these is 1, the other is 0: this rounds nothing, and makes a centre a body without extent.
template <class Arch, std::size_t Dim, Extents extents>
struct BodyLanes {
    float box = 0.0f, disc = 0.0f;
    bool own = false;
    Floats<Arch> box_lanes;
    Floats<Arch> half[Dim], radius; ///< of bodies, if all agents have the same extents

    BodyLanes() = default;
    [[gnu::always_inline]] BodyLanes(const GridView<Dim>& grid, float of_box,
                                     float of_disc) noexcept
        : box(of_box), disc(of_disc),
          own(extents == Extents::own || (extents == Extents::either && grid.own_extents)),
          box_lanes(of_box), radius(grid.max_half_extent[0] * disc) {
        for (std::size_t a = 0; a < Dim; ++a) {
            half[a] = Floats<Arch>(grid.max_half_extent[a] * box);
        }
    }

    /// What an agent is to query q of a block.
    template <class Block>
    [[gnu::always_inline]] BodyLanes(const GridView<Dim>& grid, const Block& block,
                                     std::size_t q) noexcept
        : BodyLanes(grid, block.box[q], block.disc[q]) {}

    [[gnu::always_inline]] bool is_disc() const noexcept { return disc != 0.0f; }

    /// The half extents of the boxes of the nodes from `i` on; zero unless bodies are boxes.
    [[gnu::always_inline]] Floats<Arch> half_at(const NodeArrays& row, std::uint32_t i,
                                                std::size_t a) const noexcept {
        if (extents == Extents::common || !own) { return half[a]; }
        return floats_at<Arch>(row, Fields<Dim>::kHalfExtent + a, i) * box_lanes;
    }
    /// The radii of the nodes' discs, if bodies are discs.
    [[gnu::always_inline]] Floats<Arch> radius_at(const NodeArrays& row,
                                                  std::uint32_t i) const noexcept {
        if (extents == Extents::common || !own) { return radius; }
        return floats_at<Arch>(row, Fields<Dim>::kHalfExtent, i);
    }

    /// The reach in a grid or a tree, for a shape no larger than a ball of this centre and radius.
    [[gnu::always_inline]] BodyReach<Dim> reach(const GridView<Dim>& grid,
                                                const float (&centre)[Dim],
                                                float shape_radius) const noexcept {
        float discs[Dim];
        for (std::size_t a = 0; a < Dim; ++a) {
            discs[a] = grid.max_half_extent[0];
        }
        return reach(grid, grid.max_half_extent, discs, centre, shape_radius);
    }
    [[gnu::always_inline]] BodyReach<Dim> reach(const TreeView<Dim>& tree,
                                                const float (&centre)[Dim],
                                                float shape_radius) const noexcept {
        return reach(tree.grid, tree.half, tree.disc, centre, shape_radius);
    }

private:
    [[gnu::always_inline]] BodyReach<Dim>
    reach(const GridView<Dim>& grid, const float (&boxes)[Dim], const float (&discs)[Dim],
          const float (&centre)[Dim], float shape_radius) const noexcept {
        BodyReach<Dim> all;
        float any2 = 0.0f;
        for (std::size_t a = 0; a < Dim; ++a) {
            // No agent that is found is farther away, or larger.
            const float size = magnitude<Arch>(centre[a]) + shape_radius +
                               2.0f * (grid.max_half_extent[a] + grid.max_half_extent[0]);
            all.on[a] = boxes[a] * box + discs[a] * disc + size * (4.0f * kSlackRatio) + kTiny;
            any2 = any2 + all.on[a] * all.on[a];
        }
        const float any = __builtin_sqrtf(any2);
        all.any = any + any * kSlackRatio;
        return all;
    }
};

} // namespace throng::simd
