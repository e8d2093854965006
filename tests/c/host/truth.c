#include "truth.h"

#include "check.h"

#include <math.h>
#include <string.h>

/* The crowd. */

static void place_somebody(scene* of, size_t place, uint32_t* seed) {
    uint32_t a;
    for (a = 0; a < of->dimension; ++a) {
        /* A few stand outside, on either side. */
        of->position[place][a] = 0.5f * (float)draw(seed, (uint32_t)(2 * WORLD) + 9) - 2.0f;
    }
}

void scene_make(scene* made, uint32_t dimension, uint32_t seed) {
    size_t i;
    uint32_t a;
    memset(made, 0, sizeof *made);
    made->dimension = dimension;
    made->agents = MOST_AGENTS - 20; /* leaves room for insertions */
    made->statics = MOST_STATICS;
    for (i = 0; i < MOST; ++i) {
        const int is_static = i >= MOST_AGENTS;
        const int is_large = i % 29 == 11;
        place_somebody(made, i, &seed);
        for (a = 0; a < dimension; ++a) {
            made->half[i][a] = is_large ? 2.5f : 0.25f * (float)draw(&seed, 5);
        }
        made->groups[i] = i % 8 == 7 ? 0 : 1u << draw(&seed, 4);
        made->is_there[i] = is_static ? 1 : i < made->agents;
        made->is_giant[i] = !is_static && is_large;
    }
}

void scene_move(scene* moved, uint32_t seed) {
    size_t i;
    for (i = 0; i < moved->agents; ++i) {
        place_somebody(moved, i, &seed);
    }
}

static throng_agents agents_from(const scene* of, size_t first, size_t count) {
    throng_agents agents = throng_agents_interleaved(of->dimension, of->position[first], count,
                                                     (ptrdiff_t)sizeof of->position[0]);
    uint32_t a;
    for (a = 0; a < of->dimension; ++a) {
        agents.half_extent[a] = &of->half[first][a];
        agents.half_extent_stride[a] = (ptrdiff_t)sizeof of->half[0];
    }
    agents.groups = &of->groups[first];
    agents.groups_stride = (ptrdiff_t)sizeof of->groups[0];
    return agents;
}

throng_agents scene_agents(const scene* of) { return agents_from(of, 0, of->agents); }

throng_agents scene_statics(const scene* of) { return agents_from(of, MOST_AGENTS, of->statics); }

throng_crowd_settings scene_settings(const scene* of) {
    throng_crowd_settings settings = THRONG_CROWD_SETTINGS_INIT;
    uint32_t a;
    settings.dimension = of->dimension;
    settings.given = THRONG_GIVEN_BOUNDS | THRONG_GIVEN_CELL;
    for (a = 0; a < of->dimension; ++a) {
        settings.hi[a] = WORLD;
        settings.cell[a] = CELL;
    }
    return settings;
}

throng_crowd* scene_crowd(const scene* of) {
    const throng_crowd_settings settings = scene_settings(of);
    const throng_agents agents = scene_agents(of), statics = scene_statics(of);
    throng_crowd* crowd = NULL;
    CHECK_OK(throng_crowd_create(&settings, &crowd));
    CHECK_OK(throng_crowd_set_statics(crowd, &statics, NULL));
    CHECK_OK(throng_crowd_update(crowd, &agents, NULL));
    return crowd;
}

uint32_t scene_set(const scene* of, size_t place) {
    if (place >= MOST_AGENTS) { return THRONG_STATICS; }
    return of->is_giant[place] ? THRONG_GIANTS : THRONG_SMALL;
}

uint32_t scene_name(size_t place) {
    return place < MOST_AGENTS ? (uint32_t)place
                               : THRONG_FIRST_STATIC + (uint32_t)(place - MOST_AGENTS);
}

size_t scene_place(uint32_t name) {
    return name < THRONG_FIRST_STATIC ? name : MOST_AGENTS + (name - THRONG_FIRST_STATIC);
}

/* Shapes, as the arrays of floats that they are. */

static int box_finds(const scene* of, const float* lo, const float* hi, size_t i) {
    uint32_t a;
    for (a = 0; a < of->dimension; ++a) {
        const double centre = of->position[i][a], half = of->half[i][a];
        if (lo[a] > hi[a] || centre - half > hi[a] || centre + half < lo[a]) { return 0; }
    }
    return 1;
}

/* The offset from a coordinate to the nearest point of element i's body on one axis. */
static double way_to(const scene* of, float from, uint32_t body, uint32_t a, size_t i) {
    const double offset = (double)of->position[i][a] - from;
    const double half = body == THRONG_BODY_BOX ? of->half[i][a] : 0;
    return fmax(offset - half, 0) + fmin(offset + half, 0);
}

