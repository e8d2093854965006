// A crowd's batch allocates nothing in a steady frame, and loses nothing when memory runs out.
#include <throng/parallel/batch/batch.hpp>

#include "../../../support/dims.hpp"
#include "../../../support/threads/executors.hpp"
#include "../crowd/crowd_calls.hpp"
#include "allocations.hpp"

#include <gtest/gtest.h>

namespace throng {
namespace {

using test::CrowdCalls;
using test::World;

template <class Dim>
class CrowdBatchAllocations : public testing::Test {};
TYPED_TEST_SUITE(CrowdBatchAllocations, test::Dims, test::DimNames);

TYPED_TEST(CrowdBatchAllocations, ThereAreNoneInASteadyFrame) {
    constexpr std::size_t kDim = TypeParam::value;
    const World<kDim> world("mixed_sizes", 1'600, 300, scenes::Groups::masks);
    const auto make = [&] { return CrowdCalls<kDim>(world); };
    test::expect_steady_frames_without<Batch<kDim>>(make);
    test::EagerPool pool(4);
    test::expect_they_die_out<Batch<kDim>>(pool, make);
}

TYPED_TEST(CrowdBatchAllocations, MayFailAnywhere) {
    constexpr std::size_t kDim = TypeParam::value;
    const World<kDim> world("mixed_sizes", 600, 100, scenes::Groups::masks);
    CrowdCalls<kDim> calls(world);
    test::expect_each_may_fail<Batch<kDim>>(calls);
    EXPECT_STREQ(world.crowd.validate(), nullptr);
}

} // namespace
} // namespace throng
