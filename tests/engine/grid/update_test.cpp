// A new crowd replaces the old one as a whole, or not at all.
#include <throng/engine/agents/grid_shape.hpp>
#include <throng/engine/agents/validation.hpp>
#include <throng/engine/grid/row_grid.hpp>

#include "../../support/answers.hpp"
#include "../../support/dims.hpp"
#include "../../support/numbers.hpp"
#include "../../support/threads/executors.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace throng {
namespace {

using test::kInfinity;

using scenes::Groups;

template <std::size_t Dim>
void expect_holds(const RowGrid<Dim>& grid, scenes::Scene<Dim>& scene) {
    EXPECT_EQ(test::difference(test::answers_of(grid, scene),
                               test::expected_answers(grid.shape(), scene)),
              "");
    EXPECT_STREQ(grid.validate(), nullptr);
    for (Id id = 0; id < scene.size(); id += 7) {
        EXPECT_TRUE(grid.contains(id));
    }
    EXPECT_FALSE(grid.contains(static_cast<Id>(scene.size())));
}

/// All agents at other places, and the same questions.
template <std::size_t Dim>
scenes::Scene<Dim> moved(scenes::Scene<Dim> scene) {
    for (std::size_t a = 0; a < Dim; ++a) {
        for (float& x : scene.position[a]) {
            x = scene.world.lo[a] + 0.9f * (scene.world.hi[a] - x) + 0.3f;
        }
    }
    return scene;
}

template <class Dim>
class RowGridUpdate : public testing::Test {};
TYPED_TEST_SUITE(RowGridUpdate, test::Dims, test::DimNames);

TYPED_TEST(RowGridUpdate, ReplacesAllAgents) {
    for (const std::string_view name : scenes::names()) {
        SCOPED_TRACE(name);
        auto scene = scenes::make<TypeParam::value>(name, 500, Groups::masks);
        auto grid = test::grid_of(scene);
        expect_holds(grid, scene);
        ASSERT_EQ(grid.update(scene.agents()), Status{});
        expect_holds(grid, scene);
        if (name == "extreme") { continue; } // moving those would overstep the limits
        auto next = moved(scene);
        ASSERT_EQ(grid.update(next.agents()), Status{});
        expect_holds(grid, next);
        ASSERT_EQ(grid.update(scene.agents()), Status{});
        expect_holds(grid, scene);
    }
}

TYPED_TEST(RowGridUpdate, FollowsTheCrowdInSizeAndKind) {
    RowGrid<TypeParam::value> grid;
    auto first = scenes::make<TypeParam::value>("uniform", 400);
    ASSERT_EQ(grid.configure(first.world, first.cell), Status{});
    const struct {
        const char* name;
        std::size_t count;
        Groups groups;
    } steps[] = {
        {"uniform", 400, Groups::none},       {"mixed_sizes", 3000, Groups::masks},
        {"uniform", 10, Groups::masks},       {"empty", 0, Groups::none},
        {"one_agent", 1, Groups::masks},      {"giant", 5000, Groups::none},
        {"clustered", 20'000, Groups::masks}, {"empty", 0, Groups::masks},
        {"mixed_sizes", 64, Groups::none},    {"coincident", 9000, Groups::masks},
        {"uniform", 300, Groups::none},
    };
    for (const auto& step : steps) {
        SCOPED_TRACE(testing::Message() << step.name << " " << step.count);
        auto scene = scenes::make<TypeParam::value>(step.name, step.count, step.groups);
        ASSERT_EQ(grid.update(scene.agents()), Status{});
        expect_holds(grid, scene);
    }
}

TYPED_TEST(RowGridUpdate, FitsAShapeOnce) {
    auto scene = scenes::make<TypeParam::value>("clustered", 700);
    RowGrid<TypeParam::value> grid;
    EXPECT_EQ(grid.shape().cells[0], 0u);
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    const auto fitted = shape_for(scene.agents()).value;
    EXPECT_EQ(grid.shape(), fitted);
    auto other = scenes::make<TypeParam::value>("outside", 200);
    ASSERT_EQ(grid.update(other.agents()), Status{});
    EXPECT_EQ(grid.shape(), fitted);
    expect_holds(grid, other);
}

TYPED_TEST(RowGridUpdate, StartsAfreshWhenConfigured) {
    auto scene = scenes::make<TypeParam::value>("mixed_sizes", 300, Groups::masks);
    auto grid = test::grid_of(scene);
    CrowdKind<TypeParam::value> kind;
    kind.common_half_extent[0] = 2.0f;
    const auto coarse = Point<TypeParam::value>::all(5.0f);
    ASSERT_EQ(grid.configure(scene.world, coarse, kind), Status{});
    EXPECT_EQ(grid.shape(), shape_over(scene.world, coarse).value);
    EXPECT_EQ(grid.kind(), kind);
    EXPECT_EQ(grid.size(), 0u);
    EXPECT_FALSE(grid.contains(0));
    EXPECT_EQ(grid.count(scene.world).count, 0u);
    EXPECT_STREQ(grid.validate(), nullptr);

    ASSERT_EQ(grid.update(scene.agents()), Status{});
    expect_holds(grid, scene);
    const auto shape = grid.shape();
    grid.clear();
    EXPECT_EQ(grid.size(), 0u);
    EXPECT_EQ(grid.shape(), shape);
    EXPECT_EQ(grid.count(scene.world).count, 0u);
    EXPECT_FALSE(grid.contains(0));
    EXPECT_STREQ(grid.validate(), nullptr);
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    expect_holds(grid, scene);
    grid.release_staging();
    expect_holds(grid, scene);
    ASSERT_EQ(grid.update(scene.agents()), Status{});
    expect_holds(grid, scene);
}

TYPED_TEST(RowGridUpdate, KeepsItsShapeWhenConfiguredBadly) {
    using P = Point<TypeParam::value>;
    auto scene = scenes::make<TypeParam::value>("uniform", 300);
    auto grid = test::grid_of(scene);
    Box<TypeParam::value> inverted = scene.world;
    std::swap(inverted.lo[0], inverted.hi[0]);
    EXPECT_EQ(grid.configure(inverted, scene.cell).cause, Cause::inverted);
    EXPECT_EQ(grid.configure(scene.world, P::all(0.0f)).cause, Cause::not_positive);
    EXPECT_EQ(grid.configure(scene.world, P::all(1e-8f)).cause, Cause::too_many);
    CrowdKind<TypeParam::value> kind;
    kind.common_half_extent = P::all(-1.0f);
    EXPECT_EQ(grid.configure(scene.world, scene.cell, kind),
              (Status{Cause::negative, Argument::half_extents}));
    EXPECT_EQ(grid.use(grid.shape(), kind), (Status{Cause::negative, Argument::half_extents}));
    auto rowless = grid.shape();
    rowless.cells[1] = 0;
    EXPECT_EQ(grid.use(rowless), (Status{Cause::not_positive, Argument::cell, 1}));
    EXPECT_EQ(grid.use(GridShape<TypeParam::value>{}).cause, Cause::not_positive);
    expect_holds(grid, scene);
}

TYPED_TEST(RowGridUpdate, MovesAsAWhole) {
    auto scene = scenes::make<TypeParam::value>("clustered", 300, Groups::masks);
    auto grid = test::grid_of(scene);
    RowGrid<TypeParam::value> other(std::move(grid));
    expect_holds(other, scene);
    grid = std::move(other);
    expect_holds(grid, scene);
}

TYPED_TEST(RowGridUpdate, IsTheSameInAnyOrderOfBlocks) {
    auto scene = scenes::make<TypeParam::value>("clustered", 60'000, Groups::masks);
    scene.boxes.resize(8);
    scene.balls.resize(8);
    const auto wanted = test::answers_of(test::grid_of(scene), scene);
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        test::ShuffleExecutor executor(seed);
        RowGrid<TypeParam::value> grid;
        ASSERT_EQ(grid.configure(scene.world, scene.cell), Status{});
        for (int again = 0; again < 2; ++again) {
            ASSERT_EQ(grid.update(scene.agents(), executor), Status{});
            EXPECT_EQ(test::difference(test::answers_of(grid, scene), wanted), "") << seed;
        }
        EXPECT_STREQ(grid.validate(), nullptr);
    }
}

TYPED_TEST(RowGridUpdate, SurvivesBadExecutors) {
    auto old_scene = scenes::make<TypeParam::value>("mixed_sizes", 3000, Groups::masks);
    old_scene.boxes.resize(8);
    old_scene.balls.resize(8);
    auto new_scene = scenes::make_clustered<TypeParam::value>(40'000);
    new_scene.boxes = old_scene.boxes;
    new_scene.balls = old_scene.balls;
    auto grid = test::grid_of(old_scene);
    const auto before = test::answers_of(grid, old_scene);
    auto reference = test::grid_of(old_scene);
    ASSERT_EQ(reference.update(new_scene.agents()), Status{});
    const auto after = test::answers_of(reference, old_scene);

    using test::Fault;
    bool any_refused = false, any_thrown = false;
    for (const Fault fault : test::kEveryFault) {
        for (std::size_t run = 0;; ++run) {
            SCOPED_TRACE(testing::Message()
                         << "fault " << static_cast<int>(fault) << " in run " << run);
            ASSERT_LT(run, 100u);
            test::FaultyExecutor executor(fault, run, run);
            bool complete = false;
            try {
                const Status status = grid.update(new_scene.agents(), executor);
                complete = status.ok();
                if (!complete) {
                    any_refused = true;
                    EXPECT_EQ(status.cause, Cause::executor_failed);
                    EXPECT_EQ(status.argument, Argument::executor);
                }
            } catch (const test::ExecutorError&) {
                any_thrown = true;
                complete = false;
            }
            ASSERT_STREQ(grid.validate(), nullptr);
            ASSERT_EQ(
                test::difference(test::answers_of(grid, old_scene), complete ? after : before), "");
            ASSERT_EQ(grid.update(old_scene.agents()), Status{});
            ASSERT_EQ(test::difference(test::answers_of(grid, old_scene), before), "");
            if (!executor.failed()) { break; }
        }
    }
    EXPECT_TRUE(any_refused);
    EXPECT_TRUE(any_thrown);
}

TYPED_TEST(RowGridUpdate, AsksBeforeItCommits) {
    constexpr std::size_t kDim = TypeParam::value;
    auto old_scene = scenes::make<kDim>("mixed_sizes", 300, Groups::masks);
    auto new_scene = scenes::make<kDim>("clustered", 20'000); // needs more memory, and another kind
    new_scene.boxes = old_scene.boxes;
    new_scene.balls = old_scene.balls;
    auto grid = test::grid_of(old_scene);
    auto reference = test::grid_of(old_scene);
    ASSERT_EQ(reference.update(new_scene.agents()), Status{});
    const auto before = test::answers_of(grid, old_scene);
    const auto after = test::answers_of(reference, old_scene);
    std::size_t asked = 0;
    const Status no{Cause::cancelled, Argument::progress, 7};
    EXPECT_EQ(grid.update(new_scene.agents(), serial_executor(), [&] { return ++asked, no; }), no);
    EXPECT_EQ(asked, 1u);
    EXPECT_EQ(test::difference(test::answers_of(grid, old_scene), before), "");
    EXPECT_STREQ(grid.validate(), nullptr);
    EXPECT_THROW((void)grid.update(new_scene.agents(), serial_executor(),
                                   []() -> Status { throw test::ExecutorError(); }),
                 test::ExecutorError);
    EXPECT_EQ(test::difference(test::answers_of(grid, old_scene), before), "");
    EXPECT_EQ(grid.update(new_scene.agents(), serial_executor(), [&] { return ++asked, Status{}; }),
              Status{});
    EXPECT_EQ(asked, 2u);
    EXPECT_EQ(test::difference(test::answers_of(grid, old_scene), after), "");

    // The caller is not asked if the agents are refused before.
    auto bad = scenes::make<kDim>("uniform", 300);
    bad.position[0][3] = test::kNan;
    EXPECT_EQ(grid.update(bad.agents(), serial_executor(), [&] { return ++asked, Status{}; }),
              check_agents(bad.agents()));
    EXPECT_EQ(asked, 2u);

    // A grid that fits itself to its first agents, and one that has none to fit itself to.
    RowGrid<kDim> fresh;
    EXPECT_EQ(fresh.update(new_scene.agents(), serial_executor(), [&] { return no; }), no);
    EXPECT_EQ(fresh.shape(), GridShape<kDim>{});
    EXPECT_EQ(fresh.update({}, serial_executor(), [&] { return no; }), no);
    EXPECT_EQ(fresh.update(new_scene.agents(), serial_executor(), [] { return Status{}; }),
              Status{});
    EXPECT_EQ(fresh.size(), new_scene.size());
}

/// After the grid has asked the caller, no block may fail: the caller counts on the update.
TYPED_TEST(RowGridUpdate, CannotFailOnceItHasAsked) {
    auto old_scene = scenes::make<TypeParam::value>("uniform", 300);
    auto new_scene = scenes::make_clustered<TypeParam::value>(40'000);
    bool refused_before = false, survived_after = false;
    for (const test::Fault fault : test::kEveryFault) {
        for (std::size_t run = 0;; ++run) {
            ASSERT_LT(run, 100u);
            auto grid = test::grid_of(old_scene);
            test::FaultyExecutor executor(fault, run, run);
            bool asked = false, complete = false;
            try {
                complete = grid.update(new_scene.agents(), executor,
                                       [&] { return asked = true, Status{}; })
                               .ok();
            } catch (const test::ExecutorError&) {}
            ASSERT_EQ(complete, asked);
            ASSERT_EQ(grid.size(), asked ? new_scene.size() : old_scene.size());
            refused_before = refused_before || !asked;
            survived_after = survived_after || (asked && executor.failed());
            if (!executor.failed()) { break; }
        }
    }
    EXPECT_TRUE(refused_before);
    EXPECT_TRUE(survived_after);
}

/// Expects a refusal, as the plain definition says, and that nothing has changed.
template <std::size_t Dim>
void expect_refused(RowGrid<Dim>& grid, const Agents<Dim>& agents,
                    const scenes::Scene<Dim>& questions, const test::Answers<Dim>& before) {
    const Status wanted = check_agents(agents);
    ASSERT_FALSE(wanted.ok());
    ASSERT_EQ(grid.update(agents), wanted) << "should say: " << to_string(wanted);
    ASSERT_EQ(test::difference(test::answers_of(grid, questions), before), "");
}

template <std::size_t Dim>
void check_bad_values(scenes::Layout layout) {
    auto questions = scenes::make<Dim>("uniform", 200, Groups::masks);
    questions.boxes.resize(5);
    questions.balls.resize(5);
    auto grid = test::grid_of(questions);
    const auto before = test::answers_of(grid, questions);
    auto bad_scene = scenes::make<Dim>("mixed_sizes", 9000, Groups::none);
    bad_scene.layout = layout;
    const std::size_t last = bad_scene.size() - 1;
    std::size_t turn = 0; // a place for each value, not each value in each place
    constexpr float kBad[] = {test::kNan, kInfinity, -kInfinity, 2e18f, -2e18f};
    for (const std::size_t i :
         {std::size_t{0}, std::size_t{1}, std::size_t{7}, std::size_t{8}, std::size_t{15},
          std::size_t{16}, std::size_t{4095}, std::size_t{4096}, std::size_t{8191},
          std::size_t{8192}, last - 16, last - 1, last}) {
        for (std::size_t a = 0; a < Dim; ++a) {
            for (auto* const axes : {&bad_scene.position, &bad_scene.half_extent}) {
                SCOPED_TRACE(testing::Message() << "agent " << i << ", axis " << a);
                float& value = (*axes)[a][i];
                const float good = value;
                value = kBad[turn++ % std::size(kBad)];
                ASSERT_NO_FATAL_FAILURE(
                    expect_refused(grid, bad_scene.agents(), questions, before));
                value = good;
            }
        }
    }
    bad_scene.position[1][5000] = kInfinity; // the first one counts
    bad_scene.position[0][8500] = kInfinity;
    bad_scene.half_extent[0][3] = -1.0f;
    ASSERT_NO_FATAL_FAILURE(expect_refused(grid, bad_scene.agents(), questions, before));
    // A common extent is used to search, not only to store.
    bad_scene = scenes::make<Dim>("uniform", 50);
    for (const float bad : {-1.0f, kInfinity, 2e18f}) {
        bad_scene.common_half_extent[Dim - 1] = bad;
        ASSERT_NO_FATAL_FAILURE(expect_refused(grid, bad_scene.agents(), questions, before));
    }
    EXPECT_STREQ(grid.validate(), nullptr);
}

TYPED_TEST(RowGridUpdate, RefusesBadValuesWhereverTheyAre) {
    check_bad_values<TypeParam::value>(scenes::Layout::separate);
    check_bad_values<TypeParam::value>(scenes::Layout::unaligned);
}

TYPED_TEST(RowGridUpdate, RefusesBadViews) {
    auto scene = scenes::make<TypeParam::value>("mixed_sizes", 300, Groups::masks);
    auto grid = test::grid_of(scene);
    const auto before = test::answers_of(grid, scene);
    const auto refuse = [&](auto&& spoil) {
        auto agents = scene.agents();
        spoil(agents);
        expect_refused(grid, agents, scene, before);
    };
    refuse([](auto& agents) { agents.positions.axis[1] = nullptr; });
    refuse([](auto& agents) { agents.half_extents.axis[0] = nullptr; });
    refuse([](auto& agents) { agents.groups.data = nullptr; });
    refuse([](auto& agents) { agents.half_extents.count -= 1; });
    refuse([](auto& agents) { agents.groups.count += 1; });
    refuse([](auto& agents) { agents.positions.count = 0; });
    refuse([](auto& agents) { agents.positions.count = kMaxAgents + 1; });
}

// A grid that has no shape yet must not get one from a crowd that it refuses.
TYPED_TEST(RowGridUpdate, StaysWithoutShapeWhenTheFirstCrowdIsBad) {
    auto scene = scenes::make<TypeParam::value>("uniform", 300);
    scene.position[1][200] = test::kNan;
    RowGrid<TypeParam::value> grid;
    EXPECT_EQ(grid.update(scene.agents()), check_agents(scene.agents()));
    EXPECT_EQ(grid.shape().cells[0], 0u);
    EXPECT_EQ(grid.insert(0, {Point<TypeParam::value>{}}).cause, Cause::not_configured);
}

TYPED_TEST(RowGridUpdate, AllowsTheLargestOfEverything) {
    scenes::Scene<TypeParam::value> scene;
    for (const float x : {kLargest, -kLargest, 0.0f, -0.0f, 1.0f}) {
        for (const float half : {0.0f, -0.0f, 1.0f, kLargest}) {
            scene.add(Point<TypeParam::value>::all(x), Point<TypeParam::value>::all(half));
        }
    }
    scene.world = {Point<TypeParam::value>::all(-4.0f), Point<TypeParam::value>::all(4.0f)};
    scene.cell = Point<TypeParam::value>::all(1.0f);
    scenes::add_queries(scene, 60);
    for (const auto& shape : scenes::shapes_for(scene)) {
        RowGrid<TypeParam::value> grid;
        ASSERT_EQ(grid.use(shape), Status{});
        ASSERT_EQ(grid.update(scene.agents()), Status{});
        expect_holds(grid, scene);
    }
}

} // namespace
} // namespace throng
