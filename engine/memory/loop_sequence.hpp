// Work made of several loops, one after another; any caller may run their blocks. Internal to the
// engine.
#pragma once

#include "../core/executor.hpp"
#include "../core/status.hpp"
#include "checked_loop.hpp"

#include <cstddef>

namespace throng {

/// Steps that can fail come first, and change nothing that others see. From the first `certain`
/// loop on nothing fails any more.
class LoopSequence {
public:
    struct Loop {
        std::size_t blocks = 0; ///< 0: the sequence is done
        LoopCost cost{};
        bool certain = false; ///< the loop must be run to its end
    };

    LoopSequence() = default;
    LoopSequence(const LoopSequence&) = delete;
    LoopSequence& operator=(const LoopSequence&) = delete;
    virtual ~LoopSequence() = default;

    /// Ends the previous loop, if any, and begins the next. Called once at the start, and again
    /// whenever all blocks of a loop have run. Throws std::bad_alloc. After a failure nothing more
    /// may be called.
    virtual Status next(Loop& loop) = 0;

    /// Runs a block of the loop. Blocks may run at the same time, each once. Blocks of a loop that
    /// is not certain may throw.
    virtual void run(std::size_t block) = 0;
};

/// Runs the whole sequence on an executor, as run_blocks() and finish_blocks() do.
Status run_sequence(LoopSequence& sequence, LoopClaims& claims, Executor& executor);

} // namespace throng
