// The half extents and radii of agents' bodies, in vectors. For *.kernel.cpp files only.
#pragma once

#include "../isa/lanes.hpp"
#include "../views/tree_view.hpp"
#include "body_gaps.hpp"
#include "extents.hpp"
#include "row_spans.hpp"
#include "search_range.hpp"

namespace throng::simd {

/// In a grid: how far an agent's body may reach from the agent's centre. In a tree: how far the
/// body may stick out of a cover. `on` is for each axis, `any` for all directions. Both have room
/// for rounding: tests round offsets from the shape's centre; cells and covers do not use offsets.
template <std::size_t Dim>
struct BodyReach {
    float on[Dim], any;
};

/// The bodies of agents in a question: half extents times `box`, or times `disc`. At most one of
/// the two factors is 1, otherwise they are 0. So nothing is rounded, and a centre is a body of
/// extent 0.
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

    /// The bodies of agents in query q of a block.
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
            // No hit has larger coordinates, or a larger body.
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
