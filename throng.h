/*
 * Throng for C99, C++11, and every language that can call C.
 *
 * One index for a whole crowd, asked in batches: small agents, giants and statics, in the plane or in space.
 * Questions mean the same as in C++, and answers come in the same order. This page says all that is needed to
 * use it; the headers of engine/ say more.
 *
 *     throng_crowd* crowd = NULL;
 *     throng_crowd_settings settings = THRONG_CROWD_SETTINGS_INIT;
 *     throng_status status = throng_crowd_create(&settings, &crowd);
 *
 * **Statuses.** Every call that can fail returns one, by value. Its code is 0, or the cause. Its argument names
 * what was wrong: a parameter ("crowd"), a field of it ("questions.shapes"), or for agents "positions",
 * "half_extents", "groups" or "common_half_extent"; for statics "statics" replaces the first three. Its index is
 * the first wrong element; for THRONG_NO_ROOM it is the length that is needed. throng_status_text() makes a
 * sentence of a status. After any status but THRONG_OK nothing has changed, and outputs must not be read, unless
 * this header says that they may. No C++ exception leaves a call.
 *
 * **Handles** are names that the library looks up, and not addresses. A handle that is NULL, that was destroyed,
 * or that is of another kind is always refused with a status, in constant time. Destroying NULL does nothing.
 * Objects keep alive the objects that they need: a crowd its memory, a batch its executor.
 *
 * **Structures** begin with their size, which the ..._INIT macro of each fills in, with defaults. A library
 * newer than the header takes fields that the header lacks at their defaults. An older library accepts longer
 * structures if the fields that it does not know are zero. Reserved fields must be zero.
 *
 * **Threads.** A crowd is either changed by one call or asked by any number of calls; so are obstacles. A batch serves
 * one call at a time. Any thread may acquire snapshots at any time. No object may be destroyed before all calls
 * with it have returned, callbacks included; an executor may be destroyed by its own callbacks. All other calls
 * may overlap: docs/threads.md.
 */
#ifndef THRONG_H
#define THRONG_H

#include <stddef.h>
#include <stdint.h>

#if defined(THRONG_SHARED) && defined(__GNUC__)
#define THRONG_C __attribute__((visibility("default")))
#else
#define THRONG_C
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Statuses -------------------------------------------------------------------------------------- */

/* The cause of a refusal. Numbers never change, and new ones may come. Below 100 they are those of throng::Cause. */
enum throng_code {
    THRONG_OK = 0,
    THRONG_NOT_FINITE = 1,       /* NaN or infinite */
    THRONG_TOO_LARGE = 2,        /* beyond 1e18 */
    THRONG_NEGATIVE = 3,         /* an extent or radius below zero */
    THRONG_NOT_POSITIVE = 4,     /* a cell size of zero or less */
    THRONG_INVERTED = 5,         /* bounds whose low side exceeds the high side */
    THRONG_COUNT_MISMATCH = 6,   /* arrays of different lengths that belong together */
    THRONG_NULL_POINTER = 7,     /* no array although its count is not zero, or nowhere to write to */
    THRONG_TOO_MANY = 8,         /* more than can be numbered */
    THRONG_ID_TAKEN = 9,         /* an insertion of an id that is in use */
    THRONG_ID_UNKNOWN = 10,      /* an erasure or a move of an id that is not in use */
    THRONG_NOT_STORED = 11,      /* an extent or mask given that this crowd does not keep */
    THRONG_MISSING = 12,         /* an extent or mask not given that this crowd keeps */
    THRONG_NOT_CONFIGURED = 13,  /* what needs cells, or bounds, before there are any */
    THRONG_NO_SUCH_ISA = 14,     /* this machine lacks the library's instruction sets, or the one forced */
    THRONG_EXECUTOR_FAILED = 15, /* an executor returned before every block had run */
    THRONG_NO_ROOM = 16,         /* an array too short; status.index says how many elements it must have */
    THRONG_OUT_OF_RANGE = 17,
    THRONG_NO_DIRECTION = 18,    /* a direction, or the normal of a side, that is zero */
    THRONG_NO_COSINE = 19,       /* below -1 or above 1 */
    THRONG_NOT_CONVEX = 20,      /* corners that are not those of a polygon, or of a frustum */
    THRONG_HANDLE_STALE = 21,    /* a handle of an agent that is gone */
    THRONG_HANDLE_FOREIGN = 22,  /* a handle of an agent that this crowd has not given out */
    THRONG_OTHER_NAMES = 23,     /* a call for agents that have handles where they have none, or the other way round */
    THRONG_WRAPS = 24,           /* a call that does not work in periodic worlds */
    THRONG_OVER_MEMORY = 25,     /* the crowd's memory refused */
    THRONG_CANCELLED = 26,
    THRONG_IO_FAILED = 27,       /* a file could not be opened, read or written */
    THRONG_NOT_AN_INDEX = 28,    /* a file of another kind */
    THRONG_OTHER_VERSION = 29,   /* a file of another version, dimension or byte order */
    THRONG_TRUNCATED = 30,       /* a file that ends too early, or goes on too long */
    THRONG_CORRUPTED = 31,       /* a file that was altered */
    THRONG_RANK_LOST = 32,       /* another process of the job is gone, or does not answer */
    THRONG_BEYOND_REACH = 33,    /* farther than the processes of a job know about each other */
    THRONG_RANKS_DIFFER = 34,    /* processes of a job that make different calls */

    THRONG_NULL_HANDLE = 100,
    THRONG_DEAD_HANDLE = 101,      /* destroyed, or never made */
    THRONG_WRONG_HANDLE = 102,     /* of another kind */
    THRONG_READ_ONLY = 103,        /* a change to a crowd that belongs to a snapshot */
    THRONG_WRONG_SIZE = 104,       /* a structure that is too short, or has unknown fields that are not zero */
    THRONG_WRONG_VALUE = 105,      /* a field with a value that it cannot have, or a reserved one that is not zero */
    THRONG_WRONG_DIMENSION = 106,  /* shapes or positions of another dimension than the crowd's, or the obstacles' */
    THRONG_WRONG_ABI = 107,        /* the header does not belong to this library */
    THRONG_OUT_OF_MEMORY = 108,    /* the heap refused */
    THRONG_CALLBACK_THREW = 109,   /* a C++ exception came out of a callback */
    THRONG_NOT_STARTED = 110,      /* the system would not start a thread of a pool */
    THRONG_SYSTEM_FAILED = 111,    /* the system refused something else, such as a lock */
    THRONG_NOT_BUILT = 112,        /* the library was built without it */
    THRONG_BEING_CHANGED = 113     /* a crowd that is being changed in steps, and for now serves no other call */
};

/* The outcome of a call. */
typedef struct throng_status {
    int32_t code;         /* one of throng_code */
    uint32_t reserved;
    const char* argument; /* what was wrong, such as "positions"; never NULL, and valid for ever */
    uint64_t index;       /* its first wrong element; for THRONG_NO_ROOM the length that is needed */
} throng_status;

/* Writes one sentence for people, such as "positions[17] is NaN or infinite", with a zero behind it, cut to
   `room` characters. Returns the length of the whole sentence, without the zero; pass NULL and 0 to get the
   length alone. */
THRONG_C size_t throng_status_text(throng_status status, char* text, size_t room);

/* ---- Version --------------------------------------------------------------------------------------- */

/* Rises when a change here makes it necessary to compile programs again. */
#define THRONG_ABI 2

/* throng_check_abi(THRONG_ABI) returns THRONG_WRONG_ABI unless the library fits this header. Programs that
   load the library at run time should begin with it. */
THRONG_C throng_status throng_check_abi(uint32_t abi);

/* The version, such as "0.2.0". */
THRONG_C const char* throng_version(void);

/* The instruction set in use, such as "avx2". */
THRONG_C const char* throng_isa(void);

/* ---- Shapes ---------------------------------------------------------------------------------------- */

/* As in C++ (engine/shapes/shapes.hpp), to the byte. What each finds:

     box           agents whose boxes overlap it
     ball          agents whose centres lie in it, rim included
     segment, ray  agents whose boxes it hits
     capsule       agents whose discs a moving disc of `radius` hits
     sector        agents whose centres lie in that part of a ball, within an angle of a direction
     convex        agents whose boxes overlap the region inside the bounds and all sides
     oriented box  agents whose boxes overlap it
     cylinder      agents whose centres lie in it, rims included: upright, a disc on the ground and a band of
                   heights
     body ball, body sector, body cylinder
                   agents whose bodies they touch; each says what bodies are, a throng_body */

/* What an agent is to a question about distance: its centre, its box, or a disc (in space a ball) whose radius
   is its half extent on x. */
