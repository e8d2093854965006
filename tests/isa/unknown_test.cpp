// A host whose environment names an unknown instruction set: every call that needs a kernel returns
// a status, and changes nothing.
#include "../../simd/isa/kernel_isas.hpp"
#include "../family/indexes.hpp"
#include "../support/system/environment.hpp"

#include <throng/jobs.hpp>
#include <throng/simd/isa/isa.hpp>
#include <throng/throng.h>
#include <throng/throng.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace throng {
namespace {

constexpr Status kRefused = {Cause::no_such_isa, Argument::environment};

template <class Entry>
class UnknownIsa : public testing::Test {};
// Without BruteForce and NestedIndex, which have no kernels.
using Kernels = testing::Types<test::InRowGrid<2>, test::InRowGrid<3>, test::InLooseTree<2>,
                               test::InLooseTree<3>, test::InDoubleGrid<2>, test::InDoubleGrid<3>,
                               test::InTightQuadtree, test::InCrowd<2>, test::InCrowd<3>>;
TYPED_TEST_SUITE(UnknownIsa, Kernels, test::IndexNames);

TYPED_TEST(UnknownIsa, IsToldByEveryChange) {
    constexpr std::size_t kDim = TypeParam::kDim;
    using Change = Edit<kDim>;
    ASSERT_EQ(active_isa(), Isa::none);
    auto scene = scenes::make<kDim>("uniform", 40);
    typename TypeParam::Index index;
    EXPECT_EQ(index.update(scene.agents()), kRefused);
    for (const bool own_half_extents : {false, true}) {
        ASSERT_EQ(TypeParam::lay_out(index, scene, {own_half_extents, false, {}}), Status{});
        EXPECT_EQ(index.update(scene.agents()), kRefused);
        Agent<kDim> giant = {scene.world.lo, {}, {}};
        if (own_half_extents) { giant.half_extent = scene.cell; }
        EXPECT_EQ(index.insert(3, giant), kRefused);
        const std::array edits = {Change::insert(3, giant)};
        if constexpr (requires { index.edit(edits); }) { EXPECT_EQ(index.edit(edits), kRefused); }
        EXPECT_EQ(index.size(), 0u);
        EXPECT_EQ(index.count(scene.world).count, 0u);
        EXPECT_EQ(index.validate(), nullptr);
    }
    // A saved index is refused too, because loading agents needs kernels.
    if constexpr (Freezable<typename TypeParam::Index>) {
        std::vector<std::byte> saved;
        ASSERT_EQ(save(index, saved), Status{});
        EXPECT_EQ(load(index, saved), kRefused);
    }
}

TEST(UnknownIsa, IsToldByAChangeInSteps) {
    auto scene = scenes::make<2>("uniform", 40);
    RowGrid<2> grid;
    ASSERT_EQ(grid.configure(scene.world, scene.cell), Status{});
    const std::array edits = {Edit<2>::insert(3, {scene.world.lo, {}, {}})};
    GridChange<2> change;
    EXPECT_EQ(change.update(grid, scene.agents()), kRefused);
    EXPECT_EQ(change.edit(grid, edits), kRefused);
    EXPECT_EQ(change.blocks(), 0u);
    EXPECT_EQ(grid.size(), 0u);

    Crowd<2> crowd;
    ASSERT_EQ(crowd.configure({scene.world, scene.cell}), Status{});
    CrowdChange<2> crowd_change;
    Agents<2> agents = scene.agents();
    EXPECT_EQ(crowd_change.update(crowd, agents), kRefused);
    EXPECT_EQ(crowd_change.edit(crowd, edits), kRefused);
    const float half = 0.25f; // own extents: the first loop looks at sizes
    agents.half_extents = {{&half, &half}, {0, 0}, scene.size()};
    EXPECT_EQ(crowd_change.update(crowd, agents), Status{});
    crowd_change.run(0, crowd_change.blocks());
    EXPECT_EQ(crowd_change.next(), kRefused);
    EXPECT_EQ(crowd_change.blocks(), 0u);
    EXPECT_EQ(crowd.size(), 0u);
}

TEST(UnknownIsa, IsToldInCAsWell) {
    EXPECT_STREQ(throng_isa(), "none");
    throng_crowd_settings settings = THRONG_CROWD_SETTINGS_INIT;
    throng_crowd* crowd = nullptr;
    ASSERT_EQ(throng_crowd_create(&settings, &crowd).code, THRONG_OK);
    const float xy[] = {1.0f, 1.0f, 2.0f, 1.0f};
    const throng_agents agents = throng_agents_interleaved(2, xy, 2, 2 * sizeof(float));
    const throng_status status = throng_crowd_update(crowd, &agents, nullptr);
    EXPECT_EQ(status.code, THRONG_NO_SUCH_ISA);
    EXPECT_STREQ(status.argument, "environment");
    std::array<char, 200> text{};
    (void)throng_status_text(status, text.data(), text.size());
    EXPECT_EQ(to_string(kRefused), text.data());
    EXPECT_TRUE(to_string(kRefused).ends_with(" has kernels for " + simd::kernel_isas()));
    throng_crowd_destroy(crowd);
}

} // namespace
} // namespace throng

int main(int argc, char** argv) {
    throng::test::set_environment("THRONG_FORCE_ISA", "sse5"); // before its first use
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
