// How even the work of ranks is, by heads and by work.
#pragma once

#include "walk.hpp"

#include <cstdint>

namespace throng::bench {

/// Cuts a crowd by heads and then by work, on ranks of this process.
/// Prints the largest work of a rank over the mean, both ways, and what a rank needs to make cuts.
/// Returns whether all is within the limits.
bool print_balance(std::uint32_t ranks, const Walk& world, std::uint64_t seed);

} // namespace throng::bench
