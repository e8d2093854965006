// Batches in which some answers hold all agents, or are long: equal to those of single calls.
#include "../../support/dims.hpp"
#include "../../support/random.hpp"
#include "../../support/scenes/scenes.hpp"

#include <throng/engine/crowd/crowd.hpp>
#include <throng/parallel/batch/batch.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng::test {
namespace {

constexpr std::size_t kQuestions = 150;

/// Shapes around random places; every third contains the whole world.
template <std::size_t Dim>
void make(std::vector<Box<Dim>>& boxes, std::vector<Ball<Dim>>& balls, float side) {
    scenes::Random random(2);
    for (std::size_t q = 0; q < kQuestions; ++q) {
        Point<Dim> centre;
        for (std::size_t a = 0; a < Dim; ++a) {
            centre[a] = random.between(0.0f, side);
        }
        const float half = q % 3 == 0 ? 4.0f * side : random.between(0.0f, side);
        boxes.push_back(Box<Dim>::around(centre, Point<Dim>::all(half)));
        balls.push_back({centre, half});
    }
}

template <std::size_t Dim, class Shape>
void check(const Crowd<Dim>& crowd, const std::vector<Shape>& shapes) {
    std::vector<Filter> filters(shapes.size());
    for (std::size_t q = 0; q < shapes.size(); ++q) {
        if (q % 5 == 1) { filters[q].without = static_cast<Id>(q); }
        if (q % 7 == 3) { filters[q].groups = 0; }
    }
    std::vector<Id> ids, filtered;
    std::vector<std::uint64_t> offsets = {0}, ends = {0};
    std::vector<Id> room(crowd.size() + crowd.size(Sets::statics));
    for (std::size_t q = 0; q < shapes.size(); ++q) {
        std::size_t found = crowd.query(shapes[q], room).count;
        ids.insert(ids.end(), room.begin(), room.begin() + static_cast<std::ptrdiff_t>(found));
        offsets.push_back(ids.size());
        found = crowd.query(shapes[q], room, filters[q]).count;
        filtered.insert(filtered.end(), room.begin(),
                        room.begin() + static_cast<std::ptrdiff_t>(found));
        ends.push_back(filtered.size());
    }
    const auto expect = [](const Hits& hits, const auto& wanted, const auto& wanted_offsets) {
        EXPECT_EQ(hits.offsets, wanted_offsets);
        ASSERT_GE(hits.ids.size(), wanted.size());
        EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), hits.ids.begin()));
    };
    Batch<Dim> batch;
    Hits hits;
    for (int turn = 0; turn < 2; ++turn) { // into empty outputs, then into used ones
        ASSERT_EQ(crowd.query(shapes, hits), Status{});
        expect(hits, ids, offsets);
        ASSERT_EQ(batch.query(crowd, shapes, hits), Status{});
        expect(hits, ids, offsets);
    }
    ASSERT_EQ(batch.query(crowd, shapes, hits, filters), Status{});
    expect(hits, filtered, ends);
    // Ample room, exactly enough, too little, and none.
    for (const std::size_t most : {ids.size() + 64, ids.size(), ids.size() / 2, std::size_t{0}}) {
        std::vector<std::uint64_t> found_offsets(shapes.size() + 1);
        std::vector<Id> found(most);
        EXPECT_EQ(batch.query(crowd, shapes, HitsOutput{found_offsets, found}).count, ids.size());
        EXPECT_EQ(found_offsets, offsets);
        EXPECT_TRUE(std::equal(
            found.begin(), found.begin() + static_cast<std::ptrdiff_t>(std::min(most, ids.size())),
            ids.begin()));
    }
    std::vector<std::uint32_t> counts(shapes.size());
    EXPECT_EQ(batch.count(crowd, shapes, counts).count, ids.size());
    for (std::size_t q = 0; q < shapes.size(); ++q) {
        EXPECT_EQ(counts[q], offsets[q + 1] - offsets[q]);
    }
    EXPECT_EQ(batch.count(crowd, shapes, counts, filters).count, filtered.size());
    (void)batch.any(crowd, shapes, counts, filters);
    for (std::size_t q = 0; q < shapes.size(); ++q) {
        EXPECT_EQ(counts[q], ends[q] != ends[q + 1] ? 1u : 0u);
    }
}

template <class T>
class LongAnswers : public testing::Test {};
TYPED_TEST_SUITE(LongAnswers, Dims, DimNames);

TYPED_TEST(LongAnswers, AreThoseOfSingleCalls) {
    constexpr std::size_t Dim = TypeParam::value;
    // Rows with many agents, whose ids are copied as a whole, and rows with few, which are
    // searched.
    for (const float side : {Dim == 2 ? 60.0f : 16.0f, Dim == 2 ? 3'000.0f : 100.0f}) {
        for (const bool large : {false, true}) {
            SCOPED_TRACE(side);
            scenes::Random random(1);
            scenes::Scene<Dim> scene, statics;
            const auto anywhere = [&] {
                Point<Dim> point;
                for (std::size_t a = 0; a < Dim; ++a) {
                    point[a] = random.between(0.0f, side);
                }
                return point;
            };
            for (std::size_t i = 0; i < 5'000; ++i) {
                const float half = large && i % 100 == 0 ? 3.0f : 0.25f;
                scene.add(anywhere(), Point<Dim>::all(half));
            }
            for (std::size_t i = 0; i < 40; ++i) {
                statics.add(anywhere(), Point<Dim>::all(2.0f));
            }
            CrowdSettings<Dim> settings{Box<Dim>{Point<Dim>::all(0.0f), Point<Dim>::all(side)}, {}};
            settings.cell = Point<Dim>::all(1.0f);
            Crowd<Dim> crowd;
            ASSERT_EQ(crowd.configure(settings), Status{});
            ASSERT_EQ(crowd.update(scene.agents()), Status{});
            if (large) { ASSERT_EQ(crowd.set_statics(statics.agents()), Status{}); }
            ASSERT_EQ(crowd.size(Sets::giants) != 0, large);
            std::vector<Box<Dim>> boxes;
            std::vector<Ball<Dim>> balls;
            make(boxes, balls, side);
            check(crowd, boxes);
            check(crowd, balls);
        }
    }
}

} // namespace
} // namespace throng::test