enum throng_body { THRONG_BODY_CENTRE = 0, THRONG_BODY_BOX = 1, THRONG_BODY_DISC = 2 };

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
/* Within the angle of `direction` that has this cosine: 0 sees all that is in front, -1 everything. */
typedef struct throng_sector2 { float centre[2], radius, direction[2], cosine; } throng_sector2;
typedef struct throng_sector3 { float centre[3], radius, direction[3], cosine; } throng_sector3;
/* The points p with normal . p <= offset. */
typedef struct throng_side2 { float normal[2], offset; } throng_side2;
typedef struct throng_side3 { float normal[3], offset; } throng_side3;
/* The points inside the first `count` sides, at most 8, and inside the bounds, which may be +-1e18. */
typedef struct throng_convex2 { throng_side2 sides[8]; size_t count; throng_box2 bounds; } throng_convex2;
typedef struct throng_convex3 { throng_side3 sides[8]; size_t count; throng_box3 bounds; } throng_convex3;
typedef struct throng_oriented_box2 { float centre[2], half_edges[2][2]; } throng_oriented_box2;
typedef struct throng_oriented_box3 { float centre[3], half_edges[3][3]; } throng_oriented_box3;
/* `radius` on the ground, and low ... high on the axis `up`: 1 for y, in space also 2 for z; never 0. */
typedef struct throng_cylinder2 { float centre[2], radius, low, high; uint32_t up; } throng_cylinder2;
typedef struct throng_cylinder3 { float centre[3], radius, low, high; uint32_t up; } throng_cylinder3;
/* `body` is one of throng_body. */
typedef struct throng_body_ball2 { float centre[2], radius; uint32_t body; } throng_body_ball2;
typedef struct throng_body_ball3 { float centre[3], radius; uint32_t body; } throng_body_ball3;
typedef struct throng_body_sector2 {
    float centre[2], radius, direction[2], cosine;
    uint32_t body;
} throng_body_sector2;
typedef struct throng_body_sector3 {
    float centre[3], radius, direction[3], cosine;
    uint32_t body;
} throng_body_sector3;
typedef struct throng_body_cylinder2 { float centre[2], radius, low, high; uint32_t up, body; } throng_body_cylinder2;
typedef struct throng_body_cylinder3 { float centre[3], radius, low, high; uint32_t up, body; } throng_body_cylinder3;

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
    THRONG_CYLINDER2 = 92, THRONG_CYLINDER3 = 93,
    THRONG_BODY_BALL2 = 102, THRONG_BODY_BALL3 = 103,
    THRONG_BODY_SECTOR2 = 112, THRONG_BODY_SECTOR3 = 113,
    THRONG_BODY_CYLINDER2 = 122, THRONG_BODY_CYLINDER3 = 123
};

/* The convex region with these corners, x and y of each: at most 8, in order, either way round. */
THRONG_C throng_status throng_polygon(const float* corners, size_t count, throng_convex2* out);

/* The frustum with these corners, x, y and z of each: four around the near side, then the corresponding four of the
   far side. */
THRONG_C throng_status throng_frustum(const float corners[24], throng_convex3* out);

/* ---- Memory ---------------------------------------------------------------------------------------- */

typedef struct throng_memory throng_memory;

/* Where crowds take their memory from. The functions are called from every thread on which an executor runs
   blocks. Give both, or neither: then memory comes from the heap. */
typedef struct throng_memory_settings {
    size_t struct_size;
    /* Returns `bytes` bytes at a multiple of `alignment`, a power of two. If it returns NULL or throws a C++
       exception, the call that needed them returns THRONG_OVER_MEMORY, and has changed nothing. */
    void* (*allocate)(size_t bytes, size_t alignment, void* user);
    /* Takes back memory that allocate() returned for the same two numbers. */
    void (*deallocate)(void* memory, size_t bytes, size_t alignment, void* user);
    void* user;
    uint64_t cap; /* the most bytes in use at a time; 0: no cap */
} throng_memory_settings;
#define THRONG_MEMORY_SETTINGS_INIT { sizeof(throng_memory_settings), NULL, NULL, NULL, 0 }

THRONG_C throng_status throng_memory_create(const throng_memory_settings* settings, throng_memory** out);
THRONG_C throng_status throng_memory_destroy(throng_memory* memory);

typedef struct throng_memory_counts {
    size_t struct_size;
    uint64_t used;    /* bytes in use */
    uint64_t peak;    /* the most so far */
    uint64_t refused; /* the number of refusals */
} throng_memory_counts;
#define THRONG_MEMORY_COUNTS_INIT { sizeof(throng_memory_counts), 0, 0, 0 }

THRONG_C throng_status throng_memory_count(const throng_memory* memory, throng_memory_counts* out);

/* ---- Executors ------------------------------------------------------------------------------------- */

/* Runs the blocks of updates and batches. NULL, as an argument, is the default: oneTBB, in the arena of whoever
   calls, if the library was built with it; else a pool that all calls share, with a thread for each processor.
   Results are the same to the bit on every executor. */
typedef struct throng_executor throng_executor;

enum throng_executor_kind {
    THRONG_SERIAL = 1,   /* the calling thread */
    THRONG_TBB = 2,
    THRONG_POOL = 3,     /* threads of the library's own, which end with the executor */
    THRONG_CALLBACKS = 4 /* the host's job system */
};

/* Does jobs begin ... end - 1. Never fails; does nothing after its loop has ended. */
typedef void (*throng_job)(size_t begin, size_t end, void* context);

/* The host's job system. */
typedef struct throng_executor_callbacks {
    size_t struct_size;
    /* Takes over jobs 0 ... count - 1. It must call `job` once for each number, in ranges of any size and order, on
       any threads, or inside this call. Returns the task for finish(); NULL if there is nothing to wait for. */
    void* (*enqueue)(throng_job job, size_t count, void* context, void* user);
    /* Returns when all these jobs have returned. It is not called for NULL, and may be NULL if enqueue() always
       returns NULL. */
    void (*finish)(void* task, void* user);
    void* user;
    size_t threads; /* the most that work on a loop, the calling one included; 0: not known */
} throng_executor_callbacks;
#define THRONG_EXECUTOR_CALLBACKS_INIT { sizeof(throng_executor_callbacks), NULL, NULL, NULL, 0 }

THRONG_C throng_status throng_executor_create(const throng_executor_callbacks* callbacks, throng_executor** out);

/* An executor of a kind (not THRONG_CALLBACKS) for `threads` threads, the calling one included, at most 65536. 0: for
   a pool a thread for each processor; for THRONG_TBB all threads of the arena that a call comes from, which are never
   exceeded. THRONG_SERIAL takes 0 or 1. */
THRONG_C throng_status throng_executor_create_kind(uint32_t kind, size_t threads, throng_executor** out);

typedef struct throng_executor_facts {
    size_t struct_size;
    uint32_t kind; /* a throng_executor_kind */
    uint32_t reserved;
    size_t threads; /* that may work on a call from this thread, this one included; 0: not known */
} throng_executor_facts;
#define THRONG_EXECUTOR_FACTS_INIT { sizeof(throng_executor_facts), 0, 0, 0 }

/* Describes an executor; NULL: the default executor. */
THRONG_C throng_status throng_executor_describe(const throng_executor* executor, throng_executor_facts* out);

/* Call it when the host holds no more jobs of the executor, or from within enqueue() or finish(): a call that
   runs on the executor keeps it until it returns. */
THRONG_C throng_status throng_executor_destroy(throng_executor* executor);

/* ---- Crowds ---------------------------------------------------------------------------------------- */

typedef struct throng_crowd throng_crowd;

#define THRONG_NO_ID 0xFFFFFFFFu
#define THRONG_ALL_GROUPS 0xFFFFFFFFu
/* The id of static i of throng_crowd_set_statics() is THRONG_FIRST_STATIC + i; edits may take larger ones. */
#define THRONG_FIRST_STATIC 0x80000000u

/* THRONG_KEEPS_CELLS is no value: updates never lay other cells, although these may no longer suit the agents. */
enum throng_given { THRONG_GIVEN_BOUNDS = 1, THRONG_GIVEN_CELL = 2, THRONG_KEEPS_CELLS = 4 };

/* What each agent of a crowd has of its own; needed only to insert before the first update. */
enum throng_kept { THRONG_KEPT_HALF_EXTENTS = 1, THRONG_KEPT_GROUPS = 2 };

/* The first `dimension` elements of each array count; the others must be zero. */
typedef struct throng_crowd_settings {
    size_t struct_size;
    uint32_t dimension; /* 2 or 3 */
    uint32_t given;     /* which of the next three are given, a sum of throng_given; the others follow from
                           the agents, anew when these have spread or moved away: docs/fit.md */
    float lo[3], hi[3]; /* bounds: agents outside are kept and found; statuses blame "settings.lo" */
    float cell[3];      /* the size of a cell; only with bounds */
    uint32_t periodic;  /* a sum of 1, 2, 4: the world wraps around on x, y, z */
    double origin[3];   /* where local coordinates are zero, in world coordinates: for positions in doubles */
    throng_memory* memory;       /* NULL: the heap */
    uint32_t kept;               /* a sum of throng_kept */
    float common_half_extent[3]; /* of all agents, unless they have their own */
} throng_crowd_settings;
#define THRONG_CROWD_SETTINGS_INIT \
    { sizeof(throng_crowd_settings), 2, 0, { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }, 0, { 0, 0, 0 }, NULL, 0, { 0, 0, 0 } }

/* Makes an empty crowd, whose agents have of their own what `settings->kept` says. */
THRONG_C throng_status throng_crowd_create(const throng_crowd_settings* settings, throng_crowd** out);
THRONG_C throng_status throng_crowd_destroy(throng_crowd* crowd);

