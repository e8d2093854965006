// One update of a crowd, loop by loop. Internal to the engine.
#pragma once

#include "../../agents/agents.hpp"
#include "../../agents/skipped_ids.hpp"
#include "../../agents/world_agents.hpp"
#include "../../core/function_ref.hpp"
#include "../../grid/store/update.hpp"
#include "../../memory/loop_sequence.hpp"
#include "../../memory/vector.hpp"
#include "state.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace throng {

/// What an update of a CrowdPart, one part of a larger crowd, has in addition.
struct PartUpdate {
    std::span<const std::uint64_t> keys; ///< of all agents; giants are sorted by them
    Vector<Id>& giants;                  ///< gets the indices of giants, in that order
    FunctionRef<Status()> commits;       ///< asked when nothing can fail any more
};

/// What an update has in addition whose arrays have elements for ids that no agent has.
template <std::size_t Dim>
struct NamedAgents {
    std::span<const Id> missing; ///< these ids; not used in a crowd of handles, which knows them
    const Agents<Dim>& given;    ///< the agents alone, if the crowd has no cells yet
};

/// Replaces all agents: their positions are put into the world, they are split by size, giants are
/// packed anew, and the grid takes the others.
///
/// Every step that can fail changes only scratch or the spare giants, or is in the part of the
/// grid's update that can fail. Packing giants is no loop of this sequence: there are few of them,
/// so it happens between two loops, on an executor.
///
/// The caller holds the crowd's AccessCheck::Changing.
template <std::size_t Dim>
class CrowdUpdate final : public LoopSequence {
public:
    using State = detail::StateOf<Crowd<Dim>>;

    /// `threads` is how many may work on a loop; 0: not known. `part` is null for a whole crowd.
    CrowdUpdate(State& state, const Agents<Dim>& agents, std::size_t threads, Executor& of_giants,
                const PartUpdate* part = nullptr) noexcept;
    CrowdUpdate(State& state, const WorldAgents<Dim>& agents, std::size_t threads,
                Executor& of_giants) noexcept;
    template <class All>
    CrowdUpdate(State& state, const All& by_id, const NamedAgents<Dim>& named,
                Executor& executor) noexcept
        : CrowdUpdate(state, by_id, executor.threads(), executor) {
        named_.emplace(named);
    }

    Status next(Loop& loop) override;
    void run(std::size_t block) noexcept override;

private:
    /// The loop that runs; none: before the first loop.
    enum class Step : std::uint8_t {
        none,
        keep,  ///< positions: from doubles, and around the border of a periodic world
        split, ///< blocks of agents: which of them are giants
        place, ///< the loops of the grid's update
        done,
    };

    /// Ends a step and begins the next; its loop may have no blocks.
    Status advance(Loop& loop);
    Status begin_keeping(Loop& loop);
    Status begin_splitting(Loop& loop);
    Status lay_out_first();
    void lay_out_again();
    bool gives_up_cells() noexcept;
    Status clear_giants();
    Status pack_giants();
    Status pack_part(const PartUpdate& part);
    Status pack_others(std::span<const Id> giants);
    void begin_placing(const Agents<Dim>& agents, std::span<const Id> skipped) noexcept;
    void finish() noexcept;
    [[nodiscard]] Status blamed(const Status& status) const;

    State& state_;
    State* target_; // the state that takes the agents
    // A new layout, in a separate crowd, so that refused agents leave no cells; null if the cells
    // that are there stay.
    std::unique_ptr<State> first_;
    const std::optional<WorldAgents<Dim>> far_; // agents in doubles, if given
    const PointView<Dim> given_;                // positions in floats
    Agents<Dim> agents_;                        // as the crowd has them
    CrowdKind<Dim> kind_;
    const std::size_t threads_;
    Executor& of_giants_;
    const PartUpdate* const part_ = nullptr;
    std::optional<NamedAgents<Dim>> named_;
    Step step_ = Step::none;
    bool compared_ = false;           // whether present cells were compared with others
    bool relays_ = false;             // whether agents move to other cells
    bool giants_change_ = false;      // the spare giants replace the giants at the end
    std::optional<Update<Dim>> grid_; // destroyed before what it borrows
};

extern template class CrowdUpdate<2>;
extern template class CrowdUpdate<3>;

} // namespace throng
