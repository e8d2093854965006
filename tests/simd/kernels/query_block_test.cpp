// Where the query kernels write: never past their room and slack, in buffers of any size. Answers
// are compared with brute force by tests/engine/grid/query_test.cpp.
#include "../../../simd/views/query_block.hpp"

#include "../../../simd/isa/slack.hpp"
#include "../../../simd/views/query_one.hpp"
#include "../../support/dims.hpp"
#include "../../support/numbers.hpp"
#include "alone.hpp"
#include "guarded.hpp"
#include "tiny_grid.hpp"

#include <throng/engine/agents/box.hpp>
#include <throng/engine/shapes/ball.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace throng {
namespace {

constexpr std::size_t kLargestBuffer = 130;
using test::kCanary;
using test::kLargestRoom;
using test::kNan;
constexpr simd::KernelFilter kNoFilter = {~0u, ~0u, kNoRow};
using test::Ids;
using test::TinyGrid;

/// A block of these boxes. Values past the last one must not matter, so they are NaN.
template <std::size_t Dim>
simd::BoxBlock<Dim> block_of(const std::vector<Box<Dim>>& boxes) {
    simd::BoxBlock<Dim> block;
    for (std::size_t a = 0; a < Dim; ++a) {
        std::fill(std::begin(block.lo[a]), std::end(block.lo[a]), kNan);
        std::fill(std::begin(block.hi[a]), std::end(block.hi[a]), kNan);
        for (std::size_t q = 0; q < boxes.size(); ++q) {
            block.lo[a][q] = boxes[q].lo[a];
            block.hi[a][q] = boxes[q].hi[a];
        }
    }
    return block;
}
template <std::size_t Dim>
simd::BallBlock<Dim> block_of(const std::vector<Ball<Dim>>& balls) {
    simd::BallBlock<Dim> block;
    std::fill(std::begin(block.radius), std::end(block.radius), kNan);
    std::fill(std::begin(block.radius2), std::end(block.radius2), kNan);
    for (std::size_t a = 0; a < Dim; ++a) {
        std::fill(std::begin(block.centre[a]), std::end(block.centre[a]), kNan);
        for (std::size_t q = 0; q < balls.size(); ++q) {
            block.centre[a][q] = balls[q].centre[a];
            block.radius[q] = balls[q].radius;
            block.radius2[q] = balls[q].radius * balls[q].radius;
        }
    }
    return block;
}

/// Small boxes with few hits or none, large ones, and one with all agents.
template <std::size_t Dim>
std::vector<Box<Dim>> boxes_for(const TinyGrid<Dim>& grid) {
    std::vector<Box<Dim>> boxes;
    for (std::size_t i = 0; i < 21; ++i) {
        const float half = i % 7 == 6 ? 3.0f : 0.4f * static_cast<float>(i % 4);
        boxes.push_back(Box<Dim>::around(grid.position[i * 7 + 1], Point<Dim>::all(half)));
    }
    boxes[5] = {Point<Dim>::all(5.0f), Point<Dim>::all(4.0f)};
    boxes.push_back({Point<Dim>::all(-1.0f), Point<Dim>::all(9.0f)});
    return boxes;
}
template <std::size_t Dim>
std::vector<Ball<Dim>> balls_for(const TinyGrid<Dim>& grid) {
    std::vector<Ball<Dim>> balls;
    for (std::size_t i = 0; i < 21; ++i) {
        const float radius = i % 7 == 6 ? 3.5f : 0.5f * static_cast<float>(i % 4);
        balls.push_back({grid.position[i * 7 + 1], radius});
    }
    balls.push_back({Point<Dim>::all(4.0f), 20.0f});
    return balls;
}

/// With every room from none to more than enough.
template <std::size_t Dim, class Shape>
void check_batch(const TinyGrid<Dim>& grid, const std::vector<Shape>& shapes) {
    const auto block = block_of(shapes);
    Ids all;
    std::vector<std::uint64_t> ends;
    for (const Shape& shape : shapes) {
        const Ids ids = grid.wanted(shape);
        all.insert(all.end(), ids.begin(), ids.end());
        ends.push_back(all.size());
    }
    // Kernels want more room than they need in the end, but the excess has a bound.
    const std::size_t most = all.size() + 4096;
    const test::Guarded<std::uint32_t> buffer(most + simd::kSlack);
    const test::Guarded<std::uint64_t> offsets(shapes.size() + 1);
    std::size_t answered_with_all = 0;
    for (std::size_t capacity = 0; capacity <= most;
         capacity = capacity == kLargestRoom ? most : capacity + 1) {
        // Every number of queries, too: lanes past the last query must not matter.
        const std::size_t count = capacity == most ? shapes.size() : capacity % shapes.size() + 1;
        simd::BatchOutput out{buffer.last(capacity + simd::kSlack), capacity, 0, offsets.begin()};
        std::fill(buffer.begin(), buffer.end(), kCanary);
        std::fill(offsets.begin(), offsets.end(), 77u);
        const std::size_t answered = simd::query_block(grid.view, block, count, kNoFilter, out);
        ASSERT_LE(answered, count);
        ASSERT_LE(out.used, capacity);
        ASSERT_EQ(out.used, answered == 0 ? 0 : ends[answered - 1]);
        ASSERT_TRUE(std::equal(out.ids, out.ids + out.used, all.begin())) << "room " << capacity;
        ASSERT_EQ(std::count(buffer.begin(), out.ids, kCanary), out.ids - buffer.begin());
        ASSERT_TRUE(std::equal(ends.begin(), ends.begin() + static_cast<std::ptrdiff_t>(answered),
                               offsets.begin() + 1));
        // Offsets of queries past `count` must not change.
        ASSERT_EQ(std::count(offsets.begin() + count + 1, offsets.end(), 77u),
                  offsets.end() - (offsets.begin() + count + 1));
        answered_with_all = answered;
    }
    EXPECT_EQ(answered_with_all, shapes.size()) << "there was room enough for all";
}

/// One query in buffers of every size, each filled until all hits are out.
template <std::size_t Dim, class Shape>
void check_walk(const TinyGrid<Dim>& grid, const Shape& shape) {
    const auto question = test::alone(block_of(std::vector<Shape>{shape}));
    const Ids wanted = grid.wanted(shape);
    const test::Guarded<std::uint32_t> buffer(kLargestBuffer);
    for (std::size_t size = 0; size <= kLargestBuffer; ++size) {
        simd::QueryCursor cursor;
        Ids got;
        bool done = false;
        // A buffer shorter than a vector may allow no progress, so it is tried only once.
        for (int turn = 0; !done && (turn == 0 || size >= simd::kSlack); ++turn) {
            std::uint32_t* const begin = buffer.last(size);
            std::fill(buffer.begin(), buffer.end(), kCanary);
            cursor.out = begin;
            cursor.end = buffer.end();
            done = simd::query_one<simd::Form::ids>(grid.view, question, kNoFilter, cursor);
            ASSERT_GE(cursor.out, begin);
            ASSERT_LE(cursor.out, cursor.end);
            ASSERT_TRUE(done || cursor.out > begin || size < simd::kSlack) << "no progress";
            ASSERT_EQ(std::count(buffer.begin(), begin, kCanary), begin - buffer.begin());
            got.insert(got.end(), begin, cursor.out);
            ASSERT_LE(got.size(), wanted.size());
        }
        ASSERT_TRUE(std::equal(got.begin(), got.end(), wanted.begin())) << "buffers of " << size;
        if (done) {
            ASSERT_EQ(got.size(), wanted.size()) << "buffers of " << size;
        } else {
            // The remaining hits can be counted from this place on.
            ASSERT_LT(size, simd::kSlack);
            ASSERT_TRUE(
                (simd::query_one<simd::Form::count>(grid.view, question, kNoFilter, cursor)));
            ASSERT_EQ(got.size() + cursor.hits, wanted.size());
        }
    }
}

template <class D>
class Query : public testing::Test {};
TYPED_TEST_SUITE(Query, test::Dims, test::DimNames);

TYPED_TEST(Query, BatchesStayWithinRoomAndSlack) {
    for (const float width : test::kCellWidths) {
        const TinyGrid<TypeParam::value> grid(width);
        check_batch(grid, boxes_for(grid));
        check_batch(grid, balls_for(grid));
        // Most rows suit the straight path, but some have too many hits for it.
        constexpr auto kDim = TypeParam::value;
        const Point<kDim> knot = TinyGrid<kDim>::knot();
        check_batch(grid, std::vector(3, Box<kDim>::around(knot, Point<kDim>::all(0.4f))));
        check_batch(grid, std::vector(3, Ball<kDim>{knot, 0.5f}));
    }
}

TYPED_TEST(Query, WalksWriteNothingFromTheirEndOn) {
    for (const float width : test::kCellWidths) {
        const TinyGrid<TypeParam::value> grid(width);
        for (const auto& box : boxes_for(grid)) {
            check_walk(grid, box);
        }
        for (const auto& ball : balls_for(grid)) {
            check_walk(grid, ball);
        }
    }
}

TYPED_TEST(Query, AnyStopsAtTheFirstVectorWithAHit) {
    constexpr auto kDim = TypeParam::value;
    const TinyGrid<kDim> grid(1.0f);
    const auto ball = Ball<kDim>{TinyGrid<kDim>::knot(), 0.5f};
    ASSERT_GT(grid.wanted(ball).size(), simd::kSlack) << "more than a vector";
    simd::QueryCursor cursor;
    const auto question = test::alone(block_of(std::vector{ball}));
    EXPECT_TRUE((simd::query_one<simd::Form::any>(grid.view, question, kNoFilter, cursor)));
    EXPECT_GT(cursor.hits, 0u);
    EXPECT_LE(cursor.hits, simd::kSlack);
}

TYPED_TEST(Query, TheGridHasRowsOfBothForms) {
    using Store = RowStore<TypeParam::value>;
    for (const float width : test::kCellWidths) {
        const TinyGrid<TypeParam::value> grid(width);
        std::size_t empty = 0, trimmed = 0, full = 0;
        for (const simd::Row& row : grid.store.rows()) {
            if (row.words == nullptr) {
                ++empty;
            } else {
                ++(Store::is_trimmed(row) ? trimmed : full);
            }
        }
        EXPECT_GT(empty, 0u);
        EXPECT_GT(width < 0.1f ? trimmed : full, 0u);
    }
}

} // namespace
} // namespace throng
