// Which obstacles overlap sectors, regions and cylinders: the definitions against a search for a
// common point that knows nothing of them, and the tree against the definitions.
#include "obstacle_scene.hpp"

#include "../../support/dims.hpp"
#include "../../support/threads/executors.hpp"

#include <throng/engine/obstacles/exact/exact_cylinder.hpp>
#include <throng/engine/obstacles/exact/exact_region.hpp>
#include <throng/engine/obstacles/exact/exact_sector.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace throng::test {
namespace {

template <class Dim>
class Overlaps : public testing::Test {};
TYPED_TEST_SUITE(Overlaps, Dims, DimNames);

using obstacle::Real;

/// How far a point is outside of a shape, or how deep inside, in some measure that is continuous.
template <std::size_t Dim>
double outside(const Sector<Dim>& sector, const Real<Dim>& point) {
    const Real<Dim> offset = obstacle::minus(point, obstacle::real(sector.centre));
    const Real<Dim> way = obstacle::real(sector.direction);
    const double distance = std::sqrt(obstacle::dot(offset, offset));
    const double ahead = obstacle::dot(offset, way) / std::sqrt(obstacle::dot(way, way));
    return std::max(distance - sector.radius, sector.cosine * distance - ahead);
}
template <std::size_t Dim>
double outside(const Convex<Dim>& convex, const Real<Dim>& point) {
    double most = -obstacle::kNever;
    for (std::size_t s = 0; s < convex.count; ++s) {
        const Real<Dim> normal = obstacle::real(convex.sides[s].normal);
        most = std::max(most, (obstacle::dot(normal, point) - convex.sides[s].offset) /
                                  std::sqrt(obstacle::dot(normal, normal)));
    }
    for (std::size_t a = 0; a < Dim; ++a) {
        most = std::max({most, point[a] - convex.bounds.hi[a], convex.bounds.lo[a] - point[a]});
    }
    return most;
}
template <std::size_t Dim>
double outside(const Cylinder<Dim>& cylinder, const Real<Dim>& point) {
    double square = 0.0;
    for (std::size_t a = 0; a < Dim; ++a) {
        const double offset = a == cylinder.up ? 0.0 : point[a] - cylinder.centre[a];
        square += offset * offset;
    }
    const double height = point[cylinder.up];
    return std::max(
        {std::sqrt(square) - cylinder.radius, cylinder.low - height, height - cylinder.high});
}

/// A point of an obstacle for numbers from 0 to 1.
template <std::size_t Dim>
Real<Dim> point_of(const obstacle::ExactBox<Dim>& box, const Real<3>& at) {
    Real<Dim> local;
    for (std::size_t i = 0; i < Dim; ++i) {
        local[i] = box.lo[i] + at[i] * (box.hi[i] - box.lo[i]);
    }
    return box.outside(local);
}
Real<3> point_of(const obstacle::ExactTriangle& triangle, const Real<3>& at) {
    const double u = std::sqrt(at[0]), v = at[1];
    Real<3> point = obstacle::scaled(triangle.corners[0], 1.0 - u);
    point = obstacle::along(point, u * (1.0 - v), triangle.corners[1]);
    return obstacle::along(point, u * v, triangle.corners[2]);
}
Real<2> point_of(const obstacle::ExactWall& wall, const Real<3>& at) {
    const double turn = 6.283185307179586 * at[1];
    const Real<2> core = obstacle::along(wall.from, at[0], obstacle::minus(wall.to, wall.from));
    return obstacle::along(core, wall.reach * std::sqrt(at[2]),
                           Real<2>{std::cos(turn), std::sin(turn)});
}

/// How deep an obstacle's deepest point is in a shape, as far as a random search finds it.
template <class Body, class Shape>
double deepest(const Body& body, const Shape& shape, scenes::Random& random) {
    double best = obstacle::kNever;
    for (int start = 0; start < 4; ++start) {
        Real<3> at{};
        double here = obstacle::kNever;
        const auto try_at = [&](Real<3> there) {
            for (double& x : there) {
                x = std::clamp(x, 0.0, 1.0);
            }
            const double value = outside(shape, point_of(body, there));
            if (value < here) {
                here = value;
                at = there;
            }
        };
        for (int i = 0; i < 60; ++i) {
            try_at({random.unit(), random.unit(), random.unit()});
        }
        double step = 0.2;
        for (int i = 0; i < 400; ++i) {
            const double before = here;
            try_at({at[0] + step * random.between(-1.0f, 1.0f),
                    at[1] + step * random.between(-1.0f, 1.0f),
                    at[2] + step * random.between(-1.0f, 1.0f)});
            step *= here < before ? 1.3 : 0.96;
        }
        best = std::min(best, here);
    }
    return best;
}

template <std::size_t Dim>
Sector<Dim> random_sector(scenes::Random& random, float world, float size) {
    Sector<Dim> sector;
    sector.centre = random_point<Dim>(random, world);
    sector.radius = random.between(0.0f, 4.0f * size);
    do {
        sector.direction = random_point<Dim>(random, 2.0f);
    } while (sector.direction == Point<Dim>{});
    const float cosines[] = {-1.0f, 1.0f, 0.0f, random.between(-1.0f, 1.0f),
                             random.between(0.5f, 1.0f)};
    sector.cosine = cosines[random.below(5)];
    return sector;
}
template <std::size_t Dim>
Cylinder<Dim> random_cylinder(scenes::Random& random, float world, float size) {
    Cylinder<Dim> cylinder;
    cylinder.centre = random_point<Dim>(random, world);
    cylinder.radius = random.between(0.0f, 2.0f * size);
    cylinder.up = Dim == 2 ? 1 : 1 + random.below(2);
    const float low = random.between(-world, world);
    cylinder.low = random.below(5) == 0 ? -kLargest : low;
    cylinder.high = random.below(5) == 0 ? kLargest : low + random.between(0.0f, size);
    return cylinder;
}
template <std::size_t Dim>
Convex<Dim> random_convex(scenes::Random& random, float world, float size) {
    Convex<Dim> convex;
    const Point<Dim> middle = random_point<Dim>(random, world);
    if (random.below(2) == 0) {
        convex.bounds = Box<Dim>::around(middle, Point<Dim>::all(2.0f * size));
    }
    convex.count = random.below(8);
    for (std::size_t s = 0; s < convex.count; ++s) {
        HalfSpace<Dim>& side = convex.sides[s];
        do {
            side.normal = random_point<Dim>(random, 3.0f);
        } while (side.normal == Point<Dim>{});
        side.offset = random.between(-0.3f * size, 2.0f * size);
        for (std::size_t a = 0; a < Dim; ++a) {
            side.offset += side.normal[a] * middle[a];
        }
    }
    return convex;
}

/// Counts what was decided either way, so that a test that decides nothing is noticed.
struct Decided {
    int hits = 0, misses = 0;
};

template <std::size_t Dim, class Shape>
void compare(const AnyObstacle<Dim>& one, const Shape& shape, float size, scenes::Random& random,
             Decided& decided) {
    const bool said = with_body_of<Dim>(
        one, [&](const auto& body) { return obstacle::overlaps(obstacle::body_of(shape), body); });
    const double depth =
        with_body_of<Dim>(one, [&](const auto& body) { return deepest(body, shape, random); });
    // The search is not exact, and touching is left to the tests below.
    if (said) {
        ASSERT_LT(depth, 0.02 * size);
    } else {
        ASSERT_GT(depth, -1e-6 * size);
    }
    decided.hits += depth < -1e-6 * size ? 1 : 0;
    decided.misses += depth > 0.02 * size ? 1 : 0;
}

TYPED_TEST(Overlaps, AsASearchForACommonPointHasIt) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(5);
    Decided sectors, regions, cylinders;
    for (int i = 0; i < 900; ++i) {
        SCOPED_TRACE(i);
        const float size = 2.0f;
        const AnyObstacle<kDim> one = random_obstacle<kDim>(random, 3.0f, size);
        if (const auto* const box = std::get_if<OrientedBox<kDim>>(&one)) {
            if (!obstacle::check(*box, 0).ok()) { continue; }
        }
        compare<kDim>(one, random_sector<kDim>(random, 3.0f, size), size, random, sectors);
        compare<kDim>(one, random_convex<kDim>(random, 3.0f, size), size, random, regions);
        compare<kDim>(one, random_cylinder<kDim>(random, 3.0f, size), size, random, cylinders);
        if (testing::Test::HasFatalFailure()) { return; }
    }
    for (const Decided& decided : {sectors, regions, cylinders}) {
        EXPECT_GT(decided.hits, 80);
        EXPECT_GT(decided.misses, 80);
    }
}

