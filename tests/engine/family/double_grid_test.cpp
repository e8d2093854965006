// What is special to double grids: covers that grow and shrink, lists that lose no agent, giants
// that cost no more than others.
#include "../../family/questions.hpp"
#include "../../support/dims.hpp"
#include "double_grid_probe.hpp"

#include <throng/engine/answers/spatial_index.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace throng {

namespace {

using test::IdPairs;
using test::Ids;

template <std::size_t Dim>
Box<Dim> world(float side) {
    return {Point<Dim>::all(0.0f), Point<Dim>::all(side)};
}

template <std::size_t Dim>
Agent<Dim> agent(const Point<Dim>& position, float half) {
    return {position, Point<Dim>::all(half), {}};
}

template <std::size_t Dim>
Point<Dim> anywhere(scenes::Random& random, float side) {
    Point<Dim> point;
    for (float& x : point.axis) {
        x = random.between(-0.1f * side, 1.1f * side);
    }
    return point;
}

/// A random size, from a thousandth of the world to all of it; most sizes are small.
float any_size(scenes::Random& random, float side) {
    return side * 0.001f * std::pow(1000.0f, random.unit() * random.unit());
}

template <class D>
class DoubleGrids : public testing::Test {};
TYPED_TEST_SUITE(DoubleGrids, test::Dims, test::DimNames);

template <std::size_t Dim>
constexpr float kSide = Dim == 2 ? 64.0f : 16.0f;

template <std::size_t Dim>
void expect_same(const DoubleGrid<Dim>& grid, const test::Truth<Dim>& truth,
                 scenes::Random& random) {
    for (int i = 0; i < 8; ++i) {
        const auto box = Box<Dim>::around(anywhere<Dim>(random, kSide<Dim>),
                                          Point<Dim>::all(any_size(random, kSide<Dim>)));
        ASSERT_EQ(test::in_order(test::visited(grid, box)), test::visited(truth, box));
    }
    ASSERT_EQ(test::pairs_of(grid), test::pairs_of(truth));
}

// After every single step all lists are right: validate() compares them.
TYPED_TEST(DoubleGrids, ForgetNoAgentWhateverGrowsAndShrinks) {
    constexpr std::size_t kDim = TypeParam::value;
    constexpr float kWorld = kSide<kDim>;
    const CrowdKind<kDim> kind{true, false, {}};
    DoubleGrid<kDim> grid;
    test::Truth<kDim> truth;
    ASSERT_EQ(grid.configure(world<kDim>(kWorld), Point<kDim>::all(2.0f), kind), Status{});
    ASSERT_EQ(truth.configure(kind), Status{});
    scenes::Random random(4);
    for (int step = 0; step < 1500; ++step) {
        const Id id = random.below(150);
        const Point<kDim> at = anywhere<kDim>(random, kWorld);
        if (!truth.contains(id)) {
            const auto added = agent(at, any_size(random, kWorld));
            ASSERT_EQ(grid.insert(id, added), Status{});
            ASSERT_EQ(truth.insert(id, added), Status{});
        } else if (random.below(3) == 0) {
            ASSERT_EQ(grid.erase(id), Status{});
            ASSERT_EQ(truth.erase(id), Status{});
        } else {
            ASSERT_EQ(grid.move(id, at), Status{});
            ASSERT_EQ(truth.move(id, at), Status{});
        }
        ASSERT_STREQ(grid.validate(), nullptr) << "step " << step;
        if (step % 50 == 49) { expect_same(grid, truth, random); }
        if (step % 70 == 69) {
            grid.refit();
            ASSERT_STREQ(grid.validate(), nullptr) << "refit after step " << step;
            ASSERT_TRUE(DoubleGridProbe<kDim>::state(grid).slack.empty());
            expect_same(grid, truth, random);
        }
    }
}

// Hundreds of mid-sized agents reach into one block, more than are tested at a time.
TYPED_TEST(DoubleGrids, PairsOfCellsThatAllReachEverywhere) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make_uniform<kDim>(kDim == 2 ? 700 : 500);
    for (std::vector<float>& axis : scene.half_extent) {
        axis.resize(scene.size());
    }
    scenes::Random random(9);
    for (const bool all_sizes : {false, true}) {
        for (std::size_t i = 0; i < scene.size(); ++i) {
            for (std::vector<float>& axis : scene.half_extent) {
                axis[i] = all_sizes ? any_size(random, scene.world.hi[0]) : random.between(3, 4);
            }
        }
        DoubleGrid<kDim> grid;
        test::Truth<kDim> truth;
        ASSERT_EQ(grid.configure(scene.world, Point<kDim>::all(0.6f)), Status{});
        ASSERT_EQ(grid.update(scene.agents()), Status{});
        ASSERT_EQ(truth.update(scene.agents()), Status{});
        ASSERT_STREQ(grid.validate(), nullptr);
        ASSERT_EQ(test::pairs_of(grid), test::pairs_of(truth));
    }
}

