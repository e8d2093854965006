// Four 32-bit words at a time, with what every compiler and processor has: for code that is
// compiled once, outside the kernels.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace throng::simd {

using Quad = std::uint32_t __attribute__((vector_size(16)));
using FloatQuad = float __attribute__((vector_size(16)));

inline Quad load_quad(const void* from) noexcept {
    Quad quad;
    std::memcpy(&quad, from, sizeof quad);
    return quad;
}
inline FloatQuad load_floats(const float* from) noexcept {
    FloatQuad quad;
    std::memcpy(&quad, from, sizeof quad);
    return quad;
}
inline void store_quad(void* to, Quad quad) noexcept { std::memcpy(to, &quad, sizeof quad); }

/// The same number four times.
inline FloatQuad four_times(float number) noexcept {
    return FloatQuad{number, number, number, number};
}

inline Quad four_times(std::uint32_t number) noexcept {
    return Quad{number, number, number, number};
}

/// Each word plus those before it.
inline Quad running_sums(Quad quad) noexcept {
    constexpr Quad kNone = {0, 0, 0, 0};
    quad += __builtin_shufflevector(kNone, quad, 0, 4, 5, 6);
    quad += __builtin_shufflevector(kNone, quad, 0, 1, 4, 5);
    return quad;
}
/// The last word four times.
inline Quad last_of(Quad quad) noexcept { return __builtin_shufflevector(quad, quad, 3, 3, 3, 3); }

/// Of a comparison, whose words are all ones or zeros: a bit for each.
template <class Mask>
inline std::uint32_t bits_of_mask(const Mask& mask) noexcept {
    const Quad bits = std::bit_cast<Quad>(mask) & Quad{1, 2, 4, 8};
    std::uint64_t half[2];
    std::memcpy(half, &bits, sizeof half);
    const std::uint64_t both = half[0] | half[1];
    return static_cast<std::uint32_t>(both | both >> 32) & 0xFu;
}

/// Rows become columns.
inline void transpose(Quad& a, Quad& b, Quad& c, Quad& d) noexcept {
    const Quad ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    const Quad ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const Quad cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    const Quad cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
    b = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
    c = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
    d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

} // namespace throng::simd
