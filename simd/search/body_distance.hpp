// How far agents' bodies are from each other. For *.kernel.cpp files and fused/ only.
#pragma once

#include "../isa/lanes.hpp"
#include "../views/neighbour_query.hpp"

namespace throng::simd {

/// The sum of their squares, in ascending order of axes.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline Floats<Arch> squares_of(const Floats<Arch> (&offset)[Dim]) noexcept {
    Floats<Arch> sum = offset[0] * offset[0];
    for (std::size_t a = 1; a < Dim; ++a) {
        sum = sum + offset[a] * offset[a];
    }
    return sum;
}

/// body_distance2() in lanes, of a box or a disc: docs/body-neighbours.md has the formula.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline Floats<Arch>
body_distance2(Body body, const Floats<Arch> (&offset)[Dim],
               const Floats<Arch> (&half_extent)[Dim]) noexcept {
    const Floats<Arch> zero(0.0f);
    if (body == Body::box) {
        Floats<Arch> distance2 = zero;
        for (std::size_t a = 0; a < Dim; ++a) {
            const Floats<Arch> gap =
                larger_magnitude<Arch>(offset[a], half_extent[a]) - half_extent[a];
            distance2 = a == 0 ? gap * gap : distance2 + gap * gap;
        }
        return distance2;
    }
    const Floats<Arch> gap =
        larger<Arch>(root<Arch>(squares_of<Arch>(offset)) - half_extent[0], zero);
    return gap * gap;
}

/// The largest square of the distance between centres at which discs with this sum of radii are
/// within the radius: as the square grows, body_distance2() never shrinks.
template <class Arch>
[[gnu::always_inline]] inline float disc_limit2(float radius, float sum) noexcept {
    // As numbers, floats that are not negative are in the order of their bits.
    std::uint32_t low = 0;
    std::uint32_t past = 0x7F80'0000u; // infinity
    while (low + 1 < past) {
        const std::uint32_t middle = low + (past - low) / 2;
        const float between = __builtin_sqrtf(__builtin_bit_cast(float, middle)) - sum;
        const float gap = between > 0.0f ? between : 0.0f;
        (gap * gap <= radius * radius ? low : past) = middle;
    }
    return __builtin_bit_cast(float, low);
}

/// How far from each other on each axis the centres of two agents may be whose bodies are within
/// the radius. A search widens it by more than the roundings of body_distance2().
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline void reach_of(float (&reach)[Dim], float radius, Body body,
                                            const float (&largest)[Dim],
                                            const float (&largest_of_others)[Dim]) noexcept {
    for (std::size_t a = 0; a < Dim; ++a) {
        const std::size_t h = body == Body::box ? a : 0;
        reach[a] = body == Body::centre ? radius : radius + (largest[h] + largest_of_others[h]);
    }
}

} // namespace throng::simd
