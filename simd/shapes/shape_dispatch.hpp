// From a block of queries and the agents that they leave out to the types of kernels. For
// *.kernel.cpp files only.
#pragma once

#include "ball_lanes.hpp"
#include "box_lanes.hpp"
#include "capsule_lanes.hpp"
#include "convex_lanes.hpp"
#include "node_filter.hpp"
#include "packet_cells.hpp"
#include "ray_lanes.hpp"
#include "sector_lanes.hpp"

namespace throng::simd {

/// Calls body.template operator()<Shape>() with the shape as this grid needs it.
template <class Arch, std::size_t Dim, class Body>
[[gnu::always_inline]] inline auto with_shape(const GridView<Dim>& grid, const BoxBlock<Dim>&,
                                              const Body& body) noexcept {
    return grid.own_extents ? body.template operator()<BoxLanes<Arch, Dim, true>>()
                            : body.template operator()<BoxLanes<Arch, Dim, false>>();
}
template <class Arch, std::size_t Dim, class Body>
[[gnu::always_inline]] inline auto with_shape(const GridView<Dim>&, const BallBlock<Dim>&,
                                              const Body& body) noexcept {
    return body.template operator()<BallLanes<Arch, Dim>>();
}
template <class Arch, std::size_t Dim, class Body>
[[gnu::always_inline]] inline auto with_shape(const GridView<Dim>& grid, const ConvexBlock<Dim>&,
                                              const Body& body) noexcept {
    return grid.own_extents ? body.template operator()<ConvexLanes<Arch, Dim, true>>()
                            : body.template operator()<ConvexLanes<Arch, Dim, false>>();
}
template <class Arch, std::size_t Dim, class Body>
[[gnu::always_inline]] inline auto with_shape(const GridView<Dim>&, const SectorBlock<Dim>&,
                                              const Body& body) noexcept {
    return body.template operator()<SectorLanes<Arch, Dim>>();
}
template <class Arch, std::size_t Dim, class Body>
[[gnu::always_inline]] inline auto with_shape(const GridView<Dim>& grid, const RayBlock<Dim>&,
                                              const Body& body) noexcept {
    return grid.own_extents ? body.template operator()<RayLanes<Arch, Dim, true>>()
                            : body.template operator()<RayLanes<Arch, Dim, false>>();
}
template <class Arch, std::size_t Dim, class Body>
[[gnu::always_inline]] inline auto with_shape(const GridView<Dim>& grid, const CapsuleBlock<Dim>&,
                                              const Body& body) noexcept {
    return grid.own_extents ? body.template operator()<CapsuleLanes<Arch, Dim, true>>()
                            : body.template operator()<CapsuleLanes<Arch, Dim, false>>();
}

/// The cells that query 0 of a block must search.
template <class Arch, std::size_t Dim, class Block, class Shape>
[[gnu::always_inline]] inline CellBox<Dim>
cells_to_search(const GridView<Dim>& grid, const Block& query, const Shape& shape) noexcept {
    if constexpr (Block::kQueries > 1) {
        return PacketCells<Arch, Dim>::template of<Shape>(grid, query, 0).box(0);
    } else {
        return shape.cells(grid);
    }
}

/// Calls body.template operator()<leave>().
template <class Arch, class Body>
[[gnu::always_inline]] inline auto with_leave(const KernelFilter& leave_out,
                                              const Body& body) noexcept {
    return leave_out.nothing() ? body.template operator()<Leave::nothing>()
                               : body.template operator()<Leave::some>();
}

} // namespace throng::simd
