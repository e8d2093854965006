/*
 * The structures beside crowds, for C99, C++11, and every language that can call C: docs/structures.md says what each is for.
 *
 * Everything that throng.h says of statuses, handles, structures and threads holds here. It belongs to throng::family.
 * All structures take the same agents and questions, and give the same answers, each in an order of its own.
 *
 *     throng_index* index = NULL;
 *     throng_index_settings settings = THRONG_INDEX_SETTINGS_INIT;
 *     throng_status status = throng_index_create(&settings, &index);
 *
 * An index is either changed, by one call, or asked, by any number. No question allocates. An index knows no sets: `sets` of
 * questions must be THRONG_EVERYBODY.
 */
#ifndef THRONG_FAMILY_H
#define THRONG_FAMILY_H

#include "throng.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct throng_index throng_index;

enum throng_structure {
    THRONG_BRUTE_FORCE = 1,     /* looks at all agents: for a few dozen, or as the truth in tests */
    THRONG_DOUBLE_GRID = 2,     /* for sizes that differ wildly, and many single edits */
    THRONG_LOOSE_TREE = 3,      /* for agents that stand still, and sparse worlds */
    THRONG_NESTED_QUADTREE = 4, /* in the plane only */
    THRONG_TIGHT_QUADTREE = 5   /* in the plane only: for uneven crowds that move little */
};

/* The first `dimension` elements of each array count; the others must be zero. */
typedef struct throng_index_settings {
    size_t struct_size;
    uint32_t structure; /* one of throng_structure */
    uint32_t dimension; /* 2 or 3 */
    uint32_t given;     /* a sum of throng_given: bounds, and with them always a cell for THRONG_DOUBLE_GRID. Without
                           bounds, an index lays itself out over the agents of the first update */
    float lo[3], hi[3]; /* agents outside are kept and found */
    float cell[3];
    uint32_t kept;      /* a sum of throng_kept, what each agent has of its own; only with bounds */
    float common_half_extent[3]; /* of all agents, unless they have their own; only with bounds */
} throng_index_settings;
#define THRONG_INDEX_SETTINGS_INIT \
    { sizeof(throng_index_settings), THRONG_LOOSE_TREE, 2, 0, { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }, 0, { 0, 0, 0 } }

THRONG_C throng_status throng_index_create(const throng_index_settings* settings, throng_index** out);
THRONG_C throng_status throng_index_destroy(throng_index* index);

/* Replaces all agents: everything has moved. The id of agent i is i. Positions must be floats. */
THRONG_C throng_status throng_index_update(throng_index* index, const throng_agents* agents, throng_executor* executor);

/* Inserts, erases or moves one agent. */
THRONG_C throng_status throng_index_edit(throng_index* index, const throng_edit* edit);

/* Makes searches as fast again as before agents went away, in structures that have something to tidy. */
THRONG_C throng_status throng_index_tidy(throng_index* index);

/* Forgets all agents; keeps the layout and the memory. */
THRONG_C throng_status throng_index_clear(throng_index* index);

typedef struct throng_index_counts {
    size_t struct_size;
    uint32_t structure;
    uint32_t dimension;
    uint64_t agents;
    uint64_t index_bytes;   /* needed to answer */
    uint64_t staging_bytes; /* kept for the next update */
} throng_index_counts;
#define THRONG_INDEX_COUNTS_INIT { sizeof(throng_index_counts), 0, 0, 0, 0, 0 }

THRONG_C throng_status throng_index_count(const throng_index* index, throng_index_counts* out);
/* Writes 1 if there is an agent with this id, else 0. */
THRONG_C throng_status throng_index_contains(const throng_index* index, uint32_t id, uint32_t* found);

/* The agents that each shape finds, on the calling thread; `out` as for throng_query_into(). */
THRONG_C throng_status throng_index_query(const throng_index* index, const throng_questions* questions,
                                          throng_hits_room* out);

/* Answers one question, whose count must be 1: with the ids that it finds, their number, 1 or 0 for any or none, or by
   handing the ids to a function. As throng_query_one() and so on. */
THRONG_C throng_status throng_index_query_one(const throng_index* index, const throng_questions* question, uint32_t* ids,
                                              size_t room, uint64_t* total);
THRONG_C throng_status throng_index_count_one(const throng_index* index, const throng_questions* question,
                                              uint64_t* total);
THRONG_C throng_status throng_index_any_one(const throng_index* index, const throng_questions* question,
                                            uint32_t* found);
THRONG_C throng_status throng_index_visit_one(const throng_index* index, const throng_questions* question,
                                              throng_visitor visitor, void* user, uint64_t* visited);

/* Visits each pair of agents whose boxes overlap once, either way round; agents outside `groups` are in no pair. */
THRONG_C throng_status throng_index_visit_pairs(const throng_index* index, uint32_t groups, throng_pair_visitor visitor,
                                                void* user, uint64_t* visited);
/* Writes the same pairs to arrays, as throng_find_pairs_into(). */
THRONG_C throng_status throng_index_find_pairs(const throng_index* index, uint32_t groups, throng_pairs_room* out);

/* Writes the nodes or cells that agents are in, from the outermost inward, to draw them. Their `set` is THRONG_AGENTS.
   `total` is their number, also with THRONG_NO_ROOM; then the first `room` of them were written. */
THRONG_C throng_status throng_index_cells(const throng_index* index, throng_cell* cells, size_t room, uint64_t* total);

#ifdef __cplusplus
}
#endif

#endif
