#include "rig.hpp"
#include "../support/system/aligned_block.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>

namespace throng::test {

namespace {

/// A host's allocator.
void* give(std::size_t bytes, std::size_t alignment, void*) {
    if (--Rig::gifts_left < 0) { return nullptr; }
    ++Rig::gifts_out;
    return aligned_block(alignment, (bytes + alignment - 1) / alignment * alignment);
}
void take(void* memory, std::size_t, std::size_t, void*) {
    --Rig::gifts_out;
    free_aligned(memory);
}

/// A job system that runs all jobs at once, on the calling thread.
void* enqueue(throng_job job, std::size_t count, void* context, void*) {
    job(0, count, context);
    return nullptr;
}
void finish(void*, void*) {}

void expect_ok(throng_status status) {
    std::array<char, 200> text;
    (void)throng_status_text(status, text.data(), text.size());
    ASSERT_EQ(status.code, THRONG_OK) << text.data();
}

} // namespace

Rig::Rig(std::uint32_t dim, bool on_heap)
    : dimension(dim), memory_settings(THRONG_MEMORY_SETTINGS_INIT),
      memory_counts(THRONG_MEMORY_COUNTS_INIT), executor_facts(THRONG_EXECUTOR_FACTS_INIT),
      callbacks(THRONG_EXECUTOR_CALLBACKS_INIT), settings(THRONG_CROWD_SETTINGS_INIT),
      obstacle_world(THRONG_CROWD_SETTINGS_INIT), agents(THRONG_AGENTS_INIT),
      moved(THRONG_AGENTS_INIT), movers(THRONG_AGENTS_INIT), counts(THRONG_CROWD_COUNTS_INIT),
      cell_stats(THRONG_CELL_STATS_INIT), loop(THRONG_LOOP_INIT), questions(THRONG_QUESTIONS_INIT),
      question(THRONG_QUESTIONS_INIT), paths(THRONG_QUESTIONS_INIT),
      one_path(THRONG_QUESTIONS_INIT), hits(THRONG_HITS_INIT), hits_room(THRONG_HITS_ROOM_INIT),
      neighbours_room(THRONG_HITS_ROOM_INIT), neighbourhood(THRONG_NEIGHBOURHOOD_INIT),
      pairing(THRONG_PAIRING_INIT), overlaps(THRONG_PAIRING_INIT), pairs(THRONG_PAIRS_INIT),
      pairs_room(THRONG_PAIRS_ROOM_INIT), contact_frame(THRONG_CONTACT_FRAME_INIT),
      lasting_settings(THRONG_LASTING_SETTINGS_INIT), lasting_frame(THRONG_LASTING_FRAME_INIT),
      nearest(THRONG_NEAREST_INIT), near_hits(THRONG_NEAR_HITS_INIT),
      near_room(THRONG_NEAR_ROOM_INIT), everybody_room(THRONG_NEAR_ROOM_INIT),
      points(THRONG_POINTS_INIT), point(THRONG_POINTS_INIT), costs(THRONG_QUERY_COSTS_INIT),
      obstacle_arrays(THRONG_OBSTACLE_ARRAYS_INIT), obstacle_counts(THRONG_OBSTACLE_COUNTS_INIT),
      obstacle_search(THRONG_OBSTACLE_SEARCH_INIT), obstacle_paths(THRONG_QUESTIONS_INIT),
      obstacle_ball(THRONG_QUESTIONS_INIT), obstacle_balls(THRONG_QUESTIONS_INIT),
      seen(THRONG_QUESTIONS_INIT), numbers(kQuestions), order(kAgents), ids(kAgents + kStatics),
      count_of_each(kAgents), names(kAgents), keys(kAgents), agent_handles(kAgents),
      new_handles(kAgents), cells(0), local_places(kPoints * dim), world_places(kPoints * dim),
      meetings(kQuestions), all_meetings(kAgents + kStatics), near(kNearest),
      near_obstacles(kObstacles), near_each(kPoints), near_of_balls(kQuestions * kObstacles),
      near_offsets(kQuestions + 1), obstacle_hits(kObstacles), obstacle_ids(kObstacles),
      clear(kQuestions), images(kAgents * dim) {
    // Agents lie along a diagonal; one in eight is a giant. Questions are boxes that contain all
    // agents, or paths along the diagonal.
    for (std::size_t i = 0; i < kAgents; ++i) {
        for (std::uint32_t a = 0; a < dim; ++a) {
            coordinates.push_back(static_cast<float>(i));
            extents.push_back(i % 8 == 3 ? 4.0f : 0.75f);
        }
        masks.push_back(1u << i % 3);
        reversed.push_back(static_cast<std::uint32_t>(kAgents - 1 - i));
        values.push_back(static_cast<float>(i));
        names.values[i] = reversed[i];
    }
    for (std::size_t q = 0; q < kQuestions; ++q) {
        for (std::uint32_t v = 0; v < 2 * dim; ++v) {
            shapes.push_back(v < dim ? 0.0f : 30.0f);
        }
        filters.push_back({THRONG_ALL_GROUPS, THRONG_NO_ID});
    }
    reordered = {values.data(), sizeof(float)};
    places.assign(kPoints * dim, 2.0f);
    agents.value = throng_agents_interleaved(dim, coordinates.data(), kAgents,
                                             static_cast<std::ptrdiff_t>(dim * sizeof(float)));
    for (std::uint32_t a = 0; a < dim; ++a) {
        agents.value.half_extent[a] = extents.data() + a;
        agents.value.half_extent_stride[a] = static_cast<std::ptrdiff_t>(dim * sizeof(float));
        settings.value.hi[a] = 32.0f;
        settings.value.cell[a] = 2.0f;
    }
    agents.value.groups = masks.data();
    agents.value.groups_stride = sizeof(std::uint32_t);
    moved.value = movers.value = agents.value;
    settings.value.dimension = dim;
    settings.value.given = THRONG_GIVEN_BOUNDS | THRONG_GIVEN_CELL;
    obstacle_world.value = settings.value;
    obstacle_world.value.given = THRONG_GIVEN_BOUNDS;
    obstacle_world.value.periodic = 1;

    questions.value.shape = THRONG_BOX2 - 2 + dim;
    questions.value.shapes = shapes.data();
    questions.value.count = kQuestions;
    questions.value.filters = filters.data();
    questions.value.filter_count = kQuestions;
    question.value = questions.value;
    question.value.count = question.value.filter_count = 1;
    paths.value = questions.value;
    paths.value.shape = THRONG_SEGMENT2 - 2 + dim;
    one_path.value = question.value;
    one_path.value.shape = paths.value.shape;
    neighbourhood.value.radius = 3.0f;
    lasting_settings.value.radius = 3.0f;
    lasting_settings.value.skin = 1.0f;
    nearest.value.k = kNearest;
    points.value.dimension = dim;
    points.value.coordinates = places.data();
    points.value.count = kPoints;
    point.value = points.value;
    point.value.count = 1;

    edits.resize(2);
    edits[0].kind = THRONG_ERASE;
    edits[0].id = 1;
    edits[1].kind = THRONG_INSERT;
    edits[1].id = kAgents;
    edits[1].kept = THRONG_KEPT_HALF_EXTENTS | THRONG_KEPT_GROUPS;
    world_edits.resize(2);
    for (std::size_t i = 0; i < edits.size(); ++i) {
        world_edits[i].kind = edits[i].kind;
        world_edits[i].id = edits[i].id;
        world_edits[i].kept = edits[i].kept;
    }
    far_places.assign(places.begin(), places.end());
    edits_at = edits.data();
    edits_count = edits.size();
    corners = {0, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1};
    path = "throng_c_" +
           std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()) + "_" +
           std::to_string(dim) + ".crowd";
    obstacle_path = path + ".obstacles";

