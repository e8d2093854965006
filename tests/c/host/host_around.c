/* Boxes in a world that is periodic on x, and sight past them among agents. */
#include "host.h"

#include "check.h"

#include <stddef.h>

void host_around(uint32_t dimension) {
    throng_crowd_settings settings = THRONG_CROWD_SETTINGS_INIT;
    throng_obstacles* obstacles = NULL;
    throng_crowd* crowd = NULL;
    throng_batch* batch = NULL;
    throng_points point = THRONG_POINTS_INIT;
    throng_questions path = THRONG_QUESTIONS_INIT;
    throng_agents agents = THRONG_AGENTS_INIT;
    throng_neighbourhood neighbourhood = THRONG_NEIGHBOURHOOD_INIT;
    throng_hits hits = THRONG_HITS_INIT;
    float box[6], at[3], way[6], near[8], positions[3][2];
    uint32_t a, sees = 7;
    settings.dimension = dimension;
    settings.given = THRONG_GIVEN_BOUNDS;
    settings.periodic = 1;
    for (a = 0; a < dimension; ++a) {
        settings.hi[a] = 8;
        box[a] = a == 0 ? 0.5f : 3.0f;
        box[dimension + a] = a == 0 ? 1.0f : 5.0f;
        at[a] = way[a] = way[dimension + a] = 4.0f;
        positions[a][0] = positions[a][1] = 4.0f;
        agents.position[a] = positions[a];
        agents.position_stride[a] = (ptrdiff_t)sizeof(float);
    }
    CHECK_OK(throng_obstacles_create(dimension, &obstacles));
    CHECK_OK(throng_obstacles_configure(obstacles, &settings));
    CHECK_OK(
        throng_obstacles_insert(obstacles, 3, THRONG_BOX2 - 2 + dimension, box, THRONG_ALL_GROUPS));
    at[0] = 7.0f; /* sees the box at 8.5 */
    point.dimension = dimension;
    point.coordinates = at;
    point.count = 1;
    CHECK_OK(throng_obstacles_nearest_one(obstacles, &point, NULL, near));
    CHECK(near[1] == 1.5f && near[2] == 8.5f);
    way[0] = 7.0f;
    way[dimension] = 10.0f;
    path.shape = THRONG_SEGMENT2 - 2 + dimension;
    path.shapes = way;
    path.count = 1;
    CHECK_OK(throng_obstacles_first_one(obstacles, &path, near));
    CHECK(near[1] == 0.5f && near[2] == 8.5f);
    CHECK_OK(throng_obstacles_sight_one(obstacles, &path, &sees));
    CHECK(sees == 0);
    box[0] = -3.0f;
    box[dimension] = 5.5f; /* wider than the world */
    CHECK_REFUSED(
        throng_obstacles_replace(obstacles, 3, THRONG_BOX2 - 2 + dimension, box, THRONG_ALL_GROUPS),
        THRONG_WRAPS);
    /* Two agents on both sides of the border, with the box between them, and without it. */
    positions[0][0] = 7.5f;
    positions[0][1] = 1.5f;
    agents.dimension = dimension;
    agents.count = 2;
    neighbourhood.radius = 2.5f;
    CHECK_OK(throng_crowd_create(&settings, &crowd));
    CHECK_OK(throng_crowd_update(crowd, &agents, NULL));
    CHECK_OK(throng_batch_create(NULL, &batch));
    CHECK_OK(throng_neighbours_in_sight(batch, crowd, obstacles, NULL, &neighbourhood, &hits));
    CHECK(hits.total == 0);
    CHECK_OK(throng_obstacles_clear(obstacles));
    CHECK_OK(throng_neighbours_in_sight(batch, crowd, obstacles, NULL, &neighbourhood, &hits));
    CHECK(hits.total == 2);
    settings.periodic = 0;
    CHECK_OK(throng_obstacles_configure(obstacles, &settings));
    CHECK_REFUSED(throng_neighbours_in_sight(batch, crowd, obstacles, NULL, &neighbourhood, &hits),
                  THRONG_WRAPS);
    settings.dimension = 5 - dimension;
    settings.hi[2] = 0;
    CHECK_REFUSED(throng_obstacles_configure(obstacles, &settings), THRONG_WRONG_DIMENSION);
    settings.dimension = dimension;
    settings.given = 0;
    settings.periodic = 1;
    CHECK_REFUSED(throng_obstacles_configure(obstacles, &settings), THRONG_MISSING);
    CHECK_OK(throng_batch_destroy(batch));
    CHECK_OK(throng_crowd_destroy(crowd));
    CHECK_OK(throng_obstacles_destroy(obstacles));
}
