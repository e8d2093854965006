// Where the query kernels write: never beyond their room and slack, whatever the size of the
// buffer. What they find, engine/row_grid_query_test.cpp compares with brute force.
#include "../../simd/query.hpp"

#include "../../engine/row_store.hpp"
#include "../../simd/slack.hpp"
#include "../support/dims.hpp"
#include "../support/random.hpp"
#include "guarded.hpp"

#include <throng/engine/ball.hpp>
#include <throng/engine/box.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <tuple>
#include <vector>

namespace throng {
namespace {

constexpr std::size_t kLargestBuffer = 130;
constexpr std::size_t kLargestRoom = 300; // more than the knot has agents
constexpr std::uint32_t kCanary = 0xC0FF'EE00u;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr simd::LeaveOut kNobodyOut = {~0u, ~0u, kNoRow};
using Ids = std::vector<std::uint32_t>;

/// A few rows, made without an update: some empty, some with few agents in many cells, some full,
/// and a knot of agents that one row has four fifths of and the next the rest.
template <std::size_t Dim>
struct TinyGrid {
    static constexpr std::size_t kSpread = 200, kAgents = 400;
    static Point<Dim> knot() noexcept {
        Point<Dim> point = Point<Dim>::all(3.0f);
        point[1] = 3.86f;
        return point;
    }

    std::vector<Point<Dim>> position; // by id
    Ids order;                        // by row, cell, id
    Point<Dim> half = Point<Dim>::all(0.25f);
    RowStore<Dim> store;
    std::array<const std::uint64_t*, HierarchicalBitset::kMaxLevels> levels{};
    simd::GridView<Dim> view{};

