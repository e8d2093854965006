// The names of the instruction sets that the library's kernels are compiled for.
#pragma once

#include <string>

namespace throng::simd {

/// The names as CMake's THRONG_ISAS spells them, best first: "avx512, avx2, sse4.2".
[[nodiscard]] std::string kernel_isas();

} // namespace throng::simd
