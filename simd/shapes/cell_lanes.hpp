// The map from coordinates to cells, a vector at a time: GridShape::cell_on in lanes.
#pragma once

#include "../isa/lanes.hpp"

namespace throng::simd {

/// min(max((x - origin) * inverse, 0), last), truncated. On x86 larger() yields its second operand
/// when the first is NaN, so a NaN lands in cell 0 as it does in GridShape; elsewhere it truncates
/// to 0.
template <class Arch>
[[gnu::always_inline]] inline Words<Arch> cells_of(const Floats<Arch>& x, float origin,
                                                   float inverse_cell, float last_cell) noexcept {
    const Floats<Arch> cell = (x - Floats<Arch>(origin)) * Floats<Arch>(inverse_cell);
    return truncate<Arch>(
        smaller<Arch>(larger<Arch>(cell, Floats<Arch>(0.0f)), Floats<Arch>(last_cell)));
}

} // namespace throng::simd
