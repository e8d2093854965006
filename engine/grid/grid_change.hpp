// Updates and edits of a grid whose loops the host runs.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../simd/isa/export.hpp"
#include "../agents/agents.hpp"
#include "../agents/edit.hpp"
#include "../core/status.hpp"
#include "row_grid.hpp"

#include <cstddef>
#include <memory>
#include <span>

namespace throng {

/// RowGrid::update() and edit() for job systems that cut the work themselves: one loop after
/// another, whose blocks any jobs run. Needs no executor, and never waits: the next step is a job
/// that begins when all blocks have ended.
///
///     Status status = change.update(grid, agents, threads);
///     while (status.ok() && change.blocks() != 0) {
///         // In jobs: change.run(begin, end). Each block once, and all before next().
///         status = change.next();
///     }
///
/// The grid then has what update() or edit() would have given it, to the bit, however many jobs
/// there were. What they refuse is refused here, by the same status, from the first call or from
/// next(), and leaves the grid as it was.
///
/// From the first call until blocks() is 0 the grid is this object's: nobody else may ask or change
/// it, and the caller's arrays must stay. One object serves one change at a time, and the next one
/// without allocating. Each call takes memory as the thread does that makes it.
template <std::size_t Dim>
class THRONG_API GridChange {
public:
    GridChange();
    GridChange(const GridChange&) = delete;
    GridChange& operator=(const GridChange&) = delete;
    /// Cancels what has not ended.
    ~GridChange();

    /// Begins to replace all agents. `threads` is how many the host lets work on a loop, at most,
    /// which gets blocks for them all; 0: not known. The grid must have a shape, from configure(),
    /// use() or an update() before.
    Status update(RowGrid<Dim>& grid, const Agents<Dim>& agents, std::size_t threads = 0);

    /// Begins a list of edits, of which all are made or none.
    Status edit(RowGrid<Dim>& grid, std::span<const Edit<Dim>> edits);

    /// How many blocks the loop has that is to be run now; 0: all is done, or has failed.
    [[nodiscard]] std::size_t blocks() const noexcept;

    /// More than so many threads gain nothing from this loop: to wake one takes as long as it would
    /// work. 1: the thread that is here had better run all blocks.
    [[nodiscard]] std::size_t threads_worth() const noexcept;

    /// Runs blocks begin ... end - 1 of the loop, on whatever thread. Calls may overlap in time. A
    /// block that was run before is not run again, and one that there is not is ignored.
    void run(std::size_t begin, std::size_t end) noexcept;

    /// Ends the loop and goes on to the next; no run() may go on meanwhile. If blocks were left
    /// out, or memory for one of them, the change fails: Cause::executor_failed with the first such
    /// block, or std::bad_alloc. Once the grid has begun to change, nothing fails any more: then
    /// blocks that are missing are run here.
    Status next();

    /// Gives the change up: the grid is as it was. If it has begun to change, all the rest is run
    /// here instead. No run() may go on meanwhile.
    void cancel() noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

extern template class GridChange<2>;
extern template class GridChange<3>;

} // namespace throng

#include "../../simd/isa/names_end.hpp"
