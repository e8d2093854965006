#include "watchdog.hpp"

#include "soak.hpp"

#include <cstdio>
#include <cstdlib>

namespace throng::soak {

Watchdog::Watchdog(std::chrono::seconds patience)
    : patience_(patience), thread_([this] { watch(); }) {}

Watchdog::~Watchdog() {
    {
        const std::lock_guard lock(mutex_);
        end_ = true;
    }
    ended_.notify_one();
    thread_.join();
}

void Watchdog::watch() {
    std::unique_lock lock(mutex_);
    for (std::uint64_t seen = beats_; !ended_.wait_for(lock, patience_, [this] { return end_; });) {
        const std::uint64_t now = beats_;
        if (now == seen) {
            std::fprintf(stderr, "no progress for %lld s; it stood at: %s\n",
                         static_cast<long long>(patience_.count()), where_.load());
            std::abort();
        }
        seen = now;
    }
}

bool stand_still() {
    const Watchdog watchdog(std::chrono::seconds(1));
    for (;;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
}

} // namespace throng::soak