/* Agents in the host's arrays, which are read during the call and not afterwards. On axis a, the coordinate of
   agent i is at position[a] + i * position_stride[a]. Strides are in bytes, of either sign, and values may be
   unaligned. So float3 arrays, separate arrays and arrays of structures are all read where they lie. The
   defaults are those of a dense array of floats for each axis. */
typedef struct throng_agents {
    size_t struct_size;
    uint32_t dimension; /* as the crowd's */
    uint32_t doubles;   /* 0: positions are floats, relative to the origin; 1: doubles, in world coordinates */
    size_t count;
    const void* position[3];
    ptrdiff_t position_stride[3];
    const float* half_extent[3]; /* all NULL: all agents have the common one */
    ptrdiff_t half_extent_stride[3];
    float common_half_extent[3];
    uint32_t reserved;
    const uint32_t* groups; /* a mask for each agent; NULL: none */
    ptrdiff_t groups_stride;
} throng_agents;
#define THRONG_AGENTS_INIT \
    { sizeof(throng_agents), 2, 0, 0, { NULL, NULL, NULL }, { 4, 4, 4 }, { NULL, NULL, NULL }, { 4, 4, 4 }, \
      { 0, 0, 0 }, 0, NULL, 4 }

/* Agents whose coordinates lie side by side, one agent every `stride` bytes. In 2D these may be the first two
   coordinates of a float3 array. */
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

/* Agents with an array for each coordinate; `z` is ignored in two dimensions. */
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

/* Replaces all agents: everything has moved. The id of agent i is i. */
THRONG_C throng_status throng_crowd_update(throng_crowd* crowd, const throng_agents* agents,
                                           throng_executor* executor);

/* The same from arrays in an order of the host's own: ids[i] is the id of agent i. Ids are free to choose
   below THRONG_FIRST_STATIC - 64, each once; memory is taken for every id up to the largest. */
THRONG_C throng_status throng_crowd_update_ids(throng_crowd* crowd, const throng_agents* agents, const uint32_t* ids,
                                               size_t count, throng_executor* executor);

/* Moves agents, all of them or none, to the positions of `agents`, one for each id; only positions are used. An id may
   come twice; its last position counts. */
THRONG_C throng_status throng_crowd_move_ids(throng_crowd* crowd, const uint32_t* ids, size_t count,
                                             const throng_agents* agents, throng_executor* executor);

/* Takes now the memory that updates of up to this many agents need, and touches its pages, so that the first update
   is as fast as later ones. Assumes that agents are spread evenly, and have half extents and groups of their own if
   the crowd's agents do. Changes no answer. Giants and positions in doubles still take their memory when they come.
   The crowd must have its cells: from its settings, or from its first agents. */
THRONG_C throng_status throng_crowd_reserve(throng_crowd* crowd, size_t agents, throng_executor* executor);

/* Replaces all statics; updates leave them as they are. throng_crowd_edit() changes single ones. */
THRONG_C throng_status throng_crowd_set_statics(throng_crowd* crowd, const throng_agents* statics,
                                                throng_executor* executor);

enum throng_edit_kind { THRONG_INSERT = 0, THRONG_ERASE = 1, THRONG_MOVE = 2 };

/* Inserts, erases or moves one agent or one static. A move uses the position alone, an erasure none of the values. */
typedef struct throng_edit {
    uint32_t kind; /* one of throng_edit_kind */
    uint32_t id;   /* an agent's is below THRONG_FIRST_STATIC - 64, a static's from THRONG_FIRST_STATIC on */
    float position[3];
    uint32_t kept; /* which of the next two are given, a sum of throng_kept: exactly those that the crowd keeps */
    float half_extent[3];
    uint32_t groups;
} throng_edit;

/* Makes all of these edits, or none. Statics are edited by id in a crowd whose agents have handles, too. A static that
   is inserted may have any free id from THRONG_FIRST_STATIC to 2 * THRONG_FIRST_STATIC - 65, and needs a half extent, and
   a mask if other statics have masks. One edit alone of a static takes little time; a longer list with edits of statics
   copies all of them first. */
THRONG_C throng_status throng_crowd_edit(throng_crowd* crowd, const throng_edit* edits, size_t count,
                                         throng_executor* executor);

/* The same with positions in world coordinates, from which the origin is subtracted in doubles. */
typedef struct throng_world_edit {
    uint32_t kind;
    uint32_t id;
    double position[3];
    uint32_t kept;
    float half_extent[3];
    uint32_t groups;
    uint32_t reserved;
} throng_world_edit;

THRONG_C throng_status throng_crowd_edit_world(throng_crowd* crowd, const throng_world_edit* edits, size_t count,
                                               throng_executor* executor);

/* Converts `count` points, of the crowd's dimension, from world coordinates to those of shapes, relative to the
   origin and rounded once; or back. `room` is how many coordinates the output has room for. Periodic worlds do not
   wrap points, so that those of a shape stay together. A point too far from the origin for floats becomes one that
   every call refuses. */
THRONG_C throng_status throng_crowd_local(const throng_crowd* crowd, const double* world, size_t count, float* local,
                                          size_t room);
THRONG_C throng_status throng_crowd_world(const throng_crowd* crowd, const float* local, size_t count, double* world,
                                          size_t room);

/* Through which borders of a periodic world agents see what they have found. For agent i at points[i] and one at
   positions[i], `images` gets a number for each axis of the crowd, -1, 0 or 1: moved by so many periods, the position
   is where it is nearest to the point, so there it was found. Of both, only positions are used: those of one kind,
   floats or doubles, that the crowd was given. A single point sees all positions. `room` is how many numbers `images`
   has room for. Before anything is written, coordinates that no crowd takes are refused, with their index. */
THRONG_C throng_status throng_crowd_images(const throng_crowd* crowd, const throng_agents* points,
                                           const throng_agents* positions, int8_t* images, size_t room);

/* Forgets all agents; keeps statics, cells and memory. */
THRONG_C throng_status throng_crowd_clear(throng_crowd* crowd);

/* Writes a file from which throng_crowd_load(), C++ and Python make the same crowd. load() replaces the content
   of the crowd, and keeps its memory; it refuses damaged files, and files of another structure or dimension. The
   path is UTF-8, on Windows too. */
THRONG_C throng_status throng_crowd_save(const throng_crowd* crowd, const char* path);
THRONG_C throng_status throng_crowd_load(throng_crowd* crowd, const char* path);

typedef struct throng_crowd_counts {
    size_t struct_size;
    uint32_t dimension;
    uint32_t cells[3];   /* of the grid, on each axis */
    uint64_t agents;     /* giants included */
    uint64_t giants;
    uint64_t statics;
    uint64_t id_bound;   /* greater than the ids of all agents */
    uint64_t index_bytes;   /* needed to answer */
    uint64_t staging_bytes; /* kept for the next update */
    uint64_t slot_bound;    /* greater than the slots of all handles; 0 if agents have no handles */
} throng_crowd_counts;
#define THRONG_CROWD_COUNTS_INIT { sizeof(throng_crowd_counts), 0, { 0, 0, 0 }, 0, 0, 0, 0, 0, 0, 0 }

THRONG_C throng_status throng_crowd_count(const throng_crowd* crowd, throng_crowd_counts* out);

/* How well the cells suit the agents. Company is how many others an agent has in its cell, on average: a search tests
   them all. A fitted crowd that is spread evenly has one in the plane, and two in space. */
typedef struct throng_cell_stats {
    size_t struct_size;
    uint64_t rows, cells;           /* of the grid */
    uint64_t used_rows, used_cells; /* those that have agents */
    uint64_t agents;                /* in the grid: all but giants */
    uint64_t outside;               /* agents of the grid beyond its cells: they are in border cells */
    double company;
    double company_afresh; /* the same in cells fitted to these agents now */
} throng_cell_stats;
#define THRONG_CELL_STATS_INIT { sizeof(throng_cell_stats), 0, 0, 0, 0, 0, 0, 0, 0 }

/* Takes as long as a first update, and as much memory. */
THRONG_C throng_status throng_crowd_cell_stats(const throng_crowd* crowd, throng_cell_stats* out);

/* Writes the ids of all agents in the order of their answers with THRONG_ORDER_STORAGE: small ones, then giants by id.
   `room` must be at least the number of agents. */
THRONG_C throng_status throng_crowd_order(const throng_crowd* crowd, uint32_t* ids, size_t room);

/* A part of the index, as a picture shows it: a cell of the grid of small agents, or a node of the tree of giants. Of
   lo and hi the first `dimension` elements count, the others are zero. */
typedef struct throng_cell {
    float lo[3], hi[3];
    uint32_t set;    /* THRONG_SMALL or THRONG_GIANTS */
    uint32_t depth;  /* of a node: 0 is the outermost */
    uint32_t agents; /* in this cell or node itself, not in nodes further in */
} throng_cell;

/* Writes all cells with agents, then all nodes, from the outermost inward. `total` is their number, also with
   THRONG_NO_ROOM; then the first `room` of them were written. */
THRONG_C throng_status throng_crowd_cells(const throng_crowd* crowd, throng_cell* cells, size_t room, uint64_t* total);

/* An array of the host, with an element of `bytes` bytes for every agent. */
typedef struct throng_array {
    void* data;
    size_t bytes;
} throng_array;

