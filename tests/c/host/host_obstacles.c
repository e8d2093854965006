/* Obstacles, and the answers of plain loops over them. */
#include "host.h"

#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BOXES 40
#define TURNED 20
#define THIN 30
#define OBSTACLES (BOXES + TURNED + THIN)
#define ASKED 60

/* An obstacle parallel to the axes: a box that grows by `reach`, with rounded corners. Boxes have
   no reach; walls and triangles, here plain lines, are wide on one axis and have `reach` on the
   others. */
typedef struct truth_box {
    float lo[3], hi[3], reach;
    uint32_t groups;
    int is_there;
} truth_box;

typedef struct yard {
    uint32_t dimension;
    truth_box all[OBSTACLES];
    float boxes[BOXES][6];
    float turned[TURNED][12];
    float thin[THIN][9];
    uint32_t groups[OBSTACLES];
} yard;

/* The world's size in half units: about the same number of obstacles are near in space as in the
   plane. */
static uint32_t wide_of(const yard* of) { return of->dimension == 2 ? 60 : 18; }

static float half_units(uint32_t* seed, uint32_t end) { return 0.5f * (float)draw(seed, end); }

/* The coordinates of obstacle `i`, in the library's layout. */
static void* place(yard* of, size_t i) {
    if (i < BOXES) { return of->boxes[i]; }
    return i < BOXES + TURNED ? (void*)of->turned[i - BOXES] : (void*)of->thin[i - BOXES - TURNED];
}

static uint32_t shape_of(const yard* of, size_t i) {
    if (i < BOXES) { return THRONG_BOX2 - 2 + of->dimension; }
    if (i < BOXES + TURNED) { return THRONG_ORIENTED_BOX2 - 2 + of->dimension; }
    return of->dimension == 2 ? THRONG_WALL2 : THRONG_TRIANGLE3;
}

/* Makes obstacle `i` anew, of the same kind; if `thick`, walls have a thickness. */
static void build(yard* of, size_t i, uint32_t* seed, int thick) {
    truth_box* const made = of->all + i;
    const uint32_t dim = of->dimension;
    float* const to = (float*)place(of, i);
    uint32_t a;
    memset(made, 0, sizeof *made);
    made->groups = of->groups[i] = 1u << draw(seed, 3);
    made->is_there = 1;
    for (a = 0; a < dim; ++a) {
        made->lo[a] = half_units(seed, wide_of(of));
        made->hi[a] = made->lo[a] + half_units(seed, 7);
    }
    if (i < BOXES) {
        memcpy(to, made->lo, dim * sizeof *to);
        memcpy(to + dim, made->hi, dim * sizeof *to);
    } else if (i < BOXES + TURNED) {
        memset(to, 0, sizeof of->turned[0]);
        for (a = 0; a < dim; ++a) {
            /* Edge `a` points along the next axis. */
            const uint32_t along = (a + 1) % dim;
            to[a] = 0.5f * (made->lo[a] + made->hi[a]);
            to[dim + a * dim + along] = 0.5f * (made->hi[along] - made->lo[along]);
        }
    } else {
        const uint32_t along = draw(seed, dim);
        for (a = 0; a < dim; ++a) {
            if (a != along) { made->hi[a] = made->lo[a]; }
        }
        memcpy(to, made->lo, dim * sizeof *to);
        memcpy(to + dim, made->hi, dim * sizeof *to);
        if (dim == 3) {
            memcpy(to + 6, made->hi, 3 * sizeof *to);
        } else {
            to[4] = thick ? half_units(seed, 3) : 0.0f;
            made->reach = 0.5f * to[4];
        }
    }
}

static throng_obstacles* yard_make(yard* of, uint32_t dimension, uint32_t* seed, int thick) {
    throng_obstacle_arrays arrays = THRONG_OBSTACLE_ARRAYS_INIT;
    throng_obstacles* made = NULL;
    size_t i;
    memset(of, 0, sizeof *of);
    of->dimension = dimension;
    for (i = 0; i < OBSTACLES; ++i) {
        build(of, i, seed, thick);
    }
    arrays.dimension = dimension;
    /* In the plane elements have unused floats behind them; in space the arrays are dense. */
    arrays.boxes = of->boxes[0];
    arrays.box_stride = (ptrdiff_t)sizeof of->boxes[0];
    arrays.box_count = BOXES;
    arrays.turned_boxes = of->turned[0];
    arrays.turned_box_stride = (ptrdiff_t)sizeof of->turned[0];
    arrays.turned_box_count = TURNED;
    if (dimension == 2) {
        arrays.walls = of->thin[0];
        arrays.wall_stride = (ptrdiff_t)sizeof of->thin[0];
        arrays.wall_count = THIN;
    } else {
        arrays.triangles = of->thin[0];
        arrays.triangle_count = THIN;
    }
    arrays.groups = of->groups;
    CHECK_OK(throng_obstacles_create(dimension, &made));
    CHECK_OK(throng_obstacles_set(made, &arrays, NULL));
    return made;
}

