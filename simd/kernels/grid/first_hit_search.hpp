// The search along a path for the agents that it hits first. For *.kernel.cpp files only.
#pragma once

#include "../../isa/packed_lanes.hpp"
#include "../../search/row_finder.hpp"
#include "../../shapes/node_filter.hpp"
#include "../../shapes/row_spans.hpp"
#include "../../shapes/segment_clip.hpp"
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

/// What is wanted: the first hit, or a page of hits. With kOnce every hit before bound() is taken,
/// so the search must not find a hit twice; take(hit) returns the new bound.
struct FirstFound {
    static constexpr bool kOnce = false;
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

/// A row is searched this many cells at a time: once a hit is found, agents further on may not need
/// a look.
inline constexpr std::uint32_t kPassedCells = 16;

/// This many rows are looked up together; as a rule one of them has the first hit.
inline constexpr std::uint32_t kFirstRows = 4;

/// Rows with agents in the order in which a path passes them.
template <class Arch, std::size_t Dim>
class PassedRows {
public:
    /// For the part of the path within `clip.all`, which lies in these cells.
    [[gnu::always_inline]] PassedRows(const GridView<Dim>& grid, const SegmentClip<Arch, Dim>& clip,
                                      const CellBox<Dim>& cells) noexcept
        : row_cells(clip), grid_(grid),
          cells_(cells), z_{cells.on[Dim - 1], clip.way[Dim - 1] >= 0.0},
          y_{Dim == 2 ? cells.on[1] : CellRange::none(), clip.way[1] >= 0.0} {}

    SegmentRows<Arch, Dim> row_cells; ///< tells the cells to search in the rows listed last

    /// Lists up to kFirstRows rows. Returns how many: 0 when no rows are left, or when the path
    /// passes all rows left later than `time`.
    [[gnu::always_inline]] std::uint32_t list(float time, RowPlaces<Dim>& at) noexcept {
        std::uint32_t count = 0;
        while (count < kFirstRows) {
            if (!y_.left()) {
                if (Dim == 2 || !next_plane(time)) { break; }
                continue;
            }
            const std::uint32_t r = first_row_ + y_.cell();
            if (grid_.rows[r].words == nullptr) {
                y_.done += 1 + empty_rows_after(r);
                continue;
            }
            at.number[count] = r;
            at.cell[0][count] = static_cast<float>(y_.cell());
            row_cells.put(count);
            ++count;
            ++y_.done;
        }
        return count;
    }

    /// Drops the other rows of this row's plane: the path passes them later still.
    [[gnu::always_inline]] void leave_plane_of(std::uint32_t row) noexcept {
        if (row - first_row_ < grid_.cells[1]) { y_.range = CellRange::none(); }
    }

private:
    static_assert(kFirstRows <= kRowsTogether);

    [[gnu::always_inline]] bool next_plane(float time) noexcept {
        for (; z_.left(); ++z_.done) {
            CellRange rows = cells_.on[1];
            if (!row_cells.plane(grid_, z_.cell(), rows)) { continue; }
            if (row_cells.in_plane.first > time) { return false; }
            first_row_ = z_.cell() * grid_.cells[1];
            y_.range = rows;
            y_.done = 0;
            ++z_.done;
            return true;
        }
        return false;
    }

    /// If the 64 rows that share a word with row r are all empty, the number of them that the path
    /// passes after r; otherwise 0.
    [[gnu::always_inline]] std::uint32_t empty_rows_after(std::uint32_t r) const noexcept {
        if (grid_.occupied[0][r >> 6] != 0) { return 0; }
        return y_.upward ? 63 - (r & 63) : r & 63;
    }

    const GridView<Dim>& grid_;
    const CellBox<Dim>& cells_;
    PassedCells z_;               ///< planes to come
    PassedCells y_;               ///< rows to come in the current plane
    std::uint32_t first_row_ = 0; ///< the first row of the current plane
};

template <class Arch, class Shape, std::size_t Dim, class Wanted>
struct FirstSearch {
    const GridView<Dim>& grid;
    const Shape& shape;
    const NodeFilter<Arch, Dim, Skips::told> filter;
    const TimedHit after; ///< hits up to this one are not wanted
    const Wanted wanted;
    TimedHit first; ///< hits from this one on are not wanted either

    FirstSearch(const GridView<Dim>& view, const Shape& way, const KernelFilter& kernel_filter,
                const TimedHit& begin, const Wanted& what) noexcept
        : grid(view), shape(way), filter(view, kernel_filter, 0), after(in_order(begin)),
          wanted(what), first(what.bound()) {}

