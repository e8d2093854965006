// Whether grids may be asked together. Internal to the engine and to parallel/.
#pragma once

#include "named_grid.hpp"
#include "status.hpp"

#include <cstddef>
#include <span>

namespace throng {

/// Nothing, or why not: they are too many, or one has fewer names than ids.
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
