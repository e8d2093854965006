// Writes the lanes whose bit is set, packed and in order. For *.kernel.cpp files only.
#pragma once

#include "lanes.hpp"
#include "slack.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace throng::simd {

/// Tables that say how to pack the lanes of a mask b: eight[b] lists the numbers of its set bits in
/// ascending order, 4 bits each; four[b] is the byte shuffle for 4 lanes. Built at compile time.
template <class Arch>
struct PackedLanes {
    std::uint32_t eight[256] = {};
    alignas(16) std::uint8_t four[16][16] = {};

    constexpr PackedLanes() noexcept {
        for (std::uint32_t bits = 0; bits < 256; ++bits) {
            unsigned filled = 0;
            for (std::uint32_t lane = 0; lane < 8; ++lane) {
                if ((bits >> lane & 1u) == 0) { continue; }
                eight[bits] |= lane << (4 * filled);
                if (bits < 16) {
                    for (unsigned byte = 0; byte < 4; ++byte) {
                        four[bits][4 * filled + byte] = static_cast<std::uint8_t>(4 * lane + byte);
                    }
                }
                ++filled;
            }
        }
    }
};
template <class Arch>
inline constexpr PackedLanes<Arch> kPackedLanes{};

/// Writes the lanes of `v` whose bit is set to `out`, packed and in order; returns the new end.
/// May overwrite a whole register from `out` on, whatever the number of bits set: see kSlack.
template <class Arch>
[[gnu::always_inline]] inline std::uint32_t*
compress_store(std::uint32_t* out, const Words<Arch>& v, std::uint32_t bits) noexcept {
    if constexpr (std::is_same_v<Arch, Scalar>) {
        *out = v.value;
        return out + bits;
    } else {
#if defined(__x86_64__)
        if constexpr (kHasAvx512<Arch>) {
            // Compress to a register, then store all of it: the memory form of vpcompressd is slow
            // on Zen 4 and Sapphire Rapids.
            _mm512_storeu_si512(out,
                                _mm512_maskz_compress_epi32(static_cast<__mmask16>(bits), v.data));
        } else if constexpr (kHasAvx2<Arch>) {
            const __m256i packed =
                _mm256_set1_epi32(static_cast<int>(kPackedLanes<Arch>.eight[bits]));
            const __m256i lanes =
                _mm256_srlv_epi32(packed, _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28));
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(out),
                                _mm256_permutevar8x32_epi32(v.data, lanes));
        } else if constexpr (kHasSse42<Arch>) {
            const __m128i order =
                _mm_load_si128(reinterpret_cast<const __m128i*>(kPackedLanes<Arch>.four[bits]));
            _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm_shuffle_epi8(v.data, order));
        } else {
            // SSE2 has no byte shuffle, so every lane is stored and the end moves past hits only.
            alignas(16) std::uint32_t lane[4];
            _mm_store_si128(reinterpret_cast<__m128i*>(lane), v.data);
            std::uint32_t* end = out;
            for (unsigned i = 0; i < 4; ++i) {
                *end = lane[i];
                end += bits >> i & 1u;
            }
            return end;
        }
#elif defined(__aarch64__)
        const uint8x16_t order = vld1q_u8(kPackedLanes<Arch>.four[bits]);
        vst1q_u8(reinterpret_cast<std::uint8_t*>(out),
                 vqtbl1q_u8(vreinterpretq_u8_u32(v.data), order));
#elif defined(__wasm_simd128__)
        const v128_t order = wasm_v128_load(kPackedLanes<Arch>.four[bits]);
        wasm_v128_store(out, wasm_i8x16_swizzle(v.data, order));
#endif
        return out + __builtin_popcount(bits);
    }
}

/// `bits` with only the bits of the first `left` lanes kept.
template <class Arch>
[[gnu::always_inline]] inline std::uint32_t first_lanes(std::uint32_t bits,
                                                        std::uint32_t left) noexcept {
    return left < kLanes<Arch> ? bits & ((1u << left) - 1u) : bits;
}

} // namespace throng::simd
