// Ends a program that has stopped getting anywhere.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace throng::soak {

/// Aborts the process, with a line that says where it stood, if beat() was not called for too long.
class Watchdog {
public:
    explicit Watchdog(std::chrono::seconds patience = std::chrono::seconds(60));
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;
    ~Watchdog();

    /// There is progress; `where` is a literal, for the line.
    void beat(const char* where) noexcept {
        where_.store(where, std::memory_order_relaxed);
        beats_.fetch_add(1, std::memory_order_relaxed);
    }

private:
    void watch();

    const std::chrono::seconds patience_;
    std::atomic<const char*> where_{"the beginning"};
    std::atomic<std::uint64_t> beats_{0};
    std::mutex mutex_;
    std::condition_variable ended_;
    bool end_ = false;
    std::thread thread_; // the last: it uses all the others
};

} // namespace throng::soak
