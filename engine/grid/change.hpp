// Updates and edits whose loops the host runs.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../simd/isa/export.hpp"
#include "../agents/agents.hpp"
#include "../agents/edit.hpp"
#include "../agents/world_agents.hpp"
#include "../core/state_pointer.hpp"
#include "../core/status.hpp"
#include "row_grid.hpp"

#include <concepts>
#include <cstddef>
#include <span>

namespace throng {

/// What a change of this kind of index keeps. Internal.
template <template <std::size_t> class Index, std::size_t Dim>
struct ChangeState;

/// update() and edit() of a crowd or a grid, for job systems that cut the work themselves: one loop
/// after another, whose blocks any jobs run. Needs no executor, and never waits: the next step is a
/// job that begins when all blocks have ended.
///
///     CrowdChange<2> change;
///     Status status = change.update(crowd, agents, threads);
///     while (status.ok() && change.blocks() != 0) {
///         // In jobs: change.run(begin, end). Each block once, and all before next().
///         status = change.next();
///     }
///
/// The crowd then is what update() or edit() would have made of it, to the bit, for any number of
/// jobs. What they refuse, the first call or next() refuses with the same status, and leaves the
/// crowd as it was.
///
/// From the first call until blocks() is 0 the crowd is this object's: no one else may query or
/// change it, and the caller's arrays must stay. One object serves one change at a time. Small work
/// is done by the calls that begin a change, and by next(), on the calling thread: they pack
/// giants, and look at the first agents of a crowd without cells. Each call takes memory from the
/// crowd's source; if the crowd has no source, and for a RowGrid, from that of the calling thread.
/// All else that is said here of a crowd holds for a RowGrid too.
template <template <std::size_t> class Index, std::size_t Dim>
class THRONG_API Change {
public:
    /// The destructor cancels a change that has not ended. An object that was moved from may only
    /// be assigned to or destroyed.
    Change();

    /// Begins to replace all agents. `threads` is the most that the host lets work on a loop, which
    /// gets blocks for all of them; 0: not known. A RowGrid must have a shape, from configure(),
    /// use() or an update() before.
    template <AllAgents<Dim> All = Agents<Dim>>
    requires requires(Index<Dim>& index, const All& agents) { index.update(agents); }
    Status update(Index<Dim>& index, const All& agents, std::size_t threads = 0) {
        if constexpr (std::same_as<All, Agents<Dim>>) {
            return update_all(index, &agents, nullptr, threads);
        } else {
            return update_all(index, nullptr, &agents, threads);
        }
    }

    /// Begins a list of edits: all are made, or none.
    Status edit(Index<Dim>& index, std::span<const Edit<Dim>> edits);

    /// The number of blocks of the loop to run now; 0: the change is done, or has failed.
    [[nodiscard]] std::size_t blocks() const noexcept;

    /// Useful number of threads for this loop: waking one more would take as long as it would work.
    /// 1: run all blocks on the calling thread.
    [[nodiscard]] std::size_t threads_worth() const noexcept;

    /// Runs blocks begin ... end - 1 of the loop, on whatever thread. Calls may overlap in time. A
    /// block that was run before is not run again, and one that does not exist is ignored.
    void run(std::size_t begin, std::size_t end) noexcept;

    /// Ends the loop and goes on to the next; no run() may be in progress. The change fails if a
    /// block was left out (Cause::executor_failed with the first such block) or got no memory
    /// (Cause::over_memory or std::bad_alloc). Once the index has begun to change, nothing can
    /// fail: next() then runs missing blocks itself.
    Status next();

    /// Gives the change up: the index is as it was. If it has begun to change, cancel() runs the
    /// rest of the change instead. No run() may be in progress.
    void cancel() noexcept;

private:
    /// Exactly one of `agents` and `far` is null.
    Status update_all(Index<Dim>& index, const Agents<Dim>* agents, const WorldAgents<Dim>* far,
                      std::size_t threads);

    using State = ChangeState<Index, Dim>;
    detail::StatePointer<State> state_;
};

/// A change of a RowGrid.
template <std::size_t Dim>
using GridChange = Change<RowGrid, Dim>;

extern template class Change<RowGrid, 2>;
extern template class Change<RowGrid, 3>;

} // namespace throng

#include "../../simd/isa/names_end.hpp"
