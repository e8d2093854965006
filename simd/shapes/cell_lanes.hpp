// The map from coordinates to cells, a vector at a time: GridShape::cell_on in lanes.
#pragma once

#include "../isa/lanes.hpp"

namespace throng::simd {

/// min(max((x - origin) * inverse, first), last) - first, truncated. For a window, `first` and
/// `last` are its first and last cells, as numbered in the whole grid.
///
/// GridShape subtracts whole numbers. Floats give the same result, and save a load, because the
/// last subtraction is exact: both numbers are multiples of one power of two, the last bit of the
/// larger one, and the difference is such a multiple that is no larger.
///
/// On x86 larger() yields its second operand when the first is NaN, so a NaN lands in the first
/// cell as it does in GridShape; elsewhere it truncates to 0.
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
