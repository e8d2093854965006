// Where the kernels of neighbours write: never past their room and slack. Their answers do not
// depend on how often they are interrupted.
#include "../../../simd/kernels/grid/neighbours.hpp"

#include "../../../simd/isa/slack.hpp"
#include "../../support/dims.hpp"
#include "../../support/long_run.hpp"
#include "../../support/numbers.hpp"
#include "guarded.hpp"
#include "one_row.hpp"
#include "tiny_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace throng {
namespace {

using simd::RowSlot;
using test::Ids;
using test::TinyGrid;

using test::kCanary;
using test::kLargestRoom;

constexpr simd::NeighbourQuery kAsked[] = {{0.0f, true, ~0u},
                                           {0.0f, false, ~0u},
                                           {0.3f, false, ~0u},
                                           {1.1f, true, 2u},
                                           {1.1f, false, 2u},
                                           {3.0f, false, ~0u},
                                           {1.1f, false, ~0u, {}, true},
                                           {0.3f, true, ~0u, {}, true},
                                           {1.1f, true, 2u, {}, true}};

/// Each agent's neighbours, in the order of the grid.
template <std::size_t Dim>
std::vector<Ids> wanted(const TinyGrid<Dim>& grid, const simd::NeighbourQuery& around) {
    std::vector<Ids> lists;
    for (const std::uint32_t one : grid.order) {
        lists.emplace_back();
        bool later = !around.later_only;
        for (const std::uint32_t other : grid.order) {
            later = later || one == other;
            if (later &&
                contains(Ball<Dim>{grid.position[one], around.radius}, grid.position[other]) &&
                (one != other || around.with_self) && grid.takes_part(other, around.groups)) {
                lists.back().push_back(other);
            }
        }
    }
    return lists;
}

/// Uses buffers of one size until all agents are answered, or one answer does not fit.
template <std::size_t Dim>
void check_select(const TinyGrid<Dim>& grid, const simd::NeighbourQuery& around,
                  const std::vector<Ids>& lists, std::size_t capacity) {
    const std::size_t agents = lists.size();
    const test::Guarded<std::uint32_t> buffer(capacity + simd::kSlack + 7);
    const test::Guarded<std::uint64_t> offsets(agents + 1);
    const RowSlot end{grid.view.row_count, 0};
    RowSlot at{0, 0};
    for (std::size_t told = 0; told < agents;) {
        SCOPED_TRACE(testing::Message() << "room " << capacity << ", after " << told);
        std::fill(buffer.begin(), buffer.end(), kCanary);
        std::fill(offsets.begin(), offsets.end(), 77u);
        simd::BatchOutput out{buffer.last(capacity + simd::kSlack), capacity, 0, offsets.begin()};
        const std::size_t answered = simd::list_neighbours(grid.view, around, at, end, out);
        ASSERT_LE(told + answered, agents);
        ASSERT_LE(out.used, capacity);
        ASSERT_EQ(std::count(buffer.begin(), buffer.begin() + 7, kCanary), 7);
        ASSERT_EQ(offsets.begin()[0], 77u) << "the caller's";
        std::uint64_t used = 0;
        for (std::size_t i = 0; i < answered; ++i) {
            const Ids& ids = lists[told + i];
            ASSERT_TRUE(std::equal(ids.begin(), ids.end(), out.ids + used)) << "agent " << told + i;
            used += ids.size();
            ASSERT_EQ(offsets.begin()[i + 1], used);
        }
        ASSERT_EQ(out.used, used);
        ASSERT_EQ(std::count(offsets.begin() + answered + 1, offsets.end(), 77u),
                  offsets.end() - (offsets.begin() + answered + 1));
        told += answered;
        if (answered == 0) {
            // Kernels want more room than they need in the end, but the excess has a bound.
            ASSERT_LT(capacity, lists[told].size() + 4096);
            // The remaining agents can be counted from this place on.
            std::vector<std::uint32_t> counts(agents - told + simd::kBlockQueries);
            ASSERT_EQ(
                simd::count_neighbours(grid.view, around, at, end, counts.data(), counts.size()),
                agents - told);
            for (std::size_t i = 0; told + i < agents; ++i) {
                ASSERT_EQ(counts[i], lists[told + i].size());
            }
            return;
        }
    }
    RowSlot last = at;
    simd::BatchOutput out{buffer.begin(), capacity, 0, offsets.begin()};
    ASSERT_EQ(simd::list_neighbours(grid.view, around, last, end, out), 0u);
}

template <std::size_t Dim>
void check_tally(const TinyGrid<Dim>& grid, const simd::NeighbourQuery& around,
                 const std::vector<Ids>& lists, std::size_t room) {
    const test::Guarded<std::uint32_t> counts(room);
    const RowSlot end{grid.view.row_count, 0};
    RowSlot at{0, 0};
    for (std::size_t told = 0; told < lists.size();) {
        SCOPED_TRACE(testing::Message() << "room " << room << ", after " << told);
        std::fill(counts.begin(), counts.end(), kCanary);
        const std::size_t said =
            simd::count_neighbours(grid.view, around, at, end, counts.begin(), room);
        ASSERT_GT(said, 0u) << "no progress";
        ASSERT_LE(said, room);
        ASSERT_LE(told + said, lists.size());
        for (std::size_t i = 0; i < said; ++i) {
            ASSERT_EQ(counts.begin()[i], lists[told + i].size()) << "agent " << told + i;
        }
        told += said;
    }
}

template <class D>
class NeighbourQuery : public testing::Test {};
TYPED_TEST_SUITE(NeighbourQuery, test::Dims, test::DimNames);

/// Calls call(grid, around, lists) for grids of full rows and of trimmed ones.
template <std::size_t Dim, class Call>
void for_each_question(const Call& call) {
    for (const float width : {1.0f, 0.01f}) {
        for (const simd::NeighbourQuery& around : kAsked) {
            SCOPED_TRACE(testing::Message() << "cells of " << width << ", radius " << around.radius
                                            << ", with self " << around.with_self);
            const bool with_groups = around.groups != ~0u;
            const TinyGrid<Dim> grid(width, with_groups, with_groups);
            call(grid, around, wanted(grid, around));
        }
    }
}

TYPED_TEST(NeighbourQuery, StaysWithinRoomAndSlack) {
    for_each_question<TypeParam::value>(
        [](const auto& grid, const simd::NeighbourQuery& around, const std::vector<Ids>& lists) {
            for (const std::size_t capacity : test::sizes(std::size_t{0}, kLargestRoom)) {
                ASSERT_NO_FATAL_FAILURE(check_select(grid, around, lists, capacity));
            }
            for (const std::size_t capacity : {1000u, 4000u, 100'000u, 200'000u}) {
                ASSERT_NO_FATAL_FAILURE(check_select(grid, around, lists, capacity));
            }
        });
}

TYPED_TEST(NeighbourQuery, CountsABlockAtATime) {
    for_each_question<TypeParam::value>(
        [](const auto& grid, const simd::NeighbourQuery& around, const std::vector<Ids>& lists) {
            for (const std::size_t room : test::sizes(simd::kBlockQueries, std::size_t{200})) {
                ASSERT_NO_FATAL_FAILURE(check_tally(grid, around, lists, room));
            }
            RowSlot at{0, 0};
            ASSERT_EQ(simd::count_neighbours(grid.view, around, at, {grid.view.row_count, 0},
                                             nullptr, simd::kBlockQueries - 1),
                      0u);
        });
}

TYPED_TEST(NeighbourQuery, ReadsNoFurtherThanTheSlack) {
    constexpr std::uint32_t kMost = 140;
    std::vector<std::uint32_t> counts(kMost + simd::kBlockQueries), ids(kMost * kMost + 4096);
    std::vector<std::uint64_t> offsets(kMost + 1);
    for (std::uint32_t count = 1; count <= kMost; ++count) {
        const test::OneRow<TypeParam::value> grid(count, 1, false);
        for (std::uint32_t begin = 0; begin < count; begin += 3) {
            RowSlot at{0, begin};
            const simd::NeighbourQuery asked{0.5f, false, ~0u};
            ASSERT_EQ(
                simd::count_neighbours(grid.view, asked, at, {1, 0}, counts.data(), counts.size()),
                count - begin);
            ASSERT_EQ(std::count(counts.begin(), counts.begin() + (count - begin), count - 1),
                      count - begin);
            at = {0, begin};
            simd::BatchOutput out{ids.data(), ids.size() - simd::kSlack, 0, offsets.data()};
            ASSERT_EQ(simd::list_neighbours(grid.view, asked, at, {1, 0}, out), count - begin);
            ASSERT_EQ(out.used, (count - begin) * (count - 1)) << begin << " of " << count;
        }
    }
}

// Ranges that begin at every place; some end inside a row.
TYPED_TEST(NeighbourQuery, AnswersForARangeAlone) {
    for_each_question<TypeParam::value>(
        [](const auto& grid, const simd::NeighbourQuery& around, const std::vector<Ids>& lists) {
            std::vector<RowSlot> row_slots;
            for (std::uint32_t r = 0; r < grid.view.row_count; ++r) {
                for (std::uint32_t slot = 0; slot < grid.view.rows[r].count; ++slot) {
                    row_slots.push_back({r, slot});
                }
            }
            row_slots.push_back({grid.view.row_count, 0});
            std::vector<std::uint32_t> counts(lists.size() + simd::kBlockQueries);
            for (std::size_t begin = 0; begin <= lists.size(); ++begin) {
                const std::size_t end = std::min(begin + begin % 70, lists.size());
                RowSlot at = row_slots[begin];
                ASSERT_EQ(simd::count_neighbours(grid.view, around, at, row_slots[end],
                                                 counts.data(), counts.size()),
                          end - begin);
                for (std::size_t i = begin; i < end; ++i) {
                    ASSERT_EQ(counts[i - begin], lists[i].size());
                }
            }
        });
}

} // namespace
} // namespace throng
