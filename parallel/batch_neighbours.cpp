// Who is near whom, in a crowd or in several grids.
#include "batch.hpp"

#include "batch_among.hpp"

#include <functional>

namespace throng {

template <std::size_t Dim>
struct Batch<Dim>::Neighbours : Among {
    const Neighbourhood& neighbourhood;

    using Among::answers;
    using Among::blocks;
    using Among::note_askers;
    using Among::only;
    using Among::others;
    using Among::refused;
    using Among::slice;
    using Among::state;
    using typename Among::Slice;

    Neighbours(const char* name, State& borrowed, Grids who, Grids whom, const Neighbourhood& asked,
               Order order)
        : Among(name, borrowed, who, whom, order), neighbourhood(asked) {}

    /// What one grid says to a slice.
    std::uint64_t answer_of(const NamedGrid<Dim>& other, const Slice& asking, JoinedPart& part,
                            const HitsBuffer& buffer) const {
        const std::size_t s = asking.number;
        if (other.grid == asking.asker.grid) {
            return State::checked(other.grid->neighbours_range(neighbourhood, s, s + 1,
                                                               State::scratch(part), buffer));
        }
        const auto balls = Among::balls(asking, part, neighbourhood.radius);
        return State::checked(other.grid->query_range(balls, 0, balls.size(), State::scratch(part),
                                                      buffer, Filter{neighbourhood.groups}));
    }
    std::uint64_t count_of(const NamedGrid<Dim>& other, const Slice& asking, JoinedPart& part,
                           std::span<std::uint32_t> counts) const {
        const std::size_t s = asking.number;
        if (other.grid == asking.asker.grid) {
            return State::checked(other.grid->count_neighbours_range(neighbourhood, s, s + 1,
                                                                     State::scratch(part), counts));
        }
        const auto balls = Among::balls(asking, part, neighbourhood.radius);
        return State::checked(other.grid->count_range(balls, 0, balls.size(), State::scratch(part),
                                                      counts, Filter{neighbourhood.groups}));
    }

    /// What all grids say, like a range call.
    std::uint64_t answer(std::size_t block, JoinedPart& part, const HitsBuffer& buffer) const {
        const Slice asking = slice(block);
        check_radius();
        if (only() != nullptr) { return answer_of(*only(), asking, part, buffer); }
        const std::size_t offsets = asking.agents() + 1;
        part.found_offsets.resize(others.size() * offsets);
        std::uint64_t used = 0;
        for (std::size_t g = 0; g < others.size(); ++g) {
            const std::span<std::uint64_t> of_grid =
                std::span(part.found_offsets).subspan(g * offsets, offsets);
            const auto fits = [&] {
                const std::uint64_t found =
                    answer_of(others[g], asking, part, {of_grid, part.found, used});
                if (used + found > part.found.size()) {
                    part.found.resize(used + found + found / 4);
                    return false;
                }
                used += found;
                return true;
            };
            while (!fits()) {}
        }
        return put_together(part, offsets - 1, buffer);
    }

    /// Each agent's answers, one grid's behind another's, by their names. Writes what there is room
    /// for, and returns how many there are.
    std::uint64_t put_together(const JoinedPart& part, std::size_t agents,
                               const HitsBuffer& buffer) const {
        std::uint64_t end = buffer.used;
        buffer.offsets[0] = end;
        for (std::size_t i = 0; i < agents; ++i) {
            for (std::size_t g = 0; g < others.size(); ++g) {
                const std::uint64_t* const at = &part.found_offsets[g * (agents + 1) + i];
                const std::uint64_t room = buffer.ids.size() - std::min(end, buffer.ids.size());
                const Id* const from = part.found.data() + at[0];
                std::transform(from, from + std::min(at[1] - at[0], room),
                               buffer.ids.data() + (room == 0 ? 0 : end),
                               [&](Id id) { return others[g].name_of(id); });
                end += at[1] - at[0];
            }
            buffer.offsets[i + 1] = end;
        }
        return end - buffer.used;
    }

