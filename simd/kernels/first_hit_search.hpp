// The search along a path for the agent that it hits first. For *.kernel.cpp files only.
#pragma once

#include "../isa/packed_lanes.hpp"
#include "../shapes/node_filter.hpp"
#include "../shapes/row_spans.hpp"
#include "../shapes/segment_clip.hpp"
#include "first_hit.hpp"

namespace throng::simd {

/// Cells of an axis in the order in which a path passes them.
struct PassedCells {
    CellRange range;
    bool upward;
    std::uint32_t done = 0;

    [[nodiscard]] constexpr bool left() const noexcept { return range.first + done <= range.last; }
    [[nodiscard]] constexpr std::uint32_t rest() const noexcept {
        return range.last - range.first - done;
    }
    [[nodiscard]] constexpr std::uint32_t cell() const noexcept {
        return upward ? range.first + done : range.last - done;
    }
};

/// A row is searched this many cells at a time: once a hit is found, agents further on may not need
/// a look.
inline constexpr std::uint32_t kPassedCells = 16;

template <class Arch, class Shape, std::size_t Dim>
struct FirstSearch {
    const GridView<Dim>& grid;
    const Shape& shape;
    const NodeFilter<Arch, Dim, Skips::some> filter;
    const TimedHit& after; ///< hits up to this one are not wanted
    TimedHit first{};

    FirstSearch(const GridView<Dim>& view, const Shape& way, const KernelFilter& kernel_filter,
                const TimedHit& begin) noexcept
        : grid(view), shape(way), filter(view, kernel_filter, 0), after(begin) {}

    /// Whether no hit from this time on can be the first. Times of hits are rounded, but the
    /// margins of the clip are wider than that.
    [[gnu::always_inline]] bool too_late(double time) const noexcept { return time > first.time; }

    void run(const CellBox<Dim>& cells) noexcept {
        const SegmentClip<Arch, Dim>& clip = shape.clip;
        // What the path passes before `after` is not looked at: the margins of the clip are wider
        // than the rounding of that time, too.
        Times<Arch> all = clip.all;
        if (after.time > all.first) { all.first = after.time; }
        if constexpr (Dim == 2) {
            search_plane(cells, 0, all);
        } else {
            for (PassedCells z = {cells.on[2], clip.way[2] >= 0.0}; z.left(); ++z.done) {
                const Times<Arch> times = clip.near(2, reach_of<Arch>(grid, 2, z.cell()), all);
                if (!(times.first <= times.last)) { continue; }
                if (too_late(times.first)) { return; }
                search_plane(cells, z.cell(), times);
            }
        }
    }

private:
    [[gnu::always_inline]] void search_plane(const CellBox<Dim>& cells, std::uint32_t z,
                                             const Times<Arch>& in_plane) noexcept {
        const SegmentClip<Arch, Dim>& clip = shape.clip;
        PassedCells y = {common<Arch>(cells.on[1], clip.cells(grid, 1, in_plane)),
                         clip.way[1] >= 0.0};
        for (; y.left(); ++y.done) {
            const std::uint32_t r = z * grid.cells[1] + y.cell();
            if (grid.rows[r].words == nullptr) {
                y.done += empty_rows_after(r, y.upward);
                continue;
            }
            const Times<Arch> times = clip.near(1, reach_of<Arch>(grid, 1, y.cell()), in_plane);
            if (!(times.first <= times.last)) { continue; }
            if (too_late(times.first)) { return; }
            search_row(grid.rows[r], cells.on[0], times);
        }
    }

    /// If the 64 rows that share a word with row r are all empty, the number of them that come
    /// after r.
    [[gnu::always_inline]] std::uint32_t empty_rows_after(std::uint32_t r,
                                                          bool upward) const noexcept {
        if (grid.occupied[0][r >> 6] != 0) { return 0; }
        return upward ? 63 - (r & 63) : r & 63;
    }

    [[gnu::always_inline]] void search_row(const Row& row, const CellRange& all,
                                           const Times<Arch>& times) noexcept {
        const SegmentClip<Arch, Dim>& clip = shape.clip;
        const CellRange cells = common<Arch>(all, clip.cells(grid, 0, times));
        for (PassedCells x = {cells, clip.way[0] >= 0.0}; x.left(); x.done += kPassedCells) {
            const std::uint32_t more = x.rest() < kPassedCells ? x.rest() : kPassedCells - 1;
            const CellRange few = x.upward ? CellRange{x.cell(), x.cell() + more}
                                           : CellRange{x.cell() - more, x.cell()};
            // A row with a single such range need not be tested again.
            if (cells.last - cells.first >= kPassedCells) {
                const Reach<Arch> range = {edges_of<Arch>(grid, 0, few.first).below,
                                           edges_of<Arch>(grid, 0, few.last).above};
                const Times<Arch> near = clip.near(0, range, times);
                if (!(near.first <= near.last)) { continue; }
                if (too_late(near.first)) { return; }
            }
            search_span(row, few);
        }
    }

    [[gnu::always_inline]] void search_span(const Row& row, const CellRange& cells) noexcept {
        const NodeArrays arrays = arrays_of<Arch>(grid, row);
        const Span span = span_of<Arch>(row, cells.first, cells.last);
        for (std::uint32_t i = span.begin; i < span.end; i += kLanes<Arch>) {
            std::uint32_t bits =
                first_lanes<Arch>(shape.hits(arrays, i) & filter.keep(arrays, i), span.end - i);
            if (bits == 0) { continue; }
            float times[kLanes<Arch>];
            shape.times(arrays, i).store_unaligned(times);
            const std::uint32_t* const ids =
                arrays.nodes + std::size_t{Fields<Dim>::kId} * arrays.capacity + i;
            for (; bits != 0; bits &= bits - 1) {
                const auto lane = static_cast<std::uint32_t>(__builtin_ctz(bits));
                const TimedHit hit = {times[lane], ids[lane]};
                if (!(hit.time > after.time || (hit.time == after.time && hit.id > after.id))) {
                    continue;
                }
                if (hit.time < first.time || (hit.time == first.time && hit.id < first.id)) {
                    first = hit;
                }
            }
        }
    }
};

} // namespace throng::simd