    explicit TinyGrid(float cell_width) {
        scenes::Random random(17);
        Point<Dim> cell = Point<Dim>::all(2.0f);
        cell[0] = cell_width;
        const auto made = shape_over<Dim>({Point<Dim>::all(0.0f), Point<Dim>::all(8.0f)}, cell);
        const GridShape<Dim>& shape = made.shape;
        for (std::size_t i = 0; i < kAgents; ++i) {
            Point<Dim> point;
            for (float& x : point.axis) {
                // A third of them where rows are few, so that those are long.
                x = i % 3 == 0 ? random.between(5.0f, 6.9f) : random.between(0.0f, 8.0f);
            }
            if (i >= kSpread) {
                for (std::size_t a = 0; a < Dim; ++a) {
                    point[a] = knot()[a] + random.between(-0.2f, 0.22f);
                }
            }
            if (point[1] >= 6.0f) { point[1] -= 4.0f; } // the last row of each plane stays empty
            position.push_back(point);
            order.push_back(static_cast<std::uint32_t>(i));
        }
        const auto key = [&](std::uint32_t id) {
            const Point<Dim>& p = position[id];
            return std::tuple(shape.row_of(p), shape.cell_on(0, p[0]), id);
        };
        std::sort(order.begin(), order.end(),
                  [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });

        const CrowdKind<Dim> kind{false, false, half};
        store = RowStore<Dim>(shape, kind);
        WordBuffer slab;
        slab.reserve(16'384);
        std::fill_n(slab.data(), slab.size(), std::bit_cast<std::uint32_t>(3.0f)); // all would hit
        std::uint32_t* words = slab.data();
        store.restart(kind, std::move(slab));
        for (std::size_t i = 0; i < order.size();) {
            const std::uint32_t r = shape.row_of(position[order[i]]);
            std::size_t past = i;
            while (past < order.size() && shape.row_of(position[order[past]]) == r) {
                ++past;
            }
            const auto cell_of = [&](std::size_t at) {
                return shape.cell_on(0, position[order[at]][0]);
            };
            const auto count = static_cast<std::uint32_t>(past - i);
            words +=
                store.place(r, words, count,
                            TableForm::of(count, cell_of(i), cell_of(past - 1), shape.cells[0]));
            const simd::Row& row = store.rows()[r];
            for (std::uint32_t slot = 0; slot < count; ++slot) {
                const std::uint32_t id = order[i + slot];
                for (std::size_t a = 0; a < Dim; ++a) {
                    store.field(row, a)[slot] = std::bit_cast<std::uint32_t>(position[id][a]);
                }
                store.field(row, simd::Fields<Dim>::kId)[slot] = id;
            }
            store.write_table(row);
            i = past;
        }
        store.all_placed();
        see();
    }

    void see() {
        levels = store.occupied().levels();
        view.rows = store.rows().data();
        view.occupied = levels.data();
        view.occupied_depth = store.occupied().depth();
        view.row_count = static_cast<std::uint32_t>(store.rows().size());
        const GridShape<Dim>& shape = store.shape();
        for (std::size_t a = 0; a < Dim; ++a) {
            view.origin[a] = shape.origin[a];
            view.inverse_cell[a] = shape.inverse_cell[a];
            view.last_cell[a] = static_cast<float>(shape.cells[a] - 1);
            view.cells[a] = shape.cells[a];
            view.reach[a] = half[a];
        }
        view.full_table = TableForm{}.words(shape.cells[0]);
    }

    template <class Shape>
    [[nodiscard]] Ids wanted(const Shape& shape) const {
        Ids ids;
        for (const std::uint32_t id : order) {
            if (hits(shape, position[id])) { ids.push_back(id); }
        }
        return ids;
    }
    [[nodiscard]] bool hits(const Box<Dim>& box, const Point<Dim>& p) const {
        return overlaps(box, p, half);
    }
    [[nodiscard]] bool hits(const Ball<Dim>& ball, const Point<Dim>& p) const {
        return contains(ball, p);
    }
};

/// A block of these; what is beyond the last has no say, so it is NaN.
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

/// Small ones, which find none or a few; large ones; and one that finds all.
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

/// Every room from none to more than enough.
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
    // Kernels want more room than they turn out to need, but not without bound.
    const std::size_t most = all.size() + 4096;
    const test::Guarded<std::uint32_t> buffer(most + simd::kSlack);
    const test::Guarded<std::uint64_t> offsets(shapes.size() + 1);
    std::size_t answered_with_all = 0;
    for (std::size_t capacity = 0; capacity <= most;
         capacity = capacity == kLargestRoom ? most : capacity + 1) {
        // Every count of queries, too: what is in the lanes past the last one has no say.
        const std::size_t count = capacity == most ? shapes.size() : capacity % shapes.size() + 1;
        simd::BatchOutput out{buffer.last(capacity + simd::kSlack), capacity, 0, offsets.begin()};
        std::fill(buffer.begin(), buffer.end(), kCanary);
        std::fill(offsets.begin(), offsets.end(), 77u);
        const std::size_t answered = simd::select_batch(grid.view, block, count, kNobodyOut, out);
        ASSERT_LE(answered, count);
        ASSERT_LE(out.used, capacity);
        ASSERT_EQ(out.used, answered == 0 ? 0 : ends[answered - 1]);
        ASSERT_TRUE(std::equal(out.ids, out.ids + out.used, all.begin())) << "room " << capacity;
        ASSERT_EQ(std::count(buffer.begin(), out.ids, kCanary), out.ids - buffer.begin());
        ASSERT_TRUE(std::equal(ends.begin(), ends.begin() + static_cast<std::ptrdiff_t>(answered),
                               offsets.begin() + 1));
        // Offsets of queries that were not asked stay as they were.
        ASSERT_EQ(std::count(offsets.begin() + count + 1, offsets.end(), 77u),
                  offsets.end() - (offsets.begin() + count + 1));
        answered_with_all = answered;
    }
    EXPECT_EQ(answered_with_all, shapes.size()) << "there was room enough for all";
}

/// One walk through buffers of every size.
template <std::size_t Dim, class Shape>
void check_walk(const TinyGrid<Dim>& grid, const Shape& shape) {
    const auto block = block_of(std::vector<Shape>{shape});
    const Ids wanted = grid.wanted(shape);
    const test::Guarded<std::uint32_t> buffer(kLargestBuffer);
    for (std::size_t size = 0; size <= kLargestBuffer; ++size) {
        simd::Walk walk;
        Ids got;
        bool done = false;
        // Less than a vector may not be enough for any progress, so then only once.
        for (int turn = 0; !done && (turn == 0 || size >= simd::kSlack); ++turn) {
            std::uint32_t* const begin = buffer.last(size);
            std::fill(buffer.begin(), buffer.end(), kCanary);
            walk.out = begin;
            walk.end = buffer.end();
            done = simd::walk<simd::Form::ids>(grid.view, block, kNobodyOut, walk);
            ASSERT_GE(walk.out, begin);
            ASSERT_LE(walk.out, walk.end);
            ASSERT_TRUE(done || walk.out > begin || size < simd::kSlack) << "no progress";
            ASSERT_EQ(std::count(buffer.begin(), begin, kCanary), begin - buffer.begin());
            got.insert(got.end(), begin, walk.out);
            ASSERT_LE(got.size(), wanted.size());
        }
        ASSERT_TRUE(std::equal(got.begin(), got.end(), wanted.begin())) << "buffers of " << size;
        if (done) {
            ASSERT_EQ(got.size(), wanted.size()) << "buffers of " << size;
        } else {
            // What is left can be counted from here on.
            ASSERT_LT(size, simd::kSlack);
            ASSERT_TRUE((simd::walk<simd::Form::count>(grid.view, block, kNobodyOut, walk)));
            ASSERT_EQ(got.size() + walk.hits, wanted.size());
        }
    }
}

template <class D>
class Query : public testing::Test {};
TYPED_TEST_SUITE(Query, test::Dims, test::DimNames);

/// So wide that rows have a full table, and so narrow that they have a trimmed one.
constexpr float kCellWidths[] = {1.0f, 0.01f};

TYPED_TEST(Query, BatchesStayWithinRoomAndSlack) {
    for (const float width : kCellWidths) {
        const TinyGrid<TypeParam::value> grid(width);
        check_batch(grid, boxes_for(grid));
        check_batch(grid, balls_for(grid));
        // Rows with too much for the straight path, amid others that it does take.
        constexpr auto kDim = TypeParam::value;
        const Point<kDim> knot = TinyGrid<kDim>::knot();
        check_batch(grid, std::vector(3, Box<kDim>::around(knot, Point<kDim>::all(0.4f))));
        check_batch(grid, std::vector(3, Ball<kDim>{knot, 0.5f}));
    }
}

TYPED_TEST(Query, WalksWriteNothingFromTheirEndOn) {
    for (const float width : kCellWidths) {
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
    simd::Walk walk;
    const auto block = block_of(std::vector{ball});
    EXPECT_TRUE((simd::walk<simd::Form::any>(grid.view, block, kNobodyOut, walk)));
    EXPECT_GT(walk.hits, 0u);
    EXPECT_LE(walk.hits, simd::kSlack);
}

TYPED_TEST(Query, TheGridHasRowsOfBothForms) {
    using Store = RowStore<TypeParam::value>;
    for (const float width : kCellWidths) {
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
