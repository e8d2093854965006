/* The questions of all agents at once: neighbours, pairs and the nearest. */
#include "host.h"

#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Writes all ids in this order, THRONG_NO_ID for an id without an agent. Returns how many. */
static size_t askers(const scene* of, const throng_crowd* crowd, uint32_t order, uint32_t* ids) {
    throng_crowd_counts counts = THRONG_CROWD_COUNTS_INIT;
    size_t i;
    CHECK_OK(throng_crowd_count(crowd, &counts));
    CHECK(throng_answers_bound(crowd, order) ==
          (order == THRONG_ORDER_IDS ? counts.id_bound : counts.agents));
    if (order == THRONG_ORDER_STORAGE) {
        CHECK_OK(throng_crowd_order(crowd, ids, MOST_AGENTS));
        return (size_t)counts.agents;
    }
    for (i = 0; i < counts.id_bound; ++i) {
        ids[i] = of->is_there[i] ? (uint32_t)i : THRONG_NO_ID;
    }
    return (size_t)counts.id_bound;
}

/* Neighbours. */

static size_t neighbours_of(const scene* of, uint32_t asker, const throng_neighbourhood* what,
                            uint32_t* names) {
    throng_filter filter;
    size_t place, count = 0;
    if (asker == THRONG_NO_ID) { return 0; }
    filter.groups = what->groups;
    filter.without = what->with_self ? THRONG_NO_ID : asker;
    for (place = 0; place < MOST; ++place) {
        if (scene_wants(of, what->sets, &filter, place) &&
            scene_distance2(of, of->position[asker], place) <= what->radius * what->radius) {
            names[count++] = scene_name(place);
        }
    }
    return count;
}

static void check_neighbours(const scene* of, const throng_crowd* crowd, throng_batch* batch,
                             const throng_neighbourhood* what) {
    static uint32_t ids[MOST_AGENTS], counts[MOST_AGENTS], wanted[MOST];
    uint64_t offsets[MOST_AGENTS + 1], sum = 0, total = 0;
    const size_t count = askers(of, crowd, what->order, ids);
    const uint64_t bound = throng_neighbours_bound(crowd, what->sets);
    uint32_t* const found = (uint32_t*)need((size_t)(bound + 1) * sizeof *found);
    throng_hits hits = THRONG_HITS_INIT;
    throng_hits_room room = THRONG_HITS_ROOM_INIT;
    size_t k;
    CHECK_OK(throng_neighbours(batch, crowd, what, &hits));
    CHECK(hits.count == count && hits.total == hits.offsets[count]);
    for (k = 0; k < count; ++k) {
        const size_t wanted_count = neighbours_of(of, ids[k], what, wanted);
        CHECK(is_answer(of, hits.ids + hits.offsets[k],
                        (size_t)(hits.offsets[k + 1] - hits.offsets[k]), wanted, wanted_count));
        total += wanted_count;
    }
    CHECK(hits.total == total && bound >= total);
    room.offsets = offsets;
    room.offset_room = count + 1;
    room.ids = found;
    room.id_room = (size_t)bound;
    CHECK_OK(throng_neighbours_into(batch, crowd, what, &room));
    CHECK(room.total == total);
    CHECK_OK(throng_neighbours(batch, crowd, what, &hits));
    CHECK(memcmp(offsets, hits.offsets, (count + 1) * sizeof *offsets) == 0);
    CHECK(total == 0 || memcmp(found, hits.ids, (size_t)total * sizeof *found) == 0);
    if (total > 0) {
        room.id_room = (size_t)total - 1;
        found[total - 1] = 0xEEEEEEEEu;
        CHECK_REFUSED(throng_neighbours_into(batch, crowd, what, &room), THRONG_NO_ROOM);
        CHECK(room.total == total && found[total - 1] == 0xEEEEEEEEu);
        CHECK(throng_neighbours_into(batch, crowd, what, &room).index == total);
    }
    room.offset_room = count; /* one too few */
    CHECK_REFUSED(throng_neighbours_into(batch, crowd, what, &room), THRONG_NO_ROOM);
    CHECK_OK(throng_count_neighbours(batch, crowd, what, counts, count, &sum));
    CHECK(sum == total);
    CHECK_OK(throng_neighbours(batch, crowd, what, &hits));
    for (k = 0; k < count; ++k) {
        CHECK(counts[k] == hits.offsets[k + 1] - hits.offsets[k]);
    }
    CHECK_REFUSED(throng_count_neighbours(batch, crowd, what, counts, count - 1, &sum),
                  THRONG_NO_ROOM);
    CHECK(throng_count_neighbours(batch, crowd, what, counts, count - 1, &sum).index == count);
    free(found);
}

