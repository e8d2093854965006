// Allocations in a batch's calls: none in a steady frame, and each may fail.
#pragma once

#include "../../../support/allocation_counter.hpp"
#include "../every_call.hpp"
#include "../packings.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <new>

namespace throng::test {

/// make() returns calls with new outputs.
template <class Batch, class Make>
void expect_steady_frames_without(const Make& make) {
    for (std::size_t call = 0; call < decltype(make())::kCount; ++call) {
        auto calls = make();
        Batch batch;
        const Outcome wanted = calls.make(call, batch);
        // From the second frame on answers are written directly to their places, and one scratch is
        // large enough for every block.
        EXPECT_EQ(calls.make(call, batch), wanted);
        Packings packings;
        int packed = 0;
        for (int frame = 2; frame < 5; ++frame) {
            const std::size_t before = allocations();
            const Outcome outcome = calls.make(call, batch);
            const std::size_t after = allocations();
            // A tree for paths may be packed once, in a frame in which earlier frames have paid for
            // it.
            const int now = packings.count();
            packed += now;
            if (now == 0) { EXPECT_EQ(after, before) << "call " << call << ", frame " << frame; }
            EXPECT_EQ(outcome, wanted);
        }
        EXPECT_LE(packed, 1) << "call " << call;
    }
}

/// The same on many threads. It takes a few more frames, since chance decides which thread's
/// scratch meets the largest block.
template <class Batch, class Make>
void expect_they_die_out(Executor& executor, const Make& make) {
    for (std::size_t call = 0; call < decltype(make())::kCount; ++call) {
        auto calls = make();
        Batch batch(executor);
        const Outcome wanted = calls.make(call, batch);
        int quiet = 0;
        for (int frame = 0; frame < 500 && quiet < 5; ++frame) {
            const std::size_t before = allocations();
            ASSERT_EQ(calls.make(call, batch), wanted);
            quiet = allocations() == before ? quiet + 1 : 0;
        }
        EXPECT_EQ(quiet, 5) << "call " << call;
    }
}

/// Fails each single allocation, and all from some point on: the call throws, nothing is left
/// behind, and the next call works.
template <class Batch, class Calls>
void expect_each_may_fail(Calls& calls) {
    Batch first;
    const auto wanted = calls.make_all(first);
    for (std::size_t call = 0; call < Calls::kCount; ++call) {
        for (const bool forever : {false, true}) {
            std::size_t failures = 0;
            bool failed = true;
            for (std::size_t n = 0; failed; ++n) {
                SCOPED_TRACE(testing::Message() << "call " << call << ", allocation " << n);
                ASSERT_LT(n, 1'000u);
                calls.forget();
                const std::size_t live = live_blocks();
                {
                    Batch batch;
                    bool thrown = false;
                    {
                        const FailingAllocations failing(n, forever);
                        try {
                            const Outcome outcome = calls.make(call, batch);
                            ASSERT_EQ(outcome, (Outcome{{}, wanted[call]}));
                        } catch (const std::bad_alloc&) { thrown = true; }
                        failed = failing.failed();
                    }
                    ASSERT_EQ(thrown, failed) << "a failure is neither swallowed nor made up";
                    if (thrown) {
                        ++failures;
                        ASSERT_TRUE(calls.is_empty(call));
                    }
                    ASSERT_EQ(calls.make(call, batch), (Outcome{{}, wanted[call]}));
                }
                calls.forget();
                ASSERT_EQ(live_blocks(), live) << "memory has leaked";
            }
            EXPECT_GT(failures, 3u) << "call " << call;
        }
    }
}

} // namespace throng::test
