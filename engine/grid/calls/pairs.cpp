// Pairs of agents that overlap, a few slices at a time: within one grid, or between two.
#include "../grid_parts.hpp"

#include "../../../simd/kernels/grid/pairs.hpp"
#include "../../agents/body.hpp"
#include "../../answers/id_runs.hpp"
#include "../rows/storage_range.hpp"
#include "kernel_calls.hpp"
#include "range_scratch.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace throng {

namespace {

/// Whether the groups admit an agent to pairs.
template <std::size_t Dim>
bool is_in_groups(const CrowdKind<Dim>& kind, const NodeWords<Dim>& node,
                  std::uint32_t groups) noexcept {
    return !kind.groups || groups == kAllGroups ||
           (node[simd::Fields<Dim>::groups(kind.own_half_extents)] & groups) != 0;
}

/// The pairs within a grid.
template <std::size_t Dim>
class PairsWithin {
public:
    PairsWithin(const RowStore<Dim>& store, const Point<Dim>& max_half_extent,
                const StorageRange<Dim>& range, std::uint32_t groups, Body body) noexcept
        : view_(store, max_half_extent), groups_(store.groups_to_compare(groups)),
          body_(body), at_{range.at}, end_(range.end) {}

    /// Appends the next pairs; returns true after the last pair, and false if it needs more room.
    bool list(simd::PairsOutput& out) noexcept {
        return simd::list_pairs(view_.grid, groups_, body_, at_, end_, out);
    }
    /// Counts the pairs that list() has not reached.
    [[nodiscard]] std::uint64_t count_rest() noexcept {
        return simd::count_pairs(view_.grid, groups_, body_, at_, end_);
    }

private:
    const View<Dim> view_;
    const std::uint32_t groups_;
    const Body body_;
    simd::PairsAt at_;
    const simd::RowSlot end_;
};

/// The pairs of a grid's agents with those of another grid, to which each agent's box is a query.
/// Has the same interface as PairsWithin.
template <std::size_t Dim>
class PairsBetween {
public:
    PairsBetween(const RowStore<Dim>& store, const Point<Dim>& half, const StorageRange<Dim>& range,
                 const RowStore<Dim>& others, const Point<Dim>& max_half_extent,
                 std::uint32_t groups, simd::BoxBlock<Dim>& block) noexcept
        : store_(store), half_(half), groups_(groups), range_(range),
          view_(others, max_half_extent), kernel_filter_{.groups =
                                                             others.groups_to_compare(groups)},
          block_(block) {}

    bool list(simd::PairsOutput& out) noexcept {
        for (;;) {
            if (in_agent_ && !list_current(out)) { return false; }
            const std::size_t count = collect();
            if (count == 0) { return true; }
            std::array<std::uint64_t, simd::kBlockQueries + 1> offsets;
            offsets[0] = out.used;
            simd::BatchOutput batch = {out.second, 0, out.used, offsets.data()};
            batch.capacity = out.capacity - std::min<std::uint64_t>(out.capacity, simd::kSlack);
            const std::size_t answered =
                batch.used < batch.capacity
                    ? simd::query_block(view_.grid, block_, count, kernel_filter_, batch)
                    : 0;
            for (std::size_t q = 0; q < answered; ++q) {
                std::fill(out.first + offsets[q], out.first + offsets[q + 1], ids_[q]);
            }
            out.used = batch.used;
            if (answered == count) {
                behind(row_slots_[count - 1]);
                continue;
            }
            // The next agent may have more hits than there is room for, so its hits are listed a
            // part at a time.
            range_.at = row_slots_[answered];
            in_agent_ = true;
            cursor_ = {};
        }
    }

    [[nodiscard]] std::uint64_t count_rest() noexcept {
        std::uint64_t pairs = 0;
        if (in_agent_) {
            simd::LoneBox<Dim> box;
            put(box, 0, box_of(range_.at));
            simd::query_one<simd::Form::count>(view_.grid, box, kernel_filter_, cursor_);
            pairs += cursor_.hits;
            behind(range_.at);
        }
        while (const std::size_t count = collect()) {
            std::array<std::uint32_t, simd::kBlockQueries> counts;
            simd::count_block<simd::Form::count>(view_.grid, block_, count, kernel_filter_,
                                                 counts.data());
            pairs = std::accumulate(counts.data(), counts.data() + count, pairs);
            behind(row_slots_[count - 1]);
        }
        return pairs;
    }

private:
    /// Makes the queries of the next agents; returns how many.
    std::size_t collect() noexcept {
        std::size_t count = 0;
        for (StorageRange<Dim> next = range_; count < ids_.size() && next.skip_gaps(store_);
             ++next.at.slot) {
            const NodeWords<Dim> node = store_.node(store_.rows()[next.at.row], next.at.slot);
            if (!is_in_groups(store_.kind(), node, groups_)) { continue; }
            put(block_, count, box_of(next.at));
            ids_[count] = node[simd::Fields<Dim>::kId];
            row_slots_[count++] = next.at;
        }
        return count;
    }

