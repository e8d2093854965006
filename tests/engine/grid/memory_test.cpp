// The memory of an index, when it allocates, and that running out of memory changes nothing.
#include <throng/engine/agents/grid_shape.hpp>
#include <throng/engine/grid/query_stats.hpp>
#include <throng/engine/grid/row_grid.hpp>

#include "../../support/allocation_counter.hpp"
#include "../../support/answers.hpp"
#include "../../support/dims.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <new>
#include <utility>

namespace throng {
namespace {

using scenes::Groups;

template <class Dim>
class RowGridMemory : public testing::Test {};
TYPED_TEST_SUITE(RowGridMemory, test::Dims, test::DimNames);

TEST(RowGridMemory2, TakesAtMost24BytesAnAgentAtOneACell) {
    auto scene = scenes::make_uniform<2>(100'000);
    auto grid = test::grid_of(scene);
    const std::size_t cells = std::size_t{grid.shape().rows()} * grid.shape().cells[0];
    ASSERT_LE(cells, 101'000u); // one agent a cell, so that the promise applies
    EXPECT_LE(grid.memory().index(), 24u * scene.size());
    // Positions and ids alone are 12 bytes: a smaller result has missed something.
    EXPECT_GE(grid.memory().index(), 12u * scene.size());
    EXPECT_GE(grid.memory().nodes, 12u * scene.size());
    EXPECT_EQ(grid.memory().total(), grid.memory().index() + grid.memory().staging);
    const std::size_t index = grid.memory().index();
    grid.release_staging();
    EXPECT_EQ(grid.memory().staging, 0u);
    EXPECT_EQ(grid.memory().index(), index);
}

TEST(RowGridMemory3, DoesNotPayForEmptySpace) {
    auto scene = scenes::make_uniform<3>(100'000);
    scene.world = {Point<3>::all(0.0f), Point<3>::all(1000.0f)};
    scene.cell = Point<3>::all(1.0f);
    auto grid = test::grid_of(scene);
    const std::size_t rows = grid.shape().rows();
    ASSERT_EQ(rows, 1'000'000u);
    EXPECT_LE(grid.memory().index(), rows * 16 + rows / 4 + 40 * scene.size());
    EXPECT_EQ(grid.count(scene.world).count, scene.size());
}

// Neither a giant, nor far corners, nor all agents on one point take more memory than agents do.
// The rows of the shape itself are counted apart.
TYPED_TEST(RowGridMemory, StaysInProportion) {
    for (const char* name :
         {"coincident", "giant", "two_corners", "extreme", "mixed_sizes", "line"}) {
        auto scene = scenes::make<TypeParam::value>(name, 20'000);
        RowGrid<TypeParam::value> grid;
        ASSERT_EQ(grid.update(scene.agents()), Status{});
        EXPECT_LE(grid.memory().index(), 100 * scene.size() + 4096) << name;
    }
}

TYPED_TEST(RowGridMemory, CountsWhatItAllocates) {
    auto scene = scenes::make_uniform<TypeParam::value>(50'000);
    auto grid = test::grid_of(scene);
    ASSERT_EQ(grid.update(scene.agents()), Status{}); // now the old crowd has become a spare
    const MemoryUse before = grid.memory();
    EXPECT_GT(before.staging, 0u);
    EXPECT_GT(before.ids, 0u);
    EXPECT_GT(before.marks, 0u);
    EXPECT_GT(before.rows, 0u);
    EXPECT_GT(before.tables, 0u);
    for (int i = 0; i < 20; ++i) {
        ASSERT_EQ(grid.update(scene.agents()), Status{});
    }
    EXPECT_EQ(grid.memory().total(), before.total()); // memory does not grow
}

/// Rotates the crowd by one, so that every agent moves and the crowd stays as it is.
template <std::size_t Dim>
void step(scenes::Scene<Dim>& scene) {
    for (std::vector<float>& axis : scene.position) {
        std::rotate(axis.begin(), axis.begin() + 1, axis.end());
    }
}

TYPED_TEST(RowGridMemory, AllocatesNothingInASteadyFrame) {
    auto scene = scenes::make<TypeParam::value>("clustered", 20'000, Groups::masks);
    auto grid = test::grid_of(scene);
    step(scene);
    ASSERT_EQ(grid.update(scene.agents()), Status{}); // what one frame leaves behind suits the next
    for (int frame = 0; frame < 5; ++frame) {
        step(scene);
        const auto agents = scene.agents();
        const std::size_t before = test::allocations();
        const Status status = grid.update(agents);
        EXPECT_EQ(test::allocations(), before);
        ASSERT_EQ(status, Status{});
    }
}

// Agents that change places: each row gains as much as it loses.
TYPED_TEST(RowGridMemory, AllocatesNothingWhenAgentsGoAndComeBack) {
    auto scene = scenes::make<TypeParam::value>("uniform", 2000);
    auto grid = test::grid_of(scene);
    const auto there = scene.position_of(1), here = scene.position_of(0);
    const auto dance = [&] {
        return grid.move(0, there).ok() && grid.move(0, here).ok() && grid.erase(5).ok() &&
               grid.insert(5, {scene.position_of(5)}).ok();
    };
    ASSERT_TRUE(dance());
    const std::size_t before = test::allocations();
    EXPECT_TRUE(dance());
    EXPECT_EQ(test::allocations(), before);
}

// A batch keeps its scratch, and rows their room.
TYPED_TEST(RowGridMemory, AllocatesNothingInASteadyFrameOfEdits) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("clustered", 20'000, Groups::masks);
    auto grid = test::grid_of(scene);
    const std::size_t staging = grid.memory().staging;
    std::vector<Edit<kDim>> there, back;
    for (Id id = 0; id < 2000; ++id) {
        const Id other = (id + 1) % 2000;
        there.push_back(Edit<kDim>::move(id, scene.position_of(other)));
        back.push_back(Edit<kDim>::move(id, scene.position_of(id)));
    }
    ASSERT_EQ(grid.edit(there), Status{});
    ASSERT_EQ(grid.edit(back), Status{});
    EXPECT_GE(grid.memory().staging, staging + 2000 * sizeof(Id));
    for (int frame = 0; frame < 6; ++frame) {
        const std::size_t before = test::allocations();
        const Status status = grid.edit(frame % 2 == 0 ? there : back);
        EXPECT_EQ(test::allocations(), before) << frame;
        ASSERT_EQ(status, Status{});
    }
    grid.release_staging();
    EXPECT_EQ(grid.memory().staging, 0u);
}

template <std::size_t Dim, class Shape>
void query_all(const RowGrid<Dim>& grid, const std::vector<Shape>& shapes, std::span<Id> out,
               std::size_t& total) {
    for (const Shape& shape : shapes) {
        for (const Filter& filter : {Filter{}, Filter{0x3u, 5}}) {
            total += grid.query(shape, out, filter).count;
            total += grid.query(shape, out.first(3), filter).count;
            total += grid.visit(
                             shape, [](std::span<const Id>) { return true; }, filter)
                         .count;
            total += grid.count(shape, filter).count + grid.any(shape, filter).count;
            total += grid.explain(shape, filter).hits;
        }
    }
}

TYPED_TEST(RowGridMemory, QueriesAllocateNothing) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const char* name : {"uniform", "mixed_sizes", "coincident", "two_corners"}) {
        auto scene = scenes::make<kDim>(name, 2000, Groups::masks);
        const auto grid = test::grid_of(scene);
        std::vector<Id> out(scene.size());
        std::size_t total = 0;
        const std::size_t before = test::allocations();
        query_all(grid, scene.boxes, out, total);
        query_all(grid, scene.balls, out, total);
        (void)grid.order(out);
        (void)grid.memory();
        EXPECT_EQ(test::allocations(), before) << name;
        EXPECT_GT(total, 0u);

        // A batch grows its answer once.
        Hits hits;
        const std::span<const Box<kDim>> boxes(scene.boxes);
        ASSERT_EQ(grid.query(boxes, hits), Status{});
        const std::size_t grown = test::allocations();
        const Status status = grid.query(boxes, hits);
        EXPECT_EQ(test::allocations(), grown) << name;
        ASSERT_EQ(status, Status{});
    }
}

/// Lets each allocation of `change` fail in turn. When it throws, the grid is what it was, and the
/// same call succeeds once there is memory again.
template <std::size_t Dim, class Change>
void fail_each_allocation(scenes::Scene<Dim>& scene, const Change& change) {
    const auto before = test::answers_of(test::grid_of(scene), scene);
    auto changed = test::grid_of(scene);
    const std::size_t bound = changed.id_bound();
    ASSERT_EQ(change(changed), Status{});
    const auto after = test::answers_of(changed, scene);
    for (const bool forever : {false, true}) {
        bool wanted_more = true;
        for (std::size_t n = 0; wanted_more; ++n) {
            SCOPED_TRACE(testing::Message() << "allocation " << n << (forever ? " and on" : ""));
            ASSERT_LT(n, 2000u);
            // A new grid each time: memory that a failed call has kept would hide later failures.
            auto grid = test::grid_of(scene);
            bool thrown = false;
            Status status;
            {
                const test::FailingAllocations failing(n, forever);
                try {
                    status = change(grid);
                } catch (const std::bad_alloc&) { thrown = true; }
                wanted_more = failing.failed();
            }
            ASSERT_STREQ(grid.validate(), nullptr);
            if (thrown) {
                ASSERT_EQ(test::difference(test::answers_of(grid, scene), before), "");
                ASSERT_EQ(grid.id_bound(), bound);
                status = change(grid);
            }
            ASSERT_EQ(status, Status{});
            ASSERT_EQ(test::difference(test::answers_of(grid, scene), after), "");
        }
    }
}

TYPED_TEST(RowGridMemory, RunningOutChangesNothing) {
    constexpr std::size_t kDim = TypeParam::value;
    using Grid = RowGrid<kDim>;
    auto scene = scenes::make<kDim>("uniform", 200);
    scene.boxes.resize(8);
    scene.balls.resize(8);
    auto same = scene;
    step(same);
    auto other = scenes::make<kDim>("mixed_sizes", 2000, Groups::masks);
    const Point<kDim> here = Point<kDim>::all(1.5f), far = Point<kDim>::all(99.0f);
    const auto each = [&](const char* what, const auto& change) {
        SCOPED_TRACE(what);
        fail_each_allocation(scene, change);
    };
    each("update", [&](Grid& grid) { return grid.update(same.agents()); });
    each("update to another kind", [&](Grid& grid) { return grid.update(other.agents()); });
    each("insert", [&](Grid& grid) { return grid.insert(200, {here}); });
    each("insert far away", [&](Grid& grid) { return grid.insert(90'000, {far}); });
    each("move", [&](Grid& grid) { return grid.move(7, here); });
    each("move far away", [&](Grid& grid) { return grid.move(7, far); });
    each("erase", [&](Grid& grid) { return grid.erase(7); });
    using E = Edit<kDim>;
    each("batch", [&](Grid& grid) {
        // Moves in place, into a row that must grow and into new rows; an id beyond the others; and
        // a row that is emptied.
        std::vector<E> edits = {E::move(7, here), E::move(8, far), E::insert(90'000, {far}),
                                E::erase(90'000), E::erase(9),     E::insert(9, {here})};
        const std::uint32_t emptied = grid.shape().row_of(scene.position_of(20));
        for (Id id = 10; id < 200; ++id) {
            if (grid.shape().row_of(scene.position_of(id)) == emptied) {
                edits.push_back(E::erase(id));
            }
        }
        for (Id id = 200; id < 230; ++id) {
            edits.push_back(E::insert(id * 7, {id % 2 == 0 ? here : far}));
        }
        return grid.edit(edits);
    });
    each("configure", [&](Grid& grid) { return grid.configure(other.world, other.cell); });
    each("fit", [&](Grid& grid) {
        Grid fitted;
        const Status status = fitted.update(other.agents());
        if (status.ok()) { grid = std::move(fitted); }
        return status;
    });
}

// Full rows: an insert must grow what is there.
TYPED_TEST(RowGridMemory, RunningOutWhileARowGrowsChangesNothing) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("coincident", 128, Groups::masks);
    scene.boxes.resize(4);
    scene.balls.resize(4);
    fail_each_allocation(scene, [&](RowGrid<kDim>& grid) {
        Status status;
        if (!grid.contains(128)) { status = grid.insert(128, {scene.position_of(0), {}, 1u}); }
        return status;
    });
}

} // namespace
} // namespace throng
