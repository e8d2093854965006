// Handles against a model that remembers every handle that was given out.
#include <throng/engine/agents/handle_table.hpp>

#include "../../support/allocation_counter.hpp"
#include "../../support/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <new>
#include <set>
#include <utility>
#include <vector>

namespace throng {
namespace {

constexpr Status kOk = {};
constexpr Status kStale = {Cause::handle_stale, Argument::handle};
constexpr Status kForeign = {Cause::handle_foreign, Argument::handle};

Status at(Status status, std::uint64_t index) {
    status.index = index;
    return status;
}

/// The state of a table, to compare before and after.
struct Shown {
    std::size_t size, bound, retired;
    std::vector<Handle> alive;
    std::vector<Id> dead;
    friend bool operator==(const Shown&, const Shown&) = default;
};

Shown shown(const HandleTable& table) {
    Shown shown{table.size(), table.bound(), table.retired(), {}, {}};
    for (Id slot = 0; slot < table.bound() + 70; ++slot) {
        if (table.alive(slot)) { shown.alive.push_back(table.of(slot)); }
    }
    table.for_each_dead([&](Id slot) { shown.dead.push_back(slot); });
    EXPECT_STREQ(table.validate(), nullptr);
    return shown;
}

/// A model of a table, in the simplest way.
class Model {
public:
    explicit Model(const HandleLimits& limits) : limits_(limits) {}

    /// The next handle; null if there is none.
    [[nodiscard]] Handle next() {
        if (!holes_.empty()) {
            const Id slot = holes_.back();
            holes_.pop_back();
            return born(slot);
        }
        Id slot = bound_;
        while (slot < limits_.slots && generation_[slot] > limits_.last_generation) {
            ++slot;
        }
        if (slot >= limits_.slots) { return {}; }
        bound_ = slot + 1;
        return born(slot);
    }
    void die(Handle handle) {
        alive_.erase(handle.slot);
        gone_.push_back(handle);
        if (++generation_[handle.slot] <= limits_.last_generation) {
            holes_.push_back(handle.slot);
        }
    }
    void clear() {
        while (!alive_.empty()) {
            die(alive_.begin()->second);
        }
        holes_.clear();
        bound_ = 0;
    }
    void expect(const HandleTable& table) const {
        const Shown is = shown(table);
        std::vector<Id> dead;
        for (const Handle& handle : alive()) {
            EXPECT_EQ(table.check(handle), kOk);
        }
        for (Id slot = 0; slot < bound_; ++slot) {
            if (alive_.count(slot) == 0) { dead.push_back(slot); }
        }
        EXPECT_TRUE(is.alive == alive());
        EXPECT_EQ(is.dead, dead);
        EXPECT_EQ(is.size, alive_.size());
        EXPECT_EQ(is.bound, bound_);
        for (const Handle& handle : gone_) {
            ASSERT_EQ(table.check(handle), kStale);
        }
    }
    [[nodiscard]] std::vector<Handle> alive() const {
        std::vector<Handle> handles;
        for (const auto& [slot, handle] : alive_) {
            handles.push_back(handle);
        }
        return handles;
    }
    [[nodiscard]] const std::vector<Handle>& gone() const { return gone_; }
    /// Replaces the handle that was born last by the table's own, which has an owner.
    void adopt(Handle handle) {
        alive_[handle.slot] = handle;
        EXPECT_TRUE(ever_.emplace(handle.slot, handle.generation).second) << "given out twice";
    }

private:
    Handle born(Id slot) {
        std::uint32_t& generation = generation_[slot];
        if (generation == 0) { generation = 1; }
        return alive_[slot] = {slot, generation, 0};
    }

