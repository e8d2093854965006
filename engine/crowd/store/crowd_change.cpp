#include "../crowd_change.hpp"

#include "../../grid/store/change.hpp"
#include "edit.hpp"
#include "state.hpp"
#include "update.hpp"

#include <optional>

namespace throng {

template <std::size_t Dim>
struct ChangeState<Crowd, Dim> final : FromSource, SequenceSteps {
    using Changed = detail::StateOf<Crowd<Dim>>;

    Changed* crowd = nullptr; // while a change goes on
    std::optional<AccessCheck::Changing> alone;
    std::optional<CrowdUpdate<Dim>> updating;
    std::optional<CrowdEditList<Dim>> editing;

    ChangeState() = default;
    ChangeState(const ChangeState&) = delete;
    ChangeState& operator=(const ChangeState&) = delete;
    ~ChangeState() override { cancel(); }

    Status update(Crowd<Dim>& changed, const Agents<Dim>* agents, const WorldAgents<Dim>* far,
                  std::size_t threads) {
        return far != nullptr ? begin(changed, updating, *far, threads)
                              : begin(changed, updating, *agents, threads);
    }
    Status edit(Crowd<Dim>& changed, std::span<const Edit<Dim>> edits) {
        if (detail::state_of(changed).refuses_ids(edits)) {
            return {Cause::other_names, Argument::edits};
        }
        return begin(changed, editing, edits, std::size_t{0}); // how many jobs run is not known
    }

    /// Begins a change, which `sequence` makes: either `updating` or `editing`.
    template <class Sequence, class... Args>
    Status begin(Crowd<Dim>& changed, std::optional<Sequence>& sequence, const Args&... args) {
        crowd = &detail::state_of(changed);
        alone.emplace(crowd->access);
        sequence.emplace(*crowd, args..., serial_executor());
        return start(*sequence, crowd->claims, crowd->settings.memory);
    }

    void ended(const Status& status) noexcept override {
        updating.reset();
        editing.reset();
        // Frees memory that the failed change has taken, so that the next change does not lack it.
        if (status.cause == Cause::over_memory) { crowd->release_staging(); }
        alone.reset();
    }
};

template class Change<Crowd, 2>;
template class Change<Crowd, 3>;

} // namespace throng
