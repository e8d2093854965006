// The nearest to every agent.
#include "batch.hpp"

#include "nearest_output.hpp"

#include <algorithm>

namespace throng {

template <std::size_t Dim>
struct Batch<Dim>::State::NearestOfEveryone {
    State& state;
    const Everyone<Dim>& everyone;
    const NearestNeighbours& nearest;
    Order order;

    Found list(const NearBuffer& out) const {
        Status status = everyone.refused;
        if (status.ok()) { status = check_room(nearest.k, everyone.answers, out); }
        if (!status.ok()) { return {0, status}; }
        if (order == Order::storage) {
            state.count_before(everyone);
        } else if (everyone.answers != everyone.agents()) { // there are ids that no agent has
            std::fill_n(out.nearest.data(), everyone.answers * nearest.k, Near{});
            std::fill_n(out.counts.data(), everyone.answers, 0u);
        }
        return state.add_up(everyone.blocks(), [&](std::size_t block, OutputPart& part) {
            if (order == Order::storage) {
                const std::uint64_t first = state.before[block];
                return everyone.nearest_neighbours(
                    nearest, block, part,
                    NearestOutput::part_of(out, nearest.k, first, state.before[block + 1] - first));
            }
            everyone.note_askers(block, part);
            const std::uint64_t found = everyone.nearest_neighbours(
                nearest, block, part, NearestOutput::aside(part, nearest.k));
            NearestOutput::scatter(part, nearest.k, out);
            return found;
        });
    }
    Status list(NearHits& hits) const {
        return NearestOutput::fill(hits, nearest.k, everyone.answers,
                                   [&](const NearBuffer& out) { return list(out); });
    }
};

template <std::size_t Dim>
Status Batch<Dim>::nearest_neighbours_of(const Parties& parties, const NearestNeighbours& nearest,
                                         NearHits& hits) {
    return state_->ask_everyone(
        "Batch::nearest_neighbours", parties, check_nearest(nearest.k, nearest.radius),
        [&](const Everyone<Dim>& everyone) {
            return
                typename State::NearestOfEveryone{*state_, everyone, nearest, parties.order}.list(
                    hits);
        });
}
template <std::size_t Dim>
Found Batch<Dim>::nearest_neighbours_of(const Parties& parties, const NearestNeighbours& nearest,
                                        const NearBuffer& out) {
    return state_->ask_everyone(
        "Batch::nearest_neighbours", parties, check_nearest(nearest.k, nearest.radius),
        [&](const Everyone<Dim>& everyone) {
            return
                typename State::NearestOfEveryone{*state_, everyone, nearest, parties.order}.list(
                    out);
        });
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Status Batch<Dim>::nearest_neighbours_of(const Parties&, const NearestNeighbours&,    \
                                                      NearHits&);                                  \
    template Found Batch<Dim>::nearest_neighbours_of(const Parties&, const NearestNeighbours&,     \
                                                     const NearBuffer&);
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
