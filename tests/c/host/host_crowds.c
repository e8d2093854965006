/* Crowds are created, updated, edited in every way, saved, loaded and destroyed. */
#include "host.h"

#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_counts(const scene* of, const throng_crowd* crowd) {
    throng_crowd_counts counts = THRONG_CROWD_COUNTS_INIT;
    uint32_t ids[MOST_AGENTS], sorted[MOST_AGENTS];
    size_t i, there = 0, giants = 0, bound = 0;
    for (i = 0; i < MOST_AGENTS; ++i) {
        if (!of->is_there[i]) { continue; }
        ++there;
        giants += of->is_giant[i] ? 1 : 0;
        bound = i + 1;
    }
    CHECK_OK(throng_crowd_count(crowd, &counts));
    CHECK(counts.dimension == of->dimension);
    CHECK(counts.agents == there && counts.giants == giants && counts.statics == of->statics);
    CHECK(counts.id_bound >= bound);
    CHECK(counts.index_bytes > 0);
    CHECK(counts.cells[0] == 8 && counts.cells[1] == 8);
    CHECK(counts.cells[2] == (of->dimension == 3 ? 8u : 1u) || of->dimension == 2);

    /* The storage order has each agent once, small ones first. */
    memset(ids, 0xFF, sizeof ids);
    CHECK_OK(throng_crowd_order(crowd, ids, MOST_AGENTS));
    for (i = 0; i + 1 < there; ++i) {
        CHECK(ids[i] < MOST_AGENTS);
        CHECK(scene_set(of, ids[i]) <= scene_set(of, ids[i + 1]));
    }

    /* Numbers by id, reordered, are the storage order itself. */
    if (there == bound) {
        throng_array numbers = {sorted, sizeof sorted[0]};
        for (i = 0; i < there; ++i) {
            sorted[i] = (uint32_t)i;
        }
        CHECK_OK(throng_reorder(ids, there, &numbers, 1, NULL));
        CHECK(memcmp(ids, sorted, there * sizeof ids[0]) == 0);
        if (there > 1) {
            ids[1] += (uint32_t)there;
            CHECK_REFUSED(throng_reorder(ids, there, &numbers, 1, NULL), THRONG_OUT_OF_RANGE);
            ids[1] -= (uint32_t)there;
        }
    }
    sort_ids(ids, there);
    for (i = 0; i + 1 < there; ++i) {
        CHECK(ids[i] < ids[i + 1] && of->is_there[ids[i]]);
    }
    if (there > 0) { CHECK_REFUSED(throng_crowd_order(crowd, ids, there - 1), THRONG_NO_ROOM); }
}

/* The same agents in other memory layouts. */
static void check_layouts(const scene* of, throng_crowd* crowd) {
    static float axes[3][MOST];
    static double far_axes[3][MOST];
    static struct {
        char odd;
        unsigned char record[1 + 3 * sizeof(float)];
    } unaligned[MOST];
    throng_agents agents;
    uint32_t a;
    size_t i;
    for (i = 0; i < of->agents; ++i) {
        for (a = 0; a < 3; ++a) {
            axes[a][i] = of->position[i][a];
            far_axes[a][i] = of->position[i][a];
        }
        memcpy(unaligned[i].record + 1, of->position[i], 3 * sizeof(float));
    }
    /* Positions in an array for each axis. */
    agents = throng_agents_separate(of->dimension, axes[0], axes[1], axes[2], of->agents);
    CHECK(agents.position[2] == (of->dimension == 3 ? axes[2] : NULL));
    agents.groups = of->groups;
    agents.groups_stride = (ptrdiff_t)sizeof of->groups[0];
    for (a = 0; a < of->dimension; ++a) {
        agents.half_extent[a] = &of->half[0][a];
        agents.half_extent_stride[a] = (ptrdiff_t)sizeof of->half[0];
    }
    CHECK_OK(throng_crowd_update(crowd, &agents, NULL));
    check_crowd(of, crowd);
    CHECK_OK(throng_crowd_reserve(crowd, 1000, NULL));
    check_crowd(of, crowd);
    CHECK_REFUSED(throng_crowd_reserve(crowd, (size_t)-1, NULL), THRONG_TOO_MANY);
    /* Positions in records of odd size, at odd addresses. */
    for (a = 0; a < of->dimension; ++a) {
        agents.position[a] = unaligned[0].record + 1 + a * sizeof(float);
        agents.position_stride[a] = (ptrdiff_t)sizeof unaligned[0];
    }
    CHECK_OK(throng_crowd_update(crowd, &agents, NULL));
    check_crowd(of, crowd);
    /* Positions in doubles. */
    agents.doubles = 1;
    for (a = 0; a < of->dimension; ++a) {
        agents.position[a] = far_axes[a];
        agents.position_stride[a] = (ptrdiff_t)sizeof(double);
    }
    CHECK_OK(throng_crowd_update(crowd, &agents, NULL));
    check_crowd(of, crowd);
    agents.dimension = 5 - of->dimension;
    CHECK_REFUSED(throng_crowd_update(crowd, &agents, NULL), THRONG_WRONG_DIMENSION);
    check_crowd(of, crowd);
}

