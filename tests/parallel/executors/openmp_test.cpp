// OpenMP as a host's job system: as a parallel loop in enqueue(), and as tasks of a running team.
#include <throng/parallel/executors/callback_executor.hpp>

#include "../../support/dims.hpp"
#include "../batch/like_serial.hpp"
#include "promises.hpp"
#include "updates.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>

namespace throng {
namespace {

/// Runs jobs in a parallel loop: all are done when enqueue() returns.
struct ParallelFor {
    int threads;

    [[nodiscard]] JobCallbacks callbacks() { return {&enqueue, nullptr, this}; }

    static void* enqueue(JobFunction job, std::size_t count, void* context, void* user) {
        const int threads = static_cast<ParallelFor*>(user)->threads;
        const auto jobs = static_cast<std::ptrdiff_t>(count);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 2)
        for (std::ptrdiff_t i = 0; i < jobs; ++i) {
            const auto begin = static_cast<std::size_t>(i);
            job(begin, begin + 1, context);
        }
        return nullptr;
    }
};

/// Runs jobs as tasks of a team. enqueue() must be called from a thread of the team.
struct Tasks {
    [[nodiscard]] static JobCallbacks callbacks() { return {&enqueue, &finish, nullptr}; }

    static void* enqueue(JobFunction job, std::size_t count, void* context, void*) {
        const std::size_t length = count / 64 + 1;
        for (std::size_t begin = 0; begin < count; begin += length) {
            const std::size_t end = std::min(begin + length, count);
#pragma omp task firstprivate(job, begin, end, context)
            job(begin, end, context);
        }
        return context; // anything but null
    }

    static void finish(void*, void*) {
#pragma omp taskwait
    }
};

/// Calls what() on one thread of a team of `threads` threads.
template <class What>
void in_team(std::size_t threads, const What& what) {
    const int team = static_cast<int>(threads);
#pragma omp parallel num_threads(team)
#pragma omp single
    what();
}

TEST(OpenMp, KeepsAllPromises) {
    for (const std::size_t threads : {1u, 4u}) { // not more, since waiting OpenMP threads spin
        SCOPED_TRACE(threads);
        ParallelFor host{static_cast<int>(threads)};
        CallbackExecutor executor(host.callbacks());
        test::expect_all_promises(executor);
        test::expect_threads(executor, std::min<std::size_t>(threads, 2), threads);
    }
}

TEST(OpenMp, RunsEachBlockOnceAsTasks) {
    for (const std::size_t threads : test::kThreadCounts) {
        SCOPED_TRACE(threads);
        CallbackExecutor executor(Tasks::callbacks());
        in_team(threads, [&] {
            test::expect_runs_each_block_once(executor);
            test::expect_can_be_nested(executor);
            test::expect_throws_once(executor);
            test::expect_runs_in_the_callers_float_mode(executor);
            test::expect_threads(executor, std::min<std::size_t>(threads, 2), threads);
        });
    }
}

template <class Dim>
class OpenMpUpdates : public testing::Test {};
TYPED_TEST_SUITE(OpenMpUpdates, test::Dims, test::DimNames);

TYPED_TEST(OpenMpUpdates, AreTheSameOnAnyNumberOfThreads) {
    for (const std::size_t threads : test::kThreadCounts) {
        SCOPED_TRACE(threads);
        ParallelFor host{static_cast<int>(threads)};
        CallbackExecutor executor(host.callbacks());
        // From now on OpenMP keeps its threads, though some of a larger team may still be ending.
        ASSERT_EQ(test::ran_once(executor, 64), 64u);
        test::expect_updates_like_serial<TypeParam::value>(executor);
    }
}

TYPED_TEST(OpenMpUpdates, AreTheSameAsTasksOfATeam) {
    for (const std::size_t threads : test::kThreadCounts) {
        SCOPED_TRACE(threads);
        CallbackExecutor executor(Tasks::callbacks());
        in_team(threads, [&] { test::expect_updates_like_serial<TypeParam::value>(executor); });
    }
}

TYPED_TEST(OpenMpUpdates, BatchesAndEditsAreTheSameToo) {
    for (const std::size_t threads : test::kThreadCounts) {
        SCOPED_TRACE(threads);
        ParallelFor host{static_cast<int>(threads)};
        CallbackExecutor loops(host.callbacks());
        test::expect_batches_like_serial<TypeParam::value>(loops);
        test::expect_edits_like_serial<TypeParam::value>(loops);
        CallbackExecutor tasks(Tasks::callbacks());
        in_team(threads, [&] {
            test::expect_batches_like_serial<TypeParam::value>(tasks);
            test::expect_edits_like_serial<TypeParam::value>(tasks);
        });
    }
}

} // namespace
} // namespace throng
