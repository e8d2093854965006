// The ray, for views and shots.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../simd/isa/export.hpp"
#include "../agents/point.hpp"
#include "direction.hpp"
#include "ray_test.hpp"

#include <algorithm>

namespace throng {

/// All points `origin` + t * `direction` with 0 <= t <= `length`. The direction may have any length
/// except zero; t is the time at which the ray reaches a point.
template <std::size_t Dim>
struct THRONG_API Ray {
    Point<Dim> origin, direction;
    float length = kLargest;

    friend constexpr bool operator==(const Ray&, const Ray&) noexcept = default;
};

namespace detail {

template <std::size_t Dim>
[[nodiscard]] RayTest<Dim> ray_test(const Ray<Dim>& ray) noexcept {
    RayTest<Dim> test = {ray.origin, ray.direction, scaled(ray.direction), {}, ray.length};
    for (std::size_t a = 0; a < Dim; ++a) {
        const float end = ray.origin[a] + ray.direction[a] * ray.length;
        test.bounds.lo[a] = std::min(ray.origin[a], end);
        test.bounds.hi[a] = std::max(ray.origin[a], end);
    }
    return test;
}

template <std::size_t Dim>
struct ShapeFacts<Ray<Dim>> : RayFacts<Ray<Dim>, Dim> {
    [[nodiscard]] static Status check(const Ray<Dim>& ray) noexcept {
        return first_of({check_point(ray.origin, Argument::ray),
                         check_direction(ray.direction, Argument::ray),
                         check_length(ray.length, Argument::ray)});
    }
    [[nodiscard]] static Ray<Dim> shifted(const Ray<Dim>& ray, const Offset<Dim>& by) noexcept {
        return {detail::shifted(ray.origin, by), ray.direction, ray.length};
    }
    [[nodiscard]] static const Point<Dim>& stored_point(const Ray<Dim>& ray) noexcept {
        return ray.origin;
    }
};

} // namespace detail
} // namespace throng

#include "../../simd/isa/names_end.hpp"
