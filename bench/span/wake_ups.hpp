// The costs of starting a loop on several threads, and of ending it.
#pragma once

#include "schedule.hpp"

#include "../machine/machine.hpp"
#include "../machine/team.hpp"

namespace throng::bench {

/// Measures two threads, powers of two, and as many threads as processors. Takes medians over loops
/// whose blocks only wait until all threads have arrived: otherwise the caller would be done before
/// the first other thread wakes.
[[nodiscard]] LoopCosts measure_wake_ups(Source source, const Machine& machine);

} // namespace throng::bench
