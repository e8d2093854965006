#include "executor.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <new>

namespace throng {

namespace {

class SerialExecutor final : public Executor {
public:
    void run(std::size_t blocks, Body body) override {
        for (std::size_t b = 0; b < blocks; ++b) {
            body(b);
        }
    }
    [[nodiscard]] std::size_t threads() const noexcept override { return 1; }
    [[nodiscard]] ExecutorKind kind() const noexcept override { return ExecutorKind::serial; }
};

} // namespace

Executor::~Executor() = default;

void Executor::run_on(std::size_t most, std::size_t blocks, Body body) {
    std::atomic<std::size_t> next = 0;
    run(std::min(most, blocks), [&](std::size_t) {
        for (std::size_t b; (b = next.fetch_add(1, std::memory_order_relaxed)) < blocks;) {
            body(b);
        }
    });
}

std::size_t Executor::threads() const noexcept { return 0; }

ExecutorKind Executor::kind() const noexcept { return ExecutorKind::other; }

Executor& serial_executor() noexcept {
    // Never destroyed: a host may still update an index while its own statics are taken down.
    alignas(SerialExecutor) static std::byte storage[sizeof(SerialExecutor)];
    static Executor& executor = *::new (static_cast<void*>(storage)) SerialExecutor;
    return executor;
}

} // namespace throng
