// A host's use of oneTBB around the engine. It is separate from the tests, because TBB's inline
// code must not be instrumented; see cmake/developer.cmake.
#pragma once

#include <throng/engine/core/executor.hpp>
#include <throng/engine/core/function_ref.hpp>

#include <cstddef>

namespace throng::test {

/// Calls `work` on this thread, in an arena of `threads` threads, even if the machine has fewer.
void with_tbb_threads(int threads, FunctionRef<void()> work);

/// Runs blocks as tasks of a plain task_group of the host, without TbbExecutor's precautions.
class HostTasks final : public Executor {
public:
    void run(std::size_t blocks, Body body) override;
};

} // namespace throng::test
