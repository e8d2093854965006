// Runs the engine's blocks on oneTBB.
#pragma once

#include "../../engine/core/executor.hpp"
#include "../../simd/isa/export.hpp"

#include <cstddef>

namespace throng {

/// Runs blocks on the threads of the caller's TBB arena. To limit the threads, call from inside
/// tbb::task_arena::execute. Makes no arena and no global control of its own.
///
/// * All blocks run even if a task group around the call is cancelled, before it or meanwhile.
/// * The calling thread runs no other task while it waits, so the caller may hold a lock.
/// * Every block runs in the caller's floating-point mode.
/// * After an exception from a block, blocks not yet begun are skipped, and run() throws it once.
///
/// Stateless: one object serves any number of threads, nested loops included.
class THRONG_API TbbExecutor final : public Executor {
public:
    void run(std::size_t blocks, Body body) override;
};

} // namespace throng
