// The machine that is measured.
#pragma once

#include <cstddef>
#include <string>

namespace throng::bench {

struct Machine {
    std::string name;           ///< of its processor, as /proc/cpuinfo has it
    std::size_t processors = 1; ///< that this process may run on,
    std::size_t cores = 1;      ///< which so many cores share
};

[[nodiscard]] Machine this_machine();

} // namespace throng::bench
