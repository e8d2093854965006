// A batch's answers do not depend on the order of its blocks, tested on one thread.
#include <throng/parallel/batch/batch.hpp>

#include "../../support/dims.hpp"
#include "../../support/long_run.hpp"
#include "../../support/threads/executors.hpp"
#include "hashes.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace throng {
namespace {

template <class Dim>
class BatchOrders : public testing::Test {};
TYPED_TEST_SUITE(BatchOrders, test::Dims, test::DimNames);

template <std::size_t Dim>
void expect_same_in_any_order(test::TwoGrids<Dim>& crowd) {
    const auto wanted = test::hashes(crowd, serial_executor());
    const std::uint64_t seeds = test::large_run() && !test::emulated() ? 100 : 10;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        test::ShuffleExecutor executor(seed);
        ASSERT_EQ(test::hashes(crowd, executor), wanted) << seed;
    }
}

TYPED_TEST(BatchOrders, AnyOrder) {
    test::TwoGrids<TypeParam::value> crowd(1'600);
    expect_same_in_any_order(crowd);
}

TYPED_TEST(BatchOrders, AnyOrderForWhatIsExact) {
    test::for_each_exact_crowd<TypeParam::value>(
        1'100, [](auto& crowd) { expect_same_in_any_order(crowd); });
}

} // namespace
} // namespace throng
