// Names that the crowd gives out, and the same name on two ranks.
#include "snapshot.hpp"

#include <limits>

namespace throng::test {
namespace {

constexpr GlobalId kLast = kFirstGlobalStatic;

TEST(Names, FollowTheLargestByRank) {
    for (const bool some : {false, true}) {
        std::vector<std::vector<GlobalId>> names(3);
        ThreadRanks job(3);
        job.run([&](Ranks& ranks) {
            DistributedGrid<2> crowd(ranks);
            Share<2> mine;
            mine.positions.resize(4 + ranks.rank());
            if (some && ranks.rank() == 1) { mine.ids = {7, 3}; }
            ASSERT_EQ(crowd.name(mine), Status{});
            names[ranks.rank()] = mine.ids;
            ASSERT_EQ(crowd.name(mine), Status{}); // all have names already
            ASSERT_EQ(names[ranks.rank()], mine.ids);
        });
        using Ids = std::vector<GlobalId>;
        EXPECT_EQ(names[0], some ? (Ids{8, 9, 10, 11}) : (Ids{0, 1, 2, 3}));
        EXPECT_EQ(names[1], some ? (Ids{7, 3, 12, 13, 14}) : (Ids{4, 5, 6, 7, 8}));
        EXPECT_EQ(names[2], some ? (Ids{15, 16, 17, 18, 19, 20}) : (Ids{9, 10, 11, 12, 13, 14}));
    }
}

TEST(Names, RunOut) {
    ThreadRanks job(2);
    job.run([&](Ranks& ranks) {
        DistributedGrid<2> crowd(ranks);
        Share<2> mine;
        if (ranks.rank() == 1) { mine.ids = {kLast - 3}; }
        mine.positions.resize(2);
        ASSERT_EQ(crowd.name(mine), (Status{Cause::too_many, Argument::id}));
        ASSERT_EQ(mine.ids.size(), ranks.rank());
        mine.positions.resize(1);
        ASSERT_EQ(crowd.name(mine), Status{});
        if (ranks.rank() == 0) { ASSERT_EQ(mine.ids[0], kLast - 2); }
        if (ranks.rank() == 1) { mine.positions.clear(); }
        ASSERT_EQ(crowd.name(mine), (Status{Cause::count_mismatch, Argument::positions}));
        ASSERT_EQ(crowd.refused_by(), 1u);
    });
}

TEST(Names, TwinsOnTwoRanksAreFoundByTheFirstUpdate) {
    const Plan plan;
    for (const std::uint32_t number : {2u, 5u}) {
        ThreadRanks job(number);
        job.run([&](Ranks& ranks) {
            Flock<2> flock(ranks, plan);
            ASSERT_EQ(flock.crowd.configure(settings_of<2>(plan)), Status{});
            flock.live_and_die(0);
            const std::vector<GlobalId> good = flock.mine.ids;
            // The last rank uses a name of rank 0.
            if (ranks.rank() + 1 == ranks.size()) { flock.mine.ids[1] = Fate<2>::name(0); }
            ASSERT_EQ(flock.crowd.update(flock.mine),
                      (Status{Cause::id_taken, Argument::id, Fate<2>::name(0)}));
            ASSERT_EQ(flock.mine.owned(), 0u);
            flock.mine.ids = good;
            ASSERT_EQ(flock.crowd.update(flock.mine), Status{});
            ASSERT_EQ(flock.answer(), Status{});
        });
    }
}

} // namespace
} // namespace throng::test
