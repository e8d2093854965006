// What a search for the nearest asks of agents besides their distance. For *.kernel.cpp files only.
#pragma once

#include "../../shapes/body_ball_lanes.hpp"
#include "nearest.hpp"

#include <type_traits>

namespace throng::simd {

/// No conditions, the usual case: all of this is compiled away.
template <class Arch, std::size_t Dim, class Ball>
struct AnyNear {
    static constexpr bool kSkipsInside = false;
    static constexpr float base() noexcept { return 0.0f; }
    static constexpr void cut(const BallBlock<Dim>&, std::size_t, const GridView<Dim>&,
                              CellBox<Dim>&) noexcept {}
    [[gnu::always_inline]] Ball ball(const GridView<Dim>& grid, const typename Ball::Block& balls,
                                     std::size_t q) const noexcept {
        return Ball(grid, balls, q);
    }
};

/// Reports the cells that lie wholly in the inner ball as inside: NearestSink skips these cells.
template <class Arch, std::size_t Dim, class OuterRows>
struct ConditionalRows {
    OuterRows outer_ball;
    typename BallLanes<Arch, Dim>::RowCells inner_ball;

    template <class Ball>
    [[gnu::always_inline]] ConditionalRows(const GridView<Dim>& grid, const Ball& ball) noexcept
        : outer_ball(grid, ball), inner_ball(grid, ball.inner) {}

    [[gnu::always_inline]] bool row(const GridView<Dim>& grid, const std::uint32_t (&cell)[Dim],
                                    CellRange& outer, CellRange& inside) const noexcept {
        if (!outer_ball.row(grid, cell, outer, inside)) { return false; }
        CellRange reached = outer;
        inside = CellRange::none();
        (void)inner_ball.row(grid, cell, reached, inside);
        return true;
    }
};

/// A ball, of centres or of bodies, whose hits also meet the conditions.
template <class Arch, std::size_t Dim, class Ball>
struct ConditionalBall : Ball {
    using Centres = BallLanes<Arch, Dim>;

    const NearestConditions& conditions;
    Centres inner; ///< all agents with centres in it are too near
    std::size_t up;
    Floats<Arch> low, high;

    [[gnu::always_inline]] ConditionalBall(const GridView<Dim>& grid,
                                           const typename Ball::Block& balls, std::size_t q,
                                           const NearestConditions& asked, float inner_radius,
                                           float inner_radius2) noexcept
        : Ball(grid, balls, q), conditions(asked), inner(this->centre, inner_radius, inner_radius2),
          up(asked.up), low(this->centre[asked.up] - asked.below),
          high(this->centre[asked.up] + asked.above) {}

    /// if (d2 <= r * r && d2 >= least * least && (d2 > after.d2 || (d2 == after.d2 &&
    /// id > after.id)) && low <= height && height <= high), for the nodes from `i` on.
    [[gnu::always_inline]] std::uint32_t hits(const NodeArrays& row,
                                              std::uint32_t i) const noexcept {
        const Floats<Arch> distance2 = this->distance2(row, i);
        const Floats<Arch> after2(conditions.after2);
        const FloatMask<Arch> later = distance2 > after2;
        const FloatMask<Arch> level = distance2 == after2;
        const std::uint32_t larger = lane_bits<Arch>(Words<Arch>(conditions.after_id) <
                                                     words_at<Arch>(row, Fields<Dim>::kId, i));
        std::uint32_t bits = lane_bits<Arch>(later) | (lane_bits<Arch>(level) & larger);
        bits &= lane_bits<Arch>((distance2 <= this->radius2_lanes) &
                                (distance2 >= Floats<Arch>(conditions.least2)));
        if (up != 0) {
            const Floats<Arch> height = floats_at<Arch>(row, Fields<Dim>::kPosition + up, i);
            bits &= lane_bits<Arch>((low <= height) & (height <= high));
        }
        return bits;
    }

    using RowCells = ConditionalRows<Arch, Dim, typename Ball::RowCells>;
};

template <class Arch, std::size_t Dim, class Ball>
class ConditionalNear {
public:
    static constexpr bool kSkipsInside = true;

    explicit ConditionalNear(const NearestConditions& asked) noexcept : asked_(asked) {
        // Agents nearer than this fail one of the two tests of their distance.
        const float inner2 = asked.least2 > asked.after2 ? asked.least2 : asked.after2;
        if (!(inner2 > 0.0f)) { return; }
        base_ = __builtin_sqrtf(inner2);
        // Takes the next smaller float, since the ball's own test includes the rim.
        std::uint32_t bits;
        __builtin_memcpy(&bits, &inner2, sizeof bits);
        --bits;
        __builtin_memcpy(&inner2_, &bits, sizeof bits);
        // A body is no farther away than its centre, except for the rounding of discs.
        if (!std::is_same_v<Ball, BallLanes<Arch, Dim>>) { inner2_ -= inner2_ * kSlackRatio; }
    }

    /// A ball of at most this radius finds no agents, or only those at exactly this distance.
    [[nodiscard]] float base() const noexcept { return base_; }

    /// Leaves out cells beyond the band. The cell map keeps order, so no margin is needed.
    void cut(const BallBlock<Dim>& balls, std::size_t q, const GridView<Dim>& grid,
             CellBox<Dim>& box) const noexcept {
        if (asked_.up == 0) { return; }
        const float centre = balls.centre[asked_.up][q];
        box.on[asked_.up] = common<Arch>(
            box.on[asked_.up], CellRange{cell_of<Arch>(grid, asked_.up, centre - asked_.below),
                                         cell_of<Arch>(grid, asked_.up, centre + asked_.above)});
    }
    [[gnu::always_inline]] ConditionalBall<Arch, Dim, Ball> ball(const GridView<Dim>& grid,
                                                                 const typename Ball::Block& balls,
                                                                 std::size_t q) const noexcept {
        return {grid, balls, q, asked_, base_, inner2_};
    }

private:
    const NearestConditions& asked_;
    float base_ = 0.0f;
    float inner2_ = -1.0f;
};

} // namespace throng::simd
