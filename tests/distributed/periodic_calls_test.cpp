// Periodic worlds over many ranks: what is refused, what stays as it was then, and checkpoints.
#include "../support/folder.hpp"
#include "snapshot.hpp"
#include "starved.hpp"

#include <throng/distributed/checkpoint.hpp>

#include <limits>

namespace throng::test {
namespace {

DistributedSettings<2> periodic_settings(const Plan& plan) {
    DistributedSettings<2> settings = settings_of<2>(plan);
    settings.periodic = {true, true};
    return settings;
}

TEST(PeriodicJobs, WorldsThatAreRefused) {
    ThreadRanks job(2, 1);
    job.run([](Ranks& self) {
        DistributedGrid<2> crowd(self);
        DistributedSettings<2> settings = settings_of<2>({});
        settings.periodic = {false, true};
        EXPECT_EQ(crowd.configure(settings), Status{});
        settings.bounds.hi[1] = settings.bounds.lo[1] + 2.0f * settings.reach;
        EXPECT_EQ(crowd.configure(settings), (Status{Cause::wraps, Argument::reach}));
        settings.periodic = {true, false}; // only periodic axes must be wide
        EXPECT_EQ(crowd.configure(settings), Status{});
        settings.bounds.hi[0] = settings.bounds.lo[0];
        EXPECT_EQ(crowd.configure(settings), (Status{Cause::not_positive, Argument::period, 0}));
        settings.bounds.lo[0] = -0.9f * kLargest;
        settings.bounds.hi[0] = 0.9f * kLargest;
        settings.cell[0] = 0.1f * kLargest;
        EXPECT_EQ(crowd.configure(settings), (Status{Cause::too_large, Argument::period, 0}));
    });
}

TEST(PeriodicJobs, OtherAxesOnOtherRanks) {
    ThreadRanks job(3, 1);
    job.run([](Ranks& self) {
        DistributedGrid<2> crowd(self);
        DistributedSettings<2> settings = settings_of<2>({});
        settings.periodic = {true, self.rank() == 2};
        EXPECT_EQ(crowd.configure(settings).cause, Cause::ranks_differ);
    });
}

TEST(PeriodicJobs, QuestionsThatAreRefused) {
    ThreadRanks job(3, 2);
    job.run([](Ranks& self) {
        const Plan plan;
        Flock<2> flock(self, plan);
        ASSERT_EQ(flock.crowd.configure(periodic_settings(plan)), Status{});
        ASSERT_EQ(flock.step(0), Status{});
        // An endless ray along a periodic axis has no end of copies; one rank asks.
        std::vector<Ray<2>> rays(self.rank() == 1 ? 2 : 0);
        for (Ray<2>& ray : rays) {
            ray.direction = {{0.0f, 1.0f}};
            ray.length = 1.0f;
        }
        if (!rays.empty()) { rays[1].length = 1e9f; }
        GlobalHits hits;
        std::vector<std::uint64_t> counts(rays.size());
        std::vector<GlobalMeeting> first;
        GlobalMeetings meetings;
        const Status wraps{Cause::wraps, Argument::ray, 1};
        EXPECT_EQ(flock.crowd.query(rays, hits), wraps);
        EXPECT_EQ(flock.crowd.count(rays, counts), wraps);
        EXPECT_EQ(flock.crowd.any(rays, counts), wraps);
        EXPECT_EQ(flock.crowd.first(rays, first), wraps);
        EXPECT_EQ(flock.crowd.meetings(rays, meetings), wraps);
        EXPECT_EQ(flock.crowd.refused_by(), 1u);
        EXPECT_TRUE(hits.offsets.empty());
    });
}

/// Agents beyond the borders are inside only when all ranks have agreed.
TEST(PeriodicJobs, PlacesThatStayWhereAnotherRankRefuses) {
    ThreadRanks job(3, 1);
    job.run([](Ranks& self) {
        const Plan plan;
        Flock<2> flock(self, plan);
        ASSERT_EQ(flock.crowd.configure(periodic_settings(plan)), Status{});
        ASSERT_EQ(flock.step(0), Status{});
        ASSERT_EQ(flock.step(1), Status{});
        for (std::size_t i = 0; i < flock.mine.owned(); ++i) {
            flock.mine.positions[i][0] += 3.0f * plan.side;
        }
        const Snapshot before(flock);
        Point<2> place{};
        if (self.rank() == 1) {
            std::swap(place, flock.mine.positions[0]);
            flock.mine.positions[0][0] = std::numeric_limits<float>::quiet_NaN();
        }
        EXPECT_EQ(flock.crowd.update(flock.mine),
                  (Status{Cause::not_finite, Argument::positions, 0}));
        EXPECT_EQ(flock.crowd.refused_by(), 1u);
        if (self.rank() == 1) { flock.mine.positions[0] = place; }
        EXPECT_TRUE(Snapshot(flock) == before);
        EXPECT_EQ(flock.crowd.update(flock.mine), Status{});
        for (std::size_t i = 0; i < flock.mine.owned(); ++i) {
            EXPECT_LT(flock.mine.positions[i][0], plan.side);
        }
    });
}

TEST(PeriodicJobs, AnyAllocationThatFails) {
    Plan plan;
    plan.agents = 60;
    plan.side = 6.0f;
    bool failed = true;
    std::size_t refusals = 0;
    for (std::size_t n = 0; failed; ++n) {
        ASSERT_LT(n, 400u);
        failed = false;
        ThreadRanks job(3, n);
        job.run([&](Ranks& plain) {
            Starved ranks(plain);
            Flock<2> flock(ranks, plan);
            ASSERT_EQ(flock.crowd.configure(periodic_settings(plan)), Status{});
            ASSERT_EQ(flock.step(0), Status{});
            const Snapshot before(flock);
            if (ranks.rank() == 1) { ranks.starve(n); }
            const Status status = flock.crowd.update(flock.mine);
            if (ranks.rank() == 1) {
                failed = ranks.feed();
                refusals += failed ? 1 : 0;
                ASSERT_EQ(status.ok(), !failed);
            }
            if (status.ok()) { return; }
            ASSERT_EQ(status, (Status{Cause::over_memory, Argument::memory}));
            ASSERT_TRUE(Snapshot(flock) == before);
            ASSERT_EQ(flock.step(1), Status{});
        });
    }
    EXPECT_GT(refusals, 10u);
}

/// The sum of a run's answers, which begins anew or goes on from a checkpoint.
std::uint64_t run(const Plan& plan, std::uint32_t ranks, int from, int to, const char* folder) {
    Sum all;
    std::mutex mutex;
    ThreadRanks job(ranks, ranks);
    job.run([&](Ranks& self) {
        Flock<2> flock(self, plan);
        if (from == 0) {
            ASSERT_EQ(flock.crowd.configure(periodic_settings(plan)), Status{});
        } else {
            ASSERT_EQ(load(flock.crowd, flock.mine, folder), Status{});
        }
        for (int step = from; step < to; ++step) {
            ASSERT_EQ(flock.step(step), Status{});
        }
        if (to < plan.steps) { ASSERT_EQ(save(flock.crowd, flock.mine, folder), Status{}); }
        const std::lock_guard lock(mutex);
        all.value += flock.sum.value;
    });
    return all.value;
}

/// Agents steer by sums of floats in the order of their lists.
TEST(PeriodicJobs, SameBitsAlsoFromACheckpoint) {
    Plan plan;
    plan.births = true;
    const std::uint64_t unbroken = run(plan, 1, 0, plan.steps, nullptr);
    for (const std::uint32_t ranks : {2u, 3u, 8u}) {
        EXPECT_EQ(run(plan, ranks, 0, plan.steps, nullptr), unbroken) << ranks << " ranks";
    }
    const Folder folder;
    const std::string path = folder.file("checkpoint");
    const std::uint64_t begun = run(plan, 3, 0, 2, path.c_str());
    EXPECT_EQ(begun + run(plan, 2, 2, plan.steps, path.c_str()), unbroken);
}

} // namespace
} // namespace throng::test