    HandleLimits limits_;
    std::map<Id, std::uint32_t> generation_;
    std::map<Id, Handle> alive_;
    std::vector<Id> holes_;
    std::vector<Handle> gone_;
    std::set<std::pair<Id, std::uint32_t>> ever_;
    Id bound_ = 0;
};

void expect_next(Model& model, Handle handle) {
    const Handle expected = model.next();
    ASSERT_EQ(handle.is_null(), expected.generation == 0);
    if (handle.is_null()) { return; }
    ASSERT_EQ(handle.slot, expected.slot);
    ASSERT_EQ(handle.generation, expected.generation);
    model.adopt(handle);
}

/// Adds or removes some handles, one by one or in lists, now and then with a list that must be
/// refused.
void step(scenes::Random& random, HandleTable& table, Model& model, bool growing) {
    const std::uint32_t count = random.below(5);
    if (random.below(8) < (growing ? 6u : 2u)) {
        if (count == 0) { return expect_next(model, table.add()); }
        std::vector<Handle> out(count, Handle{77, 7, 7});
        const Status status = table.add(out);
        if (!status.ok()) {
            EXPECT_EQ(status.cause, Cause::too_many);
            EXPECT_EQ(status.argument, Argument::handle);
            EXPECT_LT(status.index, count);
            EXPECT_EQ(out, std::vector<Handle>(count, Handle{77, 7, 7}));
            out.resize(status.index);
            ASSERT_TRUE(table.add(out).ok());
        }
        for (const Handle& handle : out) {
            ASSERT_NO_FATAL_FAILURE(expect_next(model, handle));
        }
        return;
    }
    std::vector<Handle> handles = model.alive();
    for (std::size_t i = 0; i < handles.size(); ++i) {
        std::swap(handles[i], handles[random.below(static_cast<std::uint32_t>(handles.size()))]);
    }
    handles.resize(std::min<std::size_t>(handles.size(), count + 1));
    if (handles.empty()) { return; }
    if (random.below(3) == 0) {
        const Shown before = shown(table);
        std::vector<Handle> wrong = handles;
        if (random.below(2) == 0 || model.gone().empty()) {
            wrong.push_back(handles[0]); // removed by then
        } else {
            const auto gone = static_cast<std::uint32_t>(model.gone().size());
            wrong.push_back(model.gone()[random.below(gone)]);
        }
        wrong.push_back({});
        ASSERT_EQ(table.remove(wrong), at(kStale, handles.size()));
        ASSERT_TRUE(shown(table) == before);
    }
    if (count == 0) {
        ASSERT_EQ(table.remove(handles[0]), kOk);
        ASSERT_EQ(table.remove(handles[0]), kStale);
    } else {
        ASSERT_EQ(table.remove(handles), kOk);
    }
    for (const Handle& handle : handles) {
        model.die(handle);
    }
}

void churn(const HandleLimits& limits, std::uint64_t seed) {
    scenes::Random random(seed);
    HandleTable table(limits);
    Model model(limits);
    for (int round = 0; round < 12; ++round) {
        for (int i = 0; i < 60; ++i) {
            ASSERT_NO_FATAL_FAILURE(step(random, table, model, round % 2 == 0));
        }
        if (round % 4 == 3) {
            table.clear();
            model.clear();
        }
        ASSERT_NO_FATAL_FAILURE(model.expect(table)) << "seed " << seed << ", round " << round;
    }
}

TEST(Handles, TellsWhichSlotsComeNext) {
    HandleTable table({60, 2});
    std::vector<Handle> handles(40);
    ASSERT_EQ(table.add(handles), kOk);
    // Some slots become retired, some are holes, and some were never used.
    for (std::size_t i = 0; i < handles.size(); i += 3) {
        ASSERT_EQ(table.remove(handles[i]), kOk);
    }
    for (std::size_t i = 0; i < 4; ++i) {
        const Handle again = table.add();
        ASSERT_EQ(table.remove(again), kOk);
    }
    const Shown before = shown(table);
    std::vector<Id> slots(20);
    ASSERT_TRUE(table.next_slots(slots));
    EXPECT_EQ(shown(table), before);
    std::vector<Handle> next(slots.size());
    ASSERT_EQ(table.add(next), kOk);
    for (std::size_t i = 0; i < next.size(); ++i) {
        EXPECT_EQ(next[i].slot, slots[i]);
    }
    std::vector<Id> too_many(60);
    EXPECT_FALSE(table.next_slots(too_many));
}

TEST(Handles, AgreeWithTheModelOverRandomChanges) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        ASSERT_NO_FATAL_FAILURE(churn({}, seed));
        ASSERT_NO_FATAL_FAILURE(churn({.slots = 70, .last_generation = 3}, seed));
        ASSERT_NO_FATAL_FAILURE(churn({.slots = 1000, .last_generation = 1}, seed));
        ASSERT_NO_FATAL_FAILURE(churn({.slots = 8, .last_generation = 9}, seed));
    }
}

