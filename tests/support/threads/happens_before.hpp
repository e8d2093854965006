// Tells ThreadSanitizer of an order between threads that code built without the sanitizer ensures.
// Does nothing in other builds.
#pragma once

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define THRONG_TEST_THREAD_SANITIZER
#endif
#elif defined(__SANITIZE_THREAD__)
#define THRONG_TEST_THREAD_SANITIZER
#endif

#ifdef THRONG_TEST_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace throng::test {

/// A point in time, named by its address: everything that a thread did before release() has
/// happened for each thread that calls acquire() later. Neither call accesses memory.
class Edge {
public:
    Edge() = default;
    Edge(const Edge&) = delete;
    Edge& operator=(const Edge&) = delete;

#ifdef THRONG_TEST_THREAD_SANITIZER
    void release() const noexcept { __tsan_release(name()); }
    void acquire() const noexcept { __tsan_acquire(name()); }
#else
    void release() const noexcept {}
    void acquire() const noexcept {}
#endif

private:
#ifdef THRONG_TEST_THREAD_SANITIZER
    [[nodiscard]] void* name() const noexcept { return const_cast<char*>(&name_); }
#endif
    [[maybe_unused]] char name_ = 0;
};

} // namespace throng::test
