// Drawings over the agents: cells, the brush, and its hits.
#pragma once

#include "cells.hpp"
#include "dots.hpp"
#include "state.hpp"

#include <span>

struct ImDrawList;

namespace throng::demo {

/// Draws the edge of the world.
void draw_world(ImDrawList& list, const Box<2>& world, const ViewCamera& camera);
void draw_cells(ImDrawList& list, const ShownCells& cells, const ViewCamera& camera);
/// Only outlines cells that are much larger than the brush, because their fill would outshine
/// everything.
void draw_glow(ImDrawList& list, std::span<const Glow::Cell> cells, const ViewState& state);
/// `dots` is scratch memory, to be reused.
void draw_hits(ImDrawList& list, const ViewState& state, const Sight& sight, Dots& dots);
/// Draws the outline of the question, and the answer in a few words.
void draw_brush(ImDrawList& list, const ViewState& state, const Sight& sight);

} // namespace throng::demo
