// The gate never rules out a hit, and rules out most agents that are no hits.
#include <throng/engine/shapes/agent_test.hpp>
#include <throng/engine/shapes/bounds.hpp>

#include "../../support/dims.hpp"
#include "../../support/numbers.hpp"
#include "../../support/random.hpp"
#include "../../support/scenes/scene_shapes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace throng {
namespace {

using test::kInfinity;

template <class Dim>
class ShapeGates : public testing::Test {};
TYPED_TEST_SUITE(ShapeGates, test::Dims, test::DimNames);

/// Calls call(shapes) with the scene's questions of each kind.
template <std::size_t Dim, class Call>
void with_all_shapes(const scenes::Scene<Dim>& scene, const Call& call) {
    const scenes::Shapes<Dim> others = scenes::shapes_about(scene, 60);
    call(scene.boxes);
    call(scene.balls);
    call(others.segments);
    call(others.rays);
    call(others.capsules);
    call(others.sectors);
    call(others.convexes);
    call(others.oriented_boxes);
    call(others.cylinders);
    call(others.body_balls);
    call(others.body_sectors);
    call(others.body_cylinders);
}

/// The cover itself, larger boxes about it, and some boxes without ends.
template <std::size_t Dim>
std::vector<Box<Dim>> boxes_around(const Box<Dim>& cover, scenes::Random& random) {
    std::vector<Box<Dim>> boxes = {cover};
    for (int i = 0; i < 3; ++i) {
        Box<Dim> larger = cover;
        for (std::size_t a = 0; a < Dim; ++a) {
            const float size = i == 1 ? 100.0f : 1.0f;
            larger.lo[a] -= random.between(0.0f, size);
            larger.hi[a] += random.between(0.0f, size);
            if (i == 2 && random.below(2) == 0) { larger.hi[a] = kInfinity; }
            if (i == 2 && random.below(2) == 0) { larger.lo[a] = -kInfinity; }
        }
        boxes.push_back(larger);
    }
    return boxes;
}

TYPED_TEST(ShapeGates, LetEveryHitThrough) {
    constexpr std::size_t kDim = TypeParam::value;
    std::size_t hits = 0;
    for (const std::string_view name : scenes::names()) {
        SCOPED_TRACE(name);
        const auto scene = scenes::make<kDim>(name, 300);
        scenes::Random random(3);
        with_all_shapes(scene, [&]<class Shape>(const std::vector<Shape>& shapes) {
            for (const Shape& shape : shapes) {
                const AgentTest<Shape> test(shape);
                const ShapeGate<kDim> gate(shape);
                for (std::size_t i = 0; i < scene.size(); ++i) {
                    const Point<kDim> position = scene.position_of(i);
                    const Point<kDim> half = scene.half_extent_of(i);
                    if (!test.hits(position, half)) { continue; }
                    ++hits;
                    const Box<kDim> cover = cover_of(position, half);
                    ASSERT_TRUE(touch(gate.bounds(), cover));
                    for (const Box<kDim>& box : boxes_around(cover, random)) {
                        ASSERT_TRUE(gate.may_hold(box)) << "agent " << i;
                    }
                }
            }
        });
    }
    EXPECT_GT(hits, 100'000u);
}

// Without this test, a gate that lets all agents through would pass.
TYPED_TEST(ShapeGates, ShutOutMostOthers) {
    constexpr std::size_t kDim = TypeParam::value;
    const auto scene = scenes::make_uniform<kDim>(20'000);
    const float size = scene.world.hi[0];
    const Point<kDim> middle = Point<kDim>::all(0.5f * size);
    const auto check = [&](const auto& shape, double most) {
        const AgentTest test(shape);
        const ShapeGate<kDim> gate(shape);
        double hits = 0.0;
        double let_through = 0.0;
        for (std::size_t i = 0; i < scene.size(); ++i) {
            const Point<kDim> position = scene.position_of(i);
            const Point<kDim> half = scene.half_extent_of(i);
            hits += test.hits(position, half) ? 1 : 0;
            let_through += gate.may_hold(cover_of(position, half)) ? 1 : 0;
        }
        EXPECT_GT(hits, 0.0);
        EXPECT_LE(let_through, most * hits + 2.0);
    };
    Point<kDim> oblique = Point<kDim>::all(1.0f);
    oblique[0] = 0.4f;
    check(Box<kDim>::around(middle, Point<kDim>::all(4.0f)), 1.02);
    check(Ball<kDim>{middle, 0.3f * size}, 1.4); // tests centres, but lets covers through
    check(Segment<kDim>{scene.world.lo, scene.world.hi}, 1.3);
    check(Ray<kDim>{middle, oblique}, 1.3);
    check(Capsule<kDim>{scene.world.lo, middle, 0.5f}, kDim == 2 ? 1.5 : 2.5);
    check(Sector<kDim>{middle, 0.4f * size, oblique, 0.9f}, kDim == 2 ? 1.4 : 3.0);
    OrientedBox<kDim> box{middle, {}};
    for (std::size_t e = 0; e < kDim; ++e) {
        box.half_edges[e][e] = 0.3f * size;
        box.half_edges[e][(e + 1) % kDim] = e + 1 == kDim ? -0.2f * size : 0.2f * size;
    }
    check(box, 1.1);
    for (std::uint32_t up = 1; up < kDim; ++up) {
        check(Cylinder<kDim>{middle, 0.3f * size, 0.4f * size, 0.6f * size, up}, 1.4);
    }
}

// Some agents' discs reach beyond their boxes, and covers must hold both.
TYPED_TEST(ShapeGates, CoversHoldBoxAndDisc) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(8);
    for (int i = 0; i < 2000; ++i) {
        Point<kDim> position, half;
        for (std::size_t a = 0; a < kDim; ++a) {
            position[a] = random.between(-1000.0f, 1000.0f);
            half[a] = random.between(0.0f, i % 2 == 0 ? 1.0f : 500.0f);
        }
        const Box<kDim> cover = cover_of(position, half);
        const Box<kDim> box = Box<kDim>::around(position, half);
        const Box<kDim> disc = Box<kDim>::around(position, Point<kDim>::all(half[0]));
        for (std::size_t a = 0; a < kDim; ++a) {
            EXPECT_LE(cover.lo[a], std::min(box.lo[a], disc.lo[a]));
            EXPECT_GE(cover.hi[a], std::max(box.hi[a], disc.hi[a]));
        }
    }
}

} // namespace
} // namespace throng
