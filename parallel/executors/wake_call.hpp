// WakeCall: one thread sleeps on it, and another thread wakes the sleeper.
#pragma once

#if defined(_WIN32)
#include <condition_variable>
#include <mutex>
#else
#include <semaphore>
#endif

namespace throng {

#if defined(_WIN32)
/// A semaphore of our own: with that of MinGW's library, tests of pools waited for ever under Wine.
class WakeCall {
public:
    void release() noexcept {
        {
            const std::lock_guard lock(mutex_);
            made_ = true;
        }
        wake_.notify_one();
    }
    void acquire() noexcept {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return made_; });
        made_ = false;
    }

private:
    std::mutex mutex_;
    std::condition_variable wake_;
    bool made_ = false;
};
#else
class WakeCall : public std::binary_semaphore {
public:
    WakeCall() noexcept : std::binary_semaphore(0) {}
};
#endif

} // namespace throng
