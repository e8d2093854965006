/* Every shape in every form. */
#include "host.h"

#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHAPES 40
#define LARGEST sizeof(throng_convex3)

/* Questions of one shape, and their true answers. */
typedef struct asked {
    const scene* of;
    throng_questions questions;
    unsigned char* shapes;
    size_t size; /* bytes of a shape */
    throng_filter filters[SHAPES];
    uint32_t wanted[SHAPES][MOST];
    size_t counts[SHAPES];
    uint64_t total, some;
} asked;

static const void* shape_of(const asked* ask, size_t q) { return ask->shapes + q * ask->size; }

static const throng_filter* filter_of(const asked* ask, size_t q) {
    if (ask->questions.filter_count == 0) { return NULL; }
    return ask->questions.filters + (ask->questions.filter_count == 1 ? 0 : q);
}

static void answer(asked* ask) {
    size_t q;
    ask->total = ask->some = 0;
    for (q = 0; q < SHAPES; ++q) {
        ask->counts[q] = scene_answer(ask->of, ask->questions.shape, shape_of(ask, q),
                                      ask->questions.sets, filter_of(ask, q), ask->wanted[q]);
        ask->total += ask->counts[q];
        ask->some += ask->counts[q] != 0;
    }
}

/* Checks the lists of hits, with the present filters and sets. */
static void check_lists(asked* ask, throng_batch* batch, const throng_crowd* crowd) {
    throng_hits hits = THRONG_HITS_INIT;
    size_t q;
    answer(ask);
    CHECK_OK(throng_query(batch, crowd, &ask->questions, &hits));
    CHECK(hits.count == SHAPES && hits.total == ask->total);
    if (hits.count != SHAPES) { return; }
    CHECK(hits.offsets[0] == 0 && hits.offsets[SHAPES] == hits.total);
    for (q = 0; q < SHAPES; ++q) {
        CHECK(is_answer(ask->of, hits.ids + hits.offsets[q],
                        (size_t)(hits.offsets[q + 1] - hits.offsets[q]), ask->wanted[q],
                        ask->counts[q]));
    }
}

/* Checks answers into arrays of the host that are long enough, and too short. */
static void check_room(asked* ask, throng_batch* batch, const throng_crowd* crowd) {
    throng_hits hits = THRONG_HITS_INIT;
    throng_hits_room room = THRONG_HITS_ROOM_INIT;
    uint64_t offsets[SHAPES + 1];
    const uint64_t bound = throng_query_bound(crowd, SHAPES, ask->questions.sets);
    uint32_t* const ids = (uint32_t*)need((size_t)(bound + 1) * sizeof *ids);
    size_t short_room = (size_t)ask->total / 2;
    CHECK(bound >= ask->total && bound <= SHAPES * MOST);
    CHECK_OK(throng_query(batch, crowd, &ask->questions, &hits));
    room.offsets = offsets;
    room.offset_room = SHAPES + 1;
    room.ids = ids;
    room.id_room = (size_t)bound;
    CHECK_OK(throng_query_into(batch, crowd, &ask->questions, &room));
    CHECK(room.total == ask->total);
    /* The batch's arrays are valid until its next call, so it is asked again. */
    CHECK_OK(throng_query(batch, crowd, &ask->questions, &hits));
    CHECK(memcmp(offsets, hits.offsets, sizeof offsets) == 0);
    CHECK(memcmp(ids, hits.ids, (size_t)hits.total * sizeof *ids) == 0);
    if (ask->total == 0) {
        free(ids);
        return;
    }
    room.total = 0;
    room.id_room = short_room;
    memset(ids, 0xEE, (size_t)bound * sizeof *ids);
    memset(offsets, 0, sizeof offsets);
    CHECK_REFUSED(throng_query_into(batch, crowd, &ask->questions, &room), THRONG_NO_ROOM);
    CHECK(room.total == ask->total && ids[short_room] == 0xEEEEEEEEu);
    CHECK_OK(throng_query(batch, crowd, &ask->questions, &hits));
    CHECK(memcmp(offsets, hits.offsets, sizeof offsets) == 0);
    CHECK(memcmp(ids, hits.ids, short_room * sizeof *ids) == 0);
    room.ids = NULL; /* asks for the number alone */
    room.id_room = 0;
    CHECK_REFUSED(throng_query_into(batch, crowd, &ask->questions, &room), THRONG_NO_ROOM);
    CHECK(room.total == ask->total);
    CHECK(throng_query_into(batch, crowd, &ask->questions, &room).index == ask->total);
    free(ids);
}

