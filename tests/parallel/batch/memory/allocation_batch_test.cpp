// A batch allocates nothing in a steady frame, and loses nothing when memory runs out.
#include <throng/parallel/batch/batch.hpp>

#include "../../../support/dims.hpp"
#include "../../../support/threads/executors.hpp"
#include "../calls.hpp"
#include "allocations.hpp"

#include <gtest/gtest.h>

namespace throng {
namespace {

template <class Dim>
class BatchAllocations : public testing::Test {};
TYPED_TEST_SUITE(BatchAllocations, test::Dims, test::DimNames);

TYPED_TEST(BatchAllocations, ThereAreNoneInASteadyFrame) {
    constexpr std::size_t kDim = TypeParam::value;
    const test::TwoGrids<kDim> crowd(3'000);
    test::expect_steady_frames_without<Batch<kDim>>([&] { return test::Calls<kDim>(crowd); });
}

TYPED_TEST(BatchAllocations, DieOutOnManyThreads) {
    constexpr std::size_t kDim = TypeParam::value;
    const test::TwoGrids<kDim> crowd(3'000);
    test::EagerPool pool(4);
    test::expect_they_die_out<Batch<kDim>>(pool, [&] { return test::Calls<kDim>(crowd); });
}

TYPED_TEST(BatchAllocations, MayFailAnywhere) {
    constexpr std::size_t kDim = TypeParam::value;
    const test::TwoGrids<kDim> crowd(1'100);
    test::Calls<kDim> calls(crowd);
    test::expect_each_may_fail<Batch<kDim>>(calls);
    EXPECT_STREQ(crowd.grid.validate(), nullptr);
}

TYPED_TEST(BatchAllocations, AreGivenBack) {
    const test::TwoGrids<TypeParam::value> crowd(3'000);
    test::Calls<TypeParam::value> calls(crowd);
    test::EagerPool pool(3);
    Batch<TypeParam::value> batch(pool);
    const std::size_t fresh = batch.memory();
    const auto wanted = calls.make_all(batch);
    const std::size_t used = batch.memory();
    EXPECT_GT(used, fresh + 10'000u);
    batch.release();
    EXPECT_EQ(batch.memory(), fresh);
    EXPECT_EQ(calls.make_all(batch), wanted);
}

} // namespace
} // namespace throng