static void check_all_neighbours(const scene* of, const throng_crowd* crowd, throng_batch* batch) {
    static const uint32_t sets[] = {THRONG_EVERYBODY, THRONG_AGENTS, THRONG_SMALL | THRONG_STATICS,
                                    THRONG_GIANTS};
    uint32_t i;
    for (i = 0; i < 8; ++i) {
        throng_neighbourhood what = THRONG_NEIGHBOURHOOD_INIT;
        what.radius = 1.5f;
        what.order = i % 2;
        what.with_self = i / 2 % 2;
        what.sets = sets[i % 4];
        what.groups = i < 4 ? THRONG_ALL_GROUPS : 0x3;
        check_neighbours(of, crowd, batch, &what);
    }
}

/* Pairs. */

static uint32_t pair_set(uint32_t a, uint32_t b) {
    if (a > b) { return pair_set(b, a); }
    if (b == THRONG_SMALL) { return THRONG_SMALL_SMALL; }
    if (b == THRONG_GIANTS) {
        return a == THRONG_SMALL ? THRONG_SMALL_GIANTS : THRONG_GIANTS_GIANTS;
    }
    return a == THRONG_SMALL    ? THRONG_SMALL_STATICS
           : a == THRONG_GIANTS ? THRONG_GIANTS_STATICS
                                : 0u;
}

static int are_pair(const scene* of, const throng_pairing* what, size_t a, size_t b) {
    if (what->within < 0 && what->body == THRONG_BODY_DISC) {
        return scene_discs_overlap(of, a, b);
    }
    return what->within < 0
               ? scene_overlap(of, a, b)
               : scene_distance2(of, of->position[a], b) <= what->within * what->within;
}

/* Marks pairs that overlap or are near; each pair once, the element at the smaller index first. */
static size_t mark_pairs(const scene* of, const throng_pairing* what, unsigned char* marks) {
    throng_filter filter;
    size_t a, b, count = 0;
    filter.groups = what->groups;
    filter.without = THRONG_NO_ID;
    memset(marks, 0, (size_t)MOST * MOST);
    for (a = 0; a < MOST; ++a) {
        for (b = a + 1; b < MOST; ++b) {
            if ((pair_set(scene_set(of, a), scene_set(of, b)) & what->sets) != 0 &&
                scene_wants(of, THRONG_EVERYBODY, &filter, a) &&
                scene_wants(of, THRONG_EVERYBODY, &filter, b) && are_pair(of, what, a, b)) {
                marks[a * MOST + b] = 1;
                ++count;
            }
        }
    }
    return count;
}

