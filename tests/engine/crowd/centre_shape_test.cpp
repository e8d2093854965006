// The cells of giants' centres: how many there are, and what they do not depend on.
#include "../../../engine/crowd/large/centre_shape.hpp"
#include "../../support/dims.hpp"
#include "../../support/random.hpp"

#include <throng/engine/core/limits.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace throng {
namespace {

template <std::size_t Dim>
struct Centres {
    std::array<std::vector<float>, Dim> axis;

    void add(const Point<Dim>& point) {
        for (std::size_t a = 0; a < Dim; ++a) {
            axis[a].push_back(point[a]);
        }
    }
    [[nodiscard]] GridShape<Dim> shape() const {
        std::array<const float*, Dim> axes;
        for (std::size_t a = 0; a < Dim; ++a) {
            axes[a] = axis[a].data();
        }
        const auto [shape, status] =
            shape_of_centres(PointView<Dim>::separate(axes, axis[0].size()));
        EXPECT_EQ(status, Status{});
        EXPECT_EQ(check_shape(shape), Status{});
        return shape;
    }
};

template <std::size_t Dim>
Centres<Dim> spread(std::size_t count, float size, std::uint64_t seed) {
    scenes::Random random(seed);
    Centres<Dim> centres;
    for (std::size_t i = 0; i < count; ++i) {
        Point<Dim> point;
        for (float& x : point.axis) {
            x = size * random.unit();
        }
        centres.add(point);
    }
    return centres;
}

template <std::size_t Dim>
double cells_of(const GridShape<Dim>& shape) {
    double cells = 1.0;
    for (const std::uint32_t on_axis : shape.cells) {
        cells *= on_axis;
    }
    return cells;
}

template <class D>
class CentreShape : public testing::Test {};
TYPED_TEST_SUITE(CentreShape, test::Dims, test::DimNames);

TYPED_TEST(CentreShape, HasAboutOneCellForEachCentre) {
    constexpr std::size_t kDim = TypeParam::value;
    for (std::size_t count = 64; count < 100'000; count += count / 3) {
        const double each =
            cells_of(spread<kDim>(count, 500.0f, count).shape()) / static_cast<double>(count);
        EXPECT_GE(each, kDim == 2 ? 1.0 : 0.5) << count;
        EXPECT_LE(each, kDim == 2 ? 2.0 : 1.0) << count;
    }
}

TYPED_TEST(CentreShape, IsNotWidenedByTwoThatAreFarAway) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const float far : {-1e4f, 1e6f, kLargest}) {
        Centres<kDim> centres = spread<kDim>(400, 100.0f, 3);
        centres.add(Point<kDim>::all(far));
        centres.add(Point<kDim>::all(0.99f * far));
        const GridShape<kDim> shape = centres.shape();
        for (std::size_t a = 0; a < kDim; ++a) {
            EXPECT_GE(shape.origin[a], -13.0f);
            EXPECT_LE(static_cast<float>(shape.cells[a]) / shape.inverse_cell[a], 126.0f);
        }
    }
}

TYPED_TEST(CentreShape, IsSoundWhereverTheyAre) {
    constexpr std::size_t kDim = TypeParam::value;
    constexpr std::array kSizes = {0.0f, 1e-45f, 1e-30f, 1e-9f, 1.0f, 1e9f, kLargest};
    constexpr std::array kPlaces = {0.0f, -0.0f, -1.0f, 1e6f, -kLargest, kLargest};
    for (const float size : kSizes) {
        for (const float place : kPlaces) {
            Centres<kDim> centres = spread<kDim>(200, 1.0f, 5);
            for (std::size_t a = 0; a < kDim; ++a) {
                for (float& x : centres.axis[a]) {
                    x = std::clamp(place + (a == 1 ? size * x : size), -kLargest, kLargest);
                }
            }
            EXPECT_LE(cells_of(centres.shape()), 512.0) << size << " at " << place;
        }
    }
}

// Whether 0 or -0 counts as the lowest depends on the standard library, and must not show.
TYPED_TEST(CentreShape, HasOneZero) {
    constexpr std::size_t kDim = TypeParam::value;
    Centres<kDim> one, other;
    for (int i = 0; i < 100; ++i) {
        one.add(Point<kDim>::all(i % 2 == 0 ? 0.0f : -0.0f));
        other.add(Point<kDim>::all(0.0f));
    }
    for (std::size_t a = 0; a < kDim; ++a) {
        EXPECT_FALSE(std::signbit(one.shape().origin[a]));
    }
    EXPECT_EQ(one.shape(), other.shape());
}

TYPED_TEST(CentreShape, MostlyStaysFromFrameToFrame) {
    constexpr std::size_t kDim = TypeParam::value;
    Centres<kDim> centres = spread<kDim>(300, 200.0f, 7);
    scenes::Random random(9);
    GridShape<kDim> before = centres.shape();
    int changes = 0;
    for (int frame = 0; frame < 200; ++frame) {
        for (auto& axis : centres.axis) {
            for (float& x : axis) {
                x += random.between(-0.1f, 0.1f);
            }
        }
        const GridShape<kDim> now = centres.shape();
        changes += now != before ? 1 : 0;
        before = now;
    }
    EXPECT_LE(changes, 10);
}

} // namespace
} // namespace throng
