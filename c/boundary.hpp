// The border that no exception crosses: what leaves a call of throng.h is a status.
#pragma once

#include "status.hpp"

#include <cstdint>
#include <utility>

namespace throng::c {

/// Thrown by whatever finds that a call must be refused.
struct Refused {
    throng_status status;
};

[[noreturn]] void refuse(throng_code code, const char* argument, std::uint64_t index = 0);

/// Thrown in place of what came out of a callback, lest a host's std::bad_alloc pass for ours.
struct CallbackThrew {};

/// call(), which is the host's.
template <class Call>
decltype(auto) call_host(Call&& call) {
    try {
        return std::forward<Call>(call)();
    } catch (...) { throw CallbackThrew(); }
}

/// For handlers: what becomes of the exception.
[[nodiscard]] throng_status status_of_exception() noexcept;

/// body(), a status, or that of the exception that came out of it. All calls of throng.h go through
/// here.
template <class Body>
[[nodiscard]] throng_status guarded(const Body& body) noexcept {
    try {
        return body();
    } catch (...) { return status_of_exception(); }
}

} // namespace throng::c