/* Puts arrays of `count` elements in another order, such as that of throng_crowd_order(): element order[i] moves to
   i. Agents then lie in the arrays as they do in the crowd, and after the next throng_crowd_update() their ids do
   too: reading and writing by id is faster, until agents have moved away from where they were. `order` must name each
   element once; no two arrays may overlap, and none may overlap `order`. */
THRONG_C throng_status throng_reorder(const uint32_t* order, size_t count, const throng_array* arrays,
                                      size_t arrays_count, throng_executor* executor);

/* ---- Handles of agents ----------------------------------------------------------------------------- */

/* Names that the crowd itself gives to agents. It can tell whether the agent of a handle is gone. All agents of a
   crowd are named in the same way: by handles from the first throng_crowd_add() to an empty crowd until
   throng_crowd_clear(); else by the host's ids. Calls for the other way are refused with THRONG_OTHER_NAMES. In
   answers an agent's id is the slot of its handle, which later agents may get again. throng_crowd_update() then takes
   arrays with an element for each slot, as many as throng_crowd_counts.slot_bound, and does not read elements of
   slots without an agent. */
typedef struct throng_agent_handle {
    uint32_t slot;       /* the agent's id */
    uint32_t generation; /* tells it from the agents that had the slot before */
    uint32_t owner;      /* tells its crowd from others; 0: no agent's handle */
} throng_agent_handle;

/* Adds agents, all of them or none, and writes their handles, for which there must be room. If the crowd keeps no half
   extents of each agent's own, agents->common_half_extent must be the crowd's. */
THRONG_C throng_status throng_crowd_add(throng_crowd* crowd, const throng_agents* agents, throng_agent_handle* handles,
                                        size_t room, throng_executor* executor);

/* Removes agents, all of them or none. A handle of an agent that is gone, or that comes twice, is refused with
   THRONG_HANDLE_STALE and its index; one of another crowd with THRONG_HANDLE_FOREIGN. */
THRONG_C throng_status throng_crowd_remove(throng_crowd* crowd, const throng_agent_handle* handles, size_t count,
                                           throng_executor* executor);

/* Moves agents, all of them or none, to the positions of `agents`, one for each handle; only positions are used. */
THRONG_C throng_status throng_crowd_move(throng_crowd* crowd, const throng_agent_handle* handles, size_t count,
                                         const throng_agents* agents, throng_executor* executor);

/* Replaces what all agents have, from arrays in an order of the host's own: handles[i] names agent i. They must be the
   handles of all agents, each once. */
THRONG_C throng_status throng_crowd_update_handles(throng_crowd* crowd, const throng_agents* agents,
                                                   const throng_agent_handle* handles, size_t count,
                                                   throng_executor* executor);

/* Writes the ids of these agents, all of which must be there; `room` is at least `count`. */
THRONG_C throng_status throng_crowd_resolve(const throng_crowd* crowd, const throng_agent_handle* handles, size_t count,
                                            uint32_t* ids, size_t room);
/* The way back: the handles of the agents with these ids, with owner 0 for ids without an agent. */
THRONG_C throng_status throng_crowd_handles(const throng_crowd* crowd, const uint32_t* ids, size_t count,
                                            throng_agent_handle* handles, size_t room);

/* Keys are the host's own names of agents: a crowd of handles keeps one number of 64 bits for each agent, and tells it
   for ids. It looks nothing up by them: two agents may have the same. An agent that came without a key has key 0. The
   first key takes memory for a key of each slot; crowds without keys take none. Files keep keys.

   add_keyed() is throng_crowd_add() with a key for each agent. set_keys() changes the keys of agents, of all or of
   none; of a handle that comes twice the last key counts. Another number of keys than of agents is refused with
   THRONG_COUNT_MISMATCH. */
THRONG_C throng_status throng_crowd_add_keyed(throng_crowd* crowd, const throng_agents* agents, const uint64_t* keys,
                                              size_t key_count, throng_agent_handle* handles, size_t room,
                                              throng_executor* executor);
THRONG_C throng_status throng_crowd_set_keys(throng_crowd* crowd, const throng_agent_handle* handles, size_t count,
                                             const uint64_t* keys, size_t key_count);
/* Answers in keys: keys[i] is that of the agent that has ids[i] now; 0 if there is none. Statics have no keys: that of
   a static is its id. Of throng_hits, ask for `total` ids: keys[offsets[q]] ... keys[offsets[q + 1] - 1] then answer
   question q. `room` is at least `count`. */
THRONG_C throng_status throng_crowd_keys(const throng_crowd* crowd, const uint32_t* ids, size_t count, uint64_t* keys,
                                         size_t room, throng_executor* executor);

/* ---- Changes in steps ------------------------------------------------------------------------------ */

/* Updates and edits of a crowd for job systems that cut the work themselves: one loop after another, whose blocks any
   jobs run. Needs no executor, and never waits: the next step is a job that begins when all blocks have ended, or a
   fiber that yields after each block.

       status = throng_change_update(change, crowd, &agents, threads, &loop);
       while (status.code == THRONG_OK && loop.blocks != 0) {
           in jobs: throng_change_run(change, begin, end); each block once, and all before the next call
           status = throng_change_next(change, &loop);
       }

   The crowd then has what throng_crowd_update() or throng_crowd_edit() would have given it, to the bit. What they
   refuse is refused here, by the call that begins or by throng_change_next(), and leaves the crowd as it was. Until
   there are no blocks any more, the arrays of the agents must stay, and no other call may use the crowd: calls that
   are made then are refused. throng_crowd_destroy() gives the change up. One object serves one change at a time. */
typedef struct throng_change throng_change;

/* The loop whose blocks are to be run now. */
typedef struct throng_loop {
    size_t struct_size;
    size_t blocks;        /* 0: all is done */
    size_t threads_worth; /* more threads than this gain nothing: waking one takes as long as it would work */
} throng_loop;
#define THRONG_LOOP_INIT { sizeof(throng_loop), 0, 1 }

THRONG_C throng_status throng_change_create(throng_change** out);
/* Cancels a change that has not ended. */
THRONG_C throng_status throng_change_destroy(throng_change* change);

/* Begins to replace all agents. `threads` is the most threads that the host lets work on a loop, which gets blocks
   for all of them; 0: not known. A change of the same object that has not ended is cancelled first. */
THRONG_C throng_status throng_change_update(throng_change* change, throng_crowd* crowd,
                                            const throng_agents* agents, size_t threads, throng_loop* out);

/* Begins a list of edits, which is copied. */
THRONG_C throng_status throng_change_edit(throng_change* change, throng_crowd* crowd, const throng_edit* edits,
                                          size_t count, throng_loop* out);

/* Runs blocks begin ... end - 1 of the loop, on whatever thread. Calls may overlap in time. A block that was run
   before is not run again, and blocks that do not exist are ignored. */
THRONG_C throng_status throng_change_run(throng_change* change, size_t begin, size_t end);

/* Ends the loop and goes on to the next; no throng_change_run() may go on meanwhile. If blocks were not run, or
   memory ran out in one of them, the change fails: THRONG_EXECUTOR_FAILED, with the first such block as index,
   THRONG_OVER_MEMORY or THRONG_OUT_OF_MEMORY. Once the crowd has begun to change, nothing fails any more: then
   missing blocks are run here. */
THRONG_C throng_status throng_change_next(throng_change* change, throng_loop* out);

/* Gives the change up: the crowd is as it was. If the crowd has begun to change, the rest of the change is run here
   instead. No throng_change_run() may go on meanwhile. */
THRONG_C throng_status throng_change_cancel(throng_change* change);

/* ---- Questions ------------------------------------------------------------------------------------- */

/* Parts of a crowd. */
enum throng_sets {
    THRONG_SMALL = 1,
    THRONG_GIANTS = 2,
    THRONG_AGENTS = 3,
    THRONG_STATICS = 4,
    THRONG_EVERYBODY = 7
};

/* Leaves out agents outside `groups`, (mask & groups) == 0, and the one agent `without`. */
typedef struct throng_filter {
    uint32_t groups;  /* THRONG_ALL_GROUPS: no test */
    uint32_t without; /* THRONG_NO_ID: no agent */
} throng_filter;

/* Shapes of one kind, the sets to search, and the agents to leave out. */
typedef struct throng_questions {
    size_t struct_size;
    uint32_t shape;     /* one of throng_shape */
    uint32_t sets;      /* a sum of throng_sets */
    const void* shapes; /* an array of that shape */
    size_t count;
    const throng_filter* filters; /* one for all shapes, or one for each */
    size_t filter_count;          /* 0: no agent is left out; 1; or count */
} throng_questions;
#define THRONG_QUESTIONS_INIT { sizeof(throng_questions), 0, THRONG_EVERYBODY, NULL, 0, NULL, 0 }

/* Answers. Question q found ids[offsets[q]] ... ids[offsets[q + 1] - 1]: small agents first, in the grid's
   canonical order, then giants, then statics. */
typedef struct throng_hits {
    size_t struct_size;
    const uint64_t* offsets; /* count + 1 of them */
    const uint32_t* ids;
    uint64_t count; /* of questions */
    uint64_t total; /* of ids */
} throng_hits;
#define THRONG_HITS_INIT { sizeof(throng_hits), NULL, NULL, 0, 0 }

