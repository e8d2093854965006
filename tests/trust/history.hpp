// Compares two indexes that had the same calls: their bytes, and their answers in order.
#pragma once

#include "../family/indexes.hpp"
#include "../support/visited.hpp"

#include <throng/engine/frozen/frozen.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace throng::test {

using Bytes = std::vector<std::byte>;

template <class Index>
Bytes bytes_of(const Index& index) {
    Bytes bytes;
    EXPECT_EQ(save(index, bytes), Status{});
    return bytes;
}

template <class Index>
Index loaded_copy_of(const Index& index) {
    Index copy;
    EXPECT_EQ(load(copy, std::span<const std::byte>(bytes_of(index))), Status{});
    return copy;
}

/// Pairs in the index's own order, each with its own first and second agent.
template <class Index>
IdPairs pairs_in_order_of(const Index& index, std::uint32_t groups = kAllGroups) {
    IdPairs pairs;
    const Found found = index.visit_pairs(
        [&](std::span<const Id> first, std::span<const Id> second) {
            for (std::size_t i = 0; i < first.size(); ++i) {
                pairs.emplace_back(first[i], second[i]);
            }
            return true;
        },
        groups);
    EXPECT_EQ(found.status, Status{});
    return pairs;
}

} // namespace throng::test
