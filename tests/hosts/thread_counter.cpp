// A preloaded library that prints at exit how many threads the process has had, the first one
// included. Reading /proc from time to time would miss short threads.
#include <atomic>
#include <cstdio>

#include <dlfcn.h>
#include <pthread.h>

namespace {

using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);

struct Counter {
    std::atomic<int> threads = 1;
    ~Counter() { std::fprintf(stderr, "threads %d\n", threads.load()); }
};
constinit Counter counter;

} // namespace

extern "C" __attribute__((visibility("default"))) int
pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
               void* argument) noexcept {
    static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
    ++counter.threads;
    return create(thread, attributes, start, argument);
}
