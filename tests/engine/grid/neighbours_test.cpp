// A crowd cut into slices: every agent is in exactly one slice, however the crowd has changed since
// the cut, and parts give the same answers as the whole.
#include <throng/engine/agents/grid_shape.hpp>
#include <throng/engine/grid/row_grid.hpp>

#include "../../../engine/grid/grid_parts.hpp"
#include "../../support/dims.hpp"
#include "range_calls.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace throng {
namespace {

using test::Ids;
using test::kCanary;
using test::Lists;
using test::PairLists;
using test::Truth;

template <class Dim>
class RowGridSlices : public testing::Test {};
TYPED_TEST_SUITE(RowGridSlices, test::Dims, test::DimNames);

/// A radius with neighbours, but few enough for a quick test.
constexpr Neighbourhood kAsked{0.8f, false, kAllGroups};

/// Expects that slices begin ... end - 1 hold the next agents of `order`; returns how many.
template <std::size_t Dim>
std::size_t check_order(const RowGrid<Dim>& grid, std::size_t begin, std::size_t end,
                        const Ids& order, std::size_t before) {
    const std::size_t agents = grid.parts().agents_in(begin, end);
    EXPECT_LE(before + agents, order.size());
    if (before + agents > order.size()) { return 0; }
    const auto wanted = order.begin() + static_cast<std::ptrdiff_t>(before);
    for (const std::size_t room : {agents + 3, agents, agents / 2, std::size_t{0}}) {
        Ids ids(agents + 4, kCanary);
        EXPECT_EQ(grid.parts().order(begin, end, std::span<Id>(ids).first(room)), agents);
        const auto written = static_cast<std::ptrdiff_t>(std::min(room, agents));
        EXPECT_TRUE(std::equal(ids.begin(), ids.begin() + written, wanted));
        EXPECT_EQ(std::count(ids.begin() + written, ids.end(), kCanary),
                  ids.end() - (ids.begin() + written));
    }
    return agents;
}

/// Checks each slice, and ranges with every beginning and every end: together they list every agent
/// once, in order.
template <std::size_t Dim>
void check_slices(const RowGrid<Dim>& grid, const Ids& order) {
    const std::size_t slices = grid.parts().slices();
    ASSERT_EQ(slices == 0, order.empty());
    std::size_t before = 0;
    for (std::size_t s = 0; s < slices; ++s) {
        ASSERT_EQ(check_order(grid, 0, s, order, 0), before);
        ASSERT_EQ(check_order(grid, s, slices, order, before), order.size() - before);
        ASSERT_EQ(check_order(grid, s, s, order, before), 0u);
        before += check_order(grid, s, s + 1, order, before);
    }
    ASSERT_EQ(check_order(grid, slices, slices, order, before), 0u);
    ASSERT_EQ(before, order.size());
}

/// All that can be asked of slices, each slice alone and the halves, against the oracle.
template <std::size_t Dim>
void check_answers(const RowGrid<Dim>& grid, const Truth<Dim>& truth) {
    const test::CanonicalOrder order = truth.order(grid.shape());
    ASSERT_EQ(grid.validate(), nullptr);
    ASSERT_NO_FATAL_FAILURE(check_slices(grid, order.ids()));
    const Lists neighbours =
        test::lists_of(test::in_storage_order(truth.neighbours(kAsked), order));
    const PairLists pairs =
        test::lists_of(test::pairs_within(truth.touching(truth, kAllGroups), order));
    const std::size_t slices = grid.parts().slices();
    for (const std::size_t step : {std::size_t{1}, slices / 2 + 1, slices + 1}) {
        Lists near;
        PairLists touching;
        std::vector<std::uint32_t> near_counts;
        std::size_t touching_count = 0;
        for (std::size_t s = 0; s < slices; s += step) {
            const std::size_t end = std::min(s + step, slices);
            near.append(test::neighbours_in(grid, kAsked, s, end));
            const auto counts = test::neighbour_counts_in(grid, kAsked, s, end);
            near_counts.insert(near_counts.end(), counts.begin(), counts.end());
            touching.append(test::pairs_in(grid, s, end));
            touching_count += grid.parts().count_pairs(s, end).count;
        }
        ASSERT_TRUE(near == neighbours) << "slices by " << step; // not printed: there are many
        ASSERT_TRUE(near_counts == neighbours.counts()) << "slices by " << step;
        ASSERT_TRUE(touching == pairs) << "slices by " << step;
        ASSERT_EQ(touching_count, pairs.first.size());
    }
}

// Rows longer than a slice, and slices of many rows.
TYPED_TEST(RowGridSlices, CutCrowdsOfEveryKind) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const std::string_view name : {"uniform", "clustered", "mixed_sizes", "two_corners"}) {
        SCOPED_TRACE(name);
        auto scene = scenes::make<kDim>(name, 1600);
        Truth<kDim> truth;
        ASSERT_EQ(truth.update(scene.agents()), Status{});
        for (const float width : {1.0f, 1000.0f}) {
            Point<kDim> cell = scene.cell;
            cell[kDim - 1] *= width;
            RowGrid<kDim> grid;
            ASSERT_EQ(grid.configure(scene.world, cell), Status{});
            ASSERT_EQ(grid.update(scene.agents()), Status{});
            ASSERT_GE(grid.parts().slices(), 3u);
            ASSERT_NO_FATAL_FAILURE(check_answers(grid, truth));
        }
    }
}

