// A scene in one Crowd and on the ranks of a job, so that both can be asked the same.
#pragma once

#include "../support/random.hpp"
#include "../support/scenes/scenes.hpp"

#include <throng/distributed/distributed_grid.hpp>
#include <throng/distributed/thread_ranks.hpp>
#include <throng/engine/crowd/crowd.hpp>
#include <throng/parallel/batch/batch.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

namespace throng::test {

/// Global ids that are neither dense nor small.
[[nodiscard]] inline GlobalId name_of(Id id) {
    if (id == kNoId) { return kNoGlobalId; }
    return is_static(id) ? global_static_id(static_index(id))
                         : GlobalId{id} * 7919 + 5'000'000'000u;
}
[[nodiscard]] inline Id id_of(GlobalId name) {
    return static_cast<Id>((name - 5'000'000'000u) / 7919);
}
[[nodiscard]] inline GlobalFilter global(const Filter& filter) {
    return {filter.groups, name_of(filter.without)};
}

/// The whole scene in one Crowd, with statics in most scenes.
template <std::size_t Dim>
class Town {
public:
    explicit Town(scenes::Scene<Dim>& all, std::array<bool, Dim> periodic = {}) : scene(all) {
        DistributedSettings<Dim>& s = settings;
        s.bounds = scene.world;
        s.cell = scene.cell;
        s.reach = 1.5f * scene.cell[0];
        s.kind.own_half_extents = scene.has_own_half_extents();
        s.kind.groups = !scene.groups.empty();
        if (!s.kind.own_half_extents) { s.kind.common_half_extent = scene.common_half_extent; }
        const float longest = *std::max_element(&s.cell[0], &s.cell[0] + Dim);
        for (std::size_t i = 0; i < scene.size(); ++i) {
            for (std::size_t a = 0; a < Dim; ++a) {
                const float half = scene.half_extent_of(i)[a];
                // All ranks know all giants, so giants do not need the reach.
                if (!s.kind.own_half_extents || half <= 0.5f * longest) {
                    s.reach = std::max(s.reach, 2.0f * half);
                }
            }
        }
        // Scenes that a crowd refuses are refused by a distributed crowd as well.
        s.periodic = periodic;
        can_be =
            crowd.configure({s.bounds, s.cell, {}, periodic}, s.kind).ok() && s.reach <= kLargest;
        for (std::size_t a = 0; a < Dim; ++a) {
            const float width = s.bounds.hi[a] - s.bounds.lo[a];
            can_be = can_be && (!periodic[a] || width > 2.01f * s.reach);
        }
        if (!can_be) { return; }
        if (scene.name != "uniform") { add_statics(); }
        EXPECT_EQ(crowd.update(scene.agents()), Status{});
        EXPECT_EQ(crowd.set_statics(statics), Status{});
    }

    /// Gives a rank its part of the agents.
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
    Crowd<Dim> crowd;
    Agents<Dim> statics;
    bool can_be = false;

private:
    /// Statics are placed on some of the agents, so both are equally near, and are met at the same
    /// times.
    void add_statics() {
        for (std::size_t i = 0; i < scene.size(); i += 3) {
            centres_.push_back(scene.position_of(i));
            Point<Dim>& half = halves_.emplace_back(scene.half_extent_of(i));
            for (std::size_t a = 0; a < Dim; ++a) {
                half[a] *= static_cast<float>(i % 4);
            }
        }
        const auto view = [](const std::vector<Point<Dim>>& points) {
            return PointView<Dim>::interleaved(reinterpret_cast<const float*>(points.data()),
                                               points.size());
        };
        statics.positions = view(centres_);
        statics.half_extents = view(halves_);
    }

    std::vector<Point<Dim>> centres_, halves_;
};

/// Deals questions to ranks in turn; the last of several ranks gets none.
template <class T>
[[nodiscard]] std::vector<T> dealt(const Ranks& ranks, const std::vector<T>& all) {
    std::vector<T> own;
    const std::size_t askers = std::max<std::size_t>(ranks.size() - 1, 1);
    for (std::size_t i = ranks.rank(); i < all.size() && ranks.rank() < askers; i += askers) {
        own.push_back(all[i]);
    }
    return own;
}

/// Filters for so many questions, of all kinds: none, one for all, or one each.
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
        if (town.crowd.size(Sets::statics) != 0 && random.below(8) == 0) {
            filter.without = static_id(0);
        }
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

/// The sets that question `number` is about.
[[nodiscard]] inline Sets some_sets(std::uint64_t number) {
    constexpr Sets kSome[] = {Sets::all,    Sets::small,   Sets::all, Sets::agents,
                              Sets::giants, Sets::statics, Sets::all, Sets::giants | Sets::statics};
    return kSome[number % std::size(kSome)];
}

// The answers of the one crowd, in global ids.

template <std::size_t Dim>
[[nodiscard]] std::vector<GlobalId> listed(const Town<Dim>& town, const ShapesView<Dim>& shape,
                                           const Filter& filter, Sets sets) {
    std::vector<GlobalId> names;
    const Found found = town.crowd.visit(
        shape,
        [&](std::span<const Id> ids) {
            std::transform(ids.begin(), ids.end(), std::back_inserter(names), name_of);
            return true;
        },
        filter, sets);
    EXPECT_EQ(found.status, Status{});
    return names;
}

template <std::size_t Dim>
[[nodiscard]] std::vector<GlobalNear> nearest(const Town<Dim>& town, const Point<Dim>& point,
                                              const Nearest& nearest, const Filter& filter,
                                              Sets sets) {
    std::vector<Near> near(nearest.k);
    const Found found = town.crowd.nearest(point, nearest, near, filter, sets);
    EXPECT_EQ(found.status, Status{});
    std::vector<GlobalNear> names;
    for (std::size_t i = 0; i < found.count; ++i) {
        names.push_back({near[i].distance2, name_of(near[i].id)});
    }
    return names;
}

template <std::size_t Dim>
[[nodiscard]] std::vector<GlobalMeeting> met(const Town<Dim>& town, const ShapesView<Dim>& path,
                                             const Filter& filter, Sets sets) {
    std::vector<PathHit> hits;
    EXPECT_EQ(town.crowd.hits(path, hits, filter, sets), Status{});
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
