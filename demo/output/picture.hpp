// A picture of a whole stage, as files show it.
#pragma once

#include "../stage/stage.hpp"
#include "image.hpp"
#include "paint.hpp"

namespace throng::demo {

/// All of the world, with cells or nodes if asked for and, where agents are too small to be told
/// apart, a part of it enlarged. The image has a size already.
void draw_picture(const Stage& stage, bool overlay, Painter& painter, Image& image);

} // namespace throng::demo
