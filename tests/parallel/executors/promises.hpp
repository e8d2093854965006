// The promises of every executor, as checks that any executor must pass.
#pragma once

#include "loops.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <stdexcept>

namespace throng::test {

inline void expect_runs_each_block_once(Executor& executor) {
    for (const std::size_t blocks : {0u, 1u, 2u, 63u, 1'000u, 100'000u}) {
        EXPECT_EQ(ran_once(executor, blocks), blocks);
    }
}

inline void expect_can_be_nested(Executor& executor) {
    std::atomic<std::size_t> complete = 0;
    executor.run(20, [&](std::size_t) {
        executor.run(5, [&](std::size_t) { complete += ran_once(executor, 7) == 7 ? 1 : 0; });
    });
    EXPECT_EQ(complete, 100u);
}

/// The caller holds a lock that blocks of another thread's loop wait for.
inline void expect_bears_a_lock(Executor& executor) {
    std::mutex mutex;
    std::size_t total = 0;
    const auto call = [&] {
        for (int i = 0; i < 50; ++i) {
            {
                const std::lock_guard lock(mutex);
                total += ran_once(executor, 16);
            }
            executor.run(8, [&](std::size_t) {
                const std::lock_guard lock(mutex);
                ++total;
            });
        }
    };
    std::thread other(call);
    call();
    other.join();
    EXPECT_EQ(total, 2u * 50 * (16 + 8));
}

/// Two loops, of which neither can end before the other has begun.
inline void expect_serves_two_threads_at_once(Executor& executor) {
    std::atomic<int> begun = 0;
    const auto call = [&] {
        std::atomic<std::size_t> ran = 0;
        executor.run(40, [&](std::size_t b) {
            if (b == 0) {
                ++begun;
                EXPECT_TRUE(wait_until([&] { return begun == 2; }));
            }
            ++ran;
        });
        EXPECT_EQ(ran, 40u);
    };
    std::thread other(call);
    call();
    other.join();
}

/// Short loops on many threads, whose stack frames are soon reused.
inline void expect_serves_many_short_loops(Executor& executor) {
    std::atomic<std::size_t> complete = 0;
    const auto call = [&] {
        for (std::size_t i = 0; i < 500; ++i) {
            std::atomic<std::size_t> sum = 0;
            executor.run(i % 5, [&](std::size_t b) { sum += b + 1; });
            complete += sum == i % 5 * (i % 5 + 1) / 2 ? 1 : 0;
        }
    };
    std::vector<std::thread> callers;
    for (int i = 0; i < 4; ++i) {
        callers.emplace_back(call);
    }
    for (std::thread& caller : callers) {
        caller.join();
    }
    EXPECT_EQ(complete, 4u * 500);
}

inline void expect_throws_once(Executor& executor) {
    int caught = 0;
    for (int round = 0; round < 20; ++round) {
        std::atomic<std::size_t> begun = 0;
        try {
            executor.run(10'000, [&](std::size_t b) {
                ++begun;
                if (b % 3 == 1) { throw std::out_of_range("one in three"); }
            });
            ADD_FAILURE() << "nothing was thrown";
        } catch (const std::out_of_range&) { ++caught; }
        EXPECT_LT(begun, 10'000u) << "those that have not begun are left out";
        EXPECT_EQ(ran_once(executor, 64), 64u) << "all is well again";
    }
    EXPECT_EQ(caught, 20);
}

inline void expect_runs_in_the_callers_float_mode(Executor& executor) {
    ASSERT_EQ(ran_once(executor, 64), 64u); // starts threads in the default mode
    const auto in_mode = [&](int wanted) {
        std::atomic<std::size_t> count = 0;
        executor.run(64, [&](std::size_t) {
            spin();
            count += OddFloatMode::here() == wanted ? 1 : 0;
        });
        EXPECT_EQ(OddFloatMode::here(), wanted) << "the caller's own is left alone";
        return count.load();
    };
    {
        const OddFloatMode mode;
        ASSERT_EQ(OddFloatMode::here(), 2);
        EXPECT_EQ(in_mode(2), 64u);
    }
    EXPECT_EQ(in_mode(0), 64u);
}

/// Expects many loops to run on at most `most` threads, and at least one loop on `wanted` or more.
inline void expect_threads(Executor& executor, std::size_t wanted, std::size_t most) {
    std::size_t seen = 0;
    // Threads may wake up late, so one attempt proves nothing.
    for (int attempt = 0; attempt < 5 || (attempt < 2'000 && seen < wanted); ++attempt) {
        std::mutex mutex;
        std::set<std::thread::id> threads;
        executor.run(4 * most, [&](std::size_t) {
            // Not spin(), since there may be fewer processors than threads.
            std::this_thread::sleep_for(std::chrono::microseconds(50));
            const std::lock_guard lock(mutex);
            threads.insert(std::this_thread::get_id());
        });
        EXPECT_LE(threads.size(), most);
        seen = std::max(seen, threads.size());
    }
    EXPECT_GE(seen, wanted);
}

inline void expect_all_promises(Executor& executor) {
    expect_runs_each_block_once(executor);
    expect_can_be_nested(executor);
    expect_bears_a_lock(executor);
    expect_serves_two_threads_at_once(executor);
    expect_serves_many_short_loops(executor);
    expect_throws_once(executor);
    expect_runs_in_the_callers_float_mode(executor);
}

} // namespace throng::test
