// A model of a periodic world: a crowd, and copies of it that are whole periods away.
#pragma once

#include "../../support/truth.hpp"
#include "../../support/visited.hpp"
#include "periodic_shapes.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace throng::test {

/// The agents of a crowd, in arrays.
template <std::size_t Dim>
struct People {
    std::vector<Point<Dim>> positions, halves;
    std::vector<std::uint32_t> groups;

    void add(const Point<Dim>& position, const Point<Dim>& half, std::uint32_t mask = 1) {
        positions.push_back(position);
        halves.push_back(half);
        groups.push_back(mask);
    }
    [[nodiscard]] std::size_t size() const { return positions.size(); }
    [[nodiscard]] Agents<Dim> agents() const {
        Agents<Dim> agents;
        agents.positions = view(positions);
        agents.half_extents = view(halves);
        agents.groups = {groups.data(), sizeof(std::uint32_t), groups.size()};
        return agents;
    }

private:
    static PointView<Dim> view(const std::vector<Point<Dim>>& points) {
        const float* const first = points.empty() ? nullptr : points[0].axis.data();
        return PointView<Dim>::interleaved(first, points.size(), sizeof(Point<Dim>));
    }
};

/// The people, and copies of them one period further, two periods further ... They are asked with
/// shapes that are not wrapped. Exact if no coordinate needs to be rounded.
template <std::size_t Dim>
class Copies {
public:
    static constexpr int kMost = 5;

    Copies(const Periodic<Dim>& world, const Truth<Dim>& truth) {
        People<Dim> copies;
        world.for_each_step(kMost, [&](const std::array<double, Dim>& steps) {
            for (const auto& member : truth.members()) {
                copies.add(world.moved(member.position, steps), member.half_extent, member.groups);
                id_of_.push_back(member.name);
            }
        });
        EXPECT_EQ(copies_.update(copies.agents()), Status{});
    }

    template <class Shape>
    [[nodiscard]] Ids hits(const Shape& shape, const Filter& filter) const {
        Ids ids;
        for (const Id copy : copies_.ids_in(shape, {filter.groups})) {
            if (id_of_[copy] != filter.without) { ids.push_back(id_of_[copy]); }
        }
        std::sort(ids.begin(), ids.end());
        ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
        return ids;
    }

private:
    Truth<Dim> copies_;
    std::vector<Id> id_of_;
};

} // namespace throng::test
