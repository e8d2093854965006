// A scene in a window.
#pragma once

#include "../command/options.hpp"
#include "../stage/stage.hpp"

#include <throng/engine/core/executor.hpp>

namespace throng::demo {

/// Plays until the window is closed. Throws std::runtime_error, with a sentence, if there is no
/// display.
///
/// The environment variable THRONG_DEMO_TRACE names a file for events, one line each.
void show(Stage& stage, const Options& options, Executor& executor);

} // namespace throng::demo
