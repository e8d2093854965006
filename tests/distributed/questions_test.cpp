// Questions of any size at any place, on any number of ranks: the answers are those of one Crowd,
// in the same order, to the bit.
#include "../support/long_run.hpp"
#include "../support/scenes/scene_cases.hpp"
#include "../support/scenes/scene_shapes.hpp"
#include "town.hpp"

#include <cmath>
#include <functional>
#include <string>

namespace throng::test {
namespace {

/// A rank of a job with its part of a town's crowd; it asks the questions.
template <std::size_t Dim>
struct Citizen {
    const Town<Dim>& town;
    Ranks& ranks;
    Share<Dim>& mine;
    DistributedGrid<Dim>& crowd;
    std::uint64_t seed;
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

/// Runs the check with several numbers of ranks, and with little room for questions.
template <std::size_t Dim, class Check>
void with_all_ranks(scenes::Scene<Dim>& scene, const Check& check) {
    const Town<Dim> town(scene);
    if (!town.can_be) { return; }
    constexpr std::string_view kThorough[] = {"uniform", "clustered", "coincident",
                                              "lattice", "outside",   "one_agent"};
    const bool thorough =
        std::find(std::begin(kThorough), std::end(kThorough), scene.name) != std::end(kThorough);
    if (!thorough) {
        with_ranks(town, 5, check, 400);
        return;
    }
    for (const std::uint32_t ranks : {1u, 3u, 7u, 61u}) {
        if (!large_run() && ranks != 3) { continue; }
        // Jobs of 61 threads take long, so only one scene has them.
        if (ranks < 61 || (scene.groups.empty() && scene.name == "clustered")) {
            with_ranks(town, ranks, check);
        }
    }
    with_ranks(town, 1, check, 1);
    with_ranks(town, 3, check, 1);
    with_ranks(town, 4, check, 3000);
}

/// Calls call(shapes, number) with the questions of this rank, for each kind of shape.
template <std::size_t Dim, class Call>
void for_each_shape(const Citizen<Dim>& here, const scenes::Shapes<Dim>& shapes, const Call& call) {
    std::uint64_t number = here.seed;
    const auto ask = [&](const auto& all) { call(dealt(here.ranks, all), ++number); };
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
    const auto ask = [&](const auto& all) { call(dealt(here.ranks, all), ++number); };
    ask(shapes.segments);
    ask(shapes.rays);
    ask(shapes.capsules);
}

class DistributedQuestions : public testing::TestWithParam<SceneCase> {
protected:
    /// Calls check(here, shapes) on each rank of each job.
    template <class Check>
    void check_all(const Check& check) {
        with_scene(GetParam(), 150, [&]<std::size_t Dim>(scenes::Scene<Dim>& scene) {
            scenes::add_queries(scene, 40);
            const scenes::Shapes<Dim> shapes = scenes::shapes_about(scene, 33);
            with_all_ranks(scene, [&](const Citizen<Dim>& here) { check(here, shapes); });
        });
    }
};

TEST_P(DistributedQuestions, List) {
    check_all([]<std::size_t Dim>(const Citizen<Dim>& here, const scenes::Shapes<Dim>& shapes) {
        for_each_shape(here, shapes, [&](const auto& own, std::uint64_t number) {
            const std::vector<Filter> filters = some_filters(here.town, own.size(), number);
            const Sets sets = some_sets(number);
            GlobalHits hits;
            ASSERT_EQ(here.crowd.query(own, hits, global(filters), serial_executor(), sets),
                      Status{});
            ASSERT_EQ(hits.offsets.size(), own.size() + 1);
            ASSERT_EQ(hits.ids.size(), hits.offsets.back());
            for (std::size_t q = 0; q < own.size(); ++q) {
                ASSERT_EQ(as_vector(hits.of(q)),
                          listed(here.town, ShapesView<Dim>(own[q]), filter_of(filters, q), sets))
                    << "question " << q;
            }
        });
    });
}

TEST_P(DistributedQuestions, Count) {
    check_all([]<std::size_t Dim>(const Citizen<Dim>& here, const scenes::Shapes<Dim>& shapes) {
        for_each_shape(here, shapes, [&](const auto& own, std::uint64_t number) {
            const std::vector<Filter> filters = some_filters(here.town, own.size(), number);
            std::vector<std::uint64_t> counts(own.size(), 99), found(own.size(), 99);
            const Sets sets = some_sets(number);
            ASSERT_EQ(here.crowd.count(own, counts, global(filters), serial_executor(), sets),
                      Status{});
            ASSERT_EQ(here.crowd.any(own, found, global(filters), serial_executor(), sets),
                      Status{});
            for (std::size_t q = 0; q < own.size(); ++q) {
                const std::size_t count =
                    listed(here.town, ShapesView<Dim>(own[q]), filter_of(filters, q), sets).size();
                ASSERT_EQ(counts[q], count) << "question " << q;
                ASSERT_EQ(found[q], count == 0 ? 0u : 1u) << "question " << q;
            }
        });
    });
}

TEST_P(DistributedQuestions, First) {
    check_all([]<std::size_t Dim>(const Citizen<Dim>& here, const scenes::Shapes<Dim>& shapes) {
        for_each_path(here, shapes, [&](const auto& own, std::uint64_t number) {
            const std::vector<Filter> filters = some_filters(here.town, own.size(), number);
            std::vector<GlobalMeeting> first;
            GlobalMeetings meetings;
            const Sets sets = some_sets(number);
            ASSERT_EQ(here.crowd.first(own, first, global(filters), serial_executor(), sets),
                      Status{});
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
    });
}

TEST_P(DistributedQuestions, Nearest) {
    check_all([]<std::size_t Dim>(const Citizen<Dim>& here, const scenes::Shapes<Dim>&) {
        const auto balls = dealt(here.ranks, here.town.scene.balls);
        std::vector<Point<Dim>> points;
        for (const Ball<Dim>& ball : balls) {
            points.push_back(ball.centre);
        }
        const float cell = here.town.scene.cell[0];
        const std::vector<Nearest> all = {{1},
                                          {4},
                                          {40},
                                          {3, 2.0f * cell},
                                          {5, kLargest, cell},
                                          {4, kLargest, 0.0f, {1, cell, 0.5f * cell}},
                                          {2, 4.0f * cell, 0.0f, {}, kBeforeAll, Body::box},
                                          {7, kLargest, 0.0f, {}, kBeforeAll, Body::disc},
                                          {kMostNearest},
                                          {0}};
        for (std::size_t n = 0; n < all.size(); ++n) {
            const std::vector<Filter> filters =
                some_filters(here.town, points.size(), here.seed + n);
            const Nearest& asked = all[n];
            GlobalNearest question{asked.k,    asked.radius, asked.least,
                                   asked.band, {-1.0f, 0},   asked.body};
            GlobalNearHits hits;
            const Sets sets = some_sets(here.seed + n);
            ASSERT_EQ(here.crowd.nearest(points, question, hits, global(filters), serial_executor(),
                                         sets),
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
    });
}

/// The next nearest after the last of an answer, and after a name that no agent has.
TEST_P(DistributedQuestions, TheNextNearest) {
    check_all([]<std::size_t Dim>(const Citizen<Dim>& here, const scenes::Shapes<Dim>&) {
        const auto& scene = here.town.scene;
        if (scene.size() == 0) { return; }
        const Point<Dim> point = scene.position_of(here.seed % scene.size());
        const std::vector<GlobalNear> all =
            nearest(here.town, point, {kMostNearest}, Filter{}, Sets::all);
        GlobalNearest question{3};
        std::vector<GlobalNear> found;
        for (int page = 0; page < 6; ++page) {
            GlobalNearHits hits;
            ASSERT_EQ(here.crowd.nearest(std::span(&point, 1), question, hits), Status{});
            const auto answer = hits.of(0);
            found.insert(found.end(), answer.begin(), answer.end());
            if (!answer.empty()) { question.after = answer.back(); }
            if (page == 2 && question.after.id != 0) {
                --question.after.id; // so the last one comes again
                found.pop_back();
            }
        }
        const std::size_t wanted = std::min<std::size_t>(all.size(), found.size());
        ASSERT_GE(found.size(), std::min<std::size_t>(all.size(), 15));
        ASSERT_EQ(std::vector(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(wanted)),
                  std::vector(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(wanted)));
    });
}

TEST_P(DistributedQuestions, NearestNeighbours) {
    check_all([]<std::size_t Dim>(const Citizen<Dim>& here, const scenes::Shapes<Dim>&) {
        const float reach = here.town.settings.reach;
        const std::vector<NearestNeighbours> all = {{1},
                                                    {4},
                                                    {9, reach},
                                                    {2, 0.3f * reach, true},
                                                    {3, kLargest, false, 5u},
                                                    {2, kLargest, false, kAllGroups, 0.5f * reach},
                                                    {kMostNearest},
                                                    {0}};
        for (const NearestNeighbours& asked : all) {
            // The agents of all ranks ask together, so all ranks must give the same sets.
            const Sets sets = some_sets(here.ranks.size() + asked.k);
            GlobalNearHits hits;
            ASSERT_EQ(here.crowd.nearest_neighbours(asked, hits, serial_executor(), sets),
                      Status{});
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
    });
}

INSTANTIATE_TEST_SUITE_P(Scenes, DistributedQuestions, all_scene_cases(), scene_case_name);

} // namespace
} // namespace throng::test
