// A loose tree asked with shapes whose kind is data.
#include <throng/engine/loose_tree/loose_tree.hpp>

#include "../../support/by_view.hpp"
#include "../../support/dims.hpp"

#include <gtest/gtest.h>

namespace throng {
namespace {

template <class Dim>
class TreeViews : public testing::Test {};
TYPED_TEST_SUITE(TreeViews, test::Dims, test::DimNames);

TYPED_TEST(TreeViews, FindWhatTypesFind) {
    constexpr std::size_t kDim = TypeParam::value;
    auto scene = scenes::make_uniform<kDim>(2'000);
    scenes::add_queries(scene, 70);
    LooseTree<kDim> tree;
    test::Truth<kDim> truth;
    ASSERT_EQ(tree.update(scene.agents()), Status{});
    ASSERT_EQ(truth.update(scene.agents()), Status{});
    test::expect_same_by_view(tree, truth, scene);
}

TYPED_TEST(TreeViews, AreRefusedForWhatTheySay) {
    constexpr std::size_t kDim = TypeParam::value;
    LooseTree<kDim> tree;
    test::expect_views_refused<kDim>(tree);
    auto scene = scenes::make_uniform<kDim>(100);
    ASSERT_EQ(tree.update(scene.agents()), Status{});
    test::expect_views_refused<kDim>(tree);
}

} // namespace
} // namespace throng