/* The same in arrays of the host's. If `id_room` is too small the call returns THRONG_NO_ROOM: the offsets are
   right, total and status.index are the number of ids, and the first id_room of them were written. There must
   be room for all offsets: otherwise nothing is written, and status.index is their number. Up to 16 elements of
   ids behind the last answer may be overwritten too, but none beyond id_room. */
typedef struct throng_hits_room {
    size_t struct_size;
    uint64_t* offsets;
    size_t offset_room; /* at least one more than there are questions */
    uint32_t* ids;
    size_t id_room;
    uint64_t total; /* written by the call */
} throng_hits_room;
#define THRONG_HITS_ROOM_INIT { sizeof(throng_hits_room), NULL, 0, NULL, 0, 0 }

/* Asks in blocks on an executor. Answers stay in the batch, and valid, until its next call or its end. The batch
   keeps its memory from one call to the next, so steady frames allocate nothing. */
typedef struct throng_batch throng_batch;

THRONG_C throng_status throng_batch_create(throng_executor* executor, throng_batch** out);
THRONG_C throng_status throng_batch_destroy(throng_batch* batch);

/* The bytes that the batch keeps, answers included. release() frees them, so its answers are gone. */
THRONG_C throng_status throng_batch_memory(const throng_batch* batch, uint64_t* bytes);
THRONG_C throng_status throng_batch_release(throng_batch* batch);

/* The agents that each shape finds. */
THRONG_C throng_status throng_query(throng_batch* batch, const throng_crowd* crowd,
                                    const throng_questions* questions, throng_hits* out);
THRONG_C throng_status throng_query_into(throng_batch* batch, const throng_crowd* crowd,
                                         const throng_questions* questions, throng_hits_room* out);

/* The number of agents that each shape finds; counts needs room for questions->count. `sum` may be NULL. */
THRONG_C throng_status throng_count(throng_batch* batch, const throng_crowd* crowd,
                                    const throng_questions* questions, uint32_t* counts, size_t room,
                                    uint64_t* sum);

/* 1 for each shape that finds an agent, 0 for the others. */
THRONG_C throng_status throng_any(throng_batch* batch, const throng_crowd* crowd,
                                  const throng_questions* questions, uint32_t* found, size_t room,
                                  uint64_t* sum);

/* A hit of a path, and its time: from 0 to 1 along a segment or capsule, along a ray up to its length. */
typedef struct throng_meeting {
    float time;
    uint32_t id; /* THRONG_NO_ID: no hit */
} throng_meeting;

/* The first hit of each segment, ray or capsule; of several hits at that time the smallest id. */
THRONG_C throng_status throng_first(throng_batch* batch, const throng_crowd* crowd,
                                    const throng_questions* paths, throng_meeting* meetings, size_t room,
                                    uint64_t* sum);

/* Answers one question, whose count must be 1, without a batch: with the ids that it finds, their number, 1 or 0 for
   any or none, or the first hit of a path (if there is none, its id is THRONG_NO_ID). Any number of threads may call
   these at once. They never allocate. throng_query_one() writes the right `total` also with THRONG_NO_ROOM; up to 16
   elements of ids behind the answer may be overwritten too, but none beyond `room`. */
THRONG_C throng_status throng_query_one(const throng_crowd* crowd, const throng_questions* question,
                                        uint32_t* ids, size_t room, uint64_t* total);
THRONG_C throng_status throng_count_one(const throng_crowd* crowd, const throng_questions* question,
                                        uint64_t* total);
THRONG_C throng_status throng_any_one(const throng_crowd* crowd, const throng_questions* question,
                                      uint32_t* found);
THRONG_C throng_status throng_first_one(const throng_crowd* crowd, const throng_questions* path,
                                        throng_meeting* meeting);
/* The first hit after the hit `after`, by time, then by id, such as the last hit that the host looked at. All hits
   come after THRONG_BEFORE_ALL. */
THRONG_C throng_status throng_first_after_one(const throng_crowd* crowd, const throng_questions* path,
                                              const throng_meeting* after, throng_meeting* meeting);

/* All hits of one path, by time, then by id; path->count must be 1. Allocates what its answer takes. `total` is their
   number, also with THRONG_NO_ROOM; then the first `room` of them were written. */
THRONG_C throng_status throng_meetings_one(const throng_crowd* crowd, const throng_questions* path,
                                           throng_meeting* meetings, size_t room, uint64_t* total);

/* Looks at the ids of an answer, some at a time; returns 0 to stop. It may ask the crowd, and must not change it. */
typedef int32_t (*throng_visitor)(const uint32_t* ids, size_t count, void* user);

/* Hands the answer to one question to a function of the host, on the calling thread: small agents first, then giants,
   then statics. question->count must be 1. Needs no room, and stops when the host has seen enough. `visited` is how
   many ids were handed over; it may be NULL. */
THRONG_C throng_status throng_visit_one(const throng_crowd* crowd, const throng_questions* question,
                                        throng_visitor visitor, void* user, uint64_t* visited);

enum throng_order {
    THRONG_ORDER_STORAGE = 0, /* answer k is for the k-th id of throng_crowd_order(): the fastest */
    THRONG_ORDER_IDS = 1      /* answer k is for agent k, and there are id_bound of them */
};

/* What all agents ask at once: which agents are within `radius` of me? */
typedef struct throng_neighbourhood {
    size_t struct_size;
    float radius;
    uint32_t groups;    /* of the agents to be found */
    uint32_t sets;      /* of the agents to be found */
    uint32_t order;     /* one of throng_order */
    uint32_t with_self; /* 0 or 1 */
    /* 0 or 1. With 1 each agent finds only agents that come after it in throng_crowd_order(), and statics, and itself
       if with_self: of each two agents only one finds the other. */
    uint32_t later_only;
    uint32_t body; /* what both agents are, a throng_body: the distance is that between the two bodies */
    uint32_t reserved;
} throng_neighbourhood;
#define THRONG_NEIGHBOURHOOD_INIT \
    { sizeof(throng_neighbourhood), 0, THRONG_ALL_GROUPS, THRONG_EVERYBODY, THRONG_ORDER_STORAGE, 0, 0, \
      THRONG_BODY_CENTRE, 0 }

THRONG_C throng_status throng_neighbours(throng_batch* batch, const throng_crowd* crowd,
                                         const throng_neighbourhood* neighbourhood, throng_hits* out);
THRONG_C throng_status throng_neighbours_into(throng_batch* batch, const throng_crowd* crowd,
                                              const throng_neighbourhood* neighbourhood,
                                              throng_hits_room* out);
THRONG_C throng_status throng_count_neighbours(throng_batch* batch, const throng_crowd* crowd,
                                               const throng_neighbourhood* neighbourhood, uint32_t* counts,
                                               size_t room, uint64_t* sum);

/* Which pairs are wanted, by the sets of the two. */
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
    uint32_t groups; /* agents outside these are left out */
    float within;    /* negative: pairs that overlap; else pairs that are at most that far apart */
    uint32_t reserved;
    /* What agents are, a throng_body. For pairs that overlap, THRONG_BODY_DISC tests their discs, touching ones
       included, and any other value their boxes, since centres do not overlap. */
    uint32_t body;
    uint32_t reserved_too;
} throng_pairing;
#define THRONG_PAIRING_INIT \
    { sizeof(throng_pairing), THRONG_AGENT_PAIRS, THRONG_ALL_GROUPS, -1.0f, 0, THRONG_BODY_CENTRE, 0 }

/* first[i] and second[i] overlap, or are near each other; each pair comes once. In a pair of near agents, the agent
   that is first in throng_crowd_order() comes first; statics come last. In a pair that overlaps, small agents come
   before giants, and statics last; of two giants the smaller id comes first; of two small agents the first in
   canonical order, or, if they overlap only across a periodic border, the smaller id. */
typedef struct throng_pairs {
    size_t struct_size;
    const uint32_t* first;
    const uint32_t* second;
    uint64_t total;
} throng_pairs;
#define THRONG_PAIRS_INIT { sizeof(throng_pairs), NULL, NULL, 0 }

/* With THRONG_NO_ROOM total and status.index are the number of pairs, and the first `room` pairs were written.
   Elements behind the pairs may be overwritten too, but none beyond `room`. */
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

/* Looks at pairs, first[i] and second[i], some at a time; returns 0 to stop. */
typedef int32_t (*throng_pair_visitor)(const uint32_t* first, const uint32_t* second, size_t count, void* user);

/* Hands pairs that overlap to a function of the host, on the calling thread and without a batch: each pair once and
   always the same way round. pairing->within must be negative. `visited` is how many pairs were handed over; it may
   be NULL. */
THRONG_C throng_status throng_visit_pairs(const throng_crowd* crowd, const throng_pairing* pairing,
                                          throng_pair_visitor visitor, void* user, uint64_t* visited);

/* Pairs over time: which pairs begin, which last and which end, from one frame to the next. The object keeps the
   pairs of the last frame. It serves one call at a time, and only crowds of the first crowd's dimension. */
typedef struct throng_contacts throng_contacts;
THRONG_C throng_status throng_contacts_create(throng_executor* executor, throng_contacts** out);
THRONG_C throng_status throng_contacts_destroy(throng_contacts* contacts);

