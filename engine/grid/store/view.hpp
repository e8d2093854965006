// A grid in the terms of kernels. Internal to the engine.
#pragma once

#include "../../../simd/views/grid_view.hpp"
#include "../../memory/hierarchical_bitset.hpp"
#include "../rows/row_store.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace throng {

/// The grid as kernels see it. Borrows the store; valid until rows are laid out anew or tiles
/// change.
template <std::size_t Dim>
struct View {
    std::array<const std::uint64_t*, HierarchicalBitset::kMaxLevels> levels{};
    simd::GridView<Dim> grid{};

    View() = default;
    View(const RowStore<Dim>& store, const Point<Dim>& max_half_extent) noexcept
        : levels(store.occupied().levels()) {
        const GridShape<Dim>& shape = store.shape();
        grid.rows = store.rows().data();
        grid.occupied = levels.data();
        grid.occupied_depth = store.occupied().depth();
        grid.row_count = static_cast<std::uint32_t>(store.rows().size());
        for (std::size_t a = 0; a < Dim; ++a) {
            grid.origin[a] = shape.origin[a];
            grid.inverse_cell[a] = shape.inverse_cell[a];
            grid.first[a] = shape.first[a];
            grid.first_cell[a] = static_cast<float>(shape.first[a]);
            grid.last_cell[a] = static_cast<float>(shape.first[a] + shape.cells[a] - 1);
            grid.cells[a] = shape.cells[a];
            grid.max_half_extent[a] = max_half_extent[a];
        }
        grid.own_extents = store.kind().own_half_extents;
        grid.groups = store.kind().groups;
        grid.full_table = TableForm{}.words(shape.cells[0]);
        grid.tiles = store.tiles().words();
        grid.columns = store.tiles().columns();
        grid.column_shift = store.tiles().shift();
    }
    /// Whether the view still shows this grid; for assertions.
    [[nodiscard]] bool shows(const RowStore<Dim>& store,
                             const Point<Dim>& max_half_extent) const noexcept {
        const View now(store, max_half_extent);
        bool same = levels == now.levels && grid.occupied == levels.data() &&
                    grid.rows == now.grid.rows && grid.row_count == now.grid.row_count &&
                    grid.tiles == now.grid.tiles && grid.column_shift == now.grid.column_shift &&
                    grid.own_extents == now.grid.own_extents && grid.groups == now.grid.groups;
        for (std::size_t a = 0; a < Dim; ++a) {
            same = same && grid.cells[a] == now.grid.cells[a] &&
                   grid.first[a] == now.grid.first[a] && grid.origin[a] == now.grid.origin[a] &&
                   grid.inverse_cell[a] == now.grid.inverse_cell[a] &&
                   grid.max_half_extent[a] == now.grid.max_half_extent[a];
        }
        return same;
    }

    View(const View& other) noexcept : levels(other.levels), grid(other.grid) {
        grid.occupied = levels.data();
    }
    View& operator=(const View& other) noexcept {
        levels = other.levels;
        grid = other.grid;
        grid.occupied = levels.data();
        return *this;
    }
    ~View() = default;
};

} // namespace throng
