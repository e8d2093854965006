// Questions with shapes: batches and single questions.
#include "../../engine/grid/query_stats.hpp"
#include "../arrays.hpp"
#include "../batch.hpp"
#include "../hits.hpp"
#include "../questions.hpp"
#include "../structs.hpp"
#include "crowd.hpp"

#include <cstddef>
#include <cstdint>

namespace throng::c {

namespace {

/// Calls ask(batch, crowd, shapes) with a batch and shapes of the crowd's dimension.
template <class Ask>
decltype(auto) ask_batch(BatchObject& batch, const CrowdObject& crowd,
                         const QuestionsReader& questions, const Ask& ask) {
    return crowd.ask([&]<std::size_t Dim>(const throng::Crowd<Dim>& asked) {
        return ask(batch.of<Dim>(), Asked<Dim>(asked, questions.sets()), questions.shapes<Dim>());
    });
}

/// The status of a call with this result; writes its total to `sum`.
throng_status sum_up(const Found& found, const QuestionsReader& questions, std::uint64_t* sum,
                     const char* counts) {
    if (found.status.ok()) { write_value<std::uint64_t>(found.count, sum); }
    return with_need(questions.as_asked(found.status, counts), questions.count());
}

/// The status of a call that counts the hits of one question; writes this number to `to`.
template <class Number>
throng_status write_one(const Found& found, const QuestionsReader& question, Number* to) noexcept {
    if (found.status.ok()) { *to = static_cast<Number>(found.count); }
    return question.as_asked(found.status);
}

} // namespace

} // namespace throng::c

using namespace throng::c;

throng_status throng_query(throng_batch* batch, const throng_crowd* crowd,
                           const throng_questions* questions, throng_hits* out) {
    return guarded([&] {
        BatchObject& object = look_up(batch, "batch");
        const CrowdObject& asked = look_up(crowd, "crowd");
        const QuestionsReader given(questions, kQuestions);
        HitsWriter answers(out);
        const throng::Status status =
            ask_batch(object, asked, given, [&](auto& by, const auto& of, const auto& shapes) {
                return by.query(of, shapes, object.hits, given.filters());
            });
        if (status.ok()) { answers.write(object.hits); }
        return given.as_asked(status);
    });
}

throng_status throng_query_into(throng_batch* batch, const throng_crowd* crowd,
                                const throng_questions* questions, throng_hits_room* out) {
    return guarded([&] {
        BatchObject& object = look_up(batch, "batch");
        const CrowdObject& asked = look_up(crowd, "crowd");
        const QuestionsReader given(questions, kQuestions);
        HitsRoom room(out);
        const throng::Found found =
            ask_batch(object, asked, given, [&](auto& by, const auto& of, const auto& shapes) {
                return by.query(of, shapes, {room.buffer().offsets, room.buffer().ids},
                                given.filters());
            });
        if (found.status.ok()) { return room.write(found.count); }
        return with_need(given.as_asked(found.status), given.count() + 1);
    });
}

throng_status throng_count(throng_batch* batch, const throng_crowd* crowd,
                           const throng_questions* questions, uint32_t* counts, size_t room,
                           uint64_t* sum) {
    return guarded([&] {
        BatchObject& object = look_up(batch, "batch");
        const CrowdObject& asked = look_up(crowd, "crowd");
        const QuestionsReader given(questions, kQuestions);
        const auto to = array_of<std::uint32_t>(counts, room, "counts", "room");
        check_wanted(sum, "sum");
        const throng::Found found =
            ask_batch(object, asked, given, [&](auto& by, const auto& of, const auto& shapes) {
                return by.count(of, shapes, to, given.filters());
            });
        return sum_up(found, given, sum, "counts");
    });
}

throng_status throng_any(throng_batch* batch, const throng_crowd* crowd,
                         const throng_questions* questions, uint32_t* found, size_t room,
                         uint64_t* sum) {
    return guarded([&] {
        BatchObject& object = look_up(batch, "batch");
        const CrowdObject& asked = look_up(crowd, "crowd");
        const QuestionsReader given(questions, kQuestions);
        const auto to = array_of<std::uint32_t>(found, room, "found", "room");
        check_wanted(sum, "sum");
        const throng::Found all =
            ask_batch(object, asked, given, [&](auto& by, const auto& of, const auto& shapes) {
                return by.any(of, shapes, to, given.filters());
            });
        return sum_up(all, given, sum, "found");
    });
}

