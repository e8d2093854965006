// Paints a crowd from above, as the files and the window show it.
#pragma once

#include "../stage/stage.hpp"
#include "image.hpp"

#include <throng/engine/core/executor.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace throng::demo {

/// What part of the world is seen. Up is up: y grows towards the top of the image.
struct Camera {
    Point<2> centre{};
    float units_per_pixel = 1.0f;

    /// Everything in `world` fits an image of that size.
    [[nodiscard]] static Camera over(const Box<2>& world, std::size_t width,
                                     std::size_t height) noexcept;
    [[nodiscard]] Point<2> world_of(float pixel_x, float pixel_y,
                                    const Image& image) const noexcept;
    [[nodiscard]] Point<2> pixel_of(const Point<2>& place, const Image& image) const noexcept;
};

/// Red, green, blue, from 0 to 1.
struct Colour {
    float r, g, b;
};

/// From lonely, 0, to crowded, 1: for a legend.
[[nodiscard]] Colour colour_of_share(float share) noexcept;

/// The colour of one of Sight::hues: as different as may be from those of numbers nearby.
[[nodiscard]] Colour colour_of_hue(std::uint8_t hue) noexcept;

/// Reuse one, and its colours follow the crowd slowly instead of flickering, and it allocates
/// little. Agents of less than a pixel or so become a glow, the brighter the more they are; larger
/// ones are discs. The same to the bit for every executor.
class Painter {
public:
    explicit Painter(Executor& executor) : executor_(executor) {}

    /// Background, agents, walls, in this order. The image has a size already.
    void paint(const Sight& sight, const Camera& camera, Image& image);

    /// The edges of boxes over what is there, fainter the smaller they are; those of less than a
    /// few pixels are left out.
    void outline(std::span<const Box<2>> boxes, const Camera& camera, const Colour& colour,
                 float opacity, Image& image) const;

    /// The half extent of most agents.
    [[nodiscard]] static float usual_half(const Sight& sight);

    /// How many neighbours the colours 0 and 1 are for.
    [[nodiscard]] float fewest() const noexcept { return low_ * low_; }
    [[nodiscard]] float most() const noexcept { return high_ * high_; }

private:
    struct Band;
    /// As many neighbours, or more, have the colour of the last.
    static constexpr std::size_t kColours = 4096;

    void prepare(const Sight& sight);
    void sort_into_bands(const Sight& sight, const Camera& camera, const Image& image);
    void paint_band(const Sight& sight, const Camera& camera, std::size_t band, Image& image) const;

    Executor& executor_;
    float low_ = 0.0f, high_ = -1.0f; // roots of numbers of neighbours; inverted: not known yet
    std::vector<Colour> colours_;     // by number of neighbours
    std::array<Colour, 256> hues_{};
    float giant_ = 0.0f;    // whose half extent is larger is one
    float crowding_ = 0.3f; // agents in a pixel, or 0.3 if they are fewer
    std::size_t bands_ = 0, blocks_ = 0;
    // Who touches which band of rows, block by block of agents: [block * bands_ + band].
    std::vector<std::vector<Id>> touching_;
};

} // namespace throng::demo
