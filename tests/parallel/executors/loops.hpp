// Helpers of the tests of executors: they watch threads, and wait for them.
#pragma once

#include "../../support/float_mode.hpp"

#include <throng/engine/core/executor.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cfenv>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace throng::test {

/// Numbers of threads, some of them larger than a small machine's number of processors.
constexpr std::size_t kThreadCounts[] = {1, 2, 3, 4, 8, 16, 32};

/// Runs `blocks` blocks and says how many ran exactly once.
inline std::size_t ran_once(Executor& executor, std::size_t blocks) {
    std::vector<std::atomic<unsigned>> counts(blocks);
    executor.run(blocks, [&](std::size_t b) { counts.at(b).fetch_add(1); });
    std::size_t once = 0;
    for (const auto& count : counts) {
        once += count == 1 ? 1 : 0;
    }
    return once;
}

/// Keeps a thread busy for 20 us, so that others meet it.
inline void spin() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(20);
    while (std::chrono::steady_clock::now() < end) {}
}

/// Waits for the condition; false if the time is up first.
template <class Condition>
bool wait_until(Condition condition,
                std::chrono::milliseconds limit = std::chrono::milliseconds(10'000)) {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (!condition()) {
        if (std::chrono::steady_clock::now() > end) { return false; }
        std::this_thread::yield();
    }
    return true;
}

/// Whether in every loop the same thread runs block 0, and the same one block 2; name() tells
/// threads apart. Blocks 0 and 2 wait for each other, and block 1 for block 2, so two threads must
/// take part.
template <class Name>
bool keep_their_blocks(Executor& executor, const Name& name) {
    using Thread = decltype(name());
    std::vector<Thread> before;
    for (int loop = 0; loop < 50; ++loop) {
        std::vector<Thread> ran(4);
        std::array<std::atomic<bool>, 4> began{};
        std::atomic<bool> in_time = true;
        executor.run(ran.size(), [&](std::size_t block) {
            ran[block] = name();
            began[block] = true;
            const auto& other = began[block == 2 ? 0 : 2];
            if (!wait_until([&] { return other.load(); })) { in_time = false; }
        });
        const std::vector<Thread> first = {ran[0], ran[2]};
        if (!in_time || (!before.empty() && first != before)) { return false; }
        before = first;
    }
    return true;
}

/// The system's ids of this process's threads. Ids are needed because a joined thread may take a
/// while to vanish, so counts are not reliable.
using Threads = std::set<std::string>;

inline Threads threads_now() {
    Threads threads;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
        threads.insert(task.path().filename().string());
    }
    return threads;
}

/// The threads once their set is stable: a library may still be starting or ending some.
inline Threads settled_threads() {
    Threads threads = threads_now();
    for (int attempt = 0; attempt < 500; ++attempt) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        Threads next = threads_now();
        if (next == threads) { break; }
        threads = std::move(next);
    }
    return threads;
}

/// The number of threads that `before` does not have.
inline std::size_t threads_since(const Threads& before) {
    const Threads now = threads_now();
    return static_cast<std::size_t>(
        std::count_if(now.begin(), now.end(),
                      [&](const std::string& thread) { return !before.contains(thread); }));
}

/// Sets this thread to round up and to flush denormals, while the object lives.
class OddFloatMode {
public:
    /// How much of that mode this thread has: 2 if it rounds up and flushes, 1 if it does one of
    /// these, 0 if neither.
    [[nodiscard]] static int here() {
        volatile float denormal = 1e-40f;
        volatile const float one = 1.0f;
        denormal = denormal * one;
        return (std::fegetround() == FE_UPWARD ? 1 : 0) + (denormal == 0.0f ? 1 : 0);
    }

private:
    FloatModeScope scope_{{FE_UPWARD, true}};
};

} // namespace throng::test
