// How far a search must look to allow for rounding. For *.kernel.cpp files only.
//
// Every bound here rests on two facts alone: rounding keeps order (a <= b gives fl(a + c) <= fl(b +
// c), and so on), and the map from coordinates to cells keeps order. docs/exactness.md has the
// argument.
#pragma once

#include "../views/grid_view.hpp"
#include "cell_lanes.hpp"

namespace throng::simd {

/// Eight times the error of a float operation, with room to spare. Ranges to search are widened by
/// this ratio; ranges that must hold hits only are narrowed by it.
inline constexpr float kSlackRatio = 0x1p-20f;

/// Squares of numbers a tenth as large lose bits or vanish, so a test may take any distance below
/// this for zero.
inline constexpr float kTiny = 1e-18f;

/// For a vector of queries: coordinates on an axis such that no hit lies outside low ... high.
template <class Arch>
struct Bounds {
    Floats<Arch> low, high;
};

/// lo - reach and hi + reach, widened enough that an agent beyond fails its test even after
/// rounding.
template <class Arch>
[[gnu::always_inline]] inline Bounds<Arch> widened(const Floats<Arch>& lo, const Floats<Arch>& hi,
                                                   const Floats<Arch>& reach) noexcept {
    const Floats<Arch> ratio(kSlackRatio);
    const Floats<Arch> tiny(kTiny);
    return {lo - (reach + (magnitude<Arch>(lo) + reach) * ratio + tiny),
            hi + (reach + (magnitude<Arch>(hi) + reach) * ratio + tiny)};
}

/// A kernel that counts the neighbours of every agent must choose its way to search before it sees
/// a row: a radius of more than twice this many cells is large. Searches that see a row first
/// choose by its number of nodes, which tells more: see search_rows().
inline constexpr std::uint32_t kManyCells = 32;

/// The cell of a coordinate in the whole grid, of which this grid may be a window.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline std::uint32_t cell_in_whole(const GridView<Dim>& grid, std::size_t a,
                                                          float x) noexcept {
    const float cell = (x - grid.origin[a]) * grid.inverse_cell[a];
    const float low = cell > grid.first_cell[a] ? cell : grid.first_cell[a];
    return static_cast<std::uint32_t>(low < grid.last_cell[a] ? low : grid.last_cell[a]);
}

/// The cell of a coordinate, as GridShape::cell_on() gives it.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline std::uint32_t cell_of(const GridView<Dim>& grid, std::size_t a,
                                                    float x) noexcept {
    return cell_in_whole<Arch>(grid, a, x) - grid.first[a];
}

/// The same for a vector.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline Words<Arch> cells_of(const GridView<Dim>& grid, std::size_t a,
                                                   const Floats<Arch>& x) noexcept {
    return cells_of<Arch>(x, grid.origin[a], grid.inverse_cell[a], grid.first_cell[a],
                          grid.last_cell[a]);
}

/// The cells whose agents all lie between `low` and `high`: all cells after that of `low` and
/// before that of `high`.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline CellRange between(const GridView<Dim>& grid, std::size_t a, float low,
                                                float high) noexcept {
    const std::uint32_t first = cell_of<Arch>(grid, a, low) + 1;
    const std::uint32_t past = cell_of<Arch>(grid, a, high);
    return first < past ? CellRange{first, past - 1} : CellRange::none();
}

/// Coordinates strictly outside cell `cell` on either side, close to it; infinite beyond the
/// border.
struct Edges {
    float below, above;
};
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline Edges edges_of(const GridView<Dim>& grid, std::size_t a,
                                             std::uint32_t cell) noexcept {
    const float size = 1.0f / grid.inverse_cell[a];
    const std::uint32_t whole = cell + grid.first[a];
    const float start = static_cast<float>(whole) * size;
    const float margin = (magnitude<Arch>(grid.origin[a]) + start + size) * kSlackRatio + kTiny;
    const float below = grid.origin[a] + start - margin;
    const float above = grid.origin[a] + start + size + margin;
    // `below` and `above` are guesses, and checked: a larger coordinate never has a smaller cell,
    // so a coordinate in a smaller cell lies below this cell, and one in a larger cell above it.
    constexpr float kInfinity = __builtin_huge_valf();
    return {cell_in_whole<Arch>(grid, a, below) < whole ? below : -kInfinity,
            cell_in_whole<Arch>(grid, a, above) > whole ? above : kInfinity};
}

} // namespace throng::simd
