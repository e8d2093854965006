// Where batches are divided into blocks.
#include <throng/engine/grid/store/state.hpp>
#include <throng/parallel/batch/batch.hpp>
#include <throng/parallel/batch/cut.hpp>

#include "../../support/dims.hpp"
#include "../../support/scenes/scenes.hpp"
#include "../../support/threads/executors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace throng {
namespace {

TEST(Cut, BlocksOfQuestionsThatCostLittleAreLong) {
    EXPECT_EQ(Cut::of(1'000, 20.0, 2).size, 500u);
    EXPECT_EQ(Cut::of(1'000'000, 20.0, 2).size, 4'096u);
    EXPECT_EQ(Cut::of(1'000'000, 0.0, 0).size, 4'096u);
}

TEST(Cut, BlocksOfQuestionsThatCostMuchAreShort) {
    EXPECT_EQ(Cut::of(200, 1e6, 2).size, 1u);
    EXPECT_EQ(Cut::of(200, 1e6, 2).blocks, 200u);
    EXPECT_EQ(Cut::of(500, 2'000.0, 2).size, 7u);
    EXPECT_EQ(Cut::of(3, 1e9, 64).size, 1u);
}

TEST(Cut, ManyThreadsHaveBlocksForAll) {
    EXPECT_GE(Cut::of(1'000'000, 100.0, 128).blocks, 4u * 128);
    EXPECT_LE(Cut::of(1'000'000, 100.0, 2).blocks, 1'001u);
}

TEST(Cut, BlocksHaveEachQuestionOnce) {
    for (const std::size_t questions : {0u, 1u, 511u, 512u, 513u, 100'000u}) {
        for (const double each : {0.0, 20.0, 3e4, 1e18}) {
            const Cut cut = Cut::of(questions, each, 3);
            std::size_t next = 0;
            for (std::size_t block = 0; block < cut.blocks; ++block) {
                const auto [first, count] = cut.range(block);
                EXPECT_EQ(first, next);
                EXPECT_GT(count, 0u);
                next += count;
            }
            EXPECT_EQ(next, questions);
        }
    }
}

template <class Dim>
class MeanCost : public testing::Test {};
TYPED_TEST_SUITE(MeanCost, test::Dims, test::DimNames);

TYPED_TEST(MeanCost, GrowsWithWhatIsSearched) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 20'000);
    RowGrid<kDim> grid;
    ASSERT_EQ(grid.configure(scene.world, scene.cell), Status{});
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    const auto cost = [&](float radius) {
        Ball<kDim> ball;
        for (std::size_t a = 0; a < kDim; ++a) {
            ball.centre[a] = (scene.world.lo[a] + scene.world.hi[a]) / 2.0f;
        }
        ball.radius = radius;
        const std::vector<Ball<kDim>> balls(100, ball);
        return mean_cost(ShapesView<kDim>(std::span(balls)), detail::state_of(grid).facts());
    };
    const float side = scene.world.hi[0] - scene.world.lo[0];
    EXPECT_GT(cost(side * 0.3f), 5.0 * cost(side * 0.02f));
    EXPECT_GT(cost(side), cost(side * 0.3f));
    EXPECT_LE(cost(kLargest), 1e9);
    EXPECT_EQ(cost(std::numeric_limits<float>::quiet_NaN()), 0.0) << "refused later";
    EXPECT_GT(
        mean_cost(ShapesView<kDim>(std::span<const Ball<kDim>>()), detail::state_of(grid).facts()),
        -1.0);
}

TYPED_TEST(MeanCost, LetsAFewLargeBoxesRunOnSeveralThreads) {
    constexpr std::size_t kDim = TypeParam::value;
    class Counter final : public Executor {
    public:
        void run(std::size_t blocks, Body body) override {
            most = std::max(most, blocks);
            serial_executor().run(blocks, body);
        }
        [[nodiscard]] std::size_t threads() const noexcept override { return 4; }
        std::size_t most = 0;
    };
    auto scene = scenes::make<kDim>("uniform", 50'000);
    RowGrid<kDim> grid;
    ASSERT_EQ(grid.configure(scene.world, scene.cell), Status{});
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    Counter counter;
    Batch<kDim> batch(counter);
    Batch<kDim> alone;
    Hits hits, wanted;
    const std::vector<Box<kDim>> large(200, scene.world);
    ASSERT_EQ(batch.query(grid, std::span(large), hits), Status{});
    ASSERT_EQ(alone.query(grid, std::span(large), wanted), Status{});
    EXPECT_GE(counter.most, 16u);
    EXPECT_EQ(hits.offsets, wanted.offsets);
    EXPECT_TRUE(std::equal(wanted.ids.begin(),
                           wanted.ids.begin() + static_cast<std::ptrdiff_t>(wanted.total()),
                           hits.ids.begin()));
    counter.most = 0;
    const std::vector<Box<kDim>> small(200, Box<kDim>{scene.world.lo, scene.world.lo});
    ASSERT_EQ(batch.query(grid, std::span(small), hits), Status{});
    EXPECT_EQ(counter.most, 0u) << "not worth a second thread";
    ASSERT_EQ(batch.query(grid, std::span(large).first(1), hits), Status{});
    EXPECT_EQ(counter.most, 0u) << "one question is one block, whatever it costs";
    EXPECT_EQ(hits.total(), 50'000u);
}

} // namespace
} // namespace throng
