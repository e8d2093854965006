// The search along a path for the agents that it hits first. For *.kernel.cpp files only.
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

/// What is done with a hit that is wanted: take(hit) returns the one that others must come before.
/// kOnce: no hit may come twice.
struct FirstFound {
    static constexpr bool kOnce = false;
    [[gnu::always_inline]] static TimedHit take(const TimedHit& hit) noexcept { return hit; }
    [[gnu::always_inline]] static TimedHit bound() noexcept { return {}; }
};
struct FirstOfPage {
    static constexpr bool kOnce = true;
    HitPage& page;
    [[gnu::always_inline]] TimedHit take(const TimedHit& hit) const noexcept {
        page.add(hit);
        return page.bound();
    }
    [[gnu::always_inline]] TimedHit bound() const noexcept { return page.bound(); }
};

template <class Arch, class Shape, std::size_t Dim, class Wanted>
struct FirstSearch {
    const GridView<Dim>& grid;
    const Shape& shape;
    const NodeFilter<Arch, Dim, Skips::some> filter;
    const TimedHit& after; ///< hits up to this one are not wanted
    const Wanted wanted;
    TimedHit first; ///< nor are those from this one on

    FirstSearch(const GridView<Dim>& view, const Shape& way, const KernelFilter& kernel_filter,
                const TimedHit& begin, const Wanted& what) noexcept
        : grid(view), shape(way), filter(view, kernel_filter, 0), after(begin), wanted(what),
          first(what.bound()) {}

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
        Span rest = {0, row.count}; // not looked at yet: an entry of a table may have several cells
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
            const Span seen = search_span(row, few, rest);
            if constexpr (!Wanted::kOnce) { continue; }
            if (x.upward) {
                rest.begin = seen.end;
            } else {
                rest.end = seen.begin;
            }
        }
    }

    /// Looks at the agents in these cells that are among the rest; returns where they are.
    [[gnu::always_inline]] Span search_span(const Row& row, const CellRange& cells,
                                            const Span& rest) noexcept {
        const NodeArrays arrays = arrays_of<Arch>(grid, row);
        Span span = span_of<Arch>(row, cells.first, cells.last);
        if constexpr (Wanted::kOnce) {
            if (span.begin < rest.begin) { span.begin = rest.begin; }
            if (span.end > rest.end) { span.end = rest.end; }
        }
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
                if (comes_before(after, hit) && comes_before(hit, first)) {
                    first = wanted.take(hit);
                }
            }
        }
        return span;
    }
};

} // namespace throng::simd
