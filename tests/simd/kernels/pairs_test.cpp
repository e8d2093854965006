// Where the pair kernels write: never past their room, however small. The pairs do not depend on
// the room.
#include "../../../simd/kernels/grid/pairs.hpp"

#include "../../../engine/agents/body.hpp"
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

struct Listed {
    Ids first, second;

    void add(std::uint32_t one, std::uint32_t other) {
        first.push_back(one);
        second.push_back(other);
    }
    friend bool operator==(const Listed&, const Listed&) = default;
};

/// The pairs whose first agent is at `begin` ... `end` - 1 in the order of the grid.
template <std::size_t Dim>
Listed wanted(const TinyGrid<Dim>& grid, std::uint32_t groups, Body body, std::size_t begin,
              std::size_t end) {
    Listed pairs;
    const auto meet = [&](std::uint32_t one, std::uint32_t other) {
        const Point<Dim> half = grid.half_of(one), half_of_other = grid.half_of(other);
        if (body == Body::disc) {
            return discs_overlap(grid.position[one], half[0], grid.position[other],
                                 half_of_other[0]);
        }
        return overlaps(Box<Dim>::around(grid.position[one], half), grid.position[other],
                        half_of_other);
    };
    for (std::size_t i = begin; i < end; ++i) {
        const std::uint32_t one = grid.order[i];
        for (std::size_t k = i + 1; k < grid.order.size(); ++k) {
            const std::uint32_t other = grid.order[k];
            if (grid.takes_part(one, groups) && grid.takes_part(other, groups) &&
                meet(one, other)) {
                pairs.add(one, other);
            }
        }
    }
    return pairs;
}

/// The slots of all agents in order, then the end.
template <std::size_t Dim>
std::vector<RowSlot> row_slots(const TinyGrid<Dim>& grid) {
    std::vector<RowSlot> row_slots;
    for (std::uint32_t r = 0; r < grid.view.row_count; ++r) {
        for (std::uint32_t slot = 0; slot < grid.view.rows[r].count; ++slot) {
            row_slots.push_back({r, slot});
        }
    }
    row_slots.push_back({grid.view.row_count, 0});
    return row_slots;
}

/// Lists the pairs of a range of agents in buffers of `capacity` that end at a guard page.
template <std::size_t Dim>
Listed list(const TinyGrid<Dim>& grid, std::uint32_t groups, Body body, RowSlot begin, RowSlot end,
            std::size_t capacity) {
    Listed listed;
    // The two buffers are aligned differently, and pairs that they already hold must remain.
    constexpr std::size_t kBefore = 5;
    const test::Guarded<std::uint32_t> first(capacity + kBefore + 3), second(capacity + kBefore);
    simd::PairsAt at{begin};
    bool done = false;
    while (!done) {
        std::fill(first.begin(), first.end(), kCanary);
        std::fill(second.begin(), second.end(), kCanary);
        const simd::PairsAt before = at;
        simd::PairsOutput out{first.last(capacity + kBefore), second.begin(), capacity + kBefore,
                              kBefore};
        done = simd::list_pairs(grid.view, groups, body, at, end, out);
        EXPECT_LE(out.used, out.capacity);
        EXPECT_EQ(std::count(first.begin(), first.begin() + 3 + kBefore, kCanary), 3 + kBefore);
        EXPECT_EQ(std::count(second.begin(), second.begin() + kBefore, kCanary), kBefore);
        for (std::size_t i = kBefore; i < out.used; ++i) {
            listed.add(out.first[i], out.second[i]);
        }
        const bool moved = !(at.first == before.first) || !(at.second == before.second);
        EXPECT_TRUE(done || moved || out.used > kBefore || capacity < simd::kSlack);
        // Less room than a vector may allow no progress; the remaining pairs are then counted.
        if (!done && (!moved || capacity < simd::kSlack)) {
            EXPECT_LT(capacity, simd::kSlack);
            listed.second.resize(listed.second.size() +
                                 simd::count_pairs(grid.view, groups, body, at, end));
            return listed;
        }
    }
    return listed;
}

