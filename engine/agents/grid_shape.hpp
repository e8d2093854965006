// The layout of a grid's cells, and the one function that maps a point to its cell.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../../simd/isa/export.hpp"
#include "../core/status.hpp"
#include "agents.hpp"
#include "box.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace throng {

/// Cells of equal size over a world box. A *row* is the set of cells that differ in x alone; rows
/// are numbered y fastest, then z.
///
/// Border cells reach to infinity, so every point has a cell. On each axis cell_on() never falls as
/// the coordinate grows; the engine relies on nothing more, and not on `origin + i * cell` being
/// exact.
///
/// A shape may be a *window* of a larger one, the whole: on each axis it has the whole's cells
/// first ... first + cells - 1, rounded alike. So agents that share a cell of the whole share a
/// cell of the window, and agents in the window keep their order. A point outside the window is in
/// the nearest border cell.
template <std::size_t Dim>
struct GridShape {
    static constexpr std::uint32_t kMaxCellsPerAxis = 1u << 24; ///< exact in floats up to here
    static constexpr std::uint64_t kMaxRows = std::uint64_t{1} << 28;
    static constexpr std::uint64_t kMaxCells = std::uint64_t{1}
                                               << 40; ///< cells[0] rounded up to a power of two

    Point<Dim> origin{};
    Point<Dim> inverse_cell{};              ///< one over the size of a cell
    std::array<std::uint32_t, Dim> cells{}; ///< on each axis; zero: no shape yet
    std::array<std::uint32_t, Dim> first{}; ///< of a window: its first cell in the whole

    /// The cell of coordinate `x` on axis `a`. `x` must not be NaN.
    [[nodiscard]] std::uint32_t cell_on(std::size_t a, float x) const noexcept {
        // The cell in the whole grid. Subtracting the window's first cell from `x`, or from `cell`
        // before it is truncated, would round differently.
        const float cell = (x - origin[a]) * inverse_cell[a];
        const auto from = static_cast<float>(first[a]);
        const auto last = static_cast<float>(first[a] + cells[a] - 1);
        // Clamped as a float: a float beyond the integers has no defined cast.
        const float low = cell > from ? cell : from;
        return static_cast<std::uint32_t>(low < last ? low : last) - first[a];
    }

    [[nodiscard]] std::uint32_t row_of(const Point<Dim>& point) const noexcept {
        std::uint32_t row = 0;
        for (std::size_t a = Dim - 1; a > 0; --a) {
            row = row * cells[a] + cell_on(a, point[a]);
        }
        return row;
    }

    [[nodiscard]] std::uint32_t rows() const noexcept {
        std::uint32_t count = 1;
        for (std::size_t a = 1; a < Dim; ++a) {
            count *= cells[a];
        }
        return count;
    }

    friend bool operator==(const GridShape&, const GridShape&) noexcept = default;
};

/// Cells of the given size over `bounds`. Refused: bounds that are not finite or are inverted, a
/// cell that is not positive, more cells than GridShape can number. A flat axis gets one cell.
template <std::size_t Dim>
[[nodiscard]] THRONG_API OrStatus<GridShape<Dim>> shape_over(const Box<Dim>& bounds,
                                                             const Point<Dim>& cell) noexcept;

/// The window of `whole` that has cells first ... first + cells - 1 of it. Refused: a shape that
/// check_shape() refuses, no cells, and cells that `whole` does not have.
template <std::size_t Dim>
[[nodiscard]] THRONG_API OrStatus<GridShape<Dim>>
window_in(const GridShape<Dim>& whole, const std::array<std::uint32_t, Dim>& first,
          const std::array<std::uint32_t, Dim>& cells) noexcept;

/// Refuses every shape that shape_over() and window_in() cannot make: a shape has public members,
/// and they may hold anything.
template <std::size_t Dim>
[[nodiscard]] THRONG_API Status check_shape(const GridShape<Dim>& shape) noexcept;

/// A shape chosen from the agents' positions; docs/fit.md has the rule. Refuses what update()
/// refuses in positions and extents.
template <std::size_t Dim>
[[nodiscard]] THRONG_API OrStatus<GridShape<Dim>> shape_for(const Agents<Dim>& agents) noexcept;

extern template OrStatus<GridShape<2>> shape_over(const Box<2>&, const Point<2>&) noexcept;
extern template OrStatus<GridShape<3>> shape_over(const Box<3>&, const Point<3>&) noexcept;
extern template OrStatus<GridShape<2>> shape_for(const Agents<2>&) noexcept;
extern template OrStatus<GridShape<3>> shape_for(const Agents<3>&) noexcept;

} // namespace throng

#include "../../simd/isa/names_end.hpp"
