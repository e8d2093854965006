// A list of edits to a crowd, loop by loop. Internal to the engine.
#pragma once

#include "../../agents/edit.hpp"
#include "../../grid/store/edit_list.hpp"
#include "../../memory/loop_sequence.hpp"
#include "../../memory/vector.hpp"
#include "state.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

namespace throng {

/// Edits of giants and statics are made first, by begin(), to the spare sets: they are few and need
/// no loop here. The loops of this sequence are those of the grid's EditList.
///
/// The caller holds the crowd's AccessCheck::Changing.
template <std::size_t Dim>
class CrowdEditList final : public LoopSequence {
public:
    using State = detail::StateOf<Crowd<Dim>>;

    CrowdEditList(State& state, std::span<const Edit<Dim>> edits, Executor& of_giants) noexcept;

    Status next(Loop& loop) override;
    void run(std::size_t block) override;

private:
    Status begin();
    Status lay_out_first();
    [[nodiscard]] bool are_all_for_grid() const noexcept;
    Status change_one_static();
    Status change_static(const Edit<Dim>& edit);
    Status share_out();
    [[nodiscard]] std::size_t edits_of_giants() const noexcept;
    void finish() noexcept;

    State& state_;
    State* target_;                // `state_`, or the crowd with the first cells
    std::unique_ptr<State> first_; // only if `state_` has no cells yet
    std::span<const Edit<Dim>> edits_;
    Executor& of_giants_;
    Vector<Edit<Dim>> kept_; // in a periodic world: the edits, with positions inside it
    bool shared_out_ = false;
    // If shared out: the edits for the grid, and their indices in the list of the caller.
    Vector<Edit<Dim>> small_;
    Vector<std::size_t> index_of_small_;
    bool giants_change_ = false;
    bool statics_change_ = false;
    bool done_ = false;
    std::optional<EditList<Dim>> list_; // destroyed before what it borrows
};

extern template class CrowdEditList<2>;
extern template class CrowdEditList<3>;

} // namespace throng
