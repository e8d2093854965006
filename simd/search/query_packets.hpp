// The answers of a block of queries, a packet at a time. For *.kernel.cpp files only.
#pragma once

#include "../views/query_one.hpp"
#include "search_near.hpp"
#include "search_together.hpp"

namespace throng::simd {

/// What query q leaves out, as a filter of its own.
template <class Arch>
[[gnu::always_inline]] inline KernelFilter filter_of_query(const KernelFilter& kernel_filter,
                                                           std::size_t q) noexcept {
    KernelFilter alone = {kernel_filter.groups, kernel_filter.without,
                          kernel_filter.row_of_without};
    if (kernel_filter.each != nullptr) { alone.without = kernel_filter.each[q]; }
    if (kernel_filter.groups_of_each != nullptr) { alone.groups = kernel_filter.groups_of_each[q]; }
    if (kernel_filter.rows_of_each != nullptr) {
        alone.row_of_without = kernel_filter.rows_of_each[q];
    }
    return alone;
}

/// Where the search of query q begins, if it finds later agents only.
[[nodiscard]] inline QueryCursor cursor_of_query(const KernelFilter& kernel_filter,
                                                 std::size_t q) noexcept {
    QueryCursor cursor;
    cursor.row = kernel_filter.begin.row;
    cursor.slot = kernel_filter.begin.slot + static_cast<std::uint32_t>(q);
    return cursor;
}

/// Answers a single query that is too large for a near search. False if its hits do not fit.
template <class Arch, class Block>
[[gnu::always_inline]] inline bool
query_alone(const GridView<Block::kDim>& grid, const Block& queries, std::size_t q,
            const KernelFilter& kernel_filter, bool later_only, NearIds<Arch>& output) noexcept {
    QueryCursor cursor;
    if (later_only) { cursor = cursor_of_query(kernel_filter, q); }
    cursor.out = output.next;
    cursor.end = output.end;
    const bool done = query_one_of<Form::ids>(Arch{}, grid, queries, q,
                                              filter_of_query<Arch>(kernel_filter, q), cursor);
    if (done) { output.next = cursor.out; }
    return done;
}
template <class Arch, class Block>
[[gnu::always_inline]] inline bool
query_alone(const GridView<Block::kDim>& grid, const Block& queries, std::size_t q,
            const KernelFilter& kernel_filter, bool later_only, NearCounts<Arch>& output) noexcept {
    QueryCursor cursor;
    if (later_only) { cursor = cursor_of_query(kernel_filter, q); }
    const KernelFilter filter = filter_of_query<Arch>(kernel_filter, q);
    if (output.first_only) {
        query_one_of<Form::any>(Arch{}, grid, queries, q, filter, cursor);
    } else {
        query_one_of<Form::count>(Arch{}, grid, queries, q, filter, cursor);
    }
    output.hits = static_cast<std::uint32_t>(cursor.hits);
    return true;
}

/// Whether a query of these cells should skip rows by the grid's tiles: it should if most rows of
/// the cells (in space, of their middle plane) have no agent there. If the cells have few rows, a
/// look at all of these is faster.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline bool is_mostly_empty(const GridView<Dim>& grid,
                                                   const CellBox<Dim>& cells) noexcept {
    constexpr std::uint32_t kFewRows = 8;
    if (grid.tiles == nullptr) { return false; }
    const CellRange x = cells.on[0], y = cells.on[1], z = cells.on[Dim - 1];
    if (x.first > x.last || y.first > y.last || z.first > z.last) { return false; }
    const std::uint32_t rows = y.last - y.first + 1;
    if (rows * (Dim == 3 ? z.last - z.first + 1 : 1) <= kFewRows) { return false; }
    const std::uint32_t plane = Dim == 3 ? (z.first + z.last) / 2 * grid.cells[1] : 0;
    std::uint32_t left = 0;
    for (std::uint32_t r = plane + y.first; r <= plane + y.last; ++r) {
        const std::uint64_t* const words = grid.tiles + std::size_t{r >> 6} * grid.columns;
        const std::uint64_t some =
            words[x.first >> grid.column_shift] | words[x.last >> grid.column_shift];
        left += static_cast<std::uint32_t>(some >> (r & 63) & 1);
    }
    return 2 * left < rows;
}

