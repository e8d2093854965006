// The box that is turned.
#pragma once

#include "../../simd/isa/export.hpp"
#include "convex.hpp"

namespace throng {

/// All points `centre` + the sum of t * half_edges[i], with -1 <= t <= 1 for each edge: a box where
/// the edges are at right angles, and where not, a parallelogram or parallelepiped. It may be flat.
/// Agents' boxes are tested, as Convex tests them.
template <std::size_t Dim>
struct THRONG_API OrientedBox {
    Point<Dim> centre;
    std::array<Point<Dim>, Dim> half_edges{};

    friend constexpr bool operator==(const OrientedBox&, const OrientedBox&) noexcept = default;
};

/// The same as a convex region.
template <std::size_t Dim>
[[nodiscard]] THRONG_API Convex<Dim> convex_of(const OrientedBox<Dim>& box) noexcept;

extern template Convex<2> convex_of(const OrientedBox<2>&) noexcept;
extern template Convex<3> convex_of(const OrientedBox<3>&) noexcept;

} // namespace throng
