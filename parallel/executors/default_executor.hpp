// The executor of C, Python and the demo where none is named; calls in C++ take serial_executor().
#pragma once

#include "../../engine/core/executor.hpp"
#include "../../simd/isa/export.hpp"

#include <cstddef>
#include <memory>

namespace throng {

/// oneTBB, in the caller's arena, if the library was built with it: the host's arenas, limits and
/// priorities hold. Otherwise one ThreadPool for the whole process, with one thread for each
/// processor that the first caller may run on; the first call starts them, and the pool lasts until
/// the process ends. If the system refuses the threads, serial_executor().
///
/// Serves any number of threads, and a child of fork(), where the calling thread does all the work.
[[nodiscard]] THRONG_API Executor& default_executor() noexcept;

/// Makes a TbbExecutor for that many threads; null if the library was built without oneTBB.
[[nodiscard]] THRONG_API std::unique_ptr<Executor> make_tbb_executor(std::size_t threads = 0);

} // namespace throng
