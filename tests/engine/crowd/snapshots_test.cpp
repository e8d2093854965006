// The holders of states, on one thread; tests/threads has readers on several.
#include <throng/engine/crowd/snapshots.hpp>
#include <throng/engine/grid/row_grid.hpp>

#include "../../../engine/core/access_check.hpp"
#include "../../support/allocation_counter.hpp"
#include "../../support/random.hpp"
#include "../../support/reports.hpp"
#include "../../support/scenes/scenes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace throng {
namespace {

/// Counts its objects.
struct Counted {
    explicit Counted(int& alive_) : alive(&alive_) { ++*alive; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;
    ~Counted() { --*alive; }

    int* alive;
    std::uint64_t value = 0;
};

using Hub = Snapshots<Counted>;
using Held = Snapshot<Counted>;

std::function<Counted()> counting(int& alive) {
    return [&alive] { return Counted(alive); };
}

std::uint64_t publish(Hub& hub, std::uint64_t value) {
    hub.next().value = value;
    return hub.publish();
}

TEST(Snapshots, ThereIsNothingBeforeTheFirst) {
    int alive = 0;
    Hub hub(counting(alive));
    const Held none = hub.acquire();
    EXPECT_FALSE(none);
    EXPECT_EQ(none.frame(), 0u);
    hub.next().value = 1;
    EXPECT_FALSE(hub.acquire());
    EXPECT_EQ(hub.publish(), 1u);
    EXPECT_FALSE(none);
    const Held first = hub.acquire();
    ASSERT_TRUE(first);
    EXPECT_EQ(first->value, 1u);
    EXPECT_EQ((*first).value, 1u);
    EXPECT_EQ(first.frame(), 1u);
}

TEST(Snapshots, WhatIsNotPublishedIsNotSeen) {
    int alive = 0;
    Hub hub(counting(alive));
    (void)publish(hub, 1);
    Counted& next = hub.next();
    next.value = 2;
    EXPECT_EQ(hub.acquire()->value, 1u);
    EXPECT_EQ(&hub.next(), &next);
    EXPECT_EQ(&hub.next(), &next);
    EXPECT_EQ(hub.acquire().frame(), 1u);
    EXPECT_EQ(hub.publish(), 2u);
    EXPECT_EQ(&*hub.acquire(), &next);
    EXPECT_NE(&hub.next(), &next);
}

TEST(Snapshots, PublishingWithoutNextChangesNothing) {
    int alive = 0;
    Hub hub(counting(alive));
    const test::Reports reports;
    EXPECT_EQ(hub.publish(), 0u);
    EXPECT_FALSE(hub.acquire());
    (void)publish(hub, 4);
    EXPECT_EQ(hub.publish(), 1u);
    EXPECT_EQ(hub.acquire()->value, 4u);
    EXPECT_EQ(reports.count(), kAccessChecked ? 2u : 0u) << "builds with assertions report both";
    (void)publish(hub, 5);
    EXPECT_EQ(hub.acquire()->value, 5u);
    EXPECT_EQ(hub.acquire().frame(), 2u);
}

TEST(Snapshots, AStateThatIsHeldIsNotWritten) {
    int alive = 0;
    Hub hub(counting(alive));
    std::vector<Held> held;
    for (std::uint64_t frame = 1; frame <= 50; ++frame) {
        EXPECT_EQ(publish(hub, 7 * frame), frame);
        held.push_back(hub.acquire());
        for (const Held& snapshot : held) {
            ASSERT_EQ(snapshot->value, 7 * snapshot.frame());
        }
    }
    EXPECT_EQ(hub.size(), 50u);
    EXPECT_EQ(alive, 50);
    const Counted* const free = &*held[20];
    held[20] = {};
    EXPECT_EQ(&hub.next(), free);
    held.clear();
    hub.shrink();
    EXPECT_EQ(alive, 2); // the published one, and the one that next() gave
    EXPECT_EQ(hub.size(), 2u);
    EXPECT_EQ(publish(hub, 3), 51u);
    EXPECT_EQ(publish(hub, 4), 52u);
    EXPECT_EQ(hub.acquire()->value, 4u);
    EXPECT_EQ(alive, 2);
}

TEST(Snapshots, OutliveTheirHub) {
    int alive = 0;
    std::optional<Hub> hub(std::in_place, counting(alive));
    (void)publish(*hub, 1);
    Held old = hub->acquire();
    const Held same = old;
    (void)publish(*hub, 2);
    Held last = hub->acquire();
    (void)publish(*hub, 3);
    (void)hub->next();
    hub.reset();
    EXPECT_EQ(alive, 2);
    EXPECT_EQ(old->value, 1u);
    old = {};
    EXPECT_EQ(same->value, 1u);
    EXPECT_EQ(last->value, 2u);
    EXPECT_EQ(last.frame(), 2u);
    last = same;
    EXPECT_EQ(alive, 1);
    last = {};
    EXPECT_EQ(same->value, 1u);
}

TEST(Snapshots, ThePublishedOneOutlivesToo) {
    int alive = 0;
    std::optional<Hub> hub(std::in_place, counting(alive));
    (void)publish(*hub, 5);
    Held held = hub->acquire();
    { const Held another = hub->acquire(); }
    hub.reset();
    EXPECT_EQ(held->value, 5u);
    EXPECT_EQ(alive, 1);
    held = {};
    EXPECT_EQ(alive, 0);
}

TEST(Snapshots, CopiesAndMovesHoldOnce) {
    int alive = 0;
    Hub hub(counting(alive));
    (void)publish(hub, 1);
    Held a = hub.acquire();
    Held b = a;
    Held c = std::move(a);
    EXPECT_FALSE(a); // NOLINT: it promises to be empty
    Held& itself = c;
    c = itself;
    EXPECT_EQ(c->value, 1u);
    c = std::move(itself);
    EXPECT_EQ(c->value, 1u);
    Held none;
    std::swap(c, none);
    EXPECT_FALSE(c);
    const Counted* const state = &*b;
    (void)publish(hub, 2);
    EXPECT_NE(&hub.next(), state);
    (void)hub.publish();
    none = std::move(b);
    EXPECT_NE(&hub.next(), state);
    (void)hub.publish();
    none = {};
    none = {};
    // No reader holds the state any more, so it is used again.
    bool again = false;
    for (int i = 0; i < 3; ++i) {
        again = &hub.next() == state || again;
        (void)hub.publish();
    }
    EXPECT_TRUE(again);
}

TEST(Snapshots, WhatFailsChangesNothing) {
    int alive = 0;
    bool refuse = false;
    Hub hub([&] {
        if (refuse) { throw std::runtime_error("no"); }
        return Counted(alive);
    });
    (void)publish(hub, 1);
    const Held held = hub.acquire();
    (void)publish(hub, 2);
    refuse = true;
    EXPECT_THROW((void)hub.next(), std::runtime_error);
    refuse = false;
    int failures = 0;
    for (std::size_t successes = 0; hub.size() == 2; ++successes) {
        try {
            const test::FailingAllocations failing(successes);
            (void)hub.next();
        } catch (const std::bad_alloc&) { ++failures; }
        EXPECT_EQ(hub.acquire().frame(), 2u);
    }
    EXPECT_GE(failures, 1);
    EXPECT_EQ(alive, 3);
    EXPECT_EQ(publish(hub, 3), 3u);
    EXPECT_EQ(held->value, 1u);
}

/// Readers acquire and let go at random; the count is moved after every few acquires, if at all.
void churn(std::uint64_t move_at) {
    scenes::Random random(move_at);
    int alive = 0;
    std::vector<Held> held;
    std::optional<Hub> hub(std::in_place, counting(alive), move_at);
    std::uint64_t frame = 0;
    for (int step = 0; step < 20'000; ++step) {
        const std::uint32_t what = random.below(10);
        if (what == 0) {
            ASSERT_EQ(publish(*hub, frame + 1), frame + 1);
            ++frame;
        } else if (what < 5 && held.size() < 30) {
            held.push_back(what == 1 && !held.empty() ? held.back() : hub->acquire());
        } else if (!held.empty()) {
            const auto count = static_cast<std::uint32_t>(held.size());
            std::swap(held[random.below(count)], held.back());
            held.pop_back();
        }
        for (const Held& snapshot : held) {
            ASSERT_TRUE(snapshot || frame == 0 || snapshot.frame() == 0);
            if (snapshot) { ASSERT_EQ(snapshot->value, snapshot.frame()); }
        }
    }
    EXPECT_LE(hub->size(), 32u);
    hub.reset();
    std::vector<std::uint64_t> frames;
    for (const Held& snapshot : held) {
        if (snapshot) { frames.push_back(snapshot->value); }
    }
    std::sort(frames.begin(), frames.end());
    frames.erase(std::unique(frames.begin(), frames.end()), frames.end());
    EXPECT_EQ(static_cast<std::size_t>(alive), frames.size());
    held.clear();
    EXPECT_EQ(alive, 0);
}

TEST(Snapshots, AgreeWithTheFramesOverRandomSteps) {
    for (const std::uint64_t move_at : {1u, 2u, 3u, 10u, 1'000'000u}) {
        ASSERT_NO_FATAL_FAILURE(churn(move_at)) << move_at;
    }
}

TEST(SnapshotCore, TheCountNeverReachesItsEnd) {
    struct Slot : detail::SnapshotSlot {
        Slot() : SnapshotSlot([](SnapshotSlot*) noexcept {}) {}
    };
    Slot slot;
    detail::SnapshotCore core(16);
    for (int i = 0; i < 100; ++i) { // nothing is published yet
        EXPECT_EQ(core.acquire(), nullptr);
        EXPECT_LT(core.taken(), 16u);
    }
    core.make_room();
    core.add(&slot);
    ASSERT_EQ(core.spare(), &slot);
    (void)core.publish();
    for (int i = 0; i < 100; ++i) {
        ASSERT_EQ(core.acquire(), &slot);
        EXPECT_LT(core.taken(), 16u);
    }
    constexpr std::int64_t kOwner = detail::SnapshotSlot::kOwner;
    const auto here = static_cast<std::int64_t>(core.taken());
    EXPECT_EQ(slot.holders.load(), kOwner + 100 - here);
    for (int i = 0; i < 100; ++i) {
        slot.let_go();
    }
    EXPECT_EQ(slot.holders.load(), kOwner - here);
}

TEST(SnapshotCore, ThereAreOnlySoManySlots) {
    using Core = detail::SnapshotCore;
    struct Slot : detail::SnapshotSlot {
        Slot() : SnapshotSlot([](SnapshotSlot*) noexcept {}) {}
    };
    std::vector<Slot> slots(3);
    Core core;
    for (Slot& slot : slots) {
        core.make_room();
        core.make_room();
        core.add(&slot);
        EXPECT_EQ(core.spare(), &slot);
        (void)core.publish();
        EXPECT_EQ(core.acquire(), &slot);
    }
    EXPECT_EQ(core.spare(), nullptr);
    slots[1].let_go();
    EXPECT_EQ(core.spare(), &slots[1]);
    EXPECT_EQ(core.size(), 3u);
    EXPECT_EQ(Core::kMostSlots, 65'535u);
}

/// A grid of `count` agents, moved at random.
struct Frames {
    RowGrid<2>& next(Snapshots<RowGrid<2>>& hub) {
        for (auto& axis : scene.position) {
            for (float& x : axis) {
                x += random.between(-0.01f, 0.01f);
            }
        }
        RowGrid<2>& grid = hub.next();
        EXPECT_TRUE(grid.update(scene.agents()).ok());
        return grid;
    }
    scenes::Random random{1};
    scenes::Scene<2> scene = scenes::make_uniform<2>(5'000);
};

TEST(Snapshots, ASteadyLoopAllocatesNothing) {
    Frames frames;
    Snapshots<RowGrid<2>> hub;
    std::array<Snapshot<RowGrid<2>>, 3> held;
    std::size_t allocations = 0;
    for (std::size_t frame = 0; frame < 40; ++frame) {
        if (frame == 15) { allocations = test::allocations(); }
        (void)frames.next(hub);
        (void)hub.publish();
        held[frame % held.size()] = hub.acquire();
    }
    EXPECT_EQ(test::allocations(), allocations);
    EXPECT_EQ(hub.size(), held.size() + 1); // one of the held states is the published one
}

TEST(Snapshots, AFailedUpdatePublishesNothing) {
    Frames frames;
    Snapshots<RowGrid<2>> hub;
    (void)frames.next(hub);
    (void)hub.publish();
    scenes::Scene<2> wrong = frames.scene;
    wrong.position[0][7] = std::numeric_limits<float>::quiet_NaN();
    RowGrid<2>& next = hub.next();
    EXPECT_FALSE(next.update(wrong.agents()).ok());
    EXPECT_EQ(hub.acquire().frame(), 1u);
    EXPECT_EQ(hub.acquire()->size(), 5'000u);
    EXPECT_EQ(&frames.next(hub), &next);
    EXPECT_EQ(hub.publish(), 2u);
    EXPECT_EQ(hub.acquire()->validate(), nullptr);
}

} // namespace
} // namespace throng
