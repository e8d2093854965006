// The calls that only a crowd has, with each allocation failing in turn: statics, handles,
// positions in doubles, questions with lists for answers, and frames that are published.
#include "../../family/shown.hpp"
#include "../../support/fail_each.hpp"
#include "crowd_truth.hpp"

#include <throng/engine/crowd/published_crowd.hpp>
#include <throng/engine/memory/capped_memory.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace throng {
namespace {

using test::fail_each_allocation;
using test::Memory;

/// The state of a crowd as its calls show it.
struct Content {
    test::Shown<2> agents;
    test::IdPairs pairs;
    std::vector<Handle> handles;
    std::size_t statics, giants, bound, slots;
    CrowdSettings<2> settings;

    friend bool operator==(const Content&, const Content&) = default;
    [[nodiscard]] Content sorted() const {
        Content sorted = *this;
        sorted.agents = agents.sorted();
        std::sort(sorted.pairs.begin(), sorted.pairs.end());
        return sorted;
    }
};

Content say(const Crowd<2>& crowd) {
    Content said{test::shown_sound<2>(crowd),
                 {},
                 {},
                 crowd.size(Sets::statics),
                 crowd.size(Sets::giants),
                 crowd.id_bound(),
                 crowd.slots(),
                 crowd.settings()};
    (void)crowd.visit_pairs(PairSets::all,
                            [&](std::span<const Id> first, std::span<const Id> second) {
                                for (std::size_t i = 0; i < first.size(); ++i) {
                                    said.pairs.emplace_back(first[i], second[i]);
                                }
                                return true;
                            });
    for (Id id = 0; id < crowd.id_bound() + 5; ++id) {
        said.handles.push_back(crowd.handle_of(id));
    }
    return said;
}

class CrowdOutOfMemory : public testing::TestWithParam<bool> {
protected:
    /// A crowd with a hole, and with memory of the source if there is one.
    Crowd<2> made() {
        Crowd<2> crowd;
        CrowdSettings<2> settings;
        settings.memory = source();
        EXPECT_EQ(crowd.configure(settings), Status{});
        EXPECT_EQ(crowd.set_statics(still_.agents()), Status{});
        EXPECT_EQ(crowd.update(scene_.agents()), Status{});
        EXPECT_EQ(crowd.erase(12), Status{});
        return crowd;
    }
    MemorySource* source() { return GetParam() ? &memory_ : nullptr; }

    template <class Call>
    void each(const char* what, const Call& call, Memory memory = Memory::needed) {
        SCOPED_TRACE(what);
        fail_each_allocation([&] { return made(); }, call, say, memory);
        EXPECT_EQ(memory_.used(), 0u);
    }

    static bool is_giant(std::size_t i) { return i % 6 == 0; }