/// The ids that a definition finds in a list.
template <std::size_t Dim, class Shape>
std::vector<Id> listed(const ObstacleTruth<Dim>& truth, const Shape& shape, const Filter& filter) {
    std::vector<Id> ids;
    for (const Standing<Dim>& one : truth.all) {
        const bool in = filter.groups == kAllGroups || (one.groups & filter.groups) != 0;
        if (!in || one.id == filter.without) { continue; }
        const bool meets = with_body_of<Dim>(one.shape, [&](const auto& body) {
            return obstacle::overlaps(obstacle::body_of(shape), body);
        });
        if (meets) { ids.push_back(one.id); }
    }
    return ids;
}

template <std::size_t Dim, class Shape>
void check_many(const ObstacleTruth<Dim>& truth, const Obstacles<Dim>& obstacles,
                const std::vector<Shape>& shapes) {
    constexpr Filter kFilters[] = {{}, {5, kNoId}, {kAllGroups, 17}};
    EagerPool pool(3);
    ShuffleExecutor shuffled(3);
    std::size_t total = 0;
    for (const Filter& filter : kFilters) {
        std::vector<std::vector<Id>> expected;
        for (const Shape& shape : shapes) {
            expected.push_back(listed(truth, shape, filter));
            std::vector<Id> ids = {7};
            ASSERT_EQ(obstacles.query(shape, ids, filter).count, expected.back().size());
            ASSERT_EQ(ids, expected.back());
            total += ids.size();
        }
        for (Executor* const executor : {&serial_executor(), static_cast<Executor*>(&shuffled),
                                         static_cast<Executor*>(&pool)}) {
            Hits hits;
            const Found found = obstacles.query(shapes, hits, *executor, filter);
            ASSERT_EQ(found.status, Status{});
            ASSERT_EQ(found.count, hits.total());
            for (std::size_t i = 0; i < shapes.size(); ++i) {
                ASSERT_EQ(std::vector<Id>(hits.of(i).begin(), hits.of(i).end()), expected[i]) << i;
            }
        }
    }
    EXPECT_GT(total, 100u);
}

