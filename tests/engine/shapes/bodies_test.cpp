// The definitions of bodies against plain geometry in doubles, and on rims.
#include <throng/engine/agents/body.hpp>
#include <throng/engine/agents/grid_shape.hpp>
#include <throng/engine/grid/row_grid.hpp>
#include <throng/engine/shapes/agent_test.hpp>
#include <throng/engine/shapes/with_body.hpp>

#include "../../support/dims.hpp"
#include "../../support/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <type_traits>

namespace throng {
namespace {

template <class Dim>
class Bodies : public testing::Test {};
TYPED_TEST_SUITE(Bodies, test::Dims, test::DimNames);

template <std::size_t Dim>
using Real = std::array<double, Dim>;

/// The point of a body that is nearest to `from`, relative to `from`.
template <std::size_t Dim>
Real<Dim> nearest_of(Body body, const Point<Dim>& from, const Point<Dim>& position,
                     const Point<Dim>& half) {
    Real<Dim> way{};
    double length2 = 0.0;
    for (std::size_t a = 0; a < Dim; ++a) {
        const double offset = double{position[a]} - from[a];
        const double extent = body == Body::box ? half[a] : 0.0f;
        way[a] = std::clamp(0.0, offset - extent, offset + extent);
        length2 += way[a] * way[a];
    }
    const double length = std::sqrt(length2);
    const double left = body == Body::disc ? std::max(length - half[0], 0.0) : length;
    for (double& on_axis : way) {
        on_axis *= length > 0.0 ? left / length : 0.0;
    }
    return way;
}
template <std::size_t Dim>
double length_of(const Real<Dim>& way) {
    double length2 = 0.0;
    for (const double x : way) {
        length2 += x * x;
    }
    return std::sqrt(length2);
}

/// Draws agents and questions of all sizes.
template <std::size_t Dim>
struct Draw {
    scenes::Random random{7};

