// The answers of a block of queries, a packet at a time. For *.kernel.cpp files only.
#pragma once

#include "../views/query_one.hpp"
#include "count_packet.hpp"
#include "search_near.hpp"

namespace throng::simd {

/// What query q leaves out, as a filter of its own.
template <class Arch>
[[gnu::always_inline]] inline KernelFilter left_out_by(const KernelFilter& leave_out,
                                                       std::size_t q) noexcept {
    KernelFilter alone = {leave_out.groups, leave_out.without, leave_out.row_of_without};
    if (leave_out.each != nullptr) { alone.without = leave_out.each[q]; }
    if (leave_out.groups_of_each != nullptr) { alone.groups = leave_out.groups_of_each[q]; }
    if (leave_out.rows_of_each != nullptr) { alone.row_of_without = leave_out.rows_of_each[q]; }
    return alone;
}

/// Answers a query that is too large for a near search on its own. False if its hits do not fit.
template <class Arch, class Block>
[[gnu::always_inline]] inline bool
query_alone(const GridView<Block::kDim>& grid, const Block& queries, std::size_t q,
            const CellBox<Block::kDim>& cells, const KernelFilter& leave_out,
            NearIds<Arch>& output) noexcept {
    QueryCursor cursor;
    cursor.out = output.next;
    cursor.end = output.end;
    const bool done = query_cells_on<Form::ids>(Arch{}, grid, queries, q, cells,
                                                left_out_by<Arch>(leave_out, q), cursor);
    if (done) { output.next = cursor.out; }
    return done;
}
template <class Arch, class Block>
[[gnu::always_inline]] inline bool
query_alone(const GridView<Block::kDim>& grid, const Block& queries, std::size_t q,
            const CellBox<Block::kDim>& cells, const KernelFilter& leave_out,
            NearCounts<Arch>& output) noexcept {
    QueryCursor cursor;
    const KernelFilter filter = left_out_by<Arch>(leave_out, q);
    if (output.first_only) {
        query_cells_on<Form::any>(Arch{}, grid, queries, q, cells, filter, cursor);
    } else {
        query_cells_on<Form::count>(Arch{}, grid, queries, q, cells, filter, cursor);
    }
    output.hits = static_cast<std::uint32_t>(cursor.hits);
    return true;
}

/// Answers queries 0 ... count - 1 of a block. Returns how many it answered; the next may not fit.
template <Leave leave, class Arch, class Shape, class Output, std::size_t Dim>
std::size_t query_packets(const GridView<Dim>& grid, const typename Shape::Block& queries,
                          std::size_t count, const KernelFilter& leave_out,
                          Output& output) noexcept {
    for (std::size_t q = 0; q < count;) {
        if constexpr (Output::kCountsOnly && 1 < kLanes<Arch>) {
            if (count - q >= kTogether<Arch> && leave_out.groups_of_each == nullptr) {
                const auto window = CountWindow<Arch, Dim>::template of<Shape>(grid, queries, q);
                if (window.pays(grid)) {
                    count_packet<leave, Arch, Shape>(grid, queries, q, window.all(), leave_out,
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
            answered = search_near<leave, Arch, Shape>(grid, queries, q, packet, cells, most,
                                                       leave_out, output);
        } else {
            while (answered < packet && query_alone<Arch>(grid, queries, q + answered,
                                                          cells.box(answered), leave_out, output)) {
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
