// Who overlaps whom in a crowd, or in two.
#include "batch.hpp"

#include "batch_state.hpp"

namespace throng {

template <std::size_t Dim>
struct Batch<Dim>::Everyone {
    const char* name; // of the call
    State& state;
    const RowGrid<Dim>& grid;
    typename State::Asking asking{name, state, grid};

    /// Where pairs go: arrays that grow, or arrays that do not.
    struct PairsOutput {
        std::span<Id> first, second;
        Pairs* growing = nullptr;

        [[nodiscard]] std::uint64_t room() const noexcept {
            return std::min(first.size(), second.size());
        }
        void grow(std::uint64_t total) {
            if (growing == nullptr || total <= room()) { return; }
            growing->first.resize(total + total / 16);
            growing->second.resize(total + total / 16);
            first = growing->first;
            second = growing->second;
        }
        /// As much of a part as there is room for.
        void put(const JoinedPart& part) const noexcept {
            if (part.begin >= room()) { return; }
            const std::uint64_t fit = std::min(part.length, room() - part.begin);
            std::copy_n(part.firsts.data(), fit, first.data() + part.begin);
            std::copy_n(part.ids.data(), fit, second.data() + part.begin);
        }
    };

    /// Makes the pairs of a slice in the part's own arrays, which grow until all fit.
    template <class Ask>
    static void pairs_aside(std::size_t slice, JoinedPart& part, const Ask& ask) {
        const std::span<std::uint32_t> scratch = State::scratch(part);
        const auto fits = [&] {
            part.length = State::checked(ask(slice, scratch, PairsBuffer{part.firsts, part.ids}));
            return part.length <= std::min(part.firsts.size(), part.ids.size());
        };
        while (!fits()) {
            // With room to spare: a packet of agents that might not fit is asked one by one.
            const std::uint64_t more = part.length + std::max<std::uint64_t>(part.length / 4, 4096);
            part.firsts.resize(std::max<std::uint64_t>(more, part.firsts.size()));
            part.ids.resize(std::max<std::uint64_t>(more, part.ids.size()));
        }
    }

    /// `ask` is RowGrid::pairs_range, for one slice.
    template <class Ask>
    Found pairs(const Ask& ask, PairsOutput& out) const {
        return State::refusable([&]() -> Found {
            const auto work = [&](std::size_t slice, JoinedPart& part,
                                  std::optional<std::uint64_t>) {
                if (out.growing == nullptr && part.begin >= out.room()) {
                    // There is no room for these, however many: only count.
                    part.length = State::checked(ask(slice, State::scratch(part), PairsBuffer{}));
                    return;
                }
                pairs_aside(slice, part, ask);
            };
            const auto place = [&](const JoinedPart& part) {
                if (out.growing != nullptr && part.begin + part.length > out.room()) {
                    return false;
                }
                out.put(part);
                return true;
            };
            Status status = state.loop.run(*state.executor, grid.slices(), work, place);
            if (!status.ok()) { return {0, status}; }
            out.grow(state.loop.total());
            status = state.loop.run_kept(*state.executor,
                                         [&](const JoinedPart& part) { out.put(part); });
            return {state.loop.total(), status};
        });
    }
    template <class Ask>
    Status pairs(const Ask& ask, Pairs& all) const {
        Pairs filling;
        std::swap(filling, all); // what is half done is not left to be read
        PairsOutput out = {filling.first, filling.second, &filling};
        const Found found = pairs(ask, out);
        filling.count = found.status.ok() ? found.count : 0;
        std::swap(filling, all);
        return found.status;
    }
    template <class Ask>
    Found pairs(const Ask& ask, const PairsBuffer& buffer) const {
        PairsOutput out = {buffer.first, buffer.second};
        return pairs(ask, out);
    }

    /// `ask` is RowGrid::visit_pairs_range, for one slice.
    template <class Ask>
    Found visit_pairs(const Ask& ask, PairVisitor visitor) const {
        constexpr std::size_t kRun = 8192;
        return State::refusable([&]() -> Found {
            std::atomic<bool> stopped = false;
            return state.add_up(
                grid.slices(), [&](std::size_t slice, JoinedPart& part) -> std::uint64_t {
                    if (stopped.load(std::memory_order_relaxed)) { return 0; }
                    part.firsts.resize(std::max(kRun, part.firsts.size()));
                    part.ids.resize(std::max(kRun, part.ids.size()));
                    const std::span<Id> firsts(part.firsts.data(), kRun);
                    const std::span<Id> seconds(part.ids.data(), kRun);
                    const auto hand_on = [&](std::span<const Id> first,
                                             std::span<const Id> second) {
                        const bool go_on = visitor(slice, first, second);
                        if (!go_on) { stopped.store(true, std::memory_order_relaxed); }
                        return go_on;
                    };
                    return State::checked(
                        ask(slice, State::scratch(part), PairsBuffer{firsts, seconds}, hand_on));
                });
        });
    }

    /// RowGrid::pairs_range and visit_pairs_range as the above want them: within the crowd, or with
    /// others.
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
Status Batch<Dim>::pairs(const RowGrid<Dim>& grid, Pairs& pairs, std::uint32_t groups) {
    const Everyone everyone{"Batch::pairs", *state_, grid};
    return everyone.pairs(everyone.within(groups), pairs);
}
template <std::size_t Dim>
Found Batch<Dim>::pairs(const RowGrid<Dim>& grid, const PairsBuffer& out, std::uint32_t groups) {
    const Everyone everyone{"Batch::pairs", *state_, grid};
    return everyone.pairs(everyone.within(groups), out);
}
template <std::size_t Dim>
Found Batch<Dim>::count_pairs(const RowGrid<Dim>& grid, std::uint32_t groups) {
    [[maybe_unused]] const typename State::Asking asking("Batch::count_pairs", *state_, grid);
    return State::refusable([&] {
        return state_->add_up(grid.slices(), [&](std::size_t slice, JoinedPart&) {
            return State::checked(grid.count_pairs_range(slice, slice + 1, groups));
        });
    });
}
template <std::size_t Dim>
Found Batch<Dim>::visit_pairs(const RowGrid<Dim>& grid, PairVisitor visitor, std::uint32_t groups) {
    const Everyone everyone{"Batch::visit_pairs", *state_, grid};
    return everyone.visit_pairs(everyone.visit_within(groups), visitor);
}
template <std::size_t Dim>
Status Batch<Dim>::pairs(const RowGrid<Dim>& grid, const RowGrid<Dim>& others, Pairs& pairs,
                         std::uint32_t groups) {
    const Everyone everyone{"Batch::pairs", *state_, grid};
    return everyone.pairs(everyone.with(others, groups), pairs);
}
template <std::size_t Dim>
Found Batch<Dim>::pairs(const RowGrid<Dim>& grid, const RowGrid<Dim>& others,
                        const PairsBuffer& out, std::uint32_t groups) {
    const Everyone everyone{"Batch::pairs", *state_, grid};
    return everyone.pairs(everyone.with(others, groups), out);
}
template <std::size_t Dim>
Found Batch<Dim>::visit_pairs(const RowGrid<Dim>& grid, const RowGrid<Dim>& others,
                              PairVisitor visitor, std::uint32_t groups) {
    const Everyone everyone{"Batch::visit_pairs", *state_, grid};
    return everyone.visit_pairs(everyone.visit_with(others, groups), visitor);
}

#define THRONG_FOR_DIM(Dim)                                                                        \
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
