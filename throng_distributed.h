/*
 * Crowds over the processes of a job, for C99, C++11, and every language that can call C: docs/distributed.md.
 *
 * Everything that throng.h says of statuses, handles, structures and threads holds here. It belongs to
 * throng::distributed, which needs no message system: the processes of a job are its *ranks*, of MPI
 * (throng_mpi.h), of the host's own callbacks, or this process alone.
 *
 *     throng_ranks* ranks = NULL;
 *     throng_share* mine = NULL;
 *     throng_distributed* crowd = NULL;
 *     throng_distributed_settings settings = THRONG_DISTRIBUTED_SETTINGS_INIT;
 *     throng_status status = throng_ranks_one(&ranks);
 *
 * *Collective* calls are made by all ranks, in the same order, with objects of the same dimension and settings. They
 * succeed on all ranks or on none: the status, with its index, is that of the lowest rank that refuses, which is
 * `refused_by` of throng_distributed_get(). After THRONG_RANK_LOST the job is over. If a rank's arguments are refused
 * before the call, the others get THRONG_RANKS_DIFFER. They wait only if the rank's `crowd` (or `ranks`) handle is
 * refused, as for a call that it does not make.
 */
#ifndef THRONG_DISTRIBUTED_H
#define THRONG_DISTRIBUTED_H

#include "throng.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Ranks ----------------------------------------------------------------------------------------- */

/* The ranks of a job, as one of them sees the others. Crowds keep them alive, so they may be destroyed first. */
typedef struct throng_ranks throng_ranks;

/* Bytes for a rank, or from one. */
typedef struct throng_parcel {
    uint32_t rank;
    uint32_t reserved;
    const void* bytes;
    size_t size;
} throng_parcel;

/* Where a host puts the parcels that have come. */
typedef struct throng_arrivals throng_arrivals;

/* Copies a parcel that has come. THRONG_OUT_OF_MEMORY: the parcel is lost, and the host goes on. Only callbacks of
   the host may call this, while they run. */
THRONG_C throng_status throng_arrivals_add(throng_arrivals* arrivals, const throng_parcel* parcel);

/* Ranks of the host's own. throng::Ranks (distributed/ranks.hpp) says what each call must do. Callbacks return 0, or
   another number if a rank is gone: then the job is over. All but `enters` are needed. */
typedef struct throng_ranks_callbacks {
    size_t struct_size;
    uint32_t rank;
    uint32_t size;           /* of the job: ranks 0 ... size - 1 */
    uint32_t allows_threads; /* 0 or 1: whether this process may run threads beside the one that calls */
    uint32_t reserved;
    /* Sends parcels to ranks that expect them: `from` lists the ranks that send one here. All arguments are borrowed
       until finish_exchange; between the two, only the calls of an agreement are made. */
    int32_t (*begin_exchange)(void* user, const throng_parcel* parcels, size_t count, const uint32_t* from,
                              size_t from_count);
    int32_t (*finish_exchange)(void* user, throng_arrivals* arrivals);
    /* Sends parcels to any ranks; no rank knows beforehand which ranks will send to it. */
    int32_t (*route)(void* user, const throng_parcel* parcels, size_t count, throng_arrivals* arrivals);
    /* The minimum of each word over all ranks; at most 8 words. */
    int32_t (*begin_agree)(void* user, const uint64_t* words, size_t count);
    int32_t (*finish_agree)(void* user, uint64_t* words, size_t count);
    /* The words of all ranks, by rank: `count` from each. */
    int32_t (*gather)(void* user, const uint64_t* own, size_t count, uint64_t* all);
    /* Names the crowd's call to which the next calls belong, for messages. May be NULL. */
    void (*enters)(void* user, const char* call);
    void* user;
} throng_ranks_callbacks;
#define THRONG_RANKS_CALLBACKS_INIT \
    { sizeof(throng_ranks_callbacks), 0, 0, 1, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL }

THRONG_C throng_status throng_ranks_create(const throng_ranks_callbacks* callbacks, throng_ranks** out);
/* A job of this process alone. */
THRONG_C throng_status throng_ranks_one(throng_ranks** out);
THRONG_C throng_status throng_ranks_destroy(throng_ranks* ranks);
THRONG_C throng_status throng_ranks_count(const throng_ranks* ranks, uint32_t* rank, uint32_t* size);

/* ---- Shares ---------------------------------------------------------------------------------------- */

