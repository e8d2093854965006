// How far kernels read and write past the end of an array. Free of xsimd.
#pragma once

#include <cstddef>

namespace throng::simd {

/// Kernels load and store whole registers. Input arrays need this many readable elements past their
/// end, of any value, and output arrays this many writable elements past the last possible result.
inline constexpr std::size_t kSlack = 16;

} // namespace throng::simd
