// Questions to obstacles, single ones and many.
#include "../questions.hpp"
#include "../executor.hpp"
#include "../points_reader.hpp"
#include "../structs.hpp"
#include "obstacles.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng::c {

namespace {

/// The settings of a search for the nearest obstacle.
struct Search {
    float within;
    Filter filter;

    /// Null means all obstacles.
    explicit Search(const throng_obstacle_search* from) {
        const throng_obstacle_search given =
            from == nullptr ? Layout<throng_obstacle_search>::defaults() : read(from, "search");
        within = given.within;
        filter = {given.groups, given.without};
        if (given.reserved != 0) { refuse(THRONG_WRONG_VALUE, "search.reserved"); }
    }
};

// A call with shapes for crowds must refuse shapes that only obstacles know.
static_assert(kShapes.size() <= THRONG_WALL2);

/// For each call, whether it takes shapes of a kind.
bool is_segment(ShapeKind kind) noexcept { return kind == ShapeKind::segment; }
bool is_ball(ShapeKind kind) noexcept { return kind == ShapeKind::ball; }
bool is_area(ShapeKind kind) noexcept {
    return kind == ShapeKind::box || kind == ShapeKind::oriented_box || kind == ShapeKind::sector ||
           kind == ShapeKind::convex || kind == ShapeKind::cylinder;
}

class ObstacleQuestions : public QuestionsReader {
public:
    ObstacleQuestions(const throng_questions* questions, const QuestionNames& names)
        : QuestionsReader(questions, names) {
        demand_one_filter();
    }

    [[nodiscard]] const Filter& filter() const noexcept { return filters().of(0); }

    /// Calls ask() with a view of paths or of movers.
    template <std::size_t Dim, class Ask>
    [[nodiscard]] Found on_the_way(const Ask& ask) const {
        switch (shape()) {
        case THRONG_MOVING_BOX2:
        case THRONG_MOVING_BOX3:
            return ask(movers<Dim, Box>(MoverKind::box));
        case THRONG_MOVING_ORIENTED_BOX2:
        case THRONG_MOVING_ORIENTED_BOX3:
            return ask(movers<Dim, OrientedBox>(MoverKind::oriented_box));
        case THRONG_MOVING_CAPSULE2:
        case THRONG_MOVING_CAPSULE3:
            return ask(movers<Dim, Capsule>(MoverKind::capsule));
        default:
            return ask(paths<Dim>());
        }
    }

private:
    template <std::size_t Dim, template <std::size_t> class Shape>
    [[nodiscard]] MoversView<Dim> movers(MoverKind kind) const {
        if (shape() % 10 != Dim) { refuse_dimension(); }
        return {kind, array(Element::of<Moving<Dim, Shape>>()), count()};
    }
};

/// The status of a call with an answer for each question; writes its total to `sum`.
throng_status sum_up(const Found& found, throng_status status, const char* answers,
                     std::size_t questions, std::uint64_t* sum) noexcept {
    if (found.status.ok()) { write_value<std::uint64_t>(found.count, sum); }
    if (status.code == THRONG_NO_ROOM) { status.argument = answers; }
    return with_need(status, questions);
}

/// Writes the first answers, as many as the caller has room for.
template <class Answer>
throng_status hand_over(const std::vector<Answer>& answers, std::span<Answer> to, const char* name,
                        std::uint64_t* total) noexcept {
    *total = answers.size();
    std::copy_n(answers.begin(), std::min(answers.size(), to.size()), to.begin());
    return answers.size() <= to.size() ? kOk : status_with(THRONG_NO_ROOM, name, answers.size());
}

} // namespace

} // namespace throng::c

using namespace throng::c;

throng_status throng_obstacles_nearest(const throng_obstacles* obstacles,
                                       const throng_points* points,
                                       const throng_obstacle_search* search, void* near,
                                       size_t room, throng_executor* executor, uint64_t* sum) {
    return guarded([&] {
        const ObstaclesObject& object = look_up(obstacles, "obstacles");
        const PointsReader from(points);
        const Search wanted(search);
        const auto on = executor_for(executor);
        check_wanted(sum, "sum");
        const throng::Found found =
            object.ask([&]<std::size_t Dim>(const throng::Obstacles<Dim>& of) {
                const auto asked = from.in<Dim>();
                const auto to = array_of<throng::ObstacleNear<Dim>>(near, room, "near", "room");
                return of.nearest(asked, to, *on, wanted.within, wanted.filter);
            });
        return sum_up(found, status_of(found.status, {.radius = "search.within"}), "near",
                      from.count(), sum);
    });
}

