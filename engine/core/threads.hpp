// What the library itself needs of threads, in builds without them too. Internal.
#pragma once

#include <mutex>
#if !defined(THRONG_NO_THREADS)
#include <thread>
#endif

namespace throng {

#if defined(THRONG_NO_THREADS)
/// Keeps the only thread from nothing.
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
