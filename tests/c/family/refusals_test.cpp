// The calls of throng_family.h refuse bad arguments with a status that names them, and change
// nothing; neither does a call that gets no memory.
#include "../../support/allocation_counter.hpp"
#include "../in_c.hpp"
#include "../refusals.hpp"
#include "family.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

namespace throng::test {
namespace {

/// All arguments of a call, so that any of them can be spoilt.
struct Given {
    explicit Given(std::uint32_t structure) : scene(scenes::make<2>("uniform", 40)) {
        settings = settings_for(structure, scene);
        ok(throng_index_create(&settings, &own));
        index = own;
        scene.groups.assign(scene.size(), 1);
        for (std::size_t a = 0; a < 2; ++a) {
            scene.half_extent[a].assign(scene.size(), 1.0f);
        }
        agents = in_c(scene.agents());
        ok(throng_index_update(index, &agents, nullptr));
        boxes.assign(3, Box<2>{Point<2>::all(-100.0f), Point<2>::all(100.0f)});
        questions = in_c(boxes);
        question = questions;
        question.count = 1;
        edit.kind = THRONG_INSERT;
        edit.id = 100;
        edit.kept = settings.kept;
        offsets.resize(4);
        ids.resize(200);
        room.offsets = offsets.data();
        room.offset_room = offsets.size();
        room.ids = ids.data();
        room.id_room = ids.size();
        first.resize(2000);
        second.resize(2000);
        pairs.first = first.data();
        pairs.second = second.data();
        pairs.room = first.size();
        cells.resize(2000);
    }
    ~Given() {
        (void)throng_index_destroy(own);
        (void)throng_index_destroy(made);
    }
    Given(const Given&) = delete;
    Given& operator=(const Given&) = delete;

    [[nodiscard]] std::vector<std::uint64_t> answers() const {
        throng_index_counts counted = THRONG_INDEX_COUNTS_INIT;
        ok(throng_index_count(own, &counted));
        const std::vector<Box<2>> all(1, everywhere<2>());
        const throng_questions asked = in_c(all);
        Ids all_found;
        IdPairs paired;
        ok(throng_index_visit_one(own, &asked, gather, &all_found, nullptr));
        ok(throng_index_visit_pairs(own, THRONG_ALL_GROUPS, gather_pairs, &paired, nullptr));
        std::vector<std::uint64_t> said = {counted.agents, paired.size()};
        said.insert(said.end(), all_found.begin(), all_found.end());
        return said;
    }

