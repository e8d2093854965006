// Four 32-bit words at a time, with what every compiler and processor has: for code that is
// compiled once, outside the kernels.
#pragma once

#include <cstdint>
#include <cstring>

namespace throng::simd {

using Quad = std::uint32_t __attribute__((vector_size(16)));

inline Quad load_quad(const void* from) noexcept {
    Quad quad;
    std::memcpy(&quad, from, sizeof quad);
    return quad;
}
inline void store_quad(void* to, Quad quad) noexcept { std::memcpy(to, &quad, sizeof quad); }

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
