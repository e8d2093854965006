// How kernels test agents' bodies against balls, a vector at a time. For *.kernel.cpp files only.
#pragma once

#include "ball_lanes.hpp"
#include "body_lanes.hpp"

namespace throng::simd {

/// Tests one agent at a time against kVectors vectors of a block's balls, one ball in each lane.
template <class Arch, std::size_t Dim, std::uint32_t kVectors>
struct BodyBallPacket {
    static constexpr std::size_t kNumbers = 2 * Dim; ///< of an agent: its centre and half extents
    using Body = BodyLanes<Arch, Dim, Extents::either>;

    BallPacket<Arch, Dim, kVectors> balls;
    Floats<Arch> box[kVectors], disc[kVectors];
    Body widest; ///< the largest of the bodies that an agent has for these balls
    Floats<Arch> most_radius;
    bool discs; ///< whether any ball asks about discs

    [[gnu::always_inline]] BodyBallPacket(const GridView<Dim>& grid,
                                          const BodyBallBlock<Dim>& queries, std::size_t q) noexcept
        : balls(grid, queries, q), widest(grid, most(queries.box + q), most(queries.disc + q)),
          most_radius(most(queries.radius + q)), discs(widest.is_disc()) {
        for (std::uint32_t v = 0; v < kVectors; ++v) {
            box[v] = Floats<Arch>::load_unaligned(queries.box + q + v * kLanes<Arch>);
            disc[v] = Floats<Arch>::load_unaligned(queries.disc + q + v * kLanes<Arch>);
        }
    }

    [[gnu::always_inline]] static Floats<Arch> number(const GridView<Dim>& grid,
                                                      const NodeArrays& row, std::uint32_t i,
                                                      std::size_t n) noexcept {
        if (n >= Dim && !grid.own_extents) { return Floats<Arch>(grid.max_half_extent[n - Dim]); }
        return floats_at<Arch>(
            row, n < Dim ? Fields<Dim>::kPosition + n : Fields<Dim>::kHalfExtent + n - Dim, i);
    }

    /// A bit for each node from `i` on that any ball may hit: the largest of the bodies that the
    /// node has for these balls is within the largest radius of the box around all centres. A
    /// little more is allowed, since tests of discs are rounded differently.
    [[gnu::always_inline]] std::uint32_t may_hit(const GridView<Dim>& grid, const NodeArrays& row,
                                                 std::uint32_t i) const noexcept {
        Floats<Arch> gap[Dim];
        for (std::size_t a = 0; a < Dim; ++a) {
            const Floats<Arch> x = number(grid, row, i, a);
            const Floats<Arch> offset =
                larger<Arch>(larger<Arch>(x - balls.greatest_centre[a], balls.least_centre[a] - x),
                             Floats<Arch>(0.0f));
            gap[a] = box_gap<Arch>(offset, widest.half_at(row, i, a));
        }
        Floats<Arch> reach = most_radius;
        if (discs) { reach = reach + widest.radius_at(row, i); }
        reach = reach + reach * Floats<Arch>(kSlackRatio) + Floats<Arch>(kTiny);
        return lane_bits<Arch>(squares_of<Arch>(gap) <= reach * reach);
    }

    /// The test of BodyBallLanes::hits(), for the agent that has these numbers.
    template <class Number>
    [[gnu::always_inline]] FloatMask<Arch> hits(std::uint32_t v,
                                                const Number& number) const noexcept {
        Floats<Arch> gap[Dim];
        for (std::size_t a = 0; a < Dim; ++a) {
            gap[a] = box_gap<Arch>(number(a) - balls.centre[v][a], number(Dim + a) * box[v]);
        }
        Floats<Arch> distance2 = squares_of<Arch>(gap);
        if (discs) {
            distance2 = select<Arch>(disc[v] != Floats<Arch>(0.0f),
                                     disc_distance2<Arch>(distance2, number(Dim)), distance2);
        }
        return distance2 <= balls.radius2[v];
    }

private:
    [[gnu::always_inline]] static float most(const float* of_queries) noexcept {
        Floats<Arch> all = Floats<Arch>::load_unaligned(of_queries);
        for (std::uint32_t v = 1; v < kVectors; ++v) {
            all = larger<Arch>(all, Floats<Arch>::load_unaligned(of_queries + v * kLanes<Arch>));
        }
        return greatest<Arch>(all);
    }
};

/// Searches rows like BallLanes::RowCells, but with two balls: the outer ball holds the centres of
/// all hits, and every agent with its centre in the inner ball is a hit.
template <class Arch, std::size_t Dim>
struct BodyBallRows {
    using Ball = BallLanes<Arch, Dim>;
    using Rows = typename Ball::RowCells;
    Ball outer_ball, inner_ball;

    template <class Lanes>
    [[gnu::always_inline]] BodyBallRows(const GridView<Dim>& grid, const Lanes& lanes) noexcept
        : outer_ball(lanes.wide(grid)), inner_ball(lanes.sure()) {}