    // A box, a turned box, and a wall or a triangle. Paths along the diagonal hit all three.
    for (std::uint32_t v = 0; v < 2 * dim; ++v) {
        straight.push_back(v < dim ? 1.0f : 3.0f);
    }
    turned.assign(dim + dim * dim, 0.0f);
    for (std::uint32_t a = 0; a < dim; ++a) {
        turned[a] = 7.0f;
        turned[dim + a * dim + a] = 1.0f;
    }
    thin = {11, 13, 13, 11, 0.5f};
    if (dim == 3) { thin = {14, 11, 11, 11, 14, 11, 11, 11, 14}; }
    obstacle_masks = {1, 2, 4};
    ball.assign(dim, 5.0f);
    ball.push_back(50.0f);
    obstacle_arrays.value.dimension = dim;
    obstacle_arrays.value.boxes = straight.data();
    obstacle_arrays.value.turned_boxes = turned.data();
    obstacle_arrays.value.box_count = obstacle_arrays.value.turned_box_count = 1;
    (dim == 2 ? obstacle_arrays.value.walls : obstacle_arrays.value.triangles) = thin.data();
    (dim == 2 ? obstacle_arrays.value.wall_count : obstacle_arrays.value.triangle_count) = 1;
    obstacle_arrays.value.groups = obstacle_masks.data();
    obstacle_shape = dim == 2 ? THRONG_WALL2 : THRONG_TRIANGLE3;
    obstacle_at = thin.data();
    obstacle_paths.value = paths.value;
    obstacle_paths.value.filter_count = 1;
    obstacle_ball.value = question.value;
    obstacle_ball.value.shape = THRONG_BALL2 - 2 + dim;
    obstacle_ball.value.shapes = ball.data();
    seen.value = questions.value;
    seen.value.shape = obstacle_ball.value.shape;
    for (std::size_t q = 0; q < kQuestions; ++q) {
        balls.insert(balls.end(), ball.begin(), ball.end());
    }
    seen.value.shapes = balls.data();
    obstacle_balls.value = seen.value;
    obstacle_balls.value.filter_count = 1;

