// A picture of a whole stage, as files show it.
#pragma once

#include "../stage/stage.hpp"
#include "image.hpp"
#include "paint.hpp"

namespace throng::demo {

/// Draws the whole world, with cells or nodes if asked for. If agents are too small to be told
/// apart, also a part of it enlarged. The image must have its size.
void draw_picture(const Stage& stage, bool overlay, Painter& painter, Image& image);

} // namespace throng::demo
