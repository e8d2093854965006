// The plot of the last frames' times.
#pragma once

#include "plot.hpp"

namespace throng::demo {

/// Fills ImGui's current window: a stacked bar for each frame, and the line below which frames
/// reach 60 a second. `pictures_a_second` is 0 while paused.
void draw_plot(const RecentTimes& times, float pictures_a_second);

} // namespace throng::demo
