// Rows that a search looks into together. For *.kernel.cpp files only.
#pragma once

#include "search_range.hpp"

namespace throng::simd {

/// This many rows are looked up together, so that the processor waits for all of them at once. It
/// is the number of lanes of the widest vectors: shapes find the cells to search for a vector of
/// rows at a time.
inline constexpr std::uint32_t kRowsTogether = 16;

/// Where rows lie: their cells on the axes other than x, whole numbers that floats hold exactly.
template <std::size_t Dim>
struct RowPlaces {
    std::uint32_t number[kRowsTogether]; ///< among all rows
    float cell[Dim - 1][kRowsTogether] = {};
};

/// Cells of x for each row: first ... last, none when first > last.
struct RowRanges {
    std::uint32_t first[kRowsTogether], last[kRowsTogether];
    CellRange inside[kRowsTogether]; ///< cells that hold hits only; only set if kTellsOneByOne
    float enters[kRowsTogether];     ///< for paths only: before this time the path is in none of
                                     ///< these cells
};

/// The `Told` of shapes that search the same cells in all rows: there is nothing to tell of a row.
struct SameCells {
    template <class Grid, class Shape>
    [[gnu::always_inline]] constexpr SameCells(const Grid&, const Shape&) noexcept {}
};

/// Edges of a vector of cells.
template <class Arch>
struct EdgeLanes {
    Floats<Arch> below, above;
};

/// edges_of() on axis `a`, which is not x, for the cells of the rows from `i` on.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline EdgeLanes<Arch> edges_of(const GridView<Dim>& grid, std::size_t a,
                                                       const RowPlaces<Dim>& at,
                                                       std::uint32_t i) noexcept {
    const float size = 1.0f / grid.inverse_cell[a];
    const Floats<Arch> origin(grid.origin[a]), inverse(grid.inverse_cell[a]), one(1.0f);
    const Floats<Arch> lowest(grid.first_cell[a]), highest(grid.last_cell[a]);
    const Floats<Arch> whole = Floats<Arch>::load_unaligned(at.cell[a - 1] + i) + lowest;
    const Floats<Arch> start = whole * Floats<Arch>(size);
    const Floats<Arch> margin =
        (Floats<Arch>(magnitude<Arch>(grid.origin[a]) + size) + start) * Floats<Arch>(kSlackRatio) +
        Floats<Arch>(kTiny);
    const Floats<Arch> below = origin + start - margin;
    const Floats<Arch> above = origin + start + Floats<Arch>(size) + margin;
    // `below` and `above` are guesses, checked as in edges_of() of one cell.
    const Floats<Arch> infinity(__builtin_huge_valf());
    const auto cell = [&](const Floats<Arch>& x) __attribute__((always_inline)) {
        return smaller<Arch>(larger<Arch>((x - origin) * inverse, lowest), highest);
    };
    return {select<Arch>(cell(below) < whole, below, Floats<Arch>(0.0f) - infinity),
            select<Arch>(cell(above) >= whole + one, above, infinity)};
}

/// Writes, for the rows from `i` on, the cells of x from `low` to `high` that are among `all`; none
/// for rows that are not `reached`.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline void put_ranges(const GridView<Dim>& grid, const CellRange& all,
                                              const FloatMask<Arch>& reached,
                                              const Floats<Arch>& low, const Floats<Arch>& high,
                                              std::uint32_t i, RowRanges& out) noexcept {
    const Words<Arch> first = larger<Arch>(cells_of<Arch>(grid, 0, low), Words<Arch>(all.first));
    const Words<Arch> last = smaller<Arch>(cells_of<Arch>(grid, 0, high), Words<Arch>(all.last));
    select<Arch>(reached, first, Words<Arch>(1u)).store_unaligned(out.first + i);
    select<Arch>(reached, last, Words<Arch>(0u)).store_unaligned(out.last + i);
}

} // namespace throng::simd
