// Crowds in archives. Internal to the engine.
#pragma once

#include "../../archive/archive.hpp"
#include "../../archive/frozen_index.hpp"
#include "../crowd.hpp"

namespace throng {

template <std::size_t Dim>
struct FrozenIndex<Crowd<Dim>> {
    static constexpr ArchiveKind kKind = {archive_tag("CRWD"), Dim};
    static void write(const Crowd<Dim>& crowd, ArchiveWriter& out);
    /// Keeps the crowd's own source of memory.
    static void read(ArchiveReader& in, Crowd<Dim>& crowd);
};

} // namespace throng
