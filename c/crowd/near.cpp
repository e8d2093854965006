// Neighbours, and nearest neighbours.
#include "../arrays.hpp"
#include "../batch.hpp"
#include "../hits.hpp"
#include "../points_reader.hpp"
#include "../questions.hpp"
#include "../structs.hpp"
#include "all_agents.hpp"
#include "crowd.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace throng::c {

namespace {

constexpr Names kNearest = {
    .radius = "nearest.radius", .body = "nearest.body", .counts = "out.counts"};
constexpr Names kNearestOne = {
    .radius = "nearest.radius", .body = "nearest.body", .points = "point", .nearest = "near"};

/// The settings of a call for the agents nearest to points or to all agents.
struct Wanted {
    Nearest nearest;
    NearestNeighbours of_all;
    Filter filter;
    Order order;
    Sets sets;

    explicit Wanted(const throng_nearest* from) {
        const Given<throng_nearest> given(from, "nearest");
        const HeightBand band = {given->band.up, given->band.below, given->band.above};
        nearest = {given->k,
                   given->radius,
                   given->least,
                   band,
                   {given->after.distance2, given->after.id},
                   static_cast<Body>(given->body)};
        of_all = {given->k,      given->radius, flag_of(given->with_self, "nearest.with_self"),
                  given->groups, given->least,  band,
                  nearest.body};
        filter = {given->groups, given->without};
        order = static_cast<Order>(flag_of(given->order, "nearest.order"));
        sets = sets_of(given->sets, "nearest.sets");
        if (given->reserved != 0) { refuse(THRONG_WRONG_VALUE, "nearest.reserved"); }
        if (given->body > THRONG_BODY_DISC) { refuse(THRONG_WRONG_VALUE, "nearest.body"); }
        if (given->reserved_too != 0) { refuse(THRONG_WRONG_VALUE, "nearest.reserved_too"); }
    }
};

/// Reports answers that stay in a batch.
class NearWriter {
public:
    explicit NearWriter(throng_near_hits* out) : out_(out), hits_(read(out, "out")) {}

    [[nodiscard]] throng_status write(const Status& status, const NearHits& answers) {
        if (status.ok()) {
            hits_.nearest = array_in_c(answers.nearest.data());
            hits_.counts = answers.counts.data();
            hits_.count = answers.counts.size();
            hits_.k = answers.k;
            hits_.reserved = 0;
            c::write(hits_, out_);
        }
        return status_of(status, kNearest);
    }

private:
    throng_near_hits* out_;
    throng_near_hits hits_;
};

/// Reports answers in the host's arrays.
class NearRoom {
public:
    explicit NearRoom(throng_near_room* out)
        : out_(out),
          room_(read(out, "out")), buffer_{array_of<Near>(room_.nearest, room_.near_room,
                                                          "out.nearest", "out.near_room"),
                                           array_of<std::uint32_t>(room_.counts, room_.count_room,
                                                                   "out.counts",
                                                                   "out.count_room")} {}

    [[nodiscard]] const NearOutput& buffer() const noexcept { return buffer_; }

    /// Reports the number of hits, or the length that an array needs if it is too short.
    [[nodiscard]] throng_status write(const Found& found, std::uint64_t questions,
                                      std::uint32_t k) {
        if (found.status.ok()) {
            room_.total = found.count;
            c::write(room_, out_);
        }
        const bool of_nearest = found.status.argument == Argument::nearest;
        return with_need(status_of(found.status, kNearest), of_nearest ? questions * k : questions);
    }

private:
    throng_near_room* out_;
    throng_near_room room_;
    NearOutput buffer_;
};

} // namespace

} // namespace throng::c

using namespace throng::c;

throng_status throng_neighbours(throng_batch* batch, const throng_crowd* crowd,
                                const throng_neighbourhood* neighbourhood, throng_hits* out) {
    return guarded([&] {
        BatchObject& object = look_up(batch, "batch");
        const CrowdObject& asked = look_up(crowd, "crowd");
        const AllAgents all(neighbourhood);
        HitsWriter answers(out);
        const throng::Status status = asked.ask([&]<std::size_t Dim>(const throng::Crowd<Dim>& of) {
            return object.of<Dim>().neighbours({of, all.sets}, all.neighbourhood, object.hits,
                                               all.order);
        });
        if (status.ok()) { answers.write(object.hits); }
        return status_of(status);
    });
}

throng_status throng_neighbours_into(throng_batch* batch, const throng_crowd* crowd,
                                     const throng_neighbourhood* neighbourhood,
                                     throng_hits_room* out) {
    return guarded([&] {
        BatchObject& object = look_up(batch, "batch");
        const CrowdObject& asked = look_up(crowd, "crowd");
        const AllAgents all(neighbourhood);
        HitsRoom room(out);
        const throng::Found found = asked.ask([&]<std::size_t Dim>(const throng::Crowd<Dim>& of) {
            return object.of<Dim>().neighbours({of, all.sets}, all.neighbourhood,
                                               {room.buffer().offsets, room.buffer().ids},
                                               all.order);
        });
        if (found.status.ok()) { return room.write(found.count); }
        return with_need(status_of(found.status), answers_of(asked, all.order) + 1);
    });
}

