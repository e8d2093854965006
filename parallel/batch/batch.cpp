#include "batch.hpp"

#include "state.hpp"

#include <numeric>

namespace throng {

template <std::size_t Dim>
Batch<Dim>::Batch(Executor& executor) : state_(detail::make_state<State>(executor)) {}

template <std::size_t Dim>
std::size_t Batch<Dim>::memory() const noexcept {
    const AccessCheck::Serving serving(state_->serving);
    return state_->loop.memory() + state_->sums.memory() +
           (state_->sorter.has_value() ? state_->sorter->memory().total() : 0) +
           state_->order.capacity() * sizeof(Id) +
           state_->before.capacity() * sizeof(std::uint64_t) +
           std::accumulate(
               state_->few_lists.begin(), state_->few_lists.end(),
               (state_->few_found.ids.capacity() + state_->few_names.capacity()) * sizeof(Id) +
                   state_->few_found.offsets.capacity() * sizeof(std::uint64_t),
               [](std::size_t bytes, const FewLists& lists) { return bytes + lists.memory(); }) +
           (state_->tree.has_value() ? state_->tree->memory() : 0);
}

template <std::size_t Dim>
void Batch<Dim>::release() noexcept {
    const AccessCheck::Serving serving(state_->serving);
    state_->loop.release();
    state_->sums = Offsets();
    state_->sorter.reset();
    state_->tree.reset();
    state_->asked_tree = nullptr;
    state_->few_found = Hits();
    // Not `= {}`, which would keep the memory.
    std::vector<FewLists>().swap(state_->few_lists);
    std::vector<Id>().swap(state_->few_names);
    std::vector<Id>().swap(state_->order);
    std::vector<std::uint64_t>().swap(state_->before);
}

template class Batch<2>;
template class Batch<3>;

} // namespace throng
