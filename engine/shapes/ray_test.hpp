// What it means to meet an agent on the way: rays and segments against agents' boxes.
#pragma once

#include "../agents/box.hpp"
#include "direction.hpp"
#include "ray.hpp"
#include "segment.hpp"

#include <algorithm>
#include <cmath>

namespace throng {

/// A ray or segment as its tests see it.
template <std::size_t Dim>
struct RayTest {
    Point<Dim> origin;
    Point<Dim> direction; ///< the way made in a unit of time
    Point<Dim> along;     ///< the same, scaled()
    Box<Dim> bounds;
    float length; ///< the time at its end
};

template <std::size_t Dim>
[[nodiscard]] RayTest<Dim> ray_test(const Ray<Dim>& ray) noexcept {
    RayTest<Dim> track = {ray.origin, ray.direction, scaled(ray.direction), {}, ray.length};
    for (std::size_t a = 0; a < Dim; ++a) {
        const float end = ray.origin[a] + ray.direction[a] * ray.length;
        track.bounds.lo[a] = std::min(ray.origin[a], end);
        track.bounds.hi[a] = std::max(ray.origin[a], end);
    }
    return track;
}

template <std::size_t Dim>
[[nodiscard]] RayTest<Dim> ray_test(const Segment<Dim>& segment) noexcept {
    RayTest<Dim> track = {segment.from, {}, {}, {}, 1.0f};
    for (std::size_t a = 0; a < Dim; ++a) {
        track.direction[a] = segment.to[a] - segment.from[a];
        track.bounds.lo[a] = std::min(segment.from[a], segment.to[a]);
        track.bounds.hi[a] = std::max(segment.from[a], segment.to[a]);
    }
    track.along = scaled(track.direction);
    return track;
}

/// The one definition of "a ray meets an agent": nothing separates the agent's box from it, neither
/// a side of a box nor, seen along any axis, the line itself. Touching counts.
template <std::size_t Dim>
[[nodiscard]] bool meets(const RayTest<Dim>& track, const Point<Dim>& centre,
                         const Point<Dim>& half) noexcept {
    bool hit = overlaps(track.bounds, centre, half);
    const Point<Dim>& along = track.along;
    for (std::size_t i = 0; i + 1 < Dim; ++i) {
        for (std::size_t j = i + 1; j < Dim; ++j) {
            const float off =
                along[i] * (centre[j] - track.origin[j]) - along[j] * (centre[i] - track.origin[i]);
            const float wide = half[i] * std::abs(along[j]) + half[j] * std::abs(along[i]);
            hit = hit && std::abs(off) <= wide;
        }
    }
    return hit;
}

/// When it first touches an agent that it meets.
template <std::size_t Dim>
[[nodiscard]] float time_of_hit(const RayTest<Dim>& track, const Point<Dim>& centre,
                                const Point<Dim>& half) noexcept {
    float time = 0.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float way = track.direction[a];
        if (way == 0.0f) { continue; }
        const float near = way > 0.0f ? centre[a] - half[a] : centre[a] + half[a];
        time = std::max(time, (near - track.origin[a]) / way);
    }
    // Plus zero, since maxima of zeros have signs of their own on some machines.
    return std::min(time, track.length) + 0.0f;
}

} // namespace throng