    /// Lists further pairs of the current agent. False if `out` is full before the last of them.
    bool list_current(simd::PairsOutput& out) noexcept {
        simd::LoneBox<Dim> box;
        put(box, 0, box_of(range_.at));
        cursor_.out = out.second + out.used;
        cursor_.end = out.second + out.capacity;
        const bool done =
            simd::query_one<simd::Form::ids>(view_.grid, box, kernel_filter_, cursor_);
        const auto used = static_cast<std::uint64_t>(cursor_.out - out.second);
        const simd::Row& row = store_.rows()[range_.at.row];
        std::fill(out.first + out.used, out.first + used, store_.ids(row)[range_.at.slot]);
        out.used = used;
        if (done) { behind(range_.at); }
        return done;
    }

    void behind(simd::RowSlot agent) noexcept {
        range_.at = {agent.row, agent.slot + 1};
        in_agent_ = false;
    }

    [[nodiscard]] Box<Dim> box_of(simd::RowSlot at) const noexcept {
        const NodeWords<Dim> node = store_.node(store_.rows()[at.row], at.slot);
        Point<Dim> half = half_;
        for (std::size_t a = 0; store_.kind().own_half_extents && a < Dim; ++a) {
            half[a] = std::bit_cast<float>(node[simd::Fields<Dim>::kHalfExtent + a]);
        }
        return Box<Dim>::around(position_of<Dim>(node), half);
    }

    const RowStore<Dim>& store_;
    const Point<Dim> half_;
    const std::uint32_t groups_;
    StorageRange<Dim> range_; // the agents that are left
    const View<Dim> view_;    // the grid of the others
    const simd::KernelFilter kernel_filter_;
    simd::BoxBlock<Dim>& block_;
    std::array<Id, simd::kBlockQueries> ids_;
    std::array<simd::RowSlot, simd::kBlockQueries> row_slots_;
    bool in_agent_ = false; // the pairs of the current agent are partly listed
    simd::QueryCursor cursor_;
};

/// As PairsBetween, but for discs: each agent is a query of its own.
template <std::size_t Dim>
class DiscPairsBetween {
public:
    DiscPairsBetween(const RowStore<Dim>& store, float radius, const StorageRange<Dim>& range,
                     const RowStore<Dim>& others, const Point<Dim>& max_half_extent,
                     std::uint32_t groups) noexcept
        : store_(store), radius_(radius), groups_(groups),
          groups_of_others_(others.groups_to_compare(groups)), range_(range),
          view_(others, max_half_extent) {}

    bool list(simd::PairsOutput& out) noexcept {
        return for_each_left([&](const simd::PairDisc<Dim>& disc) {
            return simd::list_disc_pairs(view_.grid, groups_of_others_, disc, second_, out);
        });
    }

    [[nodiscard]] std::uint64_t count_rest() noexcept {
        std::uint64_t pairs = 0;
        (void)for_each_left([&](const simd::PairDisc<Dim>& disc) {
            pairs += simd::count_disc_pairs(view_.grid, groups_of_others_, disc, second_);
            return true;
        });
        return pairs;
    }

private:
    /// Goes through the remaining agents while ask(disc) returns true.
    template <class Ask>
    bool for_each_left(const Ask& ask) noexcept {
        for (; range_.skip_gaps(store_); ++range_.at.slot, second_ = {}) {
            const NodeWords<Dim> node = store_.node(store_.rows()[range_.at.row], range_.at.slot);
            if (is_in_groups(store_.kind(), node, groups_) && !ask(disc_of(node))) { return false; }
        }
        return true;
    }

    [[nodiscard]] simd::PairDisc<Dim> disc_of(const NodeWords<Dim>& node) const noexcept {
        using Fields = simd::Fields<Dim>;
        simd::PairDisc<Dim> disc;
        const Point<Dim> centre = position_of<Dim>(node);
        std::copy_n(centre.axis.begin(), Dim, disc.centre);
        disc.radius = store_.kind().own_half_extents
                          ? std::bit_cast<float>(node[Fields::kHalfExtent])
                          : radius_;
        disc.id = node[Fields::kId];
        return disc;
    }

