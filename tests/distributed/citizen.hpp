// The ranks of a job that ask a town's crowd questions of any size at any place: the answers are
// those of one Crowd, in the same order, to the bit.
#pragma once

#include "../support/scenes/scene_shapes.hpp"
#include "town.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace throng::test {

/// A rank of a job with its part of a town's crowd; it asks the questions.
template <std::size_t Dim>
struct Citizen {
    const Town<Dim>& town;
    Ranks& ranks;
    Share<Dim>& mine;
    DistributedGrid<Dim>& crowd;
    std::uint64_t seed;

    /// This rank's part of those shapes that a Crowd answers: in a periodic world endless ones go
    /// around for ever.
    template <class Shape>
    [[nodiscard]] std::vector<Shape> dealt(const std::vector<Shape>& all) const {
        std::vector<Shape> own = test::dealt(ranks, all);
        if (!town.crowd.wraps()) { return own; }
        std::erase_if(own,
                      [&](const Shape& shape) { return !town.crowd.count(shape).status.ok(); });
        return own;
    }
};

template <std::size_t Dim, class Check>
void with_ranks(const Town<Dim>& town, std::uint32_t ranks, const Check& check,
                std::size_t question_bytes = std::size_t{64} << 20) {
    SCOPED_TRACE(std::to_string(ranks) + " ranks, " + std::to_string(question_bytes) + " bytes");
    ThreadRanks job(ranks, ranks);
    job.run([&](Ranks& self) {
        Share<Dim> mine;
        town.deal(self, mine);
        DistributedGrid<Dim> crowd(self);
        auto settings = town.settings;
        settings.question_bytes = question_bytes;
        ASSERT_EQ(crowd.configure(settings), Status{});
        ASSERT_EQ(crowd.set_statics(town.statics), Status{});
        ASSERT_EQ(crowd.update(mine), Status{});
        check(Citizen<Dim>{town, self, mine, crowd, self.rank() + ranks + question_bytes});
    });
}

/// Calls call(shapes, number) with the questions of this rank, for each kind of shape.
template <std::size_t Dim, class Call>
void for_each_shape(const Citizen<Dim>& here, const scenes::Shapes<Dim>& shapes, const Call& call) {
    std::uint64_t number = here.seed;
    const auto ask = [&](const auto& all) { call(here.dealt(all), ++number); };
    ask(here.town.scene.boxes);
    ask(here.town.scene.balls);
    ask(shapes.segments);
    ask(shapes.rays);
    ask(shapes.capsules);
    ask(shapes.sectors);
    ask(shapes.convexes);
    ask(shapes.oriented_boxes);
    ask(shapes.cylinders);
    ask(shapes.body_balls);
    ask(shapes.body_sectors);
    ask(shapes.body_cylinders);
}
template <std::size_t Dim, class Call>
void for_each_path(const Citizen<Dim>& here, const scenes::Shapes<Dim>& shapes, const Call& call) {
    std::uint64_t number = here.seed;
    const auto ask = [&](const auto& all) { call(here.dealt(all), ++number); };
    ask(shapes.segments);
    ask(shapes.rays);
    ask(shapes.capsules);
}

template <std::size_t Dim>
void check_lists(const Citizen<Dim>& here, const scenes::Shapes<Dim>& shapes) {
    for_each_shape(here, shapes, [&](const auto& own, std::uint64_t number) {
        const std::vector<Filter> filters = some_filters(here.town, own.size(), number);
        const Sets sets = some_sets(number);
        GlobalHits hits;
        ASSERT_EQ(here.crowd.query(own, hits, global(filters), serial_executor(), sets), Status{});
        ASSERT_EQ(hits.offsets.size(), own.size() + 1);
        ASSERT_EQ(hits.ids.size(), hits.offsets.back());
        for (std::size_t q = 0; q < own.size(); ++q) {
            ASSERT_EQ(as_vector(hits.of(q)),
                      listed(here.town, ShapesView<Dim>(own[q]), filter_of(filters, q), sets))
                << "question " << q;
        }
    });
}

template <std::size_t Dim>
void check_counts(const Citizen<Dim>& here, const scenes::Shapes<Dim>& shapes) {
    for_each_shape(here, shapes, [&](const auto& own, std::uint64_t number) {
        const std::vector<Filter> filters = some_filters(here.town, own.size(), number);
        std::vector<std::uint64_t> counts(own.size(), 99), found(own.size(), 99);
        const Sets sets = some_sets(number);
        ASSERT_EQ(here.crowd.count(own, counts, global(filters), serial_executor(), sets),
                  Status{});
        ASSERT_EQ(here.crowd.any(own, found, global(filters), serial_executor(), sets), Status{});
        for (std::size_t q = 0; q < own.size(); ++q) {
            const std::size_t count =
                listed(here.town, ShapesView<Dim>(own[q]), filter_of(filters, q), sets).size();
            ASSERT_EQ(counts[q], count) << "question " << q;
            ASSERT_EQ(found[q], count == 0 ? 0u : 1u) << "question " << q;
        }
    });
}

