// Neighbouring questions search giants and statics together: with any number of them, on rims, with
// inverted boxes, and with more elements than the search keeps.
#include <throng/parallel/batch/batch.hpp>

#include "../../../engine/crowd/crowd_truth.hpp"
#include "../../../support/dims.hpp"
#include "../../../support/long_run.hpp"

#include <throng/engine/shapes/ball.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace throng {
namespace {

using test::CrowdTruth;
using test::Ids;

template <class Dim>
class CrowdCandidates : public testing::Test {};
TYPED_TEST_SUITE(CrowdCandidates, test::Dims, test::DimNames);

/// Agents at whole coordinates, so that questions end exactly on them. One in `period` is a giant;
/// 0 for none.
template <std::size_t Dim>
scenes::Scene<Dim> on_a_lattice(std::size_t count, std::size_t period) {
    auto scene = test::with_giants<Dim>(
        count, [&](std::size_t i) { return period != 0 && i % period == period - 1; }, 8.0f,
        scenes::Groups::masks);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t a = 0; a < Dim; ++a) {
            scene.position[a][i] = static_cast<float>(a == 0 ? i % 40 : i / 40 % 5);
        }
    }
    return scene;
}

template <std::size_t Dim, class Shape>
void check(CrowdTruth<Dim>& both, Batch<Dim>& batch, const std::vector<Shape>& shapes,
           const Filters& filters, Sets sets) {
    Hits hits;
    std::vector<std::uint32_t> counts(shapes.size()), any(shapes.size());
    ASSERT_EQ(batch.query({both.crowd, sets}, shapes, hits, filters), Status{});
    ASSERT_EQ(batch.count({both.crowd, sets}, shapes, counts, filters).count, hits.total());
    ASSERT_EQ(batch.any({both.crowd, sets}, shapes, any, filters).status, Status{});
    for (std::size_t q = 0; q < shapes.size(); ++q) {
        const Ids wanted = both.oracle.by_set(both.oracle.ids_in(shapes[q], filters.of(q), sets));
        ASSERT_EQ(both.oracle.settled(hits.of(q)), wanted) << "question " << q;
        Ids alone;
        ASSERT_EQ(both.crowd.query(shapes[q], alone, filters.of(q), sets).count, wanted.size());
        ASSERT_TRUE(std::ranges::equal(hits.of(q), alone)) << "question " << q;
        ASSERT_EQ(counts[q], wanted.size());
        ASSERT_EQ(any[q], wanted.empty() ? 0u : 1u);
    }
    if (filters.one_each) { return; }
    Hits listed;
    ASSERT_EQ(both.crowd.query(shapes, listed, filters.of(0), sets), Status{});
    ASSERT_EQ(listed.offsets, hits.offsets);
    ASSERT_TRUE(std::equal(hits.ids.begin(),
                           hits.ids.begin() + static_cast<std::ptrdiff_t>(hits.total()),
                           listed.ids.begin()));
}

TYPED_TEST(CrowdCandidates, AreFoundByAnyNumberOfQuestions) {
    constexpr std::size_t kDim = TypeParam::value;
    Batch<kDim> batch;
    for (const std::size_t period :
         {0u, 200u, 30u, 2u}) { // no giant, one, some, more than are kept
        SCOPED_TRACE(period);
        CrowdTruth<kDim> both;
        auto scene = on_a_lattice<kDim>(period == 200 ? 399 : 400, period);
        ASSERT_EQ(both.update(scene), Status{});
        auto standing = on_a_lattice<kDim>(period == 30 ? 7 : 0, 3);
        ASSERT_NO_FATAL_FAILURE(both.set_statics(standing));
        for (const std::size_t questions : {1u, 31u, 32u, 33u, 511u, 512u, 513u, 700u}) {
            std::vector<Box<kDim>> boxes;
            std::vector<Ball<kDim>> balls;
            std::vector<Filter> filters;
            for (std::size_t q = 0; q < questions; ++q) {
                Point<kDim> at = Point<kDim>::all(2.0f);
                at[0] = static_cast<float>(q % 80) - 20.0f;
                const float half = q % 9 == 4 ? -1.0f : static_cast<float>(q % 3); // inverted
                boxes.push_back(Box<kDim>::around(at, Point<kDim>::all(half)));
                balls.push_back({at, static_cast<float>(q % 4)});
                filters.push_back({q % 5 == 1 ? 0x3u : kAllGroups, static_cast<Id>(q % 60)});
            }
            for (const Sets sets : {Sets::all, Sets::small | Sets::giants}) {
                ASSERT_NO_FATAL_FAILURE(check(both, batch, boxes, Filter{}, sets));
                ASSERT_NO_FATAL_FAILURE(check(both, batch, balls, Filter{0x3u}, sets));
                ASSERT_NO_FATAL_FAILURE(check(both, batch, boxes, filters, sets));
                ASSERT_NO_FATAL_FAILURE(check(both, batch, balls, filters, sets));
            }
        }
    }
}