TEST(Handles, GivesTheSlotThatCameBackLast) {
    HandleTable table;
    std::vector<Handle> handles(4);
    ASSERT_TRUE(table.add(handles).ok());
    ASSERT_TRUE(table.remove(handles[2]).ok());
    ASSERT_TRUE(table.remove(handles[0]).ok());
    const Handle again = table.add();
    EXPECT_EQ(again.slot, 0u);
    EXPECT_EQ(again.generation, handles[0].generation + 1);
    EXPECT_EQ(table.check(handles[0]), kStale);
    EXPECT_EQ(table.add().slot, 2u);
    EXPECT_EQ(table.add().slot, 4u);
    EXPECT_EQ(table.bound(), 5u);
}

TEST(Handles, ASlotIsRetiredAfterItsLastGeneration) {
    HandleTable table({.slots = 2, .last_generation = 2});
    std::vector<Handle> all;
    for (int i = 0; i < 4; ++i) {
        const Handle handle = table.add();
        ASSERT_FALSE(handle.is_null());
        EXPECT_TRUE(std::find(all.begin(), all.end(), handle) == all.end());
        all.push_back(handle);
        ASSERT_TRUE(table.remove(handle).ok());
    }
    EXPECT_EQ(table.retired(), 2u);
    EXPECT_TRUE(table.add().is_null());
    std::vector<Handle> one(1);
    EXPECT_EQ(table.add(one), (Status{Cause::too_many, Argument::handle, 0}));
    table.clear();
    EXPECT_TRUE(table.add().is_null());
    for (const Handle& handle : all) {
        EXPECT_EQ(table.check(handle), kStale);
    }
    EXPECT_STREQ(table.validate(), nullptr);
}

TEST(Handles, NoListThatIsRefusedRetiresASlot) {
    HandleTable table({.slots = 8, .last_generation = 1});
    std::vector<Handle> handles(5);
    ASSERT_TRUE(table.add(handles).ok());
    const Shown before = shown(table);
    std::vector<Handle> twice = handles;
    twice.push_back(handles[1]);
    EXPECT_EQ(table.remove(twice), at(kStale, 5));
    EXPECT_TRUE(shown(table) == before);
    EXPECT_TRUE(table.remove(handles).ok());
    EXPECT_EQ(table.retired(), 5u);
}

TEST(Handles, WhatWasNeverGivenOutIsForeign) {
    HandleTable table;
    HandleTable other;
    const Handle mine = table.add();
    const Handle theirs = other.add();
    EXPECT_EQ(mine.slot, theirs.slot);
    EXPECT_EQ(mine.generation, theirs.generation);
    EXPECT_NE(mine, theirs);
    EXPECT_EQ(other.check(mine), kForeign);
    EXPECT_EQ(table.remove(theirs), kForeign);
    EXPECT_EQ(table.check({}), kForeign);
    EXPECT_EQ(table.check({mine.slot, 0, mine.owner}), kForeign);
    EXPECT_EQ(table.check({mine.slot, mine.generation + 1, mine.owner}), kForeign);
    EXPECT_EQ(table.check({mine.slot + 1, mine.generation, mine.owner}), kForeign);
    EXPECT_EQ(table.check({kNoId, mine.generation, mine.owner}), kForeign);
    // A hole, too, has a generation: that of its next handle.
    ASSERT_TRUE(table.remove(mine).ok());
    EXPECT_EQ(table.check({mine.slot, mine.generation + 1, mine.owner}), kForeign);
    const Handle list[] = {table.add(), theirs};
    EXPECT_EQ(table.remove(list), at(kForeign, 1));
    EXPECT_EQ(table.check(list[0]), kOk);
    for (const Id slot : {1u, 64u, kNoId, kNoId - 1, kNoId - 2}) {
        EXPECT_FALSE(table.alive(slot));
        EXPECT_TRUE(table.of(slot).is_null());
    }
}

TEST(Handles, ClearBeginsAgainWithTheLowestSlot) {
    HandleTable table;
    std::vector<Handle> old(200);
    ASSERT_TRUE(table.add(old).ok());
    ASSERT_TRUE(table.remove(std::span(old).subspan(50, 30)).ok());
    const std::size_t memory = table.memory();
    table.clear();
    EXPECT_EQ(shown(table), (Shown{0, 0, 0, {}, {}}));
    for (const Handle& handle : old) {
        EXPECT_EQ(table.check(handle), kStale);
    }
    std::vector<Handle> fresh(100);
    ASSERT_TRUE(table.add(fresh).ok());
    for (Id i = 0; i < 100; ++i) {
        EXPECT_EQ(fresh[i].slot, i);
        EXPECT_GT(fresh[i].generation, old[i].generation);
    }
    EXPECT_EQ(table.memory(), memory);
    EXPECT_STREQ(table.validate(), nullptr);
}

