// Bricks: every cell has one owner, on which all functions agree, and ranks get about equal work.
#include "../support/dims.hpp"
#include "bricks.hpp"

namespace throng::test {
namespace {

template <class Dim>
class CutsTest : public testing::Test {};
TYPED_TEST_SUITE(CutsTest, Dims, DimNames);

template <std::size_t Dim>
Cuts<Dim> by_work(const GridShape<Dim>& shape, std::uint32_t ranks) {
    return Cuts<Dim>::by_work(shape, ranks, work_of_lines<Dim>);
}

TYPED_TEST(CutsTest, EveryCellHasOneOwner) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const float side : {1.0f, 5.0f, 21.0f}) {
        const auto shape = shape_of<kDim>(side, cell_size<kDim>());
        for (const std::uint32_t ranks : {1u, 2u, 3u, 4u, 7u, 16u, 61u, 200u}) {
            SCOPED_TRACE(testing::Message() << ranks << " ranks, side " << side);
            ASSERT_NO_FATAL_FAILURE(check_cuts(Cuts<kDim>::even(shape, ranks), shape, ranks));
            ASSERT_NO_FATAL_FAILURE(check_cuts(by_work(shape, ranks), shape, ranks));
        }
    }
}

TYPED_TEST(CutsTest, WorkIsSharedAboutEvenly) {
    constexpr std::size_t kDim = TypeParam::value;
    const auto shape = shape_of<kDim>(kDim == 2 ? 100.0f : 30.0f, cell_size<kDim>());
    for (const std::uint32_t ranks : {2u, 3u, 7u, 16u}) {
        // In space a side has only fifteen cells, so cuts are coarser.
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

/// Rows are four times as high as cells are wide, so bricks in the plane should be about square.
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
} // namespace throng::test