template <std::size_t Dim>
void check_paths(const Citizen<Dim>& here, const scenes::Shapes<Dim>& shapes) {
    for_each_path(here, shapes, [&](const auto& own, std::uint64_t number) {
        const std::vector<Filter> filters = some_filters(here.town, own.size(), number);
        std::vector<GlobalMeeting> first;
        GlobalMeetings meetings;
        const Sets sets = some_sets(number);
        ASSERT_EQ(here.crowd.first(own, first, global(filters), serial_executor(), sets), Status{});
        ASSERT_EQ(here.crowd.meetings(own, meetings, global(filters), serial_executor(), sets),
                  Status{});
        ASSERT_EQ(first.size(), own.size());
        for (std::size_t q = 0; q < own.size(); ++q) {
            const std::vector<GlobalMeeting> all =
                met(here.town, ShapesView<Dim>(own[q]), filter_of(filters, q), sets);
            ASSERT_EQ(as_vector(meetings.of(q)), all) << "path " << q;
            ASSERT_EQ(first[q], all.empty() ? GlobalMeeting{} : all[0]) << "path " << q;
        }
    });
}

template <std::size_t Dim>
void check_nearest(const Citizen<Dim>& here, const std::vector<Nearest>& all) {
    const auto balls = dealt(here.ranks, here.town.scene.balls);
    std::vector<Point<Dim>> points;
    for (const Ball<Dim>& ball : balls) {
        points.push_back(ball.centre);
    }
    for (std::size_t n = 0; n < all.size(); ++n) {
        const std::vector<Filter> filters = some_filters(here.town, points.size(), here.seed + n);
        const Nearest& asked = all[n];
        GlobalNearest question{asked.k,    asked.radius, asked.least,
                               asked.band, {-1.0f, 0},   asked.body};
        if (asked.after.distance2 >= 0.0f) {
            question.after = {asked.after.distance2, name_of(asked.after.id)};
        }
        GlobalNearHits hits;
        const Sets sets = some_sets(here.seed + n);
        ASSERT_EQ(
            here.crowd.nearest(points, question, hits, global(filters), serial_executor(), sets),
            Status{});
        ASSERT_EQ(hits.counts.size(), points.size());
        for (std::size_t q = 0; q < points.size(); ++q) {
            ASSERT_EQ(as_vector(hits.of(q)),
                      nearest(here.town, points[q], asked, filter_of(filters, q), sets))
                << "point " << q << " of question " << n;
            for (std::size_t i = hits.counts[q]; i < asked.k; ++i) {
                ASSERT_EQ(hits.nearest[q * asked.k + i], GlobalNear{});
            }
        }
    }
}

/// Asks each rank's point for its nearest page by page, one page after a name that no agent has.
template <std::size_t Dim>
void check_pages(const Citizen<Dim>& here, const Nearest& asked) {
    const auto& scene = here.town.scene;
    if (scene.size() == 0) { return; }
    const Point<Dim> point = scene.position_of(here.seed % scene.size());
    Nearest everything = asked;
    everything.k = kMostNearest;
    const std::vector<GlobalNear> all = nearest(here.town, point, everything, Filter{}, Sets::all);
    GlobalNearest question{asked.k, asked.radius, asked.least, asked.band, {-1.0f, 0}, asked.body};
    std::vector<GlobalNear> found;
    for (int page = 0; page < 6; ++page) {
        GlobalNearHits hits;
        ASSERT_EQ(here.crowd.nearest(std::span(&point, 1), question, hits), Status{});
        const auto answer = hits.of(0);
        found.insert(found.end(), answer.begin(), answer.end());
        if (!answer.empty()) { question.after = answer.back(); }
        if (page == 2 && !found.empty() && question.after.id != 0) {
            --question.after.id; // so the last one comes again
            found.pop_back();
        }
    }
    ASSERT_EQ(found.size(), std::min<std::size_t>(all.size(), 6 * asked.k - 1));
    ASSERT_TRUE(std::equal(found.begin(), found.end(), all.begin()));
}

template <std::size_t Dim>
void check_nearest_neighbours(const Citizen<Dim>& here, const std::vector<NearestNeighbours>& all) {
    for (const NearestNeighbours& asked : all) {
        // The agents of all ranks ask together, so all ranks must give the same sets.
        const Sets sets = some_sets(here.ranks.size() + asked.k);
        GlobalNearHits hits;
        ASSERT_EQ(here.crowd.nearest_neighbours(asked, hits, serial_executor(), sets), Status{});
        ASSERT_EQ(hits.counts.size(), here.mine.owned());
        Batch<Dim> batch;
        NearHits plain;
        ASSERT_EQ(batch.nearest_neighbours({here.town.crowd, sets}, asked, plain, Order::ids),
                  Status{});
        for (std::size_t i = 0; i < here.mine.owned(); ++i) {
            std::vector<GlobalNear> wanted;
            for (const Near& near : plain.of(id_of(here.mine.ids[i]))) {
                wanted.push_back({near.distance2, name_of(near.id)});
            }
            ASSERT_EQ(as_vector(hits.of(i)), wanted) << "agent " << i << ", k " << asked.k;
        }
    }
}

} // namespace throng::test
