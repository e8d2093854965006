// A list of edits to a grid, loop by loop. Internal to the engine.
#pragma once

#include "../../agents/edit.hpp"
#include "../../memory/loop_sequence.hpp"
#include "../rows/row_merge.hpp"
#include "edit_resolver.hpp"
#include "edit_staging.hpp"
#include "edits_by_update.hpp"
#include "grid_edits.hpp"
#include "state.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace throng {

/// Many changes to a row grid at once: each row that they touch is gone over once.
///
/// The edits are reduced to one change for each agent, and the changes to what each row loses and
/// gains. Rows are disjoint, so blocks of them are worked on concurrently. Until rows are changed
/// only scratch memory is touched: a row that must grow is built in a new block, and changes that
/// fit their row wait until nothing can fail any more. Lists that are long beside the grid are made
/// by EditsByUpdate.
template <std::size_t Dim>
class EditList final : public LoopSequence {
public:
    using State = GridState<Dim>;

    /// `threads` is how many may work on a loop; 0: not known.
    EditList(State& state, const GridEdits<Dim>& edits, std::size_t threads) noexcept
        : EditList(state, edits, threads, EditsByUpdate<Dim>::ids_if_faster(state, edits)) {}
    /// For tests: `ids` is not 0 if an update is to make the edits, as for EditsByUpdate.
    EditList(State& state, const GridEdits<Dim>& edits, std::size_t threads,
             std::size_t ids) noexcept;
    /// Frees the new blocks that were not used.
    ~EditList() override;

    Status next(Loop& loop) override;
    void run(std::size_t block) override;

private:
    /// The loop that runs, over blocks of touched rows; none: before the first loop.
    enum class Step : std::uint8_t { none, find, plan, find_and_plan, change, done };

    /// Ends a step and begins the next; its loop may have no blocks.
    Status advance(Loop& loop);

    void group();
    std::uint32_t touch(std::uint32_t row);
    void find_slots(std::size_t t) noexcept;
    void plan_row(std::size_t t);
    void plan_merge(std::size_t t) noexcept;
    void let_nobody_stay(std::size_t t) noexcept;
    [[nodiscard]] std::uint32_t cell_after(const AgentChange& change) const noexcept {
        return store_.shape().cell_on(0, edits_.all[change.placed].agent.position[0]);
    }
    [[nodiscard]] NodeWords<Dim> words_after(const AgentChange& change) const noexcept;
    void change_row(std::size_t t) noexcept;
    void change_marks() noexcept;
    void finish() noexcept;

    [[nodiscard]] RowMerge merge_of(std::size_t t) const noexcept {
        const TouchedRow& touched = staging_.touched[t];
        return {touched.row,
                touched.count,
                slots_of(t),
                added_of(t),
                {staging_.kept.data() + kept_begin(t), touched.kept},
                staging_.nodes.data() + added_begin(t) * store_.fields()};
    }
    /// The changes of agents of the row before: first of those that leave their slots.
    [[nodiscard]] std::span<std::uint32_t> changed_of(std::size_t t) const noexcept {
        const std::size_t begin = removed_begin(t);
        return {staging_.removed.data() + begin, staging_.touched[t].removed_end - begin};
    }
    [[nodiscard]] std::span<const std::uint32_t> removed_of(std::size_t t) const noexcept {
        return changed_of(t).first(staging_.touched[t].leaving);
    }
    [[nodiscard]] std::span<const std::uint32_t> slots_of(std::size_t t) const noexcept {
        return {staging_.slots.data() + removed_begin(t), staging_.touched[t].leaving};
    }
    [[nodiscard]] std::span<AddedNode> added_of(std::size_t t) const noexcept {
        return {staging_.added.data() + added_begin(t), staging_.touched[t].coming};
    }
    [[nodiscard]] std::size_t removed_begin(std::size_t t) const noexcept {
        return t == 0 ? 0 : staging_.touched[t - 1].removed_end;
    }
    [[nodiscard]] std::size_t added_begin(std::size_t t) const noexcept {
        return t == 0 ? 0 : staging_.touched[t - 1].added_end;
    }
    /// A row keeps at most one run more than the agents that it loses and gains.
    [[nodiscard]] std::size_t kept_begin(std::size_t t) const noexcept {
        return removed_begin(t) + added_begin(t) + t;
    }

    std::optional<typename State::Changing> changing_; // unless an update makes the edits
    State& state_;
    const GridEdits<Dim> edits_;
    RowStore<Dim>& store_;
    RowOfId& row_of_;
    EditStaging& staging_;
    std::size_t agents_; // agents in the grid after the edits
    EditResolver<Dim> resolver_;
    std::size_t gained_ids_ = 0; // one more than the largest id that the edits place; 0: none
    bool cut_anew_ = false;      // whether slices are cut anew
    Step step_ = Step::none;
    std::optional<EditsByUpdate<Dim>> many_;
};

extern template class EditList<2>;
extern template class EditList<3>;

} // namespace throng