static void check_pairs(const scene* of, const throng_crowd* crowd, throng_batch* batch,
                        const throng_pairing* what) {
    static unsigned char marks[MOST * MOST];
    const size_t wanted = mark_pairs(of, what, marks);
    const uint64_t bound = throng_pairs_bound(crowd, what->sets);
    throng_pairs pairs = THRONG_PAIRS_INIT;
    throng_pairs_room room = THRONG_PAIRS_ROOM_INIT;
    uint32_t* const first = (uint32_t*)need((size_t)(bound + 1) * sizeof *first);
    uint32_t* const second = (uint32_t*)need((size_t)(bound + 1) * sizeof *second);
    uint64_t total = 0;
    size_t i;
    CHECK_OK(throng_find_pairs(batch, crowd, what, &pairs));
    CHECK(pairs.total == wanted && bound >= wanted);
    for (i = 0; i < pairs.total; ++i) {
        const size_t a = scene_place(pairs.first[i]), b = scene_place(pairs.second[i]);
        CHECK(scene_set(of, a) <= scene_set(of, b));
        CHECK(marks[a < b ? a * MOST + b : b * MOST + a] == 1);
        marks[a < b ? a * MOST + b : b * MOST + a] = 0;
    }
    CHECK_OK(throng_count_pairs(batch, crowd, what, &total));
    CHECK(total == wanted);
    room.first = first;
    room.second = second;
    room.room = (size_t)bound;
    CHECK_OK(throng_find_pairs_into(batch, crowd, what, &room));
    CHECK(room.total == wanted);
    CHECK_OK(throng_find_pairs(batch, crowd, what, &pairs));
    if (wanted > 0) {
        CHECK(memcmp(first, pairs.first, wanted * sizeof *first) == 0);
        CHECK(memcmp(second, pairs.second, wanted * sizeof *second) == 0);
        room.room = wanted - 1;
        first[wanted - 1] = 0xEEEEEEEEu;
        room.total = 0;
        CHECK_REFUSED(throng_find_pairs_into(batch, crowd, what, &room), THRONG_NO_ROOM);
        CHECK(throng_find_pairs_into(batch, crowd, what, &room).index == room.total);
        CHECK(room.total == wanted && first[wanted - 1] == 0xEEEEEEEEu);
    }
    free(first);
    free(second);
}

static void check_all_pairs(const scene* of, const throng_crowd* crowd, throng_batch* batch) {
    throng_pairing what = THRONG_PAIRING_INIT;
    throng_pairs pairs = THRONG_PAIRS_INIT;
    uint64_t total = 0;
    CHECK_OK(throng_find_pairs(batch, crowd, &what, &pairs));
    CHECK_OK(throng_count_pairs(batch, crowd, NULL, &total)); /* the same */
    CHECK(total == pairs.total);
    for (what.sets = 0; what.sets <= THRONG_ALL_PAIRS;
         what.sets += what.sets == 0 ? 1 : what.sets) {
        check_pairs(of, crowd, batch, &what);
    }
    what.sets = THRONG_ALL_PAIRS;
    check_pairs(of, crowd, batch, &what);
    what.body = THRONG_BODY_DISC;
    check_pairs(of, crowd, batch, &what);
    what.groups = 0x6;
    check_pairs(of, crowd, batch, &what);
    what.body = THRONG_BODY_CENTRE;
    check_pairs(of, crowd, batch, &what);
    for (what.sets = 0; what.sets <= THRONG_ALL_PAIRS; what.sets += 5) {
        for (what.within = 0; what.within < 4; what.within += 1.5f) {
            what.groups = what.sets % 2 == 0 ? THRONG_ALL_GROUPS : 0x6;
            check_pairs(of, crowd, batch, &what);
        }
    }
}

/* Pairs over time. */

