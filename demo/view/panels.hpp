// The panels of the window: what there is to be read and to be set.
#pragma once

#include "../output/paint.hpp"
#include "plot.hpp"
#include "state.hpp"

struct ImFont;

namespace throng::demo {

/// What the panels tell besides the state.
struct Readings {
    const Stage& stage;
    const RecentTimes& times;
    const Painter& painter;  ///< for the legend of its colours
    std::size_t most_agents; ///< how far the slider goes
    float usual_radius;      ///< of the scene at first: the slider goes to some times that
    bool thinned;            ///< cells were too small to be shown
    float pictures_a_second;
    ImFont* large;
};

void draw_panels(ViewState& state, const Readings& readings);

} // namespace throng::demo
