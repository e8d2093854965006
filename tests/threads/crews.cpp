// The executors on which the tests run blocks.
#include "crews.hpp"
#include "../support/threads/executors.hpp"

#include "../support/threads/annotated_executor.hpp"
#include "tbb_host.hpp"

#include <throng/parallel/executors/callback_executor.hpp>
#include <throng/parallel/executors/tbb_executor.hpp>

#include <thread>
#include <vector>

namespace throng::test {

namespace {

template <int kThreads>
void on_tbb(FunctionRef<void(Executor&)> work) {
    with_tbb_threads(kThreads, [&] {
        TbbExecutor hidden;
        AnnotatedExecutor executor(hidden);
        work(executor);
    });
}

template <std::size_t kThreads>
void on_pool(FunctionRef<void(Executor&)> work) {
    test::EagerPool executor(kThreads);
    work(executor);
}

/// Runs loops on at most three of a pool's four threads.
void on_some_of_pool(FunctionRef<void(Executor&)> work) {
    ThreadPool pool(4);
    test::Limited executor(pool, 3);
    work(executor);
}

/// The simplest job system of a host: a few new threads for each loop.
template <std::size_t kThreads>
void on_callbacks(FunctionRef<void(Executor&)> work) {
    using Jobs = std::vector<std::thread>;
    JobCallbacks callbacks;
    callbacks.enqueue = [](JobFunction job, std::size_t count, void* context, void*) -> void* {
        auto* const jobs = new Jobs;
        for (std::size_t i = 0; i < kThreads; ++i) {
            jobs->emplace_back(job, i * count / kThreads, (i + 1) * count / kThreads, context);
        }
        return jobs;
    };
    callbacks.finish = [](void* task, void*) {
        auto* const jobs = static_cast<Jobs*>(task);
        for (std::thread& thread : *jobs) {
            thread.join();
        }
        delete jobs;
    };
    CallbackExecutor executor(callbacks);
    work(executor);
}

// Executors that ThreadSanitizer can see are not annotated, so that it finds missing order.
constexpr Crew kCrews[] = {
    {"tbb2", on_tbb<2>},   {"tbb4", on_tbb<4>},           {"tbb8", on_tbb<8>},
    {"pool4", on_pool<4>}, {"pool3of4", on_some_of_pool}, {"callbacks4", on_callbacks<4>},
};

} // namespace

std::span<const Crew> crews() noexcept { return kCrews; }

void on_own_threads(std::size_t count, FunctionRef<void(std::size_t)> body) {
    std::vector<std::thread> threads;
    threads.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        threads.emplace_back([body, i] { body(i); });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
}

void on_host_tasks(std::size_t count, FunctionRef<void(std::size_t)> body) {
    HostTasks hidden;
    AnnotatedExecutor(hidden).run(count, body);
}

} // namespace throng::test
