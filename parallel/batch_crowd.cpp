// What everyone in a crowd asks: neighbours and pairs.
#include "batch.hpp"

#include "batch_pairs.hpp"
#include "batch_state.hpp"

namespace throng {

template <std::size_t Dim>
struct Batch<Dim>::Everyone {
    State& state;
    const RowGrid<Dim>& grid;
    typename State::Asking asking{state, grid};

    Found neighbours(const Neighbourhood& neighbourhood, HitsOutput& out, Order order) const {
        return State::refusable([&] {
            const auto answer = [&](std::size_t slice, JoinedPart& part, const HitsBuffer& buffer) {
                return State::checked(grid.neighbours_range(neighbourhood, slice, slice + 1,
                                                            State::scratch(part), buffer));
            };
            if (order == Order::ids) {
                const auto prepare = [&](std::size_t slice, JoinedPart& part) {
                    State::note_askers(grid, slice, part);
                };
                return state.join_scattered(grid.slices(), prepare, answer, out);
            }
            state.count_before(grid);
            const auto questions = [&](std::size_t slice) {
                return std::pair(state.before[slice],
                                 state.before[slice + 1] - state.before[slice]);
            };
            return state.join(grid.slices(), answer, questions, out);
        });
    }

    Status neighbours(const Neighbourhood& neighbourhood, Hits& hits, Order order) const {
        return fill_hits(hits, State::answers(grid, order), [&](HitsOutput& out) {
            return neighbours(neighbourhood, out, order).status;
        });
    }

    Found neighbours(const Neighbourhood& neighbourhood, const HitsBuffer& buffer,
                     Order order) const {
        if (State::answers(grid, order) == 0 && buffer.offsets.empty()) { return {}; }
        if (buffer.offsets.size() <= State::answers(grid, order)) {
            return {0, {Cause::no_room, Argument::offsets}};
        }
        HitsOutput out = {buffer.offsets.first(State::answers(grid, order) + 1), buffer.ids};
        return neighbours(neighbourhood, out, order);
    }

    Found count_neighbours(const Neighbourhood& neighbourhood, std::span<std::uint32_t> counts,
                           Order order) const {
        if (counts.size() < State::answers(grid, order)) {
            return {0, {Cause::no_room, Argument::counts}};
        }
        if (order == Order::storage) {
            state.count_before(grid);
        } else {
            std::fill_n(counts.data(), State::answers(grid, order), 0u); // ids that nobody has
        }
        return State::refusable([&] {
            return state.add_up(grid.slices(), [&](std::size_t slice, JoinedPart& part) {
                if (order == Order::storage) {
                    return State::checked(grid.count_neighbours_range(
                        neighbourhood, slice, slice + 1, State::scratch(part),
                        counts.subspan(state.before[slice])));
                }
                State::note_askers(grid, slice, part);
                part.counts.resize(part.askers.size());
                const std::uint64_t sum = State::checked(grid.count_neighbours_range(
                    neighbourhood, slice, slice + 1, State::scratch(part), part.counts));
                for (std::size_t i = 0; i < part.askers.size(); ++i) {
                    counts[part.askers[i]] = part.counts[i];
                }
                return sum;
            });
        });
    }

    [[nodiscard]] JoiningPairs joining() const noexcept { return {state, grid.slices()}; }