TYPED_TEST(Overlaps, TheTreeFindsWhatTheListHas) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(8);
    struct HowLarge {
        std::size_t count;
        float world, size;
    };
    for (const HowLarge& sizes : {HowLarge{600, 12.0f, 1.5f}, HowLarge{300, 1e6f, 2e5f},
                                  HowLarge{300, 1e17f, 2e16f}, HowLarge{300, 1e-3f, 2e-4f}}) {
        SCOPED_TRACE(sizes.world);
        ObstacleTruth<kDim> truth;
        truth.fill(random, sizes.count, sizes.world, sizes.size);
        Obstacles<kDim> obstacles;
        if (!obstacles.set(truth.arrays()).ok()) { continue; }
        std::vector<Sector<kDim>> sectors(70);
        std::vector<Convex<kDim>> regions(70);
        std::vector<Cylinder<kDim>> cylinders(70);
        std::vector<Box<kDim>> boxes(70);
        for (std::size_t i = 0; i < sectors.size(); ++i) {
            sectors[i] = random_sector<kDim>(random, sizes.world, 2.0f * sizes.size);
            regions[i] = random_convex<kDim>(random, sizes.world, 2.0f * sizes.size);
            cylinders[i] = random_cylinder<kDim>(random, sizes.world, 2.0f * sizes.size);
            boxes[i] = random_box<kDim>(random, sizes.world, 2.0f * sizes.size);
        }
        check_many(truth, obstacles, sectors);
        check_many(truth, obstacles, regions);
        check_many(truth, obstacles, cylinders);
        check_many(truth, obstacles, boxes);
        if (testing::Test::HasFatalFailure()) { return; }
    }
}

/// Whether a shape finds the one obstacle there is.
template <std::size_t Dim, class Obstacle, class Shape>
bool finds(const Obstacle& one, const Shape& shape) {
    Obstacles<Dim> obstacles;
    EXPECT_EQ(obstacles.insert(3, one), Status{});
    std::vector<Id> ids;
    const Found found = obstacles.query(shape, ids);
    EXPECT_EQ(found.status, Status{});
    return found.count == 1;
}

constexpr float kBelow3 = 2.99999976f; // the float before 3

