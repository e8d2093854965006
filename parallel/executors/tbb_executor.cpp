#include "tbb_executor.hpp"

#include "block_loop.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <algorithm>

namespace throng {

namespace {

/// Calls body(0) ... body(tasks - 1), a TBB task each: every call handles thousands of agents, and
/// some cost a multiple of others. TBB halves the range, so each thread begins with its own part.
template <class TaskBody>
void run_tasks(std::size_t tasks, const TaskBody& body) {
    // Isolated from the caller's group: if that is cancelled, TBB returns without an error and
    // without having run the blocks. With the caller's floating-point mode: TBB would use the mode
    // that its arena was started in, and a host that flushes denormals would get other results from
    // the pool than from its own thread.
    tbb::task_group_context context(tbb::task_group_context::isolated,
                                    tbb::task_group_context::default_traits |
                                        tbb::task_group_context::fp_settings);
    // Isolated from the caller's tasks: otherwise a waiting thread could pick up a task that wants
    // a lock which the thread already holds.
    tbb::this_task_arena::isolate([&] {
        tbb::parallel_for(
            tbb::blocked_range<std::size_t>(0, tasks, 1),
            [&](const tbb::blocked_range<std::size_t>& range) {
                for (std::size_t task = range.begin(); task != range.end(); ++task) {
                    body(task);
                }
            },
            tbb::simple_partitioner(), context);
    });
}

} // namespace

void TbbExecutor::run(std::size_t blocks, Body body) {
    if (most_ == 0 || blocks <= most_) { return run_tasks(blocks, body); }
    // Each task takes one block after another. A separate arena would also limit the threads, but a
    // thread that finds the arena full has to wait, perhaps for a thread that wants a lock which
    // the waiting thread holds.
    BlockLoop loop(blocks, body, threads());
    run_tasks(most_, [&](std::size_t) {
        loop.work(blocks, static_cast<std::size_t>(tbb::this_task_arena::current_thread_index()));
    });
    loop.rethrow();
}

std::size_t TbbExecutor::threads() const noexcept {
    const auto slots = static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
    const std::size_t allowed =
        tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
    const std::size_t most = std::min(slots, allowed);
    return most_ == 0 ? most : std::min(most, most_);
}

} // namespace throng
