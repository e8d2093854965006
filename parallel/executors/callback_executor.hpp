// Runs the engine's blocks on a host's own job system.
#pragma once

#include "../../engine/core/executor.hpp"
#include "../../simd/isa/export.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace throng {

class BlockLoop;

/// Runs jobs begin ... end - 1 of the loop that `context` stands for. Never throws; does nothing
/// once the loop is over.
using JobFunction = void (*)(std::size_t begin, std::size_t end, void* context);

/// The functions that a host has to provide: plain functions, so that a host may be written in C.
struct JobCallbacks {
    /// Hands over jobs 0 ... count - 1. The host calls job() for each number once, in ranges of any
    /// size and in any order, on any threads, and possibly inside this call. Returns the task for
    /// finish(), or null when there is nothing to wait for: all jobs are done already, or refused.
    void* (*enqueue)(JobFunction job, std::size_t count, void* context, void* user) = nullptr;

    /// Returns when all jobs of the task have returned. The host may do other work meanwhile. Not
    /// called for null.
    void (*finish)(void* task, void* user) = nullptr;

    /// Passed on to both functions.
    void* user = nullptr;

    /// How many threads work on a loop at most, its caller included; 0 if the host does not know.
    std::size_t threads = 0;
};

/// Runs blocks as jobs of the host. Without enqueue() they run on the calling thread.
///
/// * No exception from a block reaches the host: blocks not yet begun are skipped, and run() throws
///   it once, after finish().
/// * Every block runs in the caller's floating-point mode; a job leaves its thread's mode as it
///   was.
/// * No lock is held and nothing is allocated while the host is called.
/// * An executor serves any number of threads at once, nested loops included. It serves kLoops
/// loops at a time; any further loop runs on its caller's thread.
///
/// A host that breaks the rules of JobCallbacks does no harm. A job chooses its block when it
/// begins, so no block runs twice. If a job is never called, a block does not run, which the index
/// reports as Cause::executor_failed. A job called too late finds nothing to do, or helps with a
/// newer loop; so the executor must outlive all jobs that the host still holds.
class THRONG_API CallbackExecutor final : public Executor {
public:
    static constexpr std::size_t kLoops = 32;

    explicit CallbackExecutor(const JobCallbacks& callbacks) noexcept : callbacks_(callbacks) {}
    CallbackExecutor(const CallbackExecutor&) = delete;
    CallbackExecutor& operator=(const CallbackExecutor&) = delete;
    ~CallbackExecutor() override = default;

    void run(std::size_t blocks, Body body) override;

    [[nodiscard]] std::size_t threads() const noexcept override { return callbacks_.threads; }
    [[nodiscard]] ExecutorKind kind() const noexcept override { return ExecutorKind::callbacks; }

private:
    /// The way by which jobs reach a loop. Loops live on stacks, which a late job must not touch;
    /// gates live as long as the executor.
    struct alignas(64) Gate {
        std::atomic<std::uint32_t> state = 0; // two flags, and the number of jobs inside
        BlockLoop* loop = nullptr;            // for jobs that came in while the gate was open
    };
    class OpenGate;

    static void run_jobs(std::size_t begin, std::size_t end, void* context) noexcept;
    [[nodiscard]] Gate* take_gate() noexcept;

    JobCallbacks callbacks_;
    std::array<Gate, kLoops> gates_;
};

} // namespace throng
