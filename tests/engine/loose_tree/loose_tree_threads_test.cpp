// A loose tree packed by an executor: the same to the bit, or nothing at all.
#include "../../support/dims.hpp"
#include "../../support/scenes/scenes.hpp"
#include "../../support/threads/executors.hpp"
#include "../../support/visited.hpp"

#include <throng/engine/answers/spatial_index.hpp>
#include <throng/engine/frozen/frozen.hpp>
#include <throng/engine/loose_tree/loose_tree.hpp>
#include <throng/parallel/executors/thread_pool.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace throng {
namespace {

template <std::size_t Dim>
std::vector<Box<Dim>> covers_of(const LooseTree<Dim>& index) {
    std::vector<Box<Dim>> covers;
    index.visit_cells([&](const IndexCell<Dim>& cell) {
        covers.push_back(cell.box);
        return true;
    });
    return covers;
}

template <class Dim>
class LooseTreeThreads : public testing::Test {};
TYPED_TEST_SUITE(LooseTreeThreads, test::Dims, test::DimNames);

TYPED_TEST(LooseTreeThreads, IsTheSameInWhateverOrderBlocksRun) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("clustered", 70'000);
    LooseTree<kDim> serial;
    ASSERT_EQ(serial.update(scene.agents()), Status{});
    ASSERT_STREQ(serial.validate(), nullptr);
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        LooseTree<kDim> shuffled;
        test::ShuffleExecutor executor(seed);
        ASSERT_EQ(shuffled.update(scene.agents(), executor), Status{});
        ASSERT_EQ(test::all_ids<kDim>(shuffled), test::all_ids<kDim>(serial));
        ASSERT_EQ(covers_of(shuffled), covers_of(serial));
    }
}

TYPED_TEST(LooseTreeThreads, IsTheSameToTheBitForEveryNumberOfThreads) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const std::size_t count : {0u, 1u, 700u, 20'000u, 70'001u}) {
        for (const char* const name : {"mixed_sizes", "clustered"}) {
            SCOPED_TRACE(testing::Message() << count << " of " << name);
            auto scene = scenes::make<kDim>(name, count, scenes::Groups::masks);
            LooseTree<kDim> serial;
            ASSERT_EQ(serial.update(scene.agents()), Status{});
            std::vector<std::byte> bytes;
            ASSERT_EQ(save(serial, bytes), Status{});
            const auto expect_same = [&](Executor& executor) {
                LooseTree<kDim> index;
                ASSERT_EQ(index.update(scene.agents(), executor), Status{});
                ASSERT_STREQ(index.validate(), nullptr);
                std::vector<std::byte> other;
                ASSERT_EQ(save(index, other), Status{});
                ASSERT_TRUE(other == bytes);
            };
            for (const std::size_t threads : {1u, 2u, 3u, 8u}) {
                SCOPED_TRACE(testing::Message() << threads << " threads");
                test::EagerPool eager(threads);
                expect_same(eager);
                ThreadPool pool(threads);
                expect_same(pool);
            }
            // An odd number of threads, and more threads than a crowd has blocks.
            for (const std::size_t threads : {5u, 1'000u}) {
                test::BoastingExecutor boasting(threads);
                expect_same(boasting);
            }
        }
    }
}

// Each of 1,025 places is a bucket of its own, and the agents left over would need one more.
TEST(LooseTreePlane, ManyThreadsDoNotMakeMoreBucketsThanThereMayBe) {
    constexpr std::size_t kEach = 512, kPlaces = 41 * 25, kCount = kEach * kPlaces + 300;
    scenes::Scene<2> scene;
    for (std::size_t i = 0; i < kCount; ++i) {
        const std::size_t place = std::min(i / kEach, kPlaces);
        scene.add({static_cast<float>(place % 41), static_cast<float>(place / 41)});
    }
    LooseTree<2> serial, cut;
    ASSERT_EQ(serial.update(scene.agents()), Status{});
    test::BoastingExecutor boasting(256);
    ASSERT_EQ(cut.update(scene.agents(), boasting), Status{});
    ASSERT_STREQ(cut.validate(), nullptr);
    std::vector<std::byte> bytes, other;
    ASSERT_EQ(save(serial, bytes), Status{});
    ASSERT_EQ(save(cut, other), Status{});
    EXPECT_TRUE(other == bytes);
}

TYPED_TEST(LooseTreeThreads, TheSignOfAZeroDoesNotTellHowItWasPacked) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 9'000);
    for (std::size_t i = 0; i < 9'000; ++i) {
        for (std::size_t a = 0; a < kDim; ++a) {
            // The lowest positions are zeros of both signs, in all blocks.
            scene.position[a][i] = i % 7 == 3 ? (i / 7 % 2 != 0 ? -0.0f : 0.0f)
                                              : std::abs(scene.position[a][i]) + 1.0f;
        }
    }
    std::vector<std::byte> bytes, other;
    LooseTree<kDim> serial, cut;
    ASSERT_EQ(serial.update(scene.agents()), Status{});
    test::BoastingExecutor boasting(8);
    ASSERT_EQ(cut.update(scene.agents(), boasting), Status{});
    ASSERT_EQ(save(serial, bytes), Status{});
    ASSERT_EQ(save(cut, other), Status{});
    EXPECT_TRUE(other == bytes);
}

TYPED_TEST(LooseTreeThreads, TwentyThousandAgentsAreWorthSeveralBlocks) {
    constexpr std::size_t kDim = TypeParam::value;
    /// Counts the jobs that it is given.
    class Counting final : public Executor {
    public:
        void run(std::size_t blocks, Body body) override {
            most = std::max(most, blocks);
            serial_executor().run(blocks, body);
        }
        [[nodiscard]] std::size_t threads() const noexcept override { return 4; }
        std::size_t most = 0;
    };
    auto scene = scenes::make<kDim>("uniform", 20'000);
    Counting counting;
    LooseTree<kDim> index;
    ASSERT_EQ(index.update(scene.agents(), counting), Status{});
    EXPECT_GE(counting.most, 4u);
}

TYPED_TEST(LooseTreeThreads, ABrokenExecutorChangesNothingOrPacksAll) {
    constexpr std::size_t kDim = TypeParam::value;
    auto before = scenes::make<kDim>("uniform", 500);
    auto after = scenes::make<kDim>("clustered", 40'000);
    LooseTree<kDim> whole;
    ASSERT_EQ(whole.update(after.agents()), Status{});
    using test::Fault;
    for (const Fault fault : test::kEveryFault) {
        for (std::size_t run = 0;; ++run) {
            SCOPED_TRACE(testing::Message()
                         << "fault " << static_cast<int>(fault) << " in " << run);
            LooseTree<kDim> index;
            ASSERT_EQ(index.update(before.agents()), Status{});
            const test::Ids order = test::all_ids<kDim>(index);
            test::FaultyExecutor executor(fault, run);
            bool refused = false;
            try {
                refused = !index.update(after.agents(), executor).ok();
            } catch (const test::ExecutorError&) { refused = true; }
            ASSERT_STREQ(index.validate(), nullptr);
            ASSERT_EQ(test::all_ids<kDim>(index), refused ? order : test::all_ids<kDim>(whole));
            if (!executor.failed()) {
                ASSERT_GE(run, 4u);
                break;
            }
        }
    }
}

} // namespace
} // namespace throng
