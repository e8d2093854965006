#include "canvas.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>

namespace throng::demo {

Canvas::Canvas(std::size_t width, std::size_t height, const Colour& background)
    : width_(width), height_(height), pixels_(width * height, background) {}

void Canvas::blend(std::ptrdiff_t x, std::ptrdiff_t y, const Colour& colour,
                   float opacity) noexcept {
    if (x < 0 || y < 0) { return; }
    const auto column = static_cast<std::size_t>(x), row = static_cast<std::size_t>(y);
    if (column >= width_ || row >= height_) { return; }
    Colour& pixel = pixels_[row * width_ + column];
    for (std::size_t c = 0; c < 3; ++c) {
        pixel[c] += (colour[c] - pixel[c]) * opacity;
    }
}

void Canvas::fill(const Area& area, float corner, const Colour& colour, float opacity,
                  const Area& clip) noexcept {
    const float x_middle = (area.left + area.right) * 0.5f;
    const float y_middle = (area.top + area.bottom) * 0.5f;
    const float x_half = (area.right - area.left) * 0.5f - corner;
    const float y_half = (area.bottom - area.top) * 0.5f - corner;
    const auto first = [](float edge, float limit) {
        return static_cast<std::ptrdiff_t>(std::floor(std::max(edge - 1.0f, limit)));
    };
    const auto past = [](float edge, float limit) {
        return static_cast<std::ptrdiff_t>(std::ceil(std::min(edge + 1.0f, limit)));
    };
    for (auto y = first(area.top, clip.top); y < past(area.bottom, clip.bottom); ++y) {
        for (auto x = first(area.left, clip.left); x < past(area.right, clip.right); ++x) {
            // How far the middle of the pixel lies outside.
            const float dx = std::abs(static_cast<float>(x) + 0.5f - x_middle) - x_half;
            const float dy = std::abs(static_cast<float>(y) + 0.5f - y_middle) - y_half;
            const float distance = std::hypot(std::max(dx, 0.0f), std::max(dy, 0.0f)) +
                                   std::min(std::max(dx, dy), 0.0f) - corner;
            blend(x, y, colour, opacity * std::clamp(0.5f - distance, 0.0f, 1.0f));
        }
    }
}

void Canvas::frame(const Area& area, float width, const Colour& colour, float opacity,
                   const Area& clip) noexcept {
    const Area& a = area;
    fill({a.left - width, a.top - width, a.right + width, a.top}, 0, colour, opacity, clip);
    fill({a.left - width, a.bottom, a.right + width, a.bottom + width}, 0, colour, opacity, clip);
    fill({a.left - width, a.top, a.left, a.bottom}, 0, colour, opacity, clip);
    fill({a.right, a.top, a.right + width, a.bottom}, 0, colour, opacity, clip);
}

void Canvas::line(float x0, float y0, float x1, float y1, const Colour& colour,
                  float opacity) noexcept {
    const float steps = std::max(1.0f, std::ceil(std::max(std::abs(x1 - x0), std::abs(y1 - y0))));
    for (float step = 0.0f; step <= steps; ++step) {
        const float x = x0 + (x1 - x0) * step / steps;
        const float y = y0 + (y1 - y0) * step / steps;
        // Shared between the two pixels that it runs between.
        const float below = y - 0.5f - std::floor(y - 0.5f);
        const auto column = static_cast<std::ptrdiff_t>(std::floor(x));
        const auto row = static_cast<std::ptrdiff_t>(std::floor(y - 0.5f));
        blend(column, row, colour, opacity * (1.0f - below));
        blend(column, row + 1, colour, opacity * below);
    }
}

void Canvas::write(const std::string& file) const {
    std::ofstream out(file, std::ios::binary);
    out << "P6\n" << width_ << ' ' << height_ << "\n255\n";
    for (const Colour& pixel : pixels_) {
        for (const float c : pixel) {
            out.put(static_cast<char>(
                static_cast<unsigned char>(std::clamp(c, 0.0f, 1.0f) * 255.0f + 0.5f)));
        }
    }
    out.close();
    if (!out) { throw std::runtime_error("cannot write the picture to '" + file + "'"); }
}

} // namespace throng::demo
