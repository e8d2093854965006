// Tests of what the benchmarks compute from the times of blocks; the times here are made up by
// hand.
#include "../../bench/span/profile.hpp"
#include "../../bench/span/schedule.hpp"
#include "../../bench/span/span_executor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace throng::bench {
namespace {

using Blocks = std::vector<double>;

TEST(Makespan, IsTheSumOnOneThread) { EXPECT_DOUBLE_EQ(makespan(Blocks{1, 2, 3}, 1), 6); }

TEST(Makespan, OfNoBlocksIsNothing) { EXPECT_EQ(makespan(Blocks{}, Blocks{1, 2}), 0.0); }

TEST(Makespan, GivesEachBlockToTheFirstThreadThatIsFree) {
    // After 3 | 1 1 the second thread is free first, at 2, so the block of 4 goes to it.
    EXPECT_DOUBLE_EQ(makespan(Blocks{3, 1, 1, 4}, 2), 6);
    // In the best order the same blocks take 5; makespan() keeps the order that it is given.
    EXPECT_DOUBLE_EQ(makespan(Blocks{4, 3, 1, 1}, 2), 5);
}

TEST(Makespan, IsTheLongestBlockOnManyThreads) {
    EXPECT_DOUBLE_EQ(makespan(Blocks{1, 5, 2}, 3), 5);
    EXPECT_DOUBLE_EQ(makespan(Blocks{1, 5, 2}, 1000), 5);
}

TEST(Makespan, HasOnlyTheCallerUntilOthersComeLate) {
    EXPECT_DOUBLE_EQ(makespan(Blocks{1, 1, 1, 1}, Blocks{0, 2}), 3);
    // A thread that wakes after all blocks are done does not help.
    EXPECT_DOUBLE_EQ(makespan(Blocks{1, 1, 1}, Blocks{0, 10, 10}), 3);
}

TEST(Makespan, IsNeverBelowItsBoundsNorAboveGreedysWorst) {
    Blocks blocks;
    for (std::size_t i = 0; i < 200; ++i) {
        blocks.push_back(static_cast<double>(i * 7919 % 101 + 1));
    }
    const double sum = std::accumulate(blocks.begin(), blocks.end(), 0.0);
    const double longest = *std::max_element(blocks.begin(), blocks.end());
    for (const std::size_t threads : {2u, 3u, 16u, 128u, 500u}) {
        const double end = makespan(blocks, threads);
        EXPECT_GE(end, std::max(longest, sum / static_cast<double>(threads)));
        EXPECT_LE(end, longest + sum / static_cast<double>(threads));
    }
}

TEST(Profiles, AddUp) {
    const Profile profile{0.5, {{1, 4}, {2}, {}}};
    EXPECT_DOUBLE_EQ(profile.in_blocks(), 7);
    EXPECT_DOUBLE_EQ(profile.whole(), 7.5);
    EXPECT_EQ(profile.blocks(), 3u);
    EXPECT_DOUBLE_EQ(profile.longest_block(), 4);
}

TEST(Profiles, AreCutAlikeIfTheirLoopsHaveAsManyBlocks) {
    const Profile profile{0, {{1, 2}, {4}}};
    EXPECT_TRUE(profile.is_cut_like({9, {{5, 5}, {5}}}));
    EXPECT_FALSE(profile.is_cut_like({0, {{1, 2}}}));
    EXPECT_FALSE(profile.is_cut_like({0, {{1}, {2, 4}}}));
}

TEST(Profiles, OfSeveralRunsAreTheMediansOfEachBlock) {
    const std::vector<Profile> runs{{1, {{1, 9}}}, {7, {{3, 2}}}, {2, {{80, 3}}}};
    const Profile profile = typical(runs);
    EXPECT_DOUBLE_EQ(profile.serial, 2);
    EXPECT_EQ(profile.loops, (std::vector<Blocks>{{3, 3}}));
    EXPECT_EQ(typical({}).blocks(), 0u);
}

TEST(Profiles, CutInDifferentWaysAreRepresentedByTheMiddleOne) {
    const std::vector<Profile> runs{{1, {{9}}}, {0, {{4, 2}}}, {0, {{5}}}};
    EXPECT_EQ(typical(runs).loops, (std::vector<Blocks>{{4, 2}}));
}

TEST(LoopCosts, GrowByTheLogarithmBeyondTheThreadsThatThereAre) {
    LoopCosts costs;
    EXPECT_EQ(costs.at(8).start, 0.0);
    costs.add(2, {1.0, 10.0});
    costs.add(4, {3.0, 12.0});
    EXPECT_EQ(costs.at(1).start, 0.0);
    EXPECT_EQ(costs.at(2).end, 10.0);
    EXPECT_EQ(costs.at(4).start, 3.0);
    EXPECT_DOUBLE_EQ(costs.at(16).start, 6.0);
    EXPECT_DOUBLE_EQ(costs.at(16).end, 24.0);
}

TEST(LoopCosts, TellWhenEachThreadIsThere) {
    LoopCosts costs;
    costs.add(2, {1.0, 0.0});
    costs.add(4, {5.0, 0.0});
    EXPECT_EQ(costs.ready(2), (Blocks{0, 1}));
    const Blocks four = costs.ready(4);
    ASSERT_EQ(four.size(), 4u);
    EXPECT_EQ(four[0], 0.0);
    EXPECT_EQ(four[1], 1.0);
    EXPECT_GT(four[2], 1.0);
    EXPECT_LT(four[2], 5.0);
    EXPECT_EQ(four[3], 5.0);
}

LoopCosts costs_of(std::size_t threads, const LoopCost& cost) {
    LoopCosts costs;
    costs.add(threads, cost);
    return costs;
}

double sum_of_parts(const Profile& profile, std::size_t threads, const Reckoning& reckoning) {
    return profile.whole() / static_cast<double>(threads) + reckoning.lost();
}

TEST(Reckonings, OfOneThreadAreWhatWasMeasured) {
    const Profile profile{0.5, {{1, 2}, {4}}};
    const std::vector<double> floors{100.0};
    const Reckoning reckoning = reckon(profile, 1, costs_of(2, {5.0, 5.0}), floors);
    EXPECT_DOUBLE_EQ(reckoning.seconds, profile.whole());
    EXPECT_EQ(reckoning.lost(), 0.0);
    EXPECT_EQ(reckoning.limit(), Limit::none);
}

TEST(Reckonings, OfEqualBlocksWithoutCostsAreIdeal) {
    const Profile profile{0.0, {Blocks(64, 1.0), Blocks(32, 2.0)}};
    const Reckoning reckoning = reckon(profile, 16, {});
    EXPECT_DOUBLE_EQ(reckoning.seconds, 8);
    EXPECT_EQ(reckoning.limit(), Limit::none);
}

TEST(Reckonings, NameTheSerialPart) {
    const Profile profile{8.0, {Blocks(64, 1.0)}};
    const Reckoning reckoning = reckon(profile, 4, {});
    EXPECT_DOUBLE_EQ(reckoning.seconds, 8.0 + 16.0);
    EXPECT_DOUBLE_EQ(reckoning.lost_serial, 6.0);
    EXPECT_EQ(reckoning.limit(), Limit::serial);
    EXPECT_DOUBLE_EQ(sum_of_parts(profile, 4, reckoning), reckoning.seconds);
}

TEST(Reckonings, NameTheLongestBlock) {
    Profile profile{0.1, {Blocks(10, 1.0)}};
    profile.loops[0].push_back(20.0);
    const Reckoning reckoning = reckon(profile, 10, {});
    EXPECT_DOUBLE_EQ(reckoning.seconds, 0.1 + 21.0);
    EXPECT_EQ(reckoning.limit(), Limit::blocks);
    EXPECT_DOUBLE_EQ(sum_of_parts(profile, 10, reckoning), reckoning.seconds);
}

TEST(Reckonings, NameWakeUps) {
    // The second loop has one block: it wakes no thread, and waits for none.
    const Profile profile{0.0, {Blocks(5, 1.0), {1.0}}};
    const Reckoning reckoning = reckon(profile, 2, costs_of(2, {2.0, 3.0}));
    // The caller works alone for two seconds and does two blocks; it does one or two of the other
    // three.
    EXPECT_DOUBLE_EQ(reckoning.seconds, 4.0 + 3.0 + 1.0);
    EXPECT_DOUBLE_EQ(reckoning.lost_wake_ups, 4.0);
    EXPECT_EQ(reckoning.limit(), Limit::wake_ups);
    EXPECT_DOUBLE_EQ(sum_of_parts(profile, 2, reckoning), reckoning.seconds);
}

TEST(Reckonings, WakeNoMoreThreadsThanThereAreBlocks) {
    LoopCosts costs = costs_of(2, {0.5, 0.25});
    costs.add(64, {100.0, 100.0});
    const Profile profile{0.0, {Blocks(2, 1.0)}};
    EXPECT_DOUBLE_EQ(reckon(profile, 64, costs).seconds, 1.5 + 0.25);
}

TEST(Reckonings, GiveALoopNoMoreThreadsThanItTakes) {
    Profile profile{0.0, {Blocks(8, 1.0), Blocks(8, 1.0)}};
    EXPECT_DOUBLE_EQ(reckon(profile, 8, {}).seconds, 2.0);
    profile.most_threads = {2};
    EXPECT_DOUBLE_EQ(reckon(profile, 8, {}).seconds, 4.0 + 1.0);
    EXPECT_DOUBLE_EQ(reckon(profile, 2, {}).seconds, 4.0 + 4.0) << "fewer than it takes";
    EXPECT_EQ(reckon(profile, 8, {}).limit(), Limit::blocks);
}

TEST(Reckonings, NameTheMemoryLoopByLoop) {
    const Profile profile{0.0, {Blocks(8, 1.0), Blocks(8, 1.0)}};
    const std::vector<double> first{3.0, 0.5};
    const Reckoning reckoning = reckon(profile, 8, {}, first);
    // Memory does not limit the second loop; the time that it spares does not help the first.
    EXPECT_DOUBLE_EQ(reckoning.seconds, 3.0 + 1.0);
    EXPECT_DOUBLE_EQ(reckoning.lost_memory, 2.0);
    EXPECT_EQ(reckoning.limit(), Limit::memory);
    EXPECT_DOUBLE_EQ(sum_of_parts(profile, 8, reckoning), reckoning.seconds);
}

TEST(Reckonings, ShareTheLastFloorAmongTheLoopsThatAreLeft) {
    const Profile profile{0.0, {Blocks(8, 1.0), Blocks(8, 1.0), Blocks(8, 1.0)}};
    EXPECT_DOUBLE_EQ(reckon(profile, 8, {}, Blocks{1.0, 5.0}).seconds, 6);
    EXPECT_DOUBLE_EQ(reckon(profile, 8, {}, Blocks{5.0}).seconds, 5);
    EXPECT_DOUBLE_EQ(reckon(profile, 8, {}, Blocks{1.0, 1.0, 1.0, 4.0, 2.0}).seconds, 9);
}

/// A clock that advances by a tick at each reading, and by hand in between.
struct HandClock {
    double* now;
    double tick;
    double operator()() const noexcept { return *now += tick; }
};

TEST(SpanExecutors, TellTheBlocksFromTheRest) {
    constexpr double kTick = 0.25;
    double now = 0.0;
    const HandClock clock{&now, kTick};
    EXPECT_DOUBLE_EQ(clock_cost(clock), kTick);
    SpanExecutor<HandClock> executor(7, kTick, clock);
    EXPECT_EQ(executor.threads(), 7u);
    std::vector<std::size_t> order;
    const auto call = [&](Executor& on) {
        now += 10.0;
        on.run(3, [&](std::size_t block) {
            order.push_back(block);
            now += static_cast<double>(block + 1);
        });
        now += 20.0;
        on.run(0, [&](std::size_t) { order.push_back(99); });
        on.run(1, [&](std::size_t) {
            // A loop inside a block is part of that block, not a loop of the profile.
            on.run(2, [&](std::size_t) { now += 4.0; });
        });
        now += 5.0;
    };
    // The second profile must show nothing of the first call.
    for (int time = 0; time < 2; ++time) {
        const Profile profile = executor.profile(call);
        EXPECT_EQ(profile.loops, (std::vector<Blocks>{{1, 2, 3}, {8}}));
        EXPECT_DOUBLE_EQ(profile.serial, 35.0);
        EXPECT_DOUBLE_EQ(profile.whole(), 35.0 + 14.0);
    }
    EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 0, 1, 2}));
}

TEST(SpanExecutors, NoteHowManyThreadsALoopTakes) {
    SpanExecutor<> executor(64, 0.0);
    Profile profile = executor.profile([](Executor& on) {
        on.run_on(5, 8, [](std::size_t) {});
        on.run(8, [](std::size_t) {});
    });
    ASSERT_EQ(profile.loops.size(), 2u);
    EXPECT_EQ(profile.loops[0].size(), 8u) << "each block is timed, not each thread's work";
    EXPECT_EQ(profile.threads_of(0, 64), 5u);
    EXPECT_EQ(profile.threads_of(0, 3), 3u);
    EXPECT_EQ(profile.threads_of(1, 64), 8u);
    const Profile unlimited{0.0, profile.loops};
    EXPECT_FALSE(profile.is_cut_like(unlimited));
}

TEST(SpanExecutors, RunOutsideOfACallToo) {
    SpanExecutor<> executor(2, 0.0);
    std::size_t sum = 0;
    executor.run(4, [&](std::size_t block) { sum += block; });
    EXPECT_EQ(sum, 6u);
}

} // namespace
} // namespace throng::bench
