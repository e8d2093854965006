// Large worlds and periodic ones: how crowds in them change, and what they refuse.
#include "../../support/allocation_counter.hpp"
#include "../../support/apply_edit.hpp"
#include "../../support/dims.hpp"
#include "../../support/numbers.hpp"
#include "../../support/threads/executors.hpp"
#include "periodic_model.hpp"

#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/grid/query_stats.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>
namespace throng::test {
namespace {

template <class>
class CrowdWorlds : public testing::Test {};
TYPED_TEST_SUITE(CrowdWorlds, Dims, DimNames);

/// Points some way from an origin, in doubles.
template <std::size_t Dim>
struct FarPeople {
    std::vector<std::array<double, Dim>> far;
    std::vector<Point<Dim>> near;

    FarPeople(const std::array<double, Dim>& origin, std::size_t count) {
        scenes::Random random(4);
        for (std::size_t i = 0; i < count; ++i) {
            Point<Dim> offset;
            std::array<double, Dim> place = origin;
            for (std::size_t a = 0; a < Dim; ++a) {
                offset[a] = std::floor(random.between(-4096.0f, 4096.0f)) / 256.0f;
                place[a] += static_cast<double>(offset[a]);
            }
            far.push_back(place);
            near.push_back(offset);
        }
    }
    [[nodiscard]] WorldAgents<Dim> agents() const {
        const auto size = static_cast<std::ptrdiff_t>(sizeof far[0]);
        WorldAgents<Dim> agents(WorldPointView<Dim>::interleaved(far[0].data(), far.size(), size));
        agents.common_half_extent = Point<Dim>::all(0.25f);
        return agents;
    }
    [[nodiscard]] Agents<Dim> local() const {
        Agents<Dim> agents;
        agents.positions = PointView<Dim>::interleaved(near[0].axis.data(), near.size());
        agents.common_half_extent = Point<Dim>::all(0.25f);
        return agents;
    }
};

TYPED_TEST(CrowdWorlds, FarFromZeroThingsAreAsNearZero) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const double distance : {0.0, 1e7, -1e12}) {
        CrowdSettings<kDim> settings;
        settings.origin.fill(distance);
        settings.origin[1] = 3.0 * distance;
        const FarPeople<kDim> people(settings.origin, 40'000); // more than a block
        Crowd<kDim> crowd;
        ASSERT_EQ(crowd.configure(settings), Status{});
        EXPECT_FALSE(crowd.wraps());
        ShuffleExecutor executor(8);
        ASSERT_EQ(crowd.update(people.agents(), executor), Status{});
        RowGrid<kDim> truth;
        ASSERT_EQ(truth.update(people.local()), Status{});
        for (std::size_t i = 0; i < 40; ++i) {
            const Point<kDim> here = crowd.local(WorldPoint<kDim>(people.far[i]));
            ASSERT_EQ(here, people.near[i]);
            ASSERT_EQ(crowd.world(here), WorldPoint<kDim>(people.far[i]));
            const Ball<kDim> ball{here, 1.5f};
            ASSERT_EQ(in_order(visited(crowd, ball)), in_order(visited(truth, ball)));
        }
        const WorldPoint<kDim> place(people.far[7]);
        ASSERT_EQ(crowd.insert(50'000, WorldAgent<kDim>{place}), Status{});
        ASSERT_EQ(crowd.move(8, place), Status{});
        const Ids there = visited(crowd, Ball<kDim>{people.near[7], 0.0f});
        for (const Id id : {7u, 8u, 50'000u}) {
            EXPECT_EQ(std::count(there.begin(), there.end(), id), 1) << id;
        }
    }
}

TYPED_TEST(CrowdWorlds, WhatIsTooFarIsRefusedAndNothingChanges) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const bool periodic : {false, true}) {
        CrowdSettings<kDim> settings;
        settings.origin.fill(1e9);
        settings.bounds = {Point<kDim>::all(-20.0f), Point<kDim>::all(20.0f)};
        settings.cell = Point<kDim>::all(1.0f);
        settings.periodic.fill(periodic);
        FarPeople<kDim> people(settings.origin, 100);
        Crowd<kDim> crowd;
        ASSERT_EQ(crowd.configure(settings), Status{});
        ASSERT_EQ(crowd.update(people.agents()), Status{});
        const Box<kDim> everywhere = *settings.bounds;
        const Ids before = visited(crowd, everywhere);
        ASSERT_EQ(before.size(), 100u);
        const auto unchanged = [&] { return visited(crowd, everywhere) == before; };

        const double infinity = std::numeric_limits<double>::infinity();
        const std::pair<double, Cause> faults[] = {{1e300, Cause::too_large},
                                                   {-2e18, Cause::too_large},
                                                   {infinity, Cause::not_finite},
                                                   {-infinity, Cause::not_finite},
                                                   {std::nan(""), Cause::not_finite}};
        for (const auto& [number, cause] : faults) {
            FarPeople<kDim> wrong = people;
            wrong.far[17][kDim - 1] = number;
            const Status refused{cause, Argument::positions, 17};
            EXPECT_EQ(crowd.update(wrong.agents()), refused);
            const Status one{cause, Argument::positions};
            EXPECT_EQ(crowd.move(3, WorldPoint<kDim>(wrong.far[17])), one);
            EXPECT_EQ(crowd.insert(300, WorldAgent<kDim>{WorldPoint<kDim>(wrong.far[17])}), one);
            EXPECT_FALSE(
                check_shape(Box<kDim>::at(crowd.local(WorldPoint<kDim>(wrong.far[17])))).ok());
            EXPECT_TRUE(unchanged());
        }
        for (const float number : {kNan, 2e18f, -std::numeric_limits<float>::infinity()}) {
            FarPeople<kDim> wrong = people;
            wrong.near[99][0] = number;
            const Status status = crowd.update(wrong.local());
            EXPECT_EQ(status.argument, Argument::positions);
            EXPECT_EQ(status.index, 99u);
            EXPECT_EQ(crowd.move(3, wrong.near[99]).argument, Argument::positions);
            EXPECT_FALSE(crowd.set_statics(wrong.local()).ok());
            const Edit<kDim> edits[] = {Edit<kDim>::erase(4), Edit<kDim>::move(3, wrong.near[99])};
            EXPECT_EQ(crowd.edit(edits).index, 1u);
            EXPECT_TRUE(unchanged());
        }
        WorldAgents<kDim> none = people.agents();
        none.positions.axis[1] = nullptr;
        EXPECT_EQ(crowd.update(none), (Status{Cause::null_pointer, Argument::positions}));
        Agents<kDim> no_positions = people.local();
        no_positions.positions.axis[1] = nullptr;
        EXPECT_EQ(crowd.update(no_positions), (Status{Cause::null_pointer, Argument::positions}));
        EXPECT_TRUE(unchanged());
    }
}

TYPED_TEST(CrowdWorlds, SettingsThatMakeNoSenseAreRefused) {
    constexpr std::size_t kDim = TypeParam::value;
    Crowd<kDim> crowd;
    const auto refused = [&](const CrowdSettings<kDim>& settings, const Status& status) {
        EXPECT_EQ(crowd.configure(settings), status);
        EXPECT_FALSE(crowd.wraps());
    };
    CrowdSettings<kDim> settings;
    settings.origin[1] = std::numeric_limits<double>::infinity();
    refused(settings, {Cause::not_finite, Argument::origin, 1});
    settings = {};
    settings.periodic[1] = true;
    refused(settings, {Cause::missing, Argument::bounds});
    settings.bounds = {Point<kDim>::all(3.0f), Point<kDim>::all(3.0f)};
    refused(settings, {Cause::not_positive, Argument::period, 1});
    settings.bounds = {Point<kDim>::all(-1e18f), Point<kDim>::all(1e18f)};
    refused(settings, {Cause::too_large, Argument::period, 1});
    settings.bounds = {Point<kDim>::all(kNan), Point<kDim>::all(3.0f)};
    refused(settings, {Cause::not_finite, Argument::bounds});
}

TYPED_TEST(CrowdWorlds, ShapesWithTooManyCopiesAreRefused) {
    constexpr std::size_t kDim = TypeParam::value;
    const float half = 40.0f;
    CrowdSettings<kDim> settings;
    settings.bounds = {Point<kDim>{}, Point<kDim>::all(8.0f)};
    settings.periodic.fill(true);
    Crowd<kDim> crowd;
    ASSERT_EQ(crowd.configure(settings), Status{});
    // The refusal depends on the shape alone, not on the agents.
    for (int filled = 0; filled < 2; ++filled) {
        Point<kDim> way{};
        way[0] = 1.0f;
        const Ray<kDim> ray{{}, way}; // as far as can be
        const Status around{Cause::wraps, Argument::ray};
        EXPECT_EQ(crowd.count(ray).status, around);
        PathHit hit;
        std::vector<PathHit> path_hits;
        EXPECT_EQ(crowd.first(ray, hit).status, around);
        EXPECT_EQ(crowd.hits(ray, path_hits), around);
        const Segment<kDim> far{{}, Point<kDim>::all(1e6f)};
        EXPECT_EQ(crowd.any(far).status, (Status{Cause::wraps, Argument::segment}));
        EXPECT_EQ(crowd.explain(far).status, (Status{Cause::wraps, Argument::segment}));
        const std::vector<Segment<kDim>> ways = {Segment<kDim>{}, far};
        Hits hits;
        EXPECT_EQ(crowd.query(ways, hits), (Status{Cause::wraps, Argument::segment, 1}));
        EXPECT_EQ(crowd.visit(Ball<kDim>{{}, -1.0f}, [](auto) { return true; }).status,
                  (Status{Cause::negative, Argument::ball}));
        EXPECT_EQ(crowd.count(Ball<kDim>{{}, half}).status, Status{});
        People<kDim> people;
        people.add(Point<kDim>::all(half), Point<kDim>::all(1.0f));
        ASSERT_EQ(crowd.update(people.agents()), Status{});
        EXPECT_EQ(crowd.count(Ball<kDim>{{}, half}).count, 1u);
        // However many worlds wide, a box has three copies on each axis.
        const Box<kDim> box{Point<kDim>::all(-8e3f), Point<kDim>::all(8e3f)};
        EXPECT_EQ(crowd.count(box).count, 1u);
        EXPECT_EQ(crowd.explain(box).hits(), 1u);
    }
}

TYPED_TEST(CrowdWorlds, AnAxisThatDoesNotWrapIsAsLongAsEver) {
    constexpr std::size_t kDim = TypeParam::value;
    CrowdSettings<kDim> settings;
    settings.bounds = {Point<kDim>{}, Point<kDim>::all(8.0f)};
    settings.periodic[0] = true;
    Crowd<kDim> crowd;
    ASSERT_EQ(crowd.configure(settings), Status{});
    People<kDim> people;
    for (int i = 0; i < 50; ++i) {
        Point<kDim> at = Point<kDim>::all(3.0f);
        at[0] = 7.5f;
        at[1] = static_cast<float>(i) * 1e4f;
        people.add(at, Point<kDim>::all(1.0f));
    }
    ASSERT_EQ(crowd.update(people.agents()), Status{});
    Point<kDim> up{}, foot = Point<kDim>::all(3.0f);
    up[1] = 1.0f;
    foot[0] = 0.25f; // beside the border that all of them reach across
    foot[1] = 0.0f;
    EXPECT_EQ(crowd.count(Ray<kDim>{foot, up}).count, 50u);
    PathHit hit;
    ASSERT_EQ(crowd.first(Ray<kDim>{foot, up}, hit).count, 1u);
    EXPECT_EQ(hit.id, 0u);
    Box<kDim> column = Box<kDim>::at(foot);
    column.lo[1] = -kLargest;
    column.hi[1] = kLargest;
    EXPECT_EQ(crowd.count(column).count, 50u);
}

TEST(CrowdWorldsRims, AnInvertedBoxFindsNothingWhereverItIsMovedTo) {
    Crowd<2> crowd;
    CrowdSettings<2> settings;
    settings.bounds = Box<2>{{{1000.0f, 0.0f}}, {{1010.0f, 10.0f}}};
    settings.periodic[0] = true;
    ASSERT_EQ(crowd.configure(settings), Status{});
    People<2> people;
    people.add({{1001.0f, 5.0f}}, {{0.5f, 0.5f}});
    ASSERT_EQ(crowd.update(people.agents()), Status{});
    const float one = 1.0f;
    EXPECT_EQ(crowd.count(Box<2>{{{one, 4.0f}}, {{one, 6.0f}}}).count, 1u);
    EXPECT_EQ(crowd.count(Box<2>{{{std::nextafter(one, 2.0f), 4.0f}}, {{one, 6.0f}}}).count, 0u);
}

TYPED_TEST(CrowdWorlds, StaticsComeFromFarAwayToo) {
    constexpr std::size_t kDim = TypeParam::value;
    CrowdSettings<kDim> settings;
    settings.origin.fill(1e12);
    Crowd<kDim> crowd;
    ASSERT_EQ(crowd.configure(settings), Status{});
    std::array<std::vector<double>, kDim> at;
    std::array<const double*, kDim> axes;
    for (std::size_t a = 0; a < kDim; ++a) {
        at[a] = {1e12 + 0.25, 1e12 + 10.5};
        axes[a] = at[a].data();
    }
    const WorldAgents<kDim> walls(WorldPointView<kDim>::separate(axes, 2));
    ASSERT_EQ(crowd.set_statics(walls), Status{});
    EXPECT_EQ(crowd.count(Ball<kDim>{Point<kDim>::all(10.5f), 0.0f}).count, 1u);
    at[kDim - 1][1] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(crowd.set_statics(walls), (Status{Cause::not_finite, Argument::statics, 1}));
    EXPECT_EQ(crowd.size(Sets::statics), 2u);
}

/// A crowd and its oracle, with the same births, deaths and moves.
template <std::size_t Dim>
struct Told {
    Periodic<Dim> world;
    Truth<Dim> truth{world, 4};
    PeriodicShapes<Dim> make{world, 0.0f, 17};
    scenes::Random random{3};
    Crowd<Dim> crowd;

    explicit Told(const Periodic<Dim>& where) : world(where) {
        CrowdSettings<Dim> settings;
        settings.bounds = world.bounds;
        settings.cell = Point<Dim>::all(world.period(0) / 4.0f);
        settings.periodic = world.axes;
        EXPECT_EQ(crowd.configure(settings, {true, true, {}}), Status{});
        EXPECT_EQ(truth.configure({true, true, {}}), Status{});
    }

    Edit<Dim> next_edit(const std::map<Id, bool>& there) {
        const Id id = random.below(60);
        const auto known = there.find(id);
        if (known == there.end() || !known->second) {
            const Point<Dim> half = make.extent(random.below(6) == 0 ? 0.8f : 0.1f);
            return Edit<Dim>::insert(id, {make.point(), half, 1u << id % 3});
        }
        return random.below(3) == 0 ? Edit<Dim>::erase(id) : Edit<Dim>::move(id, make.point());
    }
    void check() {
        ASSERT_STREQ(crowd.validate(), nullptr);
        const auto check_shape = [&](const auto& shape) {
            ASSERT_EQ(in_order(visited(crowd, shape)), truth.ids_in(shape));
        };
        for (int i = 0; i < 4; ++i) {
            ASSERT_NO_FATAL_FAILURE(check_shape(make.box()));
            ASSERT_NO_FATAL_FAILURE(check_shape(make.ball()));
            ASSERT_NO_FATAL_FAILURE(check_shape(make.capsule()));
        }
        ASSERT_EQ(pairs_of(crowd), truth.pairs(kAllGroups));
        ASSERT_EQ(pairs_of(crowd, kAllGroups, Body::disc),
                  truth.pairs(kAllGroups, PairSets::all, 1, Body::disc));
    }
};

TYPED_TEST(CrowdWorlds, EditsComeAroundTheBorderToo) {
    constexpr std::size_t kDim = TypeParam::value;
    Periodic<kDim> world{{Point<kDim>::all(-1.3f), Point<kDim>::all(5.2f)}, {}};
    world.axes.fill(true);
    world.axes[1] = false;
    Told<kDim> told(world);
    std::map<Id, bool> there;
    for (int round = 0; round < 12; ++round) {
        std::vector<Edit<kDim>> edits;
        for (int i = 0; i < 30; ++i) {
            edits.push_back(told.next_edit(there));
            there[edits.back().id] = edits.back().kind != Edit<kDim>::Kind::erase;
            ASSERT_EQ(told.truth.edit(edits.back()), Status{});
            if (round % 2 == 0) { ASSERT_EQ(apply_to(told.crowd, edits.back()), Status{}); }
        }
        if (round % 2 == 1) { ASSERT_EQ(told.crowd.edit(edits), Status{}); }
        ASSERT_NO_FATAL_FAILURE(told.check());
    }
}

TYPED_TEST(CrowdWorlds, TinyWorldsAreNarrowerThanTheirAgents) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const float side : {1.0f, 0x1p-20f}) {
        const Periodic<kDim> all = [&] {
            Periodic<kDim> world{{Point<kDim>{}, Point<kDim>::all(side)}, {}};
            world.axes.fill(true);
            return world;
        }();
        Told<kDim> told(all);
        People<kDim> people;
        for (int i = 0; i < 12; ++i) {
            people.add(told.make.point(), told.make.extent(i % 2 == 0 ? 2.5f : 0.4f));
        }
        ASSERT_EQ(told.crowd.update(people.agents()), Status{});
        ASSERT_EQ(told.truth.update(people.agents()), Status{});
        for (int i = 0; i < 4; ++i) {
            ASSERT_NO_FATAL_FAILURE(told.check());
        }
    }
}

