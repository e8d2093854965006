// The memory of the process, as the kernel counts it.
#pragma once

#include <cstddef>

namespace throng::soak {

/// The process's own bytes in physical memory, after the heap has given back what it can. Pages of
/// files do not count, for example code that runs for the first time.
[[nodiscard]] std::size_t resident_bytes();

} // namespace throng::soak
