// The table at the end of a run.
#pragma once

#include "../stage/frame_times.hpp"
#include "../stage/stage.hpp"

#include <throng/engine/core/executor.hpp>

namespace throng::demo {

/// Prints the number of agents, the executor, and the time of each part of the frames. There must
/// be at least one frame.
void print_summary(const Stage& stage, const Executor& executor, const FrameTimes& times);

} // namespace throng::demo
