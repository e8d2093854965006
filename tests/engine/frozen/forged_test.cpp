// Files of crowds that were changed on purpose, with right checksums: each is refused, or it holds
// a crowd whose parts agree.
#include "../../../engine/grid/grid_parts.hpp"
#include "../../support/archive_words.hpp"
#include "../../support/dims.hpp"
#include "../../support/random.hpp"
#include "../crowd/periodic_model.hpp"

#include <throng/engine/crowd/store/state.hpp>
#include <throng/engine/frozen/frozen.hpp>
#include <throng/parallel/batch/batch.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace throng {

namespace test {
namespace {

template <std::size_t Dim>
struct Insides {};

} // namespace
} // namespace test

/// The elements of a crowd, read directly and not through its trees and grids of centres.
template <std::size_t Dim>
struct FrozenIndex<test::Insides<Dim>> {
    using Truth = test::Truth<Dim>;

    static Truth truth_of(const Crowd<Dim>& crowd, const test::Periodic<Dim>& world) {
        const auto& state = detail::state_of(crowd);
        Truth truth(world, 2);
        state.for_each_small(0, state.grid.parts().slices(), [&](const SmallAgent<Dim>& agent) {
            truth.put({agent.id, agent.position, agent.half_extent, agent.groups});
        });
        put_all(state.giants, truth);
        put_all(*state.statics, truth);
        return truth;
    }

private:
    template <class Set>
    static void put_all(const Set& set, Truth& truth) {
        for (std::size_t slot = 0; slot < set.names_.size(); ++slot) {
            if (set.names_[slot] == kNoId) { continue; }
            Point<Dim> position, half;
            for (std::size_t a = 0; a < Dim; ++a) {
                position[a] = set.position_[a][slot];
                half[a] = set.half_[a][slot];
            }
            truth.put({set.names_[slot], position, half,
                       set.groups_kept_ ? set.groups_[slot] : kAllGroups});
        }
    }
};

namespace test {
namespace {

using FileBytes = std::vector<std::byte>;

/// The history of a crowd before it is saved.
struct Story {
    const char* what;
    bool masks = false, handles = false, periodic = false, edited = false, empty = false;
};
constexpr std::array<Filter, 3> kFiltersOfForged = {Filter{}, Filter{0x3u, 1}, Filter{0x4u, 12}};
constexpr Story kStories[] = {{"fresh"},
                              {"empty", false, false, false, false, true},
                              {"edited, with masks", true, false, false, true},
                              {"named by handles, edited", false, true, false, true},
                              {"periodic, with masks", true, false, true, false},
                              {"periodic, edited", false, false, true, true}};

template <class Constant>
class CrowdForged : public testing::Test {
protected:
    static constexpr std::size_t kAxes = Constant::value;
    using Subject = Crowd<kAxes>;
    using Place = Point<kAxes>;

    static constexpr float kSide = 16.0f;

    Agent<kAxes> agent(const Story& story, float least, float most) {
        Agent<kAxes> agent{place(), Place{}, {}};
        for (std::size_t a = 0; a < kAxes; ++a) {
            (*agent.half_extent)[a] = random_.between(least, most);
        }
        if (story.masks) { agent.groups = 1u + random_.below(7); }
        return agent;
    }
    Place place() {
        Place place;
        for (std::size_t a = 0; a < kAxes; ++a) {
            place[a] = random_.between(0.5f, kSide - 0.5f);
        }
        return place;
    }

    static CrowdSettings<kAxes> settings(const Story& story) {
        CrowdSettings<kAxes> settings;
        settings.bounds = Box<kAxes>{Place::all(0.0f), Place::all(kSide)};
        settings.cell = Place::all(4.0f);
        settings.periodic[0] = story.periodic;
        return settings;
    }

