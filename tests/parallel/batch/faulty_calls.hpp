// Calls of a batch whose executor breaks its promises.
#pragma once

#include "../../support/threads/executors.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

namespace throng::test {

/// Calls make(batch) with the fault in each of its loops in turn, on one batch. The outcome must be
/// right, or a refusal with is_empty() true. `noticed` counts the refusals.
template <class Batch, class Make, class IsEmpty>
void check_faulty_call(Fault fault, const Make& make, const IsEmpty& is_empty, std::uint64_t wanted,
                       std::size_t& noticed) {
    SwitchExecutor executor;
    Batch batch(executor);
    bool failed = true;
    for (std::size_t run = 0; failed; ++run) {
        ASSERT_LT(run, 100u);
        FaultyExecutor faulty(fault, run, run + 1);
        executor.executor = &faulty;
        try {
            const auto outcome = make(batch);
            if (outcome.status.ok()) {
                ASSERT_EQ(outcome.hash, wanted);
                ASSERT_TRUE(!faulty.failed() || fault == Fault::repeat) << "who noticed?";
            } else {
                ASSERT_EQ(outcome.status.cause, Cause::executor_failed);
                ASSERT_EQ(outcome.status.argument, Argument::executor);
                ASSERT_TRUE(is_empty());
                ++noticed;
            }
        } catch (const ExecutorError&) {
            ASSERT_TRUE(fault == Fault::throw_before || fault == Fault::throw_after);
            ASSERT_TRUE(is_empty());
        }
        failed = faulty.failed();
        executor.executor = &serial_executor();
        ASSERT_EQ(make(batch).hash, wanted) << "the batch is as good as before";
    }
}

/// Tests every fault in every call: with empty outputs, and with outputs that hold older answers.
template <class Batch, class Calls>
void expect_faults_noticed(Calls& calls) {
    Batch serial;
    const auto wanted = calls.make_all(serial);
    for (const Fault fault : kEveryFault) {
        for (std::size_t call = 0; call < Calls::kCount; ++call) {
            for (const bool forget : {true, false}) {
                SCOPED_TRACE(testing::Message() << "fault " << static_cast<int>(fault) << ", call "
                                                << call << ", forget " << forget);
                const auto make = [&](Batch& batch) {
                    if (forget) { calls.forget(); }
                    return calls.make(call, batch);
                };
                const auto is_empty = [&] { return calls.is_empty(call); };
                std::size_t noticed = 0;
                ASSERT_NO_FATAL_FAILURE(
                    check_faulty_call<Batch>(fault, make, is_empty, wanted[call], noticed));
                const bool tells = fault == Fault::drop || fault == Fault::repeat_for_drop ||
                                   fault == Fault::nothing;
                EXPECT_EQ(noticed > 0, tells);
            }
        }
    }
}

/// Thrown by visitors.
struct VisitorError {};

} // namespace throng::test
