/* Memory and job systems of the host, and threads that ask while a crowd is updated. */
#include "host.h"

#include "check.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#include <malloc.h>
#endif

/* Memory. */

static void* aligned(size_t alignment, size_t bytes) {
#if defined(_WIN32)
    return _aligned_malloc(bytes, alignment);
#else
    void* memory = NULL;
    return posix_memalign(&memory, alignment, bytes) == 0 ? memory : NULL;
#endif
}

static void free_aligned(void* memory) {
#if defined(_WIN32)
    _aligned_free(memory);
#else
    free(memory);
#endif
}

/* Counts the memory that it gives out, and can refuse to give more. */
typedef struct ledger {
    size_t given, out, bytes;
    int refuses;
} ledger;

static void* give(size_t bytes, size_t alignment, void* user) {
    ledger* const own = (ledger*)user;
    void* memory = NULL;
    if (own->refuses) { return NULL; }
    if (alignment < sizeof(void*)) { alignment = sizeof(void*); }
    CHECK(bytes > 0 && (alignment & (alignment - 1)) == 0);
    memory = aligned(alignment, bytes);
    if (memory == NULL) { return NULL; }
    ++own->given;
    ++own->out;
    own->bytes += bytes;
    return memory;
}

static void take(void* memory, size_t bytes, size_t alignment, void* user) {
    ledger* const own = (ledger*)user;
    CHECK(alignment != 0);
    --own->out;
    own->bytes -= bytes;
    free_aligned(memory);
}

static void check_refusals(scene* of, throng_crowd* crowd, throng_memory* memory, ledger* own) {
    throng_memory_counts counts = THRONG_MEMORY_COUNTS_INIT;
    scene* const moved = (scene*)need(sizeof *moved);
    throng_agents agents;
    *moved = *of;
    scene_move(moved, 9);
    agents = scene_agents(moved);
    agents.groups = NULL; /* an update of another kind, which needs more memory */
    own->refuses = 1;
    CHECK_REFUSED(throng_crowd_update(crowd, &agents, NULL), THRONG_OVER_MEMORY);
    CHECK_OK(throng_memory_count(memory, &counts));
    CHECK(counts.refused > 0 && counts.used == own->bytes);
    check_crowd(of, crowd);
    own->refuses = 0;
    agents = scene_agents(moved);
    CHECK_OK(throng_crowd_update(crowd, &agents, NULL));
    check_crowd(moved, crowd);
    *of = *moved;
    free(moved);
}

void host_memory(uint32_t dimension) {
    static scene of;
    ledger own = {0, 0, 0, 0};
    throng_memory_settings how = THRONG_MEMORY_SETTINGS_INIT;
    throng_memory_counts counts = THRONG_MEMORY_COUNTS_INIT;
    throng_crowd_settings settings;
    throng_memory *memory = NULL, *capped = NULL;
    throng_crowd* crowd = NULL;
    throng_agents agents, statics;
    scene_make(&of, dimension, 4);
    agents = scene_agents(&of);
    statics = scene_statics(&of);
    settings = scene_settings(&of);

    how.allocate = give;
    how.deallocate = take;
    how.user = &own;
    CHECK_OK(throng_memory_create(&how, &memory));
    settings.memory = memory;
    CHECK_OK(throng_crowd_create(&settings, &crowd));
    CHECK_OK(throng_crowd_set_statics(crowd, &statics, NULL));
    CHECK_OK(throng_crowd_update(crowd, &agents, NULL));
    check_crowd(&of, crowd);
    CHECK_OK(throng_memory_count(memory, &counts));
    CHECK(own.given > 0 && counts.used == own.bytes && counts.peak >= counts.used);
    check_refusals(&of, crowd, memory, &own);
    /* A crowd keeps its memory alive. */
    CHECK_OK(throng_memory_destroy(memory));
    CHECK_REFUSED(throng_memory_count(memory, &counts), THRONG_DEAD_HANDLE);
    CHECK_OK(throng_crowd_update(crowd, &agents, NULL));
    CHECK_OK(throng_crowd_destroy(crowd));
    CHECK(own.out == 0 && own.bytes == 0);
    CHECK_OK(throng_memory_destroy(NULL));

    /* The heap as memory, up to a cap. */
    how = (throng_memory_settings)THRONG_MEMORY_SETTINGS_INIT;
    how.cap = 40000; /* enough for an empty crowd only */
    CHECK_OK(throng_memory_create(&how, &capped));
    settings.memory = capped;
    CHECK_OK(throng_crowd_create(&settings, &crowd));
    CHECK_OK(throng_memory_count(capped, &counts));
    CHECK(counts.used < how.cap && counts.refused == 0);
    how.cap = 0;
    {
        static float many[30000 * 3];
        const throng_agents all =
            throng_agents_interleaved(dimension, many, 30000, 3 * (ptrdiff_t)sizeof(float));
        CHECK_REFUSED(throng_crowd_update(crowd, &all, NULL), THRONG_OVER_MEMORY);
    }
    CHECK_OK(throng_memory_count(capped, &counts));
    CHECK(counts.refused > 0 && counts.peak <= 40000);
    CHECK_OK(throng_crowd_destroy(crowd));
    CHECK_OK(throng_memory_count(capped, &counts));
    CHECK(counts.used == 0);
    CHECK_OK(throng_memory_destroy(capped));
}

