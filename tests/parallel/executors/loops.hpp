// Shared by tests of executors: watching threads, and waiting for them.
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

/// More threads than a small machine has processors, too.
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

/// Something for threads to meet in.
inline void spin() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(20);
    while (std::chrono::steady_clock::now() < end) {}
}

/// False when the time was up first.
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

/// Whether each of two threads begins with the same block in every loop, the first and the third:
/// each of these waits for the other, and the second for the third.
inline bool keep_their_blocks(Executor& executor) {
    std::vector<std::thread::id> before;
    for (int loop = 0; loop < 50; ++loop) {
        std::vector<std::thread::id> ran(4);
        std::array<std::atomic<bool>, 4> began{};
        std::atomic<bool> in_time = true;
        executor.run(ran.size(), [&](std::size_t block) {
            ran[block] = std::this_thread::get_id();
            began[block] = true;
            const auto& other = began[block == 2 ? 0 : 2];
            if (!wait_until([&] { return other.load(); })) { in_time = false; }
        });
        const std::vector<std::thread::id> first = {ran[0], ran[2]};
        if (!in_time || (!before.empty() && first != before)) { return false; }
        before = first;
    }
    return true;
}

/// The threads of this process, by the system's names. Their number alone would tell little: one
/// that has been joined may take a moment to vanish, on a busy machine a long one.
using Threads = std::set<std::string>;

inline Threads threads_now() {
    Threads threads;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
        threads.insert(task.path().filename().string());
    }
    return threads;
}

/// As soon as none comes or goes: a library may still be starting some for an earlier test.
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

/// How many there are now that were not there before.
inline std::size_t threads_since(const Threads& before) {
    const Threads now = threads_now();
    return static_cast<std::size_t>(
        std::count_if(now.begin(), now.end(),
                      [&](const std::string& thread) { return !before.contains(thread); }));
}

/// Rounds up and flushes denormals while it lives.
class OddFloatMode {
public:
    /// Whether this thread is in that mode: 2 if wholly, 0 if not at all.
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
