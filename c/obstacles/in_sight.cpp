// Which agents are visible past obstacles.
#include "../arrays.hpp"
#include "../batch.hpp"
#include "../crowd/all_agents.hpp"
#include "../crowd/crowd.hpp"
#include "../hits.hpp"
#include "../questions.hpp"
#include "obstacles.hpp"

#include <cstddef>
#include <cstdint>

namespace throng::c {

namespace {

/// The filter for obstacles that hide agents; null: all obstacles hide.
Filter looks_of(const throng_filter* looks) noexcept {
    return looks == nullptr ? Filter{} : Filter{looks->groups, looks->without};
}

/// Calls ask(in_sight, crowd, obstacles, shapes), all of the crowd's dimension.
template <class Ask>
decltype(auto) ask_shapes(BatchObject& batch, const CrowdObject& crowd,
                          const ObstaclesObject& obstacles, const QuestionsReader& questions,
                          const Ask& ask) {
    return crowd.ask([&]<std::size_t Dim>(const throng::Crowd<Dim>& asked) {
        const auto shapes = questions.shapes_if<Dim>(
            [](ShapeKind kind) { return kind == ShapeKind::ball || kind == ShapeKind::sector; });
        return ask(batch.sight_of<Dim>(), Asked<Dim>(asked, questions.sets()), obstacles.in<Dim>(),
                   shapes);
    });
}

} // namespace

} // namespace throng::c

using namespace throng::c;

throng_status throng_neighbours_in_sight(throng_batch* batch, const throng_crowd* crowd,
                                         const throng_obstacles* obstacles,
                                         const throng_filter* looks,
                                         const throng_neighbourhood* neighbourhood,
                                         throng_hits* out) {
    return guarded([&] {
        BatchObject& object = look_up(batch, "batch");
        const CrowdObject& asked = look_up(crowd, "crowd");
        const ObstaclesObject& hiding = look_up(obstacles, "obstacles");
        const AllAgents all(neighbourhood);
        HitsWriter answers(out);
        const throng::Status status = asked.ask([&]<std::size_t Dim>(const throng::Crowd<Dim>& of) {
            return object.sight_of<Dim>().neighbours({of, all.sets}, hiding.in<Dim>(),
                                                     all.neighbourhood, object.hits, all.order,
                                                     looks_of(looks));
        });
        if (status.ok()) { answers.write(object.hits); }
        return status_of(status);
    });
}

throng_status throng_count_neighbours_in_sight(throng_batch* batch, const throng_crowd* crowd,
                                               const throng_obstacles* obstacles,
                                               const throng_filter* looks,
                                               const throng_neighbourhood* neighbourhood,
                                               uint32_t* counts, size_t room, uint64_t* sum) {
    return guarded([&] {
        BatchObject& object = look_up(batch, "batch");
        const CrowdObject& asked = look_up(crowd, "crowd");
        const ObstaclesObject& hiding = look_up(obstacles, "obstacles");
        const AllAgents all(neighbourhood);
        const auto to = array_of<std::uint32_t>(counts, room, "counts", "room");
        check_wanted(sum, "sum");
        const throng::Found found = asked.ask([&]<std::size_t Dim>(const throng::Crowd<Dim>& of) {
            return object.sight_of<Dim>().count_neighbours({of, all.sets}, hiding.in<Dim>(),
                                                           all.neighbourhood, to, all.order,
                                                           looks_of(looks));
        });
        if (found.status.ok()) { write_value<std::uint64_t>(found.count, sum); }
        return with_need(status_of(found.status), answers_of(asked, all.order));
    });
}

throng_status throng_query_in_sight(throng_batch* batch, const throng_crowd* crowd,
                                    const throng_obstacles* obstacles, const throng_filter* looks,
                                    const throng_questions* questions, throng_hits* out) {
    return guarded([&] {
        BatchObject& object = look_up(batch, "batch");
        const CrowdObject& asked = look_up(crowd, "crowd");
        const ObstaclesObject& hiding = look_up(obstacles, "obstacles");
        const QuestionsReader given(questions, kQuestions);
        HitsWriter answers(out);
        const throng::Status status = ask_shapes(
            object, asked, hiding, given,
            [&](auto& by, const auto& of, const auto& past, const auto& shapes) {
                return by.query(of, past, shapes, object.hits, given.filters(), looks_of(looks));
            });
        if (status.ok()) { answers.write(object.hits); }
        return given.as_asked(status);
    });
}

throng_status throng_count_in_sight(throng_batch* batch, const throng_crowd* crowd,
                                    const throng_obstacles* obstacles, const throng_filter* looks,
                                    const throng_questions* questions, uint32_t* counts,
                                    size_t room, uint64_t* sum) {
    return guarded([&] {
        BatchObject& object = look_up(batch, "batch");
        const CrowdObject& asked = look_up(crowd, "crowd");
        const ObstaclesObject& hiding = look_up(obstacles, "obstacles");
        const QuestionsReader given(questions, kQuestions);
        const auto to = array_of<std::uint32_t>(counts, room, "counts", "room");
        check_wanted(sum, "sum");
        const throng::Found found =
            ask_shapes(object, asked, hiding, given,
                       [&](auto& by, const auto& of, const auto& past, const auto& shapes) {
                           return by.count(of, past, shapes, to, given.filters(), looks_of(looks));
                       });
        if (found.status.ok()) { write_value<std::uint64_t>(found.count, sum); }
        return with_need(given.as_asked(found.status, "counts"), given.count());
    });
}
