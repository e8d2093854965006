// All that an index finds, through the call that all others follow from.
#pragma once

#include "ids.hpp"

#include <throng/engine/agents/box.hpp>
#include <throng/engine/agents/filter.hpp>
#include <throng/engine/agents/found.hpp>
#include <throng/engine/core/limits.hpp>
#include <throng/simd/views/body.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

namespace throng::test {

/// All that the shape finds, in the index's own order.
template <class Index, class Shape>
Ids visited(const Index& index, const Shape& shape, const Filter& filter = {}) {
    Ids ids;
    const Found found = index.visit(
        shape,
        [&](std::span<const Id> run) {
            EXPECT_FALSE(run.empty());
            ids.insert(ids.end(), run.begin(), run.end());
            return true;
        },
        filter);
    EXPECT_EQ(found.status, Status{});
    EXPECT_EQ(found.count, ids.size());
    return ids;
}

/// A box that holds every agent.
template <std::size_t Dim>
constexpr Box<Dim> everywhere() {
    return {Point<Dim>::all(-kLargest), Point<Dim>::all(kLargest)};
}

/// All agents, in the order in which the index has them.
template <std::size_t Dim, class Index>
Ids all_ids(const Index& index) {
    return visited(index, everywhere<Dim>());
}

inline Ids in_order(Ids ids) {
    std::sort(ids.begin(), ids.end());
    return ids;
}

/// The pairs, the smaller id first, in order.
template <class Index>
IdPairs pairs_of(const Index& index, std::uint32_t groups = kAllGroups, Body body = Body::box) {
    IdPairs pairs;
    const auto collect = [&](std::span<const Id> first, std::span<const Id> second) {
        EXPECT_EQ(first.size(), second.size());
        EXPECT_FALSE(first.empty());
        for (std::size_t i = 0; i < first.size(); ++i) {
            pairs.push_back(std::minmax(first[i], second[i]));
        }
        return true;
    };
    Found found;
    if constexpr (requires { index.visit_pairs(collect, groups, body); }) {
        found = index.visit_pairs(collect, groups, body);
    } else {
        EXPECT_EQ(body, Body::box);
        found = index.visit_pairs(collect, groups);
    }
    EXPECT_EQ(found.status, Status{});
    EXPECT_EQ(found.count, pairs.size());
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

} // namespace throng::test
