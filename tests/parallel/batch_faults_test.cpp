// Executors that do not keep their word, and visitors that throw or have enough.
#include <throng/parallel/batch.hpp>
#include <throng/parallel/thread_pool.hpp>

#include "../support/answers.hpp"
#include "../support/dims.hpp"
#include "../support/executors.hpp"
#include "batch_calls.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <set>

namespace throng {
namespace {

using test::Fault;

constexpr Fault kFaults[] = {Fault::drop,    Fault::repeat,       Fault::repeat_for_drop,
                             Fault::nothing, Fault::throw_before, Fault::throw_after};

/// Executors that are exchanged behind a batch's back.
class Switch final : public Executor {
public:
    void run(std::size_t blocks, Body body) override { executor->run(blocks, body); }
    Executor* executor = &serial_executor();
};

template <class Dim>
class BatchFaults : public testing::Test {};
TYPED_TEST_SUITE(BatchFaults, test::Dims, test::DimNames);

/// With a fault in every loop of a call in turn, whatever the batch has done before.
template <std::size_t Dim, class Ask>
void check_call(Fault fault, const Ask& ask, std::uint64_t wanted, std::set<Cause>& causes) {
    Switch executor;
    Batch<Dim> batch(executor);
    bool failed = true;
    for (std::size_t run = 0; failed; ++run) {
        ASSERT_LT(run, 100u);
        test::FaultyExecutor faulty(fault, run, run + 1);
        executor.executor = &faulty;
        try {
            const test::Outcome outcome = ask(batch, false);
            if (outcome.status.ok()) {
                ASSERT_EQ(outcome.hash, wanted);
                ASSERT_TRUE(!faulty.failed() || fault == Fault::repeat) << "who noticed?";
            } else {
                ASSERT_EQ(outcome.status.cause, Cause::executor_failed);
                ASSERT_EQ(outcome.status.argument, Argument::executor);
                causes.insert(outcome.status.cause);
            }
        } catch (const test::ExecutorError&) {
            ASSERT_TRUE(fault == Fault::throw_before || fault == Fault::throw_after);
            ask(batch, true);
        }
        failed = faulty.failed();
        executor.executor = &serial_executor();
        ASSERT_EQ(ask(batch, false).hash, wanted) << "the batch is as good as before";
    }
}

TYPED_TEST(BatchFaults, OfExecutorsAreNoticed) {
    constexpr std::size_t kDim = TypeParam::value;
    test::Crowd<kDim> crowd(1'300);
    ASSERT_GE(crowd.grid.slices(), 3u);
    test::Calls<kDim> calls(crowd);
    Batch<kDim> serial;
    const auto wanted = calls.make_all(serial);
    auto questions = scenes::make<kDim>("uniform", 10);
    const auto before = test::answers_of(crowd.grid, questions);
    for (const Fault fault : kFaults) {
        // Once answers have no place at first, and once they replace older ones.
        for (std::size_t i = 0; i < 2 * calls.kCount; ++i) {
            const std::size_t call = i / 2;
            const bool forget = i % 2 == 0;
            SCOPED_TRACE(testing::Message()
                         << "fault " << static_cast<int>(fault) << ", call " << call);
            std::set<Cause> causes;
            const auto ask = [&](Batch<kDim>& batch, bool only_look) {
                if (only_look) {
                    EXPECT_TRUE(calls.is_empty(call));
                    return test::Outcome{};
                }
                if (forget) { calls.forget(); }
                const test::Outcome outcome = calls.make(call, batch);
                if (!outcome.status.ok()) { EXPECT_TRUE(calls.is_empty(call)); }
                return outcome;
            };
            ASSERT_NO_FATAL_FAILURE((check_call<kDim>(fault, ask, wanted[call], causes)));
            const bool tells =
                fault == Fault::drop || fault == Fault::repeat_for_drop || fault == Fault::nothing;
            EXPECT_EQ(causes.size(), tells ? 1u : 0u);
        }
    }
    EXPECT_EQ(test::difference(test::answers_of(crowd.grid, questions), before), "");
    EXPECT_STREQ(crowd.grid.validate(), nullptr);
}

/// Thrown by visitors.
struct VisitorError {};

TYPED_TEST(BatchFaults, AVisitorThatThrows) {
    constexpr std::size_t kDim = TypeParam::value;
    const test::Crowd<kDim> crowd(3'000);
    test::Calls<kDim> calls(crowd);
    Batch<kDim> serial;
    const auto wanted = calls.make_all(serial);
    for (const std::size_t threads : {1u, 3u}) {
        ThreadPool pool(threads);
        Batch<kDim> batch(pool);
        for (std::size_t at = 0; at < crowd.grid.slices(); ++at) {
            for (const RowGrid<kDim>* others : {&crowd.others, &crowd.grid}) {
                std::atomic<int> thrown = 0, caught = 0;
                const auto visitor = [&](std::size_t slice, std::span<const Id>,
                                         std::span<const Id>) {
                    if (slice == at) {
                        ++thrown;
                        throw VisitorError{};
                    }
                    return true;
                };
                try {
                    (void)(others == &crowd.grid ? batch.visit_pairs(crowd.grid, visitor)
                                                 : batch.visit_pairs(crowd.grid, *others, visitor));
                } catch (const VisitorError&) { ++caught; }
                EXPECT_EQ(thrown, 1) << at;
                EXPECT_EQ(caught, 1) << at;
            }
        }
        EXPECT_EQ(calls.make_all(batch), wanted);
    }
}

/// At any call, not only at the first of a slice.
TYPED_TEST(BatchFaults, AVisitorThatThrowsLater) {
    constexpr std::size_t kDim = TypeParam::value;
    const test::Crowd<kDim> crowd(3'000);
    Batch<kDim> batch;
    for (const RowGrid<kDim>* others : {&crowd.others, &crowd.grid}) {
        const auto visit = [&](std::size_t bad) {
            std::size_t calls = 0;
            const auto visitor = [&](std::size_t, std::span<const Id>, std::span<const Id>) {
                return calls++ == bad ? throw VisitorError{} : true;
            };
            bool thrown = false;
            try {
                (void)(others == &crowd.grid ? batch.visit_pairs(crowd.grid, visitor)
                                             : batch.visit_pairs(crowd.grid, *others, visitor));
            } catch (const VisitorError&) { thrown = true; }
            EXPECT_EQ(thrown, calls > bad);
            if (thrown) { EXPECT_EQ(calls, bad + 1) << "nobody is called after that"; }
            return thrown;
        };
        std::size_t bad = 0;
        while (visit(bad)) {
            ++bad;
        }
        EXPECT_GE(bad, crowd.grid.slices());
    }
}

TYPED_TEST(BatchFaults, AVisitorThatHasEnough) {
    constexpr std::size_t kDim = TypeParam::value;
    const test::Crowd<kDim> crowd(3'000);
    Batch<kDim> batch;
    const std::size_t slices = crowd.grid.slices();
    for (std::size_t enough = 1; enough <= slices; ++enough) {
        std::size_t visits = 0, pairs = 0;
        const auto visitor = [&](std::size_t, std::span<const Id> first, std::span<const Id>) {
            pairs += first.size();
            return ++visits < enough;
        };
        for (int with_others = 0; with_others < 2; ++with_others) {
            visits = pairs = 0;
            const Found found = with_others == 0
                                    ? batch.visit_pairs(crowd.grid, visitor)
                                    : batch.visit_pairs(crowd.grid, crowd.others, visitor);
            EXPECT_EQ(found.status, Status{});
            EXPECT_EQ(visits, enough);
            EXPECT_EQ(found.count, pairs) << "what was visited, and no more";
        }
    }
    // From several threads it may take a moment until all know of it.
    ThreadPool pool(3);
    Batch<kDim> shared(pool);
    std::atomic<std::size_t> visits = 0, pairs = 0;
    const Found found = shared.visit_pairs(
        crowd.grid, [&](std::size_t, std::span<const Id> first, std::span<const Id>) {
            ++visits;
            pairs += first.size();
            return false;
        });
    EXPECT_EQ(found.count, pairs);
    EXPECT_GE(visits, 1u);
    EXPECT_LE(visits, 3u) << "one a thread";
}

} // namespace
} // namespace throng
