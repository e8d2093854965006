// Tests that an index answers shapes whose kind is known at run time exactly like typed shapes.
#pragma once

#include "scenes/scene_shapes.hpp"
#include "truth.hpp"
#include "visited.hpp"

#include <throng/engine/shapes/shapes_view.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace throng::test {

/// Calls visit(kind, shapes) with shapes of each kind.
template <std::size_t Dim, class Visit>
void for_each_kind(const scenes::Scene<Dim>& scene, const Visit& visit) {
    const scenes::Shapes<Dim> others = scenes::shapes_about(scene, 70);
    visit(ShapeKind::box, scene.boxes);
    visit(ShapeKind::ball, scene.balls);
    visit(ShapeKind::sector, others.sectors);
    visit(ShapeKind::segment, others.segments);
    visit(ShapeKind::ray, others.rays);
    visit(ShapeKind::capsule, others.capsules);
    visit(ShapeKind::convex, others.convexes);
    visit(ShapeKind::oriented_box, others.oriented_boxes);
    visit(ShapeKind::cylinder, others.cylinders);
    visit(ShapeKind::body_ball, others.body_balls);
    visit(ShapeKind::body_sector, others.body_sectors);
    visit(ShapeKind::body_cylinder, others.body_cylinders);
}

/// Makes every call with every kind, and compares it with the oracle and with the typed call.
template <std::size_t Dim, class Index>
void expect_same_by_view(const Index& index, const Truth<Dim>& truth,
                         const scenes::Scene<Dim>& scene) {
    const Filter filter{kAllGroups, 5};
    for_each_kind(scene, [&](ShapeKind kind, const auto& shapes) {
        SCOPED_TRACE(testing::Message() << "kind " << static_cast<int>(kind));
        ASSERT_GT(shapes.size(), 64u); // more than a block
        const ShapesView<Dim> all(kind, shapes.data(), shapes.size());
        Hits hits, wanted;
        ASSERT_EQ(index.query(all, hits, filter), Status{});
        ASSERT_EQ(index.query(shapes, wanted, filter), Status{});
        ASSERT_EQ(hits.offsets, wanted.offsets);
        for (std::size_t q = 0; q < shapes.size(); ++q) {
            const ShapesView<Dim> one = all.part(q, 1);
            const Ids ids = visited(index, one, filter);
            ASSERT_EQ(ids, visited(index, shapes[q], filter));
            ASSERT_TRUE(std::ranges::equal(hits.of(q), wanted.of(q)));
            ASSERT_TRUE(std::ranges::equal(hits.of(q), ids));
            Ids written(ids.size() + 20);
            ASSERT_EQ(index.query(one, written, filter).count, ids.size());
            ASSERT_TRUE(std::equal(ids.begin(), ids.end(), written.begin()));
            ASSERT_EQ(index.count(one, filter).count, ids.size());
            ASSERT_EQ(index.any(one, filter).count, ids.empty() ? 0u : 1u);
            ASSERT_EQ(in_order(ids), truth.ids_in(shapes[q], filter));
        }
    });
}

/// Views that no typed shapes can express; every call must refuse them.
template <std::size_t Dim, class Index>
void expect_views_refused(const Index& index) {
    std::array<Id, 64> ids;
    Hits hits;
    const auto never = [](std::span<const Id>) -> bool {
        ADD_FAILURE();
        return true;
    };
    const auto expect_one_refused = [&](const ShapesView<Dim>& view, const Status& status) {
        EXPECT_EQ(index.query(view, ids).status, status);
        EXPECT_EQ(index.visit(view, never).status, status);
        EXPECT_EQ(index.count(view).status, status);
        EXPECT_EQ(index.any(view).status, status);
    };
    std::vector<Box<Dim>> boxes(5, {Point<Dim>::all(0.0f), Point<Dim>::all(1.0f)});
    for (const std::size_t number : {kShapeKinds, kShapeKinds + 1, std::size_t{255}}) {
        const auto kind = static_cast<ShapeKind>(number);
        const Status no_kind{Cause::out_of_range, Argument::shapes};
        expect_one_refused({kind, boxes.data(), 1}, no_kind);
        EXPECT_EQ(index.query(ShapesView<Dim>{kind, boxes.data(), 5}, hits), no_kind);
        EXPECT_EQ(index.query(ShapesView<Dim>{kind, nullptr, 0}, hits), no_kind);
    }
    const Status not_one{Cause::count_mismatch, Argument::shapes};
    expect_one_refused(ShapesView<Dim>(boxes), not_one);
    expect_one_refused(ShapesView<Dim>(), not_one);
    const Status no_data{Cause::null_pointer, Argument::shapes};
    expect_one_refused({ShapeKind::ball, nullptr, 1}, no_data);
    EXPECT_EQ(index.query(ShapesView<Dim>{ShapeKind::ball, nullptr, 3}, hits), no_data);

    EXPECT_EQ(index.query(ShapesView<Dim>(), hits), Status{});
    EXPECT_EQ(hits.offsets, std::vector<std::uint64_t>{0});
    EXPECT_EQ(index.query(ShapesView<Dim>(std::vector<Convex<Dim>>()), hits), Status{});
    EXPECT_EQ(hits.offsets, std::vector<std::uint64_t>{0});

    boxes[3].lo[0] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(index.query(ShapesView<Dim>(boxes), hits),
              (Status{Cause::not_finite, Argument::box, 3}));
}

/// Makes every call with paths, with every kind, and compares it in the same ways.
template <std::size_t Dim, class Index>
void expect_paths_by_view(const Index& index, const Truth<Dim>& truth,
                          const scenes::Scene<Dim>& scene) {
    for_each_kind(scene, [&](ShapeKind kind, const auto& shapes) {
        SCOPED_TRACE(testing::Message() << "kind " << static_cast<int>(kind));
        const ShapesView<Dim> all(shapes);
        PathHit hit;
        std::vector<PathHit> path_hits;
        if constexpr (PathsIn<std::decay_t<decltype(shapes)>, Dim>) {
            for (std::size_t q = 0; q < shapes.size(); ++q) {
                const std::vector<PathHit> wanted = truth.hits(shapes[q]);
                ASSERT_EQ(index.hits(all.part(q, 1), path_hits), Status{});
                ASSERT_EQ(path_hits, wanted);
                const Found found = index.first(all.part(q, 1), hit);
                ASSERT_EQ(found.status, Status{});
                ASSERT_EQ(found.count, wanted.empty() ? 0u : 1u);
                if (!wanted.empty()) { ASSERT_EQ(hit, wanted[0]); }
            }
            const Status not_one{Cause::count_mismatch, Argument::shapes};
            EXPECT_EQ(index.first(all, hit).status, not_one);
            EXPECT_EQ(index.hits(all, path_hits), not_one);
        } else {
            const Status no_path{Cause::out_of_range, Argument::shapes};
            EXPECT_EQ(index.first(all.part(0, 1), hit).status, no_path);
            EXPECT_EQ(index.hits(all.part(0, 1), path_hits), no_path);
        }
    });
}

} // namespace throng::test
