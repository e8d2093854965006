// How kernels test agents' centres against balls, a vector at a time. For *.kernel.cpp files only.
#pragma once

#include "../views/query_block.hpp"
#include "cell_lanes.hpp"
#include "row_places.hpp"
#include "row_spans.hpp"
#include "search_range.hpp"
#include "tree_gates.hpp"

namespace throng::simd {

/// Tests one agent at a time against kVectors vectors of a block's balls, one ball in each lane.
template <class Arch, std::size_t Dim, std::uint32_t kVectors>
struct BallPacket {
    static constexpr std::size_t kNumbers = Dim; ///< numbers of an agent: its centre

    Floats<Arch> centre[kVectors][Dim], radius2[kVectors];
    Floats<Arch> least_centre[Dim], greatest_centre[Dim], most_radius2;

    [[gnu::always_inline]] BallPacket(const GridView<Dim>&, const BallBlock<Dim>& balls,
                                      std::size_t q) noexcept {
        for (std::uint32_t v = 0; v < kVectors; ++v) {
            const std::size_t at = q + v * kLanes<Arch>;
            radius2[v] = Floats<Arch>::load_unaligned(balls.radius2 + at);
            most_radius2 = v == 0 ? radius2[0] : larger<Arch>(most_radius2, radius2[v]);
            for (std::size_t a = 0; a < Dim; ++a) {
                const Floats<Arch> c = Floats<Arch>::load_unaligned(balls.centre[a] + at);
                centre[v][a] = c;
                least_centre[a] = v == 0 ? c : smaller<Arch>(least_centre[a], c);
                greatest_centre[a] = v == 0 ? c : larger<Arch>(greatest_centre[a], c);
            }
        }
        most_radius2 = Floats<Arch>(greatest<Arch>(most_radius2));
        float low[Dim], high[Dim];
        bounds_of_lanes<Arch>(least_centre, greatest_centre, low, high);
        for (std::size_t a = 0; a < Dim; ++a) {
            least_centre[a] = Floats<Arch>(low[a]);
            greatest_centre[a] = Floats<Arch>(high[a]);
        }
    }

    [[gnu::always_inline]] static Floats<Arch> number(const GridView<Dim>&, const NodeArrays& row,
                                                      std::uint32_t i, std::size_t n) noexcept {
        return floats_at<Arch>(row, Fields<Dim>::kPosition + n, i);
    }

    /// A bit for each node from `i` on that any ball may hit. On every axis, a node is no nearer to
    /// any centre than to the box around all centres, and rounding keeps that order.
    [[gnu::always_inline]] std::uint32_t may_hit(const GridView<Dim>& grid, const NodeArrays& row,
                                                 std::uint32_t i) const noexcept {
        Floats<Arch> distance2(0.0f);
        for (std::size_t a = 0; a < Dim; ++a) {
            const Floats<Arch> x = number(grid, row, i, a);
            const Floats<Arch> offset = larger<Arch>(
                larger<Arch>(x - greatest_centre[a], least_centre[a] - x), Floats<Arch>(0.0f));
            distance2 = a == 0 ? offset * offset : distance2 + offset * offset;
        }
        return lane_bits<Arch>(distance2 <= most_radius2);
    }

    /// dx * dx + dy * dy, for the agent that has the numbers number(0), number(1), ...
    template <class Number>
    [[gnu::always_inline]] Floats<Arch> distance2(std::uint32_t v,
                                                  const Number& number) const noexcept {
        Floats<Arch> offset = number(0) - centre[v][0];
        Floats<Arch> distance2 = offset * offset;
        for (std::size_t a = 1; a < Dim; ++a) {
            offset = number(a) - centre[v][a];
            distance2 = distance2 + offset * offset;
        }
        return distance2;
    }
    /// if (dx * dx + dy * dy <= r * r), for the agent that has these numbers.
    template <class Number>
    [[gnu::always_inline]] FloatMask<Arch> hits(std::uint32_t v,
                                                const Number& number) const noexcept {
        return distance2(v, number) <= radius2[v];
    }
};

/// Tests a vector of agents' centres at a time against one ball of a block.
template <class Arch, std::size_t Dim>
struct BallLanes {
    using Block = BallBlock<Dim>;
    using AnyExtents = BallLanes; ///< with the same bounds() and sound()
    static constexpr bool kTellsInside = true;
    static constexpr bool kFrequent = true; ///< so frequent that searches have copies for each case
    static constexpr bool kListsTogether = true; ///< a packet's balls list their hits in one search
    template <std::uint32_t kVectors>
    using Packet = BallPacket<Arch, Dim, kVectors>;
    float centre[Dim], radius, radius2;
    Floats<Arch> centre_lanes[Dim], radius2_lanes;

