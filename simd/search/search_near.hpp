// The search of a few rows around one place, with as few branches as possible that the processor
// could mispredict. For *.kernel.cpp files only.
#pragma once

#include "../shapes/node_filter.hpp"
#include "../shapes/packet_cells.hpp"
#include "packet_outputs.hpp"

namespace throng::simd {

/// A search is near if it has at most kNearRows rows on each axis and kNearCells cells in each row.
inline constexpr std::uint32_t kNearRows = 6;
inline constexpr std::uint32_t kNearCells = 32;

/// Rows with longer spans are odd: their nodes do not fit a mask of 64 bits.
inline constexpr std::uint32_t kNearNodes = 63;

/// The most rows that a query of a packet looks into, on each axis.
struct NearRows {
    std::uint32_t y, z;

    /// The most hits that a query may have in these rows, not counting odd rows.
    [[nodiscard]] constexpr std::ptrdiff_t most_ids() const noexcept {
        return std::ptrdiff_t{kNearNodes} * y * z;
    }
};

/// Searches the nodes of cells first ... past - 1 of an odd row: it has no full table, or its span
/// is long. False if the hits might not fit.
template <Skips skips, class Arch, class Shape, class Output, std::size_t Dim>
[[gnu::noinline]] bool search_odd_row(const GridView<Dim>& grid, const Row& row,
                                      const typename Shape::Block& queries, std::size_t q,
                                      std::uint32_t first, std::uint32_t past,
                                      const KernelFilter& kernel_filter, Output& output) noexcept {
    if (row.words == nullptr || first == past) { return true; }
    Span span = span_of<Arch>(row, first, past - 1);
    if (skips == Skips::earlier && &row == grid.rows + kernel_filter.begin.row) {
        span.begin = kernel_filter.begin.slot + static_cast<std::uint32_t>(q);
    }
    if (!output.has_room_for(span.end - span.begin)) { return false; }
    const NodeArrays arrays = arrays_of<Arch>(grid, row);
    const NodeFilter<Arch, Dim, skips> filter(grid, kernel_filter, q);
    const Shape shape(grid, queries, q);
    for (std::uint32_t i = span.begin; i < span.end; i += kLanes<Arch>) {
        const std::uint32_t bits = shape.hits(arrays, i) & filter.keep(arrays, i);
        output.take(arrays, Fields<Dim>::kId, i, first_lanes<Arch>(bits, span.end - i));
    }
    return true;
}

/// This many nodes of every row are tested, even if there are fewer: a branch on the number would
/// be mispredicted. With four lanes these are two vectors. With one lane no nodes are tested in
/// this way, since compilers can vectorise a plain loop.
template <class Arch>
inline constexpr std::uint32_t kStraightNodes = kLanes<Arch> >= 8   ? 16
                                                : kLanes<Arch> == 1 ? 0
                                                                    : 2 * kLanes<Arch>;

/// Answers queries q ... q + count - 1, a packet. Returns how many it answered: fewer than `count`
/// if the hits of the next query might not fit.
///
/// Not inlined, and works on copies: otherwise the compiler would assume that what is written could
/// be part of the grid or of the output, and would keep nothing in registers.
template <Skips skips, class Arch, class Shape, class Output, std::size_t Dim>
[[gnu::noinline]] std::size_t
search_near(const GridView<Dim>& grid, const typename Shape::Block& queries, std::size_t q,
            std::size_t count, const PacketCells<Arch, Dim>& cells, NearRows most,
            const KernelFilter& kernel_filter, Output& result) noexcept {
    const Row* const rows = grid.rows;
    const std::size_t rows_y = grid.cells[1];
    const std::size_t full_table = grid.full_table;
    std::uint32_t first_row[kLanes<Arch>], rows_of_plane[kLanes<Arch>], planes_of[kLanes<Arch>];
    cells.first_rows(grid).store_unaligned(first_row);
    cells.rows(1).store_unaligned(rows_of_plane);
    if constexpr (Dim == 3) { cells.rows(2).store_unaligned(planes_of); }
    Output output = result;
    std::size_t lane = 0;
    for (; lane < count; ++lane) {
        if (!output.has_room_for(most.most_ids())) { break; }
        const NodeFilter<Arch, Dim, skips> filter(grid, kernel_filter, q + lane);
        const Shape shape(grid, queries, q + lane);
        output.begin_query(shape);
        const std::size_t first = cells.first[lane];
        const std::size_t past = cells.past[lane];
        const std::uint32_t wide = rows_of_plane[lane];
        std::uint32_t deep = Dim == 2 ? 1 : planes_of[lane];
        const Row* plane = rows + first_row[lane];
        const Row* from = plane;
        [[maybe_unused]] const auto first_slot =
            static_cast<std::uint32_t>(kernel_filter.begin.slot + q + lane);
        if constexpr (skips == Skips::earlier) {
            // All queries' own agents are in one row, and each query begins its search there.
            from = rows + kernel_filter.begin.row;
            for (; Dim == 3 && plane + rows_y <= from; plane += rows_y) {
                --deep;
            }
        }
        // False if the hits of the row might not fit.
        const auto search_row = [&](const Row* row) __attribute__((always_inline)) {
            const std::uint32_t* const words = row->words;
            const std::uint32_t capacity = row->capacity_and_form;
            std::uint32_t begin = 0;
            std::uint32_t nodes = ~0u;
            if (static_cast<std::int32_t>(capacity) >= 0) [[likely]] {
                begin = words[first];
                if constexpr (skips == Skips::earlier) {
                    begin = row == rows + kernel_filter.begin.row ? first_slot : begin;
                }
                nodes = words[past] - begin;
            }
            if (nodes > kNearNodes) [[unlikely]] {
                // Passes a copy: an object whose address another function has is never held in
                // registers. For the same reason the shape is not passed.
                Output odd = output;
                const bool fits =
                    search_odd_row<skips, Arch, Shape>(
                        grid, *row, queries, q + lane, static_cast<std::uint32_t>(first),
                        static_cast<std::uint32_t>(past), kernel_filter, odd) &&
                    odd.has_room_for(most.most_ids());
                output = odd;
                return fits;
            }
            const NodeArrays arrays = {words + full_table, capacity};
            const std::uint64_t lanes = (std::uint64_t{1} << nodes) - 1;
            constexpr std::uint32_t kAll = (1u << kLanes<Arch>)-1;
            const auto test = [&](std::uint32_t i) __attribute__((always_inline)) {
                const std::uint32_t there =
                    kLanes<Arch> == 1 ? 1u : static_cast<std::uint32_t>(lanes >> i) & kAll;
                const std::uint32_t bits =
                    there & shape.hits(arrays, begin + i) & filter.keep(arrays, begin + i);
                output.take(arrays, Fields<Dim>::kId, begin + i, bits);
            };
            for (std::uint32_t i = 0; i < kStraightNodes<Arch>; i += kLanes<Arch>) {
                test(i);
            }
            for (std::uint32_t i = kStraightNodes<Arch>; i < nodes; i += kLanes<Arch>) {
                test(i);
            }
            return true;
        };
        if constexpr (Output::kCountsOnly) {
            // A query that finds many agents nearly always finds some of them in the middle row.
            if (output.first_only && wide * deep > 2) {
                (void)search_row(plane + wide / 2 + (deep / 2) * rows_y);
                if (output.hits != 0) {
                    output.finish_query();
                    continue;
                }
            }
        }
        bool fits = true;
        for (std::uint32_t planes = deep; planes > 0; --planes) {
            const Row* const last_row = plane + wide;
            for (const Row* row = from; row != last_row; ++row) {
                fits = search_row(row);
                if (!fits) { break; }
            }
            if (!fits) { break; }
            plane += rows_y;
            from = plane;
        }
        if (!fits) { break; }
        output.finish_query();
    }
    result = output;
    return lane;
}

} // namespace throng::simd
