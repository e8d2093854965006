// Giants one by one: who is the last, who does not fit the memory, and what is saved after that.
#include "../../family/questions.hpp"
#include "../../support/allocation_counter.hpp"

#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/crowd/published_crowd.hpp>
#include <throng/engine/frozen/frozen.hpp>
#include <throng/engine/memory/capped_memory.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <new>
#include <vector>

namespace throng {
namespace {

const Box<2> kEverywhere{Point<2>::all(-kLargest), Point<2>::all(kLargest)};

Agent<2> giant_at(float x, float y, std::uint32_t groups) {
    return {{{x, y}}, Point<2>{{6.0f, 6.0f}}, groups};
}

/// A world of cells of 1 by 2, for agents with extents and masks.
Crowd<2> world_with(MemorySource* memory = nullptr) {
    Crowd<2> crowd;
    CrowdSettings<2> settings;
    settings.bounds = Box<2>{{{0.0f, 0.0f}}, {{100.0f, 100.0f}}};
    settings.cell = Point<2>{{1.0f, 2.0f}};
    settings.memory = memory;
    EXPECT_EQ(crowd.configure(settings, {true, true, {}}), Status{});
    return crowd;
}

TEST(CrowdGiants, HaveMasksAgainAfterTheLastIsGone) {
    Crowd<2> crowd = world_with();
    ASSERT_EQ(crowd.insert(1, giant_at(10.0f, 10.0f, 1)), Status{});
    ASSERT_EQ(crowd.insert(2, {{{11.0f, 10.0f}}, Point<2>{{0.2f, 0.2f}}, 2u}), Status{});
    const std::vector<Edit<2>> gone = {Edit<2>::erase(1)};
    ASSERT_EQ(crowd.edit(gone), Status{});
    ASSERT_STREQ(crowd.validate(), nullptr);
    ASSERT_EQ(crowd.insert(7, giant_at(12.0f, 10.0f, 1)), Status{});
    EXPECT_EQ(test::visited(crowd, kEverywhere, {2}), test::Ids{2});
    const std::vector<Edit<2>> moved = {Edit<2>::move(7, {{40.0f, 40.0f}})};
    ASSERT_EQ(crowd.edit(moved), Status{});
    EXPECT_EQ(test::visited(crowd, kEverywhere, {1}), test::Ids{7});
    EXPECT_EQ(test::visited(crowd, kEverywhere, {2}), test::Ids{2});
    EXPECT_STREQ(crowd.validate(), nullptr);
}

/// A call that fails at each of its allocations in turn leaves a crowd of giants as it was, and it
/// can be saved.
template <class Call>
void fail_everywhere(const Call& call) {
    for (const bool forever : {false, true}) {
        for (std::size_t successes = 0;; ++successes) {
            Crowd<2> crowd = world_with();
            for (Id id = 0; id < 5; ++id) {
                const auto at = static_cast<float>(20 * id);
                ASSERT_EQ(crowd.insert(id, giant_at(at, at, id)), Status{});
            }
            auto scene = scenes::make<2>("mixed_sizes", 60, scenes::Groups::masks);
            ASSERT_EQ(crowd.update(scene.agents()), Status{});
            const Id giant = [&] {
                for (Id id = 0; id < 60; ++id) {
                    if (crowd.is_giant(id)) { return id; }
                }
                return kNoId;
            }();
            ASSERT_NE(giant, kNoId);
            const test::Ids agents = test::in_order(test::visited(crowd, kEverywhere));
            const test::IdPairs pairs = test::pairs_of(crowd);
            const auto centres = [&] {
                test::Ids ids;
                for (float x = -5.0f; x < 110.0f; x += 7.0f) {
                    const test::Ids near = test::visited(crowd, Ball<2>{{{x, x}}, 9.0f});
                    ids.push_back(static_cast<Id>(near.size()));
                    for (const Id id : test::in_order(near)) {
                        ids.push_back(id);
                    }
                }
                return ids;
            };
            const test::Ids before = centres();
            bool failed = false;
            {
                const test::FailingAllocations failing(successes, forever);
                try {
                    ASSERT_EQ(call(crowd, giant), Status{});
                } catch (const std::bad_alloc&) { failed = true; }
            }
            if (!failed) { break; }
            ASSERT_STREQ(crowd.validate(), nullptr);
            ASSERT_EQ(test::in_order(test::visited(crowd, kEverywhere)), agents);
            ASSERT_EQ(test::pairs_of(crowd), pairs);
            ASSERT_EQ(centres(), before);
            std::vector<std::byte> bytes;
            ASSERT_EQ(save(crowd, bytes), Status{});
            Crowd<2> loaded;
            ASSERT_EQ(load(loaded, bytes), Status{});
        }
    }
}

TEST(CrowdGiants, AreInOnePlaceWhereMemoryEnds) {
    ASSERT_NO_FATAL_FAILURE(fail_everywhere([](Crowd<2>& crowd, Id giant) {
        return crowd.move(giant, {{77.0f, 3.0f}});
    }));
    ASSERT_NO_FATAL_FAILURE(fail_everywhere(
        [](Crowd<2>& crowd, Id) { return crowd.insert(900, giant_at(55.0f, 5.0f, 1)); }));
    ASSERT_NO_FATAL_FAILURE(
        fail_everywhere([](Crowd<2>& crowd, Id giant) { return crowd.erase(giant); }));
}

TEST(PublishedCrowdMemory, ComesBackFromFramesThatAreNotHeld) {
    CappedMemory memory(1'000'000);
    {
        PublishedCrowd<2> crowd;
        CrowdSettings<2> settings;
        settings.memory = &memory;
        ASSERT_EQ(crowd.configure(settings), Status{});
        auto scene = scenes::make_uniform<2>(3'000);
        std::vector<Snapshot<Crowd<2>>> held;
        Status status;
        while (status.ok() && held.size() < 50) {
            status = crowd.update(scene.agents());
            held.push_back(crowd.acquire());
        }
        ASSERT_EQ(status, (Status{Cause::over_memory, Argument::memory}));
        held.clear();
        for (int frame = 0; frame < 10; ++frame) {
            EXPECT_EQ(crowd.update(scene.agents()), Status{});
        }
        EXPECT_LE(memory.peak(), memory.cap());
    }
    EXPECT_EQ(memory.used(), 0u);
}

} // namespace
} // namespace throng
