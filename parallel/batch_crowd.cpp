// Who overlaps whom in a crowd, or in two.
#include "batch.hpp"

#include "batch_pairs.hpp"
#include "batch_state.hpp"

namespace throng {

template <std::size_t Dim>
struct Batch<Dim>::Everyone {
    const char* name; // of the call
    State& state;
    const RowGrid<Dim>& grid;
    typename State::Asking asking{name, state, grid};

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
Status Batch<Dim>::pairs(const RowGrid<Dim>& grid, Pairs& pairs, std::uint32_t groups) {
    const Everyone everyone{"Batch::pairs", *state_, grid};
    return everyone.joining().pairs(everyone.within(groups), pairs);
}
template <std::size_t Dim>
Found Batch<Dim>::pairs(const RowGrid<Dim>& grid, const PairsBuffer& out, std::uint32_t groups) {
    const Everyone everyone{"Batch::pairs", *state_, grid};
    return everyone.joining().pairs(everyone.within(groups), out);
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
    return everyone.joining().visit_pairs(everyone.visit_within(groups), visitor);
}
template <std::size_t Dim>
Status Batch<Dim>::pairs(const RowGrid<Dim>& grid, const RowGrid<Dim>& others, Pairs& pairs,
                         std::uint32_t groups) {
    const Everyone everyone{"Batch::pairs", *state_, grid};
    return everyone.joining().pairs(everyone.with(others, groups), pairs);
}
template <std::size_t Dim>
Found Batch<Dim>::pairs(const RowGrid<Dim>& grid, const RowGrid<Dim>& others,
                        const PairsBuffer& out, std::uint32_t groups) {
    const Everyone everyone{"Batch::pairs", *state_, grid};
    return everyone.joining().pairs(everyone.with(others, groups), out);
}
template <std::size_t Dim>
Found Batch<Dim>::visit_pairs(const RowGrid<Dim>& grid, const RowGrid<Dim>& others,
                              PairVisitor visitor, std::uint32_t groups) {
    const Everyone everyone{"Batch::visit_pairs", *state_, grid};
    return everyone.joining().visit_pairs(everyone.visit_with(others, groups), visitor);
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
