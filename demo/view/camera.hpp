// Maps the visible part of the plane to the screen.
#pragma once

#include <throng/engine/agents/box.hpp>
#include <throng/engine/agents/point.hpp>

namespace throng::demo {

/// A place on the screen, in pixels from its upper left corner.
struct Pixel {
    float x = 0.0f, y = 0.0f;
};

/// A part of the screen.
struct ScreenArea {
    float left = 0.0f, top = 0.0f, right = 1.0f, bottom = 1.0f;

    [[nodiscard]] float width() const noexcept { return right - left; }
    [[nodiscard]] float height() const noexcept { return bottom - top; }
};

/// Looks straight down at a world whose y axis points up on the screen.
class ViewCamera {
public:
    /// Shows the whole world as large as the area allows, and sets the limits for zooming.
    void fit(const Box<2>& world, const ScreenArea& area) noexcept;
    /// Takes the screen's new size; the place in its middle stays there.
    void resize(float width, float height) noexcept;

    /// Zooms within limits; the place under the pixel stays there.
    void zoom(const Pixel& at, float factor) noexcept;
    /// Drags the world by x and y pixels; some of it stays on the screen.
    void pan(float x, float y) noexcept;

    [[nodiscard]] Pixel to_screen(const Point<2>& point) const noexcept {
        return {width_ * 0.5f + (point[0] - centre_[0]) * scale_,
                height_ * 0.5f - (point[1] - centre_[1]) * scale_};
    }
    [[nodiscard]] Point<2> to_world(const Pixel& pixel) const noexcept {
        return {{centre_[0] + (pixel.x - width_ * 0.5f) / scale_,
                 centre_[1] - (pixel.y - height_ * 0.5f) / scale_}};
    }
    [[nodiscard]] ScreenArea to_screen(const Box<2>& box) const noexcept;

    /// The part of the plane that the whole screen shows.
    [[nodiscard]] Box<2> visible() const noexcept;

    [[nodiscard]] const Point<2>& centre() const noexcept { return centre_; }
    [[nodiscard]] float scale() const noexcept { return scale_; } ///< pixels per unit
    [[nodiscard]] float width() const noexcept { return width_; }
    [[nodiscard]] float height() const noexcept { return height_; }

    friend bool operator==(const ViewCamera&, const ViewCamera&) noexcept = default;

private:
    void keep_world_on_screen() noexcept;

    Box<2> world_{{{0.0f, 0.0f}}, {{1.0f, 1.0f}}};
    Point<2> centre_{{0.5f, 0.5f}};
    float scale_ = 1.0f;
    float least_scale_ = 1.0f, most_scale_ = 1.0f;
    float width_ = 1.0f, height_ = 1.0f;
};

/// Whether some of the box is visible, edges included.
[[nodiscard]] constexpr bool is_seen(const Box<2>& box, const Box<2>& visible) noexcept {
    return box.lo[0] <= visible.hi[0] && visible.lo[0] <= box.hi[0] && box.lo[1] <= visible.hi[1] &&
           visible.lo[1] <= box.hi[1];
}

} // namespace throng::demo
