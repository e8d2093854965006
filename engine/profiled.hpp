// Tells the host's profiler of a call. Internal.
#pragma once

#include "profile.hpp"

#include <atomic>

namespace throng {

namespace detail {
extern std::atomic<const ProfileHooks*> g_profile_hooks;
} // namespace detail

/// Lives as long as a call does, and before anything else in it. The name is a literal.
class Profiled {
public:
    // Acquire, so that what the host wrote into the hooks is seen; it costs no more than relaxed.
    explicit Profiled(const char* name) noexcept
        : hooks_(detail::g_profile_hooks.load(std::memory_order_acquire)), name_(name) {
        if (hooks_ != nullptr) [[unlikely]] { hooks_->begin(name_, hooks_->user); }
    }
    Profiled(const Profiled&) = delete;
    Profiled& operator=(const Profiled&) = delete;
    ~Profiled() {
        if (hooks_ != nullptr) [[unlikely]] { hooks_->end(name_, hooks_->user); }
    }

private:
    const ProfileHooks* const hooks_; // those of the beginning, whatever is set meanwhile
    const char* const name_;
};

} // namespace throng
