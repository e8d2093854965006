// What steps would take on more ranks than there are here.
#pragma once

#include "job.hpp"

#include <cstddef>

namespace throng::bench {

/// Measures what bricks of several sizes, agreements and messages cost; compares the time that this
/// predicts with steps of `agents` agents a rank, on one rank and on those of the job; and prints a
/// table of ranks, agents and networks. Returns whether the prediction is within a fifth of the
/// measurement.
bool print_model(Job& job, std::size_t agents, int steps);

} // namespace throng::bench
