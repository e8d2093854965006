// Chooses the types of a kernel by the block of queries and its filter. For *.kernel.cpp files
// only.
#pragma once

#include "ball_lanes.hpp"
#include "body_ball_lanes.hpp"
#include "body_shape_lanes.hpp"
#include "box_lanes.hpp"
#include "capsule_lanes.hpp"
#include "convex_lanes.hpp"
#include "cylinder_lanes.hpp"
#include "lone_cells.hpp"
#include "node_filter.hpp"
#include "packet_cells.hpp"
#include "ray_lanes.hpp"
#include "sector_lanes.hpp"

namespace throng::simd {

/// The cells that query 0 of a block must search.
template <class Arch, std::size_t Dim, class Block, class Shape>
[[gnu::always_inline]] inline CellBox<Dim>
cells_to_search(const GridView<Dim>& grid, const Block& query, const Shape& shape) noexcept {
    if constexpr (requires { shape.cells(grid); }) {
        return shape.cells(grid);
    } else if constexpr (Block::kQueries > 1) {
        return cells_alone<Arch>(grid, alone<Arch>(query, 0));
    } else {
        return cells_alone<Arch>(grid, query);
    }
}

/// Calls call.template operator()<skips>(): with Skips::nothing if the filter leaves out no agent,
/// otherwise with Skips::some.
template <class Arch, class Call>
[[gnu::always_inline]] inline auto with_skips(const KernelFilter& kernel_filter,
                                              const Call& call) noexcept {
    return kernel_filter.nothing() ? call.template operator()<Skips::nothing>()
                                   : call.template operator()<Skips::some>();
}

} // namespace throng::simd
