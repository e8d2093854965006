// What everyone in a crowd asks, a few slices at a time.
#include "row_grid.hpp"

#include "../simd/around.hpp"
#include "../simd/pairs.hpp"
#include "assert.hpp"
#include "range_scratch.hpp"
#include "row_grid_ask.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace throng {

template <std::size_t Dim>
struct RowGrid<Dim>::AskingSlices {
    using Place = simd::Place;

    static bool exist(const State& state, std::size_t begin, std::size_t end) noexcept {
        return begin <= end && end <= state.slices.count();
    }

    /// Where slices begin ... end - 1 begin and end; the same place if there are none.
    struct Stretch {
        Place at{}, end{};
        Stretch(const State& state, std::size_t begin, std::size_t past) noexcept {
            if (begin < past) {
                at = state.slices[begin];
                end = state.slices[past];
            }
        }

        /// Moves `at`, when it is behind the last agent of a row, to the next agent.
        void skip_gaps(const State& state) noexcept {
            const auto& rows = state.store.rows();
            if (at.slot < rows[at.row].count) { return; }
            at = {static_cast<std::uint32_t>(state.store.occupied().next(at.row + 1)), 0};
        }
    };

    /// Calls body(row, first slot, slot past the last) for every row with agents of a stretch.
    template <class Body>
    static void for_each_row(const State& state, const Stretch& stretch, const Body& body) {
        const auto& rows = state.store.rows();
        const HierarchicalBitset& occupied = state.store.occupied();
        for (std::size_t r = occupied.next(stretch.at.row); r < rows.size() && r <= stretch.end.row;
             r = occupied.next(r + 1)) {
            const std::uint32_t count = rows[r].count;
            const std::uint32_t first = r == stretch.at.row ? stretch.at.slot : 0;
            const std::uint32_t past = r == stretch.end.row ? stretch.end.slot : count;
            if (first < std::min(past, count)) { body(rows[r], first, std::min(past, count)); }
        }
    }

    static std::size_t agents_in(const State& state, const Stretch& stretch) noexcept {
        std::size_t agents = 0;
        for_each_row(state, stretch,
                     [&](const simd::Row&, std::uint32_t first, std::uint32_t past) {
                         agents += past - first;
                     });
        return agents;
    }

    /// What kernels are asked; or why not.
    static Status check(const State& state, const Neighbourhood& neighbourhood, std::size_t begin,
                        std::size_t end, RangeScratch<Dim> scratch) noexcept {
        if (!exist(state, begin, end)) { return {Cause::out_of_range, Argument::range}; }
        if (!scratch.fits()) { return {Cause::no_room, Argument::scratch}; }
        const Status status = check_shape(Ball<Dim>{{}, neighbourhood.radius});
        return status.ok() ? status : Status{status.cause, Argument::radius};
    }
    static simd::Around around(const State& state, const Neighbourhood& neighbourhood) noexcept {
        return {neighbourhood.radius, neighbourhood.with_self,
                state.store.kind().groups ? neighbourhood.groups : kAllGroups};
    }

    /// The ball around one agent, and whom it leaves out.
    static simd::LeaveOut ask_for(const State& state, const Neighbourhood& neighbourhood,
                                  Place place, simd::BallBlock<Dim>& block) noexcept {
        const simd::Row& row = state.store.rows()[place.row];
        const NodeWords<Dim> node = state.store.node(row, place.slot);
        Ball<Dim> ball{{}, neighbourhood.radius};
        for (std::size_t a = 0; a < Dim; ++a) {
            ball.centre[a] = std::bit_cast<float>(node[a]);
        }
        put(block, 0, ball);
        simd::LeaveOut left_out = {.groups = around(state, neighbourhood).groups};
        if (!neighbourhood.with_self) {
            left_out.without = node[simd::Fields<Dim>::kId];
            left_out.row_of_without = place.row;
        }
        return left_out;
    }

