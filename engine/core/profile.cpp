#include "profile.hpp"

#include "assert.hpp"
#include "profile_scope.hpp"

namespace throng {

constinit std::atomic<const ProfileHooks*> detail::g_profile_hooks{nullptr};

const ProfileHooks* set_profile_hooks(const ProfileHooks* hooks) noexcept {
    THRONG_ASSERT(hooks == nullptr || (hooks->begin != nullptr && hooks->end != nullptr));
    return detail::g_profile_hooks.exchange(hooks, std::memory_order_acq_rel);
}

} // namespace throng