    /// Whether no hit after this time is wanted. Times of hits are rounded, but the margins of the
    /// clip are wider than the rounding errors of times.
    [[gnu::always_inline]] bool too_late(double time) const noexcept { return time > first.time; }

    void run() noexcept {
        SegmentClip<Arch, Dim> clip = shape.clip;
        // Skips the path before `after`: the margins of the clip are wider than the rounding of
        // that time, too.
        if (after.time > clip.all.first) { clip.all.first = after.time; }
        const CellBox<Dim> cells = clip.cells(grid);
        PassedRows<Arch, Dim> rows(grid, clip, cells);
        RowPlaces<Dim> at;
        for (;;) {
            const std::uint32_t count = rows.list(first.time, at);
            if (count == 0) { return; }
            RowRanges x;
            rows.row_cells.ranges(grid, at, count, cells.on[0], x);
            NodeArrays arrays[kFirstRows];
            Span spans[kFirstRows];
            for (std::uint32_t k = 0; k < count; ++k) {
                spans[k] = {0, 0};
                if (x.first[k] > x.last[k]) { continue; }
                const Row& row = grid.rows[at.number[k]];
                arrays[k] = arrays_of<Arch>(grid, row);
                spans[k] = span_of<Arch>(row, x.first[k], x.last[k]);
                ask_for<Arch, Dim>(arrays[k], spans[k], true);
            }
            for (std::uint32_t k = 0; k < count; ++k) {
                if (spans[k].begin == spans[k].end) { continue; }
                if (too_late(x.enters[k])) {
                    if (Dim == 2) { return; }
                    rows.leave_plane_of(at.number[k]);
                    continue;
                }
                if (x.last[k] - x.first[k] < kPassedCells) {
                    search_span(arrays[k], spans[k]);
                } else {
                    search_row(grid.rows[at.number[k]], {x.first[k], x.last[k]}, x.enters[k]);
                }
            }
        }
    }

private:
    /// A caller's hit as order_of() needs it: a zero loses its sign, and NaN becomes the infinite
    /// time, after which no hit comes.
    [[gnu::always_inline]] static TimedHit in_order(const TimedHit& hit) noexcept {
        return {hit.time == hit.time ? hit.time + 0.0f : TimedHit{}.time, hit.id};
    }

    /// Searches a row piece by piece, in the order in which the path passes the pieces.
    [[gnu::noinline]] void search_row(const Row& row, const CellRange& cells,
                                      float enters) noexcept {
        const SegmentClip<Arch, Dim>& clip = shape.clip;
        const NodeArrays arrays = arrays_of<Arch>(grid, row);
        Span rest = {0, row.count}; // not tested yet: two pieces may share an entry of the table
        for (PassedCells x = {cells, clip.way[0] >= 0.0}; x.left(); x.done += kPassedCells) {
            const std::uint32_t more = x.rest() < kPassedCells ? x.rest() : kPassedCells - 1;
            const CellRange few = x.upward ? CellRange{x.cell(), x.cell() + more}
                                           : CellRange{x.cell() - more, x.cell()};
            const Reach<Arch> range = {edges_of<Arch>(grid, 0, few.first).below,
                                       edges_of<Arch>(grid, 0, few.last).above};
            const Times<Arch> near = clip.near(0, range, {enters, clip.all.last});
            if (!(near.first <= near.last)) { continue; }
            if (too_late(near.first)) { return; }
            Span span = span_of<Arch>(row, few.first, few.last);
            if constexpr (Wanted::kOnce) {
                if (span.begin < rest.begin) { span.begin = rest.begin; }
                if (span.end > rest.end) { span.end = rest.end; }
            }
            search_span(arrays, span);
            if constexpr (!Wanted::kOnce) { continue; }
            if (x.upward) {
                rest.begin = span.end;
            } else {
                rest.end = span.begin;
            }
        }
    }

    [[gnu::always_inline]] void search_span(const NodeArrays& arrays, const Span& span) noexcept {
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
                if constexpr (Wanted::kOnce) {
                    if (comes_before(after, hit) && comes_before(hit, first)) {
                        first = wanted.take(hit);
                    }
                } else {
                    // Without a branch, which would be mispredicted.
                    const bool better = comes_before(after, hit) & comes_before(hit, first);
                    first.time = better ? hit.time : first.time;
                    first.id = better ? hit.id : first.id;
                }
            }
        }
    }
};

} // namespace throng::simd
