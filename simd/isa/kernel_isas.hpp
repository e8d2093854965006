// What the library's kernels are compiled for, in words.
#pragma once

#include <string>

namespace throng::simd {

/// As CMake's THRONG_ISAS spells them, best first: "avx512, avx2, sse4.2".
[[nodiscard]] std::string kernel_isas();

} // namespace throng::simd
