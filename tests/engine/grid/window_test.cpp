// A window is a part of a grid's cells. With the agents in and around it, it answers for its own
// agents as the whole grid does.
#include <throng/engine/agents/grid_shape.hpp>
#include <throng/engine/frozen/frozen.hpp>
#include <throng/engine/grid/row_grid.hpp>

#include "../../../engine/grid/grid_parts.hpp"
#include "../../support/archives.hpp"
#include "../../support/dims.hpp"
#include "../../support/random.hpp"
#include "range_calls.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <string_view>

namespace throng {
namespace {

using test::Ids;
using test::Lists;

template <class Dim>
class Window : public testing::Test {};
TYPED_TEST_SUITE(Window, test::Dims, test::DimNames);

constexpr float kReach = 1.5f;

/// Agents on the edges of cells, on the floats beside them, and outside of the world.
template <std::size_t Dim>
scenes::Scene<Dim> on_edges() {
    scenes::Scene<Dim> scene;
    scene.name = "edges";
    scene.world = {Point<Dim>::all(-3.3f), Point<Dim>::all(9.3f)};
    scene.cell = Point<Dim>::all(0.7f);
    scene.common_half_extent = Point<Dim>::all(0.35f);
    scenes::Random random(5);
    for (int i = 0; i < 1500; ++i) {
        Point<Dim> point;
        for (std::size_t a = 0; a < Dim; ++a) {
            point[a] = -3.3f + static_cast<float>(random.below(24)) * 0.7f - 1.4f;
            if (i % 3 == 1) { point[a] = std::nextafter(point[a], 100.0f); }
            if (i % 3 == 2) { point[a] = std::nextafter(point[a], -100.0f); }
        }
        scene.add(point);
    }
    return scene;
}

/// A grid's agents in storage order with their neighbours, and its pairs, by the ids that `name`
/// gives.
template <std::size_t Dim>
struct Windowed {
    Ids order;
    Lists neighbours;
    test::PairLists pairs;

    template <class Name>
    Windowed(const RowGrid<Dim>& grid, const Name& name)
        : order(grid.size()), neighbours(test::neighbours_in(grid, {kReach, false, kAllGroups}, 0,
                                                             grid.parts().slices())),
          pairs(test::pairs_in(grid, 0, grid.parts().slices())) {
        (void)grid.order(order);
        for (Ids* ids : {&order, &neighbours.ids, &pairs.first, &pairs.second}) {
            for (Id& id : *ids) {
                id = name(id);
            }
        }
    }

    /// The same for agents for which `wanted` is true; a pair belongs to its first agent.
    template <class Wanted>
    [[nodiscard]] Windowed only(const Wanted& wanted) const {
        Windowed some = *this;
        some.order.clear();
        some.neighbours = {};
        some.pairs = {};
        for (std::size_t i = 0; i < order.size(); ++i) {
            if (!wanted(order[i])) { continue; }
            some.order.push_back(order[i]);
            some.neighbours.ids.insert(
                some.neighbours.ids.end(),
                neighbours.ids.begin() + static_cast<std::ptrdiff_t>(neighbours.offsets[i]),
                neighbours.ids.begin() + static_cast<std::ptrdiff_t>(neighbours.offsets[i + 1]));
            some.neighbours.offsets.push_back(some.neighbours.ids.size());
        }
        for (std::size_t i = 0; i < pairs.first.size(); ++i) {
            if (!wanted(pairs.first[i])) { continue; }
            some.pairs.first.push_back(pairs.first[i]);
            some.pairs.second.push_back(pairs.second[i]);
        }
        return some;
    }
    friend bool operator==(const Windowed&, const Windowed&) = default;
};

/// A random box of cells of the whole grid, and the window with it and all cells within reach.
template <std::size_t Dim>
struct Brick {
    std::array<std::uint32_t, Dim> first{}, last{};
    GridShape<Dim> window;