static int counts_for(const yard* of, size_t i, const throng_filter* filter) {
    return of->all[i].is_there &&
           (filter == NULL || ((of->all[i].groups & filter->groups) != 0 && filter->without != i));
}

/* The distance from a point to an obstacle, as the library defines it. */
static float distance(const yard* of, size_t i, const float* point) {
    const truth_box* const box = of->all + i;
    double square = 0, depth = INFINITY;
    uint32_t a;
    for (a = 0; a < of->dimension; ++a) {
        const double below = (double)box->lo[a] - point[a];
        const double above = (double)point[a] - box->hi[a];
        const double out = below > 0 ? below : above > 0 ? above : 0;
        square += out * out;
        if (-below < depth) { depth = -below; }
        if (-above < depth) { depth = -above; }
    }
    if (square == 0 && i < BOXES + TURNED) { return (float)(0 - depth); }
    return (float)(sqrt(square) - box->reach);
}

/* The first t in 0 ... 1 at which from + t * (to - from) is in the box; infinite if none is. */
static float entry(const yard* of, size_t i, const float* from, const float* to) {
    const truth_box* const box = of->all + i;
    double enter = 0, leave = 1;
    uint32_t a;
    for (a = 0; a < of->dimension; ++a) {
        const double way = (double)to[a] - from[a];
        const double down = (double)box->lo[a] - from[a], up = (double)box->hi[a] - from[a];
        if (way == 0) {
            if (down > 0 || up < 0) { return INFINITY; }
            continue;
        }
        enter = fmax(enter, (way > 0 ? down : up) / way);
        leave = fmin(leave, (way > 0 ? up : down) / way);
    }
    return enter <= leave ? (float)enter : INFINITY;
}

/* Writes the ids with a finite key, sorted by key, then by id. Returns how many. */
static size_t in_order(const float* keys, uint32_t* ids) {
    size_t count = 0, i;
    for (i = 0; i < OBSTACLES; ++i) {
        size_t at = count;
        if (!(keys[i] < INFINITY)) { continue; }
        ++count;
        for (; at > 0 && keys[ids[at - 1]] > keys[i]; --at) {
            ids[at] = ids[at - 1];
        }
        ids[at] = (uint32_t)i;
    }
    return count;
}

/* The id, the distance or time, and the unit normal of answer `i`. */
static uint32_t id_of(const yard* of, const float* answers, size_t i) {
    uint32_t id;
    memcpy(&id, answers + i * (2 + 2 * of->dimension), sizeof id);
    return id;
}
static const float* numbers_of(const yard* of, const float* answers, size_t i) {
    return answers + i * (2 + 2 * of->dimension) + 1;
}
static void check_normal(const yard* of, const float* numbers) {
    const float* const normal = numbers + 1 + of->dimension;
    double square = 0;
    uint32_t a;
    for (a = 0; a < of->dimension; ++a) {
        square += (double)normal[a] * normal[a];
    }
    CHECK(fabs(square - 1) < 1e-6);
}

#define ANSWER_FLOATS 8 /* floats of the longest answer */