    template <std::size_t queries>
    [[gnu::always_inline]] BallLanes(const GridView<Dim>&, const Balls<Dim, queries>& balls,
                                     std::size_t q) noexcept {
        radius = balls.radius[q];
        radius2 = balls.radius2[q];
        radius2_lanes = Floats<Arch>(radius2);
        for (std::size_t a = 0; a < Dim; ++a) {
            centre[a] = balls.centre[a][q];
            centre_lanes[a] = Floats<Arch>(centre[a]);
        }
    }
    /// For a ball that is part of another shape.
    [[gnu::always_inline]] BallLanes(const float (&middle)[Dim], float r, float r2) noexcept
        : radius(r), radius2(r2), radius2_lanes(r2) {
        for (std::size_t a = 0; a < Dim; ++a) {
            centre[a] = middle[a];
            centre_lanes[a] = Floats<Arch>(middle[a]);
        }
    }

    /// The offsets from the centre, on axis `a`, of the nodes from `i` on.
    [[gnu::always_inline]] Floats<Arch> offset(const NodeArrays& row, std::uint32_t i,
                                               std::size_t a) const noexcept {
        return floats_at<Arch>(row, Fields<Dim>::kPosition + a, i) - centre_lanes[a];
    }

    /// The bounds of where hits may lie, for a vector of queries.
    [[gnu::always_inline]] static Bounds<Arch> bounds(const GridView<Dim>&, const Block& balls,
                                                      std::size_t q, std::size_t a) noexcept {
        const Floats<Arch> c = Floats<Arch>::load_unaligned(balls.centre[a] + q);
        return widened<Arch>(c, c, Floats<Arch>::load_unaligned(balls.radius + q));
    }

    /// A bit for each query that may find anything: for balls, all bits.
    [[gnu::always_inline]] static std::uint32_t sound(const Block&, std::size_t) noexcept {
        return ~0u;
    }

    /// dx * dx + dy * dy, for the nodes from `i` on.
    [[gnu::always_inline]] static Floats<Arch> distance2_from(const Floats<Arch> (&from)[Dim],
                                                              const NodeArrays& row,
                                                              std::uint32_t i) noexcept {
        Floats<Arch> sum = square_of_offset(from, row, i, 0);
        for (std::size_t a = 1; a < Dim; ++a) {
            sum = sum + square_of_offset(from, row, i, a);
        }
        return sum;
    }
    [[gnu::always_inline]] Floats<Arch> distance2(const NodeArrays& row,
                                                  std::uint32_t i) const noexcept {
        return distance2_from(centre_lanes, row, i);
    }

    /// Measures distances from a ball's centre to nodes.
    struct Distance {
        Floats<Arch> from[Dim] = {};

        Distance() = default;
        [[gnu::always_inline]] explicit Distance(const BallLanes& ball) noexcept {
            for (std::size_t a = 0; a < Dim; ++a) {
                from[a] = ball.centre_lanes[a];
            }
        }
        [[gnu::always_inline]] Floats<Arch> to(const NodeArrays& row,
                                               std::uint32_t i) const noexcept {
            return distance2_from(from, row, i);
        }
    };

    /// if (dx * dx + dy * dy <= r * r), for the nodes from `i` on.
    [[gnu::always_inline]] std::uint32_t hits(const NodeArrays& row,
                                              std::uint32_t i) const noexcept {
        return lane_bits<Arch>(distance2(row, i) <= radius2_lanes);
    }