TYPED_TEST(RowGridSlices, AreOfSimilarSize) {
    auto scene = scenes::make_clustered<TypeParam::value>(10'000, 5);
    const auto grid = test::grid_of(scene);
    ASSERT_GE(grid.parts().slices(), 10'000u / 1024);
    for (std::size_t s = 0; s + 1 < grid.parts().slices(); ++s) {
        EXPECT_GE(grid.parts().agents_in(s, s + 1), 256u);
        EXPECT_LE(grid.parts().agents_in(s, s + 1), 1024u);
    }
}

TYPED_TEST(RowGridSlices, StayRightThroughSingleEdits) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("clustered", 1500, scenes::Groups::masks);
    Truth<kDim> truth;
    ASSERT_EQ(truth.update(scene.agents()), Status{});
    auto grid = test::grid_of(scene);
    scenes::Random random(5);
    const Point<kDim> corner = Point<kDim>::all(1.5f);
    const auto somewhere = [&] {
        Point<kDim> point;
        for (float& x : point.axis) {
            x = random.between(-2.0f, scene.world.hi[0] + 2.0f);
        }
        return point;
    };
    // Every other agent leaves, so that rows where slices begin grow short or vanish, ...
    for (Id id = 0; id < 1500; id += 1 + id % 2) {
        ASSERT_EQ(truth.erase(id), Status{});
        ASSERT_EQ(grid.erase(id), Status{});
    }
    ASSERT_NO_FATAL_FAILURE(check_answers(grid, truth));
    // ... others go to a corner, where slices grow too long, or anywhere at all, ...
    for (Id id = 0; id < 1500; ++id) {
        if (!truth.contains(id)) { continue; }
        const Point<kDim> to = id % 4 == 1 ? corner : somewhere();
        ASSERT_EQ(truth.move(id, to), Status{});
        ASSERT_EQ(grid.move(id, to), Status{});
    }
    ASSERT_NO_FATAL_FAILURE(check_answers(grid, truth));
    // ... and enough come that the crowd is cut anew, and then some more.
    const std::size_t slices = grid.parts().slices();
    for (Id id = 1500; id < 4000; ++id) {
        const Agent<kDim> agent{somewhere(), {}, 1u << id % 4};
        ASSERT_EQ(truth.insert(id, agent), Status{});
        ASSERT_EQ(grid.insert(id, agent), Status{});
    }
    EXPECT_GT(grid.parts().slices(), slices);
    ASSERT_NO_FATAL_FAILURE(check_answers(grid, truth));
}

TYPED_TEST(RowGridSlices, StayRightThroughBatchesOfEdits) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 1100);
    Truth<kDim> truth;
    ASSERT_EQ(truth.update(scene.agents()), Status{});
    auto grid = test::grid_of(scene);
    scenes::Random random(6);
    for (int batch = 0; batch < 4; ++batch) {
        std::vector<Edit<kDim>> edits;
        const auto base = static_cast<Id>(1100 + 300 * batch);
        for (Id id = 0; id < base; ++id) {
            if (!truth.contains(id) || random.below(3) != 0) { continue; }
            if (id % 5 == 0) {
                ASSERT_EQ(truth.erase(id), Status{});
                edits.push_back(Edit<kDim>::erase(id));
            } else {
                // Agents gather in one row, which in the end is at the border of the world.
                Point<kDim> to = truth[id].position;
                to[kDim - 1] = scene.world.hi[0] * 0.5f * static_cast<float>(batch);
                ASSERT_EQ(truth.move(id, to), Status{});
                edits.push_back(Edit<kDim>::move(id, to));
            }
        }
        for (Id id = base; id < base + 300; ++id) {
            Agent<kDim> agent{Point<kDim>::all(random.between(0.0f, 9.0f)), {}, {}};
            agent.position[0] = random.between(-1.0f, 9.0f);
            ASSERT_EQ(truth.insert(id, agent), Status{});
            edits.push_back(Edit<kDim>::insert(id, agent));
        }
        ASSERT_EQ(grid.edit(edits), Status{});
        ASSERT_NO_FATAL_FAILURE(check_answers(grid, truth));
    }
}

