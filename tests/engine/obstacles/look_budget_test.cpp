// The budget of looks: how much it tries in vain, and how soon it learns and forgets a price. Only
// numbers, no obstacles.
#include "../../support/dims.hpp"

#include <throng/engine/obstacles/calls/look_budget.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace throng::test {
namespace {

template <class Dim>
class LookBudgets : public testing::Test {};
TYPED_TEST_SUITE(LookBudgets, Dims, DimNames);

template <class Dim>
using BudgetOf = obstacle::LookBudget<Dim::value>;
template <class Dim>
using StepsOf = obstacle::Steps<Dim::value>;

TYPED_TEST(LookBudgets, LetNoMoreThanAPartBeInVain) {
    using Budget = BudgetOf<TypeParam>;
    using Costs = StepsOf<TypeParam>;
    Budget budget(3);
    std::uint64_t alone = 0, in_vain = 0;
    for (int look = 0; look < 10'000; ++look) {
        if (budget.may_try()) {
            const std::uint64_t most = budget.most_around(1, 40);
            ASSERT_GT(most, 0u);
            const std::uint64_t steps = Costs::kSearch + most * Costs::kFound;
            budget.was_in_vain(steps);
            in_vain += steps;
        }
        alone += budget.went_alone(0, Budget::Choice::alone);
    }
    EXPECT_GT(in_vain, alone / 64); // the next try comes as soon as the last is paid for
    EXPECT_LT(in_vain, alone / 30);
}

TYPED_TEST(LookBudgets, TakeNoMoreObstaclesThanLooksAreWorth) {
    using Budget = BudgetOf<TypeParam>;
    using Costs = StepsOf<TypeParam>;
    const Budget budget(1);
    EXPECT_EQ(budget.most_around(1, 0), 0u);
    EXPECT_EQ(budget.most_around(1, 1), 0u); // the search alone would cost more
    for (const std::size_t lists : {1u, 8u, 128u}) {
        for (const std::size_t looks : {8u, 500u, 20'000u}) {
            const std::uint64_t most = budget.most_around(lists, looks);
            EXPECT_GT(most, 0u);
            const std::uint64_t alone = looks * (Costs::kWay + Costs::kLevel);
            EXPECT_LE(most * Costs::kFound, alone / 4);
            EXPECT_LE(most * Costs::kTest * std::min(lists, looks), alone / 4);
        }
    }
}

TYPED_TEST(LookBudgets, LearnAPriceAndForgetIt) {
    using Budget = BudgetOf<TypeParam>;
    using Choice = typename Budget::Choice;
    Budget budget(2);
    constexpr std::size_t kLooks = 32;
    constexpr std::uint64_t kTogether = 5'000 * kLooks;
    ASSERT_EQ(budget.choose(kTogether, kLooks), Choice::alone);
    // One expensive look does not change the choice; several do.
    (void)budget.went_alone(1'000'000, Choice::alone);
    ASSERT_EQ(budget.choose(kTogether, kLooks), Choice::alone);
    int looks = 1;
    for (; budget.choose(kTogether, kLooks) == Choice::alone; ++looks) {
        (void)budget.went_alone(200, Choice::alone);
    }
    EXPECT_LE(looks, 16);
    for (; looks < 100; ++looks) {
        (void)budget.went_alone(200, Choice::alone);
    }
    // Samples that confirm the choice cost a small part of the work.
    std::uint64_t together = 0, samples = 0;
    for (int list = 0; list < 1000; ++list) {
        if (budget.choose(kTogether, kLooks) == Choice::sample) {
            samples += budget.went_alone(200, Choice::sample);
        }
        ASSERT_EQ(budget.choose(kTogether, kLooks), Choice::together);
        budget.went_together(kTogether, kLooks);
        together += kTogether;
    }
    EXPECT_GT(samples, together / 32);
    EXPECT_LT(samples, together / 12);
    // Now looks alone are cheap again.
    int lists = 0;
    for (; budget.choose(kTogether, kLooks) != Choice::alone; ++lists) {
        ASSERT_LT(lists, 40);
        if (budget.choose(kTogether, kLooks) == Choice::sample) {
            (void)budget.went_alone(0, Choice::sample);
        } else {
            budget.went_together(kTogether, kLooks);
        }
    }
    EXPECT_GT(lists, 3);
    // If looks would go together even at the least price, nothing is sampled.
    Budget cheap(2);
    for (int list = 0; list < 1000; ++list) {
        ASSERT_EQ(cheap.choose(500 * kLooks, kLooks), Choice::together);
        cheap.went_together(500 * kLooks, kLooks);
    }
}

} // namespace
} // namespace throng::test
