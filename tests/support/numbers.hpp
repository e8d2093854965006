// Floats that no coordinate may be, and what arrays hold where nothing may be written.
#pragma once

#include <throng/engine/core/id.hpp>

#include <limits>

namespace throng::test {

inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
inline constexpr float kInfinity = std::numeric_limits<float>::infinity();
inline constexpr Id kCanary = 0xC0FF'EE00u;

} // namespace throng::test
