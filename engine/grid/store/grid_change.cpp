#include "../../core/assert.hpp"
#include "change.hpp"
#include "edit_list.hpp"
#include "state.hpp"
#include "update.hpp"

#include <optional>

namespace throng {

template <std::size_t Dim>
struct ChangeState<RowGrid, Dim> final : FromSource, SequenceSteps {
    std::optional<Update<Dim>> updating;
    std::optional<EditList<Dim>> editing;

    ChangeState() = default;
    ChangeState(const ChangeState&) = delete;
    ChangeState& operator=(const ChangeState&) = delete;
    ~ChangeState() override { cancel(); }

    Status update(RowGrid<Dim>& grid, const Agents<Dim>* agents,
                  [[maybe_unused]] const WorldAgents<Dim>* far, std::size_t threads) {
        THRONG_ASSERT(far == nullptr);
        GridState<Dim>& changed = detail::state_of(grid);
        if (!changed.configured()) { return {Cause::not_configured, Argument::none}; }
        updating.emplace(changed, *agents, SkippedIds{}, threads);
        return start(*updating, changed.staging.claims, nullptr);
    }
    Status edit(RowGrid<Dim>& grid, std::span<const Edit<Dim>> edits) {
        GridState<Dim>& changed = detail::state_of(grid);
        editing.emplace(changed, GridEdits<Dim>{edits}, std::size_t{0});
        return start(*editing, changed.staging.claims, nullptr);
    }

    void ended(const Status&) noexcept override {
        updating.reset();
        editing.reset();
    }
};

template class Change<RowGrid, 2>;
template class Change<RowGrid, 3>;

} // namespace throng
