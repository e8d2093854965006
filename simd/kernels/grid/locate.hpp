// The kernels that find the row and the cell of each agent.
#pragma once

#include <cstddef>
#include <cstdint>

namespace throng::simd {

/// The cells of a grid; GridShape has the same.
template <std::size_t Dim>
struct CellMap {
    float origin[Dim];
    float inverse_cell[Dim];
    float first_cell[Dim]; ///< of a window: its first cell in the whole grid
    float last_cell[Dim];  ///< of a window: its last cell in the whole grid
    std::uint32_t cells[Dim];
};

/// Writes the row of each of `count` points to `row`. Returns whether all coordinates are finite
/// and at most `largest` in size; a point with any other coordinate gets some row of the grid.
/// Reads and writes up to kSlack elements past the end.
template <std::size_t Dim>
bool locate_rows(const CellMap<Dim>& map, const float* const (&axis)[Dim], std::size_t count,
                 float largest, std::uint32_t* row) noexcept;

/// Writes the cell on the x axis of each point. Reads and writes up to kSlack elements past the
/// end.
template <std::size_t Dim>
void locate_cells(const CellMap<Dim>& map, const float* x, std::size_t count,
                  std::uint32_t* cell) noexcept;

/// The same on one instruction set; each is compiled from locate.kernel.cpp.
template <class Arch, std::size_t Dim>
bool locate_rows_on(Arch, const CellMap<Dim>& map, const float* const (&axis)[Dim],
                    std::size_t count, float largest, std::uint32_t* row) noexcept;
template <class Arch, std::size_t Dim>
void locate_cells_on(Arch, const CellMap<Dim>& map, const float* x, std::size_t count,
                     std::uint32_t* cell) noexcept;

} // namespace throng::simd