/* Checks one frame: `then` holds the marks of the last frame, and gets those of this one. */
static void check_contacts(const scene* of, const throng_crowd* crowd, throng_contacts* contacts,
                           const throng_pairing* what, unsigned char* then) {
    static unsigned char now[MOST * MOST];
    throng_contact_frame frame = THRONG_CONTACT_FRAME_INIT;
    const size_t wanted = mark_pairs(of, what, now);
    uint64_t began = 0, ended = 0;
    size_t i;
    CHECK_OK(throng_contacts_update(contacts, crowd, what, &frame));
    CHECK(frame.pair_count == wanted);
    for (i = 0; i < wanted; ++i) {
        const throng_contact* const pair = frame.pairs + i;
        const size_t at = scene_place(pair->first) * MOST + scene_place(pair->second);
        CHECK(pair->first < pair->second && now[at] == 1);
        CHECK(i == 0 || pair[-1].first < pair->first ||
              (pair[-1].first == pair->first && pair[-1].second < pair->second));
        CHECK((frame.previous[i] == THRONG_NO_CONTACT) == (then[at] == 0));
        if (then[at] == 0) { CHECK(began < frame.began_count && frame.began[began++] == i); }
    }
    CHECK(began == frame.began_count);
    for (i = 0; i < frame.ended_count; ++i) {
        const throng_contact* const pair = frame.ended + i;
        const size_t at = scene_place(pair->first) * MOST + scene_place(pair->second);
        CHECK(then[at] == 1 && now[at] == 0);
        CHECK(i == 0 || frame.ended_previous[i - 1] < frame.ended_previous[i]);
    }
    for (i = 0; i < (size_t)MOST * MOST; ++i) {
        ended += then[i] == 1 && now[i] == 0;
    }
    CHECK(ended == frame.ended_count);
    memcpy(then, now, sizeof now);
}

static void check_all_contacts(const scene* of, const throng_crowd* crowd) {
    static unsigned char then[MOST * MOST];
    throng_contacts* contacts = NULL;
    throng_pairing what = THRONG_PAIRING_INIT;
    uint64_t bytes = 0, fewer = 0;
    memset(then, 0, sizeof then);
    CHECK_OK(throng_contacts_create(NULL, &contacts));
    CHECK_OK(throng_contacts_memory(contacts, &bytes));
    CHECK(bytes == 0);
    for (what.sets = 0; what.sets <= THRONG_ALL_PAIRS; what.sets += 5) {
        what.groups = what.sets % 2 == 0 ? THRONG_ALL_GROUPS : 0x6;
        what.within = what.sets % 3 == 0 ? 1.5f : -1.0f;
        what.body = what.sets % 3 == 1 ? THRONG_BODY_DISC : THRONG_BODY_CENTRE;
        check_contacts(of, crowd, contacts, &what, then);
        check_contacts(of, crowd, contacts, &what, then);
    }
    what.sets = THRONG_ALL_PAIRS;
    CHECK_OK(throng_contacts_memory(contacts, &bytes));
    CHECK_OK(throng_contacts_release(contacts));
    CHECK_OK(throng_contacts_memory(contacts, &fewer));
    CHECK(0 < fewer && fewer < bytes);
    check_contacts(of, crowd, contacts, &what, then);
    CHECK_OK(throng_contacts_clear(contacts));
    memset(then, 0, sizeof then);
    check_contacts(of, crowd, contacts, &what, then);
    CHECK_OK(throng_contacts_destroy(contacts));
    CHECK_OK(throng_contacts_destroy(NULL));
}

/* Lists that last. */

/* The calls of a visitor and the neighbours that they showed, for each agent: each agent is shown
   once, on whatever thread. */
typedef struct shown {
    size_t calls[MOST], neighbours[MOST];
} shown;

static void show_neighbours(uint32_t agent, const uint32_t* neighbours, size_t count, void* user) {
    shown* const all = (shown*)user;
    ++all->calls[agent];
    all->neighbours[agent] = neighbours == NULL && count != 0 ? MOST : count;
}

