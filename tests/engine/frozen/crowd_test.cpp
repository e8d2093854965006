// Crowds in files: statics, handles, the world, and where their memory comes from.
#include "../../family/questions.hpp"
#include "../../support/archive_words.hpp"
#include "../../support/archives.hpp"
#include "../../support/long_run.hpp"
#include "../../support/random.hpp"

#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/frozen/frozen.hpp>
#include <throng/engine/memory/capped_memory.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <ctime>
#include <vector>

namespace throng {
namespace {

using Bytes = std::vector<std::byte>;

Agent<2> any_agent(scenes::Random& random) {
    const float half = random.below(6) == 0 ? random.between(2.0f, 9.0f) : 0.25f;
    return {
        {{random.between(0.0f, 50.0f), random.between(0.0f, 50.0f)}}, Point<2>{{half, half}}, {}};
}

/// A periodic world with walls, and agents with handles, some of them removed.
Crowd<2> lived_in(std::vector<Handle>& handles) {
    Crowd<2> crowd;
    CrowdSettings<2> settings;
    settings.bounds = Box<2>{{{0.0f, 0.0f}}, {{50.0f, 50.0f}}};
    settings.cell = Point<2>{{1.0f, 2.0f}};
    settings.origin = {1e7, -3e6};
    settings.periodic = {true, false};
    EXPECT_EQ(crowd.configure(settings, {true, false, {}}), Status{});
    scenes::Random random(3);
    std::vector<Agent<2>> agents;
    for (int i = 0; i < 300; ++i) {
        agents.push_back(any_agent(random));
    }
    handles.resize(agents.size());
    EXPECT_EQ(crowd.add(agents, handles), Status{});
    for (std::size_t i = 0; i < handles.size(); i += 4) {
        EXPECT_EQ(crowd.remove(handles[i]), Status{});
    }
    std::array<std::vector<float>, 2> wall;
    for (int i = 0; i < 40; ++i) {
        for (std::vector<float>& axis : wall) {
            axis.push_back(random.between(0.0f, 50.0f));
        }
    }
    Agents<2> walls;
    walls.positions = PointView<2>::separate({wall[0].data(), wall[1].data()}, wall[0].size());
    walls.common_half_extent = {{0.5f, 3.0f}};
    EXPECT_EQ(crowd.set_statics(walls), Status{});
    return crowd;
}

/// The answers to questions all over the crowd's world.
std::vector<test::Ids> answers_of(const Crowd<2>& crowd) {
    std::vector<test::Ids> answers;
    scenes::Random random(7);
    for (int i = 0; i < 30; ++i) {
        const Point<2> at{{random.between(-5.0f, 55.0f), random.between(0.0f, 50.0f)}};
        answers.push_back(test::visited(crowd, Ball<2>{at, 6.0f}));
        answers.push_back(test::visited(crowd, Box<2>::around(at, {{4.0f, 8.0f}})));
        std::array<Near, 5> near;
        EXPECT_EQ(crowd.nearest(at, {5}, near).count, 5u);
        for (const Near& one : near) {
            answers.back().push_back(one.id);
        }
    }
    return answers;
}

TEST(CrowdFrozen, ComesBackWithItsWorld) {
    std::vector<Handle> handles;
    Crowd<2> crowd = lived_in(handles);
    Bytes bytes;
    ASSERT_EQ(save(crowd, bytes), Status{});
    Crowd<2> loaded;
    ASSERT_EQ(load(loaded, bytes), Status{});
    ASSERT_STREQ(loaded.validate(), nullptr);
    EXPECT_EQ(loaded.settings(), crowd.settings());
    EXPECT_EQ(loaded.size(Sets::statics), 40u);
    EXPECT_TRUE(loaded.wraps());
    EXPECT_EQ(loaded.world({{1.0f, 2.0f}})[0], 1e7 + 1.0);
    EXPECT_EQ(answers_of(loaded), answers_of(crowd));
    EXPECT_EQ(test::pairs_of(loaded), test::pairs_of(crowd));

    // The same slots, with handles that belong to the loaded crowd.
    for (std::size_t i = 0; i < handles.size(); ++i) {
        const Id slot = handles[i].slot;
        ASSERT_EQ(loaded.handle_of(slot).is_null(), i % 4 == 0);
        ASSERT_EQ(loaded.check(handles[i]).cause, Cause::handle_foreign);
    }
    scenes::Random random(9);
    for (int i = 0; i < 100; ++i) {
        const Agent<2> agent = any_agent(random);
        Handle here, there;
        ASSERT_EQ(crowd.add(agent, here), Status{});
        ASSERT_EQ(loaded.add(agent, there), Status{});
        ASSERT_EQ(here.slot, there.slot);
    }
    EXPECT_EQ(answers_of(loaded), answers_of(crowd));
}

/// Replaces a floating-point number wherever the file has it; returns the number of places.
std::size_t replace(Bytes& bytes, float from, float to) {
    std::size_t found = 0;
    for (std::size_t at = test::kArchiveHeader; at + sizeof from <= bytes.size();
         at += sizeof from) {
        if (std::memcmp(bytes.data() + at, &from, sizeof from) != 0) { continue; }
        test::put(bytes, at, to);
        ++found;
    }
    test::seal(bytes);
    return found;
}

/// Forged agents outside the world: in the grid, whose last column holds agents beyond it, among
/// the giants, and among the statics.
TEST(CrowdFrozen, NoAgentIsOutsideAPeriodicWorld) {
    for (const Sets set : {Sets::small, Sets::giants, Sets::statics}) {
        for (const bool periodic : {false, true}) {
            SCOPED_TRACE(testing::Message()
                         << "set " << static_cast<unsigned>(set) << (periodic ? " periodic" : ""));
            const float half = set == Sets::small ? 0.25f : 6.0f;
            CrowdSettings<2> settings;
            settings.bounds = Box<2>{{{0.0f, 0.0f}}, {{50.0f, 50.0f}}};
            settings.cell = Point<2>{{1.0f, 1.0f}};
            settings.periodic = {periodic, false};
            Crowd<2> crowd, loaded;
            ASSERT_EQ(crowd.configure(settings, {true, false, {}}), Status{});
            const float x = 49.8125f, y = 20.5f;
            Agents<2> agents;
            agents.positions = PointView<2>::separate({&x, &y}, 1);
            agents.half_extents = PointView<2>::separate({&half, &half}, 1);
            ASSERT_EQ(set == Sets::statics ? crowd.set_statics(agents) : crowd.update(agents),
                      Status{});
            ASSERT_EQ(crowd.size(Sets::giants), set == Sets::giants ? 1u : 0u);
            Bytes bytes;
            ASSERT_EQ(save(crowd, bytes), Status{});
            const float beyond = 50.0625f;
            ASSERT_GT(replace(bytes, x, beyond), 0u);
            replace(bytes, x - half, beyond - half);
            replace(bytes, x + half, beyond + half);
            EXPECT_EQ(load(loaded, bytes).ok(), !periodic);
            EXPECT_EQ(loaded.size() + loaded.size(Sets::statics), periodic ? 0u : 1u);
        }
    }
}

TEST(CrowdFrozen, TakesItsMemoryFromTheSameSource) {
    std::vector<Handle> handles;
    Bytes bytes;
    ASSERT_EQ(save(lived_in(handles), bytes), Status{});
    CappedMemory memory(1 << 20), little(16'000);
    {
        Crowd<2> crowd, cramped;
        CrowdSettings<2> settings;
        settings.memory = &memory;
        ASSERT_EQ(crowd.configure(settings), Status{});
        ASSERT_EQ(load(crowd, bytes), Status{});
        EXPECT_EQ(crowd.settings().memory, &memory);
        EXPECT_GT(memory.used(), 10'000u);
        settings.memory = &little;
        ASSERT_EQ(cramped.configure(settings), Status{});
        EXPECT_EQ(load(cramped, bytes), (Status{Cause::over_memory, Argument::memory}));
        EXPECT_EQ(cramped.size(), 0u);
        EXPECT_EQ(cramped.settings().memory, &little);
    }
    EXPECT_EQ(memory.used(), 0u);
    EXPECT_EQ(little.used(), 0u);
}

TEST(CrowdFrozen, ACrowdOverItsCapIsAsItWas) {
    CappedMemory memory(200'000);
    {
        Crowd<2> crowd;
        CrowdSettings<2> settings;
        settings.memory = &memory;
        ASSERT_EQ(crowd.configure(settings), Status{});
        auto few = scenes::make_uniform<2>(500);
        auto many = scenes::make_uniform<2>(50'000);
        ASSERT_EQ(crowd.update(few.agents()), Status{});
        const std::vector<test::Ids> before = {
            test::visited(crowd, Box<2>{Point<2>::all(-kLargest), Point<2>::all(kLargest)})};
        const Status refused{Cause::over_memory, Argument::memory};
        EXPECT_EQ(crowd.update(many.agents()), refused);
        EXPECT_EQ(crowd.set_statics(many.agents()), refused);
        EXPECT_STREQ(crowd.validate(), nullptr);
        EXPECT_EQ(crowd.size(), 500u);
        EXPECT_EQ(crowd.size(Sets::statics), 0u);
        EXPECT_EQ(test::visited(crowd, Box<2>{Point<2>::all(-kLargest), Point<2>::all(kLargest)}),
                  before[0]);
        EXPECT_LE(memory.peak(), memory.cap());
        EXPECT_EQ(crowd.update(few.agents()), Status{});
    }
    EXPECT_EQ(memory.used(), 0u);
}

// A giant and a static with the largest ids: no loop may count up to them.
TEST(CrowdFrozen, ALateNameTakesNoTime) {
    constexpr Id kLate = kFirstStatic - 1;
    const std::array<float, 2> places = {1.0f, 2.0f}, halves = {0.1f, 9.0f};
    Agents<2> agents;
    agents.positions = PointView<2>::separate({places.data(), places.data()}, places.size());
    agents.half_extents = PointView<2>::separate({halves.data(), halves.data()}, halves.size());
    Crowd<2> crowd;
    CrowdSettings<2> settings;
    settings.bounds = Box<2>{{{0.0f, 0.0f}}, {{50.0f, 50.0f}}};
    settings.cell = Point<2>::all(1.0f);
    ASSERT_EQ(crowd.configure(settings, {true, false, {}}), Status{});
    ASSERT_EQ(crowd.update(agents), Status{});
    ASSERT_EQ(crowd.size(Sets::giants), 1u);
    ASSERT_EQ(crowd.set_statics(agents), Status{});
    Bytes bytes;
    ASSERT_EQ(save(crowd, bytes), Status{});

    const std::clock_t start = std::clock();
    Bytes late = bytes;
    test::rename_last(late, test::LargeSetOf::giants, kLate);
    test::rename_last(late, test::LargeSetOf::statics, kNoId - 1);
    Crowd<2> with_late;
    ASSERT_EQ(load(with_late, late), Status{});
    EXPECT_TRUE(with_late.contains(kLate, Sets::giants));
    EXPECT_TRUE(with_late.contains(kNoId - 1));
    for (const Id name : {kLate, kNoId - 1}) {
        for (std::size_t at = test::kArchiveHeader; at + sizeof name <= bytes.size();
             at += sizeof name) {
            Bytes forged = bytes;
            test::put(forged, at, name);
            test::seal(forged);
            Crowd<2> loaded;
            (void)load(loaded, forged);
        }
    }
    EXPECT_LT(std::clock() - start, (test::emulated() ? 20 : 1) * CLOCKS_PER_SEC);
}

} // namespace
} // namespace throng