throng_status throng_first(throng_batch* batch, const throng_crowd* crowd,
                           const throng_questions* paths, throng_meeting* meetings, size_t room,
                           uint64_t* sum) {
    return guarded([&] {
        BatchObject& object = look_up(batch, "batch");
        const CrowdObject& asked = look_up(crowd, "crowd");
        const QuestionsReader given(paths, kPaths);
        const auto to = array_of<throng::PathHit>(meetings, room, "meetings", "room");
        check_wanted(sum, "sum");
        const throng::Found found = asked.ask([&]<std::size_t Dim>(const throng::Crowd<Dim>& of) {
            return object.of<Dim>().first({of, given.sets()}, given.paths<Dim>(), to,
                                          given.filters());
        });
        return sum_up(found, given, sum, "meetings");
    });
}

throng_status throng_query_one(const throng_crowd* crowd, const throng_questions* question,
                               uint32_t* ids, size_t room, uint64_t* total) {
    return guarded([&] {
        const CrowdObject& asked = look_up(crowd, "crowd");
        const QuestionsReader given(question, kQuestion);
        const auto to = array_of<std::uint32_t>(ids, room, "ids", "room");
        check_out(total, "total");
        const throng::Found found = asked.ask([&]<std::size_t Dim>(const throng::Crowd<Dim>& of) {
            return of.query(given.shapes<Dim>(), to, given.filters().of(0), given.sets());
        });
        if (!found.status.ok()) { return given.as_asked(found.status); }
        *total = found.count;
        return found.count <= to.size() ? kOk : status_with(THRONG_NO_ROOM, "ids", found.count);
    });
}

throng_status throng_count_one(const throng_crowd* crowd, const throng_questions* question,
                               uint64_t* total) {
    return guarded([&] {
        const CrowdObject& asked = look_up(crowd, "crowd");
        const QuestionsReader given(question, kQuestion);
        check_out(total, "total");
        const throng::Found all = asked.ask([&]<std::size_t Dim>(const throng::Crowd<Dim>& of) {
            return of.count(given.shapes<Dim>(), given.filters().of(0), given.sets());
        });
        return write_one(all, given, total);
    });
}

throng_status throng_any_one(const throng_crowd* crowd, const throng_questions* question,
                             uint32_t* found) {
    return guarded([&] {
        const CrowdObject& asked = look_up(crowd, "crowd");
        const QuestionsReader given(question, kQuestion);
        check_out(found, "found");
        const throng::Found all = asked.ask([&]<std::size_t Dim>(const throng::Crowd<Dim>& of) {
            return of.any(given.shapes<Dim>(), given.filters().of(0), given.sets());
        });
        return write_one(all, given, found);
    });
}

throng_status throng_first_one(const throng_crowd* crowd, const throng_questions* path,
                               throng_meeting* meeting) {
    return guarded([&] {
        const CrowdObject& asked = look_up(crowd, "crowd");
        const QuestionsReader given(path, kPath);
        check_out(meeting, "meeting");
        throng::PathHit hit;
        const throng::Found found = asked.ask([&]<std::size_t Dim>(const throng::Crowd<Dim>& of) {
            return of.first(given.paths<Dim>(), hit, given.filters().of(0), given.sets());
        });
        if (found.status.ok()) { *meeting = {hit.time, hit.id}; }
        return given.as_asked(found.status);
    });
}

throng_status throng_explain(const throng_crowd* crowd, const throng_questions* question,
                             throng_query_costs* out) {
    return guarded([&] {
        const CrowdObject& asked = look_up(crowd, "crowd");
        const QuestionsReader given(question, kQuestion);
        throng_query_costs costs = read(out, "out");
        const throng::CrowdStats stats =
            asked.ask([&]<std::size_t Dim>(const throng::Crowd<Dim>& of) {
                return of.explain(given.shapes<Dim>(), given.filters().of(0), given.sets());
            });
        if (!stats.status.ok()) { return given.as_asked(stats.status); }
        costs.path = to_string(stats.path);
        costs.rows = stats.rows;
        costs.tested = stats.tested;
        costs.copied = stats.copied;
        costs.small_agents = stats.small;
        costs.giants = stats.giants;
        costs.statics = stats.statics;
        costs.predicted_nanoseconds = stats.predicted_nanoseconds;
        costs.reason = to_string(stats.reason);
        costs.predicted_rows = stats.predicted.rows;
        costs.predicted_tiles = stats.predicted.tiles;
        costs.predicted_all = stats.predicted.all;
        costs.large_first = stats.large_first ? 1 : 0;
        costs.reserved = 0;
        write(costs, out);
        return kOk;
    });
}
