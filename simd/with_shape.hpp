// From a block of queries, and whom they leave out, to the types of kernels. For *.kernel.cpp files
// only.
#pragma once

#include "ball_lanes.hpp"
#include "box_lanes.hpp"
#include "node_filter.hpp"

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

/// Calls body.template operator()<leave>().
template <class Arch, class Body>
[[gnu::always_inline]] inline auto with_leave(const LeaveOut& leave_out,
                                              const Body& body) noexcept {
    return leave_out.each != nullptr ? body.template operator()<Leave::itself>()
           : leave_out.nobody()      ? body.template operator()<Leave::nobody>()
                                     : body.template operator()<Leave::some>();
}

} // namespace throng::simd
