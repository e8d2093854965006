// Updates and edits of crowds in steps, against the same calls on an executor.
#include <throng/engine/crowd/crowd_change.hpp>

#include "../../support/allocation_counter.hpp"
#include "../../support/dims.hpp"
#include "../../support/fail_each.hpp"
#include "../../support/ledger.hpp"
#include "../../support/numbers.hpp"
#include "../../support/random.hpp"
#include "../../support/run_steps.hpp"
#include "../../support/scenes/scenes.hpp"

#include <throng/engine/frozen/frozen.hpp>
#include <throng/engine/memory/capped_memory.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace throng {
namespace {

using scenes::Groups;
using test::run_in_any_order;
using test::run_steps;

using test::kNan;

template <class Dim>
class CrowdChanges : public testing::Test {};
TYPED_TEST_SUITE(CrowdChanges, test::Dims, test::DimNames);

/// All that a crowd is made of, as save() writes it: the order of every answer follows from it.
template <std::size_t Dim>
std::vector<std::byte> bytes_of(const Crowd<Dim>& crowd) {
    EXPECT_STREQ(crowd.validate(), nullptr);
    std::vector<std::byte> bytes;
    EXPECT_EQ(save(crowd, bytes), Status{});
    return bytes;
}

/// Kinds of crowds, apart from their agents.
enum class World : std::uint8_t {
    bare,     ///< no settings: the first update lays it out
    bounded,  ///< with cells from the beginning
    periodic, ///< on all axes but the last
    doubles,  ///< agents come in doubles, around an origin far away
    handles,  ///< agents have handles, with holes
};
constexpr World kWorlds[] = {World::bare, World::bounded, World::periodic, World::doubles,
                             World::handles};

/// Makes crowds of one kind, and changes them by one call or in steps.
template <std::size_t Dim>
class Maker {
public:
    Maker(World world, const scenes::Scene<Dim>& scene, MemorySource* memory = nullptr)
        : world_(world) {
        settings_.memory = memory;
        if (world != World::bare) {
            settings_.bounds = scene.world;
            settings_.cell = scene.cell;
        }
        for (std::size_t a = 0; a + 1 < Dim; ++a) {
            settings_.periodic[a] = world == World::periodic;
        }
        if (world == World::doubles) { settings_.origin.fill(-1e9); }
        kind_.own_half_extents = scene.has_own_half_extents();
        kind_.groups = !scene.groups.empty();
        if (!kind_.own_half_extents) { kind_.common_half_extent = scene.common_half_extent; }
    }

    /// A crowd without agents; with handles, one with the scene's agents except every seventh.
    [[nodiscard]] Crowd<Dim> made(const scenes::Scene<Dim>& scene) const {
        Crowd<Dim> crowd;
        EXPECT_EQ(crowd.configure(settings_, kind_), Status{});
        if (world_ != World::handles) { return crowd; }
        std::vector<Agent<Dim>> agents;
        for (std::size_t i = 0; i < scene.size(); ++i) {
            agents.push_back({scene.position_of(i), {}, {}});
            if (kind_.own_half_extents) { agents[i].half_extent = scene.half_extent_of(i); }
            if (kind_.groups) { agents[i].groups = scene.groups[i]; }
        }
        std::vector<Handle> handles(agents.size());
        EXPECT_EQ(crowd.add(agents, handles), Status{});
        for (std::size_t i = 0; i < handles.size(); i += 7) {
            EXPECT_EQ(crowd.remove(handles[i]), Status{});
        }
        return crowd;
    }

