/*
 * Throng for C, and for whatever speaks C: C99, C++11, and the foreign-function interfaces of other languages.
 *
 * One index for everyone, asked in batches: small agents, giants, and what stands still, in the plane or in
 * space. What the questions mean, and in which order answers come, is the same as in C++; the headers of
 * engine/ have the whole of it, and this page all that is needed to use it.
 *
 *     throng_crowd* crowd = NULL;
 *     throng_crowd_settings settings = THRONG_CROWD_SETTINGS_INIT;
 *     throng_status status = throng_crowd_create(&settings, &crowd);
 *
 * **Statuses.** Every call that can fail returns one, by value. Its code is 0 or says what was wrong, its
 * argument names what is to blame, a parameter ("crowd"), a field of it ("questions.shapes"), or of agents
 * their "positions", "half_extents", "groups" and "common_half_extent"; of statics all of these but the last
 * are "statics". Its index says which element, and of THRONG_NO_ROOM how many there must be.
 * throng_status_text() makes a sentence of them. After anything but THRONG_OK nothing has changed, and what was
 * to be written is not to be read, but where it is said here. No C++ exception leaves a call.
 *
 * **Handles** are pointers to nothing: they are looked up. One that is NULL, that was destroyed, or that is of
 * another kind is refused with a status, whenever it comes, in constant time. Destroying NULL does nothing.
 * What one object needs of another it keeps alive: a crowd its memory, a batch its executor.
 *
 * **Structures** begin with their size, which the ..._INIT macro of each fills in, with defaults. A library
 * that is newer than the header finds the fields that it lacks at their defaults; one that is older accepts
 * longer structures as long as what it does not know is zero. Reserved fields must be zero.
 *
 * **Threads.** A crowd is either changed, by one call, or asked, by any number. A batch serves one call at a
 * time. Snapshots are acquired by any thread at any time. No object may be destroyed while any call with it has
 * not returned, its callbacks included; but an executor may, by its own callbacks. All else may be called
 * together: docs/threads.md.
 */
#ifndef THRONG_H
#define THRONG_H

#include <stddef.h>
#include <stdint.h>

#if defined(THRONG_SHARED)
#define THRONG_C __attribute__((visibility("default")))
#else
#define THRONG_C
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Statuses -------------------------------------------------------------------------------------- */

/* What was wrong. Numbers never change, and new ones may come. Below 100 they are those of throng::Cause. */
enum throng_code {
    THRONG_OK = 0,
    THRONG_NOT_FINITE = 1,       /* NaN or infinite */
    THRONG_TOO_LARGE = 2,        /* beyond 1e18 */
    THRONG_NEGATIVE = 3,         /* an extent or radius below zero */
    THRONG_NOT_POSITIVE = 4,     /* a cell size of zero or less */
    THRONG_INVERTED = 5,         /* bounds whose low side exceeds the high side */
    THRONG_COUNT_MISMATCH = 6,   /* arrays of different lengths that belong together */
    THRONG_NULL_POINTER = 7,     /* no data where a count says there is some, or nowhere to write to */
    THRONG_TOO_MANY = 8,         /* more than can be numbered */
    THRONG_ID_TAKEN = 9,         /* an insertion of an id that is there */
    THRONG_ID_UNKNOWN = 10,      /* an erasure or a move of an id that is not there */
    THRONG_NOT_STORED = 11,      /* an extent or mask given that this crowd does not keep */
    THRONG_MISSING = 12,         /* an extent or mask not given that this crowd keeps */
    THRONG_NOT_CONFIGURED = 13,  /* an insertion before the crowd has cells */
    THRONG_NO_SUCH_ISA = 14,     /* THRONG_FORCE_ISA names what this machine lacks */
    THRONG_EXECUTOR_FAILED = 15, /* an executor returned before every block had run */
    THRONG_NO_ROOM = 16,         /* an array too short; status.index says how many elements it must have */
    THRONG_OUT_OF_RANGE = 17,
    THRONG_NO_DIRECTION = 18,    /* a direction, or the normal of a side, that is zero */
    THRONG_NO_COSINE = 19,       /* below -1 or above 1 */
    THRONG_NOT_CONVEX = 20,      /* corners that are not those of a polygon, or of a frustum */
    THRONG_HANDLE_STALE = 21,    /* these two: names of agents, in C++ only */
    THRONG_HANDLE_FOREIGN = 22,
    THRONG_OTHER_NAMES = 23,
    THRONG_WRAPS = 24,           /* what does not work in periodic worlds */
    THRONG_OVER_MEMORY = 25,     /* the crowd's memory refused */
    THRONG_CANCELLED = 26,
    THRONG_IO_FAILED = 27,       /* a file could not be opened, read or written */
    THRONG_NOT_AN_INDEX = 28,    /* a file of another kind */
    THRONG_OTHER_VERSION = 29,   /* a file of another version, dimension or byte order */
    THRONG_TRUNCATED = 30,       /* a file that ends too early, or goes on too long */
    THRONG_CORRUPTED = 31,       /* a file that does not hold what was written */

