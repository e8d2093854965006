// Finds the agents nearest to every agent.
#include "batch.hpp"

#include "nearest_places.hpp"

#include <algorithm>

namespace throng {

template <std::size_t Dim>
struct Batch<Dim>::State::NearestOfAll {
    State& state;
    const Askers<Dim>& askers;
    const NearestNeighbours& nearest;
    Order order;

    Found list(const NearBuffer& out) const {
        Status status = askers.refused;
        if (status.ok()) { status = check_room(nearest.k, askers.answers, out); }
        if (!status.ok()) { return {0, status}; }
        if (order == Order::storage) {
            state.count_before(askers);
        } else if (askers.answers != askers.agents()) { // there are ids that no agent has
            std::fill_n(out.nearest.data(), askers.answers * nearest.k, Near{});
            std::fill_n(out.counts.data(), askers.answers, 0u);
        }
        // A rough cost: it only decides how many threads to use.
        const LoopCost cost = LoopCost::of(askers.agents(), 40.0 + 10.0 * nearest.k);
        return state.add_up(askers.blocks(), cost, [&](std::size_t block, OutputPart& part) {
            if (order == Order::storage) {
                const std::uint64_t first = state.before[block];
                return askers.nearest_neighbours(
                    nearest, block, part,
                    NearestPlaces::part_of(out, nearest.k, first, state.before[block + 1] - first));
            }
            askers.note_askers(block, part);
            const std::uint64_t found = askers.nearest_neighbours(
                nearest, block, part, NearestPlaces::aside(part, nearest.k));
            NearestPlaces::scatter(part, nearest.k, out);
            return found;
        });
    }
    Found list(const NearOutput& out) const {
        return NearestPlaces::fill(out, nearest.k, askers.answers,
                                   [&](const NearBuffer& places) { return list(places); });
    }
};

template <std::size_t Dim>
Found Batch<Dim>::nearest_neighbours(const Asking<Dim>& asking, const NearestNeighbours& nearest,
                                     const NearOutput& out, Order order) {
    return state_->ask_all(
        "Batch::nearest_neighbours", asking, order, check_nearest<Dim>(nearest),
        [&](const Askers<Dim>& askers) {
            return typename State::NearestOfAll{*state_, askers, nearest, order}.list(out);
        });
}

template Found Batch<2>::nearest_neighbours(const Asking<2>&, const NearestNeighbours&,
                                            const NearOutput&, Order);
template Found Batch<3>::nearest_neighbours(const Asking<3>&, const NearestNeighbours&,
                                            const NearOutput&, Order);

} // namespace throng