    /// Calls take(agents) with the scene, in doubles where the world is far away.
    template <class Take>
    Status with(scenes::Scene<Dim>& scene, const Take& take) {
        if (world_ != World::doubles) { return take(scene.agents()); }
        std::array<const double*, Dim> axes;
        for (std::size_t a = 0; a < Dim; ++a) {
            far_[a].clear();
            for (const float x : scene.position[a]) {
                far_[a].push_back(-1e9 + static_cast<double>(x));
            }
            axes[a] = far_[a].data();
        }
        const Agents<Dim> near = scene.agents();
        WorldAgents<Dim> agents(WorldPointView<Dim>::separate(axes, scene.size()));
        agents.common_half_extent = near.common_half_extent;
        agents.half_extents = near.half_extents;
        agents.groups = near.groups;
        return take(agents);
    }
    Status update(Crowd<Dim>& crowd, scenes::Scene<Dim>& scene) {
        return with(scene, [&](const auto& agents) { return crowd.update(agents); });
    }
    /// Begins an update. The arrays stay valid until the next call.
    Status begin(CrowdChange<Dim>& change, Crowd<Dim>& crowd, scenes::Scene<Dim>& scene,
                 std::size_t threads) {
        return with(scene,
                    [&](const auto& agents) { return change.update(crowd, agents, threads); });
    }

private:
    World world_;
    CrowdSettings<Dim> settings_;
    CrowdKind<Dim> kind_;
    std::array<std::vector<double>, Dim> far_;
};

/// A scene in which every fiftieth agent is a giant.
template <std::size_t Dim>
scenes::Scene<Dim> with_giants(std::size_t count, Groups groups, std::size_t first = 3) {
    auto scene = scenes::make<Dim>("uniform", count, groups);
    for (std::vector<float>& axis : scene.half_extent) {
        axis.assign(scene.size(), 0.25f);
        for (std::size_t i = first; i < axis.size(); i += 50) {
            axis[i] = 4.0f;
        }
    }
    return scene;
}

/// Moves agents, giants too, erases some, and gives others their ids back.
template <std::size_t Dim>
std::vector<Edit<Dim>> edits_of(const scenes::Scene<Dim>& scene) {
    std::vector<Edit<Dim>> edits;
    const auto size = static_cast<Id>(scene.size());
    const auto agent_for = [&](Id id) {
        Agent<Dim> agent{scene.position_of((id * 5 + 2) % size), {}, {}};
        if (scene.has_own_half_extents()) { agent.half_extent = scene.half_extent_of(id); }
        if (!scene.groups.empty()) { agent.groups = scene.groups[id]; }
        return agent;
    };
    for (Id id = 0; id < size; id += 3) {
        edits.push_back(Edit<Dim>::move(id, scene.position_of((id * 7 + 5) % size)));
    }
    for (Id id = 1; id < size; id += 30) {
        edits.push_back(Edit<Dim>::erase(id));
        if (id % 4 == 0) { edits.push_back(Edit<Dim>::insert(id, agent_for(id))); }
    }
    if (size > 5) { edits.push_back(Edit<Dim>::insert(size + 9, agent_for(5))); }
    return edits;
}

/// Changes two crowds alike, one of them in steps.
template <std::size_t Dim>
void compare(World world, scenes::Scene<Dim>& first, scenes::Scene<Dim>& second,
             std::size_t threads, CrowdChange<Dim>& change, scenes::Random& random) {
    Maker<Dim> maker(world, first);
    Crowd<Dim> expected = maker.made(first), crowd = maker.made(first);
    for (scenes::Scene<Dim>* scene : {&first, &second, &first}) {
        if (world == World::handles && scene->size() != first.size()) { continue; }
        ASSERT_EQ(maker.update(expected, *scene), Status{});
        ASSERT_EQ(run_in_any_order(change, maker.begin(change, crowd, *scene, threads), random),
                  Status{});
        ASSERT_TRUE(bytes_of(crowd) == bytes_of(expected));
        const std::vector<Edit<Dim>> edits = edits_of(*scene);
        const Status status = expected.edit(edits);
        ASSERT_EQ(status.ok(), world != World::handles);
        ASSERT_EQ(run_in_any_order(change, change.edit(crowd, edits), random), status);
        ASSERT_TRUE(bytes_of(crowd) == bytes_of(expected));
    }
    EXPECT_EQ(crowd.settings(), expected.settings());
    EXPECT_EQ(crowd.slots(), expected.slots());
}

TYPED_TEST(CrowdChanges, EqualUpdatesAndEditsToTheBit) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(11);
    CrowdChange<kDim> change;
    for (const World world : kWorlds) {
        for (const std::size_t threads : {0u, 3u, 1000u}) {
            for (const bool sizes : {false, true}) {
                SCOPED_TRACE(testing::Message()
                             << static_cast<int>(world) << ' ' << threads << ' ' << sizes);
                const Groups groups = threads == 3 ? Groups::masks : Groups::none;
                auto first = sizes ? with_giants<kDim>(9000, groups)
                                   : scenes::make<kDim>("uniform", 9000, groups);
                // Other agents are giants than in `first`; without giants, all have extents of
                // their own now.
                auto second = with_giants<kDim>(7000, groups, 4);
                if (!sizes) {
                    for (std::vector<float>& axis : second.half_extent) {
                        axis[0] = 0.125f;
                    }
                }
                ASSERT_NO_FATAL_FAILURE(compare(world, first, second, threads, change, random));
            }
        }
    }
}

