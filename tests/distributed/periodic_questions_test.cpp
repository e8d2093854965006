// Questions in a periodic world, on any number of ranks: the answers are those of one periodic
// Crowd, in the same order, to the bit.
#include "../support/scenes/scene_cases.hpp"
#include "../support/truth.hpp"
#include "citizen.hpp"

#include <array>
#include <span>
#include <vector>

namespace throng::test {
namespace {

class PeriodicQuestions : public testing::TestWithParam<SceneCase> {
protected:
    /// Calls check(town, shapes) for the towns of each scene.
    template <class Check>
    void with_towns(const Check& check) {
        with_scene(GetParam(), 80, [&]<std::size_t Dim>(scenes::Scene<Dim>& scene) {
            scenes::add_queries(scene, 15);
            const scenes::Shapes<Dim> shapes = scenes::shapes_about(scene, 8);
            std::array<bool, Dim> first{}, all{};
            first[0] = true;
            all.fill(true);
            for (const auto& axes : {first, all}) {
                const Town<Dim> town(scene, axes);
                if (town.can_be) { check(town, shapes); }
            }
        });
    }
    /// Calls check(here, shapes) on each rank of each job.
    template <class Check>
    void check_all(const Check& check) {
        with_towns([&]<std::size_t Dim>(const Town<Dim>& town, const scenes::Shapes<Dim>& shapes) {
            const auto ask = [&](const Citizen<Dim>& here) { check(here, shapes); };
            with_ranks(town, 3, ask, 3000);
            with_ranks(town, 8, ask);
        });
    }
};

TEST_P(PeriodicQuestions, List) {
    check_all([]<std::size_t Dim>(const Citizen<Dim>& here, const scenes::Shapes<Dim>& shapes) {
        check_lists(here, shapes);
    });
}

TEST_P(PeriodicQuestions, Count) {
    check_all([]<std::size_t Dim>(const Citizen<Dim>& here, const scenes::Shapes<Dim>& shapes) {
        check_counts(here, shapes);
    });
}

TEST_P(PeriodicQuestions, First) {
    check_all([]<std::size_t Dim>(const Citizen<Dim>& here, const scenes::Shapes<Dim>& shapes) {
        check_paths(here, shapes);
    });
}

TEST_P(PeriodicQuestions, Nearest) {
    check_all([]<std::size_t Dim>(const Citizen<Dim>& here, const scenes::Shapes<Dim>&) {
        const float cell = here.town.scene.cell[0];
        const std::vector<Nearest> all = {{1},
                                          {4},
                                          {40},
                                          {3, 2.0f * cell},
                                          {4, kLargest, 0.0f, {1, cell, 0.5f * cell}},
                                          {2, 4.0f * cell, 0.0f, {}, kBeforeAll, Body::box},
                                          {7, kLargest, 0.0f, {}, kBeforeAll, Body::disc},
                                          {0}};
        check_nearest(here, all);
    });
}

/// Conditions that leave agents out by the distance from the nearest copy of a point.
template <std::size_t Dim>
std::vector<Nearest> conditions_for(const Town<Dim>& town) {
    const float cell = town.scene.cell[0], far = cell * cell;
    const Id some = static_cast<Id>(town.scene.size() / 2);
    return {{3, kLargest, cell},
            {40, kLargest, 2.0f * cell},
            {kMostNearest, kLargest, 0.0f, {}, {0.0f, some}},
            {3, 6.0f * cell, 0.5f * cell, {1, cell, 0.5f * cell}},
            {5, kLargest, 0.0f, {}, {far, some}},
            {5, kLargest, 2.0f * cell, {}, {5.0f * far, static_id(1)}},
            {4, kLargest, 0.0f, {}, {0.0f, static_id(0)}, Body::box},
            {7, kLargest, cell, {}, kBeforeAll, Body::disc},
            {2, 4.0f * cell, cell, {}, {2.0f * far, 0}, Body::box}};
}

TEST_P(PeriodicQuestions, NearestByDistance) {
    with_towns([]<std::size_t Dim>(const Town<Dim>& town, const scenes::Shapes<Dim>&) {
        const std::vector<Nearest> all = conditions_for(town);
        for (const std::uint32_t ranks : {1u, 2u, 3u, 4u, 8u}) {
            with_ranks(
                town, ranks,
                [&](const Citizen<Dim>& here) {
                    check_nearest(here, all);
                    check_pages(here, {3});
                    check_pages(here, {5, kLargest, town.scene.cell[0]});
                    check_pages(here, {2, kLargest, 0.0f, {}, kBeforeAll, Body::disc});
                },
                ranks == 4 ? 3000 : 64 << 20);
        }
    });
}

/// The one Crowd answers as brute force does.
TEST_P(PeriodicQuestions, NearestByBruteForce) {
    with_towns([]<std::size_t Dim>(const Town<Dim>& town, const scenes::Shapes<Dim>&) {
        Truth<Dim> truth(Periodic<Dim>{town.settings.bounds, town.settings.periodic});
        ASSERT_EQ(truth.configure(town.settings.kind), Status{});
        ASSERT_EQ(truth.update(town.scene.agents()), Status{});
        ASSERT_EQ(truth.set_statics(town.statics), Status{});
        for (const Nearest& asked : conditions_for(town)) {
            for (const Ball<Dim>& ball : town.scene.balls) {
                std::vector<GlobalNear> wanted;
                for (const Near& near : truth.nearest_to(ball.centre, asked)) {
                    wanted.push_back({near.distance2, name_of(near.id)});
                }
                ASSERT_EQ(nearest(town, ball.centre, asked, Filter{}, Sets::all), wanted);
            }
        }
    });
}

TEST_P(PeriodicQuestions, NearestNeighbours) {
    check_all([]<std::size_t Dim>(const Citizen<Dim>& here, const scenes::Shapes<Dim>&) {
        const float reach = here.town.settings.reach;
        const std::vector<NearestNeighbours> all = {
            {1},
            {4},
            {9, reach},
            {2, 0.3f * reach, true},
            {3, kLargest, false, 5u},
            {2, kLargest, false, kAllGroups, 0.5f * reach},
            {5, 2.0f * reach, true, kAllGroups, 0.1f * reach},
            {30, kLargest, true, kAllGroups, 1.5f * reach}};
        check_nearest_neighbours(here, all);
    });
}

INSTANTIATE_TEST_SUITE_P(Scenes, PeriodicQuestions,
                         scene_cases({"lattice", "outside", "mixed_sizes", "giant"},
                                     {scenes::Groups::masks}),
                         scene_case_name);

} // namespace
} // namespace throng::test
