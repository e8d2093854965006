// Batches about a crowd of small and large, mainly for ThreadSanitizer.
#include "crews.hpp"

#include "../parallel/batch/crowd/crowd_calls.hpp"

#include <throng/parallel/batch/batch.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

namespace throng::test {
namespace {

template <std::size_t Dim>
void expect_crowd_batches_agree(Executor& executor, bool periodic) {
    World<Dim> world("mixed_sizes", 900, 150, scenes::Groups::masks);
    CrowdSettings<Dim> settings = world.crowd.settings();
    settings.periodic[0] = periodic;
    EXPECT_EQ(world.crowd.configure(settings), Status{});
    world.update(executor);
    const auto ask = [&](Executor& on) {
        CrowdCalls<Dim> calls(world);
        Batch<Dim> batch(on);
        return calls.make_all(batch);
    };
    const std::vector<std::uint64_t> expected = ask(serial_executor());
    // Each thread has its own batch; all use one executor and one crowd.
    std::array<std::vector<std::uint64_t>, 2> heard;
    on_own_threads(heard.size(), [&](std::size_t i) { heard[i] = ask(executor); });
    for (const std::vector<std::uint64_t>& numbers : heard) {
        EXPECT_TRUE(numbers == expected);
    }
}

class ThreadedCrowdBatch : public ::testing::TestWithParam<Crew> {};

TEST_P(ThreadedCrowdBatch, Answers2d) {
    GetParam().call([](Executor& executor) { expect_crowd_batches_agree<2>(executor, false); });
}

TEST_P(ThreadedCrowdBatch, Answers3d) {
    GetParam().call([](Executor& executor) { expect_crowd_batches_agree<3>(executor, false); });
}

TEST_P(ThreadedCrowdBatch, AnswersInPeriodicWorlds) {
    GetParam().call([](Executor& executor) {
        expect_crowd_batches_agree<2>(executor, true);
        expect_crowd_batches_agree<3>(executor, true);
    });
}

INSTANTIATE_TEST_SUITE_P(, ThreadedCrowdBatch, ::testing::ValuesIn(crews()),
                         [](const auto& of) { return of.param.name; });

} // namespace
} // namespace throng::test
