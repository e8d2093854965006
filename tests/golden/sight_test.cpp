// Which agents see each other past obstacles, as hashes.
#include "../parallel/sight/city.hpp"
#include "../parallel/sight/round_city.hpp"
#include "../support/dims.hpp"
#include "named_hash.hpp"

#include <throng/parallel/sight/in_sight.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace throng::test {
namespace {

constexpr NamedHash kSightHashes[] = {
#include "hashes/sight.txt"
};

/// On the lattice, lines of sight run along the sides of obstacles, and through their corners.
constexpr CitySizes kCitySizes[] = {
    {200, 60, 10, 2, 3, 0.5f}, {200, 90, 6, 1, 2, 1}, {200, 150, 20, 3, 4, 0}};

template <class D>
class SightGolden : public testing::Test {};
TYPED_TEST_SUITE(SightGolden, Dims, DimNames);

template <std::size_t Dim, class Ask>
void check_cities(const std::string& name, const Ask& ask) {
    scenes::Random random(8);
    for (std::size_t c = 0; c < std::size(kCitySizes); ++c) {
        const City<Dim> city(random, kCitySizes[c]);
        check_everywhere(kSightHashes, name + std::to_string(c) + "_" + std::to_string(Dim) + "d",
                         [&](Executor& executor) { return ask(city, kCitySizes[c], executor); });
    }
}

TYPED_TEST(SightGolden, NeighboursInSightNeverChange) {
    check_cities<TypeParam::value>(
        "neighbours", [](const auto& city, const CitySizes& sizes, Executor& executor) {
            InSight<TypeParam::value> in_sight(executor);
            Hash hash;
            Hits hits, all;
            const auto add_seen = [&](const Neighbourhood& near, const Filter& looks) {
                EXPECT_EQ(in_sight.neighbours(city.crowd, city.obstacles, near, hits,
                                              Order::storage, looks),
                          Status{});
                for (std::size_t q = 0; q + 1 < hits.offsets.size(); ++q) {
                    hash.add(hits.of(q));
                }
            };
            add_seen({sizes.radius}, {});
            Batch<TypeParam::value> batch(executor);
            EXPECT_EQ(batch.neighbours(city.crowd, {sizes.radius}, all), Status{});
            EXPECT_GT(hits.total(), all.total() / 20) << "some are seen";
            EXPECT_LT(hits.total(), all.total() - all.total() / 20) << "some are hidden";
            add_seen({sizes.radius, true, 3u}, {5, kNoId});
            add_seen({sizes.radius, false, kAllGroups, true}, {kAllGroups, 17});
            return hash.value();
        });
}

TYPED_TEST(SightGolden, FieldsOfViewNeverChange) {
    constexpr std::size_t kDim = TypeParam::value;
    check_cities<kDim>("views", [](const auto& city, const CitySizes& sizes, Executor& executor) {
        scenes::Random random(5);
        std::vector<Sector<kDim>> sectors;
        std::vector<Ball<kDim>> balls;
        for (std::size_t i = 0; i < 100; ++i) {
            Point<kDim> eye = random_point<kDim>(random, sizes.world);
            if (i % 3 != 0) { eye = city.at(static_cast<Id>(i)); }
            Point<kDim> ahead = random_point<kDim>(random, 1.0f);
            ahead[0] += 1e-3f;
            sectors.push_back({eye, sizes.radius, ahead, random.between(-1.0f, 1.0f)});
            balls.push_back({eye, sizes.radius});
        }
        InSight<kDim> in_sight(executor);
        Hash hash;
        Hits hits;
        const auto add_seen = [&](const auto& shapes, const Filters& filters, const Filter& looks) {
            EXPECT_EQ(in_sight.query(city.crowd, city.obstacles, shapes, hits, filters, looks),
                      Status{});
            EXPECT_GT(hits.total(), 0u);
            for (std::size_t q = 0; q < shapes.size(); ++q) {
                hash.add(hits.of(q));
            }
        };
        add_seen(sectors, {}, {});
        add_seen(sectors, Filter{6, 3}, {3, 20});
        add_seen(balls, {}, {});
        return hash.value();
    });
}

TYPED_TEST(SightGolden, SightAcrossBordersNeverChanges) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(61);
    for (const bool all : {false, true}) {
        const RoundCity<kDim> city(random, all, 0.5f);
        const std::string name = all ? "around_two_" : "around_one_";
        check_everywhere(kSightHashes, name + std::to_string(kDim) + "d", [&](Executor& executor) {
            InSight<kDim> in_sight(executor);
            Hash hash;
            Hits hits;
            const auto add_seen = [&](const Status& status, std::uint64_t most) {
                EXPECT_EQ(status, Status{});
                EXPECT_GT(hits.total(), most / 20) << "some are seen";
                EXPECT_LT(hits.total(), most - most / 20) << "some are hidden";
                for (std::size_t q = 0; q + 1 < hits.offsets.size(); ++q) {
                    hash.add(hits.of(q));
                }
            };
            std::vector<Ball<kDim>> balls;
            std::vector<Sector<kDim>> sectors;
            for (std::size_t i = 0; i < city.places.size(); ++i) {
                Point<kDim> eye = city.places[i];
                if (i % 4 == 0) { eye[0] += i % 8 == 0 ? 8.0f : -8.0f; } // a period
                Point<kDim> ahead{};
                ahead[i % kDim] = i % 3 == 0 ? 1.0f : -1.0f;
                balls.push_back({eye, 2.0f});
                sectors.push_back({eye, 3.0f, ahead, 0.25f});
            }
            Batch<kDim> batch(executor);
            Hits fresh;
            const Crowd<kDim>& crowd = city.crowd;
            const Obstacles<kDim>& around = city.obstacles.around;
            EXPECT_EQ(batch.neighbours(crowd, {3.0f}, fresh), Status{});
            add_seen(in_sight.neighbours(crowd, around, {3.0f}, hits), fresh.total());
            EXPECT_EQ(batch.query(crowd, balls, fresh), Status{});
            add_seen(in_sight.query(crowd, around, balls, hits), fresh.total());
            EXPECT_EQ(batch.query(crowd, sectors, fresh), Status{});
            add_seen(in_sight.query(crowd, around, sectors, hits), fresh.total());
            return hash.value();
        });
    }
}

} // namespace
} // namespace throng::test