    static Found neighbours(const State& state, const Neighbourhood& neighbourhood,
                            std::size_t begin, std::size_t end, RangeScratch<Dim> scratch,
                            const HitsBuffer& buffer) noexcept {
        const Phase::Reading reading(state.phase);
        const Status status = check(state, neighbourhood, begin, end, scratch);
        if (!status.ok()) { return {0, status}; }
        Stretch stretch(state, begin, end);
        const std::size_t agents = agents_in(state, stretch);
        if (buffer.offsets.size() <= agents) { return {0, {Cause::no_room, Argument::offsets}}; }
        buffer.offsets[0] = 0;
        if (neighbourhood.groups == 0 || agents == 0) {
            std::fill_n(buffer.offsets.data(), agents + 1, 0);
            return {};
        }
        const View<Dim> view(state.store, state.reach);
        const simd::Around asked = around(state, neighbourhood);
        simd::BatchOutput out = {buffer.ids.data(), 0, 0, buffer.offsets.data()};
        out.capacity = buffer.ids.size() - std::min(buffer.ids.size(), simd::kSlack);
        std::size_t answered = 0;
        if (out.capacity != 0) {
            answered = simd::select_around(view.grid, asked, stretch.at, stretch.end, out);
        }
        // The next do not fit where whole vectors are written: one by one, until nothing fits.
        std::size_t total = out.used;
        auto& block = scratch.template block<simd::BallBlock<Dim>>();
        while (answered < agents && total < buffer.ids.size()) {
            stretch.skip_gaps(state);
            const simd::LeaveOut left_out = ask_for(state, neighbourhood, stretch.at, block);
            total +=
                write_hits(view.grid, block, left_out, buffer.ids.subspan(total), scratch.ids());
            buffer.offsets[++answered] = total;
            ++stretch.at.slot;
        }
        while (answered < agents) {
            const std::size_t told = simd::tally_around(view.grid, asked, stretch.at, stretch.end,
                                                        scratch.ids().data(), scratch.ids().size());
            for (std::size_t i = 0; i < told; ++i) {
                total += scratch.ids()[i];
                buffer.offsets[++answered] = total;
            }
        }
        return {total, {}};
    }

    static Found count_neighbours(const State& state, const Neighbourhood& neighbourhood,
                                  std::size_t begin, std::size_t end, RangeScratch<Dim> scratch,
                                  std::span<std::uint32_t> counts) noexcept {
        const Phase::Reading reading(state.phase);
        const Status status = check(state, neighbourhood, begin, end, scratch);
        if (!status.ok()) { return {0, status}; }
        Stretch stretch(state, begin, end);
        const std::size_t agents = agents_in(state, stretch);
        if (counts.size() < agents) { return {0, {Cause::no_room, Argument::counts}}; }
        if (neighbourhood.groups == 0 || agents == 0) {
            std::fill_n(counts.data(), agents, 0u);
            return {};
        }
        const View<Dim> view(state.store, state.reach);
        const simd::Around asked = around(state, neighbourhood);
        std::size_t total = 0;
        // By way of the scratch, since the kernel may write a block more than there are agents.
        for (std::size_t answered = 0; answered < agents;) {
            const std::span<std::uint32_t> some = scratch.ids();
            const std::size_t told = simd::tally_around(view.grid, asked, stretch.at, stretch.end,
                                                        some.data(), some.size());
            std::copy_n(some.data(), told, counts.data() + answered);
            total = std::accumulate(some.data(), some.data() + told, total);
            answered += told;
        }
        return {total, {}};
    }

    static Status check(const State& state, std::size_t begin, std::size_t end) noexcept {
        return exist(state, begin, end) ? Status{} : Status{Cause::out_of_range, Argument::range};
    }
    static std::uint32_t stored(const State& state, std::uint32_t groups) noexcept {
        return state.store.kind().groups ? groups : kAllGroups;
    }