#define THRONG_NO_GLOBAL_ID UINT64_MAX
/* Where ids are global, static i of throng_distributed_set_statics() is this + i; ids of agents are below. */
#define THRONG_FIRST_GLOBAL_STATIC 0x8000000000000000u

/* The agents of a rank, in arrays by local id. An update sends each agent to the rank that owns its place, and brings
   *ghosts*: copies of other ranks' agents nearby. Then owned agents come first, by ascending global id, and ghosts
   lie behind them. Between updates the arrays are the host's to write to. */
typedef struct throng_share throng_share;

typedef struct throng_share_arrays {
    size_t struct_size;
    uint64_t* ids;       /* names of agents for their whole lives; only the first `named` agents have one */
    float* positions;    /* 2 or 3 numbers each */
    float* half_extents; /* 2 or 3 numbers each, or NULL */
    uint32_t* groups;    /* a mask each, or NULL */
    uint64_t agents;     /* owned, ghosts, and births */
    uint64_t named;
    uint64_t owned;      /* by the latest update, without agents that died since */
    uint64_t ghosts;
} throng_share_arrays;
#define THRONG_SHARE_ARRAYS_INIT { sizeof(throng_share_arrays), NULL, NULL, NULL, NULL, 0, 0, 0, 0 }

/* `own_half_extents` and `groups` are 0 or 1, as the settings of its crowd have them. */
THRONG_C throng_status throng_share_create(uint32_t dimension, uint32_t own_half_extents, uint32_t groups,
                                           throng_share** out);
THRONG_C throng_status throng_share_destroy(throng_share* share);

/* Adds an array with `bytes` bytes for each agent, all zero; `column` becomes its number, from 0. `with_ghosts` is 0
   or 1: with 1 ghosts have the column too. Every rank must have the same columns, in the same order. */
THRONG_C throng_status throng_share_add_column(throng_share* share, size_t bytes, uint32_t with_ghosts,
                                               uint32_t* column);
/* Gives all arrays `agents` elements, zero where arrays grow: births lie behind the ghosts. Only the first `named`
   agents have ids, which the host writes; the others get ids from throng_distributed_name(). Neither number may be
   less than owned agents and ghosts together. */
THRONG_C throng_status throng_share_resize(throng_share* share, uint64_t agents, uint64_t named);
/* Deaths: removes all owned agents except `kept`, ascending local ids. Ghosts are removed too, and births stay. */
THRONG_C throng_status throng_share_keep_only(throng_share* share, const uint32_t* kept, size_t count);

/* Pointers are good until the next call that changes the share. */
THRONG_C throng_status throng_share_get(const throng_share* share, throng_share_arrays* out);
THRONG_C throng_status throng_share_column(const throng_share* share, uint32_t column, void** data);
THRONG_C throng_status throng_share_memory(const throng_share* share, uint64_t* bytes);

/* ---- Crowds ---------------------------------------------------------------------------------------- */

/* A crowd over all ranks. Answers are those of one process with the whole crowd, in the same order, for any number of
   ranks. The crowd keeps its answers, which are valid until its next call that gives answers. */
typedef struct throng_distributed throng_distributed;

typedef struct throng_distributed_settings {
    size_t struct_size;
    uint32_t dimension;
    uint32_t own_half_extents; /* 0 or 1 */
    uint32_t groups;           /* 0 or 1 */
    float reach;               /* the largest distance at which agents are neighbours */
    float low[3];              /* the bounds of the cells */
    float high[3];
    float cell[3];
    float common_half_extent[3]; /* if agents have none of their own */
    float imbalance;             /* largest/mean work above which updates balance; at least 1, or 0: never */
    float most_agents;           /* the most agents that balancing gives a rank, in means */
    uint64_t question_bytes;     /* about how many are on the way at a time */
    uint32_t periodic;           /* a sum of 1, 2, 4: the world wraps around on x, y, z */
    uint32_t reserved;           /* 0 */
} throng_distributed_settings;
#define THRONG_DISTRIBUTED_SETTINGS_INIT \
    { sizeof(throng_distributed_settings), 2, 0, 0, 0, { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }, 0, 2, \
      67108864, 0, 0 }

/* Collective. */
THRONG_C throng_status throng_distributed_create(throng_ranks* ranks, const throng_distributed_settings* settings,
                                                 throng_distributed** out);
THRONG_C throng_status throng_distributed_destroy(throng_distributed* crowd);

