// The library's own threads.
#include <throng/parallel/executors/thread_pool.hpp>

#include "../../support/dims.hpp"
#include "../../support/threads/no_threads.hpp"
#include "../batch/like_serial.hpp"
#include "promises.hpp"
#include "updates.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <system_error>

namespace throng {
namespace {

TEST(ThreadPool, KeepsAllPromises) {
    for (const std::size_t threads : test::kThreadCounts) {
        SCOPED_TRACE(threads);
        ThreadPool pool(threads);
        test::expect_all_promises(pool);
    }
}

TEST(ThreadPool, StartsAsManyThreadsAsItSaysAndJoinsThem) {
    const test::Threads before = test::settled_threads();
    for (const std::size_t threads : test::kThreadCounts) {
        SCOPED_TRACE(threads);
        {
            ThreadPool pool(threads);
            EXPECT_EQ(pool.threads(), threads);
            EXPECT_EQ(test::threads_since(before), threads - 1);
            test::expect_threads(pool, std::min<std::size_t>(threads, 4), threads);
        }
        EXPECT_TRUE(test::wait_until([&] { return test::threads_since(before) == 0; }));
    }
}

// A caller whose blocks are all taken must not begin blocks of another loop.
TEST(ThreadPool, NeverTakesUpForeignBlocksWhileItWaits) {
    ThreadPool pool(2);
    const std::thread::id caller = std::this_thread::get_id();
    std::atomic<bool> caller_waits = false, foreign_began = false, foreign_done = false;
    std::atomic<int> arrived = 0, taken_up = 0;
    std::thread other([&] {
        EXPECT_TRUE(test::wait_until([&] { return caller_waits.load(); }));
        pool.run(50, [&](std::size_t) {
            foreign_began = true;
            taken_up += std::this_thread::get_id() == caller ? 1 : 0;
            std::this_thread::sleep_for(std::chrono::microseconds(200));
        });
        foreign_done = true;
    });
    pool.run(2, [&](std::size_t) {
        ++arrived;
        EXPECT_TRUE(test::wait_until([&] { return arrived == 2; })) << "the pool's thread is free";
        if (std::this_thread::get_id() == caller) { return; }
        caller_waits = true;
        EXPECT_TRUE(test::wait_until([&] { return foreign_done.load(); }));
    });
    other.join();
    EXPECT_TRUE(foreign_began);
    EXPECT_EQ(taken_up, 0) << "one that wants a lock held by the caller would never end";
}

// A newer loop without free blocks must not hide an older loop that has some.
TEST(ThreadPool, HelpsWithWhateverLoopHasWork) {
    ThreadPool pool(2);
    std::atomic<int> busy = 0, arrived = 0;
    std::atomic<bool> release = false, newer_began = false, done = false;
    std::thread first([&] {
        pool.run(2, [&](std::size_t) { // keeps the pool's thread busy at first
            ++busy;
            EXPECT_TRUE(test::wait_until([&] { return release.load(); }));
        });
    });
    ASSERT_TRUE(test::wait_until([&] { return busy == 2; }));
    std::thread newer;
    pool.run(2, [&](std::size_t b) {
        if (b == 0) {
            newer = std::thread([&] {
                pool.run(1, [&](std::size_t) {
                    newer_began = true;
                    EXPECT_TRUE(test::wait_until([&] { return done.load(); }));
                });
            });
            EXPECT_TRUE(test::wait_until([&] { return newer_began.load(); }));
            release = true;
        }
        ++arrived;
        EXPECT_TRUE(test::wait_until([&] { return arrived == 2; })) << "the pool's thread is free";
    });
    done = true;
    first.join();
    newer.join();
}

TEST(ThreadPool, LeavesNoThreadBehindWhenItCannotStartAll) {
    if (!test::FewThreads::possible()) { GTEST_SKIP() << "it starts all"; }
    const test::Threads before = test::settled_threads();
    std::size_t started = 0;
    bool refused = false;
    {
        const test::FewThreads system;
        try {
            const ThreadPool pool(1'000);
            started = pool.threads();
        } catch (const std::system_error&) { refused = true; }
    }
    EXPECT_TRUE(refused) << started;
    EXPECT_TRUE(test::wait_until([&] { return test::threads_since(before) == 0; }));
}

template <class Dim>
class ThreadPoolUpdates : public testing::Test {};
TYPED_TEST_SUITE(ThreadPoolUpdates, test::Dims, test::DimNames);

TYPED_TEST(ThreadPoolUpdates, AreTheSameOnAnyNumberOfThreads) {
    for (const std::size_t threads : test::kThreadCounts) {
        SCOPED_TRACE(threads);
        ThreadPool pool(threads);
        test::expect_updates_like_serial<TypeParam::value>(pool);
    }
}

TYPED_TEST(ThreadPoolUpdates, EditsAreTheSameOnAnyNumberOfThreads) {
    for (const std::size_t threads : test::kThreadCounts) {
        SCOPED_TRACE(threads);
        ThreadPool pool(threads);
        test::expect_edits_like_serial<TypeParam::value>(pool);
    }
}

TYPED_TEST(ThreadPoolUpdates, OfTwoGridsShareAPool) {
    ThreadPool pool(3);
    (void)test::large_crowds<TypeParam::value>();
    std::thread other([&] { test::expect_updates_like_serial<TypeParam::value>(pool); });
    test::expect_updates_like_serial<TypeParam::value>(pool);
    other.join();
}

} // namespace
} // namespace throng
