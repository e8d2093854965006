#include "paint.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace throng::demo {

namespace {

constexpr std::size_t kBandRows = 32;
constexpr std::size_t kAgentBlock = 65'536;
/// In pixels; agents with a smaller radius are painted as a glow.
constexpr float kLeastDisc = 0.75f;
/// An agent this many times as large as usual is a giant, with its own colour.
constexpr float kGiantTimes = 6.0f;

constexpr Colour kBackground = {0.027f, 0.033f, 0.058f};
constexpr Colour kGiant = {0.20f, 0.80f, 0.70f};
constexpr Colour kWall = {0.62f, 0.70f, 0.82f};

Colour mixed(const Colour& a, const Colour& b, float share) noexcept {
    return {a.r + (b.r - a.r) * share, a.g + (b.g - a.g) * share, a.b + (b.b - a.b) * share};
}

/// Blends a colour over a pixel.
void blend(std::uint8_t* pixel, const Colour& colour, float opacity) noexcept {
    const std::array<float, 3> target = {colour.r, colour.g, colour.b};
    for (std::size_t c = 0; c < 3; ++c) {
        const float old = static_cast<float>(pixel[c]);
        pixel[c] = static_cast<std::uint8_t>(old + (target[c] * 255.0f - old) * opacity + 0.5f);
    }
}

/// A range of pixel rows or columns; `end` is past the last.
struct Span {
    std::size_t begin, end;
};

/// The pixels from `low` to `high`, within `first` to `last`.
Span pixels_in(float low, float high, std::size_t first, std::size_t last) noexcept {
    const auto least = static_cast<float>(first), most = static_cast<float>(last);
    return {static_cast<std::size_t>(std::clamp(std::floor(low), least, most)),
            static_cast<std::size_t>(std::clamp(std::ceil(high), least, most))};
}

/// Paints some rows of a rectangle with smooth edges.
void fill(Image& image, const Point<2>& low, const Point<2>& high, const Span& rows,
          const Colour& colour, float opacity) noexcept {
    const Span ys = pixels_in(low[1], high[1], rows.begin, rows.end);
    const Span xs = pixels_in(low[0], high[0], 0, image.width);
    for (std::size_t y = ys.begin; y < ys.end; ++y) {
        const auto top = static_cast<float>(y);
        const float down = std::min(high[1], top + 1.0f) - std::max(low[1], top);
        for (std::size_t x = xs.begin; x < xs.end; ++x) {
            const auto left = static_cast<float>(x);
            const float across = std::min(high[0], left + 1.0f) - std::max(low[0], left);
            blend(image.row(y) + x * 4, colour, opacity * down * across);
        }
    }
}

/// Paints a ball lit from above, with a dark rim that sets it apart from others.
void disc(Image& image, const Point<2>& at, float radius, const Span& rows,
          const Colour& colour) noexcept {
    const float rim = radius + (radius > 2.0f ? 1.0f : 0.0f);
    const Span ys = pixels_in(at[1] - rim - 1.0f, at[1] + rim + 1.0f, rows.begin, rows.end);
    const Span xs = pixels_in(at[0] - rim - 1.0f, at[0] + rim + 1.0f, 0, image.width);
    for (std::size_t y = ys.begin; y < ys.end; ++y) {
        const float dy = static_cast<float>(y) + 0.5f - at[1];
        for (std::size_t x = xs.begin; x < xs.end; ++x) {
            const float dx = static_cast<float>(x) + 0.5f - at[0];
            const float distance = std::sqrt(dx * dx + dy * dy);
            std::uint8_t* const pixel = image.row(y) + x * 4;
            if (rim > radius) {
                blend(pixel, kBackground, 0.6f * std::clamp(rim + 0.5f - distance, 0.0f, 1.0f));
            }
            const float inside = std::clamp(radius + 0.5f - distance, 0.0f, 1.0f);
            if (inside == 0.0f) { continue; }
            const float ux = dx / radius, uy = dy / radius;
            const float shade =
                radius > 2.0f ? 1.0f - 0.22f * (ux * ux + uy * uy) - 0.12f * uy : 1.0f;
            blend(pixel,
                  {std::min(colour.r * shade, 1.0f), std::min(colour.g * shade, 1.0f),
                   std::min(colour.b * shade, 1.0f)},
                  inside);
        }
    }
}

/// The value that about this fraction of the numbers does not exceed, estimated from a sample.
template <class Number>
Number quantile(std::span<const Number> numbers, double share) {
    std::vector<Number> sample;
    const std::size_t step = numbers.size() / 65'536 + 1;
    for (std::size_t i = 0; i < numbers.size(); i += step) {
        sample.push_back(numbers[i]);
    }
    const auto at = sample.begin() +
                    static_cast<std::ptrdiff_t>(share * static_cast<double>(sample.size() - 1));
    std::nth_element(sample.begin(), at, sample.end());
    return *at;
}

} // namespace