static int sector_finds(const scene* of, const float* sector, uint32_t body, size_t i) {
    const uint32_t dimension = of->dimension;
    const float* const direction = sector + dimension + 1;
    const double disc = body == THRONG_BODY_DISC ? of->half[i][0] : 0;
    const double radius = sector[dimension] + disc, cosine = direction[dimension];
    double ahead = 0, distance2 = 0, length2 = 0;
    uint32_t a;
    for (a = 0; a < dimension; ++a) {
        const double offset = way_to(of, sector[a], body, a, i);
        ahead += offset * direction[a];
        distance2 += offset * offset;
        length2 += (double)direction[a] * direction[a];
    }
    if (distance2 > radius * radius) { return 0; }
    if (distance2 <= disc * disc) { return 1; }
    if (cosine < 0) { return ahead >= 0 || ahead * ahead <= cosine * cosine * length2 * distance2; }
    return ahead >= 0 && ahead * ahead >= cosine * cosine * length2 * distance2;
}

/* Whether the path `from` + t * `way`, 0 <= t <= end, hits a box: no axis may separate the two. */
static int way_finds(const scene* of, const float* from, const double* way, double end, size_t i) {
    uint32_t a, b;
    for (a = 0; a < of->dimension; ++a) {
        const double last = from[a] + way[a] * end;
        const double centre = of->position[i][a], half = of->half[i][a];
        if (centre - half > fmax(from[a], last) || centre + half < fmin(from[a], last)) {
            return 0;
        }
        for (b = a + 1; b < of->dimension; ++b) {
            const double off = way[a] * ((double)of->position[i][b] - from[b]) -
                               way[b] * ((double)of->position[i][a] - from[a]);
            const double wide = of->half[i][a] * fabs(way[b]) + of->half[i][b] * fabs(way[a]);
            if (fabs(off) > wide) { return 0; }
        }
    }
    return 1;
}

/* Splits a path into its direction and the time of its end. */
static void way_of(const scene* of, uint32_t shape, const float* path, double* way, double* end) {
    const uint32_t dimension = of->dimension;
    const int is_ray = shape / 10 == THRONG_RAY2 / 10;
    uint32_t a;
    for (a = 0; a < dimension; ++a) {
        way[a] = is_ray ? path[dimension + a] : (double)path[dimension + a] - path[a];
    }
    *end = is_ray ? path[2 * dimension] : 1.0;
}

/* The squared distance between an element's centre and the centre of a moving disc at this time. */
static double distance2_at(const scene* of, const float* from, const double* way, double time,
                           size_t i) {
    double distance2 = 0;
    uint32_t a;
    for (a = 0; a < of->dimension; ++a) {
        const double offset = (double)of->position[i][a] - from[a] - way[a] * time;
        distance2 += offset * offset;
    }
    return distance2;
}

/* When a disc on an endless path is nearest to an element; 0 for a path of length 0. */
static double time_of_passing(const scene* of, const float* from, const double* way, size_t i,
                              double* length2) {
    double product = 0;
    uint32_t a;
    *length2 = 0;
    for (a = 0; a < of->dimension; ++a) {
        product += ((double)of->position[i][a] - from[a]) * way[a];
        *length2 += way[a] * way[a];
    }
    return *length2 > 0 ? product / *length2 : 0;
}

static int capsule_finds(const scene* of, const float* capsule, size_t i) {
    double way[3], end, length2, time;
    const double reach = (double)capsule[2 * of->dimension] + of->half[i][0];
    way_of(of, THRONG_CAPSULE2, capsule, way, &end);
    time = fmin(fmax(time_of_passing(of, capsule, way, i, &length2), 0), 1);
    return distance2_at(of, capsule, way, time, i) <= reach * reach;
}

static int is_beyond(const scene* of, const double* normal, double offset, size_t i) {
    double nearest = 0;
    uint32_t a;
    for (a = 0; a < of->dimension; ++a) {
        nearest += normal[a] * of->position[i][a] - fabs(normal[a]) * of->half[i][a];
    }
    return nearest > offset;
}

static int convex_finds(const scene* of, const float* sides, size_t count, const float* bounds,
                        size_t i) {
    const uint32_t dimension = of->dimension;
    size_t s;
    uint32_t a;
    if (!box_finds(of, bounds, bounds + dimension, i)) { return 0; }
    for (s = 0; s < count; ++s) {
        const float* const side = sides + s * (dimension + 1);
        double normal[3];
        for (a = 0; a < dimension; ++a) {
            normal[a] = side[a];
        }
        if (is_beyond(of, normal, side[dimension], i)) { return 0; }
    }
    return 1;
}

