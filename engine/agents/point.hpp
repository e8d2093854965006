// A point in the plane or in space.
#pragma once

#include "../core/limits.hpp"

#include <array>
#include <cstddef>

namespace throng {

/// The coordinates of a point, x first.
template <std::size_t Dim>
struct Point {
    std::array<float, Dim> axis{};

    [[nodiscard]] constexpr float& operator[](std::size_t a) noexcept { return axis[a]; }
    [[nodiscard]] constexpr float operator[](std::size_t a) const noexcept { return axis[a]; }
    friend constexpr bool operator==(const Point&, const Point&) noexcept = default;

    /// The point whose coordinates are all `value`.
    [[nodiscard]] static constexpr Point all(float value) noexcept {
        Point point;
        point.axis.fill(value);
        return point;
    }
};

} // namespace throng
