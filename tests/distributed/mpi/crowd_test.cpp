// Crowds over the ranks of an MPI job. Every rank runs these tests at the same time.
#include "../../support/allocation_counter.hpp"
#include "../snapshot.hpp"
#include "failing_mpi.hpp"

#include <throng/distributed/mpi_ranks.hpp>
#include <throng/parallel/executors/thread_pool.hpp>

#include <limits>

namespace throng::test {
namespace {

std::uint64_t sum_over(Ranks& ranks, std::uint64_t own) {
    std::vector<std::uint64_t> all(ranks.size());
    EXPECT_EQ(ranks.gather({&own, 1}, all), Status{});
    std::uint64_t sum = 0;
    for (const std::uint64_t of_rank : all) {
        sum += of_rank;
    }
    return sum;
}

template <std::size_t Dim>
std::uint64_t mpi_hash(const Plan& plan, Executor& executor) {
    MpiRanks ranks(MPI_COMM_WORLD, {.patience = std::chrono::seconds(100)});
    Flock<Dim> flock(ranks, plan);
    const Walls<Dim> walls(plan);
    EXPECT_EQ(flock.crowd.configure(settings_of<Dim>(plan)), Status{});
    EXPECT_EQ(flock.crowd.set_statics(walls.agents(), executor), Status{});
    for (int step = 0; step < plan.steps; ++step) {
        EXPECT_EQ(flock.step(step, executor), Status{});
    }
    return sum_over(ranks, flock.sum.value);
}

TEST(MpiCrowd, ComesToTheSameAsOneCrowd) {
    for (const Scene scene : kScenes) {
        Plan plan;
        plan.scene = scene;
        plan.own_half_extents = plan.groups = plan.births = true;
        plan.giants = 5.0f;
        plan.statics = 20;
        EXPECT_EQ(mpi_hash<2>(plan, serial_executor()), plain_hash<2>(plan));
        EXPECT_EQ(mpi_hash<3>(plan, serial_executor()), plain_hash<3>(plan));
    }
}

TEST(MpiCrowd, ComesToTheSameOnThreads) {
    Plan plan;
    plan.agents = 2000;
    plan.side = 60.0f;
    ThreadPool pool(2);
    EXPECT_EQ(mpi_hash<2>(plan, pool), plain_hash<2>(plan));
}

/// A crowd that has made one step, and is about to make another.
struct Stepped {
    MpiRanks ranks{MPI_COMM_WORLD, {.patience = std::chrono::seconds(100)}};
    Plan plan;
    Flock<2> flock{ranks, plan};

    Stepped() {
        EXPECT_EQ(flock.crowd.configure(settings_of<2>(plan)), Status{});
        EXPECT_EQ(flock.step(0), Status{});
    }
    /// Makes the remaining steps; the result must be that of a plain Crowd.
    void go_on() {
        for (int step = 1; step < plan.steps; ++step) {
            EXPECT_EQ(flock.step(step), Status{});
        }
        EXPECT_EQ(sum_over(ranks, flock.sum.value), plain_hash<2>(plan));
    }
};

TEST(MpiCrowd, WhatIsWrongOnOneRankIsRefusedByAll) {
    Stepped stepped;
    Flock<2>& flock = stepped.flock;
    for (std::uint32_t rank = 0; rank < stepped.ranks.size(); ++rank) {
        const Snapshot before(flock);
        const bool wrong = stepped.ranks.rank() == rank;
        Share<2>& mine = flock.mine;
        if (wrong) { // a new agent without a position
            mine.ids.push_back(1);
            mine.positions.push_back(Point<2>::all(std::numeric_limits<float>::quiet_NaN()));
            mine[flock.speed].push_back({});
            mine[flock.age].push_back(0);
        }
        const Status status = flock.crowd.update(mine);
        EXPECT_EQ(status.cause, Cause::not_finite);
        EXPECT_EQ(status.argument, Argument::positions);
        EXPECT_EQ(flock.crowd.refused_by(), rank);
        if (wrong) {
            EXPECT_EQ(status.index, mine.ids.size() - 1);
            mine.ids.pop_back();
            mine.positions.pop_back();
            mine[flock.speed].pop_back();
            mine[flock.age].pop_back();
        }
        EXPECT_TRUE(Snapshot(flock) == before);
    }
    stepped.go_on();
}

TEST(MpiCrowd, NoMemoryOnOneRankIsRefusedByAll) {
    bool refused = true;
    for (std::size_t nth = 0; refused; nth += nth < 8 ? 1 : 5) {
        ASSERT_LT(nth, 1000u);
        Stepped stepped;
        Flock<2>& flock = stepped.flock;
        const Snapshot before(flock);
        Status status;
        {
            FailingAllocations failing(stepped.ranks.rank() == 0 ? nth : ~std::size_t{0} / 2);
            status = flock.crowd.update(flock.mine);
        }
        refused = !status.ok();
        if (refused) {
            EXPECT_EQ(status, (Status{Cause::over_memory, Argument::memory}));
            EXPECT_EQ(flock.crowd.refused_by(), 0u);
            EXPECT_TRUE(Snapshot(flock) == before);
        }
        stepped.go_on();
    }
}

TEST(MpiCrowd, DifferentCallsAreRefusedByAll) {
    Stepped stepped;
    if (stepped.ranks.size() == 1) { return; }
    std::uint64_t agents = 0;
    const Status status = stepped.ranks.rank() == 0
                              ? stepped.flock.crowd.size(agents)
                              : stepped.flock.crowd.update(stepped.flock.mine);
    EXPECT_EQ(status, Status{Cause::ranks_differ});
    stepped.go_on();
}

// As if MPI had been started for one thread only.
TEST(MpiCrowd, WithoutThreadsExecutorsAreSerial) {
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
        int here = 0, size = 1;
        MPI_Comm_rank(MPI_COMM_WORLD, &here);
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        if (rank >= static_cast<std::uint32_t>(size)) { return; }
        const bool alone = here == static_cast<int>(rank);
        if (alone) { failing_mpi().thread_level = MPI_THREAD_SINGLE; }
        Stepped stepped;
        failing_mpi().thread_level.reset();
        Flock<2>& flock = stepped.flock;
        const Snapshot before(flock);
        ThreadPool pool(2);
        const Status refused{Cause::out_of_range, Argument::executor};
        EXPECT_EQ(flock.crowd.update(flock.mine, pool), refused);
        EXPECT_EQ(flock.crowd.refused_by(), rank);
        std::uint64_t count = 0;
        EXPECT_EQ(flock.crowd.count_pairs(count, pool), refused);
        Hits hits;
        Pairs pairs;
        std::vector<std::uint32_t> counts(flock.mine.owned());
        const Status own = alone ? refused : Status{}; // for calls that are not collective
        EXPECT_EQ(flock.crowd.neighbours({1.0f}, hits, pool), own);
        EXPECT_EQ(flock.crowd.pairs(pairs, pool), own);
        EXPECT_EQ(flock.crowd.count_neighbours({1.0f}, counts, pool), own);
        EXPECT_TRUE(Snapshot(flock) == before);
        stepped.go_on();
    }
}

} // namespace
} // namespace throng::test
