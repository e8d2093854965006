// Executors of a library that was built without threads (THRONG_THREADS=OFF): all run loops on the
// caller.
#include "default_executor.hpp"
#include "thread_pool.hpp"

#include <system_error>

namespace throng {

struct ThreadPool::State {};

ThreadPool::ThreadPool(std::size_t threads) {
    if (threads > 1) {
        throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
    }
}
ThreadPool::~ThreadPool() = default;

void ThreadPool::run(std::size_t blocks, Body body) { serial_executor().run(blocks, body); }

std::size_t ThreadPool::threads() const noexcept { return 1; }

Executor& default_executor() noexcept { return serial_executor(); }

std::unique_ptr<Executor> make_tbb_executor(std::size_t) { return nullptr; }

} // namespace throng
