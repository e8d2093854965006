// The instruction sets this library is compiled for, and the order in which they are preferred.
#pragma once

#include "isa.hpp"

#if !defined(__wasm__)
#include <xsimd/xsimd.hpp>
#endif

#include <type_traits>

namespace throng::simd {

/// One lane and no vector instruction: a kernel as plain scalar code, which every processor runs.
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
#elif defined(__wasm_simd128__)
/// Four lanes, without xsimd, whose first versions do not know WebAssembly.
struct Wasm {};
#endif

/// The best instruction set that the flags of this compilation allow.
#if defined(__AVX512F__) && defined(__AVX512CD__) && defined(__AVX512DQ__) &&                      \
    defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__BMI2__)
using Native = Avx512;
#elif defined(__AVX2__) && defined(__BMI__) && defined(__BMI2__) && defined(__POPCNT__)
using Native = Avx2;
#elif defined(__SSE4_2__) && defined(__POPCNT__)
using Native = Sse42;
#elif defined(__x86_64__)
using Native = Sse2;
#elif defined(__aarch64__)
using Native = Neon;
#elif defined(__wasm_simd128__)
using Native = Wasm;
#else
using Native = Scalar;
#endif

/// The Isa value of an Arch.
template <class Arch>
inline constexpr Isa kIsaOf =
#if defined(__x86_64__)
    std::is_same_v<Arch, Avx512>  ? Isa::avx512
    : std::is_same_v<Arch, Avx2>  ? Isa::avx2
    : std::is_same_v<Arch, Sse42> ? Isa::sse42
    : std::is_same_v<Arch, Sse2>  ? Isa::sse2
                                  : Isa::scalar;
#elif defined(__aarch64__)
    std::is_same_v<Arch, Neon> ? Isa::neon : Isa::scalar;
#elif defined(__wasm_simd128__)
    std::is_same_v<Arch, Wasm> ? Isa::wasm : Isa::scalar;
#else
    Isa::scalar;
#endif

template <class... Archs>
struct ArchList {};

/// Calls call(Arch{}) for the Arch of the list that is `isa`, or for the last Arch if none is.
template <class Call, class First, class... Others>
[[gnu::always_inline]] inline decltype(auto) dispatch_among(ArchList<First, Others...>, Isa isa,
                                                            const Call& call) {
    if constexpr (sizeof...(Others) != 0) {
        if (isa != kIsaOf<First>) { return dispatch_among(ArchList<Others...>{}, isa, call); }
    }
    return call(First{});
}

} // namespace throng::simd