TYPED_TEST(CrowdChanges, EqualUpdatesOfEveryScene) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(12);
    CrowdChange<kDim> change;
    for (const std::string_view name : scenes::names()) {
        for (const World world : {World::bare, World::bounded, World::doubles}) {
            // A double cannot hold the sum of such a float and 1e9.
            if (world == World::doubles && (name == "extreme" || name == "zeros_and_denormals")) {
                continue;
            }
            SCOPED_TRACE(testing::Message() << name << ' ' << static_cast<int>(world));
            auto first = scenes::make<kDim>(name, 600, Groups::masks);
            auto second = scenes::make<kDim>(name, 300, Groups::masks);
            ASSERT_NO_FATAL_FAILURE(compare(world, first, second, 2, change, random));
        }
    }
}

TYPED_TEST(CrowdChanges, RunOnThreadsOfAnyNumberWithTheCrowdsMemory) {
    constexpr std::size_t kDim = TypeParam::value;
    constexpr std::size_t kThreads = 3;
    test::Ledger ledger;
    auto first = with_giants<kDim>(20'000, Groups::masks);
    auto second = with_giants<kDim>(24'000, Groups::masks, 8);
    // Moves into few rows, which need blocks of their own; and a list that an update makes.
    std::vector<Edit<kDim>> edits, many;
    for (Id id = 0; id < 6000; ++id) {
        auto& list = id < 1000 ? edits : many;
        list.push_back(Edit<kDim>::move(id, first.position_of(id % 40)));
    }
    Maker<kDim> maker(World::bounded, first, &ledger);
    Crowd<kDim> expected = Maker<kDim>(World::bounded, first).made(first);
    Crowd<kDim> crowd = maker.made(first);
    CrowdChange<kDim> change;
    const auto run_on_threads = [&](Status status) {
        while (status.ok() && change.blocks() != 0) {
            std::vector<std::thread> threads;
            for (std::size_t t = 0; t < kThreads; ++t) {
                // Threads begin at different blocks and run all that follow: most run more than
                // once.
                const std::size_t begin = t * change.blocks() / (kThreads + 1);
                threads.emplace_back([&, begin] { change.run(begin, change.blocks()); });
            }
            for (std::thread& thread : threads) {
                thread.join();
            }
            status = change.next();
        }
        return status;
    };
    for (scenes::Scene<kDim>* scene : {&first, &second, &first}) {
        ASSERT_EQ(run_on_threads(change.update(crowd, scene->agents(), kThreads)), Status{});
        ASSERT_EQ(expected.update(scene->agents()), Status{});
        ASSERT_TRUE(bytes_of(crowd) == bytes_of(expected));
        for (const auto* list : {&edits, &many}) {
            ASSERT_EQ(run_on_threads(change.edit(crowd, *list)), Status{});
            ASSERT_EQ(expected.edit(*list), Status{});
            ASSERT_TRUE(bytes_of(crowd) == bytes_of(expected));
        }
    }
    EXPECT_TRUE(ledger.gave_to_others());
}

/// Gives up, or leaves out a block, in each loop in turn: the crowd has the old agents or the new.
template <std::size_t Dim>
void stop_everywhere(World world, bool edited) {
    enum class Way { cancel, destroy, leave_out, begin_another };
    auto first = with_giants<Dim>(6000, Groups::masks);
    auto second = with_giants<Dim>(6000, Groups::masks, 4);
    std::reverse(second.position[0].begin(), second.position[0].end());
    const std::vector<Edit<Dim>> edits = edits_of(first);
    Maker<Dim> maker(world, first);
    const auto made = [&] {
        Crowd<Dim> crowd = maker.made(first);
        if (world != World::bare) { EXPECT_EQ(maker.update(crowd, first), Status{}); }
        return crowd;
    };
    Crowd<Dim> changed = made();
    const auto before = bytes_of(changed);
    ASSERT_EQ(edited ? changed.edit(edits) : maker.update(changed, second), Status{});
    const auto after = bytes_of(changed);
    ASSERT_TRUE(before != after);
    for (const Way way : {Way::cancel, Way::destroy, Way::leave_out, Way::begin_another}) {
        bool was_done = false, was_undone = false;
        for (std::size_t stop = 0;; ++stop) {
            SCOPED_TRACE(testing::Message() << edited << static_cast<int>(way) << stop);
            Crowd<Dim> crowd = made(), other;
            auto change = std::make_unique<CrowdChange<Dim>>();
            ASSERT_EQ(edited ? change->edit(crowd, edits) : maker.begin(*change, crowd, second, 64),
                      Status{});
            for (std::size_t loop = 0; loop < stop && change->blocks() != 0; ++loop) {
                change->run(0, change->blocks());
                ASSERT_EQ(change->next(), Status{});
            }
            if (change->blocks() == 0) {
                ASSERT_GE(stop, edited ? 3u : 5u);
                break;
            }
            const std::size_t missing = change->blocks() / 2;
            change->run(0, missing);
            change->run(missing + 1, std::numeric_limits<std::size_t>::max());
            Status status;
            if (way == Way::cancel) {
                change->cancel();
                EXPECT_EQ(change->blocks(), 0u);
            } else if (way == Way::destroy) {
                change = nullptr;
            } else if (way == Way::begin_another) {
                ASSERT_EQ(change->update(other, Agents<Dim>{}), Status{});
                EXPECT_EQ(change->blocks(), 0u);
            } else {
                status = change->next();
                for (; status.ok() && change->blocks() != 0; status = change->next()) {}
                const Status wanted{Cause::executor_failed, Argument::executor, missing};
                EXPECT_TRUE(status.ok() || status == wanted) << to_string(status);
                EXPECT_EQ(change->blocks(), 0u);
            }
            const bool done = bytes_of(crowd) == after;
            ASSERT_TRUE(done || bytes_of(crowd) == before);
            if (way == Way::leave_out) { EXPECT_EQ(status.ok(), done); }
            EXPECT_FALSE(was_done && !done) << "a later loop undoes nothing";
            was_done = was_done || done;
            was_undone = was_undone || !done;
            ASSERT_EQ(maker.update(crowd, first), Status{}) << "the next change is as usual";
            Crowd<Dim> same = made();
            if (done && !edited) { ASSERT_EQ(maker.update(same, second), Status{}); }
            ASSERT_EQ(maker.update(same, first), Status{});
            std::vector<Id> order(crowd.size()), right(same.size());
            ASSERT_EQ(crowd.order(order), same.order(right));
            ASSERT_EQ(order, right);
        }
        EXPECT_TRUE(was_done && was_undone);
    }
}

TYPED_TEST(CrowdChanges, AreMadeWhollyOrNotAtAll) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const World world : kWorlds) {
        SCOPED_TRACE(static_cast<int>(world));
        ASSERT_NO_FATAL_FAILURE(stop_everywhere<kDim>(world, false));
    }
    ASSERT_NO_FATAL_FAILURE(stop_everywhere<kDim>(World::bounded, true));
    ASSERT_NO_FATAL_FAILURE(stop_everywhere<kDim>(World::periodic, true));
}

