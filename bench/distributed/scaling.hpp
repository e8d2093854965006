// Times of steps: one rank against several, and several ranks against as many threads.
#pragma once

#include "job.hpp"
#include "walk.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace throng::bench {

/// Median seconds of a step, on the slowest rank.
struct StepTimes {
    double update = 0.0, neighbours = 0.0;
    [[nodiscard]] double both() const noexcept { return update + neighbours; }
};

/// Makes steps of a walk of `agents` agents in all, and times updates and lists of all neighbours.
/// Collective.
StepTimes time_steps(Ranks& ranks, std::size_t agents, int steps, Executor& executor);

/// The numbers of all ranks, by rank. Collective.
std::vector<double> gather_numbers(Ranks& ranks, double own);

/// Runs as many agents on each rank as on one rank alone. Returns whether the efficiency is high
/// enough.
bool print_weak(Job& job, std::size_t agents, int steps);

/// Runs the same crowd on all ranks with a thread each, and on one rank with as many threads.
bool print_threads(Job& job, std::size_t agents, int steps);

} // namespace throng::bench