    Subject made(const Story& story) {
        Subject crowd;
        EXPECT_EQ(crowd.configure(settings(story), {true, story.masks, {}}), Status{});
        if (story.empty) { return crowd; }
        std::vector<Agent<kAxes>> agents;
        for (std::size_t i = 0; i < 9; ++i) {
            agents.push_back(i % 3 == 1 ? agent(story, 2.5f, 5.0f) : agent(story, 0.1f, 1.0f));
        }
        People<kAxes> people, walls;
        for (const Agent<kAxes>& one : agents) {
            people.add(one.position, *one.half_extent, one.groups.value_or(1));
        }
        for (std::size_t i = 0; i < 4; ++i) {
            const Agent<kAxes> one = agent(story, 0.5f, 3.0f);
            walls.add(one.position, *one.half_extent, one.groups.value_or(1));
        }
        Agents<kAxes> given = people.agents(), still = walls.agents();
        if (!story.masks) { given.groups = still.groups = {}; }
        EXPECT_EQ(crowd.set_statics(still), Status{});
        if (story.handles) {
            std::vector<Handle> handles(agents.size());
            EXPECT_EQ(crowd.add(agents, handles), Status{});
            EXPECT_EQ(crowd.remove(handles[4]), Status{});
            EXPECT_EQ(crowd.remove(handles[2]), Status{});
            EXPECT_EQ(crowd.add(agents[4], handles[4]), Status{});
        } else {
            EXPECT_EQ(crowd.update(given), Status{});
        }
        if (story.edited && !story.handles) {
            EXPECT_EQ(crowd.insert(20, agent(story, 3.0f, 4.0f)), Status{});
            EXPECT_EQ(crowd.insert(12, agent(story, 3.0f, 4.0f)), Status{});
            EXPECT_EQ(crowd.erase(4), Status{});
            EXPECT_EQ(crowd.move(7, place()), Status{});
            EXPECT_EQ(crowd.erase(3), Status{});
        }
        EXPECT_GE(crowd.size(Sets::giants), 3u);
        EXPECT_STREQ(crowd.validate(), nullptr);
        return crowd;
    }

    /// Every way of asking agrees with the elements.
    static void expect_sound(const Subject& crowd, const Filter& filter) {
        ASSERT_STREQ(crowd.validate(), nullptr);
        const CrowdSettings<kAxes>& settings = crowd.settings();
        const Periodic<kAxes> world{settings.bounds.value_or(Box<kAxes>{}), settings.periodic};
        const auto truth = FrozenIndex<Insides<kAxes>>::truth_of(crowd, world);
        const auto& members = truth.members(); // by name
        ASSERT_EQ(members.size(), crowd.size() + crowd.size(Sets::statics));
        const auto twice =
            std::adjacent_find(members.begin(), members.end(),
                               [](const auto& a, const auto& b) { return a.name == b.name; });
        ASSERT_EQ(twice, members.end()) << "an agent is there twice";
        std::vector<Box<kAxes>> boxes{{Place::all(-kLargest), Place::all(kLargest)}};
        if (crowd.wraps()) { boxes[0] = world.bounds; }
        std::vector<Ball<kAxes>> balls;
        std::vector<Capsule<kAxes>> capsules;
        for (const auto& member : truth.members()) {
            ASSERT_TRUE(crowd.contains(member.name));
            boxes.push_back(box_to_ask(member.position, Place::all(0.25f)));
            balls.push_back({member.position, 2.0f});
            capsules.push_back({member.position, Place::all(kSide / 2.0f), 0.5f});
        }
        ASSERT_NO_FATAL_FAILURE(expect_found(crowd, truth, boxes, filter));
        ASSERT_NO_FATAL_FAILURE(expect_found(crowd, truth, balls, filter));
        ASSERT_NO_FATAL_FAILURE(expect_found(crowd, truth, capsules, filter));
        ASSERT_NO_FATAL_FAILURE(expect_pairs(crowd, truth, filter.groups));
        for (const Ball<kAxes>& ball : balls) {
            const auto wanted = truth.nearest_to(ball.centre, {4});
            std::vector<Near> got(4);
            got.resize(crowd.nearest(ball.centre, {4}, got).count);
            ASSERT_EQ(got, wanted);
        }
    }

    template <class Shape>
    static void expect_found(const Subject& crowd, const Truth<kAxes>& truth,
                             const std::vector<Shape>& shapes, const Filter& filter) {
        Batch<kAxes> batch;
        Hits hits;
        ASSERT_EQ(batch.query(crowd, shapes, hits, filter), Status{});
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            const Ids wanted = truth.ids_in(shapes[i], filter);
            const auto together = hits.of(i);
            ASSERT_EQ(in_order({together.begin(), together.end()}), wanted);
            ASSERT_EQ(in_order(visited(crowd, shapes[i], filter)), wanted);
            ASSERT_EQ(crowd.count(shapes[i], filter).count, wanted.size());
            ASSERT_EQ(crowd.any(shapes[i], filter).count, wanted.empty() ? 0u : 1u);
        }
    }

