/* Agents in sight of others past obstacles, and neighbours whose lines of sight are asked one by
   one. */
#include "host.h"

#include "check.h"

#include <stdlib.h>

#define AGENTS 200
#define WALLS 30

/* Coordinates in half units, so that lines along the axes touch walls exactly. */
static float half_units(uint32_t* seed, uint32_t end) { return 0.5f * (float)draw(seed, end); }

/* Whether these are the ids of `all` that are seen from `from`. */
static void check_list(const throng_obstacles* obstacles, uint32_t dimension, const float* from,
                       const float* positions, const uint32_t* all, size_t count,
                       const uint32_t* seen, size_t seen_count) {
    size_t next = 0, i;
    for (i = 0; i < count; ++i) {
        float look[6];
        throng_questions path = THRONG_QUESTIONS_INIT;
        uint32_t clear = 7, a;
        for (a = 0; a < dimension; ++a) {
            look[a] = from[a];
            look[dimension + a] = positions[all[i] * dimension + a];
        }
        path.shape = THRONG_SEGMENT2 - 2 + dimension;
        path.shapes = look;
        path.count = 1;
        CHECK_OK(throng_obstacles_sight_one(obstacles, &path, &clear));
        if (clear == 0) { continue; }
        CHECK(next < seen_count && seen[next] == all[i]);
        ++next;
    }
    CHECK(next == seen_count);
}

void host_sight(uint32_t dimension) {
    const uint32_t wide = dimension == 2 ? 40 : 16;
    uint32_t seed = 17 + dimension, counts[AGENTS], numbers[AGENTS];
    float positions[AGENTS * 3], walls[WALLS * 6], balls[AGENTS * 4];
    uint64_t offsets[AGENTS + 1], sum = 0;
    uint32_t* const ids = malloc(AGENTS * AGENTS * sizeof *ids);
    throng_crowd_settings settings = THRONG_CROWD_SETTINGS_INIT;
    throng_agents agents;
    throng_obstacle_arrays arrays = THRONG_OBSTACLE_ARRAYS_INIT;
    throng_neighbourhood near = THRONG_NEIGHBOURHOOD_INIT;
    throng_questions view = THRONG_QUESTIONS_INIT;
    throng_hits hits = THRONG_HITS_INIT;
    const throng_filter glass = {0, THRONG_NO_ID};
    throng_crowd* crowd = NULL;
    throng_batch* batch = NULL;
    throng_obstacles *obstacles = NULL, *others = NULL;
    size_t i;
    CHECK(ids != NULL);
    for (i = 0; i < AGENTS; ++i) {
        uint32_t a;
        for (a = 0; a < dimension; ++a) {
            positions[i * dimension + a] = half_units(&seed, wide);
            balls[i * (dimension + 1) + a] = positions[i * dimension + a];
        }
        balls[i * (dimension + 1) + dimension] = 3.0f;
    }
    for (i = 0; i < WALLS; ++i) {
        uint32_t a;
        for (a = 0; a < dimension; ++a) {
            walls[i * 2 * dimension + a] = half_units(&seed, wide);
            walls[i * 2 * dimension + dimension + a] =
                walls[i * 2 * dimension + a] + half_units(&seed, 4);
        }
    }
    settings.dimension = dimension;
    agents = throng_agents_interleaved(dimension, positions, AGENTS,
                                       (ptrdiff_t)(dimension * sizeof(float)));
    arrays.dimension = dimension;
    arrays.boxes = walls;
    arrays.box_count = WALLS;
    CHECK_OK(throng_crowd_create(&settings, &crowd));
    CHECK_OK(throng_crowd_update(crowd, &agents, NULL));
    CHECK_OK(throng_batch_create(NULL, &batch));
    CHECK_OK(throng_obstacles_create(dimension, &obstacles));
    CHECK_OK(throng_obstacles_set(obstacles, &arrays, NULL));
    near.radius = 3.0f;
    near.order = THRONG_ORDER_IDS;
    CHECK_OK(throng_neighbours(batch, crowd, &near, &hits));
    CHECK(hits.count == AGENTS);
    for (i = 0; i <= AGENTS; ++i) {
        offsets[i] = hits.offsets[i];
    }
    for (i = 0; i < hits.total; ++i) {
        ids[i] = hits.ids[i];
    }

    CHECK_OK(throng_neighbours_in_sight(batch, crowd, obstacles, NULL, &near, &hits));
    CHECK(hits.count == AGENTS && hits.total > 0 && hits.total < offsets[AGENTS]);
    for (i = 0; i < AGENTS; ++i) {
        check_list(obstacles, dimension, positions + i * dimension, positions, ids + offsets[i],
                   (size_t)(offsets[i + 1] - offsets[i]), hits.ids + hits.offsets[i],
                   (size_t)(hits.offsets[i + 1] - hits.offsets[i]));
    }
    CHECK_OK(throng_count_neighbours_in_sight(batch, crowd, obstacles, NULL, &near, counts, AGENTS,
                                              &sum));
    CHECK(sum == hits.total);
    for (i = 0; i < AGENTS; ++i) {
        CHECK(counts[i] == hits.offsets[i + 1] - hits.offsets[i]);
    }
    /* Obstacles outside the groups that block sight hide no agent. */
    CHECK_OK(throng_count_neighbours_in_sight(batch, crowd, obstacles, &glass, &near, counts,
                                              AGENTS, &sum));
    CHECK(sum == offsets[AGENTS]);

    view.shape = THRONG_BALL2 - 2 + dimension;
    view.shapes = balls;
    view.count = AGENTS;
    CHECK_OK(throng_query(batch, crowd, &view, &hits));
    for (i = 0; i <= AGENTS; ++i) {
        offsets[i] = hits.offsets[i];
    }
    for (i = 0; i < hits.total; ++i) {
        ids[i] = hits.ids[i];
    }
    CHECK_OK(throng_query_in_sight(batch, crowd, obstacles, NULL, &view, &hits));
    for (i = 0; i < AGENTS; ++i) {
        check_list(obstacles, dimension, positions + i * dimension, positions, ids + offsets[i],
                   (size_t)(offsets[i + 1] - offsets[i]), hits.ids + hits.offsets[i],
                   (size_t)(hits.offsets[i + 1] - hits.offsets[i]));
    }
    CHECK_OK(throng_count_in_sight(batch, crowd, obstacles, NULL, &view, numbers, AGENTS, &sum));
    CHECK(sum == hits.total && sum < offsets[AGENTS]);
    for (i = 0; i < AGENTS; ++i) {
        CHECK(numbers[i] == hits.offsets[i + 1] - hits.offsets[i]);
    }

    /* Only balls and sectors are fields of view, and obstacles must be of the crowd's dimension. */
    view.shape = THRONG_BOX2 - 2 + dimension;
    view.shapes = walls;
    view.count = WALLS;
    CHECK_REFUSED(throng_query_in_sight(batch, crowd, obstacles, NULL, &view, &hits),
                  THRONG_WRONG_VALUE);
    CHECK_OK(throng_obstacles_create(5 - dimension, &others));
    CHECK_REFUSED(throng_neighbours_in_sight(batch, crowd, others, NULL, &near, &hits),
                  THRONG_WRONG_DIMENSION);
    CHECK_OK(throng_obstacles_destroy(others));
    CHECK_OK(throng_obstacles_destroy(obstacles));
    CHECK_OK(throng_batch_destroy(batch));
    CHECK_OK(throng_crowd_destroy(crowd));
    free(ids);
}
