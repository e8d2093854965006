// Questions in a periodic world, on any number of ranks: the answers are those of one periodic
// Crowd, in the same order, to the bit.
#include "../support/scenes/scene_cases.hpp"
#include "citizen.hpp"

#include <array>

namespace throng::test {
namespace {

template <std::size_t Dim, class Check>
void with_periodic(scenes::Scene<Dim>& scene, std::array<bool, Dim> axes, const Check& check) {
    const Town<Dim> town(scene, axes);
    if (!town.can_be) { return; }
    with_ranks(town, 3, check, 3000);
    with_ranks(town, 8, check);
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
                with_periodic(scene, axes, [&](const Citizen<Dim>& here) { check(here, shapes); });
            }
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

TEST_P(PeriodicQuestions, NearestNeighbours) {
    check_all([]<std::size_t Dim>(const Citizen<Dim>& here, const scenes::Shapes<Dim>&) {
        const float reach = here.town.settings.reach;
        const std::vector<NearestNeighbours> all = {
            {1}, {4}, {9, reach}, {2, 0.3f * reach, true}, {3, kLargest, false, 5u}};
        check_nearest_neighbours(here, all);
    });
}

INSTANTIATE_TEST_SUITE_P(Scenes, PeriodicQuestions,
                         scene_cases({"lattice", "outside", "mixed_sizes", "giant"},
                                     {scenes::Groups::masks}),
                         scene_case_name);

} // namespace
} // namespace throng::test