Camera Camera::over(const Box<2>& world, std::size_t width, std::size_t height) noexcept {
    Camera camera;
    for (std::size_t a = 0; a < 2; ++a) {
        camera.centre[a] = (world.lo[a] + world.hi[a]) * 0.5f;
        const auto pixels = static_cast<float>(a == 0 ? width : height);
        const float units = (world.hi[a] - world.lo[a]) / pixels;
        camera.units_per_pixel = a == 0 ? units : std::max(camera.units_per_pixel, units);
    }
    return camera;
}

Point<2> Camera::world_of(float pixel_x, float pixel_y, const Image& image) const noexcept {
    return {{centre[0] + (pixel_x - static_cast<float>(image.width) * 0.5f) * units_per_pixel,
             centre[1] - (pixel_y - static_cast<float>(image.height) * 0.5f) * units_per_pixel}};
}

Point<2> Camera::pixel_of(const Point<2>& place, const Image& image) const noexcept {
    return {{(place[0] - centre[0]) / units_per_pixel + static_cast<float>(image.width) * 0.5f,
             (centre[1] - place[1]) / units_per_pixel + static_cast<float>(image.height) * 0.5f}};
}

Colour colour_of_share(float share) noexcept {
    constexpr std::array<Colour, 6> kRamp = {{{0.16f, 0.20f, 0.52f},
                                              {0.36f, 0.22f, 0.68f},
                                              {0.72f, 0.24f, 0.58f},
                                              {0.95f, 0.40f, 0.34f},
                                              {0.99f, 0.70f, 0.25f},
                                              {1.00f, 0.95f, 0.66f}}};
    const float place = std::clamp(share, 0.0f, 1.0f) * static_cast<float>(kRamp.size() - 1);
    const std::size_t below = std::min(static_cast<std::size_t>(place), kRamp.size() - 2);
    return mixed(kRamp[below], kRamp[below + 1], place - static_cast<float>(below));
}

Colour colour_of_hue(std::uint8_t hue) noexcept {
    // Each hue turns the colour circle by the golden ratio.
    const float turn = std::fmod(0.58f + 0.618034f * static_cast<float>(hue / 2), 1.0f);
    const auto part = [&](float offset) {
        const float away = std::abs(std::fmod(turn + offset, 1.0f) * 6.0f - 3.0f) - 1.0f;
        return 0.22f + 0.68f * std::clamp(away, 0.0f, 1.0f);
    };
    const Colour colour = {part(0.0f), part(2.0f / 3.0f), part(1.0f / 3.0f)};
    return mixed(colour, {1.0f, 1.0f, 1.0f}, hue % 2 == 0 ? 0.0f : 0.6f);
}

float Painter::usual_half(const Sight& sight) {
    return sight.half.empty() ? sight.common_half : quantile(sight.half, 0.5);
}

void Painter::paint(const Sight& sight, const Camera& camera, Image& image) {
    prepare(sight);
    sort_into_bands(sight, camera, image);
    executor_.run(bands_, [&](std::size_t band) { paint_band(sight, camera, band, image); });
}

void Painter::prepare(const Sight& sight) {
    float low = 0.0f, high = 1.0f;
    giant_ = kGiantTimes * sight.common_half;
    if (!sight.neighbours.empty()) {
        // Leaves out the few loneliest and most crowded agents, so that they do not set the scale.
        low = std::sqrt(static_cast<float>(quantile(sight.neighbours, 0.02)));
        high = std::sqrt(static_cast<float>(quantile(sight.neighbours, 0.99)));
        giant_ = kGiantTimes * usual_half(sight);
    }
    const float pace = high_ < low_ ? 1.0f : 0.1f;
    low_ += (low - low_) * pace;
    high_ += (std::max(high, low + 0.5f) - high_) * pace;
    for (std::size_t hue = 0; hue < hues_.size(); ++hue) {
        hues_[hue] = colour_of_hue(static_cast<std::uint8_t>(hue));
    }
    colours_.resize(kColours);
    for (std::size_t n = 0; n < kColours; ++n) {
        colours_[n] = colour_of_share((std::sqrt(static_cast<float>(n)) - low_) / (high_ - low_));
    }
}

