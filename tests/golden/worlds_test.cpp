// What batches and images say of crowds in plain and periodic worlds, as hashes: whole and
// half lists by centres and by bodies, counts, pairs, the nearest, balls, capsules and cylinders.
#include "../support/dims.hpp"
#include "batch_hash.hpp"
#include "named_hash.hpp"
#include "walkers.hpp"

#include <throng/engine/crowd/images.hpp>
#include <throng/parallel/batch/batch.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace throng::test {
namespace {

constexpr NamedHash kWorldHashes[] = {
#include "hashes/worlds.txt"
};

constexpr Body kBodies[] = {Body::centre, Body::box, Body::disc};
constexpr float kRadius = 0.75f;

/// In every kind of world, ask(hash, walkers, executor) adds answers.
template <std::size_t Dim, class Ask>
void check_worlds(const std::string& name, const Ask& ask) {
    for (const Around around : kEveryAround) {
        check_everywhere(kWorldHashes, name_of<Dim>(name, around), [&](Executor& executor) {
            Walkers<Dim> walkers(around, executor);
            Hash hash;
            ask(hash, walkers, executor);
            return hash.value();
        });
    }
}

/// The oracle sorts its answers by name: other tests check the order within an answer.
Ids sorted(std::span<const Id> answer) {
    Ids ids(answer.begin(), answer.end());
    std::sort(ids.begin(), ids.end());
    return ids;
}

template <class D>
class WorldsGolden : public testing::Test {};
TYPED_TEST_SUITE(WorldsGolden, Dims, DimNames);

TYPED_TEST(WorldsGolden, NeighboursNeverChange) {
    constexpr std::size_t kDim = TypeParam::value;
    check_worlds<kDim>("neighbours", [](Hash& hash, auto& walkers, Executor& executor) {
        Batch<kDim> batch(executor);
        const Truth<kDim> truth = walkers.truth();
        Hits hits;
        for (const Body body : kBodies) {
            const Neighbourhood all{kRadius, false, kAllGroups, false, body};
            EXPECT_EQ(batch.neighbours(walkers.crowd, all, hits, Order::ids), Status{});
            const std::vector<Ids> wanted = truth.neighbours(all);
            for (std::size_t id = 0; id < wanted.size(); ++id) {
                EXPECT_EQ(sorted(hits.of(id)), wanted[id]) << id;
            }
            add(hash, hits);
            EXPECT_EQ(batch.neighbours(walkers.crowd, {kRadius, true, 3u, false, body}, hits),
                      Status{});
            add(hash, hits);
            std::vector<std::uint32_t> counts(walkers.crowd.size());
            const Found found = batch.count_neighbours({walkers.crowd, Sets::agents}, all, counts);
            EXPECT_EQ(found.status, Status{});
            hash.add(std::uint64_t{found.count});
            hash.add(counts);
        }
    });
}

TYPED_TEST(WorldsGolden, HalfListsNeverChange) {
    constexpr std::size_t kDim = TypeParam::value;
    check_worlds<kDim>("half", [](Hash& hash, auto& walkers, Executor& executor) {
        Batch<kDim> batch(executor);
        Hits half, whole;
        Pairs pairs;
        for (const Body body : kBodies) {
            const Neighbourhood later{kRadius, false, kAllGroups, true, body};
            EXPECT_EQ(batch.neighbours({walkers.crowd, Sets::agents}, later, half), Status{});
            add(hash, half);
            const Neighbourhood all{kRadius, false, kAllGroups, false, body};
            EXPECT_EQ(batch.neighbours({walkers.crowd, Sets::agents}, all, whole), Status{});
            EXPECT_EQ(2 * half.total(), whole.total());
            const PairsOf<kDim> of{walkers.crowd, PairSets::all};
            EXPECT_EQ(batch.pairs_within(of, kRadius, pairs, kAllGroups, body), Status{});
            add(hash, pairs);
            EXPECT_EQ(batch.pairs_within(of, kRadius, pairs, 5u, body), Status{});
            add(hash, pairs);
        }
    });
}

TYPED_TEST(WorldsGolden, PairsNeverChange) {
    constexpr std::size_t kDim = TypeParam::value;
    check_worlds<kDim>("pairs", [](Hash& hash, auto& walkers, Executor& executor) {
        Batch<kDim> batch(executor);
        const Truth<kDim> truth = walkers.truth();
        Pairs pairs;
        for (const Body body : {Body::box, Body::disc}) {
            for (const PairSets sets : {PairSets::all, PairSets::agents}) {
                const std::uint32_t groups = sets == PairSets::all ? kAllGroups : 3u;
                const PairsOf<kDim> of{walkers.crowd, sets};
                EXPECT_EQ(batch.pairs(of, pairs, groups, body), Status{});
                const auto firsts = std::span<const Id>(pairs.first).first(pairs.count);
                const auto seconds = std::span<const Id>(pairs.second).first(pairs.count);
                EXPECT_EQ(truth.settled(firsts, seconds), truth.pairs(groups, sets, 1, body));
                add(hash, pairs);
                hash.add(std::uint64_t{batch.count_pairs(of, groups, body).count});
            }
        }
    });
}

TYPED_TEST(WorldsGolden, TheNearestNeverChange) {
    constexpr std::size_t kDim = TypeParam::value;
    check_worlds<kDim>("nearest", [](Hash& hash, auto& walkers, Executor& executor) {
        Batch<kDim> batch(executor);
        const Truth<kDim> truth = walkers.truth();
        const std::vector<Point<kDim>> points = walkers.standing.positions();
        NearHits near;
        for (const Body body : kBodies) {
            const Nearest nearest{.k = 5, .radius = 3.0f, .least = 0.25f, .body = body};
            const Filter filter{3u, 7};
            EXPECT_EQ(batch.nearest(walkers.crowd, points, nearest, near, filter), Status{});
            for (std::size_t q = 0; q < points.size(); ++q) {
                const auto wanted = truth.nearest_to(points[q], nearest, filter);
                EXPECT_TRUE(std::ranges::equal(near.of(q), wanted)) << q;
            }
            add_bits(hash, near);
            NearestNeighbours asked{.k = 4, .radius = 2.0f, .body = body};
            asked.band = {1, 1.0f, 0.5f};
            EXPECT_EQ(batch.nearest_neighbours(walkers.crowd, asked, near), Status{});
            add_bits(hash, near);
        }
    });
}

TYPED_TEST(WorldsGolden, AnswersToShapesNeverChange) {
    constexpr std::size_t kDim = TypeParam::value;
    check_worlds<kDim>("shapes", [](Hash& hash, auto& walkers, Executor& executor) {
        Batch<kDim> batch(executor);
        const Truth<kDim> truth = walkers.truth();
        std::vector<Ball<kDim>> balls;
        std::vector<Cylinder<kDim>> cylinders;
        std::vector<Capsule<kDim>> capsules;
        std::vector<BodyBall<kDim>> body_balls;
        std::vector<BodyCylinder<kDim>> body_cylinders;
        std::vector<Filter> filters;
        for (Id id = 0; id < walkers.walking.size(); ++id) {
            const Point<kDim> at = walkers.walking.position_of(id);
            balls.push_back({at, 0.25f * static_cast<float>(id % 7)});
            const auto up = static_cast<std::uint32_t>(1 + id % (kDim - 1));
            cylinders.push_back({at, 0.5f * static_cast<float>(id % 4), at[up] - 1.0f,
                                 at[up] + 0.25f * static_cast<float>(id % 9), up});
            capsules.push_back(
                {at, walkers.walking.position_of((id * 7 + 1) % walkers.kAgents), 0.25f});
            body_balls.push_back({balls.back(), kBodies[id % 3]});
            body_cylinders.push_back({cylinders.back(), kBodies[id / 3 % 3]});
            filters.push_back({id % 5 == 0 ? 3u : kAllGroups, id});
        }
        Hits hits;
        const auto ask = [&](const auto& shapes) {
            EXPECT_EQ(batch.query(walkers.crowd, shapes, hits, filters), Status{});
            for (std::size_t q = 0; q < shapes.size(); ++q) {
                EXPECT_EQ(sorted(hits.of(q)), truth.ids_in(shapes[q], filters[q])) << q;
            }
            add(hash, hits);
            std::vector<std::uint32_t> counts(shapes.size());
            EXPECT_EQ(batch.count(walkers.crowd, shapes, counts, Filter{5u}).status, Status{});
            hash.add(counts);
        };
        ask(balls);
        ask(cylinders);
        ask(capsules);
        ask(body_balls);
        ask(body_cylinders);
    });
}

TYPED_TEST(WorldsGolden, ImagesNeverChange) {
    constexpr std::size_t kDim = TypeParam::value;
    check_worlds<kDim>("images", [](Hash& hash, auto& walkers, Executor& executor) {
        walkers.walk(0.5f); // some out of the world
        walkers.update(executor);
        Batch<kDim> batch(executor);
        Hits hits;
        EXPECT_EQ(batch.neighbours({walkers.crowd, Sets::agents}, {kRadius}, hits, Order::ids),
                  Status{});
        const std::vector<Point<kDim>> places = walkers.walking.positions();
        std::vector<Point<kDim>> askers, others;
        for (Id id = 0; id < places.size(); ++id) {
            for (const Id other : hits.of(id)) {
                askers.push_back(places[id]);
                others.push_back(places[other]);
            }
        }
        const auto view = [](const std::vector<Point<kDim>>& points) {
            return PointView<kDim>::interleaved(points[0].axis.data(), points.size());
        };
        const Images<kDim> images(walkers.crowd);
        std::vector<Image<kDim>> seen(askers.size());
        EXPECT_EQ(images.write(view(askers), view(others), seen), Status{});
        for (std::size_t i = 0; i < seen.size(); ++i) {
            EXPECT_EQ(seen[i], images.of(askers[i], others[i])) << i;
            for (const std::int8_t periods : seen[i]) {
                hash.add(static_cast<std::uint64_t>(periods + 1));
            }
        }
    });
}

} // namespace
} // namespace throng::test