    /// The cells to search in each row: fewer in rows far from the centre, where the ball is
    /// narrow.
    struct RowCells {
        static constexpr bool kInLanes = true;
        const BallLanes& ball;

        [[gnu::always_inline]] RowCells(const GridView<Dim>&, const BallLanes& lanes) noexcept
            : ball(lanes) {}

        /// The cells to search in each of `count` rows, as row() gives them in `outer`.
        [[gnu::always_inline]] void ranges(const GridView<Dim>& grid, const RowPlaces<Dim>& at,
                                           std::uint32_t count, const CellRange& all,
                                           RowRanges& out) const noexcept {
            const Floats<Arch> zero(0.0f), ratio(kSlackRatio), square(ball.radius2);
            const Floats<Arch> c(ball.centre[0]);
            for (std::uint32_t i = 0; i < count; i += kLanes<Arch>) {
                Floats<Arch> near2 = zero;
                for (std::size_t a = 1; a < Dim; ++a) {
                    const EdgeLanes<Arch> edges = edges_of<Arch>(grid, a, at, i);
                    const Floats<Arch> middle(ball.centre[a]);
                    const Floats<Arch> nearest = simd::larger<Arch>(
                        simd::larger<Arch>(edges.below - middle, middle - edges.above), zero);
                    near2 = near2 + nearest * nearest;
                }
                const Floats<Arch> left =
                    square - near2 + (square + near2) * ratio + Floats<Arch>(kTiny * kTiny);
                const Floats<Arch> reach = root<Arch>(simd::larger<Arch>(left, zero));
                const Floats<Arch> wide =
                    reach + (magnitude<Arch>(c) + reach) * (ratio + ratio) + Floats<Arch>(kTiny);
                put_ranges<Arch>(grid, all, left >= zero, c - wide, c + wide, i, out);
            }
        }

        /// Narrows `outer` to the cells to search in a row, and sets `inside` to the cells that
        /// hold hits only. Returns false if the ball does not reach the row.
        [[gnu::always_inline]] bool row(const GridView<Dim>& grid, const std::uint32_t (&cell)[Dim],
                                        CellRange& outer, CellRange& inside) const noexcept {
            float near2 = 0.0f;
            float far[Dim];
            for (std::size_t a = 1; a < Dim; ++a) {
                const Edges edges = edges_of<Arch>(grid, a, cell[a]);
                const float below = edges.below - ball.centre[a];
                const float above = edges.above - ball.centre[a];
                const float nearest = below > 0.0f ? below : above < 0.0f ? -above : 0.0f;
                near2 = near2 + nearest * nearest;
                far[a] = magnitude<Arch>(below) > magnitude<Arch>(above) ? magnitude<Arch>(below)
                                                                         : magnitude<Arch>(above);
            }
            // The part of the squared radius that is left for x, rounded up a little.
            const float left =
                ball.radius2 - near2 + (ball.radius2 + near2) * kSlackRatio + kTiny * kTiny;
            if (!(left >= 0.0f)) { return false; }
            const float c = ball.centre[0];
            const float reach = __builtin_sqrtf(left);
            const float wide = reach + (magnitude<Arch>(c) + reach) * (2.0f * kSlackRatio) + kTiny;
            outer.first = larger(outer.first, cell_of<Arch>(grid, 0, c - wide));
            outer.last = smaller(outer.last, cell_of<Arch>(grid, 0, c + wide));

            inside = inner(grid, far);
            return true;
        }

