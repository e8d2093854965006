// The table at the end of a run.
#pragma once

#include "../stage/frame_times.hpp"
#include "../stage/stage.hpp"
#include "options.hpp"

namespace throng::demo {

/// Prints how many agents there were, and what each part of the frames took. Needs a frame.
void print_summary(const Options& options, const Stage& stage, const FrameTimes& times);

} // namespace throng::demo
