// What the hooks of a host's profiler are told.
#include <throng/engine/core/profile.hpp>
#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/family/double_grid/double_grid.hpp>
#include <throng/engine/family/tight_quadtree/tight_quadtree.hpp>
#include <throng/engine/grid/neighbour_loop.hpp>
#include <throng/engine/loose_tree/loose_tree.hpp>
#include <throng/parallel/batch/batch.hpp>

#include "../../support/scenes/scenes.hpp"
#include "../../support/threads/executors.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace throng {
namespace {

/// A profiler: writes scopes as "name(inner name() )", and checks that they are nested.
class Listener {
public:
    Listener() {
        open_.reserve(100); // so that it does not disturb counts of allocations
        heard_.reserve(10'000);
        before_ = set_profile_hooks(&hooks_);
    }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    ~Listener() {
        EXPECT_EQ(set_profile_hooks(before_), &hooks_);
        EXPECT_TRUE(open_.empty());
    }

    /// Everything noted since the last call.
    [[nodiscard]] std::string heard() {
        EXPECT_TRUE(open_.empty()) << "still in " << open_.back();
        std::string heard = heard_;
        heard_.clear();
        return heard;
    }

private:
    static Listener& of(void* user) {
        auto& listener = *static_cast<Listener*>(user);
        EXPECT_EQ(std::this_thread::get_id(), listener.thread_);
        return listener;
    }
    static void begin(const char* name, void* user) noexcept {
        Listener& listener = of(user);
        listener.open_.push_back(name);
        listener.heard_.append(name).append("(");
    }
    static void end(const char* name, void* user) noexcept {
        Listener& listener = of(user);
        ASSERT_FALSE(listener.open_.empty());
        EXPECT_STREQ(listener.open_.back(), name);
        listener.open_.pop_back();
        listener.heard_.append(")");
    }

    ProfileHooks hooks_{begin, end, this};
    const ProfileHooks* before_;
    const std::thread::id thread_ = std::this_thread::get_id();
    std::vector<const char*> open_;
    std::string heard_;
};

constexpr std::size_t kProfiled = 3'000;

TEST(Profile, NamesTheUpdatesOfAllIndexes) {
    auto flat = scenes::make_uniform<2>(kProfiled);
    auto deep = scenes::make_uniform<3>(kProfiled);
    Listener listener;
    RowGrid<3> rows;
    ASSERT_TRUE(rows.update(deep.agents()).ok());
    EXPECT_EQ(listener.heard(), "RowGrid::update()");
    const Edit<3> edits[] = {Edit<3>::erase(7)};
    ASSERT_TRUE(rows.edit(edits).ok());
    EXPECT_EQ(listener.heard(), "RowGrid::edit()");
    LooseTree<2> fixed;
    ASSERT_TRUE(fixed.update(flat.agents()).ok());
    EXPECT_EQ(listener.heard(), "LooseTree::update()");
    DoubleGrid<2> twice;
    ASSERT_TRUE(twice.update(flat.agents()).ok());
    EXPECT_EQ(listener.heard(), "DoubleGrid::update(DoubleGrid::update())"); // lays out first
    TightQuadtree tight;
    ASSERT_TRUE(tight.update(flat.agents()).ok());
    EXPECT_EQ(listener.heard(), "TightQuadtree::update()");
}

TEST(Profile, NamesWhatChangesACrowd) {
    auto flat = scenes::make_uniform<2>(kProfiled);
    Crowd<2> crowd;
    Listener listener;
    ASSERT_TRUE(crowd.update(flat.agents()).ok());
    EXPECT_EQ(listener.heard(), "Crowd::update()");
    ASSERT_TRUE(crowd.erase(3).ok());
    EXPECT_EQ(listener.heard(), "Crowd::erase()");
    ASSERT_TRUE(crowd.insert(3, {flat.position_of(3), {}, {}}).ok());
    EXPECT_EQ(listener.heard(), "Crowd::insert()");
    ASSERT_TRUE(crowd.move(3, flat.position_of(4)).ok());
    EXPECT_EQ(listener.heard(), "Crowd::move()");
    ASSERT_TRUE(crowd.set_statics(flat.agents()).ok());
    EXPECT_EQ(listener.heard(), "Crowd::set_statics(LooseTree::update()RowGrid::update())");
    Agents<2> wrong = flat.agents();
    wrong.common_half_extent = Point<2>::all(-1.0f);
    EXPECT_FALSE(crowd.update(wrong).ok());
    EXPECT_EQ(listener.heard(), "Crowd::update()");
}

TEST(Profile, NamesTheCallsToABatch) {
    auto scene = scenes::make_uniform<2>(kProfiled);
    RowGrid<2> grid;
    ASSERT_TRUE(grid.update(scene.agents()).ok());
    test::EagerPool pool(3);
    Batch<2> batch(pool);
    const std::vector<Ball<2>> balls(kProfiled, Ball<2>{scene.position_of(0), 1.0f});
    const std::vector<Segment<2>> paths(9, {scene.position_of(0), scene.position_of(1)});
    const std::vector<Point<2>> points(9, scene.position_of(0));
    std::vector<std::uint32_t> counts(kProfiled);
    std::vector<PathHit> path_hits(paths.size());
    Hits hits;
    NearHits near;
    Pairs pairs;
    const auto visit = [](std::size_t, std::span<const Id>, std::span<const Id>) { return true; };

    Listener listener;
    ASSERT_TRUE(batch.query(grid, balls, hits).ok());
    EXPECT_EQ(listener.heard(), "Batch::query()");
    ASSERT_TRUE(batch.count(grid, balls, counts).status.ok());
    EXPECT_EQ(listener.heard(), "Batch::count()");
    ASSERT_TRUE(batch.any(grid, balls, counts).status.ok());
    EXPECT_EQ(listener.heard(), "Batch::any()");
    ASSERT_TRUE(batch.first(grid, paths, path_hits).status.ok());
    EXPECT_EQ(listener.heard(), "Batch::first()");
    ASSERT_TRUE(batch.neighbours(grid, {.radius = 1.0f}, hits).ok());
    EXPECT_EQ(listener.heard(), "Batch::neighbours()");
    ASSERT_TRUE(batch.count_neighbours(grid, {.radius = 1.0f}, counts).status.ok());
    EXPECT_EQ(listener.heard(), "Batch::count_neighbours()");
    ASSERT_TRUE(batch.nearest(grid, points, {.k = 2}, near).ok());
    EXPECT_EQ(listener.heard(), "Batch::nearest()");
    ASSERT_TRUE(batch.nearest_neighbours(grid, {.k = 2}, near).ok());
    EXPECT_EQ(listener.heard(), "Batch::nearest_neighbours()");
    ASSERT_TRUE(batch.pairs(grid, pairs).ok());
    ASSERT_TRUE(batch.pairs({grid, grid}, pairs).ok());
    EXPECT_EQ(listener.heard(), "Batch::pairs()Batch::pairs()");
    ASSERT_TRUE(batch.pairs_within(grid, 1.0f, pairs).ok());
    EXPECT_EQ(listener.heard(), "Batch::pairs_within()");
    ASSERT_TRUE(batch.count_pairs(grid).status.ok());
    EXPECT_EQ(listener.heard(), "Batch::count_pairs()");
    ASSERT_TRUE(batch.visit_pairs(grid, visit).status.ok());
    ASSERT_TRUE(batch.visit_pairs({grid, grid}, visit).status.ok());
    EXPECT_EQ(listener.heard(), "Batch::visit_pairs()Batch::visit_pairs()");
    NeighbourLoop<2> loop(pool);
    const auto nothing = [](const auto&...) {};
    ASSERT_TRUE(
        loop.run(grid, {.radius = 1.0f}, Isa::scalar, NeighbourLoop<2>::AgentOrder::none, nothing)
            .ok());
    EXPECT_EQ(listener.heard(), "NeighbourLoop::run()");
}

TEST(Profile, SortedQuestionsShowTheSorting) {
    auto scene = scenes::make_uniform<2>(200'000);
    RowGrid<2> grid;
    ASSERT_TRUE(grid.update(scene.agents()).ok());
    const std::vector<Point<2>> points = scene.positions(); // in no order of places
    std::vector<Ball<2>> balls;
    for (const Point<2>& point : points) {
        balls.push_back({point, 0.1f});
    }
    std::vector<std::uint32_t> counts(balls.size());
    Batch<2> batch;
    Listener listener;
    ASSERT_TRUE(batch.count(grid, balls, counts).status.ok());
    EXPECT_EQ(listener.heard(), "Batch::count(RowGrid::update())");
}

TEST(Profile, EndsWhatIsRefused) {
    auto scene = scenes::make_uniform<2>(kProfiled);
    RowGrid<2> grid;
    ASSERT_TRUE(grid.update(scene.agents()).ok());
    Listener listener;
    scene.position[1][3] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_FALSE(grid.update(scene.agents()).ok());
    EXPECT_EQ(listener.heard(), "RowGrid::update()");
    const Edit<2> edits[] = {Edit<2>::erase(Id{kProfiled})};
    EXPECT_FALSE(grid.edit(edits).ok());
    EXPECT_EQ(listener.heard(), "RowGrid::edit()");
    Hits hits;
    Batch<2> batch;
    EXPECT_FALSE(batch.neighbours(grid, {.radius = -1.0f}, hits).ok());
    EXPECT_EQ(listener.heard(), "Batch::neighbours()");
    EXPECT_FALSE(batch.count_neighbours(grid, {.radius = 1.0f}, {}).status.ok());
    EXPECT_EQ(listener.heard(), "Batch::count_neighbours()");
}

TEST(Profile, EndsWhatThrows) {
    auto scene = scenes::make_uniform<2>(kProfiled);
    RowGrid<2> grid;
    ASSERT_TRUE(grid.update(scene.agents()).ok());
    Listener listener;
    Batch<2> batch;
    const auto refuse = [](std::size_t, std::span<const Id>, std::span<const Id>) -> bool {
        throw std::runtime_error("no");
    };
    EXPECT_THROW((void)batch.visit_pairs(grid, refuse), std::runtime_error);
    EXPECT_EQ(listener.heard(), "Batch::visit_pairs()");
    test::FaultyExecutor faulty(test::Fault::throw_before, 0, 1);
    EXPECT_THROW((void)grid.update(scene.agents(), faulty), test::ExecutorError);
    EXPECT_EQ(listener.heard(), "RowGrid::update()");
    test::FaultyExecutor again(test::Fault::throw_before, 0, 1);
    Batch<2> unlucky(again);
    EXPECT_THROW((void)unlucky.count_pairs(grid), test::ExecutorError);
    EXPECT_EQ(listener.heard(), "Batch::count_pairs()");
}

TEST(Profile, CallsEndWithTheHooksTheyBeganWith) {
    auto scene = scenes::make_uniform<2>(kProfiled);
    RowGrid<2> grid;
    ASSERT_TRUE(grid.update(scene.agents()).ok());
    Batch<2> batch;
    Listener outer;
    RowGrid<2> inner;
    ASSERT_TRUE(inner.update(scene.agents()).ok());
    (void)outer.heard();
    const ProfileHooks* hooks = nullptr;
    const auto visit = [&](std::size_t, std::span<const Id>, std::span<const Id>) {
        hooks = set_profile_hooks(nullptr);
        EXPECT_TRUE(inner.update(scene.agents()).ok()); // no hook is called
        return false;
    };
    EXPECT_GT(batch.visit_pairs(grid, visit).count, 0u);
    EXPECT_EQ(set_profile_hooks(hooks), nullptr);
    EXPECT_EQ(outer.heard(), "Batch::visit_pairs()");
}

TEST(Profile, NoHookIsCalledByDefault) {
    EXPECT_EQ(set_profile_hooks(nullptr), nullptr);
    { const Listener listener; }
    EXPECT_EQ(set_profile_hooks(nullptr), nullptr);
}

} // namespace
} // namespace throng
