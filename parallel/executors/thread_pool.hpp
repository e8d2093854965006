// Threads for hosts that have neither oneTBB nor a job system.
#pragma once

#include "../../engine/core/executor.hpp"
#include "../../simd/isa/export.hpp"

#include <cstddef>
#include <memory>

namespace throng {

/// Threads that the caller owns, started by the constructor and joined by the destructor.
///
/// * run() may be called from several threads at once, and from inside a block: the calling thread
///   works too, so a loop ends even if no other thread helps.
/// * A calling thread with nothing left to do waits and runs no blocks of other loops, so it may
///   hold a lock. Threads of the pool sleep when there is no work: at once if there are more
///   threads than processors, else after 20 microseconds, in which the next loop often comes.
/// * Every block runs in the caller's floating-point mode.
/// * After an exception from a block, blocks not yet begun are skipped, and run() throws it once.
/// * run() allocates nothing.
///
/// Must outlive all its loops, and must not be destroyed by one of its own threads. After fork(),
/// the child's copy has no threads: there loops run on the thread that calls.
class THRONG_API ThreadPool final : public Executor {
public:
    /// `threads` is how many threads work on a loop, its caller included: ThreadPool(1) starts
    /// none. 0 means one for each processor that the calling thread may run on; time quotas, such
    /// as a container's, are not considered. Throws std::system_error when the system has no more
    /// threads; the threads already started are then joined.
    explicit ThreadPool(std::size_t threads = 0);
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;
    ~ThreadPool() override;

    void run(std::size_t blocks, Body body) override;

    [[nodiscard]] std::size_t threads() const noexcept override;
    [[nodiscard]] ExecutorKind kind() const noexcept override { return ExecutorKind::pool; }

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace throng
