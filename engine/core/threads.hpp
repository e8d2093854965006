// The mutex and the yield of the library itself; they do nothing in builds without threads.
// Internal.
#pragma once

#include <mutex>
#if !defined(THRONG_NO_THREADS)
#include <thread>
#endif

namespace throng {

#if defined(THRONG_NO_THREADS)
/// Locks nothing: there is only one thread.
struct Mutex {
    void lock() noexcept {}
    void unlock() noexcept {}
};
#else
using Mutex = std::mutex;
#endif

inline void let_others_run() noexcept {
#if !defined(THRONG_NO_THREADS)
    std::this_thread::yield();
#endif
}

} // namespace throng
