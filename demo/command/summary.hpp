// The table at the end of a run.
#pragma once

#include "../stage/frame_times.hpp"
#include "../stage/stage.hpp"

#include <throng/engine/core/executor.hpp>

namespace throng::demo {

/// Prints how many agents there were, what ran them, and what each part of the frames took. Needs a
/// frame.
void print_summary(const Stage& stage, const Executor& executor, const FrameTimes& times);

} // namespace throng::demo
