// What a call of throng.h says in the end, and by which names.
#pragma once

#include "../engine/status.hpp"
#include "../throng.h"

#include <cstdint>

namespace throng::c {

inline constexpr throng_status kOk = {THRONG_OK, 0, "", 0};

[[nodiscard]] constexpr throng_status status_with(throng_code code, const char* argument,
                                                  std::uint64_t index = 0) noexcept {
    return {code, 0, argument, index};
}

/// What throng.h calls those arguments of the engine that go by another name in another call.
struct Names {
    const char* shapes = "questions.shapes";
    const char* filters = "questions.filters";
    const char* radius = "neighbourhood.radius";
    const char* counts = "counts";
    const char* half_extents = "half_extents";
};

[[nodiscard]] throng_status status_of(const Status& status, const Names& names = {}) noexcept;

/// The same, and where the array that is blamed is too short, how long it must be.
[[nodiscard]] constexpr throng_status with_need(throng_status status,
                                                std::uint64_t needed) noexcept {
    if (status.code == THRONG_NO_ROOM) { status.index = needed; }
    return status;
}

} // namespace throng::c
