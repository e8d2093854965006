// Counts and lists of queries in packets, equal to those of each query alone; nothing is read or
// written past the slack.
#include "../../../simd/views/query_block.hpp"

#include "../../../simd/isa/slack.hpp"
#include "../../support/dims.hpp"
#include "../../support/numbers.hpp"
#include "../../support/random.hpp"
#include "guarded.hpp"
#include "one_row.hpp"
#include "tiny_grid.hpp"

#include <throng/engine/agents/box.hpp>
#include <throng/engine/shapes/ball.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace throng {
namespace {

using test::kNan;
using test::TinyGrid;

template <std::size_t Dim>
void put(simd::BoxBlock<Dim>& block, std::size_t q, const Box<Dim>& box) {
    for (std::size_t a = 0; a < Dim; ++a) {
        block.lo[a][q] = box.lo[a];
        block.hi[a][q] = box.hi[a];
    }
}
template <std::size_t Dim>
void put(simd::BallBlock<Dim>& block, std::size_t q, const Ball<Dim>& ball) {
    for (std::size_t a = 0; a < Dim; ++a) {
        block.centre[a][q] = ball.centre[a];
    }
    block.radius[q] = ball.radius;
    block.radius2[q] = ball.radius * ball.radius;
}
template <std::size_t Dim>
simd::BoxBlock<Dim> block_for(const Box<Dim>&);
template <std::size_t Dim>
simd::BallBlock<Dim> block_for(const Ball<Dim>&);

template <std::size_t Dim>
bool hits(const TinyGrid<Dim>& grid, const Box<Dim>& box, std::uint32_t id) {
    return overlaps(box, grid.position[id], grid.half_of(id));
}
template <std::size_t Dim>
bool hits(const TinyGrid<Dim>& grid, const Ball<Dim>& ball, std::uint32_t id) {
    return contains(ball, grid.position[id]);
}

/// The hits of a query by a test of all agents.
template <std::size_t Dim, class Shape>
test::Ids truth(const TinyGrid<Dim>& grid, const Shape& shape, const simd::KernelFilter& out,
                std::size_t q) {
    const std::uint32_t without = out.each != nullptr ? out.each[q] : out.without;
    test::Ids ids;
    for (const std::uint32_t id : grid.order) {
        if (hits(grid, shape, id) && id != without && grid.takes_part(id, out.groups)) {
            ids.push_back(id);
        }
    }
    return ids;
}

/// Checks the lists of the first `count` queries with this room. Returns how many were answered.
template <class Block, std::size_t Dim>
std::size_t check_lists(const TinyGrid<Dim>& grid, const Block& block, std::size_t count,
                        const simd::KernelFilter& kernel_filter,
                        const std::vector<test::Ids>& wanted, std::size_t room) {
    const test::Guarded<std::uint32_t> ids(room + simd::kSlack);
    const test::Guarded<std::uint64_t> offsets(count + 1);
    simd::BatchOutput out{ids.begin(), room, 0, offsets.begin()};
    const std::size_t answered = simd::query_block(grid.view, block, count, kernel_filter, out);
    EXPECT_LE(answered, count);
    std::uint64_t used = 0;
    for (std::size_t q = 0; q < answered; ++q) {
        EXPECT_EQ(offsets.begin()[q + 1], used + wanted[q].size()) << "query " << q;
        if (offsets.begin()[q + 1] != used + wanted[q].size()) { return answered; }
        EXPECT_TRUE(std::equal(wanted[q].begin(), wanted[q].end(), ids.begin() + used))
            << "query " << q;
        used += wanted[q].size();
    }
    EXPECT_EQ(out.used, used);
    return answered;
}

/// Several numbers of queries, so that packets end at different places.
template <std::size_t Dim, class Shape>
void check(const TinyGrid<Dim>& grid, const std::vector<Shape>& shapes,
           const simd::KernelFilter& kernel_filter) {
    ASSERT_LE(shapes.size(), simd::kBlockQueries);
    using Block = decltype(block_for(shapes[0]));
    std::vector<test::Ids> lists;
    std::vector<std::uint32_t> counts, anys;
    std::size_t total = 0;
    for (std::size_t q = 0; q < shapes.size(); ++q) {
        lists.push_back(truth(grid, shapes[q], kernel_filter, q));
        total += lists.back().size();
        counts.push_back(static_cast<std::uint32_t>(lists.back().size()));
        anys.push_back(std::min(counts.back(), 1u));
    }
    const test::Guarded<Block> memory(1);
    const test::Guarded<std::uint32_t> got(shapes.size());
    Block& block = *memory.begin();
    std::fill_n(reinterpret_cast<float*>(&block), sizeof(Block) / sizeof(float), kNan);
    for (std::size_t q = 0; q < shapes.size(); ++q) {
        put(block, q, shapes[q]);
    }
    for (const std::size_t count : {shapes.size(), shapes.size() - 1, shapes.size() / 2 + 3,
                                    std::size_t{17}, std::size_t{16}, std::size_t{5}}) {
        SCOPED_TRACE(testing::Message() << count << " queries");
        std::uint32_t* const out = got.last(count);
        simd::count_block<simd::Form::count>(grid.view, block, count, kernel_filter, out);
        ASSERT_TRUE(std::equal(out, out + count, counts.begin()));
        simd::count_block<simd::Form::any>(grid.view, block, count, kernel_filter, out);
        ASSERT_TRUE(std::equal(out, out + count, anys.begin()));
        // Kernels want more room than they need in the end, but the excess has a bound.
        ASSERT_EQ(check_lists(grid, block, count, kernel_filter, lists, total + 4096), count);
    }
    // The room ends inside a packet.
    for (const std::size_t room : {total, total / 2, std::size_t{250}}) {
        (void)check_lists(grid, block, shapes.size(), kernel_filter, lists, room);
        ASSERT_FALSE(testing::Test::HasFailure()) << "room " << room;
    }
}

enum class Places { together, strewn, one_far, on_one_spot };

/// The box, with one side where an agent ends.
template <std::size_t Dim>
Box<Dim> that_touches(Box<Dim> box, const TinyGrid<Dim>& grid, std::uint32_t id, std::size_t side) {
    const std::size_t a = side % Dim;
    if (side < Dim) {
        box.hi[a] = grid.position[id][a] - grid.half_of(id)[a];
    } else {
        box.lo[a] = grid.position[id][a] + grid.half_of(id)[a];
    }
    return box;
}

/// 61 places: neighbours in the order of the grid, scattered ones, neighbours with one in eight far
/// away, or all in the knot.
template <std::size_t Dim>
std::vector<Point<Dim>> places(const TinyGrid<Dim>& grid, Places which, std::size_t from) {
    std::vector<Point<Dim>> points;
    for (std::size_t i = 0; i < 61; ++i) {
        const std::size_t n = grid.order.size();
        points.push_back(which == Places::on_one_spot ? TinyGrid<Dim>::knot()
                         : which == Places::strewn    ? grid.position[(i * 71 + from) % n]
                                                      : grid.position[grid.order[(from + i) % n]]);
        if (which == Places::one_far && i % 8 == 5) { points.back() = Point<Dim>::all(900.0f); }
    }
    return points;
}

template <class D>
class Together : public testing::Test {};
TYPED_TEST_SUITE(Together, test::Dims, test::DimNames);

template <std::size_t Dim>
void check_together(const TinyGrid<Dim>& grid, const simd::KernelFilter& kernel_filter) {
    scenes::Random random(5);
    for (const Places which :
         {Places::together, Places::strewn, Places::one_far, Places::on_one_spot}) {
        for (const std::size_t from : {0u, 140u, 290u}) {
            const auto points = places(grid, which, from);
            for (const float size : {0.0f, 0.3f, 1.1f, 3.0f, 9.0f, 1e20f}) {
                SCOPED_TRACE(testing::Message() << "places " << static_cast<int>(which) << " from "
                                                << from << ", size " << size);
                // Shapes of one size, of all sizes up to it, a few inverted, and such as touch.
                std::vector<Box<Dim>> same, mixed, inverted, touching;
                std::vector<Ball<Dim>> balls, mixed_balls;
                for (const Point<Dim>& point : points) {
                    const float some = size * random.between(0.0f, 1.0f);
                    same.push_back(Box<Dim>::around(point, Point<Dim>::all(size)));
                    mixed.push_back(Box<Dim>::around(point, Point<Dim>::all(some)));
                    inverted.push_back(same.back());
                    if (inverted.size() % 8 == 3) {
                        std::swap(inverted.back().lo[Dim - 1], inverted.back().hi[Dim - 1]);
                    }
                    touching.push_back(
                        that_touches(same.back(), grid,
                                     grid.order[(from + balls.size() + 1) % grid.order.size()],
                                     balls.size() % (2 * Dim)));
                    balls.push_back({point, size});
                    mixed_balls.push_back({point, some});
                }
                ASSERT_NO_FATAL_FAILURE(check(grid, same, kernel_filter));
                ASSERT_NO_FATAL_FAILURE(check(grid, mixed, kernel_filter));
                ASSERT_NO_FATAL_FAILURE(check(grid, inverted, kernel_filter));
                ASSERT_NO_FATAL_FAILURE(check(grid, touching, kernel_filter));
                ASSERT_NO_FATAL_FAILURE(check(grid, balls, kernel_filter));
                ASSERT_NO_FATAL_FAILURE(check(grid, mixed_balls, kernel_filter));
            }
        }
    }
}

TYPED_TEST(Together, AnswersLikeOneByOne) {
    for (const float width : test::kCellWidths) {
        SCOPED_TRACE(testing::Message() << "cells of " << width);
        check_together(TinyGrid<TypeParam::value>(width), {});
    }
}

TYPED_TEST(Together, FindsAgentsWithExtentsOfTheirOwn) {
    for (const float width : test::kCellWidths) {
        check_together(TinyGrid<TypeParam::value>(width, true), {});
    }
}

TYPED_TEST(Together, LeavesOutGroupsAndOneAgent) {
    const TinyGrid<TypeParam::value> grid(1.0f, true, true);
    simd::KernelFilter kernel_filter;
    kernel_filter.groups = 2;
    kernel_filter.without = grid.order[40];
    check_together(grid, kernel_filter);
}

TYPED_TEST(Together, EachLeavesOutAnAgentOfItsOwn) {
    const TinyGrid<TypeParam::value> grid(1.0f, false, true);
    std::vector<std::uint32_t> each(simd::kBlockQueries + simd::kSlack);
    for (std::size_t i = 0; i < each.size(); ++i) {
        each[i] = grid.order[33 + i];
    }
    for (const std::uint32_t groups : {~0u, 1u}) {
        simd::KernelFilter kernel_filter;
        kernel_filter.groups = groups;
        kernel_filter.without = grid.order[34]; // ignored, since `each` is set
        kernel_filter.each = each.data();
        check_together(grid, kernel_filter);
    }
}

TYPED_TEST(Together, ReadsNothingBehindTheSlackOfTheLastRow) {
    constexpr auto kDim = TypeParam::value;
    for (const bool own_extents : {false, true}) {
        // Numbers of agents that fill the kernel's list of candidates less than once, and several
        // times.
        for (const std::uint32_t agents : {3u, 64u, 203u, 2051u}) {
            const test::OneRow<kDim> row(agents, 3, own_extents);
            using Block = simd::BoxBlock<kDim>;
            const test::Guarded<Block> memory(1);
            Block& block = *memory.begin();
            std::vector<std::uint32_t> wanted;
            for (std::size_t q = 0; q < simd::kBlockQueries; ++q) {
                auto centre = Point<kDim>::all(0.25f);
                centre[0] += static_cast<float>(q % 3);
                put(block, q, Box<kDim>::around(centre, Point<kDim>::all(0.2f)));
                const auto cell = static_cast<std::uint32_t>(q % 3);
                const std::uint32_t i = (cell * agents + 2) / 3;
                wanted.push_back(row.cell_end(i) - row.cell_begin(i));
            }
            const test::Guarded<std::uint32_t> got(simd::kBlockQueries);
            simd::count_block<simd::Form::count>(row.view, block, simd::kBlockQueries, {},
                                                 got.begin());
            EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), got.begin())) << agents;
            simd::count_block<simd::Form::any>(row.view, block, simd::kBlockQueries, {},
                                               got.begin());
            EXPECT_EQ(std::count(got.begin(), got.end(), 1u), simd::kBlockQueries);
        }
    }
}

