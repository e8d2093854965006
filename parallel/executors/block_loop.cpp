#include "block_loop.hpp"

#include <utility>

namespace throng {

namespace {

/// Puts a thread in another floating-point mode, and back.
class FloatModeScope {
public:
    explicit FloatModeScope(const FloatControls& mode) noexcept { mode.restore(); }
    FloatModeScope(const FloatModeScope&) = delete;
    FloatModeScope& operator=(const FloatModeScope&) = delete;
    ~FloatModeScope() { before_.restore(); }

private:
    const FloatControls before_;
};

} // namespace

BlockLoop::BlockLoop(std::size_t blocks, const Executor::Body& body) noexcept
    : blocks_(blocks), body_(body) {}

void BlockLoop::work(std::size_t most) noexcept {
    const FloatModeScope scope(mode_);
    for (; most != 0 && has_work(); --most) {
        const std::size_t block = next_.fetch_add(1, std::memory_order_relaxed);
        if (block >= blocks_) { return; }
        try {
            body_(block);
        } catch (...) {
            if (!failed_.exchange(true, std::memory_order_relaxed)) {
                error_ = std::current_exception();
            }
        }
    }
}

bool BlockLoop::has_work() const noexcept {
    return next_.load(std::memory_order_relaxed) < blocks_ &&
           !failed_.load(std::memory_order_relaxed);
}

void BlockLoop::rethrow() {
    if (error_ != nullptr) { std::rethrow_exception(std::exchange(error_, nullptr)); }
}

} // namespace throng
