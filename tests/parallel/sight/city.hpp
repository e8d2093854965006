// A crowd among obstacles, and who sees whom by brute force.
#pragma once

#include "../../engine/obstacles/obstacle_scene.hpp"

#include "../../support/ids.hpp"
#include "../../support/random.hpp"
#include "../../support/truth.hpp"

#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/obstacles/obstacles.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace throng::test {

/// How many agents and obstacles there are, how far from the middle they may be, how large
/// obstacles are, how far agents see, and the lattice on which most of all stand; 0: none.
struct CitySizes {
    std::size_t agents, obstacles;
    float world, size, radius, lattice;
};

template <std::size_t Dim>
bool sees(const ObstacleTruth<Dim>& truth, const Point<Dim>& a, const Point<Dim>& b,
          const Filter& looks) {
    if (looks.groups == 0) { return true; }
    const bool forward = a.axis <= b.axis;
    const obstacle::Real<Dim> from = obstacle::real(forward ? a : b);
    const obstacle::Real<Dim> to = obstacle::real(forward ? b : a);
    return truth.hits({from, obstacle::minus(to, from), 1.0, 0.0}, looks).empty();
}

template <std::size_t Dim>
struct City {
    Crowd<Dim> crowd;
    Truth<Dim> agents;
    ObstacleTruth<Dim> truth;
    Obstacles<Dim> obstacles;
    std::array<std::vector<float>, Dim> position, half;
    std::vector<std::uint32_t> groups;

    City(scenes::Random& random, const CitySizes& sizes) {
        truth.fill(random, sizes.obstacles, sizes.world, sizes.size);
        truth.snap(sizes.lattice);
        EXPECT_EQ(obstacles.set(truth.arrays()), Status{});
        for (std::size_t i = 0; i < sizes.agents; ++i) {
            for (std::size_t a = 0; a < Dim; ++a) {
                const float x = random.between(-sizes.world, sizes.world);
                position[a].push_back(i % 5 == 4 ? x : on_lattice(x, sizes.lattice));
                half[a].push_back((i % 37 == 5 ? 0.2f : 0.001f) * sizes.world);
            }
            groups.push_back(1u << random.below(3));
        }
        EXPECT_EQ(crowd.update(all()), Status{});
        EXPECT_EQ(agents.update(all()), Status{});
        Agents<Dim> statics = all();
        statics.positions.count = statics.half_extents.count = statics.groups.count = 20;
        EXPECT_EQ(crowd.set_statics(statics), Status{});
        EXPECT_EQ(agents.set_statics(statics), Status{});
        agents.go_by(crowd);
    }
    [[nodiscard]] Agents<Dim> all() const {
        const auto view = [](const std::array<std::vector<float>, Dim>& of) {
            std::array<const float*, Dim> axes;
            for (std::size_t a = 0; a < Dim; ++a) {
                axes[a] = of[a].data();
            }
            return PointView<Dim>::separate(axes, of[0].size());
        };
        Agents<Dim> made;
        made.positions = view(position);
        made.half_extents = view(half);
        made.groups = {groups.data(), sizeof(std::uint32_t), groups.size()};
        return made;
    }
    [[nodiscard]] Point<Dim> at(Id id) const { return agents[id].position; }

    [[nodiscard]] bool sees(const Point<Dim>& a, const Point<Dim>& b, const Filter& looks) const {
        return test::sees(truth, a, b, looks);
    }
    /// The lists without hidden agents; list k is seen from from(k).
    template <class From>
    [[nodiscard]] std::vector<Ids> cut(const Hits& hits, const From& from,
                                       const Filter& looks) const {
        std::vector<Ids> lists(hits.offsets.size() - 1);
        for (std::size_t k = 0; k < lists.size(); ++k) {
            for (const Id id : hits.of(k)) {
                if (sees(from(k), at(id), looks)) { lists[k].push_back(id); }
            }
        }
        return lists;
    }
};

} // namespace throng::test
