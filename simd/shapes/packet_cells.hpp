// Which cells each of a vector of queries searches. For *.kernel.cpp files only.
#pragma once

#include "search_range.hpp"

namespace throng::simd {

/// The first and the last cell on an axis that queries q, q + 1, ... search.
template <class Arch>
struct CellLanes {
    Words<Arch> low, high;

    template <class Shape, std::size_t Dim, class Block>
    [[gnu::always_inline]] static CellLanes of(const GridView<Dim>& grid, const Block& queries,
                                               std::size_t q, std::size_t a) noexcept {
        const Bounds<Arch> bounds = Shape::bounds(grid, queries, q, a);
        const Words<Arch> low = cells_of<Arch>(grid, a, bounds.low);
        // An inverted query gets the same cell for `low` and `high`.
        return {low, larger<Arch>(low, cells_of<Arch>(grid, a, bounds.high))};
    }
};

/// For each lane, the cells of a row to search, first ... past - 1, and the rows low ... high on
/// the other axes.
template <class Arch, std::size_t Dim>
struct PacketCells {
    std::uint32_t first[kLanes<Arch>], past[kLanes<Arch>]; ///< equal for queries that find nothing
    std::uint32_t low[Dim][kLanes<Arch>], high[Dim][kLanes<Arch>]; ///< axis 0 is not set

    /// The cells of queries q ... q + count - 1, of which there is one at least, and at most one a
    /// lane. Lanes from `count` on hold any cells of the grid, on which no answer may depend.
    template <class Shape, class Block>
    [[gnu::always_inline]] static PacketCells of(const GridView<Dim>& grid, const Block& queries,
                                                 std::size_t q, std::size_t count) noexcept {
        PacketCells cells;
        for (std::size_t a = 0; a < Dim; ++a) {
            const auto [low, high] = CellLanes<Arch>::template of<Shape>(grid, queries, q, a);
            low.store_unaligned(a == 0 ? cells.first : cells.low[a]);
            if (a == 0) {
                (high + Words<Arch>(1u)).store_unaligned(cells.past);
            } else {
                high.store_unaligned(cells.high[a]);
            }
        }
        const std::uint32_t asked = (1u << count) - 1;
        for (std::uint32_t inverted = ~Shape::sound(queries, q) & asked; inverted != 0;
             inverted &= inverted - 1)
            [[unlikely]] {
                const int lane = __builtin_ctz(inverted);
                cells.past[lane] = cells.first[lane];
            }
        return cells;
    }

    /// The first row that each query searches.
    [[gnu::always_inline]] Words<Arch> first_rows(const GridView<Dim>& grid) const noexcept {
        const Words<Arch> row = Words<Arch>::load_unaligned(low[1]);
        if constexpr (Dim == 2) {
            return row;
        } else {
            return row + Words<Arch>::load_unaligned(low[2]) * Words<Arch>(grid.cells[1]);
        }
    }
    /// How many rows each query searches on axis `a`.
    [[gnu::always_inline]] Words<Arch> rows(std::size_t a) const noexcept {
        return Words<Arch>::load_unaligned(high[a]) - Words<Arch>::load_unaligned(low[a]) +
               Words<Arch>(1u);
    }

    /// The cells that one of the queries searches.
    [[gnu::always_inline]] CellBox<Dim> box(std::size_t lane) const noexcept {
        CellBox<Dim> box;
        box.on[0] =
            first[lane] == past[lane] ? CellRange::none() : CellRange{first[lane], past[lane] - 1};
        for (std::size_t a = 1; a < Dim; ++a) {
            box.on[a] = {low[a][lane], high[a][lane]};
        }
        return box;
    }

    /// The most rows that any of the first `count` queries searches on an axis.
    [[gnu::always_inline]] std::uint32_t most_rows(std::size_t a,
                                                   std::size_t count) const noexcept {
        return widest(low[a], high[a], count) + 1;
    }
    [[gnu::always_inline]] std::uint32_t most_cells(std::size_t count) const noexcept {
        return widest(first, past, count);
    }

private:
    [[gnu::always_inline]] static std::uint32_t
    widest(const std::uint32_t* from, const std::uint32_t* to, std::size_t count) noexcept {
        std::uint32_t most = 0;
        for (std::size_t lane = 0; lane < count; ++lane) {
            const std::uint32_t wide = to[lane] - from[lane];
            most = most < wide ? wide : most;
        }
        return most;
    }
};

} // namespace throng::simd
