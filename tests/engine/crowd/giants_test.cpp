// Edits of single giants: the last giant, a giant for which there is no memory, and what is saved
// after that.
#include "../../family/questions.hpp"
#include "../../support/fail_each.hpp"

#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/crowd/published_crowd.hpp>
#include <throng/engine/frozen/frozen.hpp>
#include <throng/engine/memory/capped_memory.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
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

/// The history of a crowd of giants.
enum class Past {
    updated,          ///< no giant was edited since
    edited,           ///< there are holes, and an index of names
    due_to_be_sorted, ///< the next edit sorts the giants' tree anew
};

Crowd<2> crowd_with(Past past, Id& giant) {
    Crowd<2> crowd = world_with();
    auto scene = scenes::make<2>("mixed_sizes", 60, scenes::Groups::masks);
    EXPECT_EQ(crowd.update(scene.agents()), Status{});
    giant = kNoId;
    for (Id id = 0; id < 60 && giant == kNoId; ++id) {
        if (crowd.contains(id, Sets::giants)) { giant = id; }
    }
    EXPECT_NE(giant, kNoId);
    if (past == Past::updated) { return crowd; }
    for (Id id = 100; id < 105; ++id) {
        EXPECT_EQ(crowd.insert(id, giant_at(20.0f * static_cast<float>(id - 100), 3.0f, id)),
                  Status{});
    }
    EXPECT_EQ(crowd.erase(102), Status{});
    // Moves a giant out of its leaf, far beyond all others.
    for (int i = 0; past == Past::due_to_be_sorted && i < 300; ++i) {
        EXPECT_EQ(crowd.move(100, {{i % 2 == 0 ? 900.0f : -900.0f, 50.0f}}), Status{});
    }
    return crowd;
}

/// Answers, each in the crowd's own order.
struct Said {
    std::vector<test::Ids> answers;

    [[nodiscard]] Said sorted() const {
        Said all = *this;
        for (test::Ids& ids : all.answers) {
            std::sort(ids.begin(), ids.end());
        }
        return all;
    }
    friend bool operator==(const Said&, const Said&) noexcept = default;
};

/// A call that fails at each of its allocations in turn leaves a crowd of giants as it was, to the
/// byte, and then succeeds as if it had not failed.
template <class Call>
void fail_everywhere(const Call& call) {
    for (const Past past : {Past::updated, Past::edited, Past::due_to_be_sorted}) {
        Id giant = kNoId;
        const auto make = [&] { return crowd_with(past, giant); };
        const auto say = [](const Crowd<2>& crowd) {
            EXPECT_STREQ(crowd.validate(), nullptr);
            Said said{{test::visited(crowd, kEverywhere), {}}};
            for (const auto& [a, b] : test::pairs_of(crowd)) {
                said.answers[1].insert(said.answers[1].end(), {a, b});
            }
            for (float x = -5.0f; x < 110.0f; x += 7.0f) {
                said.answers.push_back(test::visited(crowd, Ball<2>{{{x, x}}, 9.0f}));
            }
            return said;
        };
        SCOPED_TRACE(static_cast<int>(past));
        // The tree is sorted if there is memory for that.
        const auto memory =
            past == Past::due_to_be_sorted ? test::Memory::useful : test::Memory::needed;
        ASSERT_NO_FATAL_FAILURE(test::fail_each_allocation(
            make, [&](Crowd<2>& crowd) { return call(crowd, giant); }, say, memory));
    }
}

TEST(CrowdGiants, AreAsTheyWereWhereMemoryEnds) {
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
