// Static trees in archives. Internal to the engine.
#pragma once

#include "../archive/frozen_index.hpp"
#include "static_tree.hpp"

#include <cstddef>

namespace throng {

template <std::size_t Dim>
struct FrozenIndex<StaticTree<Dim>> {
    static constexpr ArchiveKind kKind = {archive_tag("TREE"), Dim};
    static void write(const StaticTree<Dim>& tree, ArchiveWriter& out);
    static void read(ArchiveReader& in, StaticTree<Dim>& tree);
};

} // namespace throng