/* Two ids, of which `first` is the smaller. */
typedef struct throng_contact {
    uint32_t first;
    uint32_t second;
} throng_contact;
/* The index of a pair that was not there. */
#define THRONG_NO_CONTACT 0xFFFFFFFFu

/* The pairs of a frame, in ascending order of their first ids, then of their second; which of them begin; and which
   of the frame before have ended. Pairs are the same if their ids are. All of it stays until the next call with these
   contacts. */
typedef struct throng_contact_frame {
    size_t struct_size;
    const throng_contact* pairs;
    const uint32_t* previous; /* of each pair: its index in the frame before; THRONG_NO_CONTACT: it begins */
    uint64_t pair_count;
    const uint32_t* began; /* the indices of the pairs that begin, ascending */
    uint64_t began_count;
    const throng_contact* ended;
    const uint32_t* ended_previous; /* the index of each of these in the frame before */
    uint64_t ended_count;
} throng_contact_frame;
#define THRONG_CONTACT_FRAME_INIT { sizeof(throng_contact_frame), NULL, NULL, 0, NULL, 0, NULL, NULL, 0 }

/* The next frame: the pairs that throng_find_pairs() finds. `pairing` NULL: all pairs of agents. After a refusal, the
   next call compares with the same frame as this one. */
THRONG_C throng_status throng_contacts_update(throng_contacts* contacts, const throng_crowd* crowd,
                                              const throng_pairing* pairing, throng_contact_frame* out);
/* Forgets the last frame: in the next one all pairs begin. */
THRONG_C throng_status throng_contacts_clear(throng_contacts* contacts);
/* Bytes of scratch and of the frame. release() frees the scratch. */
THRONG_C throng_status throng_contacts_memory(const throng_contacts* contacts, uint64_t* bytes);
THRONG_C throng_status throng_contacts_release(throng_contacts* contacts);

/* Neighbour lists that last: they are made with a skin around the radius, and kept while no agent has moved farther
   than half of the skin. As long as they last, a frame costs a look at every position, and neither an update of the
   crowd nor a search. docs/lasting-neighbours.md. */
typedef struct throng_lasting_settings {
    size_t struct_size;
    float radius;       /* up to 1e18, and with the skin well below */
    float skin;         /* 0: new lists whenever an agent has moved at all */
    uint32_t groups;    /* of the agents to be found */
    uint32_t sets;      /* of the agents to be found */
    uint32_t with_self; /* 0 or 1 */
    /* 0 or 1. With 1 each agent finds only agents that come after it in the order of the lists, and statics, and
       itself if with_self. */
    uint32_t later_only;
} throng_lasting_settings;
#define THRONG_LASTING_SETTINGS_INIT \
    { sizeof(throng_lasting_settings), 0, 0, THRONG_ALL_GROUPS, THRONG_EVERYBODY, 0, 0 }

/* Keeps lists. It serves one call at a time, and only crowds of the first crowd's dimension. */
typedef struct throng_lasting throng_lasting;
THRONG_C throng_status throng_lasting_create(const throng_lasting_settings* settings, throng_executor* executor,
                                             throng_lasting** out);
THRONG_C throng_status throng_lasting_destroy(throng_lasting* lasting);

/* The lists. The list of agent order[k] is candidates[offsets[k]] ... candidates[offsets[k + 1] - 1]: all agents
   within the radius now, and some that are farther away. All of it stays until the next update. */
typedef struct throng_lasting_frame {
    size_t struct_size;
    const uint32_t* order;      /* as throng_crowd_order() was when the lists were made */
    const uint64_t* offsets;    /* count + 1 of them */
    const uint32_t* candidates;
    uint64_t count;    /* of lists */
    uint64_t made;     /* how often lists were made */
    uint64_t lasted;   /* how many frames have kept these lists; 0 in the frame that made them */
    float moved;       /* the farthest that any agent has been from its place at that time */
    uint32_t reserved;
} throng_lasting_frame;
#define THRONG_LASTING_FRAME_INIT { sizeof(throng_lasting_frame), NULL, NULL, NULL, 0, 0, 0, 0, 0 }

/* The next frame. Keeps the lists if they hold for these agents: as many of them, with the same half extents and
   groups, near enough to where they were, and the crowd unchanged since. Else updates the crowd, as
   throng_crowd_update() does, and makes new lists. After a refusal the lists are as they were; if the crowd had been
   updated by then, the next frame makes new ones. */
THRONG_C throng_status throng_lasting_update(throng_lasting* lasting, throng_crowd* crowd, const throng_agents* agents,
                                             throng_lasting_frame* out);
/* The candidates that are within the radius now: answer k is for order[k]. `agents` has the positions of the last
   frame, or others for which the lists hold too; the first agent that has moved too far is refused with
   THRONG_OUT_OF_RANGE. The answers stay until the next such call. */
THRONG_C throng_status throng_lasting_neighbours(throng_lasting* lasting, const throng_agents* agents,
                                                 throng_hits* out);
/* Looks at the neighbours of one agent. */
typedef void (*throng_neighbour_visitor)(uint32_t agent, const uint32_t* neighbours, size_t count, void* user);
/* The same without an array: calls the function of the host's once for every agent, from several threads at once. */
THRONG_C throng_status throng_lasting_visit(throng_lasting* lasting, const throng_agents* agents,
                                            throng_neighbour_visitor visitor, void* user);
/* Bytes of lists, answers and scratch. release() frees all of them. */
THRONG_C throng_status throng_lasting_memory(const throng_lasting* lasting, uint64_t* bytes);
THRONG_C throng_status throng_lasting_release(throng_lasting* lasting);

/* One of the nearest agents: the squared distance to its centre, or to its body, and its id. */
typedef struct throng_near {
    float distance2; /* infinite in an empty element */
    uint32_t id;     /* THRONG_NO_ID in an empty element */
} throng_near;

/* How much lower and higher than the asking point an agent's centre may be, ends included, on the axis `up`: 1 for y,
   2 for z; 0: at any height. */
typedef struct throng_height_band {
    uint32_t up;
    float below, above; /* up to 1e18 */
} throng_height_band;

/* Comes before every agent in the order of answers, and before every hit of a path. */
#define THRONG_BEFORE_ALL { -1.0f, 0 }

/* The k nearest within `radius`, by distance, and at equal distances by id. */
typedef struct throng_nearest {
    size_t struct_size;
    uint32_t k;   /* at most 1024 */
    float radius; /* up to 1e18 */
    uint32_t sets;
    uint32_t groups;    /* of the agents to be found */
    uint32_t without;   /* for points only: an id that is left out */
    uint32_t order;     /* for all agents only: one of throng_order */
    uint32_t with_self; /* for all agents only */
    uint32_t reserved;
    float least; /* agents with distance2 < least * least are left out; up to 1e18 */
    throng_height_band band;
    throng_near after; /* for points only: finds only agents after this one, such as the last of a page */
    uint32_t body; /* what agents are, asking ones too, a throng_body; the band limits heights of centres */
    uint32_t reserved_too;
} throng_nearest;
#define THRONG_NEAREST_INIT \
    { sizeof(throng_nearest), 1, 1e18f, THRONG_EVERYBODY, THRONG_ALL_GROUPS, THRONG_NO_ID, \
      THRONG_ORDER_STORAGE, 0, 0, 0.0f, { 0, 0.0f, 0.0f }, THRONG_BEFORE_ALL, THRONG_BODY_CENTRE, 0 }

/* k elements for each question, of which the first counts[q] are filled. */
typedef struct throng_near_hits {
    size_t struct_size;
    const throng_near* nearest;
    const uint32_t* counts;
    uint64_t count; /* of questions */
    uint32_t k;
    uint32_t reserved;
} throng_near_hits;
#define THRONG_NEAR_HITS_INIT { sizeof(throng_near_hits), NULL, NULL, 0, 0, 0 }

/* Arrays of the host's: count_room is at least the number of questions, and near_room at least k times that. */
typedef struct throng_near_room {
    size_t struct_size;
    throng_near* nearest;
    size_t near_room;
    uint32_t* counts;
    size_t count_room;
    uint64_t total; /* the number of agents found, written by the call */
} throng_near_room;
#define THRONG_NEAR_ROOM_INIT { sizeof(throng_near_room), NULL, 0, NULL, 0, 0 }

/* Points to ask from: for each, its 2 or 3 coordinates, one point behind another. */
typedef struct throng_points {
    size_t struct_size;
    uint32_t dimension;
    uint32_t reserved;
    const float* coordinates;
    size_t count;
} throng_points;
#define THRONG_POINTS_INIT { sizeof(throng_points), 2, 0, NULL, 0 }

/* The nearest to each point. */
THRONG_C throng_status throng_find_nearest(throng_batch* batch, const throng_crowd* crowd,
                                           const throng_points* points, const throng_nearest* nearest,
                                           throng_near_hits* out);
THRONG_C throng_status throng_find_nearest_into(throng_batch* batch, const throng_crowd* crowd,
                                                const throng_points* points, const throng_nearest* nearest,
                                                throng_near_room* out);
/* The nearest to one point, without a batch, as throng_query_one(); point->count must be 1. `near` must have room for
   k elements; elements that are not filled are empty. */