TYPED_TEST(CrowdWorlds, OneExtentForAllIsFine) {
    constexpr std::size_t kDim = TypeParam::value;
    Periodic<kDim> world{{Point<kDim>{}, Point<kDim>::all(10.0f)}, {}};
    world.axes.fill(true);
    PeriodicShapes<kDim> make(world, 0.0f, 8);
    Truth<kDim> truth(world, 4);
    const Point<kDim> half = Point<kDim>::all(0.4f);
    std::vector<Point<kDim>> positions;
    for (Id id = 0; id < 300; ++id) {
        positions.push_back(make.point());
    }
    Crowd<kDim> crowd;
    CrowdSettings<kDim> settings;
    settings.bounds = world.bounds;
    settings.periodic = world.axes;
    ASSERT_EQ(crowd.configure(settings), Status{});
    Agents<kDim> agents;
    agents.positions = PointView<kDim>::interleaved(positions[0].axis.data(), positions.size());
    agents.common_half_extent = half;
    ASSERT_EQ(crowd.update(agents), Status{});
    ASSERT_EQ(truth.update(agents), Status{});
    EXPECT_EQ(pairs_of(crowd), truth.pairs(kAllGroups));
    for (int i = 0; i < 20; ++i) {
        const Box<kDim> box = make.box();
        ASSERT_EQ(in_order(visited(crowd, box)), truth.ids_in(box));
    }
    // Questions allocate nothing, and do not depend on threads.
    const Ball<kDim> ball{{}, 6.0f};
    std::array<Near, 40> near;
    PathHit hit;
    const std::size_t before = allocations();
    EXPECT_NE(crowd.count(ball).count, 0u);
    EXPECT_NE(crowd.count(make.convex()).status.cause, Cause::wraps);
    EXPECT_EQ(crowd.nearest({}, {40}, near).count, 40u);
    EXPECT_TRUE(crowd.first(make.segment(), hit).status.ok());
    EXPECT_NE(crowd.visit_pairs([](auto, auto) { return true; }).count, 0u);
    EXPECT_EQ(allocations(), before);
    const Ids serial = visited(crowd, ball);
    ShuffleExecutor executor(5);
    ASSERT_EQ(crowd.update(agents, executor), Status{});
    EXPECT_EQ(visited(crowd, ball), serial);
}

