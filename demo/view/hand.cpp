#include "hand.hpp"

#include <algorithm>
#include <cmath>

namespace throng::demo {

namespace {

/// Length as a multiple of the brush's size: narrow shapes are longer.
float reach_of(BrushKind kind) noexcept {
    switch (kind) {
    case BrushKind::ray:
        return 4.0f;
    case BrushKind::view:
        return 2.0f;
    case BrushKind::box:
    case BrushKind::circle:
    case BrushKind::nearest:
        break;
    }
    return 1.0f;
}

} // namespace

void Hand::aim(const Pixel& from, const Pixel& to, const ViewCamera& camera) noexcept {
    at_ = camera.to_world(from);
    const float x = to.x - from.x, y = from.y - to.y;
    float distance = std::hypot(x, y);
    if (kind == BrushKind::box) { distance = std::max(std::abs(x), std::abs(y)); }
    if (distance < kSmallest) { return; }
    size = std::clamp(distance / reach_of(kind), kSmallest, kLargest);
    if (has_direction(kind)) { angle_ = std::atan2(y, x); }
}

void Hand::grow(float factor) noexcept { size = std::clamp(size * factor, kSmallest, kLargest); }

Brush Hand::brush(const ViewCamera& camera) const noexcept {
    Brush brush;
    brush.kind = kind;
    brush.at = at_;
    brush.towards = {{std::cos(angle_), std::sin(angle_)}};
    brush.size = size * reach_of(kind) / camera.scale();
    brush.view_angle = view_angle;
    brush.nearest = static_cast<std::size_t>(nearest);
    return brush;
}

} // namespace throng::demo
