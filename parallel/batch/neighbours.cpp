// Finds the neighbours of every agent.
#include "batch.hpp"

#include "../../engine/answers/nearest_checks.hpp"
#include "neighbours.hpp"

namespace throng {

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
