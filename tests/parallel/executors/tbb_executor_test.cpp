// Blocks on oneTBB in places where TBB alone would drop them or deadlock.
#include <throng/parallel/executors/tbb_executor.hpp>

#include "promises.hpp"

#include <gtest/gtest.h>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <atomic>
#include <cfenv>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace throng {
namespace {

constexpr std::size_t kBlocks = 64;

/// Runs `blocks` blocks and returns how many ran exactly once.
std::size_t ran_once(std::size_t blocks) {
    TbbExecutor executor;
    return test::ran_once(executor, blocks);
}

class TbbExecutorTest : public ::testing::Test {
private:
    // More threads than a small machine has cores, so that races can show.
    tbb::global_control threads_{tbb::global_control::max_allowed_parallelism, 4};
};

TEST_F(TbbExecutorTest, RunsEachBlockOnce) {
    for (const std::size_t blocks : {0u, 1u, 2u, 63u, 1'000u, 20'000u}) {
        EXPECT_EQ(ran_once(blocks), blocks);
    }
}

TEST_F(TbbExecutorTest, StaysInTheCallersArena) {
    tbb::task_arena arena(1);
    std::set<std::thread::id> threads; // no lock, since only one thread runs blocks
    arena.execute([&] {
        TbbExecutor executor;
        executor.run(kBlocks, [&](std::size_t) {
            test::spin();
            threads.insert(std::this_thread::get_id());
        });
        EXPECT_EQ(ran_once(kBlocks), kBlocks);
    });
    EXPECT_EQ(threads, std::set{std::this_thread::get_id()});
}

TEST_F(TbbExecutorTest, UsesSeveralThreads) {
    tbb::task_arena arena(4);
    arena.execute([] {
        std::mutex mutex;
        std::set<std::thread::id> threads;
        TbbExecutor executor;
        // A worker may wake up late, so one attempt proves nothing.
        for (int attempt = 0; attempt < 1'000 && threads.size() < 2; ++attempt) {
            executor.run(kBlocks, [&](std::size_t) {
                test::spin();
                const std::lock_guard lock(mutex);
                threads.insert(std::this_thread::get_id());
            });
        }
        EXPECT_GE(threads.size(), 2u);
    });
}

TEST_F(TbbExecutorTest, ThreadsKeepTheirBlocks) {
    tbb::task_arena arena(2);
    arena.execute([] {
        TbbExecutor executor(2);
        // By places in the arena: another worker may take the place of one that has left.
        EXPECT_TRUE(test::keep_their_blocks(
            executor, [] { return tbb::this_task_arena::current_thread_index(); }));
    });
}

TEST_F(TbbExecutorTest, TakesNoMoreThreadsThanItWasTold) {
    tbb::task_arena arena(4);
    arena.execute([] {
        for (const std::size_t most : {1u, 2u, 3u}) {
            TbbExecutor executor(most);
            EXPECT_EQ(executor.threads(), most);
            test::expect_threads(executor, most, most);
            test::expect_all_promises(executor);
        }
        EXPECT_EQ(TbbExecutor().threads(), 4u);
        EXPECT_EQ(TbbExecutor(9).threads(), 4u) << "the host's arena has no more";
    });
    const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 2);
    arena.execute([] { EXPECT_EQ(TbbExecutor().threads(), 2u) << "nor does the host allow more"; });
}

TEST_F(TbbExecutorTest, RunsAllBlocksInsideACancelledGroup) {
    std::size_t once = 0;
    bool cancelled = false;
    tbb::task_group group;
    const tbb::task_group_status status = group.run_and_wait([&] {
        group.cancel();
        cancelled = tbb::is_current_task_group_canceling();
        once = ran_once(kBlocks);
    });
    EXPECT_EQ(status, tbb::canceled);
    EXPECT_TRUE(cancelled);
    EXPECT_EQ(once, kBlocks);
}

TEST_F(TbbExecutorTest, RunsAllBlocksWhenTheGroupIsCancelledMeanwhile) {
    std::atomic<std::size_t> ran = 0;
    tbb::task_group group;
    (void)group.run_and_wait([&] {
        TbbExecutor executor;
        executor.run(kBlocks, [&](std::size_t) {
            group.cancel();
            ++ran;
        });
    });
    EXPECT_EQ(ran, kBlocks);
}

