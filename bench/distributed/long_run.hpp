// A walk that may be killed, and continues from its last checkpoint.
#pragma once

#include <throng/distributed/ranks.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace throng::bench {

struct LongRun {
    std::size_t agents = 0;
    bool clustered = false;
    int steps = 0;
    std::string folder; ///< for checkpoints; empty for none
    bool killed = false;
};

/// Makes the remaining steps: all, or those after the checkpoint in the folder, which may be of any
/// number of ranks. Saves a checkpoint eight times in a run. If the run is to be killed, the last
/// rank kills itself in the middle. Returns the hash of all steps of all agents. Collective.
std::uint64_t run_to_its_end(Ranks& ranks, const LongRun& run);

} // namespace throng::bench
