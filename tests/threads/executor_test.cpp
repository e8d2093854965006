// Loops and sets on which several threads work, mainly for ThreadSanitizer.
#include "crews.hpp"

#include <throng/engine/memory/hierarchical_bitset.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

namespace throng::test {
namespace {

class Threads : public ::testing::TestWithParam<Crew> {};

// If only one thread ran, nothing could race, and all other tests would prove nothing.
TEST_P(Threads, AreSeveral) {
    GetParam().call([](Executor& executor) {
        std::atomic<bool> met = false;
        // A worker may wake up late, so one attempt proves nothing.
        for (int attempt = 0; attempt < 200 && !met; ++attempt) {
            std::atomic<int> inside = 0;
            executor.run(2, [&](std::size_t) {
                inside.fetch_add(1, std::memory_order_relaxed);
                const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
                while (inside.load(std::memory_order_relaxed) < 2) {
                    if (std::chrono::steady_clock::now() > end) { return; }
                    std::this_thread::yield();
                }
                met.store(true, std::memory_order_relaxed);
            });
        }
        EXPECT_TRUE(met);
    });
}

TEST_P(Threads, HandOverWhatTheyWrote) {
    GetParam().call([](Executor& executor) {
        constexpr std::size_t kBlocks = 200;
        std::vector<std::uint64_t> before(kBlocks), after(kBlocks);
        for (std::uint64_t round = 0; round < 20; ++round) {
            std::iota(before.begin(), before.end(), round);
            executor.run(kBlocks, [&](std::size_t b) { after[b] = before[b] + 1; });
            const std::uint64_t sum = std::accumulate(after.begin(), after.end(), std::uint64_t{0});
            ASSERT_EQ(sum, kBlocks * (round + 1) + kBlocks * (kBlocks - 1) / 2);
        }
    });
}

TEST_P(Threads, RunLoopsWithinLoops) {
    GetParam().call([](Executor& executor) {
        constexpr std::size_t kOuter = 8, kInner = 50;
        std::vector<std::size_t> sums(kOuter);
        executor.run(kOuter, [&](std::size_t o) {
            std::vector<std::size_t> inner(kInner);
            executor.run(kInner, [&](std::size_t i) { inner[i] = o; });
            sums[o] = std::accumulate(inner.begin(), inner.end(), std::size_t{0});
        });
        EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), std::size_t{0}),
                  kInner * kOuter * (kOuter - 1) / 2);
    });
}

TEST_P(Threads, HandOverAnException) {
    GetParam().call([](Executor& executor) {
        std::vector<int> written(64);
        for (int round = 1; round < 10; ++round) {
            bool caught = false;
            try {
                executor.run(written.size(), [&](std::size_t b) {
                    written[b] = round;
                    if (b % 16 == 15) { throw std::runtime_error("planned"); }
                });
            } catch (const std::runtime_error&) { caught = true; }
            EXPECT_TRUE(caught);
            std::fill(written.begin(), written.end(), 0); // no thread works any more
        }
    });
}

TEST_P(Threads, FillAndEmptyASet) {
    GetParam().call([](Executor& executor) {
        constexpr std::size_t kSize = 300'000, kBlocks = 16;
        HierarchicalBitset set(kSize);
        std::vector<std::size_t> seen(kBlocks);
        // Neighbouring numbers of a word are set by different blocks.
        executor.run(kBlocks, [&](std::size_t block) {
            for (std::size_t i = block; i < kSize; i += kBlocks) {
                if (i % 3 == 0) { set.set_concurrently(i); }
                seen[block] += set.test(kSize - 1 - i) ? 1 : 0;
            }
        });
        set.summarise();
        EXPECT_EQ(set.count(), kSize / 3);
        executor.run(kBlocks, [&](std::size_t block) {
            for (std::size_t i = block; i < kSize; i += kBlocks) {
                if (i % 2 == 0) { set.reset_concurrently(i); }
                seen[block] += set.test(i) ? 1 : 0;
            }
        });
        set.summarise();
        EXPECT_EQ(set.count(), kSize / 6);
        std::vector<std::size_t> counts(kBlocks), members(kBlocks);
        executor.run(kBlocks, [&](std::size_t block) {
            const std::size_t begin = block * kSize / kBlocks, end = (block + 1) * kSize / kBlocks;
            for (std::size_t i = set.next(begin); i < end; i = set.next(i + 1)) {
                ++members[block];
            }
            set.for_each([&](std::size_t) { ++counts[block]; });
        });
        EXPECT_EQ(counts, std::vector<std::size_t>(kBlocks, kSize / 6));
        EXPECT_EQ(std::accumulate(members.begin(), members.end(), std::size_t{0}), kSize / 6);
    });
}

INSTANTIATE_TEST_SUITE_P(, Threads, ::testing::ValuesIn(crews()),
                         [](const auto& of) { return of.param.name; });

} // namespace
} // namespace throng::test