    THRONG_NULL_HANDLE = 100,
    THRONG_DEAD_HANDLE = 101,      /* destroyed, or never made */
    THRONG_WRONG_HANDLE = 102,     /* of another kind */
    THRONG_READ_ONLY = 103,        /* a change to a crowd that belongs to a snapshot */
    THRONG_WRONG_SIZE = 104,       /* of a structure: smaller than any there was, or longer and not zero */
    THRONG_WRONG_VALUE = 105,      /* a field that has none of its values, or a reserved one that is not zero */
    THRONG_WRONG_DIMENSION = 106,  /* shapes or positions of another dimension than the crowd's */
    THRONG_WRONG_ABI = 107,        /* the header does not belong to this library */
    THRONG_OUT_OF_MEMORY = 108,    /* the heap refused */
    THRONG_CALLBACK_THREW = 109,   /* a C++ exception came out of a callback */
    THRONG_NOT_STARTED = 110,      /* the system would not start a thread of a pool */
    THRONG_SYSTEM_FAILED = 111     /* the system refused something else, such as a lock */
};

/* The outcome of a call. */
typedef struct throng_status {
    int32_t code;         /* one of throng_code */
    uint32_t reserved;
    const char* argument; /* what was to blame, such as "positions"; never NULL, and good for ever */
    uint64_t index;       /* the first offending element of it; of THRONG_NO_ROOM the needed length */
} throng_status;

/* Writes one sentence for people, such as "positions[17] is NaN or infinite", and a zero behind it, as much
   of it as `room` allows. Returns how long the whole sentence is, without the zero; NULL with a room of 0
   asks for nothing else. */
THRONG_C size_t throng_status_text(throng_status status, char* text, size_t room);

/* ---- Version --------------------------------------------------------------------------------------- */

/* Rises when something here changes so that programs must be compiled again. */
#define THRONG_ABI 1

/* THRONG_WRONG_ABI unless the library is one for this header: throng_check_abi(THRONG_ABI). Worth a line at
   the start of a program that loads the library at run time. */
THRONG_C throng_status throng_check_abi(uint32_t abi);

/* Such as "0.1.0". */
THRONG_C const char* throng_version(void);

/* The instruction set that answers, such as "avx2". */
THRONG_C const char* throng_isa(void);

/* ---- Shapes ---------------------------------------------------------------------------------------- */

/* As in C++ (engine/shapes/shapes.hpp), to the byte. An agent is found by

     box           whose box overlaps it
     ball          whose centre lies in it, rim included
     segment, ray  whose box it meets
     capsule       whose disc a disc of `radius` meets on its way
     sector        whose centre lies in that part of a ball, within an angle of a direction
     convex        whose box overlaps what lies in the bounds and in all sides
     oriented box  whose box overlaps it
     cylinder      whose centre lies in it, rims included: upright, a disc on the ground and a band of heights */

typedef struct throng_box2 { float lo[2], hi[2]; } throng_box2;
typedef struct throng_box3 { float lo[3], hi[3]; } throng_box3;
typedef struct throng_ball2 { float centre[2], radius; } throng_ball2;
typedef struct throng_ball3 { float centre[3], radius; } throng_ball3;
typedef struct throng_segment2 { float from[2], to[2]; } throng_segment2;
typedef struct throng_segment3 { float from[3], to[3]; } throng_segment3;
/* origin + t * direction, 0 <= t <= length. */
typedef struct throng_ray2 { float origin[2], direction[2], length; } throng_ray2;
typedef struct throng_ray3 { float origin[3], direction[3], length; } throng_ray3;
typedef struct throng_capsule2 { float from[2], to[2], radius; } throng_capsule2;
typedef struct throng_capsule3 { float from[3], to[3], radius; } throng_capsule3;
/* No further from `direction` than the angle that has this cosine: 0 sees what is in front, -1 everything. */
typedef struct throng_sector2 { float centre[2], radius, direction[2], cosine; } throng_sector2;
typedef struct throng_sector3 { float centre[3], radius, direction[3], cosine; } throng_sector3;
/* The points p with normal . p <= offset. */
typedef struct throng_side2 { float normal[2], offset; } throng_side2;
typedef struct throng_side3 { float normal[3], offset; } throng_side3;
/* The first `count` sides, at most 8, and the bounds, which may be +-1e18. */
typedef struct throng_convex2 { throng_side2 sides[8]; size_t count; throng_box2 bounds; } throng_convex2;
typedef struct throng_convex3 { throng_side3 sides[8]; size_t count; throng_box3 bounds; } throng_convex3;
typedef struct throng_oriented_box2 { float centre[2], half_edges[2][2]; } throng_oriented_box2;
typedef struct throng_oriented_box3 { float centre[3], half_edges[3][3]; } throng_oriented_box3;
/* `radius` on the ground, and low ... high on the axis `up`: 1 for y, in space also 2 for z; never 0. */
typedef struct throng_cylinder2 { float centre[2], radius, low, high; uint32_t up; } throng_cylinder2;
typedef struct throng_cylinder3 { float centre[3], radius, low, high; uint32_t up; } throng_cylinder3;

