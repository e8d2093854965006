// The final status of a call of throng.h, and its names for arguments.
#pragma once

#include "../engine/core/status.hpp"
#include "../throng.h"

#include <cstdint>

namespace throng::c {

inline constexpr throng_status kOk = {THRONG_OK, 0, "", 0};

[[nodiscard]] constexpr throng_status status_with(throng_code code, const char* argument,
                                                  std::uint64_t index = 0) noexcept {
    return {code, 0, argument, index};
}

/// Names in throng.h of engine arguments whose name differs from call to call.
struct Names {
    const char* shapes = "questions.shapes";
    const char* filters = "questions.filters";
    const char* radius = "neighbourhood.radius";
    const char* body = "neighbourhood.body";
    const char* counts = "counts";
    const char* positions = "positions";
    const char* half_extents = "half_extents";
    const char* groups = "groups";
    const char* points = "points";
    const char* bounds = "settings.lo"; ///< also settings.hi
    const char* nearest = "out.nearest";
    const char* edits = "edits";
};

[[nodiscard]] throng_status status_of(const Status& status, const Names& names = {}) noexcept;

/// The status of reserve(): the engine blames positions, the C call has a number of agents.
[[nodiscard]] throng_status status_of_reserve(const Status& status) noexcept;

/// The same status; if an array is too short, the index is the length that it needs.
[[nodiscard]] constexpr throng_status with_need(throng_status status,
                                                std::uint64_t needed) noexcept {
    if (status.code == THRONG_NO_ROOM) { status.index = needed; }
    return status;
}

} // namespace throng::c