    /// RowGrid::pairs_range and visit_pairs_range as JoiningPairs wants them: within the crowd, or
    /// with others.
    [[nodiscard]] auto within(std::uint32_t groups) const noexcept {
        return [this, groups](std::size_t slice, std::span<std::uint32_t> scratch,
                              const PairsBuffer& out) {
            return grid.pairs_range(slice, slice + 1, scratch, out, groups);
        };
    }
    [[nodiscard]] auto with(const RowGrid<Dim>& others, std::uint32_t groups) const noexcept {
        return [this, &others, groups](std::size_t slice, std::span<std::uint32_t> scratch,
                                       const PairsBuffer& out) {
            return grid.pairs_range(others, slice, slice + 1, scratch, out, groups);
        };
    }
    [[nodiscard]] auto visit_within(std::uint32_t groups) const noexcept {
        return [this, groups](std::size_t slice, std::span<std::uint32_t> scratch,
                              const PairsBuffer& run, typename RowGrid<Dim>::PairVisitor visitor) {
            return grid.visit_pairs_range(slice, slice + 1, scratch, run, visitor, groups);
        };
    }
    [[nodiscard]] auto visit_with(const RowGrid<Dim>& others, std::uint32_t groups) const noexcept {
        return [this, &others, groups](std::size_t slice, std::span<std::uint32_t> scratch,
                                       const PairsBuffer& run,
                                       typename RowGrid<Dim>::PairVisitor visitor) {
            return grid.visit_pairs_range(others, slice, slice + 1, scratch, run, visitor, groups);
        };
    }
};

template <std::size_t Dim>
Status Batch<Dim>::neighbours(const RowGrid<Dim>& grid, const Neighbourhood& neighbourhood,
                              Hits& hits, Order order) {
    return Everyone{*state_, grid}.neighbours(neighbourhood, hits, order);
}
template <std::size_t Dim>
Found Batch<Dim>::neighbours(const RowGrid<Dim>& grid, const Neighbourhood& neighbourhood,
                             const HitsBuffer& out, Order order) {
    return Everyone{*state_, grid}.neighbours(neighbourhood, out, order);
}
template <std::size_t Dim>
Found Batch<Dim>::count_neighbours(const RowGrid<Dim>& grid, const Neighbourhood& neighbourhood,
                                   std::span<std::uint32_t> counts, Order order) {
    return Everyone{*state_, grid}.count_neighbours(neighbourhood, counts, order);
}
template <std::size_t Dim>
Status Batch<Dim>::pairs(const RowGrid<Dim>& grid, Pairs& pairs, std::uint32_t groups) {
    const Everyone everyone{*state_, grid};
    return everyone.joining().pairs(everyone.within(groups), pairs);
}
template <std::size_t Dim>
Found Batch<Dim>::pairs(const RowGrid<Dim>& grid, const PairsBuffer& out, std::uint32_t groups) {
    const Everyone everyone{*state_, grid};
    return everyone.joining().pairs(everyone.within(groups), out);
}
template <std::size_t Dim>
Found Batch<Dim>::count_pairs(const RowGrid<Dim>& grid, std::uint32_t groups) {
    [[maybe_unused]] const typename State::Asking asking(*state_, grid);
    return State::refusable([&] {
        return state_->add_up(grid.slices(), [&](std::size_t slice, JoinedPart&) {
            return State::checked(grid.count_pairs_range(slice, slice + 1, groups));
        });
    });
}
template <std::size_t Dim>
Found Batch<Dim>::visit_pairs(const RowGrid<Dim>& grid, PairVisitor visitor, std::uint32_t groups) {
    const Everyone everyone{*state_, grid};
    return everyone.joining().visit_pairs(everyone.visit_within(groups), visitor);
}
template <std::size_t Dim>
Status Batch<Dim>::pairs(const RowGrid<Dim>& grid, const RowGrid<Dim>& others, Pairs& pairs,
                         std::uint32_t groups) {
    const Everyone everyone{*state_, grid};
    return everyone.joining().pairs(everyone.with(others, groups), pairs);
}
template <std::size_t Dim>
Found Batch<Dim>::pairs(const RowGrid<Dim>& grid, const RowGrid<Dim>& others,
                        const PairsBuffer& out, std::uint32_t groups) {
    const Everyone everyone{*state_, grid};
    return everyone.joining().pairs(everyone.with(others, groups), out);
}
template <std::size_t Dim>
Found Batch<Dim>::visit_pairs(const RowGrid<Dim>& grid, const RowGrid<Dim>& others,
                              PairVisitor visitor, std::uint32_t groups) {
    const Everyone everyone{*state_, grid};
    return everyone.joining().visit_pairs(everyone.visit_with(others, groups), visitor);
}

#define THRONG_FOR_DIM(Dim)                                                                        \
    template Status Batch<Dim>::neighbours(const RowGrid<Dim>&, const Neighbourhood&, Hits&,       \
                                           Order);                                                 \
    template Found Batch<Dim>::neighbours(const RowGrid<Dim>&, const Neighbourhood&,               \
                                          const HitsBuffer&, Order);                               \
    template Found Batch<Dim>::count_neighbours(const RowGrid<Dim>&, const Neighbourhood&,         \
                                                std::span<std::uint32_t>, Order);                  \
    template Status Batch<Dim>::pairs(const RowGrid<Dim>&, Pairs&, std::uint32_t);                 \
    template Found Batch<Dim>::pairs(const RowGrid<Dim>&, const PairsBuffer&, std::uint32_t);      \
    template Found Batch<Dim>::count_pairs(const RowGrid<Dim>&, std::uint32_t);                    \
    template Found Batch<Dim>::visit_pairs(const RowGrid<Dim>&, PairVisitor, std::uint32_t);       \
    template Status Batch<Dim>::pairs(const RowGrid<Dim>&, const RowGrid<Dim>&, Pairs&,            \
                                      std::uint32_t);                                              \
    template Found Batch<Dim>::pairs(const RowGrid<Dim>&, const RowGrid<Dim>&, const PairsBuffer&, \
                                     std::uint32_t);                                               \
    template Found Batch<Dim>::visit_pairs(const RowGrid<Dim>&, const RowGrid<Dim>&, PairVisitor,  \
                                           std::uint32_t);
THRONG_FOR_DIM(2)
THRONG_FOR_DIM(3)
#undef THRONG_FOR_DIM

} // namespace throng