// A cell with more buckets than tiles take is left out of the tiles; all other cells are in them.
TYPED_TEST(DoubleGrids, PairsOfCrowdedCells) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(21);
    scenes::Scene<kDim> scene;
    scene.common_half_extent = Point<kDim>::all(0.05f);
    for (int i = 0; i < 2900; ++i) {
        Point<kDim> at = anywhere<kDim>(random, 4.0f);
        if (kDim == 3) { at[kDim - 1] = random.between(0.0f, 1.9f); }
        // Four crowded cells, and around them some that are not.
        const bool outside = i % 29 == 0;
        for (std::size_t a = 0; a < 2; ++a) {
            at[a] = outside ? random.between(-4.0f, 8.0f) : std::clamp(at[a], 0.0f, 3.99f);
        }
        scene.add(at);
    }
    DoubleGrid<kDim> grid;
    test::Truth<kDim> truth;
    const Box<kDim> bounds{Point<kDim>::all(-4.0f), Point<kDim>::all(8.0f)};
    ASSERT_EQ(grid.configure(bounds, Point<kDim>::all(2.0f)), Status{});
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    ASSERT_EQ(truth.update(scene.agents()), Status{});
    std::size_t crowded = 0;
    grid.visit_cells([&](const IndexCell<kDim>& cell) {
        crowded += cell.count > 512 ? 1 : 0;
        return true;
    });
    EXPECT_GE(crowded, 4u);
    ASSERT_EQ(test::pairs_of(grid), test::pairs_of(truth));
}

// Large searches skip empty parts, and miss no agent.
TYPED_TEST(DoubleGrids, LargeSearchesOfSparseWorlds) {
    constexpr std::size_t kDim = TypeParam::value;
    constexpr float kWorld = kDim == 2 ? 400.0f : 60.0f;
    scenes::Random random(12);
    scenes::Scene<kDim> scene;
    for (int i = 0; i < 60; ++i) {
        scene.add(anywhere<kDim>(random, kWorld),
                  Point<kDim>::all(any_size(random, kWorld) * 0.2f));
    }
    DoubleGrid<kDim> grid;
    test::Truth<kDim> truth;
    ASSERT_EQ(grid.configure(world<kDim>(kWorld), Point<kDim>::all(1.0f)), Status{});
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    ASSERT_EQ(truth.update(scene.agents()), Status{});
    std::size_t found = 0;
    for (int i = 0; i < 400; ++i) {
        Point<kDim> half;
        for (float& h : half.axis) {
            h = random.between(0.0f, 0.5f * kWorld);
        }
        const auto box = Box<kDim>::around(anywhere<kDim>(random, kWorld), half);
        const Ids ids = test::in_order(test::visited(grid, box));
        ASSERT_EQ(ids, test::visited(truth, box));
        found += ids.size();
    }
    EXPECT_GT(found, 500u);
}

