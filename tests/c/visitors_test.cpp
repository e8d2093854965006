// Visitors, functions of the host: what they are shown, when they stop, and what happens to their
// exceptions.
#include "refusals.hpp"

#include <gtest/gtest.h>

#include <new>
#include <set>
#include <utility>
#include <vector>

namespace throng::test {
namespace {

using Ids = std::vector<std::uint32_t>;
using PairSet = std::multiset<std::pair<std::uint32_t, std::uint32_t>>;

std::int32_t gather(const std::uint32_t* ids, std::size_t count, void* user) {
    auto& all = *static_cast<Ids*>(user);
    all.insert(all.end(), ids, ids + count);
    return 1;
}

std::int32_t gather_pairs(const std::uint32_t* first, const std::uint32_t* second,
                          std::size_t count, void* user) {
    for (std::size_t i = 0; i < count; ++i) {
        static_cast<PairSet*>(user)->insert({first[i], second[i]});
    }
    return 1;
}

TEST(CVisitors, GetWhatOtherCallsFind) {
    for (const std::uint32_t dimension : kDimensions) {
        Rig rig(dimension);
        for (const std::uint32_t sets : {THRONG_EVERYBODY, THRONG_GIANTS, THRONG_STATICS}) {
            rig.question.value.sets = sets;
            Ids wanted(Rig::kAgents + Rig::kStatics), got;
            std::uint64_t total = 0, visited = 0;
            ok(throng_query_one(rig.crowd(), rig.question.at(), wanted.data(), wanted.size(),
                                &total));
            wanted.resize(total);
            ok(throng_visit_one(rig.crowd(), rig.question.at(), gather, &got, &visited));
            EXPECT_GT(total, 0u);
            EXPECT_EQ(visited, total);
            EXPECT_EQ(got, wanted);
            ok(throng_visit_one(rig.crowd(), rig.question.at(), gather, &got, nullptr));
        }
        for (const std::uint32_t body : {THRONG_BODY_CENTRE, THRONG_BODY_DISC}) {
            rig.pairing.value.body = body;
            rig.pairing.value.sets = THRONG_ALL_PAIRS;
            rig.pairing.value.groups = 3;
            PairSet wanted, got;
            std::uint64_t visited = 0;
            ok(throng_find_pairs(rig.batch(), rig.crowd(), rig.pairing.at(), rig.pairs.at()));
            const throng_pairs& found = rig.pairs.value;
            (void)gather_pairs(found.first, found.second, found.total, &wanted);
            ok(throng_visit_pairs(rig.crowd(), rig.pairing.at(), gather_pairs, &got, &visited));
            EXPECT_GT(visited, 0u);
            EXPECT_EQ(visited, found.total);
            EXPECT_EQ(got, wanted);
        }
    }
}

/// A visitor that goes on for some calls, and then stops or throws.
struct Visit {
    std::size_t calls = 0, good = 0;
    enum class End { stops, throws_int, throws_bad_alloc } end = End::stops;
    std::uint64_t ids = 0;

