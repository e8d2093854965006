#include "tbb_executor.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <algorithm>

namespace throng {

namespace {

/// More than any machine has, and few enough for an int.
constexpr std::size_t kMostThreads = 65'536;

void run_here(std::size_t blocks, Executor::Body body, tbb::task_group_context& context) {
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

} // namespace

struct TbbExecutor::Arena {
    explicit Arena(std::size_t threads) : arena(static_cast<int>(threads)) {}

    tbb::task_arena arena;
};

TbbExecutor::TbbExecutor() noexcept = default;

TbbExecutor::TbbExecutor(std::size_t threads)
    : arena_(threads == 0 ? nullptr : std::make_unique<Arena>(std::min(threads, kMostThreads))) {}

TbbExecutor::~TbbExecutor() = default;

void TbbExecutor::run(std::size_t blocks, Body body) {
    // Isolated from the caller's group: when that is cancelled, TBB would return without a word
    // and without having run the blocks. And in the caller's floating-point mode, since TBB would
    // use the one that its arena was started in, and a host that flushes denormals would get other
    // results from the pool than from itself.
    tbb::task_group_context context(tbb::task_group_context::isolated,
                                    tbb::task_group_context::default_traits |
                                        tbb::task_group_context::fp_settings);
    if (arena_ == nullptr) {
        run_here(blocks, body, context);
    } else {
        arena_->arena.execute([&] { run_here(blocks, body, context); });
    }
}

std::size_t TbbExecutor::threads() const noexcept {
    const int slots = arena_ == nullptr ? tbb::this_task_arena::max_concurrency()
                                        : arena_->arena.max_concurrency();
    const std::size_t allowed =
        tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
    return std::clamp<std::size_t>(static_cast<std::size_t>(slots), 1,
                                   std::max<std::size_t>(allowed, 1));
}

} // namespace throng
