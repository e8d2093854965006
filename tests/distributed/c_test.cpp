// The calls of throng_distributed.h on ranks of the host: answers equal those of C++, and bad
// arguments are refused.
#include "../support/fail_each.hpp"
#include "../support/folder.hpp"
#include "../support/numbers.hpp"
#include "host_crowd.hpp"

#include <throng/distributed/one_rank.hpp>

#include <cmath>
#include <functional>
#include <new>

namespace throng::test {
namespace {

constexpr std::uint32_t kHostRanks = 4;

template <class Call>
void run_job(const Call& call, std::uint32_t ranks = kHostRanks) {
    ThreadRanks job(ranks, 3);
    job.run([&](Ranks& self) { call(self); });
}

template <std::size_t Dim>
void check_updates() {
    run_job([](Ranks& self) {
        Both<Dim> both(self);
        for (int step = 0; step < 3; ++step) {
            ASSERT_NO_FATAL_FAILURE(both.update());
            const throng_share_arrays arrays = both.get();
            ASSERT_EQ(arrays.agents, both.mine.ids.size());
            ASSERT_EQ(arrays.owned, both.mine.owned());
            ASSERT_EQ(arrays.ghosts, both.mine.ghosts());
            for (std::size_t i = 0; i < arrays.agents; ++i) {
                ASSERT_EQ(arrays.ids[i], both.mine.ids[i]);
                ASSERT_EQ(arrays.groups[i], both.mine.groups[i]);
                ASSERT_EQ(both.column_of(i)[5], static_cast<unsigned char>(arrays.ids[i] / 7));
                for (std::size_t a = 0; a < Dim; ++a) {
                    ASSERT_EQ(arrays.positions[Dim * i + a], both.mine.positions[i][a]);
                }
            }
            for (std::size_t i = 0; i < arrays.owned; ++i) {
                const float by = i % 3 == 0 ? 4.0f : -0.75f;
                arrays.positions[Dim * i] += by;
                both.mine.positions[i][0] += by;
            }
        }
        const throng_distributed_facts facts = both.facts();
        EXPECT_EQ(facts.dimension, Dim);
        EXPECT_EQ(facts.owned, both.mine.owned());
        EXPECT_EQ(facts.ghosts, both.mine.ghosts());
        EXPECT_EQ(facts.cells[1], both.plain.brick().cells[1]);
        EXPECT_EQ(facts.first[0], both.plain.brick().first[0]);
        EXPECT_EQ(facts.left, both.plain.stats().left);
        EXPECT_GT(facts.bytes, 0u);
        std::uint64_t bytes = 0;
        expect_ok(throng_share_memory(both.share, &bytes));
        EXPECT_GT(bytes, 0u);
        std::uint32_t rank = 99, size = 0;
        expect_ok(throng_ranks_count(both.ranks, &rank, &size));
        EXPECT_EQ(rank, self.rank());
        EXPECT_EQ(size, self.size());
        const Point<Dim> place = Point<Dim>::all(0.6f * kSide);
        expect_ok(throng_distributed_owner_of(both.crowd, place.axis.data(), &rank));
        EXPECT_EQ(rank, both.plain.owner_of(place));
    });
}

TEST(DistributedInC, UpdatesAreThoseOfCpp) {
    check_updates<2>();
    check_updates<3>();
}

TEST(DistributedInC, NeighboursAndPairsAreThoseOfCpp) {
    run_job([](Ranks& self) {
        Both<2> both(self);
        ASSERT_NO_FATAL_FAILURE(both.update());
        throng_neighbourhood neighbourhood = THRONG_NEIGHBOURHOOD_INIT;
        neighbourhood.radius = kReach;
        neighbourhood.groups = 3;
        neighbourhood.order = THRONG_ORDER_IDS;
        throng_hits hits = THRONG_HITS_INIT;
        expect_ok(throng_distributed_neighbours(both.crowd, &neighbourhood, nullptr, &hits));
        Hits wanted;
        Neighbourhood asked;
        asked.radius = kReach;
        asked.groups = 3;
        ASSERT_EQ(both.plain.neighbours(asked, wanted), Status{});
        ASSERT_EQ(hits.count, both.mine.owned());
        ASSERT_EQ(hits.total, wanted.total());
        ASSERT_TRUE(std::equal(hits.ids, hits.ids + hits.total, wanted.ids.data()));
        std::vector<std::uint32_t> counts(both.mine.owned() + 1, 77);
        expect_ok(throng_distributed_count_neighbours(both.crowd, &neighbourhood, nullptr,
                                                      counts.data(), counts.size()));
        for (std::size_t i = 0; i < hits.count; ++i) {
            ASSERT_EQ(counts[i], hits.offsets[i + 1] - hits.offsets[i]);
        }
        throng_pairs pairs = THRONG_PAIRS_INIT;
        expect_ok(throng_distributed_pairs(both.crowd, nullptr, nullptr, &pairs));
        Pairs all;
        ASSERT_EQ(both.plain.pairs(all), Status{});
        ASSERT_EQ(pairs.total, all.count);
        ASSERT_TRUE(std::equal(pairs.second, pairs.second + pairs.total, all.second.data()));
        std::uint64_t in_c = 0, in_cpp = 0;
        expect_ok(throng_distributed_count_pairs(both.crowd, nullptr, nullptr, &in_c));
        ASSERT_EQ(both.plain.count_pairs(in_cpp), Status{});
        EXPECT_EQ(in_c, in_cpp);
        expect_ok(throng_distributed_size(both.crowd, &in_c));
        EXPECT_EQ(in_c, kAgents);
        // Refused: too short an array, then too large a radius.
        if (both.mine.owned() > 0) {
            expect_refused(throng_distributed_count_neighbours(both.crowd, &neighbourhood, nullptr,
                                                               counts.data(), 0),
                           THRONG_NO_ROOM, "counts", both.mine.owned());
        }
        neighbourhood.radius = 2 * kReach;
        expect_refused(throng_distributed_neighbours(both.crowd, &neighbourhood, nullptr, &hits),
                       THRONG_BEYOND_REACH, "neighbourhood.radius");
        neighbourhood.order = THRONG_ORDER_STORAGE;
        expect_refused(throng_distributed_neighbours(both.crowd, &neighbourhood, nullptr, &hits),
                       THRONG_WRONG_VALUE, "neighbourhood.order");
        neighbourhood.order = THRONG_ORDER_IDS;
        neighbourhood.sets = 8;
        expect_refused(throng_distributed_neighbours(both.crowd, &neighbourhood, nullptr, &hits),
                       THRONG_WRONG_VALUE, "neighbourhood.sets");
    });
}

/// Two agents at borders of the world, and callers who do not know of worlds that wrap.
TEST(DistributedInC, AWorldThatWraps) {
    throng_ranks* ranks = nullptr;
    throng_share* share = nullptr;
    expect_ok(throng_ranks_one(&ranks));
    expect_ok(throng_share_create(2, 0, 0, &share));
    expect_ok(throng_share_resize(share, 2, 2));
    throng_share_arrays arrays = THRONG_SHARE_ARRAYS_INIT;
    for (const std::uint32_t periodic : {0u, 1u, 2u, 3u}) {
        for (const bool older : {false, true}) {
            throng_distributed_settings settings = settings_in_c<2>();
            settings.groups = 0;
            settings.periodic = periodic;
            if (older) { settings.struct_size = offsetof(throng_distributed_settings, periodic); }
            throng_distributed* crowd = nullptr;
            expect_ok(throng_distributed_create(ranks, &settings, &crowd));
            expect_ok(throng_share_get(share, &arrays));
            arrays.ids[0] = 0;
            arrays.ids[1] = 1;
            const float places[] = {0.25f, 3.0f, kSide - 0.25f, 3.0f};
            std::copy(std::begin(places), std::end(places), arrays.positions);
            expect_ok(throng_distributed_update(crowd, share, nullptr));
            throng_neighbourhood asked = THRONG_NEIGHBOURHOOD_INIT;
            asked.radius = 1.0f;
            asked.order = THRONG_ORDER_IDS;
            std::uint32_t counts[2] = {};
            expect_ok(throng_distributed_count_neighbours(crowd, &asked, nullptr, counts, 2));
            EXPECT_EQ(counts[0], !older && (periodic & 1) != 0 ? 1u : 0u) << periodic;
            EXPECT_EQ(counts[1], counts[0]);
            expect_ok(throng_distributed_destroy(crowd));
        }
    }
    expect_ok(throng_share_destroy(share));
    expect_ok(throng_ranks_destroy(ranks));
}

TEST(DistributedInC, QuestionsOfAnyPlaceAreThoseOfCpp) {
    run_job([](Ranks& self) {
        Both<2> both(self);
        ASSERT_NO_FATAL_FAILURE(both.update());
        std::vector<Ball<2>> balls;
        std::vector<Segment<2>> paths;
        std::vector<Point<2>> points;
        for (std::size_t i = 0; i < 10 * self.rank(); ++i) { // rank 0 asks nothing
            scenes::Random random(100 * self.rank() + i);
            const Point<2> place = {{random.between(0.0f, kSide), random.between(0.0f, kSide)}};
            balls.push_back({place, 5.0f});
            points.push_back(place);
            paths.push_back({place, {{kSide - place[1], place[0]}}});
        }
        const throng_global_filter filter = {6, 0, 14};
        const GlobalFilter same = {6, 14};
        throng_global_questions questions = THRONG_GLOBAL_QUESTIONS_INIT;
        questions.shape = THRONG_BALL2;
        questions.shapes = balls.data();
        questions.count = balls.size();
        questions.filters = &filter;
        questions.filter_count = 1;
        throng_global_hits hits = THRONG_GLOBAL_HITS_INIT;
        expect_ok(throng_distributed_query(both.crowd, &questions, nullptr, &hits));
        GlobalHits wanted;
        ASSERT_EQ(both.plain.query(balls, wanted, {&same, 1}), Status{});
        ASSERT_EQ(hits.count, balls.size());
        ASSERT_EQ(hits.total, wanted.ids.size());
        EXPECT_TRUE(std::equal(wanted.ids.begin(), wanted.ids.end(), hits.ids));
        EXPECT_TRUE(std::equal(wanted.offsets.begin(), wanted.offsets.end(), hits.offsets));
        std::vector<std::uint64_t> counts(balls.size()), found(balls.size());
        expect_ok(throng_distributed_count(both.crowd, &questions, nullptr, counts.data(),
                                           counts.size()));
        expect_ok(
            throng_distributed_any(both.crowd, &questions, nullptr, found.data(), found.size()));
        for (std::size_t q = 0; q < balls.size(); ++q) {
            EXPECT_EQ(counts[q], wanted.offsets[q + 1] - wanted.offsets[q]);
            EXPECT_EQ(found[q], counts[q] != 0 ? 1u : 0u);
        }

        questions.shape = THRONG_SEGMENT2;
        questions.shapes = paths.data();
        std::vector<throng_global_meeting> first(paths.size());
        expect_ok(
            throng_distributed_first(both.crowd, &questions, nullptr, first.data(), first.size()));
        std::vector<GlobalMeeting> first_wanted;
        ASSERT_EQ(both.plain.first(paths, first_wanted, {&same, 1}), Status{});
        for (std::size_t q = 0; q < paths.size(); ++q) {
            EXPECT_EQ(first[q].id, first_wanted[q].id);
            EXPECT_EQ(first[q].time, first_wanted[q].time);
        }
        throng_global_meetings meetings = THRONG_GLOBAL_MEETINGS_INIT;
        expect_ok(throng_distributed_meetings(both.crowd, &questions, nullptr, &meetings));
        GlobalMeetings all;
        ASSERT_EQ(both.plain.meetings(paths, all, {&same, 1}), Status{});
        ASSERT_EQ(meetings.total, all.meetings.size());
        ASSERT_EQ(meetings.count, paths.size());
        for (std::size_t i = 0; i < meetings.total; ++i) {
            EXPECT_EQ(meetings.meetings[i].id, all.meetings[i].id);
            EXPECT_EQ(meetings.meetings[i].time, all.meetings[i].time);
        }

        throng_nearest nearest = THRONG_NEAREST_INIT;
        nearest.k = 3;
        throng_points places = THRONG_POINTS_INIT;
        places.coordinates = points.empty() ? nullptr : points.front().axis.data();
        places.count = points.size();
        throng_global_near_hits near = THRONG_GLOBAL_NEAR_HITS_INIT;
        expect_ok(throng_distributed_nearest(both.crowd, &places, &nearest, 21, nullptr, &near));
        GlobalNearHits near_wanted;
        const GlobalFilter without = {kAllGroups, 21};
        ASSERT_EQ(both.plain.nearest(points, {3}, near_wanted, {&without, 1}), Status{});
        const auto expect_same = [&] {
            ASSERT_EQ(near.count, near_wanted.counts.size());
            ASSERT_EQ(near.k, near_wanted.k);
            for (std::size_t i = 0; i < near_wanted.nearest.size(); ++i) {
                ASSERT_EQ(near.nearest[i].id, near_wanted.nearest[i].id);
                ASSERT_EQ(near.nearest[i].distance2, near_wanted.nearest[i].distance2);
            }
        };
        ASSERT_NO_FATAL_FAILURE(expect_same());
        expect_ok(throng_distributed_nearest_neighbours(both.crowd, &nearest, nullptr, &near));
        ASSERT_EQ(both.plain.nearest_neighbours({3}, near_wanted), Status{});
        ASSERT_NO_FATAL_FAILURE(expect_same());
    });
}

TEST(DistributedInC, BirthsDeathsNamesBalanceAndCheckpoints) {
    const Folder folder;
    run_job([&](Ranks& self) {
        Both<2> both(self);
        ASSERT_NO_FATAL_FAILURE(both.update());
        std::vector<std::uint32_t> kept;
        for (std::uint32_t i = 0; i < both.get().owned; i += 2) {
            kept.push_back(i);
        }
        expect_ok(throng_share_keep_only(both.share, kept.data(), kept.size()));
        throng_share_arrays arrays = both.get();
        ASSERT_EQ(arrays.agents, kept.size());
        // Each rank adds two agents without names.
        expect_ok(throng_share_resize(both.share, kept.size() + 2, kept.size()));
        arrays = both.get();
        ASSERT_EQ(arrays.named, kept.size());
        ASSERT_EQ(both.column_of(kept.size() + 1)[5], 0);
        arrays.positions[2 * kept.size()] = 3.5f;
        arrays.groups[kept.size()] = arrays.groups[kept.size() + 1] = 1;
        expect_ok(throng_distributed_name(both.crowd, both.share));
        expect_ok(throng_distributed_update(both.crowd, both.share, nullptr));
        std::uint64_t agents = 0, again = 0;
        expect_ok(throng_distributed_size(both.crowd, &agents));
        EXPECT_GE(agents, kAgents / 2 + 2 * kHostRanks);
        expect_ok(throng_distributed_balance(both.crowd, nullptr, 0, nullptr));
        EXPECT_GE(both.facts().imbalance, 1.0);
        expect_ok(throng_distributed_update(both.crowd, both.share, nullptr));
        const std::vector<std::uint32_t> work(both.get().owned + 1, 1);
        expect_refused(throng_distributed_balance(both.crowd, work.data(), work.size(), nullptr),
                       THRONG_COUNT_MISMATCH, "work");
        EXPECT_EQ(both.facts().refused_by, 0u);

        expect_ok(throng_distributed_save(both.crowd, both.share, folder.file("").c_str()));
        throng_share* loaded = nullptr;
        expect_ok(throng_share_create(2, 0, 1, &loaded));
        expect_ok(throng_share_add_column(loaded, 6, 1, nullptr));
        expect_ok(throng_distributed_load(both.crowd, loaded, folder.file("").c_str(), nullptr));
        expect_ok(throng_distributed_size(both.crowd, &again));
        EXPECT_EQ(again, agents);
        expect_ok(throng_share_destroy(loaded));
    });
}

/// If one rank refuses an argument that it cannot read, the others do not wait for it.
TEST(DistributedInC, WhatOneRankCannotReadAllRefuse) {
    run_job([](Ranks& self) {
        Both<2> both(self);
        ASSERT_NO_FATAL_FAILURE(both.update());
        const bool odd = self.rank() == 2;
        const auto refuses = [&](const throng_status& status, int code, const char* argument,
                                 std::uint64_t index = 0) {
            if (odd) { return expect_refused(status, code, argument, index); }
            expect_refused(status, THRONG_RANKS_DIFFER, "");
        };
        throng_share* const share = odd ? nullptr : both.share;
        refuses(throng_distributed_update(both.crowd, share, nullptr), THRONG_NULL_HANDLE, "share");
        refuses(throng_distributed_name(both.crowd, share), THRONG_NULL_HANDLE, "share");
        std::uint64_t number = 0;
        refuses(throng_distributed_size(both.crowd, odd ? nullptr : &number), THRONG_NULL_POINTER,
                "agents");
        refuses(
            throng_distributed_count_pairs(both.crowd, nullptr, nullptr, odd ? nullptr : &number),
            THRONG_NULL_POINTER, "pairs");
        refuses(throng_distributed_save(both.crowd, both.share, odd ? nullptr : "nowhere"),
                THRONG_NULL_POINTER, "folder");
        const Ball<2> ball = {{{1.0f, 1.0f}}, 1.0f};
        throng_global_questions questions = THRONG_GLOBAL_QUESTIONS_INIT;
        questions.shape = odd ? 77 : THRONG_BALL2;
        questions.shapes = &ball;
        questions.count = 1;
        throng_global_hits hits = THRONG_GLOBAL_HITS_INIT;
        refuses(throng_distributed_query(both.crowd, &questions, nullptr, &hits),
                THRONG_WRONG_VALUE, "questions.shape");
        questions.shape = odd ? THRONG_BALL3 : THRONG_BALL2;
        refuses(throng_distributed_query(both.crowd, &questions, nullptr, &hits),
                THRONG_WRONG_DIMENSION, "questions.shape");
        questions.shape = THRONG_BALL2;
        refuses(throng_distributed_count(both.crowd, &questions, nullptr, &number, odd ? 0 : 1),
                THRONG_NO_ROOM, "counts", 1);
        throng_global_meeting meeting;
        const Segment<2> path = {};
        questions.shapes = odd ? static_cast<const void*>(&ball) : &path;
        questions.shape = odd ? THRONG_BALL2 : THRONG_SEGMENT2;
        refuses(throng_distributed_first(both.crowd, &questions, nullptr, &meeting, 1),
                THRONG_WRONG_VALUE, "questions.shape");
        throng_nearest nearest = THRONG_NEAREST_INIT;
        throng_global_near_hits near = THRONG_GLOBAL_NEAR_HITS_INIT;
        if (odd) { nearest.sets = 0x80; }
        refuses(throng_distributed_nearest_neighbours(both.crowd, &nearest, nullptr, &near),
                THRONG_WRONG_VALUE, "nearest.sets");
        if (odd) { nearest.sets = THRONG_EVERYBODY; }
        if (odd) { nearest.after.id = 3; }
        refuses(throng_distributed_nearest_neighbours(both.crowd, &nearest, nullptr, &near),
                THRONG_WRONG_VALUE, "nearest.after");
        // Later calls work again.
        ASSERT_NO_FATAL_FAILURE(both.update());
        throng_distributed_settings settings = settings_in_c<2>();
        if (odd) { settings.dimension = 4; }
        throng_distributed* other = nullptr;
        refuses(throng_distributed_create(both.ranks, &settings, &other), THRONG_WRONG_DIMENSION,
                "settings.dimension");
        EXPECT_EQ(other, nullptr);
        settings = settings_in_c<2>();
        if (odd) { settings.reach = -1.0f; }
        const throng_status status = throng_distributed_create(both.ranks, &settings, &other);
        EXPECT_TRUE(status.code == THRONG_NEGATIVE || status.code == THRONG_RANKS_DIFFER);
    });
}

TEST(DistributedInC, WhatOneRankIsRefusedAllAre) {
    run_job([](Ranks& self) {
        Both<2> both(self);
        ASSERT_NO_FATAL_FAILURE(both.update());
        const throng_share_arrays arrays = both.get();
        const float place = arrays.positions[1];
        if (self.rank() == 1) { arrays.positions[1] = std::nanf(""); }
        expect_refused(throng_distributed_update(both.crowd, both.share, nullptr),
                       THRONG_NOT_FINITE, "positions", 0);
        EXPECT_EQ(both.facts().refused_by, 1u);
        if (self.rank() == 1) { arrays.positions[1] = place; }
        ASSERT_NO_FATAL_FAILURE(both.update());
    });
}

TEST(DistributedInC, RanksAndSharesThatAreNone) {
    throng_ranks* ranks = nullptr;
    expect_refused(throng_ranks_one(nullptr), THRONG_NULL_POINTER, "out");
    expect_refused(throng_ranks_create(nullptr, &ranks), THRONG_NULL_POINTER, "callbacks");
    OneRank one;
    HostRank host{one};
    const throng_ranks_callbacks good = host.callbacks();
    const auto refused = [&](const std::function<void(throng_ranks_callbacks&)>& spoil, int code,
                             const char* argument) {
        throng_ranks_callbacks calls = good;
        spoil(calls);
        expect_refused(throng_ranks_create(&calls, &ranks), code, argument);
    };
    refused([](auto& c) { c.size = 0; }, THRONG_WRONG_VALUE, "callbacks.size");
    refused([](auto& c) { c.rank = 1; }, THRONG_WRONG_VALUE, "callbacks.rank");
    refused([](auto& c) { c.allows_threads = 2; }, THRONG_WRONG_VALUE, "callbacks.allows_threads");
    refused([](auto& c) { c.reserved = 1; }, THRONG_WRONG_VALUE, "callbacks.reserved");
    refused([](auto& c) { c.begin_exchange = nullptr; }, THRONG_NULL_POINTER,
            "callbacks.begin_exchange");
    refused([](auto& c) { c.finish_exchange = nullptr; }, THRONG_NULL_POINTER,
            "callbacks.finish_exchange");
    refused([](auto& c) { c.route = nullptr; }, THRONG_NULL_POINTER, "callbacks.route");
    refused([](auto& c) { c.begin_agree = nullptr; }, THRONG_NULL_POINTER, "callbacks.begin_agree");
    refused([](auto& c) { c.finish_agree = nullptr; }, THRONG_NULL_POINTER,
            "callbacks.finish_agree");
    refused([](auto& c) { c.gather = nullptr; }, THRONG_NULL_POINTER, "callbacks.gather");
    expect_refused(throng_ranks_count(nullptr, nullptr, nullptr), THRONG_NULL_HANDLE, "ranks");
    const throng_parcel parcel = {};
    expect_refused(throng_arrivals_add(nullptr, &parcel), THRONG_NULL_HANDLE, "arrivals");

    throng_share* share = nullptr;
    expect_refused(throng_share_create(4, 0, 0, &share), THRONG_WRONG_DIMENSION, "dimension");
    expect_refused(throng_share_create(2, 2, 0, &share), THRONG_WRONG_VALUE, "own_half_extents");
    expect_refused(throng_share_create(2, 0, 2, &share), THRONG_WRONG_VALUE, "groups");
    expect_ok(throng_share_create(3, 1, 0, &share));
    expect_refused(throng_share_add_column(share, 0, 0, nullptr), THRONG_WRONG_VALUE, "bytes");
    expect_refused(throng_share_add_column(share, 4, 2, nullptr), THRONG_WRONG_VALUE,
                   "with_ghosts");
    expect_refused(throng_share_resize(share, 3, 4), THRONG_COUNT_MISMATCH, "named");
    expect_ok(throng_share_resize(share, 3, 1));
    void* data = nullptr;
    expect_refused(throng_share_column(share, 0, &data), THRONG_OUT_OF_RANGE, "column");
    const std::uint32_t kept[] = {0};
    expect_refused(throng_share_keep_only(share, kept, 1), THRONG_COUNT_MISMATCH, "share");
    expect_ok(throng_share_resize(share, 3, 3));
    expect_refused(throng_share_keep_only(share, kept, 1), THRONG_ID_UNKNOWN, "kept");
    expect_ok(throng_share_destroy(share));
    expect_refused(throng_share_get(share, nullptr), THRONG_DEAD_HANDLE, "share");
    expect_refused(throng_distributed_update(nullptr, share, nullptr), THRONG_NULL_HANDLE, "crowd");
}

/// How many columns there are, and the bytes in the requested one.
struct Columns {
    std::uint32_t count = 0;
    std::uint64_t bytes = 0;
    friend bool operator==(const Columns&, const Columns&) noexcept = default;
};

/// Some agents have no names yet, a case that columns of C++ do not know.
TEST(DistributedInC, AColumnThatGetsNoMemoryIsNone) {
    const AllocationsFail some_do;
    struct ShareInC {
        ShareInC() {
            expect_ok(throng_share_create(2, 0, 0, &share));
            expect_ok(throng_share_resize(share, 300, 100));
        }
        ~ShareInC() { expect_ok(throng_share_destroy(share)); }
        ShareInC(const ShareInC&) = delete;
        ShareInC& operator=(const ShareInC&) = delete;
        throng_share* share = nullptr;
    };
    const auto add = [](ShareInC& of) {
        const int code = throng_share_add_column(of.share, 8, 1, nullptr).code;
        if (code == THRONG_OUT_OF_MEMORY) { throw std::bad_alloc(); }
        return code == THRONG_OK ? Status{} : Status{Cause::out_of_range};
    };
    const auto say = [](const ShareInC& of) {
        Columns columns;
        void* data = nullptr;
        while (throng_share_column(of.share, columns.count, &data).code == THRONG_OK) {
            ++columns.count;
        }
        expect_ok(throng_share_memory(of.share, &columns.bytes));
        return columns;
    };
    fail_each_allocation([] { return ShareInC(); }, add, say);
}

TEST(DistributedInC, SettingsThatAreRefused) {
    throng_ranks* ranks = nullptr;
    expect_ok(throng_ranks_one(&ranks));
    throng_distributed* crowd = nullptr;
    const auto refused = [&](const std::function<void(throng_distributed_settings&)>& spoil,
                             int code, const char* argument, std::uint64_t index = 0) {
        throng_distributed_settings settings = settings_in_c<3>();
        spoil(settings);
        expect_refused(throng_distributed_create(ranks, &settings, &crowd), code, argument, index);
        EXPECT_EQ(crowd, nullptr);
    };
    refused([](auto& s) { s.dimension = 1; }, THRONG_WRONG_DIMENSION, "settings.dimension");
    refused([](auto& s) { s.own_half_extents = 2; }, THRONG_WRONG_VALUE,
            "settings.own_half_extents");
    refused([](auto& s) { s.groups = 2; }, THRONG_WRONG_VALUE, "settings.groups");
    refused([](auto& s) { s.reach = -1.0f; }, THRONG_NEGATIVE, "settings.reach");
    refused([](auto& s) { s.reach = kNan; }, THRONG_NOT_FINITE, "settings.reach");
    refused([](auto& s) { s.imbalance = 0.5f; }, THRONG_OUT_OF_RANGE, "settings.imbalance");
    refused([](auto& s) { s.imbalance = kNan; }, THRONG_OUT_OF_RANGE, "settings.imbalance");
    refused([](auto& s) { s.most_agents = 0.5f; }, THRONG_OUT_OF_RANGE, "settings.most_agents");
    refused([](auto& s) { s.most_agents = kNan; }, THRONG_OUT_OF_RANGE, "settings.most_agents");
    refused([](auto& s) { s.common_half_extent[2] = kReach; }, THRONG_BEYOND_REACH,
            "settings.common_half_extent");
    refused([](auto& s) { s.cell[1] = 0.0f; }, THRONG_NOT_POSITIVE, "settings.cell", 1);
    refused([](auto& s) { s.high[2] = -1.0f; }, THRONG_INVERTED, "settings.low", 2);
    refused([](auto& s) { s.periodic = 8; }, THRONG_WRONG_VALUE, "settings.periodic");
    refused([](auto& s) { s.reserved = 1; }, THRONG_WRONG_VALUE, "settings.reserved");
    refused([](auto& s) { s.periodic = 4, s.reach = kSide; }, THRONG_WRAPS, "settings.reach");
    expect_ok(throng_ranks_destroy(ranks));
}

/// A host reports a lost rank by any number except zero.
TEST(DistributedInC, AHostThatFails) {
    OneRank one;
    HostRank host{one};
    throng_ranks_callbacks calls = host.callbacks();
    calls.finish_agree = [](void*, std::uint64_t*, std::size_t) -> std::int32_t { return 7; };
    throng_ranks* ranks = nullptr;
    expect_ok(throng_ranks_create(&calls, &ranks));
    const throng_distributed_settings settings = settings_in_c<2>();
    throng_distributed* crowd = nullptr;
    expect_refused(throng_distributed_create(ranks, &settings, &crowd), THRONG_RANK_LOST, "");
    expect_ok(throng_ranks_destroy(ranks));
}

} // namespace
} // namespace throng::test
