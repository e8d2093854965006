// Which thread gets which block of a loop.
#include <throng/parallel/executors/block_loop.hpp>
#include <throng/parallel/executors/thread_pool.hpp>

#include "loops.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace throng {
namespace {

/// The first blocks, at most `most`, that the thread with this number runs, in order.
std::vector<std::size_t> taken(std::size_t blocks, std::size_t threads, std::size_t most,
                               std::size_t thread) {
    std::vector<std::size_t> ran;
    const auto body = [&](std::size_t block) { ran.push_back(block); };
    const Executor::Body call = body;
    BlockLoop loop(blocks, call, threads);
    loop.work(most, thread);
    EXPECT_EQ(loop.has_work(), ran.size() < blocks);
    return ran;
}

using Blocks = std::vector<std::size_t>;

TEST(BlockLoop, AThreadBeginsWithItsShare) {
    EXPECT_EQ(taken(12, 3, 2, 0), (Blocks{0, 1}));
    EXPECT_EQ(taken(12, 3, 2, 1), (Blocks{4, 5}));
    EXPECT_EQ(taken(12, 3, 2, 2), (Blocks{8, 9}));
    EXPECT_EQ(taken(12, 3, 2, 7), (Blocks{4, 5})) << "more threads came than were expected";
}

TEST(BlockLoop, ThenItHelpsTheOthers) {
    EXPECT_EQ(taken(11, 3, 100, 1), (Blocks{4, 5, 6, 7, 8, 9, 10, 0, 1, 2, 3}));
    EXPECT_EQ(taken(11, 3, 5, 1), (Blocks{4, 5, 6, 7, 8})) << "and ends where it was told to";
    EXPECT_EQ(taken(2, 5, 100, 4), (Blocks{0, 1})) << "more threads than blocks";
    EXPECT_EQ(taken(0, 5, 100, 4), Blocks{});
    EXPECT_EQ(taken(7, 1, 100, 3), (Blocks{0, 1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(taken(1'000, 1'000, 10'000, 999).size(), 1'000u) << "more than there are shares";
}

TEST(BlockLoop, EachBlockRunsOnceWhoeverComes) {
    for (const std::size_t expected : {1u, 2u, 3u, 40u}) {
        std::vector<std::atomic<int>> runs(500);
        const auto body = [&](std::size_t block) { runs.at(block).fetch_add(1); };
        const Executor::Body call = body;
        BlockLoop loop(runs.size(), call, expected);
        std::vector<std::thread> threads;
        for (std::size_t t = 0; t < 4; ++t) {
            threads.emplace_back([&, t] { loop.work(runs.size(), t); });
        }
        for (std::thread& thread : threads) {
            thread.join();
        }
        EXPECT_FALSE(loop.has_work());
        EXPECT_TRUE(std::all_of(runs.begin(), runs.end(), [](const auto& n) { return n == 1; }));
    }
}

TEST(BlockLoop, NoShareGoesOnAfterAnException) {
    std::size_t ran = 0;
    const auto body = [&](std::size_t) {
        if (++ran == 3) { throw std::runtime_error("a block"); }
    };
    const Executor::Body call = body;
    BlockLoop loop(20, call, 4);
    loop.work(20, 2);
    loop.work(20, 0);
    EXPECT_EQ(ran, 3u);
    EXPECT_FALSE(loop.has_work());
    EXPECT_THROW(loop.rethrow(), std::runtime_error);
}

TEST(BlockLoop, ThreadsOfAPoolKeepTheirBlocks) {
    ThreadPool pool(2);
    EXPECT_TRUE(test::keep_their_blocks(pool, std::this_thread::get_id));
}

} // namespace
} // namespace throng
