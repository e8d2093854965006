// Memory taken before the first update: what it saves, and that it changes nothing.
#include <throng/engine/agents/grid_shape.hpp>
#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/grid/row_grid.hpp>
#include <throng/engine/grid/store/state.hpp>

#include "../../support/allocation_counter.hpp"
#include "../../support/answers.hpp"
#include "../../support/dims.hpp"
#include "../../support/fail_each.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <limits>
#include <utility>

namespace throng {
namespace {

using scenes::Groups;

template <class Dim>
class Reserve : public testing::Test {};
TYPED_TEST_SUITE(Reserve, test::Dims, test::DimNames);

/// A grid for the scene's agents that has none yet.
template <std::size_t Dim>
RowGrid<Dim> empty_for(scenes::Scene<Dim>& scene) {
    auto grid = test::grid_of(scene);
    RowGrid<Dim> empty;
    EXPECT_EQ(empty.use(grid.shape(), grid.kind()), Status{});
    return empty;
}

TYPED_TEST(Reserve, TheFirstUpdatesAllocateNothing) {
    constexpr std::size_t kDim = TypeParam::value;
    constexpr std::size_t kMost = 60'000;
    for (const Groups groups : {Groups::none, Groups::masks}) {
        auto most = scenes::make<kDim>("uniform", kMost, groups);
        for (const std::size_t agents : {kMost, kMost - 1, kMost / 2, kMost / 3, kMost / 31,
                                         std::size_t{1000}, std::size_t{1}}) {
            SCOPED_TRACE(agents);
            auto grid = empty_for(most);
            ASSERT_EQ(grid.reserve(kMost), Status{});
            auto given = most.agents(); // the first of them, which are as evenly spread
            given.positions.count = agents;
            if (groups == Groups::masks) { given.groups.count = agents; }
            for (int frame = 0; frame < 3; ++frame) {
                const std::size_t before = test::allocations();
                const Status status = grid.update(given);
                EXPECT_EQ(test::allocations(), before) << frame;
                ASSERT_EQ(status, Status{});
            }
            EXPECT_STREQ(grid.validate(), nullptr);
        }
    }
}

TYPED_TEST(Reserve, LeavesAgentsAndAnswersAsTheyAre) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const char* name : {"uniform", "clustered", "mixed_sizes", "two_corners"}) {
        SCOPED_TRACE(name);
        auto scene = scenes::make<kDim>(name, 3000, Groups::masks);
        const auto expected = test::answers_of(test::grid_of(scene), scene);
        auto grid = test::grid_of(scene);
        // Some rows have blocks of their own.
        for (Id id = 0; id < 300; ++id) {
            ASSERT_EQ(grid.move(id, scene.position_of(id + 1)), Status{});
        }
        for (Id id = 0; id < 300; ++id) {
            ASSERT_EQ(grid.move(id, scene.position_of(id)), Status{});
        }
        for (const std::size_t agents : {std::size_t{0}, std::size_t{10}, scene.size(),
                                         std::size_t{100'000}, std::size_t{50}}) {
            ASSERT_EQ(grid.reserve(agents), Status{});
            ASSERT_STREQ(grid.validate(), nullptr);
            ASSERT_TRUE(test::answers_of(grid, scene) == expected) << agents;
        }
        const std::size_t before = grid.memory().total();
        ASSERT_EQ(grid.reserve(100'000), Status{});
        EXPECT_EQ(grid.memory().total(), before); // there is nothing left to take
        ASSERT_EQ(grid.update(scene.agents()), Status{});
        EXPECT_TRUE(test::answers_of(grid, scene) == expected);
    }
}

TYPED_TEST(Reserve, LeavesWhatWasPackedFromTheAgentsRight) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 3000);
    auto grid = test::grid_of(scene);
    const Edition before = detail::state_of(grid).edition;
    for (const std::size_t agents : {0u, 10u, 100'000u}) {
        ASSERT_EQ(grid.reserve(agents), Status{});
        EXPECT_TRUE(detail::state_of(grid).edition == before) << agents;
    }
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    EXPECT_FALSE(detail::state_of(grid).edition == before);
}

TYPED_TEST(Reserve, RefusesWhatCannotBe) {
    constexpr std::size_t kDim = TypeParam::value;
    RowGrid<kDim> grid;
    EXPECT_EQ(grid.reserve(10), Status{Cause::not_configured});
    Crowd<kDim> crowd;
    EXPECT_EQ(crowd.reserve(10), Status{Cause::not_configured});
    auto scene = scenes::make<kDim>("uniform", 100);
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    ASSERT_EQ(crowd.update(scene.agents()), Status{});
    constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
    EXPECT_EQ(grid.reserve(kAll), (Status{Cause::too_many, Argument::positions, kMaxAgents}));
    EXPECT_EQ(crowd.reserve(kAll), (Status{Cause::too_many, Argument::positions, kMostInCrowd}));
    EXPECT_EQ(grid.size(), 100u);
    EXPECT_EQ(crowd.size(), 100u);
}

TYPED_TEST(Reserve, WithoutMemoryNothingHasChanged) {
    const test::AllocationsFail somewhere;
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("clustered", 500, Groups::masks);
    test::fail_each_allocation([&] { return test::grid_of(scene); },
                               [](RowGrid<kDim>& grid) { return grid.reserve(20'000); },
                               [&](const RowGrid<kDim>& grid) {
                                   EXPECT_STREQ(grid.validate(), nullptr);
                                   return test::answers_of(grid, scene);
                               });
    test::fail_each_allocation(
        [&] {
            Crowd<kDim> crowd;
            EXPECT_EQ(crowd.update(scene.agents()), Status{});
            return crowd;
        },
        [](Crowd<kDim>& crowd) { return crowd.reserve(20'000); },
        [&](const Crowd<kDim>& crowd) {
            EXPECT_STREQ(crowd.validate(), nullptr);
            std::vector<Id> order(crowd.size());
            EXPECT_EQ(crowd.order(order), order.size());
            return order;
        });
}

TYPED_TEST(Reserve, TheFirstFramesOfACrowdAllocateNothing) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 30'000);
    const auto agents = scene.agents();
    for (const bool wraps : {false, true}) {
        CrowdSettings<kDim> settings;
        settings.bounds = scene.world;
        settings.cell = scene.cell;
        settings.periodic[0] = wraps;
        Crowd<kDim> crowd;
        ASSERT_EQ(crowd.configure(settings), Status{});
        ASSERT_EQ(crowd.reserve(scene.size()), Status{});
        for (int frame = 0; frame < 3; ++frame) {
            const std::size_t before = test::allocations();
            const Status status = crowd.update(agents);
            EXPECT_EQ(test::allocations(), before) << frame;
            ASSERT_EQ(status, Status{});
        }
        EXPECT_STREQ(crowd.validate(), nullptr);
    }
}

} // namespace
} // namespace throng
