// The neighbours of all agents of a crowd, a few slices at a time.
#include "../grid_parts.hpp"

#include "../../../simd/kernels/grid/neighbours.hpp"
#include "../../answers/nearest_checks.hpp"
#include "../../core/assert.hpp"
#include "../rows/storage_range.hpp"
#include "kernel_calls.hpp"
#include "named_grids.hpp"
#include "range_scratch.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace throng {

template <std::size_t Dim>
struct RowGrid<Dim>::State::NeighbourCalls {
    using RowSlot = simd::RowSlot;

    static bool exist(const State& state, std::size_t begin, std::size_t end) noexcept {
        return begin <= end && end <= state.slices.count();
    }

    /// check() returns ok or the reason for a refusal; query_of() makes the kernels' query.
    static Status check(const State& state, const Neighbourhood& neighbourhood, std::size_t begin,
                        std::size_t end, RangeScratch<Dim> scratch) noexcept {
        if (!exist(state, begin, end)) { return {Cause::out_of_range, Argument::range}; }
        if (!scratch.fits()) { return {Cause::no_room, Argument::scratch}; }
        return check_neighbourhood(neighbourhood);
    }
    static simd::NeighbourQuery query_of(const State& state,
                                         const Neighbourhood& neighbourhood) noexcept {
        return {.radius = neighbourhood.radius,
                .with_self = neighbourhood.with_self,
                .groups = state.store.groups_to_compare(neighbourhood.groups),
                .later_only = neighbourhood.later_only};
    }

    /// The query about bodies. Its kernels take several grids; here they get this grid alone.
    static simd::NeighbourQueryAcross<Dim>
    query_alone(const State& state, const Neighbourhood& neighbourhood) noexcept {
        simd::NeighbourQueryAcross<Dim> query{.radius = neighbourhood.radius,
                                              .with_self = neighbourhood.with_self,
                                              .later_only = neighbourhood.later_only,
                                              .names = nullptr,
                                              .count = 1,
                                              .grids = {},
                                              .body = neighbourhood.body};
        std::copy_n(state.max_half_extent.axis.data(), Dim, query.half_extents.largest);
        query.grids[0] = {&state.kernel_view().grid, query_of(state, neighbourhood).groups, true,
                          nullptr, query.half_extents};
        return query;
    }

    /// Prepares the ball around one agent; returns the filter, which leaves out the agent itself
    /// unless with_self is set.
    static simd::KernelFilter ask_for(const State& state, const Neighbourhood& neighbourhood,
                                      RowSlot at, simd::LoneBall<Dim>& ball) noexcept {
        const simd::Row& row = state.store.rows()[at.row];
        const NodeWords<Dim> node = state.store.node(row, at.slot);
        put(ball, 0, Ball<Dim>{position_of<Dim>(node), neighbourhood.radius});
        simd::KernelFilter kernel_filter = {.groups = query_of(state, neighbourhood).groups};
        if (!neighbourhood.with_self) {
            kernel_filter.without = node[simd::Fields<Dim>::kId];
            kernel_filter.row_of_without = at.row;
        }
        return kernel_filter;
    }

    static Found neighbours(const State& state, const Neighbourhood& neighbourhood,
                            std::size_t begin, std::size_t end, RangeScratch<Dim> scratch,
                            const HitsBuffer& buffer) noexcept {
        const AccessCheck::Reading reading(state.access);
        const Status status = check(state, neighbourhood, begin, end, scratch);
        if (!status.ok()) { return {0, status}; }
        StorageRange<Dim> range(state.slices, begin, end);
        const std::size_t agents = range.agents(state.store);
        if (agents == 0 && buffer.offsets.empty()) { return {}; }
        if (buffer.offsets.size() <= agents) { return {0, {Cause::no_room, Argument::offsets}}; }
        buffer.offsets[0] = buffer.used;
        if (neighbourhood.groups == 0 || agents == 0) {
            std::fill_n(buffer.offsets.data(), agents + 1, buffer.used);
            return {};
        }
        const View<Dim>& view = state.kernel_view();
        if (neighbourhood.body != Body::centre) {
            const simd::NeighbourQueryAcross<Dim> query = query_alone(state, neighbourhood);
            return Found::of(
                BodyNeighbours<Dim>{view.grid, query, range.at, range.end, agents}.list(buffer));
        }
        const simd::NeighbourQuery query = query_of(state, neighbourhood);
        simd::BatchOutput out = {buffer.ids.data(), 0, buffer.used, buffer.offsets.data()};
        out.capacity = buffer.ids.size() - std::min(buffer.ids.size(), simd::kSlack);
        std::size_t answered = 0;
        if (out.used < out.capacity) {
            answered = simd::list_neighbours(view.grid, query, range.at, range.end, out);
        }
        // Where whole vectors no longer fit, agents are taken one by one, until nothing fits.
        std::size_t total = out.used;
        while (answered < agents && total < buffer.ids.size()) {
            (void)range.skip_gaps(state.store);
            simd::LoneBall<Dim> ball;
            const simd::KernelFilter kernel_filter = ask_for(state, neighbourhood, range.at, ball);
            simd::QueryCursor from;
            if (neighbourhood.later_only) {
                from.row = range.at.row;
                from.slot = range.at.slot;
            }
            total += write_hits(view.grid, ball, kernel_filter, buffer.ids.subspan(total),
                                scratch.ids(), from);
            buffer.offsets[++answered] = total;
            ++range.at.slot;
        }
        while (answered < agents) {
            const std::size_t told = simd::count_neighbours(
                view.grid, query, range.at, range.end, scratch.ids().data(), scratch.ids().size());
            for (std::size_t i = 0; i < told; ++i) {
                total += scratch.ids()[i];
                buffer.offsets[++answered] = total;
            }
        }
        return Found::of(total - buffer.used);
    }

