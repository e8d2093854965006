// From options to a scene that runs.
#pragma once

#include "../stage/stage.hpp"
#include "options.hpp"

#include <throng/engine/core/executor.hpp>

#include <memory>

namespace throng::demo {

/// The scene of that name, its agents in their places and asked for the first time. Borrows the
/// executor. Throws std::runtime_error, with a sentence, where the library refuses something.
[[nodiscard]] std::unique_ptr<Stage> make_stage(const Options& options, Executor& executor);

} // namespace throng::demo
