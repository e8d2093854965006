// The hand that holds the brush: makes questions from the mouse and keys.
#pragma once

#include "../stage/stage.hpp"
#include "camera.hpp"

namespace throng::demo {

inline constexpr std::array<const char*, 5> kBrushNames = {"box", "circle", "ray", "nearest",
                                                           "view"};
[[nodiscard]] constexpr const char* name_of(BrushKind kind) noexcept {
    return kBrushNames[static_cast<std::size_t>(kind)];
}

/// Rays and views have a direction, which dragging aims.
[[nodiscard]] constexpr bool has_direction(BrushKind kind) noexcept {
    return kind == BrushKind::ray || kind == BrushKind::view;
}

/// Keeps the brush's size in pixels, so that zooming does not change it, and its place in world
/// units, so that moving the camera does not change it.
class Hand {
public:
    static constexpr float kSmallest = 4.0f, kLargest = 600.0f; ///< pixels
    static constexpr float kNarrowest = 0.2f, kWidest = 6.2f;   ///< radians
    static constexpr int kMostNearest = 64;

    BrushKind kind = BrushKind::circle;
    float size = 70.0f; ///< pixels: half a box's side or a radius; rays and views are longer
    float view_angle = 1.4f;
    int nearest = 8;

    /// The mouse has moved to this place.
    void point_at(const Point<2>& place) noexcept { at_ = place; }
    /// The mouse was pressed at one pixel and dragged to another: the brush stays at the first, and
    /// reaches to the second and points at it.
    void aim(const Pixel& from, const Pixel& to, const ViewCamera& camera) noexcept;
    void turn(float radians) noexcept { angle_ += radians; } ///< anticlockwise
    void grow(float factor) noexcept;

    /// The question, in the units of the world.
    [[nodiscard]] Brush brush(const ViewCamera& camera) const noexcept;

private:
    Point<2> at_{};
    float angle_ = 0.5f;
};

} // namespace throng::demo
