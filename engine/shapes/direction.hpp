// Directions: only where they point matters, not how long they are.
#pragma once

#include "../agents/point.hpp"

#include <algorithm>
#include <cmath>

namespace throng {

/// The same direction, its largest coordinate between 0.5 and 1: products with it neither overflow
/// nor vanish. It is scaled by a power of two, hence exactly, except for coordinates that are
/// nothing beside the largest. Zero stays zero.
template <std::size_t Dim>
[[nodiscard]] Point<Dim> scaled(const Point<Dim>& direction) noexcept {
    float largest = 0.0f;
    for (const float d : direction.axis) {
        largest = std::max(largest, std::abs(d));
    }
    int exponent = 0;
    (void)std::frexp(largest, &exponent);
    Point<Dim> along = direction;
    for (float& d : along.axis) {
        d = std::ldexp(d, -exponent);
    }
    return along;
}

} // namespace throng
