// The nearest with a least distance, a band of heights or an earlier page, against the oracle.
#include "../../support/numbers.hpp"
#include <throng/engine/family/brute_force.hpp>
#include <throng/engine/grid/row_grid.hpp>

#include "../../../engine/grid/grid_parts.hpp"
#include "../../simd/kernels/guarded.hpp"
#include "../../support/dims.hpp"
#include "../../support/scenes/scene_cases.hpp"
#include "../../support/truth.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace throng {
namespace {

using Nears = std::vector<Near>;

constexpr std::uint32_t kAsManyAsThereAre = 0xFFFF'FFFFu;
using test::kNan;

/// The first k of `all`, filled up with empty elements.
Nears first_places(const Nears& all, std::uint32_t k) {
    Nears answer(k);
    std::copy_n(all.begin(), std::min<std::size_t>(k, all.size()), answer.begin());
    return answer;
}

/// Asks one by one and together, with exactly as much room as there must be.
template <std::size_t Dim>
void check_points(const RowGrid<Dim>& grid, const test::Truth<Dim>& truth,
                  const std::vector<Point<Dim>>& points, Nearest nearest, const Filter& filter) {
    const std::uint32_t k = nearest.k;
    nearest.k = kAsManyAsThereAre;
    std::vector<Nears> all;
    for (const Point<Dim>& point : points) {
        all.push_back(truth.nearest_to(point, nearest, filter));
    }
    nearest.k = k;
    const test::Guarded<Near> places(points.size() * k);
    const test::Guarded<std::uint32_t> counts(points.size());
    const test::Guarded<std::uint32_t> scratch(GridParts<Dim>::nearest_scratch());
    const Found found = grid.parts().nearest(
        points, nearest, 0, points.size(), {scratch.begin(), scratch.end()},
        {{places.begin(), points.size() * k}, {counts.begin(), points.size()}}, filter);
    ASSERT_EQ(found.status, Status{});
    for (std::size_t q = 0; q < points.size(); ++q) {
        SCOPED_TRACE(testing::Message() << "question " << q << ", k " << k << ", least "
                                        << nearest.least << ", up " << nearest.band.up);
        const Nears wanted = first_places(all[q], k);
        Nears out(k);
        const Found one = grid.nearest(points[q], nearest, out, filter);
        ASSERT_EQ(one.status, Status{});
        ASSERT_EQ(one.count, std::min<std::size_t>(k, all[q].size()));
        ASSERT_TRUE(out == wanted);
        ASSERT_EQ(counts.begin()[q], one.count);
        ASSERT_TRUE(std::equal(wanted.begin(), wanted.end(), places.begin() + q * k));
    }
}

/// Conditions that cut a scene in the middle of equal distances and heights.
template <std::size_t Dim>
std::vector<Nearest> conditions_for(const test::Truth<Dim>& truth, const Point<Dim>& from,
                                    float cell, Body body) {
    Nearest every{kAsManyAsThereAre};
    every.body = body;
    const Nears all = truth.nearest_to(from, every);
    std::vector<Nearest> asked = {{1, kLargest, cell},
                                  {1, kLargest, 40.0f * cell},
                                  {1, 0.5f * cell, cell},
                                  {1, 3.0f * cell, cell},
                                  {1, kLargest, kLargest},
                                  {1, kLargest, 0.0f, {1, 0.0f, 0.0f}},
                                  {1, kLargest, cell, {1, cell, 0.0f}},
                                  {1, kLargest, 0.0f, {Dim - 1, 0.25f * cell, kLargest}}};
    if (all.empty()) { return asked; }
    const Near& middle = all[all.size() / 2];
    const Point<Dim>& other = truth[middle.id].position;
    const float height = other[1] - from[1];
    asked.push_back({1, kLargest, std::sqrt(middle.distance2)});
    asked.push_back({1, kLargest, 0.0f, {1, std::max(0.0f, -height), std::max(0.0f, height)}});
    asked.push_back({1, kLargest, 0.0f, {}, middle});
    asked.push_back({1, kLargest, 0.0f, {}, {middle.distance2, 0}});
    asked.push_back({1, kLargest, 0.0f, {}, {middle.distance2, kNoId}});
    asked.push_back({1, kLargest, 0.5f * cell, {1, cell, 2.0f * cell}, all[all.size() / 4]});
    asked.push_back({1, kLargest, 0.0f, {}, all.back()});
    asked.push_back({1, kLargest, 0.0f, {}, Near{}});
    return asked;
}

class NearestConditionsOnScenes : public testing::TestWithParam<test::SceneCase> {};

template <std::size_t Dim>
void check_conditions_in(std::string_view name, scenes::Groups groups) {
    auto scene = scenes::make<Dim>(name, 260, groups);
    test::Truth<Dim> truth;
    BruteForce<Dim> flat;
    ASSERT_EQ(truth.update(scene.agents()), Status{});
    ASSERT_EQ(flat.update(scene.agents()), Status{});
    std::vector<Point<Dim>> points;
    for (std::size_t i = 0; i < scene.size(); i += 1 + scene.size() / 5) {
        points.push_back(scene.position_of(i));
    }
    points.push_back(Point<Dim>::all(-3e5f));
    std::vector<RowGrid<Dim>> grids;
    for (const GridShape<Dim>& shape : scenes::shapes_for(scene)) {
        grids.emplace_back();
        ASSERT_EQ(grids.back().use(shape), Status{});
        ASSERT_EQ(grids.back().update(scene.agents()), Status{});
    }
    const Filter filters[] = {{}, {0x1u}, {kAllGroups, 3}};
    std::size_t turn = 0;
    std::vector<Nearest> questions = conditions_for(truth, points[0], scene.cell[0], Body::centre);
    for (const Body body : {Body::box, Body::disc}) {
        std::vector<Nearest> more = conditions_for(truth, points[0], scene.cell[0], body);
        // Also without conditions, and within a radius.
        more.push_back({});
        more.push_back({1, 2.0f * scene.cell[0]});
        for (Nearest& nearest : more) {
            nearest.body = body;
        }
        questions.insert(questions.end(), more.begin(), more.end());
    }
    for (Nearest nearest : questions) {
        for (const std::uint32_t k : {0u, 1u, 8u, 64u, 1024u}) {
            nearest.k = k;
            const RowGrid<Dim>& grid = grids[turn++ % grids.size()];
            const Filter& filter = filters[turn % std::size(filters)];
            ASSERT_NO_FATAL_FAILURE(check_points(grid, truth, points, nearest, filter));
            Nears out(k), wanted(k);
            const Found found = flat.nearest(points[0], nearest, out, filter);
            ASSERT_EQ(found.count, grid.nearest(points[0], nearest, wanted, filter).count);
            ASSERT_TRUE(out == wanted);
        }
    }

    // The nearest of every agent.
    for (const NearestNeighbours& asked :
         {NearestNeighbours{3, kLargest, false, kAllGroups, scene.cell[0]},
          NearestNeighbours{8, kLargest, true, kAllGroups, 0.0f, {1, 0.0f, scene.cell[1]}},
          NearestNeighbours{2,
                            3.0f * scene.cell[0],
                            true,
                            0x3u,
                            0.25f * scene.cell[0],
                            {Dim - 1, scene.cell[0], 0.0f}}}) {
        const RowGrid<Dim>& grid = grids[turn++ % grids.size()];
        std::vector<Id> order(grid.size());
        (void)grid.order(order);
        Nears places(order.size() * asked.k);
        std::vector<std::uint32_t> counts(order.size());
        std::vector<std::uint32_t> scratch(GridParts<Dim>::nearest_scratch());
        const Found found = grid.parts().nearest_neighbours(asked, 0, grid.parts().slices(),
                                                            scratch, {places, counts});
        ASSERT_EQ(found.status, Status{});
        for (std::size_t i = 0; i < order.size(); ++i) {
            const Nears wanted = truth.nearest_to(
                truth[order[i]].position, {asked.k, asked.radius, asked.least, asked.band},
                {asked.groups, asked.with_self ? kNoId : order[i]});
            ASSERT_EQ(counts[i], wanted.size());
            ASSERT_TRUE(std::equal(wanted.begin(), wanted.end(), places.data() + i * asked.k));
        }
    }
}

TEST_P(NearestConditionsOnScenes, AreAsDefined) {
    const auto& [dim, name, groups] = GetParam();
    dim == 2 ? check_conditions_in<2>(name, groups) : check_conditions_in<3>(name, groups);
}
INSTANTIATE_TEST_SUITE_P(Nearest, NearestConditionsOnScenes, test::all_scene_cases(),
                         test::scene_case_name);

template <class Dim>
class NearestConditionsOf : public testing::Test {};
TYPED_TEST_SUITE(NearestConditionsOf, test::Dims, test::DimNames);

// Agents on a lattice: many stand exactly at the least distance and at the ends of the band.
TYPED_TEST(NearestConditionsOf, AgentsOnTheRims) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Scene<kDim> scene;
    const float side = kDim == 2 ? 40.0f : 12.0f;
    scene.world = {Point<kDim>::all(0.0f), Point<kDim>::all(side)};
    const auto lattice = static_cast<int>(side);
    for (int i = 0; i < lattice * lattice * (kDim == 2 ? 1 : lattice); ++i) {
        Point<kDim> at;
        for (int a = 0, rest = i; a < static_cast<int>(kDim); ++a, rest /= lattice) {
            at[static_cast<std::size_t>(a)] = static_cast<float>(rest % lattice);
        }
        scene.add(at);
    }
    RowGrid<kDim> grid;
    test::Truth<kDim> truth;
    // Cells of many agents, so that cells wholly within the least distance are skipped.
    ASSERT_EQ(grid.configure(scene.world, Point<kDim>::all(0.75f)), Status{});
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    ASSERT_EQ(truth.update(scene.agents()), Status{});
    const std::vector<Point<kDim>> points = {Point<kDim>::all(0.5f * side), Point<kDim>::all(0.0f),
                                             Point<kDim>::all(-7.0f)};
    for (const float least : {1.0f, 2.0f, 5.0f, 13.0f}) {
        for (const std::uint32_t k : {1u, 8u, 64u, 1024u}) {
            check_points(grid, truth, points, {k, kLargest, least}, {});
            check_points(grid, truth, points, {k, least, least}, {});
            check_points(grid, truth, points, {k, kLargest, 0.0f, {kDim - 1, least, 0.0f}}, {});
            check_points(grid, truth, points, {k, kLargest, least, {1, 0.0f, least}}, {});
        }
    }
}