    Brick(const GridShape<Dim>& whole, scenes::Random& random) {
        std::array<std::uint32_t, Dim> from{}, count{};
        for (std::size_t a = 0; a < Dim; ++a) {
            first[a] = random.below(whole.cells[a]);
            last[a] = first[a] + random.below(whole.cells[a] - first[a]);
            const auto around = static_cast<std::uint32_t>(kReach * whole.inverse_cell[a]) + 2;
            from[a] = first[a] - std::min(first[a], around);
            count[a] = std::min(whole.cells[a], last[a] + around + 1) - from[a];
        }
        const auto made = window_in(whole, from, count);
        EXPECT_EQ(made.status, Status{});
        window = made.value;
    }

    [[nodiscard]] bool owns(const GridShape<Dim>& whole, const Point<Dim>& point) const {
        bool inside = true;
        for (std::size_t a = 0; a < Dim; ++a) {
            const std::uint32_t cell = whole.cell_on(a, point[a]);
            inside = inside && first[a] <= cell && cell <= last[a];
        }
        return inside;
    }
    [[nodiscard]] bool sees(const GridShape<Dim>& whole, const Point<Dim>& point) const {
        bool inside = true;
        for (std::size_t a = 0; a < Dim; ++a) {
            const std::uint32_t cell = whole.cell_on(a, point[a]);
            inside = inside && window.first[a] <= cell && cell - window.first[a] < window.cells[a];
        }
        return inside;
    }
};

/// Some agents of a scene in an order of their own.
template <std::size_t Dim>
scenes::Scene<Dim> part_of(const scenes::Scene<Dim>& scene, const Ids& ids) {
    scenes::Scene<Dim> part;
    part.common_half_extent = scene.common_half_extent;
    for (const Id id : ids) {
        part.add(scene.position_of(id));
    }
    return part;
}

template <std::size_t Dim>
void check_bricks(scenes::Scene<Dim>& scene, const GridShape<Dim>& whole, std::uint64_t seed) {
    RowGrid<Dim> all;
    ASSERT_EQ(all.use(whole), Status{});
    ASSERT_EQ(all.update(scene.agents()), Status{});
    const Windowed<Dim> wanted(all, [](Id id) { return id; });
    scenes::Random random(seed);
    for (int round = 0; round < 12; ++round) {
        const Brick<Dim> brick(whole, random);
        Ids seen;
        for (int owned = 1; owned >= 0; --owned) { // those of the brick first, as processes do
            for (Id id = 0; id < scene.size(); ++id) {
                const Point<Dim> at = scene.position_of(id);
                if (brick.sees(whole, at) && brick.owns(whole, at) == (owned == 1)) {
                    seen.push_back(id);
                }
            }
        }
        auto part = part_of(scene, seen);
        RowGrid<Dim> grid;
        ASSERT_EQ(grid.use(brick.window), Status{});
        ASSERT_EQ(grid.update(part.agents()), Status{});
        ASSERT_STREQ(grid.validate(), nullptr);
        const auto owned = [&](Id id) { return brick.owns(whole, scene.position_of(id)); };
        const Windowed<Dim> told(grid, [&](Id id) { return seen[id]; });
        ASSERT_TRUE(told.only(owned) == wanted.only(owned)) << "round " << round;
    }
}

TYPED_TEST(Window, AnswersForItsOwnAgentsAsTheWholeDoes) {
    constexpr std::size_t kDim = TypeParam::value;
    std::vector<scenes::Scene<kDim>> all = {on_edges<kDim>()};
    for (const std::string_view name :
         {"uniform", "clustered", "one_cell", "lattice_of_tenths", "outside"}) {
        all.push_back(scenes::make<kDim>(name, 1500));
    }
    for (auto& scene : all) {
        SCOPED_TRACE(scene.name);
        for (const float finer : {1.0f, 0.31f}) {
            Point<kDim> cell = scene.cell;
            for (std::size_t a = 0; a < kDim; ++a) {
                cell[a] *= finer;
            }
            const auto whole = shape_over(scene.world, cell);
            ASSERT_EQ(whole.status, Status{});
            ASSERT_NO_FATAL_FAILURE(check_bricks(scene, whole.value, 9));
        }
    }
}

/// visit_cells() shows the cells of the whole grid that have agents of the window.
TYPED_TEST(Window, ShowsTheCellsOfTheWhole) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 400);
    const auto whole = shape_over(scene.world, scene.cell).value;
    const auto cells_of = [](const RowGrid<kDim>& grid) {
        std::vector<std::array<float, 2 * kDim + 1>> shown;
        grid.visit_cells([&](const IndexCell<kDim>& cell) {
            auto& one = shown.emplace_back();
            for (std::size_t a = 0; a < kDim; ++a) {
                one[a] = cell.box.lo[a];
                one[kDim + a] = cell.box.hi[a];
            }
            one[2 * kDim] = static_cast<float>(cell.count);
            return true;
        });
        return shown;
    };
    // The cells of the whole grid, with the agents of the window alone.
    std::array<std::uint32_t, kDim> first{}, cells{};
    for (std::size_t a = 0; a < kDim; ++a) {
        first[a] = whole.cells[a] / 4;
        cells[a] = whole.cells[a] / 2 + 1;
    }
    const auto window = window_in(whole, first, cells).value;
    Ids inside;
    for (Id id = 0; id < scene.size(); ++id) {
        bool there = true;
        for (std::size_t a = 0; a < kDim; ++a) {
            const std::uint32_t cell = whole.cell_on(a, scene.position_of(id)[a]);
            there = there && cell >= first[a] && cell - first[a] < cells[a];
        }
        if (there) { inside.push_back(id); }
    }
    ASSERT_GT(inside.size(), 10u);
    auto part = part_of(scene, inside);
    RowGrid<kDim> large, small;
    ASSERT_EQ(large.use(whole), Status{});
    ASSERT_EQ(small.use(window), Status{});
    ASSERT_EQ(large.update(part.agents()), Status{});
    ASSERT_EQ(small.update(part.agents()), Status{});
    EXPECT_EQ(cells_of(small), cells_of(large));
}

