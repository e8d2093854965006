// The occupancy pyramid against a plain set of cells.
#include <throng/engine/family/occupancy_pyramid.hpp>

#include "../../support/allocation_counter.hpp"
#include "../../support/dims.hpp"
#include "../../support/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

namespace throng {
namespace {

template <std::size_t Dim>
using Cell = std::array<std::uint32_t, Dim>;
template <std::size_t Dim>
using Model = std::set<Cell<Dim>>;

template <class Dim>
class OccupancyPyramids : public testing::Test {};
TYPED_TEST_SUITE(OccupancyPyramids, test::Dims, test::DimNames);

template <std::size_t Dim>
bool holds(const CellBlock<Dim>& block, const Cell<Dim>& cell) {
    bool inside = true;
    for (std::size_t a = 0; a < Dim; ++a) {
        inside = inside && block.begin[a] <= cell[a] && cell[a] < block.end[a];
    }
    return inside;
}

/// Where a cell comes in the order of tiles: the digits of its coordinates to the base of a tile,
/// the highest first, z before y before x.
template <std::size_t Dim>
std::vector<std::uint32_t> tile_order(const Cell<Dim>& cell) {
    const unsigned shift = Dim == 2 ? 3 : 2;
    std::vector<std::uint32_t> digits;
    for (unsigned level = 36 / shift; level-- > 0;) {
        for (std::size_t a = Dim; a-- > 0;) {
            digits.push_back(static_cast<std::uint32_t>(std::uint64_t{cell[a]} >> level * shift) &
                             ((1u << shift) - 1));
        }
    }
    return digits;
}

template <std::size_t Dim>
void expect_answers(const OccupancyPyramid<Dim>& pyramid, const Model<Dim>& model,
                    const CellBlock<Dim>& block) {
    std::vector<Cell<Dim>> expected, found;
    for (const Cell<Dim>& cell : model) {
        if (holds<Dim>(block, cell)) { expected.push_back(cell); }
    }
    std::sort(expected.begin(), expected.end(), [](const Cell<Dim>& a, const Cell<Dim>& b) {
        return tile_order<Dim>(a) < tile_order<Dim>(b);
    });
    EXPECT_TRUE(pyramid.for_each(block, [&](const Cell<Dim>& cell) { found.push_back(cell); }));
    EXPECT_EQ(found, expected);
    EXPECT_EQ(pyramid.count(block), expected.size());
    EXPECT_EQ(pyramid.any(block), !expected.empty());
}

template <std::size_t Dim>
void expect_same(const OccupancyPyramid<Dim>& pyramid, const Model<Dim>& model) {
    EXPECT_STREQ(pyramid.validate(), nullptr);
    EXPECT_EQ(pyramid.empty(), model.empty());
    expect_answers(pyramid, model, {{}, pyramid.cells()});
    std::size_t cells = 0;
    pyramid.for_each([&](const Cell<Dim>& cell) {
        EXPECT_TRUE(pyramid.test(cell));
        ++cells;
    });
    EXPECT_EQ(cells, model.size());
}

/// Worlds of one cell; worlds around the size of a tile and of a tile of tiles; and thin worlds.
template <std::size_t Dim>
std::vector<Cell<Dim>> sizes() {
    if constexpr (Dim == 2) {
        return {{1, 1},   {7, 9},   {8, 8},    {64, 64}, {65, 63},
                {1, 600}, {600, 1}, {513, 17}, {100, 0}, {0, 0}};
    } else {
        return {{1, 1, 1},   {3, 5, 4},   {4, 4, 4},   {16, 16, 16}, {17, 15, 16},
                {1, 1, 300}, {1, 300, 1}, {300, 1, 1}, {65, 5, 17},  {5, 0, 5}};
    }
}

template <std::size_t Dim>
Cell<Dim> random_cell(const Cell<Dim>& cells, scenes::Random& random) {
    Cell<Dim> cell{};
    for (std::size_t a = 0; a < Dim; ++a) {
        cell[a] = random.below(cells[a]);
    }
    return cell;
}

template <std::size_t Dim>
bool has_cells(const Cell<Dim>& cells) {
    return std::find(cells.begin(), cells.end(), 0u) == cells.end();
}

TYPED_TEST(OccupancyPyramids, StartEmpty) {
    constexpr std::size_t kDim = TypeParam::value;
    const OccupancyPyramid<kDim> none;
    expect_same<kDim>(none, {});
    EXPECT_EQ(none.memory(), 0u);
    for (const Cell<kDim>& cells : sizes<kDim>()) {
        const OccupancyPyramid<kDim> pyramid(cells);
        EXPECT_EQ(pyramid.cells(), cells);
        expect_same<kDim>(pyramid, {});
    }
}

TYPED_TEST(OccupancyPyramids, HoldEachSingleCell) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(3);
    for (const Cell<kDim>& cells : sizes<kDim>()) {
        OccupancyPyramid<kDim> pyramid(cells);
        for (int round = 0; has_cells<kDim>(cells) && round < 50; ++round) {
            Cell<kDim> cell = random_cell<kDim>(cells, random);
            if (round == 0) { cell = {}; }
            if (round == 1) {
                std::transform(cells.begin(), cells.end(), cell.begin(),
                               [](std::uint32_t count) { return count - 1; });
            }
            pyramid.set(cell);
            pyramid.set(cell);
            ASSERT_NO_FATAL_FAILURE((expect_same<kDim>(pyramid, {cell})));
            pyramid.reset(cell);
            ASSERT_FALSE(pyramid.test(cell));
            pyramid.reset(cell);
            ASSERT_NO_FATAL_FAILURE((expect_same<kDim>(pyramid, {})));
        }
    }
}

TYPED_TEST(OccupancyPyramids, AgreeWithASetOverRandomEdits) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const Cell<kDim>& cells : sizes<kDim>()) {
        if (!has_cells<kDim>(cells)) { continue; }
        scenes::Random random(cells[0]);
        OccupancyPyramid<kDim> pyramid(cells);
        Model<kDim> model;
        for (int round = 0; round < 6; ++round) {
            for (int edit = 0; edit < 100; ++edit) {
                // Rounds that mostly add take turns with rounds that mostly remove: tiles become
                // empty.
                if (model.empty() || random.below(8) < (round % 2 == 0 ? 7u : 1u)) {
                    const Cell<kDim> cell = random_cell<kDim>(cells, random);
                    pyramid.set(cell);
                    model.insert(cell);
                } else {
                    auto it = model.begin();
                    std::advance(it, random.below(static_cast<std::uint32_t>(model.size())));
                    pyramid.reset(*it);
                    model.erase(it);
                }
            }
            ASSERT_NO_FATAL_FAILURE((expect_same<kDim>(pyramid, model))) << "round " << round;
        }
        pyramid.clear();
        expect_same<kDim>(pyramid, {});
    }
}

