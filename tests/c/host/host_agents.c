/* Agents with handles: they are added, moved and removed. */
#include "host.h"

#include "check.h"

#include <string.h>

/* Agents `begin` ... `end` - 1 of the scene. */
static throng_agents part_of(const scene* of, size_t begin, size_t end) {
    throng_agents agents = scene_agents(of);
    uint32_t a;
    agents.count = end - begin;
    for (a = 0; a < of->dimension; ++a) {
        agents.position[a] = &of->position[begin][a];
        agents.half_extent[a] = &of->half[begin][a];
    }
    agents.groups = &of->groups[begin];
    return agents;
}

/* Checks that the handle names this agent, or no agent if it was removed. */
static void check_name(const scene* of, const throng_crowd* crowd, throng_agent_handle handle,
                       uint32_t place) {
    throng_agent_handle same = {7, 7, 7};
    uint32_t id = THRONG_NO_ID;
    if (of->is_there[place]) {
        CHECK_OK(throng_crowd_resolve(crowd, &handle, 1, &id, 1));
        CHECK(id == place);
        CHECK_OK(throng_crowd_handles(crowd, &id, 1, &same, 1));
        CHECK(same.slot == handle.slot && same.generation == handle.generation &&
              same.owner == handle.owner);
    } else {
        CHECK_REFUSED(throng_crowd_resolve(crowd, &handle, 1, &id, 1), THRONG_HANDLE_STALE);
    }
}

/* All agents get keys, of which answers are made; the one who is removed has none. Agents are named
 * by their slots. */
static void check_keys(throng_crowd* crowd, const throng_agents* all,
                       throng_agent_handle* handles) {
    static uint32_t ids[MOST_AGENTS + 2];
    static uint64_t keys[MOST_AGENTS + 2], answer[MOST_AGENTS + 2];
    const uint32_t count = (uint32_t)all->count;
    uint32_t i;
    for (i = 0; i < count; ++i) {
        keys[i] = ((uint64_t)i + 1) << 40;
    }
    CHECK_OK(throng_crowd_clear(crowd));
    CHECK_REFUSED(throng_crowd_add_keyed(crowd, all, keys, count - 1, handles, count, NULL),
                  THRONG_COUNT_MISMATCH);
    CHECK_OK(throng_crowd_add_keyed(crowd, all, keys, count, handles, count, NULL));
    CHECK_OK(throng_crowd_remove(crowd, &handles[3], 1, NULL));
    keys[4] = 7;
    CHECK_OK(throng_crowd_set_keys(crowd, &handles[4], 1, &keys[4], 1));
    CHECK_REFUSED(throng_crowd_set_keys(crowd, &handles[3], 1, &keys[3], 1), THRONG_HANDLE_STALE);
    for (i = 0; i < count; ++i) {
        ids[i] = handles[count - 1 - i].slot;
    }
    ids[count] = THRONG_FIRST_STATIC;
    ids[count + 1] = count;
    CHECK_OK(throng_crowd_keys(crowd, ids, count + 2, answer, count + 2, NULL));
    for (i = 0; i < count; ++i) {
        CHECK(answer[i] == (i == count - 4 ? 0 : keys[count - 1 - i]));
    }
    CHECK(answer[count] == THRONG_FIRST_STATIC && answer[count + 1] == 0);
    CHECK_REFUSED(throng_crowd_keys(crowd, ids, 2, answer, 1, NULL), THRONG_NO_ROOM);
}

/* Three are born and one dies, whose handle is stale then. */
static throng_status live_and_die(throng_crowd* crowd, const throng_agents* three) {
    throng_agent_handle handles[3];
    uint32_t id;
    throng_status status = throng_crowd_add(crowd, three, handles, 3, NULL); /* all, or none */
    if (status.code == THRONG_OK) { status = throng_crowd_remove(crowd, &handles[1], 1, NULL); }
    if (status.code == THRONG_OK) { status = throng_crowd_resolve(crowd, &handles[1], 1, &id, 1); }
    return status; /* THRONG_HANDLE_STALE, index 0: the first that was asked for */
}