    scenes::Scene<2> scene;
    throng_index_settings settings{};
    throng_index *own = nullptr, *index = nullptr, *made = nullptr;
    throng_index** out = &made;
    throng_agents agents{};
    std::vector<Box<2>> boxes;
    throng_questions questions{}, question{};
    throng_edit edit{};
    const throng_edit* edit_at = &edit;
    throng_index_counts counts = THRONG_INDEX_COUNTS_INIT;
    throng_hits_room room = THRONG_HITS_ROOM_INIT;
    throng_pairs_room pairs = THRONG_PAIRS_ROOM_INIT;
    std::vector<std::uint64_t> offsets;
    Ids ids, first, second, seen;
    IdPairs seen_pairs;
    std::vector<throng_cell> cells;
    std::uint64_t total = 0, *total_at = &total;
    std::uint32_t found = 0, *found_at = &found;
    throng_visitor visitor = gather;
    throng_pair_visitor pair_visitor = gather_pairs;
};

struct FamilyCall {
    const char* name;
    throng_status (*make)(Given&);
};
const FamilyCall kCalls[] = {
    {"create", [](Given& g) { return throng_index_create(&g.settings, g.out); }},
    {"update", [](Given& g) { return throng_index_update(g.index, &g.agents, nullptr); }},
    {"edit", [](Given& g) { return throng_index_edit(g.index, g.edit_at); }},
    {"tidy", [](Given& g) { return throng_index_tidy(g.index); }},
    {"clear", [](Given& g) { return throng_index_clear(g.index); }},
    {"count", [](Given& g) { return throng_index_count(g.index, &g.counts); }},
    {"contains", [](Given& g) { return throng_index_contains(g.index, 7, g.found_at); }},
    {"query", [](Given& g) { return throng_index_query(g.index, &g.questions, &g.room); }},
    {"query_one",
     [](Given& g) {
         return throng_index_query_one(g.index, &g.question, g.ids.data(), g.ids.size(),
                                       g.total_at);
     }},
    {"count_one",
     [](Given& g) { return throng_index_count_one(g.index, &g.question, g.total_at); }},
    {"any_one", [](Given& g) { return throng_index_any_one(g.index, &g.question, g.found_at); }},
    {"visit_one",
     [](Given& g) {
         return throng_index_visit_one(g.index, &g.question, g.visitor, &g.seen, g.total_at);
     }},
    {"visit_pairs",
     [](Given& g) {
         return throng_index_visit_pairs(g.index, THRONG_ALL_GROUPS, g.pair_visitor, &g.seen_pairs,
                                         g.total_at);
     }},
    {"find_pairs",
     [](Given& g) { return throng_index_find_pairs(g.index, THRONG_ALL_GROUPS, &g.pairs); }},
    {"cells",
     [](Given& g) {
         return throng_index_cells(g.index, g.cells.data(), g.cells.size(), g.total_at);
     }},
};

throng_status make(const std::string& name, Given& given) {
    return std::find_if(std::begin(kCalls), std::end(kCalls),
                        [&](const FamilyCall& call) { return call.name == name; })
        ->make(given);
}

TEST(CFamilyRefuses, HandlesThatAreNone) {
    Rig rig(2);
    for (const FamilyCall& call : kCalls) {
        Given given(THRONG_LOOSE_TREE);
        ok(call.make(given));
        if (std::string(call.name) == "create") { continue; }
        given.index = nullptr;
        EXPECT_EQ(text_of(call.make(given)), "index is a null handle") << call.name;
        given.index = reinterpret_cast<throng_index*>(rig.crowd());
        EXPECT_EQ(text_of(call.make(given)), "index is a handle of another kind") << call.name;
        throng_index* dead = nullptr;
        ok(throng_index_create(&given.settings, &dead));
        ok(throng_index_destroy(dead));
        given.index = dead;
        EXPECT_EQ(text_of(call.make(given)), "index is a handle that was destroyed, or never made")
            << call.name;
        EXPECT_EQ(throng_index_destroy(dead).code, THRONG_DEAD_HANDLE);
    }
    ok(throng_index_destroy(nullptr));
}

TEST(CFamilyRefuses, WhatMakesNoSense) {
    struct Said {
        const char* call;
        const char* text;
        void (*spoil)(Given&);
    };
    const Said all[] = {
        {"create",
         "settings has a struct_size that is no size of it, or is longer than this "
         "library knows it and has something there",
         [](Given& g) { g.settings.struct_size = 8; }},
        {"create", "settings.structure is or has a value that it cannot have",
         [](Given& g) {
             g.settings.structure = 6;
             g.settings.given = THRONG_GIVEN_BOUNDS;
         }},
        {"create", "settings.dimension is or has a value that it cannot have",
         [](Given& g) { g.settings.dimension = 4; }},
        {"create", "settings.dimension is of another dimension than what is asked",
         [](Given& g) {
             g.settings.structure = THRONG_TIGHT_QUADTREE;
             g.settings.given = THRONG_GIVEN_BOUNDS;
             g.settings.dimension = 3;
         }},
        {"create", "settings.given is or has a value that it cannot have",
         [](Given& g) { g.settings.given = 4; }},
        {"create", "bounds are missing, which a cell or a period needs",
         [](Given& g) { g.settings.given = THRONG_GIVEN_CELL; }},
        {"create", "settings.given is or has a value that it cannot have",
         [](Given& g) {
             g.settings.structure = THRONG_DOUBLE_GRID;
             g.settings.given = THRONG_GIVEN_BOUNDS;
         }},
        {"create", "settings.given is or has a value that it cannot have",
         [](Given& g) {
             g.settings.structure = THRONG_LOOSE_TREE;
             g.settings.given = THRONG_GIVEN_BOUNDS | THRONG_GIVEN_CELL;
         }},
        {"create", "settings.kept is or has a value that it cannot have",
         [](Given& g) { g.settings.kept = 4; }},
        {"create", "settings.kept is or has a value that it cannot have",
         [](Given& g) { g.settings.given = 0; }},
        {"create", "settings.common_half_extent is or has a value that it cannot have",
         [](Given& g) {
             g.settings.given = g.settings.kept = 0;
             g.settings.common_half_extent[0] = 1.0f;
         }},
        {"create", "settings.common_half_extent is negative",
         [](Given& g) {
             g.settings.kept = 0;
             g.settings.common_half_extent[0] = -1.0f;
         }},
        {"create", "settings.lo is or has a value that it cannot have",
         [](Given& g) { g.settings.lo[2] = 1.0f; }},
        {"create", "settings.lo is inverted: a low side exceeds the high side",
         [](Given& g) { g.settings.lo[0] = 1e6f; }},
        {"create", "out is a null pointer", [](Given& g) { g.out = nullptr; }},
        {"update", "agents.dimension is of another dimension than what is asked",
         [](Given& g) { g.agents.dimension = 3; }},
        {"update", "agents.doubles is or has a value that it cannot have",
         [](Given& g) { g.agents.doubles = 1; }},
        {"update", "positions[3] is NaN or infinite",
         [](Given& g) { g.scene.position[1][3] = kNan; }},
        {"update", "positions is a null pointer", [](Given& g) { g.agents.position[1] = nullptr; }},
        {"edit", "edit is a null pointer", [](Given& g) { g.edit_at = nullptr; }},
        {"edit", "edit is or has a value that it cannot have", [](Given& g) { g.edit.kind = 3; }},
        {"edit", "edit.id 7 is taken already", [](Given& g) { g.edit.id = 7; }},
        {"edit", "edit.id 300 is not in the index",
         [](Given& g) {
             g.edit.kind = THRONG_MOVE;
             g.edit.id = 300;
         }},
        {"edit", "edit.position is NaN or infinite", [](Given& g) { g.edit.position[0] = kNan; }},
        {"edit", "edit.half_extent is negative", [](Given& g) { g.edit.half_extent[1] = -1.0f; }},
        {"edit", "edit.groups was not given, but this crowd keeps it",
         [](Given& g) { g.edit.kept = THRONG_KEPT_HALF_EXTENTS; }},
        {"count",
         "out has a struct_size that is no size of it, or is longer than this library "
         "knows it and has something there",
         [](Given& g) { g.counts.struct_size = 2000; }},
        {"contains", "found is a null pointer", [](Given& g) { g.found_at = nullptr; }},
        {"query", "questions.sets is or has a value that it cannot have",
         [](Given& g) { g.questions.sets = THRONG_SMALL; }},
        {"query", "questions.shape is of another dimension than what is asked",
         [](Given& g) { g.questions.shape = THRONG_BOX3; }},
        {"query", "questions.shapes[2] is NaN or infinite",
         [](Given& g) { g.boxes[2].lo[0] = kNan; }},
        {"query", "out.offsets is too short: there must be room for 4",
         [](Given& g) { g.room.offset_room = 3; }},
        {"query", "out.ids is too short: there must be room for 120",
         [](Given& g) { g.room.id_room = 119; }},
        {"query_one", "question has another count than one, which this call takes",
         [](Given& g) { g.question.count = 2; }},
        {"query_one", "question.shapes[0] is NaN or infinite",
         [](Given& g) { g.boxes[0].hi[0] = kNan; }},
        {"query_one", "ids is too short: there must be room for 40",
         [](Given& g) { g.ids.resize(39); }},
        {"query_one", "total is a null pointer", [](Given& g) { g.total_at = nullptr; }},
        {"count_one", "total is a null pointer", [](Given& g) { g.total_at = nullptr; }},
        {"any_one", "found is a null pointer", [](Given& g) { g.found_at = nullptr; }},
        {"visit_one", "visitor is a null pointer", [](Given& g) { g.visitor = nullptr; }},
        {"visit_one", "an exception came out of a callback",
         [](Given& g) {
             g.visitor = [](const std::uint32_t*, std::size_t, void*) -> std::int32_t { throw 7; };
         }},
        {"visit_pairs", "visitor is a null pointer", [](Given& g) { g.pair_visitor = nullptr; }},
        {"visit_pairs", "an exception came out of a callback",
         [](Given& g) {
             g.pair_visitor = [](const std::uint32_t*, const std::uint32_t*, std::size_t,
                                 void*) -> std::int32_t { throw 7; };
         }},
        {"find_pairs", "out.first is a null pointer", [](Given& g) { g.pairs.first = nullptr; }},
        {"cells", "total is a null pointer", [](Given& g) { g.total_at = nullptr; }},
    };
    for (const std::uint32_t structure : structures_of(2)) {
        for (const Said& said : all) {
            Given given(structure);
            const auto before = given.answers();
            said.spoil(given);
            EXPECT_EQ(text_of(make(said.call, given)), said.text)
                << said.call << " of " << structure;
            EXPECT_EQ(given.answers(), before) << said.text;
            EXPECT_EQ(given.made, nullptr);
        }
    }
}

TEST(CFamilyVisitors, StopWhereTheySaySo) {
    for (const std::uint32_t structure : structures_of(2)) {
        Given given(structure);
        given.visitor = [](const std::uint32_t* ids, std::size_t count, void* user) {
            (void)gather(ids, count, user);
            return std::int32_t{0};
        };
        ok(make("visit_one", given));
        EXPECT_EQ(given.total, given.seen.size());
        EXPECT_GT(given.total, 0u);
        ok(throng_index_visit_one(given.index, &given.question, gather, &given.seen, nullptr));
    }
}

TEST(CFamilyRefuses, ToGoOnWithoutMemory) {
    std::size_t refused = 0;
    for (const std::uint32_t structure : structures_of(2)) {
        for (const FamilyCall& call : kCalls) {
            for (std::size_t good = 0;; ++good) {
                ASSERT_LT(good, 1000u) << call.name;
                Given given(structure);
                given.agents.count /= 2; // a different number of agents, so that lists change
                given.seen.reserve(100);
                given.seen_pairs.reserve(2000);
                const auto before = given.answers();
                throng_status status{};
                bool has_failed = false;
                {
                    const FailingAllocations failing(good);
                    status = call.make(given);
                    has_failed = failing.failed();
                }
                if (!has_failed) {
                    ok(status);
                    break;
                }
                if (status.code == THRONG_OK) { continue; } // the call did not need that allocation
                ++refused;
                EXPECT_EQ(status.code, THRONG_OUT_OF_MEMORY)
                    << call.name << ": " << text_of(status);
                EXPECT_EQ(given.answers(), before) << call.name << " of " << structure;
            }
        }
    }
    EXPECT_GT(refused, 20u);
}

} // namespace
} // namespace throng::test