/* All in each of many balls, in one call and in many. */
static void check_within_each(const yard* of, const throng_obstacles* obstacles,
                              const float* points, const throng_filter* filter, float within) {
    float shapes[ASKED * 4], all[ASKED * OBSTACLES * ANSWER_FLOATS];
    float alone[OBSTACLES * ANSWER_FLOATS];
    uint64_t offsets[ASKED + 1], total = 0, sum = 0;
    const uint32_t dim = of->dimension;
    throng_questions balls = THRONG_QUESTIONS_INIT;
    size_t q, i;
    for (q = 0; q < ASKED; ++q) {
        memcpy(shapes + q * (dim + 1), points + q * dim, dim * sizeof *shapes);
        shapes[q * (dim + 1) + dim] = within;
    }
    balls.shape = THRONG_BALL2 - 2 + dim;
    balls.shapes = shapes;
    balls.filters = filter;
    balls.filter_count = 1;
    balls.count = ASKED;
    CHECK_OK(throng_obstacles_within_each(obstacles, &balls, offsets, ASKED + 1, all,
                                          ASKED * OBSTACLES, NULL, &sum));
    CHECK(offsets[0] == 0 && offsets[ASKED] == sum);
    balls.count = 1;
    for (q = 0; q < ASKED; ++q) {
        balls.shapes = shapes + q * (dim + 1);
        CHECK_OK(throng_obstacles_within(obstacles, &balls, alone, OBSTACLES, &total));
        CHECK(offsets[q + 1] - offsets[q] == total);
        for (i = 0; i < total; ++i) {
            const size_t at = (size_t)offsets[q] + i;
            CHECK(id_of(of, all, at) == id_of(of, alone, i));
            CHECK(memcmp(numbers_of(of, all, at), numbers_of(of, alone, i),
                         (1 + 2 * dim) * sizeof(float)) == 0);
        }
    }
}

/* The nearest, and all in a ball. */
static void check_near(yard* of, const throng_obstacles* obstacles, uint32_t* seed) {
    float points[ASKED][3], many[ASKED * ANSWER_FLOATS], one[ANSWER_FLOATS];
    float within[OBSTACLES * ANSWER_FLOATS], keys[OBSTACLES], dense[3 * ASKED];
    uint32_t ids[OBSTACLES];
    throng_points asked = THRONG_POINTS_INIT;
    throng_obstacle_search search = THRONG_OBSTACLE_SEARCH_INIT;
    throng_filter filter = {3, THRONG_NO_ID};
    uint64_t sum = 0, found = 0;
    const uint32_t dim = of->dimension;
    size_t q, i;
    for (q = 0; q < ASKED; ++q) {
        uint32_t a;
        for (a = 0; a < dim; ++a) {
            points[q][a] = dense[q * dim + a] = half_units(seed, wide_of(of) + 6);
        }
    }
    asked.dimension = dim;
    asked.coordinates = dense;
    asked.count = ASKED;
    search.within = 1.5f;
    search.groups = filter.groups;
    search.without = filter.without = (uint32_t)draw(seed, OBSTACLES);
    CHECK_OK(throng_obstacles_nearest(obstacles, &asked, &search, many, ASKED, NULL, &sum));
    for (q = 0; q < ASKED; ++q) {
        throng_questions ball = THRONG_QUESTIONS_INIT;
        float shape[4];
        uint64_t total = 0;
        size_t count;
        for (i = 0; i < OBSTACLES; ++i) {
            const float there = distance(of, i, points[q]);
            keys[i] = counts_for(of, i, &filter) && there <= search.within ? there : INFINITY;
        }
        count = in_order(keys, ids);
        found += count != 0;
        asked.coordinates = dense + q * dim;
        asked.count = 1;
        CHECK_OK(throng_obstacles_nearest_one(obstacles, &asked, &search, one));
        CHECK(id_of(of, one, 0) == (count == 0 ? THRONG_NO_ID : ids[0]));
        CHECK(id_of(of, many, q) == id_of(of, one, 0));
        if (count != 0) {
            CHECK(numbers_of(of, one, 0)[0] == keys[ids[0]]);
            CHECK(memcmp(numbers_of(of, many, q), numbers_of(of, one, 0),
                         (1 + 2 * dim) * sizeof(float)) == 0);
            check_normal(of, numbers_of(of, one, 0));
        }
        memcpy(shape, points[q], dim * sizeof *shape);
        shape[dim] = search.within;
        ball.shape = THRONG_BALL2 - 2 + dim;
        ball.shapes = shape;
        ball.count = ball.filter_count = 1;
        ball.filters = &filter;
        CHECK_OK(throng_obstacles_within(obstacles, &ball, within, OBSTACLES, &total));
        CHECK(total == count);
        for (i = 0; i < count && i < total; ++i) {
            CHECK(id_of(of, within, i) == ids[i]);
            CHECK(numbers_of(of, within, i)[0] == keys[ids[i]]);
        }
        if (count > 1) { /* too little room: the first ones */
            memset(within, 0, sizeof within);
            CHECK_REFUSED(throng_obstacles_within(obstacles, &ball, within, 1, &total),
                          THRONG_NO_ROOM);
            CHECK(total == count && id_of(of, within, 0) == ids[0]);
            CHECK(numbers_of(of, within, 1)[0] == 0);
        }
    }
    CHECK(sum == found && found > ASKED / 4 && found < ASKED);
    check_within_each(of, obstacles, dense, &filter, search.within);
    /* Without search settings every obstacle counts, however far it is. */
    asked.coordinates = dense;
    CHECK_OK(throng_obstacles_nearest_one(obstacles, &asked, NULL, one));
    for (i = 0; i < OBSTACLES; ++i) {
        keys[i] = counts_for(of, i, NULL) ? distance(of, i, points[0]) : INFINITY;
    }
    CHECK(in_order(keys, ids) > 0 && id_of(of, one, 0) == ids[0]);
}

