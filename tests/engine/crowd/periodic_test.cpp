// Periodic worlds: the answers of a crowd are those of the definition, and those of copies of all
// agents around the world.
#include "../../support/allocation_counter.hpp"
#include "../../support/conditions.hpp"
#include "../../support/dims.hpp"
#include "../../support/long_run.hpp"
#include "../../support/threads/executors.hpp"
#include "periodic_model.hpp"

#include <throng/engine/crowd/crowd.hpp>

#include <gtest/gtest.h>

#include <array>
#include <ctime>

namespace throng::test {
namespace {

template <std::size_t Dim>
struct Stage {
    Periodic<Dim> world;
    float grain;
    Truth<Dim> truth;
    PeriodicShapes<Dim> make;
    Crowd<Dim> crowd;
    People<Dim> people, statics;

    /// Small agents, some giants, also wider than the world, and statics of all sizes.
    Stage(const Periodic<Dim>& where, float grain_of_numbers, bool with_cell, std::uint64_t seed)
        : world(where), grain(grain_of_numbers), truth(where), make(where, grain, seed) {
        CrowdSettings<Dim> settings;
        settings.bounds = world.bounds;
        if (with_cell) { settings.cell = Point<Dim>::all(world.period(0) / 8.0f); }
        settings.periodic = world.axes;
        EXPECT_EQ(crowd.configure(settings, {true, true, {}}), Status{});
        for (std::size_t i = 0; i < 48; ++i) {
            const float part = i % 16 == 7 ? 0.7f : i == 20 ? 3.0f : 0.06f;
            people.add(make.point(), make.extent(part), 1u << i % 3);
        }
        for (std::size_t i = 0; i < 9; ++i) {
            statics.add(make.point(), make.extent(i == 4 ? 1.6f : 0.2f), 1u << i % 3);
        }
        EXPECT_EQ(crowd.update(people.agents()), Status{});
        EXPECT_EQ(crowd.set_statics(statics.agents()), Status{});
        EXPECT_EQ(truth.update(people.agents()), Status{});
        EXPECT_EQ(truth.set_statics(statics.agents()), Status{});
        EXPECT_TRUE(crowd.wraps());
        EXPECT_GT(crowd.size(Sets::giants), 0u);
        EXPECT_STREQ(crowd.validate(), nullptr);
    }
};

template <class Shape, std::size_t Dim>
void check_forms(const Crowd<Dim>& crowd, const Shape& shape, const Filter& filter,
                 const Ids& wanted) {
    const Ids got = visited(crowd, shape, filter);
    ASSERT_EQ(in_order(got), wanted);
    ASSERT_EQ(visited(crowd, shape, filter), got);
    ASSERT_EQ(crowd.count(shape, filter).count, wanted.size());
    ASSERT_EQ(crowd.any(shape, filter).count, wanted.empty() ? 0u : 1u);
    Ids out(got.size() / 2);
    ASSERT_EQ(crowd.query(shape, std::span<Id>(out), filter).count, got.size());
    std::vector<Id> grown;
    ASSERT_EQ(crowd.query(shape, grown, filter).count, got.size());
    ASSERT_EQ(grown, got);
    ASSERT_TRUE(std::equal(out.begin(), out.end(), got.begin()));
    for (const Sets set : {Sets::small, Sets::giants, Sets::statics}) {
        Ids of_set, part;
        std::copy_if(got.begin(), got.end(), std::back_inserter(of_set),
                     [&](Id id) { return crowd.contains(id, set); });
        const Found found = crowd.visit(
            shape,
            [&](std::span<const Id> run) {
                part.insert(part.end(), run.begin(), run.end());
                return true;
            },
            filter, set);
        ASSERT_TRUE(found.status.ok());
        ASSERT_EQ(part, of_set);
    }
}

template <class Path, std::size_t Dim>
void check_path_hits(const Stage<Dim>& stage, const Path& path, const Filter& filter) {
    const std::vector<PathHit> wanted = stage.truth.hits(path, filter);
    std::vector<PathHit> got;
    ASSERT_EQ(stage.crowd.hits(path, got, filter), Status{});
    ASSERT_EQ(got, wanted);
    PathHit first;
    ASSERT_EQ(stage.crowd.first(path, first, filter).count, wanted.empty() ? 0u : 1u);
    if (!wanted.empty()) { ASSERT_EQ(first, wanted.front()); }
    check_first_after(stage.crowd, path, wanted, filter);
}

/// Asks with `count` random shapes of every kind.
template <std::size_t Dim>
void check_shapes(Stage<Dim>& stage, const Copies<Dim>* copies, std::size_t count) {
    static constexpr Filter kFilters[] = {{}, {}, {kAllGroups, 3}, {0x5u}, {0u}, {0x2u, 1}};
    std::size_t asked = 0, found = 0;
    const auto check = [&](const auto& shape) {
        using Shape = std::remove_cvref_t<decltype(shape)>;
        const Filter& filter = kFilters[asked++ % std::size(kFilters)];
        const Ids wanted = stage.truth.ids_in(shape, filter);
        found += wanted.size();
        if (copies != nullptr) { ASSERT_EQ(copies->hits(shape, filter), wanted); }
        ASSERT_NO_FATAL_FAILURE(check_forms(stage.crowd, shape, filter, wanted));
        if constexpr (PathIn<Shape, Dim>) {
            ASSERT_NO_FATAL_FAILURE(check_path_hits(stage, shape, filter));
        }
    };
    const auto check_all = [&](auto make) {
        for (std::size_t i = 0; i < count; ++i) {
            SCOPED_TRACE(testing::Message() << "shape " << i);
            ASSERT_NO_FATAL_FAILURE(check(make()));
        }
    };
    auto& make = stage.make;
    ASSERT_NO_FATAL_FAILURE(check_all([&] { return make.box(); }));
    ASSERT_NO_FATAL_FAILURE(check_all([&] { return make.ball(); }));
    ASSERT_NO_FATAL_FAILURE(check_all([&] { return make.sector(); }));
    ASSERT_NO_FATAL_FAILURE(check_all([&] { return make.segment(); }));
    ASSERT_NO_FATAL_FAILURE(check_all([&] { return make.ray(); }));
    ASSERT_NO_FATAL_FAILURE(check_all([&] { return make.capsule(); }));
    ASSERT_NO_FATAL_FAILURE(check_all([&] { return make.convex(); }));
    ASSERT_NO_FATAL_FAILURE(check_all([&] { return make.oriented_box(); }));
    ASSERT_NO_FATAL_FAILURE(check_all([&] { return make.cylinder(); }));
    ASSERT_NO_FATAL_FAILURE(check_all([&] { return make.seeing(make.ball()); }));
    ASSERT_NO_FATAL_FAILURE(check_all([&] { return make.seeing(make.sector()); }));
    ASSERT_NO_FATAL_FAILURE(check_all([&] { return make.seeing(make.cylinder()); }));
    EXPECT_GT(4 * found, asked); // or nothing was tested
}

template <std::size_t Dim>
void check_nearest(Stage<Dim>& stage, std::size_t count) {
    static constexpr Filter kFilters[] = {{}, {kAllGroups, 3}, {0x5u}, {0u}};
    std::array<Near, 70> out;
    for (std::size_t i = 0; i < count; ++i) {
        const Point<Dim> point = stage.make.point();
        for (const std::uint32_t k : {1u, 3u, 20u, 70u}) {
            const float radius = k == 20 ? stage.make.length(0.7f) : kLargest;
            const Filter& filter = kFilters[i % std::size(kFilters)];
            const Found found = stage.crowd.nearest(point, {k, radius}, out, filter);
            ASSERT_TRUE(found.status.ok());
            const std::vector<Near> wanted = stage.truth.nearest_to(point, {k, radius}, filter);
            ASSERT_EQ(std::vector<Near>(out.begin(), out.begin() + std::ptrdiff_t(found.count)),
                      wanted);
            ASSERT_TRUE(std::all_of(out.begin() + std::ptrdiff_t(found.count), out.begin() + k,
                                    [](const Near& near) { return near == Near{}; }));
            ASSERT_NO_FATAL_FAILURE(
                check_conditions(stage.crowd, stage.truth, point, {k, radius}, filter, Sets::all));
        }
    }
}

/// Pairs of every kind, each with its elements in the right order.
template <std::size_t Dim>
void check_pairs(const Stage<Dim>& stage, int most, Body body) {
    const Crowd<Dim>& crowd = stage.crowd;
    const auto set_of = [&](Id id) {
        return is_static(id) ? 2 : crowd.contains(id, Sets::giants) ? 1 : 0;
    };
    const std::map<PairSets, std::pair<int, int>> kinds = {{PairSets::small_small, {0, 0}},
                                                           {PairSets::small_giants, {0, 1}},
                                                           {PairSets::giants_giants, {1, 1}},
                                                           {PairSets::small_statics, {0, 2}},
                                                           {PairSets::giants_statics, {1, 2}}};
    for (const std::uint32_t groups : {kAllGroups, 0x3u, 0u}) {
        IdPairs all;
        for (const auto& [kind, sets] : kinds) {
            const auto add = [&, of = sets](std::span<const Id> first, std::span<const Id> second) {
                for (std::size_t i = 0; i < first.size(); ++i) {
                    EXPECT_EQ(set_of(first[i]), of.first);
                    EXPECT_EQ(set_of(second[i]), of.second);
                    all.push_back(std::minmax(first[i], second[i]));
                }
                return true;
            };
            const std::size_t before = all.size();
            const Found of_kind = crowd.visit_pairs(kind, add, groups, body);
            ASSERT_EQ(of_kind.count, all.size() - before);
        }
        std::sort(all.begin(), all.end());
        ASSERT_EQ(all, stage.truth.pairs(groups, PairSets::all, most, body));
    }
    std::size_t seen = 0;
    const Found some = crowd.visit_pairs(
        PairSets::all, [&](std::span<const Id> run, auto) { return (seen += run.size()) == 0; },
        kAllGroups, body);
    ASSERT_EQ(some.count, seen);
}

template <std::size_t Dim>
std::vector<Periodic<Dim>> worlds(bool round) {
    // With round numbers every sum of them is exact.
    const Point<Dim> lo = round ? Point<Dim>::all(-4.0f) : Point<Dim>::all(-3.7f);
    Point<Dim> hi = Point<Dim>::all(round ? 12.0f : 6.43f);
    hi[1] = round ? 4.0f : 17.77f;
    std::vector<Periodic<Dim>> worlds;
    for (unsigned axes = 1; axes < 1u << Dim; ++axes) {
        std::array<bool, Dim> periodic{};
        for (std::size_t a = 0; a < Dim; ++a) {
            periodic[a] = (axes >> a & 1) != 0;
        }
        worlds.push_back({{lo, hi}, periodic});
    }
    return worlds;
}

template <class>
class CrowdPeriodic : public testing::Test {};
TYPED_TEST_SUITE(CrowdPeriodic, Dims, DimNames);

TYPED_TEST(CrowdPeriodic, AnswersWhatCopiesAllAroundSay) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const auto& world : worlds<kDim>(true)) {
        Stage<kDim> stage(world, 0.125f, true, 5);
        const Copies<kDim> copies(world, stage.truth);
        ASSERT_NO_FATAL_FAILURE(check_shapes(stage, &copies, kDim == 2 ? 24 : 6));
        ASSERT_NO_FATAL_FAILURE(check_nearest(stage, 8));
        ASSERT_NO_FATAL_FAILURE(check_pairs(stage, 4, Body::box));
        ASSERT_NO_FATAL_FAILURE(check_pairs(stage, 4, Body::disc));
    }
}

