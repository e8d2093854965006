// Executors that break their promises, and visitors that throw or stop.
#include <throng/parallel/batch/batch.hpp>

#include "../../../engine/grid/grid_parts.hpp"
#include "../../support/answers.hpp"
#include "../../support/dims.hpp"
#include "../../support/threads/executors.hpp"
#include "calls.hpp"
#include "faulty_calls.hpp"

#include <gtest/gtest.h>

#include <atomic>

namespace throng {
namespace {

using test::VisitorError;

template <class Dim>
class BatchFaults : public testing::Test {};
TYPED_TEST_SUITE(BatchFaults, test::Dims, test::DimNames);

TYPED_TEST(BatchFaults, OfExecutorsAreNoticed) {
    constexpr std::size_t kDim = TypeParam::value;
    test::TwoGrids<kDim> crowd(1'300);
    ASSERT_GE(crowd.grid.parts().slices(), 3u);
    test::Calls<kDim> calls(crowd);
    auto questions = scenes::make<kDim>("uniform", 10);
    const auto before = test::answers_of(crowd.grid, questions);
    ASSERT_NO_FATAL_FAILURE(test::expect_faults_noticed<Batch<kDim>>(calls));
    EXPECT_EQ(test::difference(test::answers_of(crowd.grid, questions), before), "");
    EXPECT_STREQ(crowd.grid.validate(), nullptr);
}

TYPED_TEST(BatchFaults, AVisitorThatThrows) {
    constexpr std::size_t kDim = TypeParam::value;
    const test::TwoGrids<kDim> crowd(3'000);
    test::Calls<kDim> calls(crowd);
    Batch<kDim> serial;
    const auto wanted = calls.make_all(serial);
    for (const std::size_t threads : {1u, 3u}) {
        test::EagerPool pool(threads);
        Batch<kDim> batch(pool);
        for (std::size_t at = 0; at < crowd.grid.parts().slices(); ++at) {
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
                    (void)(others == &crowd.grid
                               ? batch.visit_pairs(crowd.grid, visitor)
                               : batch.visit_pairs({crowd.grid, *others}, visitor));
                } catch (const VisitorError&) { ++caught; }
                EXPECT_EQ(thrown, 1) << at;
                EXPECT_EQ(caught, 1) << at;
            }
        }
        EXPECT_EQ(calls.make_all(batch), wanted);
    }
}

/// The visitor throws at each of its calls in turn, not only at the first of a slice.
TYPED_TEST(BatchFaults, AVisitorThatThrowsLater) {
    constexpr std::size_t kDim = TypeParam::value;
    const test::TwoGrids<kDim> crowd(3'000);
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
                                             : batch.visit_pairs({crowd.grid, *others}, visitor));
            } catch (const VisitorError&) { thrown = true; }
            EXPECT_EQ(thrown, calls > bad);
            if (thrown) { EXPECT_EQ(calls, bad + 1) << "no call after that"; }
            return thrown;
        };
        std::size_t bad = 0;
        while (visit(bad)) {
            ++bad;
        }
        EXPECT_GE(bad, crowd.grid.parts().slices());
    }
}

TYPED_TEST(BatchFaults, AVisitorThatHasEnough) {
    constexpr std::size_t kDim = TypeParam::value;
    const test::TwoGrids<kDim> crowd(3'000);
    Batch<kDim> batch;
    const std::size_t slices = crowd.grid.parts().slices();
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
                                    : batch.visit_pairs({crowd.grid, crowd.others}, visitor);
            EXPECT_EQ(found.status, Status{});
            EXPECT_EQ(visits, enough);
            EXPECT_EQ(found.count, pairs) << "what was visited, and no more";
        }
    }
    // With several threads, each may visit once before it knows that the visitor has had enough.
    test::EagerPool pool(3);
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
