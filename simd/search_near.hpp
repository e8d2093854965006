// The search of a few rows around one place, without a branch that could be guessed wrong. For
// *.kernel.cpp files only.
#pragma once

#include "node_filter.hpp"
#include "packet_cells.hpp"
#include "sinks.hpp"

namespace throng::simd {

/// Up to this many rows on an axis, and cells of a row, a search is near.
inline constexpr std::uint32_t kNearRows = 6;
inline constexpr std::uint32_t kNearCells = 32;

/// Longer spans are odd: their lanes do not fit a mask of 64 bits.
inline constexpr std::uint32_t kNearNodes = 63;

/// How many rows every query of a packet looks into: as many as the one that needs most, so that
/// the loop is as long for each and its end is guessed right. Rows beyond a query's own reach hold
/// no hits for it.
struct NearRows {
    std::uint32_t y, z;

    /// What a query may find in them, odd rows aside.
    [[nodiscard]] constexpr std::ptrdiff_t most_ids() const noexcept {
        return std::ptrdiff_t{kNearNodes} * y * z;
    }
};

/// The nodes of cells first ... past - 1 of one row, where the row is not full or its span not
/// short. Null if they do not fit.
template <bool filtered, class Arch, class Shape, std::size_t Dim>
[[gnu::noinline]] std::uint32_t*
search_odd_row(const GridView<Dim>& grid, const Row& row, const typename Shape::Block& queries,
               std::size_t q, std::uint32_t first, std::uint32_t past, const LeaveOut& leave_out,
               std::uint32_t* out, std::uint32_t* end) noexcept {
    if (row.words == nullptr || first == past) { return out; }
    const Span span = span_of<Arch>(row, first, past - 1);
    if (static_cast<std::uint64_t>(end - out) < span.end - span.begin) { return nullptr; }
    const NodeArrays arrays = arrays_of<Arch>(grid, row);
    const NodeFilter<Arch, Dim, filtered> filter(grid, leave_out);
    const Shape shape(grid, queries, q);
    for (std::uint32_t i = span.begin; i < span.end; i += kLanes<Arch>) {
        const std::uint32_t bits = shape.hits(arrays, i) & filter.keep(arrays, i);
        out = compress_store<Arch>(out, words_at<Arch>(arrays, Fields<Dim>::kId, i),
                                   first_lanes<Arch>(bits, span.end - i));
    }
    return out;
}

/// So many nodes of every row are tested without asking whether there are as many: a branch on the
/// number would be guessed wrong. For lanes as few as four that is two vectors.
template <class Arch>
inline constexpr std::uint32_t kStraightNodes = kLanes<Arch> >= 8 ? 16 : 2 * kLanes<Arch>;

/// Answers queries q ... q + count - 1, a packet: writes ids from `out` on, and to `offsets` how
/// far from `ids` each query's end. Returns how many it answered; the next one may not fit before
/// `end`, behind which there are kSlack more places. `out` then is where that one would begin.
///
/// A function of its own and copies of what it uses: what is written to `out` could otherwise be
/// part of the grid, for all the compiler knows, and nothing would stay in registers.
template <bool filtered, class Arch, class Shape, std::size_t Dim>
[[gnu::noinline]] std::size_t
search_near(const GridView<Dim>& grid, const typename Shape::Block& queries, std::size_t q,
            std::size_t count, const PacketCells<Arch, Dim>& cells, NearRows most,
            const LeaveOut& leave_out, const std::uint32_t* ids, std::uint32_t*& out,
            std::uint32_t* end, std::uint64_t* offsets) noexcept {
    const NodeFilter<Arch, Dim, filtered> filter(grid, leave_out);
    const Row* const rows = grid.rows;
    const std::size_t rows_y = grid.cells[1];
    const std::size_t full_table = grid.full_table;
    std::uint32_t first_row[kLanes<Arch>];
    cells.first_rows(grid, most.y, most.z).store_unaligned(first_row);
    std::uint32_t* next = out;
    for (std::size_t lane = 0; lane < count; ++lane) {
        if (end - next < most.most_ids()) { return lane; }
        const Shape shape(grid, queries, q + lane);
        const std::size_t first = cells.first[lane];
        const std::size_t past = cells.past[lane];
        const Row* plane = rows + first_row[lane];
        for (std::uint32_t planes = Dim == 2 ? 1 : most.z; planes > 0; --planes, plane += rows_y) {
            const Row* const last_row = plane + most.y;
            for (const Row* row = plane; row != last_row; ++row) {
                const std::uint32_t* const words = row->words;
                const std::uint32_t capacity = row->capacity_and_form;
                std::uint32_t begin = 0;
                std::uint32_t nodes = ~0u;
                if (static_cast<std::int32_t>(capacity) >= 0) [[likely]] {
                    begin = words[first];
                    nodes = words[past] - begin;
                }
                if (nodes > kNearNodes) [[unlikely]] {
                    next = search_odd_row<filtered, Arch, Shape, Dim>(
                        grid, *row, queries, q + lane, static_cast<std::uint32_t>(first),
                        static_cast<std::uint32_t>(past), leave_out, next, end);
                    if (next == nullptr || end - next < most.most_ids()) { return lane; }
                    continue;
                }
                const NodeArrays arrays = {words + full_table, capacity};
                const std::uint64_t lanes = (std::uint64_t{1} << nodes) - 1;
                constexpr std::uint32_t kAll = (1u << kLanes<Arch>)-1;
                const auto test = [&](std::uint32_t i) {
                    const std::uint32_t bits = static_cast<std::uint32_t>(lanes >> i) & kAll &
                                               shape.hits(arrays, begin + i) &
                                               filter.keep(arrays, begin + i);
                    next = compress_store<Arch>(
                        next, words_at<Arch>(arrays, Fields<Dim>::kId, begin + i), bits);
                };
                for (std::uint32_t i = 0; i < kStraightNodes<Arch>; i += kLanes<Arch>) {
                    test(i);
                }
                for (std::uint32_t i = kStraightNodes<Arch>; i < nodes; i += kLanes<Arch>) {
                    test(i);
                }
            }
        }
        out = next;
        offsets[lane] = static_cast<std::uint64_t>(next - ids);
    }
    return count;
}

} // namespace throng::simd