static void check_numbers(asked* ask, throng_batch* batch, const throng_crowd* crowd) {
    uint32_t counts[SHAPES], found[SHAPES];
    uint64_t sum = 0, some = 0;
    size_t q;
    CHECK_OK(throng_count(batch, crowd, &ask->questions, counts, SHAPES, &sum));
    CHECK_OK(throng_any(batch, crowd, &ask->questions, found, SHAPES, &some));
    CHECK(sum == ask->total && some == ask->some);
    for (q = 0; q < SHAPES; ++q) {
        CHECK(counts[q] == ask->counts[q]);
        CHECK(found[q] == (ask->counts[q] != 0));
    }
    CHECK_OK(throng_count(batch, crowd, &ask->questions, counts, SHAPES, NULL));
    CHECK_OK(throng_any(batch, crowd, &ask->questions, found, SHAPES, NULL));
    CHECK_REFUSED(throng_count(batch, crowd, &ask->questions, counts, SHAPES - 1, &sum),
                  THRONG_NO_ROOM);
    CHECK_REFUSED(throng_any(batch, crowd, &ask->questions, found, SHAPES - 1, &sum),
                  THRONG_NO_ROOM);
    CHECK(throng_any(batch, crowd, &ask->questions, found, SHAPES - 1, &sum).index == SHAPES);
}

static void check_alone(asked* ask, const throng_crowd* crowd) {
    size_t q;
    for (q = 0; q < SHAPES; ++q) {
        throng_questions one = ask->questions;
        throng_query_costs costs = THRONG_QUERY_COSTS_INIT;
        uint32_t ids[MOST];
        uint64_t total = 0, number = 99;
        uint32_t any = 99;
        size_t i, sets[3] = {0, 0, 0};
        one.shapes = shape_of(ask, q);
        one.count = 1;
        one.filters = filter_of(ask, q);
        one.filter_count = one.filters == NULL ? 0 : 1;
        CHECK_OK(throng_query_one(crowd, &one, ids, MOST, &total));
        CHECK(is_answer(ask->of, ids, (size_t)total, ask->wanted[q], ask->counts[q]));
        CHECK_OK(throng_count_one(crowd, &one, &number));
        CHECK_OK(throng_any_one(crowd, &one, &any));
        CHECK(number == ask->counts[q] && any == (number > 0 ? 1u : 0u));
        if (total > 0) {
            ids[total - 1] = 0xEEEEEEEEu;
            total = 0;
            CHECK_REFUSED(throng_query_one(crowd, &one, ids, ask->counts[q] - 1, &total),
                          THRONG_NO_ROOM);
            CHECK(total == ask->counts[q] && ids[total - 1] == 0xEEEEEEEEu);
        }
        for (i = 0; i < ask->counts[q]; ++i) {
            const uint32_t set = scene_set(ask->of, scene_place(ask->wanted[q][i]));
            ++sets[set == THRONG_SMALL ? 0 : set == THRONG_GIANTS ? 1 : 2];
        }
        CHECK_OK(throng_explain(crowd, &one, &costs));
        CHECK(costs.small_agents == sets[0] && costs.giants == sets[1] && costs.statics == sets[2]);
        CHECK(costs.path != NULL && costs.copied + costs.tested >= costs.small_agents);
        CHECK(costs.predicted_nanoseconds >= 0);
    }
}

