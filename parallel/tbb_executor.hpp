// Runs the engine's blocks on oneTBB.
#pragma once

#include "../engine/executor.hpp"
#include "../simd/export.hpp"

#include <cstddef>

namespace throng {

/// Runs blocks on the threads of the caller's TBB arena; to limit them, call from inside
/// tbb::task_arena::execute. Starts no arena and no global control of its own.
///
/// * A group around the call that is cancelled, before or meanwhile, leaves no block out.
/// * The calling thread takes up no foreign task while it waits, so the caller may hold a lock.
/// * Every block runs in the caller's floating-point mode.
/// * An exception from a block stops those not yet begun and comes out of run() once.
///
/// Stateless: one object serves any number of threads, nested loops included.
class THRONG_API TbbExecutor final : public Executor {
public:
    void run(std::size_t blocks, Body body) override;
};

} // namespace throng
