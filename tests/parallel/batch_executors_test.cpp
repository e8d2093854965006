// What a batch answers does not depend on who runs its blocks, nor in which order.
#include <throng/parallel/batch.hpp>
#include <throng/parallel/callback_executor.hpp>
#include <throng/parallel/thread_pool.hpp>

#include "../support/dims.hpp"
#include "../support/executors.hpp"
#include "batch_calls.hpp"
#include "loops.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>

namespace throng {
namespace {

template <class Dim>
class BatchExecutors : public testing::Test {
protected:
    static constexpr std::size_t kDim = Dim::value;

    /// The hashes of all calls, the update made on the executor too.
    static std::vector<std::uint64_t> hashes(test::Crowd<kDim>& crowd, Executor& executor) {
        crowd.update(executor);
        test::Calls<kDim> calls(crowd);
        Batch<kDim> batch(executor);
        return calls.make_all(batch);
    }
};
TYPED_TEST_SUITE(BatchExecutors, test::Dims, test::DimNames);

TYPED_TEST(BatchExecutors, AnyNumberOfThreads) {
    test::Crowd<TypeParam::value> crowd(8'000);
    const auto wanted = this->hashes(crowd, serial_executor());
    for (const std::size_t threads : test::kThreadCounts) {
        ThreadPool pool(threads);
        EXPECT_EQ(this->hashes(crowd, pool), wanted) << threads;
    }
}

TYPED_TEST(BatchExecutors, AnyOrder) {
    test::Crowd<TypeParam::value> crowd(1'600);
    const auto wanted = this->hashes(crowd, serial_executor());
    const std::uint64_t seeds = std::getenv("THRONG_TEST_EMULATED") != nullptr ? 10 : 100;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        test::ShuffleExecutor executor(seed);
        ASSERT_EQ(this->hashes(crowd, executor), wanted) << seed;
    }
}

TYPED_TEST(BatchExecutors, AHostsJobSystem) {
    test::Crowd<TypeParam::value> crowd(3'000);
    const auto wanted = this->hashes(crowd, serial_executor());
    // The last job first, and several jobs in one go.
    CallbackExecutor backwards(
        {[](JobFunction job, std::size_t count, void* context, void*) -> void* {
             for (std::size_t end = count; end > 0;) {
                 const std::size_t begin = end > 3 ? end - 3 : 0;
                 job(begin, end, context);
                 end = begin;
             }
             return nullptr;
         },
         nullptr, nullptr});
    EXPECT_EQ(this->hashes(crowd, backwards), wanted);
    // A thread a loop, and the calling one has nothing to do.
    CallbackExecutor elsewhere(
        {[](JobFunction job, std::size_t count, void* context, void*) -> void* {
             return new std::thread([=] { job(0, count, context); });
         },
         [](void* task, void*) {
             const std::unique_ptr<std::thread> thread(static_cast<std::thread*>(task));
             thread->join();
         },
         nullptr});
    EXPECT_EQ(this->hashes(crowd, elsewhere), wanted);
}

/// A host's thread that makes all calls, over and over, with a batch of its own.
template <std::size_t Dim>
void expect_same(const test::Crowd<Dim>& crowd, Executor& executor,
                 const std::vector<std::uint64_t>& wanted, int rounds) {
    test::Calls<Dim> calls(crowd);
    Batch<Dim> batch(executor);
    for (int round = 0; round < rounds; ++round) {
        EXPECT_EQ(calls.make_all(batch), wanted);
    }
}

TYPED_TEST(BatchExecutors, SeveralBatchesShareAPoolAndAGrid) {
    test::Crowd<TypeParam::value> crowd(1'600);
    const auto wanted = this->hashes(crowd, serial_executor());
    ThreadPool pool(3);
    std::vector<std::thread> hosts;
    for (int i = 0; i < 4; ++i) {
        hosts.emplace_back([&] { expect_same(crowd, pool, wanted, 3); });
    }
    for (std::thread& host : hosts) {
        host.join();
    }
}

TYPED_TEST(BatchExecutors, ABatchInABlockOfAnotherLoop) {
    test::Crowd<TypeParam::value> crowd(1'600);
    const auto wanted = this->hashes(crowd, serial_executor());
    ThreadPool pool(4);
    pool.run(6, [&](std::size_t) { expect_same(crowd, pool, wanted, 1); });
}

// Were a waiting caller to take up other loops' blocks, this would never end.
TYPED_TEST(BatchExecutors, AHostHoldsALock) {
    test::Crowd<TypeParam::value> crowd(1'600);
    const auto wanted = this->hashes(crowd, serial_executor());
    ThreadPool pool(3);
    std::mutex mutex;
    test::Calls<TypeParam::value> calls(crowd);
    Batch<TypeParam::value> batch(pool); // the lock is what lets threads share it
    const auto host = [&] {
        pool.run(8, [&](std::size_t) {
            const std::lock_guard lock(mutex);
            EXPECT_EQ(calls.make_all(batch), wanted);
        });
    };
    std::thread other(host);
    host();
    other.join();
}

} // namespace
} // namespace throng
