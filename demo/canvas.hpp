// Pixels to draw on.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace throng::demo {

/// Red, green and blue, from 0 to 1.
using Colour = std::array<float, 3>;

/// A rectangle of pixels; whole numbers are their edges.
struct Area {
    float left, top, right, bottom;
};

class Canvas {
public:
    Canvas(std::size_t width, std::size_t height, const Colour& background);

    /// Paints over one pixel as far as `opacity` says; nothing where there is no pixel.
    void blend(std::ptrdiff_t x, std::ptrdiff_t y, const Colour& colour, float opacity) noexcept;

    /// A rectangle whose corners are rounded, with smooth edges; only the part inside `clip`.
    void fill(const Area& area, float corner, const Colour& colour, float opacity,
              const Area& clip) noexcept;
    /// The outline of a rectangle, likewise.
    void frame(const Area& area, float width, const Colour& colour, float opacity,
               const Area& clip) noexcept;
    void line(float x0, float y0, float x1, float y1, const Colour& colour, float opacity) noexcept;

    /// As a binary PPM. Throws std::runtime_error when that fails.
    void write(const std::string& file) const;

private:
    std::size_t width_, height_;
    std::vector<Colour> pixels_;
};

} // namespace throng::demo