TYPED_TEST(Window, ComesBackFromAFile) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("uniform", 300);
    const auto whole = shape_over(scene.world, scene.cell).value;
    std::array<std::uint32_t, kDim> first{}, cells = whole.cells;
    first[kDim - 1] = 1;
    cells[kDim - 1] -= 1;
    RowGrid<kDim> grid, loaded;
    ASSERT_EQ(grid.use(window_in(whole, first, cells).value), Status{});
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    std::vector<std::byte> bytes, of_whole;
    ASSERT_EQ(save(grid, bytes), Status{});
    ASSERT_EQ(load(loaded, bytes), Status{});
    EXPECT_EQ(loaded.shape(), grid.shape());
    EXPECT_EQ(test::difference(test::answers_of(loaded, scene), test::answers_of(grid, scene)), "");
    // A grid that is no window is saved with as many numbers in its first section as before there
    // were windows.
    ASSERT_EQ(grid.use(whole), Status{});
    ASSERT_EQ(save(grid, of_whole), Status{});
    const auto numbers = [](const std::vector<std::byte>& archive) {
        std::uint64_t words = 0;
        std::memcpy(&words, archive.data() + test::kArchiveHeader + 8, sizeof words);
        return words;
    };
    EXPECT_EQ(numbers(of_whole), 2 + 5 * kDim + 2);
    EXPECT_EQ(numbers(bytes), 2 + 6 * kDim + 2);
    ASSERT_EQ(load(loaded, of_whole), Status{});
    EXPECT_EQ(loaded.shape(), whole);
}

} // namespace
} // namespace throng
