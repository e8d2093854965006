// Giants and statics in throng_distributed.h: answers equal those of C++ on one rank, and bad
// arguments are refused.
#include "../support/random.hpp"
#include "host_crowd.hpp"

#include <throng/distributed/one_rank.hpp>

#include <algorithm>
#include <functional>
#include <vector>

namespace throng::test {
namespace {

constexpr std::size_t kMovers = 200, kStatics = 20;
constexpr float kWorld = 20.0f;

throng_distributed_settings settings_with_sizes() {
    throng_distributed_settings settings = THRONG_DISTRIBUTED_SETTINGS_INIT;
    settings.own_half_extents = 1;
    settings.reach = 2.0f;
    settings.high[0] = settings.high[1] = kWorld;
    settings.cell[0] = settings.cell[1] = 2.0f;
    return settings;
}

/// One agent in ten is a giant.
class DistributedSetsInC : public testing::Test {
protected:
    DistributedSetsInC() {
        expect_ok(throng_ranks_one(&ranks));
        expect_ok(throng_share_create(2, 1, 0, &share));
        const throng_distributed_settings settings = settings_with_sizes();
        expect_ok(throng_distributed_create(ranks, &settings, &crowd));
        expect_ok(throng_share_resize(share, kMovers, kMovers));
        throng_share_arrays arrays = THRONG_SHARE_ARRAYS_INIT;
        expect_ok(throng_share_get(share, &arrays));
        scenes::Random random(5);
        for (std::size_t i = 0; i < kMovers; ++i) {
            arrays.ids[i] = 3 * i;
            for (std::size_t a = 0; a < 2; ++a) {
                arrays.positions[2 * i + a] = random.between(0.0f, kWorld);
                arrays.half_extents[2 * i + a] = i % 10 == 4 ? 3.0f : 0.4f;
            }
            mine.ids.push_back(arrays.ids[i]);
            mine.positions.push_back({{arrays.positions[2 * i], arrays.positions[2 * i + 1]}});
            mine.half_extents.push_back(
                {{arrays.half_extents[2 * i], arrays.half_extents[2 * i + 1]}});
        }
        for (std::size_t i = 0; i < 2 * kStatics; ++i) {
            walls.push_back(random.between(0.0f, kWorld));
        }
        statics.dimension = 2;
        statics.count = kStatics;
        for (std::size_t a = 0; a < 2; ++a) {
            statics.position[a] = walls.data() + a;
            statics.position_stride[a] = 2 * sizeof(float);
            statics.common_half_extent[a] = 1.0f;
        }
        expect_ok(throng_distributed_set_statics(crowd, &statics, nullptr));
        expect_ok(throng_distributed_update(crowd, share, nullptr));

        DistributedSettings<2> same;
        same.bounds = {{}, Point<2>::all(kWorld)};
        same.cell = Point<2>::all(2.0f);
        same.reach = 2.0f;
        same.kind.own_half_extents = true;
        EXPECT_EQ(plain.configure(same), Status{});
        Agents<2> fixed;
        fixed.positions = PointView<2>::interleaved(walls.data(), kStatics);
        fixed.common_half_extent = Point<2>::all(1.0f);
        EXPECT_EQ(plain.set_statics(fixed), Status{});
        EXPECT_EQ(plain.update(mine), Status{});
    }
    ~DistributedSetsInC() override {
        expect_ok(throng_distributed_destroy(crowd));
        expect_ok(throng_share_destroy(share));
        expect_ok(throng_ranks_destroy(ranks));
    }