/// The searches of a packet. They depend on the agents' fields and on the filter; the code around
/// them does not, and exists once for each kind of block.
template <class Arch, class Block, class Output>
struct PacketSearches {
    static constexpr std::size_t kDim = Block::kDim;
    using Near = std::size_t (*)(const GridView<kDim>&, const Block&, std::size_t, std::size_t,
                                 const PacketCells<Arch, kDim>&, NearRows, const KernelFilter&,
                                 Output&) noexcept;
    using Together = std::size_t (*)(const GridView<kDim>&, const Block&, std::size_t,
                                     const PacketWindow<kDim>&, const KernelFilter&, bool,
                                     Output&) noexcept;
    Near near;
    Together together; ///< null: these queries are never searched together
    bool later_only;   ///< whether they were compiled for Skips::earlier
};

/// Whether the queries of a packet may be searched for together. With four lanes, lists took 0.85
/// to 1.2 times as long as with a search for each query.
template <class Arch, class Shape, class Output>
[[nodiscard]] constexpr bool goes_together(Skips skips) noexcept {
    return Output::kCountsOnly ? 1 < kLanes<Arch> && skips != Skips::earlier
                               : 8 <= kLanes<Arch> && Shape::kListsTogether;
}

/// Answers queries 0 ... count - 1 of a block with these searches, and returns how many it
/// answered: fewer if the hits of the next query might not fit. `Shape` tells which cells each
/// query searches.
template <class Arch, class Shape, class Output, std::size_t Dim>
[[gnu::noinline]] std::size_t
search_packets(const GridView<Dim>& grid, const typename Shape::Block& queries, std::size_t count,
               const KernelFilter& kernel_filter,
               const PacketSearches<Arch, typename Shape::Block, Output>& searches,
               Output& output) noexcept {
    constexpr bool kGoesTogether = goes_together<Arch, Shape, Output>(Skips::some);
    const bool one_each = kernel_filter.each != nullptr || searches.later_only;
    bool may_go_together = kGoesTogether && searches.together != nullptr &&
                           kernel_filter.groups_of_each == nullptr && count >= kTogether<Arch> &&
                           !output.goes_apart();
    for (std::size_t q = 0; q < count;) {
        if constexpr (kGoesTogether) {
            if (may_go_together && count - q >= kTogether<Arch>) {
                const auto window = TogetherWindow<Arch, Dim>::template of<Shape>(grid, queries, q);
                const bool pays = Output::kCountsOnly ? window.pays_for_counts(grid)
                                                      : window.pays_for_lists(grid, one_each);
                output.went(pays);
                if (pays) {
                    const std::size_t answered = searches.together(
                        grid, queries, q, window.all(), kernel_filter, searches.later_only, output);
                    q += answered;
                    if (answered == kTogether<Arch>) { continue; }
                } else {
                    may_go_together = Output::kCountsOnly;
                }
            }
        }
        const std::size_t packet = count - q < kLanes<Arch> ? count - q : kLanes<Arch>;
        const auto cells = PacketCells<Arch, Dim>::template of<Shape>(grid, queries, q, packet);
        const NearRows most = {cells.most_rows(1, packet),
                               Dim == 3 ? cells.most_rows(Dim - 1, packet) : 1};
        std::size_t answered = 0;
        if (most.y <= kNearRows && most.z <= kNearRows && cells.most_cells(packet) <= kNearCells &&
            !is_mostly_empty<Arch>(grid, cells.box(0))) {
            answered = searches.near(grid, queries, q, packet, cells, most, kernel_filter, output);
        } else {
            while (answered < packet &&
                   query_alone<Arch>(grid, queries, q + answered, kernel_filter,
                                     searches.later_only, output)) {
                output.finish_query();
                ++answered;
            }
        }
        q += answered;
        if (answered < packet) { return q; }
    }
    return count;
}

/// The same, with the searches for `skips`.
template <Skips skips, class Arch, class Shape, class Output, std::size_t Dim>
[[gnu::always_inline]] inline std::size_t
query_packets(const GridView<Dim>& grid, const typename Shape::Block& queries, std::size_t count,
              const KernelFilter& kernel_filter, Output& output) noexcept {
    PacketSearches<Arch, typename Shape::Block, Output> searches = {
        &search_near<skips, Arch, Shape, Output, Dim>, nullptr, skips == Skips::earlier};
    if constexpr (goes_together<Arch, Shape, Output>(skips)) {
        // Later agents are recognised by their places in the list, so the list must have every
        // agent, whatever its groups.
        if (skips != Skips::earlier || kernel_filter.groups == ~0u) {
            // A search that lists ids reads them in any case, so one search serves all filters.
            constexpr Skips kTells = Output::kCountsOnly ? skips : Skips::some;
            searches.together = &answer_together<kTells, Arch, Shape, Dim>;
        }
    }
    return search_packets<Arch, typename Shape::AnyExtents>(grid, queries, count, kernel_filter,
                                                            searches, output);
}

} // namespace throng::simd