TEST(OverlapsTouch, SectorsInThePlane) {
    // The sector ends straight ahead at x = 3, and at the line y = x.
    const Sector<2> sector = {{{0.0f, 0.0f}}, 3.0f, {{1.0f, 0.0f}}, 0.70710678f};
    EXPECT_TRUE(finds<2>(Box<2>{{3.0f, -1.0f}, {4.0f, 1.0f}}, sector));
    Sector<2> shorter = sector;
    shorter.radius = kBelow3;
    EXPECT_FALSE(finds<2>(Box<2>{{3.0f, -1.0f}, {4.0f, 1.0f}}, shorter));
    EXPECT_TRUE(finds<2>(Box<2>{{-1.0f, -1.0f}, {0.0f, 1.0f}}, sector)) << "the apex";
    EXPECT_FALSE(finds<2>(Box<2>{{-1.0f, -1.0f}, {-1e-6f, 1.0f}}, sector));
    // A half circle, and one that sees all but what is behind.
    const Sector<2> half = {{{0.0f, 0.0f}}, 3.0f, {{0.0f, 2.0f}}, 0.0f};
    EXPECT_TRUE(finds<2>(Wall{{1.0f, 0.0f}, {2.0f, -1.0f}, 0.0f}, half));
    EXPECT_FALSE(finds<2>(Wall{{1.0f, -1e-6f}, {2.0f, -1.0f}, 0.0f}, half));
    EXPECT_TRUE(finds<2>(Wall{{1.0f, -1.0f}, {2.0f, -1.0f}, 2.0f}, half)) << "half as thick";
    EXPECT_FALSE(finds<2>(Wall{{1.0f, -1.0f}, {2.0f, -1.0f}, 1.9999f}, half));
    EXPECT_TRUE(finds<2>(Wall{{-1.0f, 4.0f}, {1.0f, 4.0f}, 2.0f}, half)) << "the arc";
    EXPECT_FALSE(finds<2>(Wall{{-1.0f, 4.0f}, {1.0f, 4.0f}, 1.9999f}, half));
    const Sector<2> wide = {{{0.0f, 0.0f}}, 3.0f, {{1.0f, 0.0f}}, -0.5f};
    EXPECT_TRUE(finds<2>(Wall{{-0.5f, -2.0f}, {-0.5f, 2.0f}, 0.0f}, wide));
    EXPECT_FALSE(finds<2>(Wall{{-2.0f, -1.0f}, {-2.0f, 1.0f}, 0.0f}, wide));
    const Sector<2> ray = {{{0.0f, 0.0f}}, 3.0f, {{1.0f, 0.0f}}, 1.0f};
    EXPECT_TRUE(finds<2>(Wall{{2.0f, 0.0f}, {2.0f, 1.0f}, 0.0f}, ray));
    EXPECT_FALSE(finds<2>(Wall{{2.0f, 1e-6f}, {2.0f, 1.0f}, 0.0f}, ray));
    const Sector<2> full = {{{0.0f, 0.0f}}, 3.0f, {{1.0f, 0.0f}}, -1.0f};
    EXPECT_TRUE(finds<2>(Box<2>{{-4.0f, -1.0f}, {-3.0f, 1.0f}}, full));
}

TEST(OverlapsTouch, SectorsInSpace) {
    const Sector<3> half = {{{0.0f, 0.0f, 0.0f}}, 3.0f, {{0.0f, 0.0f, 1.0f}}, 0.0f};
    EXPECT_TRUE(finds<3>(Box<3>{{1.0f, 0.0f, -1.0f}, {2.0f, 1.0f, 0.0f}}, half));
    EXPECT_FALSE(finds<3>(Box<3>{{1.0f, 0.0f, -1.0f}, {2.0f, 1.0f, -1e-6f}}, half));
    EXPECT_TRUE(finds<3>(Box<3>{{-9.0f, -9.0f, 3.0f}, {9.0f, 9.0f, 4.0f}}, half)) << "a face";
    Sector<3> shorter = half;
    shorter.radius = kBelow3;
    EXPECT_FALSE(finds<3>(Box<3>{{-9.0f, -9.0f, 3.0f}, {9.0f, 9.0f, 4.0f}}, shorter));
    // Only the cone's curve on the triangle is near enough, and none of its edges.
    const Triangle floor = {{{{-9.0f, -9.0f, -1.0f}, {9.0f, -9.0f, -1.0f}, {0.0f, 9.0f, -1.0f}}}};
    const Sector<3> ring = {{{0.0f, 0.0f, 0.0f}}, 1.5f, {{0.0f, 0.0f, 1.0f}}, -0.8f};
    EXPECT_TRUE(finds<3>(floor, ring));
    Sector<3> narrow = ring;
    narrow.cosine = -0.5f;
    EXPECT_FALSE(finds<3>(floor, narrow));
    const Sector<3> ray = {{{0.0f, 0.0f, 0.0f}}, 3.0f, {{0.0f, 0.0f, -2.0f}}, 1.0f};
    EXPECT_TRUE(finds<3>(floor, ray));
}