/* Checks the next frame of lasting lists; no agent has moved by more than `moved`. */
static void check_lasting_frame(scene* of, throng_crowd* crowd, throng_lasting* lasting,
                                const throng_neighbourhood* what, uint64_t lasted, float moved) {
    static uint32_t wanted[MOST];
    static shown all;
    const throng_agents agents = scene_agents(of);
    throng_lasting_frame frame = THRONG_LASTING_FRAME_INIT;
    throng_hits hits = THRONG_HITS_INIT;
    size_t k;
    CHECK_OK(throng_lasting_update(lasting, crowd, &agents, &frame));
    CHECK(frame.count == of->agents && frame.lasted == lasted && frame.moved == moved);
    CHECK_OK(throng_lasting_neighbours(lasting, &agents, &hits));
    CHECK(hits.count == frame.count);
    memset(&all, 0, sizeof all);
    CHECK_OK(throng_lasting_visit(lasting, &agents, show_neighbours, &all));
    for (k = 0; k < hits.count; ++k) {
        const size_t wanted_count = neighbours_of(of, frame.order[k], what, wanted);
        CHECK(all.calls[frame.order[k]] == 1 && all.neighbours[frame.order[k]] == wanted_count);
        const size_t found = (size_t)(hits.offsets[k + 1] - hits.offsets[k]);
        CHECK(found <= frame.offsets[k + 1] - frame.offsets[k]);
        CHECK(is_answer(of, hits.ids + hits.offsets[k], found, wanted, wanted_count));
    }
    CHECK(hits.total <= frame.offsets[frame.count]);
    CHECK(hits.total == 0 || frame.candidates != NULL);
}

static void check_all_lasting(uint32_t dimension) {
    static scene of;
    throng_crowd* crowd;
    throng_lasting* lasting = NULL;
    throng_lasting_settings settings = THRONG_LASTING_SETTINGS_INIT;
    throng_neighbourhood what = THRONG_NEIGHBOURHOOD_INIT;
    throng_hits hits = THRONG_HITS_INIT;
    throng_lasting_frame frame = THRONG_LASTING_FRAME_INIT;
    throng_agents agents;
    uint64_t bytes = 0, fewer = 0;
    size_t i;
    scene_make(&of, dimension, 5);
    crowd = scene_crowd(&of);
    settings.skin = -1;
    CHECK_REFUSED(throng_lasting_create(&settings, NULL, &lasting), THRONG_NEGATIVE);
    settings.radius = what.radius = 1.5f;
    settings.skin = 1;
    settings.groups = what.groups = 0x6;
    settings.with_self = what.with_self = 1;
    CHECK_OK(throng_lasting_create(&settings, NULL, &lasting));
    agents = scene_agents(&of);
    CHECK_REFUSED(throng_lasting_neighbours(lasting, &agents, &hits), THRONG_COUNT_MISMATCH);
    check_lasting_frame(&of, crowd, lasting, &what, 0, 0);
    for (i = 0; i < of.agents; i += 2) {
        of.position[i][0] += 0.5f; /* exactly half of the skin */
    }
    check_lasting_frame(&of, crowd, lasting, &what, 1, 0.5f);
    of.position[3][1] += 1;
    agents = scene_agents(&of);
    CHECK_REFUSED(throng_lasting_neighbours(lasting, &agents, &hits), THRONG_OUT_OF_RANGE);
    CHECK(throng_lasting_neighbours(lasting, &agents, &hits).index == 3);
    check_lasting_frame(&of, crowd, lasting, &what, 0, 0);
    CHECK_OK(throng_lasting_update(lasting, crowd, &agents, &frame));
    CHECK(frame.made == 2 && frame.lasted == 1);
    CHECK_OK(throng_lasting_memory(lasting, &bytes));
    CHECK_OK(throng_lasting_release(lasting));
    CHECK_OK(throng_lasting_memory(lasting, &fewer));
    CHECK(fewer < bytes);
    check_lasting_frame(&of, crowd, lasting, &what, 0, 0);
    CHECK_OK(throng_lasting_destroy(lasting));
    CHECK_OK(throng_lasting_destroy(NULL));
    CHECK_OK(throng_crowd_destroy(crowd));
}

/* The nearest. */

static int compare_near(const void* a, const void* b) {
    const throng_near x = *(const throng_near*)a, y = *(const throng_near*)b;
    if (x.distance2 != y.distance2) { return x.distance2 < y.distance2 ? -1 : 1; }
    return (x.id > y.id) - (x.id < y.id);
}

