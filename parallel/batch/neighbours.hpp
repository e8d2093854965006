// Lists and counts of the neighbours of all askers. Internal.
#pragma once

#include "state.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
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
            askers.prepare(neighbourhood);
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
        return refusable([&] {
            askers.prepare(neighbourhood);
            if (order == Order::storage) {
                state.count_before(askers);
            } else {
                std::fill_n(counts.data(), askers.answers, 0u); // ids that no agent has keep 0
            }
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

} // namespace throng