TYPED_TEST(CrowdPeriodic, AnswersWhatTheDefinitionSays) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const auto& world : worlds<kDim>(false)) {
        for (const bool with_cell : {true, false}) {
            Stage<kDim> stage(world, 0.0f, with_cell, with_cell ? 6 : 7);
            ASSERT_NO_FATAL_FAILURE(check_shapes<kDim>(stage, nullptr, kDim == 2 ? 40 : 6));
            ASSERT_NO_FATAL_FAILURE(check_nearest(stage, 12));
            ASSERT_NO_FATAL_FAILURE(check_pairs(stage, 1, Body::box));
            ASSERT_NO_FATAL_FAILURE(check_pairs(stage, 1, Body::disc));
        }
    }
}

/// One agent is on the border, where a copy of the point is as near as the point is to the other
/// agent.
TYPED_TEST(CrowdPeriodic, TheSmallerIdIsNearerAcrossTheBorderToo) {
    constexpr std::size_t kDim = TypeParam::value;
    CrowdSettings<kDim> settings;
    settings.bounds = Box<kDim>{Point<kDim>::all(0.0f), Point<kDim>::all(8.0f)};
    settings.periodic.fill(true);
    Crowd<kDim> crowd;
    ASSERT_EQ(crowd.configure(settings), Status{});
    for (std::size_t a = 0; a < kDim; ++a) {
        Point<kDim> border = Point<kDim>::all(4.0f), middle = border, point = border;
        border[a] = 0.0f;
        point[a] = 6.0f;
        People<kDim> people;
        people.add(border, Point<kDim>::all(0.25f));
        people.add(middle, Point<kDim>::all(0.25f));
        ASSERT_EQ(crowd.update(people.agents()), Status{});
        std::array<Near, 1> nearest;
        ASSERT_EQ(crowd.nearest(point, Nearest{1}, nearest).count, 1u);
        EXPECT_EQ(nearest[0], (Near{4.0f, 0})) << "on axis " << a;
    }
}

