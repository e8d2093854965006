#include "tbb_executor.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

namespace throng {

void TbbExecutor::run(std::size_t blocks, Body body) {
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
            tbb::blocked_range<std::size_t>(0, blocks, 1),
            [&](const tbb::blocked_range<std::size_t>& range) {
                for (std::size_t b = range.begin(); b != range.end(); ++b) {
                    body(b);
                }
            },
            // One task a block: blocks are thousands of agents, and some cost a multiple of others.
            tbb::simple_partitioner(), context);
    });
}

} // namespace throng
