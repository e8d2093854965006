// The panels of the window, with readings and settings.
#pragma once

#include "../output/paint.hpp"
#include "plot.hpp"
#include "state.hpp"

struct ImFont;

namespace throng::demo {

/// Values that the panels show besides the state.
struct Readings {
    const Stage& stage;
    const RecentTimes& times;
    const Painter& painter;  ///< for the legend of its colours
    std::size_t most_agents; ///< the end of the slider
    float usual_radius;      ///< the scene's own; the slider ends at a multiple of it
    bool thinned;            ///< whether cells were too small to be shown
    float pictures_a_second;
    ImFont* large;
};

void draw_panels(ViewState& state, const Readings& readings);

} // namespace throng::demo