THRONG_C throng_status throng_find_nearest_one(const throng_crowd* crowd, const throng_points* point,
                                               const throng_nearest* nearest, throng_near* near, size_t room,
                                               uint64_t* total);
/* The nearest to every agent. */
THRONG_C throng_status throng_nearest_neighbours(throng_batch* batch, const throng_crowd* crowd,
                                                 const throng_nearest* nearest, throng_near_hits* out);
THRONG_C throng_status throng_nearest_neighbours_into(throng_batch* batch, const throng_crowd* crowd,
                                                      const throng_nearest* nearest, throng_near_room* out);

/* What one question costs, and the path by which the planner answers it: docs/planner.md. */
typedef struct throng_query_costs {
    size_t struct_size;
    const char* path; /* "none", "rows", "tiles" or "all"; valid for ever */
    uint64_t rows;    /* rows that were searched */
    uint64_t tested;  /* small agents tested one by one */
    uint64_t copied;  /* small agents taken without a test */
    uint64_t small_agents, giants, statics; /* hits */
    double predicted_nanoseconds; /* of the path */
    const char* reason;   /* why that path: "no_search", "only_way", "skips_rows" or "holds_all"; valid for ever */
    double predicted_rows, predicted_tiles, predicted_all; /* of each path; less than 0 where it is not possible */
    uint32_t large_first; /* 1 if throng_any() would best ask giants and statics before small agents */
    uint32_t reserved;    /* 0 */
} throng_query_costs;
#define THRONG_QUERY_COSTS_INIT { sizeof(throng_query_costs), "none", 0, 0, 0, 0, 0, 0, 0, "no_search", -1, -1, -1, 0, 0 }

/* questions->count must be 1. */
THRONG_C throng_status throng_explain(const throng_crowd* crowd, const throng_questions* question,
                                      throng_query_costs* out);

/* ---- Room for the worst --------------------------------------------------------------------------- */

/* The most ids, pairs or nearest that there can be, if every agent were in every answer. With that much room no
   ..._into() call returns THRONG_NO_ROOM. UINT64_MAX where the number is larger, 0 for a handle that is no
   crowd's. It is mostly far too much: ..._into() with offsets but no ids tells the true number, as do pairs with
   no room; and throng_query() needs no arrays. */
THRONG_C uint64_t throng_query_bound(const throng_crowd* crowd, uint64_t questions, uint32_t sets);
/* The number of answers in this `order`; there is one more offset. */
THRONG_C uint64_t throng_answers_bound(const throng_crowd* crowd, uint32_t order);
THRONG_C uint64_t throng_neighbours_bound(const throng_crowd* crowd, uint32_t sets);
THRONG_C uint64_t throng_pairs_bound(const throng_crowd* crowd, uint32_t pair_sets);
THRONG_C uint64_t throng_nearest_bound(uint64_t questions, uint32_t k);

/* ---- Obstacles ------------------------------------------------------------------------------------- */

/* What stands in the agents' world, by its true shape: boxes, turned boxes, walls in the plane and triangles in
   space. Asked beside a crowd: how far is the nearest and where is its surface, what does a ray or a moving disc hit
   first, do two points see each other? Touching counts. docs/obstacles.md has the definitions.

   Obstacles are either changed, by one call, or asked, by any number. Questions are throng_questions, of which `sets`
   must be THRONG_EVERYBODY, and `filter_count` 0 or 1: the filter is for all of them. */
typedef struct throng_obstacles throng_obstacles;

/* All points of the plane within half the `thickness` of a segment. */
typedef struct throng_wall { float from[2], to[2], thickness; } throng_wall;
typedef struct throng_triangle { float corners[3][3]; } throng_triangle;

/* A shape that moves by `way` without turning, from time 0 to 1. A capsule here is a shape, not a path: all points
   within its radius of its segment. */
typedef struct throng_moving_box2 { throng_box2 shape; float way[2]; } throng_moving_box2;
typedef struct throng_moving_box3 { throng_box3 shape; float way[3]; } throng_moving_box3;
typedef struct throng_moving_oriented_box2 { throng_oriented_box2 shape; float way[2]; } throng_moving_oriented_box2;
typedef struct throng_moving_oriented_box3 { throng_oriented_box3 shape; float way[3]; } throng_moving_oriented_box3;
typedef struct throng_moving_capsule2 { throng_capsule2 shape; float way[2]; } throng_moving_capsule2;
typedef struct throng_moving_capsule3 { throng_capsule3 shape; float way[3]; } throng_moving_capsule3;

/* Shapes that only calls for obstacles know. Obstacles have one of the first two of these shapes, or THRONG_BOX2,
   THRONG_BOX3, THRONG_ORIENTED_BOX2 or THRONG_ORIENTED_BOX3. */
enum throng_obstacle_shape {
    THRONG_WALL2 = 502,
    THRONG_TRIANGLE3 = 513,
    THRONG_MOVING_BOX2 = 522, THRONG_MOVING_BOX3 = 523,
    THRONG_MOVING_ORIENTED_BOX2 = 532, THRONG_MOVING_ORIENTED_BOX3 = 533,
    THRONG_MOVING_CAPSULE2 = 542, THRONG_MOVING_CAPSULE3 = 543
};

/* No obstacles, of dimension 2 or 3. */
THRONG_C throng_status throng_obstacles_create(uint32_t dimension, throng_obstacles** out);
THRONG_C throng_status throng_obstacles_destroy(throng_obstacles* obstacles);

/* Obstacles beside a crowd with these settings, of which only dimension, bounds and periodic axes count. On a periodic
   axis every obstacle is there at all whole periods, and questions find it once, at the copy that is nearest or is hit
   first; points are where the asker sees it. Obstacles wider than a period are refused from then on, and questions with
   more than 4096 copies. Forgets all obstacles. Without this call, or without such axes, the world is not periodic. */
THRONG_C throng_status throng_obstacles_configure(throng_obstacles* obstacles, const throng_crowd_settings* settings);

/* Obstacles in the host's arrays, which are read during the call: boxes, turned boxes, and walls or triangles, as
   throng_box2, throng_oriented_box2, throng_wall and so on. Strides are in bytes, of either sign, and values may be
   unaligned; the stride of shapes may be left at 0, for a dense array. */
typedef struct throng_obstacle_arrays {
    size_t struct_size;
    uint32_t dimension; /* as the obstacles' */
    uint32_t reserved;
    const void* boxes;
    ptrdiff_t box_stride;
    size_t box_count;
    const void* turned_boxes; /* with edges at right angles: the cosine must be below 1e-5 */
    ptrdiff_t turned_box_stride;
    size_t turned_box_count;
    const void* walls; /* in the plane only */
    ptrdiff_t wall_stride;
    size_t wall_count;
    const void* triangles; /* in space only */
    ptrdiff_t triangle_stride;
    size_t triangle_count;
    const uint32_t* groups; /* a mask for each obstacle, by id; NULL: all are in every group */
    ptrdiff_t groups_stride;
} throng_obstacle_arrays;
#define THRONG_OBSTACLE_ARRAYS_INIT \
    { sizeof(throng_obstacle_arrays), 2, 0, NULL, 0, 0, NULL, 0, 0, NULL, 0, 0, NULL, 0, 0, NULL, 4 }

/* Replaces all obstacles. Their ids are 0, 1, 2 ...: boxes first, then turned boxes, then walls or triangles. */
THRONG_C throng_status throng_obstacles_set(throng_obstacles* obstacles, const throng_obstacle_arrays* arrays,
                                            throng_executor* executor);

/* Adds, exchanges or removes one obstacle. `obstacle` is of the type that `shape` says: THRONG_BOX2, THRONG_WALL2 ...
   The table of ids takes four bytes for every id up to the largest. */
THRONG_C throng_status throng_obstacles_insert(throng_obstacles* obstacles, uint32_t id, uint32_t shape,
                                               const void* obstacle, uint32_t groups);
THRONG_C throng_status throng_obstacles_replace(throng_obstacles* obstacles, uint32_t id, uint32_t shape,
                                                const void* obstacle, uint32_t groups);
THRONG_C throng_status throng_obstacles_erase(throng_obstacles* obstacles, uint32_t id);
/* Forgets all obstacles; keeps the memory. */
THRONG_C throng_status throng_obstacles_clear(throng_obstacles* obstacles);
/* Gives back the memory that throng_obstacles_set() keeps for the next time. */
THRONG_C throng_status throng_obstacles_release(throng_obstacles* obstacles);

/* Writes a file from which throng_obstacles_load(), C++ and Python make the same obstacles. load() replaces all; it
   refuses damaged files, and files of another structure or dimension. The path is UTF-8, on Windows too. */
THRONG_C throng_status throng_obstacles_save(const throng_obstacles* obstacles, const char* path);
THRONG_C throng_status throng_obstacles_load(throng_obstacles* obstacles, const char* path);

typedef struct throng_obstacle_counts {
    size_t struct_size;
    uint32_t dimension;
    uint32_t reserved;
    uint64_t obstacles;
    uint64_t index_bytes;   /* needed to answer */
    uint64_t staging_bytes; /* kept for the next throng_obstacles_set() */
} throng_obstacle_counts;
#define THRONG_OBSTACLE_COUNTS_INIT { sizeof(throng_obstacle_counts), 0, 0, 0, 0, 0 }

