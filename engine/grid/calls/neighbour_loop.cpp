#include "../neighbour_loop.hpp"

#include "../../answers/nearest_checks.hpp"
#include "../../core/profile_scope.hpp"
#include "../../memory/checked_loop.hpp"
#include "../store/state.hpp"
#include "kernel_calls.hpp"
#include "named_grids.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace throng {

namespace {

/// Roughly the time that an agent takes: good enough to choose the number of threads.
constexpr double kNanoseconds = 10.0;

} // namespace

template <std::size_t Dim>
struct NeighbourLoop<Dim>::State {
    Executor* executor;
    LoopClaims claims;
    std::vector<std::uint32_t> rank, start; // simd::RowStarts
    THRONG_NO_UNIQUE_ADDRESS AccessCheck access;

    explicit State(Executor& borrowed) noexcept : executor(&borrowed) {}

    /// For a loop that is destroyed or assigned to: no call may be running on it.
    void expect_idle() noexcept { const AccessCheck::Serving going(access); }

    void count_before(const RowStore<Dim>& store) {
        const std::uint64_t* const words = store.occupied().levels()[0];
        rank.resize((store.rows().size() + 63) / 64);
        std::uint32_t rows = 0;
        for (std::size_t w = 0; w < rank.size(); ++w) {
            rank[w] = rows;
            rows += static_cast<std::uint32_t>(std::popcount(words[w]));
        }
        start.clear();
        start.reserve(rows + 1);
        std::uint32_t agents = 0;
        store.occupied().for_each([&](std::size_t r) {
            start.push_back(agents);
            agents += store.rows()[r].count;
        });
        start.push_back(agents);
    }

    /// What a call holds of a grid while it reads the grid.
    struct Visit {
        THRONG_NO_UNIQUE_ADDRESS AccessCheck::Reading reading;
        const GridState<Dim>& inside;
        const View<Dim>& view;

        explicit Visit(const RowGrid<Dim>& grid) noexcept
            : reading(detail::state_of(grid).access), inside(detail::state_of(grid)),
              view(inside.kernel_view()) {}

        /// The groups that kernels are to test: all of them where the grid has no masks.
        [[nodiscard]] std::uint32_t wanted(std::uint32_t groups) const noexcept {
            return !inside.store.kind().groups && groups != 0 ? kAllGroups : groups;
        }
    };

    /// Makes the checks that all calls share.
    static Status refuse(const Neighbourhood& neighbourhood, Isa isa) noexcept {
        const Status status = check_neighbourhood(neighbourhood);
        if (!status.ok()) { return status; }
        if (!can_run(isa)) { return {Cause::no_such_isa}; }
        return {};
    }

    /// How many agents come before a slot.
    [[nodiscard]] std::uint64_t before(const RowStore<Dim>& store, simd::RowSlot at) const {
        const std::uint64_t word = store.occupied().levels()[0][at.row / 64];
        const std::uint64_t rows_before = word & ((std::uint64_t{1} << at.row % 64) - 1);
        return start[rank[at.row / 64] + static_cast<unsigned>(std::popcount(rows_before))] +
               std::min(at.slot, store.rows()[at.row].count);
    }
};

template <std::size_t Dim>
NeighbourLoop<Dim>::NeighbourLoop(Executor& executor)
    : state_(detail::make_state<State>(executor)) {}

template <std::size_t Dim>
Status NeighbourLoop<Dim>::run(const RowGrid<Dim>& grid, const Neighbourhood& neighbourhood,
                               Isa isa, AgentOrder order, Body body) {
    const ProfileScope profiled("NeighbourLoop::run");
    State& state = *state_;
    const AccessCheck::Serving serving(state.access);
    const typename State::Visit own(grid);
    const auto& inside = own.inside;
    const Status status = State::refuse(neighbourhood, isa);
    if (!status.ok() || inside.count == 0) { return status; }
    simd::NeighbourQuery query{.radius = neighbourhood.radius,
                               .with_self = neighbourhood.with_self,
                               .groups = own.wanted(neighbourhood.groups),
                               .later_only = neighbourhood.later_only,
                               .body = neighbourhood.body};
    if (order == AgentOrder::storage) {
        state.count_before(inside.store);
        query.starts = {state.rank.data(), state.start.data()};
    }
    return run_blocks(
        *state.executor, inside.slices.count(),
        [&](std::size_t slice) {
            simd::AgentRange range{inside.slices[slice], inside.slices[slice + 1], 0};
            if (order == AgentOrder::storage) {
                range.first = state.before(inside.store, range.at);
            }
            body(own.view.grid, query, range);
        },
        state.claims, LoopCost::of(inside.count, kNanoseconds));
}

template <std::size_t Dim>
Status NeighbourLoop<Dim>::run_among(const NamedGrid<Dim>& askers,
                                     std::span<const NamedGrid<Dim>> others,
                                     const Neighbourhood& neighbourhood, Isa isa, BodyAmong body,
                                     const simd::AskerCopies<Dim>* copies) {
    const ProfileScope profiled("NeighbourLoop::run_among");
    State& state = *state_;
    const AccessCheck::Serving serving(state.access);
    const typename State::Visit own(*askers.grid);
    Status status = check_names(std::span(&askers, 1), Argument::askers);
    if (status.ok()) { status = check_names(others, Argument::others); }
    if (status.ok()) { status = State::refuse(neighbourhood, isa); }
    if (!status.ok() || own.inside.count == 0) { return status; }

    std::array<std::optional<AccessCheck::Reading>, kMostGrids> reading;
    for (std::size_t g = 0; g < others.size(); ++g) {
        reading[g].emplace(detail::state_of(*others[g].grid).access);
    }
    simd::NeighbourQueryAcross<Dim> query =
        query_across(askers, others, neighbourhood, [](const NamedGrid<Dim>&) { return true; });
    query.copies = copies;
    return run_blocks(
        *state.executor, own.inside.slices.count(),
        [&](std::size_t slice) {
            body(own.view.grid, query, {own.inside.slices[slice], own.inside.slices[slice + 1], 0});
        },
        state.claims, LoopCost::of(own.inside.count, kNanoseconds));
}

template <std::size_t Dim>
Executor& NeighbourLoop<Dim>::executor() const noexcept {
    return *state_->executor;
}

template <std::size_t Dim>
std::size_t NeighbourLoop<Dim>::memory() const noexcept {
    const AccessCheck::Serving serving(state_->access);
    return state_->claims.memory() +
           (state_->rank.capacity() + state_->start.capacity()) * sizeof(std::uint32_t);
}

template <std::size_t Dim>
void NeighbourLoop<Dim>::release() noexcept {
    const AccessCheck::Serving serving(state_->access);
    state_->claims = LoopClaims{};
    // Not `= {}`, which keeps the memory.
    std::vector<std::uint32_t>().swap(state_->rank);
    std::vector<std::uint32_t>().swap(state_->start);
}

template class NeighbourLoop<2>;
template class NeighbourLoop<3>;

} // namespace throng
