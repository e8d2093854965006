// The search of many cells of x in each row. For *.kernel.cpp files only.
#pragma once

#include "search_rows.hpp"

namespace throng::simd {

/// With more cells of x than this, looking up rows one by one takes less time than sixteen
/// together: in a sparse world, where rows have hardly any nodes, and for counts and ids of boxes,
/// where most nodes are counted or copied without a test. See docs/planner.md.
inline constexpr std::uint32_t kWideSparse = 24, kWideCounted = 48, kWideCopied = 64;

/// Whether rows are searched one by one, for a number (`counts`) or for ids. In sparse worlds a
/// search for one hit always goes row by row: the hit is in the first rows.
template <bool counts, class Shape, std::size_t Dim>
[[gnu::always_inline]] inline bool is_wide(const GridView<Dim>& grid, const CellBox<Dim>& cells,
                                           bool first_only) noexcept {
    const CellRange x = cells.on[0];
    if (x.first > x.last) { return false; }
    if (grid.tiles != nullptr) { return first_only || x.last - x.first >= kWideSparse; }
    return !first_only && !kTells<typename Shape::Told> &&
           x.last - x.first >= (counts ? kWideCounted : kWideCopied);
}

/// Whether row `r` has too many nodes in these cells to be ordinary: other rows are mostly as long.
template <class Arch, class Shape, std::size_t Dim>
[[gnu::always_inline]] inline bool
comes_to_long_row(const GridView<Dim>& grid, const CellBox<Dim>& cells, std::uint32_t r) noexcept {
    if constexpr (AlikeInside<typename Shape::RowCells>) {
        const CellRange x = cells.on[0];
        const Row& row = grid.rows[r];
        if (grid.tiles != nullptr || x.first > x.last || row.words == nullptr) { return false; }
        const Span span = span_of<Arch>(row, x.first, x.last);
        return span.end - span.begin >= kLongSpan<Arch, Shape>;
    }
    return false;
}

/// Searches these cells from row `state.row` on, for as long as there is room for all nodes of a
/// row. Returns true if all cells are searched or the sink has enough; else `state` says where to
/// go on.
template <class Arch, class Shape, std::size_t Dim, class Sink>
[[gnu::always_inline]] inline bool
search_wide_rows(const GridView<Dim>& grid, const Shape& shape, const CellBox<Dim>& cells,
                 const KernelFilter& kernel_filter, Sink& sink, QueryCursor& state) noexcept {
    constexpr std::uint32_t kId = Fields<Dim>::kId;
    const CellRange x = cells.on[0];
    const NodeFilter<Arch, Dim, Skips::told> filter(grid, kernel_filter, 0);
    const typename Shape::RowCells row_cells(grid, shape);
    OccupiedRows<Arch, Dim> occupied(grid, x);
    // Most searches skip no agent and look for all hits: their loop has no branch except its end.
    const bool plain = filter.keeps_all() && !sink.one_is_enough();
    const auto test = [&](const NodeArrays& row, Span span) __attribute__((always_inline)) {
        if (plain) {
            for (std::uint32_t i = span.begin; i < span.end; i += kLanes<Arch>) {
                sink.take(row, kId, i, first_lanes<Arch>(shape.hits(row, i), span.end - i));
            }
            return;
        }
        for (std::uint32_t i = span.begin; i < span.end; i += kLanes<Arch>) {
            const std::uint32_t bits = shape.hits(row, i) & filter.keep(row, i);
            sink.take(row, kId, i, first_lanes<Arch>(bits, span.end - i));
            if (sink.enough()) { return; }
        }
    };
    const CellRange planes = Dim == 3 ? cells.on[Dim - 1] : CellRange{0, 0};
    for (std::uint32_t z = planes.first; z <= planes.last; ++z) {
        if constexpr (Dim == 3) {
            z = plane_with_agents<Arch>(grid, z);
            if (z > planes.last) { return true; }
        }
        const std::uint32_t plane = z * grid.cells[1];
        const std::uint32_t past = plane + cells.on[1].last + 1;
        std::uint32_t r = plane + cells.on[1].first;
        r = occupied.next(r < state.row ? state.row : r, past);
        while (r < past) {
            const Row& row = grid.rows[r];
            const std::uint32_t next = occupied.next(r + 1, past);
            if (next < past) { ask_for_table<Arch>(grid.rows[next], x.first); }
            const NodeArrays arrays = arrays_of<Arch>(grid, row);
            Span all = span_of<Arch>(row, x.first, x.last);
            if (!sink.has_room(all.end - all.begin)) {
                state.row = r;
                return false;
            }
            if (all.end - all.begin >= 2 * kLanes<Arch> && kernel_filter.groups == ~0u &&
                kernel_filter.row_of_without != r) {
                std::uint32_t cell[Dim] = {0, r - plane};
                if constexpr (Dim == 3) { cell[2] = z; }
                CellRange outer = x, inside = CellRange::none();
                if (!row_cells.row(grid, cell, outer, inside)) {
                    r = next;
                    continue;
                }
                if constexpr (kTells<typename Shape::Told>) {
                    all = span_of<Arch>(row, outer.first, outer.last);
                }
                if (inside.first <= inside.last) {
                    const Span sure = span_of<Arch, true>(row, inside.first, inside.last);
                    test(arrays, {all.begin, sure.begin});
                    (void)sink.copy(arrays.nodes + std::size_t{kId} * arrays.capacity + sure.begin,
                                    sure.end - sure.begin);
                    all.begin = sure.end;
                }
            }
            test(arrays, all);
            if (sink.enough()) { return true; }
            r = next;
        }
    }
    return true;
}

} // namespace throng::simd
