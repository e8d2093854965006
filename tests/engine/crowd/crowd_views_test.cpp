// A crowd asked with shapes whose kind is data: in every set, and across a border.
#include <throng/engine/crowd/crowd.hpp>
#include <throng/engine/grid/query_stats.hpp>

#include "../../support/by_view.hpp"
#include "../../support/dims.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace throng {
namespace {

template <class Dim>
class CrowdViews : public testing::Test {
protected:
    /// A crowd in which one agent in 20 is a giant.
    CrowdViews() {
        const auto small = scenes::make_uniform<Dim::value>(1'000);
        scene.world = small.world;
        scene.cell = Point<Dim::value>::all(1.0f);
        for (std::size_t i = 0; i < small.size(); ++i) {
            scene.add(small.position_of(i), Point<Dim::value>::all(i % 20 == 0 ? 2.5f : 0.25f));
        }
        scenes::add_queries(scene, 70);
    }

    scenes::Scene<Dim::value> scene;
    Crowd<Dim::value> crowd;
};
TYPED_TEST_SUITE(CrowdViews, test::Dims, test::DimNames);

TYPED_TEST(CrowdViews, FindWhatTypesFind) {
    test::Truth<TypeParam::value> truth;
    ASSERT_EQ(this->crowd.configure({this->scene.world, this->scene.cell}), Status{});
    ASSERT_EQ(this->crowd.update(this->scene.agents()), Status{});
    ASSERT_EQ(truth.update(this->scene.agents()), Status{});
    ASSERT_GT(this->crowd.size(Sets::giants), 10u);
    ASSERT_GT(this->crowd.grid().size(), 100u);
    test::expect_same_by_view(this->crowd, truth, this->scene);
    test::expect_paths_by_view(this->crowd, truth, this->scene);
}

// Statics come last, and under names of their own.
TYPED_TEST(CrowdViews, FindStatics) {
    constexpr std::size_t kDim = TypeParam::value;
    test::Truth<kDim> truth;
    ASSERT_EQ(this->crowd.update(this->scene.agents()), Status{});
    ASSERT_EQ(this->crowd.set_statics(this->scene.agents()), Status{});
    ASSERT_EQ(truth.update(this->scene.agents()), Status{});
    test::for_each_kind(this->scene, [&](ShapeKind, const auto& shapes) {
        const ShapesView<kDim> all(shapes);
        std::vector<Id> ids(2 * this->scene.size());
        for (std::size_t q = 0; q < shapes.size(); ++q) {
            const std::size_t wanted = truth.count(shapes[q]).count;
            const ShapesView<kDim> one = all.part(q, 1);
            ASSERT_EQ(this->crowd.count(one, {}, Sets::statics).count, wanted);
            ASSERT_EQ(this->crowd.count(one).count, 2 * wanted);
            ASSERT_EQ(this->crowd.query(one, ids).count, 2 * wanted);
            for (std::size_t i = 0; i < 2 * wanted; ++i) {
                ASSERT_EQ(is_static(ids[i]), i >= wanted);
            }
            const CrowdStats stats = this->crowd.explain(one);
            ASSERT_EQ(stats.small + stats.giants, wanted);
            ASSERT_EQ(stats.statics, wanted);
        }
    });
}

TYPED_TEST(CrowdViews, AreRefusedForWhatTheySay) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const bool periodic : {false, true}) {
        SCOPED_TRACE(periodic);
        CrowdSettings<kDim> settings{this->scene.world, this->scene.cell};
        settings.periodic.fill(periodic);
        ASSERT_EQ(this->crowd.configure(settings), Status{});
        test::expect_views_refused<kDim>(this->crowd);
        ASSERT_EQ(this->crowd.update(this->scene.agents()), Status{});
        test::expect_views_refused<kDim>(this->crowd);

        const std::vector<Ray<kDim>> rays(2, {{}, Point<kDim>::all(1.0f), 1.0f});
        const Box<kDim> box{};
        PathHit hit;
        std::vector<PathHit> path_hits;
        const auto expect_refused = [&](const ShapesView<kDim>& path, const Status& status) {
            EXPECT_EQ(this->crowd.first(path, hit).status, status);
            EXPECT_EQ(this->crowd.hits(path, path_hits), status);
        };
        expect_refused(ShapesView<kDim>(rays), {Cause::count_mismatch, Argument::shapes});
        expect_refused(ShapesView<kDim>(box), {Cause::out_of_range, Argument::shapes});
        expect_refused({static_cast<ShapeKind>(kShapeKinds), &box, 1},
                       {Cause::out_of_range, Argument::shapes});
        EXPECT_EQ(this->crowd.explain(ShapesView<kDim>(rays)).status,
                  (Status{Cause::count_mismatch, Argument::shapes}));
        // A vector that grows stays as it was.
        std::vector<Id> ids(3, 7);
        EXPECT_EQ(this->crowd.query(ShapesView<kDim>(rays), ids),
                  (Status{Cause::count_mismatch, Argument::shapes}));
        EXPECT_EQ(ids, std::vector<Id>(3, 7));
    }
}

} // namespace
} // namespace throng
