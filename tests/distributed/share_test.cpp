// Shares: births, deaths, names up to the largest, and arrays that the user has reordered.
#include <throng/distributed/distributed_grid.hpp>
#include <throng/distributed/one_rank.hpp>
#include <throng/distributed/thread_ranks.hpp>

#include "../support/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace throng {
namespace {

DistributedSettings<2> settings() {
    DistributedSettings<2> settings;
    settings.bounds = {{}, Point<2>::all(16.0f)};
    settings.cell = Point<2>::all(1.0f);
    settings.reach = 2.0f;
    return settings;
}

Point<2> place_of(GlobalId id) {
    scenes::Random random(id);
    return {{random.between(0.0f, 16.0f), random.between(0.0f, 16.0f)}};
}

/// A share with a column that holds the name of each agent.
struct Named {
    Share<2> mine;
    Column<GlobalId> name = mine.column<GlobalId>(Travels::with_ghosts);

    void add(GlobalId id) {
        mine.ids.push_back(id);
        mine.positions.push_back(place_of(id));
        mine[name].push_back(id);
    }
    void expect_sound() {
        const auto owned = mine.ids.begin() + static_cast<std::ptrdiff_t>(mine.owned());
        EXPECT_TRUE(std::is_sorted(mine.ids.begin(), owned));
        EXPECT_TRUE(std::is_sorted(owned, mine.ids.end()));
        EXPECT_EQ(mine.ids.size(), mine.owned() + mine.ghosts());
        EXPECT_EQ(mine[name], mine.ids);
        for (std::size_t i = 0; i < mine.ids.size(); ++i) {
            EXPECT_EQ(mine.positions[i], place_of(mine.ids[i]));
        }
    }
};

TEST(Share, PutsAnyNamesInOrder) {
    constexpr GlobalId kHigh = GlobalId{1} << 62, kLast = kFirstGlobalStatic - 1;
    const std::vector<std::vector<GlobalId>> orders = {{3, 2, 1},
                                                       {1, 2, 3},
                                                       {kHigh + 10, 3},
                                                       {3, kHigh + 10, kHigh + 11},
                                                       {kLast, 0, kHigh, kHigh - 1},
                                                       {0, kHigh - 1, kHigh, kLast},
                                                       {5},
                                                       {}};
    for (const std::vector<GlobalId>& ids : orders) {
        OneRank ranks;
        DistributedGrid<2> crowd(ranks);
        ASSERT_EQ(crowd.configure(settings()), Status{});
        Named named;
        for (const GlobalId id : ids) {
            named.add(id);
        }
        ASSERT_EQ(crowd.update(named.mine), Status{});
        named.expect_sound();
        EXPECT_EQ(named.mine.owned(), ids.size());
    }
}

/// Finds one name out of order wherever it is in a long list, whatever the steps between names.
TEST(Share, FindsTheOneNameThatIsOutOfOrder) {
    constexpr std::size_t kCount = 50;
    for (const GlobalId step :
         {GlobalId{1}, GlobalId{1000}, GlobalId{1} << 57, (kFirstGlobalStatic - 1) / kCount}) {
        for (std::size_t at = 0; at < kCount; ++at) {
            for (const bool twice : {false, true}) {
                std::vector<GlobalId> ids;
                for (std::size_t i = 0; i < kCount; ++i) {
                    ids.push_back(i * step);
                }
                const std::size_t other = (at * 7 + 3) % kCount;
                if (at == other) { continue; }
                if (twice) {
                    ids[at] = ids[other];
                } else {
                    std::swap(ids[at], ids[other]);
                }
                OneRank ranks;
                DistributedGrid<2> crowd(ranks);
                ASSERT_EQ(crowd.configure(settings()), Status{});
                Named named;
                for (const GlobalId id : ids) {
                    named.add(id);
                }
                const Status wanted =
                    twice ? Status{Cause::id_taken, Argument::id, ids[at]} : Status{};
                ASSERT_EQ(crowd.update(named.mine), wanted) << "step " << step << ", at " << at;
                if (!twice) { named.expect_sound(); }
            }
        }
    }
}

/// Names that wrap round can all be the same step apart, and still be out of order.
TEST(Share, NamesThatWrapRoundAreNotInOrder) {
    for (const unsigned bits : {59u, 60u, 62u, 63u}) {
        OneRank ranks;
        DistributedGrid<2> crowd(ranks);
        ASSERT_EQ(crowd.configure(settings()), Status{});
        Named named;
        for (std::size_t i = 0; i < 64; ++i) {
            named.add(((i << bits) + i) % kFirstGlobalStatic);
        }
        ASSERT_EQ(crowd.update(named.mine), Status{});
        named.expect_sound();
    }
}

/// Each array exists once, with little spare room, also after a first update of arrays that had
/// grown by push_back; and updates do not allocate them anew.
TEST(Share, KeepsOneCopyOfEachArray) {
    ThreadRanks job(4, 3);
    job.run([](Ranks& ranks) {
        DistributedGrid<2> crowd(ranks);
        ASSERT_EQ(crowd.configure(settings()), Status{});
        Named named;
        for (GlobalId id = ranks.rank(); id < 4000; id += 4) {
            named.add(id);
        }
        std::size_t moved = 0, same = 0;
        for (int step = 0; step < 10; ++step) {
            const auto* const before = named.mine.ids.data();
            ASSERT_EQ(crowd.update(named.mine), Status{});
            same += named.mine.ids.data() == before ? 1 : 0;
            moved += crowd.stats().left + crowd.stats().came;
            const std::size_t bytes = 24 * named.mine.ids.size();
            EXPECT_LE(named.mine.memory(), bytes + bytes / 4 + 3 * 64 * 8);
            for (std::size_t i = 0; i < named.mine.owned(); ++i) {
                scenes::Random random(named.mine.ids[i] + 10'000 * static_cast<GlobalId>(step + 1));
                for (float& x : named.mine.positions[i].axis) {
                    x += random.between(-0.2f, 0.2f);
                }
            }
        }
        EXPECT_GT(moved, 50u);
        EXPECT_GE(same, 5u);
    });
}

TEST(Share, NoticesAnIdThatComesTwice) {
    constexpr GlobalId kHigh = GlobalId{1} << 63;
    for (const GlobalId id : {GlobalId{0}, GlobalId{7}, kHigh, ~GlobalId{0}}) {
        OneRank ranks;
        DistributedGrid<2> crowd(ranks);
        ASSERT_EQ(crowd.configure(settings()), Status{});
        Named named;
        named.add(9);
        named.add(id);
        named.add(id);
        EXPECT_EQ(crowd.update(named.mine), (Status{Cause::id_taken, Argument::id, id}));
    }
}

TEST(Share, RefusesNamesOfStaticsAndOfNone) {
    OneRank ranks;
    DistributedGrid<2> crowd(ranks);
    ASSERT_EQ(crowd.configure(settings()), Status{});
    for (const std::size_t at : {0u, 1u, 2u}) {
        for (const GlobalId bad : {kFirstGlobalStatic, kNoGlobalId}) {
            Named named;
            for (std::size_t i = 0; i < 3; ++i) {
                named.add(i == at ? bad : 5 + i);
            }
            EXPECT_EQ(crowd.update(named.mine), (Status{Cause::out_of_range, Argument::id, at}));
        }
    }
}

TEST(Share, TheUserMayPutArraysInAnyOrder) {
    ThreadRanks job(4, 2);
    job.run([](Ranks& ranks) {
        DistributedGrid<2> crowd(ranks);
        ASSERT_EQ(crowd.configure(settings()), Status{});
        Named named;
        for (GlobalId id = ranks.rank(); id < 300; id += 4) {
            named.add(id);
        }
        ASSERT_EQ(crowd.update(named.mine), Status{});
        named.expect_sound();
        EXPECT_GT(named.mine.ghosts(), 0u);
        const std::vector<GlobalId> before = named.mine.ids;
        const std::size_t last = named.mine.owned() - 1;
        std::swap(named.mine.ids[0], named.mine.ids[last]);
        std::swap(named.mine.positions[0], named.mine.positions[last]);
        std::swap(named.mine[named.name][0], named.mine[named.name][last]);
        ASSERT_EQ(crowd.update(named.mine), Status{});
        named.expect_sound();
        EXPECT_EQ(named.mine.ids, before);
    });
}

TEST(Share, KeepsWhoIsKeptAndThoseWhoWereBorn) {
    ThreadRanks job(4, 5);
    std::vector<GlobalId> wanted, got;
    job.run([&](Ranks& ranks) {
        DistributedGrid<2> crowd(ranks);
        ASSERT_EQ(crowd.configure(settings()), Status{});
        Named named;
        for (GlobalId id = ranks.rank(); id < 300; id += 4) {
            named.add(id);
        }
        ASSERT_EQ(crowd.update(named.mine), Status{});
        std::vector<Id> kept;
        for (std::size_t i = 0; i < named.mine.owned(); ++i) {
            if (named.mine.ids[i] % 3 != 0) {
                kept.push_back(static_cast<Id>(i));
                wanted.push_back(named.mine.ids[i]);
            }
        }
        named.add(1000 + ranks.rank()); // added before others are removed
        wanted.push_back(1000 + ranks.rank());
        const std::size_t bytes = named.mine.memory();
        EXPECT_GE(bytes, named.mine.ids.size() * 24);
        named.mine.keep_only(kept);
        EXPECT_EQ(named.mine.owned(), kept.size());
        EXPECT_EQ(named.mine.ghosts(), 0u);
        EXPECT_EQ(named.mine.ids.size(), kept.size() + 1);
        ASSERT_EQ(crowd.update(named.mine), Status{});
        named.expect_sound();
        got.insert(got.end(), named.mine.ids.begin(),
                   named.mine.ids.begin() + static_cast<std::ptrdiff_t>(named.mine.owned()));
        EXPECT_GT(crowd.memory(), 0u);
    });
    std::sort(wanted.begin(), wanted.end());
    std::sort(got.begin(), got.end());
    EXPECT_EQ(got, wanted);
}

/// For ghosts, a column that travels only with the owner is zero.
TEST(Share, GhostsHaveNothingOfWhatStaysWithTheOwner) {
    ThreadRanks job(4, 5);
    job.run([&](Ranks& ranks) {
        DistributedGrid<2> crowd(ranks);
        ASSERT_EQ(crowd.configure(settings()), Status{});
        Named named;
        const auto own = named.mine.column<int>(Travels::with_owner);
        for (GlobalId id = ranks.rank(); id < 300; id += 4) {
            named.add(id);
            named.mine[own].push_back(static_cast<int>(id) + 1);
        }
        for (int step = 0; step < 3; ++step) {
            ASSERT_EQ(crowd.update(named.mine), Status{});
            for (std::size_t i = 0; i < named.mine.ids.size(); ++i) {
                const int wanted =
                    i < named.mine.owned() ? static_cast<int>(named.mine.ids[i]) + 1 : 0;
                ASSERT_EQ(named.mine[own][i], wanted);
            }
        }
    });
}

/// A column of five bytes that are derived from each agent's id, while agents change ranks.
TEST(Share, ColumnsOfBytes) {
    constexpr std::size_t kBytes = 5, kAgents = 200;
    const auto bytes_of = [](GlobalId id, std::size_t byte) {
        return static_cast<std::byte>(id * 7 + byte);
    };
    for (const Travels travels : {Travels::with_ghosts, Travels::with_owner}) {
        ThreadRanks job(4, 9);
        job.run([&](Ranks& ranks) {
            DistributedGrid<2> crowd(ranks);
            ASSERT_EQ(crowd.configure(settings()), Status{});
            Share<2> mine;
            mine.ids.push_back(1000 + ranks.rank());
            mine.positions.push_back(place_of(ranks.rank()));
            const ByteColumn column = mine.byte_column(kBytes, travels);
            ASSERT_EQ(mine[column].size(), kBytes);
            for (GlobalId id = ranks.rank(); id < kAgents; id += ranks.size()) {
                mine.ids.push_back(id);
                mine.positions.push_back(place_of(id));
            }
            mine[column].clear();
            for (const GlobalId id : mine.ids) {
                for (std::size_t byte = 0; byte < kBytes; ++byte) {
                    mine[column].push_back(bytes_of(id, byte));
                }
            }
            const auto expect_sound = [&] {
                ASSERT_EQ(mine[column].size(), kBytes * mine.ids.size());
                const bool all = travels == Travels::with_ghosts;
                for (std::size_t i = 0; i < (all ? mine.ids.size() : mine.owned()); ++i) {
                    for (std::size_t byte = 0; byte < kBytes; ++byte) {
                        ASSERT_EQ(mine[column][kBytes * i + byte], bytes_of(mine.ids[i], byte));
                    }
                }
            };
            for (GlobalId step = 0; step < 5; ++step) {
                ASSERT_EQ(crowd.update(mine), Status{});
                ASSERT_NO_FATAL_FAILURE(expect_sound());
                for (std::size_t i = 0; i < mine.owned(); ++i) {
                    mine.positions[i] = place_of(mine.ids[i] + 1000 * (i % 5 == 0 ? step : 0));
                }
            }
            std::vector<Id> kept;
            for (std::size_t i = 0; i < mine.owned(); i += 2) {
                kept.push_back(static_cast<Id>(i));
            }
            mine.keep_only(kept);
            ASSERT_EQ(mine[column].size(), kBytes * kept.size());
            ASSERT_EQ(crowd.update(mine), Status{});
            ASSERT_NO_FATAL_FAILURE(expect_sound());
            EXPECT_GE(mine.memory(), kBytes * mine.ids.size());
            // On one rank the column is one byte too short.
            const std::byte last = ranks.rank() == 2 ? mine[column].back() : std::byte{};
            if (ranks.rank() == 2) { mine[column].pop_back(); }
            ASSERT_EQ(crowd.update(mine), (Status{Cause::count_mismatch, Argument::columns}));
            if (ranks.rank() == 2) { mine[column].push_back(last); }
            ASSERT_EQ(crowd.update(mine), Status{});
            ASSERT_NO_FATAL_FAILURE(expect_sound());
        });
    }
}

} // namespace
} // namespace throng