TYPED_TEST(CrowdWorlds, WithoutMemoryNothingChanges) {
    constexpr std::size_t kDim = TypeParam::value;
    Periodic<kDim> world{{Point<kDim>{}, Point<kDim>::all(10.0f)}, {}};
    world.axes.fill(true);
    for (std::size_t successes = 0, failed = 1; failed != 0; ++successes) {
        Told<kDim> told(world);
        ASSERT_EQ(told.crowd.insert(3, {Point<kDim>::all(-1.0f), Point<kDim>::all(0.5f), 1u}),
                  Status{});
        const Box<kDim> everywhere = world.bounds;
        People<kDim> people;
        for (int i = 0; i < 40; ++i) {
            people.add(told.make.point(), told.make.extent(i == 3 ? 0.9f : 0.1f));
        }
        const std::vector<Edit<kDim>> edits = {
            Edit<kDim>::insert(9, {Point<kDim>::all(12.0f), Point<kDim>::all(4.0f), 1u}),
            Edit<kDim>::move(3, Point<kDim>::all(33.0f))};
        failed = 0;
        const auto attempt = [&](auto change) {
            try {
                const FailingAllocations failing(successes);
                change();
                return;
            } catch (const std::bad_alloc&) { ++failed; }
            EXPECT_EQ(visited(told.crowd, everywhere), Ids{3});
            EXPECT_EQ(told.crowd.size(Sets::statics), 0u);
            EXPECT_STREQ(told.crowd.validate(), nullptr);
        };
        attempt([&] { EXPECT_EQ(told.crowd.update(people.agents()), Status{}); });
        if (failed == 0) { continue; }
        attempt([&] { EXPECT_EQ(told.crowd.set_statics(people.agents()), Status{}); });
        if (told.crowd.size(Sets::statics) != 0) { continue; }
        attempt([&] { EXPECT_EQ(told.crowd.edit(edits), Status{}); });
    }
}

} // namespace
} // namespace throng::test
