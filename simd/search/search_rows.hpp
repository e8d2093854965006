// The search of any part of the world, row by row. For *.kernel.cpp files only.
#pragma once

#include "../isa/packed_lanes.hpp"
#include "../shapes/node_filter.hpp"
#include "../shapes/search_range.hpp"
#include "../views/query_one.hpp"
#include "occupied_rows.hpp"
#include "sinks.hpp"

namespace throng::simd {

/// Hands the hits among the nodes of a span to the sink, a vector at a time; returns where it
/// stopped, before span.end only if the sink was full.
template <class Arch, class Shape, class Filter, class Sink>
[[gnu::always_inline]] inline std::uint32_t test_span(const NodeArrays& row, std::uint32_t id_field,
                                                      Span span, const Shape& shape,
                                                      const Filter& filter, Sink& sink) noexcept {
    sink.look_at(span.end - span.begin);
    for (std::uint32_t i = span.begin; i < span.end; i += kLanes<Arch>) {
        if (sink.full()) { return i; }
        const std::uint32_t bits = shape.hits(row, i) & filter.keep(row, i);
        sink.take(row, id_field, i, first_lanes<Arch>(bits, span.end - i));
    }
    return span.end;
}

/// With this many nodes of a row or more, boxes and balls first find out which cells lie wholly
/// inside and which wholly outside; docs/planner.md has the figures.
inline constexpr std::uint32_t kLongSpan = 24;

/// Whether a row has that many nodes in these cells. If the row has many more on average, the
/// answer is yes without a look, and nearly always right; else the table tells.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline bool is_long(const GridView<Dim>& grid, const Row& row,
                                           const CellRange& cells) noexcept {
    if (row.count < kLongSpan) { return false; }
    const std::uint64_t range = cells.last - cells.first + 1;
    if (row.count * range >= std::uint64_t{4 * kLongSpan} * grid.cells[0]) { return true; }
    const Span span = span_of<Arch>(row, cells.first, cells.last);
    return span.end - span.begin >= kLongSpan;
}

/// Prefetches the table of the row after `r`, which is usually the next to be searched.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline void prefetch_next(const GridView<Dim>& grid, std::uint32_t r,
                                                 std::uint32_t first_cell) noexcept {
    if (r + 1 == grid.row_count) { return; }
    const Row& next = grid.rows[r + 1];
    if (is_full<Arch>(next)) { __builtin_prefetch(next.words + first_cell); }
}

/// This many rows are asked for their nodes before the first is looked into, so that the processor
/// waits for all of them at once.
inline constexpr std::uint32_t kAskedEarly = 4;

/// The first of a few rows, up to the first that is not ordinary: a full table, and few nodes in
/// the cells.
template <class Arch>
struct OrdinaryRows {
    Span spans[kAskedEarly];
    std::uint32_t count = 0; ///< of rows
    std::uint32_t nodes = 0;

    template <std::size_t Dim>
    [[gnu::always_inline]] void find(const GridView<Dim>& grid, const Row* rows, std::uint32_t few,
                                     const CellRange& x) noexcept {
        for (; count < few; ++count) {
            const Row& row = rows[count];
            if (!is_full<Arch>(row)) { return; }
            const Span span = {row.words[x.first], row.words[x.last + 1]};
            if (span.end - span.begin >= kLongSpan) { return; }
            spans[count] = span;
            nodes += span.end - span.begin;
            const std::uint32_t* const begin = row.words + grid.full_table + span.begin;
            for (std::uint32_t field = 0; field <= Fields<Dim>::kId; ++field) {
                __builtin_prefetch(begin + std::size_t{field} * row.capacity_and_form);
            }
        }
    }
};

/// Searches these cells for as long as rows are ordinary and there is room for all of their nodes.
/// Most small searches meet no other, and this takes half of the instructions that search_rows()
/// takes. True when all is done, or enough; else `state` says where to go on.
template <class Arch, class Shape, std::size_t Dim, class Sink>
[[gnu::always_inline]] inline bool
search_ordinary_rows(const GridView<Dim>& grid, const Shape& shape, const CellBox<Dim>& cells,
                     Sink& sink, QueryCursor& state) noexcept {
    const CellRange x = cells.on[0];
    if (x.first > x.last) { return true; }
    const CellRange planes = Dim == 3 ? cells.on[Dim - 1] : CellRange{0, 0};
    for (std::uint32_t z = planes.first; z <= planes.last; ++z) {
        const std::uint32_t past = z * grid.cells[1] + cells.on[1].last + 1;
        std::uint32_t r = z * grid.cells[1] + cells.on[1].first;
        while (r < past) {
            const std::uint32_t few = past - r < kAskedEarly ? past - r : kAskedEarly;
            const Row* row = grid.rows + r;
            OrdinaryRows<Arch> ordinary;
            ordinary.find(grid, row, few, x);
            state.row = r;
            if (!sink.has_room(ordinary.nodes)) { return false; }
            for (std::uint32_t k = 0; k < ordinary.count; ++k, ++row) {
                const Span span = ordinary.spans[k];
                const NodeArrays arrays = {row->words + grid.full_table, row->capacity_and_form};
                for (std::uint32_t i = span.begin; i < span.end; i += kLanes<Arch>) {
                    sink.take(arrays, Fields<Dim>::kId, i,
                              first_lanes<Arch>(shape.hits(arrays, i), span.end - i));
                }
            }
            // After these rows and not after each: the next few vectors take less time than a
            // branch that is guessed wrong.
            if (sink.enough()) { return true; }
            r += ordinary.count;
            state.row = r;
            if (ordinary.count < few) { return false; }
        }
    }
    return true;
}