void Painter::sort_into_bands(const Sight& sight, const Camera& camera, const Image& image) {
    const std::size_t blocks = (sight.x.size() + kAgentBlock - 1) / kAgentBlock;
    bands_ = (image.height + kBandRows - 1) / kBandRows;
    touching_.resize(std::max(touching_.size(), blocks * bands_));
    blocks_ = blocks;
    const auto width = static_cast<float>(image.width), height = static_cast<float>(image.height);
    const auto paint_rows = static_cast<float>(kBandRows);
    executor_.run(blocks, [&](std::size_t block) {
        std::vector<Id>* const lists = touching_.data() + block * bands_;
        for (std::size_t b = 0; b < bands_; ++b) {
            lists[b].clear();
        }
        const std::size_t end = std::min(sight.x.size(), (block + 1) * kAgentBlock);
        for (std::size_t i = block * kAgentBlock; i < end; ++i) {
            const Point<2> at = camera.pixel_of({{sight.x[i], sight.y[i]}}, image);
            const float half = sight.half_of(i);
            const float reach = half / camera.units_per_pixel + 1.5f;
            // This form of the condition leaves out agents whose position is NaN.
            if (!(at[0] > -reach && at[0] < width + reach && at[1] > -reach &&
                  at[1] < height + reach)) {
                continue;
            }
            const float top = std::max(at[1] - reach, 0.0f);
            const float bottom = std::clamp(at[1] + reach, 0.0f, height - 1.0f);
            const auto last = static_cast<std::size_t>(bottom / paint_rows);
            for (auto b = static_cast<std::size_t>(top / paint_rows); b <= last; ++b) {
                lists[b].push_back(static_cast<Id>(i));
            }
        }
    });
    std::size_t seen = 0;
    for (std::size_t i = 0; i < blocks * bands_; ++i) {
        seen += touching_[i].size();
    }
    // In sparser pictures an agent is no more opaque than with 0.3 agents to a pixel.
    crowding_ = std::max(static_cast<float>(seen) / (width * height), 0.3f);
}

/// A part of the image that one block paints.
struct Painter::Band {
    const Painter& painter;
    const Sight& sight;
    const Camera& camera;
    Image& image;
    Span rows;

    template <class Call>
    void for_agents(std::size_t band, const Call& call) const {
        for (std::size_t block = 0; block < painter.blocks_; ++block) {
            for (const Id id : painter.touching_[block * painter.bands_ + band]) {
                const float half = sight.half_of(id);
                call(id, half, half / camera.units_per_pixel);
            }
        }
    }
    [[nodiscard]] Point<2> pixel_of(Id id) const noexcept {
        return camera.pixel_of({{sight.x[id], sight.y[id]}}, image);
    }
    [[nodiscard]] Colour colour_of(Id id) const noexcept {
        if (!sight.hues.empty()) { return painter.hues_[sight.hues[id]]; }
        const std::size_t near = sight.neighbours.empty() ? 0 : sight.neighbours[id];
        return painter.colours_[std::min(near, kColours - 1)];
    }

