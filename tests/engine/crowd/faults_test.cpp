// Refused and failed calls of a crowd change nothing; and which calls allocate.
#include "../../support/dims.hpp"
#include "../../support/fail_each.hpp"
#include "../../support/numbers.hpp"
#include "../../support/threads/executors.hpp"
#include "crowd_truth.hpp"

#include <new>
#include <utility>

namespace throng {
namespace {

using test::kInfinity;
using test::kNan;

template <class Constant>
class CrowdFaults : public test::CrowdOf400<Constant> {};
TYPED_TEST_SUITE(CrowdFaults, test::Dims, test::DimNames);

template <class Constant>
class CrowdMemory : public test::CrowdOf400<Constant> {};
TYPED_TEST_SUITE(CrowdMemory, test::Dims, test::DimNames);

TYPED_TEST(CrowdFaults, NameTheAgentWhoMakesNoSense) {
    constexpr std::size_t kDim = TypeParam::value;
    ASSERT_NO_FATAL_FAILURE(this->take([](std::size_t i) { return i % 10 == 0; }));
    auto& truth = this->truth_;
    const auto refused = [&](std::size_t i, float position, float half) {
        auto worse = this->scene_;
        worse.position[kDim - 1][i] = position;
        worse.half_extent[0][i] = half;
        const Status status = truth.update(worse); // as brute force has it
        EXPECT_FALSE(status.ok());
        EXPECT_EQ(status.index, i);
    };
    for (const std::size_t i : {0u, 1u, 399u, 390u}) {
        for (const float bad : {kNan, kInfinity, 2e18f}) {
            refused(i, bad, 8.0f);
            refused(i, bad, 0.25f);
            refused(i, 0.0f, bad);
        }
        refused(i, -kInfinity, 0.25f);
        refused(i, 0.0f, -8.0f);
        refused(i, 0.0f, -1e-40f);
    }
    // Faults in statics are blamed on statics.
    auto worse = this->still_;
    worse.half_extent[0][17] = -1.0f;
    EXPECT_EQ(truth.crowd.set_statics(worse.agents()),
              (Status{Cause::negative, Argument::statics, 17}));
    ASSERT_NO_FATAL_FAILURE(truth.check_all(test::Questions<kDim>(this->scene_, 2)));
}

TYPED_TEST(CrowdFaults, OfTheLastOfAMillionAreFound) {
    constexpr std::size_t kDim = TypeParam::value;
    constexpr std::size_t kCount = 1'000'000;
    auto scene = scenes::make_uniform<kDim>(kCount);
    for (auto& axis : scene.half_extent) {
        axis.assign(kCount, 0.25f);
        axis[500'000] = 8.0f;
    }
    Crowd<kDim> crowd;
    ASSERT_EQ(crowd.update(scene.agents()), Status{});
    scene.position[0][kCount - 1] = test::kNan;
    const Status wanted{Cause::not_finite, Argument::positions, kCount - 1};
    EXPECT_EQ(crowd.update(scene.agents()), wanted);
    scene.half_extent[1][kCount - 1] = 8.0f;
    EXPECT_EQ(crowd.update(scene.agents()), wanted);
    Crowd<kDim> none;
    EXPECT_EQ(none.update(scene.agents()), wanted);
    EXPECT_EQ(none.size(), 0u);
    EXPECT_EQ(crowd.size(Sets::giants), 1u);
    EXPECT_EQ(crowd.size(), kCount);
    EXPECT_TRUE(crowd.grid().contains(Id{kCount - 1}));
}

TYPED_TEST(CrowdFaults, OfMemoryChangeNothing) {
    const test::AllocationsFail somewhere;
    constexpr std::size_t kDim = TypeParam::value;
    using Change = Edit<kDim>;
    auto scene = test::with_giants<kDim>(
        150, [](std::size_t i) { return i % 6 == 0; }, 32.0f, scenes::Groups::masks);
    auto other = test::with_giants<kDim>(700, [](std::size_t i) { return i % 3 == 0; });
    other.half_extent[0][1] = 0.125f;
    auto still = scenes::make<kDim>("uniform", 20);
    auto more_still = scenes::make<kDim>("mixed_sizes", 300);
    const auto make = [&] {
        Crowd<kDim> crowd;
        EXPECT_EQ(crowd.set_statics(still.agents()), Status{});
        EXPECT_EQ(crowd.update(scene.agents()), Status{});
        EXPECT_EQ(crowd.erase(12), Status{}); // a hole
        return crowd;
    };
    const auto say = [&](const Crowd<kDim>& crowd) {
        EXPECT_STREQ(crowd.validate(), nullptr);
        test::Ids said = test::visited(crowd, test::CrowdTruth<kDim>::everywhere());
        for (const Box<kDim>& box : scene.boxes) {
            const test::Ids ids = test::visited(crowd, box);
            said.insert(said.end(), ids.begin(), ids.end());
        }
        for (const Ball<kDim>& ball : scene.balls) {
            const test::Ids ids = test::visited(crowd, ball);
            said.insert(said.end(), ids.begin(), ids.end());
        }
        for (const auto& [a, b] : test::pairs_of(crowd)) {
            said.insert(said.end(), {a, b});
        }
        for (const std::size_t n :
             {crowd.size(), crowd.size(Sets::statics), crowd.size(Sets::giants), crowd.id_bound(),
              std::size_t{crowd.kind().groups}}) {
            said.push_back(static_cast<Id>(n));
        }
        return said;
    };
    const auto fail_each = [&](const auto& call) {
        ASSERT_NO_FATAL_FAILURE(test::fail_each_allocation(make, call, say));
    };
    const Agent<kDim> giant{Point<kDim>::all(3.0f), Point<kDim>::all(9.0f), 1u};
    const Agent<kDim> small{Point<kDim>::all(2.0f), Point<kDim>::all(0.25f), 1u};
    fail_each([&](Crowd<kDim>& crowd) { return crowd.update(other.agents()); });
    std::vector<Id> names;
    for (Id id = 700; id-- > 0;) {
        names.push_back(id + 2);
    }
    fail_each([&](Crowd<kDim>& crowd) { return crowd.update(other.agents(), names); });
    fail_each([&](Crowd<kDim>& crowd) { return crowd.set_statics(more_still.agents()); });
    fail_each([&](Crowd<kDim>& crowd) { return crowd.insert(900, giant); });
    fail_each([&](Crowd<kDim>& crowd) { return crowd.insert(900, small); });
    fail_each([&](Crowd<kDim>& crowd) { return crowd.erase(6); });
    fail_each([&](Crowd<kDim>& crowd) { return crowd.move(6, Point<kDim>::all(1e5f)); });
    fail_each([&](Crowd<kDim>& crowd) { return crowd.move(7, Point<kDim>::all(1e5f)); });
    const std::vector<Change> edits{Change::insert(900, giant), Change::erase(0),
                                    Change::move(7, giant.position), Change::insert(901, small)};
    fail_each([&](Crowd<kDim>& crowd) { return crowd.edit(edits); });
    // The first update has shared the statics with the new cells, so their first edit copies them.
    const Agent<kDim> castle{Point<kDim>::all(3.0f), Point<kDim>::all(9.0f), {}};
    const std::vector<Change> of_statics{Change::insert(static_id(70), castle),
                                         Change::erase(static_id(3)), Change::move(7, {}),
                                         Change::move(static_id(70), {})};
    fail_each([&](Crowd<kDim>& crowd) { return crowd.insert(static_id(70), castle); });
    fail_each([&](Crowd<kDim>& crowd) { return crowd.erase(static_id(3)); });
    fail_each([&](Crowd<kDim>& crowd) { return crowd.move(static_id(3), castle.position); });
    fail_each([&](Crowd<kDim>& crowd) { return crowd.edit(of_statics); });
    fail_each([&](Crowd<kDim>& crowd) {
        return crowd.edit(std::span<const Change>(of_statics).first(1));
    });
    const auto alone = [&] {
        Crowd<kDim> crowd = make();
        EXPECT_EQ(crowd.erase(static_id(5)), Status{});
        return crowd;
    };
    const auto fail_alone = [&](const auto& call) {
        ASSERT_NO_FATAL_FAILURE(test::fail_each_allocation(alone, call, say));
    };
    fail_alone([&](Crowd<kDim>& crowd) { return crowd.insert(static_id(70), castle); });
    fail_alone([&](Crowd<kDim>& crowd) { return crowd.erase(static_id(3)); });
    fail_alone([&](Crowd<kDim>& crowd) { return crowd.move(static_id(3), castle.position); });
    // With a second set of statics, and one of giants, from lists before.
    const auto listed = [&] {
        Crowd<kDim> crowd = alone();
        for (const Id erased : {static_id(6), static_id(7), static_id(8)}) {
            const Change both[] = {Change::erase(erased), Change::move(0, {})};
            EXPECT_EQ(crowd.edit(both), Status{});
        }
        return crowd;
    };
    ASSERT_NO_FATAL_FAILURE(test::fail_each_allocation(
        listed, [&](Crowd<kDim>& crowd) { return crowd.edit(of_statics); }, say));
    ASSERT_NO_FATAL_FAILURE(test::fail_each_allocation(
        listed, [&](Crowd<kDim>& crowd) { return crowd.edit(edits); }, say));
    const auto bare = [&] {
        Crowd<kDim> crowd;
        EXPECT_EQ(crowd.update(scene.agents()), Status{});
        return crowd;
    };
    ASSERT_NO_FATAL_FAILURE(test::fail_each_allocation(
        bare, [&](Crowd<kDim>& crowd) { return crowd.insert(static_id(70), castle); }, say));
    // So many that an update makes them.
    std::vector<Change> many;
    for (Id id = 20; id < 60; ++id) {
        many.push_back(Change::move(id, Point<kDim>::all(static_cast<float>(id))));
    }
    fail_each([&](Crowd<kDim>& crowd) { return crowd.edit(many); });
    fail_each([&](Crowd<kDim>& crowd) { return crowd.configure({scene.world, scene.cell}, {}); });

    // The crowd makes its next giants in a spare set. A spare set whose updates failed halfway is
    // as good as a new one.
    Crowd<kDim> crowd = make();
    for (std::size_t successes = 0; successes < 300; ++successes) {
        const test::FailingAllocations failing(successes);
        try {
            (void)crowd.update(successes % 2 == 0 ? other.agents() : scene.agents());
        } catch (const std::bad_alloc&) { continue; }
    }
    ASSERT_EQ(crowd.update(scene.agents()), Status{});
    Crowd<kDim> fresh;
    ASSERT_EQ(fresh.update(scene.agents()), Status{});
    EXPECT_EQ(test::pairs_of(crowd), test::pairs_of(fresh));
    ASSERT_STREQ(crowd.validate(), nullptr);
}

TYPED_TEST(CrowdFaults, OfExecutorsChangeNothing) {
    constexpr std::size_t kDim = TypeParam::value;
    using Change = Edit<kDim>;
    using test::Fault;
    auto scene = test::with_giants<kDim>(
        18'000, [](std::size_t i) { return i % 50 == 0; }, 9.0f);
    auto other = test::with_giants<kDim>(
        17'000, [](std::size_t i) { return i % 40 == 1; }, 9.0f);
    std::vector<Change> edits;
    for (Id id = 0; id < 5000; ++id) {
        edits.push_back(Change::move(id, scene.position_of(id + 20)));
    }
    Crowd<kDim> crowd;
    const auto begin = [&] {
        ASSERT_EQ(crowd.update(scene.agents()), Status{});
        ASSERT_EQ(crowd.set_statics(scene.agents()), Status{});
    };
    begin();
    const auto everywhere = test::CrowdTruth<kDim>::everywhere();
    const test::Ids before = test::visited(crowd, everywhere);
    for (const auto fault : test::kEveryFault) {
        for (int what = 0; what < 3; ++what) {
            std::size_t refused = 0;
            for (std::size_t run = 0; run < 30; ++run) {
                test::FaultyExecutor executor(fault, run);
                bool done = false;
                try {
                    const Status status = what == 0   ? crowd.update(other.agents(), executor)
                                          : what == 1 ? crowd.edit(edits, executor)
                                                      : crowd.set_statics(other.agents(), executor);
                    done = status.ok();
                    if (!done) { ASSERT_EQ(status.argument, Argument::executor); }
                } catch (const test::ExecutorError&) { done = false; }
                if (!done) {
                    ASSERT_TRUE(executor.failed());
                    ++refused;
                    ASSERT_EQ(test::visited(crowd, everywhere), before);
                    continue;
                }
                // A call that can no longer fail is completed.
                ASSERT_STREQ(crowd.validate(), nullptr);
                crowd = {};
                begin();
                ASSERT_EQ(test::visited(crowd, everywhere), before);
                if (!executor.failed()) { break; }
            }
            EXPECT_EQ(refused != 0, fault != Fault::repeat);
        }
    }
    ASSERT_STREQ(crowd.validate(), nullptr);
}

/// A crowd with 3,000 handles, and the handles that are alive.
template <std::size_t Dim>
struct Named {
    Crowd<Dim> crowd;
    std::vector<Agent<Dim>> agents;
    std::vector<Handle> handles;

    Named() {
        auto scene = test::with_giants<Dim>(
            3000, [](std::size_t i) { return i % 50 == 0; }, 9.0f);
        for (std::size_t i = 0; i < scene.size(); ++i) {
            agents.push_back({scene.position_of(i), scene.half_extent_of(i), {}});
        }
        handles.resize(agents.size());
        EXPECT_EQ(crowd.configure({scene.world, scene.cell}, {true, false, {}}), Status{});
        EXPECT_EQ(crowd.add(agents, handles), Status{});
    }
};

TYPED_TEST(CrowdFaults, OfExecutorsLoseNoHandle) {
    constexpr std::size_t kDim = TypeParam::value;
    using test::Fault;
    const auto everywhere = test::CrowdTruth<kDim>::everywhere();
    for (const auto fault : test::kEveryFault) {
        for (const bool adds : {true, false}) {
            bool failed = true;
            for (std::size_t run = 0; failed; ++run) {
                Named<kDim> named;
                Crowd<kDim>& crowd = named.crowd;
                const test::Ids before = test::visited(crowd, everywhere);
                std::vector<Handle> more(named.agents.size());
                test::FaultyExecutor executor(fault, run, run + 1);
                bool done = false;
                try {
                    const Status status = adds ? crowd.add(named.agents, more, executor)
                                               : crowd.remove(named.handles, executor);
                    done = status.ok();
                    if (!done) { ASSERT_EQ(status.argument, Argument::executor); }
                } catch (const test::ExecutorError&) { done = false; }
                failed = executor.failed();
                ASSERT_STREQ(crowd.validate(), nullptr);
                const bool gone = done && !adds;
                for (const Handle& handle : named.handles) {
                    ASSERT_EQ(crowd.check(handle).ok(), !gone);
                }
                for (const Handle& handle : more) {
                    ASSERT_EQ(crowd.check(handle).ok(), done && adds);
                }
                if (!done) { ASSERT_EQ(test::visited(crowd, everywhere), before); }
                if (done) { ASSERT_EQ(crowd.size(), adds ? 6000u : 0u); }
                ASSERT_TRUE(failed || done);
            }
        }
    }
}

// A crowd that moves, whose giants come and go, and a single giant that walks far.
TYPED_TEST(CrowdMemory, StaysAsItIsInTheLongRun) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const std::uint32_t one_in : {50u, 5000u}) {
        auto scene = test::with_giants<kDim>(4000, [&](std::size_t i) { return i % one_in == 1; });
        const auto home = scene.position;
        scenes::Random random(17);
        Crowd<kDim> crowd;
        std::size_t before = 0;
        for (int frame = 0; frame < 120; ++frame) {
            if (frame == 60) { before = test::allocations(); }
            for (std::size_t a = 0; a < kDim; ++a) {
                for (std::size_t i = 0; i < scene.size(); ++i) {
                    scene.position[a][i] = home[a][i] + random.between(-1.0f, 1.0f);
                }
                scene.position[a][1] = home[a][1] + 5.0f * static_cast<float>(frame % 10);
                if (one_in == 50) { std::swap(scene.half_extent[a][1], scene.half_extent[a][2]); }
            }
            ASSERT_EQ(crowd.update(scene.agents()), Status{});
        }
        EXPECT_LE(test::allocations() - before, 6u) << one_in;
        EXPECT_EQ(crowd.size(Sets::giants), 4000 / one_in + (one_in == 5000 ? 1 : 0));
    }
}

TYPED_TEST(CrowdMemory, IsGivenBackWhereItIsScratch) {
    constexpr std::size_t kDim = TypeParam::value;
    ASSERT_NO_FATAL_FAILURE(this->take([](std::size_t i) { return i % 3 == 0; }));
    Crowd<kDim>& crowd = this->truth_.crowd;
    ASSERT_EQ(this->truth_.update(this->scene_), Status{});
    const MemoryUse before = crowd.memory();
    crowd.release_staging();
    EXPECT_LT(crowd.memory().staging, before.staging / 2);
    EXPECT_EQ(crowd.memory().index(), before.index());
    ASSERT_NO_FATAL_FAILURE(this->truth_.check_pairs(PairSets::all, kAllGroups));
    const Agent<kDim> giant{Point<kDim>::all(3.0f), Point<kDim>::all(25.0f), {}};
    ASSERT_EQ(this->truth_.apply(Edit<kDim>::insert(900, giant)), Status{});
    const std::vector<Edit<kDim>> edits{Edit<kDim>::insert(901, giant)};
    ASSERT_EQ(this->truth_.apply(edits), Status{});
    ASSERT_EQ(this->truth_.update(this->scene_), Status{});
}

} // namespace
} // namespace throng
