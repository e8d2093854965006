// Whether an index answers as the oracle does: one question in every form, or a whole index.
#pragma once

#include "../support/numbers.hpp"
#include "../support/scenes/scene_shapes.hpp"
#include "../support/scenes/scenes.hpp"
#include "../support/truth.hpp"
#include "../support/visited.hpp"
#include "asked.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace throng::test {

/// Every form of one question.
template <std::size_t Dim, class Shape>
void check_question(const std::type_identity_t<Asked<Dim>>& index, const Truth<Dim>& truth,
                    const Shape& shape, const Filter& filter) {
    const Ids wanted = truth.ids_in(shape, filter);
    const Ids got = visited(index, shape, filter);
    ASSERT_EQ(in_order(got), wanted);
    ASSERT_EQ(index.count(shape, filter).count, wanted.size());
    ASSERT_EQ(index.any(shape, filter).count, wanted.empty() ? 0u : 1u);

    // A buffer of any size holds the first of them, and nothing is written behind it.
    for (const std::size_t room : {got.size(), got.size() / 2, std::size_t{0}}) {
        Ids out(room + 20, kCanary);
        ASSERT_EQ(index.query(shape, std::span<Id>(out).first(room), filter).count, got.size());
        ASSERT_TRUE(
            std::equal(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(room), got.begin()));
        ASSERT_EQ(std::count(out.begin() + static_cast<std::ptrdiff_t>(room), out.end(), kCanary),
                  20);
    }
    // A visitor that has enough is not called again.
    std::size_t runs = 0;
    const Found some = index.visit(
        shape, [&](std::span<const Id>) { return ++runs < 2; }, filter);
    ASSERT_LE(runs, 2u);
    ASSERT_LE(some.count, wanted.size());
}

template <std::size_t Dim, class Shape>
void check_questions(const Asked<Dim>& index, const Truth<Dim>& truth,
                     const std::vector<Shape>& shapes, std::span<const Filter> filters) {
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        SCOPED_TRACE(testing::Message() << "question " << i);
        ASSERT_NO_FATAL_FAILURE(
            check_question(index, truth, shapes[i], filters[i % filters.size()]));
    }
    Hits hits;
    ASSERT_EQ(index.query(shapes, hits, filters[0]), Status{});
    ASSERT_EQ(hits.offsets.size(), shapes.size() + 1);
    ASSERT_EQ(hits.offsets.front(), 0u);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const auto got = hits.of(i);
        ASSERT_EQ(in_order({got.begin(), got.end()}), truth.ids_in(shapes[i], filters[0]));
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

    void check(const Asked<Dim>& index, const Truth<Dim>& truth) const {
        static constexpr Filter kFilters[] = {{}, {0x3u}, {kAllGroups, 3}, {}, {0x5u, 0}, {0u}};
        const auto check_all = [&](const auto&... shapes) {
            (check_questions(index, truth, shapes, kFilters), ...);
        };
        check_all(boxes, balls, others.segments, others.rays, others.capsules, others.sectors,
                  others.convexes, others.oriented_boxes, others.cylinders, others.body_balls,
                  others.body_sectors, others.body_cylinders);
    }
};

template <std::size_t Dim, class Index>
void check_pairs_of(const Index& index, const Truth<Dim>& truth) {
    for (const std::uint32_t groups : {kAllGroups, 0x3u, 0u}) {
        ASSERT_EQ(pairs_of(index, groups), pairs_of(truth, groups));
    }
}

/// Checks that the index holds what the oracle holds.
template <std::size_t Dim, class Index>
void check_index(const Index& index, const Truth<Dim>& truth, const Questions<Dim>& questions) {
    ASSERT_STREQ(index.validate(), nullptr);
    ASSERT_EQ(index.size(), truth.size());
    ASSERT_EQ(index.kind(), truth.kind());
    ASSERT_NO_FATAL_FAILURE(questions.check(index, truth));
    ASSERT_NO_FATAL_FAILURE(check_pairs_of<Dim>(index, truth));
}

} // namespace throng::test
