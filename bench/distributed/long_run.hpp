// A walk that may be killed, and goes on from its last checkpoint.
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
    std::string folder; ///< of checkpoints; empty for a run without
    bool killed = false;
};

/// Makes the steps that are left: all, or those after the checkpoint in the folder, by however many
/// ranks it was saved. Saves one eight times a run. The last rank kills itself in the middle of a
/// run that is to be killed. Returns the hash of all steps of all agents. Collective.
std::uint64_t run_to_its_end(Ranks& ranks, const LongRun& run);

} // namespace throng::bench
