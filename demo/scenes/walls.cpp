#include "walls.hpp"

#include "../structures/structure.hpp"
#include "scene.hpp"

#include <algorithm>

namespace throng::demo {

namespace {

/// Discs stop this far from walls, so that rounding does not make them touch.
constexpr float kGap = 0.01f;
/// Walls farther away than this are ignored.
constexpr float kFar = 3.0f;

Point<2> along(const Point<2>& from, float by, const Point<2>& way) noexcept {
    return {{from[0] + by * way[0], from[1] + by * way[1]}};
}
float dot(const Point<2>& a, const Point<2>& b) noexcept { return a[0] * b[0] + a[1] * b[1]; }

} // namespace

void Walls::build(const ObstacleArrays<2>& arrays) { must(obstacles_.set(arrays)); }

Point<2> Walls::walk(const Point<2>& at, const Point<2>& to, float radius, float& free) const {
    Point<2> way = along(to, -1.0f, at);
    const float step = length(way) + 1e-3f; // more than the error of rounded places
    free -= step;
    if (free > 0.0f) { return to; }
    ObstacleNear<2> near;
    const bool found = obstacles_.nearest(at, near, kFar).count != 0;
    free = (found ? near.distance : kFar) - radius - kGap - step;
    if (free > 0.0f) { return to; }
    free = 0.0f;
    float reach = radius;
    if (near.distance < radius + kGap) {
        // The disc is too near: it moves away from the wall, and goes on as a smaller disc that
        // does not touch the wall yet.
        way = along(way, 0.5f * (radius + kGap - near.distance), near.normal);
        reach = std::max(near.distance - kGap, 0.0f);
    }
    Point<2> here = at;
    // Twice: the disc slides along a wall that stops it, until a second one stops it, as in
    // corners.
    for (int turn = 0; turn < 2 && length(way) > 0.0f; ++turn) {
        ObstacleHit<2> hit;
        if (obstacles_.first(Capsule<2>{here, along(here, 1.0f, way), reach}, hit).count == 0) {
            here = along(here, 1.0f, way);
            break;
        }
        const float part = std::max(hit.time - kGap / length(way), 0.0f);
        here = along(here, part, way);
        const Point<2> rest = {{way[0] * (1.0f - part), way[1] * (1.0f - part)}};
        way = along(rest, -std::min(dot(rest, hit.normal), 0.0f), hit.normal);
    }
    // The place is rounded, so the way actually taken is tested again.
    return obstacles_.sight(Segment<2>{at, here}).count != 0 ? here : at;
}

} // namespace throng::demo
