// Four 32-bit words at a time, with vector extensions of GCC and Clang, which work on every
// processor: for code that is compiled once, outside the kernels.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace throng::simd {

using Words4 = std::uint32_t __attribute__((vector_size(16)));
using Floats4 = float __attribute__((vector_size(16)));

inline Words4 load_words4(const void* from) noexcept {
    Words4 quad;
    std::memcpy(&quad, from, sizeof quad);
    return quad;
}
inline Floats4 load_floats(const float* from) noexcept {
    Floats4 quad;
    std::memcpy(&quad, from, sizeof quad);
    return quad;
}
inline void store_words4(void* to, Words4 quad) noexcept { std::memcpy(to, &quad, sizeof quad); }

/// The same number four times.
inline Floats4 four_times(float number) noexcept { return Floats4{number, number, number, number}; }

inline Words4 four_times(std::uint32_t number) noexcept {
    return Words4{number, number, number, number};
}

/// Each word plus all words before it.
inline Words4 running_sums(Words4 quad) noexcept {
    constexpr Words4 kNone = {0, 0, 0, 0};
    quad += __builtin_shufflevector(kNone, quad, 0, 4, 5, 6);
    quad += __builtin_shufflevector(kNone, quad, 0, 1, 4, 5);
    return quad;
}
/// The last word four times.
inline Words4 last_of(Words4 quad) noexcept {
    return __builtin_shufflevector(quad, quad, 3, 3, 3, 3);
}

/// One bit for each word of `mask`, the result of a comparison: words of all ones or all zeros.
template <class Mask>
inline std::uint32_t bits_of_mask(const Mask& mask) noexcept {
    const Words4 bits = std::bit_cast<Words4>(mask) & Words4{1, 2, 4, 8};
    std::uint64_t half[2];
    std::memcpy(half, &bits, sizeof half);
    const std::uint64_t both = half[0] | half[1];
    return static_cast<std::uint32_t>(both | both >> 32) & 0xFu;
}

/// Transposes the matrix whose rows are a, b, c and d.
inline void transpose(Words4& a, Words4& b, Words4& c, Words4& d) noexcept {
    const Words4 ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    const Words4 ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const Words4 cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    const Words4 cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    a = __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5);
    b = __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7);
    c = __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5);
    d = __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7);
}

} // namespace throng::simd
