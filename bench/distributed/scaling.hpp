// Times of steps: one rank against several, and ranks against threads.
#pragma once

#include "job.hpp"
#include "walk.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace throng::bench {

/// Median seconds of a step, the slowest rank's.
struct StepTimes {
    double update = 0.0, neighbours = 0.0;
    [[nodiscard]] double both() const noexcept { return update + neighbours; }
};

/// Makes steps of a walk of `agents` agents in all, and times the update and the lists of all
/// neighbours. Collective.
StepTimes time_steps(Ranks& ranks, std::size_t agents, int steps, Executor& executor);

/// A number of each rank, by rank. Collective.
std::vector<double> gather_numbers(Ranks& ranks, double own);

/// As many agents for each rank as for one rank alone. Whether the efficiency is as it should be.
bool print_weak(Job& job, std::size_t agents, int steps);

/// The same crowd on all ranks with a thread each, and on one with as many threads.
bool print_threads(Job& job, std::size_t agents, int steps);

} // namespace throng::bench
