// The map from coordinates to cells, a vector at a time: GridShape::cell_on in lanes.
#pragma once

#include "../isa/lanes.hpp"

namespace throng::simd {

/// min(max((x - origin) * inverse, first), last) - first, truncated. For a window, `first` and
/// `last` are its first and last cells, as numbered in the whole grid.
///
/// GridShape truncates first, and then subtracts whole numbers. Here the subtraction is in floats,
/// which saves a load. The result is the same, because the subtraction is exact: both numbers and
/// their difference are multiples of the last bit of the larger number.
///
/// A NaN lands in the first cell, as in GridShape: larger() yields its second operand when the
/// first is NaN, or a NaN on NEON, which truncates to 0.
template <class Arch>
[[gnu::always_inline]] inline Words<Arch> cells_of(const Floats<Arch>& x, float origin,
                                                   float inverse_cell, float first_cell,
                                                   float last_cell) noexcept {
    const Floats<Arch> cell = (x - Floats<Arch>(origin)) * Floats<Arch>(inverse_cell);
    const Floats<Arch> first(first_cell);
    return truncate<Arch>(smaller<Arch>(larger<Arch>(cell, first), Floats<Arch>(last_cell)) -
                          first);
}

} // namespace throng::simd
