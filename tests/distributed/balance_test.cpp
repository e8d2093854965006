// Bricks are cut again while a crowd is in use: answers stay the same, and the work becomes even.
#include "../support/dims.hpp"
#include "../support/long_run.hpp"
#include "../support/threads/executors.hpp"
#include "snapshot.hpp"
#include "starved.hpp"

#include <throng/distributed/one_rank.hpp>

#include <limits>

namespace throng::test {
namespace {

constexpr std::uint32_t kRanks[] = {1, 3, 7, 16, 61};

template <class Dim>
class BalanceTest : public testing::Test {};
TYPED_TEST_SUITE(BalanceTest, Dims, DimNames);

template <std::size_t Dim>
void check_bits(const Plan& plan) {
    const std::uint64_t wanted = plain_hash<Dim>(plan);
    for (const std::uint32_t ranks : kRanks) {
        if (!large_run() && ranks != 3 && ranks != 16) { continue; }
        ASSERT_EQ(distributed_hash<Dim>(plan, ranks, ranks), wanted)
            << "scene " << static_cast<int>(plan.scene) << ", " << ranks << " ranks";
    }
}

TYPED_TEST(BalanceTest, AnswersStayWhatTheyAre) {
    for (const Scene scene : kScenes) {
        Plan plan;
        plan.scene = scene;
        plan.steps = 4;
        plan.balance_every = 2;
        plan.groups = scene == Scene::clustered;
        plan.births = scene != Scene::corner;
        plan.own_half_extents = scene == Scene::outside;
        ASSERT_NO_FATAL_FAILURE(check_bits<TypeParam::value>(plan));
    }
}

TYPED_TEST(BalanceTest, AnswersStayWhatTheyAreWhereUpdatesBalance) {
    Plan plan;
    plan.scene = Scene::clustered;
    plan.agents = 150;
    plan.steps = 2 * static_cast<int>(DistributedSettings<2>::kUpdatesToBalance) + 4;
    plan.imbalance = 1.0f;
    ASSERT_NO_FATAL_FAILURE(check_bits<TypeParam::value>(plan));
}

TYPED_TEST(BalanceTest, FewerCellsThanRanks) {
    Plan plan;
    plan.side = 1.0f;
    plan.reach = 0.9f;
    plan.balance_every = 1;
    ASSERT_NO_FATAL_FAILURE(check_bits<TypeParam::value>(plan));
}

TYPED_TEST(BalanceTest, NoAgents) {
    Plan plan;
    plan.agents = 0;
    plan.balance_every = 1;
    ASSERT_NO_FATAL_FAILURE(check_bits<TypeParam::value>(plan));
}

/// The cell and the work of each agent, found by comparing every agent with every other.
template <std::size_t Dim>
struct Weighed {
    std::array<std::uint32_t, Dim> cell{};
    std::uint64_t work = 0;
};
template <std::size_t Dim>
std::vector<Weighed<Dim>> weighed_by_brute_force(const Plan& plan, const GridShape<Dim>& shape) {
    const Fate<Dim> fate{plan};
    std::vector<Weighed<Dim>> all(plan.agents);
    for (std::size_t i = 0; i < plan.agents; ++i) {
        const Point<Dim> here = fate.place(i, 0);
        all[i].work = 36;
        for (std::size_t a = 0; a < Dim; ++a) {
            all[i].cell[a] = shape.cell_on(a, here[a]);
        }
        for (std::size_t k = 0; k < plan.agents; ++k) {
            const Point<Dim> there = fate.place(k, 0);
            float distance2 = 0.0f;
            for (std::size_t a = 0; a < Dim; ++a) {
                distance2 += (there[a] - here[a]) * (there[a] - here[a]);
            }
            all[i].work += k != i && distance2 <= plan.reach * plan.reach ? 1 : 0;
        }
    }
    return all;
}

/// The cuts to which a job of `ranks` ranks balances a plan; it begins with `first`, if given.
template <std::size_t Dim>
Cuts<Dim> balanced_cuts(const Plan& plan, std::uint32_t ranks,
                        const std::optional<Cuts<Dim>>& first = {}) {
    Cuts<Dim> cuts;
    ThreadRanks job(ranks, ranks);
    job.run([&](Ranks& self) {
        Flock<Dim> flock(self, plan);
        auto settings = settings_of<Dim>(plan);
        settings.cuts = first;
        ASSERT_EQ(flock.crowd.configure(settings), Status{});
        flock.live_and_die(0);
        ASSERT_EQ(flock.crowd.update(flock.mine), Status{});
        const Cuts<Dim> before = flock.crowd.cuts();
        ASSERT_EQ(flock.crowd.balance(), Status{});
        // balance() takes effect at the next update; until then the cuts are the old ones.
        ASSERT_TRUE(flock.crowd.cuts() == before);
        const double imbalance = flock.crowd.stats().next_imbalance;
        ASSERT_LE(imbalance, flock.crowd.stats().imbalance);
        ASSERT_EQ(flock.crowd.update(flock.mine), Status{});
        for (std::size_t i = 0; i < flock.mine.owned(); ++i) {
            ASSERT_EQ(flock.crowd.owner_of(flock.mine.positions[i]), self.rank());
        }
        // The imbalance is what balance() predicted, and a second balance() finds no better cuts.
        const Cuts<Dim> after = flock.crowd.cuts();
        ASSERT_EQ(flock.crowd.balance(), Status{});
        ASSERT_EQ(flock.crowd.stats().imbalance, imbalance);
        ASSERT_EQ(flock.crowd.stats().next_imbalance, imbalance);
        ASSERT_EQ(flock.crowd.update(flock.mine), Status{});
        ASSERT_TRUE(flock.crowd.cuts() == after);
        if (self.rank() == self.size() - 1) { cuts = after; }
    });
    return cuts;
}

TYPED_TEST(BalanceTest, CutsAreThoseOfTheWholeCrowd) {
    constexpr std::size_t kDim = TypeParam::value;
    int taken = 0;
    for (const Scene scene : {Scene::clustered, Scene::outside, Scene::lattice}) {
        Plan plan;
        plan.scene = scene;
        plan.agents = 600;
        const auto settings = settings_of<kDim>(plan);
        const auto shape = shape_over(settings.bounds, settings.cell).value;
        const auto all = weighed_by_brute_force<kDim>(plan, shape);
        for (const std::uint32_t ranks : {2u, 3u, 5u, 8u, 13u}) {
            const auto wanted = Cuts<kDim>::by_work(
                shape, ranks,
                [&](std::size_t axis, const Brick<kDim>& brick, std::span<std::uint64_t> lines) {
                    for (const Weighed<kDim>& one : all) {
                        bool in = true;
                        for (std::size_t a = 0; a < kDim; ++a) {
                            in = in && one.cell[a] - brick.first[a] < brick.cells[a];
                        }
                        if (in) { lines[one.cell[axis] - brick.first[axis]] += one.work; }
                    }
                });
            // The cuts do not depend on who owns the agents at first. If they would gain too
            // little, balance() keeps the even ones.
            const auto even = Cuts<kDim>::even(shape, ranks);
            const auto cuts = balanced_cuts<kDim>(plan, ranks);
            ASSERT_TRUE(cuts == wanted || cuts == even);
            ASSERT_TRUE(balanced_cuts<kDim>(plan, ranks, wanted) == wanted);
            taken += cuts == even ? 0 : 1;
        }
    }
    EXPECT_GE(taken, 8);
}

/// All the work is in one part of the world, but agents are everywhere.
TEST(Balance, NoRankGetsMoreThanTwiceTheMeanOfAgents) {
    Plan plan;
    plan.agents = 4000;
    plan.side = 60.0f;
    constexpr std::uint32_t kJob = 8;
    for (const bool given : {true, false}) {
        std::vector<std::size_t> owned(kJob);
        ThreadRanks job(kJob, 5);
        job.run([&](Ranks& ranks) {
            Flock<2> flock(ranks, plan);
            ASSERT_EQ(flock.crowd.configure(settings_of<2>(plan)), Status{});
            flock.live_and_die(0);
            ASSERT_EQ(flock.crowd.update(flock.mine), Status{});
            std::vector<std::uint32_t> work;
            for (std::size_t i = 0; i < flock.mine.owned() && given; ++i) {
                work.push_back(flock.mine.positions[i][1] < 6.0f ? 1000 : 0);
            }
            ASSERT_EQ(flock.crowd.balance(serial_executor(), work), Status{});
            ASSERT_EQ(flock.crowd.update(flock.mine), Status{});
            owned[ranks.rank()] = flock.mine.owned();
        });
        const std::size_t most = *std::max_element(owned.begin(), owned.end());
        constexpr std::size_t kMean = 500, kLine = 100; // agents on one line of cells, at most
        EXPECT_LE(most, 2 * kMean + kLine);
        EXPECT_EQ(most > kMean + 2 * kLine, given); // close to the limit only for uneven work
    }
}

/// Where the limit of agents binds, all ranks share its cost, not only the last ones.
TEST(Balance, TheLimitOfAgentsIsSharedByAll) {
    Plan plan;
    plan.agents = 4000;
    plan.side = 60.0f;
    ThreadRanks job(8, 5);
    job.run([&](Ranks& ranks) {
        Flock<2> flock(ranks, plan);
        ASSERT_EQ(flock.crowd.configure(settings_of<2>(plan)), Status{});
        flock.live_and_die(0);
        ASSERT_EQ(flock.crowd.update(flock.mine), Status{});
        std::vector<std::uint32_t> work;
        for (std::size_t i = 0; i < flock.mine.owned(); ++i) {
            work.push_back(flock.mine.positions[i][1] < 6.0f ? 1000 : 1);
        }
        ASSERT_EQ(flock.crowd.balance(serial_executor(), work), Status{});
        // It would be 2.4 if only the cuts that the limit moves paid for it.
        ASSERT_LT(flock.crowd.stats().next_imbalance, 1.6);
    });
}

/// Sums of work that are too large for the cut's arithmetic are cut like small ones.
TEST(Balance, LargeWorkIsCutAsSmallWork) {
    Plan plan;
    plan.agents = 4000;
    plan.side = 60.0f;
    constexpr std::uint32_t kUnit = 4'000'000; // 2^43 in all
    auto settings = settings_of<2>(plan);
    settings.most_agents = 100.0f;
    ThreadRanks job(8, 5);
    job.run([&](Ranks& ranks) {
        Cuts<2> cuts;
        double imbalance = 0.0;
        for (const std::uint32_t unit : {1u, kUnit}) {
            Flock<2> flock(ranks, plan);
            ASSERT_EQ(flock.crowd.configure(settings), Status{});
            flock.live_and_die(0);
            ASSERT_EQ(flock.crowd.update(flock.mine), Status{});
            std::vector<std::uint32_t> work;
            for (std::size_t i = 0; i < flock.mine.owned(); ++i) {
                work.push_back(unit * (flock.mine.positions[i][1] < 30.0f ? 1000 : 1));
            }
            ASSERT_EQ(flock.crowd.balance(serial_executor(), work), Status{});
            const double next = flock.crowd.stats().next_imbalance;
            ASSERT_EQ(flock.crowd.update(flock.mine), Status{});
            if (unit == 1) {
                cuts = flock.crowd.cuts();
                imbalance = next;
            }
            ASSERT_TRUE(flock.crowd.cuts() == cuts);
            ASSERT_EQ(next, imbalance);
            ASSERT_FALSE(cuts == Cuts<2>::even(flock.crowd.shape(), 8));
        }
    });
}

TEST(Balance, IsCalledByUpdatesWhereWorkIsUneven) {
    Plan plan;
    plan.scene = Scene::clustered;
    constexpr auto kEvery = static_cast<int>(DistributedSettings<2>::kUpdatesToBalance);
    for (const float imbalance : {1.2f, 1e9f}) {
        plan.imbalance = imbalance;
        ThreadRanks job(4, 3);
        job.run([&](Ranks& ranks) {
            Flock<2> flock(ranks, plan);
            ASSERT_EQ(flock.crowd.configure(settings_of<2>(plan)), Status{});
            const Cuts<2> even = flock.crowd.cuts();
            for (int step = 0; step <= kEvery; ++step) {
                ASSERT_TRUE(flock.crowd.cuts() == even);
                ASSERT_EQ(flock.crowd.stats().imbalance > 0.0, step >= kEvery);
                flock.live_and_die(step);
                ASSERT_EQ(flock.crowd.update(flock.mine), Status{});
            }
            ASSERT_EQ(flock.crowd.cuts() == even, imbalance > 2.0f);
            ASSERT_EQ(flock.crowd.stats().next_imbalance < flock.crowd.stats().imbalance,
                      imbalance < 2.0f);
        });
    }
}

/// Updates, and tries once more if the first attempt gets no memory.
Status update(Flock<2>& flock) {
    const Status status = flock.crowd.update(flock.mine);
    return status.cause == Cause::over_memory ? flock.crowd.update(flock.mine) : status;
}

/// The remaining steps after a failure.
void go_on(Flock<2>& flock, const Plan& plan, int first) {
    for (int step = first; step < plan.steps; ++step) {
        if (step > first) { flock.live_and_die(step); }
        ASSERT_EQ(update(flock), Status{});
        ASSERT_EQ(flock.answer(), Status{});
    }
}

TEST(Balance, AnUpdateThatIsRefusedLeavesNewBricksToTheNext) {
    Plan plan;
    plan.scene = Scene::clustered;
    const std::uint64_t undisturbed = plain_hash<2>(plan);
    Sum all;
    ThreadRanks job(4, 1);
    job.run([&](Ranks& ranks) {
        Flock<2> flock(ranks, plan);
        ASSERT_EQ(flock.crowd.configure(settings_of<2>(plan)), Status{});
        ASSERT_EQ(flock.step(0), Status{});
        const Cuts<2> before = flock.crowd.cuts();
        ASSERT_EQ(flock.crowd.balance(), Status{});
        flock.live_and_die(1);
        const bool is_bad = ranks.rank() == 2;
        const Snapshot snapshot(flock);
        if (is_bad) { flock.mine.groups.push_back(1); }
        ASSERT_EQ(flock.crowd.update(flock.mine), (Status{Cause::not_stored, Argument::groups}));
        flock.mine.groups.clear();
        ASSERT_TRUE(Snapshot(flock) == snapshot);
        ASSERT_TRUE(flock.crowd.cuts() == before);
        go_on(flock, plan, 1);
        ASSERT_FALSE(flock.crowd.cuts() == before);
        all.value += flock.sum.value;
    });
    EXPECT_EQ(all.value, undisturbed);
}

/// An update succeeds even if its own balance() gets no memory, and does not report that.
TEST(Balance, AnUpdateIsDoneWhereItsBalanceIsRefused) {
    Plan plan;
    plan.scene = Scene::clustered;
    plan.agents = 150;
    plan.imbalance = 1.0f;
    constexpr auto kEvery = static_cast<int>(DistributedSettings<2>::kUpdatesToBalance);
    std::size_t refused = 0;
    bool failed = true;
    for (std::size_t n = 0; failed; ++n) {
        ASSERT_LT(n, 2000u);
        failed = false;
        ThreadRanks job(3, n);
        job.run([&](Ranks& plain) {
            Starved ranks(plain);
            Flock<2> flock(ranks, plan);
            ASSERT_EQ(flock.crowd.configure(settings_of<2>(plan)), Status{});
            for (int step = 0; step + 1 < kEvery; ++step) {
                flock.live_and_die(step);
                ASSERT_EQ(flock.crowd.update(flock.mine), Status{});
            }
            const std::uint32_t none = flock.crowd.refused_by();
            if (ranks.rank() == 1) { ranks.starve(n); }
            const Status status = flock.crowd.update(flock.mine);
            if (ranks.rank() == 1) { failed = ranks.feed(); }
            if (!status.ok()) {
                ASSERT_EQ(flock.crowd.refused_by(), 1u);
                return;
            }
            ASSERT_EQ(flock.crowd.refused_by(), none);
            if (ranks.rank() == 1 && failed) { ++refused; }
        });
    }
    EXPECT_GT(refused, 5u);
}

TEST(Balance, RefusalsOfAnyRankAreThoseOfAll) {
    Plan plan;
    plan.scene = Scene::clustered;
    const std::uint64_t undisturbed = plain_hash<2>(plan);
    for (std::uint32_t bad = 0; bad < 4; ++bad) {
        Sum all;
        ThreadRanks job(4, bad);
        job.run([&](Ranks& ranks) {
            Flock<2> flock(ranks, plan);
            ASSERT_EQ(flock.crowd.balance(), Status{Cause::not_configured});
            ASSERT_EQ(flock.crowd.configure(settings_of<2>(plan)), Status{});
            ASSERT_EQ(flock.step(0), Status{});
            const Snapshot before(flock);
            std::vector<std::uint32_t> work(flock.mine.owned(), 1);
            if (ranks.rank() == bad) { work.push_back(1); }
            ASSERT_EQ(flock.crowd.balance(serial_executor(), work),
                      (Status{Cause::count_mismatch, Argument::counts}));
            ASSERT_EQ(flock.crowd.refused_by(), bad);
            ASSERT_EQ(flock.crowd.stats().imbalance, 0.0);
            ASSERT_TRUE(Snapshot(flock) == before);
            flock.live_and_die(1);
            go_on(flock, plan, 1);
            all.value += flock.sum.value;
        });
        EXPECT_EQ(all.value, undisturbed);
    }
}

/// Each allocation fails in turn on one rank, also those of the seam: that rank then sends wrong
/// sums, which no rank may use.
void check_memory(std::uint32_t ranks, std::uint32_t starved, bool of_seam) {
    Plan plan;
    plan.scene = Scene::clustered;
    plan.steps = 3;
    const std::uint64_t undisturbed = plain_hash<2>(plan);
    std::size_t refusals = 0;
    bool failed = true;
    for (std::size_t n = 0; failed; ++n) {
        ASSERT_LT(n, 500u);
        failed = false;
        RankFaults faults;
        if (of_seam) { faults.no_memory = {starved, n}; }
        std::vector<Status> statuses(ranks);
        Sum all;
        ThreadRanks job(ranks, n, faults);
        job.run([&](Ranks& plain) {
            Starved self(plain);
            Flock<2> flock(self, plan);
            const bool is_starved = self.rank() == starved;
            ASSERT_EQ(flock.crowd.configure(settings_of<2>(plan)), Status{});
            flock.live_and_die(0);
            ASSERT_EQ(update(flock), Status{});
            ASSERT_EQ(flock.answer(), Status{});
            const Snapshot before(flock);
            const Cuts<2> cuts = flock.crowd.cuts();
            if (is_starved && !of_seam) { self.starve(n); }
            const Status status = flock.crowd.balance();
            if (is_starved && !of_seam) { failed = self.feed(); }
            statuses[self.rank()] = status;
            if (!status.ok()) {
                EXPECT_EQ(flock.crowd.stats().imbalance, 0.0);
                EXPECT_TRUE(Snapshot(flock) == before);
                ASSERT_EQ(flock.crowd.balance(), Status{});
            }
            flock.live_and_die(1);
            ASSERT_EQ(update(flock), Status{});
            ASSERT_FALSE(flock.crowd.cuts() == cuts);
            ASSERT_EQ(flock.answer(), Status{});
            flock.live_and_die(2);
            go_on(flock, plan, 2);
            all.value += flock.sum.value;
        });
        const bool refused = !statuses[0].ok();
        refusals += refused ? 1 : 0;
        if (of_seam) { failed = n < 40; }
        const Status wanted = refused ? Status{Cause::over_memory, Argument::memory} : Status{};
        for (const Status& status : statuses) {
            ASSERT_EQ(status, wanted) << "allocation " << n;
        }
        if (!of_seam) { ASSERT_EQ(refused, failed) << "allocation " << n; }
        ASSERT_EQ(all.value, undisturbed) << "allocation " << n;
    }
    EXPECT_GT(refusals, of_seam ? 1u : 10u);
}

TEST(Balance, AnyAllocationThatFails) {
    check_memory(4, 1, false);
    check_memory(5, 0, false);
    check_memory(7, 5, false);
}

TEST(Balance, NoMemoryForWhatComes) {
    check_memory(4, 1, true);
    check_memory(5, 4, true);
    check_memory(6, 2, true);
}

/// One rank ends, one call later in each run: the others learn that it is lost, or have finished.
TEST(Balance, ALostRank) {
    Plan plan;
    plan.scene = Scene::clustered;
    plan.agents = 60;
    for (const std::uint32_t ranks : {2u, 5u}) {
        bool lost = true;
        for (std::uint64_t call = 0; lost; ++call) {
            ASSERT_LT(call, 200u);
            lost = false;
            RankFaults faults;
            faults.ends = {1, call};
            ThreadRanks job(ranks, call, faults);
            job.run([&](Ranks& self) {
                Flock<2> flock(self, plan);
                Status status = flock.crowd.configure(settings_of<2>(plan));
                flock.live_and_die(0);
                if (status.ok()) { status = flock.crowd.update(flock.mine); }
                if (status.ok()) { status = flock.crowd.balance(); }
                if (status.ok()) { status = flock.crowd.update(flock.mine); }
                if (!status.ok()) {
                    ASSERT_EQ(status, Status{Cause::rank_lost});
                    lost = true;
                }
            });
        }
    }
}

TEST(Balance, OnOneRankThereIsNothingToDo) {
    Plan plan;
    OneRank ranks;
    Flock<2> flock(ranks, plan);
    ASSERT_EQ(flock.crowd.configure(settings_of<2>(plan)), Status{});
    ASSERT_EQ(flock.step(0), Status{});
    ASSERT_EQ(flock.crowd.balance(), Status{});
    EXPECT_EQ(flock.crowd.stats().imbalance, 1.0);
    EXPECT_EQ(flock.crowd.stats().next_imbalance, 1.0);
}

} // namespace
} // namespace throng::test
