// The default executor of a library that was built with oneTBB.
#include "default_executor.hpp"
#include "tbb_executor.hpp"

#include <cstddef>
#include <new>

namespace throng {

Executor& default_executor() noexcept {
    // Never destroyed: a host may still update an index while its own statics are taken down.
    alignas(TbbExecutor) static std::byte storage[sizeof(TbbExecutor)];
    static Executor& executor = *::new (static_cast<void*>(storage)) TbbExecutor;
    return executor;
}

std::unique_ptr<Executor> make_tbb_executor(std::size_t threads) {
    return std::make_unique<TbbExecutor>(threads);
}

} // namespace throng
