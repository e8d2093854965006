// The part of a grid that a search of a half space must look at. For *.kernel.cpp files only.
#pragma once

#include "search_range.hpp"

namespace throng::simd {

/// Coordinates low ... high of an axis; none when low > high.
template <class Arch>
struct Reach {
    double low, high;
};

/// More than the error that x gets when it is rounded to a float.
template <class Arch>
[[gnu::always_inline]] inline double slack_of(double x) noexcept {
    return magnitude<Arch>(x) * kSlackRatio + kTiny;
}

/// The cells that hold all agents with coordinates x.low ... x.high on axis `a`.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline CellRange cells_of_reach(const GridView<Dim>& grid, std::size_t a,
                                                       const Reach<Arch>& x) noexcept {
    return {cell_of<Arch>(grid, a, static_cast<float>(x.low - slack_of<Arch>(x.low))),
            cell_of<Arch>(grid, a, static_cast<float>(x.high + slack_of<Arch>(x.high)))};
}

/// The coordinates that agents of a cell of axis `a` may have.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline Reach<Arch> reach_of(const GridView<Dim>& grid, std::size_t a,
                                                   std::uint32_t cell) noexcept {
    const Edges edges = edges_of<Arch>(grid, a, cell);
    return {edges.below, edges.above};
}

/// The intersection of two ranges.
template <class Arch>
[[gnu::always_inline]] inline CellRange common(const CellRange& a, const CellRange& b) noexcept {
    return {a.first > b.first ? a.first : b.first, a.last < b.last ? a.last : b.last};
}

/// Narrows `range[a]` to the points p with normal . p <= offset whose coordinates on the other axes
/// are in their ranges. False when there are no such points.
///
/// The rounding error of a float test grows with its terms. `size` adds up the least terms. A point
/// with larger terms is farther outside by as much, so its larger error does not matter.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline bool narrow(const float (&normal)[Dim], double offset, std::size_t a,
                                          Reach<Arch> (&range)[Dim]) noexcept {
    double rest = offset;
    double size = magnitude<Arch>(offset);
    for (std::size_t b = 0; b < Dim; ++b) {
        // Zero times an infinite range would be NaN.
        if (b == a || normal[b] == 0.0f) { continue; }
        const double least = normal[b] * (normal[b] > 0.0f ? range[b].low : range[b].high);
        rest -= least;
        size += magnitude<Arch>(least);
    }
    rest += size * kSlackRatio + kTiny;
    if (normal[a] == 0.0f) { return rest >= 0.0; }
    const double bound = rest / normal[a];
    if (normal[a] > 0.0f) {
        const double high = bound + slack_of<Arch>(bound);
        range[a].high = high < range[a].high ? high : range[a].high;
    } else {
        const double low = bound - slack_of<Arch>(bound);
        range[a].low = low > range[a].low ? low : range[a].low;
    }
    return range[a].low <= range[a].high;
}

} // namespace throng::simd
