// The map from places to rows and cells, in lanes, against GridShape's own.
#include "../../../simd/kernels/grid/locate.hpp"

#include "../../../simd/isa/slack.hpp"
#include "../../support/dims.hpp"
#include "../../support/numbers.hpp"
#include "../../support/random.hpp"
#include "guarded.hpp"

#include <throng/engine/agents/grid_shape.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace throng {
namespace {

constexpr std::size_t kMostPlaces = 70;
using test::kCanary;
using test::kInfinity;
using test::kNan;

template <std::size_t Dim>
simd::CellMap<Dim> map_of(const GridShape<Dim>& shape) {
    simd::CellMap<Dim> map{};
    for (std::size_t a = 0; a < Dim; ++a) {
        map.origin[a] = shape.origin[a];
        map.inverse_cell[a] = shape.inverse_cell[a];
        map.first_cell[a] = static_cast<float>(shape.first[a]);
        map.last_cell[a] = static_cast<float>(shape.first[a] + shape.cells[a] - 1);
        map.cells[a] = shape.cells[a];
    }
    return map;
}

template <std::size_t Dim>
std::vector<GridShape<Dim>> shapes() {
    std::vector<GridShape<Dim>> all;
    const auto add = [&](float lo, float hi, const std::array<float, 3>& cell) {
        Point<Dim> size;
        std::copy_n(cell.begin(), Dim, size.axis.begin());
        const auto made = shape_over<Dim>({Point<Dim>::all(lo), Point<Dim>::all(hi)}, size);
        EXPECT_TRUE(made.status.ok());
        all.push_back(made.value);
    };
    add(0.0f, 16.0f, {1.0f, 1.0f, 1.0f});
    add(-7.3f, 91.7f, {0.1f, 3.7f, 0.7f});
    add(0.0f, 0.0f, {1.0f, 1.0f, 1.0f});
    add(-1e18f, 1e18f, {1e15f, 1e16f, 1e16f});
    add(0.0f, 16'000'000.0f, {1.0f, 62'500.0f, 62'500.0f}); // as many cells as floats can count
    add(1e6f, 1e6f + 64.0f, {0.01f, 0.3f, 0.3f});           // cells smaller than the step of floats
    add(0.0f, 1e-3f, {1e-5f, 1e-5f, 1e-5f});
    // Windows: the last third of each grid, and a part of its middle.
    for (std::size_t i = 0, wholes = all.size(); i < wholes; ++i) {
        std::array<std::uint32_t, Dim> last{}, middle{}, rest{}, some{};
        for (std::size_t a = 0; a < Dim; ++a) {
            const std::uint32_t cells = all[i].cells[a];
            last[a] = 2 * (cells / 3);
            rest[a] = cells - last[a];
            middle[a] = cells / 2;
            some[a] = cells / 4 + 1;
        }
        for (const auto& made : {window_in(all[i], last, rest), window_in(all[i], middle, some)}) {
            EXPECT_TRUE(made.status.ok());
            all.push_back(made.value);
        }
    }
    return all;
}

/// Ordinary places, edges of cells and the floats beside them, and the largest floats.
template <std::size_t Dim>
float coordinate(const GridShape<Dim>& shape, std::size_t a, scenes::Random& random) {
    const float side = static_cast<float>(shape.cells[a]) / shape.inverse_cell[a];
    const float edge =
        shape.origin[a] + static_cast<float>(shape.first[a] + random.below(shape.cells[a] + 1)) /
                              shape.inverse_cell[a];
    constexpr float kSpecial[] = {0.0f,
                                  -0.0f,
                                  kLargest,
                                  -kLargest,
                                  std::numeric_limits<float>::min(),
                                  -std::numeric_limits<float>::denorm_min(),
                                  16'777'216.0f,
                                  2'147'483'648.0f,
                                  -2'147'483'904.0f,
                                  4'294'967'296.0f};
    float x = 0.0f;
    switch (random.below(6)) {
    case 0:
        x = edge;
        break;
    case 1:
        x = std::nextafter(edge, kInfinity);
        break;
    case 2:
        x = std::nextafter(edge, -kInfinity);
        break;
    case 3:
        x = kSpecial[random.below(std::size(kSpecial))];
        break;
    default:
        x = shape.origin[a] + static_cast<float>(shape.first[a]) / shape.inverse_cell[a] +
            side * random.between(-0.2f, 1.2f);
    }
    return std::clamp(x, -kLargest, kLargest);
}

template <std::size_t Dim>
using Columns = std::array<std::vector<float>, Dim>;

template <std::size_t Dim>
Columns<Dim> places(const GridShape<Dim>& shape, std::size_t count, std::uint64_t seed) {
    scenes::Random random(seed);
    Columns<Dim> columns;
    for (std::size_t a = 0; a < Dim; ++a) {
        for (std::size_t i = 0; i < count; ++i) {
            columns[a].push_back(coordinate(shape, a, random));
        }
        columns[a].resize(count + simd::kSlack, kNan); // values past the end must not matter
    }
    return columns;
}

template <std::size_t Dim>
bool locate(const GridShape<Dim>& shape, const Columns<Dim>& columns, std::size_t count,
            std::uint32_t* row) {
    const float* axis[Dim];
    for (std::size_t a = 0; a < Dim; ++a) {
        axis[a] = columns[a].data();
    }
    return simd::locate_rows(map_of(shape), axis, count, kLargest, row);
}

template <class D>
class Locate : public testing::Test {};
TYPED_TEST_SUITE(Locate, test::Dims, test::DimNames);

TYPED_TEST(Locate, RowsAreThoseOfTheShape) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const auto& shape : shapes<kDim>()) {
        for (std::size_t count = 0; count <= kMostPlaces; ++count) {
            const Columns<kDim> columns = places(shape, count, count + 1);
            std::vector<std::uint32_t> rows(count + simd::kSlack, kCanary);
            ASSERT_TRUE(locate(shape, columns, count, rows.data())) << count;
            for (std::size_t i = 0; i < count; ++i) {
                Point<kDim> point;
                for (std::size_t a = 0; a < kDim; ++a) {
                    point[a] = columns[a][i];
                }
                ASSERT_EQ(rows[i], shape.row_of(point)) << i << " of " << count;
            }
        }
    }
}

