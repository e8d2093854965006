// Questions of any size at any place, on any number of ranks: the answers are those of one Crowd,
// in the same order, to the bit.
#include "../support/long_run.hpp"
#include "../support/scenes/scene_cases.hpp"
#include "citizen.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace throng::test {
namespace {

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
        check_lists(here, shapes);
    });
}

TEST_P(DistributedQuestions, Count) {
    check_all([]<std::size_t Dim>(const Citizen<Dim>& here, const scenes::Shapes<Dim>& shapes) {
        check_counts(here, shapes);
    });
}

TEST_P(DistributedQuestions, First) {
    check_all([]<std::size_t Dim>(const Citizen<Dim>& here, const scenes::Shapes<Dim>& shapes) {
        check_paths(here, shapes);
    });
}

TEST_P(DistributedQuestions, Nearest) {
    check_all([]<std::size_t Dim>(const Citizen<Dim>& here, const scenes::Shapes<Dim>&) {
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
        check_nearest(here, all);
    });
}

/// The next nearest after the last of an answer, and after a name that no agent has.
TEST_P(DistributedQuestions, TheNextNearest) {
    check_all([]<std::size_t Dim>(const Citizen<Dim>& here, const scenes::Shapes<Dim>&) {
        check_pages(here, {3});
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
        check_nearest_neighbours(here, all);
    });
}

INSTANTIATE_TEST_SUITE_P(Scenes, DistributedQuestions, all_scene_cases(), scene_case_name);

} // namespace
} // namespace throng::test
