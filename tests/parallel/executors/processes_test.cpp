// Executors in a process that may use only some processors, and in the child of a fork.
#include <throng/parallel/executors/default_executor.hpp>
#include <throng/parallel/executors/thread_pool.hpp>

#include "promises.hpp"

#include <gtest/gtest.h>

#include <optional>

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

namespace throng {
namespace {

TEST(ThreadPool, HasAThreadForEachProcessorThatTheCallerMayUse) {
    cpu_set_t before;
    ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
    EXPECT_EQ(ThreadPool().threads(), static_cast<std::size_t>(CPU_COUNT(&before)));
    int first = 0;
    while (!CPU_ISSET(first, &before)) {
        ++first;
    }
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
    EXPECT_EQ(ThreadPool().threads(), 1u);
    ASSERT_EQ(sched_setaffinity(0, sizeof(before), &before), 0);
}

// The child process has none of the pool's threads.
TEST(ThreadPool, ServesTheChildOfAForkAndGoesOnInTheParent) {
    std::optional<ThreadPool> pool(4);
    test::expect_threads(*pool, 2, 4);
    const pid_t child = fork();
    ASSERT_NE(child, -1);
    if (child == 0) {
        alarm(20);              // ends the child if the destructor hangs
        std::size_t blocks = 0; // not atomic: there is one thread
        pool->run(7, [&](std::size_t) { ++blocks; });
        pool.reset();
        _exit(blocks == 7 ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
    EXPECT_EQ(WEXITSTATUS(status), 0);
    test::expect_threads(*pool, 2, 4);
}

TEST(DefaultExecutor, ServesTheChildOfAFork) {
    ASSERT_EQ(test::ran_once(default_executor(), 1'000), 1'000u); // starts its threads
    const pid_t child = fork();
    if (child == 0) {
        alarm(20); // ends the child if a loop hangs
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
