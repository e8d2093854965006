// The turned box, which is tested as a convex region.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../simd/isa/export.hpp"
#include "convex.hpp"

namespace throng {

/// All points `centre` + the sum of t * half_edges[i], with -1 <= t <= 1 for each edge: a box if
/// the edges are at right angles, else a parallelogram or parallelepiped. It may be flat. Agents'
/// boxes are tested, as Convex tests them.
template <std::size_t Dim>
struct THRONG_API OrientedBox {
    Point<Dim> centre;
    std::array<Point<Dim>, Dim> half_edges{};

    friend constexpr bool operator==(const OrientedBox&, const OrientedBox&) noexcept = default;
};

/// The turned box as a convex region, which finds the same agents.
template <std::size_t Dim>
[[nodiscard]] THRONG_API Convex<Dim> convex_of(const OrientedBox<Dim>& box) noexcept;

extern template Convex<2> convex_of(const OrientedBox<2>&) noexcept;
extern template Convex<3> convex_of(const OrientedBox<3>&) noexcept;

namespace detail {

/// Tests and kernels take a turned box as a convex region.
template <std::size_t Dim>
struct ShapeFacts<OrientedBox<Dim>> : UsualFacts<OrientedBox<Dim>> {
    using AsConvex = ShapeFacts<Convex<Dim>>;
    using Block = typename AsConvex::Block;
    static constexpr bool kAxesMix = true;

    [[nodiscard]] static Convex<Dim> test(const OrientedBox<Dim>& box) noexcept {
        return convex_of(box);
    }

    [[nodiscard]] static Status check(const OrientedBox<Dim>& box) noexcept {
        Status status = check_point(box.centre, Argument::oriented_box);
        for (std::size_t i = 0; i < Dim && status.ok(); ++i) {
            status = check_point(box.half_edges[i], Argument::oriented_box);
        }
        return status;
    }

    static void put(Block& block, std::size_t, const OrientedBox<Dim>& box) noexcept {
        AsConvex::put(block, 0, test(box));
    }
    static void put_nothing(Block& block, std::size_t) noexcept { AsConvex::put_nothing(block, 0); }
    static void bound(ShapeGate<Dim>& gate, const OrientedBox<Dim>& box) noexcept {
        AsConvex::bound(gate, test(box));
    }

    [[nodiscard]] static OrientedBox<Dim> shifted(OrientedBox<Dim> box,
                                                  const Offset<Dim>& by) noexcept {
        box.centre = detail::shifted(box.centre, by);
        return box;
    }
    [[nodiscard]] static const Point<Dim>& stored_point(const OrientedBox<Dim>& box) noexcept {
        return box.centre;
    }
};

} // namespace detail
} // namespace throng

#include "../../simd/isa/names_end.hpp"
