// Updates and edits of a crowd whose loops the host runs.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../simd/isa/export.hpp"
#include "../agents/agents.hpp"
#include "../agents/edit.hpp"
#include "../agents/world_agents.hpp"
#include "../core/status.hpp"
#include "crowd.hpp"

#include <cstddef>
#include <memory>
#include <span>

namespace throng {

/// Crowd::update() and edit() for job systems that cut the work themselves; for a RowGrid there is
/// GridChange, which has the same calls. A change is one loop after another; any jobs run the
/// blocks of a loop. It needs no executor, and never waits: the next step is a job that begins when
/// all blocks have ended.
///
///     Status status = change.update(crowd, agents, threads);
///     while (status.ok() && change.blocks() != 0) {
///         // In jobs: change.run(begin, end). Each block once, and all before next().
///         status = change.next();
///     }
///
/// The crowd then has what update() or edit() would have given it, to the bit, however many jobs
/// there were. What these refuse is refused here too, by the same status, from the first call or
/// from next(); the crowd is then as it was.
///
/// The calls that begin a change, and next(), do the small work themselves, on the calling thread:
/// they pack giants, which are few, and look at the first agents of a crowd without cells to fit
/// cells to them.
///
/// From the first call until blocks() is 0 the crowd is this object's: nobody else may ask or
/// change it, and the caller's arrays must stay. One object serves one change at a time. Each call
/// takes memory from CrowdSettings::memory; without one, from the calling thread's source.
template <std::size_t Dim>
class THRONG_API CrowdChange {
public:
    CrowdChange();
    CrowdChange(const CrowdChange&) = delete;
    CrowdChange& operator=(const CrowdChange&) = delete;
    /// Cancels a change that has not ended.
    ~CrowdChange();

    /// Begins to replace all agents. `threads` is the most threads that the host lets work on a
    /// loop, which gets blocks for all of them; 0: not known.
    Status update(Crowd<Dim>& crowd, const Agents<Dim>& agents, std::size_t threads = 0);
    /// The same with positions in world coordinates.
    Status update(Crowd<Dim>& crowd, const WorldAgents<Dim>& agents, std::size_t threads = 0);

    /// Begins a list of edits: all are made, or none.
    Status edit(Crowd<Dim>& crowd, std::span<const Edit<Dim>> edits);

    /// How many blocks the current loop has; 0: the change is done, or has failed.
    [[nodiscard]] std::size_t blocks() const noexcept;

    /// The useful number of threads for this loop: waking one more takes as long as it would work.
    /// 1: run all blocks on the calling thread.
    [[nodiscard]] std::size_t threads_worth() const noexcept;

    /// Runs blocks begin ... end - 1 of the loop, on whatever thread. Calls may overlap in time.
    /// Blocks that were run before, and blocks that do not exist, are ignored.
    void run(std::size_t begin, std::size_t end) noexcept;

    /// Ends the loop and goes on to the next; no run() may go on meanwhile. If blocks were left
    /// out, or memory for one was refused, the change fails: Cause::executor_failed with the first
    /// such block, or Cause::over_memory, or std::bad_alloc. Once the crowd has begun to change,
    /// nothing fails any more: then missing blocks are run here.
    Status next();

    /// Gives the change up: the crowd is as it was. If it has begun to change, all the rest is run
    /// here instead. No run() may go on meanwhile.
    void cancel() noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

extern template class CrowdChange<2>;
extern template class CrowdChange<3>;

} // namespace throng

#include "../../simd/isa/names_end.hpp"
