// The table of calls.
#include "calls.hpp"

#include <array>
#include <utility>

namespace throng::test {

namespace {

/// Runs the remaining steps of a change; a step may be refused after the change itself was
/// accepted.
throng_status finished(Rig& rig, throng_status status) {
    while (status.code == THRONG_OK && rig.loop.value.blocks != 0) {
        status = throng_change_run(rig.change(), 0, rig.loop.value.blocks);
        if (status.code == THRONG_OK) { status = throng_change_next(rig.change(), rig.loop.at()); }
    }
    return status;
}

std::int32_t look_at_ids(const std::uint32_t*, std::size_t, void*) { return 1; }
std::int32_t look_at_pairs(const std::uint32_t*, const std::uint32_t*, std::size_t, void*) {
    return 1;
}

void look_at_neighbours(std::uint32_t, const std::uint32_t*, std::size_t, void*) {}

std::vector<Call> all_calls() {
    const StructOf settings = in<&Rig::settings>("settings");
    const StructOf agents = in<&Rig::agents>("agents"), statics = in<&Rig::agents>("statics");
    const StructOf questions = in<&Rig::questions>("questions");
    const StructOf question = in<&Rig::question>("question");
    const StructOf paths = in<&Rig::paths>("paths"), one_path = in<&Rig::one_path>("path");
    const StructOf neighbourhood = in<&Rig::neighbourhood>("neighbourhood");
    const StructOf pairing = in<&Rig::pairing>("pairing", true);
    const StructOf nearest = in<&Rig::nearest>("nearest"), points = in<&Rig::points>("points");
    const StructOf point = in<&Rig::point>("point");
    const std::vector<HandleOf> asking = {kBatch, kCrowd};
    return {
        {"throng_check_abi", [](Rig&) { return throng_check_abi(THRONG_ABI); }},
        {.name = "throng_polygon",
         .make = [](Rig& r) { return throng_polygon(r.corners.data() + 1, 2, r.out(r.region2)); },
         .out = "out"},
        {.name = "throng_frustum",
         .make = [](Rig& r) { return throng_frustum(r.corners.data(), r.out(r.region3)); },
         .out = "out"},

        {.name = "throng_memory_create",
         .make =
             [](Rig& r) {
                 return throng_memory_create(r.memory_settings.at(), r.out(r.made_memory));
             },
         .structs = {in<&Rig::memory_settings>("settings")},
         .out = "out"},
        {.name = "throng_memory_destroy",
         .make = [](Rig& r) { return throng_memory_destroy(r.memory()); },
         .handles = {or_null(kMemory)}},
        {.name = "throng_memory_count",
         .make = [](Rig& r) { return throng_memory_count(r.memory(), r.memory_counts.at()); },
         .handles = {kMemory},
         .structs = {in<&Rig::memory_counts>("out")}},

        {.name = "throng_executor_create",
         .make =
             [](Rig& r) {
                 return throng_executor_create(r.callbacks.at(), r.out(r.made_executor));
             },
         .structs = {in<&Rig::callbacks>("callbacks")},
         .out = "out"},
        {.name = "throng_executor_create_kind",
         .make =
             [](Rig& r) {
                 return throng_executor_create_kind(THRONG_POOL, 1, r.out(r.made_executor));
             },
         .out = "out"},
        {.name = "throng_executor_describe",
         .make =
             [](Rig& r) { return throng_executor_describe(r.executor(), r.executor_facts.at()); },
         .handles = {or_null(kExecutor)},
         .structs = {in<&Rig::executor_facts>("out")}},
        {.name = "throng_executor_destroy",
         .make = [](Rig& r) { return throng_executor_destroy(r.executor()); },
         .handles = {or_null(kExecutor)}},

        {.name = "throng_crowd_create",
         .make = [](Rig& r) { return throng_crowd_create(r.settings.at(), r.out(r.made_crowd)); },
         .structs = {settings},
         .out = "out"},
        {.name = "throng_crowd_destroy",
         .make = [](Rig& r) { return throng_crowd_destroy(r.crowd()); },
         .handles = {or_null(kCrowd)}},
        {.name = "throng_crowd_update",
         .make = [](Rig& r) { return throng_crowd_update(r.crowd(), r.agents.at(), r.executor()); },
         .handles = {kCrowd, kExecutor},
         .structs = {agents}},
        {.name = "throng_crowd_reserve",
         .make = [](Rig& r) { return throng_crowd_reserve(r.crowd(), 100, r.executor()); },
         .handles = {kCrowd, kExecutor}},
        {.name = "throng_crowd_set_statics",
         .make =
             [](Rig& r) {
                 return throng_crowd_set_statics(r.crowd(), r.agents.at(), r.executor());
             },
         .handles = {kCrowd, kExecutor},
         .structs = {statics}},
        {.name = "throng_crowd_edit",
         .make =
             [](Rig& r) {
                 return throng_crowd_edit(r.crowd(), r.edits_at, r.edits_count, r.executor());
             },
         .handles = {kCrowd, kExecutor}},
        {.name = "throng_crowd_clear",
         .make = [](Rig& r) { return throng_crowd_clear(r.crowd()); },
         .handles = {kCrowd}},
        {.name = "throng_crowd_save",
         .make = [](Rig& r) { return throng_crowd_save(r.crowd(), r.path.c_str()); },
         .handles = {kCrowd}},
        {.name = "throng_crowd_load",
         .make = [](Rig& r) { return throng_crowd_load(r.crowd(), r.path.c_str()); },
         .handles = {kCrowd}},
        {.name = "throng_crowd_count",
         .make = [](Rig& r) { return throng_crowd_count(r.crowd(), r.counts.at()); },
         .handles = {kCrowd},
         .structs = {in<&Rig::counts>("out")}},
        {.name = "throng_crowd_cell_stats",
         .make = [](Rig& r) { return throng_crowd_cell_stats(r.crowd(), r.cell_stats.at()); },
         .handles = {kCrowd},
         .structs = {in<&Rig::cell_stats>("out")}},
        {.name = "throng_crowd_order",
         .make = [](Rig& r) { return throng_crowd_order(r.crowd(), r.order.at(), r.order.room); },
         .handles = {kCrowd},
         .arrays = {written<&Rig::order>("ids")}},
        {.name = "throng_reorder",
         .make =
             [](Rig& r) {
                 return throng_reorder(r.reversed.data(), r.reversed.size(), &r.reordered, 1,
                                       r.executor());
             },
         .handles = {kExecutor}},

        {.name = "throng_change_create",
         .make = [](Rig& r) { return throng_change_create(r.out(r.made_change)); },
         .out = "out"},
        {.name = "throng_change_destroy",
         .make = [](Rig& r) { return throng_change_destroy(r.change()); },
         .handles = {or_null(kChange)}},
        {.name = "throng_change_update",
         .make =
             [](Rig& r) {
                 return finished(
                     r, throng_change_update(r.change(), r.crowd(), r.agents.at(), 3, r.loop.at()));
             },
         .handles = {kChange, kCrowd},
         .structs = {agents, in<&Rig::loop>("out")}},
        {.name = "throng_change_edit",
         .make =
             [](Rig& r) {
                 return finished(r, throng_change_edit(r.change(), r.crowd(), r.edits_at,
                                                       r.edits_count, r.loop.at()));
             },
         .handles = {kChange, kCrowd},
         .structs = {in<&Rig::loop>("out")}},
        {.name = "throng_change_run",
         .make = [](Rig& r) { return throng_change_run(r.change(), 0, 100); },
         .handles = {kChange}},
        {.name = "throng_change_next",
         .make = [](Rig& r) { return throng_change_next(r.change(), r.loop.at()); },
         .handles = {kChange},
         .structs = {in<&Rig::loop>("out")}},
        {.name = "throng_change_cancel",
         .make = [](Rig& r) { return throng_change_cancel(r.change()); },
         .handles = {kChange}},

        {.name = "throng_batch_create",
         .make = [](Rig& r) { return throng_batch_create(r.executor(), r.out(r.made_batch)); },
         .handles = {kExecutor},
         .out = "out"},
        {.name = "throng_batch_destroy",
         .make = [](Rig& r) { return throng_batch_destroy(r.batch()); },
         .handles = {or_null(kBatch)}},
        {.name = "throng_batch_memory",
         .make = [](Rig& r) { return throng_batch_memory(r.batch(), r.out(r.sum)); },
         .handles = {kBatch},
         .out = "bytes"},
        {.name = "throng_batch_release",
         .make = [](Rig& r) { return throng_batch_release(r.batch()); },
         .handles = {kBatch}},

        {.name = "throng_query",
         .make =
             [](Rig& r) {
                 return throng_query(r.batch(), r.crowd(), r.questions.at(), r.hits.at());
             },
         .handles = asking,
         .structs = {questions, in<&Rig::hits>("out")}},
        {.name = "throng_query_into",
         .make =
             [](Rig& r) {
                 return throng_query_into(r.batch(), r.crowd(), r.questions.at(), r.hits_room.at());
             },
         .handles = asking,
         .structs = {questions, in<&Rig::hits_room>("out")}},
        {.name = "throng_count",
         .make =
             [](Rig& r) {
                 return throng_count(r.batch(), r.crowd(), r.questions.at(), r.numbers.at(),
                                     r.numbers.room, &r.sum);
             },
         .handles = asking,
         .structs = {questions},
         .arrays = {written<&Rig::numbers>("counts")}},
        {.name = "throng_any",
         .make =
             [](Rig& r) {
                 return throng_any(r.batch(), r.crowd(), r.questions.at(), r.numbers.at(),
                                   r.numbers.room, &r.sum);
             },
         .handles = asking,
         .structs = {questions},
         .arrays = {written<&Rig::numbers>("found")}},
        {.name = "throng_first",
         .make =
             [](Rig& r) {
                 return throng_first(r.batch(), r.crowd(), r.paths.at(), r.meetings.at(),
                                     r.meetings.room, &r.sum);
             },
         .handles = asking,
         .structs = {paths},
         .arrays = {written<&Rig::meetings>("meetings")}},
        {.name = "throng_query_one",
         .make =
             [](Rig& r) {
                 return throng_query_one(r.crowd(), r.question.at(), r.ids.at(), r.ids.room,
                                         r.out(r.sum));
             },
         .handles = {kCrowd},
         .structs = {question},
         .arrays = {written<&Rig::ids>("ids")},
         .out = "total"},
        {.name = "throng_count_one",
         .make = [](Rig& r) { return throng_count_one(r.crowd(), r.question.at(), r.out(r.sum)); },
         .handles = {kCrowd},
         .structs = {question},
         .out = "total"},
        {.name = "throng_any_one",
         .make = [](Rig& r) { return throng_any_one(r.crowd(), r.question.at(), r.out(r.number)); },
         .handles = {kCrowd},
         .structs = {question},
         .out = "found"},
        {.name = "throng_first_one",
         .make =
             [](Rig& r) { return throng_first_one(r.crowd(), r.one_path.at(), r.out(r.meeting)); },
         .handles = {kCrowd},
         .structs = {one_path},
         .out = "meeting"},
        {.name = "throng_first_after_one",
         .make =
             [](Rig& r) {
                 return throng_first_after_one(r.crowd(), r.one_path.at(), r.after,
                                               r.out(r.meeting));
             },
         .handles = {kCrowd},
         .structs = {one_path},
         .out = "meeting"},
        {.name = "throng_meetings_one",
         .make =
             [](Rig& r) {
                 return throng_meetings_one(r.crowd(), r.one_path.at(), r.all_meetings.at(),
                                            r.all_meetings.room, r.out(r.sum));
             },
         .handles = {kCrowd},
         .structs = {one_path},
         .arrays = {written<&Rig::all_meetings>("meetings")},
         .out = "total"},
        {.name = "throng_visit_one",
         .make =
             [](Rig& r) {
                 return throng_visit_one(r.crowd(), r.question.at(), look_at_ids, nullptr, &r.sum);
             },
         .handles = {kCrowd},
         .structs = {question}},
        {.name = "throng_explain",
         .make = [](Rig& r) { return throng_explain(r.crowd(), r.question.at(), r.costs.at()); },
         .handles = {kCrowd},
         .structs = {question, in<&Rig::costs>("out")}},

        {.name = "throng_neighbours",
         .make =
             [](Rig& r) {
                 return throng_neighbours(r.batch(), r.crowd(), r.neighbourhood.at(), r.hits.at());
             },
         .handles = asking,
         .structs = {neighbourhood, in<&Rig::hits>("out")}},
        {.name = "throng_neighbours_into",
         .make =
             [](Rig& r) {
                 return throng_neighbours_into(r.batch(), r.crowd(), r.neighbourhood.at(),
                                               r.neighbours_room.at());
             },
         .handles = asking,
         .structs = {neighbourhood, in<&Rig::neighbours_room>("out")}},
        {.name = "throng_count_neighbours",
         .make =
             [](Rig& r) {
                 return throng_count_neighbours(r.batch(), r.crowd(), r.neighbourhood.at(),
                                                r.count_of_each.at(), r.count_of_each.room, &r.sum);
             },
         .handles = asking,
         .structs = {neighbourhood},
         .arrays = {written<&Rig::count_of_each>("counts")}},

        {.name = "throng_find_pairs",
         .make =
             [](Rig& r) {
                 return throng_find_pairs(r.batch(), r.crowd(), r.pairing.at(), r.pairs.at());
             },
         .handles = asking,
         .structs = {pairing, in<&Rig::pairs>("out")}},
        {.name = "throng_find_pairs_into",
         .make =
             [](Rig& r) {
                 return throng_find_pairs_into(r.batch(), r.crowd(), r.pairing.at(),
                                               r.pairs_room.at());
             },
         .handles = asking,
         .structs = {pairing, in<&Rig::pairs_room>("out")}},
        {.name = "throng_count_pairs",
         .make =
             [](Rig& r) {
                 return throng_count_pairs(r.batch(), r.crowd(), r.pairing.at(), r.out(r.sum));
             },
         .handles = asking,
         .structs = {pairing},
         .out = "total"},

        {.name = "throng_visit_pairs",
         .make =
             [](Rig& r) {
                 return throng_visit_pairs(r.crowd(), r.overlaps.at(), look_at_pairs, nullptr,
                                           &r.sum);
             },
         .handles = {kCrowd},
         .structs = {in<&Rig::overlaps>("pairing", true)}},
        {.name = "throng_contacts_create",
         .make =
             [](Rig& r) { return throng_contacts_create(r.executor(), r.out(r.made_contacts)); },
         .handles = {kExecutor},
         .out = "out"},
        {.name = "throng_contacts_destroy",
         .make = [](Rig& r) { return throng_contacts_destroy(r.contacts()); },
         .handles = {or_null(kContacts)}},
        {.name = "throng_contacts_update",
         .make =
             [](Rig& r) {
                 return throng_contacts_update(r.contacts(), r.crowd(), r.pairing.at(),
                                               r.contact_frame.at());
             },
         .handles = {kContacts, kCrowd},
         .structs = {pairing, in<&Rig::contact_frame>("out")}},
        {.name = "throng_contacts_clear",
         .make = [](Rig& r) { return throng_contacts_clear(r.contacts()); },
         .handles = {kContacts}},
        {.name = "throng_contacts_memory",
         .make = [](Rig& r) { return throng_contacts_memory(r.contacts(), r.out(r.sum)); },
         .handles = {kContacts},
         .out = "bytes"},
        {.name = "throng_contacts_release",
         .make = [](Rig& r) { return throng_contacts_release(r.contacts()); },
         .handles = {kContacts}},

        {.name = "throng_lasting_create",
         .make =
             [](Rig& r) {
                 return throng_lasting_create(r.lasting_settings.at(), r.executor(),
                                              r.out(r.made_lasting));
             },
         .handles = {kExecutor},
         .structs = {in<&Rig::lasting_settings>("settings")},
         .out = "out"},
        {.name = "throng_lasting_destroy",
         .make = [](Rig& r) { return throng_lasting_destroy(r.lasting()); },
         .handles = {or_null(kLasting)}},
        {.name = "throng_lasting_update",
         .make =
             [](Rig& r) {
                 return throng_lasting_update(r.lasting(), r.crowd(), r.agents.at(),
                                              r.lasting_frame.at());
             },
         .handles = {kLasting, kCrowd},
         .structs = {agents, in<&Rig::lasting_frame>("out")}},
        {.name = "throng_lasting_neighbours",
         .make =
             [](Rig& r) {
                 return throng_lasting_neighbours(r.lasting(), r.moved.at(), r.hits.at());
             },
         .handles = {kLasting},
         .structs = {in<&Rig::moved>("agents"), in<&Rig::hits>("out")}},
        {.name = "throng_lasting_visit",
         .make =
             [](Rig& r) {
                 return throng_lasting_visit(r.lasting(), r.moved.at(), look_at_neighbours,
                                             nullptr);
             },
         .handles = {kLasting},
         .structs = {in<&Rig::moved>("agents")}},
        {.name = "throng_lasting_memory",
         .make = [](Rig& r) { return throng_lasting_memory(r.lasting(), r.out(r.sum)); },
         .handles = {kLasting},
         .out = "bytes"},
        {.name = "throng_lasting_release",
         .make = [](Rig& r) { return throng_lasting_release(r.lasting()); },
         .handles = {kLasting}},

        {.name = "throng_find_nearest",
         .make =
             [](Rig& r) {
                 return throng_find_nearest(r.batch(), r.crowd(), r.points.at(), r.nearest.at(),
                                            r.near_hits.at());
             },
         .handles = asking,
         .structs = {points, nearest, in<&Rig::near_hits>("out")}},
        {.name = "throng_find_nearest_into",
         .make =
             [](Rig& r) {
                 return throng_find_nearest_into(r.batch(), r.crowd(), r.points.at(),
                                                 r.nearest.at(), r.near_room.at());
             },
         .handles = asking,
         .structs = {points, nearest, in<&Rig::near_room>("out")}},
        {.name = "throng_find_nearest_one",
         .make =
             [](Rig& r) {
                 return throng_find_nearest_one(r.crowd(), r.point.at(), r.nearest.at(),
                                                r.near.at(), r.near.room, r.out(r.sum));
             },
         .handles = {kCrowd},
         .structs = {point, nearest},
         .arrays = {written<&Rig::near>("near")},
         .out = "total"},
        {.name = "throng_nearest_neighbours",
         .make =
             [](Rig& r) {
                 return throng_nearest_neighbours(r.batch(), r.crowd(), r.nearest.at(),
                                                  r.near_hits.at());
             },
         .handles = asking,
         .structs = {nearest, in<&Rig::near_hits>("out")}},
        {.name = "throng_nearest_neighbours_into",
         .make =
             [](Rig& r) {
                 return throng_nearest_neighbours_into(r.batch(), r.crowd(), r.nearest.at(),
                                                       r.everybody_room.at());
             },
         .handles = asking,
         .structs = {nearest, in<&Rig::everybody_room>("out")}},

        {.name = "throng_published_create",
         .make =
             [](Rig& r) {
                 return throng_published_create(r.settings.at(), r.out(r.made_published));
             },
         .structs = {settings},
         .out = "out"},
        {.name = "throng_published_destroy",
         .make = [](Rig& r) { return throng_published_destroy(r.published()); },
         .handles = {or_null(kPublished)}},
        {.name = "throng_published_update",
         .make =
             [](Rig& r) {
                 return throng_published_update(r.published(), r.agents.at(), r.executor());
             },
         .handles = {kPublished, kExecutor},
         .structs = {agents}},
        {.name = "throng_published_reserve",
         .make = [](Rig& r) { return throng_published_reserve(r.published(), 100, r.executor()); },
         .handles = {kPublished, kExecutor}},
        {.name = "throng_published_set_statics",
         .make =
             [](Rig& r) {
                 return throng_published_set_statics(r.published(), r.agents.at(), r.executor());
             },
         .handles = {kPublished, kExecutor},
         .structs = {statics}},
        {.name = "throng_published_edit",
         .make =
             [](Rig& r) {
                 return throng_published_edit(r.published(), r.edits_at, r.edits_count,
                                              r.executor());
             },
         .handles = {kPublished, kExecutor}},
        {.name = "throng_published_edit_statics",
         .make = [](Rig& r) { return throng_published_edit_statics(r.published(), nullptr, 0); },
         .handles = {kPublished}},
        {.name = "throng_snapshot_acquire",
         .make =
             [](Rig& r) { return throng_snapshot_acquire(r.published(), r.out(r.made_snapshot)); },
         .handles = {kPublished},
         .out = "out"},
        {.name = "throng_snapshot_release",
         .make = [](Rig& r) { return throng_snapshot_release(r.snapshot()); },
         .handles = {or_null(kSnapshot)}},
        {.name = "throng_snapshot_look",
         .make = [](Rig& r) { return throng_snapshot_look(r.snapshot(), &r.sum, &r.shown_crowd); },
         .handles = {kSnapshot}},
    };
}

} // namespace

const std::vector<Call>& calls() {
    static const std::vector<Call> all = [] {
        std::vector<Call> made = all_calls();
        for (std::vector<Call>& more : std::array{obstacle_calls(), agent_calls()}) {
            for (Call& call : more) {
                made.push_back(std::move(call));
            }
        }
        return made;
    }();
    return all;
}

} // namespace throng::test
