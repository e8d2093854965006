// Predicts steps on more ranks than are available.
#pragma once

#include "job.hpp"

#include <cstddef>

namespace throng::bench {

/// Measures the costs of bricks of several sizes, of agreements and of messages. Compares the times
/// that these predict with real steps of `agents` agents per rank, on one rank and on the job's.
/// Prints a table for numbers of ranks, agents and networks. Returns whether the prediction is
/// within a fifth of the measurement.
bool print_model(Job& job, std::size_t agents, int steps);

} // namespace throng::bench