    memory_settings.value.allocate = give;
    memory_settings.value.deallocate = take;
    callbacks.value.enqueue = enqueue;
    callbacks.value.finish = finish;

    expect_ok(throng_memory_create(memory_settings.at(), &made_memory));
    expect_ok(throng_executor_create(callbacks.at(), &made_executor));
    expect_ok(throng_batch_create(made_executor, &made_batch));
    expect_ok(throng_contacts_create(made_executor, &made_contacts));
    expect_ok(throng_obstacles_create(dim, &made_obstacles));
    expect_ok(throng_obstacles_set(made_obstacles, obstacle_arrays.at(), made_executor));
    expect_ok(throng_lasting_create(lasting_settings.at(), made_executor, &made_lasting));
    settings.value.memory = on_heap ? nullptr : made_memory;
    expect_ok(throng_crowd_create(settings.at(), &made_crowd));
    expect_ok(throng_published_create(settings.at(), &made_published));
    expect_ok(throng_crowd_update(made_crowd, agents.at(), made_executor));
    throng_agents standing = agents.value;
    standing.count = kStatics;
    expect_ok(throng_crowd_set_statics(made_crowd, &standing, made_executor));
    expect_ok(throng_lasting_update(made_lasting, made_crowd, agents.at(), lasting_frame.at()));
    expect_ok(throng_published_update(made_published, agents.at(), made_executor));
    expect_ok(throng_snapshot_acquire(made_published, &made_snapshot));
    expect_ok(throng_crowd_save(made_crowd, path.c_str()));
    expect_ok(throng_obstacles_save(made_obstacles, obstacle_path.c_str()));
    expect_ok(throng_change_create(&made_change));
    own_ = handles = {made_crowd,    made_batch,  made_executor, made_memory,    made_published,
                      made_snapshot, made_change, made_contacts, made_obstacles, made_lasting};
    (void)throng_crowd_cells(made_crowd, nullptr, 0, &sum);
    cells = Array<throng_cell>(sum);
    throng_crowd_settings keeping = settings.value;
    keeping.kept = THRONG_KEPT_HALF_EXTENTS | THRONG_KEPT_GROUPS;
    expect_ok(throng_crowd_create(&keeping, &named_));
    expect_ok(throng_crowd_add(named_, agents.at(), agent_handles.at(), kAgents, made_executor));
    made_crowd = nullptr;
    made_batch = nullptr;
    made_executor = nullptr;
    made_memory = nullptr;
    made_published = nullptr;
    made_snapshot = nullptr;
    made_change = nullptr;
    made_contacts = nullptr;
    made_obstacles = nullptr;
    made_lasting = nullptr;