    static void expect_pairs(const Subject& crowd, const Truth<kAxes>& truth,
                             std::uint32_t groups) {
        Batch<kAxes> batch;
        Pairs pairs;
        ASSERT_EQ(batch.pairs({crowd, PairSets::all}, pairs, groups), Status{});
        IdPairs together, alone;
        for (std::size_t i = 0; i < pairs.count; ++i) {
            together.push_back(std::minmax(pairs.first[i], pairs.second[i]));
        }
        (void)crowd.visit_pairs(
            PairSets::all,
            [&](std::span<const Id> first, std::span<const Id> second) {
                for (std::size_t i = 0; i < first.size(); ++i) {
                    alone.push_back(std::minmax(first[i], second[i]));
                }
                return true;
            },
            groups);
        std::sort(together.begin(), together.end());
        std::sort(alone.begin(), alone.end());
        const IdPairs wanted = truth.pairs(groups);
        ASSERT_EQ(alone, wanted);
        ASSERT_EQ(together, wanted);
    }

    scenes::Random random_{41};
};
TYPED_TEST_SUITE(CrowdForged, Dims, DimNames);

TYPED_TEST(CrowdForged, AnyWordIsRefusedOrAllTellTheSame) {
    constexpr std::size_t kDim = TypeParam::value;
    std::map<std::string, std::size_t> refused;
    std::size_t taken = 0;
    for (const Story& story : kStories) {
        SCOPED_TRACE(story.what);
        const Crowd<kDim> crowd = this->made(story);
        for (const Filter& filter : kFiltersOfForged) {
            ASSERT_NO_FATAL_FAILURE(this->expect_sound(crowd, filter));
        }
        FileBytes bytes;
        ASSERT_EQ(save(crowd, bytes), Status{});
        for (const ArchiveSection& section : sections_of(bytes)) {
            for (std::size_t i = 0; i < section.words; ++i) {
                const std::size_t at = section.at + i * sizeof(std::uint32_t);
                const std::uint32_t word = word_of(bytes, at);
                const std::uint32_t next = word_of(bytes, i + 1 < section.words ? at + 4 : at);
                // One float further, the other sign, another value, the next word's value, and
                // zero.
                const std::uint32_t others[] = {word + 1, word ^ 1u << 31, word ^ 1u << 21, next,
                                                0u};
                for (std::size_t way = 0; way < std::size(others); ++way) {
                    const std::uint32_t other = others[way];
                    // In space there are many more words, so each is forged in only some of these
                    // ways, by turns.
                    if (other == word || (kDim == 3 && (i + way) % 5 > 1)) { continue; }
                    FileBytes forged = bytes;
                    put(forged, at, other);
                    seal(forged);
                    Crowd<kDim> loaded;
                    if (const Status status = load(loaded, forged); !status.ok()) {
                        ASSERT_EQ(status, (Status{Cause::corrupted, Argument::file}));
                        ++refused[section.tag];
                        continue;
                    }
                    ++taken;
                    // The oracle would take for ever with a forged period.
                    if (loaded.wraps() && loaded.settings().bounds != crowd.settings().bounds) {
                        continue;
                    }
                    SCOPED_TRACE(testing::Message() << section.tag << " word " << i << " from "
                                                    << word << " to " << other);
                    ASSERT_NO_FATAL_FAILURE(
                        this->expect_sound(loaded, kFiltersOfForged[taken % 3]));
                }
            }
        }
    }
    EXPECT_GT(taken, 100u); // of group masks in the grid, of origins, of covers that are too wide
    for (const char* tag :
         {"CNUM", "SNUM", "XYZ ", "HALF", "MASK", "NAME", "FREE", "TNUM", "PLAC", "FILL", "LEAF",
          "GNUM", "ROWS", "SLAB", "IDS ", "HNUM", "SLOT", "DEAD"}) {
        EXPECT_GT(refused[tag], 0u) << tag;
    }
}

// A crowd has handles from its first add() on, so a crowd with handles and without a slot cannot
// exist; it would refuse insert() and erase() for no reason.
TYPED_TEST(CrowdForged, NamedByHandlesThatThereAreNotIsRefused) {
    constexpr std::size_t kNamedByHandles = 3; // of the crowd's numbers, behind three other flags
    for (const Story& story : kStories) {
        SCOPED_TRACE(story.what);
        FileBytes bytes;
        ASSERT_EQ(save(this->made(story), bytes), Status{});
        const std::size_t at =
            sections_of(bytes).front().at + kNamedByHandles * sizeof(std::uint32_t);
        ASSERT_EQ(word_of(bytes, at), story.handles ? 1u : 0u);
        put(bytes, at, story.handles ? 0u : 1u);
        seal(bytes);
        Crowd<TypeParam::value> loaded;
        EXPECT_EQ(load(loaded, bytes), (Status{Cause::corrupted, Argument::file}));
    }
}

} // namespace
} // namespace test
} // namespace throng
