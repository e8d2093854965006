// Every shape in every form, on every scene, in very different grids, against the oracle.
#include <throng/engine/agents/grid_shape.hpp>
#include <throng/engine/grid/query_stats.hpp>
#include <throng/engine/grid/row_grid.hpp>

#include "../../support/answers.hpp"
#include "../../support/dims.hpp"
#include "../../support/numbers.hpp"
#include "../../support/scenes/scene_cases.hpp"
#include "../../support/scenes/scene_shapes.hpp"
#include "query_checks.hpp"

#include <gtest/gtest.h>

#include <tuple>

namespace throng {
namespace {

using test::kInfinity;
using test::kNan;

/// Paths: the first hit, and all hits in order.
template <std::size_t Dim, class Path>
void check_path_hits(const RowGrid<Dim>& grid, const test::Truth<Dim>& truth,
                     const std::vector<Path>& paths) {
    std::vector<PathHit> got;
    for (std::size_t i = 0; i < paths.size(); ++i) {
        const Filter& filter = test::kFilters[i % 3];
        SCOPED_TRACE(testing::Message() << "path " << i);
        const std::vector<PathHit> wanted = truth.hits(paths[i], filter);
        ASSERT_EQ(grid.hits(paths[i], got, filter), Status{});
        ASSERT_EQ(got, wanted);
        PathHit first{7.0f, 7};
        const Found found = grid.first(paths[i], first, filter);
        ASSERT_EQ(found.status, Status{});
        ASSERT_EQ(found.count, wanted.empty() ? 0u : 1u);
        ASSERT_EQ(first, wanted.empty() ? (PathHit{7.0f, 7}) : wanted.front());
    }
}

template <std::size_t Dim>
void check_shapes_in(scenes::Scene<Dim>& scene) {
    test::Truth<Dim> truth;
    ASSERT_EQ(truth.update(scene.agents()), Status{});
    const auto about = scenes::shapes_about(scene, 45);
    // All shapes test filters alike, after the shape itself, so three filters suffice.
    const std::span<const Filter> filters = std::span(test::kFilters).first(3);
    const auto questions =
        std::tuple{test::Questions<Dim, Segment<Dim>>(truth, about.segments, filters),
                   test::Questions<Dim, Ray<Dim>>(truth, about.rays, filters),
                   test::Questions<Dim, Capsule<Dim>>(truth, about.capsules, filters),
                   test::Questions<Dim, Sector<Dim>>(truth, about.sectors, filters),
                   test::Questions<Dim, Convex<Dim>>(truth, about.convexes, filters),
                   test::Questions<Dim, OrientedBox<Dim>>(truth, about.oriented_boxes, filters),
                   test::Questions<Dim, Cylinder<Dim>>(truth, about.cylinders, filters),
                   test::Questions<Dim, BodyBall<Dim>>(truth, about.body_balls, filters),
                   test::Questions<Dim, BodySector<Dim>>(truth, about.body_sectors, filters),
                   test::Questions<Dim, BodyCylinder<Dim>>(truth, about.body_cylinders, filters)};
    for (const GridShape<Dim>& shape : scenes::shapes_for(scene)) {
        RowGrid<Dim> grid;
        ASSERT_EQ(grid.use(shape), Status{});
        ASSERT_EQ(grid.update(scene.agents()), Status{});
        SCOPED_TRACE(testing::Message() << "cells " << shape.cells[0] << " " << shape.cells[1]);
        const test::CanonicalOrder order = truth.order(shape);
        std::apply(
            [&](const auto&... each) {
                int kind = 0;
                const auto check = [&](const auto& some) {
                    SCOPED_TRACE(testing::Message() << "kind of shape " << kind++);
                    some.check(grid, order);
                };
                (check(each), ...);
            },
            questions);
        if (testing::Test::HasFatalFailure()) { return; }
        ASSERT_NO_FATAL_FAILURE(check_path_hits(grid, truth, about.segments));
        ASSERT_NO_FATAL_FAILURE(check_path_hits(grid, truth, about.rays));
        ASSERT_NO_FATAL_FAILURE(check_path_hits(grid, truth, about.capsules));
    }
}

class RowGridShapes : public testing::TestWithParam<test::SceneCase> {};

TEST_P(RowGridShapes, FindWhatBruteForceFinds) {
    test::with_scene(GetParam(), 300, [](auto& scene) { check_shapes_in(scene); });
}

INSTANTIATE_TEST_SUITE_P(Scenes, RowGridShapes, test::all_scene_cases(), test::scene_case_name);

template <class Dim>
class RowGridShapeForms : public testing::Test {};
TYPED_TEST_SUITE(RowGridShapeForms, test::Dims, test::DimNames);

template <std::size_t Dim>
Point<Dim> on_axis(std::size_t a, float value) {
    Point<Dim> point{};
    point[a] = value;
    return point;
}

// Rows and cells that a shape does not come near are not looked into.
TYPED_TEST(RowGridShapeForms, WhatALargeShapeDoesNotTouchIsNotTested) {
    constexpr std::size_t kDim = TypeParam::value;
    constexpr std::size_t kAgents = 100'000;
    auto scene = scenes::make_uniform<kDim>(kAgents);
    RowGrid<kDim> grid;
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    const float size = scene.world.hi[0];
    const auto all = grid.explain(Segment<kDim>{scene.world.lo, scene.world.hi});
    // The diagonal meets some agents of each row, in space of each row that it passes.
    EXPECT_GT(all.hits, 20u);
    EXPECT_LT(all.tested, kDim == 2 ? 10'000u : 5'000u);

    Convex<kDim> slab; // as thick as a hundredth of the world, from corner to corner
    slab.sides[0] = {Point<kDim>::all(1.0f), 0.5f * size * kDim + 0.005f * size};
    slab.sides[1] = {Point<kDim>::all(-1.0f), -0.5f * size * kDim + 0.005f * size};
    slab.count = 2;
    const auto across = grid.explain(slab);
    EXPECT_GT(across.hits, 200u);
    EXPECT_LT(across.tested, kAgents / 6);

    Point<kDim> middle = Point<kDim>::all(0.5f * size);
    const auto seen =
        grid.explain(Sector<kDim>{middle, 0.4f * size, Point<kDim>::all(1.0f), 0.98f});
    EXPECT_GT(seen.hits, 20u);
    EXPECT_LT(seen.tested, kAgents / 8);
}

// A large convex region copies cells that lie wholly inside, and loses no agent.
TYPED_TEST(RowGridShapeForms, TheInsideOfALargeRegionIsCopied) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make_uniform<kDim>(50'000);
    RowGrid<kDim> grid;
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    test::Truth<kDim> truth;
    ASSERT_EQ(truth.update(scene.agents()), Status{});
    const Point<kDim> middle = Point<kDim>::all(0.5f * scene.world.hi[0]);
    OrientedBox<kDim> box{middle, {}};
    const float edge = 0.3f * scene.world.hi[0];
    for (std::size_t e = 0; e < kDim; ++e) {
        box.half_edges[e][e] = edge;
        box.half_edges[e][(e + 1) % kDim] = e + 1 == kDim ? -0.4f * edge : 0.4f * edge;
    }
    const QueryStats stats = grid.explain(box);
    EXPECT_GT(stats.copied, stats.hits / 2);
    std::vector<Id> got = test::ask(grid, box);
    std::sort(got.begin(), got.end());
    EXPECT_EQ(got, truth.ids_in(box));
}

// Agents that a path hits at the same time come by id, whatever their order in the grid.
TYPED_TEST(RowGridShapeForms, OfSeveralAtOnceTheSmallestIdIsFirst) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Scene<kDim> scene;
    scene.world = {Point<kDim>::all(0.0f), Point<kDim>::all(16.0f)};
    scene.cell = Point<kDim>::all(1.0f);
    scene.common_half_extent = Point<kDim>::all(0.5f);
    // Two agents beside each other at the same height, and one behind them. In the grid the later
    // id of the two comes first.
    Point<kDim> at = Point<kDim>::all(8.0f);
    at[0] = 9.0f;
    scene.add(at);
    at[0] = 8.0f;
    scene.add(at);
    at[1] = 12.0f;
    scene.add(at);
    auto grid = test::grid_of(scene);
    Point<kDim> from = Point<kDim>::all(8.0f);
    from[0] = 8.5f; // along both their edges
    from[1] = 2.0f;
    for (const float speed : {1.0f, 0.25f}) {
        PathHit met;
        ASSERT_EQ(grid.first(Ray<kDim>{from, on_axis<kDim>(1, speed)}, met).count, 1u);
        EXPECT_EQ(met, (PathHit{5.5f / speed, 0}));
        std::vector<PathHit> all;
        ASSERT_EQ(grid.hits(Ray<kDim>{from, on_axis<kDim>(1, speed)}, all), Status{});
        EXPECT_EQ(all,
                  (std::vector<PathHit>{{5.5f / speed, 0}, {5.5f / speed, 1}, {9.5f / speed, 2}}));
    }
    Point<kDim> to = from;
    to[1] = 12.0f;
    PathHit met;
    // A disc of radius 0.5 meets the first two agents' rims when its centre is as far away as they
    // are wide.
    ASSERT_EQ(grid.first(Capsule<kDim>{from, to, 0.5f}, met).count, 1u);
    EXPECT_EQ(met.id, 0u);
    EXPECT_NEAR(met.time, 0.6 - std::sqrt(0.75) * 0.1, 1e-6);
    // A path that begins inside hits at once.
    ASSERT_EQ(grid.first(Segment<kDim>{at, at}, met).count, 1u);
    EXPECT_EQ(met, (PathHit{0.0f, 2}));
}

// An extent so large that floats cannot tell the agent's edge from that of the half space.
TYPED_TEST(RowGridShapeForms, HalfSpacesFindWhatRoundingPutsInside) {
    constexpr std::size_t kDim = TypeParam::value;
    constexpr float kHalf = 0x1p20f;
    RowGrid<kDim> grid;
    test::Truth<kDim> truth;
    const CrowdKind<kDim> kind{false, false, Point<kDim>::all(kHalf)};
    ASSERT_EQ(grid.configure({Point<kDim>::all(-0.5f), Point<kDim>::all(0.5f)},
                             Point<kDim>::all(0x1p-6f), kind),
              Status{});
    ASSERT_EQ(truth.configure(kind), Status{});
    for (Id id = 0; id < 8; ++id) {
        Point<kDim> position;
        position[id % kDim] = 0.01f * static_cast<float>(id);
        ASSERT_EQ(grid.insert(id, {position, {}, {}}), Status{});
        ASSERT_EQ(truth.insert(id, {position, {}, {}}), Status{});
    }
    for (std::size_t a = 0; a < kDim; ++a) {
        Convex<kDim> convex;
        convex.count = 1;
        convex.sides[0].normal[a] = 1.0f;
        convex.sides[0].offset = -kHalf;
        const std::size_t wanted = truth.ids_in(convex).size();
        EXPECT_GE(wanted, 6u);
        EXPECT_LT(wanted, 8u);
        EXPECT_EQ(grid.count(convex).count, wanted);
    }
}

TYPED_TEST(RowGridShapeForms, RefuseNonsenseAndWriteNothing) {
    constexpr std::size_t kDim = TypeParam::value;
    using P = Point<kDim>;
    auto scene = scenes::make<kDim>("uniform", 100);
    RowGrid<kDim> grid;
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    const P far = P::all(5.0f);
    for (const float bad : {kNan, kInfinity, -kInfinity, 2e18f}) {
        const Cause cause = bad == 2e18f ? Cause::too_large : Cause::not_finite;
        const P off = on_axis<kDim>(kDim - 1, bad);
        using test::check_refused;
        check_refused(grid, Segment<kDim>{off, far}, {far, far}, {cause, Argument::segment});
        check_refused(grid, Segment<kDim>{far, off}, {far, far}, {cause, Argument::segment});
        const Ray<kDim> ray{far, far};
        check_refused(grid, Ray<kDim>{off, far}, ray, {cause, Argument::ray});
        check_refused(grid, Ray<kDim>{far, off}, ray, {cause, Argument::ray});
        check_refused(grid, Ray<kDim>{far, far, bad}, ray, {cause, Argument::ray});
        const Capsule<kDim> capsule{far, far, 1.0f};
        check_refused(grid, Capsule<kDim>{off, far, 1.0f}, capsule, {cause, Argument::capsule});
        check_refused(grid, Capsule<kDim>{far, off, 1.0f}, capsule, {cause, Argument::capsule});
        check_refused(grid, Capsule<kDim>{far, far, bad}, capsule, {cause, Argument::capsule});
        const Sector<kDim> sector{far, 1.0f, far, 0.5f};
        check_refused(grid, Sector<kDim>{off, 1.0f, far}, sector, {cause, Argument::sector});
        check_refused(grid, Sector<kDim>{far, bad, far}, sector, {cause, Argument::sector});
        check_refused(grid, Sector<kDim>{far, 1.0f, off}, sector, {cause, Argument::sector});
        const OrientedBox<kDim> box{far, {}};
        check_refused(grid, OrientedBox<kDim>{off, {}}, box, {cause, Argument::oriented_box});
        OrientedBox<kDim> bad_box = box;
        bad_box.half_edges[kDim - 1] = off;
        check_refused(grid, bad_box, box, {cause, Argument::oriented_box});
        const Cylinder<kDim> cylinder{far, 1.0f, 0.0f, 1.0f};
        const Status blamed = {cause, Argument::cylinder};
        check_refused(grid, Cylinder<kDim>{off, 1.0f, 0.0f, 1.0f}, cylinder, blamed);
        check_refused(grid, Cylinder<kDim>{far, bad, 0.0f, 1.0f}, cylinder, blamed);
        check_refused(grid, Cylinder<kDim>{far, 1.0f, bad, 1.0f}, cylinder, blamed);
        check_refused(grid, Cylinder<kDim>{far, 1.0f, 0.0f, bad}, cylinder, blamed);
        check_refused(grid, BodyBall<kDim>{{off, 1.0f}}, {}, {cause, Argument::body_ball});
        check_refused(grid, BodyBall<kDim>{{far, bad}}, {}, {cause, Argument::body_ball});
        const BodySector<kDim> seeing{sector};
        check_refused(grid, BodySector<kDim>{{far, bad, far}}, seeing,
                      {cause, Argument::body_sector});
        const BodyCylinder<kDim> standing{cylinder};
        check_refused(grid, BodyCylinder<kDim>{{far, bad}}, standing,
                      {cause, Argument::body_cylinder});
        Convex<kDim> convex;
        convex.bounds.lo = off;
        check_refused(grid, convex, {}, {cause, Argument::convex});
        convex = {};
        convex.count = 1;
        convex.sides[0] = {off, 1.0f};
        check_refused(grid, convex, {}, {cause, Argument::convex});
    }
    using test::check_refused;
    check_refused(grid, Ray<kDim>{far, P{}}, {far, far}, {Cause::no_direction, Argument::ray});
    check_refused(grid, Ray<kDim>{far, far, -1.0f}, {far, far}, {Cause::negative, Argument::ray});
    check_refused(grid, Capsule<kDim>{far, far, -1.0f}, {far, far},
                  {Cause::negative, Argument::capsule});
    const Sector<kDim> sector{far, 1.0f, far, 0.5f};
    check_refused(grid, Sector<kDim>{far, -1.0f, far}, sector, {Cause::negative, Argument::sector});
    check_refused(grid, Sector<kDim>{far, 1.0f, P{}}, sector,
                  {Cause::no_direction, Argument::sector});
    check_refused(grid, Sector<kDim>{far, 1.0f, far, 1.001f}, sector,
                  {Cause::no_cosine, Argument::sector});
    check_refused(grid, Sector<kDim>{far, 1.0f, far, kNan}, sector,
                  {Cause::not_finite, Argument::sector});
    const Cylinder<kDim> cylinder{far, 1.0f};
    check_refused(grid, Cylinder<kDim>{far, -1.0f}, cylinder,
                  {Cause::negative, Argument::cylinder});
    for (const auto up : {0u, static_cast<unsigned>(kDim), 3u, ~0u}) {
        check_refused(grid, Cylinder<kDim>{far, 1.0f, 0.0f, 1.0f, up}, cylinder,
                      {Cause::out_of_range, Argument::cylinder});
    }
    const auto check_body = [&](const auto& shape, Argument blamed) {
        for (const auto wrong : {3u, ~0u}) {
            auto bad = shape;
            bad.body = static_cast<Body>(wrong);
            check_refused(grid, bad, shape, {Cause::out_of_range, blamed});
        }
    };
    check_body(BodyBall<kDim>{{far, 1.0f}}, Argument::body_ball);
    check_body(BodySector<kDim>{sector}, Argument::body_sector);
    check_body(BodyCylinder<kDim>{cylinder}, Argument::body_cylinder);
    Convex<kDim> convex;
    convex.count = 9;
    check_refused(grid, convex, {}, {Cause::too_many, Argument::convex});
    convex.count = 1;
    convex.sides[0] = {P{}, 1.0f};
    check_refused(grid, convex, {}, {Cause::no_direction, Argument::convex});
    convex.sides[0] = {far, kNan};
    check_refused(grid, convex, {}, {Cause::not_finite, Argument::convex});

    PathHit met{7.0f, 7};
    std::vector<PathHit> all(3, met);
    EXPECT_EQ(grid.first(Ray<kDim>{far, P{}}, met).status,
              (Status{Cause::no_direction, Argument::ray}));
    EXPECT_EQ(grid.hits(Ray<kDim>{far, P{}}, all), (Status{Cause::no_direction, Argument::ray}));
    EXPECT_EQ(met, (PathHit{7.0f, 7}));
    EXPECT_EQ(all.size(), 3u);
}

} // namespace
} // namespace throng