TYPED_TEST(CrowdChanges, RefuseAgentsThatACrowdRefuses) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(3);
    CrowdChange<kDim> change;
    EXPECT_EQ(change.blocks(), 0u);
    EXPECT_EQ(change.threads_worth(), 1u);
    EXPECT_EQ(change.next(), Status{}) << "nothing has begun";
    change.run(0, 100);
    change.cancel();
    auto scene = with_giants<kDim>(3000, Groups::masks);
    for (const World world : kWorlds) {
        for (const bool full : {false, true}) {
            SCOPED_TRACE(testing::Message() << static_cast<int>(world) << full);
            Maker<kDim> maker(world, scene);
            Crowd<kDim> crowd = maker.made(scene);
            if (full) { ASSERT_EQ(maker.update(crowd, scene), Status{}); }
            const auto before = bytes_of(crowd);
            const auto refused = [&](const auto& agents) {
                const Status wanted = crowd.update(agents);
                EXPECT_FALSE(wanted.ok());
                EXPECT_EQ(run_in_any_order(change, change.update(crowd, agents, 7), random),
                          wanted);
                EXPECT_EQ(change.blocks(), 0u);
                EXPECT_TRUE(bytes_of(crowd) == before);
                return wanted;
            };
            // A small agent, a giant and the last agent. With handles, each seventh agent is
            // missing.
            for (const std::size_t bad : {1u, 1203u, 2999u}) {
                auto wrong = scene;
                wrong.position[kDim - 1][bad] = kNan;
                EXPECT_EQ(maker.with(wrong, refused).index, bad);
                wrong = scene;
                wrong.half_extent[0][bad] = -1.0f;
                EXPECT_EQ(maker.with(wrong, refused),
                          (Status{Cause::negative, Argument::half_extents, bad}));
                wrong.half_extent[0][bad] = kNan;
                EXPECT_EQ(maker.with(wrong, refused).index, bad);
            }
            (void)maker.with(scene, [&](auto agents) {
                --agents.groups.count;
                EXPECT_EQ(refused(agents).cause, Cause::count_mismatch);
                ++agents.groups.count;
                agents.half_extents.axis[1] = nullptr;
                EXPECT_EQ(refused(agents).cause, Cause::null_pointer);
                agents.positions.axis[1] = nullptr;
                EXPECT_EQ(refused(agents), (Status{Cause::null_pointer, Argument::positions}));
                return Status();
            });
            if (world == World::handles) {
                auto fewer = with_giants<kDim>(2000, Groups::masks);
                EXPECT_EQ(maker.with(fewer, refused),
                          (Status{Cause::count_mismatch, Argument::positions, scene.size()}));
            }
            auto views = scene.agents();
            views.half_extents = {};
            views.groups = {};
            views.positions.count = std::numeric_limits<std::size_t>::max();
            EXPECT_EQ(refused(views).cause, Cause::too_many);
        }
    }
}

