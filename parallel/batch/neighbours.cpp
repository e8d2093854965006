// Finds the neighbours of every agent.
#include "batch.hpp"

#include "../../engine/answers/nearest_checks.hpp"
#include "state.hpp"

#include <algorithm>
#include <utility>

namespace throng {

/// The neighbours of all askers, laid end to end.
template <std::size_t Dim>
struct Batch<Dim>::State::Neighbours {
    State& state;
    Askers<Dim>& askers;
    const Neighbourhood& neighbourhood;
    Order order;

    /// A rough cost: it only decides how many threads to use.
    [[nodiscard]] LoopCost cost() const noexcept { return LoopCost::of(askers.agents(), 10.0); }

    Found list(HitsPlaces& out) const {
        return refusable([&] {
            if (neighbourhood.later_only) { askers.prepare_later(); }
            const auto answer = [&](std::size_t block, OutputPart& part, const HitsBuffer& buffer) {
                return askers.neighbours(neighbourhood, block, part, buffer);
            };
            if (order == Order::ids) {
                const auto prepare = [&](std::size_t block, OutputPart& part) {
                    askers.note_askers(block, part);
                };
                return state.join_scattered(askers.blocks(), cost(), prepare, answer, out);
            }
            state.count_before(askers);
            const auto questions = [&](std::size_t block) {
                return std::pair(state.before[block],
                                 state.before[block + 1] - state.before[block]);
            };
            return state.join(askers.blocks(), cost(), answer, questions, out);
        });
    }
    Found list(const HitsOutput& out) const {
        if (out.growing == nullptr && !askers.refused.ok()) { return {0, askers.refused}; }
        return fill(out, askers.answers, [&](HitsPlaces& places) {
            return askers.refused.ok() ? list(places) : Found{0, askers.refused};
        });
    }

    Found tally(std::span<std::uint32_t> counts) const {
        if (!askers.refused.ok()) { return {0, askers.refused}; }
        if (counts.size() < askers.answers) { return {0, {Cause::no_room, Argument::counts}}; }
        if (order == Order::storage) {
            state.count_before(askers);
        } else {
            std::fill_n(counts.data(), askers.answers, 0u); // ids that no agent has keep 0
        }
        return refusable([&] {
            if (neighbourhood.later_only) { askers.prepare_later(); }
            return state.add_up(askers.blocks(), cost(), [&](std::size_t block, OutputPart& part) {
                if (order == Order::storage) {
                    const std::uint64_t first = state.before[block];
                    return askers.count_neighbours(
                        neighbourhood, block, part,
                        counts.subspan(first, state.before[block + 1] - first));
                }
                askers.note_askers(block, part);
                part.counts.resize(part.askers.size());
                const std::uint64_t sum =
                    askers.count_neighbours(neighbourhood, block, part, part.counts);
                scatter_counts(part, counts);
                return sum;
            });
        });
    }
};

template <std::size_t Dim>
std::size_t Batch<Dim>::answers(const Asked<Dim>& all, Order order) noexcept {
    const auto of = [&](const auto& agents) {
        return order == Order::storage ? agents.size() : agents.id_bound();
    };
    return all.crowd != nullptr ? of(*all.crowd) : of(*all.grid);
}

template <std::size_t Dim>
Found Batch<Dim>::neighbours(const Asking<Dim>& asking, const Neighbourhood& neighbourhood,
                             const HitsOutput& out, Order order) {
    return state_->ask_all(
        "Batch::neighbours", asking, order, check_neighbourhood(neighbourhood),
        [&](Askers<Dim>& askers) {
            return typename State::Neighbours{*state_, askers, neighbourhood, order}.list(out);
        });
}
template <std::size_t Dim>
Found Batch<Dim>::count_neighbours(const Asking<Dim>& asking, const Neighbourhood& neighbourhood,
                                   std::span<std::uint32_t> counts, Order order) {
    return state_->ask_all(
        "Batch::count_neighbours", asking, order, check_neighbourhood(neighbourhood),
        [&](Askers<Dim>& askers) {
            return typename State::Neighbours{*state_, askers, neighbourhood, order}.tally(counts);
        });
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template std::size_t Batch<Dim>::answers(const Asked<Dim>&, Order) noexcept;                   \
    template Found Batch<Dim>::neighbours(const Asking<Dim>&, const Neighbourhood&,                \
                                          const HitsOutput&, Order);                               \
    template Found Batch<Dim>::count_neighbours(const Asking<Dim>&, const Neighbourhood&,          \
                                                std::span<std::uint32_t>, Order);
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
