// A crowd of small and large, what stands around in it, and what both must answer, the slow way.
#pragma once

#include "../../support/oracle.hpp"
#include "../../support/scenes.hpp"

#include <throng/engine/agents/grid_shape.hpp>
#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/family/brute_force.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace throng::test {

using Ids = std::vector<Id>;

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

    /// Agents of the scene of that name, every 41st of them grown to a giant, and some statics.
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
    }

    void update(Executor& executor) {
        EXPECT_EQ(crowd.update(scene.agents(), executor), Status{});
        EXPECT_EQ(crowd.set_statics(standing.agents(), executor), Status{});
    }

    /// Those of some sets, in a flat list; there statics come behind all agents.
    [[nodiscard]] BruteForce<Dim> truth(Sets sets) const {
        BruteForce<Dim> flat;
        EXPECT_EQ(flat.configure({true, !scene.groups.empty(), {}}), Status{});
        const auto add = [&](std::size_t id, const scenes::Scene<Dim>& from, std::size_t i) {
            Agent<Dim> agent{from.position_of(i), from.half_extent_of(i), {}};
            if (!scene.groups.empty()) { agent.groups = from.groups[i]; }
            EXPECT_EQ(flat.insert(static_cast<Id>(id), agent), Status{});
        };
        for (std::size_t i = 0; i < scene.size(); ++i) {
            if (has(sets, set_of(static_cast<Id>(i)))) { add(i, scene, i); }
        }
        for (std::size_t i = 0; has(sets, Sets::statics) && i < standing.size(); ++i) {
            add(scene.size() + i, standing, i);
        }
        return flat;
    }
    /// What the crowd calls one of the flat list, and the other way round.
    [[nodiscard]] Id name_of(Id flat) const noexcept {
        return flat < scene.size() ? flat : static_id(flat - scene.size());
    }
    [[nodiscard]] Id flat_of(Id name) const noexcept {
        if (name == kNoId || !is_static(name)) { return name; }
        return static_cast<Id>(scene.size() + static_index(name));
    }
    [[nodiscard]] Sets set_of(Id name) const noexcept {
        if (is_static(name)) { return Sets::statics; }
        return crowd.is_giant(name) ? Sets::giants : Sets::small;
    }

    /// Names in the order of answers, but for giants and statics, whose order is their trees': they
    /// are sorted.
    [[nodiscard]] Ids ordered(Ids names) const {
        const auto small_end = std::partition(names.begin(), names.end(),
                                              [&](Id name) { return set_of(name) == Sets::small; });
        Ids small(names.begin(), small_end);
        Ids large(small_end, names.end());
        oracle::sort_canonically(crowd.grid().shape(), std::span<const Point<Dim>>(positions_of()),
                                 small);
        std::sort(large.begin(), large.end(),
                  [&](Id a, Id b) { return std::pair(set_of(a), a) < std::pair(set_of(b), b); });
        small.insert(small.end(), large.begin(), large.end());
        return small;
    }
    /// An answer as it came, brought to the form of ordered(); sets must have come one after the
    /// other.
    [[nodiscard]] Ids settled(std::span<const Id> answer) const {
        EXPECT_TRUE(std::is_sorted(answer.begin(), answer.end(),
                                   [&](Id a, Id b) { return set_of(a) < set_of(b); }));
        Ids ids(answer.begin(), answer.end());
        const auto small_end =
            std::find_if(ids.begin(), ids.end(), [&](Id id) { return set_of(id) != Sets::small; });
        std::sort(small_end, ids.end(),
                  [&](Id a, Id b) { return std::pair(set_of(a), a) < std::pair(set_of(b), b); });
        return ids;
    }

    template <class Shape>
    [[nodiscard]] Ids expected(const BruteForce<Dim>& flat, const Shape& shape,
                               Filter filter) const {
        filter.without = flat_of(filter.without);
        Ids names;
        const Found found = flat.visit(
            shape,
            [&](std::span<const Id> run) {
                for (const Id id : run) {
                    names.push_back(name_of(id));
                }
                return true;
            },
            filter);
        EXPECT_EQ(found.status, Status{});
        return ordered(std::move(names));
    }

    /// All agents as they ask.
    [[nodiscard]] Ids order() const {
        Ids ids(crowd.size());
        EXPECT_EQ(crowd.order(ids), ids.size());
        return ids;
    }

private:
    [[nodiscard]] const std::vector<Point<Dim>>& positions_of() const {
        if (positions_.empty()) { positions_ = scene.positions(); }
        return positions_;
    }

    std::array<std::vector<float>, Dim> own_;
    mutable std::vector<Point<Dim>> positions_;
};

/// Scenes whose agents are on rims and corners, far away, of all sizes, or hardly there.
inline constexpr std::string_view kWorlds[] = {"uniform",     "rim",      "lattice_of_tenths",
                                               "mixed_sizes", "giant",    "extreme",
                                               "outside",     "one_cell", "empty"};

/// check(world) for all of them, with and without masks.
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
