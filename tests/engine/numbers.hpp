// Floats that no coordinate may be.
#pragma once

#include <limits>

namespace throng::test {

inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
inline constexpr float kInfinity = std::numeric_limits<float>::infinity();

} // namespace throng::test
