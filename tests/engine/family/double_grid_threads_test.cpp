// Double grids on many threads: the same grid to the bit, and visitors and memory that fail.
#include "../../family/shown.hpp"
#include "../../support/dims.hpp"
#include "../../support/fail_each.hpp"
#include "../../support/scenes/scenes.hpp"
#include "../../support/threads/executors.hpp"
#include "double_grid_probe.hpp"

#include <throng/parallel/executors/thread_pool.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <new>
#include <span>
#include <thread>
#include <vector>

namespace throng {
namespace {

/// Half extents from 0.17 to 90, the larger the rarer, so that all levels of tight cells are used.
template <std::size_t Dim>
scenes::Scene<Dim> crowd(std::size_t count, bool sizes, bool groups) {
    auto scene = scenes::make_uniform<Dim>(count);
    scenes::Random random(43);
    for (std::vector<float>& axis : scene.half_extent) {
        axis.resize(sizes ? count : 0);
    }
    for (std::size_t i = 0; sizes && i < count; ++i) {
        const float rarity = std::max(random.unit(), 1e-6f);
        const float half = 0.17f * std::pow(rarity, -1.0f / static_cast<float>(Dim));
        for (std::vector<float>& axis : scene.half_extent) {
            axis[i] = std::min(half, 90.0f);
        }
    }
    if (groups) { scenes::add_groups(scene); }
    return scene;
}

/// Calls body(executor) for executors that cut the work differently and run it on several threads,
/// in other orders, or on one thread.
void for_each_crew(const std::function<void(Executor&)>& body) {
    for (const std::size_t threads : {2u, 3u, 16u}) {
        SCOPED_TRACE(testing::Message() << threads << " threads");
        test::EagerPool eager(threads);
        body(eager);
        ThreadPool pool(threads);
        body(pool);
        test::Limited limited(pool, 2);
        body(limited);
        test::BoastingExecutor boasting(threads);
        body(boasting);
    }
    test::ShuffleExecutor shuffled(3);
    body(shuffled);
    test::ElsewhereExecutor elsewhere;
    body(elsewhere);
}

/// Null, or the first part in which the grids differ by a bit.
template <std::size_t Dim>
const char* difference(DoubleGrid<Dim>& one, DoubleGrid<Dim>& other) {
    auto& a = DoubleGridProbe<Dim>::state(one);
    auto& b = DoubleGridProbe<Dim>::state(other);
    if (a.count != b.count || a.slots_noted != b.slots_noted) { return "what is counted"; }
    if (!(a.max_half_extent == b.max_half_extent)) { return "the largest half extent"; }
    const auto same_cell = [](const LooseCell<Dim>& x, const LooseCell<Dim>& y) {
        return std::memcmp(&x, &y, sizeof x) == 0;
    };
    if (!std::equal(a.cells.begin(), a.cells.end(), b.cells.begin(), b.cells.end(), same_cell)) {
        return "cells";
    }
    if (a.agents.begun() != b.agents.begun()) { return "how many buckets there are"; }
    for (std::uint32_t bucket = 0; bucket < a.agents.begun(); ++bucket) {
        if (a.agents.next(bucket) != b.agents.next(bucket) ||
            a.agents.count(bucket) != b.agents.count(bucket)) {
            return "chains";
        }
        for (std::uint32_t field = 0; field < a.agents.fields(); ++field) {
            const std::size_t from = field * a.agents.kRoom;
            if (std::memcmp(a.agents.words(bucket) + from, b.agents.words(bucket) + from,
                            a.agents.count(bucket) * sizeof(std::uint32_t)) != 0) {
                return "agents";
            }
        }
    }
    if (a.tight.links() != b.tight.links()) { return "how many links there are"; }
    if (!(TightGridProbe::heads(a.tight) == TightGridProbe::heads(b.tight))) { return "lists"; }
    if (!(a.tight.listed() == b.tight.listed())) { return "which tight cells are listed"; }
    for (std::uint32_t l = 0; l < a.tight.links(); ++l) {
        if (a.tight.at(l).cell_and_marks != b.tight.at(l).cell_and_marks ||
            a.tight.at(l).next != b.tight.at(l).next) {
            return "links";
        }
    }
    return nullptr;
}

template <class D>
class DoubleGridsOnThreads : public testing::Test {};
TYPED_TEST_SUITE(DoubleGridsOnThreads, test::Dims, test::DimNames);

TYPED_TEST(DoubleGridsOnThreads, AreTheSameToTheBit) {
    constexpr std::size_t kDim = TypeParam::value;
    auto before = crowd<kDim>(3'000, true, false);
    for (const bool sizes : {false, true}) {
        for (const bool groups : {false, true}) {
            SCOPED_TRACE(testing::Message() << "sizes " << sizes << ", groups " << groups);
            auto scene = crowd<kDim>(50'000, sizes, groups);
            // Also with finer cells than there are agents for, and with many agents to a cell.
            for (const float cell : {0.0f, 0.9f, 9.0f}) {
                const auto laid_out = [&] {
                    DoubleGrid<kDim> grid;
                    if (cell != 0.0f) {
                        EXPECT_EQ(grid.configure(scene.world, Point<kDim>::all(cell)), Status{});
                    }
                    return grid;
                };
                auto alone = laid_out();
                ASSERT_EQ(alone.update(scene.agents()), Status{});
                ASSERT_STREQ(alone.validate(), nullptr);
                for_each_crew([&](Executor& executor) {
                    auto grid = laid_out();
                    if (cell != 0.0f) { // agents from before must not matter
                        ASSERT_EQ(grid.update(before.agents(), executor), Status{});
                    }
                    ASSERT_EQ(grid.update(scene.agents(), executor), Status{});
                    ASSERT_STREQ(difference(alone, grid), nullptr);
                });
            }
        }
    }
}

// Single edits find the same grid after an update on several threads as after one on one thread.
TYPED_TEST(DoubleGridsOnThreads, AreEditedLikeOthers) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = crowd<kDim>(5'000, true, false);
    const auto edited = [&](Executor& executor) {
        DoubleGrid<kDim> grid;
        EXPECT_EQ(grid.update(scene.agents(), executor), Status{});
        for (Id id = 0; id < 5'000; id += 3) {
            EXPECT_EQ(grid.move(id, scene.position_of((id + 7) % 5'000)), Status{});
            EXPECT_EQ(grid.erase((id + 1) % 5'000), Status{});
        }
        grid.refit();
        return test::shown_sound<kDim>(grid);
    };
    test::EagerPool pool(3);
    ASSERT_TRUE(edited(pool) == edited(serial_executor()));
}

TYPED_TEST(DoubleGridsOnThreads, NameTheFirstFault) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const bool extents : {false, true}) {
        auto scene = crowd<kDim>(50'000, true, false);
        test::EagerPool pool(3);
        DoubleGrid<kDim> grid;
        ASSERT_EQ(grid.update(scene.agents(), pool), Status{});
        const auto before = test::shown_sound<kDim>(grid);
        auto& values = extents ? scene.half_extent[1] : scene.position[1];
        for (const std::size_t i : {49'000u, 30'001u, 41'000u}) { // blocks of their own
            values[i] = extents ? -1.0f : std::numeric_limits<float>::quiet_NaN();
        }
        const Status refused = grid.update(scene.agents(), pool);
        EXPECT_EQ(refused.index, 30'001u);
        EXPECT_EQ(refused, grid.update(scene.agents()));
        ASSERT_TRUE(test::shown_sound<kDim>(grid) == before);
    }
}

TYPED_TEST(DoubleGridsOnThreads, WithoutMemoryNothingChanges) {
    constexpr std::size_t kDim = TypeParam::value;
    const test::AllocationsFail somewhere;
    auto few = crowd<kDim>(200, true, true);
    auto many = crowd<kDim>(9'000, true, true);
    const auto agents = many.agents();
    // As many blocks as for an unknown number of threads, and no memory for the executor itself.
    test::Limited executor(serial_executor(), 1);
    test::fail_each_allocation(
        [&] {
            DoubleGrid<kDim> grid;
            EXPECT_EQ(grid.configure(many.world, Point<kDim>::all(2.0f)), Status{});
            EXPECT_EQ(grid.update(few.agents()), Status{});
            return grid;
        },
        [&](DoubleGrid<kDim>& grid) { return grid.update(agents, executor); },
        &test::shown_sound<kDim, DoubleGrid<kDim>>);
}

/// Thrown by visitors.
struct VisitorError {};

// Two heaps with hundreds of runs each, one for each thread: once the first visit has ended the
// search, the other thread does not go on to the end of its heap.
TYPED_TEST(DoubleGridsOnThreads, OtherThreadsHearThatItIsEnough) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Scene<kDim> scene;
    scene.common_half_extent = Point<kDim>::all(1.0f);
    for (int i = 0; i < 2'000; ++i) {
        scene.add(Point<kDim>::all(i % 2 == 0 ? 1.0f : 60.0f));
    }
    DoubleGrid<kDim> grid;
    const Box<kDim> bounds{Point<kDim>::all(0.0f), Point<kDim>::all(64.0f)};
    ASSERT_EQ(grid.configure(bounds, Point<kDim>::all(2.0f)), Status{});
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    test::EagerPool two(2);
    for (const bool throws : {false, true}) {
        std::atomic<int> calls = 0;
        std::atomic<bool> ending = false;
        const auto visitor = [&](std::span<const Id>, std::span<const Id>) {
            using namespace std::chrono_literals;
            const bool last = calls++ == 0;
            const auto waited_for = [&] { return last ? calls > 1 : ending.load(); };
            for (int i = 0; i < 5'000 && !waited_for(); ++i) {
                std::this_thread::sleep_for(1ms);
            }
            ending = true;
            if (!last) { std::this_thread::sleep_for(1ms); } // until the other has returned
            if (last && throws) { throw VisitorError{}; }
            return !last;
        };
        try {
            EXPECT_EQ(grid.visit_pairs(visitor, two).status, Status{});
        } catch (const VisitorError&) { EXPECT_TRUE(throws); }
        EXPECT_GT(calls, 1) << "on two threads";
        EXPECT_LT(calls, 100);
    }
}

TYPED_TEST(DoubleGridsOnThreads, WithoutMemoryNoPairIsVisited) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = crowd<kDim>(3'000, true, false);
    DoubleGrid<kDim> grid;
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    test::Limited executor(serial_executor(), 1);
    const test::FailingAllocations failing(0, true);
    EXPECT_THROW((void)grid.visit_pairs(
                     [](auto, auto) {
                         ADD_FAILURE() << "a pair was visited";
                         return true;
                     },
                     executor),
                 std::bad_alloc);
}

} // namespace
} // namespace throng