TEST(OverlapsTouch, Regions) {
    const Point<2> corners[] = {{{0.0f, 0.0f}}, {{4.0f, 0.0f}}, {{0.0f, 4.0f}}};
    const Convex<2> triangle = polygon(corners).value;
    EXPECT_TRUE(finds<2>(Box<2>{{2.0f, 2.0f}, {3.0f, 3.0f}}, triangle));
    EXPECT_FALSE(finds<2>(Box<2>{{2.0f, 2.00001f}, {3.0f, 3.0f}}, triangle));
    EXPECT_TRUE(finds<2>(Box<2>{{-9.0f, -9.0f}, {9.0f, 9.0f}}, triangle)) << "all of it inside";
    EXPECT_TRUE(finds<2>(Wall{{-1.0f, -1.0f}, {-1.0f, 5.0f}, 2.0f}, triangle));
    EXPECT_FALSE(finds<2>(Wall{{-1.0f, -1.0f}, {-1.0f, 5.0f}, 1.9999f}, triangle));
    const Convex<2> plane; // everything
    EXPECT_TRUE(finds<2>(Wall{{1e17f, 1.0f}, {1e17f, 2.0f}, 0.0f}, plane));
    Convex<2> inverted = triangle;
    inverted.bounds = {{1.0f, 0.0f}, {0.0f, 1.0f}};
    EXPECT_FALSE(finds<2>(Box<2>{{-9.0f, -9.0f}, {9.0f, 9.0f}}, inverted));
    const Convex<2> point = polygon(std::span(corners).first(1)).value;
    EXPECT_TRUE(finds<2>(Box<2>{{-1.0f, -1.0f}, {0.0f, 0.0f}}, point));
    EXPECT_TRUE(finds<2>(Box<2>{{-1.0f, -1.0f}, {1.0f, 1.0f}}, point));
    Convex<3> slab; // between two heights, and nothing else
    slab.count = 2;
    slab.sides[0] = {{{0.0f, 0.0f, 2.0f}}, 2.0f};
    slab.sides[1] = {{{0.0f, 0.0f, -1.0f}}, 0.0f};
    EXPECT_TRUE(finds<3>(Box<3>{{0.0f, 0.0f, 1.0f}, {1.0f, 1.0f, 2.0f}}, slab));
    EXPECT_FALSE(finds<3>(Box<3>{{0.0f, 0.0f, 1.000001f}, {1.0f, 1.0f, 2.0f}}, slab));
    Convex<3> inner = slab;
    inner.bounds = {{0.25f, 0.25f, 0.0f}, {0.5f, 0.5f, 1.0f}};
    EXPECT_TRUE(finds<3>(Box<3>{{-9.0f, -9.0f, -9.0f}, {9.0f, 9.0f, 9.0f}}, inner));
    // The octahedron has no bounds of its own, so only its sides can decide.
    Convex<3> octahedron;
    for (const float x : {-1.0f, 1.0f}) {
        for (const float y : {-1.0f, 1.0f}) {
            for (const float z : {-1.0f, 1.0f}) {
                octahedron.sides[octahedron.count++] = {{{x, y, z}}, 1.0f};
            }
        }
    }
    EXPECT_TRUE(finds<3>(Box<3>{{-9.0f, -9.0f, -9.0f}, {9.0f, 9.0f, 9.0f}}, octahedron));
    EXPECT_FALSE(finds<3>(Box<3>{{-9.0f, -9.0f, 1.000001f}, {9.0f, 9.0f, 9.0f}}, octahedron));
    EXPECT_TRUE(finds<3>(Box<3>{{-9.0f, -9.0f, 1.0f}, {9.0f, 9.0f, 9.0f}}, octahedron));
    octahedron.sides[0].offset = -1.5f; // empty then
    EXPECT_FALSE(finds<3>(Box<3>{{-9.0f, -9.0f, -9.0f}, {9.0f, 9.0f, 9.0f}}, octahedron));
}

TEST(OverlapsTouch, BoxesWithoutAnEnd) {
    const OrientedBox<2> turned = {{{0.0f, 0.0f}}, {{{{1.0f, 1.0f}}, {{-1.0f, 1.0f}}}}};
    EXPECT_TRUE(finds<2>(turned, Box<2>{{-kLargest, -kLargest}, {kLargest, -2.0f}}));
    EXPECT_FALSE(finds<2>(turned, Box<2>{{-kLargest, -kLargest}, {kLargest, -2.00001f}}));
    const Triangle triangle = {{{{0.0f, 0.0f, 0.0f}, {1.0f, 0.0f, 1.0f}, {0.0f, 1.0f, 1.0f}}}};
    const Point<3> all = Point<3>::all(kLargest);
    EXPECT_TRUE(finds<3>(triangle, Box<3>{Point<3>::all(-kLargest), {kLargest, kLargest, 0.0f}}));
    EXPECT_FALSE(
        finds<3>(triangle, Box<3>{Point<3>::all(-kLargest), {kLargest, kLargest, -1e-6f}}));
    EXPECT_TRUE(finds<3>(triangle, Box<3>{{1.0f, -kLargest, -kLargest}, all}));
}

