// The free list against a plain map of what was added.
#include <throng/engine/memory/free_list.hpp>

#include "../../support/allocation_counter.hpp"
#include "../../support/random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <map>
#include <new>
#include <stdexcept>
#include <vector>

namespace throng {
namespace {

struct Node {
    double weight = 0.0;
    std::uint32_t child = 0;
    friend bool operator==(const Node&, const Node&) = default;
};

template <class T>
using ListModel = std::map<std::uint32_t, T>;

template <class T>
void expect_holds(const FreeList<T>& list, const ListModel<T>& model) {
    EXPECT_STREQ(list.validate(), nullptr);
    EXPECT_EQ(list.size(), model.size());
    EXPECT_EQ(list.empty(), model.empty());
    ListModel<T> seen;
    std::uint32_t above = 0;
    list.for_each([&](std::uint32_t i, const T& value) {
        EXPECT_GE(i, above) << "not in ascending order";
        above = i + 1;
        seen.emplace(i, value);
    });
    EXPECT_EQ(seen, model);
    EXPECT_LE(above, list.bound());
    for (std::uint32_t i = 0; i < list.bound() + 130; ++i) {
        ASSERT_EQ(list.is_free(i), model.count(i) == 0) << i;
    }
    EXPECT_TRUE(list.is_free(FreeList<T>::kNone));
}

TEST(FreeList, StartsEmpty) {
    const FreeList<Node> list;
    expect_holds(list, {});
    EXPECT_EQ(list.bound(), 0u);
    EXPECT_EQ(list.memory(), 0u);
}

TEST(FreeList, GivesTheIndexThatCameBackLast) {
    FreeList<std::uint32_t> list;
    for (std::uint32_t i = 0; i < 5; ++i) {
        EXPECT_EQ(list.add(10 * i), i);
    }
    list.remove(1);
    list.remove(4);
    list.remove(2);
    expect_holds(list, {{0, 0}, {3, 30}});
    EXPECT_EQ(list.add(7), 2u);
    EXPECT_EQ(list.add(8), 4u);
    EXPECT_EQ(list.add(9), 1u);
    EXPECT_EQ(list.add(6), 5u);
    expect_holds(list, {{0, 0}, {1, 9}, {2, 7}, {3, 30}, {4, 8}, {5, 6}});
}

/// Grows, shrinks to nothing, and grows again.
template <class T, class Make>
void churn(const Make& make) {
    scenes::Random random(1);
    FreeList<T> list;
    ListModel<T> model;
    std::vector<std::uint32_t> used;
    for (int round = 0; round < 8; ++round) {
        for (int step = 0; step < 300; ++step) {
            // Rounds that mostly add take turns with rounds that mostly remove.
            if (used.empty() || random.below(8) < (round % 2 == 0 ? 7u : 1u)) {
                const T value = make(random.below(1'000'000));
                const std::uint32_t i = list.add(value);
                ASSERT_TRUE(model.emplace(i, value).second) << "an index that was in use";
                used.push_back(i);
            } else {
                const std::uint32_t at = random.below(static_cast<std::uint32_t>(used.size()));
                ASSERT_EQ(list[used[at]], model[used[at]]);
                list.remove(used[at]);
                model.erase(used[at]);
                used[at] = used.back();
                used.pop_back();
            }
        }
        ASSERT_NO_FATAL_FAILURE(expect_holds(list, model)) << "round " << round;
    }
    EXPECT_LT(list.bound(), 600u) << "holes were not used";
}

TEST(FreeList, AgreesWithTheModelOverRandomEdits) {
    churn<std::uint32_t>([](std::uint32_t value) { return value; });
    churn<Node>([](std::uint32_t value) { return Node{value + 0.5, value}; });
    // Smaller than an index, and four at a time.
    churn<std::uint8_t>([](std::uint32_t value) { return static_cast<std::uint8_t>(value); });
    churn<std::array<std::uint64_t, 4>>([](std::uint32_t value) {
        return std::array<std::uint64_t, 4>{value, value + 1, value + 2, value + 3};
    });
}

TEST(FreeList, UsesHolesOfWhatWasAssigned) {
    FreeList<std::uint32_t> list;
    list.assign_unwritten(6);
    for (std::uint32_t i = 0; i < 6; ++i) {
        list[i] = 0;
    }
    for (const std::uint32_t hole : {1u, 4u, 2u}) {
        list.remove(hole);
    }
    std::vector<std::uint32_t> used;
    for (int i = 0; i < 3; ++i) {
        used.push_back(list.add(7));
    }
    EXPECT_EQ(used, (std::vector<std::uint32_t>{2, 4, 1}));
    expect_holds(list, {{0, 0}, {1, 7}, {2, 7}, {3, 0}, {4, 7}, {5, 0}});
}

TEST(FreeList, KeepsWhatWasThereWhereItIsNotWritten) {
    FreeList<std::uint32_t> list;
    for (std::uint32_t i = 0; i < 200; ++i) {
        (void)list.add(i);
    }
    list.remove(70);
    list.assign_unwritten(130);
    EXPECT_EQ(list.size(), 130u);
    EXPECT_EQ(list.bound(), 130u);
    EXPECT_EQ(list.validate(), nullptr);
    EXPECT_EQ(list[129], 129u);
    EXPECT_EQ(list.add(5), 130u);
    list.assign_unwritten(0);
    EXPECT_TRUE(list.empty());
    EXPECT_EQ(list.validate(), nullptr);
    EXPECT_EQ(list.add(5), 0u);
}

TEST(FreeList, HolesMadeApartAreUsedAsIfMadeInTurn) {
    FreeList<std::uint32_t> apart, in_turn;
    for (std::uint32_t i = 0; i < 130; ++i) {
        (void)apart.add(i);
        (void)in_turn.add(i);
    }
    FreeList<std::uint32_t>::Holes first, none, last;
    apart.remove(9);
    for (const std::uint32_t hole : {63u, 5u}) {
        apart.remove_apart(hole, last);
    }
    for (const std::uint32_t hole : {64u, 62u, 128u}) {
        apart.remove_apart(hole, first);
    }
    apart.use_again(first);
    apart.use_again(none);
    apart.use_again(last);
    for (const std::uint32_t hole : {9u, 64u, 62u, 128u, 63u, 5u}) {
        in_turn.remove(hole);
    }
    EXPECT_EQ(apart.validate(), nullptr);
    EXPECT_EQ(apart.size(), in_turn.size());
    for (int i = 0; i < 8; ++i) {
        ASSERT_EQ(apart.add(1), in_turn.add(1));
    }
}

TEST(FreeList, TakesAnElementOfItsOwn) {
    FreeList<Node> list;
    (void)list.add({1.0, 1});
    for (std::uint32_t i = 0; i < 100; ++i) {
        const Node& own = list[i];
        ASSERT_EQ(list[list.add(own)], (Node{1.0, 1}));
    }
    list.remove(50);
    EXPECT_EQ(list.add(list[3]), 50u);
    EXPECT_EQ(list[50], (Node{1.0, 1}));
}

TEST(FreeList, VisitsWhileElementsAreRemovedAndWritten) {
    FreeList<std::uint32_t> list;
    ListModel<std::uint32_t> model;
    for (std::uint32_t i = 0; i < 200; ++i) {
        (void)list.add(i);
        if (i % 3 != 0) { model[i] = i + 1; }
    }
    list.for_each([&](std::uint32_t i, std::uint32_t& value) {
        if (i % 3 == 0) {
            list.remove(i);
        } else {
            ++value;
        }
    });
    expect_holds(list, model);
}

TEST(FreeList, ClearsAndKeepsItsMemory) {
    FreeList<Node> list;
    list.reserve(1'000);
    const std::size_t memory = list.memory();
    EXPECT_GE(memory, 1'000 * sizeof(Node));
    EXPECT_LE(memory, 1'000 * sizeof(Node) + 200);
    for (int round = 0; round < 3; ++round) {
        const std::size_t allocations = test::allocations();
        for (std::uint32_t i = 0; i < 1'000; ++i) {
            ASSERT_EQ(list.add({1.0, i}), i);
        }
        list.remove(500);
        list.remove(700);
        (void)list.add({2.0, 1});
        (void)list.add({2.0, 2});
        EXPECT_EQ(test::allocations(), allocations);
        list.remove(300); // a hole, which must not be used again
        list.clear();
        EXPECT_EQ(test::allocations(), allocations);
        expect_holds(list, {});
        EXPECT_EQ(list.bound(), 0u);
        EXPECT_EQ(list.memory(), memory);
    }
}

TEST(FreeList, WhatFailsChangesNothing) {
    FreeList<Node> list;
    ListModel<Node> model;
    int failures = 0;
    for (std::uint32_t i = 0; i < 300; ++i) {
        for (std::size_t successes = 0; list.size() == i; ++successes) {
            try {
                const test::FailingAllocations failing(successes);
                (void)list.add({0.25, i});
            } catch (const std::bad_alloc&) {
                ++failures;
                ASSERT_NO_FATAL_FAILURE(expect_holds(list, model)) << i << ", " << successes;
            }
        }
        model[i] = {0.25, i};
    }
    EXPECT_GE(failures, 12); // each time that the slots or the bits grow
    expect_holds(list, model);
    for (std::size_t successes = 0; successes < 2; ++successes) {
        {
            const test::FailingAllocations failing(successes);
            EXPECT_THROW(list.reserve(100'000), std::bad_alloc);
        }
        expect_holds(list, model);
    }
    // With 32-bit addresses, no possible number of elements exceeds the numbers of indices.
    if (sizeof(std::size_t) == sizeof(std::uint64_t)) {
        const std::uint64_t too_many = std::uint64_t{1} << 32;
        EXPECT_THROW(list.reserve(static_cast<std::size_t>(too_many)), std::length_error);
    }
    expect_holds(list, model);
}

TEST(FreeList, CopiesAndMoves) {
    FreeList<std::uint32_t> list;
    (void)list.add(1);
    (void)list.add(2);
    list.remove(0);
    FreeList<std::uint32_t> copy = list;
    EXPECT_EQ(copy.add(3), 0u);
    expect_holds(copy, {{0, 3}, {1, 2}});
    expect_holds(list, {{1, 2}});
    const FreeList<std::uint32_t> moved = std::move(copy);
    expect_holds(moved, {{0, 3}, {1, 2}});
}

// A hole has the number of the next hole in place of its element, so a reference that was kept too
// long can overwrite it.
TEST(FreeList, ValidationSeesAHoleThatWasWrittenTo) {
    for (const auto& [written, complaint] :
         {std::pair{900u, "a hole that does not exist"},
          std::pair{3u, "an element among the holes"},
          std::pair{1u, "the list of holes has no end"},
          std::pair{FreeList<Node>::kNone, "a hole that is not on the list"}}) {
        FreeList<std::uint32_t> list;
        for (std::uint32_t i = 0; i < 5; ++i) {
            (void)list.add(i);
        }
        std::uint32_t& kept = list[1];
        list.remove(2);
        list.remove(1);
        EXPECT_STREQ(list.validate(), nullptr);
        kept = written;
        EXPECT_STREQ(list.validate(), complaint);
    }
}

} // namespace
} // namespace throng