/* Which shape an array holds; the last digit is its dimension. */
enum throng_shape {
    THRONG_BOX2 = 12, THRONG_BOX3 = 13,
    THRONG_BALL2 = 22, THRONG_BALL3 = 23,
    THRONG_SEGMENT2 = 32, THRONG_SEGMENT3 = 33,
    THRONG_RAY2 = 42, THRONG_RAY3 = 43,
    THRONG_CAPSULE2 = 52, THRONG_CAPSULE3 = 53,
    THRONG_SECTOR2 = 62, THRONG_SECTOR3 = 63,
    THRONG_CONVEX2 = 72, THRONG_CONVEX3 = 73,
    THRONG_ORIENTED_BOX2 = 82, THRONG_ORIENTED_BOX3 = 83,
    THRONG_CYLINDER2 = 92, THRONG_CYLINDER3 = 93
};

/* The convex region with these corners, x and y of each: at most 8, in order, either way round. */
THRONG_C throng_status throng_polygon(const float* corners, size_t count, throng_convex2* out);

/* The frustum with these corners, x, y and z of each: four around the near side, and the four of the far side
   that belong to them. */
THRONG_C throng_status throng_frustum(const float corners[24], throng_convex3* out);

/* ---- Memory ---------------------------------------------------------------------------------------- */

typedef struct throng_memory throng_memory;

/* Where crowds take their memory from. The functions are called from every thread on which an executor runs
   blocks. Both are given, or neither: the heap. */
typedef struct throng_memory_settings {
    size_t struct_size;
    /* So many bytes at a multiple of `alignment`, a power of two; NULL, or a C++ exception: refused, and then
       the call that wanted them returns THRONG_OVER_MEMORY and has changed nothing. */
    void* (*allocate)(size_t bytes, size_t alignment, void* user);
    /* Takes back what allocate() gave for the same two numbers. */
    void (*deallocate)(void* memory, size_t bytes, size_t alignment, void* user);
    void* user;
    uint64_t cap; /* never more bytes at a time than this; 0: no cap */
} throng_memory_settings;
#define THRONG_MEMORY_SETTINGS_INIT { sizeof(throng_memory_settings), NULL, NULL, NULL, 0 }

THRONG_C throng_status throng_memory_create(const throng_memory_settings* settings, throng_memory** out);
THRONG_C throng_status throng_memory_destroy(throng_memory* memory);

typedef struct throng_memory_counts {
    size_t struct_size;
    uint64_t used;    /* bytes given out and not taken back */
    uint64_t peak;    /* the most that was */
    uint64_t refused; /* how often */
} throng_memory_counts;
#define THRONG_MEMORY_COUNTS_INIT { sizeof(throng_memory_counts), 0, 0, 0 }

THRONG_C throng_status throng_memory_count(const throng_memory* memory, throng_memory_counts* out);

/* ---- Executors ------------------------------------------------------------------------------------- */

/* What runs the blocks of updates and batches. NULL, wherever one is asked for, is the calling thread. The
   results are the same to the bit, whichever it is. */
typedef struct throng_executor throng_executor;

/* Does jobs begin ... end - 1; never fails, and does nothing once its loop is over. */
typedef void (*throng_job)(size_t begin, size_t end, void* context);

/* A job system of the host's. */
typedef struct throng_executor_callbacks {
    size_t struct_size;
    /* Hands over jobs 0 ... count - 1: to be called for each number once, in ranges of any size and order, on
       any threads, inside this call too. Returns what finish() takes; NULL: there is nothing to wait for. */
    void* (*enqueue)(throng_job job, size_t count, void* context, void* user);
    /* Returns when all these jobs have. Not called for NULL; may be left out where there is nothing else. */
    void (*finish)(void* task, void* user);
    void* user;
} throng_executor_callbacks;
#define THRONG_EXECUTOR_CALLBACKS_INIT { sizeof(throng_executor_callbacks), NULL, NULL, NULL }

