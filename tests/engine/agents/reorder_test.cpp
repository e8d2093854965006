// Arrays in another order: every size of element, on executors of all kinds, and what is refused.
#include "../../support/fail_each.hpp"
#include "../../support/random.hpp"
#include "../../support/scenes/scenes.hpp"
#include "../../support/threads/executors.hpp"

#include <throng/engine/agents/reorder.hpp>
#include <throng/engine/grid/row_grid.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

namespace throng {
namespace {

std::vector<Id> shuffled(std::size_t count, std::uint64_t seed) {
    std::vector<Id> order(count);
    std::iota(order.begin(), order.end(), 0u);
    scenes::Random random(seed);
    for (std::size_t i = count; i > 1; --i) {
        std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
    }
    return order;
}

template <std::size_t kBytes>
using Element = std::array<std::uint8_t, kBytes>;

/// Elements that tell where they were.
template <std::size_t kBytes>
std::vector<Element<kBytes>> numbered(std::size_t count) {
    std::vector<Element<kBytes>> elements(count);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t byte = 0; byte < kBytes; ++byte) {
            elements[i][byte] = static_cast<std::uint8_t>((i + 7) * (byte + 3) >> byte % 3);
        }
    }
    return elements;
}

template <std::size_t kBytes>
void expect_reordered(const std::vector<Element<kBytes>>& elements, const std::vector<Id>& order) {
    const std::vector<Element<kBytes>> before = numbered<kBytes>(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        ASSERT_EQ(elements[i], before[order[i]]) << kBytes << " bytes, element " << i;
    }
}

template <std::size_t... kBytes>
void expect_right(Executor& executor, std::size_t count) {
    const std::vector<Id> order = shuffled(count, count + 1);
    auto arrays = std::make_tuple(numbered<kBytes>(count)...);
    const Status status =
        std::apply([&](auto&... array) { return reorder(order, executor, array...); }, arrays);
    ASSERT_TRUE(status.ok()) << to_string(status);
    std::apply([&](const auto&... array) { (expect_reordered(array, order), ...); }, arrays);
}

TEST(Reorder, PutsElementsOfEverySizeInOrder) {
    test::ShuffleExecutor shuffle(3);
    test::ElsewhereExecutor elsewhere;
    for (const std::size_t count : {0u, 1u, 2u, 1000u, 16384u, 16385u, 70000u}) {
        for (Executor* executor : {&serial_executor(), static_cast<Executor*>(&shuffle),
                                   static_cast<Executor*>(&elsewhere)}) {
            expect_right<1, 2, 3, 4, 8, 12, 16, 24, 40>(*executor, count);
        }
    }
}

TEST(Reorder, ChangesAllOrNothingWhereAnExecutorFails) {
    const std::vector<Id> order = shuffled(70000, 5);
    std::size_t changed = 0, refused = 0;
    for (const test::Fault fault : test::kEveryFault) {
        for (std::size_t run = 0; run < 6; ++run) {
            auto a = numbered<4>(order.size());
            auto b = numbered<12>(order.size());
            test::FaultyExecutor executor(fault, run);
            bool done = false;
            try {
                done = reorder(order, executor, a, b).ok();
            } catch (const test::ExecutorError&) {}
            EXPECT_TRUE(executor.failed());
            // The first two loops change nothing, then there are two for each array.
            EXPECT_TRUE(done || run < 2);
            if (done) {
                ++changed;
                expect_reordered(a, order);
                expect_reordered(b, order);
            } else {
                ++refused;
                EXPECT_EQ(a, numbered<4>(order.size()));
                EXPECT_EQ(b, numbered<12>(order.size()));
            }
        }
    }
    EXPECT_GE(changed, std::size(test::kEveryFault));
    EXPECT_GT(refused, 0u);
}

TEST(Reorder, RefusesWhatIsNoOrderAndChangesNothing) {
    const std::vector<Id> order = shuffled(1000, 5);
    const auto refused = [&](const std::vector<Id>& wrong, std::size_t first, std::size_t second) {
        auto a = numbered<4>(first);
        auto b = numbered<12>(second);
        const Status status = reorder(wrong, serial_executor(), a, b);
        EXPECT_EQ(a, numbered<4>(first));
        EXPECT_EQ(b, numbered<12>(second));
        return status;
    };
    EXPECT_EQ(refused(order, 1000, 999), (Status{Cause::count_mismatch, Argument::arrays, 1}));
    EXPECT_EQ(refused(order, 1001, 1000), (Status{Cause::count_mismatch, Argument::arrays, 0}));
    EXPECT_EQ(to_string(refused(order, 1000, 999)), "arrays[1] has another count than order");
    std::vector<Id> twice = order;
    twice[700] = twice[20];
    EXPECT_EQ(refused(twice, 1000, 1000), (Status{Cause::out_of_range, Argument::order, 700}));
    EXPECT_EQ(to_string(refused(twice, 1000, 1000)), "order[700] has a value that it cannot have");
    std::vector<Id> beyond = order;
    beyond[999] = 1000;
    EXPECT_EQ(refused(beyond, 1000, 1000), (Status{Cause::out_of_range, Argument::order, 999}));
    beyond[999] = kNoId;
    EXPECT_EQ(refused(beyond, 1000, 1000), (Status{Cause::out_of_range, Argument::order, 999}));
}

TEST(Reorder, FindsAFaultInWhateverBlockItIs) {
    test::ShuffleExecutor shuffle(3);
    test::ElsewhereExecutor elsewhere;
    std::vector<Id> wrong = shuffled(70000, 5);
    wrong[69999] = wrong[20];
    for (Executor* executor :
         {static_cast<Executor*>(&shuffle), static_cast<Executor*>(&elsewhere)}) {
        auto array = numbered<8>(wrong.size());
        EXPECT_EQ(reorder(wrong, *executor, array),
                  (Status{Cause::out_of_range, Argument::order, 69999}));
        EXPECT_EQ(array, numbered<8>(wrong.size()));
    }
}

TEST(Reorder, ChangesNothingWithoutMemory) {
    const std::vector<Id> order = shuffled(500, 5);
    using Arrays = std::pair<std::vector<Element<4>>, std::vector<Element<24>>>;
    test::fail_each_allocation([] { return Arrays(numbered<4>(500), numbered<24>(500)); },
                               [&](Arrays& arrays) {
                                   return reorder(order, serial_executor(), arrays.first,
                                                  arrays.second);
                               },
                               [](const Arrays& arrays) { return arrays; });
}

TEST(Reorder, AgentsInTheOrderOfAGridHaveTheirIdsInStorageOrder) {
    const scenes::Scene<2> scene = scenes::make_uniform<2>(5000, 11);
    std::array<std::vector<float>, 2> position = scene.position;
    const auto agents = [&] {
        return Agents<2>{.positions = PointView<2>::separate(
                             {position[0].data(), position[1].data()}, position[0].size())};
    };
    RowGrid<2> grid;
    ASSERT_TRUE(grid.update(agents()).ok());
    std::vector<Id> order(grid.size());
    ASSERT_EQ(grid.order(order), order.size());
    ASSERT_TRUE(reorder(order, serial_executor(), position[0], position[1]).ok());
    ASSERT_TRUE(grid.update(agents()).ok());
    ASSERT_EQ(grid.order(order), order.size());
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

} // namespace
} // namespace throng
