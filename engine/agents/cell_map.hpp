// What all grid updates use: cells as kernels take them, and bounds of positions. Internal to the
// engine.
#pragma once

#include "../../simd/kernels/grid/locate.hpp"
#include "box.hpp"
#include "grid_shape.hpp"
#include "view.hpp"

#include <algorithm>
#include <cstddef>

namespace throng {

/// The cells of a grid shape, in the form that the kernel that locates agents takes.
template <std::size_t Dim>
[[nodiscard]] simd::CellMap<Dim> cell_map(const GridShape<Dim>& shape) noexcept {
    simd::CellMap<Dim> map;
    for (std::size_t a = 0; a < Dim; ++a) {
        map.origin[a] = shape.origin[a];
        map.inverse_cell[a] = shape.inverse_cell[a];
        map.first_cell[a] = static_cast<float>(shape.first[a]);
        map.last_cell[a] = static_cast<float>(shape.first[a] + shape.cells[a] - 1);
        map.cells[a] = shape.cells[a];
    }
    return map;
}

/// The box of all positions, of which there must be at least one.
template <std::size_t Dim>
[[nodiscard]] Box<Dim> bounds_of(const PointView<Dim>& positions) noexcept {
    Box<Dim> bounds;
    for (std::size_t a = 0; a < Dim; ++a) {
        const ValueView<float> values = positions.values(a);
        bounds.lo[a] = bounds.hi[a] = values[0];
        for (std::size_t i = 1; i < positions.count; ++i) {
            bounds.lo[a] = std::min(bounds.lo[a], values[i]);
            bounds.hi[a] = std::max(bounds.hi[a], values[i]);
        }
    }
    return bounds;
}

} // namespace throng
