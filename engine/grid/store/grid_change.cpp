#include "../grid_change.hpp"

#include "../../memory/sequence_steps.hpp"
#include "edit_list.hpp"
#include "state.hpp"
#include "update.hpp"

#include <optional>

namespace throng {

template <std::size_t Dim>
struct GridChange<Dim>::State final : FromSource, SequenceSteps {
    std::optional<Update<Dim>> update;
    std::optional<EditList<Dim>> edits;

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() override { cancel(); }

    using SequenceSteps::start;

    void ended(const Status&) noexcept override {
        update.reset();
        edits.reset();
    }
};

template <std::size_t Dim>
GridChange<Dim>::GridChange() : state_(std::make_unique<State>()) {}
template <std::size_t Dim>
GridChange<Dim>::~GridChange() = default;

template <std::size_t Dim>
Status GridChange<Dim>::update(RowGrid<Dim>& grid, const Agents<Dim>& agents, std::size_t threads) {
    cancel();
    auto& changed = detail::state_of(grid);
    if (!changed.configured()) { return {Cause::not_configured, Argument::none}; }
    Update<Dim>& update = state_->update.emplace(changed, agents, SkippedIds{}, threads);
    return state_->start(update, changed.staging.claims, nullptr);
}

template <std::size_t Dim>
Status GridChange<Dim>::edit(RowGrid<Dim>& grid, std::span<const Edit<Dim>> edits) {
    cancel();
    auto& changed = detail::state_of(grid);
    EditList<Dim>& list = state_->edits.emplace(changed, edits);
    return state_->start(list, changed.staging.claims, nullptr);
}

template <std::size_t Dim>
std::size_t GridChange<Dim>::blocks() const noexcept {
    return state_->blocks();
}

template <std::size_t Dim>
std::size_t GridChange<Dim>::threads_worth() const noexcept {
    return state_->threads_worth();
}

template <std::size_t Dim>
void GridChange<Dim>::run(std::size_t begin, std::size_t end) noexcept {
    state_->run(begin, end);
}

template <std::size_t Dim>
Status GridChange<Dim>::next() {
    return state_->next();
}

template <std::size_t Dim>
void GridChange<Dim>::cancel() noexcept {
    state_->cancel();
}

template class GridChange<2>;
template class GridChange<3>;

} // namespace throng