    std::int32_t look(std::size_t count) {
        ids += count;
        if (++calls <= good) { return 1; }
        if (end == End::throws_int) { throw 7; }
        if (end == End::throws_bad_alloc) { throw std::bad_alloc(); }
        return 0;
    }
};

throng_status visit_ids(Rig& rig, Visit& visit, std::uint64_t* visited = nullptr) {
    return throng_visit_one(
        rig.crowd(), rig.question.at(),
        [](const std::uint32_t*, std::size_t count, void* user) {
            return static_cast<Visit*>(user)->look(count);
        },
        &visit, visited);
}
throng_status visit_pairs(Rig& rig, Visit& visit, std::uint64_t* visited = nullptr) {
    return throng_visit_pairs(
        rig.crowd(), rig.pairing.at(),
        [](const std::uint32_t*, const std::uint32_t*, std::size_t count, void* user) {
            return static_cast<Visit*>(user)->look(count);
        },
        &visit, visited);
}

TEST(CVisitors, StopWhereTheySaySo) {
    for (const std::uint32_t dimension : kDimensions) {
        for (const auto call : {visit_ids, visit_pairs}) {
            Rig rig(dimension);
            Visit whole{0, 1000};
            std::uint64_t visited = 0;
            ok(call(rig, whole, &visited));
            EXPECT_EQ(visited, whole.ids);
            EXPECT_GT(whole.calls, 1u);
            for (std::size_t good = 0; good < whole.calls; ++good) {
                Visit part{0, good};
                ok(call(rig, part, &visited));
                EXPECT_EQ(part.calls, good + 1);
                EXPECT_EQ(visited, part.ids);
            }
        }
    }
}

TEST(CVisitors, EndInAStatusWhereTheyThrow) {
    for (const std::uint32_t dimension : kDimensions) {
        for (const auto call : {visit_ids, visit_pairs}) {
            for (const auto end : {Visit::End::throws_int, Visit::End::throws_bad_alloc}) {
                for (const std::size_t good : {std::size_t{0}, std::size_t{1}}) {
                    Rig rig(dimension);
                    const auto before = rig.answers();
                    Visit visit{0, good, end};
                    std::uint64_t visited = 77;
                    const throng_status status = call(rig, visit, &visited);
                    EXPECT_EQ(status.code, THRONG_CALLBACK_THREW);
                    EXPECT_EQ(text_of(status), "an exception came out of a callback");
                    EXPECT_EQ(visit.calls, good + 1);
                    EXPECT_EQ(visited, 77u);
                    EXPECT_EQ(rig.answers(), before);
                    // The crowd is free again after the visit.
                    ok(throng_crowd_update(rig.crowd(), rig.agents.at(), nullptr));
                }
            }
        }
    }
}

TEST(CVisitors, SeeTheNeighboursOfListsThatLast) {
    for (const std::uint32_t dimension : kDimensions) {
        Rig rig(dimension);
        std::vector<Ids> got(Rig::kAgents);
        const auto look = [](std::uint32_t agent, const std::uint32_t* neighbours,
                             std::size_t count, void* user) {
            Ids& own = (*static_cast<std::vector<Ids>*>(user))[agent];
            EXPECT_TRUE(own.empty());
            own.assign(neighbours, neighbours + count);
        };
        ok(throng_lasting_visit(rig.lasting(), rig.moved.at(), look, &got));
        ok(throng_lasting_update(rig.lasting(), rig.crowd(), rig.agents.at(),
                                 rig.lasting_frame.at()));
        ok(throng_lasting_neighbours(rig.lasting(), rig.moved.at(), rig.hits.at()));
        const throng_hits& hits = rig.hits.value;
        EXPECT_GT(hits.total, Rig::kAgents);
        for (std::size_t k = 0; k < hits.count; ++k) {
            EXPECT_EQ(got[rig.lasting_frame.value.order[k]],
                      Ids(hits.ids + hits.offsets[k], hits.ids + hits.offsets[k + 1]));
        }
        const auto refuse = [](std::uint32_t, const std::uint32_t*, std::size_t, void*) {
            throw 7;
        };
        EXPECT_EQ(throng_lasting_visit(rig.lasting(), rig.moved.at(), refuse, nullptr).code,
                  THRONG_CALLBACK_THREW);
        EXPECT_EQ(text_of(throng_lasting_visit(rig.lasting(), rig.moved.at(), nullptr, nullptr)),
                  "visitor is a null pointer");
        throng_lasting* empty = nullptr;
        ok(throng_lasting_create(rig.lasting_settings.at(), nullptr, &empty));
        EXPECT_EQ(throng_lasting_visit(empty, rig.moved.at(), look, &got).code,
                  THRONG_COUNT_MISMATCH);
        ok(throng_lasting_destroy(empty));
    }
}

TEST(CVisitors, MayAskTheCrowdThatTheyVisit) {
    for (const std::uint32_t dimension : kDimensions) {
        Rig rig(dimension);
        ok(throng_visit_one(
            rig.crowd(), rig.question.at(),
            [](const std::uint32_t*, std::size_t, void* user) -> std::int32_t {
                Rig& own = *static_cast<Rig*>(user);
                ok(throng_count_one(own.crowd(), own.question.at(), &own.sum));
                return own.sum == Rig::kAgents + Rig::kStatics;
            },
            &rig, nullptr));
        EXPECT_EQ(rig.sum, Rig::kAgents + Rig::kStatics);
    }
}

TEST(CVisitors, AreRefusedWhatMakesNoSense) {
    Rig rig(2);
    Visit visit;
    EXPECT_EQ(text_of(throng_visit_one(rig.crowd(), rig.question.at(), nullptr, &visit, nullptr)),
              "visitor is a null pointer");
    EXPECT_EQ(text_of(throng_visit_pairs(rig.crowd(), nullptr, nullptr, &visit, nullptr)),
              "visitor is a null pointer");
    EXPECT_EQ(text_of(visit_ids(rig, visit, static_cast<std::uint64_t*>(misaligned(&rig.sum)))),
              "visited is or has a value that it cannot have");
    rig.shapes[0] = kNan;
    EXPECT_EQ(text_of(visit_ids(rig, visit)), "question.shapes[0] is NaN or infinite");
    rig.question.value.count = 2;
    EXPECT_EQ(text_of(visit_ids(rig, visit)),
              "question has another count than one, which this call takes");
    for (const float within : {0.0f, 1.0f, kNan}) {
        rig.pairing.value.within = within;
        EXPECT_EQ(text_of(visit_pairs(rig, visit)),
                  "pairing.within is or has a value that it cannot have");
    }
    rig.pairing.value.within = -1.0f;
    rig.pairing.value.body = 3;
    EXPECT_EQ(visit_pairs(rig, visit).code, THRONG_OUT_OF_RANGE);
    EXPECT_EQ(visit.calls, 0u);
}

} // namespace
} // namespace throng::test