/// As many giants and statics as the search keeps, and one more; the coordinates round, near the
/// origin and far from it, and centres are on the rims of balls.
TYPED_TEST(CrowdCandidates, AreFoundAtTheRimsOfWhatRounds) {
    constexpr std::size_t kDim = TypeParam::value;
    Batch<kDim> batch;
    for (const std::size_t giants : {64u, 65u}) {
        for (const float origin : {0.0f, 1e6f}) {
            SCOPED_TRACE(testing::Message() << giants << " giants at " << origin);
            const auto place = [&](scenes::Scene<kDim>& scene) {
                for (std::size_t i = 0; i < scene.size(); ++i) {
                    for (std::size_t a = 0; a < kDim; ++a) {
                        const auto steps = static_cast<float>(a == 0 ? i % 40 : i / 40 % 5);
                        scene.position[a][i] = origin + 0.1f * steps;
                    }
                }
            };
            CrowdTruth<kDim> both;
            auto scene = on_a_lattice<kDim>(2 * giants, 2);
            auto standing = on_a_lattice<kDim>(64, 1);
            place(scene);
            place(standing);
            ASSERT_EQ(both.update(scene), Status{});
            ASSERT_NO_FATAL_FAILURE(both.set_statics(standing));
            std::vector<Ball<kDim>> balls;
            for (std::size_t q = 0; q < 40; ++q) {
                const Point<kDim> at = scene.position_of(q * 3 % scene.size());
                const Point<kDim> on_rim = scene.position_of(q * 7 % scene.size());
                balls.push_back({at, std::sqrt(distance2_between(at, on_rim))});
            }
            ASSERT_NO_FATAL_FAILURE(check(both, batch, balls, Filter{}, Sets::all));
            balls[5].radius = kLargest; // the others must still be answered together
            ASSERT_NO_FATAL_FAILURE(check(both, batch, balls, Filter{0x3u}, Sets::all));
        }
    }
}

/// Of equally near agents the one with the smallest id comes first, giant or not, whether the
/// search looks into the cells around or searches the grid of centres.
TYPED_TEST(CrowdCandidates, AreAmongTheNearestByTheirIds) {
    constexpr std::size_t kDim = TypeParam::value;
    Batch<kDim> batch;
    for (const std::size_t period : {0u, 200u, 30u, 2u}) {
        SCOPED_TRACE(period);
        CrowdTruth<kDim> both;
        auto scene = on_a_lattice<kDim>(399, period);
        ASSERT_EQ(both.update(scene), Status{});
        // Edits put the giants' slots out of order.
        for (const bool edited : {false, true}) {
            if (edited) {
                const Point<kDim> at = scene.position_of(29), to = scene.position_of(199);
                ASSERT_EQ(both.apply(Edit<kDim>::move(199, at)), Status{});
                ASSERT_EQ(both.apply(Edit<kDim>::move(29, to)), Status{});
            }
            std::vector<Point<kDim>> points;
            for (std::size_t q = 0; q < 120; q += test::large_run() ? 1 : 10) {
                Point<kDim> at = Point<kDim>::all(q % 3 == 0 ? 2.0f : 1.5f);
                at[0] = 0.5f * static_cast<float>(q) - 10.0f;
                points.push_back(at);
            }
            for (const Nearest& nearest :
                 {Nearest{1}, Nearest{8}, Nearest{70}, Nearest{390}, Nearest{8, 1.0f}}) {
                for (const Filter& filter : {Filter{}, Filter{0x3u}, Filter{kAllGroups, 199}}) {
                    NearHits hits;
                    ASSERT_EQ(batch.nearest(both.crowd, points, nearest, hits, filter), Status{});
                    for (std::size_t q = 0; q < points.size(); ++q) {
                        ASSERT_NO_FATAL_FAILURE(
                            both.check_nearest(points[q], nearest, filter, Sets::all));
                        ASSERT_TRUE(std::ranges::equal(
                            hits.of(q), both.oracle.nearest_to(points[q], nearest, filter)));
                    }
                }
            }
        }
    }
}

} // namespace
} // namespace throng