// Pages of more agents than any answer has, all of them equally far.
TYPED_TEST(NearestConditionsOf, PagesOfThousandsInOnePlace) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Scene<kDim> scene;
    scene.world = {Point<kDim>::all(0.0f), Point<kDim>::all(100.0f)};
    for (int i = 0; i < 5'000; ++i) {
        scene.add(Point<kDim>::all(i % 2 == 0 ? 50.0f : 51.0f + static_cast<float>(i % 7)));
    }
    RowGrid<kDim> grid;
    test::Truth<kDim> truth;
    ASSERT_EQ(grid.configure(scene.world, Point<kDim>::all(4.0f)), Status{});
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    ASSERT_EQ(truth.update(scene.agents()), Status{});
    const Point<kDim> point = Point<kDim>::all(49.0f);
    const Nears all = truth.nearest_to(point, {kAsManyAsThereAre});
    for (const std::uint32_t k : {7u, 300u, kMostNearest}) {
        Nears pages, page(k);
        Nearest nearest{k};
        for (std::size_t found = k; found == k;) {
            found = grid.nearest(point, nearest, page).count;
            pages.insert(pages.end(), page.begin(),
                         page.begin() + static_cast<std::ptrdiff_t>(found));
            nearest.after = page.back();
        }
        ASSERT_TRUE(pages == all) << k;
    }
}

