// The executor that callers get who name none.
#include <throng/parallel/executors/default_executor.hpp>

#include "promises.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include <sys/wait.h>
#include <unistd.h>

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

TEST(DefaultExecutor, ServesTheChildOfAFork) {
    ASSERT_EQ(test::ran_once(default_executor(), 1'000), 1'000u); // threads are there
    const pid_t child = fork();
    if (child == 0) {
        alarm(20); // it ends if a loop does not
        bool all = true;
        for (int i = 0; i < 100; ++i) {
            all = all && test::ran_once(default_executor(), 1'000) == 1'000u;
        }
        _exit(all ? 0 : 1);
    }
    ASSERT_GT(child, 0);
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    EXPECT_EQ(test::ran_once(default_executor(), 1'000), 1'000u) << "and the parent goes on";
}

} // namespace
} // namespace throng