/* Strides below zero, strides of zero, and a common extent. */
static void check_strides(uint32_t dimension) {
    throng_crowd_settings settings = THRONG_CROWD_SETTINGS_INIT;
    throng_crowd* crowd = NULL;
    float x[4] = {1, 2, 3, 4}, y = 5, box[6] = {4, 5, 5, 4, 5, 5};
    throng_agents agents = throng_agents_separate(dimension, x + 3, &y, &y, 4);
    throng_questions question = THRONG_QUESTIONS_INIT;
    uint32_t ids[4] = {9, 9, 9, 9};
    uint64_t total = 9;
    settings.dimension = dimension;
    CHECK_OK(throng_crowd_create(&settings, &crowd));
    agents.position_stride[0] = -(ptrdiff_t)sizeof(float);
    agents.position_stride[1] = agents.position_stride[2] = 0;
    agents.common_half_extent[0] = 1;
    CHECK_OK(throng_crowd_update(crowd, &agents, NULL));
    if (dimension == 2) { memcpy(box, (const float[4]){4, 5, 4, 5}, 4 * sizeof(float)); }
    question.shape = THRONG_BOX2 - 2 + dimension;
    question.shapes = box;
    question.count = 1;
    CHECK_OK(throng_query_one(crowd, &question, ids, 4, &total));
    sort_ids(ids, (size_t)total);
    CHECK(total == 2 && ids[0] == 0 && ids[1] == 1); /* 0 is at 4; 1 is at 3 with its edge at 4 */
    CHECK_OK(throng_crowd_destroy(crowd));
}

static throng_edit edit_of(const scene* of, uint32_t kind, uint32_t id) {
    throng_edit edit;
    uint32_t a;
    memset(&edit, 0, sizeof edit);
    edit.kind = kind;
    edit.id = id;
    for (a = 0; a < of->dimension; ++a) {
        edit.position[a] = of->position[id][a];
        edit.half_extent[a] = of->half[id][a];
    }
    edit.kept = THRONG_KEPT_HALF_EXTENTS | THRONG_KEPT_GROUPS;
    edit.groups = of->groups[id];
    return edit;
}

static void check_edits(scene* of, throng_crowd* crowd) {
    throng_edit edits[40];
    throng_status status;
    uint32_t id;
    size_t count = 0;
    for (id = (uint32_t)of->agents; id < of->agents + 20; ++id) { /* some of them giants */
        of->is_there[id] = 1;
        edits[count++] = edit_of(of, THRONG_INSERT, id);
    }
    for (id = 5; id < 50; id += 9) {
        of->is_there[id] = 0;
        edits[count++] = edit_of(of, THRONG_ERASE, id);
    }
    for (id = 100; id < 112; ++id) {
        of->position[id][0] = 15.5f - of->position[id][0];
        edits[count] = edit_of(of, THRONG_MOVE, id);
        edits[count++].kept = 0;
    }
    CHECK_OK(throng_crowd_edit(crowd, edits, count, NULL));
    check_crowd(of, crowd);
    check_counts(of, crowd);

    /* If one edit is refused, none is made. */
    edits[0] = edit_of(of, THRONG_ERASE, 1);
    edits[1] = edit_of(of, THRONG_INSERT, 2);
    status = throng_crowd_edit(crowd, edits, 2, NULL);
    CHECK(status.code == THRONG_ID_TAKEN && status.index == 1);
    edits[1] = edit_of(of, THRONG_MOVE, 5);
    CHECK_REFUSED(throng_crowd_edit(crowd, edits, 2, NULL), THRONG_ID_UNKNOWN);
    edits[1] = edit_of(of, THRONG_INSERT, 5);
    edits[1].kept = THRONG_KEPT_GROUPS;
    CHECK_REFUSED(throng_crowd_edit(crowd, edits, 2, NULL), THRONG_MISSING);
    CHECK_OK(throng_crowd_edit(crowd, NULL, 0, NULL));
    check_crowd(of, crowd);
}

