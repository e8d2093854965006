// The nearest under conditions, to points and to all agents, on executors, against the oracle.
#include <throng/parallel/batch/batch.hpp>

#include "../../support/dims.hpp"
#include "../../support/scenes/scenes.hpp"
#include "../../support/threads/executors.hpp"
#include "../../support/truth.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <vector>

namespace throng {
namespace {

constexpr Sets kSets[] = {Sets::all, Sets::small, Sets::giants | Sets::statics, Sets::statics};

template <std::size_t Dim>
void expect_same(const NearHits& hits, std::size_t q, std::vector<Near> wanted) {
    ASSERT_EQ(hits.counts[q], wanted.size()) << "question " << q;
    wanted.resize(hits.k);
    ASSERT_TRUE(std::equal(wanted.begin(), wanted.end(),
                           hits.nearest.begin() + static_cast<std::ptrdiff_t>(q * hits.k)))
        << "question " << q;
}

/// A crowd with giants and statics in a world that is periodic or not.
template <std::size_t Dim>
struct Stage {
    scenes::Scene<Dim> scene, still;
    Crowd<Dim> crowd;
    test::Truth<Dim> truth;

    explicit Stage(bool wraps)
        : scene(scenes::make<Dim>("uniform", 400, scenes::Groups::masks)),
          still(scenes::make<Dim>("uniform", 60)), truth(world_of(wraps)) {
        for (std::size_t a = 0; a < Dim; ++a) {
            scene.half_extent[a].assign(scene.size(), 0.25f);
            for (std::size_t i = 0; i < scene.size(); i += 9) {
                scene.half_extent[a][i] = 3.0f;
            }
        }
        CrowdSettings<Dim> settings;
        settings.bounds = scene.world;
        settings.cell = scene.cell;
        settings.periodic.fill(wraps);
        EXPECT_EQ(crowd.configure(settings, {true, true, {}}), Status{});
        truth.go_by(crowd);
        EXPECT_EQ(crowd.update(scene.agents()), Status{});
        EXPECT_EQ(truth.update(scene.agents()), Status{});
        EXPECT_EQ(crowd.set_statics(still.agents()), Status{});
        EXPECT_EQ(truth.set_statics(still.agents()), Status{});
        EXPECT_GT(crowd.size(Sets::giants), 0u);
    }
    test::Periodic<Dim> world_of(bool wraps) const {
        std::array<bool, Dim> axes;
        axes.fill(wraps);
        return {scene.world, axes};
    }
};

/// Checks the answers of all agents, in both orders.
template <std::size_t Dim>
void check_all(const Stage<Dim>& stage, Batch<Dim>& batch, const NearestNeighbours& nearest,
               Sets sets) {
    SCOPED_TRACE(testing::Message()
                 << "k " << nearest.k << ", body " << static_cast<unsigned>(nearest.body)
                 << ", sets " << static_cast<unsigned>(sets));
    NearHits by_id, stored;
    ASSERT_EQ(batch.nearest_neighbours({stage.crowd, sets}, nearest, by_id, Order::ids), Status{});
    for (Id id = 0; id < stage.scene.size(); ++id) {
        ASSERT_NO_FATAL_FAILURE(
            expect_same<Dim>(by_id, id, stage.truth.nearest_to(id, nearest, sets)));
    }
    ASSERT_EQ(batch.nearest_neighbours({stage.crowd, sets}, nearest, stored, Order::storage),
              Status{});
    std::vector<Id> askers(stage.crowd.size());
    (void)stage.crowd.order(askers);
    for (std::size_t i = 0; i < askers.size(); ++i) {
        ASSERT_TRUE(std::ranges::equal(stored.of(i), by_id.of(askers[i])));
    }
}

template <std::size_t Dim>
void check_stage(const Stage<Dim>& stage, Executor& executor) {
    Batch<Dim> batch(executor);
    std::vector<Point<Dim>> points;
    for (Id id = 0; id < stage.scene.size(); id += 3) {
        points.push_back(stage.truth[id].position);
        points.back()[0] += 0.125f;
    }
    const std::span<const Point<Dim>> asked(points);
    const float cell = stage.scene.cell[0];
    const Near page = stage.truth.nearest_to(points[0], {9}).back();
    std::size_t turn = 0;
    NearHits hits;
    for (const Nearest& nearest :
         {Nearest{3, kLargest, cell}, Nearest{8, kLargest, 0.0f, {1, 0.5f * cell, 0.0f}},
          Nearest{70, 4.0f * cell, 0.5f * cell, {Dim - 1, cell, cell}},
          Nearest{5, kLargest, 0.0f, {}, page}}) {
        const Sets sets = kSets[turn % std::size(kSets)];
        const Filter filter = ++turn % 2 == 0 ? Filter{} : Filter{0x3u, 7};
        ASSERT_EQ(batch.nearest({stage.crowd, sets}, asked, nearest, hits, filter), Status{});
        for (std::size_t q = 0; q < points.size(); ++q) {
            ASSERT_NO_FATAL_FAILURE(expect_same<Dim>(
                hits, q, stage.truth.nearest_to(points[q], nearest, filter, sets)));
        }
    }
    for (const NearestNeighbours& nearest :
         {NearestNeighbours{3, kLargest, false, kAllGroups, cell},
          NearestNeighbours{8, kLargest, true, 0x3u, 0.0f, {1, 0.0f, cell}},
          NearestNeighbours{2, 3.0f * cell, false, kAllGroups, 0.5f * cell, {1, cell, cell}}}) {
        ASSERT_NO_FATAL_FAILURE(check_all(stage, batch, nearest, kSets[turn++ % 2]));
    }
}

template <class Dim>
class NearestConditionsInBatches : public testing::Test {};
TYPED_TEST_SUITE(NearestConditionsInBatches, test::Dims, test::DimNames);

TYPED_TEST(NearestConditionsInBatches, AreThoseOfTheOracle) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const bool wraps : {false, true}) {
        const Stage<kDim> stage(wraps);
        ASSERT_NO_FATAL_FAILURE(check_stage(stage, serial_executor()));
        for (const std::size_t threads : {2u, 3u}) {
            ThreadPool pool(threads);
            ASSERT_NO_FATAL_FAILURE(check_stage(stage, pool));
        }
    }
}