TYPED_TEST(DoubleGrids, GiantsAreListedNoMoreThanOthers) {
    constexpr std::size_t kDim = TypeParam::value;
    constexpr float kWorld = kSide<kDim> * 4;
    DoubleGrid<kDim> grid;
    const CrowdKind<kDim> kind{true, false, {}};
    ASSERT_EQ(grid.configure(world<kDim>(kWorld), Point<kDim>::all(1.0f), kind), Status{});
    auto& tight = DoubleGridProbe<kDim>::state(grid).tight;
    scenes::Random random(3);
    for (Id id = 0; id < 200; ++id) {
        const std::size_t before = tight.links();
        const float half = 0.01f * std::pow(1.1f, static_cast<float>(id)); // up to far too large
        ASSERT_EQ(grid.insert(id, agent(anywhere<kDim>(random, kWorld), half)), Status{});
        ASSERT_LE(tight.links(), before + tight.kMostLinks);
    }
    EXPECT_EQ(grid.count(Box<kDim>::at(Point<kDim>::all(0.5f * kWorld))).status, Status{});
    EXPECT_STREQ(grid.validate(), nullptr);
    for (Id id = 0; id < 200; ++id) {
        ASSERT_EQ(grid.erase(id), Status{});
    }
    EXPECT_EQ(tight.links(), 0u);
    EXPECT_TRUE(tight.listed().empty());
    EXPECT_STREQ(grid.validate(), nullptr);
}

TYPED_TEST(DoubleGrids, OneThatComesAndGoesForEverLeavesNothingBehind) {
    constexpr std::size_t kDim = TypeParam::value;
    DoubleGrid<kDim> grid;
    const CrowdKind<kDim> kind{false, false, Point<kDim>::all(0.3f)};
    ASSERT_EQ(grid.configure(world<kDim>(16.0f), Point<kDim>::all(1.0f), kind), Status{});
    const Point<kDim> here = Point<kDim>::all(7.99f), there = Point<kDim>::all(8.01f);
    ASSERT_EQ(grid.insert(1, {Point<kDim>::all(8.5f), {}, {}}), Status{});
    std::optional<std::size_t> memory;
    for (int round = 0; round < 100'000; ++round) {
        ASSERT_EQ(grid.insert(0, {round % 2 == 0 ? here : there, {}, {}}), Status{});
        ASSERT_EQ(grid.move(0, round % 2 == 0 ? there : here), Status{});
        ASSERT_EQ(grid.erase(0), Status{});
        if (round == 100) { memory = grid.memory().total(); }
    }
    EXPECT_EQ(grid.memory().total(), memory);
    EXPECT_STREQ(grid.validate(), nullptr);
    grid.refit();
    EXPECT_EQ(grid.count(Box<kDim>::at(here)).count, 0u);
    EXPECT_STREQ(grid.validate(), nullptr);
}