    Point<Dim> point(float size) {
        Point<Dim> point;
        for (float& x : point.axis) {
            x = random.between(-size, size);
        }
        return point;
    }
    Point<Dim> half() {
        Point<Dim> half;
        for (float& x : half.axis) {
            x = random.below(4) == 0 ? 0.0f : random.between(0.0f, 3.0f);
        }
        return half;
    }
    Body body() { return static_cast<Body>(random.below(3)); }
};

constexpr double kSure = 1e-4; ///< no rounding of such numbers is as large

TYPED_TEST(Bodies, DistancesAreThoseToTheNearestPoint) {
    constexpr std::size_t kDim = TypeParam::value;
    Draw<kDim> draw;
    for (int i = 0; i < 20'000; ++i) {
        const auto from = draw.point(5.0f), at = draw.point(5.0f), half = draw.half();
        const Body body = draw.body();
        const float distance2 = distance2_to(body, from, at, half);
        ASSERT_NEAR(std::sqrt(distance2), length_of(nearest_of(body, from, at, half)), kSure);
        if (body == Body::centre) { ASSERT_EQ(distance2, distance2_between(from, at)); }
    }
}

TYPED_TEST(Bodies, BallsAndSectorsHoldTheNearestPoint) {
    constexpr std::size_t kDim = TypeParam::value;
    Draw<kDim> draw;
    int found = 0, missed = 0;
    for (int i = 0; i < 20'000; ++i) {
        const auto from = draw.point(5.0f), at = draw.point(5.0f), half = draw.half();
        const Body body = draw.body();
        const Sector<kDim> sector{from, draw.random.between(0.0f, 6.0f), draw.point(1.0f),
                                  draw.random.between(-0.95f, 0.95f)};
        const Real<kDim> way = nearest_of(body, from, at, half);
        const double length = length_of(way);
        const double beyond = length - sector.radius;
        if (std::abs(beyond) < kSure) { continue; }
        const BodyBall<kDim> ball{{from, sector.radius}, body};
        ASSERT_EQ(touches(ball, at, half), beyond < 0.0);

        double ahead = 0.0, direction2 = 0.0;
        for (std::size_t a = 0; a < kDim; ++a) {
            ahead += way[a] * sector.direction[a];
            direction2 += double{sector.direction[a]} * sector.direction[a];
        }
        // In its apex a sector looks all ways.
        const double cosine = length == 0.0 ? 1.0 : ahead / (length * std::sqrt(direction2));
        if (length != 0.0 && (length < 0.05 || std::abs(cosine - sector.cosine) < 1e-2)) {
            continue;
        }
        const bool seen = beyond < 0.0 && cosine > sector.cosine;
        const AgentTest test(BodySector<kDim>{sector, body});
        ASSERT_EQ(test.hits(at, half), seen);
        ++(seen ? found : missed);
    }
    EXPECT_GT(found, 500);
    EXPECT_GT(missed, 500);
}

TYPED_TEST(Bodies, CylindersTouchThem) {
    constexpr std::size_t kDim = TypeParam::value;
    Draw<kDim> draw;
    int found = 0, missed = 0;
    for (int i = 0; i < 20'000; ++i) {
        const auto from = draw.point(5.0f), at = draw.point(5.0f), half = draw.half();
        const Body body = draw.body();
        Cylinder<kDim> cylinder{from, draw.random.between(0.0f, 4.0f)};
        cylinder.up = 1 + draw.random.below(kDim - 1);
        cylinder.low = draw.random.between(-4.0f, 4.0f);
        cylinder.high = cylinder.low + draw.random.between(-1.0f, 3.0f);
        Point<kDim> foot = from, standing = at;
        foot[cylinder.up] = standing[cylinder.up] = 0.0f;
        const Body on_ground = body == Body::disc ? Body::centre : body;
        const double aside =
            length_of(nearest_of(on_ground, foot, standing, half)) - cylinder.radius;
        const double height = at[cylinder.up];
        const double extent = body == Body::box ? half[cylinder.up] : 0.0f;
        const double above =
            std::max(cylinder.low - (height + extent), height - extent - cylinder.high);
        double beyond = std::max(aside, above);
        if (body == Body::disc) {
            beyond = std::hypot(std::max(aside, 0.0), std::max(above, 0.0)) - half[0];
        }
        if (std::abs(beyond) < kSure) { continue; }
        const bool touched = beyond < 0.0 && cylinder.low <= cylinder.high;
        ASSERT_EQ(touches(BodyCylinder<kDim>{cylinder, body}, at, half), touched);
        ++(touched ? found : missed);
    }
    EXPECT_GT(found, 500);
    EXPECT_GT(missed, 500);
}

/// With Body::centre, shapes find what the shapes without bodies find, on the rim as elsewhere.
TYPED_TEST(Bodies, AreCentresIfToldSo) {
    constexpr std::size_t kDim = TypeParam::value;
    Draw<kDim> draw;
    for (int i = 0; i < 20'000; ++i) {
        const auto from = draw.point(5.0f), at = draw.point(5.0f), half = draw.half();
        float radius = std::sqrt(distance2_between(from, at));
        if (i % 3 != 0) { radius = std::nextafter(radius, i % 3 == 1 ? 0.0f : 9.0f); }
        const auto same = [&](const auto& shape) {
            const bool seen =
                AgentTest(WithBody<std::decay_t<decltype(shape)>>{shape, Body::centre})
                    .hits(at, half);
            ASSERT_EQ(seen, AgentTest(shape).hits(at, half));
        };
        same(Ball<kDim>{from, radius});
        same(Sector<kDim>{from, radius, draw.point(1.0f), draw.random.between(-1.0f, 1.0f)});
        Cylinder<kDim> cylinder{from, radius, at[1], from[1], 1};
        same(cylinder);
    }
}

/// A body 30 long, whose flank is one away.
TYPED_TEST(Bodies, ReachAsFarAsTheirFlanks) {
    constexpr std::size_t kDim = TypeParam::value;
    const Point<kDim> at = Point<kDim>::all(0.0f);
    Point<kDim> half = Point<kDim>::all(2.0f);
    half[0] = 15.0f;
    Point<kDim> from{};
    from[0] = 16.0f;
    for (const Body body : {Body::box, Body::disc}) {
        EXPECT_TRUE(touches(BodyBall<kDim>{{from, 1.0f}, body}, at, half));
        EXPECT_FALSE(touches(BodyBall<kDim>{{from, std::nextafter(1.0f, 0.0f)}, body}, at, half));
    }
    EXPECT_FALSE(touches(BodyBall<kDim>{{from, 15.0f}, Body::centre}, at, half));
    // Beside the body, its box ends early, and its disc does not.
    from = {};
    from[1] = 4.0f;
    EXPECT_EQ(distance2_to(Body::box, from, at, half), 4.0f);
    EXPECT_EQ(distance2_to(Body::disc, from, at, half), 0.0f);
}

/// The band of a cylinder, far from the cylinder's centre. At an end of the band rounding makes the
/// test find an agent outside the cells that its half extent would reach, if the margin for
/// rounding were as small as near the centre.
TEST(BodiesInGrids, AreFoundAtTheEndsOfABandFarFromTheCentre) {
    for (const float side : {1.0f, -1.0f}) {
        const float low = 1048576.125f;
        const Point<3> at = {{0.0f, 0.0f, side * 1048575.0625f}};
        Agents<3> agents;
        agents.positions = PointView<3>::interleaved(at.axis.data(), 1);
        agents.common_half_extent = Point<3>::all(1.0001f);
        Cylinder<3> cylinder{{{0.0f, 0.0f, 0.0f}}, 10.0f};
        Box<3> bounds = {{{-8.0f, -8.0f, 1048574.125f}}, {{8.0f, 8.0f, 1048590.125f}}};
        if (side > 0.0f) {
            cylinder.low = low;
        } else {
            cylinder.high = -low;
            bounds = {{{-8.0f, -8.0f, -1048590.125f}}, {{8.0f, 8.0f, -1048574.125f}}};
        }
        const BodyCylinder<3> question{cylinder, Body::box};
        ASSERT_TRUE(touches(question, at, agents.common_half_extent));
        const auto [shape, status] = shape_over(bounds, Point<3>::all(1.0f));
        ASSERT_TRUE(status.ok());
        RowGrid<3> grid;
        ASSERT_TRUE(grid.use(shape).ok());
        ASSERT_TRUE(grid.update(agents).ok());
        EXPECT_EQ(grid.count(question).count, 1u) << side;
    }
}

/// A gap so small that its square underflows counts as none, for sectors as for balls.
TEST(BodiesInGrids, HaveNoGapsWhoseSquaresVanish) {
    const float radius = 0x1p-75f;
    const Point<2> at = {{-radius - 0x1p-90f, 0.0f}};
    Agents<2> agents;
    agents.positions = PointView<2>::interleaved(at.axis.data(), 1);
    agents.common_half_extent = Point<2>::all(radius);
    const BodySector<2> question{{{{0.0f, 0.0f}}, 1.0f, {{1.0f, 0.0f}}, 0.5f}, Body::disc};
    RowGrid<2> grid;
    ASSERT_TRUE(grid.update(agents).ok());
    EXPECT_TRUE(AgentTest<BodySector<2>>(question).hits(at, agents.common_half_extent));
    EXPECT_EQ(grid.count(question).count, 1u);
}

} // namespace
} // namespace throng
