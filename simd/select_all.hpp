// The answers of a block of queries, a packet at a time. For *.kernel.cpp files only.
#pragma once

#include "search_near.hpp"
#include "search_wide.hpp"
#include "tally_together.hpp"

namespace throng::simd {

/// What search_wide() is to leave out for query q: it knows of nobody's self.
template <Leave leave, class Arch>
[[gnu::always_inline]] inline LeaveOut left_out_by(const LeaveOut& leave_out,
                                                   std::size_t q) noexcept {
    LeaveOut all = leave_out;
    if constexpr (leave == Leave::itself) {
        all.without = leave_out.each[q];
        if (leave_out.groups_of_each != nullptr) { all.groups = leave_out.groups_of_each[q]; }
        if (leave_out.rows_of_each != nullptr) { all.row_of_without = leave_out.rows_of_each[q]; }
    }
    return all;
}
template <Leave leave>
inline constexpr Leave kWideLeave = leave == Leave::nobody ? Leave::nobody : Leave::some;

/// The search of a query by search_wide() as part of a batch. False if its hits do not fit.
template <Leave leave, class Shape, class Arch, std::size_t Dim>
[[gnu::always_inline]] inline bool
search_lane(const GridView<Dim>& grid, const typename Shape::Block& queries, std::size_t q,
            const PacketCells<Arch, Dim>& cells, std::size_t lane, const LeaveOut& leave_out,
            NearIds<Arch>& output) noexcept {
    Walk state;
    IdSink<Arch> sink = {output.next, output.end};
    const bool done =
        search_wide<kWideLeave<leave>, Arch>(grid, Shape(grid, queries, q), cells.box(lane),
                                             left_out_by<leave, Arch>(leave_out, q), sink, state);
    if (done) { output.next = sink.out; }
    return done;
}
template <Leave leave, class Shape, class Arch, bool first_only, std::size_t Dim>
[[gnu::always_inline]] inline bool
search_lane(const GridView<Dim>& grid, const typename Shape::Block& queries, std::size_t q,
            const PacketCells<Arch, Dim>& cells, std::size_t lane, const LeaveOut& leave_out,
            NearCounts<Arch, first_only>& output) noexcept {
    Walk state;
    CountSink<Arch, first_only, false> sink = {state};
    search_wide<kWideLeave<leave>, Arch>(grid, Shape(grid, queries, q), cells.box(lane),
                                         left_out_by<leave, Arch>(leave_out, q), sink, state);
    output.hits = static_cast<std::uint32_t>(state.hits);
    return true;
}

/// Answers queries 0 ... count - 1 of a block; returns how many, since the next may not fit.
template <Leave leave, class Arch, class Shape, class Output, std::size_t Dim>
std::size_t select_all(const GridView<Dim>& grid, const typename Shape::Block& queries,
                       std::size_t count, const LeaveOut& leave_out, Output& output) noexcept {
    for (std::size_t q = 0; q < count;) {
        if constexpr (Output::kCountsOnly && 1 < kLanes<Arch>) {
            if (count - q >= kTogether<Arch> && leave_out.groups_of_each == nullptr) {
                const auto window = TogetherWindow<Arch, Dim>::template of<Shape>(grid, queries, q);
                if (window.pays(grid)) {
                    tally_together<leave, Output::kFirstOnly, Arch, Shape>(
                        grid, queries, q, window.all(), leave_out, output.counts);
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
            while (answered < packet &&
                   search_lane<leave, Shape>(grid, queries, q + answered, cells, answered,
                                             leave_out, output)) {
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
