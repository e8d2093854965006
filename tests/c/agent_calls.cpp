// The table of C calls about single agents and about where agents are.
#include "calls.hpp"

namespace throng::test {

std::vector<Call> agent_calls() {
    return {
        {.name = "throng_crowd_add",
         .make =
             [](Rig& r) {
                 return throng_crowd_add(r.named(), r.agents.at(), r.new_handles.at(),
                                         r.new_handles.room, r.executor());
             },
         .handles = {kCrowd, kExecutor},
         .structs = {in<&Rig::agents>("agents")},
         .arrays = {written<&Rig::new_handles>("handles")},
         .of_named = true},
        {.name = "throng_crowd_remove",
         .make =
             [](Rig& r) {
                 return throng_crowd_remove(r.named(), r.agent_handles.at(), 5, r.executor());
             },
         .handles = {kCrowd, kExecutor},
         .of_named = true},
        {.name = "throng_crowd_move",
         .make =
             [](Rig& r) {
                 return throng_crowd_move(r.named(), r.agent_handles.at(), r.agent_handles.room,
                                          r.movers.at(), r.executor());
             },
         .handles = {kCrowd, kExecutor},
         .structs = {in<&Rig::movers>("agents")},
         .of_named = true},
        {.name = "throng_crowd_update_handles",
         .make =
             [](Rig& r) {
                 return throng_crowd_update_handles(r.named(), r.agents.at(), r.agent_handles.at(),
                                                    r.agent_handles.room, r.executor());
             },
         .handles = {kCrowd, kExecutor},
         .structs = {in<&Rig::agents>("agents")},
         .of_named = true},
        {.name = "throng_crowd_update_ids",
         .make =
             [](Rig& r) {
                 return throng_crowd_update_ids(r.crowd(), r.agents.at(), r.names.at(),
                                                r.names.room, r.executor());
             },
         .handles = {kCrowd, kExecutor},
         .structs = {in<&Rig::agents>("agents")}},
        {.name = "throng_crowd_move_ids",
         .make =
             [](Rig& r) {
                 return throng_crowd_move_ids(r.crowd(), r.names.at(), r.names.room, r.movers.at(),
                                              r.executor());
             },
         .handles = {kCrowd, kExecutor},
         .structs = {in<&Rig::movers>("agents")}},
        {.name = "throng_crowd_resolve",
         .make =
             [](Rig& r) {
                 return throng_crowd_resolve(r.named(), r.agent_handles.at(), Rig::kAgents,
                                             r.order.at(), r.order.room);
             },
         .handles = {kCrowd},
         .arrays = {written<&Rig::order>("ids")},
         .of_named = true},
        {.name = "throng_crowd_handles",
         .make =
             [](Rig& r) {
                 return throng_crowd_handles(r.named(), r.reversed.data(), r.reversed.size(),
                                             r.new_handles.at(), r.new_handles.room);
             },
         .handles = {kCrowd},
         .arrays = {written<&Rig::new_handles>("handles")},
         .of_named = true},
        {.name = "throng_crowd_add_keyed",
         .make =
             [](Rig& r) {
                 return throng_crowd_add_keyed(r.named(), r.agents.at(), r.keys.at(), r.keys.room,
                                               r.new_handles.at(), r.new_handles.room,
                                               r.executor());
             },
         .handles = {kCrowd, kExecutor},
         .structs = {in<&Rig::agents>("agents")},
         .arrays = {written<&Rig::new_handles>("handles")},
         .of_named = true},
        {.name = "throng_crowd_set_keys",
         .make =
             [](Rig& r) {
                 return throng_crowd_set_keys(r.named(), r.agent_handles.at(), r.agent_handles.room,
                                              r.keys.at(), r.keys.room);
             },
         .handles = {kCrowd},
         .of_named = true},
        {.name = "throng_crowd_keys",
         .make =
             [](Rig& r) {
                 return throng_crowd_keys(r.named(), r.reversed.data(), r.reversed.size(),
                                          r.keys.at(), r.keys.room, r.executor());
             },
         .handles = {kCrowd, kExecutor},
         .arrays = {written<&Rig::keys>("keys")},
         .of_named = true},
        {.name = "throng_crowd_edit_world",
         .make =
             [](Rig& r) {
                 return throng_crowd_edit_world(r.crowd(), r.world_edits.data(),
                                                r.world_edits.size(), r.executor());
             },
         .handles = {kCrowd, kExecutor}},
        {.name = "throng_crowd_local",
         .make =
             [](Rig& r) {
                 return throng_crowd_local(r.crowd(), r.far_places.data(), Rig::kPoints,
                                           r.local_places.at(), r.local_places.room);
             },
         .handles = {kCrowd},
         .arrays = {written<&Rig::local_places>("local")}},
        {.name = "throng_crowd_world",
         .make =
             [](Rig& r) {
                 return throng_crowd_world(r.crowd(), r.places.data(), Rig::kPoints,
                                           r.world_places.at(), r.world_places.room);
             },
         .handles = {kCrowd},
         .arrays = {written<&Rig::world_places>("world")}},
        {.name = "throng_crowd_images",
         .make =
             [](Rig& r) {
                 return throng_crowd_images(r.crowd(), r.agents.at(), r.movers.at(), r.images.at(),
                                            r.images.room);
             },
         .handles = {kCrowd},
         .structs = {in<&Rig::movers>("positions")}},
        {.name = "throng_crowd_cells",
         .make =
             [](Rig& r) {
                 return throng_crowd_cells(r.crowd(), r.cells.at(), r.cells.room, r.out(r.sum));
             },
         .handles = {kCrowd},
         .arrays = {written<&Rig::cells>("cells")},
         .out = "total"},
    };
}

} // namespace throng::test
