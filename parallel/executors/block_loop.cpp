#include "block_loop.hpp"

#include <algorithm>
#include <utility>

namespace throng {

namespace {

/// Sets a thread's floating-point mode; the destructor sets the thread's old mode again.
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

BlockLoop::BlockLoop(std::size_t blocks, const Executor::Body& body, std::size_t threads) noexcept
    : body_(body), used_(std::clamp<std::size_t>(threads, 1, kMostShares)) {
    const std::size_t each = blocks / used_, more = blocks % used_;
    std::size_t begin = 0;
    for (std::size_t s = 0; s < used_; ++s) {
        shares_[s].next.store(begin, std::memory_order_relaxed);
        begin += each + (s < more ? 1 : 0);
        shares_[s].past = begin;
    }
}

void BlockLoop::work(std::size_t most, std::size_t thread) noexcept {
    const FloatModeScope scope(mode_);
    for (std::size_t k = 0; k < used_; ++k) {
        Share& share = shares_[(thread + k) % used_];
        for (; most != 0 && may_take(share); --most) {
            const std::size_t block = share.next.fetch_add(1, std::memory_order_relaxed);
            if (block >= share.past) { break; }
            try {
                body_(block);
            } catch (...) {
                if (!failed_.exchange(true, std::memory_order_relaxed)) {
                    error_ = std::current_exception();
                }
            }
        }
    }
}

bool BlockLoop::may_take(const Share& share) const noexcept {
    return share.next.load(std::memory_order_relaxed) < share.past &&
           !failed_.load(std::memory_order_relaxed);
}

bool BlockLoop::has_work() const noexcept {
    return std::any_of(shares_.data(), shares_.data() + used_,
                       [&](const Share& share) { return may_take(share); });
}

void BlockLoop::rethrow() {
    if (error_ != nullptr) { std::rethrow_exception(std::exchange(error_, nullptr)); }
}

} // namespace throng
