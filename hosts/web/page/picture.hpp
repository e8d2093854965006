// The crowd as pixels: discs where they are large enough, else dots that add up.
#pragma once

#include "bouncing_crowd.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace throng::web {

/// Where the middle of the picture is, and how many pixels a unit has.
struct View {
    Point<2> middle;
    float scale;
};

class Picture {
public:
    Picture();

    /// Draws what the view shows, coloured by speed, and these agents above it, in a colour of
    /// their own. Returns the number of agents in the view.
    std::uint32_t draw(BouncingCrowd& crowd, const View& view, std::span<const Id> found,
                       std::uint32_t width, std::uint32_t height);

    /// Rows of pixels, from the top: red, green, blue and alpha of each.
    [[nodiscard]] const std::uint32_t* pixels() const noexcept { return pixels_.data(); }

private:
    void disc(float x, float y, float radius, std::uint32_t colour) noexcept;
    void dot(float x, float y, std::uint32_t colour) noexcept;

    std::vector<std::uint32_t> pixels_;
    std::uint32_t width_ = 0, height_ = 0;
    std::array<std::uint32_t, 256> colours_{}; // by speed
};

} // namespace throng::web
