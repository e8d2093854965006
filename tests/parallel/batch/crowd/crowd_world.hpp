// A crowd of small and large, with statics, and an oracle with the same agents.
#pragma once

#include "../../../support/ids.hpp"
#include "../../../support/scenes/scenes.hpp"
#include "../../../support/truth.hpp"

#include <throng/engine/crowd/crowd.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace throng::test {

/// Every choice of sets.
inline constexpr Sets kEverySets[] = {Sets::all,
                                      Sets::small,
                                      Sets::giants,
                                      Sets::statics,
                                      Sets::agents,
                                      Sets::small | Sets::statics,
                                      Sets::giants | Sets::statics,
                                      Sets::none};

template <std::size_t Dim>
struct World {
    scenes::Scene<Dim> scene, standing;
    Crowd<Dim> crowd;
    Truth<Dim> truth;

    /// The agents of the scene of that name, every 41st of them enlarged to a giant, and some
    /// statics.
    World(std::string_view name, std::size_t agents, std::size_t statics, scenes::Groups groups)
        : scene(scenes::make<Dim>(name, agents, groups)),
          standing(scenes::make<Dim>(name, statics, groups)) {
        for (std::size_t i = 0; i < scene.size(); ++i) {
            const Point<Dim> half = scene.half_extent_of(i);
            for (std::size_t a = 0; a < Dim; ++a) {
                own_[a].push_back(i % 41 == 7 ? 1.7f * scene.cell[a] : half[a]);
            }
        }
        scene.half_extent = own_;
        CrowdSettings<Dim> settings;
        settings.bounds = scene.world;
        settings.cell = scene.cell;
        EXPECT_EQ(crowd.configure(settings), Status{});
        update(serial_executor());
        EXPECT_EQ(truth.update(scene.agents()), Status{});
        EXPECT_EQ(truth.set_statics(standing.agents()), Status{});
        truth.go_by(crowd);
    }

    World(const World&) = delete;
    World& operator=(const World&) = delete;

    void update(Executor& executor) {
        EXPECT_EQ(crowd.update(scene.agents(), executor), Status{});
        EXPECT_EQ(crowd.set_statics(standing.agents(), executor), Status{});
    }

    /// The hits of a question, in the order of answers.
    template <class Shape>
    [[nodiscard]] Ids expected(const Shape& shape, const Filter& filter,
                               Sets sets = Sets::all) const {
        return truth.by_set(truth.ids_in(shape, filter, sets));
    }

    /// All agents in storage order.
    [[nodiscard]] Ids order() const {
        Ids ids(crowd.size());
        EXPECT_EQ(crowd.order(ids), ids.size());
        return ids;
    }

private:
    std::array<std::vector<float>, Dim> own_;
};

/// Scenes with agents on rims and corners, far away, of all sizes, in one cell, or without agents.
inline constexpr std::string_view kWorlds[] = {"uniform",     "rim",      "lattice_of_tenths",
                                               "mixed_sizes", "giant",    "extreme",
                                               "outside",     "one_cell", "empty"};

/// Calls check(world) for each scene, with and without masks.
template <std::size_t Dim, class Check>
void for_each_world(std::size_t agents, std::size_t statics, const Check& check) {
    for (const std::string_view name : kWorlds) {
        for (const auto groups : {scenes::Groups::none, scenes::Groups::masks}) {
            SCOPED_TRACE(testing::Message() << name << (groups == scenes::Groups::masks));
            World<Dim> world(name, agents, statics, groups);
            check(world);
        }
    }
}

} // namespace throng::test
