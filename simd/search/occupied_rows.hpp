// The rows of a grid that a search must look into, in order. For *.kernel.cpp files only.
#pragma once

#include "../isa/bit_levels.hpp"
#include "../shapes/search_range.hpp"

namespace throng::simd {

/// The first plane from `z` on that has agents: sparse worlds have thousands of empty planes. In
/// space only.
template <class Arch, std::size_t Dim>
[[gnu::always_inline]] inline std::uint32_t plane_with_agents(const GridView<Dim>& grid,
                                                              std::uint32_t z) noexcept {
    const std::uint32_t first = z * grid.cells[1];
    const auto next = static_cast<std::uint32_t>(
        next_set<Arch>(grid.occupied, grid.occupied_depth, first, grid.row_count));
    return next - first < grid.cells[1] ? z : next / grid.cells[1];
}

/// The rows with agents. Where the grid has tiles and reading them pays, leaves out rows that they
/// show to have no agents in the cells of x given to the constructor.
template <class Arch, std::size_t Dim>
class OccupiedRows {
public:
    [[gnu::always_inline]] OccupiedRows(const GridView<Dim>& grid, const CellRange& cells) noexcept
        : grid_(&grid), first_(cells.first >> grid.column_shift),
          last_(cells.last >> grid.column_shift) {}

    /// The first such row at or after `r` and before `past`; `past` or more when there is none.
    [[gnu::always_inline]] std::uint32_t next(std::uint32_t r, std::uint32_t past) noexcept {
        while (r < past) {
            if (r >> 6 != tile_) {
                // Tiles without agents are skipped together.
                r = occupied(r);
                if (r >= past) { break; }
                enter(r, past);
            }
            const std::uint64_t ahead = rows_ >> (r & 63);
            if (ahead != 0) { return r + static_cast<std::uint32_t>(__builtin_ctzll(ahead)); }
            r = (r | 63) + 1;
        }
        return past;
    }

private:
    [[gnu::always_inline]] std::uint32_t occupied(std::uint32_t r) const noexcept {
        return static_cast<std::uint32_t>(
            next_set<Arch>(grid_->occupied, grid_->occupied_depth, r, grid_->row_count));
    }
    /// Enters the tile of row `r`; only its rows before `past` are searched.
    [[gnu::always_inline]] void enter(std::uint32_t r, std::uint32_t past) noexcept {
        tile_ = r >> 6;
        rows_ = grid_->occupied[0][tile_];
        if (grid_->tiles == nullptr) { return; }
        const std::uint32_t end = past < (r | 63) + 1 ? past : (r | 63) + 1;
        const std::uint64_t ahead = (rows_ >> (r & 63)) << (63 - (end - 1 - r));
        const auto rows = static_cast<std::uint32_t>(__builtin_popcountll(ahead));
        if (!tile_pays(grid_->columns, last_ - first_ + 1, rows)) { return; }
        const std::uint64_t* const words = grid_->tiles + std::size_t{tile_} * grid_->columns;
        std::uint64_t some = 0;
        for (std::uint32_t s = first_; s <= last_; ++s) {
            some |= words[s];
        }
        rows_ &= some; // a tile may still have the bit of a row that has no agents any more
    }

    const GridView<Dim>* grid_;
    std::uint32_t first_, last_;
    std::uint32_t tile_ = ~0u;
    std::uint64_t rows_ = 0;
};

} // namespace throng::simd
