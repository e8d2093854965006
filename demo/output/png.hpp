// Pictures as PNG files.
#pragma once

#include "image.hpp"

#include <cstdint>
#include <vector>

namespace throng::demo {

/// The bytes of a PNG file, 8 bits per channel, without the fourth channel. Compressed with fixed
/// codes and short matches, which is enough for mostly dark pictures and needs no library.
[[nodiscard]] std::vector<std::uint8_t> encode_png(const Image& image);

} // namespace throng::demo