    [[gnu::always_inline]] bool row(const GridView<Dim>& grid, const std::uint32_t (&cell)[Dim],
                                    CellRange& outer, CellRange& inside) const noexcept {
        if (!Rows(grid, outer_ball).row(grid, cell, outer, inside)) { return false; }
        CellRange reached = outer;
        inside = CellRange::none();
        (void)Rows(grid, inner_ball).row(grid, cell, reached, inside);
        return true;
    }
};

/// Tests agents' bodies against one ball of a block; agents share an extent or have their own.
/// `BodyOfAgent` says which body an agent has for a ball of `BlockOfBalls`.
template <class Arch, std::size_t Dim, class BlockOfBalls = BodyBallBlock<Dim>,
          class BodyOfAgent = BodyLanes<Arch, Dim, Extents::either>>
struct BodyBallLanes : BallLanes<Arch, Dim> {
    using Block = BlockOfBalls;
    using Ball = BallLanes<Arch, Dim>;
    using AnyExtents = BodyBallLanes;
    using Body = BodyOfAgent;
    static constexpr bool kTellsInside = true;
    static constexpr bool kFrequent = false;
    template <std::uint32_t kVectors>
    using Packet = BodyBallPacket<Arch, Dim, kVectors>;
    Body body;

    template <class SomeBalls>
    [[gnu::always_inline]] BodyBallLanes(const GridView<Dim>& grid, const SomeBalls& balls,
                                         std::size_t q) noexcept
        : Ball(grid, balls, q), body(grid, balls, q) {}

    /// The bounds of where the centres of hits may lie, for a vector of queries.
    [[gnu::always_inline]] static Bounds<Arch> bounds(const GridView<Dim>& grid, const Block& balls,
                                                      std::size_t q, std::size_t a) noexcept {
        const auto numbers = [q](const float* of_queries) {
            return Floats<Arch>::load_unaligned(of_queries + q);
        };
        const Floats<Arch> c = numbers(balls.centre[a]);
        return widened<Arch>(c, c,
                             numbers(balls.radius) +
                                 (Floats<Arch>(grid.max_half_extent[a]) * numbers(balls.box) +
                                  Floats<Arch>(grid.max_half_extent[0]) * numbers(balls.disc)));
    }

    /// A bit for each query that may find anything: for balls, all bits.
    [[gnu::always_inline]] static std::uint32_t sound(const Block&, std::size_t) noexcept {
        return ~0u;
    }

    /// Measures distances from a ball's centre to bodies.
    struct Distance {
        Floats<Arch> from[Dim] = {};
        Body body;

        Distance() = default;
        [[gnu::always_inline]] explicit Distance(const BodyBallLanes& lanes) noexcept
            : body(lanes.body) {
            for (std::size_t a = 0; a < Dim; ++a) {
                from[a] = lanes.centre_lanes[a];
            }
        }
        /// body_distance2(), for the nodes from `i` on.
        [[gnu::always_inline]] Floats<Arch> to(const NodeArrays& row,
                                               std::uint32_t i) const noexcept {
            Floats<Arch> gap[Dim];
            for (std::size_t a = 0; a < Dim; ++a) {
                const Floats<Arch> x = floats_at<Arch>(row, Fields<Dim>::kPosition + a, i);
                gap[a] = box_gap<Arch>(x - from[a], body.half_at(row, i, a));
            }
            const Floats<Arch> distance2 = squares_of<Arch>(gap);
            return body.is_disc() ? disc_distance2<Arch>(distance2, body.radius_at(row, i))
                                  : distance2;
        }
    };
    [[gnu::always_inline]] Floats<Arch> distance2(const NodeArrays& row,
                                                  std::uint32_t i) const noexcept {
        return Distance(*this).to(row, i);
    }

    /// engine/shapes/with_body.hpp has this test for one agent.
    [[gnu::always_inline]] std::uint32_t hits(const NodeArrays& row,
                                              std::uint32_t i) const noexcept {
        return lane_bits<Arch>(distance2(row, i) <= this->radius2_lanes);
    }

    /// wide() holds the centres of all hits. Every agent with its centre in sure() is a hit.
    [[gnu::always_inline]] Ball wide(const GridView<Dim>& grid) const noexcept {
        const float reach = this->radius + body.reach(grid, this->centre, this->radius).any;
        return Ball(this->centre, reach, reach * reach);
    }
    [[gnu::always_inline]] Ball sure() const noexcept {
        // The square of a rounded root may be more than the number itself.
        return Ball(this->centre, this->radius, this->radius2 - this->radius2 * kSlackRatio);
    }

    using RowCells = BodyBallRows<Arch, Dim>;
    using Told = SameCells;
};

template <class Arch, std::size_t Dim>
struct TreeGate<BodyBallLanes<Arch, Dim>> : HoldsNoLeaf {
    using Shape = BodyBallLanes<Arch, Dim>;
    using Ball = BallLanes<Arch, Dim>;
    const TreeGate<Ball> ball;
    Floats<Arch> reach[Dim];

    [[gnu::always_inline]] TreeGate(const TreeView<Dim>& tree, const Shape& shape) noexcept
        : ball(tree, shape) {
        const BodyReach<Dim> bodies = shape.body.reach(tree, shape.centre, shape.radius);
        for (std::size_t a = 0; a < Dim; ++a) {
            reach[a] = Floats<Arch>(bodies.on[a]);
        }
    }

    [[gnu::always_inline]] bool sound() const noexcept { return true; }
    [[gnu::always_inline]] std::uint32_t may_hit(Covers<Arch, Dim> cover) const noexcept {
        cover.widen(reach);
        return ball.may_hit(cover);
    }
};

/// Calls body.template operator()<Shape>() with the type of lanes that fits the grid.
template <class Arch, std::size_t Dim, std::size_t queries, class Call>
[[gnu::always_inline]] inline auto
with_shape(const GridView<Dim>&, const BodyBlock<Balls<Dim, queries>>&, const Call& body) noexcept {
    return body.template operator()<BodyBallLanes<Arch, Dim>>();
}

} // namespace throng::simd
