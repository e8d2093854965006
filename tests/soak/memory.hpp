// What a process holds, as the kernel sees it.
#pragma once

#include <cstddef>

namespace throng::soak {

/// Bytes of the process that are in physical memory, once the heap has given back what it can.
[[nodiscard]] std::size_t resident_bytes();

} // namespace throng::soak
