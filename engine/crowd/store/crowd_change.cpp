#include "../crowd_change.hpp"

#include "../../memory/sequence_steps.hpp"
#include "edit.hpp"
#include "state.hpp"
#include "update.hpp"

#include <optional>

namespace throng {

template <std::size_t Dim>
struct CrowdChange<Dim>::State final : FromSource, SequenceSteps {
    using Changed = detail::StateOf<Crowd<Dim>>;

    Changed* crowd = nullptr; // while a change goes on
    std::optional<AccessCheck::Changing> alone;
    std::optional<CrowdUpdate<Dim>> update;
    std::optional<CrowdEditList<Dim>> edits;

    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() override { cancel(); }

    /// Begins a change; `sequence` makes it, one of the two above.
    template <class Sequence, class... Args>
    Status begin(Crowd<Dim>& changed, std::optional<Sequence>& sequence, const Args&... args) {
        cancel();
        crowd = &detail::state_of(changed);
        alone.emplace(crowd->access);
        sequence.emplace(*crowd, args..., serial_executor());
        return start(*sequence, crowd->claims, crowd->settings.memory);
    }

    void ended(const Status& status) noexcept override {
        update.reset();
        edits.reset();
        // Frees memory that a change too large has taken, so that the next change does not lack it.
        if (status.cause == Cause::over_memory) { crowd->release_staging(); }
        alone.reset();
    }
};

template <std::size_t Dim>
CrowdChange<Dim>::CrowdChange() : state_(std::make_unique<State>()) {}
template <std::size_t Dim>
CrowdChange<Dim>::~CrowdChange() = default;

template <std::size_t Dim>
Status CrowdChange<Dim>::update(Crowd<Dim>& crowd, const Agents<Dim>& agents, std::size_t threads) {
    return state_->begin(crowd, state_->update, agents, threads);
}

template <std::size_t Dim>
Status CrowdChange<Dim>::update(Crowd<Dim>& crowd, const WorldAgents<Dim>& agents,
                                std::size_t threads) {
    return state_->begin(crowd, state_->update, agents, threads);
}

template <std::size_t Dim>
Status CrowdChange<Dim>::edit(Crowd<Dim>& crowd, std::span<const Edit<Dim>> edits) {
    if (detail::state_of(crowd).named_by_handles) {
        cancel();
        return {Cause::other_names, Argument::edits};
    }
    return state_->begin(crowd, state_->edits, edits);
}

template <std::size_t Dim>
std::size_t CrowdChange<Dim>::blocks() const noexcept {
    return state_->blocks();
}

template <std::size_t Dim>
std::size_t CrowdChange<Dim>::threads_worth() const noexcept {
    return state_->threads_worth();
}

template <std::size_t Dim>
void CrowdChange<Dim>::run(std::size_t begin, std::size_t end) noexcept {
    state_->run(begin, end);
}

template <std::size_t Dim>
Status CrowdChange<Dim>::next() {
    return state_->next();
}

template <std::size_t Dim>
void CrowdChange<Dim>::cancel() noexcept {
    state_->cancel();
}

template class CrowdChange<2>;
template class CrowdChange<3>;

} // namespace throng
