// What the library itself needs of threads, in builds without them too. Internal.
#pragma once

#include <mutex>

#if defined(THRONG_NO_THREADS)

namespace throng {

/// Keeps the only thread from nothing.
struct Mutex {
    void lock() noexcept {}
    void unlock() noexcept {}
};

inline void let_others_run() noexcept {}

} // namespace throng

#else

#include <thread>

namespace throng {

using Mutex = std::mutex;

inline void let_others_run() noexcept { std::this_thread::yield(); }

} // namespace throng

#endif