THRONG_C throng_status throng_executor_create(const throng_executor_callbacks* callbacks, throng_executor** out);

/* So many threads, the calling one included, 65536 at most; 0: as many as there are processors. */
THRONG_C throng_status throng_executor_create_pool(size_t threads, throng_executor** out);

/* To be called when the host holds no job of it any more, or from within enqueue() or finish(): a call that
   runs on it keeps it until it returns. */
THRONG_C throng_status throng_executor_destroy(throng_executor* executor);

/* ---- Crowds ---------------------------------------------------------------------------------------- */

typedef struct throng_crowd throng_crowd;

#define THRONG_NO_ID 0xFFFFFFFFu
#define THRONG_ALL_GROUPS 0xFFFFFFFFu
/* Static i of throng_crowd_set_statics() is called THRONG_FIRST_STATIC + i in answers. */
#define THRONG_FIRST_STATIC 0x80000000u

enum throng_given { THRONG_GIVEN_BOUNDS = 1, THRONG_GIVEN_CELL = 2 };

/* What each agent of a crowd has of its own: for those who insert before the first update. */
enum throng_kept { THRONG_KEPT_HALF_EXTENTS = 1, THRONG_KEPT_GROUPS = 2 };

/* Of each array the first `dimension` places count; the others must be zero. */
typedef struct throng_crowd_settings {
    size_t struct_size;
    uint32_t dimension; /* 2 or 3 */
    uint32_t given;     /* which of the next three are, a sum of throng_given; else they follow from the
                           agents of the first update */
    float lo[3], hi[3]; /* bounds: agents outside are kept and found all the same; statuses blame "settings.lo" */
    float cell[3];      /* the size of a cell; only with bounds */
    uint32_t periodic;  /* 1, 2, 4: the world begins again behind its bounds on x, y, z */
    double origin[3];   /* where coordinates are zero, in the world: for positions in doubles */
    throng_memory* memory;       /* NULL: the heap */
    uint32_t kept;               /* a sum of throng_kept */
    float common_half_extent[3]; /* of all agents, unless they have their own */
} throng_crowd_settings;
#define THRONG_CROWD_SETTINGS_INIT \
    { sizeof(throng_crowd_settings), 2, 0, { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }, 0, { 0, 0, 0 }, NULL, 0, { 0, 0, 0 } }

/* An empty crowd, which only keeps what is kept for it in `settings`. */
THRONG_C throng_status throng_crowd_create(const throng_crowd_settings* settings, throng_crowd** out);
THRONG_C throng_status throng_crowd_destroy(throng_crowd* crowd);

/* Agents where the host keeps them, read during the call and not afterwards. Agent i has the coordinate at
   position[a] + i * position_stride[a] on axis a, strides being in bytes, of either sign, and free to leave
   values unaligned. So float3 arrays, separate arrays and arrays of structures are all read where they lie.
   The defaults are those of a dense array of floats for each axis. */
typedef struct throng_agents {
    size_t struct_size;
    uint32_t dimension; /* of the crowd */
    uint32_t doubles;   /* 0: positions are floats, from the origin; 1: doubles, in the world */
    size_t count;
    const void* position[3];
    ptrdiff_t position_stride[3];
    const float* half_extent[3]; /* all NULL: everybody has the common one */
    ptrdiff_t half_extent_stride[3];
    float common_half_extent[3];
    uint32_t reserved;
    const uint32_t* groups; /* a mask for each agent; NULL: none */
    ptrdiff_t groups_stride;
} throng_agents;
#define THRONG_AGENTS_INIT \
    { sizeof(throng_agents), 2, 0, 0, { NULL, NULL, NULL }, { 4, 4, 4 }, { NULL, NULL, NULL }, { 4, 4, 4 }, \
      { 0, 0, 0 }, 0, NULL, 4 }

/* Agents whose coordinates lie side by side, one agent every `stride` bytes: 2D crowds read the first two of
   float3 arrays, too. */
static inline throng_agents throng_agents_interleaved(uint32_t dimension, const float* first, size_t count,
                                                      ptrdiff_t stride) {
    throng_agents agents = THRONG_AGENTS_INIT;
    uint32_t axis;
    agents.dimension = dimension;
    agents.count = count;
    for (axis = 0; axis < dimension && axis < 3; ++axis) {
        agents.position[axis] = first ? first + axis : NULL;
        agents.position_stride[axis] = stride;
    }
    return agents;
}

