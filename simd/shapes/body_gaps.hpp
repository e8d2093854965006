// Distances to agents' bodies, in lanes: body_distance2() in two steps. For *.kernel.cpp files and
// fused/ only.
#pragma once

#include "../isa/lanes.hpp"

#include <cstddef>

namespace throng::simd {

/// The sum of the squares of offsets, in ascending order of axes.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline Floats<Arch> squares_of(const Floats<Arch> (&offset)[Dim]) noexcept {
    Floats<Arch> sum = offset[0] * offset[0];
    for (std::size_t a = 1; a < Dim; ++a) {
        sum = sum + offset[a] * offset[a];
    }
    return sum;
}

/// The distance to the nearest point of a box, on an axis. The order of operands matters: a slot
/// without an agent is at NaN, and must not be near.
template <class Arch>
[[gnu::always_inline]] inline Floats<Arch> box_gap(const Floats<Arch>& offset,
                                                   const Floats<Arch>& half_extent) noexcept {
    return larger<Arch>(Floats<Arch>(0.0f), magnitude<Arch>(offset) - half_extent);
}

/// The square of the distance to a disc, from the square of the distance to its centre. The order
/// of operands matters here too.
template <class Arch>
[[gnu::always_inline]] inline Floats<Arch> disc_distance2(const Floats<Arch>& distance2,
                                                          const Floats<Arch>& radius) noexcept {
    const Floats<Arch> gap = larger<Arch>(Floats<Arch>(0.0f), root<Arch>(distance2) - radius);
    return gap * gap;
}

} // namespace throng::simd
