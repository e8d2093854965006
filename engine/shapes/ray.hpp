// The ray: a view, a shot.
#pragma once

#include "../../simd/isa/export.hpp"
#include "../agents/point.hpp"

namespace throng {

/// All points `origin` + t * `direction` with 0 <= t <= `length`. The direction need not be of unit
/// length, but not zero; t is the time at which the ray is there.
template <std::size_t Dim>
struct THRONG_API Ray {
    Point<Dim> origin, direction;
    float length = kLargest;

    friend constexpr bool operator==(const Ray&, const Ray&) noexcept = default;
};

} // namespace throng
