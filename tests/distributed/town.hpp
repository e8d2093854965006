// A scene as one grid has it and as the ranks of a job have it, to ask both the same.
#pragma once

#include "../support/random.hpp"
#include "../support/scenes.hpp"

#include <throng/distributed/distributed_grid.hpp>
#include <throng/distributed/thread_ranks.hpp>
#include <throng/engine/grid/row_grid.hpp>
#include <throng/parallel/batch/batch.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng::test {

/// Global ids are neither close together nor small.
[[nodiscard]] inline GlobalId name_of(Id id) {
    return id == kNoId ? kNoGlobalId : GlobalId{id} * 7919 + 5'000'000'000u;
}
[[nodiscard]] inline Id id_of(GlobalId name) {
    return static_cast<Id>((name - 5'000'000'000u) / 7919);
}
[[nodiscard]] inline GlobalFilter global(const Filter& filter) {
    return {filter.groups, name_of(filter.without)};
}

/// The whole crowd in one grid.
template <std::size_t Dim>
class Town {
public:
    explicit Town(scenes::Scene<Dim>& all) : scene(all) {
        DistributedSettings<Dim>& s = settings;
        s.bounds = scene.world;
        s.cell = scene.cell;
        s.reach = 1.5f * scene.cell[0];
        s.kind.own_half_extents = scene.has_own_half_extents();
        s.kind.groups = !scene.groups.empty();
        if (!s.kind.own_half_extents) { s.kind.common_half_extent = scene.common_half_extent; }
        for (std::size_t i = 0; i < scene.size(); ++i) {
            for (std::size_t a = 0; a < Dim; ++a) {
                s.reach = std::max(s.reach, 2.0f * scene.half_extent_of(i)[a]);
            }
        }
        // What a grid refuses, a distributed one refuses too.
        can_be = grid.configure(s.bounds, s.cell, s.kind).ok() && s.reach <= kLargest;
        if (can_be) { EXPECT_EQ(grid.update(scene.agents()), Status{}); }
    }

    /// The agents that a rank brings.
    void deal(const Ranks& ranks, Share<Dim>& mine) const {
        for (std::size_t i = ranks.rank(); i < scene.size(); i += ranks.size()) {
            mine.ids.push_back(name_of(static_cast<Id>(i)));
            mine.positions.push_back(scene.position_of(i));
            if (settings.kind.own_half_extents) {
                mine.half_extents.push_back(scene.half_extent_of(i));
            }
            if (settings.kind.groups) { mine.groups.push_back(scene.groups[i]); }
        }
    }

    scenes::Scene<Dim>& scene;
    DistributedSettings<Dim> settings;
    RowGrid<Dim> grid;
    bool can_be = false;
};

/// The questions of a rank, one here and one there; the last of several ranks has none.
template <class T>
[[nodiscard]] std::vector<T> dealt(const Ranks& ranks, const std::vector<T>& all) {
    std::vector<T> own;
    const std::size_t askers = std::max<std::size_t>(ranks.size() - 1, 1);
    for (std::size_t i = ranks.rank(); i < all.size() && ranks.rank() < askers; i += askers) {
        own.push_back(all[i]);
    }
    return own;
}

/// Filters of all kinds for that many questions: none, one, or one each.
template <std::size_t Dim>
[[nodiscard]] std::vector<Filter> some_filters(const Town<Dim>& town, std::size_t questions,
                                               std::uint64_t seed) {
    scenes::Random random(seed);
    std::vector<Filter> filters;
    const auto agents = static_cast<std::uint32_t>(town.scene.size());
    const std::size_t count = seed % 3 == 0 ? 0 : seed % 3 == 1 ? 1 : questions;
    for (std::size_t i = 0; i < count; ++i) {
        Filter& filter = filters.emplace_back();
        if (town.settings.kind.groups && random.below(3) != 0) { filter.groups = random.below(16); }
        if (agents != 0 && random.below(2) != 0) { filter.without = random.below(agents); }
    }
    return filters;
}
[[nodiscard]] inline Filter filter_of(const std::vector<Filter>& filters, std::size_t question) {
    return filters.empty() ? Filter{} : filters[filters.size() == 1 ? 0 : question];
}
[[nodiscard]] inline std::vector<GlobalFilter> global(const std::vector<Filter>& filters) {
    std::vector<GlobalFilter> all;
    for (const Filter& filter : filters) {
        all.push_back(global(filter));
    }
    return all;
}

// What the one grid answers, in global ids.

template <std::size_t Dim>
[[nodiscard]] std::vector<GlobalId> listed(const Town<Dim>& town, const ShapesView<Dim>& shape,
                                           const Filter& filter) {
    std::vector<GlobalId> names;
    const Found found = town.grid.visit(
        shape,
        [&](std::span<const Id> ids) {
            std::transform(ids.begin(), ids.end(), std::back_inserter(names), name_of);
            return true;
        },
        filter);
    EXPECT_EQ(found.status, Status{});
    return names;
}

template <std::size_t Dim>
[[nodiscard]] std::vector<GlobalNear> nearest(const Town<Dim>& town, const Point<Dim>& point,
                                              const Nearest& nearest, const Filter& filter) {
    std::vector<Near> near(nearest.k);
    const Found found = town.grid.nearest(point, nearest, near, filter);
    EXPECT_EQ(found.status, Status{});
    std::vector<GlobalNear> names;
    for (std::size_t i = 0; i < found.count; ++i) {
        names.push_back({near[i].distance2, name_of(near[i].id)});
    }
    return names;
}

template <std::size_t Dim>
[[nodiscard]] std::vector<GlobalMeeting> met(const Town<Dim>& town, const ShapesView<Dim>& path,
                                             const Filter& filter) {
    std::vector<PathHit> hits;
    EXPECT_EQ(town.grid.hits(path, hits, filter), Status{});
    std::vector<GlobalMeeting> names;
    for (const PathHit& hit : hits) {
        names.push_back({hit.time, name_of(hit.id)});
    }
    return names;
}

template <class T>
[[nodiscard]] std::vector<T> as_vector(std::span<const T> all) {
    return {all.begin(), all.end()};
}

} // namespace throng::test
