#include "executor.hpp"

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
};

} // namespace

Executor::~Executor() = default;

Executor& serial_executor() noexcept {
    // Never destroyed: a host may still update an index while its own statics are taken down.
    alignas(SerialExecutor) static std::byte storage[sizeof(SerialExecutor)];
    static Executor& executor = *::new (static_cast<void*>(storage)) SerialExecutor;
    return executor;
}

} // namespace throng