    static Found count_neighbours(const State& state, const Neighbourhood& neighbourhood,
                                  std::size_t begin, std::size_t end, RangeScratch<Dim> scratch,
                                  std::span<std::uint32_t> counts) noexcept {
        const AccessCheck::Reading reading(state.access);
        const Status status = check(state, neighbourhood, begin, end, scratch);
        if (!status.ok()) { return {0, status}; }
        StorageRange<Dim> range(state.slices, begin, end);
        const std::size_t agents = range.agents(state.store);
        if (counts.size() < agents) { return {0, {Cause::no_room, Argument::counts}}; }
        if (neighbourhood.groups == 0 || agents == 0) {
            std::fill_n(counts.data(), agents, 0u);
            return {};
        }
        const View<Dim>& view = state.kernel_view();
        if (neighbourhood.body != Body::centre) {
            const simd::NeighbourQueryAcross<Dim> query = query_alone(state, neighbourhood);
            return Found::of(
                BodyNeighbours<Dim>{view.grid, query, range.at, range.end, agents}.count(counts));
        }
        const simd::NeighbourQuery query = query_of(state, neighbourhood);
        std::size_t total = 0;
        // Counts go through the scratch: the kernel needs room for a block of counts, even for the
        // last few agents.
        for (std::size_t answered = 0; answered < agents;) {
            const std::span<std::uint32_t> some = scratch.ids();
            const std::size_t told = simd::count_neighbours(view.grid, query, range.at, range.end,
                                                            some.data(), some.size());
            std::copy_n(some.data(), told, counts.data() + answered);
            total = std::accumulate(some.data(), some.data() + told, total);
            answered += told;
        }
        return {total, {}};
    }
};

template <std::size_t Dim>
std::size_t GridParts<Dim>::slices() const noexcept {
    const AccessCheck::Reading reading(detail::state_of(*grid_).access);
    return detail::state_of(*grid_).slices.count();
}

template <std::size_t Dim>
std::size_t GridParts<Dim>::agents_in(std::size_t begin, std::size_t end) const noexcept {
    const AccessCheck::Reading reading(detail::state_of(*grid_).access);
    THRONG_ASSERT(GridState<Dim>::NeighbourCalls::exist(detail::state_of(*grid_), begin, end));
    return StorageRange<Dim>(detail::state_of(*grid_).slices, begin, end)
        .agents(detail::state_of(*grid_).store);
}

template <std::size_t Dim>
std::size_t GridParts<Dim>::order(std::size_t begin, std::size_t end,
                                  std::span<Id> out) const noexcept {
    const AccessCheck::Reading reading(detail::state_of(*grid_).access);
    THRONG_ASSERT(GridState<Dim>::NeighbourCalls::exist(detail::state_of(*grid_), begin, end));
    const RowStore<Dim>& store = detail::state_of(*grid_).store;
    std::size_t agents = 0;
    const StorageRange<Dim> range(detail::state_of(*grid_).slices, begin, end);
    range.for_each_row(store, [&](std::uint32_t r, std::uint32_t first, std::uint32_t past) {
        const std::size_t written = std::min(agents, out.size());
        std::copy_n(store.ids(store.rows()[r]) + first,
                    std::min<std::size_t>(past - first, out.size() - written),
                    out.data() + written);
        agents += past - first;
    });
    return agents;
}

