// How each index writes itself into an archive, as a group of sections, and reads itself from one.
// Internal to the engine.
#pragma once

#include "archive.hpp"
#include "loose_tree.hpp"
#include "row_grid.hpp"
#include "static_tree.hpp"

#include <cstddef>

namespace throng {

/// What is made of several indexes writes them one after another, with sections of its own before,
/// between or behind them, and reads them in the same order into new ones, which take the place of
/// the old when the whole archive has been read and is right.
///
/// read() leaves the index as it was unless the reader is ok() afterwards.
template <std::size_t Dim>
struct FrozenIndex<RowGrid<Dim>> {
    static constexpr ArchiveKind kKind = {archive_tag("GRID"), Dim};
    static void write(const RowGrid<Dim>& grid, ArchiveWriter& out);
    static void read(ArchiveReader& in, RowGrid<Dim>& grid);
};

template <std::size_t Dim>
struct FrozenIndex<StaticTree<Dim>> {
    static constexpr ArchiveKind kKind = {archive_tag("TREE"), Dim};
    static void write(const StaticTree<Dim>& tree, ArchiveWriter& out);
    static void read(ArchiveReader& in, StaticTree<Dim>& tree);
};

template <std::size_t Dim>
struct FrozenIndex<LooseTree<Dim>> {
    static constexpr ArchiveKind kKind = {archive_tag("LOOS"), Dim};
    static void write(const LooseTree<Dim>& tree, ArchiveWriter& out);
    static void read(ArchiveReader& in, LooseTree<Dim>& tree);
};

} // namespace throng