TYPED_TEST(DoubleGrids, RefuseMoreCellsThanTheyCanNumber) {
    constexpr std::size_t kDim = TypeParam::value;
    DoubleGrid<kDim> grid;
    EXPECT_EQ(grid.configure(world<kDim>(16'000.0f), Point<kDim>::all(0.5f)).cause,
              Cause::too_many);
}

// Each fault is found; a sound grid has none.
TYPED_TEST(DoubleGrids, ValidateFindsFaults) {
    constexpr std::size_t kDim = TypeParam::value;
    using State = typename DoubleGridProbe<kDim>::State;
    const auto fault_of = [](const auto& spoil) {
        DoubleGrid<kDim> grid;
        const CrowdKind<kDim> kind{true, false, {}};
        EXPECT_EQ(grid.configure(world<kDim>(16.0f), Point<kDim>::all(1.0f), kind), Status{});
        scenes::Random random(8);
        for (Id id = 0; id < 60; ++id) {
            // Some twenty agents in one cell, the others anywhere.
            Point<kDim> at = Point<kDim>::all(5.1f + 0.01f * static_cast<float>(id));
            if (id % 3 != 0) { at = anywhere<kDim>(random, 16.0f); }
            EXPECT_EQ(grid.insert(id, agent(at, 0.2f + 0.1f * static_cast<float>(id % 7))),
                      Status{});
        }
        EXPECT_STREQ(grid.validate(), nullptr);
        State& state = DoubleGridProbe<kDim>::state(grid);
        spoil(state, state.cell_of(Point<kDim>::all(5.5f)));
        return grid.validate() != nullptr;
    };
    const auto first_list = [](State& state) {
        return static_cast<std::uint32_t>(state.tight.listed().next(0));
    };
    const auto heads = [](State & state) -> auto& { return TightGridProbe::heads(state.tight); };
    const auto links = [](State & state) -> auto& { return TightGridProbe::links(state.tight); };

    EXPECT_FALSE(fault_of([](State&, std::uint32_t) {}));
    // Covers.
    EXPECT_TRUE(fault_of([](State& s, std::uint32_t c) { s.cells[c].cover.lo[0] += 0.01f; }));
    EXPECT_TRUE(fault_of([](State& s, std::uint32_t c) { s.cells[c].cover.hi[1] += 0.01f; }));
    EXPECT_TRUE(fault_of([](State& s, std::uint32_t) { s.max_half_extent[0] = 0.1f; }));
    EXPECT_TRUE(fault_of([](State& s, std::uint32_t c) {
        const auto range = s.range_of(s.cells[c].cover);
        s.tight.unlink(c, range); // a tight cell forgets
    }));
    EXPECT_TRUE(fault_of([](State& s, std::uint32_t c) {
        auto far = s.range_of(s.cells[c].cover);
        far.hi[0] += 8;
        s.tight.relink(c, s.range_of(s.cells[c].cover), far);
    }));
    // Lists.
    EXPECT_TRUE(fault_of(
        [&](State& s, std::uint32_t) { heads(s)[first_list(s)] = CoarseGrid<kDim>::kNone; }));
    EXPECT_TRUE(fault_of([&](State& s, std::uint32_t) {
        auto& link = links(s)[heads(s)[first_list(s)]];
        link.cell_and_marks ^= 1u;
    }));
    EXPECT_TRUE(fault_of([&](State& s, std::uint32_t) {
        links(s)[heads(s)[first_list(s)]].next = heads(s)[first_list(s)] + 1;
    }));
    EXPECT_TRUE(fault_of(
        [&](State& s, std::uint32_t) { TightGridProbe::listed(s.tight).reset(first_list(s)); }));
    EXPECT_TRUE(fault_of([&](State& s, std::uint32_t) {
        const auto empty = std::find(heads(s).begin(), heads(s).end(), CoarseGrid<kDim>::kNone);
        TightGridProbe::listed(s.tight).set(static_cast<std::size_t>(empty - heads(s).begin()));
    }));
    // Agents and places.
    EXPECT_TRUE(
        fault_of([](State& s, std::uint32_t) { std::swap(s.slot_of_id[3], s.slot_of_id[4]); }));
    EXPECT_TRUE(fault_of([](State& s, std::uint32_t) { s.slot_of_id.push_back(0); }));
    EXPECT_TRUE(fault_of([](State& s, std::uint32_t) { ++s.count; }));
    EXPECT_TRUE(fault_of([](State& s, std::uint32_t) {
        s.agents.set_position(s.slot_of_id[3], Point<kDim>::all(15.5f));
    }));
    EXPECT_TRUE(fault_of([](State& s, std::uint32_t c) {
        s.agents.link(s.cells[c].head, kNoBucket, s.agents.count(s.cells[c].head));
    }));
    EXPECT_TRUE(fault_of([](State& s, std::uint32_t c) {
        const std::uint32_t second = s.agents.next(s.cells[c].head);
        s.agents.link(second, s.cells[c].head, s.agents.count(second));
    }));
    EXPECT_TRUE(fault_of([](State& s, std::uint32_t c) {
        s.agents.link(s.cells[c].head, s.agents.next(s.cells[c].head), 0);
    }));
    EXPECT_TRUE(fault_of([](State& s, std::uint32_t) {
        const auto empty = std::find_if(s.cells.begin(), s.cells.end(),
                                        [](const auto& cell) { return cell.head == kNoBucket; });
        s.slack.set(static_cast<std::size_t>(empty - s.cells.begin()));
    }));
}

} // namespace
} // namespace throng
