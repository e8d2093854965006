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
/// The grid then is what update() or edit() would have made of it, to the bit, for any number of
/// jobs. What they refuse, the first call or next() refuses with the same status, and leaves the
/// grid as it was.
///
/// From the first call until blocks() is 0 the grid is this object's: no one else may query or
/// change it, and the caller's arrays must stay. One object serves one change at a time, and can
/// start the next without allocating. Each call takes memory from the source of its calling thread.
template <std::size_t Dim>
class THRONG_API GridChange {
public:
    GridChange();
    GridChange(const GridChange&) = delete;
    GridChange& operator=(const GridChange&) = delete;
    /// Cancels a change that has not ended.
    ~GridChange();

    /// Begins to replace all agents. `threads` is the most that the host lets work on a loop, which
    /// gets blocks for all of them; 0: not known. The grid must have a shape, from configure(),
    /// use() or an update() before.
    Status update(RowGrid<Dim>& grid, const Agents<Dim>& agents, std::size_t threads = 0);

    /// Begins a list of edits: all are made, or none.
    Status edit(RowGrid<Dim>& grid, std::span<const Edit<Dim>> edits);

    /// The number of blocks of the loop to run now; 0: the change is done, or has failed.
    [[nodiscard]] std::size_t blocks() const noexcept;

    /// Useful number of threads for this loop: waking one more would take as long as it would work.
    /// 1: run all blocks on the calling thread.
    [[nodiscard]] std::size_t threads_worth() const noexcept;

    /// Runs blocks begin ... end - 1 of the loop, on whatever thread. Calls may overlap in time. A
    /// block that was run before is not run again, and one that does not exist is ignored.
    void run(std::size_t begin, std::size_t end) noexcept;

    /// Ends the loop and goes on to the next; no run() may go on meanwhile. The change fails if a
    /// block was left out (Cause::executor_failed with the first such block) or got no memory
    /// (std::bad_alloc). Once the grid has begun to change, nothing fails any more: next() then
    /// runs missing blocks itself.
    Status next();

    /// Gives the change up: the grid is as it was. If it has begun to change, cancel() runs the
    /// rest of the change instead. No run() may go on meanwhile.
    void cancel() noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

extern template class GridChange<2>;
extern template class GridChange<3>;

} // namespace throng

#include "../../simd/isa/names_end.hpp"
