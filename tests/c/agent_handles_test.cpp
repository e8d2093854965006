// Handles of agents in C: which calls are refused, and that a handle names its agent while it
// lives.
#include "refusals.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace throng::test {
namespace {

const Call& agent_call_of(const std::string& name) {
    return *std::find_if(calls().begin(), calls().end(),
                         [&](const Call& call) { return call.name == name; });
}

TEST(CAgentHandles, SayWhatIsWrong) {
    struct Said {
        const char* call;
        int code;
        const char* text;
        void (*spoil)(Rig&);
    };
    const Said all[] = {
        {"throng_crowd_add", THRONG_NOT_FINITE, "positions[2] is NaN or infinite",
         [](Rig& r) { r.coordinates[2 * r.dimension] = kNan; }},
        {"throng_crowd_add", THRONG_NEGATIVE, "half_extents[3] is negative",
         [](Rig& r) { r.extents[3 * r.dimension + 1] = -1.0f; }},
        {"throng_crowd_add", THRONG_NULL_POINTER, "positions is a null pointer",
         [](Rig& r) { r.agents.value.position[1] = nullptr; }},
        {"throng_crowd_add", THRONG_NULL_POINTER, "half_extents is a null pointer",
         [](Rig& r) { r.agents.value.half_extent[1] = nullptr; }},
        {"throng_crowd_add", THRONG_MISSING,
         "agents[0] lacks an extent or mask that this crowd keeps",
         [](Rig& r) { r.agents.value.groups = nullptr; }},
        {"throng_crowd_add", THRONG_WRONG_DIMENSION,
         "agents.dimension is of another dimension than what is asked",
         [](Rig& r) { r.agents.value.dimension = 5 - r.dimension; }},
        {"throng_crowd_add", THRONG_NO_ROOM, "handles is too short: there must be room for 24",
         [](Rig& r) { r.new_handles.room = 3; }},
        {"throng_crowd_remove", THRONG_HANDLE_STALE, "handles[4] is that of an agent that is gone",
         [](Rig& r) { r.agent_handles.values[4] = r.agent_handles.values[1]; }},
        {"throng_crowd_remove", THRONG_HANDLE_STALE, "handles[0] is that of an agent that is gone",
         [](Rig& r) { ok(throng_crowd_remove(r.named(), r.agent_handles.at(), 1, nullptr)); }},
        {"throng_crowd_remove", THRONG_HANDLE_FOREIGN, "handles[3] was not given out by this crowd",
         [](Rig& r) { r.agent_handles.values[3].owner = 0; }},
        {"throng_crowd_move", THRONG_HANDLE_FOREIGN, "handles[3] was not given out by this crowd",
         [](Rig& r) { r.agent_handles.values[3].slot = 1000; }},
        {"throng_crowd_move", THRONG_NOT_FINITE, "positions[7] is NaN or infinite",
         [](Rig& r) { r.coordinates[7 * r.dimension] = kNan; }},
        {"throng_crowd_move", THRONG_NULL_POINTER, "positions is a null pointer",
         [](Rig& r) { r.movers.value.position[0] = nullptr; }},
        {"throng_crowd_move", THRONG_COUNT_MISMATCH, "handles has another count than positions",
         [](Rig& r) { r.agent_handles.room = 3; }},
        {"throng_crowd_move", THRONG_NULL_POINTER, "handles is a null pointer",
         [](Rig& r) { r.agent_handles.is_null = true; }},
        {"throng_crowd_move", THRONG_TOO_MANY, "count is more than there can be",
         [](Rig& r) { r.agent_handles.room = kHuge; }},
        {"throng_crowd_update_handles", THRONG_HANDLE_FOREIGN,
         "handles[3] was not given out by this crowd",
         [](Rig& r) { r.agent_handles.values[3].slot = 1000; }},
        {"throng_crowd_update_handles", THRONG_HANDLE_STALE,
         "handles[5] is that of an agent that is gone",
         [](Rig& r) { r.agent_handles.values[5] = r.agent_handles.values[2]; }},
        {"throng_crowd_update_handles", THRONG_COUNT_MISMATCH,
         "handles has another count than positions", [](Rig& r) { r.agent_handles.room = 3; }},
        {"throng_crowd_update_ids", THRONG_ID_TAKEN, "ids[7] is taken already",
         [](Rig& r) { r.names.values[7] = r.names.values[2]; }},
        {"throng_crowd_update_ids", THRONG_COUNT_MISMATCH, "ids has another count than positions",
         [](Rig& r) { r.names.room = 3; }},
        {"throng_crowd_update_ids", THRONG_NULL_POINTER, "ids is a null pointer",
         [](Rig& r) { r.names.is_null = true; }},
        {"throng_crowd_move_ids", THRONG_ID_UNKNOWN, "ids[4] is not in the index",
         [](Rig& r) { r.names.values[4] = 1000; }},
        {"throng_crowd_move_ids", THRONG_COUNT_MISMATCH, "ids has another count than positions",
         [](Rig& r) { r.names.room = 3; }},
        {"throng_crowd_add_keyed", THRONG_COUNT_MISMATCH,
         "keys has another count than there are agents", [](Rig& r) { r.keys.room = 3; }},
        {"throng_crowd_add_keyed", THRONG_NULL_POINTER, "keys is a null pointer",
         [](Rig& r) { r.keys.is_null = true; }},
        {"throng_crowd_add_keyed", THRONG_TOO_MANY, "key_count is more than there can be",
         [](Rig& r) { r.keys.room = kHuge; }},
        {"throng_crowd_add_keyed", THRONG_NOT_FINITE, "positions[2] is NaN or infinite",
         [](Rig& r) { r.coordinates[2 * r.dimension] = kNan; }},
        {"throng_crowd_set_keys", THRONG_COUNT_MISMATCH,
         "keys has another count than there are agents", [](Rig& r) { r.keys.room = 3; }},
        {"throng_crowd_set_keys", THRONG_NULL_POINTER, "keys is a null pointer",
         [](Rig& r) { r.keys.is_null = true; }},
        {"throng_crowd_set_keys", THRONG_HANDLE_FOREIGN,
         "handles[3] was not given out by this crowd",
         [](Rig& r) { r.agent_handles.values[3].slot = 1000; }},
        {"throng_crowd_keys", THRONG_NO_ROOM, "keys is too short: there must be room for 24",
         [](Rig& r) { r.keys.room = 3; }},
        {"throng_crowd_resolve", THRONG_HANDLE_STALE, "handles[2] is that of an agent that is gone",
         [](Rig& r) { ok(throng_crowd_remove(r.named(), r.agent_handles.at() + 2, 1, nullptr)); }},
    };
    for (const Said& said : all) {
        for (const std::uint32_t dimension : kDimensions) {
            Rig rig(dimension);
            said.spoil(rig);
            const auto before = rig.answers();
            const throng_status status = agent_call_of(said.call).make(rig);
            EXPECT_EQ(status.code, said.code) << said.call;
            EXPECT_EQ(text_of(status), said.text) << said.call;
            EXPECT_EQ(rig.answers(), before) << said.call;
        }
    }
}

TEST(CAgentHandles, AreNoNamesOfTheHosts) {
    for (const std::uint32_t dimension : kDimensions) {
        Rig rig(dimension);
        const auto before = rig.answers();
        EXPECT_EQ(text_of(throng_crowd_edit(rig.named(), rig.edits_at, 1, nullptr)),
                  "edits is not how the agents of this crowd are named");
        EXPECT_EQ(text_of(throng_crowd_add(rig.crowd(), rig.agents.at(), rig.new_handles.at(),
                                           rig.new_handles.room, nullptr)),
                  "handles is not how the agents of this crowd are named");
        // An update needs one element for each slot.
        rig.agents.value.count = Rig::kAgents - 1;
        EXPECT_EQ(text_of(throng_crowd_update(rig.named(), rig.agents.at(), nullptr)),
                  "positions has another count than 24, one for each slot of a handle");
        EXPECT_EQ(rig.answers(), before);
        // Without agents, a crowd lets either ids or handles name its agents.
        ok(throng_crowd_clear(rig.named()));
        rig.edits[1].id = 0;
        ok(throng_crowd_edit(rig.named(), &rig.edits[1], 1, nullptr));
        throng_agent_handle handle{};
        ok(throng_crowd_handles(rig.named(), &rig.edits[1].id, 1, &handle, 1));
        EXPECT_EQ(handle.owner, 0u);
    }
}

TEST(CAgentHandles, HaveTheCommonExtentWhereThereIsNoOther) {
    for (const std::uint32_t dimension : kDimensions) {
        Rig rig(dimension);
        throng_crowd_settings settings = rig.settings.value;
        std::fill_n(settings.common_half_extent, dimension, 0.5f);
        throng_crowd* crowd = nullptr;
        ok(throng_crowd_create(&settings, &crowd));
        throng_agents agents = rig.agents.value;
        std::fill_n(agents.half_extent, 3, nullptr);
        agents.groups = nullptr;
        const auto add = [&] {
            return throng_crowd_add(crowd, &agents, rig.new_handles.at(), Rig::kAgents, nullptr);
        };
        EXPECT_EQ(text_of(add()),
                  "agents[0] gives an extent or mask that this crowd does not keep");
        std::fill_n(agents.common_half_extent, dimension, 0.5f);
        ok(add());
        ok(throng_crowd_destroy(crowd));
        // A crowd with half extents of its own gives the common one to each new agent.
        agents.groups = rig.agents.value.groups;
        crowd = rig.named();
        ok(add());
        throng_questions question = THRONG_QUESTIONS_INIT;
        std::vector<float> box(2 * dimension, 23.5f);
        std::uint64_t total = 0;
        question.shape = THRONG_BOX2 - 2 + dimension;
        question.shapes = box.data();
        question.count = 1;
        std::vector<std::uint32_t> found(2 * Rig::kAgents);
        ok(throng_query_one(crowd, &question, found.data(), found.size(), &total));
        found.resize(total);
        // The last agent of the rig and the last added one, both at 23; the older one's half extent
        // is 0.75.
        EXPECT_EQ(std::set<std::uint32_t>(found.begin(), found.end()),
                  (std::set<std::uint32_t>{Rig::kAgents - 1, 2 * Rig::kAgents - 1}));
    }
}

TEST(CAgentHandles, OutliveUpdatesAndNotTheirAgents) {
    for (const std::uint32_t dimension : kDimensions) {
        Rig rig(dimension);
        const std::vector<throng_agent_handle> handles = rig.agent_handles.values;
        ok(throng_crowd_remove(rig.named(), &handles[3], 2, nullptr));
        // The values of empty slots are not read.
        for (std::uint32_t a = 0; a < dimension; ++a) {
            rig.coordinates[3 * dimension + a] = rig.extents[4 * dimension + a] = kNan;
        }
        ok(throng_crowd_update(rig.named(), rig.agents.at(), nullptr));
        std::uint32_t ids[Rig::kAgents];
        ok(throng_crowd_resolve(rig.named(), &handles[5], Rig::kAgents - 5, ids, Rig::kAgents));
        EXPECT_EQ(ids[0], handles[5].slot);
        ok(throng_crowd_count(rig.named(), rig.counts.at()));
        EXPECT_EQ(rig.counts.value.agents, Rig::kAgents - 2);
        EXPECT_EQ(rig.counts.value.slot_bound, Rig::kAgents);
        // Slots are reused, handles are not.
        throng_agents two = rig.moved.value;
        rig.coordinates.assign(rig.coordinates.size(), 1.0f);
        rig.extents.assign(rig.extents.size(), 0.5f);
        two.count = 2;
        throng_agent_handle later[2];
        ok(throng_crowd_add(rig.named(), &two, later, 2, nullptr));
        for (const throng_agent_handle& handle : later) {
            EXPECT_TRUE(handle.slot == handles[3].slot || handle.slot == handles[4].slot);
            EXPECT_GT(handle.generation, handles[3].generation);
        }
        EXPECT_EQ(throng_crowd_resolve(rig.named(), &handles[3], 1, ids, 1).code,
                  THRONG_HANDLE_STALE);
        throng_agent_handle again{};
        ok(throng_crowd_handles(rig.named(), &later[0].slot, 1, &again, 1));
        EXPECT_EQ(again.generation, later[0].generation);
        EXPECT_EQ(again.owner, handles[0].owner);
    }
}

TEST(CAgentHandles, LeaveStaticsTheirIds) {
    for (const std::uint32_t dimension : kDimensions) {
        Rig rig(dimension);
        throng_crowd_counts before = THRONG_CROWD_COUNTS_INIT, after = THRONG_CROWD_COUNTS_INIT;
        ok(throng_crowd_count(rig.named(), &before));
        throng_edit castle = {};
        castle.kind = THRONG_INSERT;
        castle.id = 2u * THRONG_FIRST_STATIC - 65u; // the last one
        castle.kept = THRONG_KEPT_HALF_EXTENTS;
        ok(throng_crowd_edit(rig.named(), &castle, 1, nullptr));
        castle.kind = THRONG_MOVE;
        castle.position[0] = 1.0f;
        ok(throng_crowd_edit(rig.named(), &castle, 1, nullptr));
        ok(throng_crowd_count(rig.named(), &after));
        EXPECT_EQ(after.statics, before.statics + 1);
        castle.kind = THRONG_ERASE;
        const throng_edit twice[] = {castle, castle};
        const throng_status status = throng_crowd_edit(rig.named(), twice, 2, nullptr);
        EXPECT_EQ(status.code, THRONG_ID_UNKNOWN);
        EXPECT_EQ(status.index, 1u);
        ok(throng_crowd_edit(rig.named(), &castle, 1, nullptr));
        ok(throng_crowd_count(rig.named(), &after));
        EXPECT_EQ(after.statics, before.statics);
        EXPECT_EQ(after.agents, before.agents);
    }
}

} // namespace
} // namespace throng::test
