// The straight way between two points.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../simd/isa/export.hpp"
#include "../agents/point.hpp"
#include "direction.hpp"
#include "ray_test.hpp"

#include <algorithm>

namespace throng {

/// All points between `from` and `to`, both included; the two may be the same point. Time runs from
/// 0 at `from` to 1 at `to`.
template <std::size_t Dim>
struct THRONG_API Segment {
    Point<Dim> from, to;

    friend constexpr bool operator==(const Segment&, const Segment&) noexcept = default;
};

namespace detail {

template <std::size_t Dim>
[[nodiscard]] RayTest<Dim> ray_test(const Segment<Dim>& segment) noexcept {
    RayTest<Dim> test = {segment.from, {}, {}, {}, 1.0f};
    for (std::size_t a = 0; a < Dim; ++a) {
        test.direction[a] = segment.to[a] - segment.from[a];
        test.bounds.lo[a] = std::min(segment.from[a], segment.to[a]);
        test.bounds.hi[a] = std::max(segment.from[a], segment.to[a]);
    }
    test.along = scaled(test.direction);
    return test;
}

template <std::size_t Dim>
struct ShapeFacts<Segment<Dim>> : RayFacts<Segment<Dim>, Dim> {
    [[nodiscard]] static Status check(const Segment<Dim>& segment) noexcept {
        return first_of({check_point(segment.from, Argument::segment),
                         check_point(segment.to, Argument::segment)});
    }
    [[nodiscard]] static Segment<Dim> shifted(const Segment<Dim>& segment,
                                              const Offset<Dim>& by) noexcept {
        return {detail::shifted(segment.from, by), detail::shifted(segment.to, by)};
    }
    [[nodiscard]] static const Point<Dim>& stored_point(const Segment<Dim>& segment) noexcept {
        return segment.from;
    }
};

} // namespace detail
} // namespace throng

#include "../../simd/isa/names_end.hpp"