    CappedMemory memory_{std::numeric_limits<std::size_t>::max()};
    scenes::Scene<2> scene_ = test::with_giants<2>(150, is_giant, 32.0f, scenes::Groups::masks);
    scenes::Scene<2> still_ = scenes::make<2>("uniform", 20);
    scenes::Scene<2> other_ = scenes::make<2>("mixed_sizes", 300);
};
INSTANTIATE_TEST_SUITE_P(, CrowdOutOfMemory, testing::Bool(), [](const auto& of) {
    return of.param ? std::string("a_source") : std::string("the_heap");
});

TEST_P(CrowdOutOfMemory, SettingsAndStaticsStayAsTheyWere) {
    const test::AllocationsFail somewhere;
    each("configure", [&](Crowd<2>& crowd) {
        CrowdSettings<2> settings;
        settings.bounds = scene_.world;
        settings.cell = scene_.cell;
        settings.memory = source();
        return crowd.configure(settings);
    });
    each("statics", [&](Crowd<2>& crowd) { return crowd.set_statics(other_.agents()); });
    each("statics that ask", [&](Crowd<2>& crowd) {
        return crowd.set_statics(other_.agents(), serial_executor(), [](float) { return true; });
    });
    each("no statics", [&](Crowd<2>& crowd) { return crowd.set_statics(Agents<2>{}); });
}

TEST_P(CrowdOutOfMemory, AgentsFromFarAwayStayAsTheyWere) {
    const test::AllocationsFail somewhere;
    std::vector<double> x, y;
    for (std::size_t i = 0; i < 200; ++i) {
        x.push_back(static_cast<double>(i % 20));
        y.push_back(static_cast<double>(i / 20));
    }
    WorldAgents<2> far(WorldPointView<2>::separate({x.data(), y.data()}, x.size()));
    far.common_half_extent = Point<2>::all(0.25f);
    const WorldPoint<2> place({3.0, 1e5});
    const WorldAgent<2> agent{place, Point<2>::all(9.0f), 1u};
    each("update", [&](Crowd<2>& crowd) { return crowd.update(far); });
    each("statics", [&](Crowd<2>& crowd) { return crowd.set_statics(far); });
    each("insert", [&](Crowd<2>& crowd) { return crowd.insert(900, agent); });
    each(
        "move", [&](Crowd<2>& crowd) { return crowd.move(6, place); }, Memory::useful);
}

TEST_P(CrowdOutOfMemory, HandlesStayGoodAndNoneIsLost) {
    const test::AllocationsFail somewhere;
    const Agent<2> giant{Point<2>::all(3.0f), Point<2>::all(9.0f), {}};
    const Agent<2> small{Point<2>::all(2.0f), Point<2>::all(0.25f), {}};
    std::vector<Agent<2>> agents(140, small);
    for (std::size_t i = 0; i < agents.size(); ++i) {
        agents[i].position[0] = static_cast<float>(i % 12);
        if (i % 9 == 0) { agents[i].half_extent = giant.half_extent; }
    }
    std::vector<Handle> handles(agents.size());
    // Each table of handles has an owner number of its own, which is not compared.
    const auto without_owner = [](const Crowd<2>& crowd) {
        Content said = say(crowd);
        for (Handle& handle : said.handles) {
            handle.owner = handle.is_null() ? 0 : 1;
        }
        return said;
    };
    const auto make = [&] {
        Crowd<2> crowd;
        CrowdSettings<2> settings;
        settings.bounds = Box<2>{Point<2>::all(0.0f), Point<2>::all(20.0f)};
        settings.cell = Point<2>::all(1.0f);
        settings.memory = source();
        EXPECT_EQ(crowd.configure(settings, {true, false, {}}), Status{});
        EXPECT_EQ(crowd.add(agents, handles), Status{});
        EXPECT_EQ(crowd.remove(handles[7]), Status{});
        return crowd;
    };
    const auto each_of = [&](const char* what, const auto& call, Memory memory = Memory::needed) {
        SCOPED_TRACE(what);
        fail_each_allocation(make, call, without_owner, memory);
    };
    Handle handle;
    std::vector<Handle> more(agents.size());
    each_of("add", [&](Crowd<2>& crowd) { return crowd.add(giant, handle); });
    each_of(
        "add into the hole", [&](Crowd<2>& crowd) { return crowd.add(small, handle); },
        Memory::useful);
    each_of("add many", [&](Crowd<2>& crowd) { return crowd.add(agents, more); });
    each_of("remove many", [&](Crowd<2>& crowd) {
        return crowd.remove(std::span<const Handle>(handles).subspan(8, 90));
    });
    each_of(
        "remove", [&](Crowd<2>& crowd) { return crowd.remove(handles[9]); }, Memory::useful);
    each_of(
        "move", [&](Crowd<2>& crowd) { return crowd.move(handles[9], Point<2>::all(1e5f)); },
        Memory::useful);
    each_of("update", [&](Crowd<2>& crowd) {
        auto moved = test::with_giants<2>(crowd.slots(), is_giant);
        return crowd.update(moved.agents());
    });
    const auto cleared = [&] {
        Crowd<2> crowd = make();
        crowd.clear();
        return crowd;
    };
    SCOPED_TRACE("the first of all");
    fail_each_allocation(
        cleared, [&](Crowd<2>& crowd) { return crowd.add(agents, more); }, without_owner);
}

TEST_P(CrowdOutOfMemory, QuestionsChangeNothing) {
    const test::AllocationsFail somewhere;
    each("lists", [&](const Crowd<2>& crowd) {
        Hits hits;
        return crowd.query(scene_.boxes, hits);
    });
    each("ids", [&](const Crowd<2>& crowd) {
        std::vector<Id> ids;
        return crowd.query(scene_.boxes[0], ids);
    });
    each("path_hits", [&](const Crowd<2>& crowd) {
        std::vector<PathHit> path_hits;
        return crowd.hits(Segment<2>{Point<2>::all(0.0f), Point<2>::all(30.0f)}, path_hits);
    });
}

/// A published crowd, which cannot be moved, and the frames that readers hold.
struct Published {
    std::unique_ptr<PublishedCrowd<2>> crowd = std::make_unique<PublishedCrowd<2>>();
    std::vector<Snapshot<Crowd<2>>> held;
};

TEST_P(CrowdOutOfMemory, FramesThatArePublishedStay) {
    const test::AllocationsFail somewhere;
    const auto make = [&] {
        Published published;
        CrowdSettings<2> settings;
        settings.memory = source();
        EXPECT_EQ(published.crowd->configure(settings), Status{});
        EXPECT_EQ(published.crowd->set_statics(still_.agents()), Status{});
        for (int frame = 0; frame < 2; ++frame) {
            EXPECT_EQ(published.crowd->update(scene_.agents()), Status{});
            published.held.push_back(published.crowd->acquire()); // so that the next frame is new
        }
        return published;
    };
    const auto say_all = [](const Published& published) {
        std::vector<std::pair<std::uint64_t, Content>> said;
        for (const auto& held : published.held) {
            said.emplace_back(held.frame(), say(*held));
        }
        const auto latest = published.crowd->acquire();
        said.emplace_back(latest.frame(), say(*latest));
        return said;
    };
    const auto each_of = [&](const char* what, const auto& call) {
        SCOPED_TRACE(what);
        // If its source refuses, the crowd frees frames that no reader holds, and tries again.
        fail_each_allocation(make, call, say_all, GetParam() ? Memory::useful : Memory::needed);
    };
    each_of("update",
            [&](Published& published) { return published.crowd->update(other_.agents()); });
    const std::vector<Edit<2>> edits = {Edit<2>::move(3, {1, 1}), Edit<2>::erase(4),
                                        Edit<2>::erase(static_id(0)),
                                        Edit<2>::insert(200, {{2, 2}, Point<2>::all(9.0f), 1u})};
    each_of("edit", [&](Published& published) { return published.crowd->edit(edits); });
    SCOPED_TRACE("an edit of a frame that has missed one");
    const auto make_edited = [&] {
        Published published = make();
        published.held.clear();
        for (int x = 0; x < 3; ++x) {
            const std::vector<Edit<2>> one = {Edit<2>::move(6, {static_cast<float>(x), 1})};
            EXPECT_EQ(published.crowd->edit(one), Status{});
        }
        return published;
    };
    fail_each_allocation(
        make_edited, [&](Published& published) { return published.crowd->edit(edits); }, say_all,
        GetParam() ? Memory::useful : Memory::needed);
    for (std::size_t successes = 0; successes < 80; ++successes) {
        SCOPED_TRACE("an update of other agents after an edit that lacked memory");
        Published published = make();
        published.held.clear();
        {
            const test::FailingAllocations failing(successes, false);
            try {
                (void)published.crowd->edit(edits);
            } catch (const std::bad_alloc&) {} // as the heap says it
        }
        auto alike = scenes::make<2>("uniform", 50);
        ASSERT_EQ(published.crowd->update(alike.agents()), Status{}) << successes;
        ASSERT_STREQ(published.crowd->acquire()->validate(), nullptr) << successes;
    }
    each_of("statics",
            [&](Published& published) { return published.crowd->set_statics(other_.agents()); });
    each_of("configure", [&](Published& published) {
        return published.crowd->configure({scene_.world, scene_.cell, {}, {}, source()});
    });
}

} // namespace
} // namespace throng
