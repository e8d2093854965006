// The nearest agents, on every scene and in very different grids, against the oracle.
#include <throng/engine/agents/grid_shape.hpp>
#include <throng/engine/family/brute_force.hpp>
#include <throng/engine/grid/row_grid.hpp>

#include "../../../engine/grid/grid_parts.hpp"
#include "../../simd/kernels/guarded.hpp"
#include "../../support/answers.hpp"
#include "../../support/dims.hpp"
#include "../../support/numbers.hpp"
#include "../../support/scenes/scene_cases.hpp"
#include "../../support/truth.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <tuple>

namespace throng {
namespace {

using test::kCanary;

using Nears = std::vector<Near>;

constexpr Near kUnwritten{-7.0f, 0xC0FF'EE00u};
constexpr std::uint32_t kAllOfThem = 0xFFFF'FFFFu;
constexpr std::uint32_t kMany[] = {0, 1, 2, 8, 17, 64, 100, 300};
const Filter kFilters[] = {{}, {kAllGroups, 3}, {0x1u}, {0x8000'0002u, 7}, {0u}};

/// The first k of `all`, filled up with empty elements.
Nears first(const Nears& all, std::uint32_t k) {
    Nears answer(k);
    std::copy_n(all.begin(), std::min<std::size_t>(k, all.size()), answer.begin());
    return answer;
}

/// A single call writes k elements, and no others.
template <std::size_t Dim, class Index>
void check_one(const Index& index, const Point<Dim>& point, const Nearest& nearest,
               const Filter& filter, const Nears& all) {
    Nears out(nearest.k + 3, kUnwritten);
    const Found found = index.nearest(point, nearest, std::span(out).first(nearest.k), filter);
    ASSERT_EQ(found.status, Status{});
    ASSERT_EQ(found.count, std::min<std::size_t>(nearest.k, all.size()));
    ASSERT_EQ(std::count(out.begin() + nearest.k, out.end(), kUnwritten), 3);
    out.resize(nearest.k);
    ASSERT_TRUE(out == first(all, nearest.k)) << "k " << nearest.k << ", radius " << nearest.radius;
}

/// Calls `ask` with exactly as much room as it must have; an element more is a segmentation fault.
template <std::size_t Dim, class Ask>
void check_many(std::uint32_t k, const std::vector<Nears>& all, const Ask& ask) {
    const test::Guarded<Near> places(all.size() * k);
    const test::Guarded<std::uint32_t> counts(all.size());
    const test::Guarded<std::uint32_t> scratch(GridParts<Dim>::nearest_scratch());
    const Found found =
        ask(std::span(scratch.begin(), scratch.end()),
            NearBuffer{{places.begin(), all.size() * k}, {counts.begin(), all.size()}});
    ASSERT_EQ(found.status, Status{});
    std::size_t sum = 0;
    for (std::size_t q = 0; q < all.size(); ++q) {
        const std::size_t count = std::min<std::size_t>(k, all[q].size());
        ASSERT_EQ(counts.begin()[q], count) << "k " << k << ", question " << q;
        const Nears wanted = first(all[q], k);
        ASSERT_TRUE(std::equal(wanted.begin(), wanted.end(), places.begin() + q * k))
            << "k " << k << ", question " << q;
        sum += count;
    }
    ASSERT_EQ(found.count, sum);
}

template <std::size_t Dim>
std::vector<Point<Dim>> points_for(const scenes::Scene<Dim>& scene) {
    std::vector<Point<Dim>> points;
    for (std::size_t i = 0; i < scene.balls.size(); i += 1 + scene.balls.size() / 9) {
        points.push_back(scene.balls[i].centre);
    }
    for (std::size_t i = 0; i < scene.size(); i += 1 + scene.size() / 4) {
        points.push_back(scene.position_of(i));
    }
    points.push_back(Point<Dim>::all(-kLargest));
    points.push_back(Point<Dim>::all(12'345.0f));
    points.back()[0] = -3.0f;
    return points;
}

template <std::size_t Dim>
void check_nearest_in(std::string_view name, scenes::Groups groups) {
    auto scene = scenes::make<Dim>(name, 260, groups);
    BruteForce<Dim> flat; // is asked like the grids
    test::Truth<Dim> truth;
    ASSERT_EQ(flat.update(scene.agents()), Status{});
    ASSERT_EQ(truth.update(scene.agents()), Status{});
    const std::vector<Point<Dim>> points = points_for(scene);
    const float radii[] = {kLargest, 0.0f, scene.cell[0],
                           scene.balls.empty() ? 1.0f : std::abs(scene.balls.back().radius)};
    std::vector<RowGrid<Dim>> grids;
    for (const GridShape<Dim>& shape : scenes::shapes_for(scene)) {
        grids.emplace_back();
        ASSERT_EQ(grids.back().use(shape), Status{});
        ASSERT_EQ(grids.back().update(scene.agents()), Status{});
    }
    std::size_t turn = 0;
    std::size_t combination = 0;
    for (const float radius : radii) {
        for (const Filter& filter : kFilters) {
            // Every other combination only: all together would take too long.
            if (++combination % 2 == 0) { continue; }
            std::vector<Nears> all;
            for (const Point<Dim>& point : points) {
                all.push_back(truth.nearest_to(point, {kAllOfThem, radius}, filter));
            }
            for (const std::uint32_t k : kMany) {
                const Nearest nearest{k, radius};
                // The grids take turns: all of them would take too long.
                const RowGrid<Dim>& grid = grids[turn++ % grids.size()];
                for (std::size_t q = 0; q < points.size(); ++q) {
                    SCOPED_TRACE(testing::Message()
                                 << "question " << q << ", without " << filter.without
                                 << ", groups " << filter.groups);
                    ASSERT_NO_FATAL_FAILURE(check_one(grid, points[q], nearest, filter, all[q]));
                    if (turn % 5 != 0) { continue; }
                    ASSERT_NO_FATAL_FAILURE(check_one(flat, points[q], nearest, filter, all[q]));
                }
                ASSERT_NO_FATAL_FAILURE(
                    check_many<Dim>(k, all, [&](auto scratch, const NearBuffer& out) {
                        return grid.parts().nearest(points, nearest, 0, points.size(), scratch, out,
                                                    filter);
                    }));
            }
        }
    }
}

/// The nearest of all agents, all slices at once and one by one.
template <std::size_t Dim>
void check_crowd(std::string_view name, scenes::Groups groups) {
    auto scene = scenes::make<Dim>(name, 180, groups);
    test::Truth<Dim> truth;
    ASSERT_EQ(truth.update(scene.agents()), Status{});
    const std::vector<GridShape<Dim>> shapes = scenes::shapes_for(scene);
    std::size_t turn = 0;
    for (const NearestNeighbours& ask :
         {NearestNeighbours{8}, NearestNeighbours{3, kLargest, true},
          NearestNeighbours{17, 1.5f * scene.cell[0], false, 0x3u},
          NearestNeighbours{2, scene.cell[0], true, 0x8000'0002u}, NearestNeighbours{100},
          NearestNeighbours{1, 0.0f}, NearestNeighbours{5, kLargest, false, 0u}}) {
        RowGrid<Dim> grid;
        ASSERT_EQ(grid.use(shapes[turn++ % shapes.size()]), Status{});
        ASSERT_EQ(grid.update(scene.agents()), Status{});
        std::vector<Id> order(grid.size());
        (void)grid.order(order);
        std::vector<Nears> all;
        for (const Id id : order) {
            all.push_back(truth.nearest_to(truth[id].position, {kAllOfThem, ask.radius},
                                           {ask.groups, ask.with_self ? kNoId : id}));
        }
        const std::size_t slices = grid.parts().slices();
        for (const std::size_t step : {slices, std::size_t{1}}) {
            SCOPED_TRACE(testing::Message() << "k " << ask.k << ", slices by " << step);
            ASSERT_NO_FATAL_FAILURE(
                check_many<Dim>(ask.k, all, [&](auto scratch, const NearBuffer& out) {
                    std::size_t told = 0;
                    std::size_t sum = 0;
                    for (std::size_t s = 0; s < slices; s += step) {
                        const std::size_t agents = grid.parts().agents_in(s, s + step);
                        const Found found = grid.parts().nearest_neighbours(
                            ask, s, s + step, scratch,
                            {out.nearest.subspan(told * ask.k, agents * ask.k),
                             out.counts.subspan(told, agents)});
                        EXPECT_EQ(found.status, Status{});
                        told += agents;
                        sum += found.count;
                    }
                    EXPECT_EQ(told, order.size());
                    return Found{sum, {}};
                }));
        }
    }
}

class NearestOnScenes : public testing::TestWithParam<test::SceneCase> {};

TEST_P(NearestOnScenes, AreAsDefined) {
    const auto& [dim, name, groups] = GetParam();
    dim == 2 ? check_nearest_in<2>(name, groups) : check_nearest_in<3>(name, groups);
}
TEST_P(NearestOnScenes, AreRightForEveryone) {
    const auto& [dim, name, groups] = GetParam();
    dim == 2 ? check_crowd<2>(name, groups) : check_crowd<3>(name, groups);
}
INSTANTIATE_TEST_SUITE_P(Nearest, NearestOnScenes, test::all_scene_cases(), test::scene_case_name);

template <class Dim>
class RowGridNearest : public testing::Test {};
TYPED_TEST_SUITE(RowGridNearest, test::Dims, test::DimNames);

/// Asks about some points, one by one and together.
template <std::size_t Dim>
void check_points(scenes::Scene<Dim>& scene, const RowGrid<Dim>& grid,
                  const std::vector<Point<Dim>>& points, std::initializer_list<std::uint32_t> many,
                  float radius = kLargest) {
    test::Truth<Dim> truth;
    ASSERT_EQ(truth.update(scene.agents()), Status{});
    std::vector<Nears> all;
    for (const Point<Dim>& point : points) {
        all.push_back(truth.nearest_to(point, {kAllOfThem, radius}));
    }
    for (const std::uint32_t k : many) {
        for (std::size_t q = 0; q < points.size(); ++q) {
            ASSERT_NO_FATAL_FAILURE(check_one(grid, points[q], {k, radius}, {}, all[q]));
        }
        ASSERT_NO_FATAL_FAILURE(check_many<Dim>(k, all, [&](auto scratch, const NearBuffer& out) {
            return grid.parts().nearest(points, {k, radius}, 0, points.size(), scratch, out);
        }));
    }
}

// Agents on a lattice, many of them equally near. Asked from agents, from between them and from
// borders of cells. If an agent is near enough, only the nearest cells are searched.
TYPED_TEST(RowGridNearest, OfOneCloseBy) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Scene<kDim> scene;
    const float side = kDim == 2 ? 40.0f : 12.0f;
    scene.world = {Point<kDim>::all(0.0f), Point<kDim>::all(side)};
    scenes::Random random(6);
    for (std::size_t i = 0; i < 1600; ++i) {
        Point<kDim> place;
        for (float& x : place.axis) {
            x = std::floor(random.between(0.0f, side)); // in no order of ids, some in one place
        }
        scene.add(place);
    }
    std::vector<Point<kDim>> points;
    for (std::size_t i = 0; i < 300; ++i) {
        Point<kDim> point;
        for (float& x : point.axis) {
            const float whole = std::floor(random.between(-1.0f, side + 2.0f));
            constexpr float kPlaces[] = {0.0f, 0.5f, 0.001f, -0.998f, 0.75f};
            x = whole + kPlaces[random.below(5)];
        }
        points.push_back(point);
    }
    // Rows are 2 high: half a row is 1, hardly more than 0.998.
    RowGrid<kDim> grid;
    Point<kDim> cell = Point<kDim>::all(2.0f);
    cell[0] = 0.5f;
    ASSERT_EQ(grid.configure(scene.world, cell), Status{});
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    for (const float radius : {kLargest, 0.0f, 0.5f, 0.998f, 1.0f, 1.5f}) {
        ASSERT_NO_FATAL_FAILURE(check_points(scene, grid, points, {1}, radius));
    }
    test::Truth<kDim> truth;
    ASSERT_EQ(truth.update(scene.agents()), Status{});
    for (const Point<kDim>& point : points) {
        const Id nearest = truth.nearest_to(point, {1, kLargest}, {})[0].id;
        const Filter others{kAllGroups, nearest};
        ASSERT_NO_FATAL_FAILURE(check_one(grid, point, {1, kLargest}, others,
                                          truth.nearest_to(point, {1, kLargest}, others)));
    }
}

// Floats so coarse that the rounded ends of half a row around a point are farther apart than a row
// is high.
TYPED_TEST(RowGridNearest, OfOneCloseByWhereFloatsAreCoarse) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Scene<kDim> scene;
    const float far = 5e6f, side = kDim == 2 ? 2000.0f : 200.0f;
    scene.world = {Point<kDim>::all(far), Point<kDim>::all(far + side)};
    scenes::Random random(8);
    for (std::size_t i = 0; i < 500; ++i) {
        Point<kDim> place;
        for (float& x : place.axis) {
            x = random.between(far, far + side);
        }
        scene.add(place);
    }
    RowGrid<kDim> grid;
    ASSERT_EQ(grid.configure(scene.world, Point<kDim>::all(2.6f)), Status{});
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    for (const float radius : {0.3f, 1.2f, kLargest}) {
        ASSERT_NO_FATAL_FAILURE(check_points(scene, grid, scene.positions(), {1}, radius));
    }
}

// More candidates than there is room for, all of them equally far; ids tell them apart.
TYPED_TEST(RowGridNearest, OfThousandsInOnePlace) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Scene<kDim> scene;
    scene.world = {Point<kDim>::all(0.0f), Point<kDim>::all(100.0f)};
    scenes::Random random(4);
    for (std::size_t i = 0; i < 12'000; ++i) {
        // Ids come in no order: half of the agents are elsewhere.
        scene.add(i % 2 == 0 ? Point<kDim>::all(50.0f)
                             : Point<kDim>::all(50.0f + random.between(-0.5f, 1e-3f)));
    }
    RowGrid<kDim> grid;
    ASSERT_EQ(grid.configure(scene.world, Point<kDim>::all(4.0f)), Status{});
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    Point<kDim> beside = Point<kDim>::all(50.0f);
    beside[0] = 53.0f;
    check_points(scene, grid, {Point<kDim>::all(50.0f), beside, Point<kDim>::all(1.0f)},
                 {1, 8, 64, 65, 500, kMostNearest});
}

// A dense cluster beside an empty world, asked from inside it, from its rim and from far off.
TYPED_TEST(RowGridNearest, OfAClusterInAnEmptyWorld) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Scene<kDim> scene;
    const float side = kDim == 2 ? 2000.0f : 200.0f;
    scene.world = {Point<kDim>::all(0.0f), Point<kDim>::all(side)};
    scenes::Random random(9);
    for (std::size_t i = 0; i < 12'000; ++i) {
        Point<kDim> point;
        for (float& x : point.axis) {
            x = 11.0f + random.bell();
        }
        scene.add(point);
    }
    scene.add(Point<kDim>::all(side - 1.0f));
    scene.add(Point<kDim>::all(-50.0f)); // outside
    RowGrid<kDim> grid;
    ASSERT_EQ(grid.configure(scene.world, Point<kDim>::all(2.0f)), Status{});
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    std::vector<Point<kDim>> points;
    for (const float x : {11.0f, 12.0f, 13.5f, 0.0f, -1e6f, 0.5f * side, side, 5.0f * side}) {
        points.push_back(Point<kDim>::all(x));
    }
    check_points(scene, grid, points, {1, 9, 64, kMostNearest});
    check_points(scene, grid, points, {9}, 3.0f);
}

// Distances that vanish, or nearly overflow.
TYPED_TEST(RowGridNearest, OfAgentsTinyAndHugeDistancesApart) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Scene<kDim> scene;
    scene.world = {Point<kDim>::all(-1.0f), Point<kDim>::all(1.0f)};
    for (const float x : {0.0f, 1e-38f, 1e-30f, 1e-19f, 1e-10f, 1.0f, 1e10f, -kLargest, kLargest}) {
        scene.add(Point<kDim>::all(x));
    }
    RowGrid<kDim> grid;
    ASSERT_EQ(grid.configure(scene.world, Point<kDim>::all(0.5f)), Status{});
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    check_points(scene, grid, scene.positions(), {1, 2, 3, 5, 8, 20});
    check_points(scene, grid, scene.positions(), {3, 20}, 0.0f);
}

TYPED_TEST(RowGridNearest, OfNoAgents) {
    constexpr std::size_t kDim = TypeParam::value;
    const RowGrid<kDim> grid;
    scenes::Scene<kDim> none;
    check_points(none, grid, {Point<kDim>{}}, {0, 1, 70});
}

/// Expects that a call is refused with this status and writes nothing.
template <class Ask>
void expect_refused(const Ask& ask, std::size_t room, const Status& wanted) {
    Nears out(room, kUnwritten);
    std::vector<std::uint32_t> counts(room, kCanary);
    const Found found = ask(std::span(out), std::span(counts));
    EXPECT_EQ(found.status, wanted);
    EXPECT_EQ(found.count, 0u);
    EXPECT_EQ(std::count(out.begin(), out.end(), kUnwritten), std::ssize(out));
    EXPECT_EQ(std::count(counts.begin(), counts.end(), kCanary), std::ssize(counts));
}

template <std::size_t Dim, class Index>
void check_refusals(const Index& index) {
    const auto refused = [&](const Point<Dim>& point, const Nearest& nearest, std::size_t room,
                             const Status& wanted) {
        expect_refused([&](auto out, auto) { return index.nearest(point, nearest, out); }, room,
                       wanted);
    };
    Point<Dim> wrong;
    refused(wrong, {kMostNearest + 1}, 2000, {Cause::too_many, Argument::k});
    refused(wrong, {4}, 3, {Cause::no_room, Argument::nearest});
    refused(wrong, {4, -1.0f}, 4, {Cause::negative, Argument::radius});
    refused(wrong, {4, test::kNan}, 4, {Cause::not_finite, Argument::radius});
    refused(wrong, {4, 2e18f}, 4, {Cause::too_large, Argument::radius});
    wrong[Dim - 1] = test::kNan;
    refused(wrong, {4}, 4, {Cause::not_finite, Argument::points});
    wrong[Dim - 1] = -2e18f;
    refused(wrong, {4}, 4, {Cause::too_large, Argument::points});
}

TYPED_TEST(RowGridNearest, AreRefusedWhatMakesNoSense) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 600);
    const auto grid = test::grid_of(scene);
    BruteForce<kDim> flat;
    ASSERT_EQ(flat.update(scene.agents()), Status{});
    check_refusals<kDim>(grid);
    check_refusals<kDim>(flat);

