// The nearest to each point of a block, searched in packets and alone: equal to a test of all
// agents, and nothing is read or written past the slack.
#include "../../../simd/kernels/grid/nearest.hpp"

#include "../../../simd/isa/dispatch.hpp"

#include "../../support/dims.hpp"
#include "../../support/numbers.hpp"
#include "guarded.hpp"
#include "one_row.hpp"
#include "tiny_grid.hpp"

#include <throng/engine/agents/nearest.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

namespace throng {
namespace {

using test::TinyGrid;

using test::kNan;
constexpr float kFar = 1e18f;

template <std::size_t Dim>
float distance2(const Point<Dim>& a, const Point<Dim>& b) {
    float sum = 0.0f;
    for (std::size_t axis = 0; axis < Dim; ++axis) {
        const float offset = a[axis] - b[axis];
        const float square = offset * offset;
        sum = axis == 0 ? square : sum + square;
    }
    return sum;
}

struct NearestAsked {
    std::uint32_t k;
    float radius;
};

/// Room for candidates, as much as packets need.
constexpr std::uint32_t kCandidateRoom = 512;

struct Answers {
    std::vector<Near> near;
    std::vector<std::uint32_t> counts;
    simd::GoingApart apart; ///< whether packets go together after this
};

template <std::size_t Dim>
Answers answers(const simd::GridView<Dim>& view, const std::vector<Point<Dim>>& points,
                const NearestAsked& asked, const simd::KernelFilter& kernel_filter, int blocks = 1,
                std::uint32_t candidates = kCandidateRoom) {
    const std::size_t count = points.size();
    const test::Guarded<simd::BallBlock<Dim>> memory(1);
    simd::BallBlock<Dim>& block = *memory.begin();
    std::fill_n(reinterpret_cast<float*>(&block), sizeof block / sizeof(float), kNan);
    for (std::size_t q = 0; q < count; ++q) {
        for (std::size_t a = 0; a < Dim; ++a) {
            block.centre[a][q] = points[q][a];
        }
    }
    const test::Guarded<std::uint32_t> room(2 * (candidates + simd::kSlack));
    const test::Guarded<unsigned char> near(count * asked.k * simd::kNearBytes);
    const test::Guarded<std::uint32_t> counts(count);
    simd::NearestAsk ask{asked.k, asked.radius, room.begin(), candidates};
    for (int i = 0; i < blocks; ++i) {
        simd::nearest_batch(view, block, count, kernel_filter, ask,
                            simd::NearestOutput{near.begin(), counts.begin()});
    }
    Answers result{std::vector<Near>(count * asked.k), {counts.begin(), counts.end()}, ask.apart};
    std::memcpy(result.near.data(), near.begin(), count * asked.k * simd::kNearBytes);
    return result;
}

/// The answer by a test of all agents.
template <std::size_t Dim>
std::vector<Near> truth(const TinyGrid<Dim>& grid, const Point<Dim>& point,
                        const NearestAsked& asked, const simd::KernelFilter& out, std::size_t q) {
    const std::uint32_t without = out.each != nullptr ? out.each[q] : out.without;
    std::vector<Near> all;
    for (const std::uint32_t id : grid.order) {
        const Near near{distance2(grid.position[id], point), id};
        if (near.distance2 <= asked.radius * asked.radius && id != without &&
            grid.takes_part(id, out.groups)) {
            all.push_back(near);
        }
    }
    std::sort(all.begin(), all.end(), [](const Near& a, const Near& b) {
        return a.distance2 != b.distance2 ? a.distance2 < b.distance2 : a.id < b.id;
    });
    if (all.size() > asked.k) { all.resize(asked.k); }
    return all;
}

template <std::size_t Dim>
void check(const TinyGrid<Dim>& grid, const std::vector<Point<Dim>>& points,
           const NearestAsked& asked, const simd::KernelFilter& kernel_filter) {
    const Answers got = answers(grid.view, points, asked, kernel_filter);
    for (std::size_t q = 0; q < points.size(); ++q) {
        std::vector<Near> wanted = truth(grid, points[q], asked, kernel_filter, q);
        ASSERT_EQ(got.counts[q], wanted.size()) << "query " << q;
        wanted.resize(asked.k);
        ASSERT_TRUE(std::equal(wanted.begin(), wanted.end(), got.near.data() + q * asked.k))
            << "query " << q;
    }
}

/// `count` places of agents: neighbours in the order of the grid, or scattered.
template <std::size_t Dim>
std::vector<Point<Dim>> places(const TinyGrid<Dim>& grid, std::size_t from, std::size_t step,
                               std::size_t count) {
    std::vector<Point<Dim>> points;
    for (std::size_t i = 0; i < count; ++i) {
        points.push_back(grid.position[grid.order[(from + i * step) % grid.order.size()]]);
        points.back()[0] += 0.01f * static_cast<float>(i % 3);
    }
    return points;
}

template <std::size_t Dim>
void check_nearest(const TinyGrid<Dim>& grid, const simd::KernelFilter& kernel_filter) {
    for (const std::uint32_t k : {1u, 2u, 5u, 8u, 9u, 16u, 17u, 70u}) {
        for (const float radius : {kFar, 1.3f, 0.2f, 0.0f}) {
            for (const std::size_t step : {1u, 71u}) {
                for (const std::size_t count : {64u, 33u, 7u}) {
                    SCOPED_TRACE(testing::Message()
                                 << k << " within " << radius << ", each " << step << "th of "
                                 << grid.order.size() << ", " << count << " queries");
                    ASSERT_NO_FATAL_FAILURE(
                        check(grid, places(grid, 150, step, count), {k, radius}, kernel_filter));
                }
            }
        }
    }
}

template <class D>
class NearestBlock : public testing::Test {};
TYPED_TEST_SUITE(NearestBlock, test::Dims, test::DimNames);

TYPED_TEST(NearestBlock, AnswersLikeALookAtAll) {
    // Rows with a full table, and rows with a trimmed one.
    for (const float width : {1.0f, 0.01f}) {
        SCOPED_TRACE(testing::Message() << "cells of " << width);
        check_nearest(TinyGrid<TypeParam::value>(width), {});
    }
}

TYPED_TEST(NearestBlock, LeavesOutGroupsAndOneAgent) {
    const TinyGrid<TypeParam::value> grid(1.0f, true, true);
    simd::KernelFilter kernel_filter;
    kernel_filter.groups = 2;
    kernel_filter.without = grid.order[160];
    check_nearest(grid, kernel_filter);
}

TYPED_TEST(NearestBlock, EachLeavesOutAnAgentOfItsOwn) {
    const TinyGrid<TypeParam::value> grid(1.0f, false, true);
    const test::Guarded<std::uint32_t> each(simd::kBlockQueries);
    for (std::size_t i = 0; i < simd::kBlockQueries; ++i) {
        each.begin()[i] = grid.order[150 + i];
    }
    for (const std::uint32_t groups : {~0u, 1u}) {
        simd::KernelFilter kernel_filter;
        kernel_filter.groups = groups;
        kernel_filter.without = grid.order[34]; // ignored, since `each` is set
        kernel_filter.each = each.begin();
        check_nearest(grid, kernel_filter);
    }
}

/// All agents of a row stand in one place, so the smallest ids are the nearest.
TYPED_TEST(NearestBlock, OfAgentsInOnePlace) {
    constexpr auto kDim = TypeParam::value;
    for (const std::uint32_t agents : {1u, 7u, 8u, 16u, 63u, 64u, 496u, 497u, 504u, 505u, 508u,
                                       509u, 511u, 512u, 513u, 700u, 5000u}) {
        const test::OneRow<kDim> row(agents, 1, false);
        for (const std::uint32_t k : {1u, 8u, 16u, 40u}) {
            SCOPED_TRACE(testing::Message() << k << " of " << agents);
            const std::vector<Point<kDim>> points(simd::kBlockQueries, Point<kDim>::all(0.5f));
            // With less room than kCandidateRoom, each point is searched alone.
            for (const std::uint32_t candidates : {kCandidateRoom, kCandidateRoom - 1}) {
                const Answers got = answers(row.view, points, {k, kFar}, {}, 1, candidates);
                for (std::size_t i = 0; i < got.near.size(); ++i) {
                    const std::size_t place = i % k;
                    ASSERT_EQ(got.near[i].id, place < agents ? place : kNoId) << i;
                }
                for (const std::uint32_t count : got.counts) {
                    ASSERT_EQ(count, std::min(k, agents));
                }
            }
        }
    }
}

/// Points so far away that squared distances overflow, and one point nearby.
TYPED_TEST(NearestBlock, OfAgentsInfinitelyFarAway) {
    constexpr auto kDim = TypeParam::value;
    const test::OneRow<kDim> row(6, 1, false);
    auto far = Point<kDim>::all(0.5f);
    far[0] = 1.9e19f;
    std::vector<Point<kDim>> points(simd::kBlockQueries, far);
    points[5] = Point<kDim>::all(0.5f);
    for (const float radius : {1e18f, std::numeric_limits<float>::infinity()}) {
        for (const std::uint32_t k : {4u, 6u, 8u}) {
            const Answers got = answers(row.view, points, {k, radius}, {});
            for (std::size_t q = 0; q < points.size(); ++q) {
                const bool none = q != 5 && radius == 1e18f;
                ASSERT_EQ(got.counts[q], none ? 0u : std::min(k, 6u)) << q << " within " << radius;
                for (std::size_t i = 0; i < k; ++i) {
                    ASSERT_EQ(got.near[q * k + i].id, none || i >= 6 ? kNoId : i) << q;
                }
            }
        }
    }
}

/// The kernel notes from block to block whether packets pay.
TYPED_TEST(NearestBlock, GoesTogetherWhereThatPays) {
    constexpr auto kDim = TypeParam::value;
    if (active_isa() == Isa::scalar) { GTEST_SKIP() << "a vector has one lane"; }
    const TinyGrid<kDim> grid(1.0f);
    const auto blocks_apart = [&](const simd::GridView<kDim>& view,
                                  const std::vector<Point<kDim>>& points, std::uint32_t k) {
        return answers(view, points, {k, kFar}, {}, 3).apart.more;
    };
    const auto neighbours = places(grid, 250, 1, 64);
    EXPECT_EQ(blocks_apart(grid.view, neighbours, 1), 0u);
    EXPECT_EQ(blocks_apart(grid.view, neighbours, 16), 0u);
    const test::OneRow<kDim> few(300, 1, false), many(5000, 1, false);
    const std::vector<Point<kDim>> spot(simd::kBlockQueries, Point<kDim>::all(0.5f));
    EXPECT_GT(blocks_apart(few.view, spot, 8), 1u) << "all are equally near";
    EXPECT_GT(blocks_apart(many.view, spot, 8), 1u) << "too many are near";
    const bool eight_lanes = active_isa() == Isa::avx2 || active_isa() == Isa::avx512;
    for (const std::uint32_t k : {9u, 16u}) {
        EXPECT_EQ(blocks_apart(many.view, spot, k) > 0, eight_lanes) << k << " are asked together";
    }
    EXPECT_EQ(blocks_apart(many.view, spot, 17), 0u) << "so many are not asked together";
}

} // namespace
} // namespace throng
