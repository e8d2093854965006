// The rows that a search looks into, many at a time. For *.kernel.cpp files only.
#pragma once

#include "../shapes/row_places.hpp"
#include "../shapes/row_spans.hpp"
#include "occupied_rows.hpp"

namespace throng::simd {

/// Rows with nodes to test, and where these nodes are.
struct RowBatch {
    std::uint32_t count;
    std::uint32_t number[kRowsTogether];
    NodeArrays arrays[kRowsTogether];
    Span span[kRowsTogether];
    CellRange inside[kRowsTogether]; ///< cells that hold hits only; only set if kTellsOneByOne
};

/// Prefetches the nodes at both ends of a span. The processor prefetches the nodes between by
/// itself.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline void ask_for(const NodeArrays& row, const Span& span,
                                           bool with_ids) noexcept {
    // All fields of a few agents are mostly within two cache lines.
    if (row.capacity <= 8) {
        __builtin_prefetch(row.nodes);
        __builtin_prefetch(row.nodes + std::size_t{Fields<Dim>::kId} * row.capacity);
        return;
    }
    const auto ask = [&](std::uint32_t field) __attribute__((always_inline)) {
        const std::uint32_t* const nodes = row.nodes + std::size_t{field} * row.capacity;
        __builtin_prefetch(nodes + span.begin);
        __builtin_prefetch(nodes + span.end);
    };
    for (std::uint32_t a = 0; a < Dim; ++a) {
        ask(Fields<Dim>::kPosition + a);
    }
    if (with_ids) { ask(Fields<Dim>::kId); }
}

/// Prefetches the words of a table that say where the nodes of a cell begin.
template <class Arch>
[[gnu::always_inline]] inline void ask_for_table(const Row& row, std::uint32_t first) noexcept {
    __builtin_prefetch(is_full<Arch>(row) ? row.words + first : row.words);
}

/// kTells: whether a shape narrows the cells to search row by row. InLanes: whether it does so for
/// a vector of rows at a time.
template <class Told>
inline constexpr bool kTells = !std::is_same_v<Told, SameCells>;
template <class Told>
concept InLanes = Told::kInLanes;
/// Whether a shape narrows one row at a time, and also tells which cells hold hits only.
template <class Told>
inline constexpr bool kTellsOneByOne = kTells<Told> && !InLanes<Told>;

/// With at most this many cells of x, testing all nodes takes less time than finding out which
/// nodes can be left out.
inline constexpr std::uint32_t kFewCells = 16;

/// Finds the rows of these cells, in order.
///
/// Each step reads the tables of up to kRowsTogether rows, and prefetches their nodes: row by row,
/// a search would wait for both. `Told` is the class by which a shape narrows rows: shapes with the
/// same `Told` share the code.
template <class Arch, class Told, std::size_t Dim>
class RowFinder {
    static_assert(kRowsTogether % kLanes<Arch> == 0);

public:
    template <class Shape>
    [[gnu::always_inline]] RowFinder(const GridView<Dim>& grid, const Shape& shape,
                                     const CellBox<Dim>& cells, std::uint32_t from,
                                     bool with_ids) noexcept
        : grid_(grid), told_(grid, shape), cells_(cells), from_(from), with_ids_(with_ids),
          occupied_(grid, cells.on[0]), z_(Dim == 3 ? cells.on[Dim - 1].first : 0),
          past_z_(cells.on[0].first > cells.on[0].last ? z_
                  : Dim == 3                           ? cells.on[Dim - 1].last + 1
                                                       : 1) {}

    /// Whether there may be more rows.
    [[gnu::always_inline]] bool more() const noexcept { return r_ < past_ || z_ < past_z_; }

    /// Finds the next rows, at most `most`; none when there are no more.
    [[gnu::noinline]] void find(std::uint32_t most, RowBatch& batch) noexcept {
        batch.count = 0;
        while (batch.count == 0 && more()) {
            RowPlaces<Dim> at;
            const std::uint32_t count = list(most, at);
            const CellRange all = cells_.on[0];
            if constexpr (!kTells<Told>) {
                look_up(at, count, same_cells(all), batch);
            } else if constexpr (!InLanes<Told>) {
                look_up(at, count, told_one_by_one(at, count), batch);
            } else {
                if (all.last - all.first < kFewCells &&
                    look_up(at, count, same_cells(all), batch) < 2 * kLanes<Arch> * count) {
                    continue;
                }
                RowRanges x;
                told_.ranges(grid_, at, count, all, x);
                look_up(at, count, x, batch);
            }
        }
    }

private:
    /// Up to `most` rows that may have agents in the cells.
    [[gnu::always_inline]] std::uint32_t list(std::uint32_t most, RowPlaces<Dim>& at) noexcept {
        // Copies of members: unlike the members, they stay in registers.
        OccupiedRows<Arch, Dim> occupied = occupied_;
        std::uint32_t count = 0, r = r_;
        while (count < most) {
            r = r < past_ ? occupied.next(r, past_) : r;
            if (r >= past_) {
                r_ = r;
                const bool found = next_plane();
                r = r_;
                if (!found) { break; }
                continue;
            }
            at.number[count] = r;
            // For a path or a ball it is not known yet which part of a full table will be read.
            if (!InLanes<Told> || !is_full<Arch>(grid_.rows[r])) {
                ask_for_table<Arch>(grid_.rows[r], cells_.on[0].first);
            }
            if constexpr (kTells<Told>) {
                at.cell[0][count] = static_cast<float>(r - plane_);
                if constexpr (Dim == 3) { at.cell[1][count] = static_cast<float>(z_ - 1); }
            }
            if constexpr (requires { told_.put(count); }) { told_.put(count); }
            ++count;
            ++r;
        }
        r_ = r;
        occupied_ = occupied;
        return count;
    }

