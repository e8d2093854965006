// Vector operations of kernels besides + - * < <= and the like: operations that xsimd 8.1 lacks, or
// that some of its versions lack or define differently. For *.kernel.cpp files only.
//
// No other file in simd/ or fused/ calls a function of xsimd; the test named vectors checks that.
//
// Every name here is a template on Arch, even where the body does not need it: each compiled copy
// then has symbols of its own, and the linker cannot hand an AVX-512 body to an SSE2 caller. For
// the same reason nothing here, or in a kernel, calls the standard library.
#pragma once

#include "vectors.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

// Clang's memory sanitizer follows each lane through the language's own operations, but reports
// some intrinsics, and assembly, if any lane is uninitialised: those are left out for it.
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#define THRONG_MEMORY_SANITIZER
#endif
#endif

namespace throng::simd {

/// A mask of floats as a mask of whole numbers, and back: the bits stay the same.
template <class Arch>
[[gnu::always_inline]] inline WordMask<Arch> word_mask(const FloatMask<Arch>& mask) noexcept {
    if constexpr (std::is_same_v<Arch, Scalar>) {
        return mask;
    } else {
#if defined(__x86_64__)
        if constexpr (kHasAvx512<Arch>) {
            return WordMask<Arch>(mask.data);
        } else if constexpr (kHasAvx2<Arch>) {
            return WordMask<Arch>(_mm256_castps_si256(mask.data));
        } else {
            return WordMask<Arch>(_mm_castps_si128(mask.data));
        }
#elif defined(__aarch64__)
        return WordMask<Arch>(mask.data);
#elif defined(__wasm_simd128__)
        return WordMask<Arch>(mask.data);
#endif
    }
}
template <class Arch>
[[gnu::always_inline]] inline FloatMask<Arch> float_mask(const WordMask<Arch>& mask) noexcept {
    if constexpr (std::is_same_v<Arch, Scalar>) {
        return mask;
    } else {
#if defined(__x86_64__)
        if constexpr (kHasAvx512<Arch>) {
            return FloatMask<Arch>(mask.data);
        } else if constexpr (kHasAvx2<Arch>) {
            return FloatMask<Arch>(_mm256_castsi256_ps(mask.data));
        } else {
            return FloatMask<Arch>(_mm_castsi128_ps(mask.data));
        }
#elif defined(__aarch64__)
        return FloatMask<Arch>(mask.data);
#elif defined(__wasm_simd128__)
        return FloatMask<Arch>(mask.data);
#endif
    }
}

/// mask ? a : b, in every lane.
template <class Arch>
[[gnu::always_inline]] inline Floats<Arch>
select(const FloatMask<Arch>& mask, const Floats<Arch>& a, const Floats<Arch>& b) noexcept {
    if constexpr (std::is_same_v<Arch, Scalar>) {
        return mask ? a : b;
    } else {
        return select(mask, a, b);
    }
}

/// The same for whole numbers.
template <class Arch>
[[gnu::always_inline]] inline Words<Arch> select(const FloatMask<Arch>& mask, const Words<Arch>& a,
                                                 const Words<Arch>& b) noexcept {
    if constexpr (std::is_same_v<Arch, Scalar>) {
        return mask ? a : b;
    } else {
#if defined(__x86_64__)
        // Some versions of xsimd's select() do not compile without optimisation.
        if constexpr (kHasAvx512<Arch>) {
            return _mm512_mask_blend_epi32(mask.data, b.data, a.data);
        } else {
            return select(word_mask<Arch>(mask), a, b);
        }
#else
        return select(word_mask<Arch>(mask), a, b);
#endif
    }
}

/// A number without its sign.
template <class Arch>
[[gnu::always_inline]] inline float magnitude(float x) noexcept {
    return __builtin_fabsf(x);
}
template <class Arch>
[[gnu::always_inline]] inline double magnitude(double x) noexcept {
    return __builtin_fabs(x);
}
template <class Arch>
[[gnu::always_inline]] inline Floats<Arch> magnitude(const Floats<Arch>& v) noexcept {
    return abs(v);
}

/// a < b ? a : b and a > b ? a : b, in every lane. Of two zeros, or with a NaN, the result is the
/// second operand; on NEON it is the lesser or greater zero, or NaN. Not xsimd's min() and max():
/// since version 14 these take the first operand.
template <class Arch>
[[gnu::always_inline]] inline Floats<Arch> smaller(const Floats<Arch>& a,
                                                   const Floats<Arch>& b) noexcept {
    if constexpr (std::is_same_v<Arch, Scalar>) {
        return min(a, b);
    } else {
#if defined(__x86_64__)
        if constexpr (kHasAvx512<Arch>) {
            return _mm512_min_ps(a.data, b.data);
        } else if constexpr (kHasAvx2<Arch>) {
            return _mm256_min_ps(a.data, b.data);
        } else {
            return _mm_min_ps(a.data, b.data);
        }
#elif defined(__aarch64__)
        return vminq_f32(a.data, b.data);
#elif defined(__wasm_simd128__)
        return wasm_f32x4_pmin(b.data, a.data);
#endif
    }
}
template <class Arch>
[[gnu::always_inline]] inline Floats<Arch> larger(const Floats<Arch>& a,
                                                  const Floats<Arch>& b) noexcept {
    if constexpr (std::is_same_v<Arch, Scalar>) {
        return max(a, b);
    } else {
#if defined(__x86_64__)
        if constexpr (kHasAvx512<Arch>) {
            return _mm512_max_ps(a.data, b.data);
        } else if constexpr (kHasAvx2<Arch>) {
            return _mm256_max_ps(a.data, b.data);
        } else {
            return _mm_max_ps(a.data, b.data);
        }
#elif defined(__aarch64__)
        return vmaxq_f32(a.data, b.data);
#elif defined(__wasm_simd128__)
        return wasm_f32x4_pmax(b.data, a.data);
#endif
    }
}

/// The same for whole numbers.
template <class Arch>
[[gnu::always_inline]] inline Words<Arch> smaller(const Words<Arch>& a,
                                                  const Words<Arch>& b) noexcept {
    return min(a, b);
}
template <class Arch>
[[gnu::always_inline]] inline Words<Arch> larger(const Words<Arch>& a,
                                                 const Words<Arch>& b) noexcept {
    return max(a, b);
}

/// if (mask) sum += value, in every lane, for sums that did not begin as minus zero.
template <class Arch>
[[gnu::always_inline]] inline Floats<Arch>
add_if(const FloatMask<Arch>& mask, const Floats<Arch>& sum, const Floats<Arch>& value) noexcept {
    if constexpr (std::is_same_v<Arch, Scalar>) {
        return mask ? sum + value : sum;
    } else {
#if defined(__x86_64__)
        // Adding zero changes no sum except minus zero, and a sum that does not begin as minus zero
        // never becomes it. This takes one or two instructions less than a select.
        if constexpr (kHasAvx512<Arch>) {
            return _mm512_mask_add_ps(sum.data, mask.data, sum.data, value.data);
        } else if constexpr (kHasAvx2<Arch>) {
            return sum + Floats<Arch>(_mm256_and_ps(mask.data, value.data));
        } else {
            return sum + Floats<Arch>(_mm_and_ps(mask.data, value.data));
        }
#elif defined(__aarch64__)
        return sum + Floats<Arch>(vreinterpretq_f32_u32(
                         vandq_u32(mask.data, vreinterpretq_u32_f32(value.data))));
#elif defined(__wasm_simd128__)
        return sum + Floats<Arch>(wasm_v128_and(mask.data, value.data));
#endif
    }
}

/// The same for whole numbers, which have no minus zero.
template <class Arch>
[[gnu::always_inline]] inline Words<Arch>
add_if(const FloatMask<Arch>& mask, const Words<Arch>& sum, const Words<Arch>& value) noexcept {
    if constexpr (std::is_same_v<Arch, Scalar>) {
        return mask ? sum + value : sum;
    } else {
#if defined(__x86_64__)
        if constexpr (kHasAvx512<Arch>) {
            return _mm512_mask_add_epi32(sum.data, mask.data, sum.data, value.data);
        } else if constexpr (kHasAvx2<Arch>) {
            return _mm256_add_epi32(sum.data,
                                    _mm256_and_si256(_mm256_castps_si256(mask.data), value.data));
        } else {
            return _mm_add_epi32(sum.data, _mm_and_si128(_mm_castps_si128(mask.data), value.data));
        }
#elif defined(__aarch64__)
        return vaddq_u32(sum.data, vandq_u32(mask.data, value.data));
#elif defined(__wasm_simd128__)
        return sum + Words<Arch>(wasm_v128_and(mask.data, value.data));
#endif
    }
}

/// The numbers of lanes, as floats.
template <class Arch>
inline constexpr float kLaneNumbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/// Lanes 0 ... count - 1.
template <class Arch>
[[gnu::always_inline]] inline FloatMask<Arch> lanes_below(std::uint32_t count) noexcept {
    return Floats<Arch>::load_unaligned(kLaneNumbers<Arch>) <=
           Floats<Arch>(static_cast<float>(count) - 0.5f);
}

/// All lanes except `lane`.
template <class Arch>
[[gnu::always_inline]] inline FloatMask<Arch> lanes_but(std::uint32_t lane) noexcept {
    if constexpr (std::is_same_v<Arch, Scalar>) {
        return lane != 0;
    } else {
#if defined(__x86_64__)
        if constexpr (kHasAvx512<Arch>) {
            return static_cast<__mmask16>(~(1u << lane));
        } else
#endif
        {
            return Floats<Arch>::load_unaligned(kLaneNumbers<Arch>) !=
                   Floats<Arch>(static_cast<float>(lane));
        }
    }
}

/// Non-negative floats under 2^24, rounded down to whole numbers.
template <class Arch>
[[gnu::always_inline]] inline Words<Arch> truncate(const Floats<Arch>& v) noexcept {
    if constexpr (std::is_same_v<Arch, Scalar>) {
        return Words<Arch>(static_cast<std::uint32_t>(v.value));
    } else {
#if defined(__wasm_simd128__)
        return wasm_u32x4_trunc_sat_f32x4(v.data);
#elif defined(THRONG_MEMORY_SANITIZER)
        typedef std::int32_t Vector __attribute__((vector_size(sizeof(v.data))));
        return Words<Arch>(reinterpret_cast<typename Words<Arch>::register_type>(
            __builtin_convertvector(v.data, Vector)));
#elif !defined(__wasm__)
        return xsimd::batch_cast<std::uint32_t>(xsimd::to_int(v));
#endif
    }
}

/// In lane l the 32 bits from bit `first` + l on, which is under 64; zeros for those behind bit 63.
template <class Arch>
[[gnu::always_inline]] inline Words<Arch> bits_from(std::uint64_t bits,
                                                    std::uint32_t first) noexcept {
    std::uint32_t of_lanes[kLanes<Arch>];
    for (std::uint32_t lane = 0; lane < kLanes<Arch>; ++lane) {
        of_lanes[lane] = static_cast<std::uint32_t>(bits >> (first + lane));
    }
    return Words<Arch>::load_unaligned(of_lanes);
}

/// One bit per lane, lane 0 in bit 0.
template <class Arch, class Mask>
[[gnu::always_inline]] inline std::uint32_t lane_bits(const Mask& mask) noexcept {
    if constexpr (std::is_same_v<Arch, Scalar>) {
        return mask ? 1u : 0u;
    } else {
#if defined(__x86_64__)
        if constexpr (kHasAvx512<Arch>) {
            return static_cast<std::uint32_t>(mask.data);
        } else if constexpr (std::is_same_v<Mask, WordMask<Arch>>) {
            if constexpr (kHasAvx2<Arch>) {
                return static_cast<std::uint32_t>(
                    _mm256_movemask_ps(_mm256_castsi256_ps(mask.data)));
            } else {
                return static_cast<std::uint32_t>(_mm_movemask_ps(_mm_castsi128_ps(mask.data)));
            }
        } else if constexpr (kHasAvx2<Arch>) {
            return static_cast<std::uint32_t>(_mm256_movemask_ps(mask.data));
        } else {
            return static_cast<std::uint32_t>(_mm_movemask_ps(mask.data));
        }
#elif defined(__aarch64__)
        // A lane of a mask is all ones or all zeros: keep one bit of each, and add the bits up.
        const uint32x4_t weights = {1, 2, 4, 8};
        return vaddvq_u32(vandq_u32(mask.data, weights));
#elif defined(__wasm_simd128__)
        return wasm_i32x4_bitmask(mask.data);
#endif
    }
}

/// One bit per lane: whether bit number `bit` of the lane's word is set.
template <class Arch>
[[gnu::always_inline]] inline std::uint32_t lanes_with(const Words<Arch>& words,
                                                       std::uint32_t bit) noexcept {
    return lane_bits<Arch>((words & Words<Arch>(1u << bit)) != Words<Arch>(0u));
}

/// The least, or the greatest, of all lanes; none may be NaN.
template <class Arch>
[[gnu::always_inline]] inline float least(const Floats<Arch>& v) noexcept {
    if constexpr (std::is_same_v<Arch, Scalar>) {
        return v.value;
    } else {
#if defined(__x86_64__)
        if constexpr (kHasAvx512<Arch>) {
            return _mm512_reduce_min_ps(v.data);
        } else {
            __m128 half;
            if constexpr (kHasAvx2<Arch>) {
                half = _mm_min_ps(_mm256_castps256_ps128(v.data), _mm256_extractf128_ps(v.data, 1));
            } else {
                half = v.data;
            }
            const __m128 two = _mm_min_ps(half, _mm_movehl_ps(half, half));
            return _mm_cvtss_f32(_mm_min_ss(two, _mm_shuffle_ps(two, two, 1)));
        }
#elif defined(__aarch64__)
        return vminvq_f32(v.data);
#elif defined(__wasm_simd128__)
        const v128_t two = wasm_f32x4_pmin(v.data, wasm_i32x4_shuffle(v.data, v.data, 2, 3, 2, 3));
        return wasm_f32x4_extract_lane(
            wasm_f32x4_pmin(two, wasm_i32x4_shuffle(two, two, 1, 1, 1, 1)), 0);
#endif
    }
}
template <class Arch>
[[gnu::always_inline]] inline float greatest(const Floats<Arch>& v) noexcept {
    return -least<Arch>(Floats<Arch>(0.0f) - v);
}

/// The square root, and a quotient: rounded alike everywhere. On NEON xsimd 8.1 only estimates
/// them.
template <class Arch>
[[gnu::always_inline]] inline Floats<Arch> root(const Floats<Arch>& v) noexcept {
    if constexpr (std::is_same_v<Arch, Scalar>) {
        return Floats<Arch>(__builtin_sqrtf(v.value));
    } else {
#if defined(__aarch64__)
        return vsqrtq_f32(v.data);
#else
        return sqrt(v);
#endif
    }
}
template <class Arch>
[[gnu::always_inline]] inline Floats<Arch> quotient(const Floats<Arch>& a,
                                                    const Floats<Arch>& b) noexcept {
    if constexpr (std::is_same_v<Arch, Scalar>) {
        return a / b;
    } else {
#if defined(__aarch64__)
        return vdivq_f32(a.data, b.data);
#else
        return a / b;
#endif
    }
}

/// The least lane of each of four vectors; none may be NaN.
template <class Arch>
[[gnu::always_inline]] inline auto least_of_four(const Floats<Arch>& a, const Floats<Arch>& b,
                                                 const Floats<Arch>& c,
                                                 const Floats<Arch>& d) noexcept {
    using Quad = float __attribute__((vector_size(16)));
    if constexpr (std::is_same_v<Arch, Scalar>) {
        return Quad{a.value, b.value, c.value, d.value};
    } else {
#if defined(__x86_64__)
        // Transposes each group of four lanes in two steps, and takes a minimum after each step.
        if constexpr (kHasAvx512<Arch>) {
            const __m512 ab = _mm512_min_ps(_mm512_unpacklo_ps(a.data, b.data),
                                            _mm512_unpackhi_ps(a.data, b.data));
            const __m512 cd = _mm512_min_ps(_mm512_unpacklo_ps(c.data, d.data),
                                            _mm512_unpackhi_ps(c.data, d.data));
            const __m512 all =
                _mm512_min_ps(_mm512_shuffle_ps(ab, cd, 0x44), _mm512_shuffle_ps(ab, cd, 0xEE));
            const __m256 half =
                _mm256_min_ps(_mm512_castps512_ps256(all), _mm512_extractf32x8_ps(all, 1));
            return static_cast<Quad>(
                _mm_min_ps(_mm256_castps256_ps128(half), _mm256_extractf128_ps(half, 1)));
        } else if constexpr (kHasAvx2<Arch>) {
            const __m256 ab = _mm256_min_ps(_mm256_unpacklo_ps(a.data, b.data),
                                            _mm256_unpackhi_ps(a.data, b.data));
            const __m256 cd = _mm256_min_ps(_mm256_unpacklo_ps(c.data, d.data),
                                            _mm256_unpackhi_ps(c.data, d.data));
            const __m256 all =
                _mm256_min_ps(_mm256_shuffle_ps(ab, cd, 0x44), _mm256_shuffle_ps(ab, cd, 0xEE));
            return static_cast<Quad>(
                _mm_min_ps(_mm256_castps256_ps128(all), _mm256_extractf128_ps(all, 1)));
        } else {
            const __m128 ab =
                _mm_min_ps(_mm_unpacklo_ps(a.data, b.data), _mm_unpackhi_ps(a.data, b.data));
            const __m128 cd =
                _mm_min_ps(_mm_unpacklo_ps(c.data, d.data), _mm_unpackhi_ps(c.data, d.data));
            return static_cast<Quad>(
                _mm_min_ps(_mm_shuffle_ps(ab, cd, 0x44), _mm_shuffle_ps(ab, cd, 0xEE)));
        }
#elif defined(__aarch64__)
        const float32x4_t all = vpminq_f32(vpminq_f32(a.data, b.data), vpminq_f32(c.data, d.data));
        return static_cast<Quad>(all);
#elif defined(__wasm_simd128__)
        const v128_t ab = wasm_f32x4_pmin(wasm_i32x4_shuffle(a.data, b.data, 0, 4, 1, 5),
                                          wasm_i32x4_shuffle(a.data, b.data, 2, 6, 3, 7));
        const v128_t cd = wasm_f32x4_pmin(wasm_i32x4_shuffle(c.data, d.data, 0, 4, 1, 5),
                                          wasm_i32x4_shuffle(c.data, d.data, 2, 6, 3, 7));
        return static_cast<Quad>(wasm_f32x4_pmin(wasm_i32x4_shuffle(ab, cd, 0, 1, 4, 5),
                                                 wasm_i32x4_shuffle(ab, cd, 2, 3, 6, 7)));
#endif
    }
}

/// For each axis, the least of all lanes of `low` and the greatest of `high`; none may be NaN.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline void
bounds_of_lanes(const Floats<Arch> (&low)[Dim], const Floats<Arch> (&high)[Dim],
                float (&least_low)[Dim], float (&greatest_high)[Dim]) noexcept {
    const Floats<Arch> zero(0.0f);
    for (std::size_t a = 0; a < Dim; a += 2) {
        const std::size_t b = a + 1 < Dim ? a + 1 : a;
        const auto least = least_of_four<Arch>(low[a], zero - high[a], low[b], zero - high[b]);
        least_low[a] = least[0];
        greatest_high[a] = -least[1];
        least_low[b] = least[2];
        greatest_high[b] = -least[3];
    }
}

/// if (mask) v |= bit, in every lane.
template <class Arch>
[[gnu::always_inline]] inline Words<Arch>
with_bit(const Words<Arch>& v, const FloatMask<Arch>& mask, std::uint32_t bit) noexcept {
    if constexpr (std::is_same_v<Arch, Scalar>) {
        return Words<Arch>(v.value | (mask ? bit : 0u));
    } else {
#if defined(__x86_64__)
        if constexpr (kHasAvx512<Arch>) {
            return _mm512_mask_or_epi32(v.data, mask.data, v.data,
                                        _mm512_set1_epi32(static_cast<int>(bit)));
        } else if constexpr (kHasAvx2<Arch>) {
            return _mm256_or_si256(v.data,
                                   _mm256_and_si256(_mm256_castps_si256(mask.data),
                                                    _mm256_set1_epi32(static_cast<int>(bit))));
        } else {
            return _mm_or_si128(v.data, _mm_and_si128(_mm_castps_si128(mask.data),
                                                      _mm_set1_epi32(static_cast<int>(bit))));
        }
#elif defined(__aarch64__)
        return vorrq_u32(v.data, vandq_u32(mask.data, vdupq_n_u32(bit)));
#elif defined(__wasm_simd128__)
        return v | (Words<Arch>(bit) & Words<Arch>(mask.data));
#endif
    }
}

/// The bits of floats. For floats that are not negative, the bits sort as the floats do.
template <class Arch>
[[gnu::always_inline]] inline Words<Arch> bits_of(const Floats<Arch>& v) noexcept {
    if constexpr (std::is_same_v<Arch, Scalar>) {
        std::uint32_t bits;
        __builtin_memcpy(&bits, &v.value, sizeof bits);
        return Words<Arch>(bits);
    } else {
        // Not xsimd's bitwise_cast: the meaning of its template argument changed with version 11.
#if defined(__x86_64__)
        if constexpr (kHasAvx512<Arch>) {
            return _mm512_castps_si512(v.data);
        } else if constexpr (kHasAvx2<Arch>) {
            return _mm256_castps_si256(v.data);
        } else {
            return _mm_castps_si128(v.data);
        }
#elif defined(__aarch64__)
        return vreinterpretq_u32_f32(v.data);
#elif defined(__wasm_simd128__)
        return v.data;
#endif
    }
}

/// a < b, for words below 2^31. A signed comparison gives the same result for these, and SSE and
/// AVX2 have no other.
template <class Arch>
[[gnu::always_inline]] inline WordMask<Arch> less_small(const Words<Arch>& a,
                                                        const Words<Arch>& b) noexcept {
    if constexpr (std::is_same_v<Arch, Scalar>) {
        return a < b;
    } else {
#if defined(__x86_64__)
        if constexpr (kHasAvx512<Arch>) {
            return _mm512_cmplt_epi32_mask(a.data, b.data);
        } else if constexpr (kHasAvx2<Arch>) {
            return _mm256_cmpgt_epi32(b.data, a.data);
        } else {
            return _mm_cmpgt_epi32(b.data, a.data);
        }
#elif defined(__aarch64__)
        return vcltq_u32(a.data, b.data);
#elif defined(__wasm_simd128__)
        return wasm_i32x4_lt(a.data, b.data);
#endif
    }
}

/// if (mask) ++v, in every lane.
template <class Arch>
[[gnu::always_inline]] inline Words<Arch> counted(const Words<Arch>& v,
                                                  const FloatMask<Arch>& mask) noexcept {
    if constexpr (std::is_same_v<Arch, Scalar>) {
        return Words<Arch>(v.value + (mask ? 1u : 0u));
    } else {
        // Except on AVX-512, a lane of a mask is all ones, which is -1, or all zeros.
#if defined(__x86_64__)
        if constexpr (kHasAvx512<Arch>) {
            return _mm512_mask_add_epi32(v.data, mask.data, v.data, _mm512_set1_epi32(1));
        } else if constexpr (kHasAvx2<Arch>) {
            return _mm256_sub_epi32(v.data, _mm256_castps_si256(mask.data));
        } else {
            return _mm_sub_epi32(v.data, _mm_castps_si128(mask.data));
        }
#elif defined(__aarch64__)
        return vsubq_u32(v.data, mask.data);
#elif defined(__wasm_simd128__)
        return wasm_i32x4_sub(v.data, mask.data);
#endif
    }
}

} // namespace throng::simd
