// Lets threads wait until all have arrived.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <thread>

namespace throng::bench {

/// For blocks of a loop that must run on different threads at the same time: a thread cannot take a
/// second block while it waits in its first.
class Rendezvous {
public:
    explicit Rendezvous(std::size_t threads) noexcept : threads_(threads) {}

    /// Waits for all threads; false if not all arrive in time, since an executor may have fewer
    /// threads than it says.
    bool meet(std::chrono::milliseconds patience) noexcept {
        arrived_.fetch_add(1, std::memory_order_acq_rel);
        const auto latest = std::chrono::steady_clock::now() + patience;
        while (arrived_.load(std::memory_order_acquire) < threads_) {
            if (std::chrono::steady_clock::now() > latest) { return false; }
            std::this_thread::yield(); // there may be more threads than processors
        }
        return true;
    }

private:
    std::size_t threads_;
    std::atomic<std::size_t> arrived_ = 0;
};

} // namespace throng::bench
