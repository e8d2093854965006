// What a call promises besides its answers: about executors, exceptions, edits and refusals.
#include "examples.hpp"

#include "../../engine/core/access_check.hpp"
#include "../../engine/grid/grid_parts.hpp"
#include "../support/allocation_counter.hpp"
#include "../support/answers.hpp"
#include "../support/dims.hpp"
#include "../support/reports.hpp"
#include "../support/scenes/scenes.hpp"
#include "../support/threads/executors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace throng::test {
namespace {

template <class Dim>
class ForEachNeighbour : public testing::Test {
protected:
    static constexpr std::size_t kDims = Dim::value;
    static constexpr std::size_t kAgents = 3000;

    ForEachNeighbour()
        : scene_(scenes::make<kDims>("clustered", kAgents)), grid_(grid_of(scene_)) {}

    /// The transcripts of all agents, joined into one array.
    std::vector<std::uint32_t> transcript(const RowGrid<kDims>& grid, Executor& executor) {
        const std::size_t ids = grid.id_bound();
        std::vector<float> number(ids, 0.5f), sum(ids);
        std::vector<std::uint32_t> place(grid.size()), met(grid.size()), mix(ids);
        for (std::size_t i = 0; i < place.size(); ++i) {
            place[i] = static_cast<std::uint32_t>(i);
        }
        NeighbourLoop<kDims> loop(executor);
        EXPECT_EQ(run_kernel(loop, grid, {1.5f},
                             Transcript<kDims>{number.data(), place.data(), sum.data(), met.data(),
                                               mix.data()}),
                  Status{});
        mix.insert(mix.end(), met.begin(), met.end());
        for (const float x : sum) {
            mix.push_back(std::bit_cast<std::uint32_t>(x));
        }
        return mix;
    }