    std::vector<Point<kDim>> points(5);
    std::vector<std::uint32_t> scratch(GridParts<kDim>::nearest_scratch());
    const auto range = [&](const Nearest& nearest, std::size_t begin, std::size_t end,
                           std::size_t words, std::size_t room, std::size_t counts,
                           const Status& wanted) {
        expect_refused(
            [&](auto out, auto all_counts) {
                return grid.parts().nearest(points, nearest, begin, end,
                                            std::span(scratch).first(words),
                                            {out, all_counts.first(counts)});
            },
            room, wanted);
    };
    const std::size_t all = scratch.size();
    range({kMostNearest + 1}, 0, 5, all, 9000, 5, {Cause::too_many, Argument::k});
    range({4, -1.0f}, 0, 5, all, 20, 5, {Cause::negative, Argument::radius});
    range({4}, 3, 2, all, 20, 5, {Cause::out_of_range, Argument::range});
    range({4}, 0, 6, all, 24, 6, {Cause::out_of_range, Argument::range});
    range({4}, 0, 5, all - 1, 20, 5, {Cause::no_room, Argument::scratch});
    range({4}, 0, 5, all, 19, 5, {Cause::no_room, Argument::nearest});
    range({4}, 0, 5, all, 20, 4, {Cause::no_room, Argument::counts});
    points[3][0] = std::numeric_limits<float>::infinity();
    range({4}, 1, 5, all, 20, 5, {Cause::not_finite, Argument::points, 3});

    const auto crowd = [&](const NearestNeighbours& nearest, std::size_t end, std::size_t words,
                           std::size_t room, std::size_t counts, const Status& wanted) {
        expect_refused(
            [&](auto out, auto all_counts) {
                return grid.parts().nearest_neighbours(nearest, 0, end,
                                                       std::span(scratch).first(words),
                                                       {out, all_counts.first(counts)});
            },
            room, wanted);
    };
    const std::size_t slices = grid.parts().slices();
    crowd({kMostNearest + 1}, slices, all, 600 * 1025, 600, {Cause::too_many, Argument::k});
    crowd({2, -1.0f}, slices, all, 1200, 600, {Cause::negative, Argument::radius});
    crowd({2}, slices + 1, all, 1200, 600, {Cause::out_of_range, Argument::range});
    crowd({2}, slices, all - 1, 1200, 600, {Cause::no_room, Argument::scratch});
    crowd({2}, slices, all, 1199, 600, {Cause::no_room, Argument::nearest});
    crowd({2}, slices, all, 1200, 599, {Cause::no_room, Argument::counts});
}

} // namespace
} // namespace throng