/// Thousands of copies of a shape hit every agent: trying the copies from the first on, to find the
/// first that hits, would take several seconds for each hundred agents.
TEST(CrowdPeriodicCopies, OfALongThickShapeAreNotComparedEachWithEach) {
    constexpr std::size_t kAgents = 1500;
    CrowdSettings<2> settings;
    settings.bounds = {{0.0f, 0.0f}, {1.0f, 1.0f}};
    settings.cell = {0.25f, 0.25f};
    settings.periodic.fill(true);
    Crowd<2> crowd;
    ASSERT_EQ(crowd.configure(settings), Status{});
    scenes::Random random(3);
    People<2> people;
    for (std::size_t i = 0; i < kAgents; ++i) {
        people.add({random.unit(), random.unit()}, {0.0f, 0.0f});
    }
    ASSERT_EQ(crowd.update(people.agents()), Status{});
    const std::clock_t start = std::clock();
    EXPECT_EQ(crowd.count(Capsule<2>{{0.5f, 0.5f}, {420.5f, 0.5f}, 3.0f}).count, kAgents);
    EXPECT_LT(std::clock() - start, (test::emulated() ? 40 : 4) * CLOCKS_PER_SEC);
}

/// A column without ends goes around for ever, like a box that is larger than the world.
TYPED_TEST(CrowdPeriodic, AColumnMayStandOnAPeriodicAxis) {
    constexpr std::size_t kDim = TypeParam::value;
    CrowdSettings<kDim> settings;
    settings.bounds = Box<kDim>{Point<kDim>::all(0.0f), Point<kDim>::all(8.0f)};
    settings.periodic.fill(true);
    Crowd<kDim> crowd;
    ASSERT_EQ(crowd.configure(settings), Status{});
    scenes::Random random(5);
    People<kDim> people;
    for (int i = 0; i < 300; ++i) {
        Point<kDim> point;
        for (float& x : point.axis) {
            x = random.between(0.0f, 7.99f);
        }
        people.add(point, Point<kDim>::all(0.1f));
    }
    ASSERT_EQ(crowd.update(people.agents()), Status{});
    for (std::uint32_t up = 1; up < kDim; ++up) {
        // Its foot is beyond the border, so that copies on both sides of the world are needed.
        Cylinder<kDim> column{Point<kDim>::all(7.5f), 1.5f};
        column.up = up;
        Ids wanted;
        for (std::size_t i = 0; i < people.size(); ++i) {
            float distance2 = 0.0f;
            for (std::size_t a = 0; a < kDim; ++a) {
                if (a == up) { continue; }
                const float x = people.positions[i][a];
                const float away = std::min(std::abs(x - 7.5f), std::abs(x + 8.0f - 7.5f));
                distance2 = a == 0 ? away * away : distance2 + away * away;
            }
            if (distance2 <= column.radius * column.radius) { wanted.push_back(Id(i)); }
        }
        EXPECT_EQ(in_order(visited(crowd, column)), wanted) << "up is " << up;
        EXPECT_GT(wanted.size(), 5u);
        EXPECT_LT(wanted.size(), 290u);
    }
}

