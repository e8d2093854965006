/* Answers that the library passes to a visitor, some at a time. */
#include "host.h"

#include "check.h"

#include <string.h>

/* What a visitor has been shown, and after how much it stops. */
typedef struct seen {
    uint32_t ids[MOST];
    unsigned char pairs[MOST][MOST];
    size_t count, calls, enough;
} seen;

static int32_t see_ids(const uint32_t* ids, size_t count, void* user) {
    seen* const all = (seen*)user;
    ++all->calls;
    CHECK(count > 0 && all->count + count <= MOST);
    if (all->count + count > MOST) { return 0; }
    memcpy(all->ids + all->count, ids, count * sizeof *ids);
    all->count += count;
    return all->count < all->enough;
}

static int32_t see_pairs(const uint32_t* first, const uint32_t* second, size_t count, void* user) {
    seen* const all = (seen*)user;
    size_t i;
    ++all->calls;
    CHECK(count > 0);
    for (i = 0; i < count; ++i) {
        const size_t a = scene_place(first[i]), b = scene_place(second[i]);
        ++all->pairs[a < b ? a : b][a < b ? b : a];
    }
    all->count += count;
    return all->count < all->enough;
}

static void check_ids(const scene* of, const throng_crowd* crowd, uint32_t shape) {
    static seen all;
    uint32_t seed = shape, wanted[MOST];
    uint64_t visited = 0;
    int round;
    for (round = 0; round < 20; ++round) {
        double room[(sizeof(throng_convex3) + sizeof(double) - 1) / sizeof(double)];
        const throng_filter filter = {0x5, 3};
        throng_questions question = THRONG_QUESTIONS_INIT;
        size_t count;
        memset(room, 0, sizeof room);
        (void)scene_shape(shape, &seed, room);
        question.shape = shape;
        question.shapes = room;
        question.count = 1;
        question.sets = round % 4 == 3 ? THRONG_AGENTS : THRONG_EVERYBODY;
        question.filters = &filter;
        question.filter_count = round % 2 == 0 ? 0 : 1;
        count =
            scene_answer(of, shape, room, question.sets, round % 2 == 0 ? NULL : &filter, wanted);
        all.count = all.calls = 0;
        all.enough = MOST + 1;
        CHECK_OK(throng_visit_one(crowd, &question, see_ids, &all, &visited));
        CHECK(visited == count && is_answer(of, all.ids, all.count, wanted, count));
        if (count == 0) { continue; }
        all.count = all.calls = 0;
        all.enough = 1;
        CHECK_OK(throng_visit_one(crowd, &question, see_ids, &all, &visited));
        CHECK(all.calls == 1 && visited == all.count);
    }
}

static void check_pairs(const scene* of, const throng_crowd* crowd) {
    static seen all;
    throng_pairing what = THRONG_PAIRING_INIT;
    uint64_t visited = 0;
    size_t a, b, wanted = 0;
    what.sets = THRONG_ALL_PAIRS;
    memset(&all, 0, sizeof all);
    all.enough = (size_t)-1;
    CHECK_OK(throng_visit_pairs(crowd, &what, see_pairs, &all, &visited));
    for (a = 0; a < MOST; ++a) {
        for (b = a + 1; b < MOST; ++b) {
            const int are_statics = a >= MOST_AGENTS;
            const int overlap =
                of->is_there[a] && of->is_there[b] && !are_statics && scene_overlap(of, a, b);
            CHECK(all.pairs[a][b] == overlap);
            wanted += overlap ? 1 : 0;
        }
    }
    CHECK(wanted > 0 && visited == wanted && all.count == wanted);
    all.count = all.calls = 0;
    all.enough = 1;
    CHECK_OK(throng_visit_pairs(crowd, NULL, see_pairs, &all, &visited)); /* pairs of agents */
    CHECK(all.calls == 1 && visited == all.count);
    what.within = 1.0f;
    CHECK_REFUSED(throng_visit_pairs(crowd, &what, see_pairs, &all, NULL), THRONG_WRONG_VALUE);
}

/* The cell that a coordinate belongs to; those outside belong to the outermost. */
static int cell_of(float x) {
    const float cell = x / CELL;
    const int last = (int)(WORLD / CELL) - 1;
    return cell < 0 ? 0 : cell > (float)last ? last : (int)cell;
}

/* Whether the element is in the cell with this low corner. */
static int is_in(const scene* of, const float* lo, size_t place) {
    uint32_t a;
    for (a = 0; a < of->dimension; ++a) {
        if ((float)cell_of(of->position[place][a]) * CELL != lo[a]) { return 0; }
    }
    return 1;
}

static void check_cells(const scene* of, const throng_crowd* crowd) {
    static throng_cell cells[MOST];
    uint64_t total = 0, few = 0;
    size_t c, d, i, small = 0, giants = 0, there[2] = {0, 0};
    uint32_t a;
    CHECK_OK(throng_crowd_cells(crowd, cells, MOST, &total));
    for (i = 0; i < MOST_AGENTS; ++i) {
        if (of->is_there[i]) { ++there[of->is_giant[i] ? 1 : 0]; }
    }
    for (c = 0; c < total; ++c) {
        const throng_cell* const cell = cells + c;
        size_t inside = 0;
        for (a = of->dimension; a < 3; ++a) {
            CHECK(cell->lo[a] == 0 && cell->hi[a] == 0);
        }
        CHECK(c == 0 || cells[c - 1].set <= cell->set);
        if (cell->set == THRONG_GIANTS) {
            CHECK(cell->depth == 0 || cells[c - 1].set == THRONG_GIANTS);
            giants += cell->agents;
            continue;
        }
        CHECK(cell->set == THRONG_SMALL && cell->depth == 0 && cell->agents > 0);
        for (i = 0; i < MOST_AGENTS; ++i) {
            inside += of->is_there[i] && !of->is_giant[i] && is_in(of, cell->lo, i) ? 1 : 0;
        }
        CHECK(inside == cell->agents);
        for (a = 0; a < of->dimension; ++a) {
            CHECK(cell->hi[a] - cell->lo[a] == CELL);
        }
        for (d = 0; d < c; ++d) {
            CHECK(memcmp(cells[d].lo, cell->lo, sizeof cell->lo) != 0);
        }
        small += cell->agents;
    }
    CHECK(small == there[0] && giants == there[1] && giants > 0);
    CHECK_REFUSED(throng_crowd_cells(crowd, cells, (size_t)total - 1, &few), THRONG_NO_ROOM);
    CHECK(few == total && throng_crowd_cells(crowd, NULL, 0, &few).index == total);
}

void host_visits(uint32_t dimension) {
    static scene of;
    throng_crowd* crowd;
    scene_make(&of, dimension, 21);
    crowd = scene_crowd(&of);
    check_ids(&of, crowd, THRONG_BOX2 - 2 + dimension);
    check_ids(&of, crowd, THRONG_BALL2 - 2 + dimension);
    check_ids(&of, crowd, THRONG_RAY2 - 2 + dimension);
    check_pairs(&of, crowd);
    check_cells(&of, crowd);
    CHECK_OK(throng_crowd_destroy(crowd));
}
