// The machine that runs the benchmarks.
#pragma once

#include <cstddef>
#include <string>

namespace throng::bench {

struct Machine {
    std::string name;           ///< of its processor, from /proc/cpuinfo
    std::size_t processors = 1; ///< that this process may run on
    std::size_t cores = 1;      ///< of these processors
};

[[nodiscard]] Machine this_machine();

} // namespace throng::bench
