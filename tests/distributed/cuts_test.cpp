// Bricks: every cell has one owner, which all ways of asking agree on; and shares of the work are
// about even.
#include <throng/distributed/cuts.hpp>

#include "../support/dims.hpp"
#include "../support/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace throng {
namespace {

template <class Dim>
class CutsTest : public testing::Test {};
TYPED_TEST_SUITE(CutsTest, test::Dims, test::DimNames);

template <std::size_t Dim>
GridShape<Dim> shape_of(float side, const Point<Dim>& cell) {
    const auto made = shape_over<Dim>({Point<Dim>{}, Point<Dim>::all(side)}, cell);
    EXPECT_EQ(made.status, Status{});
    return made.shape;
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

/// A number for a cell, of which a few are large.
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
Cuts<Dim> by_work(const GridShape<Dim>& shape, std::uint32_t ranks) {
    return Cuts<Dim>::by_work(
        shape, ranks,
        [](std::size_t axis, const Brick<Dim>& brick, std::span<std::uint64_t> lines) {
            for_each_cell(brick, [&](const std::array<std::uint32_t, Dim>& cell) {
                lines[cell[axis] - brick.first[axis]] += work_of(cell);
            });
        });
}

template <std::size_t Dim>
void check(const Cuts<Dim>& cuts, const GridShape<Dim>& shape, std::uint32_t ranks) {
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
    // Boxes of cells, against each cell's owner.
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

TYPED_TEST(CutsTest, EveryCellHasOneOwner) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const float side : {1.0f, 5.0f, 21.0f}) {
        const auto shape = shape_of<kDim>(side, cell_size<kDim>());
        for (const std::uint32_t ranks : {1u, 2u, 3u, 4u, 7u, 16u, 61u, 200u}) {
            SCOPED_TRACE(testing::Message() << ranks << " ranks, side " << side);
            ASSERT_NO_FATAL_FAILURE(check(Cuts<kDim>::even(shape, ranks), shape, ranks));
            ASSERT_NO_FATAL_FAILURE(check(by_work(shape, ranks), shape, ranks));
        }
    }
}

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

TYPED_TEST(CutsTest, WorkIsSharedAboutEvenly) {
    constexpr std::size_t kDim = TypeParam::value;
    const auto shape = shape_of<kDim>(kDim == 2 ? 100.0f : 30.0f, cell_size<kDim>());
    for (const std::uint32_t ranks : {2u, 3u, 7u, 16u}) {
        // In space there are only fifteen cells to a side.
        EXPECT_LE(worst_share(by_work(shape, ranks)), kDim == 2 ? 1.15 : 1.3) << ranks;
        const auto even = Cuts<kDim>::even(shape, ranks);
        std::uint64_t least = ~std::uint64_t{0}, most = 0;
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            std::uint64_t cells = 0;
            for_each_cell(even.brick_of(rank), [&](const auto&) { ++cells; });
            least = std::min(least, cells);
            most = std::max(most, cells);
        }
        EXPECT_LE(most, least + least / 3) << ranks;
    }
}

/// Rows are four times as high as cells are wide, so as many cells of a row make a square.
TEST(Cuts, BricksAreNoStripes) {
    const auto shape = shape_of<2>(64.0f, cell_size<2>());
    const auto cuts = Cuts<2>::even(shape, 16);
    for (std::uint32_t rank = 0; rank < 16; ++rank) {
        EXPECT_EQ(cuts.brick_of(rank).cells, (std::array<std::uint32_t, 2>{32, 8}));
    }
}

TEST(Cuts, OneCellIsNotShared) {
    const auto shape = shape_of<2>(0.0f, cell_size<2>());
    const auto cuts = Cuts<2>::even(shape, 5);
    std::uint32_t owners = 0;
    for (std::uint32_t rank = 0; rank < 5; ++rank) {
        owners += cuts.brick_of(rank).empty() ? 0 : 1;
    }
    EXPECT_EQ(owners, 1u);
}

TEST(Cuts, WithoutRanksHaveNoOwners) {
    const auto shape = shape_of<2>(64.0f, cell_size<2>());
    const Cuts<2> none;
    EXPECT_EQ((Cuts<2>::even(shape, 0)), none);
    none.for_each_owner({{}, shape.cells}, [](std::uint32_t rank) { ADD_FAILURE() << rank; });
}

TEST(Cuts, FingerprintsTellCutsApart) {
    const auto shape = shape_of<2>(64.0f, cell_size<2>());
    const auto even = Cuts<2>::even(shape, 16);
    EXPECT_EQ(even.fingerprint(), Cuts<2>::even(shape, 16).fingerprint());
    EXPECT_NE(even.fingerprint(), Cuts<2>::even(shape, 15).fingerprint());
    EXPECT_NE(even.fingerprint(), by_work(shape, 16).fingerprint());
    EXPECT_NE(even.fingerprint(),
              Cuts<2>::even(shape_of<2>(63.0f, cell_size<2>()), 16).fingerprint());
    EXPECT_EQ(even, Cuts<2>::even(shape, 16));
    EXPECT_FALSE(even == by_work(shape, 16));
}

} // namespace
} // namespace throng