/// A shape so far away that a double cannot hold the distance plus a period: each copy still has a
/// single offset, which leads to where the shape itself would be put.
TYPED_TEST(CrowdPeriodic, AShapeComesHomeFromFarthestAway) {
    constexpr std::size_t kDim = TypeParam::value;
    std::size_t found = 0;
    for (const auto& world : worlds<kDim>(false)) {
        Stage<kDim> stage(world, 0.0f, true, 11);
        for (const float away : {3e12f, -7e15f, 1e18f, -1e18f}) {
            for (std::size_t a = 0; a < kDim; ++a) {
                if (!world.axes[a]) { continue; }
                OrientedBox<kDim> far{stage.make.point()};
                far.centre[a] = away;
                far.half_edges[0] = Point<kDim>::all(3.0f);
                far.half_edges[1][1] = 2.0f;
                Ball<kDim> ball{far.centre, 4.0f};
                OrientedBox<kDim> near = far;
                near.centre[a] = ball.centre[a] =
                    wrapped(away, world.bounds.lo[a], world.bounds.hi[a]);
                const Ids wanted = in_order(visited(stage.crowd, near));
                found += wanted.size();
                ASSERT_NO_FATAL_FAILURE(check_forms(stage.crowd, far, {}, wanted));
                const Ids in_ball = in_order(visited(stage.crowd, ball));
                ball.centre = far.centre;
                ASSERT_NO_FATAL_FAILURE(check_forms(stage.crowd, ball, {}, in_ball));
            }
        }
    }
    EXPECT_GT(found, 100u); // or nothing was tested
}

