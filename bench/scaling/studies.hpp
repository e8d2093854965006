// The comparisons of the scaling program.
#pragma once

#include "../machine/team.hpp"
#include "options.hpp"
#include "report.hpp"

#include <memory>
#include <span>

namespace throng::bench {

/// Makes all measurements that the options ask for. The first team must be the serial one.
void measure_all(const Options& options, std::span<const std::unique_ptr<Team>> teams,
                 Report& report);

} // namespace throng::bench
