// The search of what may be a large part of the world. For *.kernel.cpp files only.
#pragma once

#include "bit_levels.hpp"
#include "node_filter.hpp"
#include "search_range.hpp"
#include "sinks.hpp"
#include "walk.hpp"

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

/// Searches these cells row by row, from where `state` says; empty rows are skipped 64 at a time.
/// False when the sink is full: then `state` says where to go on.
template <Leave leave, class Arch, class Shape, std::size_t Dim, class Sink>
bool search_wide(const GridView<Dim>& grid, const Shape& shape, const CellBox<Dim>& cells,
                 const LeaveOut& leave_out, Sink& sink, Walk& state) noexcept {
    const NodeFilter<Arch, Dim, leave> filter(grid, leave_out, 0);
    typename Shape::Wide wide(grid, shape);
    const CellRange all = cells.on[0];
    if (all.first > all.last) { return true; }
    constexpr std::uint32_t kId = Fields<Dim>::kId;
    const bool ask_rows = all.last - all.first >= Shape::kAskRowsFrom;
    const CellRange planes = Dim == 3 ? cells.on[Dim - 1] : CellRange{0, 0};
    for (std::uint32_t z = planes.first; z <= planes.last; ++z) {
        if constexpr (Dim == 3) {
            // Planes without anybody, of which sparse worlds have thousands, are not asked about.
            const auto next = static_cast<std::uint32_t>(next_set<Arch>(
                grid.occupied, grid.occupied_depth, z * grid.cells[1], grid.row_count));
            z = next - z * grid.cells[1] < grid.cells[1] ? z : next / grid.cells[1];
            if (z > planes.last) { return true; }
        }
        const std::uint32_t plane = z * grid.cells[1];
        CellRange rows = cells.on[1];
        if (Dim == 3 && ask_rows && !wide.plane(grid, z, rows)) { continue; }
        const std::uint32_t past = plane + rows.last + 1;
        std::uint32_t r = plane + rows.first;
        r = r < state.row ? state.row : r;
        for (; r < past; ++r) {
            r = static_cast<std::uint32_t>(
                next_set<Arch>(grid.occupied, grid.occupied_depth, r, grid.row_count));
            if (r >= past) { break; }
            CellRange outer = all;
            CellRange inside = CellRange::none();
            if (ask_rows) {
                std::uint32_t cell[Dim] = {};
                cell[1] = r - plane;
                if constexpr (Dim == 3) { cell[2] = z; }
                if (!wide.row(grid, cell, outer, inside)) { continue; }
                if (leave != Leave::nobody &&
                    (leave_out.groups != ~0u || leave_out.row_of_without == r)) {
                    inside = CellRange::none(); // each node must be looked at
                }
            }
            sink.enter_row();
            const Row& row = grid.rows[r];
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
            // What is copied and what comes after it is begun only once all before it is done.
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