template <std::size_t Dim>
std::size_t GridParts<Dim>::positions(std::size_t begin, std::size_t end,
                                      std::span<Point<Dim>> out) const noexcept {
    const AccessCheck::Reading reading(detail::state_of(*grid_).access);
    THRONG_ASSERT(GridState<Dim>::NeighbourCalls::exist(detail::state_of(*grid_), begin, end));
    const RowStore<Dim>& store = detail::state_of(*grid_).store;
    std::size_t agents = 0;
    const StorageRange<Dim> range(detail::state_of(*grid_).slices, begin, end);
    range.for_each_row(store, [&](std::uint32_t r, std::uint32_t first, std::uint32_t past) {
        const std::span<Point<Dim>> to = out.subspan(std::min(agents, out.size()));
        const std::size_t count = std::min<std::size_t>(past - first, to.size());
        for (std::size_t a = 0; a < Dim; ++a) {
            const std::uint32_t* const axis =
                store.field(store.rows()[r], simd::Fields<Dim>::kPosition + a) + first;
            for (std::size_t i = 0; i < count; ++i) {
                to[i][a] = std::bit_cast<float>(axis[i]);
            }
        }
        agents += past - first;
    });
    return agents;
}

template <std::size_t Dim>
void RowGrid<Dim>::State::masks_range(std::size_t begin, std::size_t end,
                                      std::span<std::uint32_t> out) const noexcept {
    const std::uint32_t field = simd::Fields<Dim>::groups(store.kind().own_half_extents);
    std::uint32_t* to = out.data();
    const StorageRange<Dim> range(slices, begin, end);
    range.for_each_row(store, [&](std::uint32_t r, std::uint32_t first, std::uint32_t past) {
        to = std::copy_n(store.field(store.rows()[r], field) + first, past - first, to);
    });
}

template <std::size_t Dim>
Found GridParts<Dim>::neighbours(const Neighbourhood& neighbourhood, std::size_t begin,
                                 std::size_t end, std::span<std::uint32_t> scratch,
                                 const HitsBuffer& out) const {
    return GridState<Dim>::NeighbourCalls::neighbours(detail::state_of(*grid_), neighbourhood,
                                                      begin, end, {scratch}, out);
}

template <std::size_t Dim>
Found GridParts<Dim>::count_neighbours(const Neighbourhood& neighbourhood, std::size_t begin,
                                       std::size_t end, std::span<std::uint32_t> scratch,
                                       std::span<std::uint32_t> counts) const {
    return GridState<Dim>::NeighbourCalls::count_neighbours(detail::state_of(*grid_), neighbourhood,
                                                            begin, end, {scratch}, counts);
}

template <std::size_t Dim>
std::uint64_t BodyNeighbours<Dim>::list(const HitsBuffer& out) const noexcept {
    simd::RowSlot next = at;
    simd::BatchOutput lists = {out.ids.data(), out.ids.size(), out.used, out.offsets.data()};
    lists.offsets[0] = lists.used;
    std::size_t answered = 0;
    if (lists.used < lists.capacity) {
        answered = simd::list_neighbours_across(askers, query, next, end, lists);
    }
    // The remaining agents' lists have no room: they are only counted.
    std::uint64_t total = lists.used;
    while (answered < agents) {
        std::array<std::uint32_t, simd::kBlockQueries> counts;
        const std::size_t told =
            simd::count_neighbours_across(askers, query, next, end, counts.data(), counts.size());
        for (std::size_t i = 0; i < told; ++i) {
            total += counts[i];
            out.offsets[++answered] = total;
        }
    }
    return total - out.used;
}

template <std::size_t Dim>
std::uint64_t BodyNeighbours<Dim>::count(std::span<std::uint32_t> counts) const noexcept {
    simd::RowSlot next = at;
    (void)simd::count_neighbours_across(askers, query, next, end, counts.data(), agents);
    return std::accumulate(counts.data(), counts.data() + agents, std::uint64_t{0});
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template struct BodyNeighbours<Dim>;                                                           \
    template std::size_t GridParts<Dim>::slices() const noexcept;                                  \
    template std::size_t GridParts<Dim>::agents_in(std::size_t, std::size_t) const noexcept;       \
    template std::size_t GridParts<Dim>::order(std::size_t, std::size_t, std::span<Id>)            \
        const noexcept;                                                                            \
    template std::size_t GridParts<Dim>::positions(std::size_t, std::size_t,                       \
                                                   std::span<Point<Dim>>) const noexcept;          \
    template void RowGrid<Dim>::State::masks_range(std::size_t, std::size_t,                       \
                                                   std::span<std::uint32_t>) const noexcept;       \
    template Found GridParts<Dim>::neighbours(const Neighbourhood&, std::size_t, std::size_t,      \
                                              std::span<std::uint32_t>, const HitsBuffer&) const;  \
    template Found GridParts<Dim>::count_neighbours(const Neighbourhood&, std::size_t,             \
                                                    std::size_t, std::span<std::uint32_t>,         \
                                                    std::span<std::uint32_t>) const;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
