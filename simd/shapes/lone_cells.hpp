// The cells that a single box or ball searches. For *.kernel.cpp files only.
#pragma once

#include "search_range.hpp"

namespace throng::simd {

/// A vector with a number for each side of a box: lower sides first, upper sides from kUpper on.
template <std::size_t Dim>
struct SideLanes;
template <>
struct SideLanes<2> {
    static constexpr std::size_t kUpper = 2;
    using Floats = float __attribute__((vector_size(16)));
    using Cells = std::int32_t __attribute__((vector_size(16)));
};
template <>
struct SideLanes<3> {
    static constexpr std::size_t kUpper = 4;
    using Half = float __attribute__((vector_size(16)));
    using Floats = float __attribute__((vector_size(32)));
    using Cells = std::int32_t __attribute__((vector_size(32)));
};

/// A number that was stored just before. With `volatile` compilers load it by itself: a load of
/// several numbers that were stored one by one waits until all of them are in the cache.
template <class Arch>
[[gnu::always_inline]] inline float fresh(const float& number) noexcept {
    return *static_cast<const volatile float*>(&number);
}

/// Sets `sides` to the numbers of all axes, for the lower sides and again for the upper sides.
template <class Arch, class Sides, std::size_t kCount>
[[gnu::always_inline]] inline void both_sides(const float (&number)[kCount],
                                              Sides& sides) noexcept {
    static_assert(2 * sizeof number == sizeof sides);
    if constexpr (kCount == 4) {
        // Two halves that were just stored could not be loaded as one vector without a wait.
        typename SideLanes<3>::Half half;
        __builtin_memcpy(&half, number, sizeof half);
        sides = __builtin_shufflevector(half, half, 0, 1, 2, 3, 0, 1, 2, 3);
    } else {
        float twice[2 * kCount];
        __builtin_memcpy(twice, number, sizeof number);
        __builtin_memcpy(twice + kCount, number, sizeof number);
        __builtin_memcpy(&sides, twice, sizeof sides);
    }
}

/// Sets `sides` to `lower` for the lower sides and to `upper` for the upper sides.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline void sides_of(const float (&lower)[Dim], const float (&upper)[Dim],
                                            typename SideLanes<Dim>::Floats& sides) noexcept {
    if constexpr (Dim == 2) {
        sides = typename SideLanes<Dim>::Floats{lower[0], lower[1], upper[0], upper[1]};
    } else {
        using Half = typename SideLanes<Dim>::Half;
        const Half low = {lower[0], lower[1], lower[2], 0.0f};
        const Half high = {upper[0], upper[1], upper[2], 0.0f};
        sides = __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
    }
}

/// The cells between lo - reach and hi + reach, widened and clamped as PacketCells does for vectors
/// of queries. None if lo exceeds hi on an axis.
///
/// A single question has too few numbers to fill a vector on each axis, so one vector has all
/// sides.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline CellBox<Dim>
cells_between(const GridView<Dim>& grid, const float (&lo)[Dim], const float (&hi)[Dim],
              const float (&reach)[Dim]) noexcept {
    constexpr std::size_t kUpper = SideLanes<Dim>::kUpper;
    using Sides = typename SideLanes<Dim>::Floats;
    using Cells = typename SideLanes<Dim>::Cells;
    Cells sign{};
    bool in_order = true;
    for (std::size_t a = 0; a < Dim; ++a) {
        in_order = in_order && lo[a] <= hi[a];
        sign[kUpper + a] = INT32_MIN;
    }
    if (!in_order) { return {CellRange::none()}; }
    Sides x, away;
    sides_of<Arch>(lo, hi, x);
    sides_of<Arch>(reach, reach, away);
    const Sides size = reinterpret_cast<Sides>(reinterpret_cast<Cells>(x) & INT32_MAX);
    // widened(): lo - (reach + (|lo| + reach) * ratio + tiny), and hi + the same.
    const Sides wide = away + (size + away) * kSlackRatio + kTiny;
    const Sides bound = x - reinterpret_cast<Sides>(reinterpret_cast<Cells>(wide) ^ sign);
    // cells_of()
    Sides origin, inverse, first, last;
    both_sides<Arch>(grid.origin, origin);
    both_sides<Arch>(grid.inverse_cell, inverse);
    both_sides<Arch>(grid.first_cell, first);
    both_sides<Arch>(grid.last_cell, last);
    const Sides cell = (bound - origin) * inverse;
    const Sides low = cell > first ? cell : first;
    const Cells whole = __builtin_convertvector((low < last ? low : last) - first, Cells);
    CellBox<Dim> cells;
    for (std::size_t a = 0; a < Dim; ++a) {
        cells.on[a] = {static_cast<std::uint32_t>(whole[a]),
                       static_cast<std::uint32_t>(whole[kUpper + a])};
    }
    return cells;
}

template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline CellBox<Dim> cells_alone(const GridView<Dim>& grid,
                                                       const LoneBox<Dim>& box) noexcept {
    float lo[Dim];
    float hi[Dim];
    for (std::size_t a = 0; a < Dim; ++a) {
        lo[a] = fresh<Arch>(box.lo[a][0]);
        hi[a] = fresh<Arch>(box.hi[a][0]);
    }
    return cells_between<Arch>(grid, lo, hi, grid.max_half_extent);
}
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline CellBox<Dim> cells_alone(const GridView<Dim>& grid,
                                                       const LoneBall<Dim>& ball) noexcept {
    float centre[Dim];
    float reach[Dim];
    for (std::size_t a = 0; a < Dim; ++a) {
        centre[a] = fresh<Arch>(ball.centre[a][0]);
        reach[a] = fresh<Arch>(ball.radius[0]);
    }
    return cells_between<Arch>(grid, centre, centre, reach);
}

template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline CellBox<Dim> cells_alone(const GridView<Dim>& grid,
                                                       const LoneBodyBall<Dim>& ball) noexcept {
    float centre[Dim];
    float reach[Dim];
    for (std::size_t a = 0; a < Dim; ++a) {
        centre[a] = fresh<Arch>(ball.centre[a][0]);
        reach[a] =
            fresh<Arch>(ball.radius[0]) + (grid.max_half_extent[a] * fresh<Arch>(ball.box[0]) +
                                           grid.max_half_extent[0] * fresh<Arch>(ball.disc[0]));
    }
    return cells_between<Arch>(grid, centre, centre, reach);
}

/// Query q of a block, as a block of one query.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline LoneBox<Dim> alone(const BoxBlock<Dim>& boxes,
                                                 std::size_t q) noexcept {
    LoneBox<Dim> box;
    for (std::size_t a = 0; a < Dim; ++a) {
        box.lo[a][0] = boxes.lo[a][q];
        box.hi[a][0] = boxes.hi[a][q];
    }
    return box;
}
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline LoneBall<Dim> alone(const BallBlock<Dim>& balls,
                                                  std::size_t q) noexcept {
    LoneBall<Dim> ball;
    for (std::size_t a = 0; a < Dim; ++a) {
        ball.centre[a][0] = balls.centre[a][q];
    }
    ball.radius[0] = balls.radius[q];
    ball.radius2[0] = balls.radius2[q];
    return ball;
}
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline LoneBodyBall<Dim> alone(const BodyBallBlock<Dim>& balls,
                                                      std::size_t q) noexcept {
    const BallBlock<Dim>& centres = balls;
    return {alone<Arch>(centres, q), {balls.box[q]}, {balls.disc[q]}};
}

} // namespace throng::simd
