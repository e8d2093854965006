// The largest numbers that calls take.
#pragma once

#include <cstdint>

namespace throng {

/// No coordinate, extent or radius may exceed this: its square, summed over three axes, must stay a
/// finite float.
inline constexpr float kLargest = 1e18f;

/// The largest k: no question asks for more of the nearest agents.
inline constexpr std::uint32_t kMostNearest = 1024;

} // namespace throng
