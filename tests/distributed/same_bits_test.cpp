// A crowd over any number of ranks has the results of one Crowd, to the bit.
#include <throng/distributed/one_rank.hpp>
#include <throng/parallel/executors/thread_pool.hpp>

#include "../support/dims.hpp"
#include "../support/long_run.hpp"
#include "flock.hpp"

namespace throng::test {
namespace {

constexpr std::uint32_t kNumbersOfRanks[] = {1, 2, 3, 4, 7, 16, 61};

template <class Dim>
class SameBits : public testing::Test {};
TYPED_TEST_SUITE(SameBits, Dims, DimNames);

template <std::size_t Dim>
void check(const Plan& plan, std::uint64_t seeds = 2) {
    const std::uint64_t wanted = plain_hash<Dim>(plan);
    for (const std::uint32_t ranks : kNumbersOfRanks) {
        if (!large_run() && ranks != 1 && ranks != 3 && ranks != 16) { continue; }
        for (std::uint64_t seed = 0; seed < (large_run() ? seeds : 1); ++seed) {
            ASSERT_EQ(distributed_hash<Dim>(plan, ranks, 10 * seed + ranks), wanted)
                << "scene " << static_cast<int>(plan.scene) << ", " << ranks << " ranks, seed "
                << seed;
        }
    }
}

TYPED_TEST(SameBits, InEveryScene) {
    for (const Scene scene : kScenes) {
        Plan plan;
        plan.scene = scene;
        ASSERT_NO_FATAL_FAILURE(check<TypeParam::value>(plan));
    }
}

TYPED_TEST(SameBits, WithExtentsAndMasks) {
    for (const Scene scene : {Scene::uniform, Scene::outside, Scene::teleport}) {
        Plan plan;
        plan.scene = scene;
        plan.own_half_extents = true;
        plan.groups = scene != Scene::outside;
        ASSERT_NO_FATAL_FAILURE(check<TypeParam::value>(plan));
    }
}

/// Agents as large as half the world, so each is a ghost on all other ranks.
TYPED_TEST(SameBits, WithGiants) {
    for (const Scene scene : kScenes) {
        Plan plan;
        plan.scene = scene;
        plan.own_half_extents = true;
        plan.giants = 10.0f;
        plan.groups = scene == Scene::clustered;
        plan.births = scene == Scene::uniform || scene == Scene::teleport;
        plan.sizes_change = scene == Scene::lattice || scene == Scene::teleport;
        ASSERT_NO_FATAL_FAILURE(check<TypeParam::value>(plan, 1));
    }
}

TYPED_TEST(SameBits, WithStatics) {
    for (const Scene scene : {Scene::uniform, Scene::clustered, Scene::lattice}) {
        Plan plan;
        plan.scene = scene;
        plan.statics = 40;
        plan.own_half_extents = scene != Scene::lattice;
        plan.giants = scene == Scene::uniform ? 10.0f : 0.0f;
        plan.balance_every = 2;
        ASSERT_NO_FATAL_FAILURE(check<TypeParam::value>(plan, 1));
    }
}

TYPED_TEST(SameBits, WithBirthsAndDeaths) {
    for (const Scene scene : {Scene::uniform, Scene::clustered, Scene::teleport}) {
        Plan plan;
        plan.scene = scene;
        plan.births = true;
        plan.groups = true;
        ASSERT_NO_FATAL_FAILURE(check<TypeParam::value>(plan));
    }
}

TYPED_TEST(SameBits, WithFewerCellsThanRanks) {
    Plan plan;
    plan.side = 1.0f;
    plan.reach = 0.9f;
    ASSERT_NO_FATAL_FAILURE(check<TypeParam::value>(plan));
}

/// Where floats are coarse, searches widen their bounds by more than a cell, and ghosts come from
/// ranks that are not neighbours.
TYPED_TEST(SameBits, FarFromTheOrigin) {
    Plan plan;
    plan.origin = 1e6f;
    ASSERT_NO_FATAL_FAILURE(check<TypeParam::value>(plan));
    plan.scene = Scene::lattice;
    ASSERT_NO_FATAL_FAILURE(check<TypeParam::value>(plan));
}

TYPED_TEST(SameBits, OverALongTime) {
    Plan plan;
    plan.steps = 50;
    plan.agents = 150;
    ASSERT_NO_FATAL_FAILURE(check<TypeParam::value>(plan, 1));
}

TYPED_TEST(SameBits, WithoutAgents) {
    Plan plan;
    plan.agents = 0;
    ASSERT_NO_FATAL_FAILURE(check<TypeParam::value>(plan));
}

/// Enough agents for several blocks and threads; each rank has its own pool.
TYPED_TEST(SameBits, OnThreads) {
    Plan plan;
    plan.agents = 40'000;
    plan.side = TypeParam::value == 2 ? 200.0f : 34.0f;
    plan.steps = 3;
    const std::uint64_t wanted = plain_hash<TypeParam::value>(plan);
    for (const std::uint32_t ranks : {1u, 3u}) {
        const auto pool = []() -> Executor& {
            thread_local ThreadPool own(3);
            return own;
        };
        ASSERT_EQ(distributed_hash<TypeParam::value>(plan, ranks, 1, pool), wanted);
    }
}

TYPED_TEST(SameBits, OnOneRankWithoutAJob) {
    constexpr std::size_t kDim = TypeParam::value;
    Plan plan;
    plan.births = true;
    OneRank ranks;
    Flock<kDim> flock(ranks, plan);
    ASSERT_EQ(flock.crowd.configure(settings_of<kDim>(plan)), Status{});
    for (int step = 0; step < plan.steps; ++step) {
        ASSERT_EQ(flock.step(step), Status{});
        EXPECT_EQ(flock.mine.ghosts(), 0u);
        EXPECT_EQ(flock.crowd.stats().neighbours, 0u);
        EXPECT_EQ(flock.crowd.stats().owned, flock.mine.ids.size());
    }
    EXPECT_EQ(flock.sum.value, plain_hash<kDim>(plan));
}

} // namespace
} // namespace throng::test
