// The library inside a host whose own job system runs all work.
#include <throng/parallel/executors/callback_executor.hpp>

#include "../../../examples/hosts/stealing_pool.hpp"
#include "../../support/dims.hpp"
#include "../batch/like_serial.hpp"
#include "promises.hpp"
#include "updates.hpp"

#include <gtest/gtest.h>

namespace throng {
namespace {

TEST(StealingPool, KeepsAllPromises) {
    for (const std::size_t workers : test::kThreadCounts) {
        SCOPED_TRACE(workers);
        hosts::StealingPool host(workers);
        CallbackExecutor executor(host.callbacks());
        test::expect_all_promises(executor);
    }
}

TEST(StealingPool, IsAllThatWorks) {
    for (const std::size_t workers : test::kThreadCounts) {
        SCOPED_TRACE(workers);
        hosts::StealingPool host(workers);
        const test::Threads before = test::settled_threads();
        CallbackExecutor executor(host.callbacks());
        test::expect_threads(executor, std::min<std::size_t>(workers, 3), workers + 1);
        EXPECT_EQ(test::threads_since(before), 0u);
    }
}

template <class Dim>
class ForeignUpdates : public testing::Test {};
TYPED_TEST_SUITE(ForeignUpdates, test::Dims, test::DimNames);

TYPED_TEST(ForeignUpdates, AreTheSameOnAnyNumberOfThreads) {
    for (const std::size_t workers : test::kThreadCounts) {
        SCOPED_TRACE(workers);
        hosts::StealingPool host(workers);
        CallbackExecutor executor(host.callbacks());
        test::expect_updates_like_serial<TypeParam::value>(executor);
    }
}

// A game that updates one index for each faction, each in its own job.
TYPED_TEST(ForeignUpdates, MayBeginInsideJobs) {
    hosts::StealingPool host(3);
    CallbackExecutor executor(host.callbacks());
    (void)test::large_crowds<TypeParam::value>();
    executor.run(
        4, [&](std::size_t) { test::expect_updates_like_serial<TypeParam::value>(executor); });
}

TYPED_TEST(ForeignUpdates, BatchesAndEditsAreTheSameToo) {
    for (const std::size_t workers : test::kThreadCounts) {
        SCOPED_TRACE(workers);
        hosts::StealingPool host(workers);
        CallbackExecutor executor(host.callbacks());
        test::expect_batches_like_serial<TypeParam::value>(executor);
        test::expect_edits_like_serial<TypeParam::value>(executor);
    }
}

} // namespace
} // namespace throng