/* Collective. Gives ids to the agents that are not named. */
THRONG_C throng_status throng_distributed_name(throng_distributed* crowd, throng_share* share);
/* Collective. Takes new positions: sends agents to their owners, and ghosts of them to other ranks. `executor` may be
   NULL: the calling thread. */
THRONG_C throng_status throng_distributed_update(throng_distributed* crowd, throng_share* share,
                                                 throng_executor* executor);
/* Collective. Cuts bricks anew, from the next update on. `work` has a number for each owned agent, or is NULL with a
   count of 0: then an agent's work is its number of neighbours plus 36. */
THRONG_C throng_status throng_distributed_balance(throng_distributed* crowd, const uint32_t* work, size_t count,
                                                  throng_executor* executor);
/* Collective. Saves the agents of all ranks in a folder that they all see. load() configures the crowd as it was, and
   puts the saved agents into a share, which must have the saved columns and no agents. */
THRONG_C throng_status throng_distributed_save(throng_distributed* crowd, const throng_share* share,
                                               const char* folder);
THRONG_C throng_status throng_distributed_load(throng_distributed* crowd, throng_share* share, const char* folder,
                                               throng_executor* executor);

/* Collective. Replaces the statics. Their positions are floats. Every rank gives all statics, and the same ones, else
   all get THRONG_RANKS_DIFFER. Agents with a half extent of their own that is larger than half the longest side of a
   cell are giants: each has a ghost on every other rank. */
THRONG_C throng_status throng_distributed_set_statics(throng_distributed* crowd, const throng_agents* statics,
                                                      throng_executor* executor);

/* Not collective. Neighbours of owned agents among all agents, by local ids, and among statics, by
   THRONG_FIRST_STATIC + i. neighbourhood->order must be THRONG_ORDER_IDS; a radius of more than the reach is
   THRONG_BEYOND_REACH. */
THRONG_C throng_status throng_distributed_neighbours(throng_distributed* crowd,
                                                     const throng_neighbourhood* neighbourhood,
                                                     throng_executor* executor, throng_hits* out);
THRONG_C throng_status throng_distributed_count_neighbours(throng_distributed* crowd,
                                                           const throng_neighbourhood* neighbourhood,
                                                           throng_executor* executor, uint32_t* counts,
                                                           size_t room);
/* Not collective. Pairs that overlap and whose first agent is owned: over all ranks, each pair once. `pairing` may be
   NULL; its `within` must be negative. */
THRONG_C throng_status throng_distributed_pairs(throng_distributed* crowd, const throng_pairing* pairing,
                                                throng_executor* executor, throng_pairs* out);

/* Collective. The number of pairs, and of agents, in the whole crowd. */
THRONG_C throng_status throng_distributed_count_pairs(throng_distributed* crowd, const throng_pairing* pairing,
                                                      throng_executor* executor, uint64_t* pairs);
THRONG_C throng_status throng_distributed_size(throng_distributed* crowd, uint64_t* agents);

/* Leaves out agents outside `groups`, and the one agent `without`. */
typedef struct throng_global_filter {
    uint32_t groups;
    uint32_t reserved;
    uint64_t without; /* THRONG_NO_GLOBAL_ID: no agent */
} throng_global_filter;

/* Shapes of one kind, of any size and at any place, the sets to search, and the agents to leave out. Each rank brings
   its own, or none. */
typedef struct throng_global_questions {
    size_t struct_size;
    uint32_t shape; /* one of throng_shape */
    uint32_t sets;  /* a sum of throng_sets */
    const void* shapes;
    size_t count;
    const throng_global_filter* filters; /* one for all shapes, or one for each */
    size_t filter_count;                 /* 0: no agent is left out; 1; or count */
} throng_global_questions;
#define THRONG_GLOBAL_QUESTIONS_INIT { sizeof(throng_global_questions), 0, THRONG_EVERYBODY, NULL, 0, NULL, 0 }

/* Question q found ids[offsets[q]] ... ids[offsets[q + 1] - 1], in canonical order. */
typedef struct throng_global_hits {
    size_t struct_size;
    const uint64_t* offsets; /* count + 1 of them */
    const uint64_t* ids;
    uint64_t count;
    uint64_t total;
} throng_global_hits;
#define THRONG_GLOBAL_HITS_INIT { sizeof(throng_global_hits), NULL, NULL, 0, 0 }