throng_status throng_obstacles_nearest_one(const throng_obstacles* obstacles,
                                           const throng_points* point,
                                           const throng_obstacle_search* search, void* near) {
    return guarded([&] {
        const ObstaclesObject& object = look_up(obstacles, "obstacles");
        const PointsReader from(point, kPoint);
        from.demand_one();
        const Search wanted(search);
        const throng::Found found =
            object.ask([&]<std::size_t Dim>(const throng::Obstacles<Dim>& of) {
                const throng::Point<Dim>& asked = from.in<Dim>()[0];
                auto* const to = static_cast<throng::ObstacleNear<Dim>*>(near);
                check_out(to, "near");
                return of.nearest(asked, *to, wanted.within, wanted.filter);
            });
        return status_of(found.status, {.radius = "search.within", .points = "point"});
    });
}

throng_status throng_obstacles_first(const throng_obstacles* obstacles,
                                     const throng_questions* paths, void* hits, size_t room,
                                     throng_executor* executor, uint64_t* sum) {
    return guarded([&] {
        const ObstaclesObject& object = look_up(obstacles, "obstacles");
        const ObstacleQuestions given(paths, kPaths);
        const auto on = executor_for(executor);
        check_wanted(sum, "sum");
        const throng::Found found =
            object.ask([&]<std::size_t Dim>(const throng::Obstacles<Dim>& of) {
                return given.on_the_way<Dim>([&](const auto& asked) {
                    const auto to = array_of<throng::ObstacleHit<Dim>>(hits, room, "hits", "room");
                    return of.first(asked, to, *on, given.filter());
                });
            });
        return sum_up(found, given.as_asked(found.status), "hits", given.count(), sum);
    });
}

throng_status throng_obstacles_first_one(const throng_obstacles* obstacles,
                                         const throng_questions* path, void* hit) {
    return guarded([&] {
        const ObstaclesObject& object = look_up(obstacles, "obstacles");
        const ObstacleQuestions given(path, kPath);
        const throng::Found found =
            object.ask([&]<std::size_t Dim>(const throng::Obstacles<Dim>& of) {
                auto* const to = static_cast<throng::ObstacleHit<Dim>*>(hit);
                return given.on_the_way<Dim>([&](const auto& asked) {
                    check_out(to, "hit");
                    return of.first(asked, {to, 1}, throng::serial_executor(), given.filter());
                });
            });
        return given.as_asked(found.status);
    });
}

throng_status throng_obstacles_sight(const throng_obstacles* obstacles,
                                     const throng_questions* paths, uint8_t* clear, size_t room,
                                     throng_executor* executor, uint64_t* sum) {
    return guarded([&] {
        const ObstaclesObject& object = look_up(obstacles, "obstacles");
        const ObstacleQuestions given(paths, kPaths);
        const auto on = executor_for(executor);
        check_wanted(sum, "sum");
        const auto to = array_of<std::uint8_t>(clear, room, "clear", "room");
        const throng::Found found =
            object.ask([&]<std::size_t Dim>(const throng::Obstacles<Dim>& of) {
                const auto asked = given.shapes_if<Dim>(is_segment);
                return of.sight(asked.template as<throng::Segment<Dim>>(), to, *on, given.filter());
            });
        return sum_up(found, given.as_asked(found.status), "clear", given.count(), sum);
    });
}

throng_status throng_obstacles_sight_one(const throng_obstacles* obstacles,
                                         const throng_questions* path, uint32_t* clear) {
    return guarded([&] {
        const ObstaclesObject& object = look_up(obstacles, "obstacles");
        const ObstacleQuestions given(path, kPath);
        check_out(clear, "clear");
        const throng::Found found =
            object.ask([&]<std::size_t Dim>(const throng::Obstacles<Dim>& of) {
                const auto asked = given.shapes_if<Dim>(is_segment);
                return of.sight(asked.template as<throng::Segment<Dim>>()[0], given.filter());
            });
        if (found.status.ok()) { *clear = static_cast<std::uint32_t>(found.count); }
        return given.as_asked(found.status);
    });
}

