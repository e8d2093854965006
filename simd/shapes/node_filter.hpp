// Leaves agents out of the hits by group and by id. For *.kernel.cpp files only.
#pragma once

#include "../views/query_block.hpp"
#include "row_spans.hpp"

namespace throng::simd {

/// Which agents a search skips.
enum class Skips {
    nothing,
    groups,  ///< agents outside KernelFilter::groups; a branch tests whether it is all ones
    some,    ///< agents that KernelFilter leaves out by group or id
    told,    ///< as `some`, but a branch tests whether an id is left out at all
    earlier, ///< agents before KernelFilter::begin, and agents outside its groups
};

template <class Arch, std::size_t Dim, Skips skips>
struct NodeFilter {
    static constexpr Skips kSkips = skips;
    Words<Arch> groups, without;
    std::uint32_t group_field;
    bool by_group, by_id;

    /// For query q of a block.
    [[gnu::always_inline]] NodeFilter(const GridView<Dim>& grid, const KernelFilter& out,
                                      std::size_t q) noexcept
        : without(out.each != nullptr ? out.each[q] : out.without),
          group_field(Fields<Dim>::groups(grid.own_extents)) {
        const std::uint32_t wanted =
            out.groups_of_each != nullptr ? out.groups_of_each[q] : out.groups;
        groups = Words<Arch>(wanted);
        by_group = wanted != ~0u;
        by_id = out.each != nullptr || out.without != ~0u;
    }
    [[gnu::always_inline]] bool reads_ids() const noexcept { return by_id; }
    [[gnu::always_inline]] bool keeps_all() const noexcept { return !by_id && !by_group; }

    /// if (id != without && (mask & groups) != 0), for the nodes from `i` on.
    [[gnu::always_inline]] std::uint32_t keep(const NodeArrays& row,
                                              std::uint32_t i) const noexcept {
        std::uint32_t bits = ~0u;
        if (skips == Skips::some || (skips == Skips::told && by_id)) {
            bits = lane_bits<Arch>(words_at<Arch>(row, Fields<Dim>::kId, i) != without);
        }
        if (by_group) {
            const Words<Arch> common = words_at<Arch>(row, group_field, i) & groups;
            bits &= lane_bits<Arch>(common != Words<Arch>(0u));
        }
        return bits;
    }
};

template <class Arch, std::size_t Dim>
struct NodeFilter<Arch, Dim, Skips::nothing> {
    static constexpr Skips kSkips = Skips::nothing;
    [[gnu::always_inline]] NodeFilter(const GridView<Dim>&, const KernelFilter&,
                                      std::size_t) noexcept {}
    [[gnu::always_inline]] static constexpr bool reads_ids() noexcept { return false; }
    [[gnu::always_inline]] std::uint32_t keep(const NodeArrays&, std::uint32_t) const noexcept {
        return ~0u;
    }
};

} // namespace throng::simd
