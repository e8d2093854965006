// The answers of a block of queries, a packet at a time. For *.kernel.cpp files only.
#pragma once

#include "../views/query_one.hpp"
#include "count_packet.hpp"
#include "search_near.hpp"

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

/// Answers a query that is too large for a near search on its own. False if its hits do not fit.
template <class Arch, class Block>
[[gnu::always_inline]] inline bool
query_alone(const GridView<Block::kDim>& grid, const Block& queries, std::size_t q,
            const CellBox<Block::kDim>& cells, const KernelFilter& kernel_filter,
            NearIds<Arch>& output) noexcept {
    QueryCursor cursor;
    cursor.out = output.next;
    cursor.end = output.end;
    const bool done = query_cells_on<Form::ids>(Arch{}, grid, queries, q, cells,
                                                filter_of_query<Arch>(kernel_filter, q), cursor);
    if (done) { output.next = cursor.out; }
    return done;
}
template <class Arch, class Block>
[[gnu::always_inline]] inline bool
query_alone(const GridView<Block::kDim>& grid, const Block& queries, std::size_t q,
            const CellBox<Block::kDim>& cells, const KernelFilter& kernel_filter,
            NearCounts<Arch>& output) noexcept {
    QueryCursor cursor;
    const KernelFilter filter = filter_of_query<Arch>(kernel_filter, q);
    if (output.first_only) {
        query_cells_on<Form::any>(Arch{}, grid, queries, q, cells, filter, cursor);
    } else {
        query_cells_on<Form::count>(Arch{}, grid, queries, q, cells, filter, cursor);
    }
    output.hits = static_cast<std::uint32_t>(cursor.hits);
    return true;
}

/// Answers queries 0 ... count - 1 of a block. Returns how many it answered; the next may not fit.
template <Skips skips, class Arch, class Shape, class Output, std::size_t Dim>
std::size_t query_packets(const GridView<Dim>& grid, const typename Shape::Block& queries,
                          std::size_t count, const KernelFilter& kernel_filter,
                          Output& output) noexcept {
    for (std::size_t q = 0; q < count;) {
        if constexpr (Output::kCountsOnly && 1 < kLanes<Arch>) {
            if (count - q >= kTogether<Arch> && kernel_filter.groups_of_each == nullptr) {
                const auto window = CountWindow<Arch, Dim>::template of<Shape>(grid, queries, q);
                if (window.pays(grid)) {
                    count_packet<skips, Arch, Shape>(grid, queries, q, window.all(), kernel_filter,
                                                     output.first_only, output.counts);
                    output.counts += kTogether<Arch>;
                    q += kTogether<Arch>;
                    continue;
                }
            }
        }
        const std::size_t packet = count - q < kLanes<Arch> ? count - q : kLanes<Arch>;
        const auto cells = PacketCells<Arch, Dim>::template of<Shape>(grid, queries, q);
        const NearRows most = {cells.most_rows(1, packet),
                               Dim == 3 ? cells.most_rows(Dim - 1, packet) : 1};
        std::size_t answered = 0;
        if (most.y <= kNearRows && most.z <= kNearRows && cells.most_cells(packet) <= kNearCells) {
            answered = search_near<skips, Arch, Shape>(grid, queries, q, packet, cells, most,
                                                       kernel_filter, output);
        } else {
            while (answered < packet &&
                   query_alone<Arch>(grid, queries, q + answered, cells.box(answered),
                                     kernel_filter, output)) {
                output.finish_query();
                ++answered;
            }
        }
        q += answered;
        if (answered < packet) { return q; }
    }
    return count;
}

} // namespace throng::simd
