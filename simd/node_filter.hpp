// Leaves agents out of the hits by group and by id. For *.kernel.cpp files only.
#pragma once

#include "query.hpp"
#include "row_spans.hpp"

namespace throng::simd {

/// Nobody is left out.
template <class Arch, std::size_t Dim, bool filtered>
struct NodeFilter {
    [[gnu::always_inline]] NodeFilter(const GridView<Dim>&, const LeaveOut&) noexcept {}
    [[gnu::always_inline]] std::uint32_t keep(const NodeArrays&, std::uint32_t) const noexcept {
        return ~0u;
    }
};

template <class Arch, std::size_t Dim>
struct NodeFilter<Arch, Dim, true> {
    Words<Arch> groups, without;
    std::uint32_t group_field;
    bool by_group;

    [[gnu::always_inline]] NodeFilter(const GridView<Dim>& grid, const LeaveOut& out) noexcept
        : groups(out.groups), without(out.without),
          group_field(Fields<Dim>::groups(grid.own_extents)), by_group(out.groups != ~0u) {}

    /// if (id != without && (mask & groups) != 0), for the nodes from `i` on.
    [[gnu::always_inline]] std::uint32_t keep(const NodeArrays& row,
                                              std::uint32_t i) const noexcept {
        std::uint32_t bits = lane_bits<Arch>(words_at<Arch>(row, Fields<Dim>::kId, i) != without);
        if (by_group) {
            const Words<Arch> common = words_at<Arch>(row, group_field, i) & groups;
            bits &= lane_bits<Arch>(common != Words<Arch>(0u));
        }
        return bits;
    }
};

} // namespace throng::simd
