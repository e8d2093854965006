// A batch in a steady frame allocates nothing, and loses nothing when memory runs out.
#include <throng/parallel/batch/batch.hpp>
#include <throng/parallel/executors/thread_pool.hpp>

#include "../../support/allocation_counter.hpp"
#include "../../support/dims.hpp"
#include "calls.hpp"

#include <gtest/gtest.h>

#include <new>

namespace throng {
namespace {

template <class Dim>
class BatchAllocations : public testing::Test {};
TYPED_TEST_SUITE(BatchAllocations, test::Dims, test::DimNames);

TYPED_TEST(BatchAllocations, ThereAreNoneInASteadyFrame) {
    const test::Crowd<TypeParam::value> crowd(3'000);
    for (std::size_t call = 0; call < test::Calls<TypeParam::value>::kCount; ++call) {
        test::Calls<TypeParam::value> calls(crowd);
        Batch<TypeParam::value> batch;
        const test::Outcome wanted = calls.make(call, batch);
        // In the second frame answers go to their places at once, and one part's scratch serves
        // every block, the largest too.
        EXPECT_EQ(calls.make(call, batch), wanted);
        for (int frame = 2; frame < 5; ++frame) {
            const std::size_t before = test::allocations();
            const test::Outcome outcome = calls.make(call, batch);
            EXPECT_EQ(test::allocations(), before) << "call " << call << ", frame " << frame;
            EXPECT_EQ(outcome, wanted);
        }
    }
}

// Which thread's scratch meets the largest block is chance, so this takes a few frames more.
TYPED_TEST(BatchAllocations, DieOutOnManyThreads) {
    const test::Crowd<TypeParam::value> crowd(3'000);
    ThreadPool pool(4);
    for (std::size_t call = 0; call < test::Calls<TypeParam::value>::kCount; ++call) {
        test::Calls<TypeParam::value> calls(crowd);
        Batch<TypeParam::value> batch(pool);
        const test::Outcome wanted = calls.make(call, batch);
        int quiet = 0;
        for (int frame = 0; frame < 500 && quiet < 5; ++frame) {
            const std::size_t before = test::allocations();
            ASSERT_EQ(calls.make(call, batch), wanted);
            quiet = test::allocations() == before ? quiet + 1 : 0;
        }
        EXPECT_EQ(quiet, 5) << "call " << call;
    }
}

TYPED_TEST(BatchAllocations, MayFailAnywhere) {
    constexpr std::size_t kDim = TypeParam::value;
    const test::Crowd<kDim> crowd(1'100);
    test::Calls<kDim> calls(crowd);
    Batch<kDim> first;
    const auto wanted = calls.make_all(first);
    for (std::size_t call = 0; call < calls.kCount; ++call) {
        for (const bool forever : {false, true}) {
            std::size_t failures = 0;
            bool failed = true;
            for (std::size_t n = 0; failed; ++n) {
                SCOPED_TRACE(testing::Message() << "call " << call << ", allocation " << n);
                ASSERT_LT(n, 1'000u);
                calls.forget();
                const std::size_t live = test::live_blocks();
                {
                    Batch<kDim> batch;
                    bool thrown = false;
                    {
                        const test::FailingAllocations failing(n, forever);
                        try {
                            const test::Outcome outcome = calls.make(call, batch);
                            ASSERT_EQ(outcome, (test::Outcome{{}, wanted[call]}));
                        } catch (const std::bad_alloc&) { thrown = true; }
                        failed = failing.failed();
                    }
                    ASSERT_EQ(thrown, failed) << "a failure is neither swallowed nor made up";
                    if (thrown) {
                        ++failures;
                        ASSERT_TRUE(calls.is_empty(call));
                    }
                    ASSERT_EQ(calls.make(call, batch), (test::Outcome{{}, wanted[call]}));
                }
                calls.forget();
                ASSERT_EQ(test::live_blocks(), live) << "memory has leaked";
            }
            EXPECT_GT(failures, 3u) << "call " << call;
        }
    }
    EXPECT_STREQ(crowd.grid.validate(), nullptr);
}

TYPED_TEST(BatchAllocations, AreGivenBack) {
    const test::Crowd<TypeParam::value> crowd(3'000);
    test::Calls<TypeParam::value> calls(crowd);
    ThreadPool pool(3);
    Batch<TypeParam::value> batch(pool);
    const std::size_t fresh = batch.memory();
    const auto wanted = calls.make_all(batch);
    const std::size_t used = batch.memory();
    EXPECT_GT(used, fresh + 10'000u);
    batch.release();
    EXPECT_EQ(batch.memory(), fresh);
    EXPECT_EQ(calls.make_all(batch), wanted);
}

} // namespace
} // namespace throng
