// Errors on one rank: all ranks get the same status, nothing changes anywhere, and no rank waits.
#include "../support/threads/executors.hpp"
#include "snapshot.hpp"
#include "starved.hpp"

#include <throng/distributed/one_rank.hpp>

#include <limits>
#include <new>
#include <optional>

namespace throng::test {
namespace {

constexpr std::uint32_t kRefusingRanks = 3;

/// How to spoil a rank before an update, and how to mend it.
struct Harm {
    std::function<void(Flock<2>&)> spoil, mend;
    std::function<Status(const Flock<2>&)> wanted; ///< computed on the spoilt rank
    std::function<Executor&()> executor = serial_executor;
};

/// Spoils the third step on one rank: all ranks must refuse it. Once mended, the run must end with
/// the sum of an undisturbed one.
void check_harm(const Plan& plan, const Harm& harm, const char* name) {
    SCOPED_TRACE(name);
    const std::uint64_t undisturbed = plain_hash<2>(plan);
    for (std::uint32_t bad = 0; bad < kRefusingRanks; ++bad) {
        Sum all;
        std::vector<Status> statuses(kRefusingRanks);
        Status wanted;
        ThreadRanks job(kRefusingRanks, bad);
        job.run([&](Ranks& ranks) {
            Flock<2> flock(ranks, plan);
            ASSERT_EQ(flock.crowd.configure(settings_of<2>(plan)), Status{});
            ASSERT_EQ(flock.step(0), Status{});
            ASSERT_EQ(flock.step(1), Status{});
            flock.live_and_die(2);
            const bool is_bad = ranks.rank() == bad;
            const std::vector<Point<2>> places = flock.mine.positions;
            const std::vector<Point<2>> half = flock.mine.half_extents;
            if (is_bad) {
                wanted = harm.wanted(flock);
                harm.spoil(flock);
            }
            const Snapshot before(flock);
            Executor& executor = is_bad ? harm.executor() : serial_executor();
            statuses[ranks.rank()] = flock.crowd.update(flock.mine, executor);
            EXPECT_EQ(flock.crowd.refused_by(), bad);
            EXPECT_TRUE(Snapshot(flock) == before) << "rank " << ranks.rank();
            if (is_bad) { harm.mend(flock); }
            for (int step = 2; step < plan.steps; ++step) {
                if (step > 2) { flock.live_and_die(step); }
                ASSERT_EQ(flock.crowd.update(flock.mine), Status{});
                ASSERT_EQ(flock.answer(), Status{});
            }
            all.value += flock.sum.value;
        });
        for (std::uint32_t rank = 0; rank < kRefusingRanks; ++rank) {
            EXPECT_EQ(statuses[rank], wanted) << "rank " << rank << " of harm on " << bad;
        }
        EXPECT_EQ(all.value, undisturbed);
    }
}

Plan with_extents() {
    Plan plan;
    plan.own_half_extents = true;
    plan.groups = true;
    return plan;
}

/// Puts a bad number into the middle one of the owned agents.
template <class Member>
Harm bad_number(float bad, Cause cause, Argument argument, Member member) {
    const auto middle = [](const Flock<2>& flock) { return flock.mine.owned() / 2; };
    const auto good = std::make_shared<float>();
    return {[=](Flock<2>& flock) {
                float& value = (flock.mine.*member)[middle(flock)][1];
                *good = value;
                value = bad;
            },
            [=](Flock<2>& flock) { (flock.mine.*member)[middle(flock)][1] = *good; },
            [=](const Flock<2>& flock) {
                return Status{cause, argument, middle(flock)};
            }};
}

TEST(DistributedRefusals, ABadNumberOnAnyRank) {
    constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();
    const auto positions = &Share<2>::positions;
    const auto extents = &Share<2>::half_extents;
    for (const bool own : {false, true}) {
        Plan plan = own ? with_extents() : Plan{};
        check_harm(plan, bad_number(kNotANumber, Cause::not_finite, Argument::positions, positions),
                   "NaN");
        check_harm(plan, bad_number(2e18f, Cause::too_large, Argument::positions, positions),
                   "too large");
    }
    Plan plan = with_extents();
    check_harm(plan, bad_number(-0.1f, Cause::negative, Argument::half_extents, extents),
               "negative");
    check_harm(plan, bad_number(kNotANumber, Cause::not_finite, Argument::half_extents, extents),
               "a giant that is no number");
    plan.reach = 1.0f; // cells are 1.3 wide, so this agent is not a giant
    check_harm(plan, bad_number(0.6f, Cause::beyond_reach, Argument::half_extents, extents),
               "an extent beyond the reach");
}

template <class Array>
Harm short_array(Argument argument, Array array, std::uint64_t index = 0) {
    using T = typename std::decay_t<decltype(array(std::declval<Flock<2>&>()))>::value_type;
    const auto last = std::make_shared<T>();
    return {[=](Flock<2>& flock) {
                *last = array(flock).back();
                array(flock).pop_back();
            },
            [=](Flock<2>& flock) { array(flock).push_back(*last); },
            [=](const Flock<2>&) {
                return Status{Cause::count_mismatch, argument, index};
            }};
}

TEST(DistributedRefusals, AnArrayThatIsTooShort) {
    const Plan plan = with_extents();
    check_harm(
        plan,
        short_array(
            Argument::positions, [](Flock<2> & flock) -> auto& { return flock.mine.positions; }),
        "positions");
    check_harm(plan,
               short_array(
                   Argument::half_extents,
                   [](Flock<2> & flock) -> auto& { return flock.mine.half_extents; }),
               "half extents");
    check_harm(plan,
               short_array(
                   Argument::groups, [](Flock<2> & flock) -> auto& { return flock.mine.groups; }),
               "groups");
    check_harm(
        plan,
        short_array(
            Argument::columns, [](Flock<2> & flock) -> auto& { return flock.mine[flock.age]; }, 1),
        "a column");
}

TEST(DistributedRefusals, AnArrayThatTheCrowdDoesNotKeep) {
    const Harm harm = {[](Flock<2>& flock) { flock.mine.groups.assign(flock.mine.ids.size(), 1u); },
                       [](Flock<2>& flock) { flock.mine.groups.clear(); },
                       [](const Flock<2>&) {
                           return Status{Cause::not_stored, Argument::groups};
                       }};
    check_harm({}, harm, "groups");
}

TEST(DistributedRefusals, AnIdThatComesTwice) {
    const auto good = std::make_shared<GlobalId>();
    const Harm harm = {[=](Flock<2>& flock) {
                           *good = flock.mine.ids[3];
                           flock.mine.ids[3] = flock.mine.ids[7];
                       },
                       [=](Flock<2>& flock) { flock.mine.ids[3] = *good; },
                       [](const Flock<2>& flock) {
                           return Status{Cause::id_taken, Argument::id, flock.mine.ids[7]};
                       }};
    check_harm({}, harm, "an id");
}

TEST(DistributedRefusals, AnExecutorThatFails) {
    // An executor is used only if there is enough work for a second thread.
    Plan plan;
    plan.agents = 60'000;
    plan.side = 250.0f;
    plan.steps = 3;
    bool refused = false;
    for (const Fault fault : {Fault::drop, Fault::throw_before}) {
        for (std::size_t run = 0; run < 3; ++run) {
            std::vector<Status> statuses(kRefusingRanks);
            ThreadRanks job(kRefusingRanks, run);
            job.run([&](Ranks& ranks) {
                Flock<2> flock(ranks, plan);
                ASSERT_EQ(flock.crowd.configure(settings_of<2>(plan)), Status{});
                ASSERT_EQ(flock.step(0), Status{});
                const Snapshot before(flock);
                FaultyExecutor faulty(fault, run);
                statuses[ranks.rank()] = flock.crowd.update(
                    flock.mine,
                    ranks.rank() == 1 ? static_cast<Executor&>(faulty) : serial_executor());
                if (!statuses[ranks.rank()].ok()) {
                    EXPECT_EQ(flock.crowd.refused_by(), 1u);
                    EXPECT_TRUE(Snapshot(flock) == before);
                }
                ASSERT_EQ(flock.crowd.update(flock.mine), Status{});
            });
            for (const Status& status : statuses) {
                EXPECT_EQ(status, statuses[0]);
                refused = refused || status.cause == Cause::executor_failed;
            }
        }
    }
    EXPECT_TRUE(refused);
}

/// Each allocation of an update on rank 1 fails in turn.
void check_allocations(bool births) {
    Plan plan = with_extents();
    plan.births = births;
    const std::uint64_t undisturbed = plain_hash<2>(plan);
    std::size_t refusals = 0;
    for (const int harmed : {0, 2}) { // first update, and a later one
        bool failed = true;
        for (std::size_t n = 0; failed; ++n) {
            ASSERT_LT(n, 2000u);
            Sum all;
            failed = false;
            std::vector<Status> statuses(kRefusingRanks);
            ThreadRanks job(kRefusingRanks, n);
            job.run([&](Ranks& plain) {
                Starved ranks(plain);
                Flock<2> flock(ranks, plan);
                ASSERT_EQ(flock.crowd.configure(settings_of<2>(plan)), Status{});
                for (int step = 0; step < plan.steps; ++step) {
                    flock.live_and_die(step);
                    if (step == harmed) {
                        std::optional<Snapshot> before;
                        if (step > 0) { before.emplace(flock); }
                        if (ranks.rank() == 1) { ranks.starve(n); }
                        const Status status = flock.crowd.update(flock.mine);
                        if (ranks.rank() == 1) { failed = ranks.feed(); }
                        statuses[ranks.rank()] = status;
                        if (status.ok()) {
                            ASSERT_EQ(flock.answer(), Status{});
                            continue;
                        }
                        EXPECT_EQ(flock.crowd.refused_by(), 1u);
                        if (before) { EXPECT_TRUE(Snapshot(flock) == *before); }
                    }
                    ASSERT_EQ(flock.crowd.update(flock.mine), Status{});
                    ASSERT_EQ(flock.answer(), Status{});
                }
                all.value += flock.sum.value;
            });
            // Only the merge of births can do without its memory, so a failed allocation may be
            // harmless.
            const bool refused = !statuses[0].ok();
            ASSERT_LE(refused, failed);
            refusals += refused ? 1 : 0;
            const Status wanted = refused ? Status{Cause::over_memory, Argument::memory} : Status{};
            for (const Status& status : statuses) {
                ASSERT_EQ(status, wanted) << "allocation " << n;
            }
            ASSERT_EQ(all.value, undisturbed) << "allocation " << n;
        }
    }
    EXPECT_GT(refusals, 30u);
}

TEST(DistributedRefusals, AnyAllocationThatFails) { check_allocations(true); }

/// Without births the arrays stay in place, and agents that have moved already move back.
TEST(DistributedRefusals, AnyAllocationThatFailsWhereArraysMove) { check_allocations(false); }

TEST(DistributedRefusals, AConfigureWithoutMemory) {
    const Plan plan;
    bool failed = true;
    std::size_t refusals = 0;
    for (std::size_t n = 0; failed; ++n) {
        ASSERT_LT(n, 200u);
        failed = false;
        ThreadRanks job(kRefusingRanks, n);
        job.run([&](Ranks& plain) {
            Starved ranks(plain);
            Flock<2> flock(ranks, plan);
            ASSERT_EQ(flock.crowd.configure(settings_of<2>(plan)), Status{});
            ASSERT_EQ(flock.step(0), Status{});
            const Snapshot before(flock);
            if (ranks.rank() == 1) { ranks.starve(n); }
            const Status status = flock.crowd.configure(settings_of<2>(plan));
            if (ranks.rank() == 1) {
                failed = ranks.feed();
                ASSERT_EQ(status.ok(), !failed);
                refusals += failed ? 1 : 0;
            }
            if (status.ok()) { return; }
            ASSERT_EQ(status, (Status{Cause::over_memory, Argument::memory}));
            ASSERT_EQ(flock.crowd.refused_by(), 1u);
            ASSERT_TRUE(Snapshot(flock) == before);
        });
    }
    EXPECT_GT(refusals, 3u);
}

TEST(DistributedRefusals, NoMemoryForWhatComes) {
    const Plan plan;
    const std::uint64_t undisturbed = plain_hash<2>(plan);
    bool refused = false;
    for (std::uint64_t call = 0; call < 40; ++call) {
        RankFaults faults;
        faults.no_memory = {2, call};
        Sum all;
        ThreadRanks job(kRefusingRanks, call, faults);
        job.run([&](Ranks& ranks) {
            Flock<2> flock(ranks, plan);
            ASSERT_EQ(flock.crowd.configure(settings_of<2>(plan)), Status{});
            for (int step = 0; step < plan.steps; ++step) {
                flock.live_and_die(step);
                Status status = flock.crowd.update(flock.mine);
                if (!status.ok()) {
                    EXPECT_EQ(status, (Status{Cause::over_memory, Argument::memory}));
                    EXPECT_EQ(flock.crowd.refused_by(), 2u);
                    refused = true;
                    status = flock.crowd.update(flock.mine);
                }
                ASSERT_EQ(status, Status{});
                ASSERT_EQ(flock.answer(), Status{});
            }
            all.value += flock.sum.value;
        });
        EXPECT_EQ(all.value, undisturbed);
    }
    EXPECT_TRUE(refused);
}

TEST(DistributedRefusals, AQuestionWithoutMemoryForABatch) {
    const Plan plan;
    OneRank ranks;
    Flock<2> flock(ranks, plan);
    ASSERT_EQ(flock.crowd.configure(settings_of<2>(plan)), Status{});
    ASSERT_EQ(flock.step(0), Status{});
    ShuffleExecutor other(1);
    bool failed = true;
    for (std::size_t n = 0; failed; ++n) {
        ASSERT_LT(n, 100u);
        std::vector<std::uint32_t> counts(flock.mine.owned()), again(flock.mine.owned());
        {
            const FailingAllocations failing(n);
            try {
                (void)flock.crowd.count_neighbours({1.0f}, counts, other);
            } catch (const std::bad_alloc&) {}
            failed = failing.failed();
        }
        // The default executor must work again, although its batch is gone.
        ASSERT_EQ(flock.crowd.count_neighbours({1.0f}, again), Status{});
        if (!failed) { EXPECT_EQ(counts, again); }
    }
}

} // namespace
} // namespace throng::test
