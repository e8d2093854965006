// The hash of the neighbours and pairs of a scene, and the expected hash.
#pragma once

#include "../support/hash.hpp"
#include "../support/scenes/everyone.hpp"
#include "../support/scenes/scenes.hpp"
#include "../support/truth.hpp"

#include <throng/engine/agents/grid_shape.hpp>
#include <throng/parallel/batch/batch.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace throng::test {

/// The groups that some questions are restricted to.
inline constexpr std::uint32_t kSomeGroups = 0x8000'0003u;

inline void add(test::Hash& hash, const Hits& hits) {
    for (std::size_t q = 0; q + 1 < hits.offsets.size(); ++q) {
        hash.add(hits.of(q));
    }
}
inline void add(test::Hash& hash, const Pairs& pairs) {
    hash.add(std::span(pairs.first).first(pairs.count));
    hash.add(std::span(pairs.second).first(pairs.count));
}

template <std::size_t Dim>
std::uint64_t hash_of(const RowGrid<Dim>& grid, const scenes::Scene<Dim>& scene,
                      Executor& executor) {
    Batch<Dim> batch(executor);
    test::Hash hash;
    Hits hits;
    EXPECT_EQ(batch.neighbours(grid, {scene.cell[0]}, hits), Status{});
    add(hash, hits);
    EXPECT_EQ(batch.neighbours(grid, {2.5f * scene.cell[0], true, kSomeGroups}, hits, Order::ids),
              Status{});
    add(hash, hits);
    Pairs pairs;
    for (const std::uint32_t groups : {kAllGroups, kSomeGroups}) {
        EXPECT_EQ(batch.pairs(grid, pairs, groups), Status{});
        add(hash, pairs);
    }
    return hash.value();
}

template <std::size_t Dim>
std::uint64_t expected_hash(const GridShape<Dim>& shape, scenes::Scene<Dim>& scene) {
    Truth<Dim> truth;
    EXPECT_EQ(truth.update(scene.agents()), Status{});
    const auto order = truth.order(shape);
    test::Hash hash;
    add(hash, in_storage_order(truth.neighbours({scene.cell[0]}), order));
    add(hash, in_id_order(truth.neighbours({2.5f * scene.cell[0], true, kSomeGroups}), order));
    for (const std::uint32_t groups : {kAllGroups, kSomeGroups}) {
        add(hash, pairs_within(truth.touching(truth, groups), order));
    }
    return hash.value();
}

} // namespace throng::test