/* Agents with an array for each coordinate; `z` is not looked at in two dimensions. */
static inline throng_agents throng_agents_separate(uint32_t dimension, const float* x, const float* y,
                                                   const float* z, size_t count) {
    throng_agents agents = THRONG_AGENTS_INIT;
    agents.dimension = dimension;
    agents.count = count;
    agents.position[0] = x;
    agents.position[1] = y;
    agents.position[2] = dimension == 3 ? z : NULL;
    return agents;
}

/* Replaces all agents: everything has moved. Agent i is called i. */
THRONG_C throng_status throng_crowd_update(throng_crowd* crowd, const throng_agents* agents,
                                           throng_executor* executor);

/* Replaces what never moves; updates leave it as it is. */
THRONG_C throng_status throng_crowd_set_statics(throng_crowd* crowd, const throng_agents* statics,
                                                throng_executor* executor);

enum throng_edit_kind { THRONG_INSERT = 0, THRONG_ERASE = 1, THRONG_MOVE = 2 };

/* One agent comes, goes or moves. Of a move only the position counts, of an erasure nothing. */
typedef struct throng_edit {
    uint32_t kind; /* one of throng_edit_kind */
    uint32_t id;   /* below THRONG_FIRST_STATIC */
    float position[3];
    uint32_t kept; /* which of the next two are given, a sum of throng_kept: those that the crowd keeps */
    float half_extent[3];
    uint32_t groups;
} throng_edit;

/* All of them or none. */
THRONG_C throng_status throng_crowd_edit(throng_crowd* crowd, const throng_edit* edits, size_t count,
                                         throng_executor* executor);

/* Forgets all agents; keeps statics, cells and memory. */
THRONG_C throng_status throng_crowd_clear(throng_crowd* crowd);

/* A file that throng_crowd_load() makes the same crowd of, in C++ and Python too. load() replaces what the
   crowd holds and keeps its memory; what is not a crowd of its dimension, or damaged, is refused. */
THRONG_C throng_status throng_crowd_save(const throng_crowd* crowd, const char* path);
THRONG_C throng_status throng_crowd_load(throng_crowd* crowd, const char* path);

typedef struct throng_crowd_counts {
    size_t struct_size;
    uint32_t dimension;
    uint32_t cells[3];   /* of the grid, on each axis */
    uint64_t agents;     /* giants among them */
    uint64_t giants;
    uint64_t statics;
    uint64_t id_bound;   /* all agents' ids are smaller */
    uint64_t index_bytes;   /* what it needs to answer */
    uint64_t staging_bytes; /* and keeps for the next update */
} throng_crowd_counts;
#define THRONG_CROWD_COUNTS_INIT { sizeof(throng_crowd_counts), 0, { 0, 0, 0 }, 0, 0, 0, 0, 0, 0 }

THRONG_C throng_status throng_crowd_count(const throng_crowd* crowd, throng_crowd_counts* out);

/* Ids of all agents in the order of their answers with THRONG_ORDER_STORAGE. `room` at least agents. */
THRONG_C throng_status throng_crowd_order(const throng_crowd* crowd, uint32_t* ids, size_t room);

/* ---- Questions ------------------------------------------------------------------------------------- */

/* Parts of a crowd. */
enum throng_sets {
    THRONG_SMALL = 1,
    THRONG_GIANTS = 2,
    THRONG_AGENTS = 3,
    THRONG_STATICS = 4,
    THRONG_EVERYBODY = 7
};

/* Who is left out: agents outside `groups`, (mask & groups) == 0, and the one agent `without`. */
typedef struct throng_filter {
    uint32_t groups;  /* THRONG_ALL_GROUPS: no test */
    uint32_t without; /* THRONG_NO_ID: nobody */
} throng_filter;

/* Shapes of one kind, and who is asked for. */
typedef struct throng_questions {
    size_t struct_size;
    uint32_t shape;     /* one of throng_shape */
    uint32_t sets;      /* a sum of throng_sets */
    const void* shapes; /* an array of that shape */
    size_t count;
    const throng_filter* filters; /* one for all, or one for each */
    size_t filter_count;          /* 0: nobody is left out; 1; or count */
} throng_questions;
#define THRONG_QUESTIONS_INIT { sizeof(throng_questions), 0, THRONG_EVERYBODY, NULL, 0, NULL, 0 }

/* Answers: those of question q are ids[offsets[q]] ... ids[offsets[q + 1] - 1], small agents first, in the
   grid's canonical order, then giants, then statics. */