    offsets_.resize(kAgents + 1);
    first_.resize(1000);
    second_.resize(1000);
    near_.resize(kAgents * nearest.value.k);
    near_counts_.resize(kAgents);
    hits_room.value.offsets = neighbours_room.value.offsets = offsets_.data();
    hits_room.value.offset_room = kQuestions + 1;
    neighbours_room.value.offset_room = kAgents + 1;
    hits_room.value.ids = neighbours_room.value.ids = first_.data();
    hits_room.value.id_room = neighbours_room.value.id_room = first_.size();
    pairs_room.value.first = first_.data();
    pairs_room.value.second = second_.data();
    pairs_room.value.room = first_.size();
    near_room.value.nearest = everybody_room.value.nearest = near_.data();
    near_room.value.near_room = kPoints * nearest.value.k;
    everybody_room.value.near_room = kAgents * nearest.value.k;
    near_room.value.counts = everybody_room.value.counts = near_counts_.data();
    near_room.value.count_room = kPoints;
    everybody_room.value.count_room = kAgents;
}

Rig::~Rig() {
    (void)throng_crowd_destroy(made_crowd);
    (void)throng_batch_destroy(made_batch);
    (void)throng_executor_destroy(made_executor);
    (void)throng_memory_destroy(made_memory);
    (void)throng_published_destroy(made_published);
    (void)throng_snapshot_release(made_snapshot);
    (void)throng_change_destroy(made_change);
    (void)throng_contacts_destroy(made_contacts);
    (void)throng_obstacles_destroy(made_obstacles);
    (void)throng_lasting_destroy(made_lasting);
    (void)throng_crowd_destroy(named_);
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
        (void)destroy(static_cast<Kind>(kind));
    }
    (void)std::remove(path.c_str());
    (void)std::remove(obstacle_path.c_str());
}

throng_status Rig::destroy(Kind kind) {
    void* const handle = own_[static_cast<std::size_t>(kind)];
    switch (kind) {
    case Kind::crowd:
        return throng_crowd_destroy(static_cast<throng_crowd*>(handle));
    case Kind::batch:
        return throng_batch_destroy(static_cast<throng_batch*>(handle));
    case Kind::executor:
        return throng_executor_destroy(static_cast<throng_executor*>(handle));
    case Kind::memory:
        return throng_memory_destroy(static_cast<throng_memory*>(handle));
    case Kind::published:
        return throng_published_destroy(static_cast<throng_published*>(handle));
    case Kind::change:
        return throng_change_destroy(static_cast<throng_change*>(handle));
    case Kind::snapshot:
        return throng_snapshot_release(static_cast<throng_snapshot*>(handle));
    case Kind::contacts:
        return throng_contacts_destroy(static_cast<throng_contacts*>(handle));
    case Kind::obstacles:
        return throng_obstacles_destroy(static_cast<throng_obstacles*>(handle));
    case Kind::lasting:
        break;
    }
    return throng_lasting_destroy(static_cast<throng_lasting*>(handle));
}

