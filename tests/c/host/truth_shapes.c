/* Shapes to ask with, whose coordinates are never rounded. */
#include "check.h"
#include "truth.h"

#include <string.h>

static void some_place(uint32_t dimension, uint32_t* seed, float* point) {
    uint32_t a;
    for (a = 0; a < dimension; ++a) {
        point[a] = 0.5f * (float)draw(seed, (uint32_t)(2 * WORLD) + 1);
    }
}

/* Whole numbers from -2 to 2 on each axis; the direction is never zero. */
static void some_direction(uint32_t dimension, uint32_t* seed, float* direction) {
    uint32_t a;
    for (a = 0; a < dimension; ++a) {
        direction[a] = (float)draw(seed, 5) - 2.0f;
    }
    if (direction[0] == 0) { direction[0] = 1; }
}

/* A path along an axis or a diagonal of two, or of length 0. The squares of its lengths are powers
   of two. */
static void some_way(uint32_t dimension, uint32_t* seed, float* from, float* to) {
    const uint32_t a = draw(seed, dimension), b = draw(seed, dimension);
    const float length = (float)(4u * draw(seed, 3));
    some_place(dimension, seed, from);
    memcpy(to, from, dimension * sizeof *to);
    to[a] += length == 8 && a != b ? 8.0f : length;
    if (a != b && draw(seed, 2) == 0) { to[b] -= length; }
}

static void some_corners(uint32_t* seed, float* corners) {
    /* Corners of a house, in either sense of rotation. */
    static const float house[5][2] = {{0, 0}, {4, 0}, {4, 3}, {2, 5}, {0, 3}};
    const int reversed = draw(seed, 2) == 0;
    float at[2];
    size_t i;
    some_place(2, seed, at);
    for (i = 0; i < 5; ++i) {
        const size_t from = reversed ? 4 - i : i;
        corners[2 * i] = at[0] + house[from][0];
        corners[2 * i + 1] = at[1] + house[from][1];
    }
}

static void some_frustum(uint32_t* seed, float* corners) {
    /* A view along x, twice as wide at its far side. */
    static const float around[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    float at[3];
    size_t i;
    some_place(3, seed, at);
    for (i = 0; i < 8; ++i) {
        const float wide = i < 4 ? 2.0f : 4.0f;
        corners[3 * i] = at[0] + (i < 4 ? 0.0f : 4.0f);
        corners[3 * i + 1] = at[1] + wide * around[i % 4][0];
        corners[3 * i + 2] = at[2] + wide * around[i % 4][1];
    }
}

size_t scene_shape(uint32_t shape, uint32_t* seed, void* out) {
    static const float cosines[] = {-1.0f, -0.5f, 0.0f, 0.5f, 1.0f};
    const uint32_t d = shape % 10;
    float* const f = (float*)out;
    float corners[24];
    size_t plain;
    uint32_t a;
    some_place(d, seed, f);
    switch (shape - d) {
    case THRONG_BOX2 - 2:
        for (a = 0; a < d; ++a) {
            f[d + a] = f[a] + 0.5f * (float)draw(seed, 12) - (draw(seed, 16) == 0 ? 1.0f : 0.0f);
        }
        return 2 * d * sizeof *f;
    case THRONG_BALL2 - 2:
        f[d] = 0.5f * (float)draw(seed, 12);
        return (d + 1) * sizeof *f;
    case THRONG_SEGMENT2 - 2:
        some_place(d, seed, f + d);
        return 2 * d * sizeof *f;
    case THRONG_RAY2 - 2:
        some_direction(d, seed, f + d);
        f[2 * d] = (float)draw(seed, 9);
        return (2 * d + 1) * sizeof *f;
    case THRONG_CAPSULE2 - 2:
        some_way(d, seed, f, f + d);
        f[2 * d] = 0.25f * (float)draw(seed, 6);
        return (2 * d + 1) * sizeof *f;
    case THRONG_SECTOR2 - 2:
        f[d] = (float)draw(seed, 8);
        some_direction(d, seed, f + d + 1);
        f[2 * d + 1] = cosines[draw(seed, 5)];
        return (2 * d + 2) * sizeof *f;
    case THRONG_CONVEX2 - 2:
        if (d == 2) {
            some_corners(seed, corners);
            CHECK_OK(throng_polygon(corners, 5, (throng_convex2*)out));
            return sizeof(throng_convex2);
        }
        some_frustum(seed, corners);
        CHECK_OK(throng_frustum(corners, (throng_convex3*)out));
        return sizeof(throng_convex3);
    case THRONG_CYLINDER2 - 2:
        f[d] = 0.5f * (float)draw(seed, 12);
        f[d + 1] = 0.5f * (float)draw(seed, (uint32_t)(2 * WORLD) + 1);
        f[d + 2] = f[d + 1] + 0.5f * (float)draw(seed, 12) - (draw(seed, 16) == 0 ? 1.0f : 0.0f);
        if (d == 2) {
            ((throng_cylinder2*)out)->up = 1;
            return sizeof(throng_cylinder2);
        }
        ((throng_cylinder3*)out)->up = 1 + draw(seed, 2);
        return sizeof(throng_cylinder3);
    case THRONG_BODY_BALL2 - 2:
    case THRONG_BODY_SECTOR2 - 2:
    case THRONG_BODY_CYLINDER2 - 2: /* the plain shape, then the body */
        plain = scene_shape(shape - d == THRONG_BODY_BALL2 - 2     ? THRONG_BALL2 - 2 + d
                            : shape - d == THRONG_BODY_SECTOR2 - 2 ? THRONG_SECTOR2 - 2 + d
                                                                   : THRONG_CYLINDER2 - 2 + d,
                            seed, out);
        ((uint32_t*)out)[plain / sizeof(uint32_t)] = draw(seed, 3);
        return plain + sizeof(uint32_t);
    default:
        for (a = 0; a < d; ++a) { /* independent edges, not at right angles */
            some_direction(d, seed, f + d + a * d);
            f[d + a * d + a] = 3.0f + (float)a;
        }
        return (d + d * d) * sizeof *f;
    }
}
