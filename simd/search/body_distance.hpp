// How far agents' bodies are from each other. For *.kernel.cpp files and fused/ only.
#pragma once

#include "../shapes/body_gaps.hpp"
#include "../views/neighbour_query.hpp"

namespace throng::simd {

/// body_distance2() in lanes, for boxes or discs but not for centres: docs/body-neighbours.md has
/// the formula.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline Floats<Arch>
body_distance2(Body body, const Floats<Arch> (&offset)[Dim],
               const Floats<Arch> (&half_extent)[Dim]) noexcept {
    if (body == Body::box) {
        Floats<Arch> gap[Dim];
        for (std::size_t a = 0; a < Dim; ++a) {
            gap[a] = box_gap<Arch>(offset[a], half_extent[a]);
        }
        return squares_of<Arch>(gap);
    }
    return disc_distance2<Arch>(squares_of<Arch>(offset), half_extent[0]);
}

/// The largest square of the distance between centres at which discs with this sum of radii are
/// within the radius: as the square grows, body_distance2() never shrinks.
template <class Arch>
[[gnu::always_inline]] inline float disc_limit2(float radius, float sum) noexcept {
    // Floats that are not negative have the same order as their bits.
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

/// How far apart, on each axis, the centres of two agents may be if their bodies are within the
/// radius. A search widens this by more than the rounding errors of body_distance2().
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
