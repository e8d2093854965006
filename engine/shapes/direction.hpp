// Directions: where they point matters, not how long they are.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../agents/point.hpp"
#include "../agents/validation.hpp"
#include "../core/status.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace throng {

/// The direction, scaled so that its largest coordinate is between 0.5 and 1: products with it
/// neither overflow nor vanish. The scale is a power of two, so scaling is exact, except for
/// coordinates that are negligible beside the largest. Zero stays zero.
template <std::size_t Dim>
[[nodiscard]] Point<Dim> scaled(const Point<Dim>& direction) noexcept {
    float largest = 0.0f;
    for (const float d : direction.axis) {
        largest = std::max(largest, std::abs(d));
    }
    // std::frexp() and std::ldexp() are calls, and would take a tenth of the time of a short path.
    constexpr int kMantissaBits = std::numeric_limits<double>::digits - 1;
    constexpr std::uint64_t kOne = std::bit_cast<std::uint64_t>(1.0) >> kMantissaBits;
    const auto bits = std::bit_cast<std::uint64_t>(static_cast<double>(largest));
    // As a double even a denormal float is normal. Zero gives 2^1022, and stays zero.
    const std::uint64_t exponent = bits >> kMantissaBits;
    const auto scale = std::bit_cast<double>((2 * kOne - 1 - exponent) << kMantissaBits);
    Point<Dim> along = direction;
    for (float& d : along.axis) {
        d = static_cast<float>(d * scale);
    }
    return along;
}

/// The direction, scaled to length one.
template <std::size_t Dim>
[[nodiscard]] std::array<double, Dim> unit(const Point<Dim>& direction) noexcept {
    double length2 = 0.0;
    for (const double d : direction.axis) {
        length2 += d * d;
    }
    std::array<double, Dim> made;
    for (std::size_t a = 0; a < Dim; ++a) {
        made[a] = direction[a] / std::sqrt(length2);
    }
    return made;
}

/// Refuses a direction that is not finite, beyond kLargest, or zero.
template <std::size_t Dim>
[[nodiscard]] Status check_direction(const Point<Dim>& direction, Argument argument) noexcept {
    const Status status = check_point(direction, argument);
    if (!status.ok() || direction != Point<Dim>{}) { return status; }
    return {Cause::no_direction, argument};
}

} // namespace throng

#include "../../simd/isa/names_end.hpp"
