// Executors do not allocate to run a loop, and objects that cannot be made leave nothing behind.
#include <throng/parallel/batch/batch.hpp>
#include <throng/parallel/executors/callback_executor.hpp>
#include <throng/parallel/executors/thread_pool.hpp>

#include "../../../support/fail_each.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>

namespace throng {
namespace {

/// Expects loops, also nested ones, to allocate nothing.
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

/// Constructs a Made several times, failing each of its allocations in turn.
template <class Made, class... Arguments>
void make_without_memory(Arguments&&... arguments) {
    test::fail_each_allocation(
        [] { return std::make_unique<std::optional<Made>>(); },
        [&](const std::unique_ptr<std::optional<Made>>& made) {
            made->emplace(arguments...);
            return Status{};
        },
        [](const std::unique_ptr<std::optional<Made>>& made) { return made->has_value(); });
}

TEST(Allocations, ThatFailLeaveNothingHalfMade) {
    const test::AllocationsFail somewhere;
    make_without_memory<ThreadPool>(std::size_t{1});
    make_without_memory<ThreadPool>(std::size_t{4}); // also when no thread can start
    make_without_memory<Batch<2>>();
    make_without_memory<Batch<3>>();
    make_without_memory<Batch<2>>();
    make_without_memory<Batch<3>>();
}

} // namespace
} // namespace throng
