// Batches on oneTBB, in arenas of any size, called from anywhere in a host.
#include <throng/parallel/batch/batch.hpp>
#include <throng/parallel/executors/tbb_executor.hpp>

#include "../../support/dims.hpp"
#include "calls.hpp"

#include <gtest/gtest.h>

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <mutex>
#include <string_view>

namespace throng {
namespace {

template <class Dim>
class TbbBatch : public testing::Test {
protected:
    static constexpr std::size_t kDim = Dim::value;

    TbbBatch() : crowd_(2'000) {
        test::Calls<kDim> calls(crowd_);
        Batch<kDim> batch;
        wanted_ = calls.make_all(batch);
    }

    /// Expects the serial executor's answers from all calls of a new batch.
    void expect_same() {
        TbbExecutor executor;
        test::Calls<kDim> calls(crowd_);
        Batch<kDim> batch(executor);
        EXPECT_EQ(calls.make_all(batch), wanted_);
    }

    test::TwoGrids<kDim> crowd_;
    std::vector<std::uint64_t> wanted_;

private:
    // More threads than a small machine has cores, so that races can show.
    tbb::global_control threads_{tbb::global_control::max_allowed_parallelism, 16};
};
TYPED_TEST_SUITE(TbbBatch, test::Dims, test::DimNames);

template <std::size_t Dim>
void expect_same_in_arenas_of_any_size(test::TwoGrids<Dim>& crowd) {
    const auto hashes = [&](Executor& executor) {
        crowd.update(executor);
        test::Calls<Dim> calls(crowd);
        Batch<Dim> batch(executor);
        return calls.make_all(batch);
    };
    const auto wanted = hashes(serial_executor());
    TbbExecutor executor;
    for (const int threads : {1, 2, 3, 4, 8, 16}) {
        tbb::task_arena arena(threads);
        EXPECT_EQ(arena.execute([&] { return hashes(executor); }), wanted) << threads;
    }
}

TYPED_TEST(TbbBatch, InArenasOfAnySize) {
    test::TwoGrids<TypeParam::value> crowd(12'000);
    expect_same_in_arenas_of_any_size(crowd);
}

TYPED_TEST(TbbBatch, InArenasOfAnySizeForWhatIsExact) {
    for (const std::string_view name : test::kExactScenes) {
        SCOPED_TRACE(name);
        test::TwoGrids<TypeParam::value> crowd(name, 2'200);
        expect_same_in_arenas_of_any_size(crowd);
    }
}

TYPED_TEST(TbbBatch, InTasksOfTheHost) {
    tbb::parallel_for(0, 6, [&](int) { this->expect_same(); });
}

TYPED_TEST(TbbBatch, InACancelledGroup) {
    bool cancelled = false;
    tbb::task_group group;
    const tbb::task_group_status status = group.run_and_wait([&] {
        group.cancel();
        cancelled = tbb::is_current_task_group_canceling();
        this->expect_same();
    });
    EXPECT_EQ(status, tbb::canceled);
    EXPECT_TRUE(cancelled);
}

TYPED_TEST(TbbBatch, InABlockOfAnotherLoop) {
    TbbExecutor executor;
    executor.run(6, [&](std::size_t) { this->expect_same(); });
}

// If a waiting caller took tasks of the host, this would deadlock.
TYPED_TEST(TbbBatch, UnderALockThatTheHostHolds) {
    TbbExecutor executor;
    test::Calls<TypeParam::value> calls(this->crowd_);
    Batch<TypeParam::value> batch(executor);
    std::mutex mutex;
    tbb::parallel_for(0, 12, [&](int) {
        const std::lock_guard lock(mutex);
        EXPECT_EQ(calls.make_all(batch), this->wanted_);
    });
}

} // namespace
} // namespace throng
