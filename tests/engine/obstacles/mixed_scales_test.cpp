// Obstacles and questions whose numbers reach from 1e-40 to 1e18, on some axes and not on others:
// the tree finds what the definitions do, and batches answer as single calls.
#include "obstacle_scene.hpp"

#include "../../support/dims.hpp"

#include <throng/engine/obstacles/moving/contact.hpp>
#include <throng/engine/obstacles/store/search.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace throng::test {
namespace {

using obstacle::Path;
using obstacle::real;
using obstacle::Record;

template <class Dim>
class MixedScales : public testing::Test {};
TYPED_TEST_SUITE(MixedScales, Dims, DimNames);

template <std::size_t Dim>
class MixedScene {
public:
    explicit MixedScene(std::uint64_t seed) : random_(seed) {}

    std::uint32_t below(std::uint32_t end) { return random_.below(end); }
    /// Mostly a small whole number, sometimes one that was there before.
    float number() {
        const float sign = below(2) == 0 ? 1.0f : -1.0f;
        switch (below(9)) {
        case 0:
            return sign * kLargest;
        case 1:
            return sign * kLargest * random_.unit();
        case 2:
            return sign * 1e-40f * random_.unit();
        case 3:
            return sign * 1e6f * random_.unit();
        case 4:
            return sign * 1e-3f * random_.unit();
        case 5:
            return last_;
        default:
            return last_ = static_cast<float>(below(9)) - 4.0f;
        }
    }
    float length() { return below(4) == 0 ? 0.0f : std::min(std::abs(number()), 3e17f); }
    Point<Dim> point() {
        Point<Dim> made;
        for (float& x : made.axis) {
            x = number();
        }
        return made;
    }
    Box<Dim> box() {
        Box<Dim> made = {point(), point()};
        for (std::size_t a = 0; a < Dim; ++a) {
            if (made.lo[a] > made.hi[a]) { std::swap(made.lo[a], made.hi[a]); }
            if (below(6) == 0) { made.hi[a] = made.lo[a]; }
        }
        return made;
    }
    OrientedBox<Dim> turned_box() {
        OrientedBox<Dim> made = random_turned_box<Dim>(random_, 1.0f, 1.0f);
        made.centre = point();
        for (Point<Dim>& edge : made.half_edges) {
            const float by = length();
            for (float& x : edge.axis) {
                x = x * by;
            }
        }
        return made;
    }
    obstacle::Thin<Dim> thin() {
        if constexpr (Dim == 2) {
            return {point(), point(), length()};
        } else {
            return {{point(), point(), point()}};
        }
    }

    /// Inserts some obstacles of any kind; refused ones are left out.
    void fill(Obstacles<Dim>& obstacles) {
        records.clear();
        for (std::uint32_t count = 1 + below(12); count != 0; --count) {
            const auto id = static_cast<Id>(records.size());
            const auto put = [&](const auto& shape) {
                if (obstacles.insert(id, shape).ok()) {
                    records.push_back(Record<Dim>::of(id, shape));
                }
            };
            const std::uint32_t kind = below(3);
            if (kind == 0) { put(box()); }
            if (kind == 1) { put(turned_box()); }
            if (kind == 2) { put(thin()); }
        }
    }

