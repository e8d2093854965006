// What a periodic world costs a crowd over ranks: docs/distributed.md.
#pragma once

#include <cstddef>

namespace throng::bench {

/// Times calls on one rank in a world with borders and in a periodic one, in turns, in the plane
/// and in space, and prints the medians. Returns whether the answers are those of a Crowd.
[[nodiscard]] bool print_around(std::size_t agents, int steps);

} // namespace throng::bench