    /// Goes on to the next plane of rows that the shape reaches; false if there is none. A grid of
    /// two dimensions has one plane, number 0.
    [[gnu::always_inline]] bool next_plane() noexcept {
        while (z_ < past_z_) {
            if constexpr (Dim == 3) {
                z_ = plane_with_agents<Arch>(grid_, z_);
                if (z_ >= past_z_) { return false; }
            }
            const std::uint32_t z = z_++;
            CellRange rows = cells_.on[1];
            if constexpr (requires { told_.plane(grid_, z, rows); }) {
                if (Dim == 3 && !told_.plane(grid_, z, rows)) { continue; }
            }
            plane_ = z * grid_.cells[1];
            past_ = plane_ + rows.last + 1;
            r_ = plane_ + rows.first;
            r_ = r_ < from_ ? from_ : r_;
            if (r_ < past_) { return true; }
        }
        return false;
    }

    [[gnu::always_inline]] static RowRanges same_cells(const CellRange& all) noexcept {
        RowRanges x;
        for (std::uint32_t k = 0; k < kRowsTogether; ++k) {
            x.first[k] = all.first;
            x.last[k] = all.last;
        }
        return x;
    }
    [[gnu::always_inline]] RowRanges told_one_by_one(const RowPlaces<Dim>& at,
                                                     std::uint32_t count) const noexcept {
        RowRanges x;
        for (std::uint32_t k = 0; k < count; ++k) {
            std::uint32_t cell[Dim] = {};
            for (std::size_t a = 1; a < Dim; ++a) {
                cell[a] = static_cast<std::uint32_t>(at.cell[a - 1][k]);
            }
            CellRange outer = cells_.on[0];
            CellRange inside = CellRange::none();
            if (!told_.row(grid_, cell, outer, inside)) { outer = CellRange::none(); }
            x.inside[k] = inside;
            x.first[k] = outer.first;
            x.last[k] = outer.last;
        }
        return x;
    }

    /// Writes to `batch` where the nodes in these cells are, and returns their number. Leaves out
    /// rows that the shape does not reach.
    [[gnu::always_inline]] std::uint32_t look_up(const RowPlaces<Dim>& at, std::uint32_t count,
                                                 const RowRanges& x,
                                                 RowBatch& batch) const noexcept {
        const Row* const rows = grid_.rows;
        const bool with_ids = with_ids_;
        std::uint32_t found = 0, nodes = 0;
        for (std::uint32_t k = 0; k < count; ++k) {
            if (x.first[k] > x.last[k]) { continue; }
            const Row& row = rows[at.number[k]];
            const NodeArrays arrays = arrays_of<Arch>(grid_, row);
            const Span span = span_of<Arch>(row, x.first[k], x.last[k]);
            ask_for<Arch, Dim>(arrays, span, with_ids);
            batch.number[found] = at.number[k];
            batch.arrays[found] = arrays;
            batch.span[found] = span;
            if constexpr (kTellsOneByOne<Told>) { batch.inside[found] = x.inside[k]; }
            nodes += span.end - span.begin;
            ++found;
        }
        batch.count = found;
        return nodes;
    }

    const GridView<Dim>& grid_;
    [[no_unique_address]] Told told_;
    const CellBox<Dim>& cells_;
    const std::uint32_t from_; ///< rows before this one are left out
    const bool with_ids_;      ///< prefetch ids, too
    OccupiedRows<Arch, Dim> occupied_;
    std::uint32_t z_, past_z_;       ///< the planes to come
    std::uint32_t plane_ = 0;        ///< the first row of the current plane
    std::uint32_t r_ = 0, past_ = 0; ///< the rows to come in the current plane
};

} // namespace throng::simd
