// Grids that one call searches together: the parts of one crowd, say.
#pragma once

#include "../agents/point.hpp"
#include "../core/id.hpp"
#include "row_grid.hpp"

#include <array>
#include <cstddef>
#include <span>

namespace throng {

/// The most grids that one call searches.
inline constexpr std::size_t kMostGrids = 8;

/// A grid, and the names that its agents have outside of it. Borrows both.
template <std::size_t Dim>
struct NamedGrid {
    const RowGrid<Dim>* grid;
    std::span<const Id> names; ///< one for each id below id_bound(); empty where ids are the names
    /// Half extents by id on each axis, and the largest of them, for agents whose grid knows only
    /// their centres, such as a crowd's giants. Null: the grid keeps them. Only questions about
    /// bodies look at them.
    std::array<const float*, Dim> half_extents{};
    Point<Dim> largest{};

    NamedGrid(const RowGrid<Dim>& named, std::span<const Id> by_id = {}) noexcept
        : grid(&named), names(by_id) {}

    [[nodiscard]] Id name_of(Id id) const noexcept { return names.empty() ? id : names[id]; }
    Id name_of(WiderThanId auto) const = delete;
};

} // namespace throng