/// Searches these cells row by row, from where `state` says; empty rows are skipped 64 at a time.
/// False when the sink is full: then `state` says where to go on.
template <Skips skips, class Arch, class Shape, std::size_t Dim, class Sink>
bool search_rows(const GridView<Dim>& grid, const Shape& shape, const CellBox<Dim>& cells,
                 const KernelFilter& kernel_filter, Sink& sink, QueryCursor& state) noexcept {
    const NodeFilter<Arch, Dim, skips> filter(grid, kernel_filter, 0);
    typename Shape::RowCells row_cells(grid, shape);
    const CellRange all = cells.on[0];
    if (all.first > all.last) { return true; }
    constexpr std::uint32_t kId = Fields<Dim>::kId;
    OccupiedRows<Arch, Dim> tiled(grid, all);
    const CellRange planes = Dim == 3 ? cells.on[Dim - 1] : CellRange{0, 0};
    for (std::uint32_t z = planes.first; z <= planes.last; ++z) {
        if constexpr (Dim == 3) {
            // Planes without agents are skipped: sparse worlds have thousands.
            const auto next = static_cast<std::uint32_t>(next_set<Arch>(
                grid.occupied, grid.occupied_depth, z * grid.cells[1], grid.row_count));
            z = next - z * grid.cells[1] < grid.cells[1] ? z : next / grid.cells[1];
            if (z > planes.last) { return true; }
        }
        const std::uint32_t plane = z * grid.cells[1];
        CellRange rows = cells.on[1];
        if (Dim == 3 && !Shape::kAskBySpan && !row_cells.plane(grid, z, rows)) { continue; }
        const std::uint32_t past = plane + rows.last + 1;
        std::uint32_t r = plane + rows.first;
        r = r < state.row ? state.row : r;
        for (; r < past; ++r) {
            r = tiled.next(r, past);
            if (r >= past) { break; }
            const Row& row = grid.rows[r];
            prefetch_next<Arch>(grid, r, all.first);
            CellRange outer = all;
            CellRange inside = CellRange::none();
            if (!Shape::kAskBySpan || is_long<Arch>(grid, row, all)) {
                std::uint32_t cell[Dim] = {};
                cell[1] = r - plane;
                if constexpr (Dim == 3) { cell[2] = z; }
                if (!row_cells.row(grid, cell, outer, inside)) { continue; }
                if (skips != Skips::nothing &&
                    (kernel_filter.groups != ~0u || kernel_filter.row_of_without == r)) {
                    inside = CellRange::none(); // each node must be looked at
                }
            }
            sink.enter_row();
            const NodeArrays arrays = arrays_of<Arch>(grid, row);
            Span span = span_of<Arch>(row, outer.first, outer.last);
            const std::uint32_t done = r == state.row ? state.slot : 0;
            span.begin = span.begin < done ? done : span.begin;
            Span middle = {span.end, span.end};
            if (kCopies<Sink> && inside.first <= inside.last) {
                Span sure = span_of<Arch, true>(row, inside.first, inside.last);
                sure.begin = sure.begin < span.begin ? span.begin : sure.begin;
                if (sure.begin < sure.end) { middle = sure; }
            }
            // Nodes to be copied, and those after them, are begun only once all before them are
            // done.
            std::uint32_t slot = span.begin;
            for (Span tested = {span.begin, middle.begin};; tested = {middle.end, span.end}) {
                slot = test_span<Arch>(arrays, kId, tested, shape, filter, sink);
                if (slot < tested.end || slot >= middle.end) { break; }
                if constexpr (kCopies<Sink>) {
                    slot =
                        middle.begin +
                        sink.copy(arrays.nodes + std::size_t{kId} * arrays.capacity + middle.begin,
                                  middle.end - middle.begin);
                    if (slot < middle.end) { break; }
                }
            }
            if (sink.enough()) { return true; }
            if (slot < span.end) {
                state.row = r;
                state.slot = slot;
                return false;
            }
        }
    }
    return true;
}

} // namespace throng::simd
