// Obstacles in archives. Internal to the engine.
#pragma once

#include "../../archive/frozen_index.hpp"
#include "../obstacles.hpp"

#include <cstddef>

namespace throng {

template <std::size_t Dim>
struct FrozenIndex<Obstacles<Dim>> {
    static constexpr ArchiveKind kKind = {archive_tag("OBST"), Dim};
    static void write(const Obstacles<Dim>& obstacles, ArchiveWriter& out);
    static void read(ArchiveReader& in, Obstacles<Dim>& obstacles);
};

} // namespace throng
