// Hosts that flush denormals or use another rounding mode, with blocks on oneTBB, whose threads
// were started in the usual mode.
#include "float_modes.hpp"

#include "../support/dims.hpp"

#include <throng/parallel/executors/tbb_executor.hpp>

#include <oneapi/tbb/task_arena.h>

namespace throng {
namespace {

template <class D>
class TbbFloatModes : public testing::Test {};
TYPED_TEST_SUITE(TbbFloatModes, test::Dims, test::DimNames);

TYPED_TEST(TbbFloatModes, ReachTheThreadsOfAnArena) {
    tbb::task_arena arena(3);
    arena.execute([] {
        TbbExecutor executor;
        test::expect_the_callers_float_mode<TypeParam::value>(executor);
    });
}

} // namespace
} // namespace throng
