// Reports a call to the host's profiler. Internal.
#pragma once

#include "profile.hpp"

#include <atomic>

namespace throng {

namespace detail {
extern std::atomic<const ProfileHooks*> g_profile_hooks;
} // namespace detail

/// Must be the first object of a call, so that it lives as long as the call. The name is a literal.
class ProfileScope {
public:
    // Acquire, so that the host's writes to the hooks are seen; it costs no more than relaxed.
    explicit ProfileScope(const char* name) noexcept
        : hooks_(detail::g_profile_hooks.load(std::memory_order_acquire)), name_(name) {
        if (hooks_ != nullptr) [[unlikely]] { hooks_->begin(name_, hooks_->user); }
    }
    ProfileScope(const ProfileScope&) = delete;
    ProfileScope& operator=(const ProfileScope&) = delete;
    ~ProfileScope() {
        if (hooks_ != nullptr) [[unlikely]] { hooks_->end(name_, hooks_->user); }
    }

private:
    const ProfileHooks* const hooks_; // as set when the call began, even if replaced meanwhile
    const char* const name_;
};

} // namespace throng
