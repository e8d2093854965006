// Obstacles, questions about them, and sight past them.
#include "cases.hpp"

#include <functional>

namespace throng_refusals {

namespace {

const std::vector<throng_box2> kBoxes = {{{3, 3}, {4, 4}}, {{6, 6}, {7, 7}}};

/// Two boxes, with ids 0 and 1.
struct Boxes {
    Boxes() {
        (void)throng_obstacles_create(2, &obstacles);
        (void)set(kBoxes);
    }
    ~Boxes() { (void)throng_obstacles_destroy(obstacles); }
    Boxes(const Boxes&) = delete;
    Boxes& operator=(const Boxes&) = delete;

    [[nodiscard]] throng_status set(const std::vector<throng_box2>& boxes) const {
        throng_obstacle_arrays arrays = THRONG_OBSTACLE_ARRAYS_INIT;
        arrays.boxes = boxes.data();
        arrays.box_count = boxes.size();
        return throng_obstacles_set(obstacles, &arrays, nullptr);
    }

    throng_obstacles* obstacles = nullptr;
};

/// A world from 0 up to this on x, and up to 16 on y.
throng_crowd_settings periodic(float wide) {
    throng_crowd_settings settings = THRONG_CROWD_SETTINGS_INIT;
    settings.given = THRONG_GIVEN_BOUNDS;
    settings.hi[0] = wide;
    settings.hi[1] = 16;
    settings.periodic = 1;
    return settings;
}

throng_status inserted(std::uint32_t id, std::uint32_t kind, const void* shape) {
    return throng_obstacles_insert(Boxes().obstacles, id, kind, shape, THRONG_ALL_GROUPS);
}

throng_status nearest(const Places& places, float within) {
    const throng_points points = points_at(places);
    throng_obstacle_search search = THRONG_OBSTACLE_SEARCH_INIT;
    search.within = within;
    throng_obstacle_near2 near[3];
    return throng_obstacles_nearest(Boxes().obstacles, &points, &search, near, 3, nullptr, nullptr);
}

throng_status first(const throng_questions& paths) {
    throng_obstacle_hit2 hits[2];
    return throng_obstacles_first(Boxes().obstacles, &paths, hits, 2, nullptr, nullptr);
}

throng_status neighbours_in_sight(const Yard& yard, float radius) {
    throng_neighbourhood neighbourhood = THRONG_NEIGHBOURHOOD_INIT;
    neighbourhood.radius = radius;
    throng_hits hits = THRONG_HITS_INIT;
    return throng_neighbours_in_sight(yard.batch, yard.crowd, Boxes().obstacles, nullptr,
                                      &neighbourhood, &hits);
}

const Case kObstacleCases[] = {
    {"obstacle box inverted",
     [] {
         return Boxes().set({kBoxes[0], {{1, 5}, {2, 4}}});
     }},
    {"obstacle box not finite",
     [] {
         return Boxes().set({kBoxes[0], {{1, kNan}, {2, 4}}});
     }},
    {"obstacle box turned and bent",
     [] {
         const throng_oriented_box2 bent = {{0, 0}, {{1, 0}, {1, 1}}};
         throng_obstacle_arrays arrays = THRONG_OBSTACLE_ARRAYS_INIT;
         arrays.turned_boxes = &bent;
         arrays.turned_box_count = 1;
         return throng_obstacles_set(Boxes().obstacles, &arrays, nullptr);
     }},
    {"obstacle wall thickness negative",
     [] {
         const throng_wall walls[] = {{{0, 0}, {1, 0}, 1}, {{0, 0}, {1, 0}, -1}};
         throng_obstacle_arrays arrays = THRONG_OBSTACLE_ARRAYS_INIT;
         arrays.walls = walls;
         arrays.wall_count = 2;
         return throng_obstacles_set(Boxes().obstacles, &arrays, nullptr);
     }},
    {"obstacle triangle not finite",
     [] {
         const throng_triangle triangle = {{{0, 0, 0}, {1, 0, 0}, {0, kNan, 0}}};
         throng_obstacle_arrays arrays = THRONG_OBSTACLE_ARRAYS_INIT;
         arrays.dimension = 3;
         arrays.triangles = &triangle;
         arrays.triangle_count = 1;
         throng_obstacles* space = nullptr;
         (void)throng_obstacles_create(3, &space);
         const throng_status status = throng_obstacles_set(space, &arrays, nullptr);
         (void)throng_obstacles_destroy(space);
         return status;
     }},
    {"obstacle wider than its world",
     [] {
         const Boxes round;
         const throng_crowd_settings settings = periodic(16);
         (void)throng_obstacles_configure(round.obstacles, &settings);
         const throng_box2 wide = {{0, 0}, {17, 1}};
         return throng_obstacles_insert(round.obstacles, 0, THRONG_BOX2, &wide, THRONG_ALL_GROUPS);
     }},
    {"obstacles period zero",
     [] {
         const throng_crowd_settings settings = periodic(0);
         return throng_obstacles_configure(Boxes().obstacles, &settings);
     }},
    {"obstacle id taken", [] { return inserted(1, THRONG_BOX2, kBoxes.data()); }},
    {"obstacle id too large", [] { return inserted(THRONG_NO_ID, THRONG_BOX2, kBoxes.data()); }},
    {"obstacle wall not finite",
     [] {
         const throng_wall wall = {{kNan, 0}, {1, 0}, 1};
         return inserted(5, THRONG_WALL2, &wall);
     }},
    {"obstacle replaces nothing",
     [] {
         return throng_obstacles_replace(Boxes().obstacles, 5, THRONG_BOX2, kBoxes.data(),
                                         THRONG_ALL_GROUPS);
     }},
    {"obstacle erases nothing", [] { return throng_obstacles_erase(Boxes().obstacles, 5); }},

    {"obstacle file missing",
     [] { return throng_obstacles_load(Boxes().obstacles, "refusals_c.no_such_file"); }},
    {"obstacles nearest within negative", [] { return nearest(kPlaces, -1); }},
    {"obstacles nearest not finite",
     [] {
         return nearest({0, 0, 0, kNan}, 1);
     }},
    {"obstacles first without direction",
     [] {
         const std::vector<throng_ray2> rays = {{{0, 0}, {1, 0}, 1}, {{0, 0}, {0, 0}, 1}};
         return first(questions(THRONG_RAY2, rays));
     }},
    {"obstacles moving box inverted",
     [] {
         const std::vector<throng_moving_box2> boxes = {{{{1, 0}, {0, 1}}, {1, 1}}};
         return first(questions(THRONG_MOVING_BOX2, boxes));
     }},
    {"obstacles sight not finite",
     [] {
         const std::vector<throng_segment2> segments = {{{0, 0}, {1, 1}}, {{0, 0}, {kNan, 1}}};
         const throng_questions between = questions(THRONG_SEGMENT2, segments);
         std::uint8_t clear[2];
         return throng_obstacles_sight(Boxes().obstacles, &between, clear, 2, nullptr, nullptr);
     }},
    {"obstacles within negative",
     [] {
         const std::vector<throng_ball2> ball = {{{0, 0}, -1}};
         const throng_questions question = questions(THRONG_BALL2, ball);
         throng_obstacle_near2 near[2];
         std::uint64_t total = 0;
         return throng_obstacles_within(Boxes().obstacles, &question, near, 2, &total);
     }},
    {"obstacles within each negative",
     [] {
         const std::vector<throng_ball2> balls = {{{0, 0}, 1}, {{0, 0}, -1}};
         const throng_questions asked = questions(THRONG_BALL2, balls);
         throng_obstacle_near2 near[2];
         std::uint64_t offsets[3], total = 0;
         return throng_obstacles_within_each(Boxes().obstacles, &asked, offsets, 3, near, 2,
                                             nullptr, &total);
     }},
    {"obstacles overlaps not finite",
     [] {
         const std::vector<throng_box2> box = {{{0, 0}, {kNan, 1}}};
         const throng_questions question = questions(THRONG_BOX2, box);
         std::uint32_t ids[2];
         std::uint64_t total = 0;
         return throng_obstacles_overlaps(Boxes().obstacles, &question, ids, 2, &total);
     }},

    {"sight in a periodic world",
     [] {
         throng_crowd_settings settings = yard_settings();
         settings.periodic = 3;
         return neighbours_in_sight(Yard(settings), 1);
     }},
    {"sight radius negative", [] { return neighbours_in_sight(Yard(), -1); }},
    {"sight ball negative",
     [] {
         const Yard yard;
         const std::vector<throng_ball2> balls = {{{0, 0}, 1}, {{0, 0}, -1}};
         const throng_questions all = questions(THRONG_BALL2, balls);
         throng_hits hits = THRONG_HITS_INIT;
         return throng_query_in_sight(yard.batch, yard.crowd, Boxes().obstacles, nullptr, &all,
                                      &hits);
     }},
};

} // namespace

std::span<const Case> obstacle_cases() { return kObstacleCases; }

} // namespace throng_refusals