TEST_F(TbbExecutorTest, CanBeNested) {
    std::atomic<std::size_t> complete = 0;
    tbb::parallel_for(0, 50, [&](int) { complete += ran_once(kBlocks) == kBlocks ? 1 : 0; });
    EXPECT_EQ(complete, 50u);

    std::atomic<std::size_t> inner = 0;
    TbbExecutor executor;
    executor.run(20, [&](std::size_t) { executor.run(30, [&](std::size_t) { ++inner; }); });
    EXPECT_EQ(inner, 600u);
}

TEST_F(TbbExecutorTest, NeverTakesUpTheHostsTasksWhileItWaits) {
    static thread_local bool inside = false; // this thread is in a call to run()
    tbb::task_arena arena(3);
    for (int round = 0; round < 5; ++round) {
        std::atomic<bool> host_ready = false, caller_waits = false, done = false;
        std::atomic<int> arrived = 0, taken_up = 0;
        arena.execute([&] {
            const std::thread::id caller = std::this_thread::get_id();
            tbb::task_group group;
            // A second thread adds tasks of the host while the calling thread only waits for a
            // third to finish its block.
            group.run([&] {
                host_ready = true;
                EXPECT_TRUE(test::wait_until([&] { return caller_waits.load(); }));
                for (int i = 0; i < 20; ++i) {
                    group.run([&] { taken_up += inside ? 1 : 0; });
                }
                EXPECT_TRUE(test::wait_until([&] { return done.load(); }));
            });
            EXPECT_TRUE(test::wait_until([&] { return host_ready.load(); }));
            inside = true;
            TbbExecutor executor;
            executor.run(2, [&](std::size_t) {
                ++arrived;
                EXPECT_TRUE(test::wait_until([&] { return arrived == 2; }));
                if (std::this_thread::get_id() == caller) { return; }
                caller_waits = true;
                (void)test::wait_until([&] { return taken_up > 0; }, std::chrono::milliseconds(20));
            });
            inside = false;
            done = true;
            group.wait();
        });
        EXPECT_EQ(taken_up, 0) << "one that wants a lock held by the caller would never end";
    }
}

TEST_F(TbbExecutorTest, BearsALockThatTheHostHolds) {
    std::mutex mutex;
    std::size_t total = 0;
    tbb::parallel_for(0, 500, [&](int) {
        const std::lock_guard lock(mutex);
        total += ran_once(kBlocks);
    });
    EXPECT_EQ(total, 500 * kBlocks);
}

TEST_F(TbbExecutorTest, ThrowsOnce) {
    TbbExecutor executor;
    std::atomic<int> caught = 0;
    for (int round = 0; round < 20; ++round) {
        try {
            executor.run(kBlocks, [](std::size_t b) {
                if (b % 2 == 1) { throw std::out_of_range("odd"); }
            });
            ADD_FAILURE() << "nothing was thrown";
        } catch (const std::out_of_range&) { ++caught; }
        EXPECT_EQ(ran_once(kBlocks), kBlocks) << "all is well again";
    }
    EXPECT_EQ(caught, 20);
}

TEST_F(TbbExecutorTest, AnExceptionDoesNotCancelTheHostsGroup) {
    std::atomic<int> finished = 0;
    tbb::parallel_for(0, 100, [&](int) {
        TbbExecutor executor;
        EXPECT_THROW(executor.run(4, [](std::size_t) { throw 1; }), int);
        ++finished;
    });
    EXPECT_EQ(finished, 100);
}

TEST_F(TbbExecutorTest, EveryBlockRunsInTheCallersFloatingPointMode) {
    ASSERT_EQ(ran_once(kBlocks), kBlocks); // starts the arena in the default mode
    const int before = std::fegetround();
    ASSERT_EQ(std::fesetround(FE_UPWARD), 0);
    std::atomic<std::size_t> upward = 0;
    TbbExecutor executor;
    executor.run(kBlocks, [&](std::size_t) {
        test::spin();
        upward += std::fegetround() == FE_UPWARD ? 1 : 0;
    });
    const int after = std::fegetround();
    std::fesetround(before);
    EXPECT_EQ(upward, kBlocks);
    EXPECT_EQ(after, FE_UPWARD) << "and the caller's own mode is left alone";
}

} // namespace
} // namespace throng
