// Pixels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace throng::demo {

/// Rows from the top, four bytes a pixel: red, green, blue, and 255.
struct Image {
    std::size_t width = 0, height = 0;
    std::vector<std::uint8_t> rgba;

    Image() = default;
    Image(std::size_t w, std::size_t h) : width(w), height(h), rgba(w * h * 4, 255) {}

    [[nodiscard]] std::uint8_t* row(std::size_t y) noexcept { return rgba.data() + y * width * 4; }
    [[nodiscard]] const std::uint8_t* row(std::size_t y) const noexcept {
        return rgba.data() + y * width * 4;
    }
};

} // namespace throng::demo