TYPED_TEST(CrowdChanges, RefuseEditsThatACrowdRefuses) {
    constexpr std::size_t kDim = TypeParam::value;
    using Change = Edit<kDim>;
    scenes::Random random(4);
    CrowdChange<kDim> change;
    const Agent<kDim> small{Point<kDim>::all(2.0f), Point<kDim>::all(0.25f), 1u};
    const Agent<kDim> faulty{Point<kDim>::all(2.0f), Point<kDim>::all(-0.25f), 1u};
    const Agent<kDim> bare{Point<kDim>::all(2.0f), {}, {}};
    const std::vector<std::vector<Change>> lists = {
        {Change::erase(5), Change::erase(5)},
        {Change::move(3, Point<kDim>::all(1.0f)), Change::erase(53), Change::erase(53)},
        {Change::move(3, Point<kDim>::all(1.0f)), Change::move(103, Point<kDim>::all(kNan))},
        {Change::move(103, Point<kDim>::all(1.0f)), Change::move(4, Point<kDim>::all(kNan))},
        {Change::erase(3), Change::erase(4), Change::insert(53, small)},
        {Change::erase(3), Change::insert(Id{kMostInCrowd}, small)},
        {Change::erase(3), Change::insert(5000, faulty)},
        {Change::erase(3), Change::insert(5000, bare)},
        {Change::erase(4), Change::erase(1'000'000)},
    };
    auto scene = with_giants<kDim>(3000, Groups::masks);
    for (const World world : kWorlds) {
        SCOPED_TRACE(static_cast<int>(world));
        Maker<kDim> maker(world, scene);
        Crowd<kDim> crowd = maker.made(scene);
        for (const bool full : {false, true}) {
            if (full) { ASSERT_EQ(maker.update(crowd, scene), Status{}); }
            const auto before = bytes_of(crowd);
            for (const auto& list : lists) {
                const Status wanted = crowd.edit(list);
                EXPECT_FALSE(wanted.ok());
                EXPECT_EQ(run_in_any_order(change, change.edit(crowd, list), random), wanted);
                EXPECT_EQ(change.blocks(), 0u);
                EXPECT_TRUE(bytes_of(crowd) == before);
            }
        }
    }
}