void Rig::tell(const throng_crowd* crowd, bool with_memory,
               std::vector<std::uint64_t>& said) const {
    throng_crowd_counts count = THRONG_CROWD_COUNTS_INIT;
    said.push_back(static_cast<std::uint64_t>(throng_crowd_count(crowd, &count).code));
    for (const std::uint64_t value : {count.agents, count.giants, count.statics, count.id_bound,
                                      with_memory ? count.index_bytes : 0, count.slot_bound}) {
        said.push_back(value);
    }
    std::vector<std::uint32_t> found(count.agents + count.statics + 1);
    said.push_back(
        static_cast<std::uint64_t>(throng_crowd_order(crowd, found.data(), found.size()).code));
    said.insert(said.end(), found.begin(), found.end());
    const std::array<float, 6> boxes[] = {{-90, -90, 90, 90, 90, 90}, {3, 4, 9, 9, 9, 9}};
    for (std::array<float, 6> box : boxes) {
        if (dimension == 3) { box = {box[0], box[0], box[1], box[3], box[3], box[3]}; }
        throng_questions asked = THRONG_QUESTIONS_INIT;
        asked.shape = THRONG_BOX2 - 2 + dimension;
        asked.shapes = box.data();
        asked.count = 1;
        std::uint64_t total = 0;
        said.push_back(static_cast<std::uint64_t>(
            throng_query_one(crowd, &asked, found.data(), found.size(), &total).code));
        said.push_back(total);
        said.insert(said.end(), found.begin(), found.end());
    }
}

std::vector<std::uint64_t> Rig::answers() const {
    auto* const published = static_cast<throng_published*>(own_[4]);
    auto* const snapshot = static_cast<throng_snapshot*>(own_[5]);
    std::vector<std::uint64_t> said;
    tell(static_cast<throng_crowd*>(own_[0]), true, said);
    // Without the index's memory: a refused call may leave room for handles that it did not give
    // out.
    tell(named_, false, said);
    for (const throng_agent_handle& handle : agent_handles.values) {
        std::uint32_t id = 0;
        said.push_back(
            static_cast<std::uint64_t>(throng_crowd_resolve(named_, &handle, 1, &id, 1).code));
    }
    throng_snapshot* last = nullptr;
    std::uint64_t frame = 0;
    said.push_back(static_cast<std::uint64_t>(throng_snapshot_acquire(published, &last).code));
    (void)throng_snapshot_look(last, &frame, nullptr);
    (void)throng_snapshot_release(last);
    said.push_back(frame);
    said.push_back(
        static_cast<std::uint64_t>(throng_snapshot_look(snapshot, &frame, nullptr).code));
    said.push_back(frame);
    // All obstacles and their places, for all groups and for group mask 2.
    auto* const obstacles = static_cast<throng_obstacles*>(own_[8]);
    throng_obstacle_counts obstacle_count = THRONG_OBSTACLE_COUNTS_INIT;
    said.push_back(
        static_cast<std::uint64_t>(throng_obstacles_count(obstacles, &obstacle_count).code));
    said.push_back(obstacle_count.obstacles);
    for (const std::uint32_t groups : {THRONG_ALL_GROUPS, 2u}) {
        const std::vector<float> around(dimension + 1, 100.0f);
        const throng_filter filter = {groups, THRONG_NO_ID};
        throng_questions asked = THRONG_QUESTIONS_INIT;
        asked.shape = THRONG_BALL2 - 2 + dimension;
        asked.shapes = around.data();
        asked.count = asked.filter_count = 1;
        asked.filters = &filter;
        // throng_obstacle_near2 has 24 bytes, throng_obstacle_near3 32.
        std::vector<std::uint32_t> surfaces(10 * sizeof(throng_obstacle_near3) / 4);
        std::uint64_t total = 0;
        said.push_back(static_cast<std::uint64_t>(
            throng_obstacles_within(obstacles, &asked, surfaces.data(), 10, &total).code));
        said.push_back(total);
        said.insert(said.end(), surfaces.begin(), surfaces.end());
    }
    return said;
}

} // namespace throng::test