// Random blocks of cells, in a full world and in a sparse one.
TYPED_TEST(OccupancyPyramids, CutBlocksWhereTheyEnd) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(7);
    for (const Cell<kDim>& cells : sizes<kDim>()) {
        for (const std::uint32_t one_in : {1u, 9u}) {
            OccupancyPyramid<kDim> pyramid(cells);
            Model<kDim> model;
            for (int i = 0; has_cells<kDim>(cells) && i < 4'000; ++i) {
                const Cell<kDim> cell = random_cell<kDim>(cells, random);
                if (random.below(one_in) != 0 || model.size() >= 600) { continue; }
                pyramid.set(cell);
                model.insert(cell);
            }
            for (int round = 0; round < 60; ++round) {
                CellBlock<kDim> block;
                for (std::size_t a = 0; a < kDim; ++a) {
                    // Backward and empty blocks too, and some that go beyond the cells.
                    block.begin[a] = random.below(cells[a] + 2);
                    block.end[a] = random.below(8) == 0 ? 0xFFFF'FFFFu
                                                        : std::max(block.begin[a], 1u) - 1 +
                                                              random.below(cells[a] + 4);
                }
                ASSERT_NO_FATAL_FAILURE(expect_answers(pyramid, model, block));
            }
        }
    }
}

// The masks themselves: every block within a tile that is full.
TEST(OccupancyPyramid2, CountsEveryRectangleOfATile) {
    OccupancyPyramid<2> pyramid({24, 24});
    for (std::uint32_t i = 0; i < 24 * 24; ++i) {
        pyramid.set({i % 24, i / 24});
    }
    for (std::uint32_t i = 0; i < 9 * 9 * 9 * 9; ++i) {
        const CellBlock<2> block{{8 + i % 9, 8 + i / 9 % 9}, {8 + i / 81 % 9, 8 + i / 729}};
        std::uint64_t cells = 1;
        for (std::size_t a = 0; a < 2; ++a) {
            cells *= std::max(block.end[a], block.begin[a]) - block.begin[a];
        }
        ASSERT_EQ(pyramid.count(block), cells);
    }
}

