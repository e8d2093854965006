// Updates and edits in steps, against the same calls on an executor.
#include <throng/engine/grid/change.hpp>

#include "../../support/allocation_counter.hpp"
#include "../../support/answers.hpp"
#include "../../support/dims.hpp"
#include "../../support/fail_each.hpp"
#include "../../support/random.hpp"
#include "../../support/run_steps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <thread>
#include <vector>

namespace throng {
namespace {

using scenes::Groups;

template <class Dim>
class GridChanges : public testing::Test {};
TYPED_TEST_SUITE(GridChanges, test::Dims, test::DimNames);

/// Edits that move agents, erase some, and give others their ids back.
template <std::size_t Dim>
std::vector<Edit<Dim>> edits_of(const scenes::Scene<Dim>& scene) {
    std::vector<Edit<Dim>> edits;
    const auto size = static_cast<Id>(scene.size());
    for (Id id = 0; id < size; id += 3) {
        edits.push_back(Edit<Dim>::move(id, scene.position_of((id * 7 + 5) % size)));
    }
    for (Id id = 1; id < size; id += 30) {
        edits.push_back(Edit<Dim>::erase(id));
    }
    return edits;
}

TYPED_TEST(GridChanges, EqualUpdatesAndEditsToTheBit) {
    constexpr std::size_t kDim = TypeParam::value;
    scenes::Random random(11);
    GridChange<kDim> change;
    for (const char* name : {"uniform", "clustered", "mixed_sizes", "two_corners"}) {
        for (const std::size_t threads : {0u, 1u, 2u, 16u, 1000u}) {
            SCOPED_TRACE(testing::Message() << name << ' ' << threads);
            auto first = scenes::make<kDim>(name, 20'000, Groups::masks);
            auto second = scenes::make_uniform<kDim>(31'000);
            const std::vector<Edit<kDim>> edits = edits_of(first);
            auto expected = test::grid_of(first);
            RowGrid<kDim> grid;
            ASSERT_EQ(grid.use(expected.shape(), expected.kind()), Status{});
            ASSERT_EQ(test::run_in_any_order(change, change.update(grid, first.agents(), threads),
                                             random),
                      Status{});
            ASSERT_EQ(
                test::difference(test::answers_of(grid, first), test::answers_of(expected, first)),
                "");
            ASSERT_EQ(test::run_in_any_order(change, change.edit(grid, edits), random), Status{});
            ASSERT_EQ(expected.edit(edits), Status{});
            ASSERT_EQ(
                test::difference(test::answers_of(grid, first), test::answers_of(expected, first)),
                "");
            ASSERT_STREQ(grid.validate(), nullptr);
            ASSERT_EQ(test::run_in_any_order(change, change.update(grid, second.agents(), threads),
                                             random),
                      Status{});
            ASSERT_EQ(expected.update(second.agents()), Status{});
            ASSERT_EQ(
                test::difference(test::answers_of(grid, first), test::answers_of(expected, first)),
                "");
            ASSERT_STREQ(grid.validate(), nullptr);
        }
    }
}

TYPED_TEST(GridChanges, RunOnThreadsOfAnyNumber) {
    constexpr std::size_t kDim = TypeParam::value;
    constexpr std::size_t kThreads = 3;
    auto scene = scenes::make<kDim>("mixed_sizes", 40'000, Groups::masks);
    const auto expected = test::answers_of(test::grid_of(scene), scene);
    RowGrid<kDim> grid;
    ASSERT_EQ(grid.use(expected.shape, expected.kind), Status{});
    GridChange<kDim> change;
    for (int frame = 0; frame < 3; ++frame) {
        Status status = change.update(grid, scene.agents(), kThreads);
        std::size_t loops = 0;
        for (; status.ok() && change.blocks() != 0; ++loops) {
            std::vector<std::thread> threads;
            for (std::size_t t = 0; t < kThreads; ++t) {
                // Threads begin at different blocks and run all that follow: most run more than
                // once.
                const std::size_t begin = t * change.blocks() / (kThreads + 1);
                threads.emplace_back([&, begin] { change.run(begin, change.blocks()); });
            }
            for (std::thread& thread : threads) {
                thread.join();
            }
            status = change.next();
        }
        ASSERT_EQ(status, Status{});
        EXPECT_GE(loops, 4u);
        ASSERT_EQ(test::difference(test::answers_of(grid, scene), expected), "");
    }
    EXPECT_STREQ(grid.validate(), nullptr);
}

/// Gives up, or leaves out a block, in each loop in turn: the grid has the old agents or the new.
TYPED_TEST(GridChanges, AreMadeWhollyOrNotAtAll) {
    constexpr std::size_t kDim = TypeParam::value;
    auto first = scenes::make<kDim>("mixed_sizes", 6000, Groups::masks);
    auto second = scenes::make<kDim>("mixed_sizes", 9000, Groups::masks);
    second.boxes = first.boxes;
    second.balls = first.balls;
    const std::vector<Edit<kDim>> edits = edits_of(first);
    enum class Way { cancel, destroy, leave_out, begin_another };
    for (const bool edited : {false, true}) {
        auto changed = test::grid_of(first);
        ASSERT_EQ(edited ? changed.edit(edits) : changed.update(second.agents()), Status{});
        const auto after = test::answers_of(changed, first);
        const auto before = test::answers_of(test::grid_of(first), first);
        ASSERT_NE(test::difference(before, after), "");
        for (const Way way : {Way::cancel, Way::destroy, Way::leave_out, Way::begin_another}) {
            bool was_done = false, was_undone = false;
            for (std::size_t stop = 0;; ++stop) {
                SCOPED_TRACE(testing::Message() << edited << static_cast<int>(way) << stop);
                auto grid = test::grid_of(first);
                auto other = test::grid_of(first);
                auto change = std::make_unique<GridChange<kDim>>();
                ASSERT_EQ(edited ? change->edit(grid, edits)
                                 : change->update(grid, second.agents(), 64),
                          Status{});
                for (std::size_t loop = 0; loop < stop && change->blocks() != 0; ++loop) {
                    change->run(0, change->blocks());
                    ASSERT_EQ(change->next(), Status{});
                }
                if (change->blocks() == 0) {
                    ASSERT_GE(stop, edited ? 2u : 4u);
                    break;
                }
                const std::size_t missing = change->blocks() / 2;
                change->run(0, missing);
                change->run(missing + 1, std::numeric_limits<std::size_t>::max());
                Status status;
                if (way == Way::cancel) {
                    change->cancel();
                    EXPECT_EQ(change->blocks(), 0u);
                } else if (way == Way::destroy) {
                    change = nullptr;
                } else if (way == Way::begin_another) {
                    ASSERT_EQ(change->edit(other, {}), Status{});
                } else {
                    status = change->next();
                    for (; status.ok() && change->blocks() != 0; status = change->next()) {}
                    const Status wanted{Cause::executor_failed, Argument::executor, missing};
                    EXPECT_TRUE(status.ok() || status == wanted) << to_string(status);
                    EXPECT_EQ(change->blocks(), 0u);
                }
                const auto answers = test::answers_of(grid, first);
                const bool done = test::difference(answers, after) == "";
                ASSERT_TRUE(done || test::difference(answers, before) == "");
                if (way == Way::leave_out) { EXPECT_EQ(status.ok(), done); }
                EXPECT_FALSE(was_done && !done) << "a later loop undoes nothing";
                was_done = was_done || done;
                was_undone = was_undone || !done;
                ASSERT_STREQ(grid.validate(), nullptr);
                ASSERT_EQ(grid.update(first.agents()), Status{}) << "the next change is as usual";
                ASSERT_EQ(test::difference(test::answers_of(grid, first), before), "");
            }
            EXPECT_TRUE(was_done && was_undone);
        }
    }
}

TYPED_TEST(GridChanges, RefuseWhatTheGridRefuses) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make<kDim>("mixed_sizes", 3000, Groups::masks);
    scenes::Random random(3);
    GridChange<kDim> change;
    EXPECT_EQ(change.blocks(), 0u);
    EXPECT_EQ(change.next(), Status{}) << "nothing has begun";
    change.run(0, 100);
    change.cancel();

    RowGrid<kDim> empty;
    EXPECT_EQ(change.update(empty, scene.agents()),
              (Status{Cause::not_configured, Argument::none}));
    auto grid = test::grid_of(scene);
    const auto before = test::answers_of(grid, scene);
    for (const std::size_t bad : {std::size_t{0}, std::size_t{1234}, scene.size() - 1}) {
        auto wrong = scene;
        wrong.position[kDim - 1][bad] = std::numeric_limits<float>::quiet_NaN();
        const Status wanted = grid.update(wrong.agents());
        ASSERT_EQ(wanted.index, bad);
        EXPECT_EQ(test::run_in_any_order(change, change.update(grid, wrong.agents(), 7), random),
                  wanted);
        EXPECT_EQ(change.blocks(), 0u);
    }
    auto views = scene.agents();
    --views.groups.count;
    EXPECT_EQ(change.update(grid, views), grid.update(views));
    // Loops are planned before the views are checked.
    views = scene.agents();
    views.positions.count = std::numeric_limits<std::size_t>::max();
    for (const std::size_t threads : {0u, 1u, 1'000u}) {
        EXPECT_EQ(change.update(grid, views, threads),
                  (Status{Cause::too_many, Argument::positions, kMaxAgents}));
    }
    const std::vector<Edit<kDim>> twice = {Edit<kDim>::erase(5), Edit<kDim>::erase(5)};
    EXPECT_EQ(change.edit(grid, twice), grid.edit(twice));
    EXPECT_EQ(change.blocks(), 0u);
    EXPECT_EQ(test::difference(test::answers_of(grid, scene), before), "");
    EXPECT_STREQ(grid.validate(), nullptr);
}

TYPED_TEST(GridChanges, SteadyFramesAllocateNothing) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make_uniform<kDim>(20'000);
    auto grid = test::grid_of(scene);
    const std::vector<Edit<kDim>> back = {Edit<kDim>::move(3, scene.position_of(3))};
    GridChange<kDim> change;
    const auto frame = [&] {
        const Status status = test::run_steps(change, change.update(grid, scene.agents(), 4));
        return status.ok() ? test::run_steps(change, change.edit(grid, back)) : status;
    };
    ASSERT_EQ(frame(), Status{});
    ASSERT_EQ(frame(), Status{});
    const std::size_t before = test::allocations();
    const Status status = frame();
    EXPECT_EQ(test::allocations(), before);
    EXPECT_EQ(status, Status{});
}

TYPED_TEST(GridChanges, LittleWorkIsWorthOneThread) {
    constexpr std::size_t kDim = TypeParam::value;
    auto few = scenes::make_uniform<kDim>(100);
    auto many = scenes::make_uniform<kDim>(300'000);
    auto grid = test::grid_of(many);
    GridChange<kDim> change;
    EXPECT_EQ(change.threads_worth(), 1u);
    ASSERT_EQ(change.update(grid, many.agents(), 8), Status{});
    EXPECT_GT(change.threads_worth(), 4u);
    EXPECT_LT(change.threads_worth(), 100u);
    EXPECT_GE(change.blocks(), 8u);
    ASSERT_EQ(change.update(grid, few.agents(), 8), Status{});
    EXPECT_EQ(change.threads_worth(), 1u);
    change.cancel();
    EXPECT_EQ(grid.size(), many.size());
}

TEST(GridChangesOutOfMemory, ChangeNothing) {
    const test::AllocationsFail somewhere;
    auto first = scenes::make<2>("mixed_sizes", 3000, Groups::masks);
    auto second = scenes::make<2>("mixed_sizes", 5000, Groups::masks);
    // Moves into few rows, which need blocks of their own.
    std::vector<Edit<2>> edits;
    for (Id id = 0; id < 500; ++id) {
        edits.push_back(Edit<2>::move(id, first.position_of(id % 7)));
    }
    const auto change_with = [](RowGrid<2>& grid, const auto& begin) {
        GridChange<2> change;
        return test::run_steps(change, begin(change, grid));
    };
    const auto make = [&] { return test::grid_of(first); };
    const auto say = [&](const RowGrid<2>& grid) {
        EXPECT_STREQ(grid.validate(), nullptr);
        return test::answers_of(grid, first);
    };
    test::fail_each_allocation(
        make,
        [&](RowGrid<2>& grid) {
            return change_with(grid, [&](GridChange<2>& change, RowGrid<2>& changed) {
                return change.update(changed, second.agents(), 8);
            });
        },
        say);
    test::fail_each_allocation(
        make,
        [&](RowGrid<2>& grid) {
            return change_with(grid, [&](GridChange<2>& change, RowGrid<2>& changed) {
                return change.edit(changed, edits);
            });
        },
        say);
}

} // namespace
} // namespace throng
