// Agents as files for other programs.
#pragma once

#include "../stage/stage.hpp"
#include "output_file.hpp"

#include <cstdint>

namespace throng::demo {

/// Binary PLY, little endian: x, y, z, radius, neighbours.
void write_ply(const Stage& stage, OutputFile& file);

/// USD as text: points with widths, and numbers of neighbours as a primvar.
void write_usda(const Stage& stage, OutputFile& file);

/// A checksum of all places and numbers of neighbours; the same for every order of agents.
[[nodiscard]] std::uint64_t checksum_of(const Sight& sight) noexcept;

} // namespace throng::demo
