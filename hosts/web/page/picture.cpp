#include "picture.hpp"

#include <algorithm>
#include <cmath>

namespace throng::web {

namespace {

constexpr std::uint32_t kOpaque = 0xFF000000u;
constexpr std::uint32_t kBackground = kOpaque | 0x1A0F0Bu; // blue, green, red
constexpr std::uint32_t kFound = kOpaque | 0xFF3DFFu;
constexpr std::uint32_t kFoundDot = kOpaque | 0x800A90u;
/// The speed with the last colour.
constexpr float kFast = 5.0f;
/// Discs with a smaller radius in pixels are painted as dots.
constexpr float kSmallDisc = 0.8f;

/// Colours from slow to fast: red, green, blue.
constexpr float kStops[][3] = {
    {38, 60, 150}, {28, 150, 200}, {90, 220, 170}, {250, 200, 80}, {255, 250, 235}};

std::uint32_t packed(float red, float green, float blue) noexcept {
    return kOpaque | static_cast<std::uint32_t>(blue) << 16 |
           static_cast<std::uint32_t>(green) << 8 | static_cast<std::uint32_t>(red);
}

/// Multiplies each of the four bytes by share / 256.
std::uint32_t scaled(std::uint32_t colour, std::uint32_t share) noexcept {
    return ((colour & 0x00FF00FFu) * share >> 8 & 0x00FF00FFu) |
           ((colour >> 8 & 0x00FF00FFu) * share & 0xFF00FF00u);
}

/// Adds each of the four bytes, limited to 255.
std::uint32_t sum(std::uint32_t a, std::uint32_t b) noexcept {
    constexpr std::uint32_t kLow = 0x7F7F7F7Fu, kHigh = 0x80808080u;
    const std::uint32_t wrapped = ((a & kLow) + (b & kLow)) ^ ((a ^ b) & kHigh);
    const std::uint32_t carry = ((a & b) | ((a | b) & ~wrapped)) & kHigh;
    return wrapped | (carry >> 7) * 0xFFu;
}

} // namespace

Picture::Picture() {
    constexpr float kSteps = static_cast<float>(std::size(kStops) - 1);
    for (std::size_t i = 0; i < colours_.size(); ++i) {
        const float at = static_cast<float>(i) / 255.0f * kSteps;
        const auto stop =
            std::min<std::size_t>(static_cast<std::size_t>(at), std::size(kStops) - 2);
        const float share = at - static_cast<float>(stop);
        const auto mixed = [&](std::size_t part) {
            return kStops[stop][part] * (1.0f - share) + kStops[stop + 1][part] * share;
        };
        colours_[i] = packed(mixed(0), mixed(1), mixed(2));
    }
}

void Picture::dot(float x, float y, std::uint32_t colour) noexcept {
    if (x >= 0.0f && y >= 0.0f && x < static_cast<float>(width_) &&
        y < static_cast<float>(height_)) {
        std::uint32_t& pixel =
            pixels_[static_cast<std::size_t>(y) * width_ + static_cast<std::size_t>(x)];
        pixel = sum(pixel, colour);
    }
}

void Picture::disc(float x, float y, float radius, std::uint32_t colour) noexcept {
    const auto clamped = [](float value, std::uint32_t end) {
        return static_cast<std::uint32_t>(std::clamp(value, 0.0f, static_cast<float>(end)));
    };
    const std::uint32_t left = clamped(x - radius, width_),
                        right = clamped(x + radius + 1.0f, width_);
    const std::uint32_t top = clamped(y - radius, height_),
                        end = clamped(y + radius + 1.0f, height_);
    for (std::uint32_t row = top; row < end; ++row) {
        const float dy = static_cast<float>(row) + 0.5f - y;
        for (std::uint32_t column = left; column < right; ++column) {
            const float dx = static_cast<float>(column) + 0.5f - x;
            // Roughly the part of the pixel that the disc covers.
            const float inside = radius + 0.5f - std::sqrt(dx * dx + dy * dy);
            if (inside <= 0.0f) { continue; }
            const auto share = static_cast<std::uint32_t>(std::min(inside, 1.0f) * 256.0f);
            std::uint32_t& pixel = pixels_[std::size_t{row} * width_ + column];
            pixel = sum(scaled(pixel, 256 - share), scaled(colour, share));
        }
    }
}

std::uint32_t Picture::draw(BouncingCrowd& crowd, const View& view, std::span<const Id> found,
                            std::uint32_t width, std::uint32_t height) {
    width_ = width;
    height_ = height;
    pixels_.assign(std::size_t{width} * height, kBackground);
    const float half_width = static_cast<float>(width) / 2.0f;
    const float half_height = static_cast<float>(height) / 2.0f;
    const auto column = [&](Id id) {
        return (crowd.position(id)[0] - view.middle[0]) * view.scale + half_width;
    };
    const auto row = [&](Id id) {
        return (crowd.position(id)[1] - view.middle[1]) * view.scale + half_height;
    };

    const std::span<const Id> seen = crowd.in_view(
        {{{view.middle[0] - half_width / view.scale, view.middle[1] - half_height / view.scale}},
         {{view.middle[0] + half_width / view.scale, view.middle[1] + half_height / view.scale}}});
    const float radius = crowd.radius() * view.scale;
    const bool small = radius < kSmallDisc;
    // 1.6 times the part of the pixel that a dot covers, and at least a fifth, so that a million
    // agents are not too dark.
    const auto share =
        static_cast<std::uint32_t>(std::clamp(radius * radius * 3.14f * 1.6f, 0.2f, 1.0f) * 256.0f);
    std::array<std::uint32_t, 256> colours = colours_;
    if (small) {
        for (std::uint32_t& colour : colours) {
            colour = kOpaque | scaled(colour, share);
        }
    }
    for (const Id id : seen) {
        const Point<2> v = crowd.velocity(id);
        const float speed = std::sqrt(v[0] * v[0] + v[1] * v[1]);
        const std::uint32_t colour =
            colours[static_cast<std::size_t>(std::min(speed * (255.0f / kFast), 255.0f))];
        if (small) {
            dot(column(id), row(id), colour);
        } else {
            disc(column(id), row(id), radius, colour);
        }
    }
    for (const Id id : found) {
        if (small) {
            // Drawn again, so that found agents are brighter than others.
            dot(column(id), row(id), kFoundDot);
        } else {
            disc(column(id), row(id), radius, kFound);
        }
    }
    return static_cast<std::uint32_t>(seen.size());
}

} // namespace throng::web
