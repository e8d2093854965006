#include "thread_pool.hpp"

#include "block_loop.hpp"

#include <algorithm>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <thread>
#include <vector>

#if defined(__linux__)
#include <sched.h>
#endif
#if __has_include(<unistd.h>)
#include <unistd.h>
#endif

namespace throng {

namespace {

std::size_t usable_processors() noexcept {
#if defined(__linux__)
    // Fails if there are more processors than a cpu_set_t holds.
    cpu_set_t processors;
    if (sched_getaffinity(0, sizeof(processors), &processors) == 0) {
        return static_cast<std::size_t>(CPU_COUNT(&processors));
    }
#endif
    return std::max(std::thread::hardware_concurrency(), 1u);
}

/// The number of this process: a copy made by fork(), which has none of its threads, has another.
long process() noexcept {
#if __has_include(<unistd.h>)
    return getpid();
#else
    return 0; // no process is a copy of another
#endif
}

/// A running loop, on its caller's stack.
struct Loop {
    BlockLoop blocks;
    Loop* next = nullptr;
    std::size_t helpers = 0;        // threads of the pool that may touch it
    std::size_t asleep = 0;         // threads that are still to be woken for it
    std::condition_variable left{}; // no helpers any more
};

} // namespace

struct ThreadPool::State {
    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        {
            const std::lock_guard lock(mutex);
            stopping = true;
        }
        wake.notify_all();
        for (std::thread& thread : threads) {
            thread.join();
        }
    }

    /// The newest first: a thread that waits for it may itself be inside a block of an older loop.
    [[nodiscard]] Loop* find_work() const noexcept {
        Loop* loop = first;
        while (loop != nullptr && !loop->blocks.has_work()) {
            loop = loop->next;
        }
        return loop;
    }

    /// How many threads the one that asks is to wake now. Each that wakes does the same: one thread
    /// that woke all others would itself begin late, and the last of them later still.
    [[nodiscard]] static std::size_t take_wakes(Loop& loop) noexcept {
        const std::size_t wakes = std::min<std::size_t>(loop.asleep, 2);
        loop.asleep -= wakes;
        return wakes;
    }
    void notify(std::size_t wakes) noexcept {
        for (; wakes != 0; --wakes) {
            wake.notify_one();
        }
    }

    void help() noexcept {
        std::unique_lock lock(mutex);
        for (;;) {
            Loop* loop = nullptr;
            wake.wait(lock, [&] { return stopping || (loop = find_work()) != nullptr; });
            if (stopping) { return; }
            ++loop->helpers;
            const std::size_t wakes = take_wakes(*loop);
            lock.unlock();
            notify(wakes);
            loop->blocks.work(std::numeric_limits<std::size_t>::max());
            lock.lock();
            // With the lock held: as soon as it is free, the caller may destroy the loop.
            if (--loop->helpers == 0) { loop->left.notify_one(); }
        }
    }

    std::mutex mutex; // guards the list, the numbers of threads of its loops, and stopping
    std::condition_variable wake;
    Loop* first = nullptr;
    bool stopping = false;
    std::vector<std::thread> threads;
    const long owner = process();
};

ThreadPool::ThreadPool(std::size_t threads) : state_(std::make_unique<State>()) {
    const std::size_t workers = (threads == 0 ? usable_processors() : threads) - 1;
    state_->threads.reserve(workers);
    // If a thread cannot be started, State joins the threads that were.
    while (state_->threads.size() < workers) {
        state_->threads.emplace_back([state = state_.get()] { state->help(); });
    }
}

ThreadPool::~ThreadPool() {
    // A copy that fork() made has none of the threads: to join them would wait for ever.
    if (state_->owner != process()) { static_cast<void>(state_.release()); }
}

std::size_t ThreadPool::threads() const noexcept { return state_->threads.size() + 1; }

void ThreadPool::run(std::size_t blocks, Body body) {
    if (blocks == 0) { return; }
    State& state = *state_;
    Loop loop{BlockLoop(blocks, body)};
    if (blocks == 1 || state.threads.empty() || state.owner != process()) {
        loop.blocks.work(blocks);
        loop.blocks.rethrow();
        return;
    }
    std::size_t wakes = 0;
    {
        const std::lock_guard lock(state.mutex);
        loop.next = state.first;
        state.first = &loop;
        loop.asleep = std::min(blocks - 1, state.threads.size());
        wakes = State::take_wakes(loop);
    }
    state.notify(wakes);
    loop.blocks.work(blocks);
    {
        std::unique_lock lock(state.mutex);
        Loop** link = &state.first;
        while (*link != &loop) {
            link = &(*link)->next;
        }
        *link = loop.next; // no more helpers come in
        loop.left.wait(lock, [&] { return loop.helpers == 0; });
    }
    loop.blocks.rethrow();
}

} // namespace throng
