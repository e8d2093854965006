// How a long call reports its progress, and how it is cancelled.
#pragma once

#include "function_ref.hpp"

#include <optional>
#include <type_traits>

namespace throng {

/// A borrowed callback bool(float done), valid for the call it is passed to; or none at all.
///
/// It is called on the thread that made the call, now and then, with numbers from 0 to 1 that never
/// fall. When it returns false, the call ends with Cause::cancelled and has changed nothing. An
/// exception of the callback passes through, and then nothing has changed either. The callback may
/// not use the index of the call.
class Progress {
public:
    using Callback = FunctionRef<bool(float)>;

    /// No callback: the call is never cancelled.
    Progress() noexcept = default;

    // Implicit, so that a lambda can be passed as it is.
    template <class F>
    requires(std::is_constructible_v<Callback, const F&>) Progress(const F& f)
    noexcept : callback_(Callback(f)) {}

    /// Whether there is a callback.
    [[nodiscard]] explicit operator bool() const noexcept { return callback_.has_value(); }

    /// False if the call is to end.
    [[nodiscard]] bool goes_on(float done) const { return !callback_ || (*callback_)(done); }

private:
    std::optional<Callback> callback_;
};

} // namespace throng
