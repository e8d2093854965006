// The crowd as pixels: discs if they are large enough, otherwise dots that add up.
#pragma once

#include "bouncing_crowd.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace throng::web {

/// The middle of the picture, and the number of pixels per unit.
struct View {
    Point<2> middle;
    float scale;
};

class Picture {
public:
    Picture();

    /// Draws the agents in the view, coloured by speed, and over them the found agents in a colour
    /// of their own. Returns the number of agents in the view.
    std::uint32_t draw(BouncingCrowd& crowd, const View& view, std::span<const Id> found,
                       std::uint32_t width, std::uint32_t height);

    /// Rows of pixels from the top, with red, green, blue and alpha of each.
    [[nodiscard]] const std::uint32_t* pixels() const noexcept { return pixels_.data(); }

private:
    void disc(float x, float y, float radius, std::uint32_t colour) noexcept;
    void dot(float x, float y, std::uint32_t colour) noexcept;

    std::vector<std::uint32_t> pixels_;
    std::uint32_t width_ = 0, height_ = 0;
    std::array<std::uint32_t, 256> colours_{}; // by speed
};

} // namespace throng::web
