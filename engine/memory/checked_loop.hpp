// Loops over blocks that check that the executor ran every block once.
#pragma once

#include "../../simd/isa/export.hpp"
#include "../core/executor.hpp"
#include "../core/status.hpp"
#include "vector.hpp"

#include <cstddef>
#include <cstdint>

namespace throng {

/// Records which blocks of a loop have been taken and which are done. An object serves one loop at
/// a time, and keeps its memory for the next loop.
class THRONG_API LoopClaims {
public:
    /// Makes room for loops of up to `blocks` blocks. If allocation fails, nothing changes.
    void prepare(std::size_t blocks);

    [[nodiscard]] std::size_t room() const noexcept { return states_.size(); }

    /// Bytes of heap.
    [[nodiscard]] std::size_t memory() const noexcept { return states_.capacity(); }

    /// Begins a loop of `blocks` blocks, at most room(), of which none is claimed.
    void start(std::size_t blocks) noexcept;

    /// True for the first claim of a block, on any thread; false for all later ones, and for
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

/// The predicted time of a loop on one thread, in nanoseconds. If the executor says how many
/// threads it has, the loop uses only as many as are useful: waking a thread takes as long as work
/// on some thousand agents. A loop too short for a second thread runs on the calling thread,
/// without the executor.
struct THRONG_API LoopCost {
    double nanoseconds = 1e18; ///< by default unknown: worth all threads of any executor

    /// A loop over `count` elements that take `each` nanoseconds.
    [[nodiscard]] static LoopCost of(std::size_t count, double each) noexcept {
        return {static_cast<double>(count) * each};
    }
    /// How many threads are useful, at least one.
    [[nodiscard]] std::size_t threads_worth() const noexcept;
    /// threads_worth(), but at most as many as the executor has; no limit if it does not say how
    /// many.
    [[nodiscard]] std::size_t threads(const Executor& executor) const noexcept;
};

/// Runs body(0) ... body(blocks - 1) on the executor, each at most once even if the executor
/// repeats a block; block numbers that it invents are ignored. If it leaves blocks out, the status
/// says so: Cause::executor_failed, with the first such block as index. On every thread a body
/// takes memory from the caller's source, see WithMemory.
///
/// An exception from a body never reaches the executor, whose threads may not survive one. Blocks
/// that have not begun are skipped, and the exception is thrown here once the executor has
/// returned; if several bodies throw, one of their exceptions. Exceptions of the executor itself
/// pass through.
///
/// Allocates, through claims.prepare(), only when it has more blocks than ever before;
/// std::bad_alloc comes before any block has run. The executor must not return, nor throw, while a
/// body runs.
THRONG_API Status run_blocks(Executor& executor, std::size_t blocks, Executor::Body body,
                             LoopClaims& claims, LoopCost cost = {});

/// For work that has to be completed, such as the second half of an update. Whatever the executor
/// leaves out or throws, every block has run exactly once when this returns; missing blocks run on
/// the calling thread. If `body` throws, std::terminate is called.
///
/// `claims` must be prepared for this many blocks, since nothing may fail here; without that room,
/// all blocks run on the calling thread.
THRONG_API void finish_blocks(Executor& executor, std::size_t blocks, Executor::Body body,
                              LoopClaims& claims, LoopCost cost = {}) noexcept;

} // namespace throng
