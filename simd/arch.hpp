// The instruction sets this library is compiled for, and the order in which they are preferred.
#pragma once

#include <xsimd/xsimd.hpp>

namespace throng::simd {

/// One lane and no vector instruction: what every processor has, and the plain reading of a kernel.
struct Scalar {};

#if defined(__x86_64__)
using Sse2 = xsimd::sse2;
using Sse42 = xsimd::sse4_2;
// Plain avx2, not fma3<avx2>: a fused multiply-add rounds once where SSE2 rounds twice, and a point
// on the rim of a ball would then be a neighbour on one machine and not on the next.
using Avx2 = xsimd::avx2;
using Avx512 = xsimd::avx512bw;
#elif defined(__aarch64__)
using Neon = xsimd::neon64;
#endif

} // namespace throng::simd