/* Tests the planes that bound the turned box: those of its bounding box, and in each direction the
   two that the other edges (in the plane: the other edge) span. */
static int oriented_box_finds(const scene* of, const float* box, size_t i) {
    const uint32_t dimension = of->dimension;
    const float* const edges = box + dimension;
    float bounds[6] = {0, 0, 0, 0, 0, 0};
    uint32_t a, e;
    for (a = 0; a < dimension; ++a) {
        float reach = 0;
        for (e = 0; e < dimension; ++e) {
            reach += fabsf(edges[e * dimension + a]);
        }
        bounds[a] = box[a] - reach;
        bounds[dimension + a] = box[a] + reach;
    }
    if (!box_finds(of, bounds, bounds + dimension, i)) { return 0; }
    for (e = 0; e < dimension; ++e) {
        const float* const own = edges + e * dimension;
        const float* const u = edges + (e + 1) % dimension * dimension;
        const float* const v = edges + (e + 2) % dimension * dimension;
        double normal[3], middle = 0, reach = 0;
        if (dimension == 2) {
            normal[0] = u[1];
            normal[1] = -(double)u[0];
        } else {
            for (a = 0; a < 3; ++a) {
                const uint32_t b = (a + 1) % 3, c = (a + 2) % 3;
                normal[a] = (double)u[b] * v[c] - (double)u[c] * v[b];
            }
        }
        for (a = 0; a < dimension; ++a) {
            middle += normal[a] * box[a];
            reach += normal[a] * own[a];
        }
        if (is_beyond(of, normal, middle + fabs(reach), i)) { return 0; }
        for (a = 0; a < dimension; ++a) {
            normal[a] = -normal[a];
        }
        if (is_beyond(of, normal, fabs(reach) - middle, i)) { return 0; }
    }
    return 1;
}

static int ball_finds(const scene* of, const float* ball, uint32_t body, size_t i) {
    const double disc = body == THRONG_BODY_DISC ? of->half[i][0] : 0;
    const double radius = ball[of->dimension] + disc;
    double distance2 = 0;
    uint32_t a;
    for (a = 0; a < of->dimension; ++a) {
        const double offset = way_to(of, ball[a], body, a, i);
        distance2 += offset * offset;
    }
    return distance2 <= radius * radius;
}

static int cylinder_finds(const scene* of, const float* centre, double radius, const float* band,
                          uint32_t up, uint32_t body, size_t i) {
    const double height = of->position[i][up];
    const double half = body == THRONG_BODY_BOX ? of->half[i][up] : 0;
    double distance2 = 0;
    uint32_t a;
    if (band[0] > band[1]) { return 0; }
    for (a = 0; a < of->dimension; ++a) {
        const double offset = way_to(of, centre[a], body, a, i);
        if (a != up) { distance2 += offset * offset; }
    }
    if (body == THRONG_BODY_DISC) {
        const double aside = fmax(sqrt(distance2) - radius, 0);
        const double above = fmax(fmax(band[0] - height, height - band[1]), 0);
        return aside * aside + above * above <= (double)of->half[i][0] * of->half[i][0];
    }
    return distance2 <= radius * radius && band[0] <= height + half && height - half <= band[1];
}

int scene_finds(const scene* of, uint32_t shape, const void* what, size_t place) {
    const float* const f = (const float*)what;
    const uint32_t d = of->dimension;
    double way[3], end;
    switch (shape - d) {
    case THRONG_BOX2 - 2:
        return box_finds(of, f, f + d, place);
    case THRONG_BALL2 - 2:
        return scene_distance2(of, f, place) <= f[d] * f[d];
    case THRONG_SEGMENT2 - 2:
    case THRONG_RAY2 - 2:
        way_of(of, shape, f, way, &end);
        return way_finds(of, f, way, end, place);
    case THRONG_CAPSULE2 - 2:
        return capsule_finds(of, f, place);
    case THRONG_SECTOR2 - 2:
        return sector_finds(of, f, THRONG_BODY_CENTRE, place);
    case THRONG_CONVEX2 - 2:
        if (d == 2) {
            const throng_convex2* const convex = (const throng_convex2*)what;
            return convex_finds(of, convex->sides[0].normal, convex->count, convex->bounds.lo,
                                place);
        } else {
            const throng_convex3* const convex = (const throng_convex3*)what;
            return convex_finds(of, convex->sides[0].normal, convex->count, convex->bounds.lo,
                                place);
        }
    case THRONG_ORIENTED_BOX2 - 2:
        return oriented_box_finds(of, f, place);
    case THRONG_CYLINDER2 - 2:
        return cylinder_finds(of, f, f[d], f + d + 1,
                              d == 2 ? ((const throng_cylinder2*)what)->up
                                     : ((const throng_cylinder3*)what)->up,
                              THRONG_BODY_CENTRE, place);
    case THRONG_BODY_BALL2 - 2:
        return ball_finds(of, f,
                          d == 2 ? ((const throng_body_ball2*)what)->body
                                 : ((const throng_body_ball3*)what)->body,
                          place);
    case THRONG_BODY_SECTOR2 - 2:
        return sector_finds(of, f,
                            d == 2 ? ((const throng_body_sector2*)what)->body
                                   : ((const throng_body_sector3*)what)->body,
                            place);
    case THRONG_BODY_CYLINDER2 - 2:
        return cylinder_finds(of, f, f[d], f + d + 1,
                              d == 2 ? ((const throng_body_cylinder2*)what)->up
                                     : ((const throng_body_cylinder3*)what)->up,
                              d == 2 ? ((const throng_body_cylinder2*)what)->body
                                     : ((const throng_body_cylinder3*)what)->body,
                              place);
    default:
        CHECK(shape == 0);
        return 0;
    }
}

