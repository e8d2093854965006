// Obstacles, questions about them, and sight past them.
#include "cases.hpp"

namespace throng::refusals {

namespace {

const std::vector<Box<2>> kBoxes = {{{{3, 3}}, {{4, 4}}}, {{{6, 6}}, {{7, 7}}}};

template <class Shape>
ValueView<Shape> all(const std::vector<Shape>& shapes) {
    return {shapes.data(), sizeof(Shape), shapes.size()};
}

/// Two boxes, with ids 0 and 1.
Obstacles<2> boxes() {
    ObstacleArrays<2> arrays;
    arrays.boxes = all(kBoxes);
    Obstacles<2> obstacles;
    (void)obstacles.set(arrays);
    return obstacles;
}

/// Sets the yard's boxes with `bad` in place of the second.
std::string set_box(const Box<2>& bad) {
    const std::vector<Box<2>> shapes = {kBoxes[0], bad};
    ObstacleArrays<2> arrays;
    arrays.boxes = all(shapes);
    return said(boxes().set(arrays));
}

template <class Shape>
std::string inserted(Id id, const Shape& shape) {
    return said(boxes().insert(id, shape));
}

std::string nearest(const Places& points, float within) {
    std::vector<ObstacleNear<2>> near(points.size());
    return said(boxes().nearest(points, near, serial_executor(), within));
}

const Case kObstacleCases[] = {
    {"obstacle box inverted",
     [] {
         return set_box({{{1, 5}}, {{2, 4}}});
     }},
    {"obstacle box not finite",
     [] {
         return set_box({{{1, kNan}}, {{2, 4}}});
     }},
    {"obstacle box turned and bent",
     [] {
         const std::vector<OrientedBox<2>> bent = {{{{0, 0}}, {{{{1, 0}}, {{1, 1}}}}}};
         ObstacleArrays<2> arrays;
         arrays.turned_boxes = all(bent);
         return said(boxes().set(arrays));
     }},
    {"obstacle wall thickness negative",
     [] {
         const std::vector<Wall> walls = {{{{0, 0}}, {{1, 0}}, 1}, {{{0, 0}}, {{1, 0}}, -1}};
         ObstacleArrays<2> arrays;
         arrays.walls = all(walls);
         return said(boxes().set(arrays));
     }},
    {"obstacle triangle not finite",
     [] {
         const std::vector<Triangle> triangles = {{{{{{0, 0, 0}}, {{1, 0, 0}}, {{0, kNan, 0}}}}}};
         ObstacleArrays<3> arrays;
         arrays.triangles = all(triangles);
         return said(Obstacles<3>().set(arrays));
     }},
    {"obstacle groups too few",
     [] {
         const std::vector<std::uint32_t> groups = {1};
         ObstacleArrays<2> arrays;
         arrays.boxes = all(kBoxes);
         arrays.groups = all(groups);
         return said(boxes().set(arrays));
     }},
    {"obstacle wider than its world",
     [] {
         Obstacles<2> round;
         (void)round.configure({{{0, 0}}, {{16, 16}}}, {true, false});
         return said(round.insert(0, Box<2>{{{0, 0}}, {{17, 1}}}));
     }},
    {"obstacles period zero",
     [] {
         return said(boxes().configure({{{0, 0}}, {{0, 16}}}, {true, false}));
     }},
    {"obstacle id taken", [] { return inserted(1, kBoxes[0]); }},
    {"obstacle id too large", [] { return inserted(kNoId, kBoxes[0]); }},
    {"obstacle wall not finite",
     [] {
         return inserted(5, Wall{{{kNan, 0}}, {{1, 0}}, 1});
     }},
    {"obstacle replaces nothing", [] { return said(boxes().replace(5, kBoxes[0])); }},
    {"obstacle erases nothing", [] { return said(boxes().erase(5)); }},

    {"obstacle file missing",
     [] {
         Obstacles<2> obstacles;
         return said(load(obstacles, "refusals_cpp.no_such_file"));
     }},
    {"obstacles nearest within negative", [] { return nearest(kPlaces, -1); }},
    {"obstacles nearest not finite",
     [] {
         return nearest({{{0, 0}}, {{0, kNan}}}, 1);
     }},
    {"obstacles first without direction",
     [] {
         const Ray<2> rays[] = {{{{0, 0}}, {{1, 0}}, 1}, {{{0, 0}}, {{0, 0}}, 1}};
         ObstacleHit<2> hits[2];
         return said(boxes().first(rays, hits));
     }},
    {"obstacles moving box inverted",
     [] {
         const Moving<2, Box> boxes_that_move[] = {{{{{1, 0}}, {{0, 1}}}, {{1, 1}}}};
         ObstacleHit<2> hits[1];
         return said(boxes().first(boxes_that_move, hits));
     }},
    {"obstacles sight not finite",
     [] {
         const Segment<2> between[] = {{{{0, 0}}, {{1, 1}}}, {{{0, 0}}, {{kNan, 1}}}};
         std::uint8_t clear[2];
         return said(boxes().sight(between, clear));
     }},
    {"obstacles within negative",
     [] {
         std::vector<ObstacleNear<2>> near;
         return said(boxes().query(Ball<2>{{{0, 0}}, -1}, near));
     }},
    {"obstacles within each negative",
     [] {
         const std::vector<Ball<2>> balls = {{{{0, 0}}, 1}, {{{0, 0}}, -1}};
         ObstaclesWithin<2> within;
         return said(boxes().query(balls, within));
     }},
    {"obstacles overlaps not finite",
     [] {
         std::vector<Id> ids;
         return said(boxes().query(Box<2>{{{0, 0}}, {{kNan, 1}}}, ids));
     }},

    {"sight in a periodic world",
     [] {
         CrowdSettings<2> settings = yard_settings();
         settings.periodic = {true, true};
         Crowd<2> crowd;
         (void)crowd.configure(settings);
         Hits hits;
         return said(InSight<2>().neighbours(crowd, boxes(), {.radius = 1}, hits));
     }},
    {"sight radius negative",
     [] {
         Hits hits;
         return said(InSight<2>().neighbours(yard(), boxes(), {.radius = -1}, hits));
     }},
    {"sight ball negative",
     [] {
         const Ball<2> balls[] = {{{{0, 0}}, 1}, {{{0, 0}}, -1}};
         Hits hits;
         return said(InSight<2>().query(yard(), boxes(), balls, hits));
     }},
};

} // namespace

std::span<const Case> obstacle_cases() { return kObstacleCases; }

} // namespace throng::refusals