/// A crowd in a periodic world, and its oracle.
struct Rim {
    Crowd<2> crowd;
    Truth<2> truth;

    Rim(const Periodic<2>& world, const People<2>& people, float cell) : truth(world) {
        CrowdSettings<2> settings;
        settings.bounds = world.bounds;
        settings.periodic = world.axes;
        settings.cell = Point<2>::all(cell);
        EXPECT_EQ(crowd.configure(settings), Status{});
        EXPECT_EQ(crowd.update(people.agents()), Status{});
        EXPECT_EQ(truth.update(people.agents()), Status{});
    }
};

/// More than fit the room for what a block of agents finds.
TEST(CrowdPeriodicRims, HaveAllPairsOfACrush) {
    const Periodic<2> world{{{0.0f, 0.0f}, {64.0f, 64.0f}}, {true, true}};
    scenes::Random random(13);
    People<2> people;
    for (int i = 0; i < 1500; ++i) {
        const float x = random.between(-0.4f, 0.4f), y = random.between(0.0f, 8.0f);
        people.add({x < 0.0f ? x + 64.0f : x, y}, Point<2>::all(random.between(0.1f, 0.2f)));
    }
    const Rim rim(world, people, 1.0f);
    EXPECT_EQ(pairs_of(rim.crowd), rim.truth.pairs(kAllGroups));
}

/// Agents that reach across more than half of the world, but are no giants.
TEST(CrowdPeriodicRims, HaveAllPairsOfWideAgents) {
    const Periodic<2> world{{{0.0f, 0.0f}, {8.0f, 8.0f}}, {true, true}};
    scenes::Random random(14);
    std::size_t found = 0;
    for (int round = 0; round < 50; ++round) {
        People<2> people;
        for (int i = 0; i < 12; ++i) {
            const Point<2> at = {{random.between(0.0f, 8.0f), random.between(0.0f, 8.0f)}};
            people.add(at, Point<2>::all(random.between(0.5f, i % 4 == 0 ? 2.2f : 1.0f)));
        }
        const Rim rim(world, people, 4.5f);
        ASSERT_EQ(rim.crowd.size(Sets::giants), 0u);
        const IdPairs pairs = rim.truth.pairs(kAllGroups);
        ASSERT_EQ(pairs_of(rim.crowd), pairs);
        found += pairs.size();
    }
    EXPECT_GT(found, 500u);
}

