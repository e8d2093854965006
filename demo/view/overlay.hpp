// What is drawn over the agents: cells, the brush, and what it finds.
#pragma once

#include "cells.hpp"
#include "dots.hpp"
#include "state.hpp"

#include <span>

struct ImDrawList;

namespace throng::demo {

/// Where the world ends.
void draw_world(ImDrawList& list, const Box<2>& world, const ViewCamera& camera);
void draw_cells(ImDrawList& list, const ShownCells& cells, const ViewCamera& camera);
/// Cells much larger than the brush are outlined only: they would drown everything in light.
void draw_glow(ImDrawList& list, std::span<const Glow::Cell> cells, const ViewState& state);
/// `dots` is scratch, to be used again.
void draw_hits(ImDrawList& list, const ViewState& state, const Sight& sight, Dots& dots);
/// The outline of what is asked, and what came of it in a few words.
void draw_brush(ImDrawList& list, const ViewState& state, const Sight& sight);

} // namespace throng::demo
