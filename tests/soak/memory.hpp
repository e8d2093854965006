// The memory of the process, as the kernel counts it.
#pragma once

#include <cstddef>

namespace throng::soak {

/// Bytes of the process's own that are in physical memory, once the heap has given back what it
/// can; not those of files, such as code that is run for the first time.
[[nodiscard]] std::size_t resident_bytes();

} // namespace throng::soak
