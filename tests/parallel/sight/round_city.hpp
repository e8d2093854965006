// A crowd among obstacles in a periodic world, and who sees whom by brute force.
#pragma once

#include "../../engine/obstacles/copied_world.hpp"
#include "../../support/ids.hpp"

#include <throng/engine/crowd/crowd.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace throng::test {

/// The world is periodic on the first axis, or on the first two.
template <std::size_t Dim>
struct RoundCity {
    CopiedWorld<Dim> obstacles;
    Crowd<Dim> crowd;
    std::vector<Point<Dim>> places;

    RoundCity(scenes::Random& random, bool all, float lattice) : obstacles(world(all)) {
        obstacles.fill(random, Dim == 2 ? 14 : 30, 1.0f, lattice);
        CrowdSettings<Dim> settings;
        settings.bounds = obstacles.world.bounds;
        settings.periodic = obstacles.world.axes;
        EXPECT_EQ(crowd.configure(settings), Status{});
        for (int i = 0; i < 150; ++i) {
            places.push_back(obstacles.place(random, i % 2 == 0 ? lattice : 0.0f));
        }
        Agents<Dim> agents;
        agents.positions =
            PointView<Dim>::interleaved(places[0].axis.data(), places.size(), sizeof(Point<Dim>));
        EXPECT_EQ(crowd.update(agents), Status{});
    }
    static Periodic<Dim> world(bool all) {
        Periodic<Dim> made = {{Point<Dim>::all(-4.0f), Point<Dim>::all(4.0f)}, {true, all}};
        return made;
    }

    /// The lists without hidden agents; list k is seen from from(k).
    template <class From>
    [[nodiscard]] std::vector<Ids> cut(const Hits& hits, const From& from) const {
        std::vector<Ids> lists(hits.offsets.size() - 1);
        for (std::size_t k = 0; k < lists.size(); ++k) {
            for (const Id id : hits.of(k)) {
                if (obstacles.sees(obstacles.world.inside(from(k)), places[id])) {
                    lists[k].push_back(id);
                }
            }
        }
        return lists;
    }
};

} // namespace throng::test