/* Executors. */

/* A job system that runs each loop on some threads of its own, a part of the jobs on each. */
#define THREADS 3

typedef struct part {
    throng_job job;
    size_t begin, end;
    void* context;
    pthread_t thread;
} part;

static void* run_part(void* of) {
    const part* const own = (const part*)of;
    own->job(own->begin, own->end, own->context);
    return NULL;
}

static void* enqueue(throng_job job, size_t count, void* context, void* user) {
    part* const parts = (part*)need(THREADS * sizeof *parts);
    size_t i;
    ++*(size_t*)user;
    for (i = 0; i < THREADS; ++i) {
        parts[i].job = job;
        parts[i].begin = i * count / THREADS;
        parts[i].end = (i + 1) * count / THREADS;
        parts[i].context = context;
        CHECK(pthread_create(&parts[i].thread, NULL, run_part, &parts[i]) == 0);
    }
    return parts;
}

static void finish(void* task, void* user) {
    part* const parts = (part*)task;
    size_t i;
    (void)user;
    for (i = 0; i < THREADS; ++i) {
        pthread_join(parts[i].thread, NULL);
    }
    free(parts);
}

/* Enough agents for several blocks; the answers must equal those of the calling thread. */
static void check_executor(uint32_t dimension, throng_executor* executor) {
    enum { AGENTS = 20000 };
    static float positions[AGENTS][3];
    throng_crowd_settings settings = THRONG_CROWD_SETTINGS_INIT;
    throng_agents agents;
    throng_neighbourhood near = THRONG_NEIGHBOURHOOD_INIT;
    throng_hits alone = THRONG_HITS_INIT, together = THRONG_HITS_INIT;
    throng_crowd *one = NULL, *other = NULL;
    throng_batch *serial = NULL, *parallel = NULL;
    throng_executor* caller = NULL;
    uint32_t seed = 6;
    size_t i;
    for (i = 0; i < AGENTS; ++i) {
        positions[i][0] = 0.5f * (float)draw(&seed, 300);
        positions[i][1] = 0.5f * (float)draw(&seed, 300);
        positions[i][2] = 0.5f * (float)draw(&seed, 10);
    }
    agents =
        throng_agents_interleaved(dimension, positions[0], AGENTS, (ptrdiff_t)sizeof positions[0]);
    settings.dimension = dimension;
    CHECK_OK(throng_crowd_create(&settings, &one));
    CHECK_OK(throng_crowd_create(&settings, &other));
    CHECK_OK(throng_executor_create_kind(THRONG_SERIAL, 1, &caller));
    CHECK_OK(throng_batch_create(caller, &serial));
    CHECK_OK(throng_batch_create(executor, &parallel));
    CHECK_OK(throng_crowd_update(one, &agents, NULL));
    CHECK_OK(throng_crowd_update(other, &agents, executor));
    near.radius = 1.5f;
    CHECK_OK(throng_neighbours(serial, one, &near, &alone));
    CHECK_OK(throng_neighbours(parallel, other, &near, &together));
    CHECK(alone.count == AGENTS && together.count == AGENTS && alone.total == together.total);
    CHECK(alone.total > AGENTS);
    CHECK(memcmp(alone.offsets, together.offsets, (AGENTS + 1) * sizeof *alone.offsets) == 0);
    CHECK(memcmp(alone.ids, together.ids, (size_t)alone.total * sizeof *alone.ids) == 0);
    /* A batch keeps its executor alive. */
    CHECK_OK(throng_executor_destroy(caller));
    CHECK_OK(throng_executor_destroy(executor));
    CHECK_REFUSED(throng_crowd_update(other, &agents, executor), THRONG_DEAD_HANDLE);
    CHECK_OK(throng_neighbours(parallel, other, &near, &together));
    CHECK(alone.total == together.total);
    CHECK_OK(throng_batch_destroy(parallel));
    CHECK_OK(throng_batch_destroy(serial));
    CHECK_OK(throng_crowd_destroy(other));
    CHECK_OK(throng_crowd_destroy(one));
}

