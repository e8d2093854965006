// Which way a search takes, and what it will cost. Internal to the engine.
#pragma once

#include "ball.hpp"
#include "box.hpp"
#include "crowd_stats.hpp"
#include "ray.hpp"
#include "row_store.hpp"
#include "segment.hpp"
#include "shapes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace throng {

/// What a planner knows of a grid without looking at its agents.
template <std::size_t Dim>
struct GridFacts {
    const RowStore<Dim>& store;
    const Box<Dim>& bounds; ///< of all centres
    const Point<Dim>& reach;
    std::size_t agents;
};

/// Whether the test of a shape holds for every agent of a grid that has these bounds. Each test is
/// made of sums and products that never fall as an agent is farther away, also when rounded, so it
/// holds for all if it does at the ends of the bounds.
template <std::size_t Dim>
[[nodiscard]] bool holds_all(const Box<Dim>& box, const GridFacts<Dim>& facts) noexcept {
    bool all = true;
    for (std::size_t a = 0; a < Dim && all; ++a) {
        // Of agents with extents of their own the least counts, which may be none.
        const float half = facts.store.kind().own_half_extents ? 0.0f : facts.reach[a];
        all = facts.bounds.hi[a] - half <= box.hi[a] && facts.bounds.lo[a] + half >= box.lo[a] &&
              box.lo[a] <= box.hi[a];
    }
    return all;
}
template <std::size_t Dim>
[[nodiscard]] bool holds_all(const Ball<Dim>& ball, const GridFacts<Dim>& facts) noexcept {
    float distance2 = 0.0f;
    for (std::size_t a = 0; a < Dim; ++a) {
        const float offset = std::max(std::abs(facts.bounds.lo[a] - ball.centre[a]),
                                      std::abs(facts.bounds.hi[a] - ball.centre[a]));
        distance2 = a == 0 ? offset * offset : distance2 + offset * offset;
    }
    return distance2 <= ball.radius * ball.radius;
}
/// Of other shapes it is not known.
template <std::size_t Dim, class Shape>
[[nodiscard]] bool holds_all(const Shape&, const GridFacts<Dim>&) noexcept {
    return false;
}

/// The way of a question to a grid with agents; leaves_out() says whether it leaves anybody out.
template <std::size_t Dim, class Shape, class LeavesOut>
[[nodiscard]] SearchPath choose_path(const Shape& shape, const GridFacts<Dim>& facts,
                                     const LeavesOut& leaves_out) noexcept {
    if (holds_all(shape, facts) && !leaves_out()) { return SearchPath::everybody; }
    return facts.store.tiles().empty() ? SearchPath::rows : SearchPath::tiles;
}

/// What a count on that way takes, in nanoseconds; `bounds` hold the hits' boxes.
template <std::size_t Dim>
[[nodiscard]] double predict(SearchPath path, const Box<Dim>& bounds,
                             const GridFacts<Dim>& facts) noexcept;

/// Whether a set of few large elements is to be asked before the grid whether anybody is there.
template <std::size_t Dim>
[[nodiscard]] bool is_sparse_for(const Box<Dim>& bounds, const GridFacts<Dim>& facts) noexcept;

/// The part of a path on which somebody can be met no later than `time`, as a path on which all
/// times are the same; nothing where that is the path itself, or none is known to be. Whom the part
/// meets the path meets too; those met later than `time` may be told to be met earlier than they
/// are, but later than `time` still. docs/planner.md has the argument.
template <std::size_t Dim>
[[nodiscard]] std::optional<Ray<Dim>> until(const Ray<Dim>& ray, float time) noexcept {
    // A little more than the time, which is rounded.
    const float length = std::max(time * 1.0001f, 1e-30f);
    if (!(length < ray.length)) { return std::nullopt; }
    return Ray<Dim>{ray.origin, ray.direction, length};
}
template <std::size_t Dim>
[[nodiscard]] std::optional<Ray<Dim>> until(const Segment<Dim>& segment, float time) noexcept {
    Ray<Dim> ray = {segment.from, {}, 0.999f}; // further on, rounding may lead beyond the end
    for (std::size_t a = 0; a < Dim; ++a) {
        ray.direction[a] = segment.to[a] - segment.from[a];
    }
    const std::optional<Ray<Dim>> part = until(ray, time);
    return part && check_shape(*part).ok() ? part : std::nullopt;
}
template <std::size_t Dim>
[[nodiscard]] std::optional<Ray<Dim>> until(const Capsule<Dim>&, float) noexcept {
    return std::nullopt; // its times depend on where it ends
}

} // namespace throng
