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

/// The visible part of the world. y grows towards the top of the image.
struct Camera {
    Point<2> centre{};
    float units_per_pixel = 1.0f;

    /// A camera with which all of `world` fits an image of this size.
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

/// The colour for a fraction from lonely, 0, to crowded, 1, for a legend.
[[nodiscard]] Colour colour_of_share(float share) noexcept;

/// The colour of one of Sight::hues, as different as possible from the colours of nearby numbers.
[[nodiscard]] Colour colour_of_hue(std::uint8_t hue) noexcept;

/// Paints a crowd. Reuse one painter: its colours then follow the crowd slowly instead of
/// flickering, and it allocates little. Agents smaller than about a pixel become a glow, brighter
/// where there are more; larger ones are discs. The image is the same to the bit on every executor.
class Painter {
public:
    explicit Painter(Executor& executor) : executor_(executor) {}

    /// Paints background, agents and walls, in this order. The image must already have its size.
    void paint(const Sight& sight, const Camera& camera, Image& image);

    /// Paints the edges of boxes over the image, fainter for smaller boxes. Leaves out boxes
    /// smaller than a few pixels.
    void outline(std::span<const Box<2>> boxes, const Camera& camera, const Colour& colour,
                 float opacity, Image& image) const;

    /// The half extent of most agents.
    [[nodiscard]] static float usual_half(const Sight& sight);

    /// The numbers of neighbours with the colours 0 and 1.
    [[nodiscard]] float fewest() const noexcept { return low_ * low_; }
    [[nodiscard]] float most() const noexcept { return high_ * high_; }

private:
    struct Band;
    /// Agents with at least this many neighbours have the last colour.
    static constexpr std::size_t kColours = 4096;

    void prepare(const Sight& sight);
    void sort_into_bands(const Sight& sight, const Camera& camera, const Image& image);
    void paint_band(const Sight& sight, const Camera& camera, std::size_t band, Image& image) const;

    Executor& executor_;
    float low_ = 0.0f, high_ = -1.0f; // roots of numbers of neighbours; inverted: not known yet
    std::vector<Colour> colours_;     // by number of neighbours
    std::array<Colour, 256> hues_{};
    float giant_ = 0.0f;    // agents with larger half extents are giants
    float crowding_ = 0.3f; // agents in a pixel, or 0.3 if they are fewer
    std::size_t bands_ = 0, blocks_ = 0;
    // The agents that touch each band of rows, by block of agents: [block * bands_ + band].
    std::vector<std::vector<Id>> touching_;
};

} // namespace throng::demo