typedef struct throng_hits {
    size_t struct_size;
    const uint64_t* offsets; /* count + 1 of them */
    const uint32_t* ids;
    uint64_t count; /* of questions */
    uint64_t total; /* of ids */
} throng_hits;
#define THRONG_HITS_INIT { sizeof(throng_hits), NULL, NULL, 0, 0 }

/* Arrays of the host's for the same. Where `id_room` is too short the call returns THRONG_NO_ROOM: then the
   offsets are true, total and status.index say how many ids there are, and the first id_room of them were
   written. The offsets must all have room: else nothing is written, and status.index says how many they are.
   Places of ids behind the last answer, up to 16 of them, may be overwritten too; nothing behind id_room is. */
typedef struct throng_hits_room {
    size_t struct_size;
    uint64_t* offsets;
    size_t offset_room; /* at least one more than there are questions */
    uint32_t* ids;
    size_t id_room;
    uint64_t total; /* written by the call */
} throng_hits_room;
#define THRONG_HITS_ROOM_INIT { sizeof(throng_hits_room), NULL, 0, NULL, 0, 0 }

/* Asks in blocks on an executor. Answers stay in the batch, and good, until its next call or its end; its
   memory is kept from one call to the next, so that steady frames allocate nothing. */
typedef struct throng_batch throng_batch;

THRONG_C throng_status throng_batch_create(throng_executor* executor, throng_batch** out);
THRONG_C throng_status throng_batch_destroy(throng_batch* batch);

/* Bytes that it keeps, answers among them; and gives them back, answers too. */
THRONG_C throng_status throng_batch_memory(const throng_batch* batch, uint64_t* bytes);
THRONG_C throng_status throng_batch_release(throng_batch* batch);

/* Whom each shape finds. */
THRONG_C throng_status throng_query(throng_batch* batch, const throng_crowd* crowd,
                                    const throng_questions* questions, throng_hits* out);
THRONG_C throng_status throng_query_into(throng_batch* batch, const throng_crowd* crowd,
                                         const throng_questions* questions, throng_hits_room* out);

/* How many each finds; counts has room for questions->count. `sum` may be NULL. */
THRONG_C throng_status throng_count(throng_batch* batch, const throng_crowd* crowd,
                                    const throng_questions* questions, uint32_t* counts, size_t room,
                                    uint64_t* sum);

/* 1 for each that finds somebody, 0 for the others. */
THRONG_C throng_status throng_any(throng_batch* batch, const throng_crowd* crowd,
                                  const throng_questions* questions, uint32_t* found, size_t room,
                                  uint64_t* sum);

/* Whom a path meets, and when: of a segment and a capsule between 0 and 1, of a ray up to its length. */
typedef struct throng_meeting {
    float time;
    uint32_t id; /* THRONG_NO_ID: nobody */
} throng_meeting;

/* Whom each segment, ray or capsule meets first; of several at the same time, the smallest id. */
THRONG_C throng_status throng_first(throng_batch* batch, const throng_crowd* crowd,
                                    const throng_questions* paths, throng_meeting* meetings, size_t room,
                                    uint64_t* sum);

/* One question without a batch, by any number of threads at once: questions->count must be 1. Never
   allocates. `total` is true also with THRONG_NO_ROOM. Places of ids behind the answer, up to 16 of them, may
   be overwritten too; nothing behind `room` is. */
THRONG_C throng_status throng_query_one(const throng_crowd* crowd, const throng_questions* question,
                                        uint32_t* ids, size_t room, uint64_t* total);

enum throng_order {
    THRONG_ORDER_STORAGE = 0, /* answer k is that of the k-th id of throng_crowd_order(): the fastest */
    THRONG_ORDER_IDS = 1      /* answer k is that of agent k, and there are id_bound of them */
};

/* What everybody asks at once: whose centre is within `radius` of mine? */
typedef struct throng_neighbourhood {
    size_t struct_size;
    float radius;
    uint32_t groups;    /* of those to be found */
    uint32_t sets;      /* of those to be found */
    uint32_t order;     /* one of throng_order */
    uint32_t with_self; /* 0 or 1 */
    uint32_t reserved;
} throng_neighbourhood;
#define THRONG_NEIGHBOURHOOD_INIT \
    { sizeof(throng_neighbourhood), 0, THRONG_ALL_GROUPS, THRONG_EVERYBODY, THRONG_ORDER_STORAGE, 0, 0 }

THRONG_C throng_status throng_neighbours(throng_batch* batch, const throng_crowd* crowd,
                                         const throng_neighbourhood* neighbourhood, throng_hits* out);
