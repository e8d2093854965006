// A host's use of oneTBB around the engine. Kept out of the tests themselves: TBB's inline
// code must not be instrumented, see cmake/developer.cmake.
#pragma once

#include <throng/engine/core/executor.hpp>
#include <throng/engine/core/function_ref.hpp>

#include <cstddef>

namespace throng::test {

/// Calls `work` on this thread, in an arena where `threads` threads may help, even if the machine
/// has fewer.
void with_tbb_threads(int threads, FunctionRef<void()> work);

/// Blocks as tasks of the host's own: a task_group, with none of the care that TbbExecutor takes.
class HostTasks final : public Executor {
public:
    void run(std::size_t blocks, Body body) override;
};

} // namespace throng::test
