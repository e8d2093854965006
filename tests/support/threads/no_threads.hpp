// Makes the system refuse to start more threads.
#pragma once

#include <cstdlib>
#include <fstream>

#if __has_include(<sys/resource.h>)
#include <sys/resource.h>
#endif

namespace throng::test {

#if !__has_include(<sys/resource.h>)
class FewThreads {
public:
    FewThreads() {} // so that a variable of it counts as used
    static bool possible() { return false; }
};
#else

/// While such an object lives, there is room for the stacks of about 25 more threads, and little
/// else.
class FewThreads {
public:
    FewThreads() {
        std::size_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        rlimit tight{};
        if (pages == 0 || getrlimit(RLIMIT_AS, &before_) != 0) { std::abort(); }
        tight = before_;
        tight.rlim_cur = pages * 4096 + (std::size_t{200} << 20); // stacks of 8 MiB
        if (setrlimit(RLIMIT_AS, &tight) != 0) { std::abort(); }
    }
    ~FewThreads() {
        if (setrlimit(RLIMIT_AS, &before_) != 0) { std::abort(); }
    }
    FewThreads(const FewThreads&) = delete;
    FewThreads& operator=(const FewThreads&) = delete;

    /// Not possible with sanitizers, which need much address space, or with emulators, which have
    /// no limits.
    static bool possible() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        return false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
        return false;
#endif
#endif
        return std::getenv("THRONG_TEST_EMULATED") == nullptr;
    }

private:
    rlimit before_{};
};
#endif

} // namespace throng::test
