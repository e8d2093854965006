// The small list against a vector.
#include <throng/engine/memory/small_list.hpp>

#include "../../support/allocation_counter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

namespace throng {
namespace {

struct alignas(64) Line {
    std::uint32_t value = 0;
    friend bool operator==(const Line&, const Line&) = default;
};

template <class T, std::size_t kInline>
void expect_same(const SmallList<T, kInline>& list, const std::vector<T>& model) {
    EXPECT_EQ(list.size(), model.size());
    EXPECT_EQ(list.empty(), model.empty());
    EXPECT_TRUE(std::equal(list.begin(), list.end(), model.begin(), model.end()));
    for (std::size_t i = 0; i < model.size(); ++i) {
        ASSERT_EQ(list[i], model[i]);
    }
    EXPECT_GE(list.capacity(), list.size());
    EXPECT_EQ(list.on_heap(), list.capacity() > kInline);
    EXPECT_EQ(list.memory(), list.on_heap() ? list.capacity() * sizeof(T) : 0);
}

TEST(SmallList, NeedsNoHeapFor128) {
    const std::size_t allocations = test::allocations();
    SmallList<std::uint32_t> list;
    for (std::uint32_t i = 0; i < 128; ++i) {
        list.push(i);
    }
    EXPECT_EQ(test::allocations(), allocations);
    EXPECT_FALSE(list.on_heap());
    EXPECT_EQ(list.memory(), 0u);
    const auto* const inside = reinterpret_cast<const std::byte*>(list.data());
    EXPECT_GE(inside, reinterpret_cast<const std::byte*>(&list));
    EXPECT_LT(inside, reinterpret_cast<const std::byte*>(&list + 1));
    list.push(128);
    EXPECT_EQ(test::allocations(), allocations + 1);
    EXPECT_TRUE(list.on_heap());
    std::vector<std::uint32_t> model(129);
    std::iota(model.begin(), model.end(), 0u);
    expect_same(list, model);
}

TEST(SmallList, GrowsByDoubling) {
    const std::size_t allocations = test::allocations();
    SmallList<std::uint64_t, 4> list;
    for (std::uint64_t i = 0; i < 4'000; ++i) {
        list.push(i);
    }
    EXPECT_EQ(test::allocations(), allocations + 10); // 8, 16, ... 4,096
    EXPECT_EQ(list.capacity(), 4'096u);
    std::vector<std::uint64_t> model(4'000);
    std::iota(model.begin(), model.end(), 0u);
    expect_same(list, model);
}

template <class T, std::size_t kInline>
void push_and_pop() {
    SmallList<T, kInline> list;
    std::vector<T> model;
    for (std::uint32_t round = 0; round < 40; ++round) {
        for (std::uint32_t i = 0; i < round % 7 * 5; ++i) {
            list.push({round * 100 + i});
            model.push_back({round * 100 + i});
        }
        for (std::uint32_t i = 0; i < round % 5 * 4 && !model.empty(); ++i) {
            ASSERT_EQ(list.pop(), model.back());
            model.pop_back();
        }
        ASSERT_NO_FATAL_FAILURE(expect_same(list, model)) << "round " << round;
    }
    ASSERT_TRUE(list.on_heap());
    const std::size_t capacity = list.capacity();
    list.clear();
    expect_same(list, {});
    EXPECT_EQ(list.capacity(), capacity);
    list.push({1});
    expect_same(list, {T{1}});
}

TEST(SmallList, AgreesWithAVector) {
    push_and_pop<std::uint32_t, 1>();
    push_and_pop<std::uint32_t, 16>();
    push_and_pop<Line, 3>();
}

TEST(SmallList, KeepsTheAlignmentOfItsElements) {
    SmallList<Line, 2> list;
    for (std::uint32_t i = 0; i < 20; ++i) {
        list.push({i});
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(list.data()) % alignof(Line), 0u);
    }
}

TEST(SmallList, PushesAnElementOfItsOwn) {
    SmallList<std::uint64_t, 2> list;
    list.push(42);
    for (int i = 0; i < 100; ++i) {
        list.push(list[0]);
    }
    EXPECT_EQ(std::count(list.begin(), list.end(), 42u), 101);
}

TEST(SmallList, ReservesAndIsWrittenThroughASpan) {
    SmallList<std::uint32_t, 8> list;
    list.reserve(8);
    EXPECT_FALSE(list.on_heap());
    list.push(5);
    list.reserve(9);
    EXPECT_EQ(list.capacity(), 16u) << "a list that grew by one would move again with the next";
    list.reserve(100);
    EXPECT_EQ(list.capacity(), 100u);
    for (std::uint32_t& value : std::span(list)) {
        value += 2;
    }
    expect_same(list, {7});
}

TEST(SmallList, WhatFailsChangesNothing) {
    SmallList<std::uint32_t, 4> list;
    std::vector<std::uint32_t> model;
    model.reserve(100);
    for (std::uint32_t i = 0; i < 70; ++i) {
        if (list.size() == list.capacity()) {
            {
                const test::FailingAllocations failing(0);
                EXPECT_THROW(list.push(i), std::bad_alloc);
            }
            expect_same(list, model);
        }
        list.push(i);
        model.push_back(i);
    }
    expect_same(list, model);
    EXPECT_THROW(list.reserve(std::numeric_limits<std::size_t>::max()), std::length_error);
    EXPECT_THROW(list.reserve(std::numeric_limits<std::size_t>::max() / 4), std::length_error);
    expect_same(list, model);
}

} // namespace
} // namespace throng
