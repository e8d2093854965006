// The part of a grid that a vector of lanes searches together. For *.kernel.cpp files only.
#pragma once

#include "../isa/bit_levels.hpp"
#include "../shapes/row_spans.hpp"
#include "../shapes/search_range.hpp"

namespace throng::simd {

/// On each axis, the cells where any of the lanes may have a hit.
template <std::size_t Dim>
struct PacketWindow {
    CellRange cells[Dim];
};

/// The window of lanes whose hits have their centres between `low` and `high` on each axis: the
/// least and the greatest of the active lanes' own bounds, widened by the rules of
/// search_range.hpp. `low` must not exceed `high`; neither may be NaN.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline PacketWindow<Dim>
window_of(const GridView<Dim>& grid, const float (&low)[Dim], const float (&high)[Dim]) noexcept {
    PacketWindow<Dim> window;
    for (std::size_t a = 0; a < Dim; ++a) {
        window.cells[a] = {cell_of<Arch>(grid, a, low[a]), cell_of<Arch>(grid, a, high[a])};
    }
    return window;
}

/// Calls call(row, arrays, span) for each row with agents in the window, in canonical order, until
/// it returns false; the span is never empty. Returns whether call() always returned true.
///
/// In a row with a trimmed table the span may also hold agents of cells beside the window, but it
/// lacks no agent of the window. All empty rows before the next row with agents are skipped in one
/// step.
template <class Arch, std::size_t Dim, class Call>
[[gnu::always_inline]] inline bool
for_each_row_in(const GridView<Dim>& grid, const PacketWindow<Dim>& window, const Call& call) {
    const std::uint32_t first = window.cells[0].first;
    const std::uint32_t last = window.cells[0].last;
    const CellRange planes = Dim == 3 ? window.cells[Dim - 1] : CellRange{0, 0};
    for (std::uint32_t z = planes.first; z <= planes.last; ++z) {
        const std::uint32_t plane = z * grid.cells[1];
        const std::uint32_t past = plane + window.cells[1].last + 1;
        for (std::uint32_t r = plane + window.cells[1].first; r < past; ++r) {
            const Row& row = grid.rows[r];
            Span span;
            NodeArrays arrays;
            if (is_full<Arch>(row)) [[likely]] {
                span = {row.words[first], row.words[last + 1]};
                arrays = {row.words + grid.full_table, row.capacity_and_form};
            } else {
                if (row.words == nullptr) {
                    r = static_cast<std::uint32_t>(
                            next_set<Arch>(grid.occupied, grid.occupied_depth, r, grid.row_count)) -
                        1;
                    continue;
                }
                span = span_of<Arch>(row, first, last);
                arrays = arrays_of<Arch>(grid, row);
            }
            if (span.begin == span.end) { continue; }
            if (!call(r, arrays, span)) { return false; }
        }
    }
    return true;
}

} // namespace throng::simd
