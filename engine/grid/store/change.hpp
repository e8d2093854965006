// The calls of a Change that are the same for every index. Internal to the engine.
#pragma once

#include "../../memory/sequence_steps.hpp"
#include "../change.hpp"

#include <cstddef>

namespace throng {

template <template <std::size_t> class Index, std::size_t Dim>
Change<Index, Dim>::Change() : state_(detail::make_state<State>()) {}

template <template <std::size_t> class Index, std::size_t Dim>
Status Change<Index, Dim>::update_all(Index<Dim>& index, const Agents<Dim>* agents,
                                      const WorldAgents<Dim>* far, std::size_t threads) {
    cancel();
    return state_->update(index, agents, far, threads);
}

template <template <std::size_t> class Index, std::size_t Dim>
Status Change<Index, Dim>::edit(Index<Dim>& index, std::span<const Edit<Dim>> edits) {
    cancel();
    return state_->edit(index, edits);
}

template <template <std::size_t> class Index, std::size_t Dim>
std::size_t Change<Index, Dim>::blocks() const noexcept {
    return state_->blocks();
}

template <template <std::size_t> class Index, std::size_t Dim>
std::size_t Change<Index, Dim>::threads_worth() const noexcept {
    return state_->threads_worth();
}

template <template <std::size_t> class Index, std::size_t Dim>
void Change<Index, Dim>::run(std::size_t begin, std::size_t end) noexcept {
    state_->run(begin, end);
}

template <template <std::size_t> class Index, std::size_t Dim>
Status Change<Index, Dim>::next() {
    return state_->next();
}

template <template <std::size_t> class Index, std::size_t Dim>
void Change<Index, Dim>::cancel() noexcept {
    state_->cancel();
}

} // namespace throng
