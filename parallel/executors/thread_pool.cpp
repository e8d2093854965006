#include "thread_pool.hpp"

#include "block_loop.hpp"
#include "wake_call.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>
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

/// The id of this process. A copy made by fork() has another id, and none of the pool's threads.
long process() noexcept {
#if __has_include(<unistd.h>)
    return getpid();
#else
    return 0; // without <unistd.h> there is no fork()
#endif
}

/// How long a thread without work looks for more before it falls asleep. The next loop of the same
/// call comes sooner than that, and waking a thread takes about as long.
constexpr std::chrono::microseconds kAwake{20};

/// A running loop, on its caller's stack.
struct Loop {
    BlockLoop blocks;
    Loop* next = nullptr;
    std::atomic<std::size_t> helpers = 0; // threads of the pool that may touch it
    std::size_t asleep = 0;               // how many threads may still be woken for it
    std::condition_variable left{};       // notified when the last helper has left
};

/// A thread of the pool. Each sleeps on a call of its own: when several threads wait for one
/// condition variable, the C library may delay a wake-up until a thread woken before has run.
struct Sleeper {
    WakeCall call{};
    Sleeper* next = nullptr;
    std::size_t number = 0; // 1 or more: threads that call run() have number 0
};

/// Threads to be woken as soon as the lock is free.
using Wakes = std::array<Sleeper*, 2>;

void wake(const Wakes& wakes) noexcept {
    for (Sleeper* const sleeper : wakes) {
        if (sleeper != nullptr) { sleeper->call.release(); }
    }
}

} // namespace

struct ThreadPool::State {
    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;
    ~State() {
        {
            const std::lock_guard lock(mutex);
            stopping = true;
            events.fetch_add(1, std::memory_order_relaxed);
            for (; idle != nullptr; idle = idle->next) {
                idle->call.release();
            }
        }
        for (std::thread& thread : threads) {
            thread.join();
        }
    }

    /// The newest loop first: the thread that waits for it may itself be inside a block of an older
    /// loop.
    [[nodiscard]] Loop* find_work() const noexcept {
        Loop* loop = first;
        while (loop != nullptr && !loop->blocks.has_work()) {
            loop = loop->next;
        }
        return loop;
    }

    /// The threads that the calling thread is to wake. Each woken thread wakes more: one thread
    /// that woke all others would itself begin late, and the last of them later still.
    [[nodiscard]] Wakes take_wakes(Loop& loop) noexcept {
        Wakes wakes{};
        for (Sleeper*& sleeper : wakes) {
            if (loop.asleep == 0 || idle == nullptr) { break; }
            --loop.asleep;
            // The thread that fell asleep last: its caches still hold its data.
            sleeper = std::exchange(idle, idle->next);
        }
        return wakes;
    }

    /// Waits for the condition, for at most kAwake.
    template <class Condition>
    void stay_awake(const Condition& condition) const noexcept {
        if (!stays_awake) { return; }
        const auto enough = std::chrono::steady_clock::now() + kAwake;
        while (!condition() && std::chrono::steady_clock::now() < enough) {
            std::this_thread::yield();
        }
    }

    void help(Sleeper& self) noexcept {
        std::unique_lock lock(mutex);
        bool was_busy = false;
        while (!stopping) {
            Loop* const loop = find_work();
            if (loop == nullptr) {
                if (stays_awake && std::exchange(was_busy, false)) {
                    const std::uint64_t seen = events.load(std::memory_order_relaxed);
                    ++awake;
                    lock.unlock();
                    stay_awake([&] { return events.load(std::memory_order_relaxed) != seen; });
                    lock.lock();
                    --awake;
                    continue;
                }
                self.next = std::exchange(idle, &self);
                lock.unlock();
                self.call.acquire();
                lock.lock();
                continue;
            }
            was_busy = true;
            ++loop->helpers;
            const Wakes wakes = take_wakes(*loop);
            lock.unlock();
            wake(wakes);
            loop->blocks.work(std::numeric_limits<std::size_t>::max(), self.number);
            lock.lock();
            // With the lock held: as soon as the lock is free, the caller may destroy the loop.
            if (--loop->helpers == 0) { loop->left.notify_one(); }
        }
    }

    std::mutex mutex; // guards both lists, the counts of threads, and `stopping`
    Loop* first = nullptr;
    Sleeper* idle = nullptr;
    std::size_t awake = 0; // threads without work that do not sleep yet
    /// Counts the loops that have begun, and the end of the pool. Raised with the lock held.
    std::atomic<std::uint64_t> events = 0;
    /// False if there are more threads than processors: threads that look for work would then take
    /// processors from threads that have work.
    bool stays_awake = false;
    bool stopping = false;
    std::unique_ptr<Sleeper[]> sleepers; // one for each thread, and destroyed after all of them
    std::vector<std::thread> threads;
    const long owner = process();
};

ThreadPool::ThreadPool(std::size_t threads) : state_(std::make_unique<State>()) {
    const std::size_t processors = usable_processors();
    const std::size_t workers = (threads == 0 ? processors : threads) - 1;
    state_->stays_awake = workers < processors;
    state_->threads.reserve(workers);
    state_->sleepers = std::make_unique<Sleeper[]>(workers);
    // If a thread cannot be started, ~State() joins the threads that were started before.
    while (state_->threads.size() < workers) {
        Sleeper& sleeper = state_->sleepers[state_->threads.size()];
        sleeper.number = state_->threads.size() + 1;
        state_->threads.emplace_back([state = state_.get(), &sleeper] { state->help(sleeper); });
    }
}

ThreadPool::~ThreadPool() {
    // A copy that fork() made has none of the threads: joining them would wait for ever.
    if (state_->owner != process()) { static_cast<void>(state_.release()); }
}

std::size_t ThreadPool::threads() const noexcept { return state_->threads.size() + 1; }

void ThreadPool::run(std::size_t blocks, Body body) {
    if (blocks == 0) { return; }
    State& state = *state_;
    Loop loop{BlockLoop(blocks, body, threads())};
    if (blocks == 1 || state.threads.empty() || state.owner != process()) {
        loop.blocks.work(blocks);
        loop.blocks.rethrow();
        return;
    }
    Wakes wakes{};
    {
        const std::lock_guard lock(state.mutex);
        loop.next = state.first;
        state.first = &loop;
        state.events.fetch_add(1, std::memory_order_relaxed);
        // Threads that are awake come without being woken.
        loop.asleep = std::min(blocks - 1, state.threads.size());
        loop.asleep -= std::min(loop.asleep, state.awake);
        wakes = state.take_wakes(loop);
    }
    wake(wakes);
    loop.blocks.work(blocks);
    state.stay_awake([&] { return loop.helpers.load(std::memory_order_relaxed) == 0; });
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