TEST(Handles, MovedFromIsAsGoodAsNew) {
    HandleTable table;
    const Handle handle = table.add();
    HandleTable moved = std::move(table);
    EXPECT_EQ(moved.check(handle), kOk);
    EXPECT_EQ(table.check(handle), kForeign); // NOLINT: it promises to be as good as new
    const Handle next = table.add();
    EXPECT_EQ(moved.check(next), kForeign);
    table = std::move(moved);
    EXPECT_EQ(table.check(handle), kOk);
    EXPECT_EQ(table.check(next), kForeign);
    EXPECT_EQ(moved.size(), 0u);
    EXPECT_EQ(moved.check(handle), kForeign);
}

TEST(Handles, ACopyKnowsTheSameHandlesAndReusesItsMemory) {
    HandleTable table;
    std::vector<Handle> handles(300);
    ASSERT_TRUE(table.add(handles).ok());
    ASSERT_TRUE(table.remove(handles[7]).ok());
    HandleTable copy;
    for (std::size_t successes = 0; successes < 2; ++successes) {
        const test::FailingAllocations failing(successes);
        EXPECT_THROW(copy.copy_from(table), std::bad_alloc);
        EXPECT_EQ(copy.size(), 0u);
        EXPECT_EQ(copy.check(handles[0]), kForeign);
    }
    copy.copy_from(table);
    EXPECT_TRUE(shown(copy) == shown(table));
    EXPECT_EQ(copy.check(handles[7]), kStale);
    const Handle later = table.add();
    EXPECT_EQ(copy.check(later), kForeign);
    const std::size_t allocations = test::allocations();
    copy.copy_from(table);
    EXPECT_EQ(test::allocations(), allocations);
    EXPECT_EQ(copy.check(later), kOk);
}

TEST(Handles, WhatFailsChangesNothing) {
    HandleTable table;
    int failures = 0;
    std::vector<Handle> out(3, Handle{7, 7, 7});
    while (table.size() < 400) {
        const Shown before = shown(table);
        for (std::size_t successes = 0; table.size() == before.size; ++successes) {
            try {
                const test::FailingAllocations failing(successes);
                if (table.size() % 2 == 0) {
                    (void)table.add();
                } else {
                    ASSERT_TRUE(table.add(out).ok());
                }
            } catch (const std::bad_alloc&) {
                ++failures;
                ASSERT_TRUE(shown(table) == before);
                ASSERT_EQ(out, std::vector<Handle>(3, Handle{7, 7, 7}));
            }
        }
        out.assign(3, Handle{7, 7, 7});
    }
    EXPECT_GE(failures, 8); // each time that the slots or the bits grow
}

TEST(Handles, RoomBehindRetiredSlotsIsMadeBeforeAnythingChanges) {
    HandleTable table({.last_generation = 1});
    std::vector<Handle> handles(100);
    ASSERT_TRUE(table.add(handles).ok());
    ASSERT_TRUE(table.remove(handles).ok());
    table.clear();
    const Shown before = shown(table);
    bool failed = false;
    try {
        const test::FailingAllocations failing(0);
        (void)table.add();
    } catch (const std::bad_alloc&) { failed = true; }
    EXPECT_TRUE(failed);
    EXPECT_TRUE(shown(table) == before);
    EXPECT_EQ(table.add().slot, 100u);
}

TEST(Handles, ASteadyCrowdAllocatesNothing) {
    HandleTable table;
    table.reserve(1'000);
    std::vector<Handle> handles(1'000);
    const std::size_t allocations = test::allocations();
    for (int round = 0; round < 3; ++round) {
        ASSERT_TRUE(table.add(handles).ok());
        ASSERT_TRUE(table.remove(std::span(handles).first(500)).ok());
        ASSERT_TRUE(table.add(std::span(handles).first(500)).ok());
        ASSERT_TRUE(table.remove(handles).ok());
    }
    EXPECT_EQ(test::allocations(), allocations);
    EXPECT_EQ(table.bound(), 1'000u);
}

TEST(Handles, HashTellsTheHandlesOfATableApart) {
    HandleTable table;
    std::set<std::size_t> hashes;
    for (int i = 0; i < 2'000; ++i) {
        const Handle handle = table.add();
        hashes.insert(std::hash<Handle>{}(handle));
        if (i % 2 == 0) { (void)table.remove(handle); }
    }
    EXPECT_GT(hashes.size(), 1'990u);
}

} // namespace
} // namespace throng
