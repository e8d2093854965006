// Helpers to make and check cuts.
#pragma once

#include "../support/random.hpp"

#include <throng/distributed/cuts.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <vector>

namespace throng::test {

template <std::size_t Dim>
GridShape<Dim> shape_of(float side, const Point<Dim>& cell) {
    const auto made = shape_over<Dim>({Point<Dim>{}, Point<Dim>::all(side)}, cell);
    EXPECT_EQ(made.status, Status{});
    return made.value;
}

template <std::size_t Dim>
Point<Dim> cell_size() {
    Point<Dim> cell = Point<Dim>::all(2.0f);
    cell[0] = 0.5f;
    return cell;
}

template <std::size_t Dim, class Call>
void for_each_cell(const Brick<Dim>& brick, const Call& call) {
    std::uint64_t count = 1;
    for (const std::uint32_t cells : brick.cells) {
        count *= cells;
    }
    for (std::uint64_t i = 0; i < count; ++i) {
        std::array<std::uint32_t, Dim> cell = brick.first;
        std::uint64_t rest = i;
        for (std::size_t a = 0; a < Dim; ++a) {
            cell[a] += static_cast<std::uint32_t>(rest % brick.cells[a]);
            rest /= brick.cells[a];
        }
        call(cell);
    }
}

/// The work of a cell: a small number, for a few cells a large one.
template <std::size_t Dim>
std::uint64_t work_of(const std::array<std::uint32_t, Dim>& cell) {
    std::uint64_t seed = 1;
    for (const std::uint32_t number : cell) {
        seed = seed * 1000 + number;
    }
    scenes::Random random(seed);
    return random.below(50) == 0 ? random.below(200) : random.below(4);
}

template <std::size_t Dim>
void work_of_lines(std::size_t axis, const Brick<Dim>& brick, std::span<std::uint64_t> lines) {
    for_each_cell(brick, [&](const std::array<std::uint32_t, Dim>& cell) {
        lines[cell[axis] - brick.first[axis]] += work_of(cell);
    });
}

/// Checks that every cell has one owner, and that all functions agree on it.
template <std::size_t Dim>
void check_cuts(const Cuts<Dim>& cuts, const GridShape<Dim>& shape, std::uint32_t ranks) {
    ASSERT_EQ(cuts.ranks(), ranks);
    ASSERT_EQ(cuts.whole(), (Brick<Dim>{{}, shape.cells}));
    std::vector<std::uint64_t> owned(ranks);
    for_each_cell(cuts.whole(), [&](const auto& cell) { ++owned[cuts.owner_of(cell)]; });
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        std::uint64_t cells = 0;
        for_each_cell(cuts.brick_of(rank), [&](const auto& cell) {
            ASSERT_EQ(cuts.owner_of(cell), rank);
            ++cells;
        });
        ASSERT_EQ(owned[rank], cells);
        ASSERT_EQ(cuts.brick_of(rank).empty(), cells == 0);
    }
    // The owners of a box of cells must be the owners of its cells.
    scenes::Random random(ranks);
    for (int round = 0; round < 30; ++round) {
        Brick<Dim> box;
        for (std::size_t a = 0; a < Dim; ++a) {
            box.first[a] = random.below(shape.cells[a]);
            box.cells[a] = random.below(std::min(8u, shape.cells[a] - box.first[a] + 1));
        }
        std::set<std::uint32_t> wanted;
        for_each_cell(box, [&](const auto& cell) { wanted.insert(cuts.owner_of(cell)); });
        std::vector<std::uint32_t> got;
        cuts.for_each_owner(box, [&](std::uint32_t rank) { got.push_back(rank); });
        ASSERT_EQ(got, std::vector<std::uint32_t>(wanted.begin(), wanted.end()));
    }
}

/// The most work of any rank, divided by the mean.
template <std::size_t Dim>
double worst_share(const Cuts<Dim>& cuts) {
    std::uint64_t all = 0, most = 0;
    for (std::uint32_t rank = 0; rank < cuts.ranks(); ++rank) {
        std::uint64_t work = 0;
        for_each_cell(cuts.brick_of(rank), [&](const auto& cell) { work += work_of(cell); });
        all += work;
        most = std::max(most, work);
    }
    return static_cast<double>(most) * cuts.ranks() / static_cast<double>(all);
}

} // namespace throng::test