/* All hits of a path in their order, at once and one after another. */
static void check_all_along(asked* ask, const throng_crowd* crowd, const throng_questions* one,
                            size_t q) {
    throng_meeting meetings[MOST], last = THRONG_BEFORE_ALL;
    uint32_t found[MOST];
    uint64_t total = 0;
    size_t i;
    const double rounding = ask->questions.shape / 10 != THRONG_CAPSULE2 / 10 ? 0 : 1e-5;
    CHECK_OK(throng_meetings_one(crowd, one, meetings, MOST, &total));
    CHECK(total == ask->counts[q]);
    for (i = 0; i < ask->counts[q]; ++i) {
        const double time = scene_time(ask->of, ask->questions.shape, shape_of(ask, q),
                                       scene_place(meetings[i].id));
        CHECK(fabs(meetings[i].time - time) <= rounding);
        CHECK(i == 0 || meetings[i - 1].time < meetings[i].time ||
              (meetings[i - 1].time == meetings[i].time && meetings[i - 1].id < meetings[i].id));
        CHECK_OK(throng_first_after_one(crowd, one, &last, &last));
        CHECK(memcmp(&last, &meetings[i], sizeof last) == 0);
        found[i] = meetings[i].id;
    }
    CHECK_OK(throng_first_after_one(crowd, one, &last, &last));
    CHECK(last.id == THRONG_NO_ID);
    sort_ids(found, ask->counts[q]);
    CHECK(memcmp(found, ask->wanted[q], ask->counts[q] * sizeof *found) == 0);
    if (total > 0) {
        CHECK_REFUSED(throng_meetings_one(crowd, one, meetings, (size_t)total - 1, &total),
                      THRONG_NO_ROOM);
        CHECK(total == ask->counts[q]);
    }
}

/* The first hits of paths, and their times. */
static void check_first(asked* ask, throng_batch* batch, const throng_crowd* crowd) {
    throng_meeting meetings[SHAPES];
    uint64_t sum = 0;
    size_t q, i;
    const int is_exact = ask->questions.shape / 10 != THRONG_CAPSULE2 / 10;
    CHECK_OK(throng_first(batch, crowd, &ask->questions, meetings, SHAPES, &sum));
    CHECK(sum == ask->some);
    for (q = 0; q < SHAPES; ++q) {
        double least = HUGE_VAL, of_answer = HUGE_VAL;
        uint32_t first = THRONG_NO_ID;
        for (i = 0; i < ask->counts[q]; ++i) {
            const uint32_t name = ask->wanted[q][i];
            const double time =
                scene_time(ask->of, ask->questions.shape, shape_of(ask, q), scene_place(name));
            if (name == meetings[q].id) { of_answer = time; }
            if (time < least) {
                least = time;
                first = name;
            }
        }
        if (is_exact || first == THRONG_NO_ID) { CHECK(meetings[q].id == first); }
        if (first == THRONG_NO_ID) { continue; }
        CHECK(fabs(meetings[q].time - least) <= (is_exact ? 0 : 1e-5));
        CHECK(fabs(of_answer - least) <= 1e-5); /* any of the earliest hits, up to rounding */
    }
    for (q = 0; q < SHAPES; ++q) {
        throng_questions one = ask->questions;
        throng_meeting meeting = {-1.0f, 0};
        one.shapes = shape_of(ask, q);
        one.count = 1;
        one.filters = filter_of(ask, q);
        one.filter_count = one.filters == NULL ? 0 : 1;
        CHECK_OK(throng_first_one(crowd, &one, &meeting));
        CHECK(memcmp(&meeting, &meetings[q], sizeof meeting) == 0);
        check_all_along(ask, crowd, &one, q);
    }
    CHECK_OK(throng_first(batch, crowd, &ask->questions, meetings, SHAPES, NULL));
    CHECK_REFUSED(throng_first(batch, crowd, &ask->questions, meetings, SHAPES - 1, &sum),
                  THRONG_NO_ROOM);
    CHECK(throng_first(batch, crowd, &ask->questions, meetings, SHAPES - 1, &sum).index == SHAPES);
}

