// Whether an index says what brute force says.
#pragma once

#include "../support/scene_shapes.hpp"
#include "../support/scenes.hpp"
#include "asked.hpp"

#include <throng/engine/answers/spatial_index.hpp>
#include <throng/engine/family/brute_force.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace throng::test {

using Ids = std::vector<Id>;
using IdPairs = std::vector<std::pair<Id, Id>>;

/// All that the shape finds, in the index's own order, however it is asked.
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

inline Ids in_order(Ids ids) {
    std::sort(ids.begin(), ids.end());
    return ids;
}

/// The pairs, the smaller id first, in order.
template <class Index>
IdPairs pairs_of(const Index& index, std::uint32_t groups = kAllGroups) {
    IdPairs pairs;
    const Found found = index.visit_pairs(
        [&](std::span<const Id> first, std::span<const Id> second) {
            EXPECT_EQ(first.size(), second.size());
            EXPECT_FALSE(first.empty());
            for (std::size_t i = 0; i < first.size(); ++i) {
                pairs.push_back(std::minmax(first[i], second[i]));
            }
            return true;
        },
        groups);
    EXPECT_EQ(found.status, Status{});
    EXPECT_EQ(found.count, pairs.size());
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

/// Every form of one question.
template <std::size_t Dim, class Shape>
void check_question(const std::type_identity_t<Asked<Dim>>& index, const BruteForce<Dim>& truth,
                    const Shape& shape, const Filter& filter) {
    const Ids wanted = visited(truth, shape, filter); // by id
    const Ids got = visited(index, shape, filter);
    ASSERT_EQ(in_order(got), wanted);
    ASSERT_EQ(index.count(shape, filter).count, wanted.size());
    ASSERT_EQ(index.any(shape, filter).count, wanted.empty() ? 0u : 1u);

    // A buffer of any size holds the first of them, and nothing is written behind it.
    constexpr Id kCanary = 0xC0FF'EE00u;
    for (const std::size_t room : {got.size(), got.size() / 2, std::size_t{0}}) {
        Ids out(room + 20, kCanary);
        ASSERT_EQ(index.query(shape, std::span<Id>(out).first(room), filter).count, got.size());
        ASSERT_TRUE(
            std::equal(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(room), got.begin()));
        ASSERT_EQ(std::count(out.begin() + static_cast<std::ptrdiff_t>(room), out.end(), kCanary),
                  20);
    }
    // Who has enough is left in peace.
    std::size_t runs = 0;
    const Found some = index.visit(
        shape, [&](std::span<const Id>) { return ++runs < 2; }, filter);
    ASSERT_LE(runs, 2u);
    ASSERT_LE(some.count, wanted.size());
}

template <std::size_t Dim, class Shape>
void check_questions(const Asked<Dim>& index, const BruteForce<Dim>& truth,
                     const std::vector<Shape>& shapes, std::span<const Filter> filters) {
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        SCOPED_TRACE(testing::Message() << "question " << i);
        ASSERT_NO_FATAL_FAILURE(
            check_question(index, truth, shapes[i], filters[i % filters.size()]));
    }
    Hits hits, wanted;
    ASSERT_EQ(index.query(shapes, hits, filters[0]), Status{});
    ASSERT_EQ(truth.query(shapes, wanted, filters[0]), Status{});
    ASSERT_EQ(hits.offsets, wanted.offsets);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const auto got = hits.of(i);
        const auto right = wanted.of(i);
        ASSERT_EQ(in_order({got.begin(), got.end()}), Ids(right.begin(), right.end()));
    }
}

/// Boxes and balls, and every other shape.
template <std::size_t Dim>
struct Questions {
    std::vector<Box<Dim>> boxes;
    std::vector<Ball<Dim>> balls;
    scenes::Shapes<Dim> others;

    explicit Questions(const scenes::Scene<Dim>& scene, std::size_t count = 24)
        : boxes(scene.boxes), balls(scene.balls), others(scenes::shapes_about(scene, count)) {}

    void check(const Asked<Dim>& index, const BruteForce<Dim>& truth) const {
        static constexpr Filter kFilters[] = {{}, {0x3u}, {kAllGroups, 3}, {}, {0x5u, 0}, {0u}};
        const auto check_all = [&](const auto&... shapes) {
            (check_questions(index, truth, shapes, kFilters), ...);
        };
        check_all(boxes, balls, others.segments, others.rays, others.capsules, others.sectors,
                  others.convexes, others.oriented_boxes, others.cylinders);
    }
};

} // namespace throng::test
