// A list of many edits, made by an update of all agents. Internal to the engine.
#pragma once

#include "../../agents/edit.hpp"
#include "../../memory/loop_sequence.hpp"
#include "grid_edits.hpp"
#include "state.hpp"
#include "update.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace throng {

/// Where rows are full, an update takes some 10 ns an agent, an edit some 100 ns. So a list that
/// changes a good part of the agents is made in this way: the agents are copied to arrays by id,
/// the edits are made there, and an update takes the arrays. The agents are the same as after the
/// edits in their rows, in the same order; bounds of all agents are as narrow as an update makes
/// them.
///
/// A list of moves alone, as most long ones are, is made in blocks at the same time. That they were
/// moves, that none was refused, and that no agent was sent to two places, is found out on the way:
/// else the edits are made again, one after another.
template <std::size_t Dim>
class EditsByUpdate final : public LoopSequence {
public:
    using State = GridState<Dim>;

    /// How many ids there are after a list that can be made in this way: no row can overflow, and
    /// most ids have agents or are few. Else 0.
    [[nodiscard]] static std::size_t ids_if_possible(const State& state,
                                                     const GridEdits<Dim>& edits) noexcept;
    /// The same for a list that is also made faster, else 0.
    [[nodiscard]] static std::size_t ids_if_faster(const State& state,
                                                   const GridEdits<Dim>& edits) noexcept;

    /// `ids` is one of these, and not 0; `threads` is as for an Update.
    EditsByUpdate(State& state, const GridEdits<Dim>& edits, std::size_t threads,
                  std::size_t ids) noexcept;

    Status next(Loop& loop) override;
    void run(std::size_t block) noexcept override;

private:
    using Fields = simd::Fields<Dim>;

    /// The loop that runs; none: before the first loop.
    enum class Step : std::uint8_t {
        none,
        copy,   ///< slices: their agents to the arrays
        move,   ///< blocks of edits: positions to the arrays
        look,   ///< blocks of edits: whether the arrays have their positions
        update, ///< the loops of the update
    };

    void allocate();
    void copy_slice(std::size_t slice) noexcept;
    void move_block(std::size_t block) noexcept;
    void look_at_block(std::size_t block) noexcept;
    Status make_edits() noexcept;
    void skip_missing();
    [[nodiscard]] Agents<Dim> agents() const noexcept;

    [[nodiscard]] std::uint32_t* array(std::size_t field) const noexcept {
        return staging_.arrays.data() + field * ids_;
    }

    // Held until the update holds its own.
    std::optional<typename State::Changing> changing_;
    State& state_;
    const GridEdits<Dim> edits_;
    const std::size_t threads_;
    EditStaging& staging_;
    const std::size_t ids_; // elements of each array
    Step step_ = Step::none;
    std::atomic<bool> needs_order_{true}; // whether the edits are to be made one after another
    std::optional<Update<Dim>> update_;
};

extern template class EditsByUpdate<2>;
extern template class EditsByUpdate<3>;

} // namespace throng
