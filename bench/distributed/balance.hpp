// How even the work of ranks is when cuts count agents, and when they count work.
#pragma once

#include "walk.hpp"

#include <cstdint>

namespace throng::bench {

/// Balances a crowd by number of agents and then by work, on ranks of this process. Prints the
/// largest work of a rank divided by the mean, both ways, and the time that a rank needs for cuts.
/// Returns whether all figures are within their limits.
bool print_balance(std::uint32_t ranks, const Walk& world, std::uint64_t seed);

} // namespace throng::bench