void host_agents(uint32_t dimension) {
    static scene of;
    static throng_agent_handle handles[MOST_AGENTS], gone[20], others[20];
    static uint32_t ids[MOST_AGENTS];
    throng_crowd_settings settings;
    throng_crowd* crowd = NULL;
    throng_agents agents, statics;
    throng_crowd_counts counts = THRONG_CROWD_COUNTS_INIT;
    uint32_t i;
    scene_make(&of, dimension, 11);
    settings = scene_settings(&of);
    settings.kept = THRONG_KEPT_HALF_EXTENTS | THRONG_KEPT_GROUPS;
    statics = scene_statics(&of);
    CHECK_OK(throng_crowd_create(&settings, &crowd));
    CHECK_OK(throng_crowd_set_statics(crowd, &statics, NULL));

    /* Slots are given out from the lowest on. */
    agents = part_of(&of, 0, 100);
    CHECK_OK(throng_crowd_add(crowd, &agents, handles, 100, NULL));
    agents = part_of(&of, 100, of.agents);
    CHECK_OK(throng_crowd_add(crowd, &agents, handles + 100, MOST_AGENTS - 100, NULL));
    check_crowd(&of, crowd);

    for (i = 0; i < 20; ++i) {
        gone[i] = handles[7 * i];
        of.is_there[7 * i] = 0;
    }
    CHECK_OK(throng_crowd_remove(crowd, gone, 20, NULL));
    check_crowd(&of, crowd);
    for (i = 0; i < of.agents; ++i) {
        check_name(&of, crowd, handles[i], i);
    }
    CHECK_REFUSED(throng_crowd_remove(crowd, &gone[3], 1, NULL), THRONG_HANDLE_STALE);

    /* Moves some agents, giants among them. */
    for (i = 141; i < 161; ++i) {
        of.position[i][0] = 15.5f - of.position[i][0];
    }
    agents = part_of(&of, 141, 161);
    CHECK_OK(throng_crowd_move(crowd, &handles[141], 20, &agents, NULL));
    check_crowd(&of, crowd);

    /* All agents move. */
    scene_move(&of, 12);
    agents = part_of(&of, 0, of.agents);
    CHECK_OK(throng_crowd_count(crowd, &counts));
    CHECK(counts.slot_bound == of.agents && counts.agents == of.agents - 20);
    CHECK_OK(throng_crowd_update(crowd, &agents, NULL));
    check_crowd(&of, crowd);

    /* Freed slots are reused, the last one first, under new handles. */
    for (i = 0; i < 20; ++i) {
        const uint32_t slot = 7 * (19 - i);
        agents = part_of(&of, slot, slot + 1);
        of.is_there[slot] = 1;
        CHECK_OK(throng_crowd_add(crowd, &agents, &others[i], 1, NULL));
        CHECK(others[i].generation > 1);
        check_name(&of, crowd, others[i], slot);
        CHECK_REFUSED(throng_crowd_move(crowd, &gone[19 - i], 1, &agents, NULL),
                      THRONG_HANDLE_STALE);
    }
    check_crowd(&of, crowd);

    /* All agents move once more, named by handles, and then by ids. */
    for (i = 0; i < of.agents; ++i) {
        ids[i] = i;
    }
    CHECK_OK(throng_crowd_handles(crowd, ids, of.agents, handles, of.agents));
    scene_move(&of, 13);
    agents = part_of(&of, 0, of.agents);
    CHECK_OK(throng_crowd_update_handles(crowd, &agents, handles, of.agents, NULL));
    check_crowd(&of, crowd);
    CHECK_REFUSED(throng_crowd_update_ids(crowd, &agents, ids, of.agents, NULL),
                  THRONG_OTHER_NAMES);
    CHECK_OK(throng_crowd_clear(crowd));
    CHECK_OK(throng_crowd_update_ids(crowd, &agents, ids, of.agents, NULL));
    scene_move(&of, 14);
    CHECK_OK(throng_crowd_move_ids(crowd, ids, of.agents, &agents, NULL));
    check_crowd(&of, crowd);
    CHECK_OK(throng_crowd_clear(crowd));
    CHECK_REFUSED(throng_crowd_resolve(crowd, others, 1, &i, 1), THRONG_HANDLE_STALE);
    agents = part_of(&of, 0, 3);
    CHECK_REFUSED(live_and_die(crowd, &agents), THRONG_HANDLE_STALE);
    CHECK_OK(throng_crowd_count(crowd, &counts));
    CHECK(counts.agents == 2);
    agents = part_of(&of, 0, of.agents);
    check_keys(crowd, &agents, handles);
    CHECK_OK(throng_crowd_destroy(crowd));
}
