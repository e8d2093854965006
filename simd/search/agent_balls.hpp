// Makes the balls and the filter of queries for the neighbours of a row's agents. For *.kernel.cpp
// files only.
#pragma once

#include "../shapes/row_spans.hpp"
#include "../views/query_block.hpp"

namespace throng::simd {

/// Copies the centres of `count` agents of a row, from `at` on, to the balls of a block.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline void copy_centres(const GridView<Dim>& grid, RowSlot at,
                                                std::uint32_t count,
                                                BallBlock<Dim>& balls) noexcept {
    const NodeArrays agents = arrays_of<Arch>(grid, grid.rows[at.row]);
    // The last vector may reach past the agents, but not past the block's slack.
    for (std::uint32_t i = 0; i < count; i += kLanes<Arch>) {
        for (std::size_t a = 0; a < Dim; ++a) {
            floats_at<Arch>(agents, Fields<Dim>::kPosition + a, at.slot + i)
                .store_unaligned(balls.centre[a] + i);
        }
    }
}

/// The filter of queries around the agents from `at` on. Each query leaves out its own agent unless
/// `with_self`.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline KernelFilter filter_of_agents(const GridView<Dim>& grid, RowSlot at,
                                                            bool with_self,
                                                            std::uint32_t groups) noexcept {
    KernelFilter kernel_filter;
    kernel_filter.groups = groups;
    if (!with_self) {
        const NodeArrays agents = arrays_of<Arch>(grid, grid.rows[at.row]);
        kernel_filter.each =
            agents.nodes + std::size_t{Fields<Dim>::kId} * agents.capacity + at.slot;
        kernel_filter.row_of_without = at.row;
    }
    return kernel_filter;
}

/// The filter of queries around the agents from `at` on that find later agents only: each query
/// leaves out all agents before its own agent, and that agent itself unless `with_self`.
inline KernelFilter filter_of_later(RowSlot at, bool with_self, std::uint32_t groups) noexcept {
    KernelFilter kernel_filter;
    kernel_filter.groups = groups;
    kernel_filter.begin = {at.row, at.slot + (with_self ? 0 : 1)};
    return kernel_filter;
}

} // namespace throng::simd