    const RowStore<Dim>& store_;
    const float radius_; // the radius of all agents, if they have no extents of their own
    const std::uint32_t groups_, groups_of_others_;
    StorageRange<Dim> range_; // the agents that are left
    const View<Dim> view_;    // the grid of the others
    simd::RowSlot second_{};  // the first of the others not yet tested with the current agent
};

/// Writes all pairs, as many as fit; returns how many there are.
template <class Source>
std::uint64_t write_pairs(Source& source, const PairsBuffer& buffer, std::span<Id> scratch) {
    simd::PairsOutput out = {buffer.first.data(), buffer.second.data(),
                             std::min(buffer.first.size(), buffer.second.size()), 0};
    bool done = source.list(out);
    std::uint64_t total = out.used;
    // Kernels write whole vectors. If these do not fit any more, the last pairs go through the
    // scratch.
    while (!done && total < out.capacity) {
        const std::size_t half = scratch.size() / 2;
        simd::PairsOutput some = {scratch.data(), scratch.data() + half, half, 0};
        done = source.list(some);
        const std::uint64_t fit = std::min<std::uint64_t>(some.used, out.capacity - total);
        std::copy_n(some.first, fit, out.first + total);
        std::copy_n(some.second, fit, out.second + total);
        total += some.used;
    }
    // Pairs that do not fit are only counted.
    return done ? total : total + source.count_rest();
}

/// Hands all pairs to the visitor, a run at a time; returns how many it was handed.
template <class Source, class Visitor>
std::uint64_t hand_out(Source& source, const PairsBuffer& run, Visitor visitor) {
    std::uint64_t total = 0;
    for (bool done = false; !done;) {
        simd::PairsOutput out = {run.first.data(), run.second.data(),
                                 std::min(run.first.size(), run.second.size()), 0};
        done = source.list(out);
        total += out.used;
        if (out.used != 0 && !visitor(std::span<const Id>(run.first.first(out.used)),
                                      std::span<const Id>(run.second.first(out.used)))) {
            break;
        }
    }
    return total;
}

} // namespace

template <std::size_t Dim>
struct RowGrid<Dim>::State::PairCalls {
    /// Which pairs a call is about.
    struct Question {
        std::size_t begin, end;
        std::uint32_t groups;
        Body body;
    };

    static Status check(const State& state, const Question& asked) noexcept {
        const bool exist = asked.begin <= asked.end && asked.end <= state.slices.count();
        if (!exist) { return {Cause::out_of_range, Argument::range}; }
        return check_overlapping(asked.body);
    }
    static Status check(const State& state, const Question& asked,
                        RangeScratch<Dim> scratch) noexcept {
        const Status status = check(state, asked);
        if (!status.ok() || scratch.fits()) { return status; }
        return {Cause::no_room, Argument::scratch};
    }

    static PairsWithin<Dim> within(const State& state, const Question& asked) noexcept {
        return {state.store,
                state.max_half_extent,
                {state.slices, asked.begin, asked.end},
                asked.groups,
                asked.body};
    }

    /// Calls call(source) for the pairs within a grid.
    template <class Call>
    static Found ask(const State& state, const Question& asked, RangeScratch<Dim> scratch,
                     const Call& call) {
        const AccessCheck::Reading reading(state.access);
        const Status status = check(state, asked, scratch);
        if (!status.ok() || asked.groups == 0 || state.count == 0) { return {0, status}; }
        PairsWithin<Dim> source = within(state, asked);
        return Found::of(call(source));
    }
    /// Calls call(source) for the pairs between two grids.
    template <class Call>
    static Found ask(const State& state, const State& others, const Question& asked,
                     RangeScratch<Dim> scratch, const Call& call) {
        const AccessCheck::Reading reading(state.access);
        const AccessCheck::Reading reading_others(others.access);
        const Status status = check(state, asked, scratch);
        if (!status.ok() || asked.groups == 0 || state.count == 0 || others.count == 0) {
            return {0, status};
        }
        const StorageRange<Dim> range(state.slices, asked.begin, asked.end);
        if (asked.body == Body::disc) {
            DiscPairsBetween<Dim> source(state.store, state.max_half_extent[0], range, others.store,
                                         others.max_half_extent, asked.groups);
            return Found::of(call(source));
        }
        PairsBetween<Dim> source(state.store, state.max_half_extent, range, others.store,
                                 others.max_half_extent, asked.groups,
                                 scratch.template block<simd::BoxBlock<Dim>>());
        return Found::of(call(source));
    }

    static Found no_room_for(const PairsBuffer& run) noexcept {
        const std::size_t room = std::min(run.first.size(), run.second.size());
        return {0, room < GridParts<Dim>::kLeastRun ? Status{Cause::no_room, Argument::run}
                                                    : Status{}};
    }
};

