// Where the demo's threads come from.
#pragma once

#include <throng/engine/executor.hpp>
#include <throng/engine/function_ref.hpp>

namespace throng::demo {

/// Calls `body` once, with an executor of so many threads. Throws std::invalid_argument where there
/// is only one to be had.
void with_threads(int threads, FunctionRef<void(Executor&)> body);

} // namespace throng::demo
