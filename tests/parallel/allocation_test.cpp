// Executors do not allocate to run a loop.
#include <throng/parallel/callback_executor.hpp>
#include <throng/parallel/thread_pool.hpp>

#include "../support/allocation_counter.hpp"

#include <gtest/gtest.h>

#include <atomic>

namespace throng {
namespace {

/// Loops, nested ones too.
void expect_no_allocation(Executor& executor) {
    std::atomic<std::size_t> ran = 0;
    const auto inner = [&](std::size_t) { ++ran; };
    const auto outer = [&](std::size_t) { executor.run(3, inner); };
    const std::size_t before = test::allocations();
    for (int round = 0; round < 100; ++round) {
        executor.run(30, outer);
    }
    EXPECT_EQ(test::allocations(), before);
    EXPECT_EQ(ran, 100u * 30 * 3);
}

TEST(Allocations, ThereAreNoneInThreadPool) {
    for (const std::size_t threads : {1u, 4u}) {
        ThreadPool pool(threads);
        expect_no_allocation(pool);
    }
}

TEST(Allocations, ThereAreNoneInCallbackExecutor) {
    CallbackExecutor executor(
        {[](JobFunction job, std::size_t count, void* context, void*) -> void* {
             job(0, count, context);
             return nullptr;
         },
         nullptr, nullptr});
    expect_no_allocation(executor);
}

} // namespace
} // namespace throng