static void check_shape(const scene* of, const throng_crowd* crowd, throng_batch* batch,
                        uint32_t shape) {
    asked* const ask = (asked*)need(sizeof *ask);
    const int is_path = shape / 10 >= THRONG_SEGMENT2 / 10 && shape / 10 <= THRONG_CAPSULE2 / 10;
    uint32_t seed = shape;
    uint32_t sets;
    size_t q;
    ask->of = of;
    ask->questions = (throng_questions)THRONG_QUESTIONS_INIT;
    ask->questions.shape = shape;
    ask->questions.count = SHAPES;
    ask->shapes = (unsigned char*)need(SHAPES * LARGEST);
    ask->questions.shapes = ask->shapes;
    for (q = 0; q < SHAPES; ++q) {
        double room[(LARGEST + sizeof(double) - 1) / sizeof(double)];
        memset(room, 0, sizeof room);
        ask->size = scene_shape(shape, &seed, room);
        memcpy(ask->shapes + q * ask->size, room, ask->size);
        ask->filters[q].groups = q % 3 == 0 ? THRONG_ALL_GROUPS : 0x5;
        ask->filters[q].without = (uint32_t)q;
    }
    check_lists(ask, batch, crowd);
    CHECK(ask->some > SHAPES / 4 && ask->some < SHAPES * MOST); /* otherwise this proves nothing */
    check_room(ask, batch, crowd);
    check_numbers(ask, batch, crowd);
    check_alone(ask, crowd);
    if (is_path) {
        check_first(ask, batch, crowd);
    } else {
        throng_meeting meetings[SHAPES];
        CHECK_REFUSED(throng_first(batch, crowd, &ask->questions, meetings, SHAPES, NULL),
                      THRONG_WRONG_VALUE);
    }
    for (sets = 0; sets <= THRONG_EVERYBODY; ++sets) {
        ask->questions.sets = sets;
        ask->questions.filters = ask->filters;
        ask->questions.filter_count = sets % 3 == 0 ? 0 : sets % 3 == 1 ? 1 : SHAPES;
        check_lists(ask, batch, crowd);
        check_numbers(ask, batch, crowd);
        if (is_path) { check_first(ask, batch, crowd); }
    }
    check_alone(ask, crowd);
    free(ask->shapes);
    free(ask);
}

/* Corners lie inside the region that is made from them; corners that are not convex are refused. */
static void check_corners(void) {
    const float square[8] = {0, 0, 2, 0, 2, 2, 0, 2};
    const float dented[10] = {0, 0, 2, 0, 1, 1, 2, 2, 0, 2};
    float corners[24], flat[24];
    throng_convex2 region;
    throng_convex3 frustum;
    size_t i, s;
    CHECK_OK(throng_polygon(square, 4, &region));
    CHECK(region.count == 4);
    for (i = 0; i < 4; ++i) {
        for (s = 0; s < region.count; ++s) {
            const throng_side2* const side = &region.sides[s];
            CHECK(side->normal[0] * square[2 * i] + side->normal[1] * square[2 * i + 1] <=
                  side->offset);
        }
    }
    CHECK(region.bounds.lo[0] == 0 && region.bounds.hi[1] == 2);
    CHECK_REFUSED(throng_polygon(dented, 5, &region), THRONG_NOT_CONVEX);
    CHECK_REFUSED(throng_polygon(square, 0, &region), THRONG_NOT_CONVEX);
    for (i = 0; i < 8; ++i) {
        corners[3 * i] = i < 4 ? 0.0f : 1.0f;
        corners[3 * i + 1] = i % 4 == 1 || i % 4 == 2 ? 1.0f : 0.0f;
        corners[3 * i + 2] = i % 4 >= 2 ? 1.0f : 0.0f;
    }
    CHECK_OK(throng_frustum(corners, &frustum));
    CHECK(frustum.count > 0 && frustum.count <= 8);
    for (i = 0; i < 24; ++i) {
        flat[i] = corners[i % 12];
    }
    CHECK_REFUSED(throng_frustum(flat, &frustum), THRONG_NOT_CONVEX);
}

void host_questions(uint32_t dimension) {
    static scene of;
    throng_crowd* crowd;
    throng_batch* batch = NULL;
    uint64_t bytes = 0;
    uint32_t shape;
    scene_make(&of, dimension, 2);
    crowd = scene_crowd(&of);
    CHECK_OK(throng_batch_create(NULL, &batch));
    for (shape = THRONG_BOX2 - 2 + dimension; shape <= THRONG_BODY_CYLINDER3; shape += 10) {
        check_shape(&of, crowd, batch, shape);
    }
    CHECK_OK(throng_batch_memory(batch, &bytes));
    CHECK(bytes > 0);
    CHECK_OK(throng_batch_release(batch));
    CHECK_OK(throng_batch_memory(batch, &bytes));
    CHECK(bytes == 0);
    check_shape(&of, crowd, batch, THRONG_BALL2 - 2 + dimension);
    CHECK_OK(throng_batch_destroy(batch));
    CHECK_OK(throng_batch_destroy(NULL));
    CHECK_OK(throng_crowd_destroy(crowd));
    check_corners();
}