/* Writes all candidates for the nearest of a point, or of a body there, by distance. Returns how
   many of them the library should find. */
static uint32_t nearest_to(const scene* of, const float* point, const float* own,
                           const throng_nearest* what, uint32_t without, throng_near* near) {
    throng_filter filter;
    size_t place, count = 0;
    filter.groups = what->groups;
    filter.without = without;
    for (place = 0; place < MOST; ++place) {
        const float distance2 = scene_body_distance2(of, point, own, what->body, place);
        if (!scene_wants(of, what->sets, &filter, place) ||
            distance2 > what->radius * what->radius) {
            continue;
        }
        near[count].distance2 = distance2;
        near[count++].id = scene_name(place);
    }
    qsort(near, count, sizeof *near, compare_near);
    return count < what->k ? (uint32_t)count : what->k;
}

static int are_same(const throng_near* got, uint32_t got_count, const throng_near* wanted,
                    uint32_t wanted_count, uint32_t k) {
    uint32_t i;
    if (got_count != wanted_count) { return 0; }
    for (i = 0; i < k; ++i) {
        if (i < wanted_count) {
            if (got[i].id != wanted[i].id || got[i].distance2 != wanted[i].distance2) { return 0; }
        } else if (got[i].id != THRONG_NO_ID || !isinf(got[i].distance2)) {
            return 0;
        }
    }
    return 1;
}

/* Asks for the given points, or for all agents if `points` is NULL. */
static void check_nearest(const scene* of, const throng_crowd* crowd, throng_batch* batch,
                          const throng_points* points, const throng_nearest* what) {
    static throng_near wanted[MOST];
    static uint32_t ids[MOST_AGENTS];
    const size_t count = points != NULL ? points->count : askers(of, crowd, what->order, ids);
    const uint64_t bound = throng_nearest_bound(count, what->k);
    throng_near* const near = (throng_near*)need((size_t)bound * sizeof *near);
    uint32_t* const counts = (uint32_t*)need(count * sizeof *counts);
    throng_near_hits hits = THRONG_NEAR_HITS_INIT;
    throng_near_room room = THRONG_NEAR_ROOM_INIT;
    uint64_t total = 0;
    size_t q;
    CHECK(bound == count * what->k);
    if (points != NULL) {
        CHECK_OK(throng_find_nearest(batch, crowd, points, what, &hits));
    } else {
        CHECK_OK(throng_nearest_neighbours(batch, crowd, what, &hits));
    }
    CHECK(hits.count == count && hits.k == what->k);
    for (q = 0; q < count; ++q) {
        const float* const at = points != NULL ? points->coordinates + q * of->dimension
                                               : of->position[ids[q] == THRONG_NO_ID ? 0 : ids[q]];
        const float* const own =
            points != NULL ? NULL : of->half[ids[q] == THRONG_NO_ID ? 0 : ids[q]];
        const uint32_t without = points != NULL    ? what->without
                                 : what->with_self ? THRONG_NO_ID
                                                   : ids[q];
        const uint32_t wanted_count = points == NULL && ids[q] == THRONG_NO_ID
                                          ? 0
                                          : nearest_to(of, at, own, what, without, wanted);
        CHECK(are_same(hits.nearest + q * what->k, hits.counts[q], wanted, wanted_count, what->k));
        total += wanted_count;
    }
    room.nearest = near;
    room.near_room = (size_t)bound;
    room.counts = counts;
    room.count_room = count;
    if (points != NULL) {
        CHECK_OK(throng_find_nearest_into(batch, crowd, points, what, &room));
        CHECK_OK(throng_find_nearest(batch, crowd, points, what, &hits));
    } else {
        CHECK_OK(throng_nearest_neighbours_into(batch, crowd, what, &room));
        CHECK_OK(throng_nearest_neighbours(batch, crowd, what, &hits));
    }
    if (points != NULL) {
        for (q = 0; q < count; ++q) {
            throng_points point = *points;
            uint64_t found = 0;
            point.coordinates += q * of->dimension;
            point.count = 1;
            CHECK_OK(throng_find_nearest_one(crowd, &point, what, wanted, what->k, &found));
            CHECK(found == hits.counts[q]);
            CHECK(memcmp(wanted, hits.nearest + q * what->k, what->k * sizeof *wanted) == 0);
        }
    }
    CHECK(room.total == total);
    CHECK(memcmp(near, hits.nearest, (size_t)bound * sizeof *near) == 0);
    CHECK(memcmp(counts, hits.counts, count * sizeof *counts) == 0);
    room.near_room = (size_t)bound - 1;
    CHECK_REFUSED(points != NULL ? throng_find_nearest_into(batch, crowd, points, what, &room)
                                 : throng_nearest_neighbours_into(batch, crowd, what, &room),
                  THRONG_NO_ROOM);
    room.near_room = (size_t)bound;
    room.count_room = count - 1;
    CHECK_REFUSED(points != NULL ? throng_find_nearest_into(batch, crowd, points, what, &room)
                                 : throng_nearest_neighbours_into(batch, crowd, what, &room),
                  THRONG_NO_ROOM);
    free(near);
    free(counts);
}

