// The default executor of a library that was built without oneTBB.
#include "default_executor.hpp"
#include "thread_pool.hpp"

#include <exception>

namespace throng {

namespace {

Executor& pool_or_caller() noexcept {
    try {
        return *new ThreadPool; // never destroyed: its threads may sleep in it while the process
                                // ends
    } catch (const std::exception&) { return serial_executor(); }
}

} // namespace

Executor& default_executor() noexcept {
    static Executor& executor = pool_or_caller();
    return executor;
}

std::unique_ptr<Executor> make_tbb_executor(std::size_t) { return nullptr; }

} // namespace throng