/* Runs the blocks from the last to the first, each of them twice. */
static void run_all(throng_change* change, size_t blocks) {
    size_t block;
    for (block = blocks; block > 0; --block) {
        CHECK_OK(throng_change_run(change, block - 1, block));
    }
    CHECK_OK(throng_change_run(change, 0, (size_t)-1));
}

/* run_all() runs each block once, with throng_change_run() in jobs of its own, and waits. */
static throng_status update_in_jobs(throng_change* change, throng_crowd* crowd,
                                    const throng_agents* agents, size_t threads) {
    throng_loop loop = THRONG_LOOP_INIT;
    throng_status status = throng_change_update(change, crowd, agents, threads, &loop);
    while (status.code == THRONG_OK && loop.blocks != 0) {
        run_all(change, loop.blocks);
        status = throng_change_next(change, &loop);
    }
    return status;
}

/* Agents move, and move back, in steps. */
static void check_steps(scene* of, throng_crowd* crowd) {
    throng_change* change = NULL;
    throng_loop loop = THRONG_LOOP_INIT;
    throng_crowd_counts counts = THRONG_CROWD_COUNTS_INIT;
    throng_agents agents = throng_agents_interleaved(of->dimension, of->position[0], of->agents,
                                                     (ptrdiff_t)sizeof of->position[0]);
    throng_edit edits[10];
    uint32_t a, id;
    agents.groups = of->groups;
    agents.groups_stride = (ptrdiff_t)sizeof of->groups[0];
    for (a = 0; a < of->dimension; ++a) {
        agents.half_extent[a] = &of->half[0][a];
        agents.half_extent_stride[a] = (ptrdiff_t)sizeof of->half[0];
    }
    CHECK_OK(throng_change_create(&change));
    CHECK_OK(throng_change_next(change, &loop));
    CHECK(loop.blocks == 0);
    for (id = 0; id < 10; ++id) {
        edits[id] = edit_of(of, THRONG_MOVE, id);
        edits[id].position[0] = 15.5f - edits[id].position[0];
        edits[id].kept = 0;
    }
    /* A change that is given up moves no agent. */
    CHECK_OK(throng_change_edit(change, crowd, edits, 10, &loop));
    CHECK(loop.blocks != 0);
    CHECK_REFUSED(throng_crowd_count(crowd, &counts), THRONG_BEING_CHANGED);
    CHECK_OK(throng_change_cancel(change));
    check_crowd(of, crowd);
    CHECK_OK(throng_change_edit(change, crowd, edits, 10, &loop));
    for (id = 0; loop.blocks != 0; ++id) {
        CHECK(loop.threads_worth >= 1);
        run_all(change, loop.blocks);
        CHECK_OK(throng_change_next(change, &loop));
    }
    CHECK(id > 1);
    for (id = 0; id < 10; ++id) {
        of->position[id][0] = edits[id].position[0];
    }
    check_crowd(of, crowd);
    for (id = 0; id < 10; ++id) {
        of->position[id][0] = 15.5f - of->position[id][0];
    }
    CHECK_OK(update_in_jobs(change, crowd, &agents, 4));
    check_crowd(of, crowd);
    check_counts(of, crowd);
    CHECK_OK(throng_change_destroy(change));
    CHECK_OK(throng_change_destroy(NULL));
}

