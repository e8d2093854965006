// The search of what may be a large part of the world. For *.kernel.cpp files only.
#pragma once

#include "bit_levels.hpp"
#include "node_filter.hpp"
#include "packet_cells.hpp"
#include "sinks.hpp"

namespace throng::simd {

/// From this many cells of a row on it pays to ask first which of them lie wholly inside and which
/// wholly outside. At 8, a single ball of radius 2 over cells of 0.5 took 154 ns instead of 66.
inline constexpr std::uint32_t kWideCells = 32;

/// Hands the hits among the nodes of a span to the sink, a vector at a time; returns where it
/// stopped, before span.end only if the sink was full.
template <class Arch, class Shape, class Filter, class Sink>
[[gnu::always_inline]] inline std::uint32_t
test_span(const NodeArrays& row, const std::uint32_t* ids, Span span, const Shape& shape,
          const Filter& filter, Sink& sink) noexcept {
    sink.look_at(span.end - span.begin);
    for (std::uint32_t i = span.begin; i < span.end; i += kLanes<Arch>) {
        if (sink.full()) { return i; }
        const std::uint32_t bits = shape.hits(row, i) & filter.keep(row, i);
        const std::uint32_t hits = first_lanes<Arch>(bits, span.end - i);
        if constexpr (kMeasures<Sink>) {
            sink.measure(row, i, hits);
        } else {
            sink.take(ids + i, hits);
        }
    }
    return span.end;
}

/// Answers the query of one lane, row by row, from where `state` says; empty rows are skipped 64 at
/// a time. False when the sink is full: then `state` says where to go on.
template <Leave leave, class Arch, class Shape, std::size_t Dim, class Sink>
bool search_wide(const GridView<Dim>& grid, const Shape& shape, const PacketCells<Arch, Dim>& cells,
                 std::size_t lane, const LeaveOut& leave_out, Sink& sink, Walk& state) noexcept {
    const NodeFilter<Arch, Dim, leave> filter(grid, leave_out, 0);
    const typename Shape::Wide wide(grid, shape);
    if (cells.first[lane] == cells.past[lane]) { return true; }
    const CellRange all = {cells.first[lane], cells.past[lane] - 1};
    const std::uint32_t first_z = Dim == 3 ? cells.low[Dim - 1][lane] : 0;
    const std::uint32_t last_z = Dim == 3 ? cells.high[Dim - 1][lane] : 0;
    for (std::uint32_t z = first_z; z <= last_z; ++z) {
        const std::uint32_t plane = z * grid.cells[1];
        const std::uint32_t past = plane + cells.high[1][lane] + 1;
        std::uint32_t r = plane + cells.low[1][lane];
        r = r < state.row ? state.row : r;
        for (; r < past; ++r) {
            r = static_cast<std::uint32_t>(
                next_set<Arch>(grid.occupied, grid.occupied_depth, r, grid.row_count));
            if (r >= past) { break; }
            CellRange outer = all;
            CellRange inside = CellRange::none();
            if (all.last - all.first >= kWideCells) {
                std::uint32_t cell[Dim] = {};
                cell[1] = r - plane;
                if constexpr (Dim == 3) { cell[2] = z; }
                if (!wide.row(grid, shape, cell, outer, inside)) { continue; }
                if (leave != Leave::nobody &&
                    (leave_out.groups != ~0u || leave_out.row_of_without == r)) {
                    inside = CellRange::none(); // each node must be looked at
                }
            }
            sink.enter_row();
            const Row& row = grid.rows[r];
            const NodeArrays arrays = arrays_of<Arch>(grid, row);
            const std::uint32_t* const ids =
                arrays.nodes + std::size_t{Fields<Dim>::kId} * arrays.capacity;
            Span span = span_of<Arch>(row, outer.first, outer.last);
            const std::uint32_t done = r == state.row ? state.slot : 0;
            span.begin = span.begin < done ? done : span.begin;
            Span middle = {span.end, span.end};
            if (!kMeasures<Sink> && inside.first <= inside.last) {
                Span sure = span_of<Arch, true>(row, inside.first, inside.last);
                sure.begin = sure.begin < span.begin ? span.begin : sure.begin;
                if (sure.begin < sure.end) { middle = sure; }
            }
            std::uint32_t slot =
                test_span<Arch>(arrays, ids, {span.begin, middle.begin}, shape, filter, sink);
            // What is copied and what comes after it is begun only once all before it is done.
            if constexpr (!kMeasures<Sink>) {
                if (slot >= middle.begin && middle.begin < middle.end) {
                    slot = middle.begin + sink.copy(ids + middle.begin, middle.end - middle.begin);
                    if (slot == middle.end) {
                        slot = test_span<Arch>(arrays, ids, {middle.end, span.end}, shape, filter,
                                               sink);
                    }
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
