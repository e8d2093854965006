// Threads for hosts that have neither oneTBB nor a job system.
#pragma once

#include "../engine/executor.hpp"
#include "../simd/export.hpp"

#include <cstddef>
#include <memory>

namespace throng {

/// Threads that the caller owns, started by the constructor and joined by the destructor.
///
/// * run() may be called from several threads at once, and from inside a block: the calling thread
///   works too, so a loop ends even if no other thread ever comes to help.
/// * A calling thread that has nothing left to do waits and takes up no other loop's blocks, so it
///   may hold a lock. Threads of the pool sleep when there is no work; none spins.
/// * Every block runs in the caller's floating-point mode.
/// * An exception from a block stops those not yet begun and comes out of run() once.
/// * run() allocates nothing.
///
/// Must outlive all its loops, and be destroyed by none of its own threads. A process that comes of
/// fork() has no threads in its copy: that may be destroyed, and nothing else.
class THRONG_API ThreadPool final : public Executor {
public:
    /// `threads` is how many work on a loop, its caller included: ThreadPool(1) starts none. With 0
    /// as many as there are processors that the calling thread may run on; time quotas, as of
    /// containers, are not looked at. What it throws, std::system_error when there can be no more
    /// threads, leaves none behind.
    explicit ThreadPool(std::size_t threads = 0);
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;
    ~ThreadPool() override;

    void run(std::size_t blocks, Body body) override;

    /// How many work on a loop, its caller included.
    [[nodiscard]] std::size_t threads() const noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace throng
