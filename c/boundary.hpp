// The border that no exception crosses: every call of throng.h returns a status.
#pragma once

#include "status.hpp"

#include <cstdint>
#include <utility>

namespace throng::c {

/// Thrown to refuse a call.
struct Refused {
    throng_status status;
};

[[noreturn]] void refuse(throng_code code, const char* argument, std::uint64_t index = 0);

/// Thrown in place of any exception from a callback, so that a host's std::bad_alloc is not taken
/// for ours.
struct CallbackThrew {};

/// Runs call(), a callback of the host.
template <class Call>
decltype(auto) call_host(Call&& call) {
    try {
        return std::forward<Call>(call)();
    } catch (...) { throw CallbackThrew(); }
}

/// The status for the exception that is being handled.
[[nodiscard]] throng_status status_of_exception() noexcept;

/// The status that call() returns, or the status for the exception that it threw. All calls of
/// throng.h go through here.
template <class Call>
[[nodiscard]] throng_status guarded(const Call& call) noexcept {
    try {
        return call();
    } catch (...) { return status_of_exception(); }
}

} // namespace throng::c