THRONG_C throng_status throng_neighbours_into(throng_batch* batch, const throng_crowd* crowd,
                                              const throng_neighbourhood* neighbourhood,
                                              throng_hits_room* out);
THRONG_C throng_status throng_count_neighbours(throng_batch* batch, const throng_crowd* crowd,
                                               const throng_neighbourhood* neighbourhood, uint32_t* counts,
                                               size_t room, uint64_t* sum);

/* Which pairs of overlapping boxes are wanted, by the sets of the two. */
enum throng_pair_sets {
    THRONG_SMALL_SMALL = 1,
    THRONG_SMALL_GIANTS = 2,
    THRONG_GIANTS_GIANTS = 4,
    THRONG_AGENT_PAIRS = 7,
    THRONG_SMALL_STATICS = 8,
    THRONG_GIANTS_STATICS = 16,
    THRONG_ALL_PAIRS = 31
};

typedef struct throng_pairing {
    size_t struct_size;
    uint32_t sets;   /* a sum of throng_pair_sets */
    uint32_t groups; /* who is outside has no part in it */
} throng_pairing;
#define THRONG_PAIRING_INIT { sizeof(throng_pairing), THRONG_AGENT_PAIRS, THRONG_ALL_GROUPS }

/* first[i] and second[i] overlap; each two come once. Of two sets the small agent comes first and the static
   last, of two giants the smaller id, of two small agents the one that comes first in canonical order, or, where
   they meet across a periodic border, the smaller id. */
typedef struct throng_pairs {
    size_t struct_size;
    const uint32_t* first;
    const uint32_t* second;
    uint64_t total;
} throng_pairs;
#define THRONG_PAIRS_INIT { sizeof(throng_pairs), NULL, NULL, 0 }

/* With THRONG_NO_ROOM total is true, status.index is the same, and the first `room` pairs were written. Places
   behind the pairs may be overwritten too; nothing behind `room` is. */
typedef struct throng_pairs_room {
    size_t struct_size;
    uint32_t* first;
    uint32_t* second;
    size_t room;
    uint64_t total; /* written by the call */
} throng_pairs_room;
#define THRONG_PAIRS_ROOM_INIT { sizeof(throng_pairs_room), NULL, NULL, 0, 0 }

/* `pairing` NULL: all pairs of agents. */
THRONG_C throng_status throng_find_pairs(throng_batch* batch, const throng_crowd* crowd,
                                         const throng_pairing* pairing, throng_pairs* out);
THRONG_C throng_status throng_find_pairs_into(throng_batch* batch, const throng_crowd* crowd,
                                              const throng_pairing* pairing, throng_pairs_room* out);
THRONG_C throng_status throng_count_pairs(throng_batch* batch, const throng_crowd* crowd,
                                          const throng_pairing* pairing, uint64_t* total);

/* One of the nearest: how far its centre is, squared, and who. */
typedef struct throng_near {
    float distance2; /* infinite where there is nobody */
    uint32_t id;     /* THRONG_NO_ID where there is nobody */
} throng_near;

/* The k nearest within `radius`: the nearest first, and of several equally near the smallest id. */
typedef struct throng_nearest {
    size_t struct_size;
    uint32_t k;   /* at most 1024 */
    float radius; /* up to 1e18 */
    uint32_t sets;
    uint32_t groups;    /* of those to be found */
    uint32_t without;   /* of points only: an id that is not to be found */
    uint32_t order;     /* of everybody only: one of throng_order */
    uint32_t with_self; /* of everybody only */
    uint32_t reserved;
} throng_nearest;
#define THRONG_NEAREST_INIT \
    { sizeof(throng_nearest), 1, 1e18f, THRONG_EVERYBODY, THRONG_ALL_GROUPS, THRONG_NO_ID, \
      THRONG_ORDER_STORAGE, 0, 0 }

/* k places a question, of which the first counts[q] are filled. */
typedef struct throng_near_hits {
    size_t struct_size;
    const throng_near* nearest;
    const uint32_t* counts;
    uint64_t count; /* of questions */
    uint32_t k;
    uint32_t reserved;
} throng_near_hits;
#define THRONG_NEAR_HITS_INIT { sizeof(throng_near_hits), NULL, NULL, 0, 0, 0 }

/* Arrays of the host's: count_room at least as many as there are questions, near_room at least k times as
   many. */
typedef struct throng_near_room {
    size_t struct_size;
    throng_near* nearest;
    size_t near_room;
    uint32_t* counts;
    size_t count_room;
    uint64_t total; /* how many were found, written by the call */
} throng_near_room;
#define THRONG_NEAR_ROOM_INIT { sizeof(throng_near_room), NULL, 0, NULL, 0, 0 }

