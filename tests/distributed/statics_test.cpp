// Statics and giants of a crowd over many ranks: which ranks have them, and what is refused.
#include "../support/numbers.hpp"
#include "snapshot.hpp"
#include "starved.hpp"

#include <algorithm>
#include <functional>
#include <new>
#include <vector>

namespace throng::test {
namespace {

constexpr std::uint32_t kStaticsRanks = 3;

/// A crowd with statics, whose places show in the answers to every question.
Plan with_walls() {
    Plan plan;
    plan.statics = 25;
    return plan;
}

/// The ids that a box around the world finds in these sets.
std::vector<GlobalId> all_found(Flock<2>& flock, Sets sets) {
    const std::vector<Box<2>> world = {{{{-50.0f, -50.0f}}, {{50.0f, 50.0f}}}};
    GlobalHits hits;
    EXPECT_EQ(flock.crowd.query(world, hits, {}, serial_executor(), sets), Status{});
    return hits.ids;
}

TEST(DistributedStatics, AreRefusedOnAllRanks) {
    struct Spoilt {
        std::function<void(Agents<2>&, std::vector<float>&)> spoil;
        Status wanted;
    };
    const std::vector<Spoilt> harms = {
        {[&](Agents<2>& agents, std::vector<float>& numbers) {
             numbers[9] = kNan;
             agents.positions = PointView<2>::interleaved(numbers.data(), agents.positions.count);
         },
         {Cause::not_finite, Argument::statics, 4}},
        {[&](Agents<2>& agents, std::vector<float>& numbers) {
             numbers[5] = -1.0f;
             agents.half_extents = PointView<2>::interleaved(numbers.data(), 25);
         },
         {Cause::negative, Argument::statics, 2}},
        {[](Agents<2>& agents, std::vector<float>&) { agents.groups.count = 3; },
         {Cause::count_mismatch, Argument::statics}}};
    const Plan plan = with_walls();
    for (const Spoilt& harm : harms) {
        for (std::uint32_t bad = 0; bad < kStaticsRanks; ++bad) {
            ThreadRanks job(kStaticsRanks, bad);
            job.run([&](Ranks& ranks) {
                Flock<2> flock(ranks, plan);
                const Walls<2> walls(plan);
                ASSERT_EQ(flock.crowd.configure(settings_of<2>(plan)), Status{});
                ASSERT_EQ(flock.crowd.set_statics(walls.agents()), Status{});
                ASSERT_EQ(flock.step(0), Status{});
                const Snapshot before(flock);
                const auto found = all_found(flock, Sets::all);
                Agents<2> agents = walls.agents();
                std::vector<float> numbers(50, 1.0f);
                if (ranks.rank() == bad) { harm.spoil(agents, numbers); }
                const Status status = flock.crowd.set_statics(agents);
                EXPECT_EQ(status, harm.wanted);
                EXPECT_EQ(flock.crowd.refused_by(), bad);
                EXPECT_TRUE(Snapshot(flock) == before);
                EXPECT_EQ(all_found(flock, Sets::all), found);
            });
        }
    }
}

TEST(DistributedStatics, AreTheSameOnAllRanks) {
    const Plan plan = with_walls();
    for (std::uint32_t odd = 0; odd < kStaticsRanks; ++odd) {
        ThreadRanks job(kStaticsRanks, odd);
        job.run([&](Ranks& ranks) {
            Flock<2> flock(ranks, plan);
            Walls<2> walls(plan);
            ASSERT_EQ(flock.crowd.set_statics(walls.agents()), Status{Cause::not_configured});
            ASSERT_EQ(flock.crowd.configure(settings_of<2>(plan)), Status{});
            ASSERT_EQ(flock.crowd.set_statics(walls.agents()), Status{});
            const auto found = all_found(flock, Sets::statics);
            ASSERT_EQ(found.size(), plan.statics);
            ASSERT_EQ(flock.crowd.stats().statics, plan.statics);
            if (ranks.rank() == odd) { walls.move_one(); }
            ASSERT_EQ(flock.crowd.set_statics(walls.agents()), Status{Cause::ranks_differ});
            const Walls<2> again(plan);
            Agents<2> agents = again.agents();
            if (ranks.rank() == odd) { agents.groups = {}; }
            ASSERT_EQ(flock.crowd.set_statics(agents), Status{Cause::ranks_differ});
            agents = again.agents();
            const std::vector<float> sizes(2 * plan.statics, 0.7f);
            if (ranks.rank() == odd) {
                agents.half_extents = PointView<2>::interleaved(sizes.data(), plan.statics);
            }
            ASSERT_EQ(flock.crowd.set_statics(agents), Status{Cause::ranks_differ});
            ASSERT_EQ(all_found(flock, Sets::statics), found);
            // Statics stay in updates, and go when the cells change.
            ASSERT_EQ(flock.step(0), Status{});
            ASSERT_EQ(all_found(flock, Sets::statics), found);
            ASSERT_EQ(flock.crowd.configure(settings_of<2>(plan)), Status{});
            ASSERT_TRUE(all_found(flock, Sets::all).empty());
            ASSERT_EQ(flock.crowd.stats().statics, 0u);
        });
    }
}

TEST(DistributedStatics, AnyAllocationThatFails) {
    const Plan plan = with_walls();
    bool failed = true;
    std::size_t refusals = 0;
    for (std::size_t n = 0; failed; ++n) {
        ASSERT_LT(n, 500u);
        failed = false;
        ThreadRanks job(kStaticsRanks, n);
        job.run([&](Ranks& plain) {
            Starved ranks(plain);
            Flock<2> flock(ranks, plan);
            Walls<2> walls(plan);
            ASSERT_EQ(flock.crowd.configure(settings_of<2>(plan)), Status{});
            ASSERT_EQ(flock.crowd.set_statics(walls.agents()), Status{});
            const auto found = all_found(flock, Sets::statics);
            walls.move_one();
            if (ranks.rank() == 1) { ranks.starve(n); }
            const Status status = flock.crowd.set_statics(walls.agents());
            if (ranks.rank() == 1) {
                failed = ranks.feed();
                refusals += failed ? 1 : 0;
                ASSERT_EQ(status.ok(), !failed);
            }
            if (status.ok()) { return; }
            ASSERT_EQ(status, (Status{Cause::over_memory, Argument::memory}));
            ASSERT_EQ(all_found(flock, Sets::statics), found);
        });
    }
    EXPECT_GT(refusals, 10u);
}

TEST(DistributedGiants, AreGhostsOnAllRanks) {
    Plan plan;
    plan.own_half_extents = true;
    plan.giants = 10.0f;
    ThreadRanks job(5, 1);
    job.run([&](Ranks& ranks) {
        Flock<2> flock(ranks, plan);
        ASSERT_EQ(flock.crowd.configure(settings_of<2>(plan)), Status{});
        ASSERT_EQ(flock.step(0), Status{});
        std::size_t giants = 0;
        for (std::size_t i = 0; i < plan.agents; ++i) {
            const Point<2> half = Fate<2>{plan}.half_extent(i);
            const bool giant = std::max(half[0], half[1]) > 0.5f * 1.3f;
            giants += giant ? 1 : 0;
            const auto here =
                std::count(flock.mine.ids.begin(), flock.mine.ids.end(), Fate<2>::name(i));
            if (giant) { ASSERT_EQ(here, 1); }
        }
        ASSERT_GT(giants, 10u);
        EXPECT_EQ(flock.crowd.stats().giants, giants);
        EXPECT_EQ(all_found(flock, Sets::giants).size(), giants);
        EXPECT_EQ(all_found(flock, Sets::all).size(), plan.agents);
        // The rank's cells are a part of the whole grid, though it has all giants.
        const GridShape<2>&local = flock.crowd.local().shape(), &whole = flock.crowd.shape();
        EXPECT_LT(local.cells[0] * local.cells[1], whole.cells[0] * whole.cells[1]);
        // The grid has the small agents; giants have local ids too.
        const auto [small, large, statics] = flock.crowd.grids();
        EXPECT_EQ(small.grid, &flock.crowd.local());
        EXPECT_EQ(small.grid->size() + large.grid->size(), flock.mine.ids.size());
        ASSERT_EQ(large.grid->size(), giants);
        for (Id slot = 0; slot < giants; ++slot) {
            const Point<2>& half = flock.mine.half_extents[large.name_of(slot)];
            EXPECT_GT(std::max(half[0], half[1]), 0.65f);
        }
    });
}

/// An answer that runs out of memory is empty or the previous one, and never has wrong names.
TEST(DistributedGiants, AnAnswerWithoutMemoryIsNone) {
    Plan plan;
    plan.own_half_extents = true;
    plan.giants = 10.0f;
    ThreadRanks job(2, 1);
    job.run([&](Ranks& ranks) {
        Flock<2> flock(ranks, plan);
        ASSERT_EQ(flock.crowd.configure(settings_of<2>(plan)), Status{});
        ASSERT_EQ(flock.step(0), Status{});
        Hits near_then;
        Pairs pairs_then;
        ASSERT_EQ(flock.crowd.neighbours({plan.reach}, near_then), Status{});
        ASSERT_EQ(flock.crowd.pairs(pairs_then), Status{});
        const auto with_little_memory = [](const auto& call) {
            bool failed = true;
            std::size_t failures = 0;
            for (std::size_t n = 0; failed; ++n) {
                ASSERT_LT(n, 500u);
                const FailingAllocations failing(n);
                call();
                failed = failing.failed();
                failures += failed ? 1 : 0;
            }
            EXPECT_GT(failures, 2u);
        };
        Hits near;
        near.ids = {7};
        near.offsets = {0, 1};
        with_little_memory([&] {
            try {
                if (!flock.crowd.neighbours({plan.reach}, near).ok()) { return; }
            } catch (const std::bad_alloc&) {
                ASSERT_EQ(near.total(), 1u);
                ASSERT_EQ(near.ids[0], 7u);
                return;
            }
            ASSERT_EQ(near.total(), near_then.total());
            for (std::size_t i = 0; i < flock.mine.owned(); ++i) {
                const auto now = near.of(i), then = near_then.of(i);
                ASSERT_TRUE(std::equal(now.begin(), now.end(), then.begin(), then.end()));
            }
        });
        with_little_memory([&] {
            Pairs pairs;
            try {
                if (!flock.crowd.pairs(pairs).ok()) { return; }
            } catch (const std::bad_alloc&) {
                ASSERT_EQ(pairs.count, 0u);
                return;
            }
            ASSERT_EQ(pairs.count, pairs_then.count);
        });
    });
}

/// All agents are in one place, so only names decide which are nearest, among small ones and
/// giants.
TEST(DistributedGiants, AreAsNearAsOthers) {
    Plan plan;
    plan.scene = Scene::one_point;
    plan.agents = 60;
    plan.own_half_extents = true;
    plan.giants = 10.0f;
    const Fate<2> fate{plan};
    std::vector<Point<2>> places, halves;
    for (std::size_t i = 0; i < plan.agents; ++i) {
        places.push_back(fate.place(i, 0));
        halves.push_back(fate.half_extent(i));
    }
    const auto view = [](const std::vector<Point<2>>& points) {
        return PointView<2>::interleaved(points[0].axis.data(), points.size());
    };
    Agents<2> agents;
    agents.positions = view(places);
    agents.half_extents = view(halves);
    Crowd<2> crowd;
    const auto settings = settings_of<2>(plan);
    ASSERT_EQ(crowd.configure({settings.bounds, settings.cell}, settings.kind), Status{});
    ASSERT_EQ(crowd.update(agents), Status{});
    ASSERT_GT(crowd.size(Sets::giants), 5u);
    for (const std::uint32_t k : {1u, 7u, 30u}) {
        Batch<2> batch;
        NearHits wanted;
        ASSERT_EQ(batch.nearest_neighbours(crowd, {k}, wanted, Order::ids), Status{});
        for (const std::uint32_t size : {1u, 3u}) {
            ThreadRanks job(size, k);
            job.run([&](Ranks& ranks) {
                Flock<2> flock(ranks, plan);
                ASSERT_EQ(flock.crowd.configure(settings), Status{});
                ASSERT_EQ(flock.step(0), Status{});
                GlobalNearHits near;
                ASSERT_EQ(flock.crowd.nearest_neighbours({k}, near), Status{});
                for (std::size_t i = 0; i < flock.mine.owned(); ++i) {
                    const std::size_t agent = (flock.mine.ids[i] - 5) / 7919;
                    for (std::size_t n = 0; n < k; ++n) {
                        ASSERT_EQ(near.of(i)[n].id, Fate<2>::name(wanted.of(agent)[n].id));
                    }
                }
            });
        }
    }
}

} // namespace
} // namespace throng::test
