// Pictures as files that everything can read.
#pragma once

#include "image.hpp"

#include <cstdint>
#include <vector>

namespace throng::demo {

/// The bytes of a PNG file, 8 bits a channel, without the fourth: compressed with fixed codes and
/// short matches, which is enough for pictures that are mostly dark, and takes no library.
[[nodiscard]] std::vector<std::uint8_t> encode_png(const Image& image);

} // namespace throng::demo
