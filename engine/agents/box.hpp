// The axis-aligned box, and the test whether an agent overlaps a box.
#pragma once

#include "../../simd/isa/export.hpp"
#include "point.hpp"

namespace throng {

/// All points with lo <= p <= hi on every axis. A box that is inverted on any axis holds nothing.
template <std::size_t Dim>
struct THRONG_API Box {
    Point<Dim> lo, hi;

    friend constexpr bool operator==(const Box&, const Box&) noexcept = default;

    /// The box from `centre` - `half` to `centre` + `half`.
    [[nodiscard]] static constexpr Box around(const Point<Dim>& centre,
                                              const Point<Dim>& half) noexcept {
        Box box;
        for (std::size_t a = 0; a < Dim; ++a) {
            box.lo[a] = centre[a] - half[a];
            box.hi[a] = centre[a] + half[a];
        }
        return box;
    }

    /// The box of one point: it overlaps the agents whose boxes hold the point.
    [[nodiscard]] static constexpr Box at(const Point<Dim>& point) noexcept {
        return {point, point};
    }
};

/// The one definition of "an agent overlaps a box": the agent's own box is rounded to floats, and
/// touching counts. Every structure and every instruction set gives exactly this answer.
template <std::size_t Dim>
[[nodiscard]] constexpr bool overlaps(const Box<Dim>& box, const Point<Dim>& centre,
                                      const Point<Dim>& half) noexcept {
    const Box<Dim> agent = Box<Dim>::around(centre, half);
    bool hit = true;
    for (std::size_t a = 0; a < Dim; ++a) {
        hit = hit && box.lo[a] <= box.hi[a] && agent.lo[a] <= box.hi[a] && box.lo[a] <= agent.hi[a];
    }
    return hit;
}

} // namespace throng
