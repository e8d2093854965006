// The straight way between two points.
#pragma once

#include "../../simd/isa/export.hpp"
#include "../agents/point.hpp"

namespace throng {

/// All points between `from` and `to`, both included; they may be the same point. Time runs from 0
/// to 1 along it.
template <std::size_t Dim>
struct THRONG_API Segment {
    Point<Dim> from, to;

    friend constexpr bool operator==(const Segment&, const Segment&) noexcept = default;
};

} // namespace throng
