// Who is nearest to everyone, in a crowd or in several grids.
#include "batch.hpp"

#include "batch_among.hpp"

namespace throng {

template <std::size_t Dim>
struct Batch<Dim>::NearestOfEveryone : Among {
    const NearestNeighbours& nearest;

    using Among::answers;
    using Among::blocks;
    using Among::only;
    using Among::others;
    using Among::refused;
    using Among::slice;
    using Among::state;
    using typename Among::Slice;

    NearestOfEveryone(State& borrowed, Grids who, Grids whom, const NearestNeighbours& asked,
                      Order order)
        : Among("Batch::nearest_neighbours", borrowed, who, whom, order), nearest(asked) {}

    /// What one grid says to a slice.
    std::uint64_t answer_of(const NamedGrid<Dim>& other, const Slice& asking, JoinedPart& part,
                            const NearBuffer& to) const {
        const std::size_t s = asking.number;
        if (other.grid == asking.asker.grid) {
            return State::checked(other.grid->nearest_neighbours_range(
                nearest, s, s + 1, State::nearest_scratch(part), to));
        }
        const auto points = Among::points(asking, part);
        return State::checked(other.grid->nearest_range(points, {nearest.k, nearest.radius}, 0,
                                                        points.size(), State::nearest_scratch(part),
                                                        to, Filter{nearest.groups}));
    }

    /// What all grids say.
    std::uint64_t answer(const Slice& asking, JoinedPart& part, const NearBuffer& to) const {
        if (only() != nullptr) { return answer_of(*only(), asking, part, to); }
        const std::size_t agents = asking.agents();
        part.found_nearest.resize(others.size() * agents * nearest.k);
        part.found.resize(std::max(others.size() * agents, part.found.size()));
        const NearBuffer found = {part.found_nearest,
                                  std::span(part.found).first(others.size() * agents)};
        for (std::size_t g = 0; g < others.size(); ++g) {
            (void)answer_of(others[g], asking, part,
                            NearPlaces::part_of(found, nearest.k, g * agents, agents));
        }
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < agents; ++i) {
            to.counts[i] = choose(found, agents, i, to.nearest.subspan(i * nearest.k, nearest.k));
            sum += to.counts[i];
        }
        return sum;
    }

    /// The nearest of those that the grids have found for agent i. Returns how many.
    std::uint32_t choose(const NearBuffer& found, std::size_t agents, std::size_t i,
                         std::span<Near> out) const noexcept {
        std::array<std::uint32_t, kMostGrids> taken{};
        const auto next = [&](std::size_t g) {
            const std::size_t question = g * agents + i;
            return taken[g] < found.counts[question]
                       ? found.nearest[question * nearest.k + taken[g]]
                       : Near{};
        };
        std::uint32_t count = 0;
        while (count < nearest.k) {
            std::size_t best = others.size();
            Near chosen;
            for (std::size_t g = 0; g < others.size(); ++g) {
                const Near near = next(g);
                if (near.distance2 < chosen.distance2) {
                    best = g;
                    chosen = near;
                }
            }
            if (best == others.size()) { break; }
            ++taken[best];
            out[count++] = {chosen.distance2, others[best].name_of(chosen.id)};
        }
        std::fill(out.begin() + count, out.end(), Near{});
        return count;
    }

    Found list(const NearBuffer& out, Order order) const {
        Status status = refused;
        if (status.ok()) { status = check_nearest(nearest.k, nearest.radius); }
        if (status.ok()) { status = check_room(nearest.k, answers, out); }
        if (!status.ok()) { return {0, status}; }
        if (order == Order::storage) {
            Among::count_before();
            return state.add_up(blocks(), [&](std::size_t block, JoinedPart& part) {
                const std::uint64_t first = state.before[block];
                return answer(
                    slice(block), part,
                    NearPlaces::part_of(out, nearest.k, first, state.before[block + 1] - first));
            });
        }
        if (answers != Among::agents()) { // there are ids that nobody has
            std::fill_n(out.nearest.data(), answers * nearest.k, Near{});
            std::fill_n(out.counts.data(), answers, 0u);
        }
        return state.add_up(blocks(), [&](std::size_t block, JoinedPart& part) {
            const Slice asking = slice(block);
            Among::note_askers(asking, part);
            const std::uint64_t found = answer(asking, part, NearPlaces::aside(part, nearest.k));
            NearPlaces::strew(part, nearest.k, out);
            return found;
        });
    }
};

template <std::size_t Dim>
Status Batch<Dim>::nearest_neighbours(Grids askers, Grids others, const NearestNeighbours& nearest,
                                      NearHits& hits, Order order) {
    const NearestOfEveryone all(*state_, askers, others, nearest, order);
    return NearPlaces::fill(hits, nearest.k, all.answers,
                            [&](const NearBuffer& out) { return all.list(out, order); });
}
template <std::size_t Dim>
Found Batch<Dim>::nearest_neighbours(Grids askers, Grids others, const NearestNeighbours& nearest,
                                     const NearBuffer& out, Order order) {
    return NearestOfEveryone(*state_, askers, others, nearest, order).list(out, order);
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Status Batch<Dim>::nearest_neighbours(Grids, Grids, const NearestNeighbours&,         \
                                                   NearHits&, Order);                              \
    template Found Batch<Dim>::nearest_neighbours(Grids, Grids, const NearestNeighbours&,          \
                                                  const NearBuffer&, Order);
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