    private:
        /// The cells whose agents are inside the ball even if they are in the row's farthest
        /// corner.
        [[gnu::always_inline]] CellRange inner(const GridView<Dim>& grid,
                                               const float (&far)[Dim]) const noexcept {
            float far2 = 0.0f;
            for (std::size_t a = 1; a < Dim; ++a) {
                far2 = far2 + far[a] * far[a];
            }
            const float left = ball.radius2 - far2;
            if (!(left > 0.0f)) { return CellRange::none(); }
            const float c = ball.centre[0];
            const float reach = __builtin_sqrtf(left);
            const float sure = reach - (magnitude<Arch>(c) + ball.radius) * (4.0f * kSlackRatio);
            const float low = c - sure;
            const float high = c + sure;
            if (!(sure > 0.0f)) { return CellRange::none(); }
            // `low` and `high` are guesses, checked with the test itself at the farthest corner:
            // every agent between them and within the row is nearer than the corner on every axis.
            const float left_offset = magnitude<Arch>(low - c);
            const float right_offset = magnitude<Arch>(high - c);
            const float offset = left_offset > right_offset ? left_offset : right_offset;
            float distance2 = offset * offset;
            for (std::size_t a = 1; a < Dim; ++a) {
                distance2 = distance2 + far[a] * far[a];
            }
            return distance2 <= ball.radius2 ? between<Arch, Dim>(grid, 0, low, high)
                                             : CellRange::none();
        }

        static std::uint32_t larger(std::uint32_t a, std::uint32_t b) noexcept {
            return a > b ? a : b;
        }
        static std::uint32_t smaller(std::uint32_t a, std::uint32_t b) noexcept {
            return a < b ? a : b;
        }
    };
    using Told = RowCells;

private:
    [[gnu::always_inline]] static Floats<Arch> square_of_offset(const Floats<Arch> (&from)[Dim],
                                                                const NodeArrays& row,
                                                                std::uint32_t i,
                                                                std::size_t a) noexcept {
        const Floats<Arch> offset = floats_at<Arch>(row, Fields<Dim>::kPosition + a, i) - from[a];
        return offset * offset;
    }
};

/// Tests covers as they are: each holds the centres of its agents, even if it bounds their boxes.
template <class Arch, std::size_t Dim>
struct TreeGate<BallLanes<Arch, Dim>> {
    using Shape = BallLanes<Arch, Dim>;
    const Shape& ball;

    [[gnu::always_inline]] TreeGate(const TreeView<Dim>&, const Shape& shape) noexcept
        : ball(shape) {}

    [[gnu::always_inline]] bool sound() const noexcept { return true; }
    [[gnu::always_inline]] bool may_hold(const TreeView<Dim>& tree) const noexcept {
        return ball.radius >= tree.leaf_edge * 2.0f;
    }
    [[gnu::always_inline]] std::uint32_t may_hit(const Covers<Arch, Dim>& cover) const noexcept {
        const Floats<Arch> zero(0.0f);
        Floats<Arch> distance2 = zero;
        for (std::size_t a = 0; a < Dim; ++a) {
            const Floats<Arch> offset =
                larger<Arch>(larger<Arch>(cover.lo[a] - ball.centre_lanes[a],
                                          ball.centre_lanes[a] - cover.hi[a]),
                             zero);
            distance2 = a == 0 ? offset * offset : distance2 + offset * offset;
        }
        return lane_bits<Arch>(distance2 <= ball.radius2_lanes);
    }
    /// A bit for each child whose cover is within the radius even at its farthest corner. A child
    /// that does not exist has its corners at infinity, and never passes.
    [[gnu::always_inline]] std::uint32_t all_hit(const Covers<Arch, Dim>& cover) const noexcept {
        Floats<Arch> distance2(0.0f);
        for (std::size_t a = 0; a < Dim; ++a) {
            const Floats<Arch> offset =
                larger<Arch>(magnitude<Arch>(cover.lo[a] - ball.centre_lanes[a]),
                             magnitude<Arch>(cover.hi[a] - ball.centre_lanes[a]));
            distance2 = a == 0 ? offset * offset : distance2 + offset * offset;
        }
        return lane_bits<Arch>(distance2 <= ball.radius2_lanes);
    }
};

/// Calls call.template operator()<Shape>() with the type of lanes that fits the grid.
template <class Arch, std::size_t Dim, std::size_t queries, class Call>
[[gnu::always_inline]] inline auto with_shape(const GridView<Dim>&, const Balls<Dim, queries>&,
                                              const Call& call) noexcept {
    return call.template operator()<BallLanes<Arch, Dim>>();
}

} // namespace throng::simd