    std::vector<Record<Dim>> records;

private:
    scenes::Random random_;
    float last_ = 1.0f;
};

constexpr int kRounds = 1500;

/// Calls check(scene, obstacles) for many worlds.
template <std::size_t Dim, class Check>
void in_worlds(std::uint64_t seed, const Check& check) {
    MixedScene<Dim> scene(seed);
    for (int i = 0; i < kRounds && !testing::Test::HasFatalFailure(); ++i) {
        SCOPED_TRACE(i);
        Obstacles<Dim> obstacles;
        scene.fill(obstacles);
        for (int q = 0; q < 4; ++q) {
            check(scene, obstacles);
        }
    }
}

/// Checks only that a hit has a unit normal: whole numbers decide little else about its place.
template <std::size_t Dim>
void expect_unit(const Point<Dim>& normal) {
    double square = 0.0;
    for (const float x : normal.axis) {
        square += double{x} * x;
    }
    EXPECT_NEAR(square, 1.0, 1e-5);
}

TYPED_TEST(MixedScales, OfPaths) {
    constexpr std::size_t kDim = TypeParam::value;
    std::size_t found = 0, missed = 0;
    in_worlds<kDim>(1, [&](MixedScene<kDim>& scene, const Obstacles<kDim>& obstacles) {
        Capsule<kDim> disc = {scene.point(), scene.point(), scene.length()};
        if (scene.below(4) == 0) { disc.to = disc.from; }
        if (scene.below(3) == 0) { disc.radius = 0.0f; }
        Path<kDim> path = {real(disc.from), {}, 1.0, disc.radius};
        path.way = obstacle::minus(real(disc.to), path.from);
        std::vector<ObstacleHit<kDim>> hits;
        ASSERT_TRUE(obstacles.query(disc, hits).status.ok());
        std::size_t next = 0;
        std::sort(hits.begin(), hits.end(), [](auto& a, auto& b) { return a.id < b.id; });
        for (const Record<kDim>& record : scene.records) {
            const double time = obstacle::time_of(record, path);
            const bool meets = time != obstacle::kNever;
            (meets ? found : missed) += 1;
            const bool listed = next < hits.size() && hits[next].id == record.id;
            ASSERT_EQ(listed, meets) << "obstacle " << record.id;
            if (!listed) { continue; }
            ASSERT_EQ(hits[next].time, static_cast<float>(time));
            expect_unit(hits[next].normal);
            ++next;
        }
    });
    EXPECT_GT(found, 1000u);
    EXPECT_GT(missed, 1000u);
}

TYPED_TEST(MixedScales, OfPathsInBatches) {
    constexpr std::size_t kDim = TypeParam::value;
    in_worlds<kDim>(2, [&](MixedScene<kDim>& scene, const Obstacles<kDim>& obstacles) {
        Capsule<kDim> disc = {scene.point(), scene.point(), scene.length()};
        std::vector<Capsule<kDim>> discs;
        std::vector<Segment<kDim>> looks;
        for (std::size_t i = 0; i < 16; ++i) {
            disc.from[scene.below(kDim)] = scene.number();
            disc.to[scene.below(kDim)] = scene.number();
            discs.push_back(disc);
            looks.push_back({disc.from, disc.to});
        }
        std::vector<ObstacleHit<kDim>> hits(16), seen(16);
        std::vector<std::uint8_t> clear(16);
        ASSERT_TRUE(obstacles.first(discs, hits).status.ok());
        ASSERT_TRUE(obstacles.first(looks, seen).status.ok());
        ASSERT_TRUE(obstacles.sight(looks, clear).status.ok());
        for (std::size_t i = 0; i < 16; ++i) {
            ObstacleHit<kDim> one;
            (void)obstacles.first(discs[i], one);
            ASSERT_EQ(hits[i], one) << i;
            (void)obstacles.first(looks[i], one);
            ASSERT_EQ(seen[i], one) << i;
            ASSERT_EQ(obstacles.sight(looks[i]).count, clear[i]) << i;
            ASSERT_EQ(clear[i], one.id == kNoId ? 1 : 0) << i;
        }
    });
}

/// Checks which obstacles a mover touches, and that first() finds the first of them.
template <std::size_t Dim, class Shape>
void check_mover(const MixedScene<Dim>& scene, const Obstacles<Dim>& obstacles, const Shape& moving,
                 const obstacle::Mover<Dim>& mover, std::size_t& found) {
    std::vector<ObstacleHit<Dim>> hits;
    const Found all = obstacles.query(moving, hits);
    if (!all.status.ok()) { return; } // edges that are not at right angles any more
    std::vector<bool> listed(scene.records.size());
    for (const ObstacleHit<Dim>& hit : hits) {
        listed[hit.id] = true;
        expect_unit(hit.normal);
    }
    for (const Record<Dim>& record : scene.records) {
        const double time = obstacle::with_body(record, [&](const auto& body) {
                                return obstacle::contact_of(mover, body, false);
                            }).time;
        ASSERT_EQ(listed[record.id], time != obstacle::kNever) << "obstacle " << record.id;
    }
    ObstacleHit<Dim> first;
    (void)obstacles.first(moving, first);
    ASSERT_EQ(first, hits.empty() ? ObstacleHit<Dim>{} : hits[0]);
    found += hits.size();
}

TYPED_TEST(MixedScales, OfMovers) {
    constexpr std::size_t kDim = TypeParam::value;
    std::size_t found = 0;
    in_worlds<kDim>(3, [&](MixedScene<kDim>& scene, const Obstacles<kDim>& obstacles) {
        const Point<kDim> way = scene.point();
        obstacle::Mover<kDim> mover{};
        mover.way = real(way);
        mover.is_box = true;
        const Box<kDim> box = scene.box();
        mover.box = obstacle::body_of(box);
        obstacle::find_bounds(mover.box, mover.lo, mover.hi);
        check_mover(scene, obstacles, Moving<kDim, Box>{box, way}, mover, found);
        const OrientedBox<kDim> turned = scene.turned_box();
        mover.box = obstacle::body_of(turned);
        obstacle::find_bounds(mover.box, mover.lo, mover.hi);
        check_mover(scene, obstacles, Moving<kDim, OrientedBox>{turned, way}, mover, found);
        mover.is_box = false;
        const Capsule<kDim> capsule = {scene.point(), scene.point(), scene.length()};
        mover.from = real(capsule.from);
        mover.to = real(capsule.to);
        mover.radius = capsule.radius;
        obstacle::find_bounds(mover.from, mover.to, mover.radius, mover.lo, mover.hi);
        check_mover(scene, obstacles, Moving<kDim, Capsule>{capsule, way}, mover, found);
    });
    EXPECT_GT(found, 1000u);
}

// Cases worked out by hand.

TEST(MixedScale, AThinWallHasASideAndNoWayAlongIt) {
    // Half the thickness is less than rounding: normals point to where a look comes from.
    Obstacles<2> wall;
    ASSERT_EQ(wall.insert(1, Wall{{{100'000, 3}}, {{100'003, 7}}, 1e-13f}), Status{});
    for (const float x : {99'990.0f, 100'010.0f}) {
        ObstacleHit<2> hit;
        const Segment<2> look = {{{x, 5}}, {{200'003.0f - x, 5}}};
        ASSERT_EQ(wall.first(look, hit).count, 1u);
        EXPECT_LT(hit.normal[0] * (look.to[0] - look.from[0]), 0.0f);
        const Moving<2, Capsule> rod = {{look.from, look.from, 0.0f},
                                        {{look.to[0] - look.from[0], 0}}};
        ASSERT_EQ(wall.first(rod, hit).count, 1u);
        EXPECT_LT(hit.normal[0] * rod.way[0], 0.0f);
    }
}

TEST(MixedScale, ARodThinnerThanRounding) {
    Obstacles<3> obstacles;
    ASSERT_EQ(obstacles.insert(1, Triangle{{{{{1, 0, 0.5f}}, {{4, 1, 0}}, {{4, -1, 1}}}}}),
              Status{});
    for (const float radius : {0.0f, 1e-30f, 1e-17f, 1e-13f}) {
        ObstacleHit<3> hit;
        const Moving<3, Capsule> rod = {{{{0, 0, 0}}, {{0, 0, 1}}, radius}, {{2, 0, 0}}};
        ASSERT_EQ(obstacles.first(rod, hit).count, 1u) << radius;
        EXPECT_EQ(hit.time, 0.5f) << radius;
        expect_unit(hit.normal);
        EXPECT_LT(hit.normal[0], 0.0f) << radius;
    }
}

TEST(MixedScale, ALookThatBeginsOnATallHouse) {
    Obstacles<3> house;
    ASSERT_EQ(house.insert(1, Box<3>{{{-1, -1, -kLargest}}, {{0, 1, kLargest}}}), Status{});
    ObstacleHit<3> hit;
    ASSERT_EQ(house.first(Segment<3>{{{-1, 0, 0}}, {{3, 0, 0}}}, hit).count, 1u);
    EXPECT_EQ(hit.time, 0.0f);
    EXPECT_EQ(hit.normal, (Point<3>{{-1, 0, 0}}));
    ASSERT_EQ(house.first(Segment<3>{{{0, 0, 0}}, {{-3, 0, 0}}}, hit).count, 1u);
    EXPECT_EQ(hit.normal, (Point<3>{{1, 0, 0}}));
    // The segment enters far up the house, through its side.
    ASSERT_EQ(house.first(Segment<3>{{{-2, 0, 0}}, {{0, 0, kLargest}}}, hit).count, 1u);
    EXPECT_EQ(hit.normal, (Point<3>{{-1, 0, 0}}));
}

TEST(MixedScale, ASmallTriangleSeenFromAfar) {
    Obstacles<3> obstacles;
    ASSERT_EQ(
        obstacles.insert(1, Triangle{{{{{1e6f, 0, 0}}, {{1e6f, 0.0625f, 0}}, {{1e6f, 0, 5}}}}}),
        Status{});
    ObstacleHit<3> hit;
    for (int i = 1; i < 40; ++i) {
        const float aside = static_cast<float>(i) * 0x1p-12f;
        const Segment<3> look = {{{0, -aside, 1}}, {{2e6f, -aside, 1}}};
        EXPECT_EQ(obstacles.first(look, hit).count, 0u) << i;
    }
}

} // namespace
} // namespace throng::test