throng_status throng_obstacles_within(const throng_obstacles* obstacles,
                                      const throng_questions* question, void* near, size_t room,
                                      uint64_t* total) {
    return guarded([&] {
        const ObstaclesObject& object = look_up(obstacles, "obstacles");
        const ObstacleQuestions given(question, kQuestion);
        check_out(total, "total");
        return object.ask([&]<std::size_t Dim>(const throng::Obstacles<Dim>& of) {
            const auto asked = given.shapes_if<Dim>(is_ball);
            const auto to = array_of<throng::ObstacleNear<Dim>>(near, room, "near", "room");
            std::vector<throng::ObstacleNear<Dim>> all;
            const throng::Found found =
                of.query(asked.template as<throng::Ball<Dim>>()[0], all, given.filter());
            if (!found.status.ok()) { return given.as_asked(found.status); }
            return hand_over(all, to, "near", total);
        });
    });
}

throng_status throng_obstacles_within_each(const throng_obstacles* obstacles,
                                           const throng_questions* questions, uint64_t* offsets,
                                           size_t offset_room, void* near, size_t room,
                                           throng_executor* executor, uint64_t* total) {
    return guarded([&] {
        const ObstaclesObject& object = look_up(obstacles, "obstacles");
        const ObstacleQuestions given(questions, kQuestions);
        const auto on = executor_for(executor);
        const auto begins = array_of<std::uint64_t>(offsets, offset_room, "offsets", "offset_room");
        check_out(total, "total");
        return object.ask([&]<std::size_t Dim>(const throng::Obstacles<Dim>& of) {
            const auto asked = given.shapes_if<Dim>(is_ball).template as<throng::Ball<Dim>>();
            const auto to = array_of<throng::ObstacleNear<Dim>>(near, room, "near", "room");
            if (begins.size() <= asked.size()) {
                return status_with(THRONG_NO_ROOM, "offsets", asked.size() + 1);
            }
            throng::ObstaclesWithin<Dim>
                all; // a new one, so that `near` has no more than the answers
            const throng::Found found = of.query(asked, all, *on, given.filter());
            if (!found.status.ok()) { return given.as_asked(found.status); }
            std::copy(all.offsets.begin(), all.offsets.end(), begins.begin());
            return hand_over(all.near, to, "near", total);
        });
    });
}

throng_status throng_obstacles_hits(const throng_obstacles* obstacles, const throng_questions* path,
                                    void* hits, size_t room, uint64_t* total) {
    return guarded([&] {
        const ObstaclesObject& object = look_up(obstacles, "obstacles");
        const ObstacleQuestions given(path, kPath);
        check_out(total, "total");
        return object.ask([&]<std::size_t Dim>(const throng::Obstacles<Dim>& of) {
            std::vector<throng::ObstacleHit<Dim>> all;
            const throng::Found found = given.on_the_way<Dim>(
                [&](const auto& asked) { return of.query(asked, all, given.filter()); });
            const auto to = array_of<throng::ObstacleHit<Dim>>(hits, room, "hits", "room");
            if (!found.status.ok()) { return given.as_asked(found.status); }
            return hand_over(all, to, "hits", total);
        });
    });
}

throng_status throng_obstacles_overlaps(const throng_obstacles* obstacles,
                                        const throng_questions* question, uint32_t* ids,
                                        size_t room, uint64_t* total) {
    return guarded([&] {
        const ObstaclesObject& object = look_up(obstacles, "obstacles");
        const ObstacleQuestions given(question, kQuestion);
        check_out(total, "total");
        const auto to = array_of<std::uint32_t>(ids, room, "ids", "room");
        return object.ask([&]<std::size_t Dim>(const throng::Obstacles<Dim>& of) {
            std::vector<throng::Id> all;
            const throng::Found found =
                of.query(given.shapes_if<Dim>(is_area), all, given.filter());
            if (!found.status.ok()) { return given.as_asked(found.status); }
            return hand_over(all, to, "ids", total);
        });
    });
}