TEST(OccupancyPyramid3, CountsEveryCuboidOfATile) {
    OccupancyPyramid<3> pyramid({12, 12, 12});
    for (std::uint32_t i = 0; i < 12 * 12 * 12; ++i) {
        pyramid.set({i % 12, i / 12 % 12, i / 144});
    }
    for (std::uint32_t i = 0; i < 15'625; ++i) {
        const CellBlock<3> block{{4 + i % 5, 4 + i / 5 % 5, 4 + i / 25 % 5},
                                 {4 + i / 125 % 5, 4 + i / 625 % 5, 4 + i / 3'125}};
        std::uint64_t cells = 1;
        for (std::size_t a = 0; a < 3; ++a) {
            cells *= std::max(block.end[a], block.begin[a]) - block.begin[a];
        }
        ASSERT_EQ(pyramid.count(block), cells);
    }
}

TYPED_TEST(OccupancyPyramids, StopWhenTheVisitorHasEnough) {
    constexpr std::size_t kDim = TypeParam::value;
    Cell<kDim> cells{};
    cells.fill(40);
    OccupancyPyramid<kDim> pyramid(cells);
    for (std::uint32_t i = 0; i < 40; ++i) {
        Cell<kDim> cell{};
        cell.fill(i);
        pyramid.set(cell);
    }
    for (std::uint32_t most : {1u, 17u, 40u}) {
        std::uint32_t visited = 0;
        EXPECT_FALSE(pyramid.for_each([&](const Cell<kDim>&) { return ++visited < most; }));
        EXPECT_EQ(visited, most);
    }
    EXPECT_TRUE(pyramid.for_each([](const Cell<kDim>&) { return true; }));
}

TEST(OccupancyPyramid2, FindsTheFewInAHugeThinWorld) {
    constexpr std::uint32_t kCells = std::uint32_t{1} << 28;
    OccupancyPyramid<2> pyramid({kCells, 1});
    const Model<2> model = {{0, 0}, {7, 0}, {8, 0}, {kCells / 2, 0}, {kCells - 1, 0}};
    for (const Cell<2>& cell : model) {
        pyramid.set(cell);
    }
    expect_answers<2>(pyramid, model, {{}, {kCells, 1}});
    expect_answers<2>(pyramid, model, {{8, 0}, {kCells - 1, 1}});
    EXPECT_LT(pyramid.memory(), std::size_t{kCells} * 8 / 7 + 1'000);
    pyramid.clear();
    EXPECT_TRUE(pyramid.empty());
}

TEST(OccupancyPyramid2, CostsABitACell) {
    EXPECT_LE(OccupancyPyramid<2>({4'096, 4'096}).memory(), 4'096u * 4'096 / 8 * 64 / 63);
    EXPECT_LE(OccupancyPyramid<3>({256, 256, 256}).memory(), 256u * 256 * 256 / 8 * 64 / 63);
}

TYPED_TEST(OccupancyPyramids, RefuseWhatTheyCannotNumber) {
    constexpr std::size_t kDim = TypeParam::value;
    Cell<kDim> cells{};
    cells.fill(20);
    OccupancyPyramid<kDim> pyramid(cells);
    pyramid.set({});
    for (const std::uint32_t too_many : {(std::uint32_t{1} << 31) + 1, 0xFFFF'FFFFu}) {
        Cell<kDim> huge{};
        huge.fill(1);
        huge[kDim - 1] = too_many;
        EXPECT_THROW(pyramid.configure(huge), std::length_error);
    }
    Cell<kDim> huge{};
    huge.fill(std::uint32_t{1} << 31);
    EXPECT_THROW(pyramid.configure(huge), std::length_error);
    {
        const test::FailingAllocations failing(0);
        huge.fill(100);
        EXPECT_THROW(pyramid.configure(huge), std::bad_alloc);
    }
    EXPECT_EQ(pyramid.cells(), cells);
    expect_same<kDim>(pyramid, {Cell<kDim>{}});
}

TYPED_TEST(OccupancyPyramids, KeepTheirMemory) {
    constexpr std::size_t kDim = TypeParam::value;
    Cell<kDim> large{}, small{};
    large.fill(100);
    small.fill(30);
    OccupancyPyramid<kDim> pyramid(large);
    const std::size_t memory = pyramid.memory();
    const std::size_t allocations = test::allocations();
    for (int round = 0; round < 4; ++round) {
        pyramid.set({});
        pyramid.set(Cell<kDim>{17, 23});
        EXPECT_EQ(pyramid.count({{}, large}), 2u);
        pyramid.configure(round % 2 == 0 ? small : large);
        EXPECT_TRUE(pyramid.empty());
    }
    EXPECT_EQ(test::allocations(), allocations);
    EXPECT_EQ(pyramid.memory(), memory);
}

TYPED_TEST(OccupancyPyramids, CopyAndMove) {
    constexpr std::size_t kDim = TypeParam::value;
    Cell<kDim> cells{};
    cells.fill(30);
    OccupancyPyramid<kDim> pyramid(cells);
    const Cell<kDim> cell{3, 29};
    pyramid.set(cell);
    OccupancyPyramid<kDim> copy = pyramid;
    copy.reset(cell);
    expect_same<kDim>(pyramid, {cell});

    OccupancyPyramid<kDim> taken(std::move(pyramid));
    expect_same<kDim>(taken, {cell});
    EXPECT_EQ(pyramid.cells(), Cell<kDim>{}); // NOLINT(bugprone-use-after-move): it is defined
    expect_same<kDim>(pyramid, {});           // NOLINT(bugprone-use-after-move)
    copy = std::move(taken);
    expect_same<kDim>(copy, {cell});
    OccupancyPyramid<kDim>& same = copy;
    copy = std::move(same);
    expect_same<kDim>(copy, {cell});
}

} // namespace
} // namespace throng
