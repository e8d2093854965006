// The table of C calls about obstacles.
#include "calls.hpp"

namespace throng::test {

std::vector<Call> obstacle_calls() {
    const StructOf question = in<&Rig::question>("question");
    const StructOf one_path = in<&Rig::one_path>("path");
    const StructOf points = in<&Rig::points>("points");
    const StructOf point = in<&Rig::point>("point");
    return {
        {.name = "throng_obstacles_create",
         .make =
             [](Rig& r) { return throng_obstacles_create(r.dimension, r.out(r.made_obstacles)); },
         .out = "out"},
        {.name = "throng_obstacles_destroy",
         .make = [](Rig& r) { return throng_obstacles_destroy(r.obstacles()); },
         .handles = {or_null(kObstacles)}},
        {.name = "throng_obstacles_configure",
         .make =
             [](Rig& r) {
                 return throng_obstacles_configure(r.obstacles(), r.obstacle_world.at());
             },
         .handles = {kObstacles},
         .structs = {in<&Rig::obstacle_world>("settings")}},
        {.name = "throng_obstacles_set",
         .make =
             [](Rig& r) {
                 return throng_obstacles_set(r.obstacles(), r.obstacle_arrays.at(), r.executor());
             },
         .handles = {kObstacles, kExecutor},
         .structs = {in<&Rig::obstacle_arrays>("arrays")}},
        {.name = "throng_obstacles_insert",
         .make =
             [](Rig& r) {
                 return throng_obstacles_insert(r.obstacles(), r.obstacle_id, r.obstacle_shape,
                                                r.obstacle_at, 1);
             },
         .handles = {kObstacles}},
        {.name = "throng_obstacles_replace",
         .make =
             [](Rig& r) {
                 return throng_obstacles_replace(r.obstacles(), r.obstacle_id % 7, r.obstacle_shape,
                                                 r.obstacle_at, 1);
             },
         .handles = {kObstacles}},
        {.name = "throng_obstacles_erase",
         .make = [](Rig& r) { return throng_obstacles_erase(r.obstacles(), r.obstacle_id % 7); },
         .handles = {kObstacles}},
        {.name = "throng_obstacles_clear",
         .make = [](Rig& r) { return throng_obstacles_clear(r.obstacles()); },
         .handles = {kObstacles}},
        {.name = "throng_obstacles_release",
         .make = [](Rig& r) { return throng_obstacles_release(r.obstacles()); },
         .handles = {kObstacles}},
        {.name = "throng_obstacles_save",
         .make =
             [](Rig& r) { return throng_obstacles_save(r.obstacles(), r.obstacle_path.c_str()); },
         .handles = {kObstacles}},
        {.name = "throng_obstacles_load",
         .make =
             [](Rig& r) { return throng_obstacles_load(r.obstacles(), r.obstacle_path.c_str()); },
         .handles = {kObstacles}},
        {.name = "throng_obstacles_count",
         .make =
             [](Rig& r) { return throng_obstacles_count(r.obstacles(), r.obstacle_counts.at()); },
         .handles = {kObstacles},
         .structs = {in<&Rig::obstacle_counts>("out")}},
        {.name = "throng_obstacles_contains",
         .make =
             [](Rig& r) { return throng_obstacles_contains(r.obstacles(), 1, r.out(r.number)); },
         .handles = {kObstacles},
         .out = "found"},
        {.name = "throng_obstacles_nearest",
         .make =
             [](Rig& r) {
                 return throng_obstacles_nearest(r.obstacles(), r.points.at(),
                                                 r.obstacle_search.at(), r.near_each.at(),
                                                 r.near_each.room, r.executor(), &r.sum);
             },
         .handles = {kObstacles, kExecutor},
         .structs = {points, in<&Rig::obstacle_search>("search", true)},
         .arrays = {written<&Rig::near_each>("near")}},
        {.name = "throng_obstacles_nearest_one",
         .make =
             [](Rig& r) {
                 return throng_obstacles_nearest_one(r.obstacles(), r.point.at(),
                                                     r.obstacle_search.at(), r.out(r.one_near));
             },
         .handles = {kObstacles},
         .structs = {point, in<&Rig::obstacle_search>("search", true)},
         .out = "near"},
        {.name = "throng_obstacles_first",
         .make =
             [](Rig& r) {
                 return throng_obstacles_first(r.obstacles(), r.obstacle_paths.at(),
                                               r.obstacle_hits.at(), r.obstacle_hits.room,
                                               r.executor(), &r.sum);
             },
         .handles = {kObstacles, kExecutor},
         .structs = {in<&Rig::obstacle_paths>("paths")},
         .arrays = {written<&Rig::obstacle_hits>("hits")}},
        {.name = "throng_obstacles_first_one",
         .make =
             [](Rig& r) {
                 return throng_obstacles_first_one(r.obstacles(), r.one_path.at(),
                                                   r.out(r.one_hit));
             },
         .handles = {kObstacles},
         .structs = {one_path},
         .out = "hit"},
        {.name = "throng_obstacles_sight",
         .make =
             [](Rig& r) {
                 return throng_obstacles_sight(r.obstacles(), r.obstacle_paths.at(), r.clear.at(),
                                               r.clear.room, r.executor(), &r.sum);
             },
         .handles = {kObstacles, kExecutor},
         .structs = {in<&Rig::obstacle_paths>("paths")}},
        {.name = "throng_obstacles_sight_one",
         .make =
             [](Rig& r) {
                 return throng_obstacles_sight_one(r.obstacles(), r.one_path.at(), r.out(r.number));
             },
         .handles = {kObstacles},
         .structs = {one_path},
         .out = "clear"},
        {.name = "throng_obstacles_within",
         .make =
             [](Rig& r) {
                 return throng_obstacles_within(r.obstacles(), r.obstacle_ball.at(),
                                                r.near_obstacles.at(), r.near_obstacles.room,
                                                r.out(r.sum));
             },
         .handles = {kObstacles},
         .structs = {in<&Rig::obstacle_ball>("question")},
         .arrays = {written<&Rig::near_obstacles>("near")},
         .out = "total"},
        {.name = "throng_obstacles_within_each",
         .make =
             [](Rig& r) {
                 return throng_obstacles_within_each(
                     r.obstacles(), r.obstacle_balls.at(), r.near_offsets.at(), r.near_offsets.room,
                     r.near_of_balls.at(), r.near_of_balls.room, r.executor(), r.out(r.sum));
             },
         .handles = {kObstacles, kExecutor},
         .structs = {in<&Rig::obstacle_balls>("questions")},
         .arrays = {written<&Rig::near_offsets>("offsets"), written<&Rig::near_of_balls>("near")},
         .out = "total"},
        {.name = "throng_obstacles_hits",
         .make =
             [](Rig& r) {
                 return throng_obstacles_hits(r.obstacles(), r.one_path.at(), r.obstacle_hits.at(),
                                              r.obstacle_hits.room, r.out(r.sum));
             },
         .handles = {kObstacles},
         .structs = {one_path},
         .arrays = {written<&Rig::obstacle_hits>("hits")},
         .out = "total"},
        {.name = "throng_obstacles_overlaps",
         .make =
             [](Rig& r) {
                 return throng_obstacles_overlaps(r.obstacles(), r.question.at(),
                                                  r.obstacle_ids.at(), r.obstacle_ids.room,
                                                  r.out(r.sum));
             },
         .handles = {kObstacles},
         .structs = {question},
         .arrays = {written<&Rig::obstacle_ids>("ids")},
         .out = "total"},
        {.name = "throng_neighbours_in_sight",
         .make =
             [](Rig& r) {
                 return throng_neighbours_in_sight(r.batch(), r.crowd(), r.obstacles(), nullptr,
                                                   r.neighbourhood.at(), r.hits.at());
             },
         .handles = {kBatch, kCrowd, kObstacles},
         .structs = {in<&Rig::neighbourhood>("neighbourhood"), in<&Rig::hits>("out")}},
        {.name = "throng_count_neighbours_in_sight",
         .make =
             [](Rig& r) {
                 return throng_count_neighbours_in_sight(
                     r.batch(), r.crowd(), r.obstacles(), nullptr, r.neighbourhood.at(),
                     r.count_of_each.at(), r.count_of_each.room, &r.sum);
             },
         .handles = {kBatch, kCrowd, kObstacles},
         .structs = {in<&Rig::neighbourhood>("neighbourhood")},
         .arrays = {written<&Rig::count_of_each>("counts")}},
        {.name = "throng_query_in_sight",
         .make =
             [](Rig& r) {
                 return throng_query_in_sight(r.batch(), r.crowd(), r.obstacles(), nullptr,
                                              r.seen.at(), r.hits.at());
             },
         .handles = {kBatch, kCrowd, kObstacles},
         .structs = {in<&Rig::seen>("questions"), in<&Rig::hits>("out")}},
        {.name = "throng_count_in_sight",
         .make =
             [](Rig& r) {
                 return throng_count_in_sight(r.batch(), r.crowd(), r.obstacles(), nullptr,
                                              r.seen.at(), r.numbers.at(), r.numbers.room, &r.sum);
             },
         .handles = {kBatch, kCrowd, kObstacles},
         .structs = {in<&Rig::seen>("questions")},
         .arrays = {written<&Rig::numbers>("counts")}},
    };
}

} // namespace throng::test
