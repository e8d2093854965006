// When rays and segments meet the boxes of agents.
#pragma once

#include "../../simd/isa/names_begin.hpp"

#include "../agents/box.hpp"
#include "direction.hpp"
#include "shape_facts.hpp"

#include <algorithm>
#include <cmath>

namespace throng {
template <std::size_t Dim>
struct Ray;
template <std::size_t Dim>
struct Segment;
} // namespace throng

namespace throng::detail {

/// A ray or segment, prepared for the tests of agents.
template <std::size_t Dim>
struct RayTest {
    Point<Dim> origin;
    Point<Dim> direction; ///< the way made in a unit of time
    Point<Dim> along;     ///< `direction`, scaled()
    Box<Dim> bounds;
    float length; ///< the time at the end of the path
};

/// The one definition of "a ray meets an agent": neither a side of the agent's box or of the ray's
/// bounds, nor the ray's line as seen along any axis, separates the two. Touching counts.
template <std::size_t Dim>
[[nodiscard]] bool meets(const RayTest<Dim>& test, const Point<Dim>& centre,
                         const Point<Dim>& half) noexcept {
    bool hit = overlaps(test.bounds, centre, half);
    const Point<Dim>& along = test.along;
    for (std::size_t i = 0; i + 1 < Dim; ++i) {
        for (std::size_t j = i + 1; j < Dim; ++j) {
            const float off =
                along[i] * (centre[j] - test.origin[j]) - along[j] * (centre[i] - test.origin[i]);
            const float wide = half[i] * std::abs(along[j]) + half[j] * std::abs(along[i]);
            hit = hit && std::abs(off) <= wide;
        }
    }
    return hit;
}

/// The time at which a ray first touches an agent that it meets.
template <std::size_t Dim>
[[nodiscard]] float time_of_hit(const RayTest<Dim>& test, const Point<Dim>& centre,
                                const Point<Dim>& half) noexcept {
    float time = 0.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float way = test.direction[a];
        if (way == 0.0f) { continue; }
        const float near = way > 0.0f ? centre[a] - half[a] : centre[a] + half[a];
        time = std::max(time, (near - test.origin[a]) / way);
    }
    // Plus zero, since the sign of a maximum of zeros differs between machines.
    return std::min(time, test.length) + 0.0f;
}

template <std::size_t Dim>
[[nodiscard]] RayTest<Dim> ray_test(const Ray<Dim>& ray) noexcept;
template <std::size_t Dim>
[[nodiscard]] RayTest<Dim> ray_test(const Segment<Dim>& segment) noexcept;

/// The facts that are the same for rays and segments.
template <class Path, std::size_t Dim>
struct RayFacts : UsualFacts<Path> {
    using Block = simd::RayBlock<Dim>;

    [[nodiscard]] static RayTest<Dim> test(const Path& path) noexcept { return ray_test(path); }

    static void put(Block& block, std::size_t, const Path& path) noexcept {
        const RayTest<Dim> prepared = test(path);
        std::copy_n(prepared.origin.axis.data(), Dim, block.origin);
        std::copy_n(prepared.direction.axis.data(), Dim, block.direction);
        std::copy_n(prepared.along.axis.data(), Dim, block.along);
        std::copy_n(prepared.bounds.lo.axis.data(), Dim, block.lo);
        std::copy_n(prepared.bounds.hi.axis.data(), Dim, block.hi);
        block.length = prepared.length;
    }
    static void put_nothing(Block& block, std::size_t) noexcept {
        block.length = -1.0f; // then no time is on the path
    }

    static void bound(ShapeGate<Dim>& gate, const Path& path) noexcept {
        const RayTest<Dim> prepared = test(path);
        gate.set_bounds(prepared.bounds);
        gate.add_line(prepared.origin, prepared.direction, 1e-18);
    }
};

} // namespace throng::detail

#include "../../simd/isa/names_end.hpp"
