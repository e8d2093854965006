// A crowd's batch on oneTBB.
#include <throng/parallel/batch/batch.hpp>
#include <throng/parallel/executors/tbb_executor.hpp>

#include "../../../support/dims.hpp"
#include "../../../support/threads/annotated_executor.hpp"
#include "crowd_calls.hpp"

#include <gtest/gtest.h>

namespace throng {
namespace {

template <class Dim>
class TbbCrowdBatch : public testing::Test {};
TYPED_TEST_SUITE(TbbCrowdBatch, test::Dims, test::DimNames);

TYPED_TEST(TbbCrowdBatch, GivesTheSameBits) {
    constexpr std::size_t kDim = TypeParam::value;
    const test::World<kDim> world("mixed_sizes", 1'600, 300, scenes::Groups::masks);
    test::CrowdCalls<kDim> calls(world);
    Batch<kDim> serial;
    const auto wanted = calls.make_all(serial);
    TbbExecutor tbb;
    test::AnnotatedExecutor annotated(tbb);
    Batch<kDim> on_tbb(tbb), on_annotated(annotated);
    for (int frame = 0; frame < 3; ++frame) {
        EXPECT_EQ(calls.make_all(on_tbb), wanted);
        EXPECT_EQ(calls.make_all(on_annotated), wanted);
    }
}

} // namespace
} // namespace throng
