// Besides messages, the seam tells crowds whether threads are allowed, and is told which call
// begins.
#include "../support/watched_ranks.hpp"
#include "snapshot.hpp"

#include <throng/parallel/executors/thread_pool.hpp>

namespace throng::test {
namespace {

/// A rank that may be forbidden to run threads.
class Strict final : public WatchedRanks {
public:
    Strict(Ranks& ranks, bool threads) noexcept : WatchedRanks(ranks), threads_(threads) {}
    [[nodiscard]] bool allows_threads() const noexcept override { return threads_; }

private:
    Status around(FunctionRef<Status()> call) override { return call(); }
    const bool threads_;
};

TEST(RanksHints, ExecutorsThatAreNotSerialAreRefused) {
    const Plan plan;
    constexpr std::uint32_t kRanks = 3;
    Sum all;
    ThreadRanks job(kRanks);
    job.run([&](Ranks& plain) {
        const bool strict = plain.rank() == 1;
        Strict ranks(plain, !strict);
        Flock<2> flock(ranks, plan);
        ASSERT_EQ(flock.crowd.configure(settings_of<2>(plan)), Status{});
        ASSERT_EQ(flock.step(0), Status{});
        const Snapshot before(flock);
        ThreadPool pool(2);
        const Status refused{Cause::out_of_range, Argument::executor};
        EXPECT_EQ(to_string(refused),
                  "executor is not serial, and this process may run one thread only");
        EXPECT_EQ(flock.crowd.update(flock.mine, pool), refused);
        EXPECT_EQ(flock.crowd.refused_by(), 1u);
        std::uint64_t count = 77;
        EXPECT_EQ(flock.crowd.count_pairs(count, pool), refused);
        EXPECT_EQ(count, 77u);
        // Calls that are not collective are refused only on the rank that forbids threads.
        const Status own = strict ? refused : Status{};
        Hits hits;
        Pairs pairs;
        std::vector<std::uint32_t> counts(flock.mine.owned());
        EXPECT_EQ(flock.crowd.neighbours({1.0f}, hits, pool), own);
        EXPECT_EQ(flock.crowd.pairs(pairs, pool), own);
        EXPECT_EQ(flock.crowd.count_neighbours({1.0f}, counts, pool), own);
        EXPECT_TRUE(Snapshot(flock) == before);
        for (int step = 1; step < plan.steps; ++step) {
            ASSERT_EQ(flock.step(step), Status{});
        }
        all.value += flock.sum.value;
    });
    EXPECT_EQ(all.value, plain_hash<2>(plan));
}

/// A rank that remembers which call began last.
class Told final : public WatchedRanks {
public:
    using WatchedRanks::WatchedRanks;
    void enters(const char* call) noexcept override { last = call; }
    std::string last;

private:
    Status around(FunctionRef<Status()> call) override { return call(); }
};

TEST(RanksHints, RanksAreToldTheNamesOfCalls) {
    const Plan plan;
    ThreadRanks job(2);
    job.run([&](Ranks& plain) {
        Told ranks(plain);
        Flock<2> flock(ranks, plan);
        ASSERT_EQ(flock.crowd.configure(settings_of<2>(plan)), Status{});
        EXPECT_EQ(ranks.last, "configure()");
        ASSERT_EQ(flock.crowd.update(flock.mine), Status{});
        EXPECT_EQ(ranks.last, "update()");
        std::uint64_t count = 0;
        ASSERT_EQ(flock.crowd.count_pairs(count), Status{});
        EXPECT_EQ(ranks.last, "count_pairs()");
        ASSERT_EQ(flock.crowd.size(count), Status{});
        EXPECT_EQ(ranks.last, "size()");
    });
}

} // namespace
} // namespace throng::test