static void check_files(const scene* of, throng_crowd* crowd) {
    throng_crowd_settings settings = THRONG_CROWD_SETTINGS_INIT;
    throng_crowd *copy = NULL, *other = NULL;
    char path[64];
    FILE* file;
    snprintf(path, sizeof path, "host_%u.throng", (unsigned)of->dimension);
    CHECK_OK(throng_crowd_save(crowd, path));
    settings.dimension = of->dimension;
    CHECK_OK(throng_crowd_create(&settings, &copy));
    CHECK_OK(throng_crowd_load(copy, path));
    check_crowd(of, copy);
    check_counts(of, copy);
    settings.dimension = 5 - of->dimension;
    CHECK_OK(throng_crowd_create(&settings, &other));
    CHECK_REFUSED(throng_crowd_load(other, path), THRONG_OTHER_VERSION);
    CHECK_REFUSED(throng_crowd_load(copy, "there/is/no/such.throng"), THRONG_IO_FAILED);
    CHECK_REFUSED(throng_crowd_save(copy, "there/is/no/such.throng"), THRONG_IO_FAILED);
    file = fopen(path, "wb");
    CHECK(file != NULL);
    if (file != NULL) {
        fputs("This is no crowd, and it is long enough to be sure of it.", file);
        fclose(file);
    }
    CHECK_REFUSED(throng_crowd_load(copy, path), THRONG_NOT_AN_INDEX);
    check_crowd(of, copy);
    remove(path);
    CHECK_OK(throng_crowd_destroy(other));
    CHECK_OK(throng_crowd_destroy(copy));
}

/* Inserts before the first update, so the settings say what the crowd keeps of its agents. */
static void check_kept(const scene* of) {
    throng_crowd_settings settings = scene_settings(of);
    throng_crowd* crowd = NULL;
    throng_edit edit = edit_of(of, THRONG_INSERT, 3);
    throng_crowd_counts counts = THRONG_CROWD_COUNTS_INIT;
    throng_cell_stats cells = THRONG_CELL_STATS_INIT;
    settings.kept = THRONG_KEPT_HALF_EXTENTS | THRONG_KEPT_GROUPS;
    CHECK_OK(throng_crowd_create(&settings, &crowd));
    CHECK_OK(throng_crowd_edit(crowd, &edit, 1, NULL));
    CHECK_OK(throng_crowd_count(crowd, &counts));
    CHECK(counts.agents == 1);
    CHECK_OK(throng_crowd_cell_stats(crowd, &cells));
    CHECK(cells.agents == 1 && cells.used_cells == 1);
    CHECK_OK(throng_crowd_destroy(crowd));
    settings.kept = 0;
    settings.common_half_extent[0] = 0.5f;
    CHECK_OK(throng_crowd_create(&settings, &crowd));
    CHECK_REFUSED(throng_crowd_edit(crowd, &edit, 1, NULL), THRONG_NOT_STORED);
    edit.kept = 0;
    CHECK_OK(throng_crowd_edit(crowd, &edit, 1, NULL));
    CHECK_OK(throng_crowd_destroy(crowd));
    settings = (throng_crowd_settings)THRONG_CROWD_SETTINGS_INIT;
    settings.dimension = of->dimension;
    CHECK_OK(throng_crowd_create(&settings, &crowd));
    CHECK_REFUSED(throng_crowd_reserve(crowd, 10, NULL), THRONG_NOT_CONFIGURED);
    CHECK_OK(throng_crowd_edit(crowd, &edit, 1, NULL));
    CHECK_OK(throng_crowd_reserve(crowd, 10, NULL));
    CHECK_OK(throng_crowd_destroy(crowd));
}