THRONG_C throng_status throng_obstacles_count(const throng_obstacles* obstacles, throng_obstacle_counts* out);
/* Writes 1 if there is an obstacle with this id, else 0. */
THRONG_C throng_status throng_obstacles_contains(const throng_obstacles* obstacles, uint32_t id, uint32_t* found);

/* An obstacle, and the place on its surface that is nearest to a point. */
typedef struct throng_obstacle_near2 {
    uint32_t id;    /* THRONG_NO_ID: none, and then the distance is infinite */
    float distance; /* inside an obstacle: minus the way out */
    float point[2], normal[2]; /* on the surface; of unit length, out of the obstacle */
} throng_obstacle_near2;
typedef struct throng_obstacle_near3 { uint32_t id; float distance, point[3], normal[3]; } throng_obstacle_near3;

/* An obstacle that a path hits: where, and when; from 0 to 1 along a segment or capsule, along a ray up to its
   length. */
typedef struct throng_obstacle_hit2 {
    uint32_t id; /* THRONG_NO_ID: none, and then the time is infinite */
    float time;
    float point[2], normal[2]; /* on the surface, where a moving disc touches it; out of the obstacle */
} throng_obstacle_hit2;
typedef struct throng_obstacle_hit3 { uint32_t id; float time, point[3], normal[3]; } throng_obstacle_hit3;

/* Which obstacles count for throng_obstacles_nearest(). */
typedef struct throng_obstacle_search {
    size_t struct_size;
    float within;     /* the largest distance; up to 1e18 */
    uint32_t groups;  /* of the obstacles to be found */
    uint32_t without; /* an id that is left out */
    uint32_t reserved;
} throng_obstacle_search;
#define THRONG_OBSTACLE_SEARCH_INIT { sizeof(throng_obstacle_search), 1e18f, THRONG_ALL_GROUPS, THRONG_NO_ID, 0 }

/* The nearest obstacle to each point; of several at one distance the one with the smallest id. `near` is an array of
   throng_obstacle_near2 or throng_obstacle_near3, as points->dimension says, with room for one for each point.
   `search` NULL: all obstacles. `sum` is the number of points that have a nearest obstacle; it may be NULL. Fastest
   if neighbours in the array are neighbours in space. */
THRONG_C throng_status throng_obstacles_nearest(const throng_obstacles* obstacles, const throng_points* points,
                                                const throng_obstacle_search* search, void* near, size_t room,
                                                throng_executor* executor, uint64_t* sum);
/* The same for one point; point->count must be 1. */
THRONG_C throng_status throng_obstacles_nearest_one(const throng_obstacles* obstacles, const throng_points* point,
                                                    const throng_obstacle_search* search, void* near);

/* The first obstacle that each segment, ray or capsule hits, or each moving shape touches; of several at one time the
   one with the smallest id. A path that begins in an obstacle hits it at time 0. `hits` is an array of
   throng_obstacle_hit2 or throng_obstacle_hit3, as paths->shape says, with room for one for each path. `sum` is the
   number of paths that hit an obstacle; it may be NULL. */
THRONG_C throng_status throng_obstacles_first(const throng_obstacles* obstacles, const throng_questions* paths,
                                              void* hits, size_t room, throng_executor* executor, uint64_t* sum);
THRONG_C throng_status throng_obstacles_first_one(const throng_obstacles* obstacles, const throng_questions* path,
                                                  void* hit);

/* Whether each segment is clear, 1, or has a point in common with an obstacle, 0. `sum` is how many are clear; it may be
   NULL. */
THRONG_C throng_status throng_obstacles_sight(const throng_obstacles* obstacles, const throng_questions* paths,
                                              uint8_t* clear, size_t room, throng_executor* executor,
                                              uint64_t* sum);
THRONG_C throng_status throng_obstacles_sight_one(const throng_obstacles* obstacles, const throng_questions* path,
                                                  uint32_t* clear);

/* All answers to one question, whose count must be 1. These calls allocate what their answers take. `total` is the
   number of answers, also with THRONG_NO_ROOM; then the first `room` of them were written. Obstacles no farther from
   the centre of a ball than its radius, by distance, then by id; as throng_obstacle_near2 or 3. */
THRONG_C throng_status throng_obstacles_within(const throng_obstacles* obstacles, const throng_questions* question,
                                               void* near, size_t room, uint64_t* total);
/* The same for many balls: the answers of ball q are near[offsets[q]] ... near[offsets[q + 1] - 1]. `offsets` needs
   room for one more than there are balls. With THRONG_NO_ROOM for `near`, offsets and total are right. Fastest if
   neighbours in the array are neighbours in space. */
THRONG_C throng_status throng_obstacles_within_each(const throng_obstacles* obstacles,
                                                    const throng_questions* questions, uint64_t* offsets,
                                                    size_t offset_room, void* near, size_t room,
                                                    throng_executor* executor, uint64_t* total);
/* Obstacles that a segment, ray or capsule hits, or a moving shape touches, by time, then by id; as
   throng_obstacle_hit2 or 3. */
THRONG_C throng_status throng_obstacles_hits(const throng_obstacles* obstacles, const throng_questions* path,
                                             void* hits, size_t room, uint64_t* total);
/* Obstacles that have a point in common with a box, an oriented box, a sector, a convex or a cylinder, by id. */
THRONG_C throng_status throng_obstacles_overlaps(const throng_obstacles* obstacles,
                                                 const throng_questions* question, uint32_t* ids, size_t room,
                                                 uint64_t* total);

/* ---- Sight among agents --------------------------------------------------------------------------- */

/* The answers of throng_neighbours() and throng_query(), for balls and sectors only, without agents that obstacles
   hide: the segment from the asking agent's centre, or from the centre of the ball or sector, to the other agent's
   centre has a point in common with an obstacle. Two agents both see each other, or neither does. Only obstacles that
   `looks` finds hide anything; NULL: all do. The obstacles must be of the crowd's dimension, and in
   a world with the same borders: throng_obstacles_configure(). */
THRONG_C throng_status throng_neighbours_in_sight(throng_batch* batch, const throng_crowd* crowd,
                                                  const throng_obstacles* obstacles, const throng_filter* looks,
                                                  const throng_neighbourhood* neighbourhood, throng_hits* out);
THRONG_C throng_status throng_count_neighbours_in_sight(throng_batch* batch, const throng_crowd* crowd,
                                                        const throng_obstacles* obstacles,
                                                        const throng_filter* looks,
                                                        const throng_neighbourhood* neighbourhood,
                                                        uint32_t* counts, size_t room, uint64_t* sum);
THRONG_C throng_status throng_query_in_sight(throng_batch* batch, const throng_crowd* crowd,
                                             const throng_obstacles* obstacles, const throng_filter* looks,
                                             const throng_questions* questions, throng_hits* out);
THRONG_C throng_status throng_count_in_sight(throng_batch* batch, const throng_crowd* crowd,
                                             const throng_obstacles* obstacles, const throng_filter* looks,
                                             const throng_questions* questions, uint32_t* counts, size_t room,
                                             uint64_t* sum);

/* ---- Snapshots ------------------------------------------------------------------------------------- */

/* A crowd that is asked while it is updated. One thread at a time changes it; any number of threads acquire the
   last finished frame, and keep it for as long as they like. */
typedef struct throng_published throng_published;
typedef struct throng_snapshot throng_snapshot;

THRONG_C throng_status throng_published_create(const throng_crowd_settings* settings,
                                               throng_published** out);
/* Snapshots that are held stay valid. */
THRONG_C throng_status throng_published_destroy(throng_published* published);

/* Builds the next frame and publishes it. */
THRONG_C throng_status throng_published_update(throng_published* published, const throng_agents* agents,
                                               throng_executor* executor);
/* As throng_crowd_reserve(), for the frames that no snapshot holds, two at least with the published one. */
THRONG_C throng_status throng_published_reserve(throng_published* published, size_t agents,
                                                throng_executor* executor);
/* Builds the next frame from the last one, as throng_crowd_edit(), and publishes it. It is faster than an update where
   few agents change: see docs/snapshots.md. */
THRONG_C throng_status throng_published_edit(throng_published* published, const throng_edit* edits, size_t count,
                                             throng_executor* executor);
/* Inserts, erases and moves statics of frames to come, from the next update or edit on. Edits of agents are refused. */
THRONG_C throng_status throng_published_edit_statics(throng_published* published, const throng_edit* edits,
                                                     size_t count);
/* Replaces all statics, from the next update or edit on. */
THRONG_C throng_status throng_published_set_statics(throng_published* published,
                                                    const throng_agents* statics,
                                                    throng_executor* executor);

/* The last frame; *out is NULL before the first. Never waits for an update. */
THRONG_C throng_status throng_snapshot_acquire(const throng_published* published, throng_snapshot** out);
THRONG_C throng_status throng_snapshot_release(throng_snapshot* snapshot);

/* Writes the number of the frame, counted from 1, and its crowd, which can be asked but not changed. The crowd's
   handle ends with the snapshot. Either pointer may be NULL. */
THRONG_C throng_status throng_snapshot_look(const throng_snapshot* snapshot, uint64_t* frame,
                                            throng_crowd** crowd);

#ifdef __cplusplus
}
#endif

#endif
