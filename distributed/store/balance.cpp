#include "balance.hpp"

#include "../../engine/grid/grid_parts.hpp"
#include "../sum_over_ranks.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

namespace throng {

/// An agent's work is its number of neighbours and a constant. Neighbours within the reach are
/// counted, not estimated, so cuts do not depend on who owns the agents.
template <std::size_t Dim>
Status Balance<Dim>::count_neighbours() {
    const Crowd<Dim>& crowd = state_.part.crowd();
    state_.counts.resize(crowd.id_bound());
    return state_.batch_on(executor_)
        .count_neighbours({crowd, Sets::agents}, {state_.reach},
                          std::span<std::uint32_t>(state_.counts), Order::ids)
        .status;
}

template <std::size_t Dim>
Status Balance<Dim>::weigh() {
    if (!state_.configured) { return {Cause::not_configured}; }
    if (const Status status = state_.allow(executor_); !status.ok()) { return status; }
    if (!given_.empty() && given_.size() != state_.owned) {
        return {Cause::count_mismatch, Argument::counts};
    }
    words_.resize(std::size_t{2} * state_.ranks.size());
    if (given_.empty()) {
        if (const Status status = count_neighbours(); !status.ok()) { return status; }
    }
    const auto weigh = [&](Id id, Id name, const Point<Dim>& place) {
        if (id >= state_.owned) { return; }
        const std::array<std::uint32_t, Dim> at = state_.cell_of(place);
        if (cells_.empty() || cells_.back().at != at) { cells_.push_back({at, 0, {}}); }
        const std::uint64_t work =
            given_.empty() ? kWorkOfAgent + state_.counts[name] : std::uint64_t{given_[id]};
        cells_.back().load += {work, 1};
    };
    for_each_place(state_.part, weigh);
    return {};
}

/// Adds up the loads of all ranks.
template <std::size_t Dim>
Status Balance<Dim>::add_up() {
    Load here;
    for (const Cell& cell : cells_) {
        here += cell.load;
    }
    const std::array<std::uint64_t, 2> own = {here.work, here.agents};
    const Status gathered = or_lost([&] { return state_.ranks.gather(own, words_); });
    if (!gathered.ok()) { return gathered; }
    for (std::size_t i = 0; i < words_.size(); i += 2) {
        all_ += {words_[i], words_[i + 1]};
        largest_ = std::max(largest_, words_[i]);
    }
    return {};
}

/// Writes the load of this rank in each line of the level.
template <std::size_t Dim>
void Balance<Dim>::fill(const Bisection<Dim>& bisection) {
    words_.assign(2 * bisection.lines(), 0);
    const auto parts = bisection.parts();
    for (const Cell& cell : cells_) {
        if (cell.part == Bisection<Dim>::kNone) { continue; }
        const auto& part = parts[cell.part];
        const std::size_t line = part.lines + cell.at[part.axis] - part.brick.first[part.axis];
        words_[2 * line] += cell.load.work;
        words_[2 * line + 1] += cell.load.agents;
    }
}

template <std::size_t Dim>
void Balance<Dim>::descend(std::span<const typename Bisection<Dim>::Part> parts) {
    for (Cell& cell : cells_) {
        if (cell.part == Bisection<Dim>::kNone) { continue; }
        const auto& part = parts[cell.part];
        cell.part = part.halves[cell.at[part.axis] < part.past ? 0 : 1];
    }
}

template <std::size_t Dim>
std::uint64_t Balance<Dim>::most_agents() const noexcept {
    const std::uint64_t ranks = state_.ranks.size();
    const std::uint64_t mean = (all_.agents + ranks - 1) / ranks;
    const double most = static_cast<double>(state_.most_agents) * static_cast<double>(mean);
    return static_cast<std::uint64_t>(
        std::min(most, static_cast<double>(Bisection<Dim>::kAnyNumber)));
}

/// The extra work to count for each agent. If the sum of work and extra is equal on all ranks, a
/// rank whose agents are as light as the fullest rank's stays within the limit. Without the extra,
/// an early cut can leave a part of the world too few ranks, and no later cut can mend that.
template <std::size_t Dim>
std::uint64_t Balance<Dim>::more_for_limit() const noexcept {
    constexpr double kMost = 1000.0; // times the mean work: then only the number of agents counts
    const double mean = static_cast<double>(all_.work) / static_cast<double>(all_.agents);
    const double least = static_cast<double>(fullest_.work) / static_cast<double>(fullest_.agents);
    const double limit = state_.most_agents;
    const double more = limit > 1.0 ? (mean - limit * least) / (limit - 1.0) : kMost * mean;
    return static_cast<std::uint64_t>(std::clamp(more, 0.0, kMost * mean)) + 1;
}

/// All ranks run the same number of levels, even one that has no memory to cut.
template <std::size_t Dim>
Status Balance<Dim>::cut(std::uint64_t most, std::uint64_t more) {
    const std::uint32_t ranks = state_.ranks.size();
    const auto levels = static_cast<unsigned>(std::bit_width(ranks - 1));
    // No sum may exceed 2^40. Computed in doubles, since the sum of both may not fit 64 bits.
    int bits = 0;
    (void)std::frexp(static_cast<double>(all_.work) +
                         static_cast<double>(more) * static_cast<double>(all_.agents),
                     &bits);
    const int shift = std::max(0, bits - 40);
    std::unique_ptr<Bisection<Dim>> bisection;
    std::vector<Load> loads;
    Status own = without_throwing([&] {
        bisection = std::make_unique<Bisection<Dim>>(state_.whole, ranks);
        return Status{};
    });
    for (Cell& cell : cells_) {
        cell.part = 0;
    }
    SumOverRanks sum(state_.ranks);
    for (unsigned level = 0; level < levels; ++level) {
        if (own.ok()) {
            own = without_throwing([&] {
                fill(*bisection);
                return Status{};
            });
        }
        own = sum.add(own, words_);
        if (own.cause == Cause::rank_lost) { return own; }
        if (!own.ok()) { continue; }
        own = without_throwing([&] {
            loads.resize(bisection->lines());
            for (std::size_t line = 0; line < loads.size(); ++line) {
                loads[line] = {words_[2 * line] >> shift, words_[2 * line + 1]};
            }
            descend(bisection->cut(loads, most, more >> shift));
            return Status{};
        });
    }
    if (!own.ok()) { return own; }
    largest_ = bisection->largest() << shift;
    fullest_ = {bisection->fullest().work << shift, bisection->fullest().agents};
    return without_throwing([&] {
        layout_ = std::make_unique<Layout<Dim>>(bisection->take(), state_.whole, state_.world,
                                                state_.reach, state_.around, state_.ranks.rank());
        return Status{};
    });
}

/// Cuts by work alone; if some rank then has too many agents, cuts once more with the limit.
template <std::size_t Dim>
Status Balance<Dim>::cut_all() {
    const auto settle = [&](const Status& own) {
        return own.cause == Cause::rank_lost
                   ? own
                   : state_.settle(state_.next_call(DistributedCall::balance), own);
    };
    const Status status = settle(cut(Bisection<Dim>::kAnyNumber, 0));
    if (!status.ok() || fullest_.agents <= most_agents()) { return status; }
    return settle(cut(most_agents(), more_for_limit()));
}

template <std::size_t Dim>
Status Balance<Dim>::run(double imbalance) {
    const Status weighed = without_throwing([&] { return weigh(); });
    const Status begun = state_.settle(state_.next_call(DistributedCall::balance), weighed);
    if (!begun.ok()) { return begun; }
    const Status added = add_up();
    if (!added.ok()) { return added; }
    const double mean = static_cast<double>(all_.work) / state_.ranks.size();
    const std::uint64_t before = largest_;
    const auto ratio = [&](std::uint64_t work) {
        return mean > 0.0 ? static_cast<double>(work) / mean : 1.0;
    };
    if (state_.ranks.size() > 1 && ratio(before) > imbalance) {
        if (const Status status = cut_all(); !status.ok()) { return status; }
        const double least = (1.0 - kLeastGain) * static_cast<double>(before);
        if (static_cast<double>(largest_) > least) {
            largest_ = before;
            layout_.reset();
        }
    }
    state_.next_layout = std::move(layout_);
    state_.stats.imbalance = ratio(before);
    state_.stats.next_imbalance = ratio(largest_);
    return {};
}

template class Balance<2>;
template class Balance<3>;

} // namespace throng
