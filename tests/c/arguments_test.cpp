// Arguments of the C API outside structures: edits, corners, files, and optional arguments.
#include "refusals.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

namespace throng::test {

namespace {

const Call& call_of(const std::string& name) {
    return *std::find_if(calls().begin(), calls().end(),
                         [&](const Call& call) { return call.name == name; });
}

TEST(CApi, RefusesWrongEdits) {
    const auto refused = [](int code, std::uint64_t index, const std::function<void(Rig&)>& spoil) {
        for (const std::uint32_t dimension : kDimensions) {
            const char* const argument = code == THRONG_TOO_MANY && index == 0 ? "count" : "edits";
            for (const char* const call : {"throng_crowd_edit", "throng_published_edit"}) {
                const throng_status status =
                    expect_refused(call_of(call), dimension, code, argument, spoil);
                EXPECT_EQ(status.index, index) << text_of(status);
            }
        }
    };
    refused(THRONG_NULL_POINTER, 0, [](Rig& r) { r.edits_at = nullptr; });
    refused(THRONG_WRONG_VALUE, 0, [](Rig& r) {
        r.edits_at = static_cast<const throng_edit*>(misaligned(r.edits.data()));
    });
    refused(THRONG_TOO_MANY, 0, [](Rig& r) { r.edits_count = kHuge / 16; });
    refused(THRONG_WRONG_VALUE, 1, [](Rig& r) { r.edits[1].kind = 3; });
    refused(THRONG_WRONG_VALUE, 1, [](Rig& r) { r.edits[1].kept = 4; });
    refused(THRONG_MISSING, 1, [](Rig& r) { r.edits[1].kept = THRONG_KEPT_GROUPS; });
    refused(THRONG_NOT_FINITE, 1, [](Rig& r) { r.edits[1].position[1] = kNan; });
    refused(THRONG_NEGATIVE, 1, [](Rig& r) { r.edits[1].half_extent[0] = -1; });
    refused(THRONG_ID_TAKEN, 1, [](Rig& r) { r.edits[1].id = 2; });
    refused(THRONG_ID_UNKNOWN, 0, [](Rig& r) { r.edits[0].id = 1000; });
    refused(THRONG_TOO_MANY, 1, [](Rig& r) { r.edits[1].id = THRONG_FIRST_STATIC - 1; });
    refused(THRONG_TOO_MANY, 1, [](Rig& r) { r.edits[1].id = THRONG_NO_ID; });
}

TEST(CApi, RefusesMoreThreadsThanAnyMachineHas) {
    for (const std::size_t threads : {std::size_t{65'537}, kHuge}) {
        throng_executor* executor = nullptr;
        const throng_status status = throng_executor_create_kind(THRONG_POOL, threads, &executor);
        EXPECT_EQ(status.code, THRONG_TOO_MANY) << text_of(status);
        EXPECT_STREQ(status.argument, "threads");
        EXPECT_EQ(executor, nullptr);
    }
}

/// The facts that an executor reports; NULL is the default executor.
throng_executor_facts facts_of(throng_executor* executor) {
    throng_executor_facts facts = THRONG_EXECUTOR_FACTS_INIT;
    ok(throng_executor_describe(executor, &facts));
    return facts;
}

TEST(CApi, MakesExecutorsOfAKindAndSaysWhatTheyAre) {
    const throng_executor_facts preset = facts_of(nullptr);
    const bool has_tbb = preset.kind == THRONG_TBB;
    EXPECT_TRUE(has_tbb || preset.kind == THRONG_POOL);
    EXPECT_GE(preset.threads, 1u);
    for (const std::uint32_t kind : {THRONG_SERIAL, THRONG_TBB, THRONG_POOL}) {
        throng_executor* executor = nullptr;
        const throng_status status = throng_executor_create_kind(kind, 1, &executor);
        if (kind == THRONG_TBB && !has_tbb) {
            EXPECT_EQ(text_of(status), "kind asks for what this library was built without");
            EXPECT_EQ(executor, nullptr);
            continue;
        }
        ok(status);
        EXPECT_EQ(facts_of(executor).kind, kind);
        EXPECT_EQ(facts_of(executor).threads, 1u);
        ok(throng_executor_destroy(executor));
    }
    Rig rig(2);
    rig.callbacks.value.threads = 7;
    throng_executor* executor = nullptr;
    ok(throng_executor_create(rig.callbacks.at(), &executor));
    EXPECT_EQ(facts_of(executor).kind, THRONG_CALLBACKS);
    EXPECT_EQ(facts_of(executor).threads, 7u);
    ok(throng_executor_destroy(executor));
}

TEST(CApi, RefusesKindsThatAreNoExecutorOfANumberOfThreads) {
    for (const std::uint32_t kind : {0u, std::uint32_t{THRONG_CALLBACKS}, 5u, ~0u}) {
        throng_executor* executor = nullptr;
        const throng_status status = throng_executor_create_kind(kind, 1, &executor);
        EXPECT_EQ(status.code, THRONG_WRONG_VALUE);
        EXPECT_STREQ(status.argument, "kind");
        EXPECT_EQ(executor, nullptr);
    }
    throng_executor* executor = nullptr;
    const throng_status status = throng_executor_create_kind(THRONG_SERIAL, 2, &executor);
    EXPECT_EQ(status.code, THRONG_TOO_MANY);
    EXPECT_STREQ(status.argument, "threads");
}

TEST(CApi, RefusesWrongCorners) {
    throng_convex2 region;
    throng_convex3 frustum;
    const std::vector<float> corners(2 * 9, 1.0f);
    std::vector<float> spoilt = Rig(3).corners;
    std::copy_n(spoilt.begin(), 12, spoilt.begin() + 12); // flat
    const auto refused = [](const throng_status& status, int code,
                            const char* argument = "corners") {
        EXPECT_EQ(status.code, code) << text_of(status);
        EXPECT_STREQ(status.argument, argument);
    };
    refused(throng_polygon(nullptr, 3, &region), THRONG_NULL_POINTER);
    refused(throng_polygon(nullptr, 0, &region), THRONG_NOT_CONVEX);
    refused(throng_polygon(corners.data(), 9, &region), THRONG_TOO_MANY);
    refused(throng_polygon(corners.data(), kHuge, &region), THRONG_TOO_MANY, "count");
    refused(throng_polygon(static_cast<const float*>(misaligned(corners.data())), 3, &region),
            THRONG_WRONG_VALUE);
    refused(throng_frustum(nullptr, &frustum), THRONG_NULL_POINTER);
    refused(throng_frustum(spoilt.data(), &frustum), THRONG_NOT_CONVEX);
    spoilt[7] = kNan;
    refused(throng_frustum(spoilt.data(), &frustum), THRONG_NOT_FINITE);
    refused(throng_polygon(spoilt.data() + 6, 2, &region), THRONG_NOT_FINITE);
    refused(throng_frustum(static_cast<const float*>(misaligned(spoilt.data())), &frustum),
            THRONG_WRONG_VALUE);
}

TEST(CApi, RefusesWrongFiles) {
    const auto refused = [](const char* name, int code, const char* argument,
                            const std::function<throng_status(Rig&)>& make) {
        const Call call = {name, nullptr};
        Rig rig(2);
        const auto before = rig.answers();
        const throng_status status = make(rig);
        EXPECT_EQ(status.code, code) << call.name << ": " << text_of(status);
        EXPECT_STREQ(status.argument, argument);
        EXPECT_EQ(rig.answers(), before);
    };
    refused("no path to load", THRONG_NULL_POINTER, "path",
            [](Rig& r) { return throng_crowd_load(r.crowd(), nullptr); });
    refused("no path to save", THRONG_NULL_POINTER, "path",
            [](Rig& r) { return throng_crowd_save(r.crowd(), nullptr); });
    refused("no file", THRONG_IO_FAILED, "path",
            [](Rig& r) { return throng_crowd_load(r.crowd(), ""); });
    refused("a folder", THRONG_IO_FAILED, "path",
            [](Rig& r) { return throng_crowd_save(r.crowd(), testing::TempDir().c_str()); });
    refused("of the other dimension", THRONG_OTHER_VERSION, "path", [](Rig& r) {
        const Rig other(3);
        return throng_crowd_load(r.crowd(), other.path.c_str());
    });
    refused("cut off", THRONG_TRUNCATED, "path", [](Rig& r) {
        std::string all;
        {
            std::ifstream file(r.path, std::ios::binary);
            all.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
        }
        std::ofstream(r.path, std::ios::binary) << all.substr(0, all.size() / 2);
        return throng_crowd_load(r.crowd(), r.path.c_str());
    });
}

/// The texts of statuses that are easily confused.
TEST(CApi, SaysWhatWasWrong) {
    struct Said {
        const char* call;
        void (*spoil)(Rig&);
        const char* text;
    };
    const Said all[] = {
        {"throng_query",
         [](Rig& r) {
             r.questions.value.count = kHuge;
             r.questions.value.filter_count = 0;
         },
         "questions.count is more than there can be"},
        {"throng_query", [](Rig& r) { r.questions.value.filter_count = kHuge; },
         "questions.filter_count is more than there can be"},
        {"throng_query", [](Rig& r) { r.questions.value.shapes = nullptr; },
         "questions.shapes is a null pointer"},
        {"throng_query", [](Rig& r) { r.shapes[2 * r.dimension] = kNan; },
         "questions.shapes[1] is NaN or infinite"},
        {"throng_query_into", [](Rig& r) { r.hits_room.value.offset_room = 1; },
         "out.offsets is too short: there must be room for 4"},
        {"throng_query_into", [](Rig& r) { r.hits_room.value.id_room = kHuge; },
         "out.id_room is more than there can be"},
        {"throng_count", [](Rig& r) { r.numbers.room = 2; },
         "counts is too short: there must be room for 3"},
        {"throng_crowd_order", [](Rig& r) { r.order.room = 1; },
         "ids is too short: there must be room for 24"},
        {"throng_find_nearest_into", [](Rig& r) { r.near_room.value.near_room = 1; },
         "out.nearest is too short: there must be room for 4"},
        {"throng_find_nearest", [](Rig& r) { r.points.value.count = kHuge; },
         "points.count is more than there can be"},
        {"throng_find_nearest", [](Rig& r) { r.nearest.value.k = 1025; },
         "nearest.k is more than 1024, the most there may be"},
        {"throng_first_after_one", [](Rig& r) { r.after = nullptr; }, "after is a null pointer"},
        {"throng_first_after_one", [](Rig& r) { r.before_all.time = kNan; },
         "after is NaN or infinite"},
        {"throng_meetings_one", [](Rig& r) { r.all_meetings.room = 1; },
         "meetings is too short: there must be room for 29"},
        {"throng_crowd_edit", [](Rig& r) { r.edits_count = kHuge; },
         "count is more than there can be"},
        {"throng_crowd_edit", [](Rig& r) { r.edits[1].id = THRONG_NO_ID; },
         "edits[1] asks for more than the index can number"},
        {"throng_reorder", [](Rig& r) { r.reversed[2] = r.reversed[1]; },
         "order[2] has a value that it cannot have"},
        {"throng_reorder", [](Rig& r) { r.reordered.data = nullptr; }, "arrays is a null pointer"},
        {"throng_reorder", [](Rig& r) { r.reordered.bytes = 0; },
         "arrays[0] is or has a value that it cannot have"},
        {"throng_crowd_create", [](Rig& r) { r.settings.value.given = THRONG_GIVEN_CELL; },
         "bounds are missing, which a cell or a period needs"},
    };
    for (const Said& said : all) {
        Rig rig(2);
        said.spoil(rig);
        EXPECT_EQ(text_of(call_of(said.call).make(rig)), said.text);
    }
    throng_executor* executor = nullptr;
    EXPECT_EQ(text_of(throng_executor_create_kind(THRONG_POOL, 70'000, &executor)),
              "threads is more than there can be");
}

TEST(CApi, BoundsNothingOfWhatIsNoCrowd) {
    Rig rig(2);
    void* const garbage[] = {nullptr, dead(Kind::crowd), rig.batch(), &rig, of_bits(12345)};
    for (void* const handle : garbage) {
        auto* const crowd = static_cast<throng_crowd*>(handle);
        EXPECT_EQ(throng_query_bound(crowd, 3, THRONG_EVERYBODY), 0u);
        EXPECT_EQ(throng_answers_bound(crowd, THRONG_ORDER_IDS), 0u);
        EXPECT_EQ(throng_neighbours_bound(crowd, THRONG_EVERYBODY), 0u);
        EXPECT_EQ(throng_pairs_bound(crowd, THRONG_ALL_PAIRS), 0u);
    }
    // Unknown numbers, and products beyond 64 bits.
    const std::uint64_t all = Rig::kAgents + Rig::kStatics;
    EXPECT_EQ(throng_query_bound(rig.crowd(), 2, THRONG_EVERYBODY), 2 * all);
    EXPECT_EQ(throng_query_bound(rig.crowd(), 2, THRONG_STATICS), 2 * Rig::kStatics);
    EXPECT_EQ(throng_query_bound(rig.crowd(), 0, THRONG_EVERYBODY), 0u);
    EXPECT_EQ(throng_query_bound(rig.crowd(), UINT64_MAX / 2, THRONG_EVERYBODY), UINT64_MAX);
    EXPECT_EQ(throng_neighbours_bound(rig.crowd(), THRONG_EVERYBODY), Rig::kAgents * all);
    EXPECT_EQ(throng_nearest_bound(7, 3), 21u);
    EXPECT_EQ(throng_nearest_bound(UINT64_MAX / 2, 3), UINT64_MAX);
    EXPECT_EQ(throng_answers_bound(rig.crowd(), THRONG_ORDER_STORAGE), Rig::kAgents);
}

/// The radius is refused in a crowd with agents, and in an empty one.
TEST(CApi, RefusesARadiusThatMakesNoSenseInAnEmptyCrowdToo) {
    for (const std::uint32_t dimension : kDimensions) {
        Rig rig(dimension);
        throng_crowd_settings settings = THRONG_CROWD_SETTINGS_INIT;
        settings.dimension = dimension;
        throng_crowd* empty = nullptr;
        ASSERT_EQ(throng_crowd_create(&settings, &empty).code, THRONG_OK);
        for (const float radius : {kNan, -1.0f, std::numeric_limits<float>::infinity(), 2e18f}) {
            for (const std::uint32_t order : {THRONG_ORDER_STORAGE, THRONG_ORDER_IDS}) {
                throng_neighbourhood near = THRONG_NEIGHBOURHOOD_INIT;
                near.radius = radius;
                near.order = order;
                throng_nearest nearest = THRONG_NEAREST_INIT;
                nearest.radius = radius;
                nearest.order = order;
                const auto said = [&](throng_crowd* crowd) {
                    throng_hits hits = THRONG_HITS_INIT;
                    throng_hits_room room = THRONG_HITS_ROOM_INIT;
                    throng_near_hits near_hits = THRONG_NEAR_HITS_INIT;
                    throng_near_room near_room = THRONG_NEAR_ROOM_INIT;
                    throng_points points = THRONG_POINTS_INIT;
                    points.dimension = dimension;
                    std::uint64_t sum = 0;
                    std::vector<std::string> texts;
                    for (const throng_status& status :
                         {throng_neighbours(rig.batch(), crowd, &near, &hits),
                          throng_neighbours_into(rig.batch(), crowd, &near, &room),
                          throng_count_neighbours(rig.batch(), crowd, &near, nullptr, 0, &sum),
                          throng_nearest_neighbours(rig.batch(), crowd, &nearest, &near_hits),
                          throng_nearest_neighbours_into(rig.batch(), crowd, &nearest, &near_room),
                          throng_find_nearest(rig.batch(), crowd, &points, &nearest, &near_hits),
                          throng_find_nearest_into(rig.batch(), crowd, &points, &nearest,
                                                   &near_room)}) {
                        EXPECT_NE(status.code, THRONG_OK);
                        texts.push_back(text_of(status));
                    }
                    return texts;
                };
                EXPECT_EQ(said(empty), said(rig.crowd())) << "radius " << radius;
            }
        }
        EXPECT_EQ(throng_crowd_destroy(empty).code, THRONG_OK);
    }
}

TEST(CApi, ListsThatLastHaveNoDimensionBeforeTheirFirstUpdate) {
    Rig plane(2), space(3);
    throng_lasting* lasting = nullptr;
    ok(throng_lasting_create(plane.lasting_settings.at(), nullptr, &lasting));
    throng_agents broken = plane.agents.value;
    broken.position[0] = nullptr;
    EXPECT_EQ(throng_lasting_update(lasting, plane.crowd(), &broken, plane.lasting_frame.at()).code,
              THRONG_NULL_POINTER);
    ok(throng_lasting_update(lasting, space.crowd(), space.agents.at(), space.lasting_frame.at()));
    EXPECT_EQ(
        throng_lasting_update(lasting, plane.crowd(), plane.agents.at(), plane.lasting_frame.at())
            .code,
        THRONG_WRONG_DIMENSION);
    ok(throng_lasting_destroy(lasting));
}

TEST(CApi, NeedsNoPlaceForWhatIsNotWanted) {
    Rig rig(3);
    ok(throng_count(rig.batch(), rig.crowd(), rig.questions.at(), rig.numbers.at(),
                    rig.numbers.room, nullptr));
    ok(throng_any(rig.batch(), rig.crowd(), rig.questions.at(), rig.numbers.at(), rig.numbers.room,
                  nullptr));
    ok(throng_first(rig.batch(), rig.crowd(), rig.paths.at(), rig.meetings.at(), rig.meetings.room,
                    nullptr));
    ok(throng_count_neighbours(rig.batch(), rig.crowd(), rig.neighbourhood.at(),
                               rig.count_of_each.at(), rig.count_of_each.room, nullptr));
    ok(throng_snapshot_look(rig.snapshot(), nullptr, nullptr));
    // Without questions the arrays may be null.
    rig.questions.value.count = rig.questions.value.filter_count = 0;
    rig.questions.value.shapes = nullptr;
    rig.questions.value.filters = nullptr;
    ok(throng_query(rig.batch(), rig.crowd(), rig.questions.at(), rig.hits.at()));
    EXPECT_EQ(rig.hits.value.total, 0u);
    rig.hits_room = throng_hits_room THRONG_HITS_ROOM_INIT;
    ok(throng_query_into(rig.batch(), rig.crowd(), rig.questions.at(), rig.hits_room.at()));
    ok(throng_count(rig.batch(), rig.crowd(), rig.questions.at(), nullptr, 0, nullptr));
    // Agents whose count is 0.
    throng_agents no_agents = THRONG_AGENTS_INIT;
    no_agents.dimension = 3;
    ok(throng_crowd_update(rig.crowd(), &no_agents, nullptr));
    ok(throng_crowd_order(rig.crowd(), nullptr, 0));
}

} // namespace

} // namespace throng::test
