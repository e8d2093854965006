// Questions of any size at any place to a crowd over many ranks.
#include "../questions.hpp"

#include "../arrays.hpp"
#include "../points_reader.hpp"
#include "crowd.hpp"
#include "structs.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

namespace throng::c {

namespace {

#define THRONG_SAME_FIELD(Cpp, C, field)                                                           \
    static_assert(offsetof(Cpp, field) == offsetof(C, field) && sizeof(Cpp) == sizeof(C))
THRONG_SAME_FIELD(GlobalFilter, throng_global_filter, groups);
THRONG_SAME_FIELD(GlobalFilter, throng_global_filter, without);
THRONG_SAME_FIELD(GlobalNear, throng_global_near, distance2);
THRONG_SAME_FIELD(GlobalNear, throng_global_near, id);
THRONG_SAME_FIELD(GlobalMeeting, throng_global_meeting, time);
THRONG_SAME_FIELD(GlobalMeeting, throng_global_meeting, id);
#undef THRONG_SAME_FIELD
static_assert(THRONG_NO_GLOBAL_ID == kNoGlobalId);

constexpr Names kNearest = {.radius = "nearest.radius", .body = "nearest.body"};

/// The questions of a rank.
class Asked {
public:
    Asked(const throng_global_questions* questions, bool paths)
        : given_(read(questions, "questions")), paths_(paths) {
        sets_ = sets_of(given_.sets, "questions.sets");
        filters_ = array_of<const GlobalFilter>(given_.filters, given_.filter_count,
                                                "questions.filters", "questions.filter_count");
        for (std::size_t i = 0; i < given_.filter_count; ++i) {
            if (given_.filters[i].reserved != 0) {
                refuse(THRONG_WRONG_VALUE, "questions.filters", i);
            }
        }
    }

    [[nodiscard]] std::size_t count() const noexcept { return given_.count; }
    [[nodiscard]] std::span<const GlobalFilter> filters() const noexcept { return filters_; }
    [[nodiscard]] Sets sets() const noexcept { return sets_; }
    template <std::size_t Dim>
    [[nodiscard]] ShapesView<Dim> shapes() const {
        if (given_.shape >= kShapes.size() || kShapes[given_.shape].dimension == 0) {
            refuse(THRONG_WRONG_VALUE, "questions.shape");
        }
        const KnownShape& shape = kShapes[given_.shape];
        if (shape.dimension != Dim) { refuse(THRONG_WRONG_DIMENSION, "questions.shape"); }
        if (paths_ && !is_path(shape.kind)) { refuse(THRONG_WRONG_VALUE, "questions.shape"); }
        check_array(given_.shapes, given_.count, shape.element, "questions.shapes",
                    "questions.count");
        return {shape.kind, given_.count == 0 ? nullptr : given_.shapes, given_.count};
    }

private:
    const throng_global_questions given_;
    const bool paths_;
    std::span<const GlobalFilter> filters_;
    Sets sets_ = Sets::all;
};

/// Calls call(crowd, shapes) with shapes of the crowd's dimension.
template <class Call>
Status with_shapes(DistributedObject& object, const Asked& asked, const Call& call) {
    return object.visit(
        [&]<std::size_t Dim>(DistributedGrid<Dim>& of) { return call(of, asked.shapes<Dim>()); });
}

/// The settings of the nearest. Refuses those that make no sense with global ids.
throng_nearest checked(const throng_nearest* nearest) {
    const throng_nearest given = read(nearest, "nearest");
    if (given.without != THRONG_NO_ID) { refuse(THRONG_WRONG_VALUE, "nearest.without"); }
    if (given.body > THRONG_BODY_DISC) { refuse(THRONG_WRONG_VALUE, "nearest.body"); }
    if (given.reserved != 0 || given.reserved_too != 0) {
        refuse(THRONG_WRONG_VALUE, "nearest.reserved");
    }
    if (given.after.distance2 != -1.0f || given.after.id != 0) {
        refuse(THRONG_WRONG_VALUE, "nearest.after");
    }
    return given;
}

throng_status write_near(const Status& status, const GlobalNearHits& answers,
                         throng_global_near_hits& hits, throng_global_near_hits* out) {
    if (status.ok()) {
        hits.nearest = reinterpret_cast<const throng_global_near*>(answers.nearest.data());
        hits.counts = answers.counts.data();
        hits.count = answers.counts.size();
        hits.k = answers.k;
        hits.reserved = 0;
        write(hits, out);
    }
    return status_of(status, kNearest);
}

/// Writes each question's number of hits to the host's array; with `any`, 1 or 0.
throng_status count_into(throng_distributed* crowd, const throng_global_questions* questions,
                         throng_executor* executor, std::uint64_t* counts, std::size_t room,
                         const char* name, bool any) {
    return together(crowd, [&](DistributedObject& object) {
        const Asked asked(questions, false);
        const auto on = executor_of_rank(executor);
        const auto to = array_of<std::uint64_t>(counts, room, name, "room");
        if (to.size() < asked.count()) { refuse(THRONG_NO_ROOM, name, asked.count()); }
        object.counts.resize(asked.count());
        const Status status = with_shapes(object, asked, [&](auto& of, const auto& shapes) {
            return any ? of.any(shapes, object.counts, asked.filters(), *on, asked.sets())
                       : of.count(shapes, object.counts, asked.filters(), *on, asked.sets());
        });
        if (status.ok()) { std::copy(object.counts.begin(), object.counts.end(), to.begin()); }
        return status_of(status);
    });
}

} // namespace

} // namespace throng::c

