// A cap holds for all callers, and all memory is counted.
#include <throng/engine/memory/capped_memory.hpp>

#include "../../support/allocation_counter.hpp"
#include "../../support/ledger.hpp"
#include "../../support/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <thread>
#include <vector>

namespace throng {
namespace {

TEST(CappedMemory, GivesUpToTheCap) {
    CappedMemory memory(100);
    EXPECT_EQ(memory.cap(), 100u);
    void* const first = memory.allocate(60, 16);
    ASSERT_NE(first, nullptr);
    EXPECT_EQ(memory.allocate(41, 16), nullptr);
    EXPECT_EQ(memory.used(), 60u);
    void* const second = memory.allocate(40, 16);
    ASSERT_NE(second, nullptr);
    std::memset(second, 1, 40);
    EXPECT_EQ(memory.used(), 100u);
    EXPECT_EQ(memory.allocate(1, 1), nullptr);
    memory.deallocate(first, 60, 16);
    EXPECT_EQ(memory.used(), 40u);
    EXPECT_EQ(memory.peak(), 100u);
    void* const third = memory.allocate(60, 64);
    EXPECT_NE(third, nullptr);
    EXPECT_EQ(memory.refused(), 2u);
    memory.deallocate(second, 40, 16);
    memory.deallocate(third, 60, 64);
    EXPECT_EQ(memory.used(), 0u);
    EXPECT_EQ(memory.peak(), 100u);
}

TEST(CappedMemory, HasNoRoomForNumbersThatWrap) {
    constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
    CappedMemory memory(kMost - 1);
    void* const some = memory.allocate(100, 16);
    EXPECT_EQ(memory.allocate(kMost, 16), nullptr);
    EXPECT_EQ(memory.allocate(kMost - 100, 16), nullptr);
    EXPECT_EQ(memory.used(), 100u);
    memory.deallocate(some, 100, 16);
    CappedMemory none(0);
    EXPECT_EQ(none.allocate(1, 1), nullptr);
    EXPECT_EQ(none.peak(), 0u);
}

TEST(CappedMemory, CountsNothingThatItDoesNotGet) {
    test::Ledger ledger(50);
    CappedMemory memory(100, &ledger);
    EXPECT_EQ(memory.allocate(60, 16), nullptr);
    EXPECT_EQ(memory.used(), 0u);
    EXPECT_EQ(memory.peak(), 0u);
    EXPECT_EQ(memory.refused(), 1u);
    void* const some = memory.allocate(50, 16);
    ASSERT_NE(some, nullptr);
    EXPECT_EQ(ledger.used(), 50u);
    memory.deallocate(some, 50, 16);
    CappedMemory of_heap(100);
    {
        const test::FailingAllocations failing(0, true);
        EXPECT_EQ(of_heap.allocate(60, 16), nullptr);
        EXPECT_EQ(of_heap.allocate(60, 64), nullptr);
    }
    EXPECT_EQ(of_heap.used(), 0u);
    EXPECT_EQ(of_heap.refused(), 2u);
}

// Any number of caps over one another: each counts the memory that goes through it.
TEST(CappedMemory, CanBeStacked) {
    CappedMemory all(100);
    CappedMemory one(80, &all), other(80, &all);
    void* const first = one.allocate(70, 16);
    EXPECT_EQ(other.allocate(70, 16), nullptr);
    void* const second = other.allocate(30, 16);
    ASSERT_NE(second, nullptr);
    EXPECT_EQ(all.used(), 100u);
    other.deallocate(second, 30, 16);
    one.deallocate(first, 70, 16);
    EXPECT_EQ(all.used(), 0u);
}

TEST(CappedMemory, LargeBlocksAreAsTheHeapGivesThem) {
    constexpr std::size_t kHugePage = std::size_t{1} << 21;
    CappedMemory memory(4 * kHugePage);
    void* const block = memory.allocate(2 * kHugePage, 64);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % kHugePage, 0u);
    EXPECT_EQ(memory.used(), 2 * kHugePage);
    memory.deallocate(block, 2 * kHugePage, 64);
}

/// The source below the cap; notes the most memory that it has given out at a time.
class Watching final : public MemorySource {
public:
    [[nodiscard]] void* allocate(std::size_t bytes, std::size_t) noexcept override {
        const std::size_t now = used_.fetch_add(bytes) + bytes;
        std::size_t most = most_.load();
        while (most < now && !most_.compare_exchange_weak(most, now)) {}
        return std::malloc(bytes);
    }
    void deallocate(void* memory, std::size_t bytes, std::size_t) noexcept override {
        std::free(memory);
        used_.fetch_sub(bytes);
    }
    [[nodiscard]] std::size_t most() const noexcept { return most_; }

private:
    std::atomic<std::size_t> used_ = 0, most_ = 0;
};

TEST(CappedMemory, HoldsTheCapAmongThreads) {
    constexpr std::size_t kCap = 10'000;
    Watching watching;
    CappedMemory memory(kCap, &watching);
    std::atomic<std::size_t> refused = 0;
    std::atomic<bool> over = false;
    const auto work = [&](std::uint64_t seed) {
        scenes::Random random(seed);
        struct Block {
            void* memory;
            std::size_t bytes;
        };
        std::vector<Block> blocks;
        for (int i = 0; i < 20'000; ++i) {
            const std::size_t bytes = 1 + random.below(900);
            if (void* const block = memory.allocate(bytes, 8); block != nullptr) {
                blocks.push_back({block, bytes});
            } else {
                ++refused;
            }
            if (memory.used() > kCap || memory.peak() > kCap) { over = true; }
            if (blocks.size() > random.below(40)) {
                memory.deallocate(blocks.back().memory, blocks.back().bytes, 8);
                blocks.pop_back();
            }
        }
        for (const Block& block : blocks) {
            memory.deallocate(block.memory, block.bytes, 8);
        }
    };
    std::vector<std::thread> threads;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        threads.emplace_back(work, seed);
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_FALSE(over);
    EXPECT_EQ(memory.used(), 0u);
    EXPECT_EQ(memory.refused(), refused);
    EXPECT_GT(refused, 0u);
    EXPECT_LE(watching.most(), kCap);
    // The peak is never less than the memory in use at any time, and no more than the cap.
    EXPECT_GE(memory.peak(), watching.most());
    EXPECT_LE(memory.peak(), kCap);
    EXPECT_GT(memory.peak(), kCap - 900);
}

} // namespace
} // namespace throng
