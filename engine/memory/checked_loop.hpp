// Loops over blocks that do not take an executor's word for it.
#pragma once

#include "../../simd/isa/export.hpp"
#include "../core/executor.hpp"
#include "../core/status.hpp"
#include "vector.hpp"

#include <cstddef>
#include <cstdint>

namespace throng {

/// Which blocks of a loop have been taken and which are done. One object serves one loop at a time.
/// It serves the next one without allocating.
class THRONG_API LoopClaims {
public:
    /// Makes room for loops of up to `blocks` blocks. If allocation fails, nothing changes.
    void prepare(std::size_t blocks);

    [[nodiscard]] std::size_t room() const noexcept { return states_.size(); }

    /// Bytes of heap.
    [[nodiscard]] std::size_t memory() const noexcept { return states_.capacity(); }

    /// Begins a loop: blocks below `blocks`, at most room(), are there to be claimed.
    void start(std::size_t blocks) noexcept;

    /// True for the first claim of a block, on whatever thread; false for all later ones, and for
    /// numbers that the loop does not have.
    [[nodiscard]] bool claim(std::size_t block) noexcept;

    /// Says that a claimed block has been run to its end.
    void finish(std::size_t block) noexcept;

    /// The first block that was not run to its end; the number of blocks when there is none.
    [[nodiscard]] std::size_t first_unfinished() noexcept;

private:
    Vector<std::uint8_t> states_; // bytes, not bits: threads seldom claim neighbours at once
    std::size_t blocks_ = 0;
};

/// What all blocks of a loop take on one thread, in nanoseconds, as far as is known beforehand. An
/// executor that says how many threads it has gets no more of them than have something to do: to
/// wake one takes as long as some thousand agents. A loop that no second thread is worth runs on
/// the calling thread, without the executor.
struct THRONG_API LoopCost {
    double nanoseconds = 1e18; ///< not known: as much as any executor can bear

    /// So many times what one of them takes.
    [[nodiscard]] static LoopCost of(std::size_t count, double each) noexcept {
        return {static_cast<double>(count) * each};
    }
    /// How many threads it is worth, at least one.
    [[nodiscard]] std::size_t threads_worth() const noexcept;
    /// The same of those that the executor has; all if it does not say how many.
    [[nodiscard]] std::size_t threads(const Executor& executor) const noexcept;
};

/// Runs body(0) ... body(blocks - 1) on the executor, each at most once even if the executor
/// repeats itself; block numbers that it invents are ignored. If it leaves blocks out, the status
/// says so: Cause::executor_failed, with the first such block as index. On whatever thread a body
/// runs, it takes memory from where the caller does: WithMemory.
///
/// An exception from a body never reaches the executor, whose threads may not be able to bear one:
/// blocks that have not begun are skipped, and it is thrown here, once the executor has returned.
/// If several bodies throw, one of the exceptions is thrown. What the executor itself throws passes
/// through.
///
/// Allocates, through claims.prepare(), only when it has more blocks than ever before;
/// std::bad_alloc comes before any block has run. The executor must not return, nor throw, while a
/// body runs.
THRONG_API Status run_blocks(Executor& executor, std::size_t blocks, Executor::Body body,
                             LoopClaims& claims, LoopCost cost = {});

/// For work that has to be completed, such as the second half of an update: whatever the executor
/// leaves out or throws, every block has been run exactly once when this returns, the missing ones
/// on the calling thread. `body` must not throw: std::terminate.
///
/// `claims` must have been prepared for as many blocks, since nothing may fail here any more;
/// without the room, all blocks run on the calling thread.
THRONG_API void finish_blocks(Executor& executor, std::size_t blocks, Executor::Body body,
                              LoopClaims& claims, LoopCost cost = {}) noexcept;

} // namespace throng