TYPED_TEST(Locate, CellsAreThoseOfTheShape) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const auto& shape : shapes<kDim>()) {
        for (std::size_t count = 0; count <= kMostPlaces; ++count) {
            const Columns<kDim> columns = places(shape, count, count + 100);
            std::vector<std::uint32_t> cells(count + simd::kSlack, kCanary);
            simd::locate_cells(map_of(shape), columns[0].data(), count, cells.data());
            for (std::size_t i = 0; i < count; ++i) {
                ASSERT_EQ(cells[i], shape.cell_on(0, columns[0][i])) << columns[0][i];
            }
        }
    }
}

TYPED_TEST(Locate, PutsWhatIsNoCoordinateIntoCellsThatThereAre) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const auto& shape : shapes<kDim>()) {
        std::vector<float> places(kMostPlaces + simd::kSlack, 0.0f);
        std::vector<std::uint32_t> cells(places.size(), kCanary);
        for (const float x : {kNan, -kNan, kInfinity, -kInfinity}) {
            std::fill_n(places.begin(), kMostPlaces, x);
            simd::locate_cells(map_of(shape), places.data(), kMostPlaces, cells.data());
            for (std::size_t i = 0; i < kMostPlaces; ++i) {
                ASSERT_EQ(cells[i], x > 0.0f ? shape.cells[0] - 1 : 0u) << x << " at " << i;
            }
        }
    }
}

TYPED_TEST(Locate, FlagsWhatIsNoCoordinate) {
    constexpr std::size_t kDim = TypeParam::value;
    const auto shape = shapes<kDim>()[1];
    const float too_large = std::nextafter(kLargest, kInfinity);
    std::vector<std::uint32_t> rows(kMostPlaces + simd::kSlack);
    for (std::size_t count = 1; count <= kMostPlaces; ++count) {
        Columns<kDim> columns = places(shape, count, count);
        for (std::size_t at = 0; at < count; ++at) {
            const std::size_t a = (at + count) % kDim;
            const float before = columns[a][at];
            for (const float x : {kNan, -kNan, kInfinity, -kInfinity, too_large, -too_large}) {
                columns[a][at] = x;
                ASSERT_FALSE(locate(shape, columns, count, rows.data()))
                    << x << " at " << at << " of " << count;
                ASSERT_LT(rows[at], shape.rows());
            }
            columns[a][at] = before;
        }
        ASSERT_TRUE(locate(shape, columns, count, rows.data()));
    }
}

TYPED_TEST(Locate, DoesNotFlagTheLargest) {
    constexpr std::size_t kDim = TypeParam::value;
    const auto shape = shapes<kDim>()[0];
    Columns<kDim> columns;
    for (std::size_t a = 0; a < kDim; ++a) {
        columns[a].assign(kMostPlaces + simd::kSlack, a == 0 ? kLargest : -kLargest);
    }
    std::vector<std::uint32_t> rows(kMostPlaces + simd::kSlack);
    EXPECT_TRUE(locate(shape, columns, kMostPlaces, rows.data()));
}

TYPED_TEST(Locate, TouchesNothingBeyondItsSlack) {
    constexpr std::size_t kDim = TypeParam::value;
    const auto shape = shapes<kDim>()[0];
    const test::Guarded<float> in(kMostPlaces + simd::kSlack);
    const test::Guarded<std::uint32_t> out(kMostPlaces + simd::kSlack);
    for (std::size_t count = 0; count <= kMostPlaces; ++count) {
        const float* const x = in.last(count + simd::kSlack);
        const float* axis[kDim];
        std::fill(std::begin(axis), std::end(axis), x);
        std::uint32_t* const rows = out.last(count + simd::kSlack);
        if (rows != out.begin()) { rows[-1] = kCanary; }
        EXPECT_TRUE(simd::locate_rows(map_of(shape), axis, count, kLargest, rows));
        simd::locate_cells(map_of(shape), x, count, rows);
        if (rows != out.begin()) { EXPECT_EQ(rows[-1], kCanary); }
    }
}

} // namespace
} // namespace throng