    static Found pairs(const State& state, std::size_t begin, std::size_t end,
                       RangeScratch<Dim> scratch, const PairsBuffer& buffer,
                       std::uint32_t groups) noexcept {
        const Phase::Reading reading(state.phase);
        const Status status = check(state, begin, end);
        if (!status.ok()) { return {0, status}; }
        if (!scratch.fits()) { return {0, {Cause::no_room, Argument::scratch}}; }
        if (groups == 0 || state.count == 0) { return {}; }
        const View<Dim> view(state.store, state.reach);
        const std::uint32_t asked = stored(state, groups);
        const Stretch stretch(state, begin, end);
        simd::PairsAt at = {stretch.at};
        simd::PairsOutput out = {buffer.first.data(), buffer.second.data(),
                                 std::min(buffer.first.size(), buffer.second.size()), 0};
        bool done = simd::list_pairs(view.grid, asked, at, stretch.end, out);
        std::size_t total = out.used;
        // The last do not fit where whole vectors are written: by way of the scratch, ...
        const std::span<std::uint32_t> ids = scratch.ids();
        while (!done && total < out.capacity) {
            simd::PairsOutput some = {ids.data(), ids.data() + ids.size() / 2, ids.size() / 2, 0};
            done = simd::list_pairs(view.grid, asked, at, stretch.end, some);
            const std::size_t fit = std::min(some.used, out.capacity - total);
            std::copy_n(some.first, fit, out.first + total);
            std::copy_n(some.second, fit, out.second + total);
            total += some.used;
        }
        // ... and what does not fit is only counted.
        if (!done) { total += simd::count_pairs(view.grid, asked, at, stretch.end); }
        return {total, {}};
    }

    static Found count_pairs(const State& state, std::size_t begin, std::size_t end,
                             std::uint32_t groups) noexcept {
        const Phase::Reading reading(state.phase);
        const Status status = check(state, begin, end);
        if (!status.ok() || groups == 0 || state.count == 0) { return {0, status}; }
        const View<Dim> view(state.store, state.reach);
        const Stretch stretch(state, begin, end);
        return {simd::count_pairs(view.grid, stored(state, groups), {stretch.at}, stretch.end), {}};
    }

    /// Pairs of `state`'s agents and those of `others`: a box around each, asked there.
    static Found pairs(const State& state, const State& others, std::size_t begin, std::size_t end,
                       RangeScratch<Dim> scratch, const PairsBuffer& buffer,
                       std::uint32_t groups) noexcept {
        const Phase::Reading reading(state.phase);
        const Phase::Reading reading_others(others.phase);
        const Status status = check(state, begin, end);
        if (!status.ok()) { return {0, status}; }
        if (!scratch.fits()) { return {0, {Cause::no_room, Argument::scratch}}; }
        if (groups == 0 || others.count == 0) { return {}; }
        const View<Dim> view(others.store, others.reach);
        const simd::LeaveOut left_out = {.groups = stored(others, groups)};
        const std::size_t room = std::min(buffer.first.size(), buffer.second.size());
        auto& block = scratch.template block<simd::BoxBlock<Dim>>();
        std::size_t total = 0;
        for_each_row(state, Stretch(state, begin, end),
                     [&](const simd::Row& row, std::uint32_t first, std::uint32_t past) {
                         for (std::uint32_t slot = first; slot < past; ++slot) {
                             const NodeWords<Dim> node = state.store.node(row, slot);
                             if (!in_groups(state, node, groups)) { continue; }
                             put(block, 0, box_of(state, node));
                             const std::size_t used = std::min(total, room);
                             const std::size_t hits = write_hits(
                                 view.grid, block, left_out,
                                 buffer.second.subspan(used, room - used), scratch.ids());
                             std::fill_n(buffer.first.data() + used, std::min(hits, room - used),
                                         node[simd::Fields<Dim>::kId]);
                             total += hits;
                         }
                     });
        return {total, {}};
    }

    static bool in_groups(const State& state, const NodeWords<Dim>& node,
                          std::uint32_t groups) noexcept {
        const CrowdKind<Dim>& kind = state.store.kind();
        return !kind.groups || groups == kAllGroups ||
               (node[simd::Fields<Dim>::groups(kind.own_half_extents)] & groups) != 0;
    }
    static Box<Dim> box_of(const State& state, const NodeWords<Dim>& node) noexcept {
        Point<Dim> centre, half = state.reach;
        for (std::size_t a = 0; a < Dim; ++a) {
            centre[a] = std::bit_cast<float>(node[a]);
            if (state.store.kind().own_half_extents) {
                half[a] = std::bit_cast<float>(node[simd::Fields<Dim>::kHalfExtent + a]);
            }
        }
        return Box<Dim>::around(centre, half);
    }
};