typedef struct throng_global_near {
    float distance2; /* infinite in an empty element */
    uint32_t reserved;
    uint64_t id;
} throng_global_near;

/* `k` elements for each question, of which the first counts[q] are filled. */
typedef struct throng_global_near_hits {
    size_t struct_size;
    const throng_global_near* nearest;
    const uint32_t* counts;
    uint64_t count;
    uint32_t k;
    uint32_t reserved;
} throng_global_near_hits;
#define THRONG_GLOBAL_NEAR_HITS_INIT { sizeof(throng_global_near_hits), NULL, NULL, 0, 0, 0 }

typedef struct throng_global_meeting {
    float time; /* infinite where a path meets no agent */
    uint32_t reserved;
    uint64_t id;
} throng_global_meeting;

/* Path q meets meetings[offsets[q]] ... meetings[offsets[q + 1] - 1], by time, then by id. */
typedef struct throng_global_meetings {
    size_t struct_size;
    const uint64_t* offsets;
    const throng_global_meeting* meetings;
    uint64_t count;
    uint64_t total;
} throng_global_meetings;
#define THRONG_GLOBAL_MEETINGS_INIT { sizeof(throng_global_meetings), NULL, NULL, 0, 0 }

/* All questions from here on are collective. */
THRONG_C throng_status throng_distributed_query(throng_distributed* crowd, const throng_global_questions* questions,
                                                throng_executor* executor, throng_global_hits* out);
/* `counts` has the number of agents that each shape finds; `found` has 1 for a shape that finds an agent, else 0. */
THRONG_C throng_status throng_distributed_count(throng_distributed* crowd, const throng_global_questions* questions,
                                                throng_executor* executor, uint64_t* counts, size_t room);
THRONG_C throng_status throng_distributed_any(throng_distributed* crowd, const throng_global_questions* questions,
                                              throng_executor* executor, uint64_t* found, size_t room);
/* The first agent that each segment, ray or capsule meets; and all agents that it meets. */
THRONG_C throng_status throng_distributed_first(throng_distributed* crowd, const throng_global_questions* paths,
                                                throng_executor* executor, throng_global_meeting* meetings,
                                                size_t room);
THRONG_C throng_status throng_distributed_meetings(throng_distributed* crowd, const throng_global_questions* paths,
                                                   throng_executor* executor, throng_global_meetings* out);
/* The agents nearest to each point. The agent `without` is left out; THRONG_NO_GLOBAL_ID: none is. The fields
   nearest->without and nearest->after are for local ids: they must be as in THRONG_NEAREST_INIT. */
THRONG_C throng_status throng_distributed_nearest(throng_distributed* crowd, const throng_points* points,
                                                  const throng_nearest* nearest, uint64_t without,
                                                  throng_executor* executor, throng_global_near_hits* out);
/* The agents nearest to each owned agent, at any distance. */
THRONG_C throng_status throng_distributed_nearest_neighbours(throng_distributed* crowd, const throng_nearest* nearest,
                                                             throng_executor* executor,
                                                             throng_global_near_hits* out);

typedef struct throng_distributed_facts {
    size_t struct_size;
    uint32_t dimension;
    uint32_t first[3]; /* the cells of this rank */
    uint32_t cells[3];
    uint32_t refused_by; /* the rank whose refusal the latest collective call returned */
    uint64_t owned;
    uint64_t ghosts;
    uint64_t giants; /* of the whole crowd */
    uint64_t statics;
    uint64_t left; /* agents that the latest update sent away */
    uint64_t came;
    uint64_t neighbours; /* ranks that get a message in each update */
    uint64_t asked;      /* questions since the latest update */
    uint64_t answered;
    uint64_t bytes;
    double imbalance; /* the largest work of a rank, in means, when balancing last looked; 0: never */
    double next_imbalance;
} throng_distributed_facts;
#define THRONG_DISTRIBUTED_FACTS_INIT \
    { sizeof(throng_distributed_facts), 0, { 0, 0, 0 }, { 0, 0, 0 }, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

THRONG_C throng_status throng_distributed_get(const throng_distributed* crowd, throng_distributed_facts* out);
/* The rank that owns a place: 2 or 3 numbers. */
THRONG_C throng_status throng_distributed_owner_of(const throng_distributed* crowd, const float* point,
                                                   uint32_t* rank);

#ifdef __cplusplus
}
#endif

#endif
