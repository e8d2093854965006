// Bounds of places around a brick: tested on both sides of each bound, one float apart.
#include <throng/distributed/store/reach.hpp>

#include "../support/dims.hpp"
#include "../support/numbers.hpp"
#include "../support/random.hpp"

#include <gtest/gtest.h>

#include <throng/engine/agents/grid_shape.hpp>

namespace throng {
namespace {

using test::kInfinity;

template <class Dim>
class Reach : public testing::Test {};
TYPED_TEST_SUITE(Reach, test::Dims, test::DimNames);

TYPED_TEST(Reach, BoundsAreExact) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(kDim);
    for (int turn = 0; turn < 200; ++turn) {
        const float side = random.between(5.0f, 300.0f);
        const float low = random.between(-400.0f, 400.0f);
        const auto laid = shape_over(Box<kDim>{Point<kDim>::all(low), Point<kDim>::all(low + side)},
                                     Point<kDim>::all(random.between(0.3f, 2.0f)));
        ASSERT_TRUE(laid.status.ok());
        const GridShape<kDim>& shape = laid.value;
        const float reach = turn % 10 == 0 ? 0.0f : random.between(0.0f, 4.0f);
        Brick<kDim> brick;
        for (std::size_t a = 0; a < kDim; ++a) {
            const auto cells = static_cast<float>(shape.cells[a]);
            brick.first[a] = static_cast<std::uint32_t>(random.between(0.0f, cells - 0.5f));
            const auto most = static_cast<float>(shape.cells[a] - brick.first[a]);
            brick.cells[a] = 1 + static_cast<std::uint32_t>(random.between(0.0f, most - 0.5f));
        }
        for (const Around around : {Around::in_reach, Around::owned, Around::inner}) {
            const Box<kDim> box = places(around, shape, brick, reach);
            for (std::size_t a = 0; a < kDim; ++a) {
                const std::uint32_t first = brick.first[a], past = first + brick.cells[a];
                const auto far = [&](float x) {
                    return static_cast<double>(around) * reach_at(x, reach);
                };
                const auto above = [&](float x) {
                    return shape.cell_on(a, static_cast<float>(x - far(x))) >= first;
                };
                const auto below = [&](float x) {
                    return shape.cell_on(a, static_cast<float>(x + far(x))) < past;
                };
                if (box.lo[a] <= kLargest) { EXPECT_TRUE(above(box.lo[a])); }
                if (box.hi[a] >= -kLargest) { EXPECT_TRUE(below(box.hi[a])); }
                if (first != 0) { EXPECT_FALSE(above(std::nextafter(box.lo[a], -kInfinity))); }
                if (past != shape.cells[a]) {
                    EXPECT_FALSE(below(std::nextafter(box.hi[a], kInfinity)));
                }
                if (first == 0) { EXPECT_EQ(box.lo[a], -kLargest); }
                if (past == shape.cells[a]) { EXPECT_EQ(box.hi[a], kLargest); }
            }
        }
    }
}

TYPED_TEST(Reach, ABrickWithoutCellsHasNoPlaces) {
    constexpr std::size_t kDim = TypeParam::value;
    const auto [shape, status] =
        shape_over(Box<kDim>{{}, Point<kDim>::all(8.0f)}, Point<kDim>::all(1.0f));
    ASSERT_TRUE(status.ok());
    const Box<kDim> box = places(Around::owned, shape, Brick<kDim>{}, 1.0f);
    EXPECT_FALSE(holds(box, Point<kDim>::all(4.0f)));
    EXPECT_FALSE(holds(box, Point<kDim>::all(-kLargest)));
}

/// Four boxes tested at once give the result of one at a time: for any number of boxes, on the
/// bounds, and for NaN.
TYPED_TEST(Reach, ManyBoxesAreAsOneAtATime) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(7 * kDim);
    for (std::size_t count = 0; count < 11; ++count) {
        std::vector<Box<kDim>> boxes;
        std::vector<FourBoxes<kDim>> fours;
        for (std::size_t n = 0; n < count; ++n) {
            Box<kDim> box;
            for (std::size_t a = 0; a < kDim; ++a) {
                box.lo[a] = static_cast<float>(static_cast<int>(random.between(0.0f, 5.0f)));
                box.hi[a] = box.lo[a] + static_cast<float>(static_cast<int>(random.between(0, 5)));
            }
            add_box(fours, n, box);
            boxes.push_back(box);
        }
        for (int turn = 0; turn < 200; ++turn) {
            Point<kDim> place;
            for (std::size_t a = 0; a < kDim; ++a) {
                place[a] = static_cast<float>(static_cast<int>(random.between(0.0f, 9.0f)));
            }
            if (turn % 20 == 0) { place[static_cast<std::size_t>(turn) % kDim] = test::kNan; }
            std::vector<std::uint32_t> wanted, got;
            for (std::size_t n = 0; n < count; ++n) {
                if (holds(boxes[n], place)) { wanted.push_back(static_cast<std::uint32_t>(n)); }
            }
            for_each_that_holds(fours, place, [&](std::uint32_t n) { got.push_back(n); });
            ASSERT_EQ(got, wanted);
        }
    }
}

} // namespace
} // namespace throng
