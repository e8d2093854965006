// A list of edits to a crowd, loop by loop. Internal to the engine.
#pragma once

#include "../../agents/edit.hpp"
#include "../../grid/store/edit_list.hpp"
#include "../../memory/loop_sequence.hpp"
#include "../../memory/vector.hpp"
#include "state.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace throng {

/// The first loop looks whose agents the edits are of. Edits of giants and statics are made then,
/// to the spare sets: they are few and need no loop here. The other loops are those of the grid's
/// EditList.
///
/// The caller holds the crowd's AccessCheck::Changing.
template <std::size_t Dim>
class CrowdEditList final : public LoopSequence {
public:
    using State = detail::StateOf<Crowd<Dim>>;

    /// `threads` is how many may work on a loop; 0: not known.
    CrowdEditList(State& state, std::span<const Edit<Dim>> edits, std::size_t threads,
                  Executor& of_giants) noexcept;

    Status next(Loop& loop) override;
    void run(std::size_t block) override;

private:
    /// The loop that runs; none: before the first loop.
    enum class Step : std::uint8_t {
        none,
        look, ///< blocks of edits: whose agents they are of
        make, ///< the loops of the grid's list
        done,
    };
    /// Whose the agent of an edit is; of some edits only what comes before them in the list tells.
    enum class Owner : std::uint8_t { grid, giants, not_known };

    Status begin(Loop& loop);
    Status lay_out_first();
    [[nodiscard]] Owner owner_of(const Edit<Dim>& edit) const noexcept;
    [[nodiscard]] Owner owner_at(std::size_t i) const noexcept {
        return owners_.empty() ? Owner::not_known : owners_[i];
    }
    void look_at_block(std::size_t block);
    Status make_others();
    Status move_giants();
    Status change_one_static();
    Status change_static(const Edit<Dim>& edit);
    Status share_out();
    [[nodiscard]] std::size_t edits_of_giants() const noexcept;
    Status next_of_grid(Loop& loop);
    void finish() noexcept;

    State& state_;
    State* target_;                // `state_`, or the crowd with the first cells
    std::unique_ptr<State> first_; // only if `state_` has no cells yet
    std::span<const Edit<Dim>> edits_;
    std::size_t threads_;
    Executor& of_giants_;
    Step step_ = Step::none;
    // The edits as the crowd keeps them, if that is not as they came: with positions inside a
    // periodic world, and without extents where the grid keeps none.
    Vector<Edit<Dim>> kept_;
    std::atomic<bool> needs_order_{false}; // whether the owner of an edit is not known
    Vector<Owner> owners_;                 // of the edits' agents, beside giants; else empty
    Vector<std::size_t> elsewhere_;        // edits that are not for the grid, ascending
    bool giants_change_ = false;
    bool statics_change_ = false;
    std::optional<EditList<Dim>> list_; // destroyed before what it borrows
};

extern template class CrowdEditList<2>;
extern template class CrowdEditList<3>;

} // namespace throng