/// Where rounding decides, only the sum that the definition names counts, whichever agent has the
/// smaller id.
TEST(CrowdPeriodicRims, AreWhereTheDefinitionRoundsThem) {
    const Periodic<2> world{{{-3.7f, 0.0f}, {6.43f, 1000.0f}}, {true, false}};
    const float period = world.period(0);
    scenes::Random random(12);
    People<2> people;
    std::vector<Box<2>> boxes;
    for (int i = 0; i < 500; ++i) {
        const float y = 2.0f * static_cast<float>(i);
        const float low = random.between(-3.7f, -2.7f);
        const float high = random.between(5.4f, 6.42f);
        const float half = random.unit();
        const float rest = (low + period) - high - half;
        const bool lower_first = random.below(2) == 0;
        const Point<2> halves[] = {{half, 0.5f}, {std::max(rest, 0.0f), 0.5f}};
        people.add({lower_first ? low : high, y}, halves[0]);
        people.add({lower_first ? high : low, y}, halves[1]);
        boxes.push_back({{(low - half) + period, y}, {7.5f, y}});
        boxes.push_back({{-4.5f, y}, {(low - half), y}});
        boxes.push_back({{-4.5f, y}, {(high - half) - period, y}});
    }
    const Rim rim(world, people, 1.0f);
    const IdPairs pairs = rim.truth.pairs(kAllGroups);
    EXPECT_EQ(pairs_of(rim.crowd), pairs);
    // Of the 500 couples some overlap, and some just miss each other.
    EXPECT_GT(pairs.size(), 100u);
    EXPECT_LT(pairs.size(), 490u);
    for (const Box<2>& box : boxes) {
        ASSERT_EQ(in_order(visited(rim.crowd, box)), rim.truth.ids_in(box));
    }
}

/// Shapes that are refused, and inverted ones, are told before anything is computed from them.
TEST(CrowdPeriodicEdges, RefusesWhatItRefusesInOtherWorlds) {
    CrowdSettings<2> settings;
    settings.bounds = Box<2>{{}, {{100.0f, 100.0f}}};
    settings.cell = Point<2>{{5.0f, 5.0f}};
    settings.periodic[0] = true;
    Crowd<2> round, open;
    ASSERT_EQ(round.configure(settings), Status{});
    settings.periodic[0] = false;
    ASSERT_EQ(open.configure(settings), Status{});
    const std::array<float, 2> position = {99.5f, 50.0f};
    Agents<2> agents;
    agents.positions = PointView<2>::interleaved(position.data(), 1);
    agents.common_half_extent = {{2.0f, 2.0f}};
    ASSERT_EQ(round.update(agents), Status{});
    ASSERT_EQ(open.update(agents), Status{});
    const auto refused = [&](const auto& shape) {
        const Found wanted = open.count(shape);
        ASSERT_FALSE(wanted.status.ok());
        ASSERT_EQ(round.count(shape).status, wanted.status);
        Hits hits;
        ASSERT_EQ(round.query(std::span(&shape, 1), hits).status, wanted.status);
    };
    Convex<2> convex;
    convex.count = 9;
    ASSERT_NO_FATAL_FAILURE(refused(convex));
    Cylinder<2> cylinder;
    cylinder.up = 7;
    ASSERT_NO_FATAL_FAILURE(refused(cylinder));
    ASSERT_NO_FATAL_FAILURE(refused(Capsule<2>{{{3e38f, 1.0f}}, {{-3e38f, 1.0f}}, 1.0f}));
    // Rounding turns a copy of this box round, which by itself finds nothing.
    EXPECT_EQ(round.count(Box<2>{{{1.0000001f, 49.0f}}, {{1.0f, 51.0f}}}).count, 0u);
    EXPECT_EQ(round.count(Box<2>{{{1.0f, 49.0f}}, {{1.0f, 51.0f}}}).count, 1u);
}

} // namespace
} // namespace throng::test
