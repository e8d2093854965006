// Crowds in periodic worlds: a batch about all agents gives the crowd's own answers to single
// questions.
#include "../../../support/random.hpp"
#include "../../../support/threads/executors.hpp"
#include "../../../support/truth.hpp"

#include <throng/parallel/batch/batch.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace throng::test {
namespace {

/// A periodic world with giants and walls.
struct PeriodicWorld {
    Crowd<2> crowd;
    std::array<std::vector<float>, 2> position, half;

    PeriodicWorld() {
        CrowdSettings<2> settings;
        settings.bounds = Box<2>{{{0.0f, 0.0f}}, {{40.0f, 30.0f}}};
        settings.cell = Point<2>{{1.0f, 2.0f}};
        settings.periodic = {true, true};
        EXPECT_EQ(crowd.configure(settings), Status{});
        scenes::Random random(3);
        for (std::size_t i = 0; i < 900; ++i) {
            position[0].push_back(random.between(-40.0f, 80.0f));
            position[1].push_back(random.between(0.0f, 30.0f));
            const bool giant = i % 90 == 0;
            half[0].push_back(giant ? 5.0f : 0.25f);
            half[1].push_back(giant ? 2.0f : 0.5f);
        }
        EXPECT_EQ(crowd.update(agents(900)), Status{});
        EXPECT_EQ(crowd.set_statics(agents(60)), Status{});
    }
    [[nodiscard]] Agents<2> agents(std::size_t count) const {
        Agents<2> all;
        all.positions = PointView<2>::separate({position[0].data(), position[1].data()}, count);
        all.half_extents = PointView<2>::separate({half[0].data(), half[1].data()}, count);
        return all;
    }
    [[nodiscard]] Point<2> at(std::size_t i) const { return {{position[0][i], position[1][i]}}; }
};

using Ids = std::vector<Id>;

template <class Shape>
Ids asked(const Crowd<2>& crowd, const Shape& shape, Sets sets = Sets::all) {
    Ids ids(2'000);
    const Found found = crowd.query(shape, ids, {}, sets);
    EXPECT_EQ(found.status, Status{});
    ids.resize(found.count);
    return ids;
}

Ids of(const Hits& hits, std::size_t q) {
    const auto ids = hits.of(q);
    return {ids.begin(), ids.end()};
}

/// Of two small agents that are near across a border, the one at the lower border has the other, as
/// decided on the highest axis; of all others, the one that comes first.
bool finds_later(const PeriodicWorld& world, Id asker, Id found, bool comes_later) {
    const Crowd<2>& crowd = world.crowd;
    if (is_static(found)) { return true; }
    if (!crowd.contains(asker, Sets::small) || !crowd.contains(found, Sets::small)) {
        return comes_later;
    }
    constexpr std::array<float, 2> kPeriod = {40.0f, 30.0f};
    for (const std::size_t a : {1, 0}) {
        const float apart = wrapped(world.position[a][found], 0.0f, kPeriod[a]) -
                            wrapped(world.position[a][asker], 0.0f, kPeriod[a]);
        if (std::abs(apart) > kPeriod[a] / 2.0f) { return apart > 0.0f; }
    }
    return comes_later;
}

class CrowdBatchInPeriodicWorlds : public ::testing::Test {
protected:
    PeriodicWorld world_;
    test::EagerPool pool_{3};
    Batch<2> batch_{pool_};
};

TEST_F(CrowdBatchInPeriodicWorlds, AnswersAsTheCrowdDoes) {
    std::vector<Box<2>> boxes;
    std::vector<Ball<2>> balls;
    std::vector<Segment<2>> ways;
    for (std::size_t i = 0; i < 900; ++i) {
        boxes.push_back(Box<2>::around(world_.at(i), {{1.0f, 2.0f}}));
        balls.push_back({world_.at(i), i % 100 == 0 ? 100.0f : 1.5f});
        ways.push_back({world_.at(i), world_.at((i * 7 + 1) % 900)});
    }
    Hits hits;
    std::vector<std::uint32_t> counts(900);
    std::vector<PathHit> met(900);
    ASSERT_EQ(batch_.query(world_.crowd, boxes, hits), Status{});
    for (std::size_t i = 0; i < 900; ++i) {
        ASSERT_EQ(of(hits, i), asked(world_.crowd, boxes[i]));
    }
    ASSERT_EQ(batch_.count(world_.crowd, balls, counts).status, Status{});
    ASSERT_EQ(batch_.first(world_.crowd, ways, met).status, Status{});
    for (std::size_t i = 0; i < 900; ++i) {
        ASSERT_EQ(counts[i], world_.crowd.count(balls[i]).count);
        PathHit hit;
        (void)world_.crowd.first(ways[i], hit);
        ASSERT_EQ(met[i], hit);
    }
}

/// Questions that are narrower than the world, of which a third stand outside of it: blocks of them
/// are asked together, and what their copies find is put behind each answer.
TEST_F(CrowdBatchInPeriodicWorlds, AsksTheCopiesOfABlockTogether) {
    std::vector<Box<2>> boxes;
    std::vector<Ball<2>> balls;
    std::vector<Capsule<2>> capsules;
    std::vector<Filter> filters;
    for (std::size_t i = 0; i < 900; ++i) {
        const Point<2> at = world_.at(i);
        boxes.push_back(Box<2>::around(at, {{2.0f, 1.0f}}));
        balls.push_back({at, i % 3 == 0 ? 0.0f : 2.5f});
        capsules.push_back({at, {{at[0] + 2.0f, at[1] - 3.0f}}, 1.0f});
        filters.push_back({kAllGroups, static_cast<Id>(i)});
    }
    const auto check = [&](const auto& shapes, Sets sets) {
        Hits hits;
        std::vector<std::uint32_t> counts(900), any(900);
        ASSERT_EQ(batch_.query({world_.crowd, sets}, shapes, hits, filters), Status{});
        ASSERT_EQ(batch_.count({world_.crowd, sets}, shapes, counts, filters).count, hits.total());
        ASSERT_EQ(batch_.any({world_.crowd, sets}, shapes, any, filters).status, Status{});
        Ids room(2'000);
        for (std::size_t i = 0; i < 900; ++i) {
            const Found found = world_.crowd.query(shapes[i], room, filters[i], sets);
            ASSERT_EQ(found.status, Status{});
            ASSERT_EQ(of(hits, i),
                      Ids(room.begin(), room.begin() + static_cast<std::ptrdiff_t>(found.count)));
            ASSERT_EQ(counts[i], found.count);
            ASSERT_EQ(any[i], found.count == 0 ? 0u : 1u);
        }
        // An array that is too short has the first hits.
        std::vector<std::uint64_t> offsets(901);
        Ids few(hits.total() / 2);
        ASSERT_EQ(batch_.query({world_.crowd, sets}, shapes, {offsets, few}, filters).count,
                  hits.total());
        ASSERT_TRUE(std::equal(few.begin(), few.end(), hits.ids.begin()));
        ASSERT_EQ(offsets, hits.offsets);
    };
    for (const Sets sets : {Sets::all, Sets::small, Sets::small | Sets::statics}) {
        ASSERT_NO_FATAL_FAILURE(check(boxes, sets));
        ASSERT_NO_FATAL_FAILURE(check(balls, sets));
        ASSERT_NO_FATAL_FAILURE(check(capsules, sets));
    }
}

TEST_F(CrowdBatchInPeriodicWorlds, FindsTheNearestAcrossBorders) {
    std::vector<Point<2>> inside, anywhere;
    for (std::size_t i = 0; i < 900; ++i) {
        const Point<2> at = world_.at(i);
        anywhere.push_back(at);
        inside.push_back({{wrapped(at[0], 0.0f, 40.0f), at[1]}});
    }
    const Filter filter{kAllGroups, 7};
    for (const float radius : {2.0f, 1e9f}) {
        for (const std::uint32_t k : {1u, 6u, 40u}) {
            for (const Body body : {Body::centre, Body::box}) {
                for (const auto* const points : {&inside, &anywhere}) {
                    const Nearest asked{.k = k, .radius = radius, .body = body};
                    NearHits near;
                    ASSERT_EQ(batch_.nearest(world_.crowd, *points, asked, near, filter), Status{});
                    std::vector<Near> best(k);
                    for (std::size_t i = 0; i < 900; ++i) {
                        const std::size_t found =
                            world_.crowd.nearest((*points)[i], asked, best, filter).count;
                        ASSERT_EQ(near.of(i).size(), found);
                        ASSERT_TRUE(std::equal(near.of(i).begin(), near.of(i).end(), best.begin()));
                    }
                }
            }
        }
    }
}

TEST_F(CrowdBatchInPeriodicWorlds, KnowsTheNeighboursOfAllAgents) {
    Hits hits;
    NearHits near;
    ASSERT_EQ(batch_.neighbours(world_.crowd, {1.5f}, hits, Order::ids), Status{});
    ASSERT_EQ(batch_.nearest_neighbours(world_.crowd, {.k = 6}, near, Order::ids), Status{});
    for (Id id = 0; id < 900; ++id) {
        Ids wanted = asked(world_.crowd, Ball<2>{world_.at(id), 1.5f});
        std::erase(wanted, id);
        Ids got = of(hits, id);
        std::sort(got.begin(), got.end());
        std::sort(wanted.begin(), wanted.end());
        ASSERT_EQ(got, wanted);
        std::array<Near, 6> best;
        ASSERT_EQ(world_.crowd.nearest(world_.at(id), {6}, best, {kAllGroups, id}).count, 6u);
        ASSERT_TRUE(std::equal(best.begin(), best.end(), near.of(id).begin()));
    }
}

TEST_F(CrowdBatchInPeriodicWorlds, KnowsTheBodiesNearAllAgents) {
    Truth<2> truth(Periodic<2>{{{{0.0f, 0.0f}}, {{40.0f, 30.0f}}}, {true, true}}, 2);
    ASSERT_EQ(truth.update(world_.agents(900)), Status{});
    ASSERT_EQ(truth.set_statics(world_.agents(60)), Status{});
    Ids order(world_.crowd.size());
    (void)world_.crowd.order(order);
    for (const Body body : {Body::box, Body::disc}) {
        // Of bodies within 16 some are met by two copies, and some only across a border.
        for (const float radius : {0.0f, 0.7f, 16.0f, 100.0f}) {
            const Neighbourhood asked{radius, false, kAllGroups, false, body};
            Hits by_id, whole, later;
            ASSERT_EQ(batch_.neighbours(world_.crowd, asked, by_id, Order::ids), Status{});
            const std::vector<Ids> wanted = truth.neighbours(asked);
            for (const Id id : order) {
                Ids got = of(by_id, id);
                std::sort(got.begin(), got.end());
                ASSERT_EQ(got, wanted[id]) << "agent " << id << ", radius " << radius;
            }
            const Neighbourhood after{radius, true, kAllGroups, true, body};
            std::vector<std::uint32_t> counts(order.size());
            ASSERT_EQ(
                batch_.neighbours(world_.crowd, {radius, true, kAllGroups, false, body}, whole),
                Status{});
            ASSERT_EQ(batch_.neighbours(world_.crowd, after, later), Status{});
            ASSERT_EQ(batch_.count_neighbours(world_.crowd, after, counts).count, later.total());
            for (std::size_t k = 0; k < order.size(); ++k) {
                Ids those = of(whole, k);
                const std::span before(order.data(), k);
                std::erase_if(those,
                              [&](Id id) { return std::ranges::find(before, id) != before.end(); });
                ASSERT_EQ(of(later, k), those);
                ASSERT_EQ(counts[k], those.size());
            }
        }
    }
}

TEST_F(CrowdBatchInPeriodicWorlds, FindsEachPairWithinADistanceOnce) {
    Ids order(world_.crowd.size());
    (void)world_.crowd.order(order);
    for (const Sets sets : {Sets::all, Sets::agents, Sets::giants | Sets::statics}) {
        for (const bool with_self : {false, true}) {
            Hits whole, later;
            std::vector<std::uint32_t> counts(order.size());
            ASSERT_EQ(
                batch_.neighbours({world_.crowd, sets}, {1.5f, with_self}, whole, Order::storage),
                Status{});
            const Neighbourhood asked{1.5f, with_self, kAllGroups, true};
            ASSERT_EQ(batch_.neighbours({world_.crowd, sets}, asked, later, Order::storage),
                      Status{});
            ASSERT_EQ(
                batch_.count_neighbours({world_.crowd, sets}, asked, counts, Order::storage).count,
                later.total());
            for (std::size_t k = 0; k < order.size(); ++k) {
                Ids wanted = of(whole, k);
                const std::span before(order.data(), k);
                std::erase_if(wanted, [&](Id id) {
                    const bool comes_later = std::ranges::find(before, id) == before.end();
                    return !finds_later(world_, order[k], id, comes_later);
                });
                ASSERT_EQ(of(later, k), wanted) << "agent " << order[k];
                ASSERT_EQ(counts[k], wanted.size());
            }
        }
    }
    Hits later;
    Pairs pairs;
    ASSERT_EQ(batch_.neighbours(world_.crowd, {1.5f, false, kAllGroups, true}, later), Status{});
    ASSERT_EQ(batch_.pairs_within({world_.crowd, PairSets::all}, 1.5f, pairs), Status{});
    ASSERT_EQ(pairs.count, later.total());
    for (std::size_t k = 0, at = 0; k < order.size(); ++k) {
        for (const Id other : later.of(k)) {
            ASSERT_EQ(pairs.first[at], order[k]);
            ASSERT_EQ(pairs.second[at], other);
            ++at;
        }
    }
}

TEST_F(CrowdBatchInPeriodicWorlds, FindsPairsAcrossBorders) {
    using PairList = std::vector<std::pair<Id, Id>>;
    PairList wanted, got;
    (void)world_.crowd.visit_pairs(PairSets::all,
                                   [&](std::span<const Id> first, std::span<const Id> second) {
                                       for (std::size_t i = 0; i < first.size(); ++i) {
                                           wanted.emplace_back(first[i], second[i]);
                                       }
                                       return true;
                                   });
    Pairs pairs;
    ASSERT_EQ(batch_.pairs({world_.crowd, PairSets::all}, pairs), Status{});
    for (std::size_t i = 0; i < pairs.count; ++i) {
        got.emplace_back(pairs.first[i], pairs.second[i]);
    }
    EXPECT_GT(wanted.size(), 300u);
    Pairs on_one_thread;
    Batch<2> alone;
    ASSERT_EQ(alone.pairs({world_.crowd, PairSets::all}, on_one_thread), Status{});
    EXPECT_EQ(on_one_thread.first, pairs.first);
    EXPECT_EQ(on_one_thread.second, pairs.second);
    // The order among pairs of giants differs.
    std::sort(got.begin(), got.end());
    std::sort(wanted.begin(), wanted.end());
    EXPECT_EQ(got, wanted);
}

TEST_F(CrowdBatchInPeriodicWorlds, SaysWhichQuestionHasTooManyCopies) {
    std::vector<Segment<2>> ways(3'000, {{{1.0f, 1.0f}}, {{2.0f, 2.0f}}});
    ways[2'345].to = {{1e6f, 1e6f}};
    const Status refused{Cause::wraps, Argument::segment, 2'345};
    Hits hits;
    std::vector<std::uint32_t> counts(ways.size());
    std::vector<PathHit> met(ways.size());
    EXPECT_EQ(batch_.query(world_.crowd, ways, hits), refused);
    EXPECT_EQ(batch_.count(world_.crowd, ways, counts).status, refused);
    EXPECT_EQ(batch_.any(world_.crowd, ways, counts).status, refused);
    EXPECT_EQ(batch_.first(world_.crowd, ways, met).status, refused);
    ways[17].from[0] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(batch_.query(world_.crowd, ways, hits),
              (Status{Cause::not_finite, Argument::segment, 17}));
    ways[17].from[0] = 0.0f;
    ways[2'345].to = {{3.0f, 3.0f}};
    EXPECT_EQ(batch_.query(world_.crowd, ways, hits), Status{});
}

/// Copies of a shape may lie beyond all coordinates. Questions about bodies are then refused like
/// single questions, so no agent is missed in silence.
TEST(CrowdBatchInVastWorlds, RefusesBodiesWhoseCopiesAreTooFar) {
    CrowdSettings<2> settings;
    settings.bounds = Box<2>{{{-4e17f, 0.0f}}, {{4e17f, 8.0f}}};
    settings.cell = Point<2>{{1e17f, 1.0f}};
    settings.periodic = {true, false};
    Crowd<2> crowd;
    ASSERT_EQ(crowd.configure(settings), Status{});
    const std::array<float, 4> positions = {-3.9e17f, 4.0f, 3.9e17f, 4.0f};
    Agents<2> agents;
    agents.positions = PointView<2>::interleaved(positions.data(), 2);
    agents.common_half_extent = {{1e16f, 1.0f}};
    ASSERT_EQ(crowd.update(agents), Status{});
    std::array<Id, 2> ids{};
    const Box<2> around = {{{3.3e17f, 0.0f}}, {{4.5e17f, 8.0f}}};
    const Found alone = crowd.query(around, ids);
    ASSERT_FALSE(alone.status.ok());
    Batch<2> batch;
    Hits hits;
    const Status together =
        batch.neighbours(crowd, {3e16f, false, kAllGroups, false, Body::box}, hits);
    EXPECT_EQ(together.cause, alone.status.cause);
    EXPECT_TRUE(hits.offsets.empty());
}

} // namespace
} // namespace throng::test