TYPED_TEST(CrowdChanges, SteadyFramesAllocateNothing) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const World world : {World::bounded, World::periodic, World::doubles, World::handles}) {
        for (const bool giants : {false, true}) {
            SCOPED_TRACE(testing::Message() << static_cast<int>(world) << giants);
            auto scene = giants ? with_giants<kDim>(20'000, Groups::masks)
                                : scenes::make<kDim>("uniform", 20'000, Groups::masks);
            Maker<kDim> maker(world, scene);
            Crowd<kDim> crowd = maker.made(scene);
            CrowdChange<kDim> change;
            // Edits of a crowd with giants allocate lists, and edits in a periodic world a copy.
            const bool edits = !giants && world != World::periodic && world != World::handles;
            const std::vector<Edit<kDim>> back = {Edit<kDim>::move(3, scene.position_of(3))};
            std::size_t taken = 0;
            (void)maker.with(scene, [&](const auto& agents) {
                for (int f = 0; f < 8; ++f) {
                    const std::size_t before = test::allocations();
                    Status status = run_steps(change, change.update(crowd, agents, 4));
                    if (edits && status.ok()) {
                        status = run_steps(change, change.edit(crowd, back));
                    }
                    taken = test::allocations() - before;
                    EXPECT_EQ(status, Status{});
                }
                return Status();
            });
            EXPECT_EQ(taken, 0u);
        }
    }
}

TYPED_TEST(CrowdChanges, LittleWorkIsWorthOneThread) {
    constexpr std::size_t kDim = TypeParam::value;
    auto few = with_giants<kDim>(100, Groups::none);
    auto many = with_giants<kDim>(300'000, Groups::none);
    Crowd<kDim> crowd;
    CrowdChange<kDim> change;
    ASSERT_EQ(run_steps(change, change.update(crowd, many.agents(), 8)), Status{});
    ASSERT_EQ(change.update(crowd, many.agents(), 8), Status{});
    EXPECT_GT(change.threads_worth(), 2u);
    EXPECT_LT(change.threads_worth(), 100u);
    EXPECT_GE(change.blocks(), 8u);
    ASSERT_EQ(change.update(crowd, few.agents(), 8), Status{});
    EXPECT_EQ(change.threads_worth(), 1u);
    change.cancel();
    EXPECT_EQ(crowd.size(), many.size());
}

/// With memory from the heap, or from the crowd's own source.
class CrowdChangesOutOfMemory : public testing::TestWithParam<bool> {
protected:
    template <class Begin>
    void each(World world, bool full, const Begin& begin) {
        SCOPED_TRACE(static_cast<int>(world));
        Maker<2> maker(world, first_, GetParam() ? &memory_ : nullptr);
        const auto make = [&] {
            Crowd<2> crowd = maker.made(first_);
            if (full) { EXPECT_EQ(maker.update(crowd, first_), Status{}); }
            return crowd;
        };
        const auto call = [&](Crowd<2>& crowd) {
            CrowdChange<2> change;
            return run_steps(change, begin(maker, change, crowd));
        };
        test::fail_each_allocation(make, call, [](const Crowd<2>& crowd) {
            // Memory that a failing save() asks for is not the crowd's.
            return bytes_of(crowd);
        });
        EXPECT_EQ(memory_.used(), 0u);
    }

    CappedMemory memory_{std::numeric_limits<std::size_t>::max()};
    scenes::Scene<2> first_ = with_giants<2>(300, Groups::masks);
    scenes::Scene<2> second_ = with_giants<2>(900, Groups::masks, 4);
};
INSTANTIATE_TEST_SUITE_P(, CrowdChangesOutOfMemory, testing::Bool(), [](const auto& of) {
    return of.param ? std::string("a_source") : std::string("the_heap");
});

TEST_P(CrowdChangesOutOfMemory, ChangeNothing) {
    const test::AllocationsFail somewhere;
    for (const World world : kWorlds) {
        for (const bool full : {false, true}) {
            // With handles there are as many elements as slots.
            auto& scene = world == World::handles ? first_ : second_;
            if (world == World::handles && full) { continue; }
            each(world, full, [&](Maker<2>& maker, CrowdChange<2>& change, Crowd<2>& crowd) {
                return maker.begin(change, crowd, scene, 8);
            });
        }
    }
    std::vector<Edit<2>> edits = edits_of(first_);
    for (Id id = 0; id < 100; id += 2) {
        edits.push_back(Edit<2>::move(id, first_.position_of(id % 7)));
    }
    edits.erase(std::remove_if(edits.begin(), edits.end(),
                               [](const Edit<2>& edit) { return edit.id == 31; }),
                edits.end());
    for (const World world : {World::bounded, World::periodic, World::doubles}) {
        each(world, true, [&](Maker<2>&, CrowdChange<2>& change, Crowd<2>& crowd) {
            return change.edit(crowd, edits);
        });
    }
}

/// The crowd's own source refuses memory to a block on a thread of the host.
TEST(CrowdChangesOnThreads, SayThatTheSourceHasRefused) {
    test::Ledger ledger;
    auto scene = scenes::make<2>("uniform", 3000);
    std::vector<Edit<2>> edits;
    for (Id id = 0; id < 1000; ++id) {
        edits.push_back(Edit<2>::move(id, scene.position_of(7)));
    }
    Crowd<2> crowd = Maker<2>(World::bounded, scene, &ledger).made(scene);
    ASSERT_EQ(crowd.update(scene.agents()), Status{});
    const auto before = bytes_of(crowd);
    CrowdChange<2> change;
    ASSERT_EQ(change.edit(crowd, edits), Status{});
    ASSERT_GT(change.blocks(), 1u);
    ledger.set_cap(ledger.used());
    std::thread([&] { change.run(0, change.blocks()); }).join();
    EXPECT_EQ(change.next(), (Status{Cause::over_memory, Argument::memory}));
    EXPECT_EQ(change.blocks(), 0u);
    EXPECT_NE(ledger.refused(), 0u);
    EXPECT_TRUE(bytes_of(crowd) == before);
    ledger.set_cap(~std::size_t{0});
    Crowd<2> expected = Maker<2>(World::bounded, scene).made(scene);
    ASSERT_EQ(expected.update(scene.agents()), Status{});
    ASSERT_EQ(expected.edit(edits), Status{});
    ASSERT_EQ(run_steps(change, change.edit(crowd, edits)), Status{});
    EXPECT_TRUE(bytes_of(crowd) == bytes_of(expected));
}

} // namespace
} // namespace throng
