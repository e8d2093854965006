// A crowd's batch in a steady frame allocates nothing, and loses nothing when memory runs out.
#include <throng/parallel/batch/batch.hpp>
#include <throng/parallel/executors/thread_pool.hpp>

#include "../../support/allocation_counter.hpp"
#include "../../support/dims.hpp"
#include "crowd_calls.hpp"

#include <gtest/gtest.h>

#include <new>

namespace throng {
namespace {

using test::CrowdCalls;
using test::CrowdOutcome;
using test::World;

template <class Dim>
class CrowdBatchAllocations : public testing::Test {};
TYPED_TEST_SUITE(CrowdBatchAllocations, test::Dims, test::DimNames);

TYPED_TEST(CrowdBatchAllocations, ThereAreNoneInASteadyFrame) {
    constexpr std::size_t kDim = TypeParam::value;
    const World<kDim> world("mixed_sizes", 1'600, 300, scenes::Groups::masks);
    ThreadPool pool(4);
    for (std::size_t call = 0; call < CrowdCalls<kDim>::kCount; ++call) {
        CrowdCalls<kDim> calls(world);
        Batch<kDim> serial;
        const CrowdOutcome wanted = calls.make(call, serial);
        EXPECT_EQ(calls.make(call, serial), wanted);
        for (int frame = 2; frame < 4; ++frame) {
            const std::size_t before = test::allocations();
            const CrowdOutcome outcome = calls.make(call, serial);
            EXPECT_EQ(test::allocations(), before) << "call " << call << ", frame " << frame;
            EXPECT_EQ(outcome, wanted);
        }
        // Which thread's scratch meets the largest block is chance.
        Batch<kDim> shared(pool);
        int quiet = 0;
        for (int frame = 0; frame < 500 && quiet < 5; ++frame) {
            const std::size_t before = test::allocations();
            ASSERT_EQ(calls.make(call, shared), wanted);
            quiet = test::allocations() == before ? quiet + 1 : 0;
        }
        EXPECT_EQ(quiet, 5) << "call " << call;
    }
}

TYPED_TEST(CrowdBatchAllocations, MayFailAnywhere) {
    constexpr std::size_t kDim = TypeParam::value;
    const World<kDim> world("mixed_sizes", 600, 100, scenes::Groups::masks);
    CrowdCalls<kDim> calls(world);
    Batch<kDim> first;
    const auto wanted = calls.make_all(first);
    for (std::size_t call = 0; call < calls.kCount; ++call) {
        for (const bool forever : {false, true}) {
            bool failed = true;
            std::size_t failures = 0;
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
                            const CrowdOutcome outcome = calls.make(call, batch);
                            ASSERT_EQ(outcome, (CrowdOutcome{{}, wanted[call]}));
                        } catch (const std::bad_alloc&) { thrown = true; }
                        failed = failing.failed();
                    }
                    ASSERT_EQ(thrown, failed) << "a failure is neither swallowed nor made up";
                    if (thrown) {
                        ++failures;
                        ASSERT_TRUE(calls.is_empty(call));
                    }
                    ASSERT_EQ(calls.make(call, batch), (CrowdOutcome{{}, wanted[call]}));
                }
                calls.forget();
                ASSERT_EQ(test::live_blocks(), live) << "memory has leaked";
            }
            EXPECT_GT(failures, 3u) << "call " << call;
        }
    }
    EXPECT_STREQ(world.crowd.validate(), nullptr);
}

} // namespace
} // namespace throng