TEST(OverlapsTouch, Cylinders) {
    const Cylinder<3> cylinder = {{{0.0f, 0.0f, 7.0f}}, 3.0f, 1.0f, 2.0f, 2};
    EXPECT_TRUE(finds<3>(Box<3>{{3.0f, -1.0f, 2.0f}, {4.0f, 1.0f, 5.0f}}, cylinder));
    EXPECT_FALSE(finds<3>(Box<3>{{3.0f, -1.0f, 2.000001f}, {4.0f, 1.0f, 5.0f}}, cylinder));
    EXPECT_FALSE(finds<3>(Box<3>{{3.000001f, -1.0f, 2.0f}, {4.0f, 1.0f, 5.0f}}, cylinder));
    EXPECT_TRUE(finds<3>(Box<3>{{-9.0f, -9.0f, -9.0f}, {9.0f, 9.0f, 9.0f}}, cylinder)) << "inside";
    const Triangle steep = {{{{-9.0f, 0.0f, -9.0f}, {9.0f, 0.0f, -9.0f}, {0.0f, 0.0f, 9.0f}}}};
    EXPECT_TRUE(finds<3>(steep, cylinder));
    Cylinder<3> inverted = cylinder;
    inverted.low = 5.0f;
    EXPECT_FALSE(finds<3>(steep, inverted));
    const Cylinder<3> lying = {{{0.0f, 7.0f, 0.0f}}, 3.0f, 1.0f, 2.0f, 1};
    EXPECT_TRUE(finds<3>(Box<3>{{3.0f, 2.0f, -1.0f}, {4.0f, 5.0f, 1.0f}}, lying));
    const Cylinder<2> flat = {{{0.0f, 7.0f}}, 3.0f, 1.0f, 2.0f};
    EXPECT_TRUE(finds<2>(Wall{{4.0f, 1.5f}, {5.0f, 1.5f}, 2.0f}, flat));
    EXPECT_FALSE(finds<2>(Wall{{4.0f, 1.5f}, {5.0f, 1.5f}, 1.9999f}, flat));
}

// The rounding of a corner where a long edge is cut must not lose an obstacle that is near.
TEST(OverlapsTouch, ThinRegionsAndLongEdges) {
    const Point<2> point[] = {{{-0.0018565795617178082f, 0.5119636654853821f}}};
    EXPECT_TRUE(finds<2>(Wall{{-6.838818073272705f, 0.21489951014518738f},
                              {9.366954803466797f, 0.20794057846069336f},
                              1.0f},
                         polygon(point).value));
    Convex<2> line;
    line.bounds = {{0.02866821177303791f, 0.0f}, {0.02866821177303791f, 1.0f}};
    EXPECT_TRUE(finds<2>(Box<2>{{-9.2764310836792f, -10.0f}, {9.83875846862793f, 0.5f}}, line));
    const Cylinder<3> flat = {{{0.0f, 0.0f, 0.0f}}, 2000.0f, 0.584319353f, 0.584319353f, 2};
    EXPECT_TRUE(finds<3>(Triangle{{{{652.61267f, -3.52939630f, -294.493744f},
                                    {-570.041077f, 503.358063f, -436.301605f},
                                    {756.646301f, 787.840027f, 387.915588f}}}},
                         flat));
    // Random regions: the middle of an obstacle lies in a region as thin as a line or a point.
    scenes::Random random(4);
    for (int i = 0; i < 2000; ++i) {
        SCOPED_TRACE(i);
        const float size = random.below(2) == 0 ? 20.0f : 2000.0f;
        const Point<2> from = random_point<2>(random, size), to = random_point<2>(random, size);
        const Wall wall = {from, to, 1.0f};
        const Point<2> middle = {{0.5f * (from[0] + to[0]), 0.5f * (from[1] + to[1])}};
        Convex<2> thin;
        thin.bounds = {middle, middle};
        ASSERT_TRUE(finds<2>(wall, thin));
        thin.bounds.lo[1] -= 5.0f;
        ASSERT_TRUE(finds<2>(wall, thin));
        const Box<2> box = random_box<2>(random, size, size);
        thin.bounds = {box.lo, box.hi};
        thin.bounds.lo[0] = thin.bounds.hi[0] = 0.5f * (box.lo[0] + box.hi[0]);
        ASSERT_TRUE(finds<2>(box, thin));
    }
}