    std::uint64_t count(const Slice& asking, JoinedPart& part,
                        std::span<std::uint32_t> counts) const {
        check_radius();
        std::fill(counts.begin(), counts.end(), 0u);
        std::uint64_t sum = 0;
        for (const NamedGrid<Dim>& other : others) {
            if (&other == others.data()) {
                sum += count_of(other, asking, part, counts);
                continue;
            }
            part.found.resize(std::max(counts.size(), part.found.size()));
            const std::span<std::uint32_t> more(part.found.data(), counts.size());
            sum += count_of(other, asking, part, more);
            std::transform(more.begin(), more.end(), counts.begin(), counts.begin(), std::plus<>());
        }
        return sum;
    }

    /// A range call about balls would speak of balls.
    void check_radius() const {
        const Status status = check_shape(Ball<Dim>{{}, neighbourhood.radius});
        if (!status.ok()) { throw Refused{{status.cause, Argument::radius}}; }
    }

    Found list(HitsOutput& out, Order order) const {
        return State::refusable([&] {
            const auto answers_to = [&](std::size_t block, JoinedPart& part,
                                        const HitsBuffer& buffer) {
                return answer(block, part, buffer);
            };
            if (order == Order::ids) {
                const auto prepare = [&](std::size_t block, JoinedPart& part) {
                    note_askers(slice(block), part);
                };
                return state.join_scattered(blocks(), prepare, answers_to, out);
            }
            Among::count_before();
            const auto questions = [&](std::size_t block) {
                return std::pair(state.before[block],
                                 state.before[block + 1] - state.before[block]);
            };
            return state.join(blocks(), answers_to, questions, out);
        });
    }

    Status list(Hits& hits, Order order) const {
        return fill_hits(hits, answers, [&](HitsOutput& out) {
            return refused.ok() ? list(out, order).status : refused;
        });
    }

    Found list(const HitsBuffer& buffer, Order order) const {
        if (!refused.ok() || (answers == 0 && buffer.offsets.empty())) { return {0, refused}; }
        if (buffer.offsets.size() <= answers) { return {0, {Cause::no_room, Argument::offsets}}; }
        HitsOutput out = {buffer.offsets.first(answers + 1), buffer.ids};
        return list(out, order);
    }

    Found tally(std::span<std::uint32_t> counts, Order order) const {
        if (!refused.ok()) { return {0, refused}; }
        if (counts.size() < answers) { return {0, {Cause::no_room, Argument::counts}}; }
        if (order == Order::storage) {
            Among::count_before();
        } else {
            std::fill_n(counts.data(), answers, 0u); // ids that nobody has
        }
        return State::refusable([&] {
            return state.add_up(blocks(), [&](std::size_t block, JoinedPart& part) {
                const Slice asking = slice(block);
                if (order == Order::storage) {
                    const std::uint64_t first = state.before[block];
                    return count(asking, part,
                                 counts.subspan(first, state.before[block + 1] - first));
                }
                note_askers(asking, part);
                part.counts.resize(part.askers.size());
                const std::uint64_t sum = count(asking, part, part.counts);
                for (std::size_t i = 0; i < part.askers.size(); ++i) {
                    counts[part.askers[i]] = part.counts[i];
                }
                return sum;
            });
        });
    }
};

template <std::size_t Dim>
Status Batch<Dim>::neighbours(Grids askers, Grids others, const Neighbourhood& neighbourhood,
                              Hits& hits, Order order) {
    return Neighbours("Batch::neighbours", *state_, askers, others, neighbourhood, order)
        .list(hits, order);
}
template <std::size_t Dim>
Found Batch<Dim>::neighbours(Grids askers, Grids others, const Neighbourhood& neighbourhood,
                             const HitsBuffer& out, Order order) {
    return Neighbours("Batch::neighbours", *state_, askers, others, neighbourhood, order)
        .list(out, order);
}
template <std::size_t Dim>
Found Batch<Dim>::count_neighbours(Grids askers, Grids others, const Neighbourhood& neighbourhood,
                                   std::span<std::uint32_t> counts, Order order) {
    return Neighbours("Batch::count_neighbours", *state_, askers, others, neighbourhood, order)
        .tally(counts, order);
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Status Batch<Dim>::neighbours(Grids, Grids, const Neighbourhood&, Hits&, Order);      \
    template Found Batch<Dim>::neighbours(Grids, Grids, const Neighbourhood&, const HitsBuffer&,   \
                                          Order);                                                  \
    template Found Batch<Dim>::count_neighbours(Grids, Grids, const Neighbourhood&,                \
                                                std::span<std::uint32_t>, Order);
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
