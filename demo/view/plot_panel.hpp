// The plot of the last frames' times.
#pragma once

#include "plot.hpp"

namespace throng::demo {

/// Fills ImGui's current window: a bar for each frame, its parts one upon the other, and the line
/// that they must stay below for 60 frames a second. No pictures a second: it is paused.
void draw_plot(const RecentTimes& times, float pictures_a_second);

} // namespace throng::demo
