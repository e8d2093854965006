// Loose trees in archives. Internal to the engine.
#pragma once

#include "../archive/frozen_index.hpp"
#include "loose_tree.hpp"

#include <cstddef>

namespace throng {

template <std::size_t Dim>
struct FrozenIndex<LooseTree<Dim>> {
    static constexpr ArchiveKind kKind = {archive_tag("TREE"), Dim};
    static void write(const LooseTree<Dim>& tree, ArchiveWriter& out);
    static void read(ArchiveReader& in, LooseTree<Dim>& tree);
};

} // namespace throng
