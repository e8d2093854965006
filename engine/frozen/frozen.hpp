// Crowds and grids, saved and loaded: save() and load() themselves are in archive/freezable.hpp.
#pragma once

#include "../archive/freezable.hpp"
#include "../crowd/crowd.hpp"
#include "../grid/row_grid.hpp"

#include <cstddef>

namespace throng {

template <std::size_t Dim>
inline constexpr bool kCanBeFrozen<RowGrid<Dim>> = true;
template <std::size_t Dim>
inline constexpr bool kCanBeFrozen<Crowd<Dim>> = true;

} // namespace throng
