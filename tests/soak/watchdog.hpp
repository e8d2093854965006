// Ends a program that makes no progress.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

namespace throng::soak {

/// If beat() is not called for too long, aborts the process with a line that says where it was.
class Watchdog {
public:
    explicit Watchdog(std::chrono::seconds patience = std::chrono::seconds(60));
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;
    ~Watchdog();

    /// Reports progress; `where` is a literal that the line will show.
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
    std::thread thread_; // last: it uses all other members
};

} // namespace throng::soak
