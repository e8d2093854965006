// Answers about agents on rims, computed on oneTBB.
#include "boundary.hpp"

#include "../support/dims.hpp"

#include <throng/parallel/executors/tbb_executor.hpp>

#include <oneapi/tbb/task_arena.h>

namespace throng {
namespace {

template <class D>
class TbbBoundary : public testing::Test {};
TYPED_TEST_SUITE(TbbBoundary, test::Dims, test::DimNames);

TYPED_TEST(TbbBoundary, AnyNumberOfThreads) {
    test::Boundary<TypeParam::value> crowds;
    for (const int threads : {1, 2, 3, 8}) {
        tbb::task_arena arena(threads);
        arena.execute([&] {
            TbbExecutor executor;
            EXPECT_EQ(crowds.hash(executor), test::boundary_hash<TypeParam::value>()) << threads;
        });
    }
}

} // namespace
} // namespace throng
