// Runs the engine's blocks on oneTBB.
#pragma once

#include "../../engine/core/executor.hpp"
#include "../../simd/isa/export.hpp"

#include <cstddef>

namespace throng {

/// Runs blocks on oneTBB, in the arena that run() is called from: the host's arenas, limits and
/// priorities hold. Makes no arena and no global control of its own.
///
/// * All blocks run even if a task group around the call is cancelled, before it or meanwhile.
/// * The calling thread runs no other task while it waits, so the caller may hold a lock.
/// * Every block runs in the caller's floating-point mode.
/// * After an exception from a block, blocks not yet begun are skipped, and run() throws it once.
///
/// Holds only a number, so one executor serves any number of threads, nested loops included.
class THRONG_API TbbExecutor final : public Executor {
public:
    /// At most `threads` threads of the arena work on a loop, the calling one included; 0 means all
    /// of them. This limits each loop by itself. To limit several loops together, call run() from
    /// inside tbb::task_arena::execute.
    explicit TbbExecutor(std::size_t threads = 0) noexcept : most_(threads) {}

    void run(std::size_t blocks, Body body) override;

    [[nodiscard]] std::size_t threads() const noexcept override;
    [[nodiscard]] ExecutorKind kind() const noexcept override { return ExecutorKind::tbb; }

private:
    std::size_t most_;
};

} // namespace throng
