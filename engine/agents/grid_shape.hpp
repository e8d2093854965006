// Where the cells of a grid lie, and the one function that maps a place to its cell.
#pragma once

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
/// the coordinate grows; nothing in the engine relies on more than that, least of all on
/// `origin + i * cell` being exact.
template <std::size_t Dim>
struct GridShape {
    static constexpr std::uint32_t kMaxCellsPerAxis = 1u << 24; ///< floats count no further
    static constexpr std::uint64_t kMaxRows = std::uint64_t{1} << 28;
    static constexpr std::uint64_t kMaxCells = std::uint64_t{1}
                                               << 40; ///< x rounded to a power of two

    Point<Dim> origin{};
    Point<Dim> inverse_cell{};              ///< one over the size of a cell
    std::array<std::uint32_t, Dim> cells{}; ///< on each axis; zero: no shape yet

    /// The cell of coordinate `x` on axis `a`. `x` must not be NaN.
    [[nodiscard]] std::uint32_t cell_on(std::size_t a, float x) const noexcept {
        const float cell = (x - origin[a]) * inverse_cell[a];
        const auto last = static_cast<float>(cells[a] - 1);
        // Clamp while it is a float: a float beyond the integers has no defined cast.
        const float low = cell > 0.0f ? cell : 0.0f;
        return static_cast<std::uint32_t>(low < last ? low : last);
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

/// A shape, or why there is none.
template <std::size_t Dim>
struct ShapeOrStatus {
    GridShape<Dim> shape{};
    Status status{};
};

/// Cells of the given size over `bounds`. Refused: bounds that are not finite or are inverted, a
/// cell that is not positive, more cells than GridShape can number. Flat bounds get one cell there.
template <std::size_t Dim>
[[nodiscard]] THRONG_API ShapeOrStatus<Dim> shape_over(const Box<Dim>& bounds,
                                                       const Point<Dim>& cell) noexcept;

/// Refuses what shape_over() does not make: a shape has public members, and anything may be in
/// them.
template <std::size_t Dim>
[[nodiscard]] THRONG_API Status check_shape(const GridShape<Dim>& shape) noexcept;

/// A shape chosen from where the agents are; docs/fit.md has the rule. Refuses what update()
/// refuses in positions and extents.
template <std::size_t Dim>
[[nodiscard]] THRONG_API ShapeOrStatus<Dim> shape_for(const Agents<Dim>& agents) noexcept;

extern template ShapeOrStatus<2> shape_over(const Box<2>&, const Point<2>&) noexcept;
extern template ShapeOrStatus<3> shape_over(const Box<3>&, const Point<3>&) noexcept;
extern template ShapeOrStatus<2> shape_for(const Agents<2>&) noexcept;
extern template ShapeOrStatus<3> shape_for(const Agents<3>&) noexcept;

} // namespace throng