// For boxes and discs, the distance is the one between two bodies: small agents, giants and statics
// of very different sizes, also across borders of the world.
TYPED_TEST(NearestConditionsInBatches, BodiesAreThoseOfTheOracle) {
    constexpr std::size_t kDim = TypeParam::value;
    ThreadPool pool(3);
    for (const bool wraps : {false, true}) {
        const Stage<kDim> stage(wraps);
        const float cell = stage.scene.cell[0];
        std::size_t turn = 0;
        for (const Body body : {Body::box, Body::disc}) {
            for (NearestNeighbours nearest :
                 {NearestNeighbours{1}, NearestNeighbours{6, 2.0f, true, 0x3u},
                  NearestNeighbours{3, kLargest, false, kAllGroups, cell},
                  NearestNeighbours{8, kLargest, true, 0x5u, 0.0f, {1, 0.0f, cell}},
                  NearestNeighbours{70, 3.0f * cell, false, kAllGroups, 0.0f, {1, cell, cell}}}) {
                nearest.body = body;
                Batch<kDim> alone;
                ASSERT_NO_FATAL_FAILURE(
                    check_all(stage, alone, nearest, kSets[turn % std::size(kSets)]));
                Batch<kDim> together(pool);
                ASSERT_NO_FATAL_FAILURE(check_all(stage, together, nearest, Sets::all));
                ++turn;
            }
        }
    }
}

// Agents of one grid ask for the nearest in another.
TYPED_TEST(NearestConditionsInBatches, AcrossGrids) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 200);
    auto others = scenes::make<kDim>("clustered", 300);
    RowGrid<kDim> one, other;
    test::Truth<kDim> truth;
    ASSERT_EQ(one.configure(scene.world, scene.cell), Status{});
    ASSERT_EQ(one.update(scene.agents()), Status{});
    ASSERT_EQ(other.configure(scene.world, scene.cell), Status{});
    ASSERT_EQ(other.update(others.agents()), Status{});
    ASSERT_EQ(truth.update(others.agents()), Status{});
    const NamedGrid<kDim> askers(one), asked(other);
    const NearestNeighbours nearest{
        4, kLargest, true, kAllGroups, scene.cell[0], {1, scene.cell[0], 3.0f * scene.cell[0]}};
    Batch<kDim> batch;
    NearHits hits;
    ASSERT_EQ(batch.nearest_neighbours({{&askers, 1}, {&asked, 1}}, nearest, hits, Order::ids),
              Status{});
    for (Id id = 0; id < scene.size(); ++id) {
        ASSERT_NO_FATAL_FAILURE(expect_same<kDim>(
            hits, id,
            truth.nearest_to(scene.position_of(id),
                             {nearest.k, nearest.radius, nearest.least, nearest.band})));
    }
}

TYPED_TEST(NearestConditionsInBatches, NonsenseIsRefused) {
    constexpr std::size_t kDim = TypeParam::value;
    const Stage<kDim> stage(false);
    Batch<kDim> batch;
    NearHits hits;
    const std::vector<Point<kDim>> points(3);
    const std::span<const Point<kDim>> asked(points);
    EXPECT_EQ(batch.nearest(stage.crowd, asked, {2, 1.0f, -1.0f}, hits),
              (Status{Cause::negative, Argument::least}));
    EXPECT_EQ(batch.nearest(stage.crowd, asked, {2, 1.0f, 0.0f, {kDim, 1.0f, 1.0f}}, hits),
              (Status{Cause::out_of_range, Argument::band}));
    EXPECT_EQ(batch.nearest_neighbours(stage.crowd, {2, 1.0f, false, kAllGroups, -1.0f}, hits),
              (Status{Cause::negative, Argument::least}));
    for (const auto body : {3u, ~0u}) {
        EXPECT_EQ(batch.nearest_neighbours(
                      stage.crowd, {.k = 2, .radius = 1.0f, .body = static_cast<Body>(body)}, hits),
                  (Status{Cause::out_of_range, Argument::body}));
    }
}

} // namespace
} // namespace throng
