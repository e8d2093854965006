// Sight in periodic worlds, against brute force: each line of sight to the nearest copy of an
// agent, past all copies of all obstacles.
#include "../../support/dims.hpp"
#include "../../support/threads/executors.hpp"
#include "round_city.hpp"

#include <throng/parallel/sight/in_sight.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace throng::test {
namespace {

template <class Dim>
class SightAroundBorders : public testing::Test {};
TYPED_TEST_SUITE(SightAroundBorders, Dims, DimNames);

std::vector<Ids> listed(const Hits& hits) {
    std::vector<Ids> lists;
    for (std::size_t k = 0; k + 1 < hits.offsets.size(); ++k) {
        lists.emplace_back(hits.of(k).begin(), hits.of(k).end());
    }
    return lists;
}

TYPED_TEST(SightAroundBorders, IsThatOfBruteForce) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(61);
    std::uint64_t seen = 0, hidden = 0;
    for (const float lattice : {0.0f, 0.5f}) {
        for (const bool all : {false, true}) {
            const RoundCity<kDim> city(random, all, lattice);
            const auto kept = [&](Id id) { return city.places[id]; };
            EagerPool pool(3);
            InSight<kDim> in_sight(pool);
            Batch<kDim> batch;
            Hits fresh, hits;
            for (const float radius : {0.75f, 3.0f}) {
                SCOPED_TRACE(testing::Message() << lattice << " " << all << " " << radius);
                ASSERT_EQ(batch.neighbours(city.crowd, {radius}, fresh, Order::ids), Status{});
                const auto expected =
                    city.cut(fresh, [&](std::size_t k) { return kept(static_cast<Id>(k)); });
                ASSERT_EQ(in_sight.neighbours(city.crowd, city.obstacles.around, {radius}, hits,
                                              Order::ids),
                          Status{});
                ASSERT_EQ(listed(hits), expected);
                seen += hits.total();
                hidden += fresh.total() - hits.total();
                std::vector<std::uint32_t> counts(city.places.size());
                ASSERT_EQ(in_sight
                              .count_neighbours(city.crowd, city.obstacles.around, {radius}, counts,
                                                Order::ids)
                              .count,
                          hits.total());

                std::vector<Ball<kDim>> balls;
                std::vector<Sector<kDim>> sectors;
                for (int i = 0; i < 60; ++i) {
                    Point<kDim> at = city.obstacles.place(random, lattice);
                    if (i % 4 == 0) { at[0] += i % 8 == 0 ? 8.0f : -8.0f; }
                    balls.push_back({at, radius});
                    Sector<kDim> sector;
                    sector.centre = at;
                    sector.direction[0] = i % 2 == 0 ? 1.0f : -1.0f;
                    sector.radius = radius;
                    sector.cosine = 0.25f;
                    sectors.push_back(sector);
                }
                const auto centre = [&](std::size_t k) { return balls[k].centre; };
                ASSERT_EQ(batch.query(city.crowd, balls, fresh), Status{});
                ASSERT_EQ(in_sight.query(city.crowd, city.obstacles.around, balls, hits), Status{});
                ASSERT_EQ(listed(hits), city.cut(fresh, centre));
                ASSERT_EQ(batch.query(city.crowd, sectors, fresh), Status{});
                ASSERT_EQ(in_sight.query(city.crowd, city.obstacles.around, sectors, hits),
                          Status{});
                ASSERT_EQ(listed(hits), city.cut(fresh, centre));
            }
        }
    }
    EXPECT_GT(seen, 1000u);
    EXPECT_GT(hidden, 1000u);
}

TYPED_TEST(SightAroundBorders, NeedsOneWorldForBoth) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(62);
    RoundCity<kDim> city(random, false, 0.5f);
    InSight<kDim> in_sight;
    Hits hits;
    const auto said = [&](const Obstacles<kDim>& obstacles) -> Status {
        return in_sight.neighbours(city.crowd, obstacles, {1.0f}, hits).status;
    };
    constexpr Status kRefused = {Cause::wraps, Argument::period};
    EXPECT_EQ(said(city.obstacles.around), Status{});
    EXPECT_EQ(said(Obstacles<kDim>()), kRefused);
    Obstacles<kDim> other;
    const Box<kDim> bounds = city.obstacles.world.bounds;
    ASSERT_EQ(other.configure(bounds, {true, true}), Status{});
    EXPECT_EQ(said(other), kRefused);
    ASSERT_EQ(other.configure(Box<kDim>{bounds.lo, Point<kDim>::all(4.5f)}, {true}), Status{});
    EXPECT_EQ(said(other), kRefused);
    Box<kDim> only_there = bounds; // other axes have no borders
    only_there.hi[1] = 100.0f;
    ASSERT_EQ(other.configure(only_there, {true}), Status{});
    EXPECT_EQ(said(other), Status{});
    ASSERT_EQ(city.crowd.configure({}), Status{});
    EXPECT_EQ(said(other), kRefused);
    EXPECT_EQ(said(Obstacles<kDim>()), Status{});
}

} // namespace
} // namespace throng::test