/* The first, all, and sight, along segments. */
static void check_paths(yard* of, const throng_obstacles* obstacles, uint32_t* seed) {
    float ends[ASKED][6], many[ASKED * ANSWER_FLOATS], one[ANSWER_FLOATS];
    float all[OBSTACLES * ANSWER_FLOATS], keys[OBSTACLES], dense[6 * ASKED];
    uint8_t clear[ASKED];
    uint32_t ids[OBSTACLES];
    throng_questions paths = THRONG_QUESTIONS_INIT;
    throng_filter filter = {5, THRONG_NO_ID};
    uint64_t hit = 0, seen = 0, found = 0;
    const uint32_t dim = of->dimension;
    size_t q, i;
    for (q = 0; q < ASKED; ++q) {
        uint32_t a;
        for (a = 0; a < dim; ++a) {
            ends[q][a] = half_units(seed, wide_of(of) + 6);
            ends[q][3 + a] = draw(seed, 2) == 0 ? ends[q][a] : half_units(seed, wide_of(of) + 6);
        }
        memcpy(dense + q * 2 * dim, ends[q], dim * sizeof(float));
        memcpy(dense + q * 2 * dim + dim, ends[q] + 3, dim * sizeof(float));
    }
    paths.shape = THRONG_SEGMENT2 - 2 + dim;
    paths.shapes = dense;
    paths.count = ASKED;
    paths.filters = &filter;
    paths.filter_count = 1;
    CHECK_OK(throng_obstacles_first(obstacles, &paths, many, ASKED, NULL, &hit));
    CHECK_OK(throng_obstacles_sight(obstacles, &paths, clear, ASKED, NULL, &seen));
    for (q = 0; q < ASKED; ++q) {
        uint64_t total = 0;
        uint32_t sees = 7;
        size_t count;
        for (i = 0; i < OBSTACLES; ++i) {
            keys[i] = counts_for(of, i, &filter) ? entry(of, i, ends[q], ends[q] + 3) : INFINITY;
        }
        count = in_order(keys, ids);
        found += count != 0;
        paths.shapes = dense + q * 2 * dim;
        paths.count = 1;
        CHECK_OK(throng_obstacles_first_one(obstacles, &paths, one));
        CHECK_OK(throng_obstacles_sight_one(obstacles, &paths, &sees));
        CHECK_OK(throng_obstacles_hits(obstacles, &paths, all, OBSTACLES, &total));
        CHECK(id_of(of, one, 0) == (count == 0 ? THRONG_NO_ID : ids[0]));
        CHECK(id_of(of, many, q) == id_of(of, one, 0));
        CHECK(sees == (count == 0) && clear[q] == sees && total == count);
        for (i = 0; i < count && i < total; ++i) {
            CHECK(id_of(of, all, i) == ids[i]);
            CHECK(numbers_of(of, all, i)[0] == keys[ids[i]]);
            check_normal(of, numbers_of(of, all, i));
        }
    }
    CHECK(hit == found && seen == ASKED - found && found > ASKED / 10 && found < ASKED);
}

/* The first obstacle that a moving box touches: a point finds the same among obstacles grown by the
   box. */
