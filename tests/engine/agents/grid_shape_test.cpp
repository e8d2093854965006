// The map from coordinates to cells, where floats are coarsest and finest.
#include "../../support/numbers.hpp"
#include <throng/engine/agents/grid_shape.hpp>
#include <throng/engine/grid/query_stats.hpp>
#include <throng/engine/grid/row_grid.hpp>

#include "../../support/dims.hpp"
#include "../../support/random.hpp"
#include "../../support/scenes/scenes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace throng {
namespace {

using test::kInfinity;
using test::kNan;

template <class Dim>
class GridShapeTest : public testing::Test {};
TYPED_TEST_SUITE(GridShapeTest, test::Dims, test::DimNames);

/// Zero, the powers of two and the floats beside them, with either sign, up to kLargest; sorted.
std::vector<float> exponent_boundaries() {
    std::vector<float> values{0.0f, std::numeric_limits<float>::denorm_min(), kLargest};
    for (int power = -149; power < 60; ++power) {
        const float value = std::ldexp(1.0f, power);
        for (const float near :
             {value, std::nextafter(value, 0.0f), std::nextafter(value, 9e18f)}) {
            if (near <= kLargest) { values.push_back(near); }
        }
    }
    const std::size_t positive = values.size();
    for (std::size_t i = 0; i < positive; ++i) {
        values.push_back(-values[i]);
    }
    std::sort(values.begin(), values.end());
    return values;
}

/// Cell sizes that floats hold exactly and others that they do not, sizes near or below the spacing
/// of floats there, and the smallest and largest that are allowed.
template <std::size_t Dim>
std::vector<GridShape<Dim>> nasty_shapes() {
    struct World {
        float low, high, cell;
    };
    std::vector<GridShape<Dim>> shapes;
    for (const World world :
         {World{0.0f, 16.0f, 1.0f}, World{-1.0f, 1.0f, 0.1f}, World{-7.3f, 19.9f, 0.37f},
          World{1e6f, 1e6f + 8.0f, 0.07f}, World{-kLargest, kLargest, 1e15f},
          World{0.0f, 1e-15f, 1e-17f}, World{5.0f, 5.0f, 1.0f}, World{-1e9f, -1e9f, 1e-9f}}) {
        const auto made =
            shape_over(Box<Dim>{Point<Dim>::all(world.low), Point<Dim>::all(world.high)},
                       Point<Dim>::all(world.cell));
        EXPECT_TRUE(made.status.ok()) << to_string(made.status);
        shapes.push_back(made.value);
    }
    return shapes;
}

/// The coordinates near each cell edge, which rounding may move by some floats.
template <std::size_t Dim>
void add_edges(const GridShape<Dim>& shape, std::vector<float>& values) {
    for (std::uint32_t cell = 0; cell <= std::min(shape.cells[0], 300u); ++cell) {
        const float edge = shape.origin[0] + static_cast<float>(cell) / shape.inverse_cell[0];
        float below = edge, above = edge;
        values.push_back(edge);
        for (int step = 0; step < 4; ++step) {
            below = std::nextafter(below, -kLargest);
            above = std::nextafter(above, kLargest);
            values.push_back(below);
            values.push_back(above);
        }
    }
    std::sort(values.begin(), values.end());
}

TYPED_TEST(GridShapeTest, CellsNeverFallAsTheCoordinateGrows) {
    for (const auto& shape : nasty_shapes<TypeParam::value>()) {
        auto values = exponent_boundaries();
        add_edges(shape, values);
        for (std::size_t a = 0; a < TypeParam::value; ++a) {
            std::uint32_t last = 0;
            for (const float value : values) {
                const std::uint32_t cell = shape.cell_on(a, value);
                ASSERT_GE(cell, last) << value;
                ASSERT_LT(cell, shape.cells[a]) << value;
                last = cell;
            }
        }
    }
}

TYPED_TEST(GridShapeTest, BorderCellsReachToInfinity) {
    for (const auto& shape : nasty_shapes<TypeParam::value>()) {
        for (std::size_t a = 0; a < TypeParam::value; ++a) {
            EXPECT_EQ(shape.cell_on(a, -kInfinity), 0u);
            EXPECT_EQ(shape.cell_on(a, -kLargest), 0u);
            EXPECT_EQ(shape.cell_on(a, shape.origin[a]), 0u);
            EXPECT_EQ(shape.cell_on(a, kInfinity), shape.cells[a] - 1);
            EXPECT_EQ(shape.cell_on(a, kLargest), shape.cells[a] - 1);
        }
    }
}

TYPED_TEST(GridShapeTest, CountsCellsAndNumbersRows) {
    using P = Point<TypeParam::value>;
    P cell = P::all(2.0f);
    cell[0] = 0.5f;
    const auto [shape, status] =
        shape_over(Box<TypeParam::value>{P::all(0.0f), P::all(8.0f)}, cell);
    ASSERT_TRUE(status.ok());
    EXPECT_EQ(shape.cells[0], 16u);
    EXPECT_EQ(shape.cells[1], 4u);
    EXPECT_EQ(shape.rows(), TypeParam::value == 2 ? 4u : 16u);
    P point = P::all(3.0f);
    EXPECT_EQ(shape.cell_on(0, 3.0f), 6u);
    EXPECT_EQ(shape.row_of(point), TypeParam::value == 2 ? 1u : 5u);
    point[1] = 7.0f; // y is counted fastest
    EXPECT_EQ(shape.row_of(point), TypeParam::value == 2 ? 3u : 7u);
    point[0] = 99.0f; // and x does not count
    EXPECT_EQ(shape.row_of(point), TypeParam::value == 2 ? 3u : 7u);
}

TYPED_TEST(GridShapeTest, HasACellForWhatIsLeftOfTheBounds) {
    using P = Point<TypeParam::value>;
    const auto [shape, status] =
        shape_over(Box<TypeParam::value>{P::all(0.0f), P::all(8.25f)}, P::all(2.0f));
    ASSERT_TRUE(status.ok());
    EXPECT_EQ(shape.cells[0], 5u);
    EXPECT_EQ(shape.cells[1], 5u);
}

TYPED_TEST(GridShapeTest, HoldsNothingByDefault) {
    EXPECT_EQ(GridShape<TypeParam::value>{}.cells[0], 0u);
    EXPECT_EQ(GridShape<TypeParam::value>{}, GridShape<TypeParam::value>{});
}

TYPED_TEST(GridShapeTest, RefusesBadBounds) {
    using P = Point<TypeParam::value>;
    for (std::size_t a = 0; a < TypeParam::value; ++a) {
        for (const float bad : {kNan, kInfinity, -kInfinity, 2e18f, -2e18f}) {
            const Cause cause = std::isfinite(bad) ? Cause::too_large : Cause::not_finite;
            Box<TypeParam::value> bounds{P::all(0.0f), P::all(1.0f)};
            bounds.lo[a] = bad;
            EXPECT_EQ(shape_over(bounds, P::all(1.0f)).status.cause, cause);
            EXPECT_EQ(shape_over(bounds, P::all(1.0f)).status.argument, Argument::bounds);
            bounds = {P::all(0.0f), P::all(1.0f)};
            bounds.hi[a] = bad;
            EXPECT_EQ(shape_over(bounds, P::all(1.0f)).status.cause, cause);
        }
        Box<TypeParam::value> bounds{P::all(0.0f), P::all(1.0f)};
        bounds.lo[a] = 2.0f;
        EXPECT_EQ(shape_over(bounds, P::all(1.0f)).status.cause, Cause::inverted);
        EXPECT_EQ(shape_over(bounds, P::all(1.0f)).status.argument, Argument::bounds);
    }
}

TYPED_TEST(GridShapeTest, RefusesBadCells) {
    using P = Point<TypeParam::value>;
    const Box<TypeParam::value> bounds{P::all(0.0f), P::all(1.0f)};
    struct Bad {
        float cell;
        Cause cause;
    };
    for (const Bad& bad : {Bad{kNan, Cause::not_finite}, Bad{kInfinity, Cause::not_finite},
                           Bad{0.0f, Cause::not_positive}, Bad{-0.0f, Cause::not_positive},
                           Bad{-1.0f, Cause::not_positive}, Bad{1e-8f, Cause::too_many}}) {
        for (std::size_t a = 0; a < TypeParam::value; ++a) {
            P cell = P::all(1.0f);
            cell[a] = bad.cell;
            EXPECT_EQ(shape_over(bounds, cell).status.cause, bad.cause) << bad.cell;
            EXPECT_EQ(shape_over(bounds, cell).status.argument, Argument::cell) << bad.cell;
        }
    }
    P denormal = P::all(std::numeric_limits<float>::denorm_min());
    EXPECT_FALSE(shape_over(bounds, denormal).status.ok());
}

TYPED_TEST(GridShapeTest, TellsAShapeFromWhatIsNone) {
    using P = Point<TypeParam::value>;
    const Box<TypeParam::value> bounds{P::all(-kLargest), P::all(kLargest)};
    const auto coarsest = shape_over(bounds, P::all(kLargest)).value;
    const auto finest = shape_over({P::all(0.0f), P::all(1e-17f)}, P::all(1e-18f)).value;
    for (const auto& good : {coarsest, finest}) {
        EXPECT_EQ(check_shape(good), Status{});
        for (std::size_t a = 0; a < TypeParam::value; ++a) {
            const auto refuses = [&](auto change, Cause cause, Argument argument) {
                GridShape<TypeParam::value> shape = good;
                change(shape);
                EXPECT_EQ(check_shape(shape), (Status{cause, argument, a}));
            };
            refuses([&](auto& s) { s.origin[a] = kNan; }, Cause::not_finite, Argument::bounds);
            refuses([&](auto& s) { s.origin[a] = -2e18f; }, Cause::too_large, Argument::bounds);
            for (const float inverse : {0.0f, -1.0f, 1e19f}) {
                refuses([&](auto& s) { s.inverse_cell[a] = inverse; }, Cause::not_positive,
                        Argument::cell);
            }
            refuses([&](auto& s) { s.inverse_cell[a] = kNan; }, Cause::not_finite, Argument::cell);
            refuses([&](auto& s) { s.inverse_cell[a] = 1e-19f; }, Cause::too_large, Argument::cell);
            refuses([&](auto& s) { s.cells[a] = 0; }, Cause::not_positive, Argument::cell);
            refuses([&](auto& s) { s.cells[a] = (1u << 24) + 1; }, Cause::too_many, Argument::cell);
            refuses([&](auto& s) { s.first[a] = 1u << 24; }, Cause::too_many, Argument::cell);
            refuses([&](auto& s) { s.first[a] = ~0u; }, Cause::too_many, Argument::cell);
        }
    }
}

TYPED_TEST(GridShapeTest, AWindowHasTheCellsOfTheWhole) {
    constexpr std::size_t kDim = TypeParam::value;
    using P = Point<kDim>;
    // Cells whose edges are no floats, far from zero.
    const auto whole = shape_over<kDim>({P::all(-917.3f), P::all(1011.9f)}, P::all(0.7f)).value;
    scenes::Random random(3);
    for (int round = 0; round < 200; ++round) {
        std::array<std::uint32_t, kDim> first{}, cells{};
        for (std::size_t a = 0; a < kDim; ++a) {
            first[a] = random.below(whole.cells[a]);
            cells[a] = 1 + random.below(whole.cells[a] - first[a]);
        }
        const auto [window, status] = window_in(whole, first, cells);
        ASSERT_EQ(status, Status{});
        const auto inner = window_in(window, {}, cells);
        ASSERT_EQ(inner.value, window) << "a window of a window is one of the whole";
        for (std::size_t i = 0; i < 100; ++i) {
            const std::size_t a = i % kDim;
            // Edges inside too: at the window's own every rounding gives its first or last cell.
            const std::uint32_t number = first[a] + random.below(cells[a] + 1);
            const float edge = whole.origin[a] + static_cast<float>(number) * 0.7f;
            const float x = i % 3 == 0   ? random.between(-1200.0f, 1300.0f)
                            : i % 3 == 1 ? edge + random.between(-1e-4f, 1e-4f)
                                         : edge;
            const std::uint32_t cell = whole.cell_on(a, x);
            const std::uint32_t wanted =
                std::clamp(cell, first[a], first[a] + cells[a] - 1) - first[a];
            ASSERT_EQ(window.cell_on(a, x), wanted) << x;
        }
        for (const float x : {-kLargest, kLargest}) {
            ASSERT_EQ(window.cell_on(0, x), x < 0.0f ? 0 : cells[0] - 1);
        }
    }
}

TYPED_TEST(GridShapeTest, RefusesWindowsThatTheWholeDoesNotHave) {
    constexpr std::size_t kDim = TypeParam::value;
    using P = Point<kDim>;
    const auto whole = shape_over<kDim>({P::all(0.0f), P::all(10.0f)}, P::all(1.0f)).value;
    EXPECT_EQ(window_in(whole, {}, whole.cells).value, whole);
    EXPECT_EQ(window_in(GridShape<kDim>{}, {}, whole.cells).status.argument, Argument::cell);
    for (std::size_t a = 0; a < kDim; ++a) {
        const auto refuses = [&](std::uint32_t from, std::uint32_t count, Cause cause) {
            std::array<std::uint32_t, kDim> first{}, cells = whole.cells;
            first[a] = from;
            cells[a] = count;
            EXPECT_EQ(window_in(whole, first, cells).status, (Status{cause, Argument::range, a}));
        };
        refuses(0, 0, Cause::not_positive);
        refuses(0, 11, Cause::out_of_range);
        refuses(3, 8, Cause::out_of_range);
        refuses(10, 1, Cause::out_of_range);
        refuses(~0u, 2, Cause::out_of_range);
        refuses(2, ~0u, Cause::out_of_range);
    }
}

TEST(GridShape3, RefusesMoreRowsThanItNumbers) {
    const Box<3> bounds{Point<3>::all(0.0f), Point<3>::all(100'000.0f)};
    const auto made = shape_over(bounds, Point<3>{{1000.0f, 1.0f, 1.0f}});
    EXPECT_EQ(made.status.cause, Cause::too_many);
    EXPECT_EQ(made.status.argument, Argument::cell);
}

TEST(GridShape3, MayHaveAsManyRowsAndCellsAsItNumbers) {
    const auto most = shape_over(Box<3>{Point<3>::all(0.0f), Point<3>::all(0x1p14f)},
                                 Point<3>{{4.0f, 1.0f, 1.0f}});
    EXPECT_EQ(most.status, Status{});
    EXPECT_EQ(most.value.rows(), GridShape<3>::kMaxRows);
    const Status refused = {Cause::too_many, Argument::cell, 2};
    GridShape<3> shape = most.value;
    ++shape.cells[0];
    EXPECT_EQ(check_shape(shape), refused);
    shape = most.value;
    ++shape.cells[1];
    shape.cells[0] = 1;
    EXPECT_EQ(check_shape(shape), refused);
}

TYPED_TEST(GridShapeTest, GivesFlatBoundsOneCell) {
    using P = Point<TypeParam::value>;
    for (std::size_t a = 0; a < TypeParam::value; ++a) {
        Box<TypeParam::value> bounds{P::all(0.0f), P::all(8.0f)};
        bounds.lo[a] = 8.0f;
        const auto [shape, status] = shape_over(bounds, P::all(1.0f));
        ASSERT_TRUE(status.ok());
        for (std::size_t b = 0; b < TypeParam::value; ++b) {
            EXPECT_EQ(shape.cells[b], a == b ? 1u : 8u);
        }
    }
}

/// A grid fitted to any crowd is valid, and has not many more rows and cells than agents.
template <std::size_t Dim>
void expect_fit(scenes::Scene<Dim>& scene) {
    const auto [shape, status] = shape_for(scene.agents());
    ASSERT_TRUE(status.ok()) << scene.name << ": " << to_string(status);
    double cells = 1.0;
    for (std::size_t a = 0; a < Dim; ++a) {
        ASSERT_GE(shape.cells[a], 1u) << scene.name;
        ASSERT_TRUE(std::isfinite(shape.origin[a])) << scene.name;
        ASSERT_TRUE(std::isfinite(shape.inverse_cell[a])) << scene.name;
        ASSERT_GT(shape.inverse_cell[a], 0.0f) << scene.name;
        cells *= shape.cells[a];
    }
    const auto agents = static_cast<double>(scene.size());
    EXPECT_LE(shape.rows(), 4.0 * agents + 64.0) << scene.name;
    EXPECT_LE(cells, 8.0 * agents + 64.0) << scene.name;
}

TYPED_TEST(GridShapeTest, FitsEveryScene) {
    for (const std::string_view name : scenes::names()) {
        for (const std::size_t count : {1u, 2u, 300u, 5000u}) {
            auto scene = scenes::make<TypeParam::value>(name, count);
            expect_fit(scene);
        }
    }
}

TYPED_TEST(GridShapeTest, FitsCrowdsWithOneFarAway) {
    for (const float outlier : {1e3f, 1e9f, kLargest, -kLargest}) {
        auto scene = scenes::make_uniform<TypeParam::value>(1000);
        scene.add(Point<TypeParam::value>::all(outlier));
        expect_fit(scene);
    }
}

TYPED_TEST(GridShapeTest, FitsTheVerySmall) {
    using P = Point<TypeParam::value>;
    constexpr float kTiny = std::numeric_limits<float>::denorm_min();
    for (const float extent : {kTiny, 1e-40f, 1e-38f, 1e-20f, 1e-9f}) {
        scenes::Scene<TypeParam::value> scene;
        scene.name = "from 0 to " + std::to_string(std::bit_cast<std::uint32_t>(extent));
        scene.add(P::all(0.0f));
        scene.add(P::all(extent));
        expect_fit(scene);
    }
}

TYPED_TEST(GridShapeTest, FitsAUniformCrowdWithAFewAgentsACell) {
    auto scene = scenes::make_uniform<TypeParam::value>(10'000);
    const auto [shape, status] = shape_for(scene.agents());
    ASSERT_TRUE(status.ok());
    EXPECT_GE(std::uint64_t{shape.rows()} * shape.cells[0], 10'000u / 64u);
}

/// The coarse grid that finds where agents live must not have more cells than agents: to it, the
/// world of a small crowd would be mostly empty.
TYPED_TEST(GridShapeTest, FitsSmallCrowdsLikeLargeOnes) {
    for (const std::size_t count : {100u, 300u, 1000u, 3000u, 10'000u, 30'000u}) {
        auto scene = scenes::make_uniform<TypeParam::value>(count);
        const auto [shape, status] = shape_for(scene.agents());
        ASSERT_TRUE(status.ok());
        // One agent on each unit of area or volume: cells of half a unit, rows of two.
        for (std::size_t a = 0; a < TypeParam::value; ++a) {
            const float width = 1.0f / shape.inverse_cell[a];
            EXPECT_NEAR(width, a == 0 ? 0.5f : 2.0f, 0.15f * width) << count << " " << a;
        }
    }
}

TEST(GridShapeTest, FitsACrowdOnFlatGroundAsInThePlane) {
    for (const std::size_t count : {300u, 1000u}) {
        auto plane = scenes::make_clustered<2>(count);
        scenes::Scene<3> space;
        for (const Point<2>& at : plane.positions()) {
            space.add(Point<3>{at[0], at[1], 7.0f});
        }
        const auto flat = shape_for(space.agents());
        const auto wanted = shape_for(plane.agents());
        ASSERT_TRUE(flat.status.ok() && wanted.status.ok());
        for (std::size_t a = 0; a < 2; ++a) {
            EXPECT_EQ(flat.value.inverse_cell[a], wanted.value.inverse_cell[a]) << count;
        }
    }
}

TYPED_TEST(GridShapeTest, RefusesToFitWhatUpdateRefuses) {
    auto scene = scenes::make_uniform<TypeParam::value>(100);
    scene.position[1][42] = kNan;
    const auto made = shape_for(scene.agents());
    EXPECT_EQ(made.status, (Status{Cause::not_finite, Argument::positions, 42}));
    EXPECT_EQ(made.value, GridShape<TypeParam::value>{});
}

/// One agent in a million must not make the cells useless for all others.
TEST(GridShapeTest, FitsTheCrowdAndNotWhoIsFarAway) {
    for (const float far : {1e3f, 1e5f, 1e7f, 1e15f, -1e15f}) {
        std::vector<float> x, y;
        for (int i = 0; i < 10'000; ++i) {
            x.push_back(static_cast<float>(i % 100));
            y.push_back(static_cast<float>(i / 100));
        }
        x.push_back(far);
        y.push_back(far);
        Agents<2> agents;
        agents.positions = PointView<2>::separate({x.data(), y.data()}, x.size());
        RowGrid<2> grid;
        ASSERT_TRUE(grid.update(agents).ok());
        const QueryStats stats = grid.explain(Ball<2>{{50.0f, 50.0f}, 2.0f});
        EXPECT_EQ(stats.hits, 13u) << far;
        EXPECT_LT(stats.tested, 100u) << far;
        EXPECT_EQ(grid.count(Ball<2>{{far, far}, 1.0f}).count, 1u) << far;
    }
}

TEST(GridShapeTest, WaitsForAgentsToFit) {
    RowGrid<2> grid;
    ASSERT_TRUE(grid.update(Agents<2>{}).ok());
    EXPECT_EQ(grid.shape(), GridShape<2>{});
    const float x[] = {0.0f, 9.0f, 3.0f, 4.0f};
    Agents<2> agents;
    agents.positions = PointView<2>::interleaved(x, 2);
    ASSERT_TRUE(grid.update(agents).ok());
    EXPECT_GT(grid.shape().cells[0], 1u);
    EXPECT_EQ(grid.size(), 2u);
}

} // namespace
} // namespace throng
