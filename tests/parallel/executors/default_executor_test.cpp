// The executor for callers that name none.
#include <throng/parallel/executors/default_executor.hpp>

#include "promises.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace throng {
namespace {

TEST(DefaultExecutor, KeepsAllPromises) { test::expect_all_promises(default_executor()); }

TEST(DefaultExecutor, IsTheSameForAllCallers) {
    const Executor* other = nullptr;
    std::thread([&] { other = &default_executor(); }).join();
    EXPECT_EQ(&default_executor(), other);
}

TEST(DefaultExecutor, SaysWhatItIs) {
    const bool has_tbb = make_tbb_executor() != nullptr;
    EXPECT_EQ(default_executor().kind(), has_tbb ? ExecutorKind::tbb : ExecutorKind::pool);
    EXPECT_GE(default_executor().threads(), 1u);
    test::expect_threads(default_executor(), default_executor().threads(),
                         default_executor().threads());
}

} // namespace
} // namespace throng
