// Ranks make different calls, give different or bad settings, or are lost: all get the same status,
// and none waits for ever.
#include "../support/folder.hpp"
#include "snapshot.hpp"

#include <throng/distributed/checkpoint.hpp>

#include <limits>

namespace throng::test {
namespace {

constexpr std::uint32_t kDisagreeing = 3;

constexpr std::size_t kCalls = 15;

/// The `which`-th collective call, with the same arguments on all ranks.
Status call(Flock<2>& flock, const Plan& plan, std::size_t which, const Folder& folder) {
    std::uint64_t number = 0;
    const std::vector<Ball<2>> balls = {{{{9.0f, 9.0f}}, 8.0f}, {{{1.0f, 2.0f}}, 3.0f}};
    const std::vector<Segment<2>> paths = {{{{0.0f, 1.0f}}, {{19.0f, 18.0f}}}};
    const std::vector<Point<2>> points = {{{3.0f, 4.0f}}};
    std::vector<std::uint64_t> counts(balls.size());
    GlobalHits hits;
    GlobalNearHits near;
    GlobalMeetings meetings;
    std::vector<GlobalMeeting> first;
    switch (which) {
    case 0:
        return flock.crowd.configure(settings_of<2>(plan));
    case 1:
        return flock.crowd.update(flock.mine);
    case 2:
        return flock.crowd.count_pairs(number);
    case 3:
        return flock.crowd.query(balls, hits);
    case 4:
        return flock.crowd.count(balls, counts);
    case 5:
        return flock.crowd.any(balls, counts);
    case 6:
        return flock.crowd.nearest(points, {3}, near);
    case 7:
        return flock.crowd.first(paths, first);
    case 8:
        return flock.crowd.meetings(paths, meetings);
    case 9:
        return flock.crowd.nearest_neighbours({2}, near);
    case 10:
        return flock.crowd.name(flock.mine);
    case 11:
        return flock.crowd.balance();
    case 12:
        return save(flock.crowd, flock.mine, folder.file("").c_str());
    case 13:
        return flock.crowd.set_statics(Walls<2>(plan).agents());
    default:
        return flock.crowd.size(number);
    }
}

TEST(RanksDisagree, DifferentCalls) {
    const Plan plan;
    const Folder folder;
    for (std::size_t a = 0; a < kCalls; ++a) {
        for (std::size_t b = 0; b < kCalls; ++b) {
            ThreadRanks job(2, kCalls * a + b);
            job.run([&](Ranks& ranks) {
                Flock<2> flock(ranks, plan);
                ASSERT_EQ(flock.crowd.configure(settings_of<2>(plan)), Status{});
                ASSERT_EQ(flock.step(0), Status{});
                const Snapshot before(flock);
                const Status status = call(flock, plan, ranks.rank() == 0 ? a : b, folder);
                if (a == b) {
                    ASSERT_EQ(status, Status{});
                    return;
                }
                ASSERT_EQ(status, Status{Cause::ranks_differ}) << a << " and " << b;
                ASSERT_TRUE(Snapshot(flock) == before);
                ASSERT_EQ(flock.step(1), Status{});
            });
        }
    }
}

TEST(RanksDisagree, AGridThatIsNotConfigured) {
    const Plan plan;
    for (std::uint32_t odd = 0; odd < kDisagreeing; ++odd) {
        ThreadRanks job(kDisagreeing, odd);
        job.run([&](Ranks& ranks) {
            Flock<2> flock(ranks, plan);
            ASSERT_EQ(flock.crowd.update(flock.mine), Status{Cause::not_configured});
            const bool silent = ranks.rank() == odd; // as bindings do with no arguments
            ASSERT_EQ(silent ? flock.crowd.abstain() : flock.crowd.configure(settings_of<2>(plan)),
                      Status{Cause::ranks_differ});
            ASSERT_EQ(flock.crowd.configure(settings_of<2>(plan)), Status{});
            ASSERT_EQ(flock.step(0), Status{});
            DistributedGrid<2> other(ranks);
            Share<2> none;
            const Snapshot before(flock);
            const bool is_odd = ranks.rank() == odd;
            const Status status = is_odd ? other.update(none) : flock.crowd.update(flock.mine);
            ASSERT_EQ(status, Status{Cause::ranks_differ});
            ASSERT_TRUE(Snapshot(flock) == before);
        });
    }
}

TEST(RanksDisagree, DifferentSettingsAndColumns) {
    const Plan plan;
    ThreadRanks job(kDisagreeing, 3);
    job.run([&](Ranks& ranks) {
        Flock<2> flock(ranks, plan);
        const bool odd = ranks.rank() == 1;
        auto settings = settings_of<2>(plan);
        std::vector<std::function<void()>> changes = {
            [&] { settings.reach += 0.5f; }, [&] { settings.cell[1] *= 2.0f; },
            [&] { settings.bounds.hi[0] += 1.0f; }, [&] { settings.kind.groups = true; },
            [&] {
                const auto shape = shape_over(settings.bounds, settings.cell).value;
                settings.cuts = Cuts<2>::even(shape, kDisagreeing);
            }};
        for (const auto& change : changes) {
            settings = settings_of<2>(plan);
            if (odd) { change(); }
            ASSERT_EQ(flock.crowd.configure(settings), Status{Cause::ranks_differ});
            ASSERT_EQ(flock.crowd.update(flock.mine), Status{Cause::not_configured});
        }
        ASSERT_EQ(flock.crowd.configure(settings_of<2>(plan)), Status{});
        ASSERT_EQ(flock.step(0), Status{});
        const Snapshot before(flock);
        if (odd) { (void)flock.mine.column<std::uint8_t>(Travels::with_owner); }
        ASSERT_EQ(flock.crowd.update(flock.mine), Status{Cause::ranks_differ});
        ASSERT_TRUE(Snapshot(flock) == before);
        std::uint64_t pairs = 0;
        ASSERT_EQ(flock.crowd.count_pairs(pairs, serial_executor(), odd ? 1u : 2u),
                  Status{Cause::ranks_differ});
        if (!odd) { (void)flock.mine.column<std::uint8_t>(Travels::with_owner); }
        ASSERT_EQ(flock.crowd.update(flock.mine), Status{});
    });
}

TEST(RanksDisagree, BadSettings) {
    const Plan plan;
    ThreadRanks job(2);
    job.run([&](Ranks& ranks) {
        Flock<2> flock(ranks, plan);
        const auto good = settings_of<2>(plan);
        ASSERT_EQ(flock.crowd.configure(good), Status{});
        ASSERT_EQ(flock.step(0), Status{});
        const Snapshot before(flock);
        const auto refused = [&](const std::function<void(DistributedSettings<2>&)>& spoil) {
            auto settings = good;
            spoil(settings);
            return flock.crowd.configure(settings);
        };
        EXPECT_EQ(refused([](auto& s) { s.reach = -1.0f; }),
                  (Status{Cause::negative, Argument::reach}));
        EXPECT_EQ(refused([](auto& s) { s.reach = std::numeric_limits<float>::quiet_NaN(); }),
                  (Status{Cause::not_finite, Argument::reach}));
        EXPECT_EQ(refused([](auto& s) { s.reach = 0.5f; }),
                  (Status{Cause::beyond_reach, Argument::half_extents}));
        EXPECT_EQ(refused([](auto& s) { s.imbalance = 0.9f; }),
                  (Status{Cause::out_of_range, Argument::imbalance}));
        EXPECT_EQ(refused([](auto& s) { s.imbalance = std::numeric_limits<float>::quiet_NaN(); }),
                  (Status{Cause::out_of_range, Argument::imbalance}));
        EXPECT_EQ(refused([](auto& s) { s.most_agents = 0.9f; }),
                  (Status{Cause::out_of_range, Argument::most_agents}));
        EXPECT_EQ(refused([](auto& s) { s.most_agents = -s.most_agents; }),
                  (Status{Cause::out_of_range, Argument::most_agents}));
        EXPECT_EQ(refused([](auto& s) { s.cell[1] = 0.0f; }),
                  (Status{Cause::not_positive, Argument::cell, 1}));
        EXPECT_EQ(refused([](auto& s) { s.kind.common_half_extent[0] = -1.0f; }),
                  (Status{Cause::negative, Argument::half_extents}));
        const auto shape = flock.crowd.shape();
        EXPECT_EQ(refused([&](auto& s) { s.cuts = Cuts<2>::even(shape, 3); }),
                  (Status{Cause::count_mismatch, Argument::cuts}));
        auto other = shape;
        other.cells[0] += 1;
        EXPECT_EQ(refused([&](auto& s) { s.cuts = Cuts<2>::even(other, 2); }),
                  (Status{Cause::count_mismatch, Argument::cuts}));
        EXPECT_TRUE(Snapshot(flock) == before);
        ASSERT_EQ(flock.step(1), Status{});
    });
}

TEST(RanksDisagree, QuestionsBeyondTheReach) {
    const Plan plan;
    ThreadRanks job(2);
    job.run([&](Ranks& ranks) {
        Flock<2> flock(ranks, plan);
        ASSERT_EQ(flock.crowd.configure(settings_of<2>(plan)), Status{});
        ASSERT_EQ(flock.step(0), Status{});
        const Status beyond{Cause::beyond_reach, Argument::radius};
        const float farther = std::nextafter(plan.reach, 9.0f);
        Hits hits;
        std::vector<std::uint32_t> counts(flock.mine.owned());
        EXPECT_EQ(flock.crowd.neighbours({farther}, hits), beyond);
        EXPECT_EQ(flock.crowd.count_neighbours({farther}, counts), beyond);
        EXPECT_EQ(flock.crowd.neighbours({-1.0f}, hits).cause, Cause::negative);
        // Bodies may be near although their centres are farther apart than the reach.
        const Status bodies{Cause::beyond_reach, Argument::body};
        const Neighbourhood by_boxes{0.5f, false, kAllGroups, false, Body::box};
        EXPECT_EQ(flock.crowd.neighbours(by_boxes, hits), bodies);
        EXPECT_EQ(flock.crowd.count_neighbours(by_boxes, counts), bodies);
        counts.push_back(0);
        EXPECT_EQ(flock.crowd.count_neighbours({1.0f}, counts),
                  (Status{Cause::count_mismatch, Argument::counts}));
    });
}

/// Remaining ranks learn that a rank was lost, and none waits.
void check_lost(const RankFaults& faults, std::uint64_t seed, bool& lost) {
    Plan plan;
    plan.agents = 60;
    plan.steps = 3;
    const Folder folder;
    ThreadRanks job(kDisagreeing, seed, faults);
    job.run([&](Ranks& ranks) {
        Flock<2> flock(ranks, plan);
        Status status = flock.crowd.configure(settings_of<2>(plan));
        for (int step = 0; step < plan.steps && status.ok(); ++step) {
            status = flock.step(step);
            if (step + 1 < plan.steps) { continue; } // the other calls are made once only
            for (std::size_t which = 3; which < kCalls && status.ok(); ++which) {
                status = call(flock, plan, which, folder);
            }
        }
        lost = lost || !status.ok();
        if (!status.ok()) { EXPECT_EQ(status, Status{Cause::rank_lost}); }
    });
}

TEST(RanksDisagree, ARankThatIsLostAtAnyCall) {
    for (std::uint32_t rank = 0; rank < kDisagreeing; ++rank) {
        bool lost = true;
        for (std::uint64_t call = 0; lost; ++call) {
            ASSERT_LT(call, 1000u);
            RankFaults faults;
            faults.ends = {rank, call};
            lost = false;
            check_lost(faults, call, lost);
            if (call < 25) { EXPECT_TRUE(lost) << "call " << call; }
        }
    }
}

TEST(RanksDisagree, AMessageThatIsLostOrLate) {
    for (std::uint64_t message = 0; message < 12; ++message) {
        RankFaults dropped, delayed;
        dropped.dropped = delayed.delayed = message;
        bool lost = false, stopped = false;
        check_lost(dropped, message, lost);
        check_lost(delayed, message, stopped);
        EXPECT_TRUE(lost) << message;
        EXPECT_FALSE(stopped) << message;
    }
}

} // namespace
} // namespace throng::test