TYPED_TEST(RowGridSlices, OfAGridFilledByInsertsAlone) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 2000);
    Truth<kDim> truth;
    const CrowdKind<kDim> kind{false, false, scene.common_half_extent};
    ASSERT_EQ(truth.configure(kind), Status{});
    RowGrid<kDim> grid;
    ASSERT_EQ(grid.configure(scene.world, scene.cell, kind), Status{});
    ASSERT_EQ(grid.parts().slices(), 0u);
    for (Id i = 0; i < 2000; ++i) {
        const Id id = (i * 7 + 3) % 2000;
        const Agent<kDim> agent{scene.position_of(id), {}, {}};
        ASSERT_EQ(truth.insert(id, agent), Status{});
        ASSERT_EQ(grid.insert(id, agent), Status{});
        if ((i & (i + 1)) == 0) { // 1, 2, 4, ... of them
            ASSERT_NO_FATAL_FAILURE(check_slices(grid, truth.order(grid.shape()).ids()));
        }
    }
    EXPECT_GE(grid.parts().slices(), 2u) << "as it grew, it was cut anew";
    ASSERT_NO_FATAL_FAILURE(check_answers(grid, truth));
}

// All agents leave, one by one, and come back.
TYPED_TEST(RowGridSlices, SurviveThatAllAgentsLeave) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 1200);
    auto grid = test::grid_of(scene);
    for (Id id = 0; id < 1200; ++id) {
        ASSERT_EQ(grid.erase(id), Status{});
    }
    std::size_t agents = 0;
    for (std::size_t s = 0; s < grid.parts().slices(); ++s) {
        agents += grid.parts().agents_in(s, s + 1);
        EXPECT_EQ(grid.parts().count_pairs(s, s + 1).count, 0u);
        EXPECT_EQ(test::neighbours_in(grid, kAsked, s, s + 1), Lists{});
        EXPECT_EQ(test::pairs_in(grid, s, s + 1), PairLists{});
    }
    EXPECT_EQ(agents, 0u);
    Truth<kDim> truth;
    ASSERT_EQ(truth.configure(grid.kind()), Status{});
    for (Id id = 0; id < 1000; ++id) {
        const Agent<kDim> agent{scene.position_of(1199 - id), {}, {}};
        ASSERT_EQ(truth.insert(id, agent), Status{});
        ASSERT_EQ(grid.insert(id, agent), Status{});
    }
    ASSERT_NO_FATAL_FAILURE(check_answers(grid, truth));
}

TYPED_TEST(RowGridSlices, SayWhereTheirAgentsAre) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("clustered", 5000, scenes::Groups::masks);
    RowGrid<kDim> grid;
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    const std::size_t slices = grid.parts().slices();
    ASSERT_GT(slices, 1u);
    Ids order(grid.size());
    (void)grid.order(order);
    const auto nowhere = Point<kDim>::all(-77.0f);
    std::size_t before = 0;
    for (std::size_t s = 0; s < slices; ++s) {
        for (const std::size_t end : {s + 1, slices}) {
            const std::size_t agents = grid.parts().agents_in(s, end);
            for (const std::size_t room : {agents, agents / 2, std::size_t{0}}) {
                std::vector<Point<kDim>> points(agents + 1, nowhere);
                EXPECT_EQ(grid.parts().positions(s, end, std::span(points).first(room)), agents);
                for (std::size_t i = 0; i < points.size(); ++i) {
                    ASSERT_EQ(points[i], i < room ? scene.position_of(order[before + i]) : nowhere);
                }
            }
        }
        before += grid.parts().agents_in(s, s + 1);
    }
}

TYPED_TEST(RowGridSlices, OfNoAgents) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 600);
    RowGrid<kDim> grid, others;
    ASSERT_EQ(others.update(scene.agents()), Status{});
    const auto check = [&] {
        EXPECT_EQ(grid.parts().slices(), 0u);
        EXPECT_EQ(grid.parts().agents_in(0, 0), 0u);
        EXPECT_EQ(grid.parts().order(0, 0, {}), 0u);
        EXPECT_EQ(grid.parts().positions(0, 0, {}), 0u);
        EXPECT_EQ(test::neighbours_in(grid, kAsked, 0, 0), Lists{});
        EXPECT_TRUE(test::neighbour_counts_in(grid, kAsked, 0, 0).empty());
        EXPECT_EQ(test::pairs_in(grid, 0, 0), PairLists{});
        EXPECT_EQ(test::pairs_with(grid, others, 0, 0), PairLists{});
        EXPECT_EQ(test::pairs_with(others, grid, 0, others.parts().slices()), PairLists{});
        EXPECT_EQ(grid.parts().count_pairs(0, 0).count, 0u);
        EXPECT_EQ(grid.parts().count_pairs(0, 0).status, Status{});
    };
    check(); // never configured
    ASSERT_EQ(grid.configure(scene.world, scene.cell), Status{});
    check();
    ASSERT_EQ(grid.update({}), Status{});
    check();
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    EXPECT_GT(grid.parts().slices(), 0u);
    grid.clear();
    check();
}

} // namespace
} // namespace throng