static void check_moving(yard* of, const throng_obstacles* obstacles, uint32_t* seed) {
    const uint32_t dim = of->dimension;
    size_t found = 0, q, i;
    for (q = 0; q < ASKED; ++q) {
        float shape[9], wide[3], to[3], keys[OBSTACLES], one[ANSWER_FLOATS];
        const float from[3] = {0, 0, 0};
        yard wider = *of;
        throng_questions question = THRONG_QUESTIONS_INIT;
        uint32_t ids[OBSTACLES], a;
        size_t count;
        for (a = 0; a < dim; ++a) {
            shape[a] = half_units(seed, wide_of(of));
            wide[a] = half_units(seed, 4);
            shape[dim + a] = shape[a] + wide[a];
            to[a] = shape[2 * dim + a] = half_units(seed, 9) - 2.0f;
            for (i = 0; i < OBSTACLES; ++i) {
                wider.all[i].lo[a] -= shape[dim + a];
                wider.all[i].hi[a] -= shape[a];
            }
        }
        for (i = 0; i < OBSTACLES; ++i) {
            keys[i] = counts_for(of, i, NULL) ? entry(&wider, i, from, to) : INFINITY;
        }
        count = in_order(keys, ids);
        found += count != 0;
        question.shape = THRONG_MOVING_BOX2 - 2 + dim;
        question.shapes = shape;
        question.count = 1;
        CHECK_OK(throng_obstacles_first_one(obstacles, &question, one));
        CHECK(id_of(of, one, 0) == (count == 0 ? THRONG_NO_ID : ids[0]));
        if (count != 0) { CHECK(numbers_of(of, one, 0)[0] == keys[ids[0]]); }
    }
    CHECK(found > ASKED / 10 && found < ASKED);
}

/* All obstacles that overlap boxes, turned or not. */
static void check_boxes(yard* of, const throng_obstacles* obstacles, uint32_t* seed) {
    const uint32_t dim = of->dimension;
    uint64_t sum = 0;
    int round;
    for (round = 0; round < ASKED; ++round) {
        float lo[3], hi[3], shape[12] = {0};
        uint32_t ids[OBSTACLES], wanted[OBSTACLES], a;
        throng_questions question = THRONG_QUESTIONS_INIT;
        uint64_t total = 0;
        size_t count = 0, i;
        const int is_turned = round % 2;
        for (a = 0; a < dim; ++a) {
            lo[a] = half_units(seed, wide_of(of));
            hi[a] = lo[a] + half_units(seed, 12);
        }
        for (a = 0; a < dim; ++a) {
            const uint32_t along = (a + 1) % dim;
            shape[a] = is_turned ? 0.5f * (lo[a] + hi[a]) : lo[a];
            if (is_turned) {
                shape[dim + a * dim + along] = 0.5f * (hi[along] - lo[along]);
            } else {
                shape[dim + a] = hi[a];
            }
        }
        for (i = 0; i < OBSTACLES; ++i) {
            int hit = counts_for(of, i, NULL);
            for (a = 0; a < dim; ++a) {
                hit = hit && of->all[i].lo[a] <= hi[a] && lo[a] <= of->all[i].hi[a];
            }
            if (hit) { wanted[count++] = (uint32_t)i; }
        }
        question.shape = (uint32_t)(is_turned ? THRONG_ORIENTED_BOX2 : THRONG_BOX2) - 2 + dim;
        question.shapes = shape;
        question.count = 1;
        CHECK_OK(throng_obstacles_overlaps(obstacles, &question, ids, OBSTACLES, &total));
        CHECK(total == count && memcmp(ids, wanted, count * sizeof *ids) == 0);
        sum += total;
        if (!is_turned) { /* the same question as a convex shape without sides */
            throng_convex2 plane = {0};
            throng_convex3 space = {0};
            memcpy(&plane.bounds, shape, sizeof plane.bounds);
            memcpy(&space.bounds, shape, sizeof space.bounds);
            question.shape = THRONG_CONVEX2 - 2 + dim;
            question.shapes = dim == 2 ? (const void*)&plane : (const void*)&space;
            CHECK_OK(throng_obstacles_overlaps(obstacles, &question, ids, OBSTACLES, &total));
            CHECK(total == count && memcmp(ids, wanted, count * sizeof *ids) == 0);
        }
    }
    CHECK(sum > 0);
}

static void check_yard(yard* of, const throng_obstacles* obstacles, uint32_t* seed) {
    throng_obstacle_counts counts = THRONG_OBSTACLE_COUNTS_INIT;
    uint64_t there = 0;
    uint32_t found = 0, i;
    for (i = 0; i < OBSTACLES; ++i) {
        there += of->all[i].is_there != 0;
        CHECK_OK(throng_obstacles_contains(obstacles, i, &found));
        CHECK(found == (of->all[i].is_there != 0));
    }
    CHECK_OK(throng_obstacles_count(obstacles, &counts));
    CHECK(counts.dimension == of->dimension && counts.obstacles == there);
    CHECK(counts.index_bytes > there * sizeof(float));
    check_near(of, obstacles, seed);
}