    /// Each pixel gets the mean colour of its agents, and is brighter with more agents.
    void glow(std::size_t band) const {
        struct Light {
            float r, g, b, weight;
        };
        thread_local std::vector<Light> lights;
        const std::size_t width = image.width, height = rows.end - rows.begin;
        lights.assign(width * height, Light{});
        for_agents(band, [&](Id id, float, float radius) {
            if (radius >= kLeastDisc) { return; }
            const Point<2> at = pixel_of(id);
            const Colour colour = colour_of(id);
            // An agent's light is divided among the four pixels whose centres are around it.
            const float left = std::floor(at[0] - 0.5f), top = std::floor(at[1] - 0.5f);
            const float right_share = at[0] - 0.5f - left, low_share = at[1] - 0.5f - top;
            for (unsigned corner = 0; corner < 4; ++corner) {
                const bool right = (corner & 1) != 0, low = (corner & 2) != 0;
                const float x = left + (right ? 1.0f : 0.0f);
                const float y = top + (low ? 1.0f : 0.0f) - static_cast<float>(rows.begin);
                if (x < 0.0f || y < 0.0f || x >= static_cast<float>(width) ||
                    y >= static_cast<float>(height)) {
                    continue;
                }
                const float weight = (right ? right_share : 1.0f - right_share) *
                                     (low ? low_share : 1.0f - low_share);
                Light& light =
                    lights[static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)];
                light.r += colour.r * weight;
                light.g += colour.g * weight;
                light.b += colour.b * weight;
                light.weight += weight;
            }
        });
        for (std::size_t i = 0; i < lights.size(); ++i) {
            const Light& light = lights[i];
            if (light.weight == 0.0f) { continue; }
            const float depth = 1.3f * light.weight / painter.crowding_;
            const float opacity = 1.0f - 1.0f / (1.0f + depth + 0.5f * depth * depth);
            blend(image.row(rows.begin + i / width) + i % width * 4,
                  {light.r / light.weight, light.g / light.weight, light.b / light.weight},
                  opacity);
        }
    }

    void walls() const {
        for (std::size_t w = 0; w < sight.wall_x.size(); ++w) {
            const float x = sight.wall_x[w], y = sight.wall_y[w];
            const float half_x = sight.wall_half_x[w], half_y = sight.wall_half_y[w];
            Point<2> low = camera.pixel_of({{x - half_x, y + half_y}}, image);
            Point<2> high = camera.pixel_of({{x + half_x, y - half_y}}, image);
            for (std::size_t a = 0; a < 2; ++a) {
                // At least 0.6 pixels half extent, so that thin walls stay visible.
                const float thin = std::max(0.6f - (high[a] - low[a]) * 0.5f, 0.0f);
                low[a] -= thin;
                high[a] += thin;
            }
            fill(image, low, high, rows, kWall, 0.9f);
        }
    }

    void discs(std::size_t band, bool giants) const {
        for_agents(band, [&](Id id, float half, float radius) {
            if (radius < kLeastDisc || giants != (half > painter.giant_)) { return; }
            disc(image, pixel_of(id), radius, rows,
                 giants ? mixed(kGiant, colour_of(id), 0.25f) : colour_of(id));
        });
    }
};

void Painter::paint_band(const Sight& sight, const Camera& camera, std::size_t band,
                         Image& image) const {
    const Band part{*this,
                    sight,
                    camera,
                    image,
                    {band * kBandRows, std::min(image.height, (band + 1) * kBandRows)}};
    for (std::size_t y = part.rows.begin; y < part.rows.end; ++y) {
        for (std::size_t x = 0; x < image.width; ++x) {
            std::uint8_t* const pixel = image.row(y) + x * 4;
            pixel[0] = pixel[1] = pixel[2] = 0;
            pixel[3] = 255;
            blend(pixel, kBackground, 1.0f);
        }
    }
    part.glow(band);
    part.walls();
    part.discs(band, false);
    part.discs(band, true);
}

void Painter::outline(std::span<const Box<2>> boxes, const Camera& camera, const Colour& colour,
                      float opacity, Image& image) const {
    const Span all = {0, image.height};
    for (const Box<2>& box : boxes) {
        const Point<2> low = camera.pixel_of({{box.lo[0], box.hi[1]}}, image);
        const Point<2> high = camera.pixel_of({{box.hi[0], box.lo[1]}}, image);
        const float size = std::min(high[0] - low[0], high[1] - low[1]);
        const float seen = opacity * std::clamp((size - 3.0f) / 8.0f, 0.0f, 1.0f);
        if (!(seen > 0.0f)) { continue; }
        fill(image, {{low[0], low[1]}}, {{high[0], low[1] + 1.0f}}, all, colour, seen);
        fill(image, {{low[0], high[1] - 1.0f}}, {{high[0], high[1]}}, all, colour, seen);
        fill(image, {{low[0], low[1] + 1.0f}}, {{low[0] + 1.0f, high[1] - 1.0f}}, all, colour,
             seen);
        fill(image, {{high[0] - 1.0f, low[1] + 1.0f}}, {{high[0], high[1] - 1.0f}}, all, colour,
             seen);
    }
}

} // namespace throng::demo
