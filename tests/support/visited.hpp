// All answers of an index, by visit(), the call on which all others are built.
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

/// All hits of the shape, in the index's own order.
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

/// A box that contains every agent.
template <std::size_t Dim>
constexpr Box<Dim> everywhere() {
    return {Point<Dim>::all(-kLargest), Point<Dim>::all(kLargest)};
}

/// All agents, in the index's own order.
template <std::size_t Dim, class Index>
Ids all_ids(const Index& index) {
    return visited(index, everywhere<Dim>());
}

inline Ids in_order(Ids ids) {
    std::sort(ids.begin(), ids.end());
    return ids;
}

/// All pairs, sorted, each with its smaller id first.
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
