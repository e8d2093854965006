// Row grids in archives. Internal to the engine.
#pragma once

#include "../../archive/frozen_index.hpp"
#include "../row_grid.hpp"

#include <cstddef>

namespace throng {

template <std::size_t Dim>
struct FrozenIndex<RowGrid<Dim>> {
    static constexpr ArchiveKind kKind = {archive_tag("GRID"), Dim};
    static void write(const RowGrid<Dim>& grid, ArchiveWriter& out);
    static void read(ArchiveReader& in, RowGrid<Dim>& grid);
};

} // namespace throng