TEST(OverlapsTouch, ObstaclesWithoutAnEnd) {
    const Box<2> ground = {{-kLargest, -kLargest}, {kLargest, 0.0f}};
    for (const float cosine : {0.0f, -1.0f}) {
        const Sector<2> down = {{{7.0f, 3.0f}}, 4.0f, {{0.0f, -1.0f}}, cosine};
        EXPECT_TRUE(finds<2>(ground, down));
        const Sector<2> short_of_it = {{{7.0f, 3.0f}}, kBelow3, {{0.0f, -1.0f}}, cosine};
        EXPECT_FALSE(finds<2>(ground, short_of_it));
    }
    Convex<2> near;
    near.bounds = {{2.0f, 0.0f}, {3.0f, 1.0f}};
    EXPECT_TRUE(finds<2>(ground, near));
    near.bounds.lo[1] = 1e-6f;
    EXPECT_FALSE(finds<2>(ground, near));
    const Box<3> half = {{2.0f, -kLargest, -kLargest}, Point<3>::all(kLargest)};
    const Cylinder<3> cylinder = {{{0.0f, 7.0f, 0.0f}}, 3.0f, 1.0f, 2.0f, 2};
    EXPECT_TRUE(finds<3>(half, cylinder));
    const Cylinder<3> thinner = {{{0.0f, 7.0f, 0.0f}}, 1.9999f, 1.0f, 2.0f, 2};
    EXPECT_FALSE(finds<3>(half, thinner));
    const Sector<3> ahead = {{{0.0f, 7.0f, 5.0f}}, 2.0f, {{1.0f, 0.0f, 0.0f}}, 0.5f};
    EXPECT_TRUE(finds<3>(half, ahead));
}

TEST(OverlapsTouch, AnApexOnASlantedSide) {
    const Triangle slope = {{{{0.0f, 0.0f, 0.0f}, {4.0f, 0.0f, 3.0f}, {0.0f, 4.0f, 0.0f}}}};
    OrientedBox<3> box; // whose upper side is the slope's plane
    box.centre = {{0.0f, 0.0f, 0.0f}};
    box.half_edges = {{{{4.0f, 0.0f, 3.0f}}, {{0.0f, 4.0f, 0.0f}}, {{-3.0f, 0.0f, 4.0f}}}};
    for (int i = 1; i < 16; ++i) {
        for (int j = 1; i + j < 16; ++j) {
            const float u = 0.0625f * static_cast<float>(i), v = 0.0625f * static_cast<float>(j);
            const Point<3> on = {{4.0f * u, 4.0f * v, 3.0f * u}};
            const Point<3> up = {{on[0] - 3.0f, on[1], on[2] + 4.0f}};
            for (const float sign : {1.0f, -1.0f}) {
                const Point<3> way = {{3.0f * sign, 0.0f, -4.0f * sign}};
                ASSERT_TRUE(finds<3>(slope, Sector<3>{on, 1.0f, way, 0.5f})) << u << ", " << v;
                ASSERT_TRUE(finds<3>(box, Sector<3>{up, 1.0f, way, 0.5f})) << u << ", " << v;
            }
        }
    }
}

TEST(OverlapsTouch, WallsAtWholeDistances) {
    // Walls on the line through (3, 4) at a right angle to the way there.
    int walls = 0;
    for (int far = -60; far <= 60; ++far) {
        for (int back = -60; back < far; ++back) {
            const auto end = [](int along) {
                return Point<2>{
                    {static_cast<float>(3 + 4 * along), static_cast<float>(4 - 3 * along)}};
            };
            if (far < 0 || back > 0) { continue; }
            const Sector<2> all = {{{0.0f, 0.0f}}, 5.0f, {{1.0f, 1.0f}}, -1.0f};
            ASSERT_TRUE(finds<2>(Wall{end(far), end(back), 0.0f}, all)) << far << ", " << back;
            ++walls;
        }
    }
    EXPECT_GT(walls, 1000);
}

TEST(OverlapsTouch, ThickWallsBehindASlantedRim) {
    // Half a disc above the line through (0, 0) and (-4, 3): walls come from the other side.
    const Sector<2> half = {{{0.0f, 0.0f}}, 50.0f, {{3.0f, 4.0f}}, 0.0f};
    const auto at = [](int aside, int behind) {
        return Point<2>{{static_cast<float>(-4 * aside - 3 * behind),
                         static_cast<float>(3 * aside - 4 * behind)}};
    };
    for (int aside = -10; aside <= 10; ++aside) {
        for (int behind = 1; behind < 6; ++behind) {
            for (int turn = -3; turn <= 3; ++turn) {
                const auto thickness = static_cast<float>(10 * behind);
                Wall wall = {at(aside, behind), at(aside + turn, behind + 1), thickness};
                ASSERT_TRUE(finds<2>(wall, half)) << aside << ", " << behind << ", " << turn;
                wall.thickness = thickness - 1e-3f;
                ASSERT_FALSE(finds<2>(wall, half)) << aside << ", " << behind << ", " << turn;
            }
        }
    }
}