void host_executors(uint32_t dimension) {
    throng_executor_callbacks callbacks = THRONG_EXECUTOR_CALLBACKS_INIT;
    throng_executor_facts facts = THRONG_EXECUTOR_FACTS_INIT;
    throng_executor* executor = NULL;
    size_t loops = 0;
    callbacks.enqueue = enqueue;
    callbacks.finish = finish;
    callbacks.user = &loops;
    CHECK_OK(throng_executor_create(&callbacks, &executor));
    check_executor(dimension, executor);
    CHECK(loops > 0);
    CHECK_OK(throng_executor_create_kind(THRONG_POOL, 3, &executor));
    check_executor(dimension, executor);
    CHECK_OK(throng_executor_create_kind(THRONG_POOL, 0, &executor));
    CHECK_OK(throng_executor_describe(executor, &facts));
    CHECK(facts.kind == THRONG_POOL && facts.threads >= 1);
    check_executor(dimension, executor);
    CHECK_OK(throng_executor_describe(NULL, &facts));
    CHECK(facts.kind == THRONG_TBB || facts.kind == THRONG_POOL);
    CHECK_OK(throng_executor_destroy(NULL));
}

/* Snapshots. */

/* A scene with two states: odd frames have the first, even frames the second. */
typedef struct play {
    scene scenes[2];
    throng_published* published;
    uint64_t asked;
    pthread_mutex_t lock;
    int over; /* guarded by `lock` */
} play;

static int is_over(play* of) {
    int over;
    pthread_mutex_lock(&of->lock);
    over = of->over;
    pthread_mutex_unlock(&of->lock);
    return over;
}

static void* watch(void* user) {
    play* const of = (play*)user;
    uint64_t last = 0, wrong = 0;
    throng_hits hits = THRONG_HITS_INIT;
    throng_questions question = THRONG_QUESTIONS_INIT;
    throng_batch* batch = NULL;
    const uint32_t dimension = of->scenes[0].dimension;
    float box[6] = {2, 2, 8, 8, 0, 0};
    uint32_t wanted[2][MOST];
    size_t counts[2], i;
    if (dimension == 3) { box[2] = 2, box[3] = box[4] = box[5] = 8; }
    question.shape = THRONG_BOX2 - 2 + dimension;
    question.shapes = box;
    question.count = 1;
    for (i = 0; i < 2; ++i) {
        counts[i] =
            scene_answer(&of->scenes[i], question.shape, box, THRONG_EVERYBODY, NULL, wanted[i]);
    }
    if (throng_batch_create(NULL, &batch).code != THRONG_OK) { ++wrong; }
    do {
        throng_snapshot* snapshot = NULL;
        throng_crowd* crowd = NULL;
        uint64_t frame = 0;
        if (throng_snapshot_acquire(of->published, &snapshot).code != THRONG_OK) { ++wrong; }
        if (snapshot == NULL) { continue; }
        if (throng_snapshot_look(snapshot, &frame, &crowd).code != THRONG_OK) { ++wrong; }
        if (frame < last) { ++wrong; }
        last = frame;
        if (throng_query(batch, crowd, &question, &hits).code != THRONG_OK ||
            !is_answer(&of->scenes[frame % 2], hits.ids, (size_t)hits.total, wanted[frame % 2],
                       counts[frame % 2])) {
            ++wrong;
        }
        if (throng_snapshot_release(snapshot).code != THRONG_OK) { ++wrong; }
        ++of->asked;
    } while (!is_over(of));
    if (throng_batch_destroy(batch).code != THRONG_OK) { ++wrong; }
    return (void*)(uintptr_t)wrong;
}

