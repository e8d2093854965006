// Batches about a whole crowd, mainly for ThreadSanitizer.
#include "crews.hpp"

#include "../support/scenes/scenes.hpp"

#include <throng/parallel/batch/batch.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace throng::test {
namespace {

constexpr std::size_t kAgents = 20'000;
constexpr Neighbourhood kNear{.radius = 1.0f};

/// The answers of batches about a crowd, as numbers.
template <std::size_t Dim>
std::vector<std::uint64_t> batches(Executor& executor, const RowGrid<Dim>& grid,
                                   std::span<const Ball<Dim>> balls) {
    std::vector<std::uint64_t> numbers;
    const auto note = [&](std::span<const std::uint32_t> values) {
        numbers.insert(numbers.end(), values.begin(), values.end());
    };
    Batch<Dim> batch(executor);
    Hits hits;
    Pairs pairs;
    std::vector<std::uint32_t> counts(balls.size());
    EXPECT_TRUE(batch.query(grid, balls, hits).ok());
    note({hits.ids.data(), hits.total()});
    numbers.push_back(batch.count(grid, balls, counts).count);
    note(counts);
    numbers.push_back(batch.any(grid, balls, counts).count);
    for (const Order order : {Order::storage, Order::ids}) {
        EXPECT_TRUE(batch.neighbours(grid, kNear, hits, order).ok());
        note({hits.ids.data(), hits.total()});
    }
    EXPECT_TRUE(batch.pairs(grid, pairs).ok());
    note({pairs.first.data(), pairs.count});
    note({pairs.second.data(), pairs.count});
    const auto visit = [](std::size_t, std::span<const Id>, std::span<const Id>) { return true; };
    numbers.push_back(batch.visit_pairs(grid, visit).count);
    return numbers;
}

template <std::size_t Dim>
void expect_batches_agree(Executor& executor) {
    scenes::Scene<Dim> scene = scenes::make_uniform<Dim>(kAgents);
    for (std::size_t i = 0; i < kAgents; i += 7) {
        scene.balls.push_back({scene.position_of(i), 1.0f});
    }
    const std::span<const Ball<Dim>> balls(scene.balls);
    RowGrid<Dim> grid;
    ASSERT_TRUE(grid.update(scene.agents(), executor).ok());
    const std::vector<std::uint64_t> expected = batches(serial_executor(), grid, balls);
    // Each thread has its own batch; all use one executor and one grid.
    std::array<std::vector<std::uint64_t>, 2> heard;
    on_own_threads(heard.size(), [&](std::size_t i) { heard[i] = batches(executor, grid, balls); });
    for (const std::vector<std::uint64_t>& numbers : heard) {
        EXPECT_TRUE(numbers == expected);
    }
}

class ThreadedBatch : public ::testing::TestWithParam<Crew> {};

TEST_P(ThreadedBatch, Answers2d) { GetParam().call(expect_batches_agree<2>); }

TEST_P(ThreadedBatch, Answers3d) { GetParam().call(expect_batches_agree<3>); }

INSTANTIATE_TEST_SUITE_P(, ThreadedBatch, ::testing::ValuesIn(crews()),
                         [](const auto& of) { return of.param.name; });

} // namespace
} // namespace throng::test