static void check_all_nearest(const scene* of, const throng_crowd* crowd, throng_batch* batch) {
    float coordinates[30 * 3];
    throng_points points = THRONG_POINTS_INIT;
    uint32_t i, seed = 5;
    points.dimension = of->dimension;
    points.coordinates = coordinates;
    points.count = 30;
    for (i = 0; i < 30 * of->dimension; ++i) { /* points on agents, beside them, and far from all */
        coordinates[i] = 0.25f * (float)draw(&seed, 80) - (i < 6 ? 100.0f : 0.0f);
    }
    for (i = 0; i < 6; ++i) {
        throng_nearest what = THRONG_NEAREST_INIT;
        what.k = i == 0 ? 1 : 5 * i;
        if (i % 2 == 1) { what.radius = 2; }
        what.sets = i % 3 == 0 ? THRONG_EVERYBODY : i % 3 == 1 ? THRONG_AGENTS : THRONG_STATICS;
        what.groups = i < 4 ? THRONG_ALL_GROUPS : 0xA;
        what.without = i;
        for (what.body = THRONG_BODY_CENTRE; what.body <= THRONG_BODY_DISC; ++what.body) {
            check_nearest(of, crowd, batch, &points, &what);
        }
        what.without = THRONG_NO_ID;
        what.order = i % 2;
        what.with_self = i / 2 % 2;
        for (what.body = THRONG_BODY_CENTRE; what.body <= THRONG_BODY_DISC; ++what.body) {
            check_nearest(of, crowd, batch, NULL, &what);
        }
    }
}

void host_everybody(uint32_t dimension) {
    static scene of;
    throng_crowd* crowd;
    throng_batch* batch = NULL;
    throng_edit gone[2];
    scene_make(&of, dimension, 3);
    crowd = scene_crowd(&of);
    CHECK_OK(throng_batch_create(NULL, &batch));
    memset(gone, 0, sizeof gone);
    gone[0].kind = gone[1].kind = THRONG_ERASE; /* so that the ids have gaps */
    gone[0].id = 17;
    gone[1].id = 11; /* a giant */
    of.is_there[17] = of.is_there[11] = 0;
    CHECK_OK(throng_crowd_edit(crowd, gone, 2, NULL));
    check_all_neighbours(&of, crowd, batch);
    check_all_pairs(&of, crowd, batch);
    check_all_contacts(&of, crowd);
    check_all_lasting(dimension);
    check_all_nearest(&of, crowd, batch);
    CHECK_OK(throng_batch_destroy(batch));
    CHECK_OK(throng_crowd_destroy(crowd));
}