throng_status throng_count_neighbours(throng_batch* batch, const throng_crowd* crowd,
                                      const throng_neighbourhood* neighbourhood, uint32_t* counts,
                                      size_t room, uint64_t* sum) {
    return guarded([&] {
        BatchObject& object = look_up(batch, "batch");
        const CrowdObject& asked = look_up(crowd, "crowd");
        const AllAgents all(neighbourhood);
        const auto to = array_of<std::uint32_t>(counts, room, "counts", "room");
        check_wanted(sum, "sum");
        const throng::Found found = asked.ask([&]<std::size_t Dim>(const throng::Crowd<Dim>& of) {
            return object.of<Dim>().count_neighbours({of, all.sets}, all.neighbourhood, to,
                                                     all.order);
        });
        if (found.status.ok()) { write_value<std::uint64_t>(found.count, sum); }
        return with_need(status_of(found.status), answers_of(asked, all.order));
    });
}

throng_status throng_find_nearest(throng_batch* batch, const throng_crowd* crowd,
                                  const throng_points* points, const throng_nearest* nearest,
                                  throng_near_hits* out) {
    return guarded([&] {
        BatchObject& object = look_up(batch, "batch");
        const CrowdObject& asked = look_up(crowd, "crowd");
        const PointsReader from(points);
        const Wanted wanted(nearest);
        NearWriter answers(out);
        const throng::Status status = asked.ask([&]<std::size_t Dim>(const throng::Crowd<Dim>& of) {
            return object.of<Dim>().nearest({of, wanted.sets}, from.in<Dim>(), wanted.nearest,
                                            object.near, wanted.filter);
        });
        return answers.write(status, object.near);
    });
}

throng_status throng_find_nearest_into(throng_batch* batch, const throng_crowd* crowd,
                                       const throng_points* points, const throng_nearest* nearest,
                                       throng_near_room* out) {
    return guarded([&] {
        BatchObject& object = look_up(batch, "batch");
        const CrowdObject& asked = look_up(crowd, "crowd");
        const PointsReader from(points);
        const Wanted wanted(nearest);
        NearRoom room(out);
        const throng::Found found = asked.ask([&]<std::size_t Dim>(const throng::Crowd<Dim>& of) {
            return object.of<Dim>().nearest({of, wanted.sets}, from.in<Dim>(), wanted.nearest,
                                            room.buffer(), wanted.filter);
        });
        return room.write(found, from.count(), wanted.nearest.k);
    });
}

throng_status throng_find_nearest_one(const throng_crowd* crowd, const throng_points* point,
                                      const throng_nearest* nearest, throng_near* near, size_t room,
                                      uint64_t* total) {
    return guarded([&] {
        const CrowdObject& asked = look_up(crowd, "crowd");
        const PointsReader from(point, kPoint);
        from.demand_one();
        const Wanted wanted(nearest);
        const auto to = array_of<throng::Near>(near, room, "near", "room");
        check_out(total, "total");
        const throng::Found found = asked.ask([&]<std::size_t Dim>(const throng::Crowd<Dim>& of) {
            return of.nearest(from.in<Dim>()[0], wanted.nearest, to, wanted.filter, wanted.sets);
        });
        if (found.status.ok()) { *total = found.count; }
        return with_need(status_of(found.status, kNearestOne), wanted.nearest.k);
    });
}

throng_status throng_nearest_neighbours(throng_batch* batch, const throng_crowd* crowd,
                                        const throng_nearest* nearest, throng_near_hits* out) {
    return guarded([&] {
        BatchObject& object = look_up(batch, "batch");
        const CrowdObject& asked = look_up(crowd, "crowd");
        const Wanted wanted(nearest);
        NearWriter answers(out);
        const throng::Status status = asked.ask([&]<std::size_t Dim>(const throng::Crowd<Dim>& of) {
            return object.of<Dim>().nearest_neighbours({of, wanted.sets}, wanted.of_all,
                                                       object.near, wanted.order);
        });
        return answers.write(status, object.near);
    });
}

throng_status throng_nearest_neighbours_into(throng_batch* batch, const throng_crowd* crowd,
                                             const throng_nearest* nearest, throng_near_room* out) {
    return guarded([&] {
        BatchObject& object = look_up(batch, "batch");
        const CrowdObject& asked = look_up(crowd, "crowd");
        const Wanted wanted(nearest);
        NearRoom room(out);
        const throng::Found found = asked.ask([&]<std::size_t Dim>(const throng::Crowd<Dim>& of) {
            return object.of<Dim>().nearest_neighbours({of, wanted.sets}, wanted.of_all,
                                                       room.buffer(), wanted.order);
        });
        return room.write(found, answers_of(asked, wanted.order), wanted.nearest.k);
    });
}
