#include "checked_loop.hpp"

#include "../core/assert.hpp"
#include "atomic_of.hpp"
#include "memory_scope.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>

namespace throng {

namespace {

enum State : std::uint8_t { unclaimed, claimed, finished };

/// Only the bodies take memory from the caller's source. The executor does not: while it waits it
/// may take up other work of the host's, or come back on another thread.
void run_with_memory(Executor& executor, std::size_t threads, std::size_t blocks,
                     Executor::Body body) {
    WithMemory* const with = ThreadMemory::current();
    const ThreadMemory::Carried without(nullptr);
    const auto carry = [&](std::size_t block) {
        const ThreadMemory::Carried carried(with);
        body(block);
    };
    if (threads >= std::min(blocks, executor.threads())) {
        executor.run(blocks, carry);
    } else {
        executor.run_on(threads, blocks, carry);
    }
}

/// Runs the blocks on as many threads as the cost is worth.
void run_at_cost(Executor& executor, std::size_t blocks, LoopCost cost, Executor::Body body) {
    const std::size_t most = executor.threads();
    const std::size_t threads = cost.threads(executor);
    if (most > 1 && (threads == 1 || blocks <= 1)) {
        // A batch of one question must not pay for entering a scheduler.
        for (std::size_t b = 0; b < blocks; ++b) {
            body(b);
        }
    } else {
        run_with_memory(executor, threads, blocks, body);
    }
}

} // namespace

std::size_t LoopCost::threads_worth() const noexcept {
    // Twice the time for waking a thread and learning that it is done: docs/threads.md.
    constexpr double kWorthAThread = 30'000.0;
    constexpr double kMost = 1e6;
    const double worth = nanoseconds / kWorthAThread;
    if (!(worth > 1.0)) { return 1; } // also for NaN
    return static_cast<std::size_t>(std::min(worth, kMost));
}

std::size_t LoopCost::threads(const Executor& executor) const noexcept {
    const std::size_t most = executor.threads();
    return most == 0 ? std::numeric_limits<std::size_t>::max() : std::min(threads_worth(), most);
}

void LoopClaims::prepare(std::size_t blocks) {
    if (blocks > states_.size()) { states_.resize(blocks); }
}

void LoopClaims::start(std::size_t blocks) noexcept {
    THRONG_ASSERT(blocks <= room());
    std::fill_n(states_.begin(), blocks, std::uint8_t{unclaimed});
    blocks_ = blocks;
}

bool LoopClaims::claim(std::size_t block) noexcept {
    if (block >= blocks_) { return false; }
    std::uint8_t expected = unclaimed;
    return atomic_of(states_[block])
        .compare_exchange_strong(expected, claimed, std::memory_order_relaxed);
}

void LoopClaims::finish(std::size_t block) noexcept {
    atomic_of(states_[block]).store(finished, std::memory_order_release);
}

std::size_t LoopClaims::first_unfinished() noexcept {
    // Acquire: a thread that sees a block finished may also read what the block wrote.
    std::size_t b = 0;
    while (b < blocks_ && atomic_of(states_[b]).load(std::memory_order_acquire) == finished) {
        ++b;
    }
    return b;
}

Status run_blocks(Executor& executor, std::size_t blocks, Executor::Body body, LoopClaims& claims,
                  LoopCost cost) {
    claims.prepare(blocks);
    claims.start(blocks);
    std::atomic<bool> failed = false;
    std::exception_ptr error;
    run_at_cost(executor, blocks, cost, [&](std::size_t block) noexcept {
        if (failed.load(std::memory_order_relaxed) || !claims.claim(block)) { return; }
        try {
            body(block);
            claims.finish(block);
        } catch (...) {
            // Only the first block to fail writes `error`; it is read after all bodies have
            // returned.
            if (!failed.exchange(true, std::memory_order_acq_rel)) {
                error = std::current_exception();
            }
        }
    });
    if (failed.load(std::memory_order_acquire)) { std::rethrow_exception(error); }
    const std::size_t missing = claims.first_unfinished();
    return missing == blocks ? Status{}
                             : Status{Cause::executor_failed, Argument::executor, missing};
}

void finish_blocks(Executor& executor, std::size_t blocks, Executor::Body body, LoopClaims& claims,
                   LoopCost cost) noexcept {
    THRONG_ASSERT(blocks <= claims.room());
    if (blocks > claims.room()) {
        for (std::size_t b = 0; b < blocks; ++b) {
            body(b);
        }
        return;
    }
    claims.start(blocks);
    const auto run_once = [&](std::size_t block) noexcept {
        if (claims.claim(block)) {
            body(block);
            claims.finish(block);
        }
    };
    try {
        run_at_cost(executor, blocks, cost, run_once);
    } catch (...) {
        // Only the work matters here; run_blocks() reports an executor that fails.
    }
    for (std::size_t b = claims.first_unfinished(); b < blocks; ++b) {
        run_once(b);
    }
}

} // namespace throng
