// Questions in a periodic world, on any number of ranks: the answers are those of one periodic
// Crowd, in the same order, to the bit.
#include "../support/scenes/scene_cases.hpp"
#include "../support/scenes/scene_shapes.hpp"
#include "town.hpp"

#include <array>
#include <string>

namespace throng::test {
namespace {

/// A rank of a job in a periodic world.
template <std::size_t Dim>
struct Visitor {
    const Town<Dim>& town;
    Ranks& ranks;
    Share<Dim>& mine;
    DistributedGrid<Dim>& crowd;
    std::uint64_t seed;

    /// This rank's part of those shapes that a Crowd answers: endless ones go around for ever.
    template <class Shape>
    [[nodiscard]] std::vector<Shape> dealt(const std::vector<Shape>& all) const {
        std::vector<Shape> own = test::dealt(ranks, all);
        std::erase_if(own,
                      [&](const Shape& shape) { return !town.crowd.count(shape).status.ok(); });
        return own;
    }
};

template <std::size_t Dim, class Check>
void with_periodic(scenes::Scene<Dim>& scene, std::array<bool, Dim> axes, const Check& check) {
    const Town<Dim> town(scene, axes);
    if (!town.can_be) { return; }
    const std::pair<std::uint32_t, std::size_t> jobs[] = {{3, 3000}, {8, 1 << 20}};
    for (const auto& [ranks, bytes] : jobs) {
        SCOPED_TRACE(std::to_string(ranks) + " ranks");
        ThreadRanks job(ranks, ranks);
        job.run([&](Ranks& self) {
            Share<Dim> mine;
            town.deal(self, mine);
            DistributedGrid<Dim> crowd(self);
            auto settings = town.settings;
            settings.question_bytes = bytes;
            ASSERT_EQ(crowd.configure(settings), Status{});
            ASSERT_EQ(crowd.set_statics(town.statics), Status{});
            ASSERT_EQ(crowd.update(mine), Status{});
            check(Visitor<Dim>{town, self, mine, crowd, self.rank() + ranks});
        });
    }
}

class PeriodicQuestions : public testing::TestWithParam<SceneCase> {
protected:
    template <class Check>
    void check_all(const Check& check) {
        with_scene(GetParam(), 80, [&]<std::size_t Dim>(scenes::Scene<Dim>& scene) {
            scenes::add_queries(scene, 15);
            const scenes::Shapes<Dim> shapes = scenes::shapes_about(scene, 8);
            std::array<bool, Dim> first{}, all{};
            first[0] = true;
            all.fill(true);
            for (const auto& axes : {first, all}) {
                with_periodic(scene, axes, [&](const Visitor<Dim>& here) { check(here, shapes); });
            }
        });
    }
};

TEST_P(PeriodicQuestions, Shapes) {
    check_all([]<std::size_t Dim>(const Visitor<Dim>& here, const scenes::Shapes<Dim>& shapes) {
        std::uint64_t number = here.seed;
        const auto ask = [&](const auto& all) {
            const auto own = here.dealt(all);
            const std::vector<Filter> filters = some_filters(here.town, own.size(), ++number);
            GlobalHits hits;
            std::vector<std::uint64_t> counts(own.size(), 99), found(own.size(), 99);
            const Sets sets = some_sets(number);
            Executor& serial = serial_executor();
            ASSERT_EQ(here.crowd.query(own, hits, global(filters), serial, sets), Status{});
            ASSERT_EQ(here.crowd.count(own, counts, global(filters), serial, sets), Status{});
            ASSERT_EQ(here.crowd.any(own, found, global(filters), serial, sets), Status{});
            ASSERT_EQ(hits.offsets.size(), own.size() + 1);
            for (std::size_t q = 0; q < own.size(); ++q) {
                const auto wanted =
                    listed(here.town, ShapesView<Dim>(own[q]), filter_of(filters, q), sets);
                ASSERT_EQ(as_vector(hits.of(q)), wanted) << "question " << q;
                ASSERT_EQ(counts[q], wanted.size()) << "question " << q;
                ASSERT_EQ(found[q], wanted.empty() ? 0u : 1u) << "question " << q;
            }
        };
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
    });
}

TEST_P(PeriodicQuestions, Paths) {
    check_all([]<std::size_t Dim>(const Visitor<Dim>& here, const scenes::Shapes<Dim>& shapes) {
        std::uint64_t number = here.seed;
        const auto ask = [&](const auto& all) {
            const auto own = here.dealt(all);
            const std::vector<Filter> filters = some_filters(here.town, own.size(), ++number);
            std::vector<GlobalMeeting> first;
            GlobalMeetings meetings;
            ASSERT_EQ(here.crowd.first(own, first, global(filters)), Status{});
            ASSERT_EQ(here.crowd.meetings(own, meetings, global(filters)), Status{});
            ASSERT_EQ(first.size(), own.size());
            for (std::size_t q = 0; q < own.size(); ++q) {
                const auto wanted =
                    met(here.town, ShapesView<Dim>(own[q]), filter_of(filters, q), Sets::all);
                ASSERT_EQ(as_vector(meetings.of(q)), wanted) << "path " << q;
                ASSERT_EQ(first[q], wanted.empty() ? GlobalMeeting{} : wanted[0]) << "path " << q;
            }
        };
        ask(shapes.segments);
        ask(shapes.rays);
        ask(shapes.capsules);
    });
}

TEST_P(PeriodicQuestions, Nearest) {
    check_all([]<std::size_t Dim>(const Visitor<Dim>& here, const scenes::Shapes<Dim>&) {
        std::vector<Point<Dim>> points;
        for (const Ball<Dim>& ball : dealt(here.ranks, here.town.scene.balls)) {
            points.push_back(ball.centre);
        }
        const float cell = here.town.scene.cell[0];
        const std::vector<Nearest> all = {{1},
                                          {4},
                                          {40},
                                          {3, 2.0f * cell},
                                          {4, kLargest, 0.0f, {1, cell, 0.5f * cell}},
                                          {2, 4.0f * cell, 0.0f, {}, kBeforeAll, Body::box},
                                          {7, kLargest, 0.0f, {}, kBeforeAll, Body::disc},
                                          {0}};
        for (std::size_t n = 0; n < all.size(); ++n) {
            const std::vector<Filter> filters =
                some_filters(here.town, points.size(), here.seed + n);
            const Nearest& asked = all[n];
            const GlobalNearest question{asked.k,    asked.radius, asked.least,
                                         asked.band, {-1.0f, 0},   asked.body};
            GlobalNearHits hits;
            ASSERT_EQ(here.crowd.nearest(points, question, hits, global(filters)), Status{});
            for (std::size_t q = 0; q < points.size(); ++q) {
                ASSERT_EQ(as_vector(hits.of(q)),
                          nearest(here.town, points[q], asked, filter_of(filters, q), Sets::all))
                    << "point " << q << " of question " << n;
            }
        }
    });
}

TEST_P(PeriodicQuestions, NearestNeighbours) {
    check_all([]<std::size_t Dim>(const Visitor<Dim>& here, const scenes::Shapes<Dim>&) {
        const float reach = here.town.settings.reach;
        const std::vector<NearestNeighbours> all = {
            {1}, {4}, {9, reach}, {2, 0.3f * reach, true}, {3, kLargest, false, 5u}};
        for (const NearestNeighbours& asked : all) {
            GlobalNearHits hits;
            ASSERT_EQ(here.crowd.nearest_neighbours(asked, hits), Status{});
            ASSERT_EQ(hits.counts.size(), here.mine.owned());
            Batch<Dim> batch;
            NearHits plain;
            ASSERT_EQ(batch.nearest_neighbours(here.town.crowd, asked, plain, Order::ids),
                      Status{});
            for (std::size_t i = 0; i < here.mine.owned(); ++i) {
                std::vector<GlobalNear> wanted;
                for (const Near& near : plain.of(id_of(here.mine.ids[i]))) {
                    wanted.push_back({near.distance2, name_of(near.id)});
                }
                ASSERT_EQ(as_vector(hits.of(i)), wanted) << "agent " << i << ", k " << asked.k;
            }
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Scenes, PeriodicQuestions,
                         scene_cases({"lattice", "outside", "mixed_sizes", "giant"},
                                     {scenes::Groups::masks}),
                         scene_case_name);

} // namespace
} // namespace throng::test
