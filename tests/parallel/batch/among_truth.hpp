// Expected answers about agents of some grids and their neighbours in others, by slow loops.
#pragma once

#include "../../support/scenes/everyone.hpp"
#include "../../support/scenes/split_crowd.hpp"

#include <throng/parallel/batch/batch.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace throng::test {

using Parts = std::vector<std::size_t>;

/// For each answer to `askers`, in this order, the name of the agent that asks; by ids also kNoId,
/// where no agent of `askers` has the name.
template <std::size_t Dim>
[[nodiscard]] std::vector<Id> askers_in(const SplitCrowd<Dim>& crowd, const Parts& askers,
                                        Order order) {
    Ids names;
    for (const std::size_t p : askers) {
        for (const Id place : crowd.part(p).order.ids()) {
            names.push_back(crowd.part(p).names[place]);
        }
    }
    if (order == Order::storage) { return names; }
    const Id past = names.empty() ? 0 : *std::max_element(names.begin(), names.end()) + 1;
    std::vector<Id> all(past, kNoId);
    for (const Id name : names) {
        all[name] = name;
    }
    return all;
}

template <std::size_t Dim>
[[nodiscard]] Hits wanted_neighbours(const SplitCrowd<Dim>& crowd, const Parts& askers,
                                     const Parts& others, const Neighbourhood& asked, Order order) {
    std::vector<Ids> by_name(crowd.size());
    Parts found_in = others;
    for (const std::size_t p : askers) {
        crowd.for_each(
            p, found_in, asked, [](Id) {},
            [&](const typename SplitCrowd<Dim>::Neighbour& m) { by_name[m.id].push_back(m.other); },
            [](Id) {});
        // Pairs of an earlier grid with a later one are not found again from the later grid.
        if (asked.later_only) { std::erase(found_in, p); }
    }
    std::vector<Ids> answers;
    for (const Id name : askers_in(crowd, askers, order)) {
        answers.push_back(name == kNoId ? Ids{} : by_name[name]);
    }
    return joined(answers);
}

template <std::size_t Dim>
[[nodiscard]] NearHits wanted_nearest(const SplitCrowd<Dim>& crowd, const Parts& askers,
                                      const Parts& others, const NearestNeighbours& asked,
                                      Order order) {
    using Neighbour = typename SplitCrowd<Dim>::Neighbour;
    std::vector<std::vector<Neighbour>> by_name(crowd.size());
    for (const std::size_t p : askers) {
        crowd.for_each(
            p, others, {asked.radius, asked.with_self, asked.groups, false, asked.body}, [](Id) {},
            [&](const Neighbour& m) { by_name[m.id].push_back(m); }, [](Id) {});
    }
    for (std::vector<Neighbour>& met : by_name) {
        std::sort(met.begin(), met.end(), [](const Neighbour& a, const Neighbour& b) {
            return std::tie(a.distance2, a.grid, a.place) < std::tie(b.distance2, b.grid, b.place);
        });
    }
    NearHits wanted;
    wanted.k = asked.k;
    for (const Id name : askers_in(crowd, askers, order)) {
        const std::size_t found = name == kNoId ? 0 : by_name[name].size();
        wanted.counts.push_back(static_cast<std::uint32_t>(std::min<std::size_t>(found, asked.k)));
        for (std::size_t i = 0; i < asked.k; ++i) {
            wanted.nearest.push_back(
                i < found ? Near{by_name[name][i].distance2, by_name[name][i].other} : Near{});
        }
    }
    return wanted;
}

/// All answers of a batch about all agents, as numbers.
template <std::size_t Dim>
[[nodiscard]] std::vector<std::uint64_t> all_said(const SplitCrowd<Dim>& crowd,
                                                  Executor& executor) {
    const auto grids = crowd.grids({0, 1, 2});
    Batch<Dim> batch(executor);
    std::vector<std::uint64_t> said;
    for (const Order order : {Order::storage, Order::ids}) {
        Hits hits;
        EXPECT_EQ(batch.neighbours({grids, grids}, {1.5f, false, 0x7u}, hits, order), Status{});
        said.insert(said.end(), hits.offsets.begin(), hits.offsets.end());
        said.insert(said.end(), hits.ids.data(), hits.ids.data() + hits.total());
        std::vector<std::uint32_t> counts(hits.offsets.size() - 1);
        EXPECT_EQ(batch.count_neighbours({grids, grids}, {2.5f}, counts, order).status, Status{});
        said.insert(said.end(), counts.begin(), counts.end());
        NearHits near;
        EXPECT_EQ(batch.nearest_neighbours({grids, grids}, {3, 2.0f}, near, order), Status{});
        for (const Near& one : near.nearest) {
            said.push_back(one.id);
        }
    }
    return said;
}

} // namespace throng::test
