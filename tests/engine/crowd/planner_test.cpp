// Answers are the same whatever path a question takes, and in whatever order the sets of a crowd
// are asked.
#include "../../family/questions.hpp"
#include "../../support/apply_edit.hpp"

#include "../../support/dims.hpp"
#include "../../support/random.hpp"
#include "../../support/scenes/scene_shapes.hpp"
#include "../../support/scenes/scenes.hpp"

#include "../../../engine/grid/planner/query_planner.hpp"
#include "../../../engine/grid/rows/row_store.hpp"
#include "../../support/path_choice.hpp"
#include <throng/engine/agents/grid_shape.hpp>
#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/grid/query_stats.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <vector>

namespace throng::test {
namespace {

constexpr SearchPath kPaths[] = {SearchPath::rows, SearchPath::tiles, SearchPath::all};

/// Agents on a lattice of halves, so that many are equally far away; `spread` is the side of the
/// world.
template <std::size_t Dim>
scenes::Scene<Dim> lattice_scene(std::size_t count, float spread, std::uint64_t seed) {
    scenes::Scene<Dim> scene;
    scene.name = "lattice";
    scene.world = {Point<Dim>::all(0.0f), Point<Dim>::all(spread)};
    scene.cell = Point<Dim>::all(1.0f);
    scene.common_half_extent = Point<Dim>::all(0.25f);
    scenes::Random random(seed);
    const auto steps = static_cast<std::uint32_t>(2.0f * spread) + 1;
    for (std::size_t i = 0; i < count; ++i) {
        Point<Dim> point;
        for (std::size_t a = 0; a < Dim; ++a) {
            point[a] = 0.5f * static_cast<float>(random.below(steps));
        }
        scene.add(point);
    }
    scenes::add_queries(scene, 40);
    return scene;
}

/// The same scene with an extent for each agent; one in 64 is a giant.
template <std::size_t Dim>
scenes::Scene<Dim> with_giants(const scenes::Scene<Dim>& scene) {
    scenes::Scene<Dim> mixed;
    mixed.world = scene.world;
    for (std::size_t i = 0; i < scene.size(); ++i) {
        mixed.add(scene.position_of(i), Point<Dim>::all(i % 64 == 0 ? 2.5f : 0.25f));
    }
    return mixed;
}

/// Two sides of negative length enclose no room for agents.
TEST(Planner, ExpectsNothingInAnEmptyRegion) {
    const RowStore<2> store;
    const Box<2> everywhere{{0.0f, 0.0f}, {10.0f, 10.0f}};
    const Point<2> max_half_extent{};
    const GridFacts<2> facts{store, everywhere, max_half_extent, 1000};
    EXPECT_TRUE(is_sparse_for(Box<2>{{30.0f, 30.0f}, {-30.0f, -30.0f}}, facts));
    EXPECT_TRUE(is_sparse_for(Box<2>{{5.0f, 5.0f}, {5.0f, 5.0f}}, facts));
    EXPECT_FALSE(is_sparse_for(Box<2>{{0.0f, 0.0f}, {1.0f, 1.0f}}, facts));
    // With all agents at one point, a region that holds the point is not sparse.
    const Point<2> middle{5.0f, 5.0f};
    const Box<2> point{middle, middle};
    EXPECT_FALSE(is_sparse_for(point, GridFacts<2>{store, point, max_half_extent, 1000}));
}

template <std::size_t Dim, class Visit>
void for_each_shape(const scenes::Scene<Dim>& scene, const Visit& visit) {
    const auto each = [&](const auto&... lists) {
        const auto all = [&](const auto& list) {
            for (const auto& shape : list) {
                visit(shape);
            }
        };
        (all(lists), ...);
    };
    const scenes::Shapes<Dim> others = scenes::shapes_about(scene, 24);
    const float far = 2.0f * scene.world.hi[0] + 1.0f;
    const std::vector<Box<Dim>> worlds = {
        scene.world,
        {Point<Dim>::all(-far), Point<Dim>::all(far)},
        {Point<Dim>::all(0.25f), Point<Dim>::all(scene.world.hi[0] - 0.25f)},
        {Point<Dim>::all(far), Point<Dim>::all(-far)}};
    const std::vector<Ball<Dim>> balls = {{scene.position_of(0), 4.0f * far},
                                          {Point<Dim>::all(0.0f), scene.world.hi[0]}};
    each(scene.boxes, scene.balls, worlds, balls, others.segments, others.rays, others.capsules,
         others.sectors, others.convexes, others.oriented_boxes, others.cylinders,
         others.body_balls, others.body_sectors, others.body_cylinders);
}

/// Each path gives the ids in the order of the first path, and they are those of brute force.
/// Returns the number of questions for which each path existed.
template <std::size_t Dim>
std::array<std::size_t, 3> check_paths(const RowGrid<Dim>& grid, const Truth<Dim>& truth,
                                       const scenes::Scene<Dim>& scene) {
    using Choice = PathChoice<Dim>;
    std::array<std::size_t, 3> used{};
    const Filter filters[] = {{}, {kAllGroups, 3}, {}, {kAllGroups, 1'000'000}};
    std::size_t asked = 0;
    for_each_shape(scene, [&](const auto& shape) {
        const Filter& filter = filters[asked++ % std::size(filters)];
        if (!check_shape(shape).ok()) { return; }
        Ids first(grid.size());
        first.resize(Choice::query(grid, SearchPath::rows, shape, first, filter).count);
        EXPECT_EQ(in_order(first), visited(truth, shape, filter));
        EXPECT_EQ(visited(grid, shape, filter), first);
        for (std::size_t p = 0; p < 3; ++p) {
            if (!Choice::is(grid, kPaths[p], shape, filter)) { continue; }
            ++used[p];
            Ids ids(grid.size());
            ids.resize(Choice::query(grid, kPaths[p], shape, ids, filter).count);
            EXPECT_EQ(ids, first) << to_string(kPaths[p]);
            EXPECT_EQ(Choice::count(grid, kPaths[p], shape, filter).count, first.size());
            Ids half(first.size() / 2);
            EXPECT_EQ(Choice::query(grid, kPaths[p], shape, half, filter).count, first.size());
            EXPECT_TRUE(std::equal(half.begin(), half.end(), first.begin()));
        }
    });
    return used;
}

template <class T>
class CrowdPlanner : public testing::Test {};
TYPED_TEST_SUITE(CrowdPlanner, Dims, DimNames);

TYPED_TEST(CrowdPlanner, AnswersTheSameOnEveryPath) {
    constexpr std::size_t Dim = TypeParam::value;
    struct World {
        std::size_t agents;
        float side;
        bool tiled;
    };
    const World dense = {4'000, Dim == 2 ? 50.0f : 13.0f, false};
    const World sparse = {2'000, Dim == 2 ? 500.0f : 40.0f, true};
    for (const World& world : {dense, sparse}) {
        SCOPED_TRACE(world.side);
        scenes::Scene<Dim> scene = lattice_scene<Dim>(world.agents, world.side, 1);
        RowGrid<Dim> grid;
        Truth<Dim> truth;
        ASSERT_EQ(grid.configure(scene.world, scene.cell), Status{});
        ASSERT_EQ(grid.update(scene.agents()), Status{});
        ASSERT_EQ(truth.update(scene.agents()), Status{});
        std::array<std::size_t, 3> used = check_paths(grid, truth, scene);
        EXPECT_GT(used[0], 100u);
        EXPECT_EQ(used[1] != 0, world.tiled);
        EXPECT_GT(used[2], 0u);
        ASSERT_EQ(grid.validate(), nullptr);

        // Edits of all kinds, some of them beyond the world.
        scenes::Random random(5);
        const auto anywhere = [&] {
            Point<Dim> point;
            for (std::size_t a = 0; a < Dim; ++a) {
                point[a] = random.between(-0.1f * world.side, 1.1f * world.side);
            }
            return point;
        };
        std::vector<Edit<Dim>> edits;
        for (Id id = 0; id < 300; ++id) {
            const Agent<Dim> agent{anywhere(), {}, {}};
            const auto newcomer = static_cast<Id>(world.agents + id);
            edits.push_back(id % 3 == 0   ? Edit<Dim>::insert(newcomer, agent)
                            : id % 3 == 1 ? Edit<Dim>::move(id, agent.position)
                                          : Edit<Dim>::erase(id));
        }
        for (std::size_t i = 0; i < edits.size(); i += 100) {
            const auto some = std::span<const Edit<Dim>>(edits).subspan(i, 100);
            if (i != 0) { ASSERT_EQ(grid.edit(some), Status{}); }
            for (const Edit<Dim>& edit : some) {
                if (i == 0) { ASSERT_EQ(apply_to(grid, edit), Status{}); }
                ASSERT_EQ(truth.edit(edit), Status{});
            }
            ASSERT_EQ(grid.validate(), nullptr);
        }
        used = check_paths(grid, truth, scene);
        EXPECT_EQ(used[1] != 0, world.tiled);
        EXPECT_GT(used[2], 0u);
    }
}

TYPED_TEST(CrowdPlanner, ExplainsWhatACountCosts) {
    constexpr std::size_t Dim = TypeParam::value;
    const scenes::Scene<Dim> small = lattice_scene<Dim>(3'000, Dim == 2 ? 400.0f : 40.0f, 2);
    scenes::Scene<Dim> scene = with_giants(small);
    scenes::Scene<Dim> walls = lattice_scene<Dim>(50, small.world.hi[0], 3);
    Crowd<Dim> crowd;
    ASSERT_EQ(crowd.configure({small.world, small.cell}), Status{});
    EXPECT_EQ(crowd.explain(small.world).path, SearchPath::none);
    ASSERT_EQ(crowd.update(scene.agents()), Status{});
    ASSERT_EQ(crowd.set_statics(walls.agents()), Status{});
    ASSERT_GT(crowd.size(Sets::giants), 10u);
    for_each_shape(small, [&](const auto& shape) {
        for (const Filter& filter : {Filter{}, Filter{kAllGroups, 1}, Filter{0}}) {
            const CrowdStats stats = crowd.explain(shape, filter);
            const auto count = [&](Sets sets) { return crowd.count(shape, filter, sets).count; };
            ASSERT_EQ(stats.status, crowd.count(shape, filter).status);
            ASSERT_EQ(stats.hits(), count(Sets::all));
            ASSERT_EQ(stats.small, count(Sets::small));
            ASSERT_EQ(stats.giants, count(Sets::giants));
            ASSERT_EQ(stats.statics, count(Sets::statics));
            ASSERT_GE(stats.tested + stats.copied, stats.small);
            ASSERT_LE(stats.copied, stats.small);
            ASSERT_LE(stats.rows, stats.tested + stats.copied + crowd.grid().shape().rows());
            ASSERT_EQ(stats.path == SearchPath::none, !stats.status.ok() || filter.groups == 0);
            ASSERT_EQ(stats.predicted_nanoseconds > 0.0, stats.path != SearchPath::none);
            ASSERT_EQ(stats.predicted.of(stats.path), stats.predicted_nanoseconds);
            ASSERT_EQ(stats.reason == PathReason::no_search, stats.path == SearchPath::none);
            ASSERT_EQ(stats.reason == PathReason::holds_all, stats.path == SearchPath::all);
            ASSERT_EQ(stats.predicted.all >= 0.0, stats.path == SearchPath::all);
            ASSERT_EQ(stats.predicted.rows >= 0.0, stats.path != SearchPath::none);
            ASSERT_EQ(stats.predicted.tiles >= 0.0, stats.path != SearchPath::none);
            ASSERT_EQ(crowd.any(shape, filter).count, stats.hits() != 0 ? 1u : 0u);
            ASSERT_EQ(crowd.explain(shape, filter, Sets::statics).hits(), stats.statics);
        }
    });

    // Larger searches are expected to take longer, until no agent has to be tested.
    const auto explained = [&](float part, const Filter& filter) {
        const float half = 0.5f * part * small.world.hi[0];
        return crowd.explain(
            Box<Dim>::around(Point<Dim>::all(0.5f * small.world.hi[0]), Point<Dim>::all(half)),
            filter);
    };
    double last = 0.0;
    for (float part = 0.01f; part < 0.9f; part *= 1.5f) {
        const CrowdStats stats = explained(part, {});
        EXPECT_EQ(stats.path, SearchPath::tiles);
        EXPECT_EQ(stats.reason, PathReason::skips_rows);
        EXPECT_GE(stats.predicted_nanoseconds, last);
        last = stats.predicted_nanoseconds;
    }
    const CrowdStats all = explained(2.0f, {});
    EXPECT_EQ(all.path, SearchPath::all);
    EXPECT_EQ(all.rows + all.tested, 0u);
    EXPECT_EQ(all.copied, crowd.grid().size());
    EXPECT_LT(all.predicted_nanoseconds, last);
    EXPECT_EQ(explained(2.0f, {kAllGroups, 1}).path, SearchPath::tiles);
}

/// any() asks giants and statics first if they are sure to be hit and a search of the grid takes
/// long; not if they are few or the search is small.
TYPED_TEST(CrowdPlanner, AsksTheSetsForAnyInAGoodOrder) {
    constexpr std::size_t Dim = TypeParam::value;
    const float side = Dim == 2 ? 400.0f : 60.0f;
    const scenes::Scene<Dim> small = lattice_scene<Dim>(3'000, side, 2);
    scenes::Scene<Dim> scene = with_giants(small), none, many;
    scenes::Random random(3);
    for (std::size_t i = 0; i < 2'000; ++i) {
        Point<Dim> point;
        for (std::size_t a = 0; a < Dim; ++a) {
            point[a] = random.between(0.0f, side);
        }
        many.add(point, Point<Dim>::all(1.0f));
    }
    Crowd<Dim> crowd;
    ASSERT_EQ(crowd.configure({small.world, small.cell}), Status{});
    ASSERT_EQ(crowd.update(scene.agents()), Status{});
    const auto is_large_first = [&](float half) {
        const Point<Dim> middle = Point<Dim>::all(0.5f * side);
        const Segment<Dim> across{Point<Dim>::all(0.5f * side - half),
                                  Point<Dim>::all(0.5f * side + half)};
        EXPECT_EQ(crowd.any(across).count != 0, crowd.count(across).count != 0);
        const Box<Dim> box = Box<Dim>::around(middle, Point<Dim>::all(half));
        EXPECT_EQ(crowd.any(box).count != 0, crowd.count(box).count != 0);
        return crowd.explain(across).large_first;
    };
    ASSERT_EQ(crowd.set_statics(many.agents()), Status{});
    EXPECT_FALSE(is_large_first(1.0f));
    EXPECT_TRUE(is_large_first(0.45f * side));
    EXPECT_FALSE(crowd.explain(small.world).large_first); // all agents are hits
    EXPECT_FALSE(crowd.explain(small.world, {}, Sets::small).large_first);
}

/// The first hit, from the list of all hits.
template <std::size_t Dim, class Path>
PathHit first_of_all(const Crowd<Dim>& crowd, const Path& path, Sets sets) {
    std::vector<PathHit> all;
    EXPECT_EQ(crowd.hits(path, all, {}, sets), Status{});
    return all.empty() ? PathHit{std::numeric_limits<float>::infinity(), kNoId} : all.front();
}

TYPED_TEST(CrowdPlanner, FindsTheFirstWhicheverSetIsAskedFirst) {
    constexpr std::size_t Dim = TypeParam::value;
    std::size_t ties = 0, met_large = 0, met_small = 0;
    for (const std::size_t agents : {200u, 3'000u}) {
        const float side = Dim == 2 ? 60.0f : 20.0f;
        const scenes::Scene<Dim> small = lattice_scene<Dim>(agents, side, 4);
        scenes::Scene<Dim> scene = with_giants(small);
        scenes::Scene<Dim> walls = lattice_scene<Dim>(60, side, 6);
        Crowd<Dim> crowd;
        ASSERT_EQ(crowd.configure({small.world, small.cell}), Status{});
        ASSERT_EQ(crowd.update(scene.agents()), Status{});
        ASSERT_EQ(crowd.set_statics(walls.agents()), Status{});
        scenes::Random random(9);
        for (std::size_t i = 0; i < 2'000; ++i) {
            Point<Dim> from, to;
            for (std::size_t a = 0; a < Dim; ++a) {
                // Paths on the lattice, along an axis, or anywhere, short and long.
                const auto steps = static_cast<std::uint32_t>(2.0f * side);
                const bool lattice = i % 3 != 2;
                from[a] = lattice ? 0.5f * static_cast<float>(random.below(steps))
                                  : random.between(0.0f, side);
                to[a] = lattice ? 0.5f * static_cast<float>(random.below(steps))
                                : random.between(0.0f, side);
                if (i % 3 == 0 && a != i % Dim) { to[a] = from[a]; }
            }
            const Sets sets = i % 5 == 0 ? Sets::giants | Sets::statics : Sets::all;
            const auto check = [&](const auto& path) {
                if (!check_shape(path).ok()) { return; }
                const PathHit wanted = first_of_all(crowd, path, sets);
                PathHit met{std::numeric_limits<float>::infinity(), kNoId};
                const Found found = crowd.first(path, met, {}, sets);
                ASSERT_EQ(found.count, wanted.id == kNoId ? 0u : 1u);
                ASSERT_EQ(met.time, wanted.time);
                ASSERT_EQ(met.id, wanted.id);
                std::vector<PathHit> all;
                ASSERT_EQ(crowd.hits(path, all, {}, sets), Status{});
                if (all.size() > 1 && all[0].time == all[1].time) { ++ties; }
                if (found.count != 0) {
                    ++(is_static(met.id) || crowd.contains(met.id, Sets::giants) ? met_large
                                                                                 : met_small);
                }
            };
            check(Segment<Dim>{from, to});
            Ray<Dim> ray = {from, {}, i % 4 == 0 ? kLargest : random.between(0.0f, 3.0f)};
            for (std::size_t a = 0; a < Dim; ++a) {
                ray.direction[a] = (to[a] - from[a]) * (i % 7 == 0 ? 1e-3f : 1.0f);
            }
            check(ray);
            if (i % 4 == 0) { check(Capsule<Dim>{from, to, 0.5f}); }
            if (testing::Test::HasFatalFailure()) { return; }
        }
    }
    EXPECT_GT(ties, 200u);
    EXPECT_GT(met_large, 500u);
    EXPECT_GT(met_small, 500u);
}

TYPED_TEST(CrowdPlanner, FindsTheNearestOfAllSets) {
    constexpr std::size_t Dim = TypeParam::value;
    const float side = Dim == 2 ? 60.0f : 16.0f;
    const scenes::Scene<Dim> small = lattice_scene<Dim>(2'000, side, 7);
    scenes::Scene<Dim> scene = with_giants(small);
    scenes::Scene<Dim> walls = lattice_scene<Dim>(300, side, 8);
    Crowd<Dim> crowd;
    ASSERT_EQ(crowd.configure({small.world, small.cell}), Status{});
    ASSERT_EQ(crowd.update(scene.agents()), Status{});
    ASSERT_EQ(crowd.set_statics(walls.agents()), Status{});
    scenes::Random random(10);
    std::vector<Near> all;
    for (std::size_t i = 0; i < 300; ++i) {
        Point<Dim> point;
        for (std::size_t a = 0; a < Dim; ++a) {
            point[a] =
                0.5f * static_cast<float>(random.below(static_cast<std::uint32_t>(2 * side)));
        }
        all.clear();
        for (std::size_t n = 0; n < scene.size(); ++n) {
            all.push_back({distance2_between(point, scene.position_of(n)), static_cast<Id>(n)});
        }
        for (std::size_t n = 0; n < walls.size(); ++n) {
            all.push_back({distance2_between(point, walls.position_of(n)), static_id(n)});
        }
        std::sort(all.begin(), all.end(), [](const Near& a, const Near& b) {
            return a.distance2 < b.distance2 || (a.distance2 == b.distance2 && a.id < b.id);
        });
        const std::uint32_t k = 1 + random.below(40);
        std::vector<Near> found(k);
        ASSERT_EQ(crowd.nearest(point, {k}, found).count, k);
        ASSERT_TRUE(std::equal(found.begin(), found.end(), all.begin()));
    }
}

} // namespace
} // namespace throng::test
