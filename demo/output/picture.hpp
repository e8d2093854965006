// A picture of a whole stage, for files.
#pragma once

#include "../stage/stage.hpp"
#include "image.hpp"
#include "paint.hpp"

namespace throng::demo {

/// Draws the whole world, with cells or nodes if `overlay`. If agents are too small to distinguish,
/// also draws a part of it enlarged. The image must already have its size.
void draw_picture(const Stage& stage, bool overlay, Painter& painter, Image& image);

} // namespace throng::demo
