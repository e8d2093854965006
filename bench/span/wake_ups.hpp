// What it costs to start a loop on several threads, and to end it.
#pragma once

#include "schedule.hpp"

#include "../machine/machine.hpp"
#include "../machine/team.hpp"

namespace throng::bench {

/// For two threads, for powers of two and for as many as there are processors: medians over loops
/// whose blocks do nothing but wait until all threads are there, since without that the caller
/// would be done before the first of the others wakes.
[[nodiscard]] LoopCosts measure_wake_ups(Source source, const Machine& machine);

} // namespace throng::bench
