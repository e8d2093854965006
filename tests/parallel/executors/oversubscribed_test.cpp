// More threads than processors, with several priorities, and with one thread stopped for a while.
#include <throng/parallel/executors/thread_pool.hpp>

#include "../../support/dims.hpp"
#include "../../support/threads/executors.hpp"
#include "../batch/like_serial.hpp"
#include "promises.hpp"
#include "updates.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <ctime>
#include <fstream>
#include <pthread.h>
#include <string>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace throng {
namespace {

using namespace std::chrono_literals;

/// The processor time of all threads of this process, in seconds.
double processor_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Calls call() once on each thread of the pool, the calling one included.
template <class Call>
void on_each_thread(ThreadPool& pool, Call call) {
    std::atomic<std::size_t> arrived = 0;
    pool.run(pool.threads(), [&](std::size_t) {
        ++arrived; // threads wait for each other here, so each runs one block
        EXPECT_TRUE(test::wait_until([&] { return arrived == pool.threads(); }));
        call();
    });
}

/// Lowers the priority of every second thread, and of every fourth to the lowest.
void mix_priorities(ThreadPool& pool) {
    const std::thread::id caller = std::this_thread::get_id();
    std::atomic<std::size_t> count = 0;
    on_each_thread(pool, [&] {
        // Without privileges a priority cannot be raised again, and the calling thread outlives the
        // test.
        if (std::this_thread::get_id() == caller) { return; }
        const std::size_t number = ++count;
        if (number % 2 != 0) { return; }
        const auto thread = static_cast<id_t>(syscall(SYS_gettid));
        const int wanted = number % 4 == 0 ? 19 : 10;
        const int nice = std::max(getpriority(PRIO_PROCESS, thread), wanted);
        EXPECT_EQ(setpriority(PRIO_PROCESS, thread, nice), 0);
    });
}

constexpr auto kStop = 999ms;

/// Sleeps in a signal handler, like a thread that the system does not run.
void stop_here(int) {
    const timespec time{0, std::chrono::nanoseconds(kStop).count()};
    nanosleep(&time, nullptr);
}

class StopSignal {
public:
    StopSignal() {
        struct sigaction action {};
        action.sa_handler = stop_here;
        action.sa_flags = SA_RESTART;
        if (sigaction(SIGUSR1, &action, &before_) != 0) { std::abort(); }
    }
    StopSignal(const StopSignal&) = delete;
    StopSignal& operator=(const StopSignal&) = delete;
    ~StopSignal() { sigaction(SIGUSR1, &before_, nullptr); }

private:
    struct sigaction before_ {};
};

/// A thread's handle for signals, and its number in the system.
struct Thread {
    pthread_t handle;
    long number;
};

/// A thread of the pool that is not the calling one.
Thread other_thread(ThreadPool& pool) {
    const std::thread::id caller = std::this_thread::get_id();
    std::mutex mutex;
    Thread other{};
    on_each_thread(pool, [&] {
        const std::lock_guard lock(mutex);
        if (std::this_thread::get_id() != caller) { other = {pthread_self(), syscall(SYS_gettid)}; }
    });
    return other;
}

/// Whether a thread of this process sleeps.
bool is_asleep(const Thread& thread) {
    std::ifstream file("/proc/self/task/" + std::to_string(thread.number) + "/stat");
    std::string all;
    std::getline(file, all);
    // The state follows the name, which is in brackets and may contain brackets.
    const std::size_t name = all.rfind(") ");
    return name != std::string::npos && all[name + 2] == 'S';
}

template <class Dim>
class Oversubscribed : public testing::Test {};
TYPED_TEST_SUITE(Oversubscribed, test::Dims, test::DimNames);

TYPED_TEST(Oversubscribed, ThreadsOfAllPrioritiesAnswerLikeOne) {
    constexpr std::size_t kDim = TypeParam::value;
    for (const std::size_t threads : {3u, 16u, 64u}) {
        SCOPED_TRACE(threads);
        ThreadPool pool(threads);
        mix_priorities(pool);
        // Three threads at most: loops then run on a part of the pool.
        test::Limited three(pool, 3);
        for (Executor* const executor :
             {static_cast<Executor*>(&pool), static_cast<Executor*>(&three)}) {
            test::expect_updates_like_serial<kDim>(*executor);
            test::expect_edits_like_serial<kDim>(*executor);
            test::expect_batches_like_serial<kDim>(*executor);
        }
    }
}

TEST(OversubscribedPool, KeepsAllPromises) {
    ThreadPool pool(64);
    mix_priorities(pool);
    test::expect_all_promises(pool);
}

TEST(OversubscribedPool, AStoppedThreadDoesNotHoldUpOthersWork) {
    const StopSignal signal;
    ThreadPool pool(4);
    const Thread stopped = other_thread(pool);
    // If the thread were stopped while it held the pool's lock, all others would wait. A thread
    // that waits for the lock is asleep too, but only briefly: so it must be seen asleep twice.
    for (int seen = 0; seen < 2; ++seen) {
        ASSERT_TRUE(test::wait_until([&] { return is_asleep(stopped); }));
        std::this_thread::sleep_for(1ms);
    }
    const auto begin = std::chrono::steady_clock::now();
    // The signal stops it in its sleep, so it takes no block.
    ASSERT_EQ(pthread_kill(stopped.handle, SIGUSR1), 0);
    for (int loop = 0; loop < 10; ++loop) {
        EXPECT_EQ(test::ran_once(pool, 64), 64u);
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, kStop) << "it was waited for";
}

void expect_no_spinning_while_a_block_is_stopped(ThreadPool& pool) {
    const std::thread::id caller = std::this_thread::get_id();
    ASSERT_EQ(test::ran_once(pool, 64), 64u);
    std::atomic<bool> stopped = false;
    const auto begin = std::chrono::steady_clock::now();
    const double before = processor_seconds();
    std::atomic<std::size_t> ran = 0;
    pool.run(64, [&](std::size_t) {
        ++ran;
        const bool here = std::this_thread::get_id() != caller && !stopped.exchange(true);
        if (here) { raise(SIGUSR1); }
        // Waits here, so that a thread other than the caller gets a block.
        EXPECT_TRUE(test::wait_until([&] { return stopped.load(); }));
    });
    EXPECT_EQ(ran, 64u);
    const double used = processor_seconds() - before;
    EXPECT_GE(std::chrono::steady_clock::now() - begin, kStop) << "the loop ends with its blocks";
    EXPECT_LT(used, std::chrono::duration<double>(kStop).count() / 4);
}

TEST(OversubscribedPool, NobodySpinsWhileABlockIsStopped) {
    const StopSignal signal;
    ThreadPool pool(8);
    expect_no_spinning_while_a_block_is_stopped(pool);
}

TEST(ThreadPool, NobodySpinsForLongWhereThereIsAProcessorForEachThread) {
    const StopSignal signal;
    ThreadPool pool;
    if (pool.threads() == 1) { GTEST_SKIP() << "one processor"; }
    expect_no_spinning_while_a_block_is_stopped(pool);
}

} // namespace
} // namespace throng
