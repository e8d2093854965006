// Agents next to each other in storage order. For *.kernel.cpp files only.
#pragma once

#include "../isa/bit_levels.hpp"
#include "../views/grid_view.hpp"

namespace throng::simd {

/// Calls call(start, count) for the agents from `at` on and before `end`, at most kMost agents of a
/// row at a time, until it returns false.
template <class Arch, std::uint32_t kMost, std::size_t Dim, class Call>
[[gnu::always_inline]] inline void for_each_few(const GridView<Dim>& grid, RowSlot at, RowSlot end,
                                                const Call& call) {
    for (std::uint32_t r = at.row; r <= end.row; ++r) {
        r = static_cast<std::uint32_t>(
            next_set<Arch>(grid.occupied, grid.occupied_depth, r, grid.row_count));
        if (r > end.row || r >= grid.row_count) { return; }
        const std::uint32_t count = grid.rows[r].count;
        const std::uint32_t stop = r == end.row && end.slot < count ? end.slot : count;
        for (std::uint32_t slot = r == at.row ? at.slot : 0; slot < stop; slot += kMost) {
            if (!call(RowSlot{r, slot}, stop - slot < kMost ? stop - slot : kMost)) { return; }
        }
    }
}

} // namespace throng::simd
