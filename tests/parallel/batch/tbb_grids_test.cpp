// Several grids asked together, on oneTBB.
#include <throng/parallel/executors/tbb_executor.hpp>

#include "../../support/dims.hpp"
#include "among_truth.hpp"

#include <gtest/gtest.h>

#include <oneapi/tbb/global_control.h>

namespace throng {
namespace {

template <class Dim>
class TbbAmong : public testing::Test {};
TYPED_TEST_SUITE(TbbAmong, test::Dims, test::DimNames);

TYPED_TEST(TbbAmong, SaysTheSameAsOneThread) {
    constexpr std::size_t kDim = TypeParam::value;
    const tbb::global_control threads(tbb::global_control::max_allowed_parallelism, 8);
    auto scene = scenes::make<kDim>("clustered", 6000, scenes::Groups::masks);
    const test::SplitCrowd<kDim> crowd(scene, scenes::shapes_for(scene), 1);
    TbbExecutor executor;
    EXPECT_EQ(test::all_said(crowd, executor), test::all_said(crowd, serial_executor()));
}

} // namespace
} // namespace throng
