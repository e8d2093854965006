// Runs the engine's blocks on oneTBB.
#pragma once

#include "../../engine/core/executor.hpp"
#include "../../simd/isa/export.hpp"

#include <cstddef>
#include <memory>

namespace throng {

/// Runs blocks on oneTBB: in the arena that run() is called from, or in one of its own. Makes no
/// global control, so the host's holds.
///
/// * In the caller's arena, blocks have its threads, its limit and its priority: to limit the
///   threads, call from inside tbb::task_arena::execute.
/// * All blocks run even if a task group around the call is cancelled, before it or meanwhile.
/// * The calling thread runs no other task while it waits, so the caller may hold a lock.
/// * Every block runs in the caller's floating-point mode.
/// * After an exception from a block, blocks not yet begun are skipped, and run() throws it once.
///
/// One object serves any number of threads, nested loops included.
class THRONG_API TbbExecutor final : public Executor {
public:
    /// In the arena of whoever calls. Holds nothing.
    TbbExecutor() noexcept;
    /// In an arena of its own, for `threads` threads at most, the calling one included; 0 means the
    /// caller's arena, as above, and 1 the calling thread alone.
    explicit TbbExecutor(std::size_t threads);
    TbbExecutor(const TbbExecutor&) = delete;
    TbbExecutor& operator=(const TbbExecutor&) = delete;
    ~TbbExecutor() override;

    void run(std::size_t blocks, Body body) override;

    /// No more than the host's global control allows at the moment.
    [[nodiscard]] std::size_t threads() const noexcept override;
    [[nodiscard]] ExecutorKind kind() const noexcept override { return ExecutorKind::tbb; }

private:
    struct Arena;
    std::unique_ptr<Arena> arena_; ///< none: the caller's
};

} // namespace throng