/// Lists of queries when all agents are in one place, more than a packet's search takes at once.
template <class Shape, std::size_t Dim>
void check_crowded(const test::OneRow<Dim>& row, const Shape& shape, std::uint32_t agents) {
    using Block = decltype(block_for(shape));
    const test::Guarded<Block> memory(1);
    for (std::size_t q = 0; q < simd::kBlockQueries; ++q) {
        put(*memory.begin(), q, shape);
    }
    const std::size_t room = simd::kBlockQueries * agents + 4096;
    const test::Guarded<std::uint32_t> ids(room + simd::kSlack);
    const test::Guarded<std::uint64_t> offsets(simd::kBlockQueries + 1);
    simd::BatchOutput out{ids.begin(), room, 0, offsets.begin()};
    ASSERT_EQ(simd::query_block(row.view, *memory.begin(), simd::kBlockQueries, {}, out),
              simd::kBlockQueries);
    ASSERT_EQ(out.used, simd::kBlockQueries * agents);
    for (std::size_t i = 0; i < out.used; ++i) {
        ASSERT_EQ(ids.begin()[i], i % agents);
    }
}

TYPED_TEST(Together, ListsOfManyAgents) {
    constexpr auto kDim = TypeParam::value;
    for (const std::uint32_t agents : {480u, 496u, 497u, 504u, 505u, 513u, 1000u, 3000u}) {
        SCOPED_TRACE(testing::Message() << agents << " agents");
        const test::OneRow<kDim> row(agents, 1, false);
        const auto centre = Point<kDim>::all(0.25f);
        ASSERT_NO_FATAL_FAILURE(
            check_crowded(row, Box<kDim>::around(centre, Point<kDim>::all(0.2f)), agents));
        ASSERT_NO_FATAL_FAILURE(check_crowded(row, Ball<kDim>{centre, 0.2f}, agents));
    }
}

TEST(GoingApart, AsksFewerAndFewerBlocks) {
    simd::GoingApart apart;
    for (const std::uint32_t passed : {0u, 1u, 3u, 7u, 15u, 15u}) {
        ASSERT_FALSE(apart.next()) << "asked again";
        apart.went(false);
        for (std::uint32_t block = 0; block < passed; ++block) {
            ASSERT_TRUE(apart.next()) << block << " of " << passed;
        }
    }
    apart.went(true);
    ASSERT_FALSE(apart.next());
    apart.went(false);
    ASSERT_FALSE(apart.next()) << "all is forgotten";
}

} // namespace
} // namespace throng
