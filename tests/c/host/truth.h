/* A crowd in plain arrays, and the answers of plain loops.  All coordinates are multiples of a half
   and all extents of a quarter, and all of them are small, so that the tests of the library and
   those here round nowhere: many agents lie exactly on rims, and there is no doubt which elements a
   shape finds. */
#ifndef THRONG_TESTS_C_TRUTH_H
#define THRONG_TESTS_C_TRUTH_H

#include <throng/throng.h>

#include <stddef.h>
#include <stdint.h>

#define MOST_AGENTS 320
#define MOST_STATICS 60
#define MOST (MOST_AGENTS + MOST_STATICS)
#define WORLD 16.0f
#define CELL 2.0f

/* Agent i is at index i, static i at MOST_AGENTS + i. */
typedef struct scene {
    uint32_t dimension;
    size_t agents, statics;
    float position[MOST][3];
    float half[MOST][3];
    uint32_t groups[MOST];
    int is_there[MOST];
    int is_giant[MOST];
} scene;

/* A crowd of small agents, some giants and some statics, a few of them outside of the world. */
void scene_make(scene* made, uint32_t dimension, uint32_t seed);
/* Moves all agents; sizes stay. */
void scene_move(scene* moved, uint32_t seed);

/* The agents as an argument of the library. */
throng_agents scene_agents(const scene* of);
throng_agents scene_statics(const scene* of);
/* Settings of a crowd, with bounds and cells. */
throng_crowd_settings scene_settings(const scene* of);
/* A crowd with all agents and statics. */
throng_crowd* scene_crowd(const scene* of);

/* The set of the element at this index, one of throng_sets, and its id. */
uint32_t scene_set(const scene* of, size_t place);
uint32_t scene_name(size_t place);
/* The index of an id. */
size_t scene_place(uint32_t name);

/* Whether a shape finds the element at this index, apart from sets and filters. */
int scene_finds(const scene* of, uint32_t shape, const void* what, size_t place);
/* Whether sets and a filter, which may be NULL, admit the element. */
int scene_wants(const scene* of, uint32_t sets, const throng_filter* filter, size_t place);
/* Writes the ids that a question should find, ascending; room for MOST. Returns their number. */
size_t scene_answer(const scene* of, uint32_t shape, const void* what, uint32_t sets,
                    const throng_filter* filter, uint32_t* names);

/* The squared distance between a point and an element's centre. */
float scene_distance2(const scene* of, const float* point, size_t place);
/* The squared distance to an element's body; `own` are the half extents of the body that asks, or
   NULL. */
float scene_body_distance2(const scene* of, const float* point, const float* own, uint32_t body,
                           size_t place);
/* Whether the boxes of two elements overlap. */
int scene_overlap(const scene* of, size_t a, size_t b);
/* Whether the discs of two elements overlap. */
int scene_discs_overlap(const scene* of, size_t a, size_t b);
/* When a path first touches an element that it hits; approximate for capsules. */
double scene_time(const scene* of, uint32_t shape, const void* path, size_t place);

/* Writes a shape of this kind somewhere in the world; `out` must have room for the largest. Returns
   its size. */
size_t scene_shape(uint32_t shape, uint32_t* seed, void* out);

#endif