/* Saved obstacles, loaded in place of others. */
static void check_file(yard* of, const throng_obstacles* obstacles, uint32_t* seed) {
    throng_obstacles *copy = NULL, *other = NULL;
    char path[64];
    snprintf(path, sizeof path, "host_obstacles_%u.throng", (unsigned)of->dimension);
    CHECK_OK(throng_obstacles_save(obstacles, path));
    CHECK_OK(throng_obstacles_create(of->dimension, &copy));
    CHECK_OK(throng_obstacles_insert(copy, OBSTACLES + 7, shape_of(of, 0), place(of, 0), 1));
    CHECK_OK(throng_obstacles_load(copy, path));
    check_yard(of, copy, seed);
    CHECK_OK(throng_obstacles_create(5 - of->dimension, &other));
    CHECK_REFUSED(throng_obstacles_load(other, path), THRONG_OTHER_VERSION);
    CHECK_REFUSED(throng_obstacles_load(copy, "there/is/no/such.throng"), THRONG_IO_FAILED);
    CHECK_REFUSED(throng_obstacles_save(copy, "there/is/no/such.throng"), THRONG_IO_FAILED);
    CHECK_REFUSED(throng_obstacles_load(copy, NULL), THRONG_NULL_POINTER);
    check_yard(of, copy, seed);
    remove(path);
    CHECK_OK(throng_obstacles_destroy(other));
    CHECK_OK(throng_obstacles_destroy(copy));
}

void host_obstacles(uint32_t dimension) {
    static yard of;
    throng_obstacle_counts counts = THRONG_OBSTACLE_COUNTS_INIT;
    throng_obstacles* obstacles;
    uint32_t seed = 31, found = 0;
    size_t round;
    /* Distances to walls with a thickness are still exact. */
    obstacles = yard_make(&of, dimension, &seed, 1);
    check_yard(&of, obstacles, &seed);
    CHECK_OK(throng_obstacles_destroy(obstacles));
    CHECK_REFUSED(throng_obstacles_contains(obstacles, 0, &found), THRONG_DEAD_HANDLE);

    obstacles = yard_make(&of, dimension, &seed, 0);
    check_yard(&of, obstacles, &seed);
    check_paths(&of, obstacles, &seed);
    check_moving(&of, obstacles, &seed);
    check_boxes(&of, obstacles, &seed);
    for (round = 0; round < 200; ++round) {
        const uint32_t id = draw(&seed, OBSTACLES);
        const int was_there = of.all[id].is_there;
        if (was_there && draw(&seed, 2) == 0) {
            of.all[id].is_there = 0;
            CHECK_OK(throng_obstacles_erase(obstacles, id));
            CHECK_REFUSED(throng_obstacles_erase(obstacles, id), THRONG_ID_UNKNOWN);
            continue;
        }
        build(&of, id, &seed, 0);
        if (was_there) {
            CHECK_REFUSED(throng_obstacles_insert(obstacles, id, shape_of(&of, id), place(&of, id),
                                                  of.groups[id]),
                          THRONG_ID_TAKEN);
            CHECK_OK(throng_obstacles_replace(obstacles, id, shape_of(&of, id), place(&of, id),
                                              of.groups[id]));
        } else {
            CHECK_OK(throng_obstacles_insert(obstacles, id, shape_of(&of, id), place(&of, id),
                                             of.groups[id]));
        }
    }
    check_yard(&of, obstacles, &seed);
    check_paths(&of, obstacles, &seed);
    check_moving(&of, obstacles, &seed);
    check_boxes(&of, obstacles, &seed);
    check_file(&of, obstacles, &seed);
    CHECK_OK(throng_obstacles_clear(obstacles));
    CHECK_OK(throng_obstacles_release(obstacles));
    CHECK_OK(throng_obstacles_count(obstacles, &counts));
    CHECK(counts.obstacles == 0 && counts.staging_bytes == 0);
    CHECK_OK(throng_obstacles_destroy(obstacles));
    CHECK_OK(throng_obstacles_destroy(NULL));
}