/* A periodic world, far from the zero of doubles. */
static void check_world(const scene* of) {
    throng_crowd_settings settings = scene_settings(of);
    const double far_away[3] = {1e9, -2e9, 3e9};
    double place[3], back[3], there[3];
    float ball[4] = {0, 0, 0, 0};
    int8_t images[3];
    throng_crowd* crowd = NULL;
    throng_agents agents = THRONG_AGENTS_INIT, other;
    throng_world_edit edit;
    throng_questions question = THRONG_QUESTIONS_INIT;
    uint32_t a, id = 9;
    uint64_t total = 0;
    settings.periodic = 1;
    agents.dimension = of->dimension;
    agents.doubles = 1;
    agents.count = 1;
    for (a = 0; a < of->dimension; ++a) {
        settings.origin[a] = far_away[a];
        place[a] = far_away[a] + 0.25;
        agents.position[a] = &place[a];
        agents.position_stride[a] = (ptrdiff_t)sizeof(double);
        ball[a] = 0.25f;
    }
    CHECK_OK(throng_crowd_create(&settings, &crowd));
    CHECK_OK(throng_crowd_update(crowd, &agents, NULL));
    ball[0] = WORLD - 0.25f; /* half a unit away, across the border */
    ball[of->dimension] = 0.5f;
    question.shape = THRONG_BALL2 - 2 + of->dimension;
    question.shapes = ball;
    question.count = 1;
    CHECK_OK(throng_query_one(crowd, &question, &id, 1, &total));
    CHECK(total == 1 && id == 0);
    ball[of->dimension] = 0.4375f;
    CHECK_OK(throng_query_one(crowd, &question, &id, 1, &total));
    CHECK(total == 0);

    /* Moved by two worlds and half a unit, the agent is found half a unit from its first place. */
    memset(&edit, 0, sizeof edit);
    edit.kind = THRONG_MOVE;
    for (a = 0; a < of->dimension; ++a) {
        edit.position[a] = place[a];
    }
    edit.position[0] += 2 * WORLD + 0.5;
    CHECK_OK(throng_crowd_edit_world(crowd, &edit, 1, NULL));
    place[0] += 0.5;
    CHECK_OK(throng_crowd_local(crowd, place, 1, ball, of->dimension));
    CHECK(ball[0] == 0.75f && ball[1] == 0.25f);
    ball[of->dimension] = 0;
    CHECK_OK(throng_query_one(crowd, &question, &id, 1, &total));
    CHECK(total == 1 && id == 0);
    memset(back, 0, sizeof back);
    CHECK_OK(throng_crowd_world(crowd, ball, 1, back, of->dimension));
    CHECK(memcmp(back, place, of->dimension * sizeof *back) == 0);
    CHECK_REFUSED(throng_crowd_local(crowd, place, 1, ball, 1), THRONG_NO_ROOM);

    /* From half a unit below the border on x, it is seen above: one period up. From the border it
     * is near. */
    other = agents;
    for (a = 0; a < of->dimension; ++a) {
        there[a] = place[a];
        other.position[a] = &there[a];
    }
    there[0] = far_away[0] - 0.5;
    memset(images, 77, sizeof images);
    CHECK_OK(throng_crowd_images(crowd, &other, &agents, images, of->dimension));
    CHECK(images[0] == 1 && images[1] == 0 && images[2] == (of->dimension == 3 ? 0 : 77));
    CHECK_OK(throng_crowd_images(crowd, &agents, &other, images, of->dimension));
    CHECK(images[0] == -1 && images[1] == 0);
    there[0] = far_away[0];
    CHECK_OK(throng_crowd_images(crowd, &other, &agents, images, of->dimension));
    CHECK(images[0] == 0 && images[1] == 0);
    CHECK_REFUSED(throng_crowd_images(crowd, &other, &agents, images, 1), THRONG_NO_ROOM);
    CHECK_OK(throng_crowd_destroy(crowd));
}

void host_crowds(uint32_t dimension) {
    static scene of;
    throng_crowd* crowd;
    throng_crowd_counts counts = THRONG_CROWD_COUNTS_INIT;
    size_t i;
    scene_make(&of, dimension, 1);
    crowd = scene_crowd(&of);
    check_crowd(&of, crowd);
    check_counts(&of, crowd);
    check_layouts(&of, crowd);
    check_steps(&of, crowd);
    check_edits(&of, crowd);
    check_files(&of, crowd);
    CHECK_OK(throng_crowd_clear(crowd));
    for (i = 0; i < MOST_AGENTS; ++i) {
        of.is_there[i] = 0;
    }
    check_crowd(&of, crowd);
    CHECK_OK(throng_crowd_count(crowd, &counts));
    CHECK(counts.agents == 0 && counts.statics == MOST_STATICS);
    CHECK_OK(throng_crowd_destroy(crowd));
    CHECK_OK(throng_crowd_destroy(NULL));
    check_kept(&of);
    check_strides(dimension);
    check_world(&of);
}