    throng_ranks* ranks = nullptr;
    throng_share* share = nullptr;
    throng_distributed* crowd = nullptr;
    throng_agents statics = THRONG_AGENTS_INIT;
    std::vector<float> walls;
    OneRank one;
    DistributedGrid<2> plain{one};
    Share<2> mine;
};

TEST_F(DistributedSetsInC, AnswersAreThoseOfCpp) {
    throng_distributed_facts facts = THRONG_DISTRIBUTED_FACTS_INIT;
    expect_ok(throng_distributed_get(crowd, &facts));
    EXPECT_EQ(facts.giants, kMovers / 10);
    EXPECT_EQ(facts.statics, kStatics);
    for (const std::uint32_t sets : {1u, 2u, 3u, 4u, 6u, 7u}) {
        const auto of = static_cast<Sets>(sets);
        const Box<2> box = {{{3.0f, 3.0f}}, {{15.0f, 15.0f}}};
        throng_global_questions questions = THRONG_GLOBAL_QUESTIONS_INIT;
        questions.shape = THRONG_BOX2;
        questions.shapes = &box;
        questions.count = 1;
        questions.sets = sets;
        throng_global_hits hits = THRONG_GLOBAL_HITS_INIT;
        expect_ok(throng_distributed_query(crowd, &questions, nullptr, &hits));
        GlobalHits wanted;
        ASSERT_EQ(plain.query(std::span(&box, 1), wanted, {}, serial_executor(), of), Status{});
        ASSERT_GT(hits.total, 0u);
        ASSERT_EQ(std::vector(hits.ids, hits.ids + hits.total), wanted.ids);
        if (sets == 4) { EXPECT_GE(hits.ids[0], THRONG_FIRST_GLOBAL_STATIC); }
        std::uint64_t count = 0, found = 0;
        expect_ok(throng_distributed_count(crowd, &questions, nullptr, &count, 1));
        expect_ok(throng_distributed_any(crowd, &questions, nullptr, &found, 1));
        EXPECT_EQ(count, hits.total);
        EXPECT_EQ(found, 1u);

        const Segment<2> path = {{{0.0f, 1.0f}}, {{19.0f, 17.0f}}};
        questions.shape = THRONG_SEGMENT2;
        questions.shapes = &path;
        throng_global_meeting first;
        expect_ok(throng_distributed_first(crowd, &questions, nullptr, &first, 1));
        throng_global_meetings meetings = THRONG_GLOBAL_MEETINGS_INIT;
        expect_ok(throng_distributed_meetings(crowd, &questions, nullptr, &meetings));
        GlobalMeetings all;
        ASSERT_EQ(plain.meetings(std::span(&path, 1), all, {}, serial_executor(), of), Status{});
        ASSERT_EQ(meetings.total, all.meetings.size());
        ASSERT_GT(meetings.total, 0u);
        EXPECT_EQ(first.id, all.meetings[0].id);
        EXPECT_EQ(meetings.meetings[meetings.total - 1].id, all.meetings.back().id);

        throng_nearest nearest = THRONG_NEAREST_INIT;
        nearest.k = 5;
        nearest.sets = sets;
        throng_global_near_hits near = THRONG_GLOBAL_NEAR_HITS_INIT;
        throng_points points = THRONG_POINTS_INIT;
        const Point<2> place = {{9.0f, 9.0f}};
        points.coordinates = place.axis.data();
        points.count = 1;
        GlobalNearHits near_wanted;
        const auto expect_same_near = [&] {
            ASSERT_EQ(near.count, near_wanted.counts.size());
            for (std::size_t i = 0; i < near_wanted.nearest.size(); ++i) {
                ASSERT_EQ(near.nearest[i].id, near_wanted.nearest[i].id);
            }
        };
        expect_ok(throng_distributed_nearest(crowd, &points, &nearest, THRONG_NO_GLOBAL_ID, nullptr,
                                             &near));
        ASSERT_EQ(plain.nearest(std::span(&place, 1), {5}, near_wanted, {}, serial_executor(), of),
                  Status{});
        ASSERT_NO_FATAL_FAILURE(expect_same_near());
        expect_ok(throng_distributed_nearest_neighbours(crowd, &nearest, nullptr, &near));
        ASSERT_EQ(plain.nearest_neighbours({5}, near_wanted, serial_executor(), of), Status{});
        ASSERT_NO_FATAL_FAILURE(expect_same_near());

        throng_neighbourhood neighbourhood = THRONG_NEIGHBOURHOOD_INIT;
        neighbourhood.radius = 2.0f;
        neighbourhood.order = THRONG_ORDER_IDS;
        neighbourhood.sets = sets;
        throng_hits lists = THRONG_HITS_INIT;
        expect_ok(throng_distributed_neighbours(crowd, &neighbourhood, nullptr, &lists));
        Hits lists_wanted;
        ASSERT_EQ(plain.neighbours({2.0f}, lists_wanted, serial_executor(), of), Status{});
        ASSERT_EQ(lists.total, lists_wanted.total());
        EXPECT_TRUE(std::equal(lists.ids, lists.ids + lists.total, lists_wanted.ids.begin()));
        std::vector<std::uint32_t> counts(kMovers);
        expect_ok(throng_distributed_count_neighbours(crowd, &neighbourhood, nullptr, counts.data(),
                                                      counts.size()));
        EXPECT_EQ(counts[44], lists_wanted.of(44).size()); // a giant
    }
    for (const std::uint32_t body : {THRONG_BODY_BOX, THRONG_BODY_DISC}) {
        throng_pairing pairing = THRONG_PAIRING_INIT;
        pairing.sets = THRONG_ALL_PAIRS;
        pairing.body = body;
        throng_pairs pairs = THRONG_PAIRS_INIT;
        expect_ok(throng_distributed_pairs(crowd, &pairing, nullptr, &pairs));
        Pairs wanted;
        ASSERT_EQ(plain.pairs(wanted, serial_executor(), kAllGroups, PairSets::all,
                              static_cast<Body>(body)),
                  Status{});
        ASSERT_EQ(pairs.total, wanted.count);
        EXPECT_TRUE(std::equal(pairs.first, pairs.first + pairs.total, wanted.first.begin()));
        EXPECT_TRUE(std::equal(pairs.second, pairs.second + pairs.total, wanted.second.begin()));
        std::uint64_t count = 0;
        expect_ok(throng_distributed_count_pairs(crowd, &pairing, nullptr, &count));
        EXPECT_EQ(count, pairs.total);
    }
}

TEST_F(DistributedSetsInC, Refusals) {
    throng_agents bad = statics;
    bad.doubles = 1;
    expect_refused(throng_distributed_set_statics(crowd, &bad, nullptr), THRONG_WRONG_VALUE,
                   "statics.doubles");
    bad = statics;
    bad.dimension = 3;
    expect_refused(throng_distributed_set_statics(crowd, &bad, nullptr), THRONG_WRONG_DIMENSION,
                   "statics.dimension");
    bad = statics;
    bad.common_half_extent[1] = -1.0f;
    expect_refused(throng_distributed_set_statics(crowd, &bad, nullptr), THRONG_NEGATIVE,
                   "common_half_extent");
    expect_refused(throng_distributed_set_statics(crowd, nullptr, nullptr), THRONG_NULL_POINTER,
                   "statics");
    walls[7] = 3e18f;
    expect_refused(throng_distributed_set_statics(crowd, &statics, nullptr), THRONG_TOO_LARGE,
                   "statics", 3);
    throng_distributed_facts facts = THRONG_DISTRIBUTED_FACTS_INIT;
    expect_ok(throng_distributed_get(crowd, &facts));
    EXPECT_EQ(facts.statics, kStatics);

    throng_pairing pairing = THRONG_PAIRING_INIT;
    throng_pairs pairs = THRONG_PAIRS_INIT;
    pairing.within = 1.0f;
    expect_refused(throng_distributed_pairs(crowd, &pairing, nullptr, &pairs), THRONG_WRONG_VALUE,
                   "pairing.within");
    std::uint64_t count = 0;
    expect_refused(throng_distributed_count_pairs(crowd, &pairing, nullptr, &count),
                   THRONG_WRONG_VALUE, "pairing.within");
    throng_global_questions questions = THRONG_GLOBAL_QUESTIONS_INIT;
    questions.shape = THRONG_BOX2;
    questions.sets = 8;
    throng_global_hits hits = THRONG_GLOBAL_HITS_INIT;
    expect_refused(throng_distributed_query(crowd, &questions, nullptr, &hits), THRONG_WRONG_VALUE,
                   "questions.sets");
    throng_nearest nearest = THRONG_NEAREST_INIT;
    nearest.sets = 9;
    throng_global_near_hits near = THRONG_GLOBAL_NEAR_HITS_INIT;
    expect_refused(throng_distributed_nearest_neighbours(crowd, &nearest, nullptr, &near),
                   THRONG_WRONG_VALUE, "nearest.sets");
}

} // namespace
} // namespace throng::test
