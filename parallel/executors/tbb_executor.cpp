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

/// body(0) ... body(tasks - 1), one task each: they are thousands of agents, and some cost a
/// multiple of others. TBB halves the range, so that each thread begins with a part of its own.
template <class TaskBody>
void run_tasks(std::size_t tasks, const TaskBody& body) {
    // Isolated from the caller's group: when that is cancelled, TBB would return without a word
    // and without having run the blocks. And in the caller's floating-point mode, since TBB would
    // use the one that its arena was started in, and a host that flushes denormals would get other
    // results from the pool than from itself.
    tbb::task_group_context context(tbb::task_group_context::isolated,
                                    tbb::task_group_context::default_traits |
                                        tbb::task_group_context::fp_settings);
    // Isolated from the caller's tasks: while it waits, the thread would else pick up any of them,
    // one that wants a lock it already holds included.
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
    // Tasks that take one block after another. An arena of its own would do as well, but a thread
    // that finds it full has to wait, perhaps for one that wants a lock of the first.
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