using namespace throng::c;

throng_status throng_distributed_query(throng_distributed* crowd,
                                       const throng_global_questions* questions,
                                       throng_executor* executor, throng_global_hits* out) {
    return together(crowd, [&](DistributedObject& object) {
        const Asked asked(questions, false);
        const auto on = executor_of_rank(executor);
        throng_global_hits hits = read(out, "out");
        const throng::Status status = with_shapes(object, asked, [&](auto& of, const auto& shapes) {
            return of.query(shapes, object.global_hits, asked.filters(), *on, asked.sets());
        });
        if (status.ok()) {
            hits.offsets = object.global_hits.offsets.data();
            hits.ids = object.global_hits.ids.data();
            hits.count = object.global_hits.offsets.size() - 1;
            hits.total = object.global_hits.offsets.back();
            write(hits, out);
        }
        return status_of(status);
    });
}

throng_status throng_distributed_count(throng_distributed* crowd,
                                       const throng_global_questions* questions,
                                       throng_executor* executor, uint64_t* counts, size_t room) {
    return count_into(crowd, questions, executor, counts, room, "counts", false);
}

throng_status throng_distributed_any(throng_distributed* crowd,
                                     const throng_global_questions* questions,
                                     throng_executor* executor, uint64_t* found, size_t room) {
    return count_into(crowd, questions, executor, found, room, "found", true);
}

throng_status throng_distributed_first(throng_distributed* crowd,
                                       const throng_global_questions* paths,
                                       throng_executor* executor, throng_global_meeting* meetings,
                                       size_t room) {
    return together(crowd, [&](DistributedObject& object) {
        const Asked asked(paths, true);
        const auto on = executor_of_rank(executor);
        const auto to = array_of<throng::GlobalMeeting>(meetings, room, "meetings", "room");
        if (to.size() < asked.count()) { refuse(THRONG_NO_ROOM, "meetings", asked.count()); }
        const throng::Status status = with_shapes(object, asked, [&](auto& of, const auto& shapes) {
            return of.first(shapes, object.first, asked.filters(), *on, asked.sets());
        });
        if (status.ok()) { std::copy(object.first.begin(), object.first.end(), to.begin()); }
        return status_of(status);
    });
}

throng_status throng_distributed_meetings(throng_distributed* crowd,
                                          const throng_global_questions* paths,
                                          throng_executor* executor, throng_global_meetings* out) {
    return together(crowd, [&](DistributedObject& object) {
        const Asked asked(paths, true);
        const auto on = executor_of_rank(executor);
        throng_global_meetings all = read(out, "out");
        const throng::Status status = with_shapes(object, asked, [&](auto& of, const auto& shapes) {
            return of.meetings(shapes, object.meetings, asked.filters(), *on, asked.sets());
        });
        if (status.ok()) {
            all.offsets = object.meetings.offsets.data();
            all.meetings =
                reinterpret_cast<const throng_global_meeting*>(object.meetings.meetings.data());
            all.count = object.meetings.offsets.size() - 1;
            all.total = object.meetings.offsets.back();
            write(all, out);
        }
        return status_of(status);
    });
}

throng_status throng_distributed_nearest(throng_distributed* crowd, const throng_points* points,
                                         const throng_nearest* nearest, uint64_t without,
                                         throng_executor* executor, throng_global_near_hits* out) {
    return together(crowd, [&](DistributedObject& object) {
        const PointsReader places(points);
        const throng_nearest given = checked(nearest);
        const throng::Sets sets = sets_of(given.sets, "nearest.sets");
        if (given.with_self != 0) { refuse(THRONG_WRONG_VALUE, "nearest.with_self"); }
        const auto on = executor_of_rank(executor);
        throng_global_near_hits hits = read(out, "out");
        throng::GlobalNearest wanted;
        wanted.k = given.k;
        wanted.radius = given.radius;
        wanted.least = given.least;
        wanted.band = {given.band.up, given.band.below, given.band.above};
        wanted.body = static_cast<throng::Body>(given.body);
        const throng::GlobalFilter filter = {given.groups, without};
        const throng::Status status =
            object.visit([&]<std::size_t Dim>(throng::DistributedGrid<Dim>& of) {
                return of.nearest(places.in<Dim>(), wanted, object.near, {&filter, 1}, *on, sets);
            });
        return write_near(status, object.near, hits, out);
    });
}

throng_status throng_distributed_nearest_neighbours(throng_distributed* crowd,
                                                    const throng_nearest* nearest,
                                                    throng_executor* executor,
                                                    throng_global_near_hits* out) {
    return together(crowd, [&](DistributedObject& object) {
        const throng_nearest given = checked(nearest);
        const throng::Sets sets = sets_of(given.sets, "nearest.sets");
        const auto on = executor_of_rank(executor);
        throng_global_near_hits hits = read(out, "out");
        const throng::NearestNeighbours wanted = {
            given.k,
            given.radius,
            flag_of(given.with_self, "nearest.with_self"),
            given.groups,
            given.least,
            {given.band.up, given.band.below, given.band.above},
            static_cast<throng::Body>(given.body)};
        const throng::Status status = object.visit(
            [&](auto& of) { return of.nearest_neighbours(wanted, object.near, *on, sets); });
        return write_near(status, object.near, hits, out);
    });
}