static void check_held(play* of) {
    throng_snapshot* snapshot = NULL;
    throng_crowd* crowd = NULL;
    throng_crowd_counts counts = THRONG_CROWD_COUNTS_INIT;
    const throng_agents agents = scene_agents(&of->scenes[0]);
    uint64_t frame = 0;
    CHECK_OK(throng_snapshot_acquire(of->published, &snapshot));
    CHECK_OK(throng_snapshot_look(snapshot, &frame, NULL));
    CHECK_OK(throng_snapshot_look(snapshot, NULL, &crowd));
    CHECK(frame > 0 && crowd != NULL);
    CHECK_REFUSED(throng_crowd_update(crowd, &agents, NULL), THRONG_READ_ONLY);
    CHECK_REFUSED(throng_crowd_set_statics(crowd, &agents, NULL), THRONG_READ_ONLY);
    CHECK_REFUSED(throng_crowd_clear(crowd), THRONG_READ_ONLY);
    CHECK_REFUSED(throng_crowd_edit(crowd, NULL, 0, NULL), THRONG_READ_ONLY);
    CHECK_REFUSED(throng_crowd_load(crowd, "whatever"), THRONG_READ_ONLY);
    CHECK_REFUSED(throng_crowd_destroy(crowd), THRONG_READ_ONLY);
    /* The snapshot outlives its published crowd; the frame's crowd ends with the snapshot. */
    CHECK_OK(throng_published_destroy(of->published));
    check_crowd(&of->scenes[frame % 2], crowd);
    CHECK_OK(throng_snapshot_release(snapshot));
    CHECK_REFUSED(throng_crowd_count(crowd, &counts), THRONG_DEAD_HANDLE);
    CHECK_REFUSED(throng_snapshot_release(snapshot), THRONG_DEAD_HANDLE);
    CHECK_OK(throng_snapshot_release(NULL));
    CHECK_OK(throng_published_destroy(NULL));
}

/* Frame 201 has an agent elsewhere, frame 202 has it where it was. */
static void check_edits(const play* of) {
    scene* const moved = (scene*)need(sizeof *moved);
    throng_snapshot* snapshot = NULL;
    throng_crowd* crowd = NULL;
    throng_edit edit;
    uint64_t frame = 0;
    uint32_t a;
    *moved = of->scenes[0];
    memset(&edit, 0, sizeof edit);
    edit.kind = THRONG_ERASE;
    edit.id = MOST;
    CHECK_REFUSED(throng_published_edit(of->published, &edit, 1, NULL), THRONG_ID_UNKNOWN);
    CHECK_REFUSED(throng_published_edit_statics(of->published, &edit, 1), THRONG_OUT_OF_RANGE);
    edit.kind = THRONG_MOVE;
    edit.id = 3;
    for (a = 0; a < moved->dimension; ++a) {
        moved->position[3][a] = edit.position[a] = 1;
    }
    CHECK_OK(throng_published_edit(of->published, &edit, 1, NULL));
    CHECK_OK(throng_published_edit_statics(of->published, NULL, 0));
    CHECK_OK(throng_snapshot_acquire(of->published, &snapshot));
    CHECK_OK(throng_snapshot_look(snapshot, &frame, &crowd));
    CHECK(frame == 201);
    for (a = 0; a < moved->dimension; ++a) {
        edit.position[a] = of->scenes[0].position[3][a];
    }
    CHECK_OK(throng_published_edit(of->published, &edit, 1, NULL));
    check_crowd(moved, crowd);
    CHECK_OK(throng_snapshot_release(snapshot));
    free(moved);
}

void host_snapshots(uint32_t dimension) {
    play* const of = (play*)need(sizeof *of);
    throng_crowd_settings settings;
    throng_snapshot* none = (throng_snapshot*)of;
    throng_agents frames[2], statics;
    pthread_t reader;
    void* wrong = NULL;
    size_t frame;
    scene_make(&of->scenes[0], dimension, 7);
    of->scenes[1] = of->scenes[0];
    scene_move(&of->scenes[1], 8);
    for (frame = 0; frame < 2; ++frame) {
        frames[frame] = scene_agents(&of->scenes[frame]);
    }
    settings = scene_settings(&of->scenes[0]);
    statics = scene_statics(&of->scenes[0]);
    pthread_mutex_init(&of->lock, NULL);
    CHECK_OK(throng_published_create(&settings, &of->published));
    CHECK_OK(throng_snapshot_acquire(of->published, &none));
    CHECK(none == NULL);
    CHECK_REFUSED(throng_published_reserve(of->published, (size_t)-1, NULL), THRONG_TOO_MANY);
    CHECK_OK(throng_published_set_statics(of->published, &statics, NULL));
    for (frame = 1; frame <= 200; ++frame) {
        CHECK_OK(throng_published_update(of->published, &frames[frame % 2], NULL));
        if (frame % 50 == 0) { CHECK_OK(throng_published_reserve(of->published, 1000, NULL)); }
        /* The reader starts after the first frame, so that it always finds one. */
        if (frame == 1) { CHECK(pthread_create(&reader, NULL, watch, of) == 0); }
    }
    pthread_mutex_lock(&of->lock);
    of->over = 1;
    pthread_mutex_unlock(&of->lock);
    pthread_join(reader, &wrong);
    CHECK(wrong == NULL);
    CHECK(of->asked > 0);
    check_edits(of);
    check_held(of);
    pthread_mutex_destroy(&of->lock);
    free(of);
}
