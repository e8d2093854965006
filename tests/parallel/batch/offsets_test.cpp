// Offsets that several threads compute.
#include <throng/parallel/batch/offsets.hpp>

#include "../../support/threads/executors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace throng {
namespace {

TEST(Offsets, AreTheSumsOfAllBefore) {
    test::EagerPool pool(4);
    test::ShuffleExecutor shuffle(3);
    ThreadPool threads(4);
    for (const std::size_t count : {0u, 1u, 16'384u, 16'385u, 100'000u, 1'000'000u}) {
        std::vector<std::uint64_t> lengths(count);
        scenes::Random random(count);
        for (std::uint64_t& length : lengths) {
            length = random.below(1'000'000'000);
        }
        std::vector<std::uint64_t> wanted(count);
        std::partial_sum(lengths.begin(), lengths.end(), wanted.begin());
        for (Executor* executor : {static_cast<Executor*>(&pool), static_cast<Executor*>(&shuffle),
                                   static_cast<Executor*>(&threads), &serial_executor()}) {
            Offsets offsets;
            std::vector<std::uint64_t> made = lengths;
            EXPECT_EQ(offsets.add_up(*executor, made), Status{});
            EXPECT_EQ(made, wanted) << count;
            EXPECT_EQ(offsets.clear(*executor, made), Status{});
            EXPECT_EQ(std::count(made.begin(), made.end(), std::uint64_t{0}),
                      static_cast<std::ptrdiff_t>(count));
        }
    }
}

TEST(Offsets, SayWhenAnExecutorLeavesSomethingOut) {
    std::vector<std::uint64_t> offsets(100'000, 1);
    for (std::size_t run = 0; run < 2; ++run) {
        test::FaultyExecutor executor(test::Fault::drop, run);
        EXPECT_EQ(Offsets().add_up(executor, offsets).cause, Cause::executor_failed) << run;
    }
    test::FaultyExecutor executor(test::Fault::drop, 0);
    EXPECT_EQ(Offsets().clear(executor, offsets).cause, Cause::executor_failed);
}

} // namespace
} // namespace throng