    scenes::Scene<kDims> scene_;
    RowGrid<kDims> grid_;
};
TYPED_TEST_SUITE(ForEachNeighbour, Dims, DimNames);

TYPED_TEST(ForEachNeighbour, IsTheSameOnEveryExecutor) {
    const auto wanted = this->transcript(this->grid_, serial_executor());
    ShuffleExecutor shuffle(3);
    EXPECT_EQ(this->transcript(this->grid_, shuffle), wanted);
    for (const std::size_t threads : {1u, 2u, 5u}) {
        test::EagerPool pool(threads);
        EXPECT_EQ(this->transcript(this->grid_, pool), wanted);
    }
    // If an executor runs a block twice, its work is done once.
    FaultyExecutor repeats(Fault::repeat, 0);
    EXPECT_EQ(this->transcript(this->grid_, repeats), wanted);
    EXPECT_TRUE(repeats.failed());
}

TYPED_TEST(ForEachNeighbour, KnowsPlacesAfterEdits) {
    constexpr std::size_t kDim = TypeParam::value;
    // Edits do not cut slices anew: empty some rows, and fill others.
    for (Id id = 0; id < 2900; id += 1 + id % 3) {
        if (id % 2 == 0) {
            ASSERT_EQ(this->grid_.erase(id), Status{});
        } else {
            auto corner = this->scene_.world.hi;
            corner[0] -= static_cast<float>(id % 100) * 0.01f;
            ASSERT_EQ(this->grid_.move(id, corner), Status{});
        }
    }
    const auto got = this->transcript(this->grid_, serial_executor());
    std::vector<Id> order(this->grid_.size());
    (void)this->grid_.order(order);
    // The library's own counts, one slice after another.
    std::vector<std::uint32_t> scratch(GridParts<kDim>::scratch()), met(order.size());
    ASSERT_EQ(this->grid_.parts()
                  .count_neighbours({1.5f}, 0, this->grid_.parts().slices(), scratch, met)
                  .status,
              Status{});
    const std::size_t ids = this->grid_.id_bound();
    EXPECT_TRUE(std::equal(met.begin(), met.end(), got.begin() + static_cast<std::ptrdiff_t>(ids)));
    for (std::size_t place = 0; place < order.size(); ++place) {
        if (met[place] == 0) { EXPECT_EQ(got[order[place]], place) << "place of " << order[place]; }
    }
}

TYPED_TEST(ForEachNeighbour, LeavesUnusedIdsAlone) {
    constexpr std::size_t kDim = TypeParam::value;
    ASSERT_EQ(this->grid_.erase(5), Status{});
    constexpr std::uint32_t kCanary = 0xDEAD'BEEFu;
    std::vector<std::uint32_t> count(this->grid_.id_bound(), kCanary);
    NeighbourLoop<kDim> loop;
    ASSERT_EQ(run_kernel(loop, this->grid_, {1.0f}, Count{count.data()}), Status{});
    EXPECT_EQ(count[5], kCanary);
    EXPECT_EQ(std::count(count.begin(), count.end(), kCanary), 1);
}

TYPED_TEST(ForEachNeighbour, SaysWhatItCannotDo) {
    constexpr std::size_t kDim = TypeParam::value;
    std::vector<std::uint32_t> count(TestFixture::kAgents, 77);
    NeighbourLoop<kDim> loop;
    const auto expect_refused = [&](float radius, Cause cause) {
        EXPECT_EQ(run_kernel(loop, this->grid_, {radius}, Count{count.data()}),
                  (Status{cause, Argument::radius}));
    };
    expect_refused(std::nanf(""), Cause::not_finite);
    expect_refused(std::numeric_limits<float>::infinity(), Cause::not_finite);
    expect_refused(-1.0f, Cause::negative);
    expect_refused(2e18f, Cause::too_large);

    bool ran = false;
    EXPECT_EQ(loop.run(this->grid_, {1.0f}, Isa::none, NeighbourLoop<kDim>::AgentOrder::none,
                       [&](const auto&, const auto&, const auto&) { ran = true; }),
              (Status{Cause::no_such_isa}));
    EXPECT_FALSE(ran);
    EXPECT_TRUE(can_run(active_isa()));
    EXPECT_FALSE(can_run(Isa::none));
    EXPECT_EQ(std::count(count.begin(), count.end(), 77u), TestFixture::kAgents);
}

TYPED_TEST(ForEachNeighbour, FindsNothingInAnEmptyGrid) {
    constexpr std::size_t kDim = TypeParam::value;
    NeighbourLoop<kDim> loop;
    EXPECT_EQ(run_kernel(loop, RowGrid<kDim>(), {1.0f}, Count{nullptr}), Status{});
    this->grid_.clear();
    EXPECT_EQ(run_kernel(loop, this->grid_, {1.0f}, Count{nullptr}), Status{});
}

TYPED_TEST(ForEachNeighbour, NoticesExecutorsThatLoseSlices) {
    constexpr std::size_t kDim = TypeParam::value;
    std::vector<std::uint32_t> count(TestFixture::kAgents);
    const auto ask = [&](FaultyExecutor& executor) {
        NeighbourLoop<kDim> loop(executor);
        return run_kernel(loop, this->grid_, {1.0f}, Count{count.data()});
    };
    // The executor fails in each of its loops in turn.
    for (const Fault fault : {Fault::drop, Fault::nothing, Fault::repeat_for_drop}) {
        std::size_t run = 0;
        for (bool failed = true; failed; ++run) {
            FaultyExecutor executor(fault, run);
            const Status status = ask(executor);
            failed = executor.failed();
            EXPECT_EQ(status.ok(), !failed);
            if (failed) {
                EXPECT_EQ(status.cause, Cause::executor_failed);
                EXPECT_EQ(status.argument, Argument::executor);
            }
        }
        EXPECT_GT(run, 1u);
    }
    for (const Fault fault : {Fault::throw_before, Fault::throw_after}) {
        FaultyExecutor executor(fault, 0);
        EXPECT_THROW((void)ask(executor), ExecutorError);
    }
}

TYPED_TEST(ForEachNeighbour, LetsExceptionsOfTheKernelThrough) {
    constexpr std::size_t kDim = TypeParam::value;
    std::vector<std::uint32_t> finished(TestFixture::kAgents);
    test::EagerPool pool(2);
    for (Executor* executor : {&serial_executor(), static_cast<Executor*>(&pool)}) {
        NeighbourLoop<kDim> loop(*executor);
        constexpr std::size_t kMany = 1'000'000'000;
        std::atomic<std::size_t> left{kMany};
        const Count thrower{finished.data(), &left};
        ASSERT_EQ(run_kernel(loop, this->grid_, {1.0f}, thrower), Status{});
        const std::size_t all = kMany - left;
        ASSERT_GT(all, 1000u);
        for (const std::size_t met : {std::size_t{0}, std::size_t{1}, all / 3, all / 2, all - 1}) {
            left = met;
            EXPECT_THROW((void)run_kernel(loop, this->grid_, {1.0f}, thrower), KernelError) << met;
            // The loop object works as before after an exception.
            EXPECT_EQ(run_kernel(loop, this->grid_, {1.0f}, Count{finished.data()}), Status{});
        }
        left = all;
        EXPECT_EQ(run_kernel(loop, this->grid_, {1.0f}, thrower), Status{});
    }
}

TYPED_TEST(ForEachNeighbour, AllocatesNothingOnceItHas) {
    constexpr std::size_t kDim = TypeParam::value;
    std::vector<float> number(TestFixture::kAgents), sum(TestFixture::kAgents);
    std::vector<std::uint32_t> place(TestFixture::kAgents), met(TestFixture::kAgents),
        mix(TestFixture::kAgents);
    const Transcript<kDim> kernel{number.data(), place.data(), sum.data(), met.data(), mix.data()};
    NeighbourLoop<kDim> loop;
    EXPECT_EQ(loop.memory(), 0u);
    EXPECT_EQ(run_kernel(loop, this->grid_, {1.0f}, kernel), Status{});
    EXPECT_GT(loop.memory(), 0u);
    EXPECT_LT(loop.memory(), 4 * TestFixture::kAgents + 1000);
    const std::size_t before = allocations();
    EXPECT_EQ(run_kernel(loop, this->grid_, {1.0f}, kernel), Status{});
    EXPECT_EQ(allocations(), before);
    loop.release();
    EXPECT_EQ(loop.memory(), 0u);
    NeighbourLoop<kDim> moved = std::move(loop);
    EXPECT_EQ(run_kernel(moved, this->grid_, {1.0f}, kernel), Status{});
}

// The grid counts as in use during the whole call: an executor changes it before, between and after
// blocks.
TYPED_TEST(ForEachNeighbour, IsInItsGridForTheWholeCall) {
    constexpr std::size_t kDim = TypeParam::value;
    class Meddler final : public Executor {
    public:
        explicit Meddler(RowGrid<kDim>& grid) : grid_(grid) {}
        void run(std::size_t blocks, Body body) override {
            for (std::size_t b = 0; b < blocks; ++b) {
                (void)grid_.erase(kNoId); // refused, but it is still a call that changes the grid
                body(b);
            }
        }

    private:
        RowGrid<kDim>& grid_;
    };
    Meddler meddler(this->grid_);
    Reports reports;
    NeighbourLoop<kDim> loop(meddler);
    std::vector<std::uint32_t> count(TestFixture::kAgents);
    EXPECT_EQ(run_kernel(loop, this->grid_, {1.0f}, Count{count.data()}), Status{});
    EXPECT_EQ(reports.count() != 0, kAccessChecked);
    reports.clear();
    EXPECT_EQ(this->grid_.erase(5), Status{});
    EXPECT_EQ(reports.count(), 0u) << "a call is left inside";
}

} // namespace
} // namespace throng::test
