// The agents of some slices. Internal to the engine.
#pragma once

#include "../../../simd/views/grid_view.hpp"
#include "row_store.hpp"
#include "slices.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace throng {

/// The agents from one slot in storage order to another.
template <std::size_t Dim>
struct StorageRange {
    simd::RowSlot at{}, end{};

    /// The agents of slices begin ... past - 1; none if begin >= past.
    StorageRange(const Slices& slices, std::size_t begin, std::size_t past) noexcept {
        if (begin < past) {
            at = slices[begin];
            end = slices[past];
        }
    }

    /// Calls call(row number, first slot, slot past the last) for rows with agents of the range.
    template <class Call>
    void for_each_row(const RowStore<Dim>& store, const Call& call) const {
        const HierarchicalBitset& occupied = store.occupied();
        for (std::size_t r = occupied.next(at.row); r < store.rows().size() && r <= end.row;
             r = occupied.next(r + 1)) {
            const std::uint32_t count = store.rows()[r].count;
            const std::uint32_t first = r == at.row ? at.slot : 0;
            const std::uint32_t past = r == end.row ? std::min(end.slot, count) : count;
            if (first < past) { call(static_cast<std::uint32_t>(r), first, past); }
        }
    }

    [[nodiscard]] std::size_t agents(const RowStore<Dim>& store) const noexcept {
        std::size_t agents = 0;
        for_each_row(store, [&](std::uint32_t, std::uint32_t first, std::uint32_t past) {
            agents += past - first;
        });
        return agents;
    }

    /// If `at` is behind the last agent of a row, moves it to the next row with agents. False if no
    /// agent of the range is left.
    bool skip_gaps(const RowStore<Dim>& store) noexcept {
        const auto& rows = store.rows();
        if (at.row < rows.size() && at.slot >= rows[at.row].count) {
            at = {static_cast<std::uint32_t>(store.occupied().next(at.row + 1)), 0};
        }
        return at.row < rows.size() &&
               (at.row < end.row || (at.row == end.row && at.slot < end.slot));
    }
};

} // namespace throng
