// Makes a running scene from options.
#pragma once

#include "../stage/stage.hpp"
#include "options.hpp"

#include <throng/engine/core/executor.hpp>

#include <memory>

namespace throng::demo {

/// Makes the stage of the chosen scene: agents are placed, and the first questions asked. Borrows
/// the executor. Throws std::runtime_error, with a sentence, if the library refuses something.
[[nodiscard]] std::unique_ptr<Stage> make_stage(const Options& options, Executor& executor);

} // namespace throng::demo
