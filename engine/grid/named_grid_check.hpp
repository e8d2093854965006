// Whether one call may search these grids together. Internal to the engine and to parallel/.
#pragma once

#include "../core/status.hpp"
#include "named_grid.hpp"

#include <cstddef>
#include <span>

namespace throng {

/// Ok, or why not: there are too many grids, or one has fewer names than ids.
template <std::size_t Dim>
[[nodiscard]] Status check_names(std::span<const NamedGrid<Dim>> grids,
                                 Argument argument) noexcept {
    if (grids.size() > kMostGrids) { return {Cause::too_many, argument, kMostGrids}; }
    for (std::size_t g = 0; g < grids.size(); ++g) {
        if (grids[g].renames() && grids[g].names.size() < grids[g].grid->id_bound()) {
            return {Cause::count_mismatch, argument, g};
        }
    }
    return {};
}

} // namespace throng