template <std::size_t Dim>
std::size_t RowGrid<Dim>::slices() const noexcept {
    const Phase::Reading reading(state_->phase);
    return state_->slices.count();
}

template <std::size_t Dim>
std::size_t RowGrid<Dim>::agents_in(std::size_t begin, std::size_t end) const noexcept {
    const Phase::Reading reading(state_->phase);
    THRONG_ASSERT(AskingSlices::exist(*state_, begin, end));
    return AskingSlices::agents_in(*state_, {*state_, begin, end});
}

template <std::size_t Dim>
std::size_t RowGrid<Dim>::order_range(std::size_t begin, std::size_t end,
                                      std::span<Id> out) const noexcept {
    const Phase::Reading reading(state_->phase);
    THRONG_ASSERT(AskingSlices::exist(*state_, begin, end));
    std::size_t agents = 0;
    AskingSlices::for_each_row(*state_, {*state_, begin, end},
                               [&](const simd::Row& row, std::uint32_t first, std::uint32_t past) {
                                   const std::size_t written = std::min(agents, out.size());
                                   std::copy_n(
                                       state_->store.ids(row) + first,
                                       std::min<std::size_t>(past - first, out.size() - written),
                                       out.data() + written);
                                   agents += past - first;
                               });
    return agents;
}

template <std::size_t Dim>
Found RowGrid<Dim>::neighbours_range(const Neighbourhood& neighbourhood, std::size_t begin,
                                     std::size_t end, std::span<std::uint32_t> scratch,
                                     const HitsBuffer& out) const {
    return AskingSlices::neighbours(*state_, neighbourhood, begin, end, {scratch}, out);
}

template <std::size_t Dim>
Found RowGrid<Dim>::count_neighbours_range(const Neighbourhood& neighbourhood, std::size_t begin,
                                           std::size_t end, std::span<std::uint32_t> scratch,
                                           std::span<std::uint32_t> counts) const {
    return AskingSlices::count_neighbours(*state_, neighbourhood, begin, end, {scratch}, counts);
}

template <std::size_t Dim>
Found RowGrid<Dim>::pairs_range(std::size_t begin, std::size_t end,
                                std::span<std::uint32_t> scratch, const PairsBuffer& out,
                                std::uint32_t groups) const {
    return AskingSlices::pairs(*state_, begin, end, {scratch}, out, groups);
}

template <std::size_t Dim>
Found RowGrid<Dim>::count_pairs_range(std::size_t begin, std::size_t end,
                                      std::uint32_t groups) const {
    return AskingSlices::count_pairs(*state_, begin, end, groups);
}

template <std::size_t Dim>
Found RowGrid<Dim>::pairs_range(const RowGrid& others, std::size_t begin, std::size_t end,
                                std::span<std::uint32_t> scratch, const PairsBuffer& out,
                                std::uint32_t groups) const {
    return AskingSlices::pairs(*state_, *others.state_, begin, end, {scratch}, out, groups);
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template std::size_t RowGrid<Dim>::slices() const noexcept;                                    \
    template std::size_t RowGrid<Dim>::agents_in(std::size_t, std::size_t) const noexcept;         \
    template std::size_t RowGrid<Dim>::order_range(std::size_t, std::size_t, std::span<Id>)        \
        const noexcept;                                                                            \
    template Found RowGrid<Dim>::neighbours_range(const Neighbourhood&, std::size_t, std::size_t,  \
                                                  std::span<std::uint32_t>, const HitsBuffer&)     \
        const;                                                                                     \
    template Found RowGrid<Dim>::count_neighbours_range(const Neighbourhood&, std::size_t,         \
                                                        std::size_t, std::span<std::uint32_t>,     \
                                                        std::span<std::uint32_t>) const;           \
    template Found RowGrid<Dim>::pairs_range(std::size_t, std::size_t, std::span<std::uint32_t>,   \
                                             const PairsBuffer&, std::uint32_t) const;             \
    template Found RowGrid<Dim>::count_pairs_range(std::size_t, std::size_t, std::uint32_t) const; \
    template Found RowGrid<Dim>::pairs_range(const RowGrid<Dim>&, std::size_t, std::size_t,        \
                                             std::span<std::uint32_t>, const PairsBuffer&,         \
                                             std::uint32_t) const;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