TEST(OverlapsTouch, AnEdgeBesideALine) {
    const Sector<3> ray = {{{0.0f, 0.0f, 0.0f}}, 3.0f, {{0.0f, 0.0f, 1.0f}}, 1.0f};
    for (const float wide : {10.0f, 1000.0f, 100000.0f}) {
        const auto edge = [&](float aside) {
            const Point<3> from = {{wide, aside, 2.0f}}, to = {{-wide, aside, 2.0f}};
            return Triangle{{{from, to, to}}};
        };
        EXPECT_TRUE(finds<3>(edge(0.0f), ray)) << wide;
        EXPECT_FALSE(finds<3>(edge(1e-4f), ray)) << wide;
        EXPECT_FALSE(finds<3>(edge(-1e-4f), ray)) << wide;
    }
}

TEST(FirstOfObstacles, WantsOnePathOrMover) {
    const Obstacles<2> obstacles;
    ObstacleHit<2> hit;
    const auto first = [&](ShapeKind kind, const void* shapes, std::size_t count) {
        return obstacles.first(ShapesView<2>(kind, shapes, count), hit).status;
    };
    const Segment<2> segments[2] = {};
    const Status several{Cause::count_mismatch, Argument::shapes};
    EXPECT_EQ(first(ShapeKind::segment, segments, 0), several);
    EXPECT_EQ(first(ShapeKind::segment, segments, 2), several);
    EXPECT_EQ(first(ShapeKind::segment, nullptr, 2),
              (Status{Cause::null_pointer, Argument::shapes}));
    EXPECT_EQ(first(ShapeKind::box, segments, 2), (Status{Cause::out_of_range, Argument::shapes}));
    EXPECT_EQ(first(ShapeKind::segment, segments, 1), Status{});

    const std::vector<Moving<2, Box>> movers(2);
    EXPECT_EQ(obstacles.first(movers, hit).status, several);
    EXPECT_EQ(obstacles.first(MoversView<2>(MoverKind::box, nullptr, 2), hit).status,
              (Status{Cause::null_pointer, Argument::shapes}));
    EXPECT_EQ(obstacles.first(movers[0], hit).status, Status{});
}

TEST(OverlapsRefuse, WhatMakesNoSense) {
    Obstacles<2> obstacles;
    ASSERT_EQ(obstacles.insert(0, Box<2>{{0.0f, 0.0f}, {1.0f, 1.0f}}), Status{});
    std::vector<Id> ids = {9};
    const std::vector<Id> before = ids;
    EXPECT_EQ(obstacles.query(Sector<2>{{{0.0f, 0.0f}}, -1.0f, {{1.0f, 0.0f}}, 0.0f}, ids).status,
              (Status{Cause::negative, Argument::sector}));
    EXPECT_EQ(obstacles.query(Sector<2>{{{0.0f, 0.0f}}, 1.0f, {}, 0.0f}, ids).status,
              (Status{Cause::no_direction, Argument::sector}));
    const Ball<2> ball{};
    EXPECT_EQ(obstacles.query(ShapesView<2>(ball), ids).status,
              (Status{Cause::out_of_range, Argument::shapes}));
    EXPECT_EQ(obstacles.query(ShapesView<2>(ShapeKind::box, nullptr, 0), ids).status,
              (Status{Cause::count_mismatch, Argument::shapes}));
    EXPECT_EQ(obstacles.query(ShapesView<2>(ShapeKind::box, nullptr, 1), ids).status,
              (Status{Cause::null_pointer, Argument::shapes}));
    std::vector<OrientedBox<2>> boxes(3);
    boxes[2].half_edges = {{{{1.0f, 0.0f}}, {{1.0f, 1.0f}}}};
    Hits hits;
    EXPECT_EQ(obstacles.query(boxes, hits).status.index, 2u);
    EXPECT_EQ(obstacles.query(boxes, hits).status.argument, Argument::oriented_box);
    EXPECT_EQ(ids, before);
    ASSERT_EQ(obstacles.query(std::vector<Box<2>>{}, hits).status, Status{});
    EXPECT_EQ(hits.offsets.size(), 1u);
}

} // namespace
} // namespace throng::test