/* Answers. */

int scene_wants(const scene* of, uint32_t sets, const throng_filter* filter, size_t place) {
    if (!of->is_there[place] || (sets & scene_set(of, place)) == 0) { return 0; }
    if (filter == NULL) { return 1; }
    return filter->without != scene_name(place) &&
           (filter->groups == THRONG_ALL_GROUPS || (filter->groups & of->groups[place]) != 0);
}

size_t scene_answer(const scene* of, uint32_t shape, const void* what, uint32_t sets,
                    const throng_filter* filter, uint32_t* names) {
    size_t place, count = 0;
    for (place = 0; place < MOST; ++place) {
        if (scene_wants(of, sets, filter, place) && scene_finds(of, shape, what, place)) {
            names[count++] = scene_name(place);
        }
    }
    return count;
}

float scene_distance2(const scene* of, const float* point, size_t place) {
    float distance2 = 0;
    uint32_t a;
    for (a = 0; a < of->dimension; ++a) {
        const float offset = of->position[place][a] - point[a];
        distance2 += offset * offset;
    }
    return distance2;
}

float scene_body_distance2(const scene* of, const float* point, const float* own, uint32_t body,
                           size_t place) {
    float distance2 = 0, gap, sum[3];
    uint32_t a;
    for (a = 0; a < of->dimension; ++a) {
        gap = of->position[place][a] - point[a];
        sum[a] = of->half[place][a] + (own != NULL ? own[a] : 0);
        if (body == THRONG_BODY_BOX) { gap = fmaxf(fabsf(gap) - sum[a], 0); }
        distance2 += gap * gap;
    }
    if (body != THRONG_BODY_DISC) { return distance2; }
    gap = fmaxf(sqrtf(distance2) - sum[0], 0);
    return gap * gap;
}

int scene_overlap(const scene* of, size_t a, size_t b) {
    uint32_t axis;
    for (axis = 0; axis < of->dimension; ++axis) {
        if (fabsf(of->position[a][axis] - of->position[b][axis]) >
            of->half[a][axis] + of->half[b][axis]) {
            return 0;
        }
    }
    return 1;
}

int scene_discs_overlap(const scene* of, size_t a, size_t b) {
    return sqrtf(scene_distance2(of, of->position[a], b)) <= of->half[a][0] + of->half[b][0];
}

double scene_time(const scene* of, uint32_t shape, const void* path, size_t place) {
    const float* const from = (const float*)path;
    double way[3], end, time = 0;
    uint32_t a;
    way_of(of, shape, from, way, &end);
    if (shape / 10 == THRONG_CAPSULE2 / 10) {
        double length2;
        const double reach = (double)from[2 * of->dimension] + of->half[place][0];
        const double passing = time_of_passing(of, from, way, place, &length2);
        const double deep =
            reach * reach - distance2_at(of, from, way, passing, place); /* below the rim */
        if (length2 == 0) { return 0; }
        return fmin(fmax(passing - sqrt(fmax(deep, 0) / length2), 0), 1);
    }
    for (a = 0; a < of->dimension; ++a) {
        const double near_side =
            of->position[place][a] + (way[a] > 0 ? -1.0 : 1.0) * of->half[place][a];
        if (way[a] != 0) { time = fmax(time, (float)((near_side - from[a]) / way[a])); }
    }
    return fmin(time, end);
}