/* Places to ask from: the coordinates of one behind those of the other, 2 or 3 as the crowd has. */
typedef struct throng_points {
    size_t struct_size;
    uint32_t dimension;
    uint32_t reserved;
    const float* coordinates;
    size_t count;
} throng_points;
#define THRONG_POINTS_INIT { sizeof(throng_points), 2, 0, NULL, 0 }

/* Nearest to each point. */
THRONG_C throng_status throng_find_nearest(throng_batch* batch, const throng_crowd* crowd,
                                           const throng_points* points, const throng_nearest* nearest,
                                           throng_near_hits* out);
THRONG_C throng_status throng_find_nearest_into(throng_batch* batch, const throng_crowd* crowd,
                                                const throng_points* points, const throng_nearest* nearest,
                                                throng_near_room* out);
/* Nearest to every agent. */
THRONG_C throng_status throng_nearest_neighbours(throng_batch* batch, const throng_crowd* crowd,
                                                 const throng_nearest* nearest, throng_near_hits* out);
THRONG_C throng_status throng_nearest_neighbours_into(throng_batch* batch, const throng_crowd* crowd,
                                                      const throng_nearest* nearest, throng_near_room* out);

/* What one question costs, and by which way it is answered: docs/planner.md. */
typedef struct throng_query_costs {
    size_t struct_size;
    const char* path; /* "none", "rows", "tiles" or "everybody"; good for ever */
    uint64_t rows;    /* that were looked into */
    uint64_t tested;  /* small agents, one by one */
    uint64_t copied;  /* small agents, without a test */
    uint64_t small, giants, statics; /* found */
    double predicted_nanoseconds;
} throng_query_costs;
#define THRONG_QUERY_COSTS_INIT { sizeof(throng_query_costs), "none", 0, 0, 0, 0, 0, 0, 0 }

/* questions->count must be 1. */
THRONG_C throng_status throng_explain(const throng_crowd* crowd, const throng_questions* question,
                                      throng_query_costs* out);

/* ---- Room for the worst --------------------------------------------------------------------------- */

/* How many ids, or pairs, or nearest there can be at most, were everybody in every answer: then no ..._into()
   call returns THRONG_NO_ROOM. UINT64_MAX where it is more than that, 0 for what is no crowd. Mostly far too
   much: ..._into() with offsets but no ids tells the true number, as do pairs with no room, and throng_query()
   needs none. */
THRONG_C uint64_t throng_query_bound(const throng_crowd* crowd, uint64_t questions, uint32_t sets);
/* Of answers, without the one more offset; by `order`. */
THRONG_C uint64_t throng_answers_bound(const throng_crowd* crowd, uint32_t order);
THRONG_C uint64_t throng_neighbours_bound(const throng_crowd* crowd, uint32_t sets);
THRONG_C uint64_t throng_pairs_bound(const throng_crowd* crowd, uint32_t pair_sets);
THRONG_C uint64_t throng_nearest_bound(uint64_t questions, uint32_t k);

/* ---- Snapshots ------------------------------------------------------------------------------------- */

/* A crowd that is asked while it is updated: one thread at a time changes it, and any number acquire the
   frame that was finished last, and keep it for as long as they like. */
typedef struct throng_published throng_published;
typedef struct throng_snapshot throng_snapshot;

THRONG_C throng_status throng_published_create(const throng_crowd_settings* settings,
                                               throng_published** out);
/* Snapshots that are held stay good. */
THRONG_C throng_status throng_published_destroy(throng_published* published);

/* Builds the next frame and publishes it. */
THRONG_C throng_status throng_published_update(throng_published* published, const throng_agents* agents,
                                               throng_executor* executor);
/* What never moves, from the next update on. */
THRONG_C throng_status throng_published_set_statics(throng_published* published,
                                                    const throng_agents* statics,
                                                    throng_executor* executor);

/* The last frame; *out is NULL before the first. Never waits for an update. */
THRONG_C throng_status throng_snapshot_acquire(const throng_published* published, throng_snapshot** out);
THRONG_C throng_status throng_snapshot_release(throng_snapshot* snapshot);

/* Which it was of those published, from 1 on, and its crowd, which may be asked in every way and changed in
   none. The crowd's handle dies with the snapshot. Either may be NULL. */
THRONG_C throng_status throng_snapshot_look(const throng_snapshot* snapshot, uint64_t* frame,
                                            throng_crowd** crowd);

#ifdef __cplusplus
}
#endif

#endif