template <std::size_t Dim>
Found GridParts<Dim>::pairs(std::size_t begin, std::size_t end, std::span<std::uint32_t> scratch,
                            const PairsBuffer& out, std::uint32_t groups, Body body) const {
    return GridState<Dim>::PairCalls::ask(
        detail::state_of(*grid_), {begin, end, groups, body}, {scratch},
        [&](auto& source) { return write_pairs(source, out, RangeScratch<Dim>{scratch}.ids()); });
}

template <std::size_t Dim>
Found GridParts<Dim>::pairs(const RowGrid<Dim>& others, std::size_t begin, std::size_t end,
                            std::span<std::uint32_t> scratch, const PairsBuffer& out,
                            std::uint32_t groups, Body body) const {
    return GridState<Dim>::PairCalls::ask(
        detail::state_of(*grid_), detail::state_of(others), {begin, end, groups, body}, {scratch},
        [&](auto& source) { return write_pairs(source, out, RangeScratch<Dim>{scratch}.ids()); });
}

template <std::size_t Dim>
Found GridParts<Dim>::visit_pairs(std::size_t begin, std::size_t end,
                                  std::span<std::uint32_t> scratch, const PairsBuffer& run,
                                  IndexPairVisitor visitor, std::uint32_t groups, Body body) const {
    const Found refused = GridState<Dim>::PairCalls::no_room_for(run);
    if (!refused.status.ok()) { return refused; }
    return GridState<Dim>::PairCalls::ask(
        detail::state_of(*grid_), {begin, end, groups, body}, {scratch},
        [&](auto& source) { return hand_out(source, run, visitor); });
}

template <std::size_t Dim>
Found RowGrid<Dim>::visit_pairs(PairVisitor visitor, std::uint32_t groups, Body body) const {
    std::array<std::uint32_t, RangeScratch<Dim>::kWords> scratch;
    std::array<Id, kLongestRun> first, second;
    return parts().visit_pairs(0, state_->slices.count(), scratch, {first, second}, visitor, groups,
                               body);
}

template <std::size_t Dim>
Found GridParts<Dim>::visit_pairs(const RowGrid<Dim>& others, std::size_t begin, std::size_t end,
                                  std::span<std::uint32_t> scratch, const PairsBuffer& run,
                                  IndexPairVisitor visitor, std::uint32_t groups, Body body) const {
    const Found refused = GridState<Dim>::PairCalls::no_room_for(run);
    if (!refused.status.ok()) { return refused; }
    return GridState<Dim>::PairCalls::ask(
        detail::state_of(*grid_), detail::state_of(others), {begin, end, groups, body}, {scratch},
        [&](auto& source) { return hand_out(source, run, visitor); });
}

template <std::size_t Dim>
Found GridParts<Dim>::count_pairs(std::size_t begin, std::size_t end, std::uint32_t groups,
                                  Body body) const {
    const typename GridState<Dim>::PairCalls::Question asked = {begin, end, groups, body};
    const GridState<Dim>& state = detail::state_of(*grid_);
    const AccessCheck::Reading reading(state.access);
    const Status status = GridState<Dim>::PairCalls::check(state, asked);
    if (!status.ok() || groups == 0 || state.count == 0) { return {0, status}; }
    return Found::of(GridState<Dim>::PairCalls::within(state, asked).count_rest());
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Found GridParts<Dim>::pairs(std::size_t, std::size_t, std::span<std::uint32_t>,       \
                                         const PairsBuffer&, std::uint32_t, Body) const;           \
    template Found GridParts<Dim>::pairs(const RowGrid<Dim>&, std::size_t, std::size_t,            \
                                         std::span<std::uint32_t>, const PairsBuffer&,             \
                                         std::uint32_t, Body) const;                               \
    template Found GridParts<Dim>::visit_pairs(std::size_t, std::size_t, std::span<std::uint32_t>, \
                                               const PairsBuffer&, IndexPairVisitor,               \
                                               std::uint32_t, Body) const;                         \
    template Found GridParts<Dim>::visit_pairs(const RowGrid<Dim>&, std::size_t, std::size_t,      \
                                               std::span<std::uint32_t>, const PairsBuffer&,       \
                                               IndexPairVisitor, std::uint32_t, Body) const;       \
    template Found RowGrid<Dim>::visit_pairs(PairVisitor, std::uint32_t, Body) const;              \
    template Found GridParts<Dim>::count_pairs(std::size_t, std::size_t, std::uint32_t, Body) const;
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