TYPED_TEST(NearestConditionsOf, NoAgents) {
    constexpr std::size_t kDim = TypeParam::value;
    const RowGrid<kDim> grid;
    check_points(grid, test::Truth<kDim>(), {Point<kDim>{}}, {3, 5.0f, 1.0f, {1, 1.0f, 1.0f}}, {});
}

TYPED_TEST(NearestConditionsOf, NonsenseAreRefused) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 100);
    RowGrid<kDim> grid;
    BruteForce<kDim> flat;
    ASSERT_EQ(grid.configure(scene.world, scene.cell), Status{});
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    ASSERT_EQ(flat.update(scene.agents()), Status{});
    const auto refused = [&](const Nearest& nearest, const Status& wanted) {
        Nears out(4, Near{-7.0f, 7});
        EXPECT_EQ(grid.nearest({}, nearest, out).status, wanted);
        EXPECT_EQ(flat.nearest({}, nearest, out).status, wanted);
        EXPECT_EQ(std::count(out.begin(), out.end(), Near{-7.0f, 7}), 4);
    };
    constexpr auto kUp = static_cast<std::uint32_t>(kDim);
    refused({4, 1.0f, -1.0f}, {Cause::negative, Argument::least});
    refused({4, 1.0f, kNan}, {Cause::not_finite, Argument::least});
    refused({4, 1.0f, 2e18f}, {Cause::too_large, Argument::least});
    refused({4, 1.0f, 0.0f, {kUp, 1.0f, 1.0f}}, {Cause::out_of_range, Argument::band});
    refused({4, 1.0f, 0.0f, {1, -1.0f, 1.0f}}, {Cause::negative, Argument::band});
    refused({4, 1.0f, 0.0f, {1, 1.0f, kNan}}, {Cause::not_finite, Argument::band});
    refused({4, 1.0f, 0.0f, {1, 1.0f, 2e18f}}, {Cause::too_large, Argument::band});
    refused({4, 1.0f, 0.0f, {}, {kNan, 0}}, {Cause::not_finite, Argument::after});
    for (const auto body : {3u, ~0u}) {
        refused({4, 1.0f, 0.0f, {}, kBeforeAll, static_cast<Body>(body)},
                {Cause::out_of_range, Argument::body});
    }
}

} // namespace
} // namespace throng
