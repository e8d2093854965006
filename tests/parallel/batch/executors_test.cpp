// A batch's answers do not depend on the executor.
#include <throng/parallel/batch/batch.hpp>
#include <throng/parallel/executors/callback_executor.hpp>

#include "../../support/dims.hpp"
#include "../../support/threads/executors.hpp"
#include "../executors/loops.hpp"
#include "hashes.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace throng {
namespace {

template <class Dim>
class BatchExecutors : public testing::Test {};
TYPED_TEST_SUITE(BatchExecutors, test::Dims, test::DimNames);

template <std::size_t Dim>
void expect_same_on_any_number_of_threads(test::TwoGrids<Dim>& crowd) {
    const auto wanted = test::hashes(crowd, serial_executor());
    for (const std::size_t threads : test::kThreadCounts) {
        test::EagerPool pool(threads);
        EXPECT_EQ(test::hashes(crowd, pool), wanted) << threads;
    }
}

TYPED_TEST(BatchExecutors, AnyNumberOfThreads) {
    test::TwoGrids<TypeParam::value> crowd(8'000);
    expect_same_on_any_number_of_threads(crowd);
}

TYPED_TEST(BatchExecutors, AnyNumberOfThreadsForWhatIsExact) {
    test::for_each_exact_crowd<TypeParam::value>(
        2'200, [](auto& crowd) { expect_same_on_any_number_of_threads(crowd); });
}

template <std::size_t Dim>
void expect_same_on_a_hosts_job_system(test::TwoGrids<Dim>& crowd) {
    const auto wanted = test::hashes(crowd, serial_executor());
    // Jobs from the last to the first, several at a time.
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
    EXPECT_EQ(test::hashes(crowd, backwards), wanted);
    // Each loop runs on a new thread, and the calling thread gets no job.
    CallbackExecutor elsewhere(
        {[](JobFunction job, std::size_t count, void* context, void*) -> void* {
             return new std::thread([=] { job(0, count, context); });
         },
         [](void* task, void*) {
             const std::unique_ptr<std::thread> thread(static_cast<std::thread*>(task));
             thread->join();
         },
         nullptr});
    EXPECT_EQ(test::hashes(crowd, elsewhere), wanted);
}

TYPED_TEST(BatchExecutors, AHostsJobSystem) {
    test::TwoGrids<TypeParam::value> crowd(3'000);
    expect_same_on_a_hosts_job_system(crowd);
}

TYPED_TEST(BatchExecutors, AHostsJobSystemForWhatIsExact) {
    test::for_each_exact_crowd<TypeParam::value>(
        2'200, [](auto& crowd) { expect_same_on_a_hosts_job_system(crowd); });
}

/// The thread of a host: makes all calls several times, with its own batch.
template <std::size_t Dim>
void expect_same(const test::TwoGrids<Dim>& crowd, Executor& executor,
                 const std::vector<std::uint64_t>& wanted, int rounds) {
    test::Calls<Dim> calls(crowd);
    Batch<Dim> batch(executor);
    for (int round = 0; round < rounds; ++round) {
        EXPECT_EQ(calls.make_all(batch), wanted);
    }
}

TYPED_TEST(BatchExecutors, SeveralBatchesShareAPoolAndAGrid) {
    test::TwoGrids<TypeParam::value> crowd(1'600);
    const auto wanted = test::hashes(crowd, serial_executor());
    test::EagerPool pool(3);
    std::vector<std::thread> hosts;
    for (int i = 0; i < 4; ++i) {
        hosts.emplace_back([&] { expect_same(crowd, pool, wanted, 3); });
    }
    for (std::thread& host : hosts) {
        host.join();
    }
}

TYPED_TEST(BatchExecutors, ABatchInABlockOfAnotherLoop) {
    test::TwoGrids<TypeParam::value> crowd(1'600);
    const auto wanted = test::hashes(crowd, serial_executor());
    test::EagerPool pool(4);
    pool.run(6, [&](std::size_t) { expect_same(crowd, pool, wanted, 1); });
}

// If a waiting caller took blocks of another loop, this would deadlock.
TYPED_TEST(BatchExecutors, AHostHoldsALock) {
    test::TwoGrids<TypeParam::value> crowd(1'600);
    const auto wanted = test::hashes(crowd, serial_executor());
    test::EagerPool pool(3);
    std::mutex mutex;
    test::Calls<TypeParam::value> calls(crowd);
    Batch<TypeParam::value> batch(pool); // shared by threads, under the lock
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
