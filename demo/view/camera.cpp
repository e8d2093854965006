#include "camera.hpp"

#include <algorithm>

namespace throng::demo {

namespace {

constexpr float kMargin = 0.96f;   // fraction of the area that the world fills after fit()
constexpr float kSmallest = 0.3f;  // smallest scale, relative to that of fit()
constexpr float kNearest = 160.0f; // pixels per unit: an agent fills a good part of the screen

} // namespace

void ViewCamera::fit(const Box<2>& world, const ScreenArea& area) noexcept {
    world_ = world;
    const float world_width = std::max(world.hi[0] - world.lo[0], 1e-6f);
    const float world_height = std::max(world.hi[1] - world.lo[1], 1e-6f);
    const float whole =
        kMargin * std::min(area.width() / world_width, area.height() / world_height);
    scale_ = std::max(whole, 1e-12f);
    least_scale_ = scale_ * kSmallest;
    most_scale_ = std::max(scale_ * 4.0f, kNearest);
    // Moves the middle of the world to the middle of the area, not of the screen.
    centre_[0] = (world.lo[0] + world.hi[0]) * 0.5f -
                 ((area.left + area.right) * 0.5f - width_ * 0.5f) / scale_;
    centre_[1] = (world.lo[1] + world.hi[1]) * 0.5f +
                 ((area.top + area.bottom) * 0.5f - height_ * 0.5f) / scale_;
}

void ViewCamera::resize(float width, float height) noexcept {
    width_ = std::max(width, 1.0f);
    height_ = std::max(height, 1.0f);
}

void ViewCamera::zoom(const Pixel& at, float factor) noexcept {
    const Point<2> under = to_world(at);
    scale_ = std::clamp(scale_ * factor, least_scale_, most_scale_);
    centre_[0] = under[0] - (at.x - width_ * 0.5f) / scale_;
    centre_[1] = under[1] + (at.y - height_ * 0.5f) / scale_;
    keep_world_on_screen();
}

void ViewCamera::pan(float x, float y) noexcept {
    centre_[0] -= x / scale_;
    centre_[1] += y / scale_;
    keep_world_on_screen();
}

void ViewCamera::keep_world_on_screen() noexcept {
    const std::array<float, 2> half = {width_ * 0.5f / scale_, height_ * 0.5f / scale_};
    for (std::size_t a = 0; a < 2; ++a) {
        // Keeps a tenth of the screen in view, or of the world if that is smaller.
        const float kept = std::min(half[a] * 0.2f, (world_.hi[a] - world_.lo[a]) * 0.1f);
        centre_[a] =
            std::clamp(centre_[a], world_.lo[a] - half[a] + kept, world_.hi[a] + half[a] - kept);
    }
}

ScreenArea ViewCamera::to_screen(const Box<2>& box) const noexcept {
    const Pixel low = to_screen(box.lo), high = to_screen(box.hi);
    return {low.x, high.y, high.x, low.y};
}

Box<2> ViewCamera::visible() const noexcept {
    const Point<2> upper_left = to_world({0.0f, 0.0f});
    const Point<2> lower_right = to_world({width_, height_});
    return {{{upper_left[0], lower_right[1]}}, {{lower_right[0], upper_left[1]}}};
}

} // namespace throng::demo
