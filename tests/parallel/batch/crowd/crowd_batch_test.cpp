// A batch's answers about crowds of small and large, against the oracle.
#include <throng/parallel/batch/batch.hpp>

#include "../../../support/dims.hpp"
#include "../../../support/numbers.hpp"
#include "../../../support/scenes/scene_shapes.hpp"
#include "../../../support/threads/executors.hpp"
#include "crowd_world.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace throng {
namespace {

using test::Ids;
using test::kNan;
using test::World;

constexpr std::size_t kAgents = 700; // two slices
constexpr std::size_t kStatics = 90;

template <class Dim>
class CrowdBatches : public testing::Test {};
TYPED_TEST_SUITE(CrowdBatches, test::Dims, test::DimNames);

Ids of(const Hits& hits, std::size_t q) {
    const auto ids = hits.of(q);
    return {ids.begin(), ids.end()};
}

/// A filter for each question, with different groups; some exclude an agent, a giant or a static.
std::vector<Filter> filters_for(std::size_t questions) {
    const Id without[] = {kNoId, 3, 7, 48, static_id(2), static_id(4'000)};
    std::vector<Filter> filters;
    for (std::size_t q = 0; q < questions; ++q) {
        const std::uint32_t groups = q % 7 == 3 ? 0u : (q % 2 == 0 ? kAllGroups : 0x3u);
        filters.push_back({groups, without[q % std::size(without)]});
    }
    return filters;
}

template <std::size_t Dim, class Shape>
void check_shapes(World<Dim>& world, Batch<Dim>& batch, const std::vector<Shape>& shapes, Sets sets,
                  const Filters& filters) {
    Hits hits;
    std::vector<std::uint32_t> counts(shapes.size()), any(shapes.size());
    ASSERT_EQ(batch.query({world.crowd, sets}, shapes, hits, filters), Status{});
    const Found counted = batch.count({world.crowd, sets}, shapes, counts, filters);
    const Found some = batch.any({world.crowd, sets}, shapes, any, filters);
    ASSERT_EQ(counted.status, Status{});
    ASSERT_EQ(some.status, Status{});
    ASSERT_EQ(hits.offsets.size(), shapes.size() + 1);
    EXPECT_EQ(counted.count, hits.total());
    std::size_t find_any = 0;
    for (std::size_t q = 0; q < shapes.size(); ++q) {
        const Ids wanted = world.expected(shapes[q], filters.of(q), sets);
        ASSERT_EQ(world.truth.settled(hits.of(q)), wanted) << "question " << q;
        ASSERT_EQ(counts[q], wanted.size()) << "question " << q;
        ASSERT_EQ(any[q], wanted.empty() ? 0u : 1u) << "question " << q;
        find_any += any[q];
        Ids same;
        ASSERT_EQ(world.crowd.query(shapes[q], same, filters.of(q), sets).count, wanted.size());
        ASSERT_EQ(of(hits, q), same) << "the order is that of Crowd::query(), question " << q;
    }
    EXPECT_EQ(some.count, find_any);
}

template <std::size_t Dim, class Path>
void check_first(World<Dim>& world, Batch<Dim>& batch, const std::vector<Path>& paths, Sets sets,
                 const Filters& filters) {
    std::vector<PathHit> path_hits(paths.size());
    const Found found = batch.first({world.crowd, sets}, paths, path_hits, filters);
    ASSERT_EQ(found.status, Status{});
    std::size_t met = 0;
    for (std::size_t q = 0; q < paths.size(); ++q) {
        const std::vector<PathHit> wanted = world.truth.hits(paths[q], filters.of(q), sets);
        met += wanted.empty() ? 0 : 1;
        ASSERT_EQ(path_hits[q], wanted.empty() ? PathHit{} : wanted.front()) << "path " << q;
    }
    EXPECT_EQ(found.count, met);
}

TYPED_TEST(CrowdBatches, FindWhatBruteForceFinds) {
    constexpr std::size_t kDim = TypeParam::value;
    test::EagerPool pool(2);
    Batch<kDim> batch(pool);
    test::for_each_world<kDim>(kAgents, kStatics, [&](World<kDim>& world) {
        std::size_t turn = 0;
        const auto check = [&](const auto& shapes) {
            const std::vector<Filter> each = filters_for(shapes.size());
            for (const Sets sets : {Sets::all, test::kEverySets[turn++ % 8]}) {
                ASSERT_NO_FATAL_FAILURE(check_shapes(world, batch, shapes, sets, Filter{}));
                ASSERT_NO_FATAL_FAILURE(check_shapes(world, batch, shapes, sets, each));
            }
        };
        const auto check_path = [&](const auto& paths) {
            const std::vector<Filter> each = filters_for(paths.size());
            for (const Sets sets : {Sets::all, test::kEverySets[turn++ % 8]}) {
                ASSERT_NO_FATAL_FAILURE(check_first(world, batch, paths, sets, Filter{}));
                ASSERT_NO_FATAL_FAILURE(check_first(world, batch, paths, sets, each));
            }
        };
        check(world.scene.boxes);
        check(world.scene.balls);
        const auto shapes = scenes::shapes_about(world.scene, 12);
        check(shapes.segments);
        check(shapes.rays);
        check(shapes.capsules);
        check(shapes.sectors);
        check(shapes.convexes);
        check(shapes.oriented_boxes);
        check(shapes.cylinders);
        check(shapes.body_balls);
        check(shapes.body_sectors);
        check(shapes.body_cylinders);
        check_path(shapes.segments);
        check_path(shapes.rays);
        check_path(shapes.capsules);
    });
}

/// A batch finds large elements in another way than Crowd::query(), but must answer in its order.
TYPED_TEST(CrowdBatches, KeepTheOrderOfTheCrowd) {
    constexpr std::size_t kDim = TypeParam::value;
    const World<kDim> world("mixed_sizes", 4'000, 2'500, scenes::Groups::none);
    Batch<kDim> batch;
    const auto check = [&](const auto& shapes) {
        Hits hits;
        ASSERT_EQ(batch.query(world.crowd, shapes, hits), Status{});
        for (std::size_t q = 0; q < shapes.size(); ++q) {
            Ids wanted;
            ASSERT_EQ(world.crowd.query(shapes[q], wanted).count, hits.of(q).size());
            ASSERT_EQ(of(hits, q), wanted) << "question " << q;
        }
    };
    std::vector<Box<kDim>> boxes;
    std::vector<Ball<kDim>> balls;
    std::vector<Sector<kDim>> sectors;
    std::vector<Cylinder<kDim>> cylinders;
    std::vector<BodyBall<kDim>> body_balls;
    for (const Id id : world.order()) {
        const Point<kDim> at = world.scene.position_of(id);
        const float size = world.scene.cell[0] * (id % 8 == 0 ? 1.0f : 0.2f);
        boxes.push_back(Box<kDim>::around(at, Point<kDim>::all(size)));
        balls.push_back({at, size});
        body_balls.push_back({balls.back(), static_cast<Body>(id % 3)});
        Sector<kDim> sector;
        sector.centre = at;
        sector.direction[0] = 1.0f;
        sector.radius = 2.0f * size;
        sector.cosine = 0.5f;
        sectors.push_back(sector);
        cylinders.push_back({at, size, at[kDim - 1] - size, at[kDim - 1]});
    }
    check(boxes);
    check(balls);
    check(sectors);
    check(cylinders);
    check(body_balls);
}

/// With an array of any length, the ids are a prefix of the whole list, and offsets and counts are
/// true.
TYPED_TEST(CrowdBatches, FillShortArraysAsFarAsTheyGo) {
    constexpr std::size_t kDim = TypeParam::value;
    World<kDim> world("mixed_sizes", kAgents, kStatics, scenes::Groups::none);
    std::vector<Box<kDim>> boxes;
    for (std::size_t q = 0; q < 1'100; ++q) { // three blocks
        boxes.push_back(Box<kDim>::around(world.scene.position_of(q % world.scene.size()),
                                          Point<kDim>::all(0.4f)));
    }
    test::EagerPool pool(3);
    for (Executor* executor : {&serial_executor(), static_cast<Executor*>(&pool)}) {
        Batch<kDim> batch(*executor);
        Hits whole, near;
        ASSERT_EQ(batch.query(world.crowd, boxes, whole), Status{});
        ASSERT_EQ(batch.neighbours(world.crowd, {0.7f}, near), Status{});
        for (std::size_t eighth = 0; eighth <= 9; ++eighth) {
            for (const std::size_t more : {0u, 1u, 5u}) {
                const auto check = [&](const Hits& wanted, const auto& fill) {
                    Ids ids(wanted.total() * eighth / 8 + more, 77);
                    std::vector<std::uint64_t> offsets(wanted.offsets.size());
                    const Found found = fill(HitsOutput{offsets, ids});
                    ASSERT_EQ(found.status, Status{});
                    ASSERT_EQ(found.count, wanted.total());
                    ASSERT_EQ(offsets, wanted.offsets);
                    const std::size_t fit = std::min<std::size_t>(ids.size(), wanted.total());
                    ASSERT_TRUE(std::equal(ids.begin(),
                                           ids.begin() + static_cast<std::ptrdiff_t>(fit),
                                           wanted.ids.begin()));
                };
                check(whole,
                      [&](const HitsOutput& out) { return batch.query(world.crowd, boxes, out); });
                check(near, [&](const HitsOutput& out) {
                    return batch.neighbours(world.crowd, {0.7f}, out);
                });
            }
        }
    }
}

/// The neighbours that agent askers[q] must have; with `later_only` without earlier askers.
template <std::size_t Dim>
Ids expected_neighbours(const World<Dim>& world, const Ids& askers, std::size_t q,
                        const Neighbourhood& asked, Sets sets) {
    Ids found =
        asked.body == Body::centre
            ? world.expected(Ball<Dim>{world.scene.position_of(askers[q]), asked.radius},
                             {asked.groups, asked.with_self ? kNoId : askers[q]}, sets)
            : world.truth.by_set(world.truth.bodies_near(world.truth[askers[q]], asked, sets));
    const auto before = std::span(askers).first(asked.later_only ? q : 0);
    std::erase_if(found, [&](Id id) { return std::ranges::find(before, id) != before.end(); });
    return found;
}

template <std::size_t Dim>
void check_neighbours(World<Dim>& world, Batch<Dim>& batch, const Neighbourhood& asked, Sets sets) {
    const Ids askers = world.order();
    const std::size_t bound = world.crowd.id_bound();
    Hits stored, by_id;
    std::vector<std::uint32_t> counts(askers.size()), counts_by_id(bound, 99);
    ASSERT_EQ(batch.neighbours({world.crowd, sets}, asked, stored, Order::storage), Status{});
    ASSERT_EQ(batch.neighbours({world.crowd, sets}, asked, by_id, Order::ids), Status{});
    const Found sum = batch.count_neighbours({world.crowd, sets}, asked, counts, Order::storage);
    const Found sum_by_id =
        batch.count_neighbours({world.crowd, sets}, asked, counts_by_id, Order::ids);
    ASSERT_EQ(sum.status, Status{});
    ASSERT_EQ(sum_by_id.status, Status{});
    ASSERT_EQ(stored.offsets.size(), askers.size() + 1);
    ASSERT_EQ(by_id.offsets.size(), bound + 1);
    EXPECT_EQ(sum.count, stored.total());
    EXPECT_EQ(sum_by_id.count, stored.total());
    EXPECT_EQ(by_id.total(), stored.total()) << "no hits for ids without an agent";
    EXPECT_EQ(std::accumulate(counts_by_id.begin(), counts_by_id.end(), std::size_t{0}),
              stored.total());
    for (std::size_t q = 0; q < askers.size(); ++q) {
        const Id id = askers[q];
        const Ids wanted = expected_neighbours(world, askers, q, asked, sets);
        ASSERT_EQ(world.truth.settled(stored.of(q)), wanted) << "agent " << id;
        ASSERT_EQ(of(by_id, id), of(stored, q)) << "agent " << id;
        ASSERT_EQ(counts[q], wanted.size()) << "agent " << id;
        ASSERT_EQ(counts_by_id[id], wanted.size()) << "agent " << id;
    }
}

/// Checks pairs of these kinds. A small agent or a giant is paired with the elements after it.
template <std::size_t Dim>
void check_pairs_within(World<Dim>& world, Batch<Dim>& batch, float radius, PairSets sets,
                        std::uint32_t groups, Body body = Body::centre) {
    const auto wanted_by = [&](Sets asker) {
        Sets found = Sets::none;
        const auto add = [&](PairSets kind, Sets found_there) {
            if (has(sets, kind)) { found = found | found_there; }
        };
        if (asker == Sets::small) {
            add(PairSets::small_small, Sets::small);
            add(PairSets::small_giants, Sets::giants);
            add(PairSets::small_statics, Sets::statics);
        } else {
            add(PairSets::giants_giants, Sets::giants);
            add(PairSets::giants_statics, Sets::statics);
        }
        return found;
    };
    const Ids askers = world.order();
    std::vector<std::pair<Id, Id>> wanted, got;
    for (std::size_t q = 0; q < askers.size(); ++q) {
        if (groups != kAllGroups && (world.truth[askers[q]].groups & groups) == 0) { continue; }
        const Sets found = wanted_by(world.truth.set_of(askers[q]));
        for (const Id other :
             expected_neighbours(world, askers, q, {radius, false, groups, true, body}, found)) {
            wanted.emplace_back(askers[q], other);
        }
    }
    Pairs pairs;
    ASSERT_EQ(batch.pairs_within({world.crowd, sets}, radius, pairs, groups, body), Status{});
    ASSERT_EQ(batch.pairs_within({world.crowd, sets}, radius, PairsOutput{}, groups, body).count,
              pairs.count);
    for (std::size_t i = 0; i < pairs.count;) {
        Ids found;
        const Id first = pairs.first[i];
        for (; i < pairs.count && pairs.first[i] == first; ++i) {
            found.push_back(pairs.second[i]);
        }
        for (const Id other : world.truth.settled(found)) {
            got.emplace_back(first, other);
        }
    }
    ASSERT_EQ(got, wanted);

    Ids first(pairs.count / 2), second(pairs.count);
    const Found some =
        batch.pairs_within({world.crowd, sets}, radius, PairsOutput{first, second}, groups, body);
    ASSERT_EQ(some.status, Status{});
    ASSERT_EQ(some.count, pairs.count);
    ASSERT_TRUE(std::equal(first.begin(), first.end(), pairs.first.begin()));
}

TYPED_TEST(CrowdBatches, PairAllThatAreNear) {
    constexpr std::size_t kDim = TypeParam::value;
    test::EagerPool pool(2);
    Batch<kDim> batch(pool);
    std::size_t turn = 0;
    test::for_each_world<kDim>(kAgents, kStatics, [&](World<kDim>& world) {
        const float cell = world.scene.cell[0];
        check_pairs_within(world, batch, cell, PairSets::all, kAllGroups);
        const auto some = static_cast<PairSets>(turn * 7 % 32);
        check_pairs_within(world, batch, 1.5f * cell, some, turn % 2 == 0 ? kAllGroups : 0x3u);
        check_pairs_within(world, batch, 0.0f, PairSets::all, kAllGroups, Body::disc);
        check_pairs_within(world, batch, 0.5f * cell, some, turn % 2 == 0 ? kAllGroups : 0x3u,
                           turn % 2 == 0 ? Body::box : Body::disc);
        Pairs pairs{{1}, {2}, 1};
        EXPECT_EQ(batch.pairs_within(world.crowd, -1.0f, pairs).status.argument, Argument::radius);
        EXPECT_EQ(
            batch.pairs_within({world.crowd, PairSets::all}, 1.0f, pairs, kAllGroups, Body{9}),
            (Status{Cause::out_of_range, Argument::body}));
        EXPECT_EQ(pairs.count, 0u);
        EXPECT_EQ(batch.pairs_within(world.crowd, -1.0f, PairsOutput{}).status.argument,
                  Argument::radius);
        ++turn;
    });
}

TYPED_TEST(CrowdBatches, KnowTheNeighboursOfAllAgents) {
    constexpr std::size_t kDim = TypeParam::value;
    test::EagerPool pool(2);
    Batch<kDim> batch(pool);
    std::size_t turn = 0;
    test::for_each_world<kDim>(kAgents, kStatics, [&](World<kDim>& world) {
        const float cell = world.scene.cell[0];
        const Neighbourhood all[] = {
            {cell, false, kAllGroups}, {2.0f * cell, true, 0x3u}, {0.0f, true, 0u}};
        check_neighbours(world, batch, all[0], Sets::all);
        check_neighbours(world, batch, all[turn % 3], test::kEverySets[turn % 8]);
        check_neighbours(world, batch, {cell, false, kAllGroups, true}, Sets::all);
        check_neighbours(world, batch, {2.0f * cell, true, 0x3u, true}, test::kEverySets[turn % 8]);
        const Body body = turn % 2 == 0 ? Body::box : Body::disc;
        check_neighbours(world, batch, {0.5f * cell, false, kAllGroups, false, body}, Sets::all);
        check_neighbours(world, batch, {cell, true, 0x3u, turn % 3 == 0, body},
                         test::kEverySets[turn % 8]);
        check_neighbours(world, batch, {0.0f, false, kAllGroups, true, body}, Sets::all);
        ++turn;
        // Holes among the ids, and slots that have new agents.
        if (world.crowd.size() > 60) {
            for (const Id id : {0u, 7u, 30u}) {
                ASSERT_EQ(world.crowd.erase(id), Status{});
            }
            std::vector<Ids> twice;
            for (const Order order : {Order::storage, Order::ids}) {
                Hits hits;
                ASSERT_EQ(batch.neighbours(world.crowd, all[0], hits, order), Status{});
                EXPECT_EQ(hits.offsets.size(),
                          1 + (order == Order::ids ? world.crowd.id_bound() : world.crowd.size()));
                Ids found(hits.ids.begin(),
                          hits.ids.begin() + static_cast<std::ptrdiff_t>(hits.total()));
                EXPECT_EQ(std::count(found.begin(), found.end(), 7u), 0);
                std::sort(found.begin(), found.end());
                twice.push_back(std::move(found));
            }
            EXPECT_EQ(twice[0], twice[1]);
        }
    });
}

template <std::size_t Dim>
void expect_nearest(const World<Dim>& world, const Point<Dim>& point, const Nearest& nearest,
                    const Filter& filter, Sets sets, std::span<const Near> got) {
    ASSERT_EQ(std::vector<Near>(got.begin(), got.end()),
              world.truth.nearest_to(point, nearest, filter, sets));
}

TYPED_TEST(CrowdBatches, KnowWhoIsNearest) {
    constexpr std::size_t kDim = TypeParam::value;
    test::EagerPool pool(2);
    Batch<kDim> batch(pool);
    std::size_t turn = 0;
    test::for_each_world<kDim>(kAgents, kStatics, [&](World<kDim>& world) {
        std::vector<Point<kDim>> points;
        for (const Ball<kDim>& ball : world.scene.balls) {
            points.push_back(ball.centre);
        }
        const float cell = world.scene.cell[0];
        const std::span<const Point<kDim>> some(points);
        for (const Sets sets : {Sets::all, test::kEverySets[turn % 8]}) {
            NearHits hits;
            for (const Nearest& nearest : {Nearest{5}, Nearest{3, cell}, Nearest{70}, Nearest{0}}) {
                const Filter filter{turn % 2 == 0 ? kAllGroups : 0x3u, static_id(1)};
                ASSERT_EQ(batch.nearest({world.crowd, sets}, some, nearest, hits, filter),
                          Status{});
                for (std::size_t q = 0; q < points.size(); ++q) {
                    ASSERT_NO_FATAL_FAILURE(
                        expect_nearest(world, points[q], nearest, filter, sets, hits.of(q)))
                        << "point " << q;
                }
            }
            const NearestNeighbours asked{4, 2.0f * cell, turn % 2 == 0,
                                          turn % 3 == 0 ? 0x3u : kAllGroups};
            NearHits by_id;
            ASSERT_EQ(batch.nearest_neighbours({world.crowd, sets}, asked, hits, Order::storage),
                      Status{});
            ASSERT_EQ(batch.nearest_neighbours({world.crowd, sets}, asked, by_id, Order::ids),
                      Status{});
            const Ids askers = world.order();
            ASSERT_EQ(hits.counts.size(), askers.size());
            ASSERT_EQ(by_id.counts.size(), world.crowd.id_bound());
            for (std::size_t q = 0; q < askers.size(); ++q) {
                const Id id = askers[q];
                const Filter filter{asked.groups, asked.with_self ? kNoId : id};
                const Point<kDim> at = world.scene.position_of(id);
                ASSERT_NO_FATAL_FAILURE(
                    expect_nearest(world, at, {asked.k, asked.radius}, filter, sets, hits.of(q)))
                    << "agent " << id;
                ASSERT_TRUE(std::equal(hits.of(q).begin(), hits.of(q).end(), by_id.of(id).begin(),
                                       by_id.of(id).end()));
            }
        }
        ++turn;
    });
}

TYPED_TEST(CrowdBatches, RefuseWhatABatchRefuses) {
    constexpr std::size_t kDim = TypeParam::value;
    World<kDim> world("mixed_sizes", kAgents, kStatics, scenes::Groups::none);
    Batch<kDim> batch;
    std::vector<Box<kDim>> boxes(1'500, Box<kDim>{{}, Point<kDim>::all(1.0f)});
    std::vector<Point<kDim>> points(700);
    boxes[1'234].hi[1] = kNan;
    boxes[1'400].lo[0] = kNan;
    points[610][0] = kNan;
    for (const Sets sets : {Sets::all, Sets::statics, Sets::small}) {
        Hits hits;
        NearHits near;
        std::vector<std::uint32_t> counts(1'500);
        const auto wrong = batch.query({world.crowd, sets}, boxes, hits, {});
        EXPECT_EQ(wrong, (Status{Cause::not_finite, Argument::box, 1'234}));
        EXPECT_TRUE(hits.offsets.empty());
        EXPECT_EQ(batch.count({world.crowd, sets}, boxes, counts, {}).status, wrong);
        EXPECT_EQ(batch.any({world.crowd, sets}, boxes, counts, {}).status, wrong);
        const std::span<const Point<kDim>> some(points);
        EXPECT_EQ(batch.nearest({world.crowd, sets}, some, {2}, near, {}),
                  (Status{Cause::not_finite, Argument::points, 610}));
        EXPECT_TRUE(near.nearest.empty());
        EXPECT_EQ(
            batch.nearest({world.crowd, sets}, some, {kMostNearest + 1}, near, {}).status.argument,
            Argument::k);
        EXPECT_EQ(batch.neighbours({world.crowd, sets}, {kNan}, hits, Order::ids),
                  (Status{Cause::not_finite, Argument::radius}));
        EXPECT_EQ(
            batch.count_neighbours({world.crowd, sets}, {-1.0f}, counts, Order::storage).status,
            (Status{Cause::negative, Argument::radius}));
        const std::vector<Filter> few(3);
        EXPECT_EQ(batch.query({world.crowd, sets}, boxes, hits, few),
                  (Status{Cause::count_mismatch, Argument::filters}));
        EXPECT_EQ(batch.query({world.crowd, sets}, boxes, HitsOutput{}, {}).status,
                  (Status{Cause::no_room, Argument::offsets}));
        EXPECT_EQ(batch.count({world.crowd, sets}, boxes, std::span(counts).first(9), {}).status,
                  (Status{Cause::no_room, Argument::counts}));
        EXPECT_EQ(batch.neighbours({world.crowd, sets}, {1.0f}, HitsOutput{}, Order::ids).status,
                  (Status{Cause::no_room, Argument::offsets}));
        EXPECT_EQ(
            batch.nearest_neighbours({world.crowd, sets}, {2}, NearOutput{}, Order::ids).status,
            (Status{Cause::no_room, Argument::nearest}));
    }
}

} // namespace
} // namespace throng
