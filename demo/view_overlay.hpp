// What is drawn over the agents: cells, the brush, and whom it finds.
#pragma once

#include "view_cells.hpp"
#include "view_state.hpp"

#include <span>

struct ImDrawList;

namespace throng::demo {

void draw_cells(ImDrawList& list, const ShownCells& cells, const ViewCamera& camera);
void draw_glow(ImDrawList& list, std::span<const Glow::Cell> cells, const ViewCamera& camera);
void draw_hits(ImDrawList& list, const ViewState& state, const Sight& sight);
/// The outline of what is asked, and what came of it in a few words.
void draw_brush(ImDrawList& list, const ViewState& state, const Sight& sight);

} // namespace throng::demo
