#include "loop_sequence.hpp"

namespace throng {

Status run_sequence(LoopSequence& sequence, LoopClaims& claims, Executor& executor) {
    const auto body = [&](std::size_t block) { sequence.run(block); };
    for (;;) {
        LoopSequence::Loop loop;
        Status status = sequence.next(loop);
        if (!status.ok() || loop.blocks == 0) { return status; }
        if (loop.certain) {
            finish_blocks(executor, loop.blocks, body, claims, loop.cost);
        } else {
            status = run_blocks(executor, loop.blocks, body, claims, loop.cost);
            if (!status.ok()) { return status; }
        }
    }
}

} // namespace throng