template <class D>
class Pairs : public testing::Test {};
TYPED_TEST_SUITE(Pairs, test::Dims, test::DimNames);

/// Calls check(grid, groups, body) for grids of full and of trimmed rows, with every kind of field,
/// for boxes and for discs.
template <std::size_t Dim, class Check>
void for_each_grid(const Check& check) {
    for (const float width : {1.0f, 0.01f}) {
        for (const bool own_extents : {false, true}) {
            for (const std::uint32_t groups : {kAllGroups, 2u}) {
                SCOPED_TRACE(testing::Message() << "cells of " << width << ", own extents "
                                                << own_extents << ", groups " << groups);
                const TinyGrid<Dim> grid(width, own_extents, groups != kAllGroups);
                check(grid, groups, Body::box);
                check(grid, groups, Body::disc);
            }
        }
    }
}

TYPED_TEST(Pairs, AreTheSameThroughBuffersOfEverySize) {
    for_each_grid<TypeParam::value>([](const auto& grid, std::uint32_t groups, Body body) {
        const auto all = wanted(grid, groups, body, 0, grid.order.size());
        const auto at = row_slots(grid);
        ASSERT_GT(all.first.size(), 1000u);
        for (const std::size_t capacity : test::sizes(0u, 130u)) {
            const Listed got = list(grid, groups, body, at.front(), at.back(), capacity);
            ASSERT_TRUE(std::equal(got.first.begin(), got.first.end(), all.first.begin()));
            ASSERT_EQ(got.second.size(), all.second.size()) << "buffers of " << capacity;
            if (capacity >= simd::kSlack) { ASSERT_TRUE(got == all) << "buffers of " << capacity; }
        }
        // The least room, room for some packets, for all but one pair, and for all pairs.
        for (const std::size_t capacity :
             {simd::kSlack, std::size_t{1000}, std::size_t{5000}, all.first.size() - 1,
              all.first.size(), all.first.size() + 10'000}) {
            ASSERT_TRUE(list(grid, groups, body, at.front(), at.back(), capacity) == all)
                << capacity;
        }
    });
}

// Packets of every length, and partners past the end of the range.
TYPED_TEST(Pairs, OfAStretchAreThoseOfItsAgents) {
    for_each_grid<TypeParam::value>([](const auto& grid, std::uint32_t groups, Body body) {
        const auto all = wanted(grid, groups, body, 0, grid.order.size());
        const auto at = row_slots(grid);
        const std::size_t agents = grid.order.size();
        constexpr std::size_t kRoom = 100'000;
        const test::Guarded<std::uint32_t> first(kRoom), second(kRoom);
        for (std::size_t begin = 0; begin <= agents; begin += 7) {
            for (const std::size_t length : {std::size_t{0}, std::size_t{1}, begin % 40, agents}) {
                const std::size_t end = std::min(begin + length, agents);
                // The end of a row is the same place as the beginning of the next row.
                RowSlot from = at[begin];
                if (begin > 0 && from.slot == 0 && begin % 2 == 1) {
                    from = {at[begin - 1].row, at[begin - 1].slot + 1};
                }
                const Listed should = wanted(grid, groups, body, begin, end);
                simd::PairsAt progress{from};
                simd::PairsOutput out{first.begin(), second.begin(), kRoom, 0};
                ASSERT_TRUE(simd::list_pairs(grid.view, groups, body, progress, at[end], out));
                ASSERT_EQ(out.used, should.first.size()) << begin << " to " << end;
                ASSERT_TRUE(std::equal(should.first.begin(), should.first.end(), first.begin()));
                ASSERT_TRUE(std::equal(should.second.begin(), should.second.end(), second.begin()));
                ASSERT_EQ(simd::count_pairs(grid.view, groups, body, {from}, at[end]), out.used);
            }
        }
    });
}

TYPED_TEST(Pairs, ReadNoFurtherThanTheSlack) {
    constexpr std::uint32_t kMost = 110;
    Ids first(kMost * kMost), second = first;
    for (std::uint32_t count = 1; count <= kMost; ++count) {
        for (std::uint32_t cells = 1; cells <= count && cells <= 6; ++cells) {
            for (const bool own_extents : {false, true}) {
                const test::OneRow<TypeParam::value> grid(count, cells, own_extents);
                std::uint32_t pairs = 0;
                for (std::uint32_t begin = count; begin-- > 0;) {
                    pairs += grid.cell_end(begin) - begin - 1;
                    if (begin % 3 != 0) { continue; }
                    for (const Body body : {Body::box, Body::disc}) {
                        simd::PairsAt at{{0, begin}};
                        ASSERT_EQ(simd::count_pairs(grid.view, kAllGroups, body, at, {1, 0}),
                                  pairs);
                        simd::PairsOutput out{first.data(), second.data(), first.size(), 0};
                        ASSERT_TRUE(simd::list_pairs(grid.view, kAllGroups, body, at, {1, 0}, out));
                        ASSERT_EQ(out.used, pairs) << begin << " of " << count << " in " << cells;
                    }
                }
            }
        }
    }
}

TYPED_TEST(Pairs, AreCountedWithoutAnyBuffer) {
    const TinyGrid<TypeParam::value> grid(1.0f);
    const auto at = row_slots(grid);
    for (const Body body : {Body::box, Body::disc}) {
        simd::PairsAt progress{at.front()};
        simd::PairsOutput out{nullptr, nullptr, 0, 0};
        EXPECT_FALSE(simd::list_pairs(grid.view, kAllGroups, body, progress, at.back(), out));
        EXPECT_EQ(out.used, 0u);
        EXPECT_EQ(simd::count_pairs(grid.view, kAllGroups, body, progress, at.back()),
                  wanted(grid, kAllGroups, body, 0, grid.order.size()).first.size());
        EXPECT_EQ(simd::count_pairs(grid.view, kAllGroups, body, {at.back()}, at.back()), 0u);
    }
}

// Pairs of one disc of any size with the agents of a grid, in buffers of every size.
TYPED_TEST(Pairs, OfOneDiscAreTheSameThroughBuffersOfEverySize) {
    constexpr std::size_t kDim = TypeParam::value;
    for_each_grid<kDim>([](const auto& grid, std::uint32_t groups, Body) {
        for (const float radius : {0.0f, 0.7f, 3.0f, 1000.0f}) {
            const std::uint32_t one = grid.order[grid.order.size() / 2];
            simd::PairDisc<kDim> disc{{}, radius, one};
            std::copy_n(grid.position[one].axis.begin(), kDim, disc.centre);
            Ids should;
            for (const std::uint32_t other : grid.order) {
                const bool meet = discs_overlap(grid.position[one], radius, grid.position[other],
                                                grid.half_of(other)[0]);
                if (meet && grid.takes_part(other, groups)) { should.push_back(other); }
            }
            ASSERT_FALSE(should.empty());
            ASSERT_EQ(simd::count_disc_pairs(grid.view, groups, disc, {}), should.size());
            for (std::size_t capacity = simd::kSlack; capacity < 90; capacity += 3) {
                const test::Guarded<std::uint32_t> first(capacity), second(capacity);
                Ids got;
                RowSlot from{};
                for (bool done = false; !done;) {
                    simd::PairsOutput out{first.begin(), second.begin(), capacity, 0};
                    done = simd::list_disc_pairs(grid.view, groups, disc, from, out);
                    ASSERT_EQ(std::count(out.first, out.first + out.used, one), out.used);
                    got.insert(got.end(), out.second, out.second + out.used);
                }
                ASSERT_EQ(got, should) << "radius " << radius << ", buffers of " << capacity;
            }
        }
    });
}

} // namespace
} // namespace throng
